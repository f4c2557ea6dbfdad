// SPDX-License-Identifier: MIT
/* CAPWAP's data (RFC 5415, 4.3): wireless frames on their way to a controller. */
#include "walk.h"

enum {
	DTLS = 1,
	IEEE80211 = 1, /* the wireless binding */
	FRAGMENT = 0x80,
	KEEPALIVE = 0x08,
	RESERVED = 0x07,
};

/*
 * Some controllers swap the first two bytes of a frame.  A data frame's first byte is 0x08,
 * except for the kind of data in its upper half.  Its second byte has flags: its low half is 8
 * only for a retry with none of To DS, From DS and More Fragments.
 */
static int is_swapped(const unsigned char *p)
{
	return (p[0] & 0x0f) != 0x08 && (p[1] & 0x0f) == 0x08;
}

enum step cc_walk_capwap(struct cc_walk *w)
{
	const unsigned char *p = w->data + w->at;
	unsigned int binding;
	size_t header;

	if (p[0] == DTLS)
		return cc_walk_unknown(w, CC_PACKET_CAPWAP_DTLS, 0);
	header = (size_t)(p[1] >> 3) * 4;
	if (p[0] || header < 8 || p[3] & RESERVED || w->end - w->at < header)
		return OTHER;
	if (p[3] & KEEPALIVE)
		return END;
	if (p[3] & FRAGMENT)
		return cc_walk_unknown(w, CC_PACKET_CAPWAP_FRAGMENT, 0);
	if (reach(w, header) != REACHED)
		return cc_walk_cut(w);
	w->at += header;
	/* as it was on the air, or converted to Ethernet */
	if (!(p[2] & 1))
		return ETHERNET;
	binding = p[2] >> 1 & 31;
	if (binding != IEEE80211)
		return cc_walk_unknown(w, CC_PACKET_CAPWAP_BINDING, binding);
	if (reach(w, 2) != REACHED)
		return cc_walk_cut(w);
	return cc_walk_ieee80211(w, is_swapped(w->data + w->at), 0);
}
