/* SPDX-License-Identifier: MIT */
/*
 * tally.h - how many checksums of each verdict, by what they have in common: the interface,
 * who sent them, the conversation.
 *
 * Memory is bounded: TALLY_MOST rows, and whatever has none of them is counted together.
 */
#ifndef CARRYCHAIN_PCAP_TALLY_H
#define CARRYCHAIN_PCAP_TALLY_H

#include <carrychain/packet.h>

#define TALLY_MOST 16384

/* What a row counts; 0 where it makes no difference. */
struct tally_key {
	uint32_t interface;
	uint16_t source_port, destination_port;
	unsigned char protocol, has_ports;
	unsigned char family; /* of the addresses; 0 if there are none */
	unsigned char unused;
	unsigned char source[16], destination[16];
};

struct tally_row {
	struct tally_key key;
	cc_u64 count[CC_PACKET_VERDICTS];
	cc_u64 zero; /* of the bad, those with 0 in their field */
};

/* All zeros to begin with. */
struct tally {
	size_t count, room;
	struct tally_row *row;
	uint32_t *slot; /* of a hash table, twice as many as room: a row's number, plus 1 */
	struct tally_row others;
};

void tally_free(struct tally *t);
void tally_clear(struct tally *t);

/* The row of @key, or that of all others if there are TALLY_MOST; NULL: no memory. */
struct tally_row *tally_row(struct tally *t, const struct tally_key *key);

/* Add what @from has.  CC_ENOMEM. */
int tally_add(struct tally *t, const struct tally *from);

#endif /* CARRYCHAIN_PCAP_TALLY_H */
