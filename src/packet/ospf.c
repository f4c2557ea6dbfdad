// SPDX-License-Identifier: MIT
/* OSPF: version 2, RFC 2328, A.3.1 and D; version 3, RFC 5340, A.3.1. */
#include "walk.h"

#include <carrychain/checksum.h>

#define VERSION		  0
#define LENGTH		  2 /* without authentication data or a link-local block after it */
#define CHECKSUM	  12
#define AUTHENTICATION	  14 /* its type, in version 2 */
#define CRYPTOGRAPHIC	  2
#define AUTHENTICATION_AT 16
#define V2_HEADER	  24
#define V3_HEADER	  16

/* The whole packet except the 8 bytes of authentication, which count as zero */
static void version_2(struct cc_walk *w)
{
	const unsigned char *p = w->data + w->at;
	int reason = readable(w, V2_HEADER);
	size_t length;
	struct cc_packet_layer *f;

	if (reason == REACHED && get16(p + AUTHENTICATION) == CRYPTOGRAPHIC) {
		cc_walk_add(w, CC_PACKET_OSPFV2, CC_PACKET_NONE)->field = w->at + CHECKSUM;
		return;
	}
	if (reason == REACHED) {
		length = get16(p + LENGTH);
		reason = length < V2_HEADER ? CC_PACKET_MALFORMED : reach(w, length);
	}
	if (reason != REACHED) {
		cc_walk_unverifiable(w, CC_PACKET_OSPFV2, reason);
		return;
	}
	/* in one's complement, -x is ~x */
	f = cc_walk_judge(w, CC_PACKET_OSPFV2, CHECKSUM, length,
			  ~cc_checksum_partial(p + AUTHENTICATION_AT, 8, 0));
	/* which is no pseudo-header */
	if (f->verdict == CC_PACKET_PARTIAL)
		f->verdict = CC_PACKET_BAD;
}

static void version_3(struct cc_walk *w)
{
	const unsigned char *p = w->data + w->at;
	int reason = readable(w, V3_HEADER);

	if (reason == REACHED)
		cc_walk_sum(w, CC_PACKET_OSPFV3, CHECKSUM, V3_HEADER, get16(p + LENGTH), 1);
	else
		cc_walk_unverifiable(w, CC_PACKET_OSPFV3, reason);
}

enum step cc_walk_ospf(struct cc_walk *w)
{
	const unsigned char *p = w->data + w->at;
	int reason = readable(w, 1);

	if (reason == REACHED && p[VERSION] != (w->family == 4 ? 2 : 3))
		reason = CC_PACKET_MALFORMED;
	if (reason != REACHED)
		return cc_walk_give_up(w, w->family == 4 ? CC_PACKET_OSPFV2 : CC_PACKET_OSPFV3,
				       reason);
	if (w->family == 4)
		version_2(w);
	else
		version_3(w);
	return END;
}
