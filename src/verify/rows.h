/* SPDX-License-Identifier: MIT */
/* rows.h - findings as text: CSV lines or JSON objects, one row per checksum. */
#ifndef CC_VERIFY_ROWS_H
#define CC_VERIFY_ROWS_H

#include "batch.h"

#define ROWS_COLUMNS 9
/* Column @i's name. */
const char *rows_column(unsigned int i);

/* The most bytes that the columns of a row take, except for names. */
#define ROWS_LONGEST 256

struct rows_word {
	const char *text;
	size_t length;
};

struct rows_words {
	struct rows_word before[ROWS_COLUMNS]; /* the text before each column */
	struct rows_word after;		       /* the text after the row */
	struct rows_word protocol[CC_PACKET_PROTOCOLS], verdict[CC_VERDICTS],
		reason[CC_PACKET_REASONS], evidence[CC_EVIDENCES];
	struct rows_word provisional; /* after the evidence */
};

/*
 * Write @count rows, without a NUL, and return their length.  For each row, @to has room for
 * ROWS_LONGEST bytes, the text before and after, and the longest of each name.
 */
size_t rows_write(char *to, const struct batch_entry *entry, size_t count,
		  const struct rows_words *words);

/*
 * Write an address, without a NUL; "?" if @family is 0.  Returns its end, at most ROWS_ADDRESS
 * bytes on.
 */
#define ROWS_ADDRESS 45
char *rows_address(char *to, unsigned int family, const unsigned char *address);

/* Set the names that fill columns, and return their total length. */
size_t rows_name(struct rows_words *words);

#endif /* CC_VERIFY_ROWS_H */
