/* SPDX-License-Identifier: MIT */
/*
 * packet.h - the checksums in one packet, and what each is worth.
 *
 * A packet is walked from its link layer inwards, as far as headers are known.  Nothing is
 * allocated, nothing kept between two packets, and no byte read beyond those captured,
 * whatever they say.  The time is linear in the packet's length, times PACKET_FINDINGS at
 * most where tunnels each sum what is in them.
 *
 * Lengths come from the IP headers, so that what pads a frame is never summed.
 */
#ifndef CARRYCHAIN_PCAP_PACKET_H
#define CARRYCHAIN_PCAP_PACKET_H

#include <carrychain/word.h>

enum packet_protocol {
	PACKET_IPV4,
	PACKET_IPV6, /* has no checksum itself: for what can't be read behind it */
	PACKET_TCP,
	PACKET_UDP,
	PACKET_UDP_LITE,
	PACKET_ICMP,
	PACKET_ICMPV6,
	PACKET_IGMP,
	PACKET_SCTP,
	PACKET_SCTP_ADLER32, /* one whose checksum is that of RFC 2960: always good */
	PACKET_GRE,
	PACKET_PROTOCOLS,
};

enum packet_verdict {
	PACKET_GOOD,
	PACKET_BAD,
	PACKET_PARTIAL, /* the pseudo-header's sum alone, as left to the network card to finish */
	PACKET_NONE,	/* the sender made none, and may */
	PACKET_UNVERIFIABLE,
	PACKET_VERDICTS,
};

/* Why a checksum is unverifiable. */
enum packet_reason {
	PACKET_TRUNCATED, /* not all of it was captured */
	PACKET_FRAGMENTS, /* not all fragments are there */
	PACKET_MALFORMED, /* headers contradict themselves, or each other */
	PACKET_NESTED,	  /* too many checksums inside each other */
	PACKET_REASONS,
};

/* What is behind the last header that was understood, where it may well have checksums. */
enum packet_unknown {
	PACKET_NOTHING, /* nothing that would not be known */
	PACKET_LINK,
	PACKET_FAMILY, /* of a loopback's header */
	PACKET_ETHERTYPE,
	PACKET_SAP, /* of a frame with a length in place of its EtherType: LLC */
	PACKET_IP_VERSION,
	PACKET_IP_PROTOCOL,
	PACKET_GRE_FLAGS, /* another version, or source routes */
	PACKET_CUT,	  /* a header that is not there whole; no number */
};

struct packet_finding {
	unsigned char protocol, verdict, reason;
	unsigned char family; /* 4 or 6 */
	unsigned char width;  /* of the field: 2 or 4 bytes */
	unsigned char has_ports;
	uint16_t source_port, destination_port;
	size_t field; /* where it is in the packet */
	/* as people write them; expected only where bad or partial */
	uint32_t expected, found;
	const unsigned char *source, *destination; /* addresses in the packet, of the family */
};

/* Where a walk ended: at a part of a datagram. */
struct packet_fragment {
	unsigned char family;
	unsigned char number;	/* the protocol, or next header, of the datagram */
	unsigned char protocol; /* what to count it as */
	unsigned char more;	/* not the last */
	unsigned char broken;	/* the headers in front of it contradict themselves */
	unsigned char whole;	/* all of it was captured */
	unsigned char covered;	/* a checksum of its packet covers it: it is in a tunnel */
	uint32_t id;
	uint32_t position; /* in the datagram */
	size_t at, length; /* in the packet */
	/* 4 or 16 bytes each: as the header has them, and as the pseudo-header does */
	unsigned char source[16], destination[16], from[16], to[16];
};

#define PACKET_FINDINGS 32

struct packet_findings {
	size_t count;
	struct packet_finding finding[PACKET_FINDINGS];
	int is_fragment;
	struct packet_fragment fragment;
	enum packet_unknown unknown;
	uint32_t number; /* which one of its kind */
};

/*
 * The checksums in @data[captured], which was @original bytes long on the wire.  Link types
 * are as captures number them.
 */
void packet_walk(struct packet_findings *out, unsigned int link, const unsigned char *data,
		 size_t captured, size_t original);

/* The same for the payload of a datagram put together from fragments like @of. */
void packet_walk_datagram(struct packet_findings *out, const struct packet_fragment *of,
			  const unsigned char *data, size_t length);

/*
 * Make what is bad or partial in @data good: the innermost first, since those around it
 * cover it, and change by it.  @out is what was found before, and is overwritten; @of is
 * NULL, or @data is a datagram.
 *
 * Returns how many were written; @written, one byte for each, has where in @data.
 */
struct packet_write {
	size_t field;
	unsigned char width;
};

size_t packet_fix(struct packet_findings *out, struct packet_write written[PACKET_FINDINGS],
		  unsigned int link, const struct packet_fragment *of, unsigned char *data,
		  size_t captured, size_t original);

/* CRC32c (RFC 9260, appendix A) of @data[len] behind that of what precedes it; 0 begins one. */
uint32_t packet_crc32c(uint32_t crc, const unsigned char *data, size_t len);

/* Adler-32 of @data[len] behind that of what precedes it; 1 begins one. */
uint32_t packet_adler32(uint32_t sum, const unsigned char *data, size_t len);

#endif /* CARRYCHAIN_PCAP_PACKET_H */
