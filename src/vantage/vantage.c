// SPDX-License-Identifier: MIT
/* Where a packet was captured, by itself and by what a capture shows. */
#include <carrychain/vantage.h>

#include "../platform.h"

static unsigned int get16(const unsigned char *p)
{
	return (unsigned int)p[0] << 8 | p[1];
}

enum cc_vantage cc_vantage_of(unsigned int evidence)
{
	if (evidence >= CC_EVIDENCE_SENT_STATED && evidence <= CC_EVIDENCE_LOOPBACK)
		return CC_VANTAGE_SENDER;
	if (evidence >= CC_EVIDENCE_RECEIVED_STATED && evidence <= CC_EVIDENCE_RECEIVED_MAC)
		return CC_VANTAGE_RECEIVER;
	if (evidence >= CC_EVIDENCE_WIRE_STATED && evidence <= CC_EVIDENCE_WIRE_FLAGS)
		return CC_VANTAGE_WIRE;
	return CC_VANTAGE_UNKNOWN;
}

enum cc_evidence cc_vantage_stated(enum cc_vantage vantage)
{
	switch (vantage) {
	case CC_VANTAGE_SENDER:
		return CC_EVIDENCE_SENT_STATED;
	case CC_VANTAGE_RECEIVER:
		return CC_EVIDENCE_RECEIVED_STATED;
	case CC_VANTAGE_WIRE:
		return CC_EVIDENCE_WIRE_STATED;
	default:
		return CC_EVIDENCE_NONE;
	}
}

/* The packet type at @type, of a device of the kind at @device (tcpdump.org/linktypes). */
static enum cc_evidence cooked(const unsigned char *type, const unsigned char *device)
{
	enum { LOOPBACK = 772, TO_OTHER = 3, OUTGOING = 4 };

	if (get16(device) == LOOPBACK)
		return CC_EVIDENCE_LOOPBACK;
	if (*type < TO_OTHER)
		return CC_EVIDENCE_RECEIVED_PACKET_TYPE;
	if (*type == TO_OTHER)
		return CC_EVIDENCE_WIRE_PACKET_TYPE;
	return *type == OUTGOING ? CC_EVIDENCE_SENT_PACKET_TYPE : CC_EVIDENCE_NONE;
}

/* draft-ietf-opsawg-pcapng, 4.3.1 */
static enum cc_evidence flagged(uint32_t flags)
{
	enum { DIRECTION = 3, INBOUND = 1, OUTBOUND = 2, RECEPTION = 7 << 2, PROMISCUOUS = 4 << 2 };

	switch (flags & DIRECTION) {
	case INBOUND:
		return (flags & RECEPTION) == PROMISCUOUS ? CC_EVIDENCE_WIRE_FLAGS
							  : CC_EVIDENCE_RECEIVED_FLAGS;
	case OUTBOUND:
		return CC_EVIDENCE_SENT_FLAGS;
	default:
		return CC_EVIDENCE_NONE;
	}
}

enum cc_evidence cc_vantage_look(unsigned int link, const unsigned char *data, size_t captured,
				 uint32_t flags)
{
	static const unsigned char no_address[12];
	enum { LINK_NULL = 0, ETHERNET = 1, LINK_LOOP = 108, COOKED = 113, COOKED_2 = 276 };
	enum cc_evidence evidence = CC_EVIDENCE_NONE;

	if (link == LINK_NULL || link == LINK_LOOP)
		return CC_EVIDENCE_LOOPBACK;
	/* as Linux's loopback has them */
	if (link == ETHERNET && captured >= sizeof(no_address) &&
	    !memcmp(data, no_address, sizeof(no_address)))
		return CC_EVIDENCE_LOOPBACK;
	if (link == COOKED && captured >= 16 && !data[0])
		evidence = cooked(data + 1, data + 2);
	else if (link == COOKED_2 && captured >= 20)
		evidence = cooked(data + 10, data + 8);
	return evidence ? evidence : flagged(flags);
}

int cc_vantage_within(const struct cc_packet_layer *f)
{
	static const unsigned char one[16] = {[15] = 1};

	if (!f->source)
		return 0;
	if (f->family == 4)
		return f->source[0] == 127 || !memcmp(f->source, f->destination, 4);
	return !memcmp(f->source, one, 16) || !memcmp(f->source, f->destination, 16);
}

/* TCP's header, whose checksum is at offset 16. */
enum { TCP_LENGTH_BEFORE = 4, TCP_FLAGS_BEFORE = 3, SYN = 0x02, RST = 0x04, ACK = 0x10 };

static int has_data(const struct cc_packet_layer *f, const unsigned char *data)
{
	return f->length > (data[f->field - TCP_LENGTH_BEFORE] >> 4) * 4u;
}

static unsigned int tcp_sum(const struct cc_packet_layer *f, const unsigned char *data)
{
	enum { LONGEST = 1500, IPV4_HEADER = 20, IPV6_HEADER = 40 };
	size_t packet = f->length + (f->family == 4 ? IPV4_HEADER : IPV6_HEADER);
	unsigned int flags = data[f->field - TCP_FLAGS_BEFORE], sum = 0;

	if (has_data(f, data))
		sum |= CC_SUM_DATA | (packet > LONGEST ? CC_SUM_LONG : 0);
	if (flags & SYN)
		sum |= CC_SUM_OPENS;
	else if (flags & ACK && !(flags & RST))
		sum |= CC_SUM_CONTINUES;
	return sum;
}

/*
 * Whether the sum is the pseudo-header's without the length, as Windows leaves it for a card that
 * gives each segment its own.
 */
static int lacks_length(const struct cc_packet_layer *f)
{
	enum { TCP = 6 };
	size_t i, bytes = f->family == 4 ? 4 : 16;
	uint32_t sum = TCP;

	for (i = 0; i < bytes; i += 2)
		sum += get16(f->source + i) + get16(f->destination + i);
	sum = (sum >> 16) + (sum & 0xffff);
	return f->found == (sum >> 16) + (sum & 0xffff);
}

static unsigned int sum_of_tcp(const struct cc_packet_layer *f, const unsigned char *data)
{
	unsigned int sum = tcp_sum(f, data);

	if (f->verdict == CC_PACKET_PARTIAL)
		return CC_SUM_MAY_BE_DEFERRED | sum;
	if (!f->found)
		return CC_SUM_MAY_BE_DEFERRED | CC_SUM_ZERO;
	return sum & CC_SUM_LONG && f->source && lacks_length(f) ? CC_SUM_MAY_BE_DEFERRED | sum : 0;
}

unsigned int cc_vantage_sum(const struct cc_packet_layers *layers, size_t i,
			    const unsigned char *data)
{
	const struct cc_packet_layer *f = &layers->layer[i];
	unsigned int sum = CC_SUM_MAY_BE_DEFERRED, inner;

	if (f->verdict != CC_PACKET_PARTIAL && f->verdict != CC_PACKET_BAD)
		return 0;
	if (f->protocol == CC_PACKET_TCP)
		return sum_of_tcp(f, data);
	if (f->verdict == CC_PACKET_PARTIAL)
		return sum;
	if (f->found || (f->protocol != CC_PACKET_IPV4 && f->protocol != CC_PACKET_SCTP))
		return 0;
	sum |= CC_SUM_ZERO;
	if (i + 1 < layers->count) {
		inner = cc_vantage_sum(layers, i + 1, data);
		if (inner && !(inner & CC_SUM_ZERO))
			sum |= CC_SUM_BESIDE | (inner & CC_SUM_LONG);
	}
	return sum;
}

static unsigned int right(const struct cc_packet_layer *f, const unsigned char *data)
{
	/* less than fills an Ethernet frame behind an IPv4 header */
	enum { SHORT = 60 - 14 - 20 };
	unsigned int flags;

	if (f->verdict != CC_PACKET_GOOD || f->quoted)
		return 0;
	if (f->protocol == CC_PACKET_IPV4)
		return CC_RIGHT_IPV4;
	/* drivers whose card fails with padding sum these in software */
	if (f->family == 4 && f->length < SHORT)
		return 0;
	switch (f->protocol) {
	case CC_PACKET_TCP:
		/* software sums a reset, and an acknowledgement of a connection that is closed */
		flags = data[f->field - TCP_FLAGS_BEFORE];
		if (flags & RST)
			return 0;
		if (has_data(f, data))
			return CC_RIGHT_TCP_DATA;
		return flags & SYN ? CC_RIGHT_TCP_SYN : 0;
	case CC_PACKET_UDP:
		return CC_RIGHT_UDP;
	case CC_PACKET_SCTP:
		return CC_RIGHT_SCTP;
	case CC_PACKET_UDP_LITE:
	case CC_PACKET_DCCP:
		return CC_RIGHT_OTHER;
	default:
		/* no network card computes it */
		return 0;
	}
}

unsigned int cc_vantage_right(const struct cc_packet_layers *layers, size_t *at,
			      const unsigned char *data)
{
	const struct cc_packet_layer *f = &layers->layer[*at];
	const unsigned char *source = f->source;
	const struct cc_packet_layer *end = layers->layer + layers->count;
	unsigned int found = 0;

	do
		found |= right(f, data);
	while (++f < end && f->source == source);
	*at = (size_t)(f - layers->layer);
	return found & ~CC_RIGHT_IPV4 ? found : 0;
}

static cc_u64 word_at(const unsigned char *p)
{
	cc_u64 x;

	memcpy(&x, p, sizeof(x));
	return x;
}

static cc_u64 mixed(cc_u64 hash, cc_u64 word)
{
	cc_u64 x = (hash ^ word) * 0x9e3779b97f4a7c15u;

	return x ^ x >> 32;
}

cc_u64 cc_vantage_pair(uint32_t interface, unsigned int family, const unsigned char *source,
		       const unsigned char *destination)
{
	cc_u64 hash = ((cc_u64)interface << 8 | family) * 0xd6e8feb86659fd93u;
	unsigned char both[8];

	if (family == 4) {
		memcpy(both, source, 4);
		memcpy(both + 4, destination, 4);
		hash = mixed(hash, word_at(both));
	} else {
		hash = mixed(hash, word_at(source));
		hash = mixed(hash, word_at(source + 8));
		hash = mixed(hash, word_at(destination));
		hash = mixed(hash, word_at(destination + 8));
	}
	hash = mixed(hash, 0);
	return hash >> CC_RIGHT_BITS << CC_RIGHT_BITS;
}
