// SPDX-License-Identifier: MIT
/* Square roots modulo a prime: RFC 9380, I.4, with its names. */
#include <carrychain/montgomery.h>
#include <carrychain/prime.h>

#include "mask.h"
#include "public.h"

/* The least non-residue of p; 0 if there is none, because p is a square.  It leaks p. */
static cc_word non_residue(const cc_word *p, size_t n)
{
	cc_word candidate[CC_FZ_MAX];
	int symbol;

	memset(candidate, 0, n * sizeof(*candidate));
	for (candidate[0] = 2;; candidate[0]++) {
		(void)cc_fz_jacobi(&symbol, candidate, p, n);
		if (symbol < 0)
			return candidate[0];
		if (candidate[0] == 40 && cc_fixed_is_square(p, n))
			return 0;
	}
}

/* t = mask ? t : a t */
static void multiply_unless(cc_word *t, cc_word mask, const cc_word *a, cc_word *scratch,
			    const struct cc_fz_mont *M)
{
	cc_fz_mont_mul(scratch, t, a, M);
	cc_fz_select(t, mask, t, scratch, M->n);
}

int cc_fz_sqrtmod(cc_word *r, cc_word *exists, const cc_word *a, const cc_word *p, size_t n)
{
	struct {
		cc_word memory[CC_FZ_MONT_WORDS(CC_FZ_MAX)];
		cc_word q[CC_FZ_MAX], x[CC_FZ_MAX], z[CC_FZ_MAX], t[CC_FZ_MAX], b[CC_FZ_MAX];
		cc_word c[CC_FZ_MAX], scratch[CC_FZ_MAX];
		struct cc_fz_mont M;
	} k;
	size_t s = 1, i, j;

	if (n > CC_FZ_MAX || cc_fz_mont_init(&k.M, k.memory, p, n))
		return CC_EINVAL;
	memcpy(k.q, p, n * sizeof(*p));
	k.q[0] ^= 1;
	memset(k.c, 0, n * sizeof(*k.c));
	if (!(p[0] & 2)) {
		if (cc_shows_zero(k.q, n))
			return CC_EINVAL;
		s = cc_fz_trailing_zeros(k.q, n);
		k.c[0] = non_residue(p, n);
	}
	cc_fz_shr(k.q, k.q, n, s);
	cc_fz_mont_to(k.c, k.c, &k.M);
	if (s > 1)
		cc_fz_mont_pow_public(k.c, k.c, k.q, n, &k.M);

	/* z = a^((q + 1) / 2), t = a^q, whose order is a power of two */
	cc_fz_shr(k.q, k.q, n, 1);
	cc_fz_mont_to(k.x, a, &k.M);
	cc_fz_mont_pow(k.z, k.x, k.q, n * CC_WORD_BITS - s, &k.M);
	cc_fz_mont_sqr(k.t, k.z, &k.M);
	cc_fz_mont_mul(k.t, k.t, k.x, &k.M);
	cc_fz_mont_mul(k.z, k.z, k.x, &k.M);
	for (i = s; i >= 2; i--) {
		cc_word one;

		memcpy(k.b, k.t, n * sizeof(*k.b));
		for (j = 2; j < i; j++)
			cc_fz_mont_sqr(k.b, k.b, &k.M);
		one = cc_fz_eq(k.b, k.M.one, n);
		multiply_unless(k.z, one, k.c, k.scratch, &k.M);
		cc_fz_mont_sqr(k.c, k.c, &k.M);
		multiply_unless(k.t, one, k.c, k.scratch, &k.M);
	}

	cc_fz_mont_sqr(k.t, k.z, &k.M);
	*exists = cc_fz_eq(k.t, k.x, n);
	cc_fz_mont_from(k.z, k.z, &k.M);
	cc_fz_sub(k.t, k.M.m, k.z, n);
	cc_fz_select(k.z, cc_mask(k.z[0] & 1), k.t, k.z, n);
	for (i = 0; i < n; i++)
		r[i] = k.z[i] & *exists;
	cc_wipe(&k, sizeof(k));
	return CC_OK;
}
