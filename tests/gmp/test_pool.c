// SPDX-License-Identifier: MIT
/*
 * CARRYCHAIN_THREADS: products shared by threads are those of one, whatever else the process does
 * meanwhile: other threads' products, fork(), signal handlers that don't return, cancellation.
 */
#include "../../gmp/mpn.h"
#include "../../gmp/pool.h"
#include "../../src/natural/product.h"
#include "../c/harness.h"

#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Words of a factor of the shortest shared product, and of the longest one here. */
#define LEAST (CC_POOL_LEAST / 2 + 1)
#define MOST  ((size_t)1 << 17)

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define WATCHED 1
/* a child of fork() has threads of its own */
const char *__tsan_default_options(void);
const char *__tsan_default_options(void)
{
	return "die_after_fork=0";
}
#endif
#endif
#ifndef WATCHED
#define WATCHED 0
#endif

struct factors {
	size_t an, bn;
	cc_word *a, *b, *product, *got;
};

static struct factors factors(size_t an, size_t bn)
{
	size_t n = 2 * (an + bn), scratch = cc_natural_mul_scratch(an, bn);
	cc_word *words = malloc((an + bn + n + scratch) * sizeof(*words));
	struct factors f = {an, bn, words, words + an, words + an + bn, words + 2 * (an + bn)};

	if (!words)
		abort();
	random_words(f.a, an + bn);
	cc_natural_mul(f.product, f.a, an, f.b, bn, words + an + bn + n);
	return f;
}

static bool are_right(const struct factors *f)
{
	size_t n = f->an + f->bn;

	memset(f->got, 0x5a, n * sizeof(*f->got));
	return cc_mpn_mul(f->got, f->a, (cc_mpn_size)f->an, f->b, (cc_mpn_size)f->bn) ==
		       f->product[n - 1] &&
	       !memcmp(f->got, f->product, n * sizeof(*f->got));
}

static struct factors long_factors(void)
{
	size_t bn = LEAST + random_below(MOST - LEAST);

	return factors(bn + random_below(MOST - bn + 1), bn);
}

static bool is_free(void)
{
	struct cc_shared_work work;
	struct cc_watch *w = cc_pool_open(&work, CC_POOL_LEAST + 1);

	cc_pool_close(&work);
	return w;
}

/* Whether the process has so many threads; ThreadSanitizer adds its own. */
static bool has_threads(unsigned int wanted)
{
	DIR *tasks = opendir("/proc/self/task");
	unsigned int count = 0;

	if (!tasks)
		abort();
	while (readdir(tasks))
		count++;
	closedir(tasks);
	return WATCHED || count - 2 == wanted;
}

/* What a child with that environment has: as many threads, and one line at most. */
struct setting {
	const char *text;
	unsigned int threads;
	bool is_said;
};

static void check_setting(const struct setting *s)
{
	struct factors f = factors(LEAST, LEAST), small = factors(LEAST - 1, LEAST - 1);
	char said[200];
	ssize_t length;
	int ends[2], status = -1;
	pid_t child;

	if (pipe(ends) || (child = fork()) < 0)
		abort();
	if (!child) {
		dup2(ends[1], STDERR_FILENO);
		if (s->text)
			setenv("CARRYCHAIN_THREADS", s->text, 1);
		else
			unsetenv("CARRYCHAIN_THREADS");
		if (!are_right(&small) || !has_threads(1))
			_exit(1);
		if (!are_right(&f) || !are_right(&f))
			_exit(2);
		if (!has_threads(s->threads))
			_exit(3);
		/* its destructor ends the pool */
		exit(is_free() == (s->threads > 1) ? 0 : 4);
	}
	close(ends[1]);
	length = read(ends[0], said, sizeof(said) - 1);
	close(ends[0]);
	waitpid(child, &status, 0);
	said[length > 0 ? length : 0] = '\0';
	CHECK(!status, "status %d with %s", status, s->text);
	CHECK((length > 0) == s->is_said, "with %s: %s", s->text, said);
	if (s->is_said)
		CHECK(strchr(said, '\n') == said + length - 1 && strstr(said, s->text), "%s", said);
	free(f.a);
	free(small.a);
}

static void settings(void)
{
	static const struct setting all[] = {
		{NULL, 1, false}, {"", 1, false},    {"1", 1, false},
		{"2", 2, false},  {"5", 5, false},   {"0", 1, true},
		{"-2", 1, true},  {" 3", 1, true},   {"3x", 1, true},
		{"all", 1, true}, {"1025", 1, true}, {"36893488147419103235", 1, true},
	};
	size_t i;

	test_case(NULL, "the environment's number");
	for (i = 0; i < COUNT(all); i++)
		check_setting(&all[i]);
}

static void products(void)
{
	size_t times;

	test_case(NULL, "products");
	for (times = test_scaled(20); times; times--) {
		struct factors f = long_factors();

		test_sizes(f.an, f.bn, 0);
		CHECK(are_right(&f), "another product");
		memcpy(f.b, f.a, f.bn * sizeof(*f.b));
		cc_mpn_sqr(f.got, f.b, (cc_mpn_size)f.bn);
		cc_mpn_mul(f.product, f.a, (cc_mpn_size)f.bn, f.b, (cc_mpn_size)f.bn);
		CHECK(!memcmp(f.got, f.product, 2 * f.bn * sizeof(*f.got)), "another square");
		free(f.a);
	}
	CHECK(is_free(), "the pool is taken");
}

struct multiplying {
	struct factors f;
	size_t times;
	size_t wrong;
};

static void *multiply(void *argument)
{
	struct multiplying *m = argument;
	size_t i;

	for (i = 0; i < m->times; i++)
		m->wrong += !are_right(&m->f);
	return NULL;
}

#define TOGETHER 4

static void threads(void)
{
	struct multiplying m[TOGETHER];
	pthread_t thread[TOGETHER];
	size_t i;

	test_case(NULL, "threads");
	for (i = 0; i < TOGETHER; i++) {
		m[i] = (struct multiplying){long_factors(), test_scaled(10), 0};
		if (pthread_create(&thread[i], NULL, multiply, &m[i]))
			abort();
	}
	for (i = 0; i < TOGETHER; i++) {
		pthread_join(thread[i], NULL);
		CHECK(!m[i].wrong, "%zu of %zu products are wrong", m[i].wrong, m[i].times);
		free(m[i].f.a);
	}
	CHECK(is_free(), "the pool is taken");
}

/* Children while another thread multiplies; each multiplies, with threads of its own. */
static void children(void)
{
	struct multiplying m = {long_factors(), test_scaled(20), 0};
	struct factors f = long_factors();
	pthread_t thread;
	size_t i;

	test_case(NULL, "fork");
	if (pthread_create(&thread, NULL, multiply, &m))
		abort();
	for (i = 0; i < test_scaled(10); i++) {
		pid_t child = fork();
		int status = -1;

		/* without exit(), which takes what the other thread held for a leak */
		if (!child)
			_exit(are_right(&f) && has_threads(3) && is_free() ? 0 : 1);
		waitpid(child, &status, 0);
		CHECK(!status, "the child's status is %d", status);
	}
	pthread_join(thread, NULL);
	CHECK(!m.wrong, "%zu of %zu products are wrong", m.wrong, m.times);
	CHECK(are_right(&f) && is_free(), "not as before");
	free(m.f.a);
	free(f.a);
}

static sigjmp_buf out;
static volatile sig_atomic_t jumps;

static void leave(int signal)
{
	(void)signal;
	jumps++;
	siglongjmp(out, 1);
}

/* Without malloc(), out of which no handler may jump. */
static bool are_right_without_room(const struct factors *f, cc_word *scratch)
{
	size_t n = f->an + f->bn;
	struct cc_shared_work work;
	struct cc_watch *w;

	memset(f->got, 0x5a, n * sizeof(*f->got));
	w = cc_pool_open(&work, n);
	cc_natural_mul_watched(f->got, f->a, f->an, f->b, f->bn, scratch, w);
	cc_pool_close(&work);
	return w && !memcmp(f->got, f->product, n * sizeof(*f->got));
}

/* A handler that leaves by siglongjmp(): whatever begins then is alone in the memory. */
static void jumping(void)
{
	static timer_t timer;
	struct sigaction action = {.sa_handler = leave};
	struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1};
	const struct itimerspec every = {{0, 3000000}, {0, 3000000}};
	struct factors f = long_factors();
	cc_word *scratch = malloc(cc_natural_mul_scratch(f.an, f.bn) * sizeof(*scratch));
	volatile size_t wrong = 0, products = 0;
	const int wanted = (int)test_scaled(50);

	test_case(NULL, "siglongjmp");
	sigemptyset(&action.sa_mask);
	sigaction(SIGUSR1, &action, NULL);
	if (timer_create(CLOCK_MONOTONIC, &event, &timer))
		abort();
	sigsetjmp(out, 1);
	timer_settime(timer, 0, &every, NULL);
	while (jumps < wanted) {
		wrong += !are_right_without_room(&f, scratch);
		products++;
	}
	timer_delete(timer);
	CHECK(!wrong, "%zu of %zu products are wrong, after %d jumps", wrong, products, (int)jumps);
	CHECK(is_free(), "the pool is taken");
	free(scratch);
	free(f.a);
}

static void *multiply_on(void *argument)
{
	for (;;) {
		are_right(argument);
		pthread_testcancel();
	}
	return NULL;
}

static void cancelled(void)
{
	struct factors f = long_factors();
	pthread_t thread;
	size_t i;

	test_case(NULL, "cancellation");
	for (i = 0; i < test_scaled(10); i++) {
		if (pthread_create(&thread, NULL, multiply_on, &f))
			abort();
		usleep((useconds_t)random_below(5000));
		pthread_cancel(thread);
		pthread_join(thread, NULL);
		CHECK(is_free() && are_right(&f), "not as before");
	}
	free(f.a);
}

int main(int argc, char **argv)
{
	test_begin(argc, argv);
	/* before the first product here, which reads the environment */
	settings();
	setenv("CARRYCHAIN_THREADS", "3", 1);
	products();
	threads();
	children();
	jumping();
	cancelled();
	return test_end();
}
