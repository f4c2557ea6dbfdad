/* SPDX-License-Identifier: MIT */
/*
 * cause.h - what may have made a checksum wrong.
 *
 * In one's complement, what is found minus what is expected is what the covered words have
 * grown by since the sum was made: an old and a new address, a flipped bit.  Each known mistake
 * predicts a sum for a packet; a mistake fits if its prediction is what was found.
 *
 * One packet proves little: a flipped bit fits one damage in 2048.  So what fits is counted, and
 * the mistakes are ranked by what they save, in bits, when they describe all wrong sums: 16 for
 * a sum that is explained, less what it takes to say which of the mistake's variants it is.
 * Nothing is allocated.
 *
 *	struct cc_causes causes;
 *
 *	cc_cause_find(&causes, &layers.layer[i], frame);
 *	if (causes.fits & 1u << CC_CAUSE_BIT)
 *		...
 *
 * After Stone and Partridge, When the CRC and TCP checksum disagree, 2000.
 */
#ifndef CARRYCHAIN_CAUSE_H
#define CARRYCHAIN_CAUSE_H

#include <carrychain/packet.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Mistakes; of those that explain as much, the first is the shortest explanation. */
enum cc_cause {
	CC_CAUSE_ZERO,		   /* 0 found where 0xffff is expected */
	CC_CAUSE_EMPTY,		   /* 0 or 0xffff found: never computed */
	CC_CAUSE_COMPLEMENT,	   /* the sum without its complement */
	CC_CAUSE_BYTE_ORDER,	   /* of the sum itself */
	CC_CAUSE_NO_PSEUDO_HEADER, /* summed without it */
	CC_CAUSE_NO_LENGTH,	   /* summed without a part of it */
	CC_CAUSE_NO_PROTOCOL,
	CC_CAUSE_NO_SOURCE,
	CC_CAUSE_NO_DESTINATION,
	CC_CAUSE_ODD_SIDE,	/* an odd last byte padded in front */
	CC_CAUSE_ODD_LEFT,	/* an odd last byte left out */
	CC_CAUSE_FOLDED_ONCE,	/* the carry of folding was dropped */
	CC_CAUSE_NO_CARRY,	/* carries beyond 16, 32 or 64 bits were dropped */
	CC_CAUSE_TTL,		/* decremented since */
	CC_CAUSE_ECN,		/* marked since */
	CC_CAUSE_ID,		/* set since; it was 0 */
	CC_CAUSE_FIRST_SEGMENT, /* the sum of a part, as long as an MTU allows */
	/* these two are found among many packets: cc_cause_translates() and the caller's counts */
	CC_CAUSE_TRANSLATED, /* an address or a port rewritten since */
	CC_CAUSE_REPEATED,   /* the same sum in different packets of a flow */
	CC_CAUSE_BIT,	     /* one bit flipped since */
	CC_CAUSE_DSCP,	     /* rewritten since */
	/* so is this, where nothing else fits: the same difference in different packets of a flow
	 */
	CC_CAUSE_ALIKE,
	CC_CAUSES,
};

/* "the pseudo-header's length left out"; "?" for an unknown number.  No text has a comma. */
const char *cc_cause_text(unsigned int cause);

/* What fits a bad sum. */
struct cc_causes {
	uint32_t fits; /* one bit for each enum cc_cause */
	/* found - expected in one's complement, with 0 for 0xffff; 0 for another kind of sum */
	uint16_t difference;
};

/* @f is a bad layer of a walk of @data, which is unchanged since. */
void cc_cause_find(struct cc_causes *out, const struct cc_packet_layer *f,
		   const unsigned char *data);

/* The bit, 0 to 15, that changed in a word if @difference is that of one; negative if not. */
int cc_cause_bit(uint16_t difference);
/* Whether it was set, not cleared. */
int cc_cause_bit_rose(uint16_t difference);

/*
 * The words in which that bit may have flipped: those that have it as it is now.  Writes the
 * offsets of the first @most in the packet to @at, and returns how many there are.  Words of the
 * pseudo-header are not among them.
 */
size_t cc_cause_places(const struct cc_packet_layer *f, const unsigned char *data,
		       uint16_t difference, size_t *at, size_t most);

/* The two ends of a packet; ports of 0 if it has none. */
struct cc_cause_ends {
	unsigned char family, has_ports;
	uint16_t source_port, destination_port;
	unsigned char source[16], destination[16];
};

/*
 * Whether @difference is that of rewriting one end, as an address translator does: @now is a
 * packet's ends, and @other those of a packet, in the same or the other direction, with one end
 * in common.
 */
int cc_cause_translates(uint16_t difference, const struct cc_cause_ends *now,
			const struct cc_cause_ends *other);

/* Bad sums with the same mistakes and difference. */
struct cc_cause_count {
	cc_u64 count;
	uint32_t fits;
	uint16_t difference;
	unsigned char protocol;	 /* whose sum it is: each is made by code of its own */
	unsigned char explained; /* one of its mistakes has been taken: 0 in the beginning */
};

struct cc_cause_ranked {
	unsigned char cause; /* an enum cc_cause */
	/* all that it explains have the same difference, @difference */
	unsigned char same;
	uint16_t difference;
	cc_u64 count;  /* that it explains */
	cc_u64 saved;  /* bits */
	uint32_t ties; /* mistakes that explain the same sums about as well, as bits */
};

/*
 * Ranks the mistakes by what they save on those of @some[count] that are @protocol's and not yet
 * explained: the best first.  But one that explains many of the best's sums in fewer bits comes
 * before it: if TTLs and marks were changed, each is one bit, but not by accident.  Returns how
 * many there are; mistakes that explain no more than chance would are not.
 */
size_t cc_cause_rank(struct cc_cause_ranked rank[CC_CAUSES], const struct cc_cause_count *some,
		     size_t count, unsigned int protocol);
/* Marks what @cause explains of them as explained. */
void cc_cause_take(struct cc_cause_count *some, size_t count, unsigned int protocol,
		   unsigned int cause);

#ifdef __cplusplus
}
#endif

#endif /* CARRYCHAIN_CAUSE_H */
