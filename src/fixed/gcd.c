// SPDX-License-Identifier: MIT
/* The greatest common divisor, its cofactors and inverses, by division steps (divsteps.h). */
#include <carrychain/limbs.h>

#include "divsteps.h"

/* Shifts out the twos common to a and b, or all bits if both are 0; returns their number. */
static size_t without_twos(cc_word *f, cc_word *g, const cc_word *a, const cc_word *b, size_t n)
{
	size_t twos, i;

	for (i = 0; i < n; i++)
		f[i] = a[i] | b[i];
	twos = cc_fz_trailing_zeros(f, n);
	cc_fz_shr(f, a, n, twos);
	cc_fz_shr(g, b, n, twos);
	return twos;
}

int cc_fz_gcd(cc_word *r, const cc_word *a, const cc_word *b, size_t n)
{
	struct {
		cc_word f[CC_FZ_MAX + 1], g[CC_FZ_MAX + 1], t[CC_FZ_MAX + 1], delta;
		struct cc_matrix matrix;
	} k;
	size_t twos, i;

	if (n > CC_FZ_MAX)
		return CC_EINVAL;
	if (!n)
		return CC_OK;
	/* one of a, b is odd without them, unless both are 0 */
	twos = without_twos(k.f, k.g, a, b, n);
	cc_fz_cswap(~cc_mask(k.f[0] & 1), k.f, k.g, n);
	k.f[n] = 0;
	k.g[n] = 0;
	k.delta = 1;
	for (i = cc_fixed_rounds(n); i--;) {
		cc_divsteps(&k.matrix, &k.delta, k.f[0], k.g[0], NULL);
		cc_fixed_update(&k.matrix, k.f, k.g, k.t, n + 1);
	}
	cc_fz_negate(k.f, cc_sign(k.f[n]), k.f, n);
	cc_fz_shl(r, k.f, n, twos);
	cc_wipe(&k, sizeof(k));
	return CC_OK;
}

/*
 * g = gcd(a, m), 0 <= x < m with x a = g (mod m), for odd m; whether g = 1.  g may be NULL;
 * the results may be the operands.  t[n + 1] is room of the caller's, who wipes it: the stack has
 * to hold no more than is promised.
 *
 * d and e begin as 0 and 1, and d a = f, e a = g (mod m) holds after every round: in the end,
 * d a = f = +-gcd.
 */
static __attribute__((__noinline__)) cc_word cofactor(cc_word *g, cc_word *x, const cc_word *a,
						      const cc_word *m, cc_word *t, size_t n)
{
	struct {
		cc_word f[CC_FZ_MAX + 1], g[CC_FZ_MAX + 1];
		cc_word d[CC_FZ_MAX + 1], e[CC_FZ_MAX + 1], m[CC_FZ_MAX + 1], delta;
		struct cc_matrix matrix;
	} k;
	size_t words = n + 1, i;
	cc_word m_inverse = 0 - cc_fixed_minus_inverse(m[0]), negative, one;

	memcpy(k.m, m, n * sizeof(*m));
	memcpy(k.f, m, n * sizeof(*m));
	memcpy(k.g, a, n * sizeof(*a));
	memset(k.d, 0, words * sizeof(*k.d));
	memset(k.e, 0, words * sizeof(*k.e));
	k.m[n] = 0;
	k.f[n] = 0;
	k.g[n] = 0;
	/* 1 mod m: e begins below m, even where m is 1 */
	k.e[0] = ~cc_fixed_is_one(m, n) & 1;
	k.delta = 1;
	for (i = cc_fixed_rounds(n); i--;) {
		cc_divsteps(&k.matrix, &k.delta, k.f[0], k.g[0], NULL);
		cc_fixed_update(&k.matrix, k.f, k.g, t, words);
		cc_fixed_update_modulo(&k.matrix, k.d, k.e, t, k.m, m_inverse, words);
	}

	negative = cc_sign(k.f[n]);
	cc_fz_negate(k.f, negative, k.f, n);
	one = cc_fixed_is_one(k.f, n);
	/* from (-2m, m) to (-m, m), times the sign of f, to [0, m) */
	cc_fz_add_if(k.d, cc_sign(k.d[n]), k.d, k.m, words);
	cc_fz_negate(k.d, negative, k.d, words);
	cc_fz_add_if(k.d, cc_sign(k.d[n]), k.d, k.m, words);
	if (g)
		memcpy(g, k.f, n * sizeof(*g));
	memcpy(x, k.d, n * sizeof(*x));
	cc_wipe(&k, sizeof(k));
	return one;
}

/* r = (1 - x a) / m mod B^n for odd m */
static void other_cofactor(cc_word *r, const cc_word *x, const cc_word *a, const cc_word *m,
			   size_t n)
{
	size_t i;

	memset(r, 0, n * sizeof(*r));
	r[0] = 1;
	for (i = 0; i < n; i++)
		cc_limbs_submul_1(r + i, a, n - i, x[i]);
	cc_fixed_divexact_odd(r, n, m, n);
}

/*
 * Without the twos common to both, m is b, or a if b is even, and o is the other one.  Divide
 * all by g = gcd(o, m).  Then x = 1 / o (mod m) with |x| <= (m - 1) / 2, y = (1 - x o) / m, and
 * |y| <= (1 + o (m - 1) / 2) / m = o / 2 + (1 - o / 2) / m, which is at most o / 2 for o >= 2.
 * For o = 1, either m = 1, x = 0, y = 1, or x = 1, y = 0; for o = 0, m = 1.
 */
int cc_fz_gcdext(cc_word *g, cc_word *x, cc_word *y, const cc_word *a, const cc_word *b, size_t n)
{
	struct {
		cc_word m[CC_FZ_MAX], o[CC_FZ_MAX], g[CC_FZ_MAX], x[CC_FZ_MAX], y[CC_FZ_MAX + 1];
	} k;
	cc_word swap, any;
	size_t twos, i;

	if (n > CC_FZ_MAX)
		return CC_EINVAL;
	if (!n)
		return CC_OK;
	twos = without_twos(k.m, k.o, b, a, n);
	swap = ~cc_mask(k.m[0] & 1);
	cc_fz_cswap(swap, k.m, k.o, n);
	any = cc_mask(k.m[0] & 1);
	k.m[0] |= 1;
	(void)cofactor(k.g, k.x, k.o, k.m, k.y, n);
	cc_fixed_divexact_odd(k.m, n, k.g, n);
	cc_fixed_divexact_odd(k.o, n, k.g, n);
	cc_fixed_mod(k.x, k.x, n, k.m, n);
	/* subtract m if that is nearer to 0 */
	cc_fz_sub(k.y, k.m, k.x, n);
	cc_fz_sub_if(k.x, cc_fz_lt(k.y, k.x, n), k.x, k.m, n);
	other_cofactor(k.y, k.x, k.o, k.m, n);
	cc_fz_cswap(swap, k.x, k.y, n);
	cc_fz_shl(g, k.g, n, twos);
	for (i = 0; i < n; i++) {
		x[i] = k.x[i] & any;
		y[i] = k.y[i] & any;
	}
	cc_wipe(&k, sizeof(k));
	return CC_OK;
}

int cc_fz_lcm(cc_word *r, const cc_word *a, const cc_word *b, size_t n)
{
	cc_word part[CC_FZ_MAX];

	if (n > CC_FZ_MAX)
		return CC_EINVAL;
	if (!n)
		return CC_OK;
	(void)cc_fz_gcd(part, a, b, n);
	/* of 0 and 0 */
	part[0] |= cc_fz_is_zero(part, n) & 1;
	cc_fixed_divexact(part, a, n, part, n);
	cc_fz_mul(r, part, b, n);
	cc_wipe(part, n * sizeof(*part));
	return CC_OK;
}

/*
 * For even m, only an odd a has an inverse; it is computed from that of m modulo a.  With
 * m u = 1 (mod a), 0 <= u < a, the quotient q = (1 - m u) / a is exact, a q = 1 (mod m), and
 * -m < q <= 1; q is negative unless u is 0, which happens only for a = 1.
 *
 * An even a is replaced by an odd number, and the result is ignored: it has no inverse.
 */
static cc_word inverse_even(cc_word *r, const cc_word *a, const cc_word *m, size_t n)
{
	struct {
		cc_word a[CC_FZ_MAX], u[CC_FZ_MAX], q[CC_FZ_MAX + 1];
	} k;
	cc_word exists = cc_mask(a[0] & 1);

	memcpy(k.a, a, n * sizeof(*a));
	k.a[0] |= 1;
	exists &= cofactor(NULL, k.u, m, k.a, k.q, n);
	other_cofactor(k.q, k.u, m, k.a, n);
	cc_fz_add_if(k.q, ~cc_fz_is_zero(k.u, n), k.q, m, n);
	memcpy(r, k.q, n * sizeof(*r));
	cc_wipe(&k, sizeof(k));
	return exists;
}

static cc_word inverse_odd(cc_word *r, const cc_word *a, const cc_word *m, size_t n)
{
	cc_word t[CC_FZ_MAX + 1], exists = cofactor(NULL, r, a, m, t, n);

	cc_wipe(t, sizeof(t));
	return exists;
}

int cc_fz_inverse(cc_word *r, cc_word *exists, const cc_word *a, const cc_word *m, size_t n)
{
	size_t i;

	if (n > CC_FZ_MAX || cc_shows_zero(m, n))
		return CC_EINVAL;
	*exists = m[0] & 1 ? inverse_odd(r, a, m, n) : inverse_even(r, a, m, n);
	for (i = 0; i < n; i++)
		r[i] &= *exists;
	return CC_OK;
}
