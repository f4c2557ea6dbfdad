// SPDX-License-Identifier: MIT
/* One word's product, division and reciprocals, in each way to compile them. */
#include "harness.h"
#include "reference.h"
#include "word_functions.h"

#include <string.h>

static const struct word_functions *word;

static void begin(const char *function)
{
	test_case(word->name, function);
}

static cc_u32 edge_u32(void)
{
	cc_word w = random_edge_word();

	return (cc_u32)(random_below(2) ? w : w >> (CC_WORD_BITS - 32));
}

static cc_u64 edge_u64(void)
{
	return CC_WORD_BITS == 64 ? (cc_u64)random_edge_word()
				  : (cc_u64)random_edge_word() << 32 | random_edge_word();
}

/* Half of them near @limit, which is not 0. */
static cc_u32 below_u32(cc_u32 limit)
{
	return random_below(2) ? edge_u32() % limit : limit - 1 - edge_u32() % limit % 3;
}

static cc_u64 below_u64(cc_u64 limit)
{
	return random_below(2) ? edge_u64() % limit : limit - 1 - edge_u64() % limit % 3;
}

static const cc_u32 top_u32 = (cc_u32)1 << 31;
static const cc_u64 top_u64 = (cc_u64)1 << 63;
static const cc_word top_word = (cc_word)1 << (CC_WORD_BITS - 1);

/* 64-bit numbers as the reference's words */
#define U64_WORDS (64 / CC_WORD_BITS)

static void split(cc_word *w, cc_u64 x)
{
	w[0] = (cc_word)x;
	if (U64_WORDS == 2)
		w[U64_WORDS - 1] = (cc_word)(x >> 32);
}

static cc_u64 join(const cc_word *w)
{
	return U64_WORDS == 2 ? (cc_u64)w[U64_WORDS - 1] << 32 | w[0] : (cc_u64)w[0];
}

static void slow_mul(cc_u64 *high, cc_u64 *low, cc_u64 a, cc_u64 b)
{
	cc_word x[U64_WORDS], y[U64_WORDS], p[2 * U64_WORDS];

	split(x, a);
	split(y, b);
	ref_mul(p, x, U64_WORDS, y, U64_WORDS);
	*low = join(p);
	*high = join(p + U64_WORDS);
}

static void slow_div(cc_u64 *q, cc_u64 *r, cc_u64 u1, cc_u64 u0, cc_u64 d)
{
	cc_word u[2 * U64_WORDS], v[U64_WORDS], quotient[2 * U64_WORDS], rest[U64_WORDS];

	split(u, u0);
	split(u + U64_WORDS, u1);
	split(v, d);
	ref_divrem(quotient, rest, u, 2 * U64_WORDS, v, U64_WORDS);
	*q = join(quotient);
	*r = join(rest);
}

/* The dividend (*u1 : *u0) of quotient q, its remainder anywhere or near d. */
static void near_multiple(cc_u64 *u1, cc_u64 *u0, cc_u64 q, cc_u64 d)
{
	cc_u64 r = below_u64(d);

	slow_mul(u1, u0, q, d);
	*u0 += r;
	*u1 += *u0 < r;
}

#define LL(x) ((unsigned long long)(x))

static void test_zeros(void)
{
	unsigned int i;

	begin("leading and trailing zeros");
	for (i = 0; i < 64; i++) {
		cc_u64 x = top_u64 >> i;

		CHECK(word->clz_u64(x) == i && word->clz_u64(x | (random_u64() & (x - 1))) == i,
		      "u64, %u", i);
	}
	for (i = 0; i < 32; i++) {
		cc_u32 x = top_u32 >> i;

		CHECK(word->clz_u32(x) == i && word->clz_u32(x | (edge_u32() & (x - 1))) == i,
		      "u32, %u", i);
	}
	for (i = 0; i < CC_WORD_BITS; i++) {
		cc_word x = top_word >> i, above = ~(x | (x - 1));

		CHECK(word->clz(x) == i && word->clz(x | (random_word() & (x - 1))) == i,
		      "word, %u", i);
		CHECK(word->ctz(x | (random_word() & above)) == CC_WORD_BITS - 1 - i,
		      "word, trailing, %u", i);
	}
}

static void test_add_sub(void)
{
	size_t round;

	begin("add and subtract with carry");
	for (round = 0; round < test_scaled(100000); round++) {
		cc_word a = random_edge_word(), b = random_edge_word(), in = random_below(2);
		cc_word carry = in, should, is;

		is = word->add(a, b, &carry);
		in = ref_add(&should, &a, &b, 1, in);
		CHECK(is == should && carry == in, "%#llx + %#llx", LL(a), LL(b));
		in = carry;
		is = word->sub(a, b, &carry);
		in = ref_sub(&should, &a, &b, 1, in);
		CHECK(is == should && carry == in, "%#llx - %#llx", LL(a), LL(b));
	}
}

static void test_mul(void)
{
	size_t round;

	begin("double-width product");
	for (round = 0; round < test_scaled(100000); round++) {
		cc_u64 a = edge_u64(), b = edge_u64(), high, low, should_high, should_low;
		cc_word x = (cc_word)a, y = (cc_word)b, p[2], top, bottom;

		slow_mul(&should_high, &should_low, a, b);
		CHECK(word->mul_u32((cc_u32)a, (cc_u32)b) == (a & 0xffffffff) * (b & 0xffffffff),
		      "halves of %#llx * %#llx", LL(a), LL(b));
		low = word->mul_u64(&high, a, b);
		CHECK(low == should_low && high == should_high, "%#llx * %#llx", LL(a), LL(b));
		ref_mul(p, &x, 1, &y, 1);
		bottom = word->mul(&top, x, y);
		CHECK(bottom == p[0] && top == p[1], "words: %#llx * %#llx", LL(x), LL(y));
	}
}

static void test_div_u32(void)
{
	size_t round;

	begin("reciprocal and division, 32 bits");
	/* each first quotient that there is, which the 10 upper bits of a divisor decide */
	for (round = 1 << 9; round < 1 << 10; round++) {
		cc_u32 d = (cc_u32)round << 22 | edge_u32() >> 10, v = word->reciprocal_u32(d);

		CHECK(v == (cc_u32)(~(cc_u64)0 / d), "reciprocal of %#llx: %#llx", LL(d), LL(v));
	}
	for (round = 0; round < test_scaled(300000); round++) {
		cc_u32 d = edge_u32() | top_u32, u1 = below_u32(d), u0 = edge_u32();
		cc_u32 v = word->reciprocal_u32(d), q, r;
		cc_u64 u = (cc_u64)u1 << 32 | u0;

		CHECK(v == (cc_u32)(~(cc_u64)0 / d), "reciprocal of %#llx: %#llx", LL(d), LL(v));
		if (!random_below(3)) {
			u = (cc_u64)edge_u32() * d + below_u32(d);
			u1 = (cc_u32)(u >> 32);
			u0 = (cc_u32)u;
		}
		q = word->div_2by1_u32(&r, u1, u0, d, v);
		CHECK(q == u / d && r == u % d, "2 by 1: %#llx / %#llx", LL(u), LL(d));
		q = word->div_once_u32(&r, u1, u0, d, v);
		CHECK(q == u / d && r == u % d, "once: %#llx / %#llx", LL(u), LL(d));
	}
}

static void test_div_u64(void)
{
	size_t round;

	begin("reciprocal and division, 64 bits");
	for (round = 1 << 8; round < 1 << 9; round++) {
		cc_u64 d = (cc_u64)round << 55 | edge_u64() >> 9, v = word->reciprocal_u64(d), q, r;

		slow_div(&q, &r, ~(cc_u64)0, ~(cc_u64)0, d);
		CHECK(v == q, "reciprocal of %#llx: %#llx", LL(d), LL(v));
	}
	for (round = 0; round < test_scaled(20000); round++) {
		cc_u64 d = edge_u64() | top_u64, u1 = below_u64(d), u0 = edge_u64();
		cc_u64 v = word->reciprocal_u64(d), q, r, should_q, should_r;

		slow_div(&should_q, &should_r, ~(cc_u64)0, ~(cc_u64)0, d);
		CHECK(v == should_q, "reciprocal of %#llx: %#llx", LL(d), LL(v));
		if (!random_below(3))
			near_multiple(&u1, &u0, edge_u64(), d);
		slow_div(&should_q, &should_r, u1, u0, d);
		q = word->div_2by1_u64(&r, u1, u0, d, v);
		CHECK(q == should_q && r == should_r, "2 by 1: %#llx %#llx / %#llx", LL(u1), LL(u0),
		      LL(d));

		q = word->div_once_u64(&r, u1, u0, d);
		CHECK(q == should_q && r == should_r, "once: %#llx %#llx / %#llx", LL(u1), LL(u0),
		      LL(d));

		r = u1;
		slow_div(&should_q, &should_r, u1 >> 32, u1 << 32 | (u0 >> 32), d);
		q = word->div_half_u64(&r, (cc_u32)(u0 >> 32), d,
				       word->reciprocal_u32((cc_u32)(d >> 32)));
		CHECK(q == should_q && r == should_r, "half: %#llx %#llx / %#llx", LL(u1),
		      LL(u0 >> 32), LL(d));

		/* any divisor */
		d >>= random_below(64);
		u1 = random_below(3) ? below_u64(d) : 0;
		if (!random_below(3))
			near_multiple(&u1, &u0, edge_u64(), d);
		slow_div(&should_q, &should_r, u1, u0, d);
		q = word->div_any_u64(&r, u1, u0, d);
		CHECK(q == should_q && r == should_r, "any: %#llx %#llx / %#llx", LL(u1), LL(u0),
		      LL(d));

		/* half of them of a dividend that just has not wrapped, or just has */
		if (random_below(2))
			near_multiple(&u1, &u0, ~(cc_u64)0 / d, d);
		q = word->div_u64(&r, u0, d);
		CHECK(q == u0 / d && r == u0 % d, "%#llx / %#llx", LL(u0), LL(d));
	}
}

static void test_div_word(void)
{
	const cc_word ones[3] = {~(cc_word)0, ~(cc_word)0, ~(cc_word)0};
	size_t round;

	begin("reciprocal and division, words");
	for (round = 0; round < test_scaled(15000); round++) {
		cc_word d = random_edge_word() | top_word, u[2], q[2], r, rest;
		cc_word v = word->reciprocal(d);

		ref_divrem(q, &r, ones, 2, &d, 1);
		CHECK(v == q[0] && q[1] == 1, "reciprocal of %#llx: %#llx", LL(d), LL(v));
		u[0] = random_edge_word();
		u[1] = (cc_word)below_u64(d);
		ref_divrem(q, &r, u, 2, &d, 1);
		CHECK(word->div_2by1(&rest, u[1], u[0], d, v) == q[0] && rest == r,
		      "%#llx %#llx / %#llx", LL(u[1]), LL(u[0]), LL(d));
	}
}

static void test_div_3by2(void)
{
	const cc_word ones[3] = {~(cc_word)0, ~(cc_word)0, ~(cc_word)0};
	size_t round;

	begin("reciprocal and division, 3 by 2");
	for (round = 0; round < test_scaled(15000); round++) {
		cc_word d[2] = {random_edge_word(), random_edge_word() | top_word};
		cc_word u[3], q[3], r[2], r1, r0, v = word->reciprocal_3by2(d[1], d[0]), digit;
		size_t shape = random_below(4);

		ref_divrem(q, r, ones, 3, d, 2);
		CHECK(v == q[0] && q[1] == 1, "reciprocal of %#llx %#llx: %#llx", LL(d[1]),
		      LL(d[0]), LL(v));
		if (shape < 2) {
			/* a digit of a shape of its own, and a remainder of 0 or d - 1 */
			cc_word rest[3] = {d[0] - 1, d[1] - !d[0], 0};

			digit = random_edge_word();
			ref_mul(u, d, 2, &digit, 1);
			if (shape)
				ref_add(u, u, rest, 3, 0);
		} else {
			bool level = shape == 2 && d[0];

			u[0] = random_edge_word();
			u[1] = level ? (cc_word)below_u64(d[0]) : random_edge_word();
			u[2] = level ? d[1] : (cc_word)below_u64(d[1]);
		}
		ref_divrem(q, r, u, 3, d, 2);
		digit = word->div_3by2(&r1, &r0, u[2], u[1], u[0], d[1], d[0], v);
		CHECK(digit == q[0] && r1 == r[1] && r0 == r[0],
		      "%#llx %#llx %#llx / %#llx %#llx: %#llx", LL(u[2]), LL(u[1]), LL(u[0]),
		      LL(d[1]), LL(d[0]), LL(digit));
	}
}

int main(int argc, char **argv)
{
	static const struct word_functions *const all[] = {
		&word_128,	&word_128_noasm,  &word_64,	   &word_64_noasm,  &word_32,
		&word_32_noasm, &word_128_shifts, &word_64_shifts, &word_32_shifts,
	};
	size_t i;

	test_begin(argc, argv);
	for (i = 0; i < COUNT(all); i++) {
		word = all[i];
		if (!word->name) {
			test_skip("word.h by __int128: this compiler has none");
			continue;
		}
		test_zeros();
		test_add_sub();
		test_mul();
		test_div_u32();
		test_div_u64();
		test_div_word();
		test_div_3by2();
	}
	return test_end();
}
