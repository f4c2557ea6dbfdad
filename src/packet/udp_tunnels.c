// SPDX-License-Identifier: MIT
/*
 * Tunnels in UDP.
 *
 * A port only suggests a tunnel.  It is entered if its header is as its RFC requires, including
 * reserved bits, and if an inner packet that should be IP can be IP: of the right version, with
 * lengths within the outer ones.  VXLAN's reserved bits are ignored on receipt (RFC 7348, 5): with
 * any of them set, its inner packet has to be plausible Ethernet.  A packet to a tunnel's port that
 * is not entered is counted under that port; one from such a port is not, because that may be an
 * ephemeral port.
 */
#include "walk.h"

enum {
	L2TP = 1701,
	GTP_U = 2152,
	TEREDO = 3544,
	LISP = 4341,
	GRE_IN_UDP = 4754,
	VXLAN = 4789,
	VXLAN_GPE = 4790,
	AYIYA = 5072,
	CAPWAP_DATA = 5247,
	GENEVE = 6081,
	MPLS_IN_UDP = 6635,
	VXLAN_LINUX = 8472, /* before it had a port */
};

/* Tunnels that omit UDP's checksum over IPv6 (RFC 6935), by their standards and in practice. */
int cc_walk_may_lack_checksum(unsigned int port)
{
	switch (port) {
	case GTP_U:
	case LISP:
	case GRE_IN_UDP:
	case VXLAN:
	case VXLAN_GPE:
	case GENEVE:
	case MPLS_IN_UDP:
	case VXLAN_LINUX:
		return 1;
	default:
		return 0;
	}
}

/* The payload is what an EtherType says. */
static enum step by_type(unsigned int type)
{
	switch (type) {
	case 0x0800:
		return IPV4;
	case 0x86dd:
		return IPV6;
	default:
		return TYPE;
	}
}

/* There is no header of this length. */
static enum step missing(struct cc_walk *w, size_t length)
{
	return reach(w, length) == CC_PACKET_TRUNCATED ? cc_walk_cut(w) : OTHER;
}

/*
 * RFC 7348, with group policies (draft-smith-vxlan-group-policy) or for other protocols than
 * Ethernet (draft-ietf-nvo3-vxlan-gpe).
 */
static enum step vxlan(struct cc_walk *w)
{
	static const enum step next[] = {OTHER, IPV4, IPV6, ETHERNET, NSH, MPLS};
	const unsigned char *p = w->data + w->at;
	enum { IDENTIFIER = 0x08, POLICY = 0x80, PROTOCOL_THERE = 0x04 };

	w->at += 8;
	switch (p[7] ? 0 : p[0]) {
	case IDENTIFIER:
		if (p[1] || p[2] || p[3])
			break;
		return ETHERNET;
	case IDENTIFIER | POLICY: /* of p[1] "don't learn" and "applied" */
		if (p[1] & ~0x48)
			break;
		return ETHERNET;
	case IDENTIFIER | PROTOCOL_THERE:
	case IDENTIFIER | PROTOCOL_THERE | 0x02: /* to many */
		if (p[1] || p[2] || p[3] >= sizeof(next) / sizeof(next[0]))
			break;
		return next[p[3]];
	}
	return p[0] & IDENTIFIER && cc_walk_may_be_ethernet(w, 0) ? ETHERNET : OTHER;
}

/* RFC 9300, 5.3: flags, a nonce or versions, an instance and reachability, then IP */
static enum step lisp(struct cc_walk *w)
{
	w->at += 8;
	return cc_walk_may_be_ip(w, 0) ? IP : OTHER;
}

/* draft-massar-v6ops-ayiya, 4: an identity of 2^n bytes, a signature of whole words, then IP */
static enum step ayiya(struct cc_walk *w)
{
	enum { FORWARD = 1 };
	const unsigned char *p = w->data + w->at;
	size_t header = 8 + ((size_t)1 << (p[0] >> 4)) + (size_t)(p[1] >> 4) * 4;

	if ((p[2] & 15) != FORWARD || (p[3] != 4 && p[3] != 41))
		return OTHER;
	if (reach(w, header) != REACHED)
		return missing(w, header);
	w->at += header;
	return p[3] == 4 ? IPV4 : IPV6;
}

/* RFC 8926, 3.4 */
static enum step geneve(struct cc_walk *w)
{
	const unsigned char *p = w->data + w->at;
	size_t header = 8 + (size_t)(p[0] & 63) * 4;

	/* version 0; but for control and critical options */
	if (p[0] >> 6 || p[1] & 63 || p[7])
		return OTHER;
	if (reach(w, header) != REACHED)
		return missing(w, header);
	w->number = get16(p + 2);
	w->at += header;
	return by_type(w->number);
}

/* The end of GTP-U's extension headers, which begin at @header; 0 if they are invalid. */
static size_t extensions(const struct cc_walk *w, size_t header)
{
	const unsigned char *p = w->data + w->at;
	size_t length;

	/* each header ends with the type of the next */
	while (p[header - 1]) {
		if (reach(w, header + 1) != REACHED)
			return 0;
		length = (size_t)p[header] * 4;
		header += length;
		if (!length || reach(w, header) != REACHED)
			return 0;
	}
	return header;
}

/* TS 29.281, 5.1 */
static enum step gtp(struct cc_walk *w)
{
	enum { VERSION_1 = 0x30, EXTENSION = 0x04, OPTIONAL = 0x07, PACKET = 255 };
	const unsigned char *p = w->data + w->at;
	size_t header = 8, length = get16(p + 2) + 8u;

	if ((p[0] & ~OPTIONAL) != VERSION_1 || length > w->end - w->at)
		return OTHER;
	/* its own messages have no checksum */
	if (p[1] != PACKET)
		return END;
	w->end = w->at + length;
	if (p[0] & OPTIONAL) {
		header = 12;
		if (reach(w, header) != REACHED)
			return missing(w, header);
		if (p[0] & EXTENSION)
			header = extensions(w, header);
	}
	if (!header)
		return OTHER;
	w->at += header;
	if (reach(w, 1) == CC_PACKET_TRUNCATED || cc_walk_may_be_ip(w, 0))
		return IP;
	return cc_walk_may_be_ethernet(w, 0) ? ETHERNET : OTHER;
}

/* RFC 4380, 5.1.1: authentication, then where it came from, then IPv6 */
static enum step teredo(struct cc_walk *w)
{
	const unsigned char *p = w->data + w->at;
	size_t header = 0;

	if (get16(p) == 1) {
		if (reach(w, 4) != REACHED)
			return missing(w, 4);
		header = 13 + (size_t)p[2] + p[3];
	}
	if (reach(w, header + 2) != REACHED)
		return missing(w, header + 2);
	if (!get16(p + header))
		header += 8;
	if (reach(w, header + 2) != REACHED)
		return missing(w, header + 2);
	w->at += header;
	return IPV6;
}

/* Whether the labels after @skip bytes end, with a payload that is plausible. */
static int may_be_mpls(const struct cc_walk *w, size_t skip)
{
	do {
		skip += 4;
		if (reach(w, skip) != REACHED)
			return 0;
	} while (!(w->data[w->at + skip - 2] & 1));
	return cc_walk_may_be_ip(w, skip) || cc_walk_may_be_ethernet(w, skip) ||
	       cc_walk_may_be_ethernet(w, skip + 4);
}

/*
 * RFC 8086: GRE of version 0, with no bits set except for its fields.  GRE may have a checksum
 * of its own, so its payload is examined first: other protocols that begin alike, such as RTP,
 * are not entered.
 */
static enum step gre(struct cc_walk *w)
{
	enum { CHECKSUM = 0x80, KEY = 0x20, SEQUENCE = 0x10, FIELDS = CHECKSUM | KEY | SEQUENCE };
	const unsigned char *p = w->data + w->at;
	size_t header = 4;
	int may_be;

	if (p[0] & ~FIELDS || p[1])
		return OTHER;
	header += p[0] & CHECKSUM ? 4 : 0;
	header += p[0] & KEY ? 4 : 0;
	header += p[0] & SEQUENCE ? 4 : 0;
	if (reach(w, header) != REACHED)
		return missing(w, header);
	switch (get16(p + 2)) {
	case 0x0800:
		may_be = cc_walk_may_be_ip(w, header) && p[header] >> 4 == 4;
		break;
	case 0x86dd:
		may_be = cc_walk_may_be_ip(w, header) && p[header] >> 4 == 6;
		break;
	case 0x6558:
		may_be = cc_walk_may_be_ethernet(w, header);
		break;
	case 0x8847:
	case 0x8848:
		may_be = may_be_mpls(w, header);
		break;
	default:
		return OTHER;
	}
	return may_be ? cc_walk_gre(w) : missing(w, header + 1);
}

static enum step tunnel(struct cc_walk *w, unsigned int port)
{
	switch (port) {
	case L2TP:
		return cc_walk_l2tp(w);
	case GTP_U:
		return gtp(w);
	case TEREDO:
		return teredo(w);
	case LISP:
		return lisp(w);
	case GRE_IN_UDP:
		return gre(w);
	case AYIYA:
		return ayiya(w);
	case CAPWAP_DATA:
		return cc_walk_capwap(w);
	case GENEVE:
		return geneve(w);
	case MPLS_IN_UDP: /* RFC 7510 */
		return may_be_mpls(w, 0) ? MPLS : OTHER;
	default:
		return vxlan(w);
	}
}

static int is_tunnel(unsigned int port)
{
	switch (port) {
	case L2TP:
	case GTP_U:
	case TEREDO:
	case LISP:
	case GRE_IN_UDP:
	case VXLAN:
	case VXLAN_GPE:
	case AYIYA:
	case CAPWAP_DATA:
	case GENEVE:
	case MPLS_IN_UDP:
	case VXLAN_LINUX:
		return 1;
	default:
		return 0;
	}
}

/* Whether the payload may be IP of the given version. */
static int consistent(const struct cc_walk *w, enum step step)
{
	unsigned int version = step == IPV4 ? 4 : 6;

	if (step != IPV4 && step != IPV6)
		return step != OTHER;
	return reach(w, 1) == CC_PACKET_TRUNCATED ||
	       (cc_walk_may_be_ip(w, 0) && w->data[w->at] >> 4 == version);
}

enum step cc_walk_udp_payload(struct cc_walk *w)
{
	unsigned int source = get16(w->data + w->at), port = get16(w->data + w->at + 2);
	int to = is_tunnel(port), reason;
	enum step step = OTHER;

	w->at += 8;
	if ((!to && !is_tunnel(source)) || w->at == w->end)
		return END;
	if (!to)
		port = source;
	/* the least length of a header with a recognizable payload */
	reason = reach(w, port == TEREDO ? 2 : port == MPLS_IN_UDP ? 4 : port == L2TP ? 6 : 8);
	if (reason == CC_PACKET_TRUNCATED)
		return cc_walk_cut(w);
	if (reason == REACHED && !(w->flags & CC_PACKET_NO_HEURISTICS))
		step = tunnel(w, port);
	if (consistent(w, step))
		return step;
	return to ? cc_walk_unknown(w, CC_PACKET_UDP_PORT, port) : END;
}
