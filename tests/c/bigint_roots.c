// SPDX-License-Identifier: MIT
/* bigint.h's roots, powers, exact quotients and removed factors by their definitions. */
#include "bigint.h"
#include "memory.h"

/* What two results are to be, in their own places or in x; whether an allocation failed. */
struct call {
	const char *name;
	int (*run)(cc_bigint *r, cc_bigint *other, const cc_bigint *x, const cc_bigint *y,
		   uint64_t k);
	bool second; /* whether it writes *other */
	/* the words that bigint.h says suffice for r where they are lent */
	size_t (*lent)(size_t n, size_t m, uint64_t k);
};

static int goes_on(void *context, uint64_t done, uint64_t total)
{
	(void)context, (void)done, (void)total;
	return 0;
}

/* One that stops nothing, or none. */
static const struct cc_progress *any_progress(void)
{
	static const struct cc_progress progress = {goes_on, NULL, NULL};

	return random_below(2) ? &progress : NULL;
}

static int call_root(cc_bigint *r, cc_bigint *other, const cc_bigint *x, const cc_bigint *y,
		     uint64_t k)
{
	int exact = 0, err = cc_bigint_root(r, &exact, x, k, any_progress());

	(void)y;
	/* a number that is 0 if it is exact */
	return err || exact ? err : cc_bigint_set_u64(other, 1);
}

static int call_rootrem(cc_bigint *r, cc_bigint *other, const cc_bigint *x, const cc_bigint *y,
			uint64_t k)
{
	(void)y;
	return cc_bigint_rootrem(r, other, x, k, any_progress());
}

static int call_divexact(cc_bigint *r, cc_bigint *other, const cc_bigint *x, const cc_bigint *y,
			 uint64_t k)
{
	(void)other, (void)k;
	return cc_bigint_divexact(r, x, y, any_progress());
}

static int call_remove(cc_bigint *r, cc_bigint *other, const cc_bigint *x, const cc_bigint *y,
		       uint64_t k)
{
	uint64_t count = 0;
	int err = cc_bigint_remove(r, &count, x, y, any_progress());

	(void)k;
	return err ? err : cc_bigint_set_u64(other, count);
}

static size_t lent_for_root(size_t n, size_t m, uint64_t k)
{
	(void)m;
	return n ? (n - 1) / (size_t)k + 1 : 1;
}

static size_t lent_for_quotient(size_t n, size_t m, uint64_t k)
{
	(void)k;
	return n > m ? n - m + 1 : 1;
}

static size_t lent_for_rest(size_t n, size_t m, uint64_t k)
{
	(void)m, (void)k;
	return n ? n : 1;
}

/* The results are as wanted in every place, and nothing changes if an allocation fails. */
static void check(const struct call *call, const struct value *vx, const struct value *vy,
		  uint64_t k, const struct value *want, const struct value *want_other)
{
	size_t failing, way;
	bool failed;
	int err;

	for (way = 0; way < 4; way++) {
		for (failing = 0, failed = true; failed; failing++) {
			static struct value zero;
			static cc_word room[VALUE_WORDS];
			cc_bigint x, y, r = CC_BIGINT_INIT, other, *to;

			memory_begin(MEMORY_SOUND);
			value_to_bigint(&x, vx, random_below(2) * random_below(vx->length + 2));
			value_to_bigint(&y, vy, random_below(2) * random_below(vy->length + 2));
			/* with room for 64 bits, so that what call_ says does not fail */
			value_to_bigint(&other, &zero, 2);
			if (way == 3)
				r = (cc_bigint){room, 0, call->lent(vx->length, vy->length, k), 0};
			to = way == 1 ? &x : way == 2 ? &y : &r;
			memory_begin(failing);
			err = call->run(to, &other, &x, &y, k);
			failed = memory_end();
			if (failed && err)
				CHECK(err == CC_ENOMEM, "%s: %d", call->name, err);
			else
				CHECK(!err && value_is(want, to) &&
					      (!call->second || value_is(want_other, &other)),
				      "%s in place %zu: %d", call->name, way, err);
			if (err)
				CHECK(value_is(vx, &x) && value_is(vy, &y),
				      "%s: changed by an error", call->name);
			memory_begin(MEMORY_SOUND);
			if (way == 3)
				CHECK(r.words == room, "%s: not in the lent words", call->name);
			else
				cc_bigint_clear(&r);
			cc_bigint_clear(&x);
			cc_bigint_clear(&y);
			cc_bigint_clear(&other);
			memory_end();
			CHECK(!memory_live(), "%ld blocks leaked", memory_live());
		}
	}
}

static const struct call root = {"root", call_root, true, lent_for_root};
static const struct call rootrem = {"rootrem", call_rootrem, true, lent_for_root};
static const struct call divexact = {"divexact", call_divexact, false, lent_for_quotient};
static const struct call removal = {"remove", call_remove, true, lent_for_rest};

/* b^k + rest for 0 <= rest < (b + 1)^k - b^k, with either sign for odd k */
static void check_root(const struct value *b, uint64_t k)
{
	static struct value x, rest, next, one, inexact, found;
	cc_bigint in;
	int is;

	value_set(&one, 1);
	value_pow(&x, b, k);
	value_add(&next, b, &one);
	value_pow(&next, &next, k);
	value_sub(&rest, &next, &x);
	value_sub(&rest, &rest, &one);
	if (random_below(2))
		value_set(&rest, 0);
	value_add(&x, &x, &rest);
	value_set(&inexact, rest.length != 0);
	found = *b;
	if (k & 1 && random_below(2)) {
		value_neg(&x, &x);
		value_neg(&found, &found);
		value_neg(&rest, &rest);
	}
	test_sizes(x.length, (size_t)k, 0);
	check(&root, &x, &one, k, &found, &inexact);
	check(&rootrem, &x, &one, k, &found, &rest);
	value_to_bigint(&in, &x, 0);
	if (!rest.length && k > 1) {
		HOLDS(!cc_bigint_is_power(&is, &in, NULL) && is);
		if (k % 2 == 0)
			HOLDS(!cc_bigint_is_square(&is, &in, NULL) && is);
	}
	if (x.negative) {
		HOLDS(cc_bigint_root(&in, NULL, &in, k + 1, NULL) == CC_EINVAL);
		HOLDS(!cc_bigint_is_square(&is, &in, NULL) && !is);
	}
	HOLDS(cc_bigint_root(&in, NULL, &in, 0, NULL) == CC_EINVAL);
	HOLDS(cc_bigint_rootrem(&in, &in, &in, 3, NULL) == CC_EINVAL);
	HOLDS(value_is(&x, &in));
	cc_bigint_clear(&in);
}

static void check_quotients(const struct value *q, const struct value *d)
{
	static struct value x, count, rest, by, zero;
	size_t times = random_below(5), i;
	cc_bigint a, b;
	uint64_t ignored;

	value_set(&zero, 0);
	value_mul(&x, q, d);
	test_sizes(x.length, d->length, 0);
	value_to_bigint(&a, &x, 0);
	value_to_bigint(&b, &zero, 0);
	HOLDS(cc_bigint_divexact(&a, &a, &b, NULL) == CC_EINVAL && value_is(&x, &a));
	HOLDS(cc_bigint_remove(&a, &ignored, &a, &b, NULL) == CC_EINVAL && value_is(&x, &a));
	cc_bigint_clear(&a);
	cc_bigint_clear(&b);
	if (!d->length)
		return;
	check(&divexact, &x, d, 0, q, q);
	if (d->length == 1 && d->words[0] == 1)
		return;
	/* q without d, then d so many times */
	value_set(&count, 0);
	for (rest = *q; rest.length;) {
		value_divmod(&x, &by, &rest, d, false);
		if (by.length)
			break;
		rest = x;
	}
	for (x = rest, i = 0; rest.length && i < times; i++)
		value_mul(&x, &x, d);
	value_set(&count, (int64_t)i);
	check(&removal, &x, d, 0, &rest, &count);
}

void bigint_roots(void)
{
	static struct value a, b;
	size_t count = test_scaled(200);

	test_case(NULL, "root, rootrem, is_square, is_power, divexact, remove");
	while (count-- && !test_case_failed()) {
		value_random(&a, random_below(4));
		a.negative = 0;
		check_root(&a, 1 + random_below(a.length > 1 ? 6 : 12));
		value_random(&a, random_below(8));
		value_random(&b, random_below(random_below(4) ? 2 : 4));
		check_quotients(&a, &b);
	}
}
