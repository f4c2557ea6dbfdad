// SPDX-License-Identifier: MIT
/* Montgomery contexts keep what the powers of powmod.c compute again for each call. */
#include <carrychain/limbs.h>
#include <carrychain/montgomery.h>

#include "kernels.h"
#include "mask.h"
#include "public.h"

static int init(struct cc_fz_mont *M, cc_word *memory, const cc_word *m, size_t n, bool shown)
{
	const struct cc_fixed_kernels *kernels = cc_fixed_kernels();
	cc_word *modulus = memory, *one, *square, *in, *in_8, *powers[4];
	size_t bits[4] = {2 * n * CC_WORD_BITS}, count = 1;

	if (!n || n > CC_FZ_MAX || !(m[0] & 1))
		return CC_EINVAL;
	one = modulus + n;
	powers[0] = square = one + n;
	in = square + n;
	in_8 = in + n;
	memcpy(modulus, m, n * sizeof(*m));
	if (kernels->radix(n) == n * CC_WORD_BITS) {
		in = square;
	} else {
		bits[count] = 2 * kernels->radix(n);
		powers[count++] = in;
	}
	if (kernels->lanes && n <= CC_FIXED_POWMOD_8_MAX) {
		bits[count] = 2 * kernels->radix_8(n);
		powers[count++] = in_8;
	}
	bits[count] = n * CC_WORD_BITS;
	powers[count++] = one;
	if (shown && cc_limbs_normalise(modulus, n) > 1)
		cc_fixed_public_powers_of_two_mod(powers, bits, count, modulus, n);
	else
		cc_fixed_powers_of_two_mod(powers, bits, count, modulus, n, one);
	*M = (struct cc_fz_mont){
		.n = n,
		.m = modulus,
		.one = one,
		.square = square,
		.in = in,
		.in_8 = in_8,
		.minus_inverse = cc_fixed_minus_inverse(modulus[0]),
		.kernels = kernels,
	};
	return CC_OK;
}

int cc_fz_mont_init(struct cc_fz_mont *M, cc_word *memory, const cc_word *m, size_t n)
{
	return init(M, memory, m, n, false);
}

int cc_fz_mont_init_public(struct cc_fz_mont *M, cc_word *memory, const cc_word *m, size_t n)
{
	return init(M, memory, m, n, true);
}

/* r = t[2n] / R mod m for t < R m: the reduction is below 2m; m is subtracted if it fits */
static void reduce(cc_word *r, cc_word *t, const struct cc_fz_mont *M)
{
	const struct cc_fixed_kernels *kernels = M->kernels;
	size_t n = M->n, i;
	cc_word carry = kernels->clear_low(t, M->m, n, M->minus_inverse);
	cc_word keep = cc_mask(~carry & cc_limbs_sub(t, t + n, M->m, n) & 1);

	for (i = 0; i < n; i++)
		r[i] = cc_choose(keep, t[n + i], t[i]);
}

void cc_fz_mont_mul(cc_word *r, const cc_word *a, const cc_word *b, const struct cc_fz_mont *M)
{
	const struct cc_fixed_kernels *kernels = M->kernels;
	cc_fixed_mont_mul_fn *mont_mul = cc_fixed_mont_mul(kernels, M->n);
	cc_word t[2 * CC_FZ_MAX];

	if (mont_mul) {
		mont_mul(r, a, b, M->m, M->n, M->minus_inverse);
		return;
	}
	kernels->mul(t, a, b, M->n);
	reduce(r, t, M);
	cc_wipe(t, 2 * M->n * sizeof(*t));
}

void cc_fz_mont_sqr(cc_word *r, const cc_word *a, const struct cc_fz_mont *M)
{
	const struct cc_fixed_kernels *kernels = M->kernels;
	cc_fixed_mont_mul_fn *mont_sqr = cc_fixed_mont_sqr(kernels, M->n);
	cc_word t[2 * CC_FZ_MAX];

	if (mont_sqr) {
		mont_sqr(r, a, a, M->m, M->n, M->minus_inverse);
		return;
	}
	kernels->sqr(t, a, M->n);
	reduce(r, t, M);
	cc_wipe(t, 2 * M->n * sizeof(*t));
}

/* a < R, so that a R^2 < R m */
void cc_fz_mont_to(cc_word *r, const cc_word *a, const struct cc_fz_mont *M)
{
	cc_fz_mont_mul(r, a, M->square, M);
}

void cc_fz_mont_from(cc_word *r, const cc_word *a, const struct cc_fz_mont *M)
{
	cc_word t[2 * CC_FZ_MAX];
	size_t n = M->n;

	memcpy(t, a, n * sizeof(*t));
	memset(t + n, 0, n * sizeof(*t));
	reduce(r, t, M);
	cc_wipe(t, 2 * n * sizeof(*t));
}

static void powmod(cc_word *r, const cc_word *b, const cc_word *e, size_t bits, bool shown,
		   const struct cc_fz_mont *M)
{
	const struct cc_fixed_power power = {
		.r = r,
		.b = b,
		.e = cc_fixed_exponent(e, bits),
		.m = M->m,
		.in = M->in,
		.shown = shown,
	};

	cc_fixed_powmod(M->kernels, &power, M->n, bits + !bits);
}

void cc_fz_mont_powmod(cc_word *r, const cc_word *b, const cc_word *e, size_t bits,
		       const struct cc_fz_mont *M)
{
	powmod(r, b, e, bits, false, M);
}

void cc_fz_mont_powmod_public(cc_word *r, const cc_word *b, const cc_word *e, size_t en,
			      const struct cc_fz_mont *M)
{
	powmod(r, b, e, cc_fixed_shown_bits(e, en), true, M);
}

/* A tier may have its own form for powers: plain numbers are passed between it and this one. */
static void power(cc_word *r, const cc_word *a, const cc_word *e, size_t bits, bool shown,
		  const struct cc_fz_mont *M)
{
	cc_word plain[CC_FZ_MAX];

	cc_fz_mont_from(plain, a, M);
	powmod(plain, plain, e, bits, shown, M);
	cc_fz_mont_to(r, plain, M);
	cc_wipe(plain, M->n * sizeof(*plain));
}

void cc_fz_mont_pow(cc_word *r, const cc_word *a, const cc_word *e, size_t bits,
		    const struct cc_fz_mont *M)
{
	power(r, a, e, bits, false, M);
}

void cc_fz_mont_pow_public(cc_word *r, const cc_word *a, const cc_word *e, size_t en,
			   const struct cc_fz_mont *M)
{
	power(r, a, e, cc_fixed_shown_bits(e, en), true, M);
}

/* 1 / (a R) times R^2 / R, twice */
void cc_fz_mont_inverse(cc_word *r, cc_word *exists, const cc_word *a, const struct cc_fz_mont *M)
{
	(void)cc_fz_inverse(r, exists, a, M->m, M->n);
	cc_fz_mont_to(r, r, M);
	cc_fz_mont_to(r, r, M);
}

void cc_fixed_mont_powmod_8(const struct cc_fixed_power_8 *powers,
			    const struct cc_fz_mont *const *M, size_t used, size_t bits)
{
	const struct cc_fixed_kernels *kernels = M[0]->kernels;
	size_t n = M[0]->n, most = kernels->lanes + !kernels->lanes, at, some, i;
	struct cc_fixed_power_8 lanes;

	for (at = 0; at < used; at += some) {
		bool batch;

		some = used - at < most ? used - at : most;
		batch = cc_fixed_batches(kernels, n, some);
		for (i = 0; i < some; i++) {
			lanes.r[i] = powers->r[at + i];
			lanes.b[i] = powers->b[at + i];
			lanes.e[i] = powers->e[at + i];
			lanes.m[i] = M[at + i]->m;
			lanes.in[i] = batch ? M[at + i]->in_8 : M[at + i]->in;
		}
		cc_fixed_powmod_8(kernels, &lanes, some, n, bits);
	}
}

void cc_fz_mont_powmod_many(cc_word *r, const cc_word *b, const cc_word *e, size_t bits,
			    const struct cc_fz_mont *M, size_t count)
{
	const struct cc_fz_mont *const same[8] = {M, M, M, M, M, M, M, M};
	size_t n = M->n, en = (bits + CC_WORD_BITS - 1) / CC_WORD_BITS, used, i;
	struct cc_fixed_power_8 lanes;

	for (; count; count -= used) {
		used = count < 8 ? count : 8;
		for (i = 0; i < used; i++, r += n, b += n, e += en) {
			lanes.r[i] = r;
			lanes.b[i] = b;
			lanes.e[i] = cc_fixed_exponent(e, bits);
		}
		cc_fixed_mont_powmod_8(&lanes, same, used, bits + !bits);
	}
}
