// SPDX-License-Identifier: MIT
/* MPLS, the packets after its labels, and service function chains. */
#include "walk.h"

/*
 * No field tells what follows the labels.  By RFC 4928, a packet begins with IP's version, with
 * 0 for a control word (RFC 4385, 3), or with 1 for a channel (RFC 4385, 5).  Before that RFC,
 * it could begin with anything, such as an Ethernet address.
 */
static enum step payload(struct cc_walk *w)
{
	int guess = !(w->flags & CC_PACKET_NO_HEURISTICS);
	unsigned int first, channel;

	if (reach(w, 1) != REACHED)
		return cc_walk_cut(w);
	first = w->data[w->at] >> 4;
	if (first == 4 || first == 6) {
		return guess && !cc_walk_may_be_ip(w, 0) && cc_walk_may_be_ethernet(w, 0) ? ETHERNET
											  : IP;
	}
	if (guess && !first && cc_walk_may_be_ethernet(w, 4)) {
		w->at += 4;
		return ETHERNET;
	}
	if (guess && cc_walk_may_be_ethernet(w, 0))
		return ETHERNET;
	if (first != 1)
		return cc_walk_unknown(w, CC_PACKET_PSEUDOWIRE, 0);
	if (reach(w, 4) != REACHED)
		return cc_walk_cut(w);
	channel = get16(w->data + w->at + 2);
	w->at += 4;
	if (channel != 0x21 && channel != 0x57)
		return cc_walk_unknown(w, CC_PACKET_CHANNEL, channel);
	return channel == 0x21 ? IPV4 : IPV6;
}

enum step cc_walk_mpls(struct cc_walk *w)
{
	int bottom;

	if (reach(w, 4) != REACHED)
		return cc_walk_cut(w);
	bottom = w->data[w->at + 2] & 1;
	w->at += 4;
	return bottom ? payload(w) : MPLS;
}

/* RFC 8300, 2 */
enum step cc_walk_nsh(struct cc_walk *w)
{
	const unsigned char *p = w->data + w->at;
	size_t length;

	if (reach(w, 8) != REACHED)
		return cc_walk_cut(w);
	length = (size_t)(p[1] & 63) * 4;
	if (p[0] >> 6 || length < 8 || reach(w, length) != REACHED)
		return cc_walk_cut(w);
	w->at += length;
	switch (p[3]) {
	case 1:
		return IPV4;
	case 2:
		return IPV6;
	case 3:
		return ETHERNET;
	case 4:
		return NSH;
	case 5:
		return MPLS;
	default:
		return cc_walk_unknown(w, CC_PACKET_NSH, p[3]);
	}
}
