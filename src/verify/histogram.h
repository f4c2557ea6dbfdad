/* SPDX-License-Identifier: MIT */
/*
 * histogram.h - the number of checksums of each verdict, by time and by packet length.
 *
 * Memory is bounded: when time exceeds the bins, pairs of bins are merged.  A bin is 2^shift
 * nanoseconds wide, and begins at a multiple of its width, so histograms can be added exactly.
 */
#ifndef CC_VERIFY_HISTOGRAM_H
#define CC_VERIFY_HISTOGRAM_H

#include <carrychain/vantage.h>

#define HISTOGRAM_BINS 512
/* log2 of the narrowest bin's width: some 65 microseconds. */
#define HISTOGRAM_SHIFT 16
/* Bin n counts lengths from 2^n to 2^(n + 1) - 1; bin 0 also counts length 0. */
#define HISTOGRAM_LENGTHS 32

struct histogram_times {
	unsigned int shift; /* 0 while empty */
	cc_u64 first;	    /* count[0] begins at first << shift */
	cc_u64 low, high;   /* the earliest and the latest time */
	cc_u64 count[HISTOGRAM_BINS][CC_VERDICTS];
};

/*
 * 1980, in nanoseconds.  An earlier time comes from a clock that was never set.  One such time
 * among others would make the bins years wide, so these times have bins of their own.
 */
#define HISTOGRAM_SET 315532800000000000u

/* Initialized to zeros. */
struct histogram {
	cc_u64 timeless;		   /* without a time; counted by length only */
	struct histogram_times unset, set; /* times before HISTOGRAM_SET; the others */
	cc_u64 length[HISTOGRAM_LENGTHS][CC_VERDICTS];
};

/* Count one checksum; @time in nanoseconds since 1970, 0 if there is none. */
void histogram_count(struct histogram *h, cc_u64 time, uint32_t length, unsigned int verdict);

void histogram_add(struct histogram *h, const struct histogram *from);

#endif /* CC_VERIFY_HISTOGRAM_H */
