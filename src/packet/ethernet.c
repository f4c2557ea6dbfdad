// SPDX-License-Identifier: MIT
/* Ethernet, its tags, and frames with a length in place of their EtherType (IEEE 802.2). */
#include "walk.h"

enum step cc_walk_type_or_length(struct cc_walk *w)
{
	if (w->number >= 0x0600)
		return TYPE;
	cc_walk_bound(w, w->number);
	return LLC;
}

enum step cc_walk_ethernet(struct cc_walk *w)
{
	if (reach(w, 14) != REACHED)
		return cc_walk_cut(w);
	w->number = get16(w->data + w->at + 12);
	w->at += 14;
	return cc_walk_type_or_length(w);
}

/* A tag of @length bytes; its last two are the EtherType of what follows. */
static enum step tag(struct cc_walk *w, size_t length)
{
	if (reach(w, length) != REACHED)
		return cc_walk_cut(w);
	w->at += length;
	w->number = get16(w->data + w->at - 2);
	return cc_walk_type_or_length(w);
}

/* A tag of @length bytes, followed by a whole frame. */
static enum step frame_behind(struct cc_walk *w, size_t length)
{
	if (reach(w, length) != REACHED)
		return cc_walk_cut(w);
	w->at += length;
	return ETHERNET;
}

/* IEEE 802.1AE, 9: only authenticated, by its trailer, or also encrypted. */
static enum step macsec(struct cc_walk *w)
{
	enum { VERSION = 0x80, CHANNEL = 0x20, ENCRYPTED = 0x08, CHANGED = 0x04, SIGNATURE = 16 };
	const unsigned char *p = w->data + w->at;
	size_t header = 6, length;

	if (reach(w, header) != REACHED)
		return cc_walk_cut(w);
	if (p[0] & (VERSION | ENCRYPTED | CHANGED))
		return cc_walk_unknown(w, CC_PACKET_ETHERTYPE, w->number);
	header += p[0] & CHANNEL ? 8 : 0;
	if (w->end - w->at < header + SIGNATURE)
		return cc_walk_cut(w);
	/* given if it is less than 48 */
	length = p[1] & 63;
	cc_walk_bound(w, length ? header + length : w->end - w->at - SIGNATURE);
	return tag(w, header + 2);
}

/* Arista's time stamps: a kind, how long they are, on which clock and board, then an EtherType. */
static enum step arista(struct cc_walk *w)
{
	enum { TIMES = 1, CLOCK_AND_BOARD = 0x010f, SECONDS_32 = 0x10, SECONDS_16 = 0x20 };
	const unsigned char *p = w->data + w->at;
	unsigned int form;

	if (reach(w, 4) != REACHED)
		return cc_walk_cut(w);
	form = get16(p + 2) & ~(unsigned int)CLOCK_AND_BOARD;
	if (get16(p) != TIMES || (form != SECONDS_32 && form != SECONDS_16))
		return cc_walk_unknown(w, CC_PACKET_ETHERTYPE, w->number);
	return tag(w, form == SECONDS_32 ? 14 : 12);
}

/* Cisco's metadata: a version, the number of options of 4 bytes, such as a security group's tag. */
static enum step cisco_metadata(struct cc_walk *w)
{
	const unsigned char *p = w->data + w->at;

	if (reach(w, 2) != REACHED)
		return cc_walk_cut(w);
	if (p[0] != 1)
		return cc_walk_unknown(w, CC_PACKET_ETHERTYPE, w->number);
	return tag(w, 4 + (size_t)p[1] * 4);
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
	case 0x6558: /* transparent bridging */
		return ETHERNET;
	case 0x8100: /* VLAN tags: 802.1Q, 802.1ad, and 802.1ad before it was one */
	case 0x88a8:
	case 0x9100:
	case 0x9200:
	case 0x9300:
		return tag(w, 4);
	case 0x8926: /* VN-tag */
	case 0x892f: /* HSR (IEC 62439-3) */
	case 0xf1c1: /* R-tag (802.1CB) */
		return tag(w, 6);
	case 0x893f: /* E-tag (802.1BR) */
		return tag(w, 8);
	case 0x8903: /* FabricPath */
		return frame_behind(w, 2);
	case 0x88e5:
		return macsec(w);
	case 0x88e7: /* I-tag (802.1ah) */
		return frame_behind(w, 4);
	case 0x8864:
		return cc_walk_pppoe(w);
	case 0x880b:
		return PPP;
	case 0x894f:
		return NSH;
	case 0x8909:
		return cisco_metadata(w);
	case 0xd28b:
		return arista(w);
	case 0x0806: /* what has no checksum: ARP, RARP, pauses, LACP, PPPoE's discovery, EAPOL,
			LLDP, PTP, loopback tests */
	case 0x8035:
	case 0x8808:
	case 0x8809:
	case 0x8863:
	case 0x888e:
	case 0x88cc:
	case 0x88f7:
	case 0x9000:
		return END;
	default:
		return cc_walk_unknown(w, CC_PACKET_ETHERTYPE, w->number);
	}
}

/* An organization's own protocol, or an EtherType: RFC 1042, and IEEE 802.1H */
static enum step snap(struct cc_walk *w)
{
	uint32_t oui;

	if (reach(w, 8) != REACHED)
		return cc_walk_cut(w);
	oui = get32(w->data + w->at + 2) & 0xffffff;
	w->number = get16(w->data + w->at + 6);
	w->at += 8;
	return oui == 0 || oui == 0x0000f8 ? TYPE : cc_walk_unknown(w, CC_PACKET_SNAP, oui);
}

enum step cc_walk_llc(struct cc_walk *w)
{
	const unsigned char *p = w->data + w->at;
	unsigned int sap;

	if (reach(w, 3) != REACHED)
		return cc_walk_cut(w);
	sap = p[0];
	/* spanning trees have no checksum */
	if (sap == 0x42)
		return END;
	if (p[2] == 3 && sap == 0xaa)
		return snap(w);
	if (p[2] != 3 || sap != 0x06)
		return cc_walk_unknown(w, CC_PACKET_SAP, sap);
	w->at += 3;
	return IPV4;
}
