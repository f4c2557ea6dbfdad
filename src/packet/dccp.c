// SPDX-License-Identifier: MIT
/* DCCP: RFC 4340, 5.1 and 9. */
#include "walk.h"

#include <carrychain/checksum.h>

#define DATA_OFFSET	4 /* in words of 4 bytes */
#define COVERAGE	5 /* in the lower half of it */
#define CHECKSUM	6
#define EXTENDED	8 /* in its lowest bit: sequence numbers of 48 bits */
#define HEADER		12
#define EXTENDED_HEADER 16

enum step cc_walk_dccp(struct cc_walk *w)
{
	const unsigned char *p = w->data + w->at;
	size_t length = w->end - w->at, header, covered;
	struct cc_packet_layer *f;
	int reason = readable(w, HEADER);

	if (reason == REACHED) {
		header = (size_t)p[DATA_OFFSET] * 4;
		covered = p[COVERAGE] & 15;
		/* everything; or the header, its options and some words of data */
		covered = covered ? header + (covered - 1) * 4 : length;
		if (header < (p[EXTENDED] & 1 ? EXTENDED_HEADER : HEADER) || header > length)
			reason = CC_PACKET_MALFORMED;
		else
			reason = reach(w, covered);
	}
	/* the pseudo-header has the whole length, including data that are not covered */
	if (reason == REACHED)
		f = cc_walk_judge(w, CC_PACKET_DCCP, CHECKSUM, covered,
				  cc_walk_pseudo_header(w, length));
	else
		f = cc_walk_unverifiable(w, CC_PACKET_DCCP, reason);
	cc_walk_ports(w, f);
	return END;
}
