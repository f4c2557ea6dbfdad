/* SPDX-License-Identifier: MIT */
/*
 * reading.h - one capture after the other: packets in, rows and counts out.
 *
 * Verdicts that the rest of a capture can change wait until it has been read, or it is read again.
 * Rows of a pipe do not wait: they are provisional.
 */
#ifndef CCVERIFY_READING_H
#define CCVERIFY_READING_H

#include "reader.h"
#include "report.h"

struct reading {
	char *const *name; /* the captures */
	unsigned int count;
	int rows; /* rows are written */
	struct batch *batch;
	struct cc_capture *framing;
	struct cc_packet_datagrams *datagrams;
	/* rows that wait */
	struct batch_entry *waiting;
	size_t waiting_count;
};

/* @vantage is where packets were captured, if it is stated; @tell the verdicts of rows, as bits. */
void reading_begin(struct reading *g, char *const *name, unsigned int count,
		   enum cc_vantage vantage, unsigned int tell, unsigned int flags);
void reading_end(struct reading *g);

/* Read capture @number into @r.  Returns why it could not be read to its end, or NULL. */
char *reading_capture(struct reading *g, unsigned int number, struct report *r);

#endif /* CCVERIFY_READING_H */
