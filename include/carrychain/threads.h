/* SPDX-License-Identifier: MIT */
/*
 * threads.h - processors for long work: POSIX threads behind the tasks of word.h.
 *
 * Not for the kernel, and not for machines without POSIX threads.
 */
#ifndef CARRYCHAIN_THREADS_H
#define CARRYCHAIN_THREADS_H

#include <carrychain/word.h>

#ifdef __cplusplus
extern "C" {
#endif

struct cc_threads;

/* More than any machine has processors for. */
#define CC_THREADS_MAX 1024

/*
 * So many workers, from 1 to CC_THREADS_MAX: the thread that gives work to them is one of them, the
 * others wait until there is some.  They take no signals.  NULL if it is another number, or the
 * system gives no memory or no thread.
 */
struct cc_threads *cc_threads_open(unsigned int workers);

/* What to put into a cc_progress; for one piece of work at a time, and none inside a task. */
const struct cc_tasks *cc_threads_tasks(const struct cc_threads *threads);

/* Once no work is under way; NULL is nothing to close. */
void cc_threads_close(struct cc_threads *threads);

#ifdef __cplusplus
}
#endif

#endif /* CARRYCHAIN_THREADS_H */
