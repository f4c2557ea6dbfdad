// SPDX-License-Identifier: MIT
/* RSVP: RFC 2205, 3.1.1. */
#include "walk.h"

#define CHECKSUM 2
#define LENGTH	 6
#define HEADER	 8

enum step cc_walk_rsvp(struct cc_walk *w)
{
	const unsigned char *p = w->data + w->at;
	int reason = readable(w, HEADER);

	if (reason != REACHED)
		return cc_walk_give_up(w, CC_PACKET_RSVP, reason);
	if (get16(p + CHECKSUM))
		cc_walk_sum(w, CC_PACKET_RSVP, CHECKSUM, HEADER, get16(p + LENGTH), 0);
	else
		cc_walk_add(w, CC_PACKET_RSVP, CC_PACKET_NONE)->field = w->at + CHECKSUM;
	return END;
}
