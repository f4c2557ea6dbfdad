/* SPDX-License-Identifier: MIT */
/*
 * packet.h - finds the checksums in one packet, verifies them, and repairs them.
 *
 * A packet is walked from its link layer inwards, as far as headers are known.  The input is
 * one frame, the output one verdict per layer.  Nothing is allocated, nothing is kept between
 * packets, and no byte beyond the captured ones is read, whatever the headers say.  The time is
 * linear in the packet's length; nested tunnels that each cover their contents multiply it by
 * at most CC_PACKET_LAYERS.
 *
 * Lengths come from the IP headers, so padding of a frame is never summed.
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
	CC_PACKET_IPV6, /* has no checksum: stands for what can't be read behind it */
	CC_PACKET_TCP,
	CC_PACKET_UDP,
	CC_PACKET_UDP_LITE,
	CC_PACKET_ICMP,
	CC_PACKET_ICMPV6,
	CC_PACKET_IGMP,
	CC_PACKET_SCTP,
	CC_PACKET_SCTP_ADLER32, /* with a valid checksum by RFC 2960, so always good */
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
	CC_PACKET_ICMP_EXTENSION, /* after the quote in an ICMP error (RFC 4884) */
	CC_PACKET_PROTOCOLS,
};

enum cc_packet_verdict {
	CC_PACKET_GOOD,
	CC_PACKET_BAD,
	CC_PACKET_PARTIAL, /* only the pseudo-header's sum, left for the network card to finish */
	CC_PACKET_NONE,	   /* the sender made none, which is allowed */
	CC_PACKET_UNVERIFIABLE,
	CC_PACKET_VERDICTS,
};

/* Why a checksum is unverifiable. */
enum cc_packet_reason {
	CC_PACKET_TRUNCATED, /* not all of it was captured */
	CC_PACKET_FRAGMENTS, /* a fragment is missing */
	CC_PACKET_MALFORMED, /* headers contradict themselves or each other */
	CC_PACKET_NESTED,    /* too many nested checksums */
	CC_PACKET_REASONS,
};

/* What follows the last header that was understood, if it may contain checksums. */
enum cc_packet_unknown {
	CC_PACKET_NOTHING, /* everything was understood */
	CC_PACKET_LINK,
	CC_PACKET_FAMILY, /* of a loopback's header, or NFLOG's */
	CC_PACKET_ETHERTYPE,
	CC_PACKET_SAP,	/* LLC: the frame has a length in place of an EtherType */
	CC_PACKET_SNAP, /* an organization's own protocol in LLC */
	CC_PACKET_PPP,
	CC_PACKET_NLPID, /* in frame relay */
	CC_PACKET_IEEE80211_VERSION,
	CC_PACKET_IEEE80211_FRAGMENT, /* no number */
	CC_PACKET_PROTECTED,	      /* an 802.11 frame; no number */
	CC_PACKET_SUBFRAME,   /* more of an A-MSDU, after a fragment or too deep; no number */
	CC_PACKET_PSEUDOWIRE, /* with unknown contents; no number */
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
	CC_PACKET_UDP_PORT, /* a tunnel's port without its header, or with heuristics off */
	CC_PACKET_CUT,	    /* an incomplete header; no number */
	CC_PACKET_ARCNET,   /* a protocol of ARCnet's, or a part of a fragmented datagram */
	CC_PACKET_UNKNOWNS,
};

/* Names for people: "UDP", "bad", "not captured whole"; "?" for an unknown number. */
const char *cc_packet_protocol_name(unsigned int protocol);
const char *cc_packet_verdict_name(unsigned int verdict);
const char *cc_packet_reason_name(unsigned int reason);

/*
 * A text for an enum cc_packet_unknown and its number: "EtherType 0x88e5 (MACsec)"; "nothing"
 * if there is no such enumerator.  Returns its length without the NUL.
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
	 * It is in the packet that an ICMP error quotes.  It says nothing about the packet that
	 * carries it, and is never unverifiable (most quotes are cut) and never repaired.
	 */
	unsigned char quoted;
	unsigned char field_at; /* the field's offset in the bytes that it covers */
	uint16_t source_port, destination_port;
	unsigned char pseudo_number, routed;
	/* the field's offset in the packet; not if unverifiable */
	size_t field;
	/* the bytes that it covers, without a pseudo-header; not if unverifiable or none */
	uint32_t length;
	/*
	 * The pseudo-header's length, 0 if there is none.  Its protocol number is below; its
	 * addresses are the IP header's, unless it is @routed: then an option has one of them.
	 */
	uint32_t pseudo_length;
	/* as people write them; expected only if bad or partial */
	uint32_t expected, found;
	/*
	 * The IP header's addresses, of the family.  They point into the packet, or into the
	 * fragment passed to the walk of a datagram; NULL if the header is incomplete.
	 */
	const unsigned char *source, *destination;
};

/* The fragment of a datagram at which a walk ended. */
struct cc_packet_fragment {
	unsigned char family;
	unsigned char number;	/* the protocol, or next header, of the datagram */
	unsigned char protocol; /* the protocol to count it as */
	unsigned char more;	/* more fragments follow */
	unsigned char broken;	/* the headers before it contradict themselves */
	unsigned char whole;	/* all of it was captured */
	unsigned char covered;	/* it is in a tunnel with a checksum that covers it */
	uint32_t id;
	uint32_t position; /* in the datagram */
	size_t at, length; /* in the packet */
	/* 4 or 16 bytes each: those of the header, and those of the pseudo-header */
	unsigned char source[16], destination[16], from[16], to[16];
};

#define CC_PACKET_LAYERS 32

/* The result of a walk, from the outermost checksum inwards. */
struct cc_packet_layers {
	size_t count;
	struct cc_packet_layer layer[CC_PACKET_LAYERS];
	int is_fragment;
	struct cc_packet_fragment fragment;
	enum cc_packet_unknown unknown;
	uint32_t number; /* of that kind */
};

/*
 * For @flags: do not enter what is only likely to be there, such as a tunnel suggested by a
 * UDP port.  Without this flag it is entered if its headers are consistent.
 */
#define CC_PACKET_NO_HEURISTICS 1u

/*
 * Finds the checksums in @data[captured], which was @original bytes long on the wire.  An
 * @original less than @captured counts as @captured.  @link is the link type as in captures:
 * 1 is Ethernet, 101 is raw IP (tcpdump.org/linktypes.html).
 */
void cc_packet_walk(struct cc_packet_layers *out, unsigned int link, const unsigned char *data,
		    size_t captured, size_t original, unsigned int flags);

/*
 * The same for @data[length], the payload of a reassembled datagram.  @of is the first of
 * struct cc_packet_datagram.
 */
void cc_packet_walk_datagram(struct cc_packet_layers *out, const struct cc_packet_fragment *of,
			     const unsigned char *data, size_t length, unsigned int flags);

/* A checksum that was rewritten. */
struct cc_packet_write {
	size_t field;
	unsigned char width;
};

/*
 * Repairs all bad and partial checksums in @data, except quoted ones: the innermost first,
 * because the outer ones cover it.  Only bytes of checksum fields are written.  @out is the
 * result of a walk with the same arguments, and is replaced by the result after the repair.
 * @of is NULL; or @data is a reassembled datagram, @of as in cc_packet_walk_datagram(), and
 * @captured and @original are its length.
 *
 * Returns how many checksums were written; @written says where in @data.
 */
size_t cc_packet_repair(struct cc_packet_layers *out,
			struct cc_packet_write written[CC_PACKET_LAYERS], unsigned int link,
			const struct cc_packet_fragment *of, unsigned char *data, size_t captured,
			size_t original, unsigned int flags);

/*
 * Reassembly of datagrams from their fragments.
 *
 * Memory is bounded, and belongs to the caller.  At most CC_PACKET_DATAGRAMS are open; a new
 * one replaces the least recently used.  A datagram is also given up if a fragment arrives
 * more than CC_PACKET_TIMEOUT after its first.  Overlapping fragments that are not exact
 * repeats spoil their datagram (RFC 5722; for IPv4, systems disagree on what they mean).  Not
 * thread-safe: use it from one thread at a time.
 */
#define CC_PACKET_DATAGRAMS 256
#define CC_PACKET_PARTS	    1024
#define CC_PACKET_LONGEST   65535
#define CC_PACKET_TIMEOUT   60000000000u /* nanoseconds */

/* The packet that a fragment came in.  Only its time is used here. */
struct cc_packet_origin {
	cc_u64 frame, time;	    /* its number; nanoseconds */
	uint32_t length, interface; /* on the wire; where it was captured */
	uint32_t capture;	    /* the number of its capture */
};

/* A fragment that arrived.  A repeated one has an entry of its own at the same position. */
struct cc_packet_part {
	uint32_t position, length;
	cc_u64 place; /* of its bytes in the file */
};

struct cc_packet_datagram {
	int spoilt;			 /* never complete: an enum cc_packet_reason, plus 1 */
	struct cc_packet_fragment first; /* the first fragment seen */
	struct cc_packet_origin origin;	 /* of the first fragment seen */
	int covered;			 /* any fragment is in a tunnel with a checksum */
	/* bytes seen; end of the highest; bytes in all, 0 while the last is missing */
	uint32_t have, reach, total;
	uint32_t part_count;
	struct cc_packet_part part[CC_PACKET_PARTS];
	unsigned char data[CC_PACKET_LONGEST + 1];
};

/* Initialize with zeros.  Some 22 MB; memory that is never used is never touched. */
struct cc_packet_datagrams {
	cc_u64 seen;
	uint32_t open, most;		   /* open datagrams: now, and at most so far */
	uint32_t key[CC_PACKET_DATAGRAMS]; /* a hash; 0 if there is no datagram */
	cc_u64 touched[CC_PACKET_DATAGRAMS];
	struct cc_packet_datagram datagram[CC_PACKET_DATAGRAMS];
};

/*
 * Adds a fragment that a walk reported.  @data is its bytes, from f->at in the packet on;
 * @place is their offset in the file; @origin is its packet.  Returns its datagram if that is
 * complete now: pass its payload data[total] and its first to cc_packet_walk_datagram().  If
 * *@lost is set, that datagram was given up and @f was not added: call again.  At most one of
 * the two is set.  Release it before the next call.
 */
struct cc_packet_datagram *cc_packet_datagrams_add(struct cc_packet_datagrams *s,
						   const struct cc_packet_fragment *f,
						   const unsigned char *data, cc_u64 place,
						   const struct cc_packet_origin *origin,
						   struct cc_packet_datagram **lost);

/*
 * The least recently used datagram that began more than CC_PACKET_TIMEOUT before @now and is
 * still incomplete, or NULL.  Release it.  CC_PACKET_END is later than any time.
 */
#define CC_PACKET_END UINT64_MAX
struct cc_packet_datagram *cc_packet_datagrams_rest(struct cc_packet_datagrams *s, cc_u64 now);

/* A hash that all fragments of a datagram share.  Datagrams may collide.  Never 0. */
uint32_t cc_packet_fragment_key(const struct cc_packet_fragment *f);

/* Releases @d.  Its contents stay readable until the next call. */
void cc_packet_datagrams_release(struct cc_packet_datagrams *s, struct cc_packet_datagram *d);

/* CRC32c (RFC 9260, appendix A): continues @crc over @data[len]; begin with 0. */
cc_u32 cc_packet_crc32c(cc_u32 crc, const void *data, size_t len);

/* Adler-32 (RFC 1950, 8.2): continues @sum over @data[len]; begin with 1. */
cc_u32 cc_packet_adler32(cc_u32 sum, const void *data, size_t len);

#ifdef __cplusplus
}
#endif

#endif /* CARRYCHAIN_PACKET_H */
