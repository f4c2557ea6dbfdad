// SPDX-License-Identifier: MIT
/* ICMP: RFC 792; ICMPv6: RFC 4443; the quotes in errors, and extensions after them: RFC 4884. */
#include "walk.h"

#define TYPE_AT		0
#define CHECKSUM	2
#define V6_QUOTE_LENGTH 4 /* in words of 8 bytes */
#define V4_QUOTE_LENGTH 5 /* in words of 4 bytes */
#define QUOTE		8

#define EXTENSION_VERSION  2 /* in the upper half of its first byte */
#define EXTENSION_CHECKSUM 2
#define EXTENSION_HEADER   4

static int is_error(unsigned int type, int family)
{
	if (family == 6)
		return type >= 1 && type <= 4;
	return type == 3 || type == 4 || type == 5 || type == 11 || type == 12;
}

/* The quote's length with its padding, if the header has it; else 0. */
static size_t quote_length(const unsigned char *p, int family)
{
	unsigned int type = p[TYPE_AT];

	if (family == 6)
		return type == 1 || type == 3 ? (size_t)p[V6_QUOTE_LENGTH] * 8 : 0;
	return type == 3 || type == 11 || type == 12 ? (size_t)p[V4_QUOTE_LENGTH] * 4 : 0;
}

/* Extensions belong to the error, not to the quote, and have their own checksum. */
static void extension(struct cc_walk *w)
{
	const unsigned char *p = w->data + w->at;
	size_t length = w->end - w->at;

	if (length < EXTENSION_HEADER || p[0] >> 4 != EXTENSION_VERSION)
		return;
	if (get16(p + EXTENSION_CHECKSUM))
		cc_walk_judge(w, CC_PACKET_ICMP_EXTENSION, EXTENSION_CHECKSUM, length, 0);
	else
		cc_walk_add(w, CC_PACKET_ICMP_EXTENSION, CC_PACKET_NONE)->field =
			w->at + EXTENSION_CHECKSUM;
}

enum step cc_walk_icmp(struct cc_walk *w)
{
	const unsigned char *p = w->data + w->at;
	size_t length = w->end - w->at, quote;
	int v6 = w->family == 6;
	struct cc_packet_layer *f = cc_walk_sum(w, v6 ? CC_PACKET_ICMPV6 : CC_PACKET_ICMP, CHECKSUM,
						CHECKSUM + 2, length, v6);

	if (f->verdict == CC_PACKET_UNVERIFIABLE || length < QUOTE ||
	    !is_error(p[TYPE_AT], w->family))
		return END;
	quote = quote_length(p, w->family);
	w->at += QUOTE;
	if (quote > w->end - w->at)
		return END;
	if (quote) {
		w->at += quote;
		extension(w);
		w->end = w->at;
		w->at -= quote;
	}
	w->quoted = 1;
	return v6 ? IPV6 : IPV4;
}
