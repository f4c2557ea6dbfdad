// SPDX-License-Identifier: MIT
/*
 * interrupt.c - a timer that tells a running call when to ask whether to stop.
 *
 * One thread sets the watched call's `due` every RING_TICK ms.  The first call starts the thread.
 * After PATIENCE ticks without a call it sleeps, until a call wakes it; so a short call usually
 * costs a lock and no more.  A child of fork() has no such thread, and starts one with its next
 * call.  If no thread can be started, calls run to completion.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "interrupt.h"

#include <pthread.h>
#include <signal.h>
#include <time.h>

#define PATIENCE 25

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t wanted = PTHREAD_COND_INITIALIZER;
/* Protected by the lock. */
static struct ring_context *watched;
static int running, asleep;

static __thread struct ring_context *current;

static void *tick(void *unused)
{
	static const struct timespec interval = {0, RING_TICK * 1000000};
	int idle = 0;

	pthread_mutex_lock(&lock);
	for (;;) {
		idle = watched ? 0 : idle + 1;
		if (watched)
			__atomic_store_n(&watched->due, 1, __ATOMIC_RELAXED);
		asleep = idle > PATIENCE;
		while (asleep)
			pthread_cond_wait(&wanted, &lock);
		pthread_mutex_unlock(&lock);
		nanosleep(&interval, NULL);
		pthread_mutex_lock(&lock);
	}
	return unused;
}

static void before_fork(void)
{
	pthread_mutex_lock(&lock);
}

static void after_fork(void)
{
	pthread_mutex_unlock(&lock);
}

static void in_child(void)
{
	running = 0;
	asleep = 0;
	pthread_mutex_unlock(&lock);
}

/* The thread blocks all signals: the program's own threads handle them. */
static int begin(void)
{
	sigset_t all, before;
	pthread_t thread;
	int status;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	status = pthread_create(&thread, NULL, tick, NULL);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (!status)
		pthread_detach(thread);
	return !status;
}

static void fork_is_seen(void)
{
	pthread_atfork(before_fork, after_fork, in_child);
}

static void watch(struct ring_context *context)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, fork_is_seen);
	pthread_mutex_lock(&lock);
	watched = context;
	if (context && !running)
		running = begin();
	if (context && asleep) {
		asleep = 0;
		pthread_cond_signal(&wanted);
	}
	pthread_mutex_unlock(&lock);
}

struct ring_context *ring_watch(struct ring_context *context)
{
	struct ring_context *outer = current;

	current = context;
	if (context->ask)
		watch(context);
	return outer;
}

void ring_unwatch(struct ring_context *outer)
{
	if (current->ask)
		watch(outer);
	current = outer;
}

int ring_poll(struct ring_context *context)
{
	__atomic_store_n(&context->due, 0, __ATOMIC_RELAXED);
	if (!context->stopped && context->ask) {
		context->stopped = context->ask() != 0;
		/* ask() may have made calls, or forked: watch this call again */
		watch(context);
	}
	return context->stopped;
}

int ring_asked(void)
{
	if (!current)
		return 0;
	if (current->stopped)
		return 1;
	return __atomic_load_n(&current->due, __ATOMIC_RELAXED) && ring_poll(current);
}
