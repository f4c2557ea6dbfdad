// SPDX-License-Identifier: MIT
/* shim6: RFC 5533, 5. */
#include "walk.h"

#define NEXT_HEADER 0
#define LENGTH	    1 /* in units of 8 bytes, without the first */
#define PAYLOAD	    2 /* in its highest bit: no control message */
#define CHECKSUM    4
#define HEADER	    8

enum step cc_walk_shim6(struct cc_walk *w)
{
	const unsigned char *p = w->data + w->at;
	int reason = readable(w, HEADER);
	size_t length;

	if (reason != REACHED)
		return cc_walk_give_up(w, CC_PACKET_SHIM6, reason);
	/* the contents use a pseudo-header with addresses that only the two ends know */
	if (p[PAYLOAD] & 0x80)
		return cc_walk_unknown(w, CC_PACKET_IP_PROTOCOL, w->number);
	length = ((size_t)p[LENGTH] + 1) * 8;
	if (cc_walk_sum(w, CC_PACKET_SHIM6, CHECKSUM, HEADER, length, 0)->verdict ==
	    CC_PACKET_UNVERIFIABLE)
		return END;
	w->number = p[NEXT_HEADER];
	w->at += length;
	return PROTOCOL;
}
