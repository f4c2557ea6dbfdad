/* SPDX-License-Identifier: MIT */
/*
 * vantage.h - where a packet was captured relative to its sender, and the verdict on its sums.
 *
 * With TX offload, a sender's software leaves a checksum for the network card to finish: the
 * field holds the pseudo-header's sum alone (without the length, in a segment that the card will
 * divide), or 0 in an IPv4 header, in SCTP, and in TCP where no card follows.  In a capture
 * on the sender such a sum is deferred, and nothing is wrong.  If the packet was received, its
 * sender never finished it: it is corrupt.
 *
 * What a packet shows by itself is its evidence.  More is learned from the whole capture:
 * whether other sums between the same two hosts are right, whose MAC address is in all frames,
 * and whether the receiver merges segments.  The rules are here; the caller keeps what is
 * learned.  Nothing is allocated.
 */
#ifndef CARRYCHAIN_VANTAGE_H
#define CARRYCHAIN_VANTAGE_H

#include <carrychain/packet.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The verdicts beside those of enum cc_packet_verdict, in place of CC_PACKET_PARTIAL. */
enum cc_verdict {
	CC_VERDICT_DEFERRED = CC_PACKET_VERDICTS, /* left for the sender's network card */
	CC_VERDICT_UNFINISHED,			  /* received, but never finished: corrupt */
	CC_VERDICTS,
};

enum cc_vantage {
	CC_VANTAGE_UNKNOWN,
	CC_VANTAGE_SENDER,   /* on the machine that sent it, before its network card */
	CC_VANTAGE_RECEIVER, /* on the machine that received it */
	CC_VANTAGE_WIRE,     /* between the two, as at a mirror port */
};

/* What a verdict on a sum that may be deferred rests on. */
enum cc_evidence {
	CC_EVIDENCE_NONE,
	CC_EVIDENCE_SENT_STATED,
	CC_EVIDENCE_SENT_PACKET_TYPE, /* of a cooked header (SLL, SLL2) */
	CC_EVIDENCE_SENT_FLAGS,	      /* pcapng's epb_flags */
	CC_EVIDENCE_SENT_MAC,	      /* the source is the address that all frames share */
	CC_EVIDENCE_LOOPBACK,	      /* its link type, device or addresses */
	CC_EVIDENCE_RECEIVED_STATED,
	CC_EVIDENCE_RECEIVED_PACKET_TYPE,
	CC_EVIDENCE_RECEIVED_FLAGS,
	CC_EVIDENCE_RECEIVED_MAC,
	CC_EVIDENCE_WIRE_STATED,
	CC_EVIDENCE_WIRE_PACKET_TYPE,
	CC_EVIDENCE_WIRE_FLAGS,
	CC_EVIDENCE_LONG,	/* a segment longer than an Ethernet frame */
	CC_EVIDENCE_MERGED,	/* received, and GRO merged segments that were checked before */
	CC_EVIDENCE_ACCEPTED,	/* its receiver answered a handshake of such sums */
	CC_EVIDENCE_BOTH,	/* both ends defer theirs */
	CC_EVIDENCE_NONE_RIGHT, /* no sum between the two is right */
	CC_EVIDENCE_SOME_RIGHT, /* others are */
	CC_EVIDENCE_MIXED,	/* others are, but merged segments look the same */
	CC_EVIDENCE_UNSETTLED,	/* nothing says so far */
	CC_EVIDENCES,
};

/* "deferred", "received: packet type"; "?" for an unknown number.  No text has a comma. */
const char *cc_verdict_name(unsigned int verdict);
const char *cc_evidence_text(unsigned int evidence);

enum cc_vantage cc_vantage_of(unsigned int evidence);

/* What is stated of all packets; CC_EVIDENCE_NONE for CC_VANTAGE_UNKNOWN. */
enum cc_evidence cc_vantage_stated(enum cc_vantage vantage);

/*
 * What @data[captured] shows of its vantage: @link as for cc_packet_walk(), @flags pcapng's
 * epb_flags or 0.
 */
enum cc_evidence cc_vantage_look(unsigned int link, const unsigned char *data, size_t captured,
				 uint32_t flags);

/* Whether both addresses of @f are one machine's: loopback addresses, or the same twice. */
int cc_vantage_within(const struct cc_packet_layer *f);

/* What is known of a sum, as bits. */
#define CC_SUM_MAY_BE_DEFERRED 0x80u
#define CC_SUM_ZERO	       0x01u /* in an IPv4 header, SCTP or TCP */
#define CC_SUM_DATA	       0x02u /* TCP with a payload */
#define CC_SUM_LONG	       0x04u /* and longer than an Ethernet frame, as IPv4's around it */
#define CC_SUM_OPENS	       0x08u /* TCP's SYN */
#define CC_SUM_CONTINUES       0x10u /* TCP's ACK without SYN and RST */
#define CC_SUM_BESIDE	       0x20u /* IPv4, in a packet whose inner sum is the pseudo-header's */

/*
 * Those of layer @i of the walk of @data, which is not quoted; 0 if it cannot be deferred.  With
 * CC_SUM_ZERO, TCP's is bad unless the packet itself shows that it was captured on its sender.
 */
unsigned int cc_vantage_sum(const struct cc_packet_layers *layers, size_t i,
			    const unsigned char *data);

/* The right sums of the packets between two hosts, as bits. */
#define CC_RIGHT_IPV4	  0x01u
#define CC_RIGHT_TCP_DATA 0x02u
#define CC_RIGHT_TCP_SYN  0x04u
#define CC_RIGHT_UDP	  0x08u
#define CC_RIGHT_SCTP	  0x10u
#define CC_RIGHT_OTHER	  0x20u
#define CC_RIGHT_BITS	  8

/*
 * The kinds of right sums in layers *@at and on that share addresses.  Moves *@at behind them.
 * TCP without data or SYN, and short frames, which software may sum even on a machine with offload,
 * do not count; nor do IPv4 headers without a sum behind them.
 */
unsigned int cc_vantage_right(const struct cc_packet_layers *layers, size_t *at,
			      const unsigned char *data);

/* A hash of two hosts at an interface.  Its lowest CC_RIGHT_BITS bits are 0. */
cc_u64 cc_vantage_pair(uint32_t interface, unsigned int family, const unsigned char *source,
		       const unsigned char *destination);

/* The MAC addresses that are in all unicast frames so far.  Initialized with zeros. */
struct cc_vantage_macs {
	cc_u64 mac[2];
	unsigned char begun;
	unsigned char as[2]; /* 1: seen as a source; 2: as a destination */
};

/* Takes an Ethernet frame's first 12 bytes. */
void cc_vantage_macs_see(struct cc_vantage_macs *m, const unsigned char *frame);
void cc_vantage_macs_add(struct cc_vantage_macs *m, const struct cc_vantage_macs *from);
/* What a frame with the source @mac, zeros if there is none, shows, given all frames. */
enum cc_evidence cc_vantage_macs_show(const struct cc_vantage_macs *m, const unsigned char mac[6]);

/* What a whole capture shows of a sum that may be deferred. */
struct cc_vantage_known {
	unsigned char right;	/* the kinds of right sums between the same two hosts */
	unsigned char mac;	/* an enum cc_evidence, by MAC addresses */
	unsigned char merges;	/* long segments were received at this interface */
	unsigned char accepted; /* receivers answered the sender's handshakes, all deferred */
	unsigned char both;	/* the other host's sums may be deferred, too */
};

/*
 * The verdict on a sum that may be deferred: an enum cc_verdict, or CC_PACKET_BAD.  @sum is
 * from cc_vantage_sum(), *@evidence from cc_vantage_stated() or cc_vantage_look(); sets it to
 * what the verdict rests on.  @known is NULL while the capture is still read.
 */
unsigned int cc_vantage_verdict(unsigned int protocol, unsigned int sum,
				const struct cc_vantage_known *known, unsigned char *evidence);

#ifdef __cplusplus
}
#endif

#endif /* CARRYCHAIN_VANTAGE_H */
