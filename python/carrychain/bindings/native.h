/* SPDX-License-Identifier: MIT */
/* native.h - the bindings' own functions in C. */
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

#include "../../../src/verify/batch.h"
#include "../../../src/verify/causes.h"
#include "../../../src/verify/rows.h"
#include "../../../src/verify/source.h"
#include "../ring/call/runtime/runtime.h"

/* The context of a cc_progress whose step is watch_step. */
struct watch {
	void *listener;	   /* passed to watch_report; NULL: no reports */
	uint64_t interval; /* the least nanoseconds between two reports */
	uint64_t next;	   /* when the next report is due */
	int stop;	   /* set by any thread; ends the work at its next step */
};

/*
 * A step may be far shorter than a call into Python.  So this reads the clock first, and takes the
 * GIL only if a report is due.
 */
int watch_step(void *context, cc_u64 done, cc_u64 total);
/* The report, implemented in Python. */
int watch_report(void *listener, cc_u64 done, cc_u64 total);

/* Whether a signal's handler has raised; compiled programs ask, Python implements it. */
int ring_signals(void);

/* The compiler that built this, and its version. */
const char *compiler_name(void);

/* q[i] = floor(a[i] * b[i] / c[i]), by u128.h */
void muldiv_each(uint64_t *q, const uint64_t *a, const uint64_t *b, const uint64_t *c,
		 size_t count);

/*
 * ns[i] = the time of @rounds computations of F(n[i]), each with its allocation.  Several rounds
 * are timed together, as a clock may tick only every 10 ns, the time of one small F(n).
 */
int fib_sweep(uint64_t *ns, const uint64_t *n, size_t count, size_t rounds,
	      enum cc_fib_strategy strategy);

/*
 * (r B^n + a[n]) mod modulus for r < modulus, where B is a word's base; and *r = (*r 10^count +
 * the value of @digits) mod modulus, for *r < modulus.  CC_EINVAL if a character is no digit.
 */
uint64_t residue_of_words(uint64_t r, const cc_word *a, size_t n, uint64_t modulus);
int residue_of_digits(uint64_t *r, const char *digits, size_t count, uint64_t modulus);

#endif /* CARRYCHAIN_BINDINGS_NATIVE_H */
