// SPDX-License-Identifier: MIT
/* PIM: RFC 7761, 4.9. */
#include "walk.h"

#define VERSION_TYPE 0
#define VERSION	     2
#define REGISTER     (VERSION << 4 | 1)
#define CHECKSUM     2
#define HEADER	     4
#define FLAGS	     4 /* a Register's */
#define NULL_FLAG    0x40
#define PACKET	     8 /* where the packet begins that it carries */

/* A Null-Register carries only a header, whose checksum may be omitted. */
static void dummy(struct cc_walk *w)
{
	const unsigned char *p = w->data + w->at;

	w->family = 4;
	w->source = p + 12;
	w->destination = p + 16;
	if (get16(p + 10))
		cc_walk_sum(w, CC_PACKET_IPV4, 10, 20, (size_t)(p[0] & 15) * 4, 0);
	else
		cc_walk_add(w, CC_PACKET_IPV4, CC_PACKET_NONE)->field = w->at + 10;
}

enum step cc_walk_pim(struct cc_walk *w)
{
	const unsigned char *p = w->data + w->at;
	size_t length = w->end - w->at;
	struct cc_packet_layer *f;
	int reason = readable(w, HEADER), null;

	/* after the IPv6 header in a Null-Register, which may have no payload */
	if (!length)
		return END;
	if (reason == REACHED && p[VERSION_TYPE] >> 4 != VERSION)
		reason = CC_PACKET_MALFORMED;
	if (reason != REACHED)
		return cc_walk_give_up(w, CC_PACKET_PIM, reason);
	if (p[VERSION_TYPE] != REGISTER) {
		cc_walk_sum(w, CC_PACKET_PIM, CHECKSUM, HEADER, length, w->family == 6);
		return END;
	}
	f = cc_walk_sum(w, CC_PACKET_PIM, CHECKSUM, PACKET, PACKET, w->family == 6);
	if (f->verdict == CC_PACKET_UNVERIFIABLE)
		return END;
	/* some routers sum the whole packet, which must be accepted, too */
	reason = reach(w, length);
	if (reason == REACHED) {
		cc_walk_judge_also(w, f, length,
				   w->family == 6 ? cc_walk_pseudo_header(w, length) : 0);
	} else if (f->verdict == CC_PACKET_BAD) {
		f->verdict = CC_PACKET_UNVERIFIABLE;
		f->reason = (unsigned char)reason;
		f->expected = 0;
	}
	null = reach(w, PACKET + 20) == REACHED && p[FLAGS] & NULL_FLAG && p[PACKET] >> 4 == 4;
	w->at += PACKET;
	if (null)
		dummy(w);
	return null || w->at == w->end ? END : IP;
}
