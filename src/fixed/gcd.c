// SPDX-License-Identifier: MIT
/*
 * The greatest common divisor and the inverse by Bernstein and Yang's division steps
 * (Fast constant-time gcd computation and modular inversion, 2019): f odd,
 *
 *	delta > 0 and g odd:  (delta, f, g) := (1 - delta, g, (g - f) / 2)
 *	else:                 (delta, f, g) := (1 + delta, f, (g + (g mod 2) f) / 2)
 *
 * For f, g below 2^d their theorem 11.2 gives g = 0, f = +-gcd after floor((49 d + 80) / 17)
 * steps (and three fewer from d = 46 on).  STEPS at a time depend on the lowest words
 * alone, and make a matrix of single words that then acts on the whole.
 */
#include <carrychain/limbs.h>

#include "kernels.h"
#include "mask.h"

/* The matrix's rows have |u| + |v| <= 2^STEPS, with a sign, in a word. */
#define STEPS (CC_WORD_BITS - 2)

/* 2^STEPS (f', g') = (u f + v g, q f + r g), entries in two's complement */
struct matrix {
	cc_word u, v, q, r;
};

static cc_word sign(cc_word x)
{
	return cc_mask(x >> (CC_WORD_BITS - 1));
}

static void divsteps(struct matrix *t, cc_word *delta, cc_word f, cc_word g)
{
	cc_word u = 1, v = 0, q = 0, r = 1, d = *delta;
	int i;

	for (i = 0; i < STEPS; i++) {
		cc_word odd = cc_mask(g & 1), swap = odd & sign(0 - d), s;

		/* (f, g) := (g, -f), and so the rows, and delta := -delta */
		d = (d ^ swap) - swap;
		s = (f ^ g) & swap;
		f ^= s;
		g = ((g ^ s) ^ swap) - swap;
		s = (u ^ q) & swap;
		u ^= s;
		q = ((q ^ s) ^ swap) - swap;
		s = (v ^ r) & swap;
		v ^= s;
		r = ((r ^ s) ^ swap) - swap;

		d++;
		g = (g + (f & odd)) >> 1;
		q += u & odd;
		r += v & odd;
		u <<= 1;
		v <<= 1;
	}
	*delta = d;
	*t = (struct matrix){u, v, q, r};
}

/* c x for a vector x in two's complement: |c| times x or -x, a word at a time. */
struct term {
	const cc_word *x;
	cc_word size, negative, carry;
};

static struct term term(cc_word c, const cc_word *x)
{
	cc_word negative = sign(c);

	return (struct term){x, (c ^ negative) - negative, negative, negative & 1};
}

/* (high : low) += |c| (word @i of x or -x) */
static void add_term(cc_word *high, cc_word *low, struct term *t, size_t i)
{
	cc_word x = (t->x[i] ^ t->negative) + t->carry, h, l, carry = 0;

	t->carry &= cc_mask_zero(x);
	l = cc_word_mul(&h, x, t->size);
	*low = cc_word_add(*low, l, &carry);
	*high += h + carry;
}

/*
 * r = (sum of the terms) / 2^STEPS, which divides it; words in two's complement.  r may be
 * a term's own vector.
 *
 * The word carried never overflows: where the sizes |c| add up to C < B, it is at most C,
 * since C (B - 1) + C = C B.
 */
static void combine(cc_word *r, struct term *terms, int count, size_t words)
{
	cc_word carry = 0, low = 0, before = 0;
	size_t i;
	int t;

	for (i = 0; i < words; i++) {
		cc_word high = 0;

		low = carry;
		for (t = 0; t < count; t++)
			add_term(&high, &low, &terms[t], i);
		carry = high;
		if (i)
			r[i - 1] = before >> STEPS | low << (CC_WORD_BITS - STEPS);
		before = low;
	}
	r[words - 1] = low >> STEPS | sign(low) << (CC_WORD_BITS - STEPS);
}

static size_t rounds(size_t n)
{
	return ((49 * n * CC_WORD_BITS + 80) / 17 + STEPS - 1) / STEPS;
}

/* (f, g) := the matrix's product with them; |f| and |g| stay below B^n, words = n + 1 */
static void update(const struct matrix *k, cc_word *f, cc_word *g, cc_word *t, size_t words)
{
	struct term to_f[] = {term(k->u, f), term(k->v, g)};
	struct term to_g[] = {term(k->q, f), term(k->r, g)};

	combine(t, to_f, 2, words);
	combine(g, to_g, 2, words);
	memcpy(f, t, words * sizeof(*f));
	cc_wipe(to_f, sizeof(to_f));
	cc_wipe(to_g, sizeof(to_g));
}

/*
 * One row for d and e modulo m: r = (u d + v e + c m) / 2^STEPS, with the c that makes it
 * whole and keeps it in (-2m, m), where d and e are.
 *
 * A negative d or e stands for d + m, e + m, in (-m, m): so |u d + v e| <= 2^STEPS m.  Then
 * c loses from 0 to 2^STEPS - 1, what remains being in (-2 2^STEPS m, 2^STEPS m].  The sizes
 * of u, v and c add up to at most 2^STEPS + 2^STEPS + 2^STEPS < B, and the sum, above
 * -2^(STEPS + 1) B^n, has room in n + 1 words.
 */
static void update_row(cc_word *r, cc_word u, const cc_word *d, cc_word v, const cc_word *e,
		       const cc_word *m, cc_word m_inverse, size_t words)
{
	cc_word c = (u & sign(d[words - 1])) + (v & sign(e[words - 1]));
	cc_word low = u * d[0] + v * e[0] + c * m[0];
	struct term terms[3];

	c -= (low * m_inverse) & (((cc_word)1 << STEPS) - 1);
	terms[0] = term(u, d);
	terms[1] = term(v, e);
	terms[2] = term(c, m);
	combine(r, terms, 3, words);
	cc_wipe(terms, sizeof(terms));
}

int cc_fz_gcd(cc_word *r, const cc_word *a, const cc_word *b, size_t n)
{
	struct {
		cc_word f[CC_FZ_MAX + 1], g[CC_FZ_MAX + 1], t[CC_FZ_MAX + 1], delta;
		struct matrix matrix;
	} k;
	size_t words = n + 1, twos, i;

	if (n > CC_FZ_MAX)
		return CC_EINVAL;
	if (!n)
		return CC_OK;
	/* the twos that both have: one of a, b is odd without them, unless both are 0 */
	for (i = 0; i < n; i++)
		k.t[i] = a[i] | b[i];
	twos = cc_fz_trailing_zeros(k.t, n);
	cc_fz_shr(k.f, a, n, twos);
	cc_fz_shr(k.g, b, n, twos);
	cc_fz_cswap(~cc_mask(k.f[0] & 1), k.f, k.g, n);
	k.f[n] = 0;
	k.g[n] = 0;
	k.delta = 1;
	for (i = rounds(n); i--;) {
		divsteps(&k.matrix, &k.delta, k.f[0], k.g[0]);
		update(&k.matrix, k.f, k.g, k.t, words);
	}
	cc_fz_negate(k.f, sign(k.f[n]), k.f, n);
	cc_fz_shl(r, k.f, n, twos);
	cc_wipe(&k, sizeof(k));
	return CC_OK;
}

static cc_word is_one(const cc_word *a, size_t n)
{
	cc_word differ = 0;
	size_t i;

	for (i = 0; i < n; i++)
		differ |= a[i] ^ !i;
	return cc_mask_zero(differ);
}

/*
 * For odd m.  d and e begin as 0 and 1, and so that d a = f, e a = g (mod m) holds after
 * every round: in the end d a = f = +-gcd.
 */
static __attribute__((__noinline__)) void inverse_odd(cc_word *r, cc_word *exists, const cc_word *a,
						      const cc_word *m, size_t n)
{
	struct {
		cc_word f[CC_FZ_MAX + 1], g[CC_FZ_MAX + 1], t[CC_FZ_MAX + 1];
		cc_word d[CC_FZ_MAX + 1], e[CC_FZ_MAX + 1], m[CC_FZ_MAX + 1], delta;
		struct matrix matrix;
	} k;
	size_t words = n + 1, i;
	cc_word m_inverse = 0 - cc_fixed_minus_inverse(m[0]), negative;

	memcpy(k.m, m, n * sizeof(*m));
	memcpy(k.f, m, n * sizeof(*m));
	memcpy(k.g, a, n * sizeof(*a));
	memset(k.d, 0, words * sizeof(*k.d));
	memset(k.e, 0, words * sizeof(*k.e));
	k.m[n] = 0;
	k.f[n] = 0;
	k.g[n] = 0;
	/* 1 mod m: e begins below m, even where m is 1 */
	k.e[0] = ~is_one(m, n) & 1;
	k.delta = 1;
	for (i = rounds(n); i--;) {
		divsteps(&k.matrix, &k.delta, k.f[0], k.g[0]);
		update(&k.matrix, k.f, k.g, k.t, words);
		update_row(k.t, k.matrix.u, k.d, k.matrix.v, k.e, k.m, m_inverse, words);
		update_row(k.e, k.matrix.q, k.d, k.matrix.r, k.e, k.m, m_inverse, words);
		memcpy(k.d, k.t, words * sizeof(*k.d));
	}

	negative = sign(k.f[n]);
	cc_fz_negate(k.f, negative, k.f, n);
	*exists = is_one(k.f, n);
	/* from (-2m, m) to (-m, m), times the sign of f, to [0, m) */
	cc_fz_add_if(k.d, sign(k.d[n]), k.d, k.m, words);
	cc_fz_negate(k.d, negative, k.d, words);
	cc_fz_add_if(k.d, sign(k.d[n]), k.d, k.m, words);
	for (i = 0; i < n; i++)
		r[i] = k.d[i] & *exists;
	cc_wipe(&k, sizeof(k));
}

/*
 * For even m, modulo which only an odd a has an inverse: by that of m modulo a.  With
 * m u = 1 (mod a), 0 <= u < a, the quotient q = (1 - m u) / a is whole, a q = 1 (mod m),
 * and -m < q <= 1, negative unless u is 0: that is for a = 1 alone.
 *
 * The quotient word by word from the lowest, modulo B^n, its words in u's place.  An even a
 * is made odd, and has no inverse whatever comes of it.
 */
static void inverse_even(cc_word *r, cc_word *exists, const cc_word *a, const cc_word *m, size_t n)
{
	struct {
		cc_word a[CC_FZ_MAX], t[CC_FZ_MAX], u[CC_FZ_MAX];
	} k;
	cc_word a_inverse, odd = cc_mask(a[0] & 1), negative;
	size_t i;

	memcpy(k.a, a, n * sizeof(*a));
	k.a[0] |= 1;
	inverse_odd(k.u, exists, m, k.a, n);
	*exists &= odd;
	negative = ~cc_fz_is_zero(k.u, n);

	a_inverse = 0 - cc_fixed_minus_inverse(k.a[0]);
	memset(k.t, 0, n * sizeof(*k.t));
	k.t[0] = 1;
	for (i = 0; i < n; i++) {
		cc_limbs_submul_1(k.t + i, m, n - i, k.u[i]);
		k.u[i] = k.t[i] * a_inverse;
		cc_limbs_submul_1(k.t + i, k.a, n - i, k.u[i]);
	}
	cc_fz_add_if(k.u, negative, k.u, m, n);
	for (i = 0; i < n; i++)
		r[i] = k.u[i] & *exists;
	cc_wipe(&k, sizeof(k));
}

int cc_fz_inverse(cc_word *r, cc_word *exists, const cc_word *a, const cc_word *m, size_t n)
{
	if (n > CC_FZ_MAX || cc_shows_zero(m, n))
		return CC_EINVAL;
	if (m[0] & 1)
		inverse_odd(r, exists, a, m, n);
	else
		inverse_even(r, exists, a, m, n);
	return CC_OK;
}
