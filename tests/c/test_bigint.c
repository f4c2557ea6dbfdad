// SPDX-License-Identifier: MIT
/*
 * bigint.h against value.h: every function that has a result in every way its result and
 * arguments may be one object, and each of those again with every allocation failing.
 */
#include <carrychain/bigint.h>

#include "bigint.h"
#include "memory.h"

/* What an operation takes beside its operands. */
static uint64_t amount;

struct op {
	const char *name;
	int (*call)(cc_bigint *r, const cc_bigint *x, const cc_bigint *y);
	void (*meaning)(struct value *r, const struct value *x, const struct value *y);
	size_t words;  /* of the operands, at most */
	size_t amount; /* at most, or 0 */
	/* the words that bigint.h says suffice where they are lent */
	size_t (*lent)(const struct value *x, const struct value *y);
};

enum aliasing {
	DISTINCT,
	R_IS_X,
	R_IS_Y,
	X_IS_Y,
	ALL_ONE,
	ALIASINGS,
};

/*
 * One call, its result wanted; or, if an allocation failed, its arguments untouched.
 * Returns whether one failed.
 */
static bool apply(const struct op *op, enum aliasing as, const struct value *vx,
		  const struct value *vy, const struct value *want, size_t failing)
{
	static struct value before;
	cc_bigint x, y, other, *py = as == X_IS_Y || as == ALL_ONE ? &x : &y, *r = &other;
	const struct value *y_value = py == &x ? vx : vy;
	bool failed;
	int err;

	if (as == R_IS_X || as == ALL_ONE)
		r = &x;
	else if (as == R_IS_Y)
		r = &y;
	value_random(&before, random_below(4));
	memory_begin(MEMORY_SOUND);
	value_to_bigint(&x, vx, random_below(3) * random_below(2 * vx->length + 2));
	value_to_bigint(&y, vy, random_below(3) * random_below(2 * vy->length + 2));
	value_to_bigint(&other, &before, random_below(3) * random_below(want->length + 2));

	memory_begin(failing);
	err = op->call(r, &x, py);
	failed = memory_end();

	if (failed) {
		CHECK(err == CC_ENOMEM, "%s: allocation %zu fails: %d", op->name, failing, err);
		CHECK(value_is(vx, &x) && value_is(vy, &y) && value_is(&before, &other),
		      "%s: allocation %zu fails: an argument changed", op->name, failing);
	} else {
		CHECK(!err, "%s: %d", op->name, err);
		CHECK(value_is(want, r), "%s: wrong in aliasing %d", op->name, (int)as);
		CHECK(r == &x || value_is(vx, &x), "%s: x changed", op->name);
		CHECK(r == py || value_is(y_value, py), "%s: y changed", op->name);
	}
	memory_begin(MEMORY_SOUND);
	cc_bigint_clear(&x);
	cc_bigint_clear(&y);
	cc_bigint_clear(&other);
	memory_end();
	CHECK(!memory_live(), "%s: %ld blocks leaked", op->name, memory_live());
	return failed;
}

/* Mostly few words; now and then up to the limit. */
static size_t some_words(size_t limit)
{
	static const size_t most[] = {2, 4, 8, 8, 40, 40};
	size_t which = random_below(50);
	size_t n = which < 48 ? most[which % 6] : limit;

	return random_below((n < limit ? n : limit) + 1);
}

/* Now and then y is close to x, so that a difference cancels and a quotient is small. */
static void operands(const struct op *op, struct value *x, struct value *y)
{
	struct value small;

	value_random(x, some_words(op->words));
	value_random(y, some_words(op->words));
	if (!random_below(8)) {
		value_random(&small, 1 + random_below(2));
		value_add(y, x, &small);
	}
	if (!random_below(4))
		value_neg(y, y);
	amount = random_below(3) ? random_below(op->amount / 4) : random_below(op->amount);
	if (!random_below(4))
		amount -= amount % CC_WORD_BITS;
	test_sizes(x->length, y->length, (size_t)amount);
}

static size_t longer(const struct value *x, const struct value *y)
{
	return x->length > y->length ? x->length : y->length;
}

/* With just the words that it needs, which are not the library's to free. */
static void into_lent(const struct op *op, const struct value *vx, const struct value *vy,
		      const struct value *want)
{
	static cc_word room[2 * VALUE_WORDS];
	cc_bigint x, y, r = {room, 0, op->lent(vx, vy), 0};

	value_to_bigint(&x, vx, 0);
	value_to_bigint(&y, vy, 0);
	CHECK(!op->call(&r, &x, &y), "%s: into lent words", op->name);
	CHECK(r.words == room && value_is(want, &r), "%s: not in the lent words", op->name);
	cc_bigint_clear(&x);
	cc_bigint_clear(&y);
}

static void run_op(const struct op *op, size_t count)
{
	static struct value x, y, want;
	size_t failing;
	int as;

	while (count-- && !test_case_failed()) {
		operands(op, &x, &y);
		for (as = 0; as < ALIASINGS; as++) {
			op->meaning(&want, &x, as == X_IS_Y || as == ALL_ONE ? &x : &y);
			apply(op, (enum aliasing)as, &x, &y, &want, MEMORY_SOUND);
			for (failing = 0; apply(op, (enum aliasing)as, &x, &y, &want, failing);
			     failing++)
				;
		}
		op->meaning(&want, &x, &y);
		if (!test_case_failed())
			into_lent(op, &x, &y, &want);
	}
}

/* One operand, or an operand and the amount: y is there, and is to stay as it is. */
#define UNARY(name, called, meant)                                                                 \
	static int call_##name(cc_bigint *r, const cc_bigint *x, const cc_bigint *y)               \
	{                                                                                          \
		(void)y;                                                                           \
		return called;                                                                     \
	}                                                                                          \
	static void mean_##name(struct value *r, const struct value *x, const struct value *y)     \
	{                                                                                          \
		(void)y;                                                                           \
		meant;                                                                             \
	}

static void mean_copy(struct value *r, const struct value *x)
{
	*r = *x;
}

static void mean_abs_of(struct value *r, const struct value *x)
{
	*r = *x;
	r->negative = 0;
}

/* Below 0 nothing is written. */
static int root_or_copy(cc_bigint *r, const cc_bigint *x)
{
	if (!x->negative)
		return cc_bigint_isqrt(r, x, NULL);
	HOLDS(cc_bigint_isqrt(r, x, NULL) == CC_EINVAL);
	return cc_bigint_set(r, x);
}

static int call_gcd(cc_bigint *r, const cc_bigint *x, const cc_bigint *y)
{
	return cc_bigint_gcd(r, x, y, NULL);
}

UNARY(set, cc_bigint_set(r, x), mean_copy(r, x))
UNARY(neg, cc_bigint_neg(r, x), value_neg(r, x))
UNARY(abs, cc_bigint_abs(r, x), mean_abs_of(r, x))
UNARY(not, cc_bigint_not(r, x), value_not(r, x))
UNARY(sqr, cc_bigint_sqr(r, x), value_mul(r, x, x))
UNARY(shl, cc_bigint_shl(r, x, amount), value_shl(r, x, (size_t)amount))
UNARY(shr, cc_bigint_shr(r, x, amount), value_shr(r, x, (size_t)amount))
UNARY(pow, cc_bigint_pow(r, x, amount), value_pow(r, x, amount))
UNARY(isqrt, root_or_copy(r, x), x->negative ? mean_copy(r, x) : value_isqrt(r, x))

#define ROOM(name, words)                                                                          \
	static size_t name##_room(const struct value *x, const struct value *y)                    \
	{                                                                                          \
		(void)y;                                                                           \
		return words;                                                                      \
	}

static size_t whole_words(void)
{
	return (size_t)amount / CC_WORD_BITS;
}

ROOM(same, x->length)
ROOM(not, x->length + 1)
ROOM(sum, longer(x, y) + 1)
ROOM(product, x->length + y->length)
ROOM(square, 2 * x->length)
ROOM(shl, x->length + whole_words() + 1)
ROOM(shr, (x->length > whole_words() ? x->length - whole_words() : 1) + 1)

static size_t power_room(const struct value *x, const struct value *y)
{
	cc_bigint b;
	uint64_t bits;

	(void)y;
	value_to_bigint(&b, x, 0);
	bits = cc_bigint_bit_length(&b);
	cc_bigint_clear(&b);
	return (size_t)(bits * amount / CC_WORD_BITS) + 3;
}

static const struct op ops[] = {
	{"set", call_set, mean_set, 300, 0, same_room},
	{"neg", call_neg, mean_neg, 300, 0, same_room},
	{"abs", call_abs, mean_abs, 300, 0, same_room},
	{"not", call_not, mean_not, 300, 0, not_room},
	{"add", cc_bigint_add, value_add, 300, 0, sum_room},
	{"sub", cc_bigint_sub, value_sub, 300, 0, sum_room},
	{"and", cc_bigint_and, value_and, 300, 0, sum_room},
	{"or", cc_bigint_or, value_or, 300, 0, sum_room},
	{"xor", cc_bigint_xor, value_xor, 300, 0, sum_room},
	{"shl", call_shl, mean_shl, 300, 200 * CC_WORD_BITS, shl_room},
	{"shr", call_shr, mean_shr, 300, 200 * CC_WORD_BITS, shr_room},
	{"mul", cc_bigint_mul, value_mul, 300, 0, product_room},
	{"sqr", call_sqr, mean_sqr, 300, 0, square_room},
	{"pow", call_pow, mean_pow, 6, 40, power_room},
	{"isqrt", call_isqrt, mean_isqrt, 3, 0, same_room},
	{"gcd", call_gcd, value_gcd, 4, 0, longer},
};

#define OPS COUNT(ops)

/* Quotient and remainder each absent, apart, in x or in y. */
enum place {
	NOWHERE,
	APART,
	IN_X,
	IN_Y,
	PLACES,
};

static cc_bigint *placed(enum place place, cc_bigint *apart, cc_bigint *x, cc_bigint *y)
{
	cc_bigint *const at[PLACES] = {NULL, apart, x, y};

	return at[place];
}

static bool divide_once(bool floor, enum place q_at, enum place r_at, bool same,
			const struct value *vx, const struct value *vy, size_t failing)
{
	static struct value want_q, want_r, zero;
	cc_bigint x, y, q, r, *py = same ? &x : &y, *pq, *pr;
	bool failed;
	int err;

	if (same)
		vy = vx;
	value_set(&zero, 0);
	value_divmod(&want_q, &want_r, vx, vy, floor);
	memory_begin(MEMORY_SOUND);
	value_to_bigint(&x, vx, random_below(2) * random_below(vx->length + 2));
	value_to_bigint(&y, vy, random_below(2) * random_below(2 * vx->length + 2));
	value_to_bigint(&q, &zero, random_below(2) * random_below(vx->length + 2));
	value_to_bigint(&r, &zero, random_below(2) * random_below(vy->length + 2));
	pq = placed(q_at, &q, &x, py);
	pr = placed(r_at, &r, &x, py);

	memory_begin(failing);
	if (floor)
		err = cc_bigint_divmod_floor(pq, pr, &x, py);
	else
		err = cc_bigint_divmod_trunc(pq, pr, &x, py);
	failed = memory_end();

	if (failed) {
		CHECK(err == CC_ENOMEM, "allocation %zu fails: %d", failing, err);
		CHECK(value_is(vx, &x) && value_is(vy, &y) && value_is(&zero, &q) &&
			      value_is(&zero, &r),
		      "allocation %zu fails: an argument changed", failing);
	} else if (pq && pq == pr) {
		CHECK(err == CC_EINVAL && value_is(vx, &x) && value_is(vy, py), "q is r");
	} else {
		CHECK(!err, "%d", err);
		CHECK(!pq || value_is(&want_q, pq), "quotient in place %d, remainder in %d", q_at,
		      r_at);
		CHECK(!pr || value_is(&want_r, pr), "remainder in place %d, quotient in %d", r_at,
		      q_at);
		CHECK(pq == &x || pr == &x || value_is(vx, &x), "x changed");
		CHECK(pq == py || pr == py || value_is(vy, py), "y changed");
	}
	memory_begin(MEMORY_SOUND);
	cc_bigint_clear(&x);
	cc_bigint_clear(&y);
	cc_bigint_clear(&q);
	cc_bigint_clear(&r);
	memory_end();
	CHECK(!memory_live(), "%ld blocks leaked", memory_live());
	return failed;
}

static void divide_into_lent(bool floor, const struct value *vx, const struct value *vy)
{
	static cc_word q_room[VALUE_WORDS], r_room[VALUE_WORDS];
	static struct value want_q, want_r;
	size_t more = vx->length > vy->length ? vx->length - vy->length : 0;
	cc_bigint x, y, q = {q_room, 0, more + 2, 0}, r = {r_room, 0, vy->length, 0};

	value_divmod(&want_q, &want_r, vx, vy, floor);
	value_to_bigint(&x, vx, 0);
	value_to_bigint(&y, vy, 0);
	HOLDS(!(floor ? cc_bigint_divmod_floor : cc_bigint_divmod_trunc)(&q, &r, &x, &y));
	HOLDS(q.words == q_room && value_is(&want_q, &q));
	HOLDS(r.words == r_room && value_is(&want_r, &r));
	cc_bigint_clear(&x);
	cc_bigint_clear(&y);
}

static void division(bool floor, size_t count)
{
	static const struct op sizes = {.words = 200};
	static struct value x, y, z;
	size_t failing;
	int q_at, r_at, same;

	while (count && !test_case_failed()) {
		operands(&sizes, &x, &y);
		/* a dividend that is a multiple, or nearly */
		if (!random_below(3)) {
			value_random(&z, 1 + random_below(8));
			value_mul(&x, &y, &z);
			value_random(&z, random_below(2));
			value_add(&x, &x, &z);
		}
		if (!x.length || !y.length)
			continue;
		count--;
		test_sizes(x.length, y.length, 0);
		divide_into_lent(floor, &x, &y);
		for (same = 0; same < 2; same++)
			for (q_at = 0; q_at < PLACES; q_at++)
				for (r_at = 0; r_at < PLACES; r_at++) {
					divide_once(floor, (enum place)q_at, (enum place)r_at, same,
						    &x, &y, MEMORY_SOUND);
					if (x.length > 40 && (q_at != APART || r_at != APART))
						continue;
					for (failing = 0;
					     divide_once(floor, (enum place)q_at, (enum place)r_at,
							 same, &x, &y, failing);
					     failing++)
						;
				}
	}
}

/* B^n - 1 by B^(m - 1): a quotient of all ones that floor makes one word longer. */
static void division_edges(void)
{
	static struct value x, y, zero;
	size_t n, m;

	test_case(NULL, "division, edges");
	value_set(&zero, 0);
	for (n = 1; n < 6; n++)
		for (m = 1; m <= n; m++) {
			value_set(&x, 1);
			value_shl(&x, &x, n * CC_WORD_BITS);
			value_set(&y, -1);
			value_add(&x, &x, &y);
			value_set(&y, -1);
			value_shl(&y, &y, (m - 1) * CC_WORD_BITS);
			test_sizes(n, m, 0);
			divide_once(true, APART, APART, false, &x, &y, MEMORY_SOUND);
			divide_once(true, IN_X, IN_Y, false, &x, &y, MEMORY_SOUND);
			divide_once(true, APART, APART, false, &zero, &y, MEMORY_SOUND);
			divide_once(true, APART, APART, false, &y, &x, MEMORY_SOUND);
		}
}

static void compare(size_t count)
{
	static const struct op sizes = {.words = 40};
	static struct value vx, vy;
	cc_bigint x, y;

	while (count--) {
		operands(&sizes, &vx, &vy);
		value_to_bigint(&x, &vx, 0);
		value_to_bigint(&y, &vy, 0);
		HOLDS(cc_bigint_cmp(&x, &y) == value_cmp(&vx, &vy));
		HOLDS(cc_bigint_cmp(&x, &x) == 0 && cc_bigint_cmp_abs(&y, &y) == 0);
		HOLDS(cc_bigint_sign(&x) == (vx.negative ? -1 : vx.length > 0));
		vx.negative = 0;
		vy.negative = 0;
		HOLDS(cc_bigint_cmp_abs(&x, &y) == value_cmp(&vx, &vy));
		cc_bigint_clear(&x);
		cc_bigint_clear(&y);
	}
}

/* Sizes that no memory holds must not wrap around to some that it does. */
static void too_large(void)
{
	static const uint64_t huge[] = {
		UINT64_MAX, UINT64_MAX - 1,   UINT64_MAX - 63,	      (uint64_t)1 << 63,
		INT64_MAX,  UINT64_MAX - 128, ((uint64_t)1 << 63) + 1};
	struct value minus_six;
	cc_bigint x, r = CC_BIGINT_INIT;
	size_t i;
	uint64_t u;
	int64_t s;

	test_case(NULL, "sizes that no memory holds");
	value_set(&minus_six, -6);
	value_to_bigint(&x, &minus_six, 0);
	for (i = 0; i < COUNT(huge); i++) {
		test_sizes(i, 0, 0);
		HOLDS(cc_bigint_shl(&r, &x, huge[i]) == CC_ENOMEM && !r.length);
		HOLDS(cc_bigint_shl(&x, &x, huge[i]) == CC_ENOMEM && value_is(&minus_six, &x));
		HOLDS(cc_bigint_pow(&r, &x, huge[i]) == CC_ENOMEM && !r.length);
		HOLDS(cc_bigint_pow(&x, &x, huge[i]) == CC_ENOMEM && value_is(&minus_six, &x));
		HOLDS(!cc_bigint_shr(&r, &x, huge[i]) && !cc_bigint_get_i64(&s, &r) && s == -1);
		HOLDS(!cc_bigint_pow(&r, &r, huge[i]) && !cc_bigint_get_i64(&s, &r) &&
		      s == (huge[i] & 1 ? -1 : 1));
		HOLDS(!cc_bigint_sub(&r, &r, &r) && !cc_bigint_shl(&r, &r, huge[i]) && !r.length);
		HOLDS(!cc_bigint_shr(&r, &r, huge[i]) && !r.length);
		HOLDS(!cc_bigint_pow(&r, &r, huge[i]) && !r.length);
	}
	HOLDS(cc_bigint_reserve(&x, SIZE_MAX) == CC_ENOMEM && value_is(&minus_six, &x));
	HOLDS(cc_bigint_reserve(&x, SIZE_MAX / sizeof(cc_word) + 2) == CC_ENOMEM);
	CHECK(!cc_bigint_pow(&r, &r, 0) && !cc_bigint_get_u64(&u, &r) && u == 1, "0^0");
	cc_bigint_clear(&x);
	cc_bigint_clear(&r);
}

/* With room in the result, small operations ask for none. */
static void no_allocation(void)
{
	static struct value vx, vy;
	cc_bigint x, y, r, q;
	uint64_t count = test_scaled(200);
	bool failed;

	test_case(NULL, "small operations allocate nothing");
	while (count--) {
		value_random(&vx, 15);
		value_random(&vy, 15);
		if (!vy.length)
			continue;
		value_to_bigint(&x, &vx, 40);
		value_to_bigint(&y, &vy, 40);
		value_to_bigint(&r, &vx, 40);
		value_to_bigint(&q, &vx, 40);
		memory_begin(0);
		failed = cc_bigint_add(&r, &x, &y) || cc_bigint_mul(&r, &x, &y) ||
			 cc_bigint_mul(&r, &x, &x) || cc_bigint_divmod_floor(&q, &r, &x, &y) ||
			 cc_bigint_xor(&r, &x, &y) || cc_bigint_shl(&r, &x, 100) ||
			 cc_bigint_mul(&x, &x, &y);
		HOLDS(!memory_end() && !failed);
		cc_bigint_clear(&x);
		cc_bigint_clear(&y);
		cc_bigint_clear(&r);
		cc_bigint_clear(&q);
	}
}

static void reserve_and_swap(void)
{
	static struct value vx, vy;
	cc_bigint x, y;

	test_case(NULL, "reserve, swap, clear");
	value_random(&vx, 5);
	value_random(&vy, 9);
	memory_begin(MEMORY_SOUND);
	value_to_bigint(&x, &vx, 0);
	value_to_bigint(&y, &vy, 0);
	HOLDS(!cc_bigint_reserve(&x, 100) && x.capacity >= 100 && value_is(&vx, &x));
	HOLDS(!cc_bigint_reserve(&x, 3) && x.capacity >= 100 && value_is(&vx, &x));
	memory_begin(0);
	HOLDS(cc_bigint_reserve(&x, 1000) == CC_ENOMEM && value_is(&vx, &x));
	HOLDS(memory_end());
	memory_begin(MEMORY_SOUND);
	cc_bigint_swap(&x, &y);
	HOLDS(value_is(&vy, &x) && value_is(&vx, &y));
	cc_bigint_clear(&x);
	cc_bigint_clear(&x);
	cc_bigint_clear(&y);
	memory_end();
	HOLDS(!x.words && !x.length && !x.capacity && !memory_live());
}

static void every_tier(const char *tier)
{
	size_t i;

	for (i = 0; i < OPS; i++) {
		test_case(tier, ops[i].name);
		run_op(&ops[i], test_scaled(150));
	}
	test_case(tier, "floor division");
	division(true, test_scaled(60));
	test_case(tier, "truncating division");
	division(false, test_scaled(60));
}

/* What must be caught: each of these is the sound operation with one fault. */

static int drops_top_one(cc_bigint *r, const cc_bigint *x, const cc_bigint *y)
{
	int err = cc_bigint_add(r, x, y);

	if (!err && r->length > 1 && r->words[r->length - 1] == 1 && r->length > x->length)
		r->length = 1;
	return err;
}

static int negative_zero(cc_bigint *r, const cc_bigint *x, const cc_bigint *y)
{
	int err = cc_bigint_sub(r, x, y);

	if (!err && !r->length)
		r->negative = 1;
	return err;
}

static int clears_first(cc_bigint *r, const cc_bigint *x, const cc_bigint *y)
{
	if (r != x && r != y) {
		r->length = 0;
		r->negative = 0;
	}
	return cc_bigint_mul(r, x, y);
}

static int forgets_aliasing(cc_bigint *r, const cc_bigint *x, const cc_bigint *y)
{
	int err = cc_bigint_neg(r, y);

	return err ? err : cc_bigint_add(r, x, r);
}

static int leaks(cc_bigint *r, const cc_bigint *x, const cc_bigint *y)
{
	cc_bigint copy = CC_BIGINT_INIT;
	int err = cc_bigint_set(&copy, x);

	return err ? err : cc_bigint_xor(r, x, y);
}

static int of_magnitudes(cc_bigint *r, const cc_bigint *x, const cc_bigint *y)
{
	cc_bigint a = *x, b = *y;

	a.negative = 0;
	b.negative = 0;
	return cc_bigint_and(r, r == x ? x : &a, r == y ? y : &b);
}

static int never_refuses(cc_bigint *r, const cc_bigint *x, const cc_bigint *y)
{
	cc_bigint_or(r, x, y);
	return CC_OK;
}

static void run_control(const void *context)
{
	const struct op *op = context;

	test_case(NULL, op->name);
	run_op(op, 300);
}

static void controls(void)
{
	static const struct op broken[] = {
		{"add drops the carry out", drops_top_one, value_add, 40, 0, sum_room},
		{"sub makes -0", negative_zero, value_sub, 40, 0, sum_room},
		{"mul clears its result first", clears_first, value_mul, 40, 0, product_room},
		{"sub forgets that it may be its argument", forgets_aliasing, value_sub, 40, 0,
		 sum_room},
		{"xor leaks", leaks, value_xor, 40, 0, sum_room},
		{"and takes magnitudes", of_magnitudes, value_and, 40, 0, sum_room},
		{"or never says CC_ENOMEM", never_refuses, value_or, 40, 0, sum_room},
	};
	static const struct op sound = {"sound add", cc_bigint_add, value_add, 40, 0, sum_room};
	size_t i;

	for (i = 0; i < COUNT(broken); i++)
		test_control(broken[i].name, true, run_control, &broken[i]);
	test_control(sound.name, false, run_control, &sound);
}

int main(int argc, char **argv)
{
	test_begin(argc, argv);
	test_tiers(every_tier);
	division_edges();
	test_case(NULL, "compare");
	compare(test_scaled(2000));
	bigint_convert();
	bigint_gcdext();
	bigint_roots();
	too_large();
	no_allocation();
	reserve_and_swap();
	controls();
	return test_end();
}
