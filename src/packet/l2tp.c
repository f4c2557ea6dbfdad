// SPDX-License-Identifier: MIT
/* L2TP, version 2 (RFC 2661) and 3 (RFC 3931). */
#include "walk.h"

enum {
	CONTROL = 0x8000,
	LENGTH = 0x4000,
	SEQUENCE = 0x0800,
	OFFSET = 0x0200,
	RESERVED = 0x34f0,
	VERSION = 0x000f,
};

/*
 * After a session ID, the packet does not tell the cookie's length (0, 4 or 8 bytes), whether
 * there is a sublayer (of 4 bytes), or what it carries.  Ethernet is guessed only by more than
 * an EtherType, so that no two places fit.
 */
static enum step session(struct cc_walk *w)
{
	size_t skip;

	for (skip = 0; skip <= 12 && !(w->flags & CC_PACKET_NO_HEURISTICS); skip += 4) {
		if (!cc_walk_may_be_ethernet(w, skip))
			continue;
		w->at += skip;
		return ETHERNET;
	}
	return cc_walk_unknown(w, CC_PACKET_PSEUDOWIRE, 0);
}

static enum step version_2(struct cc_walk *w, unsigned int flags)
{
	const unsigned char *p = w->data + w->at;
	size_t header = 6, offset = 0, length;

	header += flags & LENGTH ? 2 : 0;
	header += flags & SEQUENCE ? 4 : 0;
	header += flags & OFFSET ? 2 : 0;
	if (reach(w, header) != REACHED)
		return cc_walk_cut(w);
	if (flags & OFFSET)
		offset = get16(p + header - 2);
	header += offset;
	length = flags & LENGTH ? get16(p + 2) : w->end - w->at;
	if (flags & RESERVED || length < header || length > w->end - w->at)
		return OTHER;
	w->end = w->at + length;
	if (reach(w, header) != REACHED)
		return cc_walk_cut(w);
	w->at += header;
	return cc_walk_ppp(w);
}

enum step cc_walk_l2tp(struct cc_walk *w)
{
	unsigned int flags = get16(w->data + w->at);

	if ((flags & VERSION) != 2 && (flags & VERSION) != 3)
		return OTHER;
	/* control messages have no checksum */
	if (flags & CONTROL)
		return END;
	if ((flags & VERSION) == 2)
		return version_2(w, flags);
	if (reach(w, 8) != REACHED)
		return cc_walk_cut(w);
	w->at += 8;
	return session(w);
}

/* Version 3 without UDP: a session of 0 is a control message (RFC 3931, 4.1.1) */
enum step cc_walk_l2tp_over_ip(struct cc_walk *w)
{
	uint32_t number;

	if (reach(w, 4) != REACHED)
		return cc_walk_cut(w);
	number = get32(w->data + w->at);
	w->at += 4;
	return number ? session(w) : END;
}
