/* SPDX-License-Identifier: MIT */
/* text.h - the summary of a capture, and that of all, for people. */
#ifndef CCVERIFY_TEXT_H
#define CCVERIFY_TEXT_H

#include "conclusions.h"
#include "report.h"

/* The captures that are named as the worst. */
#define WORST 10

/* Of several captures.  Initialized to zeros. */
struct total {
	cc_u64 captures, unreadable;
	cc_u64 began; /* by text_clock() */
	struct report sum;
	struct conclusions on;
	struct {
		const char *name;
		cc_u64 bad, unfinished;
	} worst[WORST]; /* the worst first */
	size_t worst_count;
};

/* Nanoseconds since some moment. */
cc_u64 text_clock(void);

void total_add(struct total *t, const struct report *r, const struct conclusions *on, int unread);

void text_capture(const struct report *r, struct conclusions *on, int explain);
void text_total(struct total *t, int explain);

#endif /* CCVERIFY_TEXT_H */
