// SPDX-License-Identifier: MIT
/*
 * How much is done between two questions whether to go on, counted and not timed: the words
 * that the kernels are given.  And that whoever is told to stop does, and writes nowhere
 * else than it was to.
 */
#include <carrychain/fib.h>

#include "limbs/kernels.h"
#include "natural/product.h"
#include "places.h"
#include "watch_transform.h"

#include <stdlib.h>
#include <string.h>

/* The kernels of the tier, and what they did since the last question. */
static const struct cc_limbs_kernels *real;
uint64_t since;
static uint64_t most, questions, last_question;

static cc_word add(cc_word *r, const cc_word *a, const cc_word *b, size_t n)
{
	since += n;
	return real->add(r, a, b, n);
}

static cc_word sub(cc_word *r, const cc_word *a, const cc_word *b, size_t n)
{
	since += n;
	return real->sub(r, a, b, n);
}

static cc_word mul_1(cc_word *r, const cc_word *a, size_t n, cc_word w)
{
	since += n;
	return real->mul_1(r, a, n, w);
}

static cc_word addmul_1(cc_word *r, const cc_word *a, size_t n, cc_word w)
{
	since += n;
	return real->addmul_1(r, a, n, w);
}

static cc_word submul_1(cc_word *r, const cc_word *a, size_t n, cc_word w)
{
	since += n;
	return real->submul_1(r, a, n, w);
}

static cc_word lshift(cc_word *r, const cc_word *a, size_t n, unsigned int count)
{
	since += n;
	return real->lshift(r, a, n, count);
}

static cc_word rshift(cc_word *r, const cc_word *a, size_t n, unsigned int count)
{
	since += n;
	return real->rshift(r, a, n, count);
}

/* 52-bit multiply-adds take a quarter of the time for a pair of words. */
static uint64_t pairs(size_t an, size_t bn)
{
	return (uint64_t)an * bn / (strcmp(real->tier, "avx512ifma") ? 1 : 4);
}

static void mul_basecase(cc_word *r, const cc_word *a, size_t an, const cc_word *b, size_t bn)
{
	since += pairs(an, bn);
	real->mul_basecase(r, a, an, b, bn);
}

static void sqr_basecase(cc_word *r, const cc_word *a, size_t n)
{
	since += pairs(n, n);
	real->sqr_basecase(r, a, n);
}

static struct cc_limbs_kernels counting = {
	.tier = "counting",
	.add = add,
	.sub = sub,
	.mul_1 = mul_1,
	.addmul_1 = addmul_1,
	.submul_1 = submul_1,
	.lshift = lshift,
	.rshift = rshift,
	.mul_basecase = mul_basecase,
	.sqr_basecase = sqr_basecase,
	.mul_few = mul_basecase,
	.sqr_few = sqr_basecase,
};

static void answered(void)
{
	most = since > most ? since : most;
	since = 0;
}

static int ask(void *context, cc_u64 done, cc_u64 total)
{
	(void)context;
	CHECK(done <= total, "%llu of %llu", (unsigned long long)done, (unsigned long long)total);
	CHECK(questions < last_question, "asked again after it was told to stop");
	answered();
	return ++questions == last_question;
}

static const struct cc_progress progress = {.step = ask};

/*
 * Work whose operands have n words at most, the other operand or the quotient few or many;
 * whether it says that it was stopped.
 */
struct work {
	const char *name;
	bool (*run)(size_t n, bool slim, const struct cc_progress *progress);
};

static cc_word *operand(size_t n)
{
	cc_word *a = place(FIRST, NULL, n);

	random_words(a, n);
	a[n - 1] |= 1;
	return a;
}

typedef void mul_watched(cc_word *r, const cc_word *a, size_t an, const cc_word *b, size_t bn,
			 cc_word *scratch, struct cc_watch *w);
typedef void sqr_watched(cc_word *r, const cc_word *a, size_t n, cc_word *scratch,
			 struct cc_watch *w);

static bool multiplied(mul_watched *f, size_t n, size_t bn, size_t scratch,
		       const struct cc_progress *by)
{
	struct cc_watch w = {by, 0, 1, 0};
	cc_word *a = operand(n + bn);

	f(place(RESULT, NULL, n + bn), a, n, a + n, bn, place(SCRATCH, NULL, scratch), &w);
	check_guards();
	return w.stopped;
}

static bool squared(sqr_watched *f, size_t n, size_t scratch, const struct cc_progress *by)
{
	struct cc_watch w = {by, 0, 1, 0};

	f(place(RESULT, NULL, 2 * n), operand(n), n, place(SCRATCH, NULL, scratch), &w);
	check_guards();
	return w.stopped;
}

static bool mul(size_t n, bool slim, const struct cc_progress *by)
{
	size_t bn = slim ? 1 + random_below(40) : n / (1 + random_below(4)) + 1;

	return multiplied(cc_limbs_mul_watched, n, bn, cc_limbs_mul_scratch(n, bn), by);
}

static bool natural_mul(size_t n, bool slim, const struct cc_progress *by)
{
	size_t bn = slim ? 1 + random_below(40) : n / (1 + random_below(2)) + 1;

	return multiplied(cc_natural_mul_watched, n, bn, cc_natural_mul_scratch(n, bn), by);
}

static bool sqr(size_t n, bool slim, const struct cc_progress *by)
{
	(void)slim;
	return squared(cc_limbs_sqr_watched, n, cc_limbs_sqr_scratch(n), by);
}

static bool natural_sqr(size_t n, bool slim, const struct cc_progress *by)
{
	(void)slim;
	return squared(cc_natural_sqr_watched, n, cc_natural_sqr_scratch(n), by);
}

static bool divrem(size_t n, bool slim, const struct cc_progress *by)
{
	struct cc_watch w = {by, 0, 1, 0};
	size_t qn = slim ? 1 + random_below(n < 100 ? n : 100) : n / 4 + 1 + random_below(n / 2);
	size_t dn = n - qn + 1;
	cc_word *a, *q;

	a = operand(n + dn);
	q = place(RESULT, NULL, qn + dn);
	cc_natural_divrem_watched(q, q + qn, a, n, a + n, dn,
				  place(SCRATCH, NULL, cc_natural_divrem_scratch(n, dn)), &w);
	check_guards();
	return w.stopped;
}

static bool isqrt(size_t n, bool slim, const struct cc_progress *by)
{
	struct cc_watch w = {by, 0, 1, 0};
	cc_word *a = operand(n), *root = place(RESULT, NULL, n + 2);

	(void)slim;
	cc_natural_isqrt_watched(root, root + (n + 1) / 2, a, n,
				 place(SCRATCH, NULL, cc_natural_isqrt_scratch(n)), &w);
	check_guards();
	return w.stopped;
}

/* Two in a row, of runs of ones and zeros: of regular ones a divisor is found at once. */
static cc_word *dense_pair(size_t n, size_t other)
{
	cc_word *a = operand(n + other);

	random_dense_words(a, n + other, 32);
	a[n - 1] |= 1;
	a[n + other - 1] |= 1;
	return a;
}

static bool gcd(size_t n, bool slim, const struct cc_progress *by)
{
	struct cc_watch w = {by, 0, 1, 0};
	size_t bn = slim ? 1 + random_below(40) : n;
	cc_word *a = dense_pair(n, bn);

	cc_natural_gcd_watched(place(RESULT, NULL, n), a, n, a + n, bn,
			       place(SCRATCH, NULL, cc_natural_gcd_scratch(n, bn)), &w);
	check_guards();
	return w.stopped;
}

static bool gcdext(size_t n, bool slim, const struct cc_progress *by)
{
	struct cc_watch w = {by, 0, 1, 0};
	size_t bn = slim ? 1 + random_below(40) : n;
	cc_word *a = dense_pair(n, bn), *g = place(RESULT, NULL, 2 * n + bn);
	int negative;

	cc_natural_gcdext_watched(g, g + n, g + n + bn, &negative, a, n, a + n, bn,
				  place(SCRATCH, NULL, cc_natural_gcdext_scratch(n, bn)), &w);
	check_guards();
	return w.stopped;
}

static bool invert(size_t n, bool slim, const struct cc_progress *by)
{
	struct cc_watch w = {by, 0, 1, 0};
	size_t an = slim ? 1 + random_below(40) : n;
	cc_word *a = dense_pair(an, n);

	cc_natural_invert_watched(place(RESULT, NULL, n), a, an, a + an, n,
				  place(SCRATCH, NULL, cc_natural_invert_scratch(an, n)), &w);
	check_guards();
	return w.stopped;
}

static bool jacobi(size_t n, bool slim, const struct cc_progress *by)
{
	struct cc_watch w = {by, 0, 1, 0};
	size_t mn = slim ? 1 + random_below(40) : n;
	cc_word *a = dense_pair(n, mn);

	a[n] |= 1;
	cc_natural_jacobi_watched(a, n, a + n, mn,
				  place(SCRATCH, NULL, cc_natural_jacobi_scratch(n, mn)), &w);
	check_guards();
	return w.stopped;
}

static bool powm(size_t n, bool slim, const struct cc_progress *by)
{
	struct cc_watch w = {by, 0, 1, 0};
	size_t mn = n / 8 + 1, en = slim ? 1 : 1 + random_below(mn > 500 ? 2 : 20);
	cc_word *a = operand(2 * mn + en);

	a[mn + en] |= random_below(2);
	a[2 * mn + en - 1] |= 1;
	cc_natural_powm_watched(place(RESULT, NULL, mn), a, mn, a + mn, en, a + mn + en, mn,
				place(SCRATCH, NULL, cc_natural_powm_scratch(mn, en, mn)), &w);
	check_guards();
	return w.stopped;
}

static bool kth_root(size_t n, bool slim, const struct cc_progress *by)
{
	struct cc_watch w = {by, 0, 1, 0};
	cc_word k = slim ? 2 + random_below(100) : 3 + random_below(3);
	cc_word *a = operand(n), *r = place(RESULT, NULL, 2 * n);

	cc_natural_root_watched(r, random_below(2) ? r + n : NULL, a, n, k,
				place(SCRATCH, NULL, cc_natural_root_scratch(n)), &w);
	check_guards();
	return w.stopped;
}

/*
 * A square, B^2j; or B^105 (B^j + 1), which small primes don't divide, as j is a power of two, and
 * of which three roots are tried.
 */
static bool is_power(size_t n, bool slim, const struct cc_progress *by)
{
	struct cc_watch w = {by, 0, 1, 0};
	size_t low = 105, j = 1, m;
	cc_word *a;

	while (4 * j < n)
		j *= 2;
	m = (slim ? 2 * j : low + j) + 1;
	a = operand(m);
	memset(a, 0, m * sizeof(*a));
	a[m - 1] = 1;
	if (slim) {
		cc_natural_is_square_watched(
			a, m, place(SCRATCH, NULL, cc_natural_is_square_scratch(m)), &w);
	} else {
		a[low] = 1;
		cc_natural_is_power_watched(
			a, m, 0, place(SCRATCH, NULL, cc_natural_is_power_scratch(m)), &w);
	}
	check_guards();
	return w.stopped;
}

static bool divexact(size_t n, bool slim, const struct cc_progress *by)
{
	struct cc_watch w = {by, 0, 1, 0};
	size_t qn = slim ? 1 + random_below(n < 100 ? n : 100) : n / 4 + 1 + random_below(n / 2);
	size_t dn = n - qn + 1;
	cc_word *a = operand(n + dn);

	/* of zeros nothing would be left to divide by */
	a[n] |= 1;
	cc_natural_divexact_watched(place(RESULT, NULL, qn), a, n, a + n, dn,
				    place(SCRATCH, NULL, cc_natural_divexact_scratch(n, dn)), &w);
	check_guards();
	return w.stopped;
}

/* A power of a short factor, or a number that a long one does not divide. */
static bool removal(size_t n, bool slim, const struct cc_progress *by)
{
	struct cc_watch w = {by, 0, 1, 0};
	size_t fn = slim ? 1 : n / 4 + 1;
	cc_word *a = operand(n + fn);

	memset(a, slim ? 0xff : 0, (n + fn) * sizeof(*a));
	a[n - 1] = a[n] = a[n + fn - 1] = slim ? 3 : 1;
	cc_natural_remove_watched(place(RESULT, NULL, n), a, n, a + n, fn,
				  place(SCRATCH, NULL, cc_natural_remove_scratch(n, fn)), &w);
	check_guards();
	return w.stopped;
}

static bool to_digits(size_t n, bool slim, const struct cc_progress *by)
{
	char *digits = (char *)place_bytes(RESULT, NULL, cc_natural_digits_max(n, 10));
	cc_word *scratch = place(SCRATCH, NULL, cc_natural_to_digits_scratch(n, 10));
	bool stopped = !cc_natural_to_digits(digits, operand(n), n, 10, scratch, by);

	(void)slim;
	check_guards();
	return stopped;
}

static bool fibonacci(size_t n, enum cc_fib_strategy strategy, const struct cc_progress *by)
{
	cc_bigint f = CC_BIGINT_INIT;
	int err = cc_fib_by(&f, (uint64_t)n * CC_WORD_BITS * 36 / 25, strategy, by);

	CHECK(!err || err == CC_EINTR, "%d", err);
	cc_bigint_clear(&f);
	return err;
}

static bool squaring(size_t n, bool slim, const struct cc_progress *by)
{
	(void)slim;
	return fibonacci(n, CC_FIB_SQUARING, by);
}

static bool doubling(size_t n, bool slim, const struct cc_progress *by)
{
	(void)slim;
	return fibonacci(n, CC_FIB_DOUBLING, by);
}

static bool iterative(size_t n, bool slim, const struct cc_progress *by)
{
	(void)slim;
	return fibonacci(n / 32, CC_FIB_ITERATIVE, by);
}

static void big(cc_bigint *x, size_t n)
{
	CHECK(!cc_bigint_reserve(x, n), "no memory");
	random_words(x->words, n);
	x->words[n - 1] |= 1;
	x->length = n;
	x->negative = (int)random_below(2);
}

enum operation { PRODUCT, SQUARE, POWER, ROOT, DIVISOR, INVERSE, FLOOR, TRUNC };

/* Into two integers, of which r may be x: as the operation that no one watches, or not at all. */
static bool integers(enum operation op, size_t n, bool slim, const struct cc_progress *by)
{
	cc_bigint x = CC_BIGINT_INIT, y = CC_BIGINT_INIT, q = CC_BIGINT_INIT, r = CC_BIGINT_INIT;
	cc_bigint old = CC_BIGINT_INIT, more = CC_BIGINT_INIT, less = CC_BIGINT_INIT;
	bool in_place = random_below(2) != 0;
	uint64_t exponent = 2 + random_below(30);
	cc_bigint *to = in_place ? &x : &r;
	uint64_t before;
	int err = 0;

	big(&x, op == POWER ? n / exponent + 1 : n);
	x.negative &= op != ROOT;
	big(&y, slim ? 2 + random_below(40) : n / 4 + 1 + random_below(n / 2));
	if (op == INVERSE && slim)
		cc_bigint_swap(&x, &y);
	if (op == DIVISOR || op == INVERSE) {
		random_dense_words(x.words, x.length, 32);
		random_dense_words(y.words, y.length, 32);
		x.words[x.length - 1] |= 1;
		y.words[y.length - 1] |= 1;
	}
	if (op == INVERSE) {
		/* a power of two has one modulo an odd number */
		memset(x.words, 0, (x.length - 1) * sizeof(*x.words));
		x.words[x.length - 1] = 1;
		y.words[0] |= 1;
	}
	big(&q, 3);
	big(&r, 2 * n);
	err |= cc_bigint_set(&old, to);
	before = since;
	if (op == PRODUCT)
		err |= cc_bigint_mul(&more, &x, &y);
	else if (op == SQUARE)
		err |= cc_bigint_sqr(&more, &x);
	else if (op == POWER)
		err |= cc_bigint_pow(&more, &x, exponent);
	else if (op == ROOT)
		err |= cc_bigint_isqrt(&more, &x, NULL);
	else if (op == DIVISOR)
		err |= cc_bigint_gcd(&more, &x, &y, NULL);
	else if (op == INVERSE)
		err |= cc_bigint_invert(&more, &x, &y, NULL);
	else if (op == FLOOR)
		err |= cc_bigint_divmod_floor(&less, &more, &x, &y);
	else
		err |= cc_bigint_divmod_trunc(&less, &more, &x, &y);
	CHECK(!err, "%d", err);
	since = before;
	if (op == PRODUCT)
		err = cc_bigint_mul_watched(to, &x, &y, by);
	else if (op == SQUARE)
		err = cc_bigint_mul_watched(to, &x, &x, by);
	else if (op == POWER)
		err = cc_bigint_pow_watched(to, &x, exponent, by);
	else if (op == ROOT)
		err = cc_bigint_isqrt(to, &x, by);
	else if (op == DIVISOR)
		err = cc_bigint_gcd(to, &x, &y, by);
	else if (op == INVERSE)
		err = cc_bigint_invert(to, &x, &y, by);
	else if (op == FLOOR)
		err = cc_bigint_divmod_floor_watched(&q, to, &x, &y, by);
	else
		err = cc_bigint_divmod_trunc_watched(&q, to, &x, &y, by);
	CHECK(!err || err == CC_EINTR, "%d", err);
	CHECK(!cc_bigint_cmp(to, err ? &old : &more), err ? "changed" : "wrong");
	CHECK(err ? q.length == 3 : op < FLOOR || !cc_bigint_cmp(&q, &less), "the quotient");
	cc_bigint_clear(&x);
	cc_bigint_clear(&y);
	cc_bigint_clear(&q);
	cc_bigint_clear(&r);
	cc_bigint_clear(&old);
	cc_bigint_clear(&more);
	cc_bigint_clear(&less);
	return err;
}

/* As many digits as n words have; r is what they say, or as it was. */
static bool from_string(size_t n, bool slim, const struct cc_progress *by)
{
	size_t count = n * (CC_WORD_BITS / 4) / 5 * 6, i;
	char *digits = malloc(count + 1);
	cc_bigint r = CC_BIGINT_INIT, old = CC_BIGINT_INIT, want = CC_BIGINT_INIT;
	uint64_t before;
	int err;

	(void)slim;
	if (!digits)
		abort();
	for (i = 0; i < count; i++)
		digits[i] = (char)('0' + random_below(10));
	digits[count] = '\0';
	big(&r, 2 * n);
	CHECK(!cc_bigint_set(&old, &r), "no memory");
	before = since;
	CHECK(!cc_bigint_from_string(&want, digits, 10), "no memory");
	since = before;
	err = cc_bigint_from_string_watched(&r, digits, 10, by);
	CHECK(!err || err == CC_EINTR, "%d", err);
	CHECK(!cc_bigint_cmp(&r, err ? &old : &want), err ? "changed" : "wrong");
	cc_bigint_clear(&want);
	cc_bigint_clear(&old);
	cc_bigint_clear(&r);
	free(digits);
	return err;
}

#define INTEGERS(name, op)                                                                         \
	static bool name(size_t n, bool slim, const struct cc_progress *by)                        \
	{                                                                                          \
		return integers(op, n, slim, by);                                                  \
	}

INTEGERS(product, PRODUCT)
INTEGERS(square, SQUARE)
INTEGERS(power, POWER)
INTEGERS(root, ROOT)
INTEGERS(divisor, DIVISOR)
INTEGERS(inverse, INVERSE)
INTEGERS(floor_of, FLOOR)
INTEGERS(trunc_of, TRUNC)

static const struct work works[] = {
	{"cc_bigint_mul_watched", product},
	{"cc_bigint_mul_watched, a square", square},
	{"cc_bigint_pow_watched", power},
	{"cc_bigint_isqrt", root},
	{"cc_bigint_gcd", divisor},
	{"cc_bigint_invert", inverse},
	{"cc_bigint_divmod_floor_watched", floor_of},
	{"cc_bigint_divmod_trunc_watched", trunc_of},
	{"cc_bigint_from_string_watched", from_string},
	{"cc_limbs_mul_watched", mul},
	{"cc_limbs_sqr_watched", sqr},
	{"cc_natural_mul_watched", natural_mul},
	{"cc_natural_sqr_watched", natural_sqr},
	{"cc_natural_divrem_watched", divrem},
	{"cc_natural_isqrt_watched", isqrt},
	{"cc_natural_gcd_watched", gcd},
	{"cc_natural_gcdext_watched", gcdext},
	{"cc_natural_invert_watched", invert},
	{"cc_natural_jacobi_watched", jacobi},
	{"cc_natural_powm_watched", powm},
	{"cc_natural_root_watched", kth_root},
	{"cc_natural_is_power_watched", is_power},
	{"cc_natural_divexact_watched", divexact},
	{"cc_natural_remove_watched", removal},
	{"cc_natural_to_digits", to_digits},
	{"cc_fib_by, squaring", squaring},
	{"cc_fib_by, doubling", doubling},
	{"cc_fib_by, iterative", iterative},
};

#define WORKS COUNT(works)

/* As watch.h says. */
static uint64_t allowed(size_t n)
{
	return 2 * (uint64_t)CC_STEP_WORDS * CC_STEP_WORDS + 64 * (uint64_t)n;
}

/* From the same seed to its end, and then stopped at one of the questions it asked. */
static void one(const struct work *work, size_t n, bool slim, const struct cc_progress *by)
{
	uint64_t seed = random_u64();

	test_sizes(n, 0, 0);
	questions = since = most = 0;
	last_question = UINT64_MAX;
	random_seed(seed);
	CHECK(!work->run(n, slim, by), "stopped by itself");
	answered();
	CHECK(most <= allowed(n), "%llu words without a question, not %llu",
	      (unsigned long long)most, (unsigned long long)allowed(n));
	if (!questions)
		return;
	last_question = 1 + random_below(questions);
	questions = since = most = 0;
	random_seed(seed);
	CHECK(work->run(n, slim, by), "not stopped");
	answered();
	CHECK(questions == last_question && most <= allowed(n), "%llu words after it was stopped",
	      (unsigned long long)most);
	random_seed(seed + 1);
}

/* Long enough for work without questions to be several times too long. */
#define LONG (50000 * (64 / CC_WORD_BITS))

static void short_ones(const struct work *work)
{
	size_t rounds = test_scaled(20), round;

	for (round = 0; round < rounds; round++)
		one(work, 4 + random_below(4000), round % 2, &progress);
}

static void long_ones(const struct work *work, const struct cc_progress *by)
{
	one(work, LONG, true, by);
	one(work, LONG, false, by);
}

/* Whether a work's long ones are tried: of all from a scale of 0.6 on, else of a share. */
static bool long_too(void)
{
	return getenv("CC_TEST_LONG") || random_below(1000) < test_scaled(1750);
}

static uint64_t whole, counted;
static double off;

static int compare(void *context, cc_u64 done, cc_u64 total)
{
	double behind;

	(void)context;
	counted += since;
	since = 0;
	behind = (double)counted / (double)whole - (double)done / (double)total;
	off = behind > off ? behind : -behind > off ? -behind : off;
	return 0;
}

static const struct cc_progress comparison = {.step = compare};

/* What is said to be done of a long conversion, beside the words that have been worked on. */
static void test_share(void)
{
	size_t i;

	begin(NULL, "cc_natural_to_digits, the share that is done");
	for (i = 0; i < test_scaled(5); i++) {
		size_t n = 20000 + random_below(30000);
		uint64_t seed = random_u64();

		test_sizes(n, 0, 0);
		since = whole = counted = 0;
		off = 0;
		random_seed(seed);
		to_digits(n, false, NULL);
		whole = since;
		since = 0;
		random_seed(seed);
		to_digits(n, false, &comparison);
		/* the first division is a third of all, and is done only at its end */
		CHECK(off < 0.4, "%.2f off", off);
	}
}

static void run_control(const void *context)
{
	const struct work *work = context;

	begin(NULL, work->name);
	long_ones(work, NULL);
}

int main(int argc, char **argv)
{
	size_t i;

	test_begin(argc, argv);
	real = cc_limbs_kernels();
	counting.thresholds = real->thresholds;
	__atomic_store_n(&cc_cpu_chosen[CC_FAMILY_LIMBS], &counting, __ATOMIC_RELEASE);
	__atomic_store_n(&cc_cpu_chosen[CC_FAMILY_TRANSFORM], &counting_transform,
			 __ATOMIC_RELEASE);
	for (i = 0; i < WORKS; i++) {
		begin(NULL, works[i].name);
		short_ones(&works[i]);
		if (long_too()) {
			long_ones(&works[i], &progress);
			test_control(works[i].name, true, run_control, &works[i]);
		}
	}
	test_share();
	return test_end();
}
