/* SPDX-License-Identifier: MIT */
/*
 * causes.h - what explains bad sums, counted over many packets.
 *
 * A tally has a row for each flow, mistakes that fit, difference and sum found.  When half of
 * its rows are taken, new ones leave out what tells flows apart: of those, only single packets
 * are explained.
 */
#ifndef CC_VERIFY_CAUSES_H
#define CC_VERIFY_CAUSES_H

#include <carrychain/cause.h>

#include "tally.h"

/* Count bad layer @f, which @causes fit.  CC_ENOMEM. */
int causes_count(struct tally *t, const struct cc_packet_layer *f, uint32_t interface,
		 const struct cc_causes *causes);
int causes_add(struct tally *t, const struct tally *from);

/* Count who talks to whom in a packet.  CC_ENOMEM. */
int causes_talk(struct tally *talks, const struct cc_packet_layers *layers);

/*
 * Sets @some[bad->count] to the rows of @bad, with the mistakes that other rows and @talks show
 * to fit: an address or port rewritten, a sum in several segments, and, where nothing else fits,
 * the same change in all packets of a flow.  CC_ENOMEM.
 */
int causes_settle(struct cc_cause_count *some, const struct tally *bad, const struct tally *talks);

#endif /* CC_VERIFY_CAUSES_H */
