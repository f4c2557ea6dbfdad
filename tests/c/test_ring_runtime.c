// SPDX-License-Identifier: MIT
/*
 * What compiled programs call, against value.h: every entry at +-2^k +-{0, 1}, at what is small
 * and what is not, and at products; into slots that are empty, that own what may be written
 * over, and that share what may not; and with every allocation failing.
 */
#include "../../python/carrychain/ring/call/runtime/short.h"

#include "ring_runtime.h"

#include <carrychain/natural.h>

#include <string.h>

#define POWERS 131
/* Whether this could be a machine that programs are compiled for. */
#define COMPILED (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ && UINTPTR_MAX == UINT64_MAX)

/* Which of an entry's operations, or its count of bits. */
static int64_t parameter;

struct op {
	ring_value (*call)(ring_value a, ring_value b, ring_value *slot);
	void (*meaning)(struct value *r, const struct value *a, const struct value *b);
};

/* Values and what they mean */

/* x 2^n, rounded down: value.h's shifts go bit by bit, and are slow */
static void shifted(struct value *r, const struct value *x, int64_t n)
{
	struct value power, rest;

	value_set_power_of_two(&power, (size_t)(n < 0 ? -n : n));
	if (n < 0)
		value_divmod(r, &rest, x, &power, true);
	else
		value_mul(r, x, &power);
}

/* +-2^k + d */
static void edge(struct value *v, size_t k, int negative, int d)
{
	struct value offset;

	value_set_power_of_two(v, k);
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

/* The words of what is short and of what is not, with those of a quotient by one that is. */
#define LONG 20

/* An edge, the product of two, or any words. */
static void random_operand(struct value *v)
{
	struct value factor;

	if (!random_below(8)) {
		value_random(v, 1 + random_below(LONG));
		return;
	}
	random_edge(v);
	if (random_below(4))
		return;
	random_edge(&factor);
	value_mul(v, v, &factor);
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
	struct value a, b, c;

	for (count = test_scaled(count); count && !test_case_failed(); count--) {
		random_operand(&a);
		random_operand(&b);
		if (!random_below(4)) {
			/* near a multiple of b */
			value_mul(&c, &a, &b);
			random_edge(&a);
			value_add(&a, &a, &c);
		}
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

static ring_value call_divide(ring_value a, ring_value b, ring_value *slot)
{
	/* who calls has seen that b is not 0 */
	return b == 1 ? b : ring_divide((int32_t)parameter, a, b, slot);
}

static void test_scratch(void)
{
	HOLDS(cc_natural_divrem_scratch(2 * RING_SHORT, RING_SHORT) <= SHORT_SCRATCH);
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

static ring_value call_shift(ring_value a, ring_value b, ring_value *slot)
{
	(void)b;
	return ring_shift(a, parameter, slot);
}

static void mean_shift(struct value *r, const struct value *a, const struct value *b)
{
	(void)b;
	shifted(r, a, parameter < -2000 ? -2000 : parameter);
}

/* Too far to be held, but for 0. */
static void test_huge_shifts(void)
{
	ring_value slot = 0, one = integer(1), none = integer(0);

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
	value_set_power_of_two(&power, (size_t)parameter);
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
	value_set_power_of_two(&half, (size_t)parameter - 1);
	if (value_cmp(r, &half) < 0)
		return;
	value_sub(r, r, &half);
	value_sub(r, r, &half);
}

static ring_value call_isqrt(ring_value a, ring_value b, ring_value *slot)
{
	(void)b;
	/* who calls has seen that a is not negative */
	if (a & 1 ? a < 0 : ring_integer(a)->negative)
		return 1;
	return ring_isqrt(a, slot);
}

static void mean_isqrt(struct value *r, const struct value *a, const struct value *b)
{
	(void)b;
	value_set(r, 0);
	if (!a->negative)
		value_isqrt(r, a);
}

static ring_value call_expt(ring_value a, ring_value b, ring_value *slot)
{
	(void)b;
	return ring_expt(a, 2 * parameter + 1, slot);
}

static void mean_expt(struct value *r, const struct value *a, const struct value *b)
{
	(void)b;
	value_pow(r, a, (uint64_t)parameter);
}

/* Small bases to any power, others to none that can't be held. */
static void test_huge_powers(void)
{
	ring_value slot = 0, huge, bases[] = {integer(0), integer(1), integer(-1), integer(2)};
	struct value exponent;

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

static void check_popcount(ring_value x, const struct value *v)
{
	uint64_t count = 0;
	size_t i;

	for (i = 0; i < 8 * v->length * sizeof(cc_word); i++)
		count += (value_byte(v, i / 8) >> i % 8 & 1) != v->negative;
	HOLDS(ring_popcount(x) == count);
}

static void check_words(ring_value x, const struct value *v)
{
	struct ring_halves found = ring_words(x);

	HOLDS(found.low == half(v, 0) && found.high == half(v, 1));
}

static void check_word(ring_value x, const struct value *v)
{
	HOLDS(ring_word(x) == half(v, 0));
}

static void check_count(ring_value x, const struct value *v)
{
	int64_t want = v->negative ? INT64_MIN / 2 : INT64_MAX / 2;

	HOLDS(ring_count(x) == (fits(v) ? (int64_t)half(v, 0) : want));
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
		value_isqrt(&want, &x);
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

struct entry {
	const char *name; /* without ring_ or __ */
	void (*function)(void);
	/* what it computes, for each parameter: of @pairs of operands, or of each edge if 0 */
	struct op op;
	size_t pairs, parameters;
	const int64_t *parameter;
	void (*word)(ring_value x, const struct value *v);
	void (*run)(void); /* NULL beside NULLs: another's covers it */
};

#define ENTRY(name, ...)                                                                           \
	{                                                                                          \
#name, (void (*)(void))ring_##name, __VA_ARGS__                                    \
	}
#define PARAMETERS(...)                                                                            \
	.parameters = sizeof((int64_t[]){__VA_ARGS__}) / sizeof(int64_t),                          \
	.parameter = (const int64_t[])                                                             \
	{                                                                                          \
		__VA_ARGS__                                                                        \
	}
#define WIDTHS 1, 2, 31, 61, 62, 63, 64, 65, 127, 128, 129, 200

static const struct entry entries[] = {
	ENTRY(retain, .run = test_references),
	ENTRY(release, .run = NULL),
	ENTRY(put, .run = NULL),
	ENTRY(set, .run = NULL),
	ENTRY(leave, .run = NULL),
	ENTRY(called, .run = test_callers),
	ENTRY(add, .op = {ring_add, value_add}, .pairs = 4000),
	ENTRY(sub, .op = {ring_sub, value_sub}, .pairs = 4000),
	ENTRY(mul, .op = {ring_mul, value_mul}, .pairs = 4000),
	ENTRY(logic, .op = {call_logic, mean_logic}, .pairs = 1000,
	      PARAMETERS(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)),
	ENTRY(divide, .op = {call_divide, mean_divide}, .pairs = 1000,
	      PARAMETERS(FDIV, FMOD, TDIV, TREM, CDIV, CREM), .run = test_scratch),
	ENTRY(shift, .op = {call_shift, mean_shift},
	      PARAMETERS(0, 1, 31, 61, 62, 63, 64, 65, 127, 200, -1, -31, -61, -62, -63, -64, -65,
			 -127, -(1LL << 40), INT64_MIN),
	      .run = test_huge_shifts),
	ENTRY(low, .op = {call_low, mean_low}, PARAMETERS(0, WIDTHS)),
	ENTRY(field, .op = {call_field, mean_field}, PARAMETERS(WIDTHS)),
	ENTRY(bitlen, .word = check_bitlen),
	ENTRY(popcount, .word = check_popcount),
	ENTRY(compare, .run = test_compare),
	ENTRY(isqrt, .op = {call_isqrt, mean_isqrt}),
	ENTRY(gcd, .op = {ring_gcd, value_gcd}, .pairs = 400),
	ENTRY(expt, .op = {call_expt, mean_expt}, PARAMETERS(0, 1, 2, 3, 4, 5, 6, 7),
	      .run = test_huge_powers),
	ENTRY(words, .word = check_words),
	ENTRY(word, .word = check_word),
	ENTRY(unsigned, .op = {call_unsigned, mean_unsigned}, .pairs = 4000),
	ENTRY(signed, .op = {call_signed, mean_signed}, .pairs = 4000),
	ENTRY(count, .word = check_count),
	ENTRY(new, .run = test_new),
	ENTRY(columns, .run = test_columns),
	ENTRY(isqrt_word, .run = test_isqrt_word),
	ENTRY(power_word, .run = test_power_word),
	ENTRY(gcd_word, .run = test_gcd_word),
#ifdef __SIZEOF_INT128__
	ENTRY(divti3, .run = test_wide),
	ENTRY(modti3, .run = NULL),
	ENTRY(udivti3, .run = NULL),
	ENTRY(umodti3, .run = NULL),
#endif
};

static void run_entry(const struct entry *e)
{
	size_t i;

	for (i = 0; e->op.call && i < e->parameters + !e->parameters; i++) {
		parameter = e->parameters ? e->parameter[i] : 0;
		if (e->pairs)
			pairs(&e->op, e->pairs);
		else
			each(&e->op);
	}
	if (e->word)
		on_words(e->word);
	if (e->run)
		e->run();
}

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
		for (j = 0; j < COUNT(entries); j++)
			if (!strcmp(name, entries[j].name))
				break;
		CHECK(j < COUNT(entries), "%s has no test", symbols[i].name);
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
	test_calls();
	if (COMPILED) {
		test_case(NULL, "memory that is kept");
		test_kept();
	} else {
		test_skip("memory that is kept: programs are compiled for 64 bits, little-endian");
	}
	for (i = 0; i < COUNT(entries); i++) {
		if (!entries[i].op.call && !entries[i].word && !entries[i].run)
			continue;
		if (entries[i].run == test_new && !COMPILED) {
			test_skip("arrays: programs are compiled for 64 bits, little-endian");
			continue;
		}
		test_case(NULL, entries[i].name);
		run_entry(&entries[i]);
	}
	return test_end();
}
