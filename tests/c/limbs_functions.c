// SPDX-License-Identifier: MIT
/*
 * The functions of limbs.h over the kernels: sizes on both sides of every threshold,
 * scratch of exactly the size promised between guard pages, inputs unmodified.
 */
#include "limbs/divide.h"
#include "limbs/kernels.h"
#include "limbs_kernels.h"
#include "places.h"
#include "reference.h"

#include <carrychain/natural.h>

#include <stdlib.h>
#include <string.h>

#define SMALL	70
#define LARGEST 1200

static const char *tier;

/*
 * What limbs.h only passes on to the tier's kernels; each the first call after a choice of
 * features, which is to choose the tier.
 */
static void test_passed_on(uint64_t features)
{
	cc_word a[SMALL], b[SMALL], should[SMALL], r[SMALL];
	const struct cc_limbs_kernels *k;
	size_t round;

	cc_cpu_set_mask(features);
	k = cc_limbs_kernels();
#define FIRST_USE(call)                                                                            \
	do {                                                                                       \
		memcpy(should, b, sizeof(b));                                                      \
		memcpy(r, b, sizeof(b));                                                           \
		cc_cpu_set_mask(features);                                                         \
		CHECK(call, "%s: another word", #call);                                            \
		check_words(#call, r, should, SMALL);                                              \
		CHECK(!strcmp(cc_limbs_tier(), tier), "%s", cc_limbs_tier());                      \
	} while (0)
#define SAME(function, ...)                                                                        \
	FIRST_USE(cc_limbs_##function(r, __VA_ARGS__) == k->function(should, __VA_ARGS__))
	begin(tier, "limbs.h to kernels, the first use");
	for (round = 0; round < 20; round++) {
		unsigned int count = (unsigned int)random_below(CC_WORD_BITS);

		any_words(a, SMALL);
		any_words(b, SMALL);
		SAME(add, a, b, SMALL - 1);
		SAME(sub, a, b, SMALL - 1);
		SAME(mul_1, a, SMALL - 1, b[0]);
		SAME(addmul_1, a, SMALL - 1, b[0]);
		SAME(submul_1, a, SMALL - 1, b[0]);
		SAME(lshift, a, SMALL - 1, count);
		SAME(rshift, a, SMALL - 1, count);
		FIRST_USE((cc_limbs_mul(r, a, 2, b, 2, NULL), k->mul_basecase(should, a, 2, b, 2),
			   true));
		FIRST_USE((cc_limbs_sqr(r, a, 2, NULL), k->sqr_basecase(should, a, 2), true));
	}
#undef SAME
#undef FIRST_USE
}

static void test_add_sub_1(bool subtract)
{
	cc_word a[SMALL], should[SMALL], wide[SMALL], out, *pa, *r, result;
	size_t n, round;

	begin(tier, subtract ? "cc_limbs_sub_1" : "cc_limbs_add_1");
	for (n = 0; n <= SMALL; n++) {
		for (round = 0; round < test_scaled(400); round++) {
			cc_word w = random_edge_word();
			bool in_place = round & 1;

			test_sizes(n, in_place, 0);
			any_words(a, n);
			memset(wide, 0, sizeof(wide));
			wide[0] = w;
			if (!n)
				out = w;
			else if (subtract)
				out = ref_sub(should, a, wide, n, 0);
			else
				out = ref_add(should, a, wide, n, 0);
			pa = place(FIRST, a, n);
			r = in_place ? pa : place(RESULT, NULL, n);
			result = subtract ? cc_limbs_sub_1(r, pa, n, w)
					  : cc_limbs_add_1(r, pa, n, w);
			CHECK(result == out, "carry is %#llx, not %#llx",
			      (unsigned long long)result, (unsigned long long)out);
			check_words("result", r, should, n);
			if (!in_place)
				check_words("operand, after", pa, a, n);
			check_guards();
		}
	}
}

static void test_cmp(void)
{
	cc_word a[SMALL], b[SMALL], *pa, *pb;
	size_t n, round;

	begin(tier, "cc_limbs_cmp");
	for (n = 0; n <= SMALL; n++) {
		for (round = 0; round < test_scaled(200); round++) {
			test_sizes(n, round, 0);
			any_words(a, n);
			any_words(b, n);
			if (round & 1)
				memcpy(b, a, n * sizeof(*a));
			if (n && (round & 2))
				b[random_below(n)] ^= (cc_word)1 << random_below(CC_WORD_BITS);
			pa = place(FIRST, a, n);
			pb = place(SECOND, b, n);
			CHECK(cc_limbs_cmp(pa, pb, n) == ref_cmp(a, b, n), "not %d",
			      ref_cmp(a, b, n));
		}
	}
}

static void test_normalise(void)
{
	cc_word a[SMALL];
	size_t n, zeros;

	begin(tier, "cc_limbs_normalise");
	for (n = 0; n <= SMALL; n++) {
		for (zeros = 0; zeros <= n; zeros++) {
			test_sizes(n, zeros, 0);
			memset(a, 0, sizeof(a));
			if (zeros < n)
				any_number(a, n - zeros);
			CHECK(cc_limbs_normalise(place(FIRST, a, n), n) == n - zeros,
			      "not %zu words", n - zeros);
		}
	}
}

static void one_mul(size_t an, size_t bn)
{
	cc_word a[LARGEST], b[LARGEST], should[2 * LARGEST], *pa, *pb, *r;

	test_sizes(an, bn, 0);
	any_words(a, an);
	any_words(b, bn);
	ref_mul(should, a, an, b, bn);
	pa = place(FIRST, a, an);
	pb = place(SECOND, b, bn);
	r = place(RESULT, NULL, an + bn);
	cc_limbs_mul(r, pa, an, pb, bn, place(SCRATCH, NULL, cc_limbs_mul_scratch(an, bn)));
	check_words("product", r, should, an + bn);
	check_words("first operand, after", pa, a, an);
	check_words("second operand, after", pb, b, bn);
	check_guards();
}

/* So long that the product is cut for the sake of steps, although the factor is short. */
static void long_mul(size_t an, size_t bn)
{
	static cc_word a[20000], b[LARGEST], should[20000 + LARGEST];
	cc_word *r = place(RESULT, NULL, an + bn);

	test_sizes(an, bn, 0);
	any_words(a, an);
	any_words(b, bn);
	cc_limbs_generic.mul_basecase(should, a, an, b, bn);
	cc_limbs_mul(r, a, an, b, bn, place(SCRATCH, NULL, cc_limbs_mul_scratch(an, bn)));
	check_words("product", r, should, an + bn);
	check_guards();
}

static void one_sqr(size_t n, bool by_mul)
{
	cc_word a[LARGEST], should[2 * LARGEST], *pa, *r;

	test_sizes(n, by_mul, 0);
	any_words(a, n);
	ref_mul(should, a, n, a, n);
	pa = place(FIRST, a, n);
	r = place(RESULT, NULL, 2 * n);
	if (by_mul)
		cc_limbs_mul(r, pa, n, pa, n, place(SCRATCH, NULL, cc_limbs_mul_scratch(n, n)));
	else
		cc_limbs_sqr(r, pa, n, place(SCRATCH, NULL, cc_limbs_sqr_scratch(n)));
	check_words("square", r, should, 2 * n);
	check_words("operand, after", pa, a, n);
	check_guards();
}

/* A size near a small multiple of a threshold, or any up to @most. */
static size_t size_about(size_t threshold, size_t most)
{
	size_t n = random_below(4) ? (1 + random_below(5)) * threshold + random_below(5)
				   : 2 + random_below(most);

	return n < 2 ? random_below(3) : n - 2 < most ? n - 2 : most;
}

static void test_mul(void)
{
	static const size_t shapes[][2] = {
		{LARGEST, 1}, {LARGEST, 24}, {LARGEST, 37},  {1000, 999}, {1025, 256},
		{1024, 1024}, {640, 128},    {LARGEST, 600}, {511, 257},  {384, 256},
	};
	size_t an, bn, i, round;

	begin(tier, "cc_limbs_mul");
	for (an = 0; an < 12; an++)
		for (bn = 0; bn < 12; bn++)
			one_mul(an, bn);
	for (round = 0; round < test_scaled(3000); round++)
		one_mul(size_about(cc_thresholds()->karatsuba_mul, 200),
			size_about(cc_thresholds()->karatsuba_mul, 200));
	for (round = 0; round < test_scaled(300); round++) {
		bn = size_about(cc_thresholds()->karatsuba_mul, LARGEST);
		one_mul(size_about(bn, LARGEST), bn);
	}
	for (i = 0; i < COUNT(shapes); i++) {
		one_mul(shapes[i][0], shapes[i][1]);
		one_mul(shapes[i][1], shapes[i][0]);
	}
	for (round = 0; round < test_scaled(20); round++)
		long_mul(5000 + random_below(15000),
			 1 + random_below(cc_thresholds()->karatsuba_mul));
	for (round = 0; round < test_scaled(300); round++)
		one_sqr(size_about(cc_thresholds()->karatsuba_mul, 200), true);
}

static void test_sqr(void)
{
	static const size_t sizes[] = {255, 256, 257, 511, 600, 1000, 1023, 1024, 1025};
	size_t n, i, round;

	begin(tier, "cc_limbs_sqr");
	for (n = 0; n <= SMALL; n++)
		for (round = 0; round < test_scaled(20); round++)
			one_sqr(n, false);
	for (round = 0; round < test_scaled(2000); round++)
		one_sqr(size_about(cc_thresholds()->karatsuba_sqr, 250), false);
	for (round = 0; round < test_scaled(200); round++)
		one_sqr(size_about(cc_thresholds()->karatsuba_sqr, LARGEST), false);
	for (i = 0; i < COUNT(sizes); i++)
		one_sqr(sizes[i], false);
}

/* q d + r = a, and r < d: what division means, by the reference's multiplication. */
static void check_division(const cc_word *q, const cc_word *r, const cc_word *a, size_t an,
			   const cc_word *d, size_t dn)
{
	cc_word back[LARGEST + 2] = {0}, rest[LARGEST + 2] = {0};
	size_t qn = an - dn + 1;

	ref_mul(back, q, qn, d, dn);
	memcpy(rest, r, dn * sizeof(*r));
	ref_add(back, back, rest, an + 1, 0);
	CHECK(!back[an], "quotient too large");
	check_words("quotient * divisor + remainder", back, a, an);
	CHECK(ref_cmp(r, d, dn) < 0, "remainder not below the divisor");
}

static void test_divrem_1(void)
{
	cc_word a[SMALL], q[SMALL + 1], *pa, *pq, r, alone;
	size_t n, round;

	begin(tier, "cc_limbs_divrem_1, cc_limbs_mod_1");
	for (n = 0; n <= SMALL; n++) {
		for (round = 0; round < test_scaled(300); round++) {
			bool in_place = round & 1;
			/* of every length: short ones have ways of their own */
			cc_word d = random_edge_word() >> round % CC_WORD_BITS;

			d += !d;
			test_sizes(n, in_place, 0);
			any_words(a, n);
			pa = place(FIRST, a, n);
			pq = in_place ? pa : place(RESULT, NULL, n);
			alone = cc_limbs_mod_1(pa, n, d);
			r = cc_limbs_divrem_1(pq, pa, n, d);
			CHECK(alone == r, "remainder alone %#llx, not %#llx",
			      (unsigned long long)alone, (unsigned long long)r);
			memset(q, 0, sizeof(q));
			memcpy(q, pq, n * sizeof(*q));
			if (n)
				check_division(q, &r, a, n, &d, 1);
			else
				CHECK(!r, "0 / d leaves %#llx", (unsigned long long)r);
			if (!in_place)
				check_words("operand, after", pa, a, n);
			check_guards();
		}
	}
}

/*
 * A dividend: any; or from a quotient of a shape of its own (all digits B - 1, ...) and a
 * remainder of 0, d - 1, or any, that is d B^k - 1 or d B^k among others: there a digit's
 * estimate is too large by one or two.
 */
static void any_dividend(cc_word *a, size_t an, const cc_word *d, size_t dn)
{
	cc_word q[LARGEST + 1], r[LARGEST + 2] = {0}, wide[LARGEST + 2], one[LARGEST] = {1};
	size_t qn = an - dn;
	size_t kind = random_below(5);

	if (!kind || !qn) {
		any_words(a, an);
		return;
	}
	if (random_below(3))
		edge_words(q, qn, 2);
	else
		any_words(q, qn);
	ref_mul(wide, q, qn, d, dn);
	if (kind == 1) {
		any_words(r, dn);
		if (ref_cmp(r, d, dn) >= 0)
			r[dn - 1] = 0;
	} else if (kind <= 3) {
		ref_sub(r, d, one, dn, 0);
	}
	ref_add(a, wide, r, an, 0);
	/* d (B^k - 1) + d - 1 = d B^k - 1, and one more */
	if (kind == 3) {
		memset(r, 0, an * sizeof(*r));
		r[0] = 1;
		ref_add(a, a, r, an, 0);
	}
}

static void one_divrem(size_t an, size_t dn)
{
	cc_word a[LARGEST], d[LARGEST], q[LARGEST + 1], r[LARGEST], *pa, *pd, *pq, *pr;
	bool in_place = random_below(2);

	test_sizes(an, dn, in_place);
	any_number(d, dn);
	any_dividend(a, an, d, dn);
	pa = place(FIRST, a, an);
	pd = place(SECOND, d, dn);
	pq = place(RESULT, NULL, an - dn + 1);
	pr = in_place ? pa : place(SECOND_RESULT, NULL, dn);
	cc_natural_divrem(pq, pr, pa, an, pd, dn,
			  place(SCRATCH, NULL, cc_natural_divrem_scratch(an, dn)));
	check_division(pq, pr, a, an, d, dn);
	if (!in_place)
		check_words("dividend, after", pa, a, an);
	check_words("divisor, after", pd, d, dn);
	check_guards();
	/* the reference's own division, where it is quick */
	if (an <= 8) {
		ref_divrem(q, r, a, an, d, dn);
		check_words("quotient", pq, q, an - dn + 1);
		check_words("remainder", pr, r, dn);
	}
}

static void test_divrem(void)
{
	static const size_t shapes[][2] = {{LARGEST, 600}, {LARGEST, 601}, {LARGEST, 599},
					   {LARGEST, 100}, {LARGEST, 61},  {1000, 500},
					   {1000, 999},	   {700, 512},	   {513, 256},
					   {1024, 128},	   {LARGEST, 2},   {900, LARGEST / 4}};
	size_t an, dn, i, round;

	begin(tier, "cc_natural_divrem");
	for (dn = 1; dn <= 16; dn++)
		for (an = dn; an <= dn + 16; an++)
			for (round = 0; round < test_scaled(60); round++)
				one_divrem(an, dn);
	for (round = 0; round < test_scaled(6000); round++) {
		dn = size_about(cc_thresholds()->divide, 300);
		dn += !dn;
		an = dn + size_about(cc_thresholds()->divide, 300);
		one_divrem(an, dn);
	}
	for (i = 0; i < COUNT(shapes); i++)
		for (round = 0; round < test_scaled(20); round++)
			one_divrem(shapes[i][0], shapes[i][1]);
}

/*
 * a[n] = radix^e - 1 or radix^e, for any e that fits; mostly a multiple of the digits that
 * fit a word, as are the powers that numbers are cut in two by.
 */
static void near_power(cc_word *a, size_t n, unsigned int radix)
{
	cc_word one[LARGEST] = {1}, product[LARGEST + 1], w = radix, most = ~(cc_word)0;
	size_t e = random_below(n * CC_WORD_BITS / 5 + 2), chunk;

	for (chunk = 0; most >= radix; chunk++)
		most /= radix;
	if (random_below(4))
		e = chunk * random_below(n + n / 8 + 2);
	memset(a, 0, n * sizeof(*a));
	a[0] = 1;
	while (e--) {
		ref_mul(product, a, n, &w, 1);
		if (product[n])
			break;
		memcpy(a, product, n * sizeof(*a));
	}
	if (random_below(2))
		ref_sub(a, a, one, n, 0);
}

static void any_in_radix(cc_word *a, size_t n, unsigned int radix)
{
	if (n && n <= 64 && !random_below(4))
		near_power(a, n, radix);
	else
		any_words(a, n);
}

static char digits[LARGEST * CC_WORD_BITS + 1];

static void one_to_digits(size_t n, unsigned int radix)
{
	cc_word a[LARGEST];
	size_t most = cc_natural_digits_max(n, radix), should, is;
	char *text;

	test_sizes(n, radix, 0);
	any_in_radix(a, n, radix);
	should = ref_to_digits(digits, a, n, radix);
	text = (char *)place_bytes(RESULT, NULL, most);
	is = cc_natural_to_digits(text, place(FIRST, a, n), n, radix,
				  place(SCRATCH, NULL, cc_natural_to_digits_scratch(n, radix)),
				  NULL);
	CHECK(is == should, "%zu digits, not %zu", is, should);
	CHECK(is <= most && !memcmp(text, digits, is), "wrong digits");
	check_guards();
}

static void test_to_digits(void)
{
	static const size_t sizes[] = {200, 257, 500};
	unsigned int radix;
	size_t n, i, round;

	begin(tier, "cc_natural_to_digits");
	for (radix = 2; radix <= 36; radix++) {
		for (n = 0; n < 8; n++)
			for (round = 0; round < test_scaled(40); round++)
				one_to_digits(n, radix);
		for (round = 0; round < test_scaled(60); round++)
			one_to_digits(size_about(cc_thresholds()->to_digits, 64), radix);
	}
	for (i = 0; i < COUNT(sizes); i++) {
		one_to_digits(sizes[i], 10);
		one_to_digits(sizes[i], 3 + (unsigned int)random_below(34));
	}
}

/* a = radix^e: 1 and e zeros, and, less 1, as many of the last digit. */
static void check_power(const cc_word *a, size_t n, size_t e, unsigned int radix)
{
	cc_word b[LARGEST], one[LARGEST] = {1};
	char last = "0123456789abcdefghijklmnopqrstuvwxyz"[radix - 1];
	size_t less;

	test_sizes(n, e, radix);
	memcpy(b, a, n * sizeof(*b));
	for (less = 0; less < 2; less++) {
		char *text = (char *)place_bytes(RESULT, NULL, cc_natural_digits_max(n, radix));
		size_t i,
			length = cc_natural_to_digits(
				text, place(FIRST, b, n), n, radix,
				place(SCRATCH, NULL, cc_natural_to_digits_scratch(n, radix)), NULL);

		CHECK(length == e + !less, "%zu digits", length);
		for (i = !less; i < length && text[i] == (less ? last : '0'); i++)
			;
		CHECK(i == length && (less || text[0] == '1'), "digit %zu is %c", i, text[i]);
		check_guards();
		ref_sub(b, b, one, n, 0);
	}
}

/*
 * Powers of a radix, for there the upper part of a number cut in two is 1 or 0; of 30 as
 * far as where it is 0 though it has as many words as what it is cut by.
 */
static void test_powers(void)
{
	static const struct {
		unsigned int radix;
		size_t words;
	} ranges[] = {{3, 50}, {10, 120}, {30, 310}, {36, 70}};
	cc_word a[LARGEST], product[LARGEST];
	size_t i, e, n;

	begin(tier, "cc_natural_to_digits, powers of the radix");
	for (i = 0; i < COUNT(ranges); i++) {
		cc_word w = ranges[i].radix;

		a[0] = w;
		for (e = 1, n = 1; n < ranges[i].words; e++) {
			check_power(a, n, e, ranges[i].radix);
			ref_mul(product, a, n, &w, 1);
			n += product[n] != 0;
			memcpy(a, product, n * sizeof(*a));
		}
	}
}

static void one_from_digits(size_t n, unsigned int radix)
{
	cc_word a[LARGEST], *r;
	size_t zeros = random_below(4) ? 0 : random_below(2) ? random_below(30) : random_below(999);
	size_t count, most, i, length;
	char *text;

	test_sizes(n, radix, zeros);
	any_in_radix(a, n, radix);
	count = zeros + ref_to_digits(digits, a, n, radix);
	text = (char *)place_bytes(FIRST, NULL, count);
	memset(text, '0', zeros);
	memcpy(text + zeros, digits, count - zeros);
	for (i = 0; i < count; i++)
		if (text[i] >= 'a' && random_below(2))
			text[i] = (char)(text[i] - 'a' + 'A');
	memcpy(digits, text, count);
	most = cc_natural_from_digits_max(count, radix);
	r = place(RESULT, NULL, most);
	length = cc_natural_from_digits(
		r, text, count, radix,
		place(SCRATCH, NULL, cc_natural_from_digits_scratch(count, radix)));
	for (i = n; i && !a[i - 1]; i--)
		;
	CHECK(length == i, "%zu words, not %zu", length, i);
	CHECK(length <= most, "more words than promised");
	check_words("value", r, a, i);
	CHECK(!memcmp(text, digits, count), "digits modified");
	check_guards();
}

static void test_from_digits(void)
{
	static const size_t sizes[] = {200, 257, 500};
	unsigned int radix;
	size_t n, i, round;

	begin(tier, "cc_natural_from_digits");
	for (radix = 2; radix <= 36; radix++) {
		CHECK(!cc_natural_from_digits(
			      place(RESULT, NULL, cc_natural_from_digits_max(0, radix)), "", 0,
			      radix,
			      place(SCRATCH, NULL, cc_natural_from_digits_scratch(0, radix))),
		      "no digits are not 0");
		for (n = 0; n < 8; n++)
			for (round = 0; round < test_scaled(40); round++)
				one_from_digits(n, radix);
		for (round = 0; round < test_scaled(60); round++)
			one_from_digits(size_about(cc_thresholds()->from_digits, 64), radix);
	}
	for (i = 0; i < COUNT(sizes); i++) {
		one_from_digits(sizes[i], 10);
		one_from_digits(sizes[i], 3 + (unsigned int)random_below(34));
	}
}

/* A progress function that stops at a step given, and the steps it has seen. */
struct steps {
	uint64_t count, stop, last, total;
	bool orderly;
};

static int step(void *context, cc_u64 done, cc_u64 total)
{
	struct steps *steps = context;

	if (steps->count && (done < steps->last || total != steps->total))
		steps->orderly = false;
	if (done > total)
		steps->orderly = false;
	steps->last = done;
	steps->total = total;
	return ++steps->count == steps->stop;
}

static void test_progress(void)
{
	const size_t n = 5000;
	size_t text = cc_natural_digits_max(n, 10), words = cc_natural_to_digits_scratch(n, 10);
	cc_word *a = malloc(n * sizeof(*a)), *scratch = malloc(words * sizeof(*scratch));
	char *first = malloc(text), *second = malloc(text);
	struct steps steps = {.orderly = true};
	struct cc_progress progress = {.step = step, .context = &steps};
	size_t length;
	uint64_t all, stop;

	begin(tier, "cc_natural_to_digits, its progress");
	memset(a, 0x99, n * sizeof(*a));
	length = cc_natural_to_digits(first, a, n, 10, scratch, NULL);
	memset(a, 0x99, n * sizeof(*a));
	CHECK(cc_natural_to_digits(second, a, n, 10, scratch, &progress) == length, "other length");
	CHECK(!memcmp(first, second, length), "other digits");
	CHECK(steps.count > 0, "never reported");
	CHECK(steps.orderly, "not orderly: at last %llu of %llu", (unsigned long long)steps.last,
	      (unsigned long long)steps.total);
	all = steps.count;
	for (stop = 1; stop <= all; stop++) {
		steps.count = 0;
		steps.stop = stop;
		memset(a, 0x99, n * sizeof(*a));
		CHECK(!cc_natural_to_digits(second, a, n, 10, scratch, &progress), "did not stop");
		CHECK(steps.count == stop, "went on to step %llu", (unsigned long long)steps.count);
	}
	free(second);
	free(first);
	free(scratch);
	free(a);
}

/* Most of it is for UBSan to say. */
static void test_nothing(void)
{
	cc_word some[2] = {1, 2}, r[2] = {3, 4};

	begin(tier, "vectors of no words, NULL");
	CHECK(!cc_limbs_add(NULL, NULL, NULL, 0), "a carry");
	CHECK(!cc_limbs_sub(NULL, NULL, NULL, 0), "a borrow");
	CHECK(cc_limbs_add_1(NULL, NULL, 0, 5) == 5, "other carry");
	CHECK(cc_limbs_sub_1(NULL, NULL, 0, 5) == 5, "other borrow");
	CHECK(cc_limbs_add_1(NULL, some, 0, 5) == 5, "other carry");
	CHECK(cc_limbs_sub_1(NULL, some, 0, 5) == 5, "other borrow");
	CHECK(!cc_limbs_mul_1(NULL, NULL, 0, 5), "a word above");
	CHECK(!cc_limbs_addmul_1(NULL, NULL, 0, 5), "a word above");
	CHECK(!cc_limbs_submul_1(NULL, NULL, 0, 5), "a word above");
	CHECK(!cc_limbs_cmp(NULL, NULL, 0), "differs from itself");
	CHECK(!cc_limbs_normalise(NULL, 0), "a length");
	CHECK(!cc_limbs_lshift(NULL, NULL, 0, 0), "bits that left");
	CHECK(!cc_limbs_lshift(NULL, NULL, 0, 1), "bits that left");
	CHECK(!cc_limbs_rshift(NULL, NULL, 0, 0), "bits that left");
	CHECK(!cc_limbs_rshift(NULL, NULL, 0, 1), "bits that left");
	CHECK(!cc_limbs_divrem_1(NULL, NULL, 0, 5), "a remainder");
	cc_limbs_mul(NULL, NULL, 0, NULL, 0, NULL);
	cc_limbs_sqr(NULL, NULL, 0, NULL);
	cc_limbs_mul(r, some, 2, NULL, 0, NULL);
	CHECK(!r[0] && !r[1], "not 0");
	r[0] = 3;
	cc_limbs_mul(r, NULL, 0, some, 2, NULL);
	CHECK(!r[0] && !r[1], "not 0");
}

void limbs_functions(const char *forced, uint64_t features)
{
	tier = forced;
	test_passed_on(features);
	test_case(tier, "cc_limbs_tier");
	CHECK(!strcmp(cc_limbs_tier(), tier), "%s runs", cc_limbs_tier());
	test_nothing();
	test_add_sub_1(false);
	test_add_sub_1(true);
	test_cmp();
	test_normalise();
	test_mul();
	test_sqr();
	test_divrem_1();
	test_divrem();
	test_to_digits();
	test_powers();
	test_from_digits();
	test_progress();
}
