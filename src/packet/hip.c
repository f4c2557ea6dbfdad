// SPDX-License-Identifier: MIT
/* HIP: RFC 7401, 5.1. */
#include "walk.h"

#define LENGTH	 1 /* in units of 8 bytes, without the first */
#define CHECKSUM 4
#define HEADER	 40

enum step cc_walk_hip(struct cc_walk *w)
{
	const unsigned char *p = w->data + w->at;
	int reason = readable(w, HEADER);

	if (reason != REACHED)
		return cc_walk_give_up(w, CC_PACKET_HIP, reason);
	cc_walk_sum(w, CC_PACKET_HIP, CHECKSUM, HEADER, ((size_t)p[LENGTH] + 1) * 8, 1);
	return END;
}
