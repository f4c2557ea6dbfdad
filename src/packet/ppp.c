// SPDX-License-Identifier: MIT
/* PPP (RFC 1661), in HDLC's framing (RFC 1662) or without, and over Ethernet (RFC 2516). */
#include "walk.h"

enum step cc_walk_ppp(struct cc_walk *w)
{
	/* both fields may be omitted if the two ends agree (RFC 1661, 6.5, 6.6) */
	if (reach(w, 2) == REACHED && get16(w->data + w->at) == 0xff03)
		w->at += 2;
	if (reach(w, 1) != REACHED)
		return cc_walk_cut(w);
	w->number = w->data[w->at++];
	if (!(w->number & 1)) {
		if (reach(w, 1) != REACHED)
			return cc_walk_cut(w);
		w->number = w->number << 8 | w->data[w->at++];
	}
	switch (w->number) {
	case 0x0021:
		return IPV4;
	case 0x0057:
		return IPV6;
	case 0x0281:
	case 0x0283:
		return MPLS;
	default:
		/* control protocols have no checksum */
		return w->number >= 0x8000 ? END : cc_walk_unknown(w, CC_PACKET_PPP, w->number);
	}
}

enum step cc_walk_pppoe(struct cc_walk *w)
{
	const unsigned char *p = w->data + w->at;

	if (reach(w, 6) != REACHED)
		return cc_walk_cut(w);
	/* version and type are 1; with a code, it is discovery, which has no checksum */
	if (p[0] != 0x11)
		return cc_walk_unknown(w, CC_PACKET_ETHERTYPE, 0x8864);
	if (p[1])
		return END;
	w->at += 6;
	cc_walk_bound(w, get16(p + 4));
	return PPP;
}
