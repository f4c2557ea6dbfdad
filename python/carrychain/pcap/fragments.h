/* SPDX-License-Identifier: MIT */
/*
 * fragments.h - datagrams, put together from their fragments.
 *
 * Memory is bounded: FRAGMENTS_DATAGRAMS at a time, the longest untouched given up for a
 * new one; and one is given up when a fragment comes FRAGMENTS_TIMEOUT after its first.
 * Fragments that overlap, other than by being the same again, spoil their datagram (RFC 5722;
 * of what IPv4's mean, no two systems agree).
 */
#ifndef CARRYCHAIN_PCAP_FRAGMENTS_H
#define CARRYCHAIN_PCAP_FRAGMENTS_H

#include "packet.h"

#define FRAGMENTS_DATAGRAMS 256
#define FRAGMENTS_PARTS	    1024
#define FRAGMENTS_LONGEST   65535
#define FRAGMENTS_TIMEOUT   ((cc_u64)60 * 1000000000)

/* A fragment that came, or came again: then there is another of the same position. */
struct fragments_part {
	uint32_t position, length;
	cc_u64 place; /* of its bytes in the file */
};

struct fragments_datagram {
	int spoilt;		      /* it will never be whole: an enum packet_reason, plus 1 */
	struct packet_fragment first; /* the first seen */
	cc_u64 frame, time;	      /* of the first seen */
	int covered;		      /* any of them lies in a tunnel with a checksum */
	/* bytes; the highest seen; of how many, 0 while the last is missing */
	uint32_t have, reach, total;
	uint32_t part_count;
	struct fragments_part part[FRAGMENTS_PARTS];
	unsigned char data[FRAGMENTS_LONGEST + 1];
};

struct fragments {
	cc_u64 seen;
	uint32_t key[FRAGMENTS_DATAGRAMS]; /* a hash; 0 if there is no datagram */
	cc_u64 touched[FRAGMENTS_DATAGRAMS];
	struct fragments_datagram datagram[FRAGMENTS_DATAGRAMS];
};

/*
 * Add a fragment: @data its bytes, @place theirs in the file.  Returns its datagram if that
 * is whole now.  Either that or, in *@lost, one that was given up: each to be released
 * before the next call.  Call again if *@lost was set.
 */
struct fragments_datagram *fragments_add(struct fragments *s, const struct packet_fragment *f,
					 const unsigned char *data, cc_u64 place, cc_u64 frame,
					 cc_u64 time, struct fragments_datagram **lost);

/* One that is still not whole, or NULL; to be released. */
struct fragments_datagram *fragments_rest(struct fragments *s);

void fragments_release(struct fragments *s, struct fragments_datagram *d);

#endif /* CARRYCHAIN_PCAP_FRAGMENTS_H */
