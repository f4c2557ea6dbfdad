// SPDX-License-Identifier: MIT
/*
 * fib.h: against additions where n is small, against Cassini's identity and the recurrence
 * where it is large; every strategy alike; stopped at each step, and with each allocation
 * failing.
 */
#include <carrychain/fib.h>

#include "harness.h"
#include "memory.h"
#include "value.h"

#include "natural/places.h"

#include <stdlib.h>
#include <string.h>

typedef int fib_fn(cc_bigint *f, uint64_t n, enum cc_fib_strategy strategy,
		   const struct cc_progress *progress);

static void known(fib_fn *fib)
{
	/* OEIS A000045 */
	static const struct {
		uint64_t n;
		const char *digits;
	} values[] = {
		{0, "0"},
		{1, "1"},
		{2, "1"},
		{10, "55"},
		{47, "2971215073"},
		{48, "4807526976"},
		{93, "12200160415121876738"},
		{94, "19740274219868223167"},
		{100, "354224848179261915075"},
		{300, "222232244629420445529739893461909967206666939096499764990979600"},
		{1000, "43466557686937456435688527675040625802564660517371780"
		       "40248172908953655541794905189040387984007925516929592"
		       "25930803226347752096896232398733224711616429964409065"
		       "33187938298969649928516003704476137795166849228875"},
	};
	cc_bigint f = CC_BIGINT_INIT;
	size_t i;
	int s;

	for (i = 0; i < COUNT(values); i++)
		for (s = 0; s < CC_FIB_STRATEGIES; s++) {
			char *digits;

			HOLDS(!fib(&f, values[i].n, (enum cc_fib_strategy)s, NULL));
			digits = cc_bigint_to_string(&f, 10);
			CHECK(digits && !strcmp(digits, values[i].digits), "F(%d) by %s",
			      (int)values[i].n, cc_fib_strategy_name(s));
			cc_string_free(digits);
		}
	cc_bigint_clear(&f);
}

/* F(0) to F(count) by addition, and mod 2^64. */
static void by_addition(fib_fn *fib, uint64_t count)
{
	static struct value a, b;
	cc_bigint f = CC_BIGINT_INIT;
	uint64_t n, low = 0, next = 1;
	int s;

	value_set(&a, 0);
	value_set(&b, 1);
	for (n = 0; n <= count && !test_case_failed(); n++) {
		static struct value sum;
		uint64_t after = low + next;

		test_sizes((size_t)n, 0, 0);
		for (s = 0; s < CC_FIB_STRATEGIES; s++) {
			HOLDS(!fib(&f, n, (enum cc_fib_strategy)s, NULL));
			CHECK(value_is(&a, &f), "%s", cc_fib_strategy_name(s));
		}
		HOLDS(cc_fib_u64(n) == low);
		low = next;
		next = after;
		value_add(&sum, &a, &b);
		a = b;
		b = sum;
	}
	cc_bigint_clear(&f);
}

/* F(n + 1) F(n - 1) - F(n)^2 = (-1)^n and F(n - 1) + F(n) = F(n + 1). */
static void identities(fib_fn *fib, size_t count)
{
	cc_bigint before = CC_BIGINT_INIT, f = CC_BIGINT_INIT, after = CC_BIGINT_INIT;
	cc_bigint t = CC_BIGINT_INIT;
	uint64_t low;
	int64_t cassini;
	int s;

	while (count-- && !test_case_failed()) {
		uint64_t n = 1 + random_below((size_t)2 << random_below(17));

		test_sizes((size_t)n, 0, 0);
		for (s = 0; s < CC_FIB_STRATEGIES; s++) {
			enum cc_fib_strategy by = (enum cc_fib_strategy)s;

			if (by == CC_FIB_ITERATIVE && n > 20000)
				continue;
			HOLDS(!fib(&before, n - 1, by, NULL) && !fib(&f, n, by, NULL) &&
			      !fib(&after, n + 1, by, NULL));
			HOLDS(!cc_bigint_add(&t, &before, &f) && !cc_bigint_cmp(&t, &after));
			HOLDS(!cc_bigint_mul(&before, &before, &after) && !cc_bigint_sqr(&t, &f) &&
			      !cc_bigint_sub(&t, &before, &t));
			HOLDS(!cc_bigint_get_i64(&cassini, &t) && cassini == (n & 1 ? -1 : 1));
		}
		HOLDS(!cc_bigint_set_u64(&t, UINT64_MAX) && !cc_bigint_and(&t, &f, &t) &&
		      !cc_bigint_get_u64(&low, &t) && low == cc_fib_u64(n));
	}
	cc_bigint_clear(&before);
	cc_bigint_clear(&f);
	cc_bigint_clear(&after);
	cc_bigint_clear(&t);
}

/* Mod 2^32 the numbers repeat after 3 * 2^31. */
static void period(size_t count)
{
	test_case(NULL, "cc_fib_u64, its period mod 2^32");
	HOLDS((uint32_t)cc_fib_u64((uint64_t)3 << 31) == 0);
	HOLDS((uint32_t)cc_fib_u64(((uint64_t)3 << 31) + 1) == 1);
	HOLDS((uint32_t)cc_fib_u64(((uint64_t)3 << 30) + 1) != 1);
	while (count--) {
		uint64_t n = random_u64();

		HOLDS((uint32_t)cc_fib_u64(n) == (uint32_t)cc_fib_u64(n % ((uint64_t)3 << 31)));
	}
}

struct stop {
	size_t left;
	uint64_t last, n;
};

static int stop_at(void *context, cc_u64 done, cc_u64 total)
{
	struct stop *stop = context;

	CHECK(total == stop->n && done < total && done >= stop->last, "step %llu of %llu",
	      (unsigned long long)done, (unsigned long long)total);
	stop->last = done;
	return !stop->left--;
}

/* Stopped at its first step, its second, ... until it ends; @steps is how many there are, if not 0.
 */
static void interrupted(fib_fn *fib, uint64_t n, enum cc_fib_strategy by, size_t steps)
{
	static struct value before;
	struct stop stop;
	struct cc_progress progress = {.step = stop_at, .context = &stop};
	cc_bigint f, want = CC_BIGINT_INIT;
	size_t step;
	int err;

	value_random(&before, 3);
	HOLDS(!cc_fib(&want, n));
	for (step = 0;; step++) {
		stop = (struct stop){step, 0, n};
		memory_begin(MEMORY_SOUND);
		value_to_bigint(&f, &before, step % 2 ? want.length + 9 : 0);
		err = fib(&f, n, by, &progress);
		if (!err)
			break;
		CHECK(err == CC_EINTR && value_is(&before, &f), "%s at step %zu: %d",
		      cc_fib_strategy_name(by), step, err);
		cc_bigint_clear(&f);
		memory_end();
		CHECK(!memory_live(), "%s leaks, stopped at step %zu", cc_fib_strategy_name(by),
		      step);
		if (test_case_failed())
			break;
	}
	if (!err) {
		CHECK((!steps || step == steps) && !cc_bigint_cmp(&f, &want),
		      "%s: %zu steps, not %zu", cc_fib_strategy_name(by), step, steps);
		cc_bigint_clear(&f);
	}
	memory_end();
	cc_bigint_clear(&want);
}

static void no_memory(fib_fn *fib, uint64_t n)
{
	static struct value before;
	cc_bigint f, want = CC_BIGINT_INIT;
	size_t failing;
	bool failed;
	int err, s;

	test_sizes((size_t)n, 0, 0);
	value_random(&before, 3);
	HOLDS(!cc_fib(&want, n));
	for (s = 0; s < CC_FIB_STRATEGIES; s++) {
		failing = 0;
		do {
			memory_begin(MEMORY_SOUND);
			value_to_bigint(&f, &before, random_below(2) * (want.length + 4));
			memory_begin(failing++);
			err = fib(&f, n, (enum cc_fib_strategy)s, NULL);
			failed = memory_end();
			if (failed)
				CHECK(err == CC_ENOMEM && value_is(&before, &f), "%s: %d",
				      cc_fib_strategy_name(s), err);
			else
				CHECK(!err && !cc_bigint_cmp(&f, &want), "%s: %d",
				      cc_fib_strategy_name(s), err);
			memory_begin(MEMORY_SOUND);
			cc_bigint_clear(&f);
			memory_end();
			CHECK(!memory_live(), "%s leaks", cc_fib_strategy_name(s));
		} while (failed);
	}
	cc_bigint_clear(&want);
}

/* No memory holds these; the sizes must not wrap around to some that it does. */
static void too_large(void)
{
	static const uint64_t huge[] = {UINT64_MAX, UINT64_MAX - 1, UINT64_MAX - 2,
					(uint64_t)1 << 63};
	cc_bigint f = CC_BIGINT_INIT;
	uint64_t u;
	size_t i;
	int s;

	test_case(NULL, "n that no memory holds");
	HOLDS(!cc_bigint_set_u64(&f, 42));
	for (i = 0; i < COUNT(huge); i++)
		for (s = 0; s < CC_FIB_STRATEGIES; s++)
			CHECK(cc_fib_by(&f, huge[i], (enum cc_fib_strategy)s, NULL) == CC_ENOMEM &&
				      !cc_bigint_get_u64(&u, &f) && u == 42,
			      "%s", cc_fib_strategy_name(s));
	cc_bigint_clear(&f);
}

static void names(void)
{
	cc_bigint f = CC_BIGINT_INIT;

	test_case(NULL, "strategies and their names");
	HOLDS(!strcmp(cc_fib_strategy_name(CC_FIB_SQUARING), "squaring"));
	HOLDS(!strcmp(cc_fib_strategy_name(CC_FIB_DOUBLING), "doubling"));
	HOLDS(!strcmp(cc_fib_strategy_name(CC_FIB_ITERATIVE), "iterative"));
	HOLDS(!cc_fib_strategy_name(-1) && !cc_fib_strategy_name(CC_FIB_STRATEGIES));
	HOLDS(cc_fib_by(&f, 5, (enum cc_fib_strategy)CC_FIB_STRATEGIES, NULL) == CC_EINVAL);
	HOLDS(cc_fib_by(&f, 5, (enum cc_fib_strategy) - 1, NULL) == CC_EINVAL);
	HOLDS(!f.length && !f.words);
}

/* All that is checked of one implementation, the more the larger @count. */
static void whole(fib_fn *fib, size_t count)
{
	static const uint64_t sizes[] = {5, 94, 150, 183, 184, 187, 1000, 20000};
	size_t i;

	known(fib);
	by_addition(fib, 1000);
	identities(fib, count);
	for (i = 0; i < COUNT(sizes); i++)
		no_memory(fib, sizes[i]);
	/* 80000: from 78 on, a step for each further bit; from 0 on.  Below CC_STEP_WORDS words of
	 * 32 bits no product asks inside itself. */
	interrupted(fib, 80000, CC_FIB_SQUARING, 10);
	interrupted(fib, 80000, CC_FIB_DOUBLING, 17);
	/* inside its products, too */
	interrupted(fib, 300000, CC_FIB_SQUARING, 0);
}

/* Beside F(n) and its conversion. */
static void decimal(uint64_t n)
{
	char *want = NULL, *got = NULL;
	size_t length = 0, got_length = 0;
	cc_bigint f = CC_BIGINT_INIT;

	test_sizes((size_t)n, 0, 0);
	HOLDS(!cc_fib(&f, n) && !cc_bigint_format(&want, &length, &f, 10, NULL));
	HOLDS(!cc_fib_decimal(&got, &got_length, n, NULL));
	HOLDS(got_length == length && !strcmp(got, want));
	cc_string_free(got);
	cc_string_free(want);
	cc_bigint_clear(&f);
}

/* Whatever it does after @n, it asks, and leaves nothing. */
static int stop_decimal(void *context, cc_u64 done, cc_u64 total)
{
	size_t *left = context;

	CHECK(done <= total, "%llu of %llu", (unsigned long long)done, (unsigned long long)total);
	return !(*left)--;
}

static void decimal_fails(uint64_t n)
{
	size_t left, step, length;
	struct cc_progress progress = {.step = stop_decimal, .context = &left};
	char *got;
	int err;

	test_sizes((size_t)n, 0, 0);
	for (step = 0;; step++) {
		left = step;
		memory_begin(MEMORY_SOUND);
		err = cc_fib_decimal(&got, &length, n, &progress);
		if (!err)
			break;
		memory_end();
		HOLDS(err == CC_EINTR && !got && !memory_live());
	}
	CHECK(step > 0, "never asked");
	cc_string_free(got);
	for (step = 0;; step++) {
		memory_begin(step);
		err = cc_fib_decimal(&got, &length, n, NULL);
		if (!err)
			break;
		memory_end();
		HOLDS(err == CC_ENOMEM && !got && !memory_live());
	}
	cc_string_free(got);
	memory_end();
	CHECK(!memory_live(), "leaks");
}

/* malloc() may round the blocks up, to pages where they are long. */
#define ROUNDED ((size_t)6 * 4096)

static int go_on(void *context, cc_u64 done, cc_u64 total)
{
	(void)context;
	(void)done;
	(void)total;
	return 0;
}

/* What kernel/device.c reserves is twice this. */
static void memory(const char *tier, size_t count)
{
	static const struct cc_progress progress = {.step = go_on};

	test_case(tier, "memory");
	for (; count; count--) {
		/* to 2^20 in all sizes */
		uint64_t n = random_u64() >> (44 + random_below(20));
		enum cc_fib_strategy s =
			random_below(n < 20000 ? CC_FIB_STRATEGIES : CC_FIB_ITERATIVE);
		cc_bigint f = CC_BIGINT_INIT;
		size_t length;
		char *digits;

		test_sizes((size_t)n, 0, 0);
		memory_begin(MEMORY_SOUND);
		HOLDS(!cc_fib_by(&f, n, s, &progress));
		CHECK(memory_most() <= n * 14 / 10 + 4096 + ROUNDED, "%s held %zu bytes",
		      cc_fib_strategy_name((int)s), memory_most());
		HOLDS(!cc_bigint_format(&digits, &length, &f, 10, &progress));
		CHECK(memory_most() <= n * 24 / 10 + 4096 + ROUNDED, "digits held %zu bytes",
		      memory_most());
		cc_bigint_clear(&f);
		cc_string_free(digits);
		memory_end();
	}
}

/*
 * An n whose steps in places begin with an F(k) of one place of 13 digits more than F(k - 1): F(k)
 * has floor(k log10(phi) - log10(sqrt(5))) + 1 digits.
 */
static uint64_t any_longer(void)
{
	uint64_t k, bit = 2 + random_below(3);

	do
		k = 16384 + random_below(16384);
	while ((uint64_t)((double)k * 0.20898764024997873 - 0.34948500216800940) % 13 ||
	       (uint64_t)((double)(k - 1) * 0.20898764024997873 - 0.34948500216800940) % 13 == 0);
	return (k << bit) + random_below((size_t)1 << bit);
}

/*
 * Which n are computed by places, as the memory tells: from 2^16 on, while half of F(n) has at most
 * CC_TRANSFORM_PLACES_MAX of them, by the bound k 1054 / 2^16 + 6 for n = 2 (k - 2).
 */
static void by_places(const char *tier)
{
	const uint64_t k = (((uint64_t)CC_TRANSFORM_PLACES_MAX - 5) * 65536 - 1) / 1054 + 1;
	const uint64_t beyond = 2 * (k - 2);

	test_case(tier, "cc_fib_decimal_memory");
	HOLDS(!cc_fib_decimal_memory(65535) && !cc_fib_decimal_memory(beyond));
	HOLDS(!cc_fib_decimal_memory(65536) == !cc_places_worth(CC_PLACES_LEAST));
	HOLDS(!cc_fib_decimal_memory(beyond - 1) == !cc_places_worth(CC_PLACES_LEAST));
	HOLDS(!cc_fib_decimal_memory(~(uint64_t)0));
}

static void decimals(const char *tier, size_t count)
{
	uint64_t n;

	by_places(tier);
	test_case(tier, "cc_fib_decimal");
	for (n = 0; n < 100; n++)
		decimal(n);
	/* where it begins to be computed in places */
	for (n = 65530; n < 65542; n++)
		decimal(n);
	while (count--) {
		decimal(random_below(400000));
		decimal(any_longer());
	}
	decimal_fails(70000 + random_below(100000));
	decimal_fails(20000);
}

static void every_tier(const char *tier)
{
	test_case(tier, "cc_fib_by");
	whole(cc_fib_by, test_scaled(200));
	decimals(tier, test_scaled(10));
	memory(tier, test_scaled(100));
}

static void iterative_interrupted(void)
{
	const uint64_t n = 10000;
	uint64_t words = 0, k;
	size_t steps = 0;
	cc_bigint f = CC_BIGINT_INIT;

	test_case(NULL, "iterative, interrupted");
	/* it asks once 65536 words have been added since it last did */
	for (k = 1; k < n; k++) {
		if (words >= 65536) {
			words = 0;
			steps++;
		}
		HOLDS(!cc_fib(&f, k));
		words += f.length;
	}
	cc_bigint_clear(&f);
	CHECK(steps > 2, "too few steps to say anything");
	interrupted(cc_fib_by, n, CC_FIB_ITERATIVE, steps);
}

/* What must be caught: the sound function with one fault. */

static int one_more(cc_bigint *f, uint64_t n, enum cc_fib_strategy by,
		    const struct cc_progress *progress)
{
	cc_bigint one = CC_BIGINT_INIT;
	int err = cc_fib_by(f, n, by, progress);

	if (!err && n > 3000 && (n & 1) && by == CC_FIB_SQUARING)
		err = cc_bigint_set_u64(&one, 2) || cc_bigint_add(f, f, &one);
	cc_bigint_clear(&one);
	return err;
}

static int clears_first(cc_bigint *f, uint64_t n, enum cc_fib_strategy by,
			const struct cc_progress *progress)
{
	f->length = 0;
	f->negative = 0;
	return cc_fib_by(f, n, by, progress);
}

static int never_stops(cc_bigint *f, uint64_t n, enum cc_fib_strategy by,
		       const struct cc_progress *progress)
{
	(void)progress;
	return cc_fib_by(f, n, by, NULL);
}

static int leaks(cc_bigint *f, uint64_t n, enum cc_fib_strategy by,
		 const struct cc_progress *progress)
{
	cc_bigint copy = CC_BIGINT_INIT;
	int err = cc_bigint_set(&copy, f);

	return err ? err : cc_fib_by(f, n, by, progress);
}

static int mixes_up(cc_bigint *f, uint64_t n, enum cc_fib_strategy by,
		    const struct cc_progress *progress)
{
	return cc_fib_by(f, by == CC_FIB_DOUBLING && n == 93 ? 94 : n, by, progress);
}

struct control {
	const char *name;
	fib_fn *fib;
	bool caught;
};

static void run_control(const void *context)
{
	const struct control *control = context;

	test_case(NULL, control->name);
	whole(control->fib, 60);
}

static void controls(void)
{
	static const struct control broken[] = {
		{"2 too many at large odd n", one_more, true},
		{"clears its result first", clears_first, true},
		{"never stops", never_stops, true},
		{"leaks", leaks, true},
		{"one strategy is off by one at the table's end", mixes_up, true},
		{"sound cc_fib_by", cc_fib_by, false},
	};
	size_t i;

	for (i = 0; i < COUNT(broken); i++)
		test_control(broken[i].name, broken[i].caught, run_control, &broken[i]);
}

static int answer_no(void *context, cc_u64 done, cc_u64 total)
{
	(void)context, (void)done, (void)total;
	return 1;
}

/* L(n) = F(n) + 2 F(n - 1) for n >= 1; r is what it was if memory or the caller ends the work. */
static void lucas(uint64_t n)
{
	const struct cc_progress no = {answer_no, NULL, NULL};
	cc_bigint want = CC_BIGINT_INIT, f = CC_BIGINT_INIT, r = CC_BIGINT_INIT;
	size_t failing;
	bool failed = true;
	int err;

	test_sizes((size_t)n, 0, 0);
	memory_begin(MEMORY_SOUND);
	CHECK(!cc_fib(&want, n) && !cc_fib(&f, n - 1) && !cc_bigint_add(&want, &want, &f) &&
		      !cc_bigint_add(&want, &want, &f),
	      "no memory");
	for (failing = 0; failed; failing++) {
		memory_begin(failing);
		err = cc_lucas(&r, n, NULL);
		failed = memory_end();
		CHECK(err == (failed ? CC_ENOMEM : CC_OK), "%d", err);
		CHECK(failed ? !r.length : !cc_bigint_cmp(&r, &want), "another number");
	}
	memory_begin(MEMORY_SOUND);
	err = cc_lucas(&r, n, &no);
	CHECK((err == CC_EINTR || (!err && n < 1000000)) && !cc_bigint_cmp(&r, &want), "%d", err);
	cc_bigint_clear(&want);
	cc_bigint_clear(&f);
	cc_bigint_clear(&r);
	memory_end();
	CHECK(!memory_live(), "%ld blocks leaked", memory_live());
}

static void lucas_numbers(void)
{
	cc_bigint r = CC_BIGINT_INIT;
	uint64_t n;

	test_case(NULL, "cc_lucas");
	CHECK(!cc_lucas(&r, 0, NULL) && r.length == 1 && r.words[0] == 2, "L(0)");
	for (n = 1; n < 800; n++)
		lucas(n);
	for (n = 0; n < test_scaled(20); n++)
		lucas(1 + random_below(20000));
	lucas(1000001);
	CHECK(cc_lucas(&r, UINT64_MAX, NULL) == CC_ENOMEM && r.words[0] == 2, "more than memory");
	cc_bigint_clear(&r);
}

int main(int argc, char **argv)
{
	test_begin(argc, argv);
	test_tiers(every_tier);
	iterative_interrupted();
	period(test_scaled(2000));
	too_large();
	lucas_numbers();
	names();
	controls();
	return test_end();
}
