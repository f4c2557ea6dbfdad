/* SPDX-License-Identifier: MIT */
/*
 * tally.h - the number of checksums of each verdict, grouped by interface, sender or conversation.
 *
 * Memory is bounded: there are at most TALLY_MOST rows, and one more for everything else.
 */
#ifndef CC_VERIFY_TALLY_H
#define CC_VERIFY_TALLY_H

#include <carrychain/vantage.h>

#define TALLY_MOST 16384

/* The group that a row counts; members that do not distinguish groups are 0. */
struct tally_key {
	uint32_t interface;
	uint16_t source_port, destination_port;
	unsigned char protocol, has_ports;
	unsigned char family; /* of the addresses; 0 if there are none */
	/* of sums that may be deferred: cc_vantage_sum()'s bits, what their packets show */
	unsigned char sum, evidence;
	unsigned char mac[6]; /* the packets' source; zeros if there is none */
	unsigned char unused[5];
	/* of bad sums: see causes.h */
	uint32_t fits;
	uint16_t difference, found;
	unsigned char source[16], destination[16];
};

struct tally_row {
	struct tally_key key;
	cc_u64 count[CC_VERDICTS];
	/* once the capture has been read, of sums that may be deferred: see learned.h */
	unsigned char verdict, evidence;
};

/* Initialized to zeros. */
struct tally {
	size_t count, room;
	struct tally_row *row;
	uint32_t *slot; /* a hash table of 2 * room slots: a row's index plus 1, or 0 */
	struct tally_row others;
};

void tally_free(struct tally *t);
void tally_clear(struct tally *t);

/* The row of @key; `others` if there are TALLY_MOST rows already; NULL without memory. */
struct tally_row *tally_row(struct tally *t, const struct tally_key *key);

/* The row of @key, or NULL if it has none. */
const struct tally_row *tally_find(const struct tally *t, const struct tally_key *key);

/* Add the counts of @from.  CC_ENOMEM. */
int tally_add(struct tally *t, const struct tally *from);

#endif /* CC_VERIFY_TALLY_H */
