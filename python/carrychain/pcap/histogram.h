/* SPDX-License-Identifier: MIT */
/*
 * histogram.h - how many checksums of each verdict, over time and over the packets' length.
 *
 * Memory is bounded: as time goes on, two bins become one.  A bin is 2^shift nanoseconds wide,
 * and begins at a multiple of that: so two histograms can be added without loss.
 */
#ifndef CARRYCHAIN_PCAP_HISTOGRAM_H
#define CARRYCHAIN_PCAP_HISTOGRAM_H

#include <carrychain/packet.h>

#define HISTOGRAM_BINS 512
/* The narrowest bin: some 65 microseconds. */
#define HISTOGRAM_SHIFT 16
/* Bin n is of lengths from 2^n to 2^(n + 1) - 1; 0 is in the first. */
#define HISTOGRAM_LENGTHS 32

struct histogram_times {
	unsigned int shift; /* 0 while there is no time */
	cc_u64 first;	    /* count[0] is from first << shift on */
	cc_u64 low, high;   /* the first and the last time of all */
	cc_u64 count[HISTOGRAM_BINS][CC_PACKET_VERDICTS];
};

/*
 * Before 1980, in nanoseconds, nothing was captured: so a clock tells that was never set.  Among
 * others one such time would make the bins decades long: those times have bins of their own.
 */
#define HISTOGRAM_SET 315532800000000000u

/* All zeros to begin with. */
struct histogram {
	cc_u64 timeless;		   /* what has no time, and is counted by length alone */
	struct histogram_times unset, set; /* before HISTOGRAM_SET, and from it on */
	cc_u64 length[HISTOGRAM_LENGTHS][CC_PACKET_VERDICTS];
};

/* One more: @time in nanoseconds since 1970, 0 if it has none. */
void histogram_count(struct histogram *h, cc_u64 time, uint32_t length, unsigned int verdict);

void histogram_add(struct histogram *h, const struct histogram *from);

#endif /* CARRYCHAIN_PCAP_HISTOGRAM_H */
