/* SPDX-License-Identifier: MIT */
/* report.h - what is known of a capture, or of all. */
#ifndef CCVERIFY_REPORT_H
#define CCVERIFY_REPORT_H

#include "../src/verify/batch.h"

struct report {
	const char *name;
	enum cc_capture_format format;
	cc_u64 frames, bytes, without;
	cc_u64 latest; /* the time of its last packet */
	cc_u64 count[CC_PACKET_PROTOCOLS][CC_VERDICTS];
	cc_u64 quoted[CC_PACKET_PROTOCOLS][CC_VERDICTS];
	cc_u64 reason[CC_PACKET_REASONS];
	/* the most frequent first, once report_order() was called */
	struct batch_unknown *unknown;
	size_t unknown_count, unknown_room;
	struct batch_interface *interface;
	size_t interface_count, interface_room;
	struct tally wrong;
	struct learned learned;
	int doubted;
};

void report_free(struct report *r);
/* Add what a batch was found to have. */
void report_add(struct report *r, const struct batch *b);
/* Add the counts of @from, of another capture. */
void report_sum(struct report *r, const struct report *from);
/* Make the counts final; whether any changed. */
int report_settle(struct report *r);
void report_order(struct report *r);

/* The number of checksums with this verdict. */
cc_u64 report_verdicts(const struct report *r, unsigned int verdict);
/* The name of an interface, or NULL if it has none. */
const char *report_interface(const struct report *r, uint32_t number);

#endif /* CCVERIFY_REPORT_H */
