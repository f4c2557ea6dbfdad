// SPDX-License-Identifier: MIT
/*
 * The constant-time kernels of a tier: against the reference where that is quick enough,
 * against the portable tier at every width.
 */
#include "fixed_kernels.h"
#include "harness.h"
#include "reference.h"

#include <string.h>

#if CC_BUILD_X86_64
#include <xmmintrin.h>
#else
#define _mm_getcsr()	 0u
#define _mm_setcsr(mode) (void)(mode)
#endif

#define MOST   CC_FZ_MAX
#define NARROW 44

bool fixed_slow(void)
{
	return test_scaled(10) < 10;
}

void ref_powmod(cc_word *r, const cc_word *b, const cc_word *e, size_t en, const cc_word *m,
		size_t n)
{
	cc_word product[2 * FIXED_REFERENCE_MAX], quotient[2 * FIXED_REFERENCE_MAX];
	cc_word power[FIXED_REFERENCE_MAX];
	size_t bit = en * CC_WORD_BITS;

	memset(power, 0, n * sizeof(*power));
	power[0] = 1;
	ref_divrem(quotient, r, power, n, m, n);
	while (bit--) {
		ref_mul(product, r, n, r, n);
		ref_divrem(quotient, r, product, 2 * n, m, n);
		if (!(e[bit / CC_WORD_BITS] >> bit % CC_WORD_BITS & 1))
			continue;
		ref_mul(product, r, n, b, n);
		ref_divrem(quotient, r, product, 2 * n, m, n);
	}
}

/* Every width up to NARROW, then one each on both sides of what tiers like to treat apart. */
static const size_t wide[] = {47,  48,	49,  63,  64,  65,  72,	 80,  95,  96,	100,
			      127, 128, 129, 160, 191, 192, 193, 200, 255, 256, MOST};

#define WIDTHS (NARROW + 1 + COUNT(wide))

static size_t width(size_t i)
{
	return i <= NARROW ? i : wide[i - NARROW - 1];
}

static size_t rounds(size_t n, size_t most)
{
	return test_scaled(n <= 20 ? most : n <= 64 ? most / 4 : most / 20);
}

/* Of the widest powers, which take a second in C, few; next to none on an emulated machine. */
static size_t power_rounds(size_t n, size_t most)
{
	if (n <= (fixed_slow() ? 20 : 64))
		return rounds(n, n <= 20 ? most : most / 2);
	return fixed_slow() ? n == 33 : n % 64 < 2 || n == 200;
}

static void product(const struct cc_fixed_kernels *k, bool square)
{
	static cc_word a[MOST], b[MOST], should[2 * MOST];
	size_t i, round;

	begin(k->tier, square ? "fixed sqr" : "fixed mul");
	for (i = 0; i < WIDTHS; i++) {
		size_t n = width(i);

		for (round = 0; round < rounds(n, 400) && !test_case_failed(); round++) {
			const cc_word *x, *y;
			cc_word *r;

			test_sizes(n, 0, 0);
			any_words(a, n);
			any_words(b, n);
			r = place(RESULT, NULL, 2 * n);
			x = place(FIRST, a, n);
			y = place(SECOND, b, n);
			ref_mul(should, a, n, square ? a : b, n);
			if (square)
				(void)CALL3(k->sqr, r, x, n);
			else
				(void)CALL4(k->mul, r, x, y, n);
			check_words("product", r, should, 2 * n);
			check_words("first operand", x, a, n);
			check_words("second operand", y, b, n);
			check_guards();
		}
	}
}

static void check_mul(const struct cc_fixed_kernels *k)
{
	product(k, false);
}

static void check_sqr(const struct cc_fixed_kernels *k)
{
	product(k, true);
}

/* Exponents of full width while that is quick, else short ones at any place. */
static void any_exponent(cc_word *e, size_t n)
{
	size_t most = n <= 3 ? n : n <= 16 ? 2 : 1;

	memset(e, 0, n * sizeof(*e));
	any_words(e + (random_below(4) ? 0 : n - most), most);
}

/* Of an exponent of n words, or wider by one: all of it, or any width. */
static size_t any_bits(size_t n)
{
	return random_below(2) ? n * CC_WORD_BITS : 1 + random_below((n + 1) * CC_WORD_BITS);
}

/* A width that leaves bits above it in the exponent's last word, which do not count. */
static size_t uneven_bits(size_t n)
{
	return n * CC_WORD_BITS - 1 - random_below(CC_WORD_BITS - 1);
}

/* Where the reference takes too long, one more step of the reference's on the portable tier's. */
static void powmod_should(cc_word *r, const cc_word *b, const cc_word *e, size_t bits,
			  const cc_word *m, size_t n)
{
	static cc_word scratch[CC_FIXED_POWMOD_SCRATCH(MOST)] CC_ALIGNED(64);
	static cc_word low[MOST + 1];
	size_t en = (bits + CC_WORD_BITS - 1) / CC_WORD_BITS;

	memcpy(low, e, en * sizeof(*e));
	if (bits % CC_WORD_BITS)
		low[en - 1] &= ((cc_word)1 << bits % CC_WORD_BITS) - 1;
	while (en && !low[en - 1])
		en--;
	if (n <= 3 || (n <= 8 && en <= 1))
		ref_powmod(r, b, low, en, m, n);
	else
		cc_fixed_generic.powmod_odd(
			&(struct cc_fixed_power){.r = r, .b = b, .e = low, .m = m}, n, bits,
			scratch);
}

/* r[n] = 4^radix mod m, by the reference */
static void any_in(cc_word *r, size_t radix, const cc_word *m, size_t n)
{
	static cc_word power[3 * MOST], q[3 * MOST];
	size_t words = 2 * radix / CC_WORD_BITS + 1;

	memset(power, 0, words * sizeof(*power));
	power[words - 1] = (cc_word)1 << 2 * radix % CC_WORD_BITS;
	ref_divrem(q, r, power, words, m, n);
}

/* Kernels in doubles get the same whichever way their caller rounds, and leave that as it is. */
static unsigned int any_rounding(void)
{
	unsigned int mode = _mm_getcsr();

	_mm_setcsr((mode & ~0x6000u) | (unsigned int)random_below(4) << 13);
	return mode;
}

static void check_rounding(unsigned int was, unsigned int set)
{
	CHECK(_mm_getcsr() == set, "MXCSR is %#x, not %#x", _mm_getcsr(), set);
	_mm_setcsr(was);
}

static void check_powmod_odd(const struct cc_fixed_kernels *k)
{
	static cc_word b[MOST], e[MOST + 1], m[MOST], in[MOST], should[MOST];
	size_t i, round;

	begin(k->tier, "fixed powmod_odd");
	for (i = 1; i < WIDTHS; i++) {
		size_t n = width(i), words = CC_FIXED_POWMOD_SCRATCH(n);

		for (round = 0; round < power_rounds(n, 30) && !test_case_failed(); round++) {
			/* of the first rounds, which may be all, every other one */
			bool uneven = !round && i % 2;
			size_t alias = random_below(4),
			       bits = uneven ? uneven_bits(n) : any_bits(n);
			size_t en = (bits + CC_WORD_BITS - 1) / CC_WORD_BITS;
			unsigned int was, set;
			struct cc_fixed_power power;
			cc_word *r, *pb, *pe, *pm, *scratch;

			test_sizes(n, alias, bits);
			any_words(b, n);
			any_exponent(e, en);
			if (uneven)
				e[en - 1] |= ~(cc_word)0 << bits % CC_WORD_BITS;
			any_modulus(m, n);
			m[0] |= 1;
			powmod_should(should, b, e, bits, m, n);
			pb = place(FIRST, b, n);
			pe = place(SECOND, e, en > n ? en : n);
			pm = place(THIRD, m, n);
			r = place(RESULT, NULL, n);
			scratch = place_aligned(SCRATCH, words);
			r = alias == 1 ? pb : alias == 2 ? pe : alias == 3 ? pm : r;
			power = (struct cc_fixed_power){
				.r = r,
				.b = pb,
				.e = pe,
				.m = pm,
				.shown = random_below(2),
			};
			if (random_below(2)) {
				any_in(in, k->radix(n), m, n);
				power.in = in;
			}
			was = any_rounding();
			set = _mm_getcsr();
			(void)CALL4(k->powmod_odd, &power, n, bits, scratch);
			check_rounding(was, set);
			check_words("power", r, should, n);
			if (r != pb)
				check_words("base", pb, b, n);
			if (r != pe)
				check_words("exponent", pe, e, en);
			if (r != pm)
				check_words("modulus", pm, m, n);
			check_guards();
		}
	}
}

/*
 * All lanes, whose operands lie one after the other; some given twice over.  Not every
 * tier has it.
 */
static void check_powmod_odd_8(const struct cc_fixed_kernels *k)
{
	static cc_word b[8][MOST], e[8][MOST + 1], m[8][MOST], in[8][MOST], should[8][MOST];
	size_t i, round, lane;

	if (!k->lanes)
		return;
	begin(k->tier, "fixed powmod_odd_8");
	for (i = 1; i < WIDTHS; i++) {
		size_t n = width(i), words = CC_FIXED_POWMOD_8_SCRATCH(n);

		if (n > CC_FIXED_POWMOD_8_MAX)
			continue;
		for (round = 0; round < power_rounds(n, 15) && !test_case_failed(); round++) {
			size_t used = random_below(2) ? k->lanes : 1 + random_below(k->lanes);
			size_t bits = any_bits(n);
			size_t en = (bits + CC_WORD_BITS - 1) / CC_WORD_BITS;
			cc_word *r, *pb, *pe, *pm, *scratch;
			struct cc_fixed_power_8 powers;
			bool kept = random_below(2);
			unsigned int was, set;

			test_sizes(n, used, bits);
			for (lane = 0; lane < used; lane++) {
				any_words(b[lane], n);
				any_exponent(e[lane], en);
				any_modulus(m[lane], n);
				m[lane][0] |= 1;
				any_in(in[lane], k->radix_8(n), m[lane], n);
				powmod_should(should[lane], b[lane], e[lane], bits, m[lane], n);
			}
			pb = place(FIRST, NULL, used * n);
			pe = place(SECOND, NULL, used * en);
			pm = place(THIRD, NULL, used * n);
			r = random_below(2) ? place(RESULT, NULL, used * n) : pb;
			scratch = place_aligned(SCRATCH, words);
			for (lane = 0; lane < k->lanes; lane++) {
				size_t at = lane < used ? lane : 0;

				memcpy(pb + at * n, b[at], n * sizeof(*pb));
				memcpy(pe + at * en, e[at], en * sizeof(*pe));
				memcpy(pm + at * n, m[at], n * sizeof(*pm));
				powers.r[lane] = r + at * n;
				powers.b[lane] = pb + at * n;
				powers.e[lane] = pe + at * en;
				powers.m[lane] = pm + at * n;
				powers.in[lane] = kept ? in[at] : NULL;
			}
			was = any_rounding();
			set = _mm_getcsr();
			(void)CALL4(k->powmod_odd_8, &powers, n, bits, scratch);
			check_rounding(was, set);
			for (lane = 0; lane < used; lane++) {
				check_words("power", r + lane * n, should[lane], n);
				check_words("exponent", pe + lane * en, e[lane], en);
				check_words("modulus", pm + lane * n, m[lane], n);
			}
			check_guards();
		}
	}
}

static size_t singles, batches;

static void count_single(const struct cc_fixed_power *power, size_t n, size_t bits,
			 cc_word *scratch)
{
	(void)power, (void)n, (void)bits, (void)scratch;
	singles++;
}

static void count_batch(const struct cc_fixed_power_8 *power, size_t n, size_t bits,
			cc_word *scratch)
{
	(void)power, (void)n, (void)bits, (void)scratch;
	batches++;
}

/* Where the tier says that a batch would be slower than one by one, there is none. */
static void check_powmod_8(const struct cc_fixed_kernels *k)
{
	static const cc_word one[CC_FIXED_POWMOD_8_MAX + 1] = {1};
	static cc_word r[CC_FIXED_POWMOD_8_MAX + 1];
	struct cc_fixed_kernels counting = *k;
	struct cc_fixed_power_8 powers = {.in = {NULL}};
	size_t n, used, lane;

	if (!k->lanes)
		return;
	begin(k->tier, "fixed powmod_8");
	counting.powmod_odd = count_single;
	counting.powmod_odd_8 = count_batch;
	for (lane = 0; lane < k->lanes; lane++) {
		powers.r[lane] = r;
		powers.b[lane] = powers.e[lane] = powers.m[lane] = one;
	}
	for (n = 1; n <= CC_FIXED_POWMOD_8_MAX + 1; n++) {
		for (used = 0; used <= k->lanes; used++) {
			bool batch = n <= CC_FIXED_POWMOD_8_MAX && used >= k->worth(n);

			test_sizes(n, used, 0);
			singles = batches = 0;
			cc_fixed_powmod_8(&counting, &powers, used, n, 1);
			CHECK(batches == batch, "%zu batches", batches);
			CHECK(singles == (batch ? 0 : used), "%zu singles", singles);
		}
	}
}

/* r R = a b, where a b < R m: either factor may be all ones and the other below m. */
static void check_mont_mul(const struct cc_fixed_kernels *k)
{
	static cc_word a[MOST], b[MOST], m[MOST], should[MOST], x[2 * MOST], q[2 * MOST], at[MOST];
	size_t n, round;

	begin(k->tier, "fixed mont_mul");
	for (n = 1; n <= CC_FIXED_MONT_MOST; n++) {
		if (!k->mont_mul[n])
			continue;
		for (round = 0; round < test_scaled(4000) && !test_case_failed(); round++) {
			size_t alias = random_below(5);
			bool square = n == 8 && alias > 2 && k->mont_sqr_8 && random_below(2);
			cc_fixed_mont_mul_fn *mul = square ? k->mont_sqr_8 : k->mont_mul[n];
			cc_word *r, *pa, *pb, *pm;

			test_sizes(n, alias, square);
			any_modulus(m, n);
			m[0] |= 1;
			any_words(a, n);
			any_words(b, n);
			memcpy(x, random_below(2) ? a : b, n * sizeof(*x));
			ref_divrem(q, random_below(2) ? a : b, x, n, m, n);
			if (alias > 2)
				memcpy(a, b, n * sizeof(*a));
			/* of two that are not below m, one is made so */
			if (ref_cmp(a, m, n) >= 0 && ref_cmp(b, m, n) >= 0) {
				ref_divrem(q, x, b, n, m, n);
				memcpy(b, x, n * sizeof(*b));
				if (alias > 2)
					memcpy(a, b, n * sizeof(*a));
			}
			ref_mul(x, a, n, b, n);
			ref_divrem(q, should, x, 2 * n, m, n);
			pa = place(FIRST, a, n);
			pb = alias > 2 ? pa : place(SECOND, b, n);
			pm = place(THIRD, m, n);
			r = alias % 3 == 1 ? pa : alias == 2 ? pb : place(RESULT, NULL, n);
#if CHECKED_CALL
			test_call((void (*)(void))mul,
				  (uint64_t[6]){(uint64_t)r, (uint64_t)pa, (uint64_t)pb,
						(uint64_t)pm, n, cc_fixed_minus_inverse(m[0])});
#else
			mul(r, pa, pb, pm, n, cc_fixed_minus_inverse(m[0]));
#endif
			CHECK(ref_cmp(r, m, n) < 0, "not below the modulus");
			memset(x, 0, n * sizeof(*x));
			memcpy(x + n, r, n * sizeof(*x));
			ref_divrem(q, at, x, 2 * n, m, n);
			check_words("product", at, should, n);
			check_words("modulus", pm, m, n);
			check_guards();
		}
	}
}

const struct fixed_check fixed_checks[FIXED_CHECKS] = {
	{"mul", check_mul},
	{"sqr", check_sqr},
	{"powmod_odd", check_powmod_odd},
	{"powmod_odd_8", check_powmod_odd_8},
	{"mont_mul", check_mont_mul},
	{"powmod_8", check_powmod_8},
};
