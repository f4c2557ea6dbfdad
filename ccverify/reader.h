/* SPDX-License-Identifier: MIT */
/* reader.h - a file, or the standard input, as batches of packets. */
#ifndef CCVERIFY_READER_H
#define CCVERIFY_READER_H

#include "../src/verify/batch.h"

struct reader {
	const char *name;
	unsigned int number; /* of the capture */
	int file;
	int broken; /* the errno that ended it, or 0 */
	cc_u64 place, frame;
	struct cc_capture *framing;
	char *error; /* why it, or the rest of it, could not be read, or NULL */
};

/* Open @name, "-" for the standard input.  @framing is memory for what is known of it. */
void reader_open(struct reader *r, const char *name, unsigned int number,
		 struct cc_capture *framing);
void reader_close(struct reader *r);

/*
 * Fill @b, which the reader filled before or which is empty, with the packets that follow.
 * Returns 0 if they are the last.
 */
int reader_fill(struct reader *r, struct batch *b);

/* Whether the capture can be read again. */
int reader_repeats(const char *name);

#endif /* CCVERIFY_READER_H */
