/* SPDX-License-Identifier: MIT */
/*
 * walk.h - a walk through a packet, for the files that share it.
 *
 * Each step handles one header.  It reads only bytes that reach() has granted, and ends the
 * walk or moves w->at forward, so a walk always ends.
 */
#ifndef CC_PACKET_WALK_H
#define CC_PACKET_WALK_H

#include <carrychain/packet.h>

#include "../platform.h"

enum step {
	END,
	OTHER, /* than the tunnel that a UDP port suggested */
	ETHERNET,
	TYPE, /* w->number is an EtherType */
	LLC,
	PPP,
	MPLS,
	NSH,
	SUBFRAME, /* of an A-MSDU */
	IP,
	IPV4,
	IPV6,
	PROTOCOL, /* w->number is a protocol above IP */
};

/* An A-MSDU: where its next subframe begins, and the walk's state around it. */
struct cc_subframes {
	size_t next, end, captured;
	unsigned char covered, quoted;
};

/* The depth of frames within frames; deeper ones are not entered. */
#define AGGREGATES 4

/* Small: it is cleared for each packet. */
struct cc_walk {
	struct cc_packet_layers *out;
	const unsigned char *data;
	size_t at;		   /* where the next header begins: at most captured, at most end */
	size_t end;		   /* where the lengths so far say that all of it ends */
	size_t captured;	   /* how much there is, padding included */
	struct cc_subframes *rest; /* what is still to be walked, the innermost last */
	unsigned int number;
	unsigned int flags;   /* the caller's */
	unsigned char family; /* of source and destination: 4, 6, or 0 if there are none */
	unsigned char broken; /* headers contradict themselves: nothing can be summed by them */
	unsigned char reassembled; /* a datagram: fragments in it are not put together again */
	unsigned char covered;	   /* a checksum found covers what comes */
	unsigned char
		quoted; /* what comes is a copy, in an ICMP error, of the packet it is about */
	unsigned char rest_count;
	unsigned char first;	  /* what comes is right behind an IPv6 header */
	unsigned char lengthless; /* the IPv6 header leaves the length to an option */
	unsigned char jumbo;	  /* an option gave it */
	unsigned char home;	  /* an option gave the home address */
	uint32_t pseudo_length;	  /* of the pseudo-header that was summed for what comes, or 0 */
	const unsigned char *source, *destination; /* as the IP header has them */
	const unsigned char *from, *to;		   /* as the pseudo-header does */
	unsigned char last_hop[16];		   /* @to, where no header has it in one piece */
};

static inline unsigned int get16(const unsigned char *p)
{
	return (unsigned int)p[0] << 8 | p[1];
}

static inline uint32_t get32(const unsigned char *p)
{
	return (uint32_t)get16(p) << 16 | get16(p + 2);
}

#define REACHED (-1)

/* REACHED, or why the next @n bytes cannot be read. */
static inline int reach(const struct cc_walk *w, size_t n)
{
	if (w->end - w->at < n)
		return CC_PACKET_MALFORMED;
	if (w->captured - w->at < n)
		return CC_PACKET_TRUNCATED;
	return REACHED;
}

/* REACHED, or why the next @n bytes cannot be a header. */
static inline int readable(const struct cc_walk *w, size_t n)
{
	return w->broken ? CC_PACKET_MALFORMED : reach(w, n);
}

/* REACHED, or why the rest, at least @least bytes, cannot be summed. */
static inline int incomplete(const struct cc_walk *w, size_t least)
{
	size_t length = w->end - w->at;

	if (w->broken || length < least)
		return CC_PACKET_MALFORMED;
	return reach(w, length);
}

/* Limits the packet to @length bytes from w->at, as a header says. */
static inline void cc_walk_bound(struct cc_walk *w, size_t length)
{
	if (length > w->end - w->at)
		w->broken = 1;
	else
		w->end = w->at + length;
}

/* Ends the walk: what follows is unknown. */
static inline enum step cc_walk_unknown(struct cc_walk *w, enum cc_packet_unknown what,
					uint32_t number)
{
	if (!w->quoted) {
		w->out->unknown = what;
		w->out->number = number;
	}
	return END;
}

/* Ends the walk: a header is incomplete. */
static inline enum step cc_walk_cut(struct cc_walk *w)
{
	return cc_walk_unknown(w, CC_PACKET_CUT, 0);
}

/* judge.c: the verdict on a checksum. */

CC_HIDDEN struct cc_packet_layer *cc_walk_add(struct cc_walk *w, enum cc_packet_protocol protocol,
					      enum cc_packet_verdict verdict);
/* In a quote, which is usually cut, unverifiable checksums are not reported. */
CC_HIDDEN struct cc_packet_layer *
cc_walk_unverifiable(struct cc_walk *w, enum cc_packet_protocol protocol, int reason);

static inline enum step cc_walk_give_up(struct cc_walk *w, enum cc_packet_protocol protocol,
					int reason)
{
	cc_walk_unverifiable(w, protocol, reason);
	return END;
}

/*
 * The checksum at @field, of @length bytes from w->at, which are available, and of the
 * pseudo-header, whose partial sum is @pseudo.
 */
CC_HIDDEN struct cc_packet_layer *cc_walk_judge(struct cc_walk *w, enum cc_packet_protocol protocol,
						size_t field, size_t length, uint32_t pseudo);
/* For checksums that may be made in two ways: @f is also good over the first @length bytes. */
CC_HIDDEN void cc_walk_judge_also(struct cc_walk *w, struct cc_packet_layer *f, size_t length,
				  uint32_t pseudo);

/* upper.c: for the protocols that IP carries. */

/* The partial sum of the pseudo-header of w->number, for @length bytes. */
CC_HIDDEN uint32_t cc_walk_pseudo_header(struct cc_walk *w, size_t length);
/*
 * The checksum at @field, of the next @length bytes, at least @least, with or without a
 * pseudo-header; or why it cannot be verified.
 */
CC_HIDDEN struct cc_packet_layer *cc_walk_sum(struct cc_walk *w, enum cc_packet_protocol protocol,
					      size_t field, size_t least, size_t length,
					      int pseudo);
/* Protocols that begin with two ports. */
CC_HIDDEN void cc_walk_ports(const struct cc_walk *w, struct cc_packet_layer *f);

/*
 * guess.c: whether a protocol that no field names may begin @skip bytes from w->at.  It must be
 * as its standard says: versions, lengths that fit, numbers that are known.
 */

/* IPv4 or IPv6; of an incomplete header, only the captured bytes are examined. */
CC_HIDDEN int cc_walk_may_be_ip(const struct cc_walk *w, size_t skip);
/* An Ethernet header, followed by plausible IP, ARP, a spanning tree's frame or SNAP. */
CC_HIDDEN int cc_walk_may_be_ethernet(const struct cc_walk *w, size_t skip);

/* The steps: link.c */
CC_HIDDEN enum step cc_walk_link(struct cc_walk *w, unsigned int link);
/* ethernet.c */
CC_HIDDEN enum step cc_walk_ethernet(struct cc_walk *w);
CC_HIDDEN enum step cc_walk_type(struct cc_walk *w);
/* w->number is an EtherType, or below 0x600 a length, with LLC behind it. */
CC_HIDDEN enum step cc_walk_type_or_length(struct cc_walk *w);
CC_HIDDEN enum step cc_walk_llc(struct cc_walk *w);
/* ppp.c */
CC_HIDDEN enum step cc_walk_ppp(struct cc_walk *w);
CC_HIDDEN enum step cc_walk_pppoe(struct cc_walk *w);
/* frame_relay.c */
CC_HIDDEN enum step cc_walk_frame_relay(struct cc_walk *w);
/* ieee80211.c: @swapped: the bytes of the first field are; @padded: the header is */
CC_HIDDEN enum step cc_walk_ieee80211(struct cc_walk *w, int swapped, int padded);
CC_HIDDEN enum step cc_walk_radiotap(struct cc_walk *w);
CC_HIDDEN enum step cc_walk_prism(struct cc_walk *w);
CC_HIDDEN enum step cc_walk_avs(struct cc_walk *w);
CC_HIDDEN enum step cc_walk_subframe(struct cc_walk *w);
/* mpls.c */
CC_HIDDEN enum step cc_walk_mpls(struct cc_walk *w);
CC_HIDDEN enum step cc_walk_nsh(struct cc_walk *w);
/* gre.c */
CC_HIDDEN enum step cc_walk_gre(struct cc_walk *w);
CC_HIDDEN enum step cc_walk_etherip(struct cc_walk *w);
/* l2tp.c; of UDP's payload 6 bytes are there */
CC_HIDDEN enum step cc_walk_l2tp(struct cc_walk *w);
CC_HIDDEN enum step cc_walk_l2tp_over_ip(struct cc_walk *w);
/* capwap.c; 8 bytes are there */
CC_HIDDEN enum step cc_walk_capwap(struct cc_walk *w);
/* udp_tunnels.c */
CC_HIDDEN int cc_walk_may_lack_checksum(unsigned int port);
CC_HIDDEN enum step cc_walk_udp_payload(struct cc_walk *w);
/* ip.c */
CC_HIDDEN enum step cc_walk_ip(struct cc_walk *w);
CC_HIDDEN enum step cc_walk_ipv4(struct cc_walk *w);
CC_HIDDEN enum step cc_walk_ipv6(struct cc_walk *w);
/* A fragment of a datagram, whose payload begins here. */
CC_HIDDEN enum step cc_walk_fragment(struct cc_walk *w, uint32_t id, uint32_t position, int more);
CC_HIDDEN int cc_walk_is_extension(unsigned int number);
/* extension.c: IPv6's, and authentication headers */
CC_HIDDEN enum step cc_walk_extension(struct cc_walk *w);
/* one protocol each */
CC_HIDDEN enum step cc_walk_dccp(struct cc_walk *w);
CC_HIDDEN enum step cc_walk_hip(struct cc_walk *w);
CC_HIDDEN enum step cc_walk_icmp(struct cc_walk *w);
CC_HIDDEN enum step cc_walk_mobility(struct cc_walk *w);
CC_HIDDEN enum step cc_walk_ospf(struct cc_walk *w);
CC_HIDDEN enum step cc_walk_pim(struct cc_walk *w);
CC_HIDDEN enum step cc_walk_rsvp(struct cc_walk *w);
CC_HIDDEN enum step cc_walk_shim6(struct cc_walk *w);
CC_HIDDEN enum step cc_walk_vrrp(struct cc_walk *w);
/* upper.c: the others, and which is which */
CC_HIDDEN enum step cc_walk_protocol(struct cc_walk *w);

#endif /* CC_PACKET_WALK_H */
