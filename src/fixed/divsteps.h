/* SPDX-License-Identifier: MIT */
/*
 * divsteps.h - Bernstein and Yang's division steps (Fast constant-time gcd computation and
 * modular inversion, 2019): f odd,
 *
 *	delta > 0 and g odd:  (delta, f, g) := (1 - delta, g, (g - f) / 2)
 *	else:                 (delta, f, g) := (1 + delta, f, (g + (g mod 2) f) / 2)
 *
 * For f, g below 2^d, by their theorem 11.2, g = 0 and f = +-gcd after
 * floor((49 d + 80) / 17) steps (and three fewer from d = 46 on).  STEPS of them depend only
 * on the lowest words, and give a matrix of single words, which is then applied to the whole.
 */
#ifndef CC_FIXED_DIVSTEPS_H
#define CC_FIXED_DIVSTEPS_H

#include "kernels.h"
#include "mask.h"

/* The matrix's rows have |u| + |v| <= 2^STEPS, with a sign, in a word. */
#define CC_STEPS (CC_WORD_BITS - 2)

/* So many words of a row are computed at once. */
#define CC_DIVSTEPS_WORDS 72

/*
 * 2^STEPS (f', g') = (u f + v g, q f + r g), entries in two's complement.  A part of a row's sum,
 * and of a vector or its complement, are here because whoever has the matrix wipes it.
 */
struct cc_matrix {
	cc_word u, v, q, r;
	cc_word sum[CC_DIVSTEPS_WORDS + 1], turned[CC_DIVSTEPS_WORDS];
};

static inline cc_word cc_sign(cc_word x)
{
	return cc_mask(x >> (CC_WORD_BITS - 1));
}

/* If @jacobi is not NULL, its lowest bit changes as jacobi.c explains. */
static inline void cc_divsteps(struct cc_matrix *t, cc_word *delta, cc_word f, cc_word g,
			       cc_word *jacobi)
{
	cc_word u = 1, v = 0, q = 0, r = 1, d = 0 - *delta, changes = 0;
	int i;

	/* d = -delta: it becomes -(1 - delta) = ~d, or d - 1 */
	for (i = 0; i < CC_STEPS; i++) {
		cc_word odd = cc_mask(g & 1), down = cc_sign(d), swap = odd & down, before = f;

		if (jacobi)
			changes ^= (swap & r & ~v) >> (CC_WORD_BITS - 1);
		/* g := g -+ f for an odd g, and then f := f + (g - f); so the rows */
		g += ((f ^ down) - down) & odd;
		q += ((u ^ down) - down) & odd;
		r += ((v ^ down) - down) & odd;
		f += g & swap;
		u += q & swap;
		v += r & swap;
		d = (d ^ swap) - swap - 1;
		if (jacobi)
			changes ^= ((f & (0 - before) & swap) ^ f ^ f >> 1) >> 1;

		g >>= 1;
		u <<= 1;
		v <<= 1;
	}
	*delta = 0 - d;
	t->u = u;
	t->v = v;
	t->q = q;
	t->r = r;
	if (jacobi)
		*jacobi ^= changes;
}

/* How many times STEPS steps are needed until g[n] is 0 */
static inline size_t cc_fixed_rounds(size_t n)
{
	return ((49 * n * CC_WORD_BITS + 80) / 17 + CC_STEPS - 1) / CC_STEPS;
}

/*
 * (f, g) := the matrix's product with them; |f| and |g| stay below B^n; words = n + 1, which
 * is also the length of t.
 */
CC_HIDDEN void cc_fixed_update(struct cc_matrix *k, cc_word *f, cc_word *g, cc_word *t,
			       size_t words);
/*
 * The same for d and e in (-2m, m) modulo an odd m[words - 1], whose inverse modulo B is
 * m_inverse; m has a zero above.
 */
CC_HIDDEN void cc_fixed_update_modulo(struct cc_matrix *k, cc_word *d, cc_word *e, cc_word *t,
				      const cc_word *m, cc_word m_inverse, size_t words);

#endif /* CC_FIXED_DIVSTEPS_H */
