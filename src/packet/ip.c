// SPDX-License-Identifier: MIT
#include "walk.h"

#include "../platform.h"

static const int counted_as[] = {
	[1] = CC_PACKET_ICMP,	    [2] = CC_PACKET_IGMP,	[4] = CC_PACKET_IPV4,
	[6] = CC_PACKET_TCP,	    [17] = CC_PACKET_UDP,	[33] = CC_PACKET_DCCP,
	[41] = CC_PACKET_IPV6,	    [46] = CC_PACKET_RSVP,	[47] = CC_PACKET_GRE,
	[58] = CC_PACKET_ICMPV6,    [88] = CC_PACKET_EIGRP,	[89] = CC_PACKET_OSPFV2,
	[103] = CC_PACKET_PIM,	    [112] = CC_PACKET_VRRP,	[132] = CC_PACKET_SCTP,
	[135] = CC_PACKET_MOBILITY, [136] = CC_PACKET_UDP_LITE, [139] = CC_PACKET_HIP,
	[140] = CC_PACKET_SHIM6,
};

/* An unreadable IPv6 extension header hides what follows it. */
int cc_walk_is_extension(unsigned int number)
{
	return number == 0 || number == 43 || number == 44 || number == 51 || number == 60;
}

/* So do tunnels: EtherIP, L2TP, MPLS, Ethernet. */
static int is_tunnel(unsigned int number)
{
	return number == 97 || number == 115 || number == 137 || number == 143;
}

/* The protocol to count a datagram as; -1 if it has no known checksum. */
static int protocol_of(unsigned int number, int family)
{
	if (is_tunnel(number))
		return family == 6 ? CC_PACKET_IPV6 : CC_PACKET_IPV4;
	if (cc_walk_is_extension(number))
		return family == 6 ? CC_PACKET_IPV6 : number == 51 ? CC_PACKET_IPV4 : -1;
	if (number == 89 && family == 6)
		return CC_PACKET_OSPFV3;
	if (number >= sizeof(counted_as) / sizeof(counted_as[0]) ||
	    (!counted_as[number] && number != 4))
		return -1;
	return counted_as[number];
}

enum step cc_walk_fragment(struct cc_walk *w, uint32_t id, uint32_t position, int more)
{
	struct cc_packet_fragment *f = &w->out->fragment;
	size_t size = w->family == 4 ? 4 : 16;
	int protocol = protocol_of(w->number, w->family);

	/* the other fragments will not come, either */
	if (w->quoted)
		return END;
	if (protocol < 0)
		return cc_walk_unknown(w, CC_PACKET_IP_PROTOCOL, w->number);
	if (w->reassembled)
		return cc_walk_give_up(w, protocol, CC_PACKET_FRAGMENTS);
	w->out->is_fragment = 1;
	memset(f, 0, sizeof(*f));
	f->family = (unsigned char)w->family;
	f->number = (unsigned char)w->number;
	f->protocol = (unsigned char)protocol;
	f->more = !!more;
	f->broken = !!w->broken;
	f->whole = w->end <= w->captured;
	f->covered = !!w->covered;
	f->id = id;
	f->position = position;
	f->at = w->at;
	f->length = w->end - w->at;
	memcpy(f->source, w->source, size);
	memcpy(f->destination, w->destination, size);
	memcpy(f->from, w->from, size);
	memcpy(f->to, w->to, size);
	return END;
}

/*
 * A source route, loose or strict: sets w->to to its last address, unless the packet is at its
 * end.  Returns whether the option is valid.
 */
static int source_route(struct cc_walk *w, const unsigned char *option, size_t length)
{
	/* the pointer counts from 1, and the route begins at 4 */
	if (length < 3 || (length - 3) % 4 || option[2] < 4 || option[2] % 4)
		return 0;
	if (option[2] < length)
		w->to = option + length - 4;
	return 1;
}

/* Whether IPv4's options are well-formed. */
static int options(struct cc_walk *w, const unsigned char *p, size_t length)
{
	size_t i = 0, size;
	int routed = 0;

	while (i < length && p[i] != 0) {
		if (p[i] == 1) {
			i++;
			continue;
		}
		if (length - i < 2)
			return 0;
		size = p[i + 1];
		if (size < 2 || size > length - i)
			return 0;
		if (p[i] == 131 || p[i] == 137) {
			/* at most one: RFC 1812, 5.2.4.1 */
			if (routed++ || !source_route(w, p + i, size))
				return 0;
		}
		i += size;
	}
	return 1;
}

/* IP, of the version in its first byte */
enum step cc_walk_ip(struct cc_walk *w)
{
	if (reach(w, 1) != REACHED)
		return cc_walk_cut(w);
	switch (w->data[w->at] >> 4) {
	case 4:
		return IPV4;
	case 6:
		return IPV6;
	default:
		return cc_walk_unknown(w, CC_PACKET_IP_VERSION, w->data[w->at] >> 4);
	}
}

enum step cc_walk_ipv4(struct cc_walk *w)
{
	const unsigned char *p = w->data + w->at;
	size_t header, total;
	unsigned int flags;
	int reason = reach(w, 20);

	w->family = 4;
	w->source = w->destination = NULL;
	w->jumbo = 0;
	if (reason != REACHED)
		return cc_walk_give_up(w, CC_PACKET_IPV4, reason);
	w->source = w->from = p + 12;
	w->destination = w->to = p + 16;
	header = (size_t)(p[0] & 15) * 4;
	total = get16(p + 2);
	flags = get16(p + 6);
	if (!total) {
		/* for the network card to segment, which it does with TCP */
		if (p[9] != 6 || flags & 0x3fff || w->quoted)
			w->broken = 1;
		total = w->end - w->at;
	}
	if (p[0] >> 4 != 4 || header < 20 || total < header)
		return cc_walk_give_up(w, CC_PACKET_IPV4, CC_PACKET_MALFORMED);
	reason = reach(w, header);
	if (reason != REACHED)
		return cc_walk_give_up(w, CC_PACKET_IPV4, reason);
	cc_walk_judge(w, CC_PACKET_IPV4, 10, header, 0);
	if (total > w->end - w->at)
		w->broken = 1;
	else
		w->end = w->at + total;
	/* whose final destination is not known then */
	if (!options(w, p + 20, header - 20))
		w->broken = 1;
	w->number = p[9];
	w->at += header;
	if (flags & 0x3fff)
		return cc_walk_fragment(w, get16(p + 4), (flags & 0x1fff) * 8, flags & 0x2000);
	return PROTOCOL;
}

enum step cc_walk_ipv6(struct cc_walk *w)
{
	const unsigned char *p = w->data + w->at;
	size_t length;
	int reason = reach(w, 40);

	w->family = 6;
	w->source = w->destination = NULL;
	if (reason != REACHED)
		return cc_walk_give_up(w, CC_PACKET_IPV6, reason);
	w->source = w->from = p + 8;
	w->destination = w->to = p + 24;
	if (p[0] >> 4 != 6)
		return cc_walk_give_up(w, CC_PACKET_IPV6, CC_PACKET_MALFORMED);
	length = get16(p + 4);
	w->number = p[6];
	w->first = 1;
	w->jumbo = w->home = 0;
	/* a jumbogram: an option has the length */
	w->lengthless = !length && !w->number;
	w->at += 40;
	if (length > w->end - w->at)
		w->broken = 1;
	/* TCP for the network card to segment, as over IPv4 */
	else if (!w->lengthless && (length || w->number != 6 || w->quoted))
		w->end = w->at + length;
	return PROTOCOL;
}
