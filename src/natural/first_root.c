// SPDX-License-Identifier: MIT
/* The first bits of a root, by logarithms and by one step with two words. */
#include "first_root.h"

#include <carrychain/limbs.h>

/* c = 2^16 / (1 + (i + 1/2) / 32), rounded */
static const uint16_t reciprocals[32] = {
	64528, 62602, 60787, 59075, 57456, 55924, 54471, 53092, 51782, 50534, 49345,
	48210, 47127, 46091, 45100, 44151, 43240, 42367, 41528, 40721, 39946, 39199,
	38480, 37787, 37118, 36472, 35849, 35246, 34664, 34100, 33554, 33026,
};

/* 2^62 log2(2^16 / c) */
static const uint64_t logarithms[32] = {
	0x016e625317aa9f87, 0x043aa2e00cef0bcc, 0x06f212017fe423fa, 0x099556a5539ab7dd,
	0x0c262cfd61c9ae6a, 0x0ea4fceb6b342d56, 0x11133d3c179389b6, 0x137158be940d0b69,
	0x15bfe367828cbaae, 0x18008b6b2971605c, 0x1a3357be96a3fb6b, 0x1c5960ba6e19da5f,
	0x1e726c133bce076d, 0x207fd645cbcacd72, 0x228199ba95d1fcae, 0x24784881da4e9fb3,
	0x26651b755acf0c89, 0x28473726a8e88e05, 0x2a20006e2cb82aec, 0x2befdb0ed5f8fc43,
	0x2db60d525fccb0ff, 0x2f7441d10c7877fe, 0x3129d780c95c936f, 0x32d7692efc95c9d0,
	0x347da49f407762c0, 0x361ca4ed6b2696a8, 0x37b3e463051016a1, 0x3944dd014268bb0d,
	0x3ace6e0b455fc978, 0x3c522e216e09f5b1, 0x3dcfb6cb5925f279, 0x3f469f05987c96d9,
};

/* 2^63 2^(i / 32) */
static const uint64_t powers[32] = {
	0x8000000000000000, 0x82cd8698ac2ba1d7, 0x85aac367cc487b15, 0x88980e8092da8527,
	0x8b95c1e3ea8bd6e7, 0x8ea4398b45cd53c0, 0x91c3d373ab11c336, 0x94f4efa8fef70961,
	0x9837f0518db8a96f, 0x9b8d39b9d54e5539, 0x9ef5326091a111ae, 0xa27043030c496819,
	0xa5fed6a9b15138ea, 0xa9a15ab4ea7c0ef8, 0xad583eea42a14ac6, 0xb123f581d2ac2590,
	0xb504f333f9de6484, 0xb8fbaf4762fb9ee9, 0xbd08a39f580c36bf, 0xc12c4cca66709456,
	0xc5672a115506dadd, 0xc9b9bd866e2f27a3, 0xce248c151f8480e4, 0xd2a81d91f12ae45a,
	0xd744fccad69d6af4, 0xdbfbb797daf23755, 0xe0ccdeec2a94e111, 0xe5b906e77c8348a8,
	0xeac0c6e7dd24392f, 0xefe4b99bdcdaf5cb, 0xf5257d152486cc2c, 0xfa83b2db722a033a,
};

/* 2^62 / (i ln 2), and 2^64 (ln 2)^i / i!, for i from 1 */
static const uint64_t of_log[] = {
	0x5c551d94ae0bf85e, 0x2e2a8eca5705fc2f, 0x1ec709dc3a03fd75, 0x171547652b82fe17,
	0x12776c50ef9bfe79, 0x0f6384ee1d01feba, 0x0d30bb153d6f6ca0, 0x0b8aa3b295c17f0c,
	0x0a42589ebe01547c, 0x093bb62877cdff3d, 0x0864d424ca011694,
};
static const uint64_t of_exp[] = {
	0xb17217f7d1cf79ac, 0x3d7f7bff058b1d51, 0x0e35846b82505fc6,
	0x0276556df749cee5, 0x005761ff9e299cc4, 0x000a184897c363c4,
	0x0000ffe5fe2c4586, 0x0000162c0223a5c8, 0x000001b5253d395e,
};

#define TERMS(series) (sizeof(series) / sizeof((series)[0]))

static inline uint64_t high_of(uint64_t a, uint64_t b)
{
	uint64_t high;

	cc_mul_u64(&high, a, b);
	return high;
}

/* The sum of each second term from the first on, by powers of 2^64 square, so far as 2^-62. */
static inline uint64_t each_second(const uint64_t *terms, size_t count, uint64_t square)
{
	size_t i = (count - 1) / 2 * 2;
	uint64_t sum = terms[i];

#pragma GCC unroll 8
	while (i) {
		i -= 2;
		sum = terms[i] + high_of(square, sum);
	}
	return sum;
}

/*
 * 2^62 log2(x / 2^63) within 4, for x >= 2^63: x c = 2^79 (1 + z), |z| < 1/63, and a series, whose
 * even terms have z's sign.
 */
static uint64_t log2_of(uint64_t x)
{
	const unsigned int at = x >> 58 & 31;
	const uint64_t one = (uint64_t)1 << 63, y = high_of(x, (uint64_t)reciprocals[at] << 48);
	const uint64_t z = (y < one ? one - y : y - one) << 1, top = ((uint64_t)1 << 62) - 1;
	const uint64_t square = high_of(z, z);
	const uint64_t odd = each_second(of_log, TERMS(of_log), square);
	const uint64_t even = high_of(z, each_second(of_log + 1, TERMS(of_log) - 1, square));
	const uint64_t sum = high_of(z, y < one ? odd + even : odd - even);
	uint64_t f;

	if (y < one)
		return logarithms[at] > sum ? logarithms[at] - sum : 0;
	f = logarithms[at] + sum;
	return f < top ? f : top;
}

/* 2^63 2^(x / 2^64), but for a part of 2^-62; at least 2^63 */
static uint64_t exp2_of(uint64_t x)
{
	const uint64_t least = (uint64_t)1 << 63, rest = x & (((uint64_t)1 << 59) - 1);
	const uint64_t square = high_of(rest, rest);
	const uint64_t odd = each_second(of_exp, TERMS(of_exp), square);
	const uint64_t even = each_second(of_exp + 1, TERMS(of_exp) - 1, square);
	uint64_t power = powers[x >> 59];

	power += high_of(power, high_of(rest, odd + high_of(rest, even)));
	return power < least ? ~(uint64_t)0 : power;
}

/* The top 64 bits of a[n], of which the first is set. */
static uint64_t top_bits(const cc_word *a, size_t n)
{
	const unsigned int shift = cc_word_clz(a[n - 1]);
	uint64_t top = 0, next = 0;
	size_t i;

	for (i = 0; i < CC_FIRST_WORDS; i++)
		top |= (uint64_t)(i < n ? a[n - 1 - i] : 0) << (64 - CC_WORD_BITS * (i + 1));
	if (n > CC_FIRST_WORDS)
		next = (uint64_t)a[n - 1 - CC_FIRST_WORDS] << (64 - CC_WORD_BITS);
	return top << shift | next >> 1 >> (63 - shift);
}

/* x / k for x = whole B + log, whole < k */
static uint64_t quotient(cc_word whole, uint64_t log, cc_word k)
{
	cc_word f[CC_FIRST_WORDS + 1], q[CC_FIRST_WORDS + 1];
	uint64_t part = 0;
	size_t i;

#if CC_WORD_BITS == 64
	if (k >> 32 == 0) {
		uint64_t high = whole << 32 | log >> 32;

		return high / k << 32 | (high % k << 32 | (log & 0xffffffff)) / k;
	}
#endif
	for (i = 0; i < CC_FIRST_WORDS; i++)
		f[i] = (cc_word)(log >> CC_WORD_BITS * i);
	f[i] = whole;
	cc_limbs_divrem_1(q, f, CC_FIRST_WORDS + 1, k);
	for (i = 0; i < CC_FIRST_WORDS; i++)
		part |= (uint64_t)q[i] << CC_WORD_BITS * i;
	return part;
}

uint64_t cc_first_root(const cc_word *a, size_t n, size_t whole, cc_word k)
{
	return exp2_of(quotient((cc_word)(whole % k), log2_of(top_bits(a, n)) << 2, k));
}

#if CC_HAS_SECOND_ROOT
/* The top two words of a b, normalised: below, by less than 6 parts of 2^127. */
static cc_pair times(cc_pair a, cc_pair b)
{
	cc_word a0 = (cc_word)a, a1 = cc_pair_high(a), b0 = (cc_word)b, b1 = cc_pair_high(b);
	cc_pair high =
		(cc_pair)a1 * b1 + cc_pair_high((cc_pair)a0 * b1) + cc_pair_high((cc_pair)a1 * b0);

	return high >> 127 ? high : high << 1;
}

/* x^k, normalised; below, by less than 6 k parts of 2^127 */
static cc_pair power_of(cc_word x, cc_word k)
{
	unsigned int bit = CC_WORD_BITS - 1 - cc_word_clz(k);
	cc_pair base = (cc_pair)x << 64, power = base;

	while (bit--) {
		power = times(power, power);
		if (k >> bit & 1)
			power = times(power, base);
	}
	return power;
}

/* The top two words of a[n], n > 1, normalised. */
static cc_pair top_pair(const cc_word *a, size_t n)
{
	const unsigned int shift = cc_word_clz(a[n - 1]);
	cc_pair top = cc_pair_of(a + n - 2) << shift;

	return shift && n > 2 ? top | a[n - 3] >> (64 - shift) : top;
}

/*
 * A Newton step with 128 bits: x^k and a are the same but for some 2^-58 k, so only their
 * difference d has to know where they are: x d / (k a) is added.
 */
cc_pair cc_second_root(uint64_t first, const cc_word *a, size_t n, cc_word k)
{
	const cc_pair most = ~(cc_pair)0, least = most / 2 + 1, of = top_pair(a, n);
	cc_pair power = power_of(first, k), x = (cc_pair)first << 64, d;
	const cc_word by = cc_pair_high(of), reciprocal = cc_word_reciprocal(by);
	int negative = of < power;
	unsigned int zeros;
	cc_word m, rest, q;

	d = negative ? power - of : of - power;
	if (d >> 126) {
		/* one is just above a power of two, and the other one just below */
		d = negative ? (power >> 1) - of : of - power - power;
		if (d >> 127) {
			d = 0 - d;
			negative = !negative;
		}
	}
	if (!d)
		return x;
	zeros = d >> 64 ? cc_word_clz(cc_pair_high(d)) : 64 + cc_word_clz((cc_word)d);
	m = high_of(first, cc_pair_high(d << zeros));
	q = cc_word_div_2by1(&rest, m >> 1, m << 63, by, reciprocal) / k;
	d = zeros <= 65 ? (cc_pair)q << (65 - zeros) : q >> (zeros - 65);
	if (negative)
		return x - least < d ? least : x - d;
	return most - x < d ? most : x + d;
}
#endif
