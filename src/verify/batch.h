/* SPDX-License-Identifier: MIT */
/*
 * batch.h - consecutive packets of a capture: cut into records, walked, counted.
 *
 * Batches are cut in the file's order, and so are datagrams reassembled. In between, batches may be
 * walked in any order, each in a thread of its own.
 */
#ifndef CC_VERIFY_BATCH_H
#define CC_VERIFY_BATCH_H

#include <carrychain/capture.h>
#include <carrychain/cause.h>
#include <carrychain/packet.h>
#include <carrychain/vantage.h>

#include "histogram.h"
#include "learned.h"
#include "tally.h"

/*
 * How captures are read.  What a batch shows of its senders depends on where it ends, so all that
 * read captures cut them alike: batches large enough that threads seldom meet, small enough that
 * all stay in the last cache.
 */
#define BATCH_BYTES (1u << 21)
/* Enough of a capture to know it, and mostly to have a packet. */
#define BATCH_HEAD (1u << 12)
/* The rows that wait at most for their capture's end; for more, it is read again. */
#define BATCH_WAITING (1u << 16)
/* How much later than the first packet of a file the last one of the file before may be, in ns. */
#define BATCH_DISORDER 1000000000u

/* A finding to be reported. */
struct batch_entry {
	cc_u64 frame, time;
	uint32_t length, interface; /* of the packet */
	uint32_t capture;	    /* the number of its capture, if there are several */
	uint32_t expected, found;
	uint16_t source_port, destination_port;
	unsigned char protocol, verdict, reason, width, has_ports;
	unsigned char family; /* of the addresses; 0 if they could not be read */
	unsigned char source[16], destination[16];
	/* of a sum that may be deferred: as in a struct tally_key; what the verdict rests on */
	unsigned char sum, shown, mac[6];
	unsigned char evidence, provisional; /* the rest of the capture may change the verdict */
	uint32_t number;		     /* counts the batch's findings, in the order found */
	uint32_t causes; /* that fit a bad sum: one bit for each enum cc_cause */
};

/* What a packet shows of where it was captured. */
struct batch_vantage {
	unsigned char evidence; /* an enum cc_evidence */
	unsigned char mac[6];
};

struct batch_fragment {
	struct cc_packet_fragment fragment;
	struct batch_vantage vantage;
	size_t at; /* the offset of its bytes in the batch */
	struct cc_packet_origin origin;
};

/* The number of packets and datagrams with the same unknown; reassembly may list one again. */
struct batch_unknown {
	uint32_t what, number; /* an enum cc_packet_unknown, and its number */
	cc_u64 count;
};

/* A byte of the file to be replaced. */
struct batch_patch {
	cc_u64 place;
	unsigned char byte;
};

struct batch_record {
	uint32_t at; /* the packet's offset in the batch */
	uint32_t captured, original, link, interface, flags;
	cc_u64 time;
};

/* An interface that is described among the packets; "" if it has no name. */
struct batch_interface {
	uint32_t number, link;
	char name[CC_CAPTURE_NAME];
};

/*
 * Which packets are looked at: for each link type a program, and what runs it, libpcap's
 * bpf_filter(); 0 is no.  Packets of other link types are not looked at.
 */
struct batch_program {
	uint32_t link;
	const void *code;
};

struct batch_filter {
	unsigned int (*run)(const void *code, const unsigned char *packet, unsigned int original,
			    unsigned int captured);
	size_t count;
	const struct batch_program *program;
};

/* What checksums are grouped by, besides their protocols. */
enum batch_by {
	BATCH_BY_NOTHING,
	BATCH_BY_INTERFACE,
	BATCH_BY_HOST, /* the sender, at an interface */
	BATCH_BY_CONVERSATION,
	/* below, by a number in place of the interface: 1 more than it is, or 0 if there is none */
	BATCH_BY_VLAN,	    /* the outermost tag's, of Ethernet */
	BATCH_BY_LENGTH_4,  /* the bytes that a sum covers, modulo 4 */
	BATCH_BY_LENGTH_64, /* and modulo 64 */
	BATCH_BY_OFFSET,    /* where they begin in the packet */
};

struct batch {
	/* the file's bytes: capacity, bytes read, and bytes that whole records take */
	unsigned char *data;
	size_t size, filled, used;
	cc_u64 place;	   /* the offset of data[0] in the file */
	cc_u64 frame;	   /* the number of the first record */
	uint32_t capture;  /* the number of the capture, if there are several */
	unsigned int tell; /* the verdicts to be reported, one bit each */
	int judge;	   /* by where a packet was captured: an enum cc_verdict, none partial */
	int stated;	   /* the enum cc_vantage of all packets, if known */
	/* what the whole capture shows, from a reading before; or NULL */
	const struct tally *settled;
	int doubted;	    /* there is a sum whose verdict others can change */
	int damaged;	    /* there is a sum that is bad by itself */
	int learns;	    /* the batch that was here before had one of these */
	unsigned int flags; /* as cc_packet_walk takes them */
	int fix;	    /* repair bad checksums in data */
	enum batch_by by;   /* how tally groups them */
	int plot;	    /* count in histogram */
	int note;	    /* list the frames with a bad or unfinished sum in noted */
	/* which packets are looked at; NULL: all */
	const struct batch_filter *filter;

	size_t record_count;
	struct batch_record *record;

	cc_u64 count[CC_PACKET_PROTOCOLS][CC_VERDICTS];
	cc_u64 quoted[CC_PACKET_PROTOCOLS][CC_VERDICTS]; /* in ICMP errors: only counted */
	cc_u64 reason[CC_PACKET_REASONS];
	cc_u64 left_out;       /* packets that the filter does not let pass */
	cc_u64 without;	       /* packets without a known checksum, or a fragment */
	cc_u64 fixed, unfixed; /* repaired; left bad, as another checksum covers them */

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
	size_t noted_count, noted_room;
	cc_u64 *noted; /* in the order found; none follows itself */

	struct tally tally;
	struct tally wrong;  /* bad ones, and those that may be deferred, by sender and receiver */
	struct tally causes; /* of those bad by themselves, and who else talks there: causes.h */
	struct tally talks;
	struct learned learned;
	struct histogram histogram;
};

/* A batch of @size bytes; NULL without memory. */
struct batch *batch_new(size_t size);
void batch_free(struct batch *b);
/* Make room for one more element of @size bytes in an array of @there, @count used.  CC_ENOMEM. */
int batch_room(void **array, size_t *there, size_t count, size_t size);
/* Grow to @size bytes, keeping the contents.  CC_ENOMEM. */
int batch_grow(struct batch *b, size_t size);

/*
 * Clear the batch's results, and cut its `filled` bytes into records; sets `used`.  Returns what
 * stopped it: CC_CAPTURE_MORE, an error, or CC_CAPTURE_RECORD if the batch is full of records.
 */
enum cc_capture_status batch_cut(struct batch *b, struct cc_capture *c);

/* Walk its packets.  CC_ENOMEM. */
int batch_walk(struct batch *b);

/* Add its fragments to the datagrams, in the file's order of batches.  CC_ENOMEM. */
int batch_reassemble(struct batch *b, struct cc_packet_datagrams *s);

/* Sort the findings by frame, and within one frame from the outermost layer inwards. */
void batch_sort(struct batch *b);

/*
 * Give up the incomplete datagrams that have timed out by @now; all of them if @now is
 * CC_PACKET_END.  CC_ENOMEM.
 */
int batch_end(struct batch *b, struct cc_packet_datagrams *s, cc_u64 now);

/* Sets key[fragment_count] to the keys of its fragments' datagrams. */
void batch_keys(const struct batch *b, uint32_t *key);

/*
 * Set the verdicts and the evidence of findings by @settled; those whose sender has no row stay
 * provisional.
 */
void batch_settle(struct batch_entry *entry, size_t count, const struct tally *settled);

/* The findings of cc_packet_walk in one packet that is in no file; returns their number. */
size_t batch_entries(struct batch_entry entry[CC_PACKET_LAYERS], unsigned int link,
		     const unsigned char *data, size_t captured, size_t original,
		     unsigned int flags);

#endif /* CC_VERIFY_BATCH_H */
