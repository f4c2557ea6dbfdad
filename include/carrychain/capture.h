/* SPDX-License-Identifier: MIT */
/*
 * capture.h - finds the packets in a capture file: pcap and pcapng, both byte orders, any
 * time resolution.
 *
 * The caller passes the file's bytes in order, in pieces of any size, and so knows each
 * packet's offset in the file.  Nothing is allocated.
 */
#ifndef CARRYCHAIN_CAPTURE_H
#define CARRYCHAIN_CAPTURE_H

#include <carrychain/word.h>

#ifdef __cplusplus
extern "C" {
#endif

enum cc_capture_format {
	CC_CAPTURE_UNKNOWN, /* nothing was read yet */
	CC_CAPTURE_PCAP,
	CC_CAPTURE_PCAPNG,
};

enum cc_capture_status {
	CC_CAPTURE_RECORD, /* a packet */
	CC_CAPTURE_BLOCK,  /* a header, or another block that holds no packet */
	CC_CAPTURE_MORE,   /* too few bytes: c->need are needed from here on */
	/* errors: nothing can be read from here on */
	CC_CAPTURE_FOREIGN,   /* not a capture */
	CC_CAPTURE_VERSION,   /* unknown format version c->value */
	CC_CAPTURE_LENGTH,    /* the length c->value is impossible here */
	CC_CAPTURE_INTERFACE, /* a packet of interface c->value, which was never described */
	CC_CAPTURE_CROWDED,   /* valid, but more than CC_CAPTURE_INTERFACES interfaces */
};

/*
 * The link type of a record that is not a packet but that Wireshark numbers as a frame:
 * custom blocks and journal entries.  They are numbered here, too.
 */
#define CC_CAPTURE_NO_PACKET 0xffffffff

/*
 * The most interfaces in one section: a merged capture describes those of all its sources.
 * They take some 6 MB, but memory of interfaces that are never described is never touched.
 */
#define CC_CAPTURE_INTERFACES 65536
/* The size of an interface's name with its NUL; longer names are cut. */
#define CC_CAPTURE_NAME 64
/* A longer record is considered damaged. */
#define CC_CAPTURE_LONGEST 16777216u

struct cc_capture_interface {
	uint32_t link;
	uint32_t snapshot;	    /* the snapshot length; 0: whole packets */
	cc_u64 ticks;		    /* clock ticks per second */
	cc_u64 offset;		    /* seconds to add to times */
	char name[CC_CAPTURE_NAME]; /* as captured, in UTF-8; "" if there is none */
};

/* What is known of a capture so far.  Initialize all but interface[] with zeros. */
struct cc_capture {
	enum cc_capture_format format;
	int swapped;		    /* not in this machine's byte order */
	int odd_header;		    /* Kuznetzov's pcap: eight more bytes per record header */
	cc_u64 need, value;	    /* set by the last status */
	uint32_t interfaces_before; /* the interfaces of earlier sections */
	uint32_t interface_count;
	struct cc_capture_interface interface[CC_CAPTURE_INTERFACES];
};

struct cc_capture_record {
	size_t at;		     /* the packet's offset from the beginning of the record */
	uint32_t captured, original; /* its bytes in the file, and on the wire */
	uint32_t link;		     /* as cc_packet_walk takes it */
	uint32_t interface;	     /* numbered from 0 across all sections */
	uint32_t flags;		     /* pcapng's epb_flags; 0 if there are none */
	cc_u64 time;		     /* nanoseconds since 1970 */
};

/*
 * Reads what begins at @data, of which @have bytes are available; any alignment.  Sets *@used
 * to the length of a record or block.  For a record also sets *@r: the packet is at
 * @data[r->at], r->captured bytes long.  At the end of the file, CC_CAPTURE_MORE means that
 * the file was cut short, unless @have is 0.
 */
enum cc_capture_status cc_capture_next(struct cc_capture *c, const unsigned char *data, size_t have,
				       size_t *used, struct cc_capture_record *r);

#ifdef __cplusplus
}
#endif

#endif /* CARRYCHAIN_CAPTURE_H */
