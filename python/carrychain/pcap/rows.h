/* SPDX-License-Identifier: MIT */
/* rows.h - what was found, as text: CSV's lines, JSON's objects, a row a checksum. */
#ifndef CARRYCHAIN_PCAP_ROWS_H
#define CARRYCHAIN_PCAP_ROWS_H

#include "batch.h"

/* frame, time, protocol, from, to, expected, found, verdict, reason */
#define ROWS_COLUMNS 9
/* What the columns of a row take at most, but for names. */
#define ROWS_LONGEST 256

struct rows_word {
	const char *text;
	size_t length;
};

struct rows_words {
	struct rows_word before[ROWS_COLUMNS]; /* each column */
	struct rows_word after;		       /* the row */
	struct rows_word protocol[CC_PACKET_PROTOCOLS], verdict[CC_PACKET_VERDICTS],
		reason[CC_PACKET_REASONS];
};

/*
 * Write @count rows, with nothing behind them, and return how long they are.  There is room
 * for ROWS_LONGEST bytes a row, all that is before and after, and the longest of each name.
 */
size_t rows_write(char *to, const struct batch_entry *entry, size_t count,
		  const struct rows_words *words);

#endif /* CARRYCHAIN_PCAP_ROWS_H */
