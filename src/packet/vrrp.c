// SPDX-License-Identifier: MIT
/*
 * VRRP: version 2, RFC 3768, 5.3.8; version 3, RFC 5798, 5.2.8.  CARP, which has no number of
 * its own and says that it is version 2, has its checksum at the same place, over the same.
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
	 * Over IPv4 RFC 9568 leaves the pseudo-header out, and so had many routers; others read
	 * RFC 5798 as Wireshark does, with it, which is what is expected of one that is bad.
	 */
	if (version == 3 && w->family == 4)
		cc_walk_judge_also(w, f, length, 0);
	return END;
}
