/* SPDX-License-Identifier: MIT */
/*
 * capture.h - where the packets are in a capture file: pcap and pcapng, both byte orders,
 * any resolution of time.
 *
 * Reads a file's bytes in order, in pieces of any size, from wherever the caller has them;
 * so that the caller knows each packet's place in the file.  Nothing is allocated.
 */
#ifndef CARRYCHAIN_CAPTURE_H
#define CARRYCHAIN_CAPTURE_H

#include <carrychain/word.h>

#ifdef __cplusplus
extern "C" {
#endif

enum cc_capture_format {
	CC_CAPTURE_UNKNOWN, /* until the first bytes are read */
	CC_CAPTURE_PCAP,
	CC_CAPTURE_PCAPNG,
};

enum cc_capture_status {
	CC_CAPTURE_RECORD, /* a packet */
	CC_CAPTURE_BLOCK,  /* a header, or what is no packet */
	CC_CAPTURE_MORE,   /* c->need bytes are needed, from here on, where there are fewer */
	/* errors: nothing can be read from here on */
	CC_CAPTURE_FOREIGN,   /* no capture */
	CC_CAPTURE_VERSION,   /* of the format: c->value */
	CC_CAPTURE_LENGTH,    /* c->value can't be the length of what is here */
	CC_CAPTURE_INTERFACE, /* a packet of interface c->value, which was not described */
	CC_CAPTURE_CROWDED,   /* more than CC_CAPTURE_INTERFACES of them: right, but too many */
};

/*
 * The link type of a record that is no packet, but has a frame's number in Wireshark, and
 * so here: custom blocks, and a journal's entries.
 */
#define CC_CAPTURE_NO_PACKET 0xffffffff

/*
 * Of a section: what merges captures describes those of each.  They are some 6 MB, of which what
 * is never described is never touched.
 */
#define CC_CAPTURE_INTERFACES 65536
/* Of an interface's name, with the 0 at its end: what is longer is cut. */
#define CC_CAPTURE_NAME 64
/* A longer record is taken for a damaged one. */
#define CC_CAPTURE_LONGEST 16777216u

struct cc_capture_interface {
	uint32_t link;
	uint32_t snapshot;	    /* 0: whole packets */
	cc_u64 ticks;		    /* a second */
	cc_u64 offset;		    /* seconds */
	char name[CC_CAPTURE_NAME]; /* as captured, in UTF-8; "" if there is none */
};

/* What is known of a capture so far: all zeros at its beginning, but for interface[]. */
struct cc_capture {
	enum cc_capture_format format;
	int swapped;		    /* not this machine's byte order */
	int odd_header;		    /* pcap's records have eight bytes more, as Kuznetzov's do */
	cc_u64 need, value;	    /* of the last status */
	uint32_t interfaces_before; /* those of sections that have ended */
	uint32_t interface_count;
	struct cc_capture_interface interface[CC_CAPTURE_INTERFACES];
};

struct cc_capture_record {
	size_t at;		     /* where the packet is, from the beginning of the record */
	uint32_t captured, original; /* bytes there, and on the wire, as the file says */
	uint32_t link;		     /* as cc_packet_walk takes it */
	uint32_t interface;	     /* counted from 0 through all sections */
	cc_u64 time;		     /* nanoseconds since 1970 */
};

/*
 * What comes at @data[have], any address: sets *@used to its length if it is a record or a
 * block, and *@r if a record; its packet is then at @data[r->at], r->captured bytes.
 * CC_CAPTURE_MORE at the end of the file means that it was cut there, unless @have is 0.
 */
enum cc_capture_status cc_capture_next(struct cc_capture *c, const unsigned char *data, size_t have,
				       size_t *used, struct cc_capture_record *r);

#ifdef __cplusplus
}
#endif

#endif /* CARRYCHAIN_CAPTURE_H */
