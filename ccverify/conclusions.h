/* SPDX-License-Identifier: MIT */
/*
 * conclusions.h - what a capture's bad, unfinished and deferred sums show, by their senders, and on
 * which evidence.
 */
#ifndef CCVERIFY_CONCLUSIONS_H
#define CCVERIFY_CONCLUSIONS_H

#include "report.h"

/* Sums of one sender with the same verdict on the same evidence. */
struct conclusion {
	unsigned char verdict, evidence;
	unsigned char judged;	/* it rests on evidence; otherwise it is bad by itself */
	unsigned char protocol; /* of those that are judged */
	unsigned char others;	/* all senders that have no row */
	unsigned char family, source[16];
	char interface[CC_CAPTURE_NAME]; /* "" if none is named */
	cc_u64 count;
	size_t first; /* the place where it was found */
	cc_u64 group; /* the sums of its verdict and evidence */
};

/* Initialized to zeros. */
struct conclusions {
	size_t count, room;
	struct conclusion *row;
};

void conclusions_free(struct conclusions *c);
/* Those of a capture. */
void conclusions_of(struct conclusions *c, const struct report *r);
/* Add those of @from, a capture, without its interfaces: they are its own. */
void conclusions_add(struct conclusions *c, const struct conclusions *from);
/* A sentence for each verdict, and with @explain all of it. */
void conclusions_print(struct conclusions *c, int explain);

#endif /* CCVERIFY_CONCLUSIONS_H */
