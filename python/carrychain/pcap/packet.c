// SPDX-License-Identifier: MIT
/*
 * One header a step.  A step reads only bytes that reach() has granted, ends the walk or
 * moves w->at forward: so that a walk always ends.
 */
#include "packet.h"

#include <carrychain/checksum.h>

#include <string.h>

enum step {
	END,
	ETHERNET,
	TYPE, /* w->number is an EtherType */
	MPLS,
	IP,
	IPV4,
	IPV6,
	PROTOCOL, /* w->number is a protocol above IP */
};

struct walk {
	struct packet_findings *out;
	const unsigned char *data;
	size_t at;	 /* where the next header begins: at most captured, at most end */
	size_t end;	 /* where the lengths so far say that all of it ends */
	size_t captured; /* how much there is, padding included */
	unsigned int number;
	int broken;	 /* a length said more than there is room for */
	int reassembled; /* a datagram: fragments in it are not put together again */
	int covered;	 /* a checksum found covers what comes */
	int lengthless;	 /* the IPv6 header leaves the length to an option */
	int family;
	const unsigned char *source, *destination; /* as the IP header has them */
	const unsigned char *from, *to;		   /* as the pseudo-header does */
	unsigned char last_hop[16];		   /* @to, where no header has it in one piece */
};

static unsigned int get16(const unsigned char *p)
{
	return (unsigned int)p[0] << 8 | p[1];
}

static uint32_t get32(const unsigned char *p)
{
	return (uint32_t)get16(p) << 16 | get16(p + 2);
}

/* The field as packets have it in memory. */
static uint16_t field16(const unsigned char *p)
{
	uint16_t x;

	memcpy(&x, p, sizeof(x));
	return x;
}

static uint32_t readable(uint16_t field)
{
	unsigned char bytes[2];

	memcpy(bytes, &field, sizeof(bytes));
	return get16(bytes);
}

#define REACHED (-1)

/* REACHED, or why the next @n bytes can't be read. */
static int reach(const struct walk *w, size_t n)
{
	if (w->end - w->at < n)
		return PACKET_MALFORMED;
	if (w->captured - w->at < n)
		return PACKET_TRUNCATED;
	return REACHED;
}

static struct packet_finding *add(struct walk *w, enum packet_protocol protocol,
				  enum packet_verdict verdict)
{
	struct packet_finding *f = &w->out->finding[w->out->count];

	memset(f, 0, sizeof(*f));
	f->protocol = (unsigned char)protocol;
	f->verdict = (unsigned char)verdict;
	f->family = (unsigned char)w->family;
	f->width = 2;
	f->source = w->source;
	f->destination = w->destination;
	/* the last place is kept for saying that there is no further one */
	if (++w->out->count == PACKET_FINDINGS) {
		f->verdict = PACKET_UNVERIFIABLE;
		f->reason = PACKET_NESTED;
	}
	return f;
}

static enum step unverifiable(struct walk *w, enum packet_protocol protocol, int reason)
{
	struct packet_finding *f = add(w, protocol, PACKET_UNVERIFIABLE);

	if (f->reason != PACKET_NESTED)
		f->reason = (unsigned char)reason;
	return END;
}

/*
 * The checksum at @field of @length bytes from w->at, which are there, and what lies over
 * them in the pseudo-header.
 */
static struct packet_finding *judge(struct walk *w, enum packet_protocol protocol, size_t field,
				    size_t length, uint32_t pseudo)
{
	const unsigned char *data = w->data + w->at;
	int udp = protocol == PACKET_UDP || protocol == PACKET_UDP_LITE;
	uint16_t found = field16(data + field), expected;
	struct packet_finding *f = add(w, protocol, PACKET_GOOD);
	uint32_t sum;

	f->field = w->at + field;
	f->found = f->expected = readable(found);
	if (f->verdict != PACKET_GOOD)
		return f;
	/* UDP's 0 says that there is none, whatever the sum */
	if ((found || !udp) && cc_checksum_verify(data, length, pseudo))
		return f;
	f->verdict = pseudo && found == cc_checksum_sum16(pseudo) ? PACKET_PARTIAL : PACKET_BAD;
	/* not by subtraction: that can't tell 0 from 0xffff */
	sum = cc_checksum_partial(data, field, pseudo);
	sum = cc_checksum_partial(data + field + 2, length - field - 2, sum);
	expected = cc_checksum_fold(sum);
	if (udp)
		expected = cc_checksum_udp(expected);
	f->expected = readable(expected);
	return f;
}

static uint32_t pseudo_header(const struct walk *w, size_t length)
{
	if (w->family == 4)
		return cc_checksum_pseudo_v4(w->from, w->to, (uint8_t)w->number, (uint16_t)length);
	return cc_checksum_pseudo_v6(w->from, w->to, (uint8_t)w->number, (uint32_t)length);
}

/* Why the rest, of which @least bytes must be there, is not all there to be summed. */
static int incomplete(const struct walk *w, size_t least)
{
	size_t length = w->end - w->at;

	if (w->broken || length < least)
		return PACKET_MALFORMED;
	return reach(w, length);
}

/* Link layers */

static enum step ethernet(struct walk *w)
{
	if (reach(w, 14) != REACHED)
		return END;
	w->number = get16(w->data + w->at + 12);
	w->at += 14;
	return TYPE;
}

static enum step type(struct walk *w)
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
			return END;
		w->number = get16(w->data + w->at + 2);
		w->at += 4;
		return TYPE;
	default:
		return END;
	}
}

static enum step mpls(struct walk *w)
{
	int bottom;

	if (reach(w, 4) != REACHED)
		return END;
	bottom = w->data[w->at + 2] & 1;
	w->at += 4;
	return bottom ? IP : MPLS;
}

/* IP, of the version that its first byte says */
static enum step ip(struct walk *w)
{
	if (reach(w, 1) != REACHED)
		return END;
	switch (w->data[w->at] >> 4) {
	case 4:
		return IPV4;
	case 6:
		return IPV6;
	default:
		return END;
	}
}

static enum step loopback(struct walk *w)
{
	uint32_t family;

	if (reach(w, 4) != REACHED)
		return END;
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
		return END;
	}
}

static enum step cooked(struct walk *w, size_t header, size_t number)
{
	if (reach(w, header) != REACHED)
		return END;
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

int packet_link_known(unsigned int link)
{
	switch (link) {
	case LINK_NULL:
	case LINK_ETHERNET:
	case LINK_RAW_12:
	case LINK_RAW_14:
	case LINK_RAW:
	case LINK_LOOP:
	case LINK_COOKED:
	case LINK_IPV4:
	case LINK_IPV6:
	case LINK_COOKED_2:
		return 1;
	default:
		return 0;
	}
}

static enum step link_layer(struct walk *w, unsigned int link)
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
		return END;
	}
}

/* IP */

static const int counted_as[] = {
	[1] = PACKET_ICMP,   [2] = PACKET_IGMP,	      [4] = PACKET_IPV4, [6] = PACKET_TCP,
	[17] = PACKET_UDP,   [41] = PACKET_IPV6,      [47] = PACKET_GRE, [58] = PACKET_ICMPV6,
	[132] = PACKET_SCTP, [136] = PACKET_UDP_LITE,
};

/* IPv6's extension headers hide what is behind them. */
static int is_extension(unsigned int number)
{
	return number == 0 || number == 43 || number == 44 || number == 51 || number == 60;
}

/* What to count a datagram as by its protocol; -1 if it has no checksum that we know. */
static int protocol_of(unsigned int number, int family)
{
	if (is_extension(number))
		return family == 6 ? PACKET_IPV6 : number == 51 ? PACKET_IPV4 : -1;
	if (number >= sizeof(counted_as) / sizeof(counted_as[0]) ||
	    (!counted_as[number] && number != 4))
		return -1;
	return counted_as[number];
}

static enum step fragment(struct walk *w, uint32_t id, uint32_t position, int more)
{
	struct packet_fragment *f = &w->out->fragment;
	size_t size = w->family == 4 ? 4 : 16;
	int protocol = protocol_of(w->number, w->family);

	if (protocol < 0)
		return END;
	if (w->reassembled)
		return unverifiable(w, protocol, PACKET_FRAGMENTS);
	w->out->is_fragment = 1;
	memset(f, 0, sizeof(*f));
	f->family = (unsigned char)w->family;
	f->number = (unsigned char)w->number;
	f->protocol = (unsigned char)protocol;
	f->more = !!more;
	f->whole = !w->broken && w->end <= w->captured;
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

/* The last address of a source route that is not at its end yet, or @to. */
static const unsigned char *source_route(const unsigned char *options, size_t length,
					 const unsigned char *to)
{
	size_t i = 0, option;

	while (i < length && options[i] != 0) {
		if (options[i] == 1) {
			i++;
			continue;
		}
		if (length - i < 2)
			break;
		option = options[i + 1];
		if (option < 2 || option > length - i)
			break;
		/* loose or strict; the pointer counts from 1 */
		if ((options[i] == 131 || options[i] == 137) && option >= 7 &&
		    (size_t)options[i + 2] + 3 <= option)
			return options + i + 3 + (option - 3) / 4 * 4 - 4;
		i += option;
	}
	return to;
}

static enum step ipv4(struct walk *w)
{
	const unsigned char *p = w->data + w->at;
	size_t header, total;
	unsigned int flags;
	int reason = reach(w, 20);

	w->family = 4;
	w->source = w->destination = NULL;
	if (reason != REACHED)
		return unverifiable(w, PACKET_IPV4, reason);
	w->source = w->from = p + 12;
	w->destination = w->to = p + 16;
	header = (size_t)(p[0] & 15) * 4;
	total = get16(p + 2);
	/* left to the network card, which cuts it up */
	if (!total)
		total = w->end - w->at;
	if (p[0] >> 4 != 4 || header < 20 || total < header)
		return unverifiable(w, PACKET_IPV4, PACKET_MALFORMED);
	reason = reach(w, header);
	if (reason != REACHED)
		return unverifiable(w, PACKET_IPV4, reason);
	judge(w, PACKET_IPV4, 10, header, 0);
	if (total > w->end - w->at)
		w->broken = 1;
	else
		w->end = w->at + total;
	w->to = source_route(p + 20, header - 20, w->to);
	w->number = p[9];
	w->at += header;
	flags = get16(p + 6);
	if (flags & 0x3fff)
		return fragment(w, get16(p + 4), (flags & 0x1fff) * 8, flags & 0x2000);
	return PROTOCOL;
}

static enum step ipv6(struct walk *w)
{
	const unsigned char *p = w->data + w->at;
	size_t length;
	int reason = reach(w, 40);

	w->family = 6;
	w->source = w->destination = NULL;
	if (reason != REACHED)
		return unverifiable(w, PACKET_IPV6, reason);
	w->source = w->from = p + 8;
	w->destination = w->to = p + 24;
	if (p[0] >> 4 != 6)
		return unverifiable(w, PACKET_IPV6, PACKET_MALFORMED);
	length = get16(p + 4);
	w->lengthless = !length;
	w->number = p[6];
	w->at += 40;
	/* 0: a jumbogram, whose option says it; or left to the network card */
	if (length > w->end - w->at)
		w->broken = 1;
	else if (length)
		w->end = w->at + length;
	return PROTOCOL;
}

/* IPv6's extension headers */

/* Hop-by-hop and destination options: the jumbo payload's length, the home address. */
static void options(struct walk *w, const unsigned char *p, size_t length, int hop_by_hop)
{
	size_t i = 2, size, jumbo;

	while (i < length) {
		if (!p[i]) {
			i++;
			continue;
		}
		if (length - i < 2)
			return;
		size = p[i + 1];
		if (size > length - i - 2)
			return;
		if (!hop_by_hop && p[i] == 0xc9 && size == 16)
			w->from = p + i + 2;
		/* counts from behind the IPv6 header */
		if (hop_by_hop && p[i] == 0xc2 && size == 4 && w->lengthless) {
			jumbo = get32(p + i + 2);
			if (jumbo > w->end - w->at || jumbo < length)
				w->broken = 1;
			else
				w->end = w->at + jumbo;
		}
		i += 2 + size;
	}
}

/* The final destination, where the packet is not there yet. */
static int routing(struct walk *w, const unsigned char *p, size_t length)
{
	size_t left = p[3], kept, padding, addresses;

	if (!left)
		return 1;
	switch (p[2]) {
	case 0: /* the addresses in order */
	case 2: /* the home address */
		addresses = (length - 8) / 16;
		if (left > addresses)
			return 0;
		w->to = p + 8 + (addresses - 1) * 16;
		return 1;
	case 3: /* in order, each without what it has in common with the destination */
		kept = p[4] & 15;
		padding = p[5] >> 4;
		if (length < 8 + padding + 16 - kept)
			return 0;
		memcpy(w->last_hop, w->destination, kept);
		memcpy(w->last_hop + kept, p + length - padding - (16 - kept), 16 - kept);
		w->to = w->last_hop;
		return 1;
	case 4: /* in reverse order */
		if (length < 24)
			return 0;
		w->to = p + 8;
		return 1;
	default:
		return 0;
	}
}

static enum step extension(struct walk *w)
{
	const unsigned char *p = w->data + w->at;
	unsigned int number = w->number, position;
	size_t length;
	int reason = reach(w, 8);

	if (reason != REACHED)
		return unverifiable(w, w->family == 4 ? PACKET_IPV4 : PACKET_IPV6, reason);
	w->number = p[0];
	if (number == 44) {
		position = get16(p + 2);
		w->at += 8;
		if (!(position & 0xfff9))
			return PROTOCOL;
		return fragment(w, get32(p + 4), position & 0xfff8, position & 1);
	}
	length = number == 51 ? ((size_t)p[1] + 2) * 4 : ((size_t)p[1] + 1) * 8;
	reason = reach(w, length);
	if (reason == REACHED && number == 43 && !routing(w, p, length))
		reason = PACKET_MALFORMED;
	if (reason != REACHED)
		return unverifiable(w, w->family == 4 ? PACKET_IPV4 : PACKET_IPV6, reason);
	if (number == 0 || number == 60)
		options(w, p, length, number == 0);
	w->lengthless = 0;
	w->at += length;
	return PROTOCOL;
}

/* Above IP */

static void ports(const struct walk *w, struct packet_finding *f)
{
	if (reach(w, 4) != REACHED)
		return;
	f->has_ports = 1;
	f->source_port = (uint16_t)get16(w->data + w->at);
	f->destination_port = (uint16_t)get16(w->data + w->at + 2);
}

/* ICMP and IGMP without a pseudo-header, TCP and ICMPv6 with one: all of the payload */
static enum step payload(struct walk *w, enum packet_protocol protocol, size_t field)
{
	int pseudo = protocol == PACKET_TCP || protocol == PACKET_ICMPV6;
	size_t length = w->end - w->at;
	struct packet_finding *f;
	int reason = incomplete(w, field + 2);

	if (reason == REACHED) {
		f = judge(w, protocol, field, length, pseudo ? pseudo_header(w, length) : 0);
	} else {
		unverifiable(w, protocol, reason);
		f = &w->out->finding[w->out->count - 1];
	}
	if (protocol == PACKET_TCP)
		ports(w, f);
	return END;
}

static int is_vxlan(unsigned int port)
{
	return port == 4789 || port == 8472;
}

/*
 * Tunnels may go without a checksum over IPv6, too (RFC 6935): VXLAN, Geneve, GRE and MPLS
 * in UDP.
 */
static int is_tunnel(unsigned int port)
{
	return is_vxlan(port) || port == 6081 || port == 4754 || port == 6635;
}

static enum step vxlan(struct walk *w)
{
	/* the flag that says that there is an identifier, as there must be */
	if (reach(w, 8) != REACHED || !(w->data[w->at] & 0x08))
		return END;
	w->at += 8;
	return ETHERNET;
}

static enum step udp(struct walk *w)
{
	const unsigned char *p = w->data + w->at;
	struct packet_finding *f;
	size_t length;
	unsigned int port;
	int reason = reach(w, 8);

	if (w->broken || reason != REACHED)
		return unverifiable(w, PACKET_UDP, w->broken ? PACKET_MALFORMED : reason);
	length = get16(p + 4);
	port = get16(p + 2);
	/* a jumbogram has no room for it there */
	if (!length && w->family == 6)
		length = w->end - w->at;
	if (length < 8 || length > w->end - w->at)
		return unverifiable(w, PACKET_UDP, PACKET_MALFORMED);
	w->end = w->at + length;
	if (!get16(p + 6) && (w->family == 4 || is_tunnel(port))) {
		f = add(w, PACKET_UDP, PACKET_NONE);
		f->field = w->at + 6;
	} else if (w->captured < w->end) {
		unverifiable(w, PACKET_UDP, PACKET_TRUNCATED);
		f = &w->out->finding[w->out->count - 1];
		w->covered = 1;
	} else {
		f = judge(w, PACKET_UDP, 6, length, pseudo_header(w, length));
		w->covered = 1;
	}
	ports(w, f);
	if (!is_vxlan(port))
		return END;
	w->at += 8;
	return vxlan(w);
}

static enum step udp_lite(struct walk *w)
{
	const unsigned char *p = w->data + w->at;
	size_t length = w->end - w->at, coverage;
	struct packet_finding *f;
	int reason = reach(w, 8);

	if (w->broken || reason != REACHED)
		return unverifiable(w, PACKET_UDP_LITE, w->broken ? PACKET_MALFORMED : reason);
	coverage = get16(p + 4);
	if (!coverage)
		coverage = length;
	if (coverage < 8 || coverage > length)
		reason = PACKET_MALFORMED;
	else
		reason = reach(w, coverage);
	if (reason == REACHED) {
		/* whose length is that of all, covered or not */
		f = judge(w, PACKET_UDP_LITE, 6, coverage, pseudo_header(w, length));
	} else {
		unverifiable(w, PACKET_UDP_LITE, reason);
		f = &w->out->finding[w->out->count - 1];
	}
	ports(w, f);
	return END;
}

static enum step sctp(struct walk *w)
{
	static const unsigned char zero[4];
	const unsigned char *p = w->data + w->at;
	size_t length = w->end - w->at;
	struct packet_finding *f;
	int reason = incomplete(w, 12);
	uint32_t crc;

	if (reason != REACHED) {
		unverifiable(w, PACKET_SCTP, reason);
		ports(w, &w->out->finding[w->out->count - 1]);
		return END;
	}
	crc = packet_crc32c(0, p, 8);
	crc = packet_crc32c(crc, zero, 4);
	crc = packet_crc32c(crc, p + 12, length - 12);
	f = add(w, PACKET_SCTP, PACKET_GOOD);
	f->width = 4;
	f->field = w->at + 8;
	f->found = get32(p + 8);
	/* its lowest byte comes first */
	f->expected = crc << 24 | (crc << 8 & 0xff0000) | (crc >> 8 & 0xff00) | crc >> 24;
	if (f->verdict == PACKET_GOOD && f->found != f->expected)
		f->verdict = PACKET_BAD;
	ports(w, f);
	return END;
}

static enum step gre(struct walk *w)
{
	const unsigned char *p = w->data + w->at;
	unsigned int flags;
	size_t header = 4;
	int reason = reach(w, 4);

	if (reason != REACHED)
		return unverifiable(w, PACKET_GRE, reason);
	flags = get16(p);
	/* version 1, PPTP's, has no checksum */
	if (flags & 7)
		return END;
	if (flags & 0x8000) {
		reason = incomplete(w, 8);
		if (reason == REACHED)
			judge(w, PACKET_GRE, 4, w->end - w->at, 0);
		else
			unverifiable(w, PACKET_GRE, reason);
		w->covered = 1;
	}
	/* source routes in GRE, of RFC 1701: gone since RFC 2784 */
	if (flags & 0x4000)
		return END;
	header += flags & 0x8000 ? 4 : 0;
	header += flags & 0x2000 ? 4 : 0;
	header += flags & 0x1000 ? 4 : 0;
	if (reach(w, header) != REACHED)
		return END;
	w->number = get16(p + 2);
	w->at += header;
	return TYPE;
}

static enum step protocol(struct walk *w)
{
	switch (w->number) {
	case 1:
		return w->family == 4 ? payload(w, PACKET_ICMP, 2) : END;
	case 2:
		return payload(w, PACKET_IGMP, 2);
	case 4:
		return IPV4;
	case 6:
		return payload(w, PACKET_TCP, 16);
	case 17:
		return udp(w);
	case 41:
		return IPV6;
	case 47:
		return gre(w);
	case 51:
		return extension(w);
	case 58:
		return w->family == 6 ? payload(w, PACKET_ICMPV6, 2) : END;
	case 132:
		return sctp(w);
	case 136:
		return udp_lite(w);
	default:
		return w->family == 6 && is_extension(w->number) ? extension(w) : END;
	}
}

static void walk_on(struct walk *w, enum step step)
{
	while (step != END && w->out->count < PACKET_FINDINGS) {
		switch (step) {
		case ETHERNET:
			step = ethernet(w);
			break;
		case TYPE:
			step = type(w);
			break;
		case MPLS:
			step = mpls(w);
			break;
		case IP:
			step = ip(w);
			break;
		case IPV4:
			step = ipv4(w);
			break;
		case IPV6:
			step = ipv6(w);
			break;
		case PROTOCOL:
			step = protocol(w);
			break;
		case END:
			break;
		}
	}
}

void packet_walk(struct packet_findings *out, unsigned int link, const unsigned char *data,
		 size_t captured, size_t original)
{
	struct walk w = {
		.out = out,
		.data = data,
		.captured = captured,
		.end = original < captured ? captured : original,
	};

	out->count = 0;
	out->is_fragment = 0;
	walk_on(&w, link_layer(&w, link));
}

void packet_walk_datagram(struct packet_findings *out, const struct packet_fragment *of,
			  const unsigned char *data, size_t length)
{
	struct walk w = {
		.out = out,
		.data = data,
		.captured = length,
		.end = length,
		.number = of->number,
		.family = of->family,
		.reassembled = 1,
		.source = of->source,
		.destination = of->destination,
		.from = of->from,
		.to = of->to,
	};

	out->count = 0;
	out->is_fragment = 0;
	walk_on(&w, PROTOCOL);
}

size_t packet_fix(struct packet_findings *out, struct packet_write written[PACKET_FINDINGS],
		  unsigned int link, const struct packet_fragment *of, unsigned char *data,
		  size_t captured, size_t original)
{
	size_t count = 0, i = out->count;

	/*
	 * One that is written changes none inside it, and so leaves the walk as it was: each
	 * is looked at once, with all inside it as they will stay.
	 */
	while (i--) {
		struct packet_finding *f = &out->finding[i];
		unsigned int byte;

		if (f->verdict != PACKET_BAD && f->verdict != PACKET_PARTIAL)
			continue;
		for (byte = 0; byte < f->width; byte++)
			data[f->field + byte] =
				(unsigned char)(f->expected >> 8 * (f->width - 1u - byte));
		written[count].field = f->field;
		written[count++].width = f->width;
		if (of)
			packet_walk_datagram(out, of, data, captured);
		else
			packet_walk(out, link, data, captured, original);
	}
	return count;
}
