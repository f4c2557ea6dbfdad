// SPDX-License-Identifier: MIT
/* Link layers, and what lies between them and IP. */
#include "walk.h"

enum step cc_walk_ethernet(struct cc_walk *w)
{
	if (reach(w, 14) != REACHED)
		return cc_walk_unknown(w, CC_PACKET_CUT, 0);
	w->number = get16(w->data + w->at + 12);
	w->at += 14;
	return TYPE;
}

/* Frames with a length in place of their EtherType (IEEE 802.2) */
static enum step llc(struct cc_walk *w)
{
	unsigned int sap;

	if (reach(w, 3) != REACHED)
		return cc_walk_unknown(w, CC_PACKET_CUT, 0);
	sap = w->data[w->at];
	/* spanning trees have no checksum */
	return sap == 0x42 ? END : cc_walk_unknown(w, CC_PACKET_SAP, sap);
}

enum step cc_walk_type(struct cc_walk *w)
{
	switch (w->number) {
	case 0x0800:
		return IPV4;
	case 0x86dd:
		return IPV6;
	case 0x8847:
	case 0x8848:
		return MPLS;
	case 0x6558: /* transparent bridging, in GRE */
		return ETHERNET;
	case 0x8100: /* VLAN tags: 802.1Q, 802.1ad, and 802.1ad before it was one */
	case 0x88a8:
	case 0x9100:
		if (reach(w, 4) != REACHED)
			return cc_walk_unknown(w, CC_PACKET_CUT, 0);
		w->number = get16(w->data + w->at + 2);
		w->at += 4;
		return TYPE;
	case 0x0806: /* what has no checksum: ARP, RARP, pauses, LACP, EAPOL, LLDP, PTP, loopback
			tests */
	case 0x8035:
	case 0x8808:
	case 0x8809:
	case 0x888e:
	case 0x88cc:
	case 0x88f7:
	case 0x9000:
		return END;
	default:
		return w->number < 0x0600 ? llc(w)
					  : cc_walk_unknown(w, CC_PACKET_ETHERTYPE, w->number);
	}
}

enum step cc_walk_mpls(struct cc_walk *w)
{
	int bottom;

	if (reach(w, 4) != REACHED)
		return cc_walk_unknown(w, CC_PACKET_CUT, 0);
	bottom = w->data[w->at + 2] & 1;
	w->at += 4;
	return bottom ? IP : MPLS;
}

/* IP, of the version that its first byte says */
enum step cc_walk_ip(struct cc_walk *w)
{
	if (reach(w, 1) != REACHED)
		return cc_walk_unknown(w, CC_PACKET_CUT, 0);
	switch (w->data[w->at] >> 4) {
	case 4:
		return IPV4;
	case 6:
		return IPV6;
	default:
		return cc_walk_unknown(w, CC_PACKET_IP_VERSION, w->data[w->at] >> 4);
	}
}

static enum step loopback(struct cc_walk *w)
{
	uint32_t family;

	if (reach(w, 4) != REACHED)
		return cc_walk_unknown(w, CC_PACKET_CUT, 0);
	family = get32(w->data + w->at);
	/* in the byte order of whatever machine it was */
	if (family > 0xffff)
		family = family >> 24 | (family >> 8 & 0xff00);
	w->at += 4;
	switch (family) {
	case 2:
		return IPV4;
	case 10: /* Linux, NetBSD, FreeBSD, Darwin */
	case 24:
	case 28:
	case 30:
		return IPV6;
	default:
		return cc_walk_unknown(w, CC_PACKET_FAMILY, family);
	}
}

static enum step cooked(struct cc_walk *w, size_t header, size_t number)
{
	if (reach(w, header) != REACHED)
		return cc_walk_unknown(w, CC_PACKET_CUT, 0);
	w->number = get16(w->data + w->at + number);
	w->at += header;
	return TYPE;
}

enum {
	LINK_NULL = 0,
	LINK_ETHERNET = 1,
	LINK_RAW_12 = 12,
	LINK_RAW_14 = 14,
	LINK_RAW = 101,
	LINK_LOOP = 108,
	LINK_COOKED = 113,
	LINK_IPV4 = 228,
	LINK_IPV6 = 229,
	LINK_COOKED_2 = 276,
};

enum step cc_walk_link(struct cc_walk *w, unsigned int link)
{
	switch (link) {
	case LINK_NULL:
	case LINK_LOOP:
		return loopback(w);
	case LINK_ETHERNET:
		return ETHERNET;
	case LINK_RAW_12:
	case LINK_RAW_14:
	case LINK_RAW:
		return IP;
	case LINK_COOKED:
		return cooked(w, 16, 14);
	case LINK_IPV4:
		return IPV4;
	case LINK_IPV6:
		return IPV6;
	case LINK_COOKED_2:
		return cooked(w, 20, 0);
	default:
		return cc_walk_unknown(w, CC_PACKET_LINK, link);
	}
}
