/* SPDX-License-Identifier: MIT */
/*
 * ct.h - the calls whose time is checked: every function of fixed.h, with operands of
 * which only the widths, and what fixed.h says that it shows, are public.
 */
#ifndef TESTS_CT_H
#define TESTS_CT_H

#include <carrychain/montgomery.h>

/* What a call works on: all of it secret, but what ct_call.shows says. */
struct ct_operands {
	cc_word *a, *b, *m; /* n words; many of them for the batch */
	cc_word mask;
	size_t n, count; /* count: a shift's, secret */
	cc_word *r, *q;	 /* 2n words; many of them */
};

struct ct_call {
	const char *name;
	void (*run)(struct ct_operands *o);
	/*
	 * What of the modulus shows: that it is odd, or even with its top bit set, or not 0;
	 * or all of it, and of the rest, by just one report, that one number was enough.
	 */
	enum { CT_NOTHING, CT_ODD, CT_EVEN, CT_NOT_ZERO, CT_TRIES } shows;
	size_t lanes; /* operands of each kind, one after the other */
};

extern const struct ct_call ct_calls[];
extern const size_t ct_calls_count;

#endif /* TESTS_CT_H */
