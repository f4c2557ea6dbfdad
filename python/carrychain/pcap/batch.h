/* SPDX-License-Identifier: MIT */
/*
 * batch.h - some consecutive packets of a capture: cut out of its bytes, walked, counted.
 *
 * Cutting goes in the file's order, and so does putting datagrams together; between the
 * two, batches may be walked in any order, by as many threads as there are batches.
 */
#ifndef CARRYCHAIN_PCAP_BATCH_H
#define CARRYCHAIN_PCAP_BATCH_H

#include <carrychain/capture.h>
#include <carrychain/packet.h>

#include "histogram.h"
#include "tally.h"

/* A finding to be told. */
struct batch_entry {
	cc_u64 frame, time;
	uint32_t length, interface; /* of the packet */
	uint32_t capture;	    /* which of several it is in */
	uint32_t expected, found;
	uint16_t source_port, destination_port;
	unsigned char protocol, verdict, reason, width, has_ports;
	unsigned char family; /* of the addresses; 0 if they could not be read */
	unsigned char source[16], destination[16];
	uint32_t number; /* of those of a batch, as they were found */
};

struct batch_fragment {
	struct cc_packet_fragment fragment;
	size_t at; /* of its bytes in the batch */
	struct cc_packet_origin origin;
};

/* How many packets, or datagrams, had the same unknown in them; it may be listed twice. */
struct batch_unknown {
	uint32_t what, number; /* an enum cc_packet_unknown, and which of that kind */
	cc_u64 count;
};

/* A byte of the file that is to become another. */
struct batch_patch {
	cc_u64 place;
	unsigned char byte;
};

struct batch_record {
	uint32_t at; /* in the batch */
	uint32_t captured, original, link, interface;
	cc_u64 time;
};

/* An interface that is described among the packets, and has a name. */
struct batch_interface {
	uint32_t number;
	char name[CC_CAPTURE_NAME];
};

/* What the checksums are counted by, beside their protocols. */
enum batch_by {
	BATCH_BY_NOTHING,
	BATCH_BY_INTERFACE,
	BATCH_BY_HOST, /* the sender, at an interface */
	BATCH_BY_CONVERSATION,
};

struct batch {
	/* the file's bytes: what fits in, what is there, what whole records take of it */
	unsigned char *data;
	size_t size, filled, used;
	cc_u64 place;	    /* of data[0] in the file */
	cc_u64 frame;	    /* the number of the first record */
	uint32_t capture;   /* which of several this is */
	unsigned int tell;  /* the verdicts to be told, one bit each */
	unsigned int flags; /* as cc_packet_walk takes them */
	int fix;	    /* make good what is not, in data */
	enum batch_by by;   /* to be counted in tally */
	int plot;	    /* likewise, in histogram */

	size_t record_count;
	struct batch_record *record;

	cc_u64 count[CC_PACKET_PROTOCOLS][CC_PACKET_VERDICTS];
	cc_u64 quoted[CC_PACKET_PROTOCOLS][CC_PACKET_VERDICTS]; /* by ICMP errors: only counted */
	cc_u64 reason[CC_PACKET_REASONS];
	cc_u64 without;	       /* packets with no checksum that we know, nor a part of one */
	cc_u64 fixed, unfixed; /* checksums; and those that other checksums cover */

	size_t entry_count, entry_room;
	struct batch_entry *entry;
	size_t fragment_count, fragment_room;
	struct batch_fragment *fragment;
	size_t unknown_count, unknown_room;
	struct batch_unknown *unknown;
	size_t patch_count, patch_room;
	struct batch_patch *patch;
	size_t interface_count, interface_room;
	struct batch_interface *interface;

	struct tally tally;
	struct tally wrong; /* the bad and the partial, by who sent them to whom, and where */
	struct histogram histogram;
};

/* A batch of @size bytes, or NULL. */
struct batch *batch_new(size_t size);
void batch_free(struct batch *b);
/* Make room for @size bytes, keeping those there are.  CC_ENOMEM. */
int batch_grow(struct batch *b, size_t size);

/*
 * Cut data[filled] into records, from data[used = 0] on, and forget what was known of the
 * batch before.  Returns what stopped it: CC_CAPTURE_MORE, an error, or CC_CAPTURE_RECORD if the
 * batch has its fill of records.
 */
enum cc_capture_status batch_cut(struct batch *b, struct cc_capture *c);

/* Walk its packets.  CC_ENOMEM. */
int batch_walk(struct batch *b);

/* Add its fragments to the datagrams, in the file's order of batches.  CC_ENOMEM. */
int batch_reassemble(struct batch *b, struct cc_packet_datagrams *s);

/* Put what is to be told into the order of frames and, in one, from the outermost inwards. */
void batch_sort(struct batch *b);

/*
 * It is @now: tell of the datagrams that began too long before it.  At CC_PACKET_END of all
 * that are not whole.  CC_ENOMEM.
 */
int batch_end(struct batch *b, struct cc_packet_datagrams *s, cc_u64 now);

/* The keys of its fragments' datagrams, fragment_count of them. */
void batch_keys(const struct batch *b, uint32_t *key);

/* What is found in one packet, of no file, as cc_packet_walk finds it: how many. */
size_t batch_entries(struct batch_entry entry[CC_PACKET_LAYERS], unsigned int link,
		     const unsigned char *data, size_t captured, size_t original,
		     unsigned int flags);

#endif /* CARRYCHAIN_PCAP_BATCH_H */
