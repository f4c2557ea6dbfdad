/* SPDX-License-Identifier: MIT */
/* Parts of test_checksum.c's program. */
#ifndef TESTS_CHECKSUM_PARTS_H
#define TESTS_CHECKSUM_PARTS_H

#include "harness.h"

#include <carrychain/checksum.h>
#include <checksum/schemes.h>

#define LENGTHS 4096
#define OFFSETS 64
/* Room for the largest place of any length. */
#define SMALL (LENGTHS + 2 * OFFSETS)
#define MEGA  ((size_t)1 << 20)

/* What the words of any memory sum to, byte by byte, in network order. */
struct reference {
	const unsigned char *base;
	/* how many places there is room for: it is kept from one memory to the next */
	size_t room;
	/* of the bytes before each place, those at even and at odd places */
	uint64_t *bytes[2];
};

void reference_init(struct reference *r, const unsigned char *base, size_t size);
void reference_free(struct reference *r);
/* The one's complement sum as memory would hold it. */
uint16_t stored(uint64_t sum);
uint16_t reference_sum(const struct reference *r, const unsigned char *data, size_t len);

/* What memory is filled with. */
enum pattern {
	RANDOM,
	ONES,
	ZEROS,
	ONE_CARRY,
	UNIFORM, /* so that what is left out or summed twice seldom sums to nothing */
	PATTERNS,
};

void fill(unsigned char *p, size_t size, enum pattern pattern);

/* Memory between forbidden pages: of SMALL bytes, and of as many as the largest sums take. */
extern struct guard small, large;

void check_scheme(const struct cc_checksum_scheme *scheme);
/* checksum_broken.c: schemes with one fault each, every one of which check_scheme() must catch. */
void broken_schemes(void);
/* checksum_functions.c: the functions of checksum.h, in each tier. */
void checksum_functions(void);

#endif /* TESTS_CHECKSUM_PARTS_H */
