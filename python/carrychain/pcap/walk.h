/* SPDX-License-Identifier: MIT */
/*
 * walk.h - a walk through a packet, for the files that share it.
 *
 * One header a step.  A step reads only bytes that reach() has granted, ends the walk or
 * moves w->at forward: so that a walk always ends.
 */
#ifndef CARRYCHAIN_PCAP_WALK_H
#define CARRYCHAIN_PCAP_WALK_H

#include "packet.h"

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
	int broken;	 /* headers so far contradict themselves: nothing can be summed by them */
	int reassembled; /* a datagram: fragments in it are not put together again */
	int covered;	 /* a checksum found covers what comes */
	int first;	 /* what comes is right behind an IPv6 header */
	int lengthless;	 /* the IPv6 header leaves the length to an option */
	int jumbo;	 /* an option gave it */
	int home;	 /* an option gave the home address */
	int family;
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

/* REACHED, or why the next @n bytes can't be read. */
static inline int reach(const struct walk *w, size_t n)
{
	if (w->end - w->at < n)
		return PACKET_MALFORMED;
	if (w->captured - w->at < n)
		return PACKET_TRUNCATED;
	return REACHED;
}

/* What comes is not known. */
static inline enum step walk_unknown(struct walk *w, enum packet_unknown what, uint32_t number)
{
	w->out->unknown = what;
	w->out->number = number;
	return END;
}

/* judge.c: what a checksum is worth. */

struct packet_finding *walk_add(struct walk *w, enum packet_protocol protocol,
				enum packet_verdict verdict);
struct packet_finding *walk_unverifiable(struct walk *w, enum packet_protocol protocol, int reason);

static inline enum step walk_give_up(struct walk *w, enum packet_protocol protocol, int reason)
{
	walk_unverifiable(w, protocol, reason);
	return END;
}

/*
 * The checksum at @field of @length bytes from w->at, which are there, and what lies over
 * them in the pseudo-header.
 */
struct packet_finding *walk_judge(struct walk *w, enum packet_protocol protocol, size_t field,
				  size_t length, uint32_t pseudo);

/* The steps: link.c */
enum step walk_link(struct walk *w, unsigned int link);
enum step walk_ethernet(struct walk *w);
enum step walk_type(struct walk *w);
enum step walk_mpls(struct walk *w);
enum step walk_ip(struct walk *w);
/* ip.c */
enum step walk_ipv4(struct walk *w);
enum step walk_ipv6(struct walk *w);
/* A part of a datagram: its payload begins here. */
enum step walk_fragment(struct walk *w, uint32_t id, uint32_t position, int more);
int walk_is_extension(unsigned int number);
/* extension.c: IPv6's, and authentication headers */
enum step walk_extension(struct walk *w);
/* upper.c */
enum step walk_protocol(struct walk *w);

#endif /* CARRYCHAIN_PCAP_WALK_H */
