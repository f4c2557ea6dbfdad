/* SPDX-License-Identifier: MIT */
/*
 * threads.h - POSIX threads for long work, as the struct cc_tasks of word.h.
 *
 * Not available in the kernel, nor on systems without POSIX threads.
 */
#ifndef CARRYCHAIN_THREADS_H
#define CARRYCHAIN_THREADS_H

#include <carrychain/word.h>

#ifdef __cplusplus
extern "C" {
#endif

struct cc_threads;

/* The most workers: more than any machine has processors. */
#define CC_THREADS_MAX 1024

/*
 * Starts a pool of @workers, from 1 to CC_THREADS_MAX.  The thread that submits work is one of
 * them; the others wait for work.  They block all signals.  NULL if the number is out of
 * range, or if there is no memory or no thread.
 */
struct cc_threads *cc_threads_open(unsigned int workers);

/* The tasks for a struct cc_progress: one piece of work at a time, and none from within a task. */
const struct cc_tasks *cc_threads_tasks(const struct cc_threads *threads);

/* Ends the pool.  No work may be running.  NULL is allowed. */
void cc_threads_close(struct cc_threads *threads);

#ifdef __cplusplus
}
#endif

#endif /* CARRYCHAIN_THREADS_H */
