// SPDX-License-Identifier: MIT
/*
 * Modular exponentiation for any m.  Odd m is left to the tier.  For even m = 2^k o, the two
 * parts x1 = b^e mod o and x2 = b^e mod B^n are combined by
 *
 *	x1 + o ((x2 - x1) / o mod 2^k)  <=  (o - 1) + o (2^k - 1)  <  m.
 */
#include "kernels.h"
#include "mask.h"

/* The modular exponentiation for even m; k is secret. */
static __attribute__((__noinline__)) void powmod_even(const struct cc_fixed_kernels *kernels,
						      const struct cc_fixed_power *power, size_t n,
						      size_t bits, cc_word *scratch)
{
	cc_word parts[4 * CC_FZ_MAX];
	cc_word *o = parts, *x1 = o + n, *x2 = x1 + n, *inverse = x2 + n, *product = scratch;
	struct cc_fixed_power part = *power;
	size_t k = cc_fz_trailing_zeros(power->m, n);

	cc_fz_shr(o, power->m, n, k);
	part.m = o;
	part.r = x1;
	kernels->powmod_odd(&part, n, bits, scratch);
	part.r = x2;
	cc_fixed_power_low(kernels, &part, n, bits, scratch);
	cc_fixed_inverse_low(kernels, inverse, o, n, scratch);

	cc_fz_sub(x2, x2, x1, n);
	kernels->mul(product, x2, inverse, n);
	cc_fz_shl(x2, product, n, n * CC_WORD_BITS - k);
	cc_fz_shr(x2, x2, n, n * CC_WORD_BITS - k);
	kernels->mul(product, x2, o, n);
	cc_fz_add(power->r, product, x1, n);
	cc_wipe(parts, 4 * n * sizeof(*parts));
}

/* A function with its own frame, so that its stack is not added to that of the batch. */
__attribute__((__noinline__)) void cc_fixed_powmod(const struct cc_fixed_kernels *kernels,
						   const struct cc_fixed_power *power, size_t n,
						   size_t bits)
{
	cc_word scratch[CC_FIXED_POWMOD_SCRATCH(CC_FZ_MAX)] CC_ALIGNED(64);

	if (power->m[0] & 1)
		kernels->powmod_odd(power, n, bits, scratch);
	else
		powmod_even(kernels, power, n, bits, scratch);
	cc_wipe(scratch, CC_FIXED_POWMOD_SCRATCH(n) * sizeof(*scratch));
}

static const cc_word zero_exponent = 0;

const cc_word *cc_fixed_exponent(const cc_word *e, size_t bits)
{
	return bits ? e : &zero_exponent;
}

static int powmod(cc_word *r, const cc_word *b, const cc_word *e, size_t bits, bool shown,
		  const cc_word *m, size_t n)
{
	const struct cc_fixed_power power = {
		.r = r,
		.b = b,
		.e = cc_fixed_exponent(e, bits),
		.m = m,
		.shown = shown,
	};

	if (n > CC_FZ_MAX || cc_shows_zero(m, n))
		return CC_EINVAL;
	cc_fixed_powmod(cc_fixed_kernels(), &power, n, bits + !bits);
	return CC_OK;
}

int cc_fz_powmod_bits(cc_word *r, const cc_word *b, const cc_word *e, size_t bits, const cc_word *m,
		      size_t n)
{
	return powmod(r, b, e, bits, false, m, n);
}

int cc_fz_powmod(cc_word *r, const cc_word *b, const cc_word *e, const cc_word *m, size_t n)
{
	return powmod(r, b, e, n * CC_WORD_BITS, false, m, n);
}

size_t cc_fixed_shown_bits(const cc_word *e, size_t n)
{
	while (n && !e[n - 1])
		n--;
	return n ? n * CC_WORD_BITS - (size_t)cc_word_clz(e[n - 1]) : 0;
}

size_t cc_fixed_shown_digit(const cc_word *e, size_t bits, size_t at, unsigned int width)
{
	size_t en = (bits + CC_WORD_BITS - 1) / CC_WORD_BITS;

	return cc_fixed_bits(e, en, at, at + width > bits ? (unsigned int)(bits - at) : width);
}

int cc_fz_powmod_public(cc_word *r, const cc_word *b, const cc_word *e, size_t en, const cc_word *m,
			size_t n)
{
	return powmod(r, b, e, cc_fixed_shown_bits(e, en), true, m, n);
}

static __attribute__((__noinline__)) void powmod_lanes(const struct cc_fixed_kernels *kernels,
						       struct cc_fixed_power_8 *lanes, size_t used,
						       size_t n, size_t bits)
{
	cc_word scratch[CC_FIXED_POWMOD_8_SCRATCH(CC_FIXED_POWMOD_8_MAX)] CC_ALIGNED(64);

	for (; used < kernels->lanes; used++) {
		lanes->r[used] = lanes->r[0];
		lanes->b[used] = lanes->b[0];
		lanes->e[used] = lanes->e[0];
		lanes->m[used] = lanes->m[0];
		lanes->in[used] = lanes->in[0];
	}
	kernels->powmod_odd_8(lanes, n, bits, scratch);
	cc_wipe(scratch, CC_FIXED_POWMOD_8_SCRATCH(n) * sizeof(*scratch));
}

bool cc_fixed_batches(const struct cc_fixed_kernels *kernels, size_t n, size_t count)
{
	return kernels->lanes && n <= CC_FIXED_POWMOD_8_MAX && count >= kernels->worth(n);
}

void cc_fixed_powmod_8(const struct cc_fixed_kernels *kernels, struct cc_fixed_power_8 *lanes,
		       size_t used, size_t n, size_t bits)
{
	size_t i;

	if (used && cc_fixed_batches(kernels, n, used)) {
		powmod_lanes(kernels, lanes, used, n, bits);
		return;
	}
	for (i = 0; i < used; i++) {
		const struct cc_fixed_power power = {
			.r = lanes->r[i],
			.b = lanes->b[i],
			.e = lanes->e[i],
			.m = lanes->m[i],
			.in = lanes->in[i],
		};

		cc_fixed_powmod(kernels, &power, n, bits);
	}
}

int cc_fz_powmod_many_bits(cc_word *r, const cc_word *b, const cc_word *e, size_t bits,
			   const cc_word *m, size_t n, size_t count)
{
	const struct cc_fixed_kernels *kernels = cc_fixed_kernels();
	size_t en = (bits + CC_WORD_BITS - 1) / CC_WORD_BITS, used = 0, i;
	size_t most = kernels->lanes + !kernels->lanes;
	struct cc_fixed_power_8 lanes = {.in = {NULL}};

	if (n > CC_FZ_MAX)
		return CC_EINVAL;
	for (i = 0; i < count; i++)
		if (cc_shows_zero(m + i * n, n))
			return CC_EINVAL;
	for (; count--; r += n, b += n, e += en, m += n) {
		if (!(m[0] & 1)) {
			(void)powmod(r, b, e, bits, false, m, n);
			continue;
		}
		lanes.r[used] = r;
		lanes.b[used] = b;
		lanes.e[used] = cc_fixed_exponent(e, bits);
		lanes.m[used++] = m;
		if (used == most) {
			cc_fixed_powmod_8(kernels, &lanes, used, n, bits + !bits);
			used = 0;
		}
	}
	cc_fixed_powmod_8(kernels, &lanes, used, n, bits + !bits);
	return CC_OK;
}

int cc_fz_powmod_many(cc_word *r, const cc_word *b, const cc_word *e, const cc_word *m, size_t n,
		      size_t count)
{
	return cc_fz_powmod_many_bits(r, b, e, n * CC_WORD_BITS, m, n, count);
}
