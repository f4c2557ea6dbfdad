/* SPDX-License-Identifier: MIT */
/*
 * learned.h - what a capture shows of its senders beyond single packets, for vantage.h's rules.
 *
 * Memory is bounded, and so is the time that a scan of many hosts takes: pairs of hosts beyond the
 * most are taken to have no right sum.
 */
#ifndef CC_VERIFY_LEARNED_H
#define CC_VERIFY_LEARNED_H

#include <carrychain/vantage.h>

#include "tally.h"

/* The most pairs of a capture, and of a batch. */
#define LEARNED_MOST	     65536
#define LEARNED_MOST_AT_ONCE 1024

/* Initialized to zeros. */
struct learned {
	/* a hash table: cc_vantage_pair() with the kinds of right sums in its low bits, or 0 */
	cc_u64 *slot;
	size_t count, room;
	struct cc_vantage_macs macs;
};

void learned_free(struct learned *l);
void learned_clear(struct learned *l);

/* Note right sums of these @kinds, not 0, of @pair, unless it would be beyond @most.  CC_ENOMEM. */
int learned_right(struct learned *l, cc_u64 pair, unsigned int kinds, size_t most);

/* Add what @from has.  CC_ENOMEM. */
int learned_add(struct learned *l, const struct learned *from);

/*
 * Set the verdict and evidence of each row of @sums that may be deferred.  *@changed is set if a
 * verdict differs from the one that it was counted under.  CC_ENOMEM.
 */
int learned_settle(const struct learned *l, struct tally *sums, int *changed);

#endif /* CC_VERIFY_LEARNED_H */
