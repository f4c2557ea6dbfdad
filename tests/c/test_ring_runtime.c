// SPDX-License-Identifier: MIT
/*
 * What compiled programs call, against value.h: every entry at +-2^k +-{0, 1}, at what is small
 * and what is not, and at products; into slots that are empty, that own what may be written
 * over, and that share what may not; and with every allocation failing.
 */
#include "../../python/carrychain/ring/call/runtime/entries.h"

#include "harness.h"
#include "memory.h"
#include "value.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define SMALL_BITS 62 /* of a small value's magnitude */
#define POWERS	   131
/* Whether this could be a machine that programs are compiled for. */
#define COMPILED (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ && UINTPTR_MAX == UINT64_MAX)

/* Which of an entry's operations, or its count of bits. */
static int64_t parameter;

struct op {
	ring_value (*call)(ring_value a, ring_value b, ring_value *slot);
	void (*meaning)(struct value *r, const struct value *a, const struct value *b);
};

/* Values and what they mean */

static void power_of_two(struct value *v, size_t k)
{
	value_set(v, 0);
	v->words[k / CC_WORD_BITS] = (cc_word)1 << k % CC_WORD_BITS;
	v->length = k / CC_WORD_BITS + 1;
}

/* x 2^n, rounded down: value.h's shifts go bit by bit, and are slow */
static void shifted(struct value *r, const struct value *x, int64_t n)
{
	struct value power, rest;

	power_of_two(&power, (size_t)(n < 0 ? -n : n));
	if (n < 0)
		value_divmod(r, &rest, x, &power, true);
	else
		value_mul(r, x, &power);
}

/* +-2^k + d */
static void edge(struct value *v, size_t k, int negative, int d)
{
	struct value offset;

	power_of_two(v, k);
	if (negative)
		value_neg(v, v);
	value_set(&offset, d);
	value_add(v, v, &offset);
}

/* In half the cases around what is small, or fits a word or two. */
static void random_edge(struct value *v)
{
	static const unsigned char at[] = {0, 61, 62, 63, 64, 65, 127, 128};
	size_t k = random_below(2) ? at[random_below(sizeof(at))] : random_below(POWERS);

	edge(v, k, random_below(2) != 0, (int)random_below(3) - 1);
}

/* An edge, or the product of two. */
static void random_operand(struct value *v)
{
	struct value factor;

	random_edge(v);
	if (random_below(4))
		return;
	random_edge(&factor);
	value_mul(v, v, &factor);
}

static bool fits(const struct value *v)
{
	struct value bound;

	power_of_two(&bound, SMALL_BITS);
	if (value_cmp(v, &bound) >= 0)
		return false;
	value_neg(&bound, &bound);
	return value_cmp(v, &bound) >= 0;
}

/* Whether x is the value, in the one form that it has. */
static bool means(ring_value x, const struct value *want)
{
	struct value small;

	if (!(x & 1))
		return x && !fits(want) && value_is(want, ring_integer(x));
	value_set(&small, x >> 1);
	return value_equal(&small, want);
}

static ring_value made(const struct value *v)
{
	unsigned char bytes[VALUE_WORDS * sizeof(cc_word)];
	size_t length = (v->length + 1) * sizeof(cc_word), i;
	ring_value x;

	for (i = 0; i < length; i++)
		bytes[i] = value_byte(v, i);
	x = ring_from_bytes(bytes, length);
	CHECK(means(x, v), "ring_from_bytes");
	return x;
}

static ring_value integer(int64_t x)
{
	struct value v;

	value_set(&v, x);
	return made(&v);
}

/* Operations that yield a value */

static void operate(const struct op *op, const struct value *va, const struct value *vb,
		    const struct value *want, size_t failing, bool *failed)
{
	ring_value a, b, slot = 0, other = 0, result;
	long live = memory_live();
	struct value before;
	bool shared = false;

	memory_begin(MEMORY_SOUND);
	a = made(va);
	b = made(vb);

	if (random_below(3)) {
		/* large, so that it is an object */
		edge(&before, 64 + random_below(POWERS), random_below(2) != 0, 0);
		slot = made(&before);
		shared = random_below(2) != 0;
		if (shared)
			ring_set(&other, slot);
	}
	memory_begin(failing);
	result = op->call(a, b, &slot);
	*failed = memory_end();
	memory_begin(MEMORY_SOUND);
	if (*failed)
		CHECK(!result || means(result, want), "allocation %zu fails", failing);
	else
		CHECK(means(result, want), "parameter %lld", (long long)parameter);
	CHECK(result & 1 || !result || result == slot || result == a || result == b, "no owner");
	CHECK(means(a, va) && means(b, vb), "an argument changed");
	if (shared)
		CHECK(means(other, &before), "what was shared changed");
	ring_release(other);
	ring_release(slot);
	ring_release(a);
	ring_release(b);
	memory_end();
	HOLDS(memory_live() == live);
}

static void compare_with_meaning(const struct op *op, const struct value *a, const struct value *b)
{
	struct value want;
	size_t failing = 0;
	bool failed;

	test_sizes(a->length, b->length, 0);
	op->meaning(&want, a, b);
	operate(op, a, b, &want, MEMORY_SOUND, &failed);
	if (random_below(8))
		return;
	do
		operate(op, a, b, &want, failing++, &failed);
	while (failed && !test_case_failed());
}

static void pairs(const struct op *op, size_t count)
{
	struct value a, b;

	for (count = test_scaled(count); count && !test_case_failed(); count--) {
		random_operand(&a);
		random_operand(&b);
		compare_with_meaning(op, &a, &b);
	}
}

/* The edges all; at a scale below 1 a share of them, drawn. */
static void each(const struct op *op)
{
	size_t share = test_scaled(100), i;
	struct value a, zero;

	value_set(&zero, 0);
	for (i = 0; i < POWERS * 6 && !test_case_failed(); i++) {
		if (random_below(100) >= share)
			continue;
		edge(&a, i / 6, i & 1, (int)(i / 2 % 3) - 1);
		compare_with_meaning(op, &a, &zero);
	}
	for (i = test_scaled(200); i && !test_case_failed(); i--) {
		random_operand(&a);
		compare_with_meaning(op, &a, &zero);
	}
}

static void test_add(void)
{
	pairs(&(struct op){ring_add, value_add}, 4000);
}

static void test_sub(void)
{
	pairs(&(struct op){ring_sub, value_sub}, 4000);
}

static void test_mul(void)
{
	pairs(&(struct op){ring_mul, value_mul}, 4000);
}

static ring_value call_logic(ring_value a, ring_value b, ring_value *slot)
{
	return ring_logic((int32_t)parameter, a, b, slot);
}

static void mean_logic(struct value *r, const struct value *a, const struct value *b)
{
	struct value x, y, term;
	int table = (int)parameter, which;

	value_set(r, 0);
	for (which = 0; which < 4; which++) {
		if (!(table >> which & 1))
			continue;
		x = *a;
		y = *b;
		if (!(which & 2))
			value_not(&x, &x);
		if (!(which & 1))
			value_not(&y, &y);
		value_and(&term, &x, &y);
		value_or(r, r, &term);
	}
}

static void test_logic(void)
{
	for (parameter = 0; parameter < 16; parameter++)
		pairs(&(struct op){call_logic, mean_logic}, 1000);
}

static ring_value call_divide(ring_value a, ring_value b, ring_value *slot)
{
	/* who calls has seen that b is not 0 */
	return b == 1 ? b : ring_divide((int32_t)parameter, a, b, slot);
}

static void mean_divide(struct value *r, const struct value *a, const struct value *b)
{
	struct value q, one;

	value_set(r, 0);
	if (!b->length)
		return;
	value_divmod(&q, r, a, b, parameter != TDIV && parameter != TREM);
	if ((parameter == CDIV || parameter == CREM) && r->length) {
		value_set(&one, 1);
		value_add(&q, &q, &one);
		value_sub(r, r, b);
	}
	if (parameter == FDIV || parameter == TDIV || parameter == CDIV)
		*r = q;
}

static void test_divide(void)
{
	for (parameter = FDIV; parameter <= CREM; parameter++)
		pairs(&(struct op){call_divide, mean_divide}, 1000);
}

static ring_value call_shift(ring_value a, ring_value b, ring_value *slot)
{
	(void)b;
	return ring_shift(a, parameter, slot);
}

static void mean_shift(struct value *r, const struct value *a, const struct value *b)
{
	(void)b;
	shifted(r, a, parameter < -1000 ? -1000 : parameter);
}

static void test_shift(void)
{
	static const int64_t counts[] = {0,   1,   31,	61,   62,	    63,	      64,
					 65,  127, 200, -1,   -31,	    -61,      -62,
					 -63, -64, -65, -127, -(1LL << 40), INT64_MIN};
	ring_value slot = 0, one = integer(1), none = integer(0);
	size_t i;

	for (i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
		parameter = counts[i];
		each(&(struct op){call_shift, mean_shift});
	}
	HOLDS(!ring_shift(one, INT64_MAX, &slot) && !ring_shift(one, 1LL << 33, &slot));
	HOLDS(ring_shift(none, INT64_MAX, &slot) == none && !slot);
}

static ring_value call_low(ring_value a, ring_value b, ring_value *slot)
{
	(void)b;
	return ring_low(a, (uint64_t)parameter, slot);
}

static void mean_low(struct value *r, const struct value *a, const struct value *b)
{
	struct value power, above;

	(void)b;
	power_of_two(&power, (size_t)parameter);
	value_divmod(&above, r, a, &power, true);
}

static ring_value call_field(ring_value a, ring_value b, ring_value *slot)
{
	(void)b;
	return ring_field(a, (uint64_t)parameter, slot);
}

static void mean_field(struct value *r, const struct value *a, const struct value *b)
{
	struct value half;

	mean_low(r, a, b);
	power_of_two(&half, (size_t)parameter - 1);
	if (value_cmp(r, &half) < 0)
		return;
	value_sub(r, r, &half);
	value_sub(r, r, &half);
}

static const int64_t widths[] = {1, 2, 31, 61, 62, 63, 64, 65, 127, 128, 129, 200};
#define WIDTHS (sizeof(widths) / sizeof(widths[0]))

static void test_low(void)
{
	size_t i;

	for (i = 0; i < WIDTHS; i++) {
		parameter = widths[i];
		each(&(struct op){call_low, mean_low});
	}
	parameter = 0;
	each(&(struct op){call_low, mean_low});
}

static void test_field(void)
{
	size_t i;

	for (i = 0; i < WIDTHS; i++) {
		parameter = widths[i];
		each(&(struct op){call_field, mean_field});
	}
}

static void mean_gcd(struct value *r, const struct value *a, const struct value *b)
{
	struct value x = *a, y = *b, q, rest;

	while (y.length) {
		value_divmod(&q, &rest, &x, &y, false);
		x = y;
		y = rest;
	}
	*r = x;
	r->negative = 0;
}

static void test_gcd(void)
{
	pairs(&(struct op){ring_gcd, mean_gcd}, 400);
}

static ring_value call_isqrt(ring_value a, ring_value b, ring_value *slot)
{
	(void)b;
	/* who calls has seen that a is not negative */
	if (a & 1 ? a < 0 : ring_integer(a)->negative)
		return 1;
	return ring_isqrt(a, slot);
}

/* Bit by bit, from above. */
static void mean_isqrt(struct value *r, const struct value *a, const struct value *b)
{
	struct value next, square;
	size_t i;

	(void)b;
	value_set(r, 0);
	for (i = a->negative ? 0 : (a->length + 1) * CC_WORD_BITS / 2; i--;) {
		power_of_two(&next, i);
		value_add(&next, &next, r);
		value_mul(&square, &next, &next);
		if (value_cmp(&square, a) <= 0)
			*r = next;
	}
}

static void test_isqrt(void)
{
	each(&(struct op){call_isqrt, mean_isqrt});
}

static ring_value call_expt(ring_value a, ring_value b, ring_value *slot)
{
	(void)b;
	return ring_expt(a, 2 * parameter + 1, slot);
}

static void mean_expt(struct value *r, const struct value *a, const struct value *b)
{
	int64_t i;

	(void)b;
	value_set(r, 1);
	for (i = 0; i < parameter; i++)
		value_mul(r, r, a);
}

static void test_expt(void)
{
	ring_value slot = 0, huge, bases[] = {integer(0), integer(1), integer(-1), integer(2)};
	struct value exponent;

	for (parameter = 0; parameter < 8; parameter++)
		each(&(struct op){call_expt, mean_expt});
	edge(&exponent, 70, 0, 1);
	huge = made(&exponent);
	HOLDS(ring_expt(bases[0], huge, &slot) == bases[0]);
	HOLDS(ring_expt(bases[1], huge, &slot) == bases[1]);
	HOLDS(ring_expt(bases[2], huge, &slot) == bases[2]);
	HOLDS(!ring_expt(bases[3], huge, &slot));
	HOLDS(!ring_expt(huge, integer(1LL << 33), &slot));
	ring_release(huge);
}

/* Operations that yield a word */

static void on_words(void (*check)(ring_value x, const struct value *v))
{
	struct value v;
	ring_value x;
	size_t i;

	for (i = 0; i < POWERS * 6 + test_scaled(1000) && !test_case_failed(); i++) {
		if (i < POWERS * 6)
			edge(&v, i / 6, i & 1, (int)(i / 2 % 3) - 1);
		else
			random_operand(&v);
		test_sizes(v.length, 0, 0);
		x = made(&v);
		check(x, &v);
		ring_release(x);
	}
}

static uint64_t half(const struct value *v, size_t which)
{
	uint64_t word = 0;
	size_t i;

	for (i = 8; i--;)
		word = word << 8 | value_byte(v, 8 * which + i);
	return word;
}

static void check_bitlen(ring_value x, const struct value *v)
{
	uint64_t bits = 8 * v->length * sizeof(cc_word);

	while (bits && (value_byte(v, (bits - 1) / 8) >> (bits - 1) % 8 & 1) == v->negative)
		bits--;
	HOLDS(ring_bitlen(x) == bits);
}

static void test_bitlen(void)
{
	on_words(check_bitlen);
}

static void check_popcount(ring_value x, const struct value *v)
{
	uint64_t count = 0;
	size_t i;

	for (i = 0; i < 8 * v->length * sizeof(cc_word); i++)
		count += (value_byte(v, i / 8) >> i % 8 & 1) != v->negative;
	HOLDS(ring_popcount(x) == count);
}

static void test_popcount(void)
{
	on_words(check_popcount);
}

static void check_words(ring_value x, const struct value *v)
{
	struct ring_halves found = ring_words(x);

	HOLDS(found.low == half(v, 0) && found.high == half(v, 1));
}

static void test_words(void)
{
	on_words(check_words);
}

static void check_word(ring_value x, const struct value *v)
{
	HOLDS(ring_word(x) == half(v, 0));
}

static void test_word(void)
{
	on_words(check_word);
}

static void check_count(ring_value x, const struct value *v)
{
	int64_t want = v->negative ? INT64_MIN / 2 : INT64_MAX / 2;

	HOLDS(ring_count(x) == (fits(v) ? (int64_t)half(v, 0) : want));
}

static void test_count(void)
{
	on_words(check_count);
}

static ring_value call_unsigned(ring_value a, ring_value b, ring_value *slot)
{
	return ring_unsigned(ring_word(a), ring_word(b), slot);
}

static ring_value call_signed(ring_value a, ring_value b, ring_value *slot)
{
	return ring_signed(ring_word(a), ring_word(b), slot);
}

static void mean_unsigned(struct value *r, const struct value *a, const struct value *b)
{
	struct value low;

	parameter = 64;
	mean_low(&low, a, b);
	mean_low(r, b, b);
	shifted(r, r, 64);
	value_add(r, r, &low);
}

static void mean_signed(struct value *r, const struct value *a, const struct value *b)
{
	mean_unsigned(r, a, b);
	parameter = 128;
	mean_field(r, r, b);
}

static void test_unsigned(void)
{
	pairs(&(struct op){call_unsigned, mean_unsigned}, 4000);
}

static void test_signed(void)
{
	pairs(&(struct op){call_signed, mean_signed}, 4000);
}

static void test_compare(void)
{
	struct value a, b;
	ring_value x, y;
	size_t i;

	for (i = 0; i < test_scaled(5000) && !test_case_failed(); i++) {
		random_operand(&a);
		random_operand(&b);
		if (!random_below(4))
			b = a;
		x = made(&a);
		y = made(&b);
		HOLDS(ring_compare(x, y) == value_cmp(&a, &b));
		ring_release(x);
		ring_release(y);
	}
}

/* Words */

static uint64_t word_operand(void)
{
	uint64_t x = (uint64_t)1 << random_below(64);

	return random_below(2) ? random_u64() >> random_below(64) : x + random_below(3) - 1;
}

static void test_isqrt_word(void)
{
	struct value x, root, want;
	size_t i;

	for (i = 0; i < test_scaled(2000) && !test_case_failed(); i++) {
		uint64_t word = i ? word_operand() : UINT64_MAX;

		value_set(&x, (int64_t)word);
		parameter = 64;
		mean_low(&x, &x, &x);
		mean_isqrt(&want, &x, &x);
		value_set(&root, (int64_t)ring_isqrt_word(word));
		HOLDS(value_equal(&root, &want));
	}
}

static void test_gcd_word(void)
{
	size_t i;

	for (i = 0; i < test_scaled(2000); i++) {
		uint64_t a = word_operand(), b = i & 7 ? word_operand() : 0,
			 g = ring_gcd_word(a, b);

		if (!a || !b)
			HOLDS(g == a + b);
		else
			HOLDS(g && !(a % g) && !(b % g) && ring_gcd_word(a / g, b / g) == 1);
	}
}

static void test_power_word(void)
{
	size_t i, n;

	for (i = 0; i < test_scaled(200); i++) {
		uint64_t a = word_operand(), want = 1;

		for (n = 0; n < 70; n++, want *= a)
			HOLDS(ring_power_word(a, n) == want);
	}
}

#ifdef __SIZEOF_INT128__
/* One 64-bit digit after the other, its bits one by one. */
static ring_unsigned_wide divided(ring_unsigned_wide *rest, ring_unsigned_wide a,
				  ring_unsigned_wide b)
{
	ring_unsigned_wide q = 0, r = 0;
	int i, carry;

	for (i = 128; i--;) {
		carry = (int)(r >> 127);
		r = r << 1 | (a >> i & 1);
		q <<= 1;
		if (carry || r >= b) {
			r -= b;
			q |= 1;
		}
	}
	*rest = r;
	return q;
}

static void test_wide(void)
{
	size_t i;

	for (i = 0; i < test_scaled(5000); i++) {
		ring_unsigned_wide a = (ring_unsigned_wide)word_operand() << 64 | word_operand(),
				   b = (ring_unsigned_wide)word_operand() << 64 | word_operand(), q,
				   r, x, y;

		b >>= random_below(128);
		b += !b;
		q = divided(&r, a, b);
		HOLDS(ring_udivti3(a, b) == q && ring_umodti3(a, b) == r);
		/* -2^127 / -1 is no signed number: who calls has seen to it */
		if (b == ~(ring_unsigned_wide)0)
			continue;
		x = a >> 127 ? -a : a;
		y = b >> 127 ? -b : b;
		q = divided(&r, x, y);
		q = (a ^ b) >> 127 ? -q : q;
		r = a >> 127 ? -r : r;
		HOLDS((ring_unsigned_wide)ring_divti3((ring_wide)a, (ring_wide)b) == q);
		HOLDS((ring_unsigned_wide)ring_modti3((ring_wide)a, (ring_wide)b) == r);
	}
}
#endif

/* Ownership */

static void test_references(void)
{
	struct ring_integer forever = {{-1, RING_INTEGER}, CC_BIGINT_INIT};
	ring_value slots[3] = {0, 0, 0}, x;
	long live = memory_live();
	struct value v;

	memory_begin(MEMORY_SOUND);
	power_of_two(&v, 100);
	x = made(&v);
	ring_put(&slots[0], x);
	ring_set(&slots[1], x);
	/* as one slot's */
	ring_set(&slots[1], slots[1]);
	ring_retain(x);
	ring_put(&slots[2], x);
	ring_set(&slots[0], integer(5));
	HOLDS(slots[0] == integer(5) && means(slots[1], &v) && means(slots[2], &v));
	ring_put(&slots[1], 0);
	HOLDS(means(slots[2], &v));
	ring_leave(slots, 3);
	memory_end();
	HOLDS(memory_live() == live);
	ring_retain(0);
	ring_release(0);
	ring_retain((ring_value)(uintptr_t)&forever);
	ring_release((ring_value)(uintptr_t)&forever);
	ring_release((ring_value)(uintptr_t)&forever);
	HOLDS(forever.object.references == -1);
}

static void test_new(void)
{
	static const uint32_t sizes[] = {1, 2, 4, 8, 16};
	uint64_t fill[2] = {0x8877665544332211, 0x00ffeeddccbbaa99};
	ring_value slot = 0, x;
	struct ring_array *array;
	long live = memory_live();
	struct value v;
	size_t i, j, count;

	memory_begin(MEMORY_SOUND);

	for (i = 0; i < 5; i++)
		for (count = 0; count < 20; count++) {
			x = ring_new(count, sizes[i], fill[0], fill[1], &slot);
			array = ring_array(x);
			HOLDS(x && x == slot && array->length == count);
			HOLDS(!((uintptr_t)array->data & 15));
			for (j = 0; j < count; j++)
				HOLDS(!memcmp((char *)array->data + j * sizes[i], fill, sizes[i]));
		}
	/* words are made where those before were, if they fit and nobody else has these */
	x = ring_new(4, 8, 1, 0, &slot);
	HOLDS(ring_new(32, 1, 2, 0, &slot) == x && ring_new(1, 8, 3, 0, &slot) == x);
	HOLDS(ring_array(x)->length == 1 && *(uint64_t *)ring_array(x)->data == 3);
	HOLDS(ring_new(2, 16, 4, 0, &slot) == x);
	ring_retain(x);
	HOLDS(ring_new(1, 8, 5, 0, &slot) != x && *(uint64_t *)ring_array(x)->data == 4);
	ring_release(x);
	power_of_two(&v, 100);
	x = made(&v);
	ring_new(3, 0, (uint64_t)x, 0, &slot);
	ring_release(x);
	array = ring_array(slot);
	for (j = 0; j < 3; j++)
		HOLDS(means(((ring_value *)array->data)[j], &v));
	HOLDS(!ring_new((1ULL << 33) + 1, 1, 0, 0, &slot) && slot == (ring_value)(uintptr_t)array);
	HOLDS(!ring_new(UINT64_MAX, 16, 0, 0, &slot));
	ring_release(slot);
	slot = 0;
	HOLDS(memory_live() == live);
	memory_begin(0);
	x = ring_new(1, 8, 0, 0, &slot);
	memory_end();
	HOLDS(!x && !slot);
}

/* One array's columns for all lanes, and those of a row for each: element i of lane k at i lanes +
 * k. */
static void test_columns(void)
{
	static const uint32_t sizes[] = {1, 2, 4, 8, 16};
	enum { LANES = 4, MOST = 20 };
	unsigned char bytes[LANES][MOST * 16], *rows[LANES];
	ring_value slot = 0, x;
	struct ring_array from = {{-1, RING_WORDS}, 0, NULL}, *array;
	long live = memory_live();
	size_t i, size, lane;
	uint32_t many;

	memory_begin(MEMORY_SOUND);
	for (lane = 0; lane < LANES; lane++) {
		rows[lane] = bytes[lane];
		for (i = 0; i < sizeof(bytes[lane]); i++)
			bytes[lane][i] = (unsigned char)random_below(256);
	}
	for (size = 0; size < 5; size++)
		for (from.length = 0; from.length < MOST; from.length++)
			for (many = 0; many < 2; many++) {
				size_t width = sizes[size];

				from.data = many ? (void *)rows : (void *)bytes[0];
				x = ring_columns(&from, sizes[size], LANES, many, &slot);
				array = ring_array(x);
				HOLDS(x && x == slot && array->length == from.length);
				for (i = 0; i < from.length * LANES; i++)
					HOLDS(!memcmp((char *)array->data + i * width,
						      bytes[many ? i % LANES : 0] +
							      i / LANES * width,
						      width));
			}
	from.length = (uint64_t)1 << 40;
	HOLDS(!ring_columns(&from, 1, LANES, 0, &slot));
	ring_release(slot);
	slot = 0;
	HOLDS(memory_live() == live);
	from.length = 1;
	memory_begin(0);
	x = ring_columns(&from, 1, LANES, 0, &slot);
	memory_end();
	HOLDS(!x && !slot);
}

/* The arrays that a thread gave up, made again: as many as @most are kept, of @count. */
static void keeps(size_t size, size_t count, size_t most)
{
	enum { COUNT = 12 };
	ring_value slots[COUNT] = {0}, first;
	long live = memory_live();
	size_t i;

	for (i = 0; i < count; i++)
		HOLDS(ring_new(size, 1, 7, 0, &slots[i]));
	HOLDS(memory_live() == live + (long)count);
	first = slots[count - 1];
	for (i = 0; i < count; i++)
		ring_release(slots[i]);
	HOLDS(memory_live() == live + (long)most);
	slots[0] = 0;
	HOLDS(ring_new(size, 1, 7, 0, &slots[0]) == first || !most);
	/* not for a small one */
	slots[1] = 0;
	HOLDS(ring_new(size / 3, 1, 7, 0, &slots[1]));
	HOLDS(memory_live() == live + (long)(most ? most : 1) + 1);
	ring_release(slots[0]);
	ring_release(slots[1]);
}

static void *in_a_thread(void *unused)
{
	keeps(100, 3, 0);
	keeps(50000, 12, 8);
	return unused;
}

static void *in_another(void *unused)
{
	keeps((size_t)9 << 20, 5, 3);
	keeps((size_t)40 << 20, 1, 0);
	return unused;
}

static void test_kept(void)
{
	void *(*const threads[])(void *) = {in_a_thread, in_another};
	long live = memory_live();
	pthread_t thread;
	size_t i;

	memory_begin(MEMORY_SOUND);
	for (i = 0; i < 2; i++) {
		HOLDS(!pthread_create(&thread, NULL, threads[i], NULL));
		HOLDS(!pthread_join(thread, NULL));
		HOLDS(memory_live() == live);
	}
}

static int called(void *arguments, void *results, struct ring_context *context)
{
	ring_value *values = results;
	char here;

	values[1] = *(ring_value *)arguments;
	context->value = integer(INT64_MAX);
	return context->stack_end && context->stack_end < (uintptr_t)&here ? 7 : 0;
}

/* A check that fails in what is called, so deep, by a check of its own at 0. */
static uint32_t calls_led_to;

static int leading(void *arguments, void *results, struct ring_context *context)
{
	uint32_t at;

	(void)arguments, (void)results;
	ring_called(context, 0);
	for (at = 1; at <= calls_led_to; at++)
		ring_called(context, at);
	return 9;
}

static void test_callers(void)
{
	struct ring_context context = {0};
	struct ring_slots *results = ring_slots_new(1, 0);
	uint32_t at;

	for (calls_led_to = 0; calls_led_to < RING_CALLERS + 3; calls_led_to++) {
		HOLDS(ring_call((uintptr_t)leading, NULL, results, &context) == 9);
		HOLDS(context.called ==
		      (calls_led_to < RING_CALLERS ? calls_led_to : RING_CALLERS));
		for (at = 0; at < context.called; at++)
			HOLDS(context.callers[at] == at + 1);
	}
	ring_slots_free(results);
}

static void test_entry(void)
{
	struct ring_context context = {0};
	unsigned char bytes[17] = {0};
	ring_value argument = 5 << 1 | 1;
	struct ring_slots *results;
	long live = memory_live();

	results = ring_slots_new(3, 2);
	HOLDS(results && !((uintptr_t)results->values & 15));
	HOLDS(ring_call((uintptr_t)called, &argument, results, &context) == 7);
	HOLDS(results->values[1] == argument && results->values[0] == context.value);
	bytes[16] = 1;
	HOLDS(ring_slots_put(results, 2, bytes, sizeof(bytes)) && !(results->values[2] & 1));
	ring_slots_free(results);
	HOLDS(memory_live() == live);
}

/* Of the calls that ask: how often they did, and which answer says to stop. */
static int asked, patience;

static int ask(void)
{
	return ++asked == patience;
}

/* As compiled code in a loop. */
static int polling(void *arguments, void *results, struct ring_context *context)
{
	volatile unsigned char *due = &context->due;

	(void)arguments, (void)results;
	for (;;)
		if (*due && context->poll(context))
			return 9;
}

static int calling(void *arguments, void *results, struct ring_context *context)
{
	struct ring_context inner = {.ask = context->ask};
	struct ring_slots *slots = ring_slots_new(1, 0);
	int status = ring_call((uintptr_t)polling, NULL, slots, &inner);

	ring_slots_free(slots);
	patience += 2;
	/* who called goes on, and is told when it is time */
	return !context->stopped && inner.stopped && status == 9
		       ? polling(arguments, results, context)
		       : 0;
}

static void test_polls(void)
{
	struct ring_context context = {.ask = ask};
	struct ring_slots *results = ring_slots_new(1, 0);

	asked = 0;
	patience = 3;
	HOLDS(ring_call((uintptr_t)polling, NULL, results, &context) == 9);
	HOLDS(asked == 3 && context.stopped);
	context.stopped = 0;
	patience = 5;
	HOLDS(ring_call((uintptr_t)calling, NULL, results, &context) == 9);
	HOLDS(asked == 7 && context.stopped);
	/* no one to ask: no time comes */
	context = (struct ring_context){.due = 1};
	HOLDS(!ring_poll(&context) && !context.due);
	ring_slots_free(results);
}

#define ENTRY(name, run)                                                                           \
	{                                                                                          \
#name, (void (*)(void))ring_##name, run                                            \
	}

static const struct {
	const char *name; /* without ring_ or __ */
	void (*function)(void);
	void (*run)(void); /* NULL: another's covers it */
} entries[] = {
	ENTRY(retain, test_references),
	ENTRY(release, NULL),
	ENTRY(put, NULL),
	ENTRY(set, NULL),
	ENTRY(leave, NULL),
	ENTRY(called, test_callers),
	ENTRY(add, test_add),
	ENTRY(sub, test_sub),
	ENTRY(mul, test_mul),
	ENTRY(logic, test_logic),
	ENTRY(divide, test_divide),
	ENTRY(shift, test_shift),
	ENTRY(low, test_low),
	ENTRY(field, test_field),
	ENTRY(bitlen, test_bitlen),
	ENTRY(popcount, test_popcount),
	ENTRY(compare, test_compare),
	ENTRY(isqrt, test_isqrt),
	ENTRY(gcd, test_gcd),
	ENTRY(expt, test_expt),
	ENTRY(words, test_words),
	ENTRY(word, test_word),
	ENTRY(unsigned, test_unsigned),
	ENTRY(signed, test_signed),
	ENTRY(count, test_count),
	ENTRY(new, test_new),
	ENTRY(columns, test_columns),
	ENTRY(isqrt_word, test_isqrt_word),
	ENTRY(power_word, test_power_word),
	ENTRY(gcd_word, test_gcd_word),
#ifdef __SIZEOF_INT128__
	ENTRY(divti3, test_wide),
	ENTRY(modti3, NULL),
	ENTRY(udivti3, NULL),
	ENTRY(umodti3, NULL),
#endif
};

/* Nothing that compiled code calls is untested, and each name is its function's. */
static void test_symbols(void)
{
	size_t count, i, j;
	const struct ring_symbol *symbols = ring_symbols(&count);

	for (i = 0; i < count; i++) {
		const char *name = symbols[i].name;

		if (!strncmp(name, "mem", 3))
			continue;
		name += strncmp(name, "__", 2) ? strlen("ring_") : strlen("__");
		for (j = 0; j < sizeof(entries) / sizeof(entries[0]); j++)
			if (!strcmp(name, entries[j].name))
				break;
		CHECK(j < sizeof(entries) / sizeof(entries[0]), "%s has no test", symbols[i].name);
		CHECK(symbols[i].function == entries[j].function, "%s", symbols[i].name);
	}
}

int main(int argc, char **argv)
{
	size_t i;

	test_begin(argc, argv);
	test_case(NULL, "ring_symbols");
	test_symbols();
	test_case(NULL, "ring_call");
	test_entry();
	test_polls();
	if (COMPILED) {
		test_case(NULL, "memory that is kept");
		test_kept();
	} else {
		test_skip("memory that is kept: programs are compiled for 64 bits, little-endian");
	}
	for (i = 0; i < sizeof(entries) / sizeof(entries[0]); i++) {
		if (!entries[i].run)
			continue;
		if (entries[i].run == test_new && !COMPILED) {
			test_skip("arrays: programs are compiled for 64 bits, little-endian");
			continue;
		}
		test_case(NULL, entries[i].name);
		entries[i].run();
	}
	return test_end();
}
