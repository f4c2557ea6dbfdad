/* SPDX-License-Identifier: MIT */
/* native.h - the little that the bindings do in C of their own. */
#ifndef CARRYCHAIN_BINDINGS_NATIVE_H
#define CARRYCHAIN_BINDINGS_NATIVE_H

#include <carrychain/checksum.h>
#include <carrychain/cpu.h>
#include <carrychain/fib.h>
#include <carrychain/fixed.h>
#include <carrychain/limbs.h>
#include <carrychain/montgomery.h>
#include <carrychain/natural.h>
#include <carrychain/prime.h>
#include <carrychain/threads.h>
#include <carrychain/u128.h>

#include "../pcap/batch.h"
#include "../pcap/rows.h"
#include "../ring/call/runtime/runtime.h"

/* The context of a cc_progress whose step is watch_step. */
struct watch {
	void *listener;	   /* what watch_report gets; NULL if nobody listens */
	uint64_t interval; /* nanoseconds between two reports, at least */
	uint64_t next;	   /* when the next is due */
	int stop;	   /* any thread sets it; the work ends at its next step */
};

/*
 * A step may be far shorter than a call into Python: this asks the clock first, and
 * needs no GIL unless a report is due.
 */
int watch_step(void *context, cc_u64 done, cc_u64 total);
/* Python's side of it. */
int watch_report(void *listener, cc_u64 done, cc_u64 total);

/* Whether a handler of a signal raised: Python's answer to a compiled program that asks. */
int ring_signals(void);

/* The compiler that built this, and its version. */
const char *compiler_name(void);

/* q[i] = floor(a[i] * b[i] / c[i]), by u128.h */
void muldiv_each(uint64_t *q, const uint64_t *a, const uint64_t *b, const uint64_t *c,
		 size_t count);

/*
 * ns[i] = the time that F(n[i]), @rounds times over, took, each time from no memory to the
 * number: a clock may tick as seldom as every 10 ns, which is as long as one small F(n).
 */
int fib_sweep(uint64_t *ns, const uint64_t *n, size_t count, size_t rounds,
	      enum cc_fib_strategy strategy);

/*
 * (r B^n + a[n]) mod modulus for r < modulus, B being a word's base; and *r = (*r 10^count +
 * the value of @digits) mod modulus, for *r < modulus: CC_EINVAL if one is no digit.
 */
uint64_t residue_of_words(uint64_t r, const cc_word *a, size_t n, uint64_t modulus);
int residue_of_digits(uint64_t *r, const char *digits, size_t count, uint64_t modulus);

#endif /* CARRYCHAIN_BINDINGS_NATIVE_H */
