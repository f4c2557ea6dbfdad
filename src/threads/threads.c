// SPDX-License-Identifier: MIT
/* The only file that needs POSIX threads, for example pthread_sigmask(). */
#define _POSIX_C_SOURCE 200809L
#include <carrychain/threads.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>

/*
 * The next tasks usually follow at once, and waking a thread is slow: so a worker polls this
 * often before it sleeps, and yields the processor in between.
 */
#define ASKS 200

struct work {
	void (*task)(void *argument, size_t i, unsigned int worker);
	void *argument;
	size_t count;
};

struct worker {
	struct cc_threads *threads;
	pthread_t thread;
	unsigned int number;
};

/* All members except tasks and workers are protected by the lock. */
struct cc_threads {
	struct cc_tasks tasks;
	pthread_mutex_t lock;
	pthread_cond_t begun, done;
	struct work work;
	size_t next; /* the first task that is not taken */
	/* these are also read without the lock */
	size_t left; /* tasks that have not returned */
	unsigned int round;
	int closing;
	struct worker worker[]; /* except number 0, the calling thread */
};

/* Runs tasks until none is left; called and left with the lock held. */
static void take(struct cc_threads *t, unsigned int number)
{
	while (t->next < t->work.count) {
		const struct work work = t->work;
		size_t i = t->next++;

		pthread_mutex_unlock(&t->lock);
		work.task(work.argument, i, number);
		pthread_mutex_lock(&t->lock);
		if (!__atomic_sub_fetch(&t->left, 1, __ATOMIC_RELAXED))
			pthread_cond_signal(&t->done);
	}
}

static void *wait(void *argument)
{
	struct worker *worker = argument;
	struct cc_threads *t = worker->threads;

	pthread_mutex_lock(&t->lock);
	for (;;) {
		unsigned int round = t->round, i;

		take(t, worker->number);
		pthread_mutex_unlock(&t->lock);
		for (i = 0; i < ASKS && __atomic_load_n(&t->round, __ATOMIC_RELAXED) == round; i++)
			sched_yield();
		pthread_mutex_lock(&t->lock);
		while (t->round == round && !t->closing)
			pthread_cond_wait(&t->begun, &t->lock);
		if (t->closing)
			break;
	}
	pthread_mutex_unlock(&t->lock);
	return NULL;
}

static void run(void *context, size_t count,
		void (*task)(void *argument, size_t i, unsigned int worker), void *argument)
{
	struct cc_threads *t = context;
	unsigned int i;

	pthread_mutex_lock(&t->lock);
	t->work = (struct work){task, argument, count};
	t->next = 0;
	__atomic_store_n(&t->left, count, __ATOMIC_RELAXED);
	__atomic_add_fetch(&t->round, 1, __ATOMIC_RELAXED);
	pthread_cond_broadcast(&t->begun);
	take(t, 0);
	pthread_mutex_unlock(&t->lock);
	for (i = 0; i < ASKS && __atomic_load_n(&t->left, __ATOMIC_RELAXED); i++)
		sched_yield();
	pthread_mutex_lock(&t->lock);
	while (t->left)
		pthread_cond_wait(&t->done, &t->lock);
	pthread_mutex_unlock(&t->lock);
}

/* The worker blocks all signals; the calling thread's mask is restored. */
static int start(struct worker *worker)
{
	sigset_t all, before;
	int error;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	error = pthread_create(&worker->thread, NULL, wait, worker);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return error;
}

struct cc_threads *cc_threads_open(unsigned int workers)
{
	struct cc_threads *t;
	unsigned int i;

	if (!workers || workers > CC_THREADS_MAX)
		return NULL;
	t = calloc(1, sizeof(*t) + workers * sizeof(*t->worker));
	if (!t)
		return NULL;
	pthread_mutex_init(&t->lock, NULL);
	pthread_cond_init(&t->begun, NULL);
	pthread_cond_init(&t->done, NULL);
	t->tasks = (struct cc_tasks){run, t, 1};
	for (i = 1; i < workers; i++, t->tasks.workers++) {
		t->worker[i] = (struct worker){.threads = t, .number = i};
		if (start(&t->worker[i])) {
			cc_threads_close(t);
			return NULL;
		}
	}
	return t;
}

const struct cc_tasks *cc_threads_tasks(const struct cc_threads *threads)
{
	return &threads->tasks;
}

void cc_threads_close(struct cc_threads *threads)
{
	unsigned int i;

	if (!threads)
		return;
	pthread_mutex_lock(&threads->lock);
	threads->closing = 1;
	pthread_cond_broadcast(&threads->begun);
	pthread_mutex_unlock(&threads->lock);
	for (i = 1; i < threads->tasks.workers; i++)
		pthread_join(threads->worker[i].thread, NULL);
	pthread_cond_destroy(&threads->done);
	pthread_cond_destroy(&threads->begun);
	pthread_mutex_destroy(&threads->lock);
	free(threads);
}
