/* SPDX-License-Identifier: MIT */
/*
 * capture.h - where the packets are in a capture file: pcap and pcapng, both byte orders,
 * any resolution of time.
 *
 * Reads a file's bytes in order, in pieces of any size, from wherever the caller has them;
 * so that the caller knows each packet's place in the file.  Nothing is allocated.
 */
#ifndef CARRYCHAIN_PCAP_CAPTURE_H
#define CARRYCHAIN_PCAP_CAPTURE_H

#include <carrychain/word.h>

enum capture_format {
	CAPTURE_UNKNOWN, /* until the first bytes are read */
	CAPTURE_PCAP,
	CAPTURE_PCAPNG,
};

enum capture_status {
	CAPTURE_RECORD, /* a packet */
	CAPTURE_BLOCK,	/* a header, or what is no packet */
	CAPTURE_MORE,	/* c->need bytes are needed, from here on */
	/* errors: nothing is read any more */
	CAPTURE_FOREIGN,   /* no capture */
	CAPTURE_GZIP,	   /* compressed */
	CAPTURE_VERSION,   /* of the format: c->value */
	CAPTURE_LENGTH,	   /* c->value can't be the length of what is here */
	CAPTURE_INTERFACE, /* a packet of interface c->value, which was not described */
	CAPTURE_CROWDED,   /* more than CAPTURE_INTERFACES of them */
};

/*
 * The link type of a record that is no packet, but has a frame's number in Wireshark, and
 * so here: custom blocks, and a journal's entries.
 */
#define CAPTURE_NO_PACKET 0xffffffff

#define CAPTURE_INTERFACES 1024
/* A longer record is taken for a damaged one. */
#define CAPTURE_LONGEST ((size_t)16 << 20)

struct capture_interface {
	uint32_t link;
	uint32_t snapshot; /* 0: whole packets */
	cc_u64 ticks;	   /* a second */
	cc_u64 offset;	   /* seconds */
};

struct capture {
	enum capture_format format;
	int swapped;	/* not this machine's byte order */
	int odd_header; /* pcap's records have eight bytes more, as Kuznetzov's do */
	cc_u64 need, value;
	uint32_t interface_count;
	struct capture_interface interface[CAPTURE_INTERFACES];
};

struct capture_record {
	size_t at; /* where the packet is, from the beginning of the record */
	uint32_t captured, original;
	uint32_t link;
	cc_u64 time; /* nanoseconds since 1970 */
};

/* A capture to be read from its beginning is one of all zeros. */

/*
 * What comes at @data[have]: sets *@used to its length if it is a record or a block.
 * CAPTURE_MORE at *the end of the file* means that it was cut there, unless @have is 0.
 */
enum capture_status capture_next(struct capture *c, const unsigned char *data, size_t have,
				 size_t *used, struct capture_record *r);

#endif /* CARRYCHAIN_PCAP_CAPTURE_H */
