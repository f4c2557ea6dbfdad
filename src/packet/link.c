// SPDX-License-Identifier: MIT
/* Link layers, by the numbers of tcpdump.org/linktypes.html. */
#include "walk.h"

static enum step loopback(struct cc_walk *w)
{
	uint32_t family;

	if (reach(w, 4) != REACHED)
		return cc_walk_cut(w);
	family = get32(w->data + w->at);
	/* in the byte order of the capturing machine */
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

/* A header of @length bytes, with an EtherType at @number. */
static enum step typed(struct cc_walk *w, size_t length, size_t number)
{
	if (reach(w, length) != REACHED)
		return cc_walk_cut(w);
	w->number = get16(w->data + w->at + number);
	w->at += length;
	return TYPE;
}

/* Linux's cooked captures, in which the device's type tells what kind the number is. */
static enum step cooked(struct cc_walk *w, size_t length, size_t number, size_t type)
{
	enum { FRAME_RELAY = 770, IP_GRE = 778, RADIOTAP = 803, NETLINK = 824 };
	unsigned int device;

	if (typed(w, length, number) != TYPE)
		return END;
	device = get16(w->data + w->at - length + type);
	switch (device) {
	case FRAME_RELAY:
		return cc_walk_frame_relay(w);
	case RADIOTAP:
		return cc_walk_radiotap(w);
	case NETLINK:
		return END;
	case IP_GRE:
		return TYPE;
	}
	switch (w->number) {
	case 0x0001: /* Novell's, without LLC */
		return cc_walk_unknown(w, CC_PACKET_SAP, 0xff);
	case 0x0004:
		return LLC;
	case 0x000c: /* CAN, with and without flexible rate */
	case 0x000d:
		return END;
	default:
		return TYPE;
	}
}

/* Frame control, addresses, LLC; it is an LLC frame if frame control & @mask is @kind. */
static enum step ring(struct cc_walk *w, size_t control, size_t length, unsigned int mask,
		      unsigned int kind)
{
	const unsigned char *p = w->data + w->at;

	if (reach(w, length) != REACHED)
		return cc_walk_cut(w);
	/* the ring's own frames */
	if ((p[control] & mask) != kind)
		return END;
	w->at += length;
	return LLC;
}

static enum step token_ring(struct cc_walk *w)
{
	const unsigned char *p = w->data + w->at;
	size_t length = 14;

	/* a route, if the source's group bit is set; its length is in its first byte's low bits */
	if (reach(w, length + 1) == REACHED && p[8] & 0x80)
		length += p[14] & 31;
	return ring(w, 1, length, 0xc0, 0x40);
}

static enum step cisco_hdlc(struct cc_walk *w)
{
	return typed(w, 4, 2);
}

/* PPP's framing begins with all stations' address, Cisco's with another. */
static enum step ppp_or_hdlc(struct cc_walk *w)
{
	if (reach(w, 1) != REACHED)
		return cc_walk_cut(w);
	return w->data[w->at] == 0x0f || w->data[w->at] == 0x8f ? cisco_hdlc(w) : PPP;
}

static enum step per_packet_information(struct cc_walk *w);
static enum step apple(struct cc_walk *w);

/* As Linux has them: source, destination, an offset, a protocol. */
static enum step arcnet(struct cc_walk *w)
{
	unsigned int protocol;

	if (reach(w, 5) != REACHED)
		return cc_walk_cut(w);
	protocol = w->data[w->at + 4];
	w->at += 5;
	switch (protocol) {
	case 0xf0: /* RFC 1051: IP, ARP */
		return IPV4;
	case 0xf1:
	case 0xd5:
		return END;
	case 0xd4: /* RFC 1201: of several fragments, or a whole; a sequence number */
		if (reach(w, 3) != REACHED)
			return cc_walk_cut(w);
		if (w->data[w->at])
			return cc_walk_unknown(w, CC_PACKET_ARCNET, protocol);
		w->at += 3;
		return IPV4;
	default:
		return cc_walk_unknown(w, CC_PACKET_ARCNET, protocol);
	}
}

/* A switch's tag of 4 bytes in front of the frame. */
static enum step tag_before(struct cc_walk *w)
{
	if (reach(w, 4) != REACHED)
		return cc_walk_cut(w);
	w->at += 4;
	return ETHERNET;
}

/* A switch's tag of @length bytes behind the addresses. */
static enum step tag_behind(struct cc_walk *w, size_t length)
{
	if (typed(w, 14 + length, 12 + length) != TYPE)
		return END;
	return cc_walk_type_or_length(w);
}

/* A family, and attributes in the capturing machine's byte order, padded to 4 bytes. */
static enum step nflog(struct cc_walk *w)
{
	enum { PAYLOAD = 9 };
	const unsigned char *p = w->data + w->at;
	unsigned int family, type;
	size_t length;

	if (reach(w, 4) != REACHED)
		return cc_walk_cut(w);
	family = p[0];
	for (w->at += 4;; w->at += (length + 3) / 4 * 4) {
		p = w->data + w->at;
		if (reach(w, 4) != REACHED)
			return cc_walk_cut(w);
		/* all types fit a byte; the highest bits of the field are flags */
		length = get16(p);
		type = get16(p + 2) & 0x3fff;
		if (p[2] && !(p[3] & 0x3f)) {
			length = (length & 0xff) << 8 | length >> 8;
			type = p[2];
		}
		if (length < 4)
			return cc_walk_cut(w);
		if (type == PAYLOAD)
			break;
		if (reach(w, (length + 3) / 4 * 4) != REACHED)
			return cc_walk_cut(w);
	}
	w->at += 4;
	cc_walk_bound(w, length - 4);
	switch (family) {
	case 2:
		return IPV4;
	case 10:
		return IPV6;
	default:
		return cc_walk_unknown(w, CC_PACKET_FAMILY, family);
	}
}

enum {
	LINK_NULL = 0,
	LINK_ETHERNET = 1,
	LINK_TOKEN_RING = 6,
	LINK_PPP = 9,
	LINK_FDDI = 10,
	LINK_RAW_12 = 12,
	LINK_RAW_14 = 14,
	LINK_PPP_HDLC = 50,
	LINK_PPPOE = 51,
	LINK_RAW = 101,
	LINK_CISCO_HDLC = 104,
	LINK_IEEE80211 = 105,
	LINK_FRAME_RELAY = 107,
	LINK_LOOP = 108,
	LINK_COOKED = 113,
	LINK_PRISM = 119,
	LINK_RADIOTAP = 127,
	LINK_ARCNET = 129,
	LINK_AVS = 163,
	LINK_PPI = 192,
	LINK_IPV4 = 228,
	LINK_IPV6 = 229,
	LINK_NFLOG = 239,
	LINK_IPOIB = 242,
	LINK_PKTAP = 258,
	LINK_COOKED_2 = 276,
	LINK_BROADCOM = 281,
	LINK_BROADCOM_BEFORE = 282,
	LINK_DSA = 284,
	LINK_DSA_TYPED = 285,
};

enum step cc_walk_link(struct cc_walk *w, unsigned int link)
{
	switch (link) {
	case LINK_NULL:
	case LINK_LOOP:
		return loopback(w);
	case LINK_ETHERNET:
		return ETHERNET;
	case LINK_TOKEN_RING:
		return token_ring(w);
	case LINK_FDDI:
		return ring(w, 0, 13, 0x70, 0x50);
	case LINK_RAW_12:
	case LINK_RAW_14:
	case LINK_RAW:
		return IP;
	case LINK_PPP: /* not all programs that write captures distinguish the two */
	case LINK_PPP_HDLC:
		return ppp_or_hdlc(w);
	case LINK_PPPOE:
		return cc_walk_pppoe(w);
	case LINK_CISCO_HDLC:
		return cisco_hdlc(w);
	case LINK_IEEE80211:
		return cc_walk_ieee80211(w, 0, 0);
	case LINK_FRAME_RELAY:
		return cc_walk_frame_relay(w);
	case LINK_COOKED:
		return cooked(w, 16, 14, 2);
	case LINK_PRISM:
		return cc_walk_prism(w);
	case LINK_RADIOTAP:
		return cc_walk_radiotap(w);
	case LINK_AVS:
		return cc_walk_avs(w);
	case LINK_PPI:
		return per_packet_information(w);
	case LINK_IPV4:
		return IPV4;
	case LINK_IPV6:
		return IPV6;
	case LINK_NFLOG:
		return nflog(w);
	case LINK_IPOIB: /* a global route header, then an EtherType (RFC 4391, 6) */
		return typed(w, 44, 40);
	case LINK_ARCNET:
		return arcnet(w);
	case LINK_PKTAP:
		return apple(w);
	case LINK_COOKED_2:
		return cooked(w, 20, 0, 8);
	case LINK_BROADCOM:
	case LINK_DSA:
		return tag_behind(w, 4);
	case LINK_BROADCOM_BEFORE:
		return tag_before(w);
	case LINK_DSA_TYPED: /* with an EtherType of its own, and 2 bytes */
		return tag_behind(w, 8);
	default:
		return cc_walk_unknown(w, CC_PACKET_LINK, link);
	}
}

/* PPI: its length and the link type, little-endian */
static enum step per_packet_information(struct cc_walk *w)
{
	const unsigned char *p = w->data + w->at;
	unsigned int link;
	size_t length;

	if (reach(w, 8) != REACHED)
		return cc_walk_cut(w);
	length = (size_t)p[3] << 8 | p[2];
	link = (unsigned int)p[5] << 8 | p[4];
	if (length < 8 || reach(w, length) != REACHED)
		return cc_walk_cut(w);
	w->at += length;
	return link == LINK_PPI ? cc_walk_unknown(w, CC_PACKET_LINK, link) : cc_walk_link(w, link);
}

/* Apple's: its length, what follows, and the link type of that, little-endian; names, processes */
static enum step apple(struct cc_walk *w)
{
	enum { PACKET = 1 };
	const unsigned char *p = w->data + w->at;
	unsigned int link;
	size_t length;

	if (reach(w, 12) != REACHED)
		return cc_walk_cut(w);
	length = (size_t)p[1] << 8 | p[0];
	link = (unsigned int)p[9] << 8 | p[8];
	if (length < 12 || p[2] || p[3] || reach(w, length) != REACHED)
		return cc_walk_cut(w);
	if (p[4] != PACKET || link == LINK_PKTAP)
		return cc_walk_unknown(w, CC_PACKET_LINK, link);
	w->at += length;
	return cc_walk_link(w, link);
}
