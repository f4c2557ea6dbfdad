// SPDX-License-Identifier: MIT
/*
 * Processors lent: the pool gives each task once, to a worker of its own; transforms in parts
 * are those in one piece, whoever takes the parts and in whatever order; a pool that loses a part
 * must be caught.
 */
#include "harness.h"

#include <carrychain/limbs.h>
#include <carrychain/threads.h>

#include "transform/transform.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define TASKS_MAX   200
#define WORKERS_MAX 5

struct once {
	pthread_t caller;
	unsigned int workers;
	int taken[TASKS_MAX], busy[WORKERS_MAX], wrong;
};

static void note(void *argument, size_t i, unsigned int worker)
{
	struct once *once = argument;
	int here = pthread_equal(pthread_self(), once->caller) != 0;

	if (worker >= once->workers || here != !worker ||
	    __atomic_exchange_n(&once->busy[worker], 1, __ATOMIC_ACQ_REL))
		__atomic_store_n(&once->wrong, 1, __ATOMIC_RELAXED);
	/* without a lock: the pool's own must order it before what follows run() */
	once->taken[i]++;
	__atomic_store_n(&once->busy[worker % WORKERS_MAX], 0, __ATOMIC_RELEASE);
}

static void pool(void)
{
	unsigned int workers;

	test_case(NULL, "each task once");
	for (workers = 1; workers <= WORKERS_MAX; workers++) {
		struct cc_threads *threads = cc_threads_open(workers);
		const struct cc_tasks *tasks;
		size_t round;

		CHECK(threads, "no threads");
		if (!threads)
			return;
		tasks = cc_threads_tasks(threads);
		CHECK(tasks->workers == workers, "%u workers", tasks->workers);
		for (round = 0; round < test_scaled(200); round++) {
			struct once once = {.caller = pthread_self(), .workers = workers};
			size_t count = random_below(TASKS_MAX + 1), i;

			test_sizes(workers, count, 0);
			tasks->run(tasks->context, count, note, &once);
			for (i = 0; i < TASKS_MAX; i++)
				CHECK(once.taken[i] == (i < count), "task %zu", i);
			CHECK(!once.wrong, "a worker that was not one, or twice");
		}
		cc_threads_close(threads);
	}
	cc_threads_close(NULL);
	CHECK(!cc_threads_open(0) && !cc_threads_open(CC_THREADS_MAX + 1), "none, or too many");
}

int __real_pthread_create(pthread_t *thread, const pthread_attr_t *how, void *(*start)(void *),
			  void *argument);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *how, void *(*start)(void *),
			  void *argument);
int __real_pthread_join(pthread_t thread, void **result);
int __wrap_pthread_join(pthread_t thread, void **result);

/* So many can still be had, and so many run. */
static size_t threads_left = (size_t)-1, threads_live;

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *how, void *(*start)(void *),
			  void *argument)
{
	int error = threads_left ? __real_pthread_create(thread, how, start, argument) : EAGAIN;

	if (!error) {
		threads_left--;
		threads_live++;
	}
	return error;
}

int __wrap_pthread_join(pthread_t thread, void **result)
{
	threads_live--;
	return __real_pthread_join(thread, result);
}

static void no_threads(void)
{
	struct cc_threads *threads;
	size_t left;

	test_case(NULL, "no thread to be had");
	for (left = 0; left < WORKERS_MAX; left++) {
		test_sizes(left, 0, 0);
		threads_left = left;
		threads = cc_threads_open(WORKERS_MAX);
		CHECK(!threads == (left < WORKERS_MAX - 1), "of %zu", left);
		cc_threads_close(threads);
		CHECK(!threads_live, "%zu still run", threads_live);
	}
	threads_left = (size_t)-1;
}

/* A pool without threads: any order, any worker; and one that forgets the task before the last. */
static void shuffled(void *context, size_t count, void (*task)(void *, size_t, unsigned int),
		     void *argument)
{
	size_t order[TASKS_MAX], i;

	for (i = 0; i < count; i++) {
		size_t k = random_below(i + 1);

		order[i] = order[k];
		order[k] = i;
	}
	for (i = 0; i < count; i++)
		if (!context || order[i] + 2 != count)
			task(argument, order[i], (unsigned int)random_below(3));
}

static const struct cc_tasks in_any_order = {shuffled, NULL, 3};
static const struct cc_tasks forgetful = {shuffled, (void *)(uintptr_t)&in_any_order, 3};

/* Numbers, and what a plan takes. */
struct operands {
	cc_word *a, *b, *want, *got, *x, *y, *table;
};

static cc_word *room(size_t words)
{
	cc_word *r = malloc((words + 1) * sizeof(*r));

	if (!r)
		abort();
	return r;
}

static struct operands rooms(const struct cc_transform *t, size_t n)
{
	size_t all = cc_transform_words(t), table = cc_transform_table_words(t);

	return (struct operands){room(n),   room(n),   room(6 * n), room(6 * n),
				 room(all), room(all), room(table)};
}

static void release(const struct operands *o)
{
	free(o->a);
	free(o->b);
	free(o->want);
	free(o->got);
	free(o->x);
	free(o->y);
	free(o->table);
}

/* r = a b : what is kept of b, squared : a b in one go */
static void product(const struct cc_transform *by, cc_word *r, const struct operands *o, size_t n,
		    const struct cc_progress *progress)
{
	struct cc_transform t = *by;
	struct cc_watch w = {progress, 0, 0, 0};

	if (t.radix) {
		size_t each = 64 / CC_WORD_BITS;

		cc_transform_open(&t, o->table, &w);
		cc_transform_forward_radix(&t, o->x, (const cc_u64 *)o->a, n / each, &w);
		cc_transform_forward_radix(&t, o->y, (const cc_u64 *)o->b, n / each, &w);
		cc_transform_multiply(&t, o->x, o->y, &w);
		cc_transform_inverse_radix(&t, (cc_u64 *)r, 2 * n / each, o->x, &w);
		cc_transform_times_radix(&t, (cc_u64 *)(r + 4 * n), 2 * n / each,
					 (const cc_u64 *)o->a, n / each, o->x, o->y, &w);
		cc_transform_multiply(&t, o->y, o->y, &w);
		cc_transform_inverse_radix(&t, (cc_u64 *)(r + 2 * n), 2 * n / each, o->y, &w);
		return;
	}
	cc_transform_open(&t, o->table, &w);
	cc_transform_forward(&t, o->x, o->a, n, &w);
	cc_transform_forward(&t, o->y, o->b, n, &w);
	cc_transform_multiply(&t, o->x, o->y, &w);
	cc_transform_inverse(&t, r, 2 * n, o->x, &w);
	cc_transform_times(&t, r + 4 * n, 2 * n, o->a, n, o->x, o->y, &w);
	cc_transform_multiply(&t, o->y, o->y, &w);
	cc_transform_inverse(&t, r + 2 * n, 2 * n, o->y, &w);
}

/* The kinds of transforms: so many primes, and the bits of a digit; or a radix. */
static const struct {
	unsigned int primes, bits;
} kinds[] = {{3, 64}, {4, 80}, {5, 104}, {4, 0}};

#define KINDS COUNT(kinds)

/* The greatest there are, so that carries go all the way; or any. */
static void fill(cc_word *a, size_t n, uint64_t radix)
{
	int greatest = random_below(3) == 0;
	uint64_t *places = (uint64_t *)a;
	size_t i;

	if (!radix) {
		if (greatest)
			memset(a, 0xff, n * sizeof(*a));
		else
			random_words(a, n);
		return;
	}
	for (i = 0; i < n * CC_WORD_BITS / 64; i++)
		places[i] = greatest ? radix - 1 : random_u64() % radix;
}

/* Numbers whose transform has a ring of @quarters 2^13 coefficients, or some more. */
static void one(size_t kind, size_t quarters, const struct cc_tasks *tasks)
{
	const struct cc_progress progress = {.tasks = tasks};
	size_t digits = (quarters << 12) - random_below(1000), n;
	struct cc_transform t;
	struct operands o;

	n = digits * (kinds[kind].bits ? kinds[kind].bits : 128) / CC_WORD_BITS;
	n -= n % 2;
	test_sizes(n, kind, quarters);
	if (kinds[kind].bits) {
		/* whichever kind it is for, it has a coefficient for each of these */
		cc_transform_plan(&t, digits * 104 / CC_WORD_BITS, digits * 104 / CC_WORD_BITS);
		t.primes = kinds[kind].primes;
		t.bits = kinds[kind].bits;
	} else if (!cc_transform_plan_radix(&t, n * CC_WORD_BITS / 64, n * CC_WORD_BITS / 64,
					    CC_TRANSFORM_RADIX_MAX)) {
		return;
	}
	o = rooms(&t, n);
	fill(o.a, n, t.radix);
	fill(o.b, n, t.radix);
	product(&t, o.want, &o, n, NULL);
	memset(o.got, 0x5a, 6 * n * sizeof(*o.got));
	product(&t, o.got, &o, n, &progress);
	CHECK(!memcmp(o.got, o.want, 6 * n * sizeof(*o.got)), "%u primes, length %zu", t.primes,
	      t.ring.length);
	release(&o);
}

/* At a scale below 1 one length of each kind, drawn. */
static void every(const struct cc_tasks *tasks)
{
	bool all = test_scaled(4) >= 4;
	size_t kind, quarters;

	for (kind = 0; kind < KINDS; kind++) {
		if (!all)
			one(kind, 4 + random_below(4), tasks);
		for (quarters = 4; all && quarters <= 7; quarters++)
			one(kind, quarters, tasks);
	}
}

static void in_parts(const char *tier)
{
	struct cc_threads *threads = cc_threads_open(3);

	test_case(tier, "in any order");
	every(&in_any_order);
	test_case(tier, "by three threads");
	CHECK(threads, "no threads");
	if (threads)
		every(cc_threads_tasks(threads));
	cc_threads_close(threads);
}

static void lost(const void *context)
{
	size_t kind;

	test_case(NULL, "a part that is lost");
	for (kind = 0; kind + 1 < KINDS; kind++)
		one(kind, 7, context);
}

/* Each time a little later, and only in the thread that asked. */
struct stop {
	pthread_t caller;
	size_t left;
	int elsewhere;
};

static int stop(void *context, cc_u64 done, cc_u64 total)
{
	struct stop *s = context;

	(void)done;
	(void)total;
	if (!pthread_equal(pthread_self(), s->caller))
		s->elsewhere = 1;
	return !s->left || !--s->left;
}

static void stopped(void)
{
	struct cc_threads *threads = cc_threads_open(3);
	size_t n = 60000 * (64 / CC_WORD_BITS), after;
	struct cc_transform t;
	struct operands o;

	test_case(NULL, "stopped");
	CHECK(threads, "no threads");
	if (!threads)
		return;
	cc_transform_plan(&t, n, n);
	o = rooms(&t, n);
	random_words(o.a, n);
	random_words(o.b, n);
	for (after = 1; after < 200; after += 1 + random_below(8)) {
		struct stop s = {pthread_self(), after, 0};
		const struct cc_progress progress = {stop, &s, cc_threads_tasks(threads)};

		product(&t, o.got, &o, n, &progress);
		CHECK(!s.elsewhere, "asked in another thread");
	}
	cc_threads_close(threads);
	release(&o);
}

int main(int argc, char **argv)
{
	test_begin(argc, argv);
	pool();
	no_threads();
	test_tiers(in_parts);
	stopped();
	test_control("parts in any order", false, lost, &in_any_order);
	test_control("a part that is lost", true, lost, &forgetful);
	return test_end();
}
