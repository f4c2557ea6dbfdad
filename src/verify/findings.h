/* SPDX-License-Identifier: MIT */
/* findings.h - what walks find: counted, judged by where packets were captured, and told. */
#ifndef CC_VERIFY_FINDINGS_H
#define CC_VERIFY_FINDINGS_H

#include "batch.h"

/* The walk of a record; or of a datagram, @vantage that of its last fragment. */
struct findings_walk {
	const struct cc_packet_layers *layers;
	const struct cc_packet_origin *origin;
	const unsigned char *data;
	const struct batch_record *record;
	const struct batch_vantage *vantage;
};

/* What a record shows of where it was captured. */
void findings_look(const struct batch *b, struct batch_vantage *v, const struct batch_record *r);

/* Count the checksums of a walk, and note those to be reported.  CC_ENOMEM. */
int findings_tell(struct batch *b, const struct findings_walk *w);
/* The same for one that was not walked, and cannot be deferred. */
int findings_tell_one(struct batch *b, const struct cc_packet_layer *f,
		      const struct cc_packet_origin *o);

/*
 * Note what a packet shows of others: right sums, which its sender does not defer, and MACs; and
 * who talks to whom.
 */
int findings_learn(struct batch *b, const struct findings_walk *w);

#endif /* CC_VERIFY_FINDINGS_H */
