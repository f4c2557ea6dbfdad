// SPDX-License-Identifier: MIT
/* The pool of threads that CARRYCHAIN_THREADS asks for. */
#include "pool.h"

#include <carrychain/threads.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static unsigned int workers;

/* Both belong to the thread that changed @taken from 0. */
static int taken;
static struct cc_threads *pool;

/* A child of fork() has none of the pool's threads: it starts its own, and leaves its parent's
 * memory. */
static void forget(void)
{
	pool = NULL;
	__atomic_store_n(&taken, 0, __ATOMIC_RELAXED);
}

static void read_environment(void)
{
	const char *text = getenv("CARRYCHAIN_THREADS");
	unsigned long n;
	char *end;

	if (!text || !*text)
		return;
	n = strtoul(text, &end, 10);
	if (*text < '0' || *text > '9' || *end || !n || n > CC_THREADS_MAX)
		fprintf(stderr, "carrychain: CARRYCHAIN_THREADS is no number from 1 to %d: %s\n",
			CC_THREADS_MAX, text);
	else if (!pthread_atfork(NULL, NULL, forget))
		workers = (unsigned int)n;
}

/* At exit, and before the library is unloaded. */
__attribute__((destructor)) static void end(void)
{
	if (!__atomic_exchange_n(&taken, 1, __ATOMIC_ACQUIRE))
		cc_threads_close(pool);
}

/* What may end this thread's work; but not the signals that the work itself causes. */
static void hold(struct cc_shared_work *work)
{
	static const int own[] = {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGSYS, SIGTRAP};
	sigset_t others;
	size_t i;

	sigfillset(&others);
	for (i = 0; i < sizeof(own) / sizeof(own[0]); i++)
		sigdelset(&others, own[i]);
	pthread_sigmask(SIG_BLOCK, &others, &work->signals);
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &work->cancel);
}

static void release(struct cc_shared_work *work)
{
	pthread_setcancelstate(work->cancel, &work->cancel);
	pthread_sigmask(SIG_SETMASK, &work->signals, NULL);
}

struct cc_watch *cc_pool_take(struct cc_shared_work *work)
{
	pthread_once(&once, read_environment);
	if (workers < 2)
		return NULL;
	hold(work);
	if (!__atomic_exchange_n(&taken, 1, __ATOMIC_ACQUIRE)) {
		if (!pool)
			pool = cc_threads_open(workers);
		if (pool) {
			work->progress = (struct cc_progress){.tasks = cc_threads_tasks(pool)};
			work->watch = (struct cc_watch){.progress = &work->progress};
			return &work->watch;
		}
		/* no thread, or no memory: perhaps next time */
		__atomic_store_n(&taken, 0, __ATOMIC_RELEASE);
	}
	release(work);
	return NULL;
}

void cc_pool_give(struct cc_shared_work *work)
{
	__atomic_store_n(&taken, 0, __ATOMIC_RELEASE);
	release(work);
}

void cc_pool_mul_long(cc_word *r, const cc_word *a, size_t an, const cc_word *b, size_t bn,
		      cc_word *scratch)
{
	struct cc_shared_work work;

	cc_natural_mul_watched(r, a, an, b, bn, scratch, cc_pool_open(&work, an + bn));
	cc_pool_close(&work);
}

void cc_pool_sqr_long(cc_word *r, const cc_word *a, size_t n, cc_word *scratch)
{
	struct cc_shared_work work;

	cc_natural_sqr_watched(r, a, n, scratch, cc_pool_open(&work, 2 * n));
	cc_pool_close(&work);
}
