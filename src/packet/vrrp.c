// SPDX-License-Identifier: MIT
/*
 * VRRP: version 2, RFC 3768, 5.3.8; version 3, RFC 5798, 5.2.8.  CARP, which uses VRRP's number
 * and version 2, has the same checksum in the same place.
 */
#include "walk.h"

#define VERSION	 0 /* in its upper half */
#define CHECKSUM 6
#define HEADER	 8

enum step cc_walk_vrrp(struct cc_walk *w)
{
	const unsigned char *p = w->data + w->at;
	size_t length = w->end - w->at;
	unsigned int version;
	struct cc_packet_layer *f;
	int reason = readable(w, HEADER);

	if (reason != REACHED)
		return cc_walk_give_up(w, CC_PACKET_VRRP, reason);
	version = p[VERSION] >> 4;
	if (version != 2 && version != 3)
		return cc_walk_give_up(w, CC_PACKET_VRRP, CC_PACKET_MALFORMED);
	f = cc_walk_sum(w, CC_PACKET_VRRP, CHECKSUM, HEADER, length, version == 3);
	/*
	 * Over IPv4, RFC 9568 omits the pseudo-header, as many routers did before; others include
	 * it, reading RFC 5798 as Wireshark does.  A bad checksum is reported against the latter.
	 */
	if (version == 3 && w->family == 4)
		cc_walk_judge_also(w, f, length, 0);
	return END;
}
