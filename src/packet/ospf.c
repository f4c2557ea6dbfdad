// SPDX-License-Identifier: MIT
/* OSPF: version 2, RFC 2328, A.3.1 and D; version 3, RFC 5340, A.3.1, and RFC 7166. */
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

/*
 * What stands behind @length bytes of a packet says of its checksum: there is none if it is an
 * authentication trailer (RFC 7166, 4), with a link-local block before it or not.  CC_PACKET_GOOD
 * if nothing does.
 */
static enum cc_packet_verdict trailed(const struct cc_walk *w, size_t length)
{
	enum { TRAILER_HEADER = 16, HMAC = 1, MEMBERS = 2 };
	const unsigned char *p = w->data + w->at;
	size_t all = w->end - w->at, at = length, part;

	for (part = 0; part < MEMBERS && all >= at + TRAILER_HEADER; part++) {
		if (reach(w, at + 4) != REACHED)
			return CC_PACKET_UNVERIFIABLE;
		if (get16(p + at) == HMAC && get16(p + at + 2) == all - at)
			return CC_PACKET_NONE;
		at += 4 * (size_t)get16(p + at + 2);
	}
	return CC_PACKET_GOOD;
}

static void version_3(struct cc_walk *w)
{
	int reason = readable(w, V3_HEADER);
	size_t length;

	if (reason != REACHED) {
		cc_walk_unverifiable(w, CC_PACKET_OSPFV3, reason);
		return;
	}
	length = get16(w->data + w->at + LENGTH);
	switch (length < V3_HEADER ? CC_PACKET_GOOD : trailed(w, length)) {
	case CC_PACKET_NONE:
		cc_walk_add(w, CC_PACKET_OSPFV3, CC_PACKET_NONE)->field = w->at + CHECKSUM;
		break;
	case CC_PACKET_UNVERIFIABLE:
		cc_walk_unverifiable(w, CC_PACKET_OSPFV3, CC_PACKET_TRUNCATED);
		break;
	default:
		cc_walk_sum(w, CC_PACKET_OSPFV3, CHECKSUM, V3_HEADER, length, 1);
	}
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
