/* SPDX-License-Identifier: MIT */
/*
 * packet.h - the checksums in one packet, what each is worth, and their repair.
 *
 * A packet is walked from its link layer inwards, as far as headers are known: one frame in,
 * one verdict a layer out.  Nothing is allocated, nothing kept between two packets, and no byte
 * read beyond those captured, whatever they say.  The time is linear in the packet's length,
 * times CC_PACKET_LAYERS at most where tunnels each sum what is in them.
 *
 * Lengths come from the IP headers, so that what pads a frame is never summed.
 *
 *	struct cc_packet_layers out;
 *
 *	cc_packet_walk(&out, 1, frame, length, length, 0);
 *	for (i = 0; i < out.count; i++)
 *		if (out.layer[i].verdict == CC_PACKET_BAD)
 *			...
 */
#ifndef CARRYCHAIN_PACKET_H
#define CARRYCHAIN_PACKET_H

#include <carrychain/word.h>

#ifdef __cplusplus
extern "C" {
#endif

enum cc_packet_protocol {
	CC_PACKET_IPV4,
	CC_PACKET_IPV6, /* has no checksum itself: for what can't be read behind it */
	CC_PACKET_TCP,
	CC_PACKET_UDP,
	CC_PACKET_UDP_LITE,
	CC_PACKET_ICMP,
	CC_PACKET_ICMPV6,
	CC_PACKET_IGMP,
	CC_PACKET_SCTP,
	CC_PACKET_SCTP_ADLER32, /* one whose checksum is that of RFC 2960: always good */
	CC_PACKET_GRE,
	CC_PACKET_DCCP,
	CC_PACKET_OSPFV2,
	CC_PACKET_OSPFV3,
	CC_PACKET_PIM,
	CC_PACKET_VRRP,
	CC_PACKET_EIGRP,
	CC_PACKET_RSVP,
	CC_PACKET_MOBILITY,
	CC_PACKET_HIP,
	CC_PACKET_SHIM6,
	CC_PACKET_ICMP_EXTENSION, /* what RFC 4884 puts behind the quote of an ICMP error */
	CC_PACKET_PROTOCOLS,
};

enum cc_packet_verdict {
	CC_PACKET_GOOD,
	CC_PACKET_BAD,
	CC_PACKET_PARTIAL, /* the pseudo-header's sum alone: the network card was to finish it */
	CC_PACKET_NONE,	   /* the sender made none, and may */
	CC_PACKET_UNVERIFIABLE,
	CC_PACKET_VERDICTS,
};

/* Why a checksum is unverifiable. */
enum cc_packet_reason {
	CC_PACKET_TRUNCATED, /* not all of it was captured */
	CC_PACKET_FRAGMENTS, /* not all fragments are there */
	CC_PACKET_MALFORMED, /* headers contradict themselves, or each other */
	CC_PACKET_NESTED,    /* too many checksums inside each other */
	CC_PACKET_REASONS,
};

/* What is behind the last header that was understood, where it may well have checksums. */
enum cc_packet_unknown {
	CC_PACKET_NOTHING, /* nothing that would not be known */
	CC_PACKET_LINK,
	CC_PACKET_FAMILY, /* of a loopback's header, or NFLOG's */
	CC_PACKET_ETHERTYPE,
	CC_PACKET_SAP,	/* of a frame with a length in place of its EtherType: LLC */
	CC_PACKET_SNAP, /* an organization with protocols of its own in LLC */
	CC_PACKET_PPP,
	CC_PACKET_NLPID, /* in frame relay */
	CC_PACKET_IEEE80211_VERSION,
	CC_PACKET_IEEE80211_FRAGMENT, /* no number */
	CC_PACKET_PROTECTED,	      /* an 802.11 frame; no number */
	CC_PACKET_SUBFRAME,   /* more of an A-MSDU, behind a fragment or too deep; no number */
	CC_PACKET_PSEUDOWIRE, /* not known what of; no number */
	CC_PACKET_CHANNEL,    /* of a pseudowire */
	CC_PACKET_NSH,
	CC_PACKET_IP_VERSION,
	CC_PACKET_IP_PROTOCOL,
	CC_PACKET_GRE_FLAGS, /* another version, or source routes */
	CC_PACKET_ERSPAN,    /* another version */
	CC_PACKET_ERSPAN_FRAME,
	CC_PACKET_CAPWAP_DTLS,	   /* no number */
	CC_PACKET_CAPWAP_FRAGMENT, /* no number */
	CC_PACKET_CAPWAP_BINDING,
	CC_PACKET_UDP_PORT, /* a tunnel's, but not its header, or heuristics are not wanted */
	CC_PACKET_CUT,	    /* a header that is not there whole; no number */
	CC_PACKET_UNKNOWNS,
};

/* As people write them: "UDP", "bad", "not captured whole"; "?" for a number that none has. */
const char *cc_packet_protocol_name(unsigned int protocol);
const char *cc_packet_verdict_name(unsigned int verdict);
const char *cc_packet_reason_name(unsigned int reason);

/*
 * What is unknown, an enum cc_packet_unknown, as people write it: "EtherType 0x88e5 (MACsec)";
 * "nothing" for a number that none has.  Returns its length, the zero behind it not counted.
 */
#define CC_PACKET_TEXT 64
size_t cc_packet_unknown_text(char text[CC_PACKET_TEXT], unsigned int what, uint32_t number);

/* A checksum. */
struct cc_packet_layer {
	/* an enum cc_packet_... each; the reason only where unverifiable */
	unsigned char protocol, verdict, reason;
	unsigned char family; /* 4 or 6 */
	unsigned char width;  /* of the field: 2 or 4 bytes */
	unsigned char has_ports;
	/*
	 * In the packet that an ICMP error quotes: it says nothing of the packet that carries
	 * it, and is neither unverifiable, since quotes are mostly cut, nor repaired.
	 */
	unsigned char quoted;
	uint16_t source_port, destination_port;
	/* not where unverifiable: where it is in the packet */
	size_t field;
	/* numbers as people write them; expected only where bad or partial */
	uint32_t expected, found;
	/*
	 * The IP header's addresses, of the family: in the packet, or in the fragment that a
	 * datagram's walk was given; NULL where the header is not there whole.
	 */
	const unsigned char *source, *destination;
};

/* Where a walk ended: at a part of a datagram. */
struct cc_packet_fragment {
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

#define CC_PACKET_LAYERS 32

/* From the outermost inwards. */
struct cc_packet_layers {
	size_t count;
	struct cc_packet_layer layer[CC_PACKET_LAYERS];
	int is_fragment;
	struct cc_packet_fragment fragment;
	enum cc_packet_unknown unknown;
	uint32_t number; /* which one of its kind */
};

/*
 * For @flags: enter nothing that is only likely to be there, such as the tunnel that a UDP port
 * suggests.  Without it that is entered if its headers are consistent.
 */
#define CC_PACKET_NO_HEURISTICS 1u

/*
 * The checksums in @data[captured], which was @original bytes long on the wire: an @original
 * below @captured counts as @captured.  @link is the link type as captures number them: 1 is
 * Ethernet, 101 IP alone (tcpdump.org/linktypes.html).
 */
void cc_packet_walk(struct cc_packet_layers *out, unsigned int link, const unsigned char *data,
		    size_t captured, size_t original, unsigned int flags);

/*
 * The same for @data[length], the payload of a datagram that was put together from fragments:
 * @of is the datagram's first, as in cc_packet_datagram.
 */
void cc_packet_walk_datagram(struct cc_packet_layers *out, const struct cc_packet_fragment *of,
			     const unsigned char *data, size_t length, unsigned int flags);

/* A checksum that was written. */
struct cc_packet_write {
	size_t field;
	unsigned char width;
};

/*
 * Make what is bad or partial in @data good, but for what is quoted: the innermost first, since
 * those around it cover it, and change by it.  No byte but those of the checksums' fields is
 * written.  @out is what the walk of the same arguments found, and is overwritten by what is
 * found then; @of is NULL, or @data a datagram put together from fragments, as in
 * cc_packet_walk_datagram(), with @captured and @original its length.
 *
 * Returns how many were written, and in @written where in @data.
 */
size_t cc_packet_repair(struct cc_packet_layers *out,
			struct cc_packet_write written[CC_PACKET_LAYERS], unsigned int link,
			const struct cc_packet_fragment *of, unsigned char *data, size_t captured,
			size_t original, unsigned int flags);

/*
 * Datagrams, put together from their fragments.
 *
 * Memory is bounded, and the caller's: CC_PACKET_DATAGRAMS at a time, the longest untouched
 * given up for a new one; and one is given up when a fragment comes CC_PACKET_TIMEOUT after its
 * first.  Fragments that overlap, other than by being the same again, spoil their datagram
 * (RFC 5722; of what IPv4's mean, no two systems agree).  One thread at a time.
 */
#define CC_PACKET_DATAGRAMS 256
#define CC_PACKET_PARTS	    1024
#define CC_PACKET_LONGEST   65535
#define CC_PACKET_TIMEOUT   60000000000u /* nanoseconds */

/* The packet that a fragment came in.  Its time alone means something here. */
struct cc_packet_origin {
	cc_u64 frame, time;	    /* its number; nanoseconds */
	uint32_t length, interface; /* on the wire; where it was captured */
	uint32_t capture;	    /* which of several it is in */
};

/* A fragment that came, or came again: then there is another of the same position. */
struct cc_packet_part {
	uint32_t position, length;
	cc_u64 place; /* of its bytes in the file */
};

struct cc_packet_datagram {
	int spoilt;			 /* never to be whole: an enum cc_packet_reason, plus 1 */
	struct cc_packet_fragment first; /* the first seen */
	struct cc_packet_origin origin;	 /* of the first seen */
	int covered;			 /* any of them lies in a tunnel with a checksum */
	/* bytes; the highest seen; of how many, 0 while the last is missing */
	uint32_t have, reach, total;
	uint32_t part_count;
	struct cc_packet_part part[CC_PACKET_PARTS];
	unsigned char data[CC_PACKET_LONGEST + 1];
};

/* All zeros to begin with: some 22 MB, of which what is never used is never touched. */
struct cc_packet_datagrams {
	cc_u64 seen;
	uint32_t open, most;		   /* how many there are, and were at a time */
	uint32_t key[CC_PACKET_DATAGRAMS]; /* a hash; 0 if there is no datagram */
	cc_u64 touched[CC_PACKET_DATAGRAMS];
	struct cc_packet_datagram datagram[CC_PACKET_DATAGRAMS];
};

/*
 * Add a fragment, of which a walk told: @data its bytes, from f->at of the packet on, @place
 * theirs in the file, @origin its packet.  Returns its datagram if that is whole now: its
 * payload is data[total], to be given to cc_packet_walk_datagram() with its first.  Either that
 * or, in *@lost, one that was given up, and @f was not added: call again.  Each is to be released
 * before the next call.
 */
struct cc_packet_datagram *cc_packet_datagrams_add(struct cc_packet_datagrams *s,
						   const struct cc_packet_fragment *f,
						   const unsigned char *data, cc_u64 place,
						   const struct cc_packet_origin *origin,
						   struct cc_packet_datagram **lost);

/*
 * Of those that began more than CC_PACKET_TIMEOUT before @now and are still not whole, the one
 * longest untouched, to be released; NULL if there is none.  CC_PACKET_END is after all.
 */
#define CC_PACKET_END UINT64_MAX
struct cc_packet_datagram *cc_packet_datagrams_rest(struct cc_packet_datagrams *s, cc_u64 now);

/* What fragments of one datagram have in common, hashed; others may have it, too.  Never 0. */
uint32_t cc_packet_fragment_key(const struct cc_packet_fragment *f);

/* @d is done with; what is in it stays readable until the next call. */
void cc_packet_datagrams_release(struct cc_packet_datagrams *s, struct cc_packet_datagram *d);

/* CRC32c (RFC 9260, appendix A) of @data[len] behind that of what precedes it; 0 begins one. */
cc_u32 cc_packet_crc32c(cc_u32 crc, const void *data, size_t len);

/* Adler-32 (RFC 1950, 8.2) of @data[len] behind that of what precedes it; 1 begins one. */
cc_u32 cc_packet_adler32(cc_u32 sum, const void *data, size_t len);

#ifdef __cplusplus
}
#endif

#endif /* CARRYCHAIN_PACKET_H */
