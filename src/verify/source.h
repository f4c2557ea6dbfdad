/* SPDX-License-Identifier: MIT */
/* source.h - what is known of where a capture's bytes come from: its name, and what ended it. */
#ifndef CC_VERIFY_SOURCE_H
#define CC_VERIFY_SOURCE_H

#include <carrychain/capture.h>

/* The most bytes of source_trouble(), with the NUL, beyond those of @broken. */
#define SOURCE_TROUBLE 256

/*
 * Write why a capture was not read beyond @place, after @frames frames.  @status is an error of
 * cc_capture_next(), or CC_CAPTURE_MORE if the bytes ended inside a record.  @broken is then why
 * no more could be read, or NULL: the capture was cut short.  Returns the length without the NUL.
 */
size_t source_trouble(char *to, enum cc_capture_status status, const struct cc_capture *c,
		      const char *broken, cc_u64 place, cc_u64 frames);

/*
 * Write @name, a path, without the digits of its last component: the same for the captures of one
 * rotation (tcpdump's -C and -G, dumpcap's -b).  Returns the length without the NUL.
 */
size_t source_series(char *to, const char *name);

#endif /* CC_VERIFY_SOURCE_H */
