// SPDX-License-Identifier: MIT
/* IPv6's extension headers, and authentication headers, which IPv4 has, too. */
#include "walk.h"

#include "../platform.h"

/* A jumbogram's length after the IPv6 header (RFC 2675); returns whether it is valid. */
static int jumbo_payload(struct cc_walk *w, const unsigned char *p, size_t size)
{
	size_t length;

	if (size != 4 || !w->lengthless)
		return 0;
	length = get32(p);
	if (length <= 0xffff)
		return 0;
	w->lengthless = 0;
	w->jumbo = 1;
	if (length > w->end - w->at)
		w->broken = 1;
	else
		w->end = w->at + length;
	return 1;
}

/* A mobile node's home address (RFC 6275, 6.3); returns whether the option is valid. */
static int home_address(struct cc_walk *w, const unsigned char *p, size_t size)
{
	if (size != 16 || w->home)
		return 0;
	w->home = 1;
	w->from = p;
	return 1;
}

/* Whether hop-by-hop or destination options are well-formed. */
static int options(struct cc_walk *w, const unsigned char *p, size_t length, int hop_by_hop)
{
	size_t i = 2, size;

	while (i < length) {
		if (!p[i]) {
			i++;
			continue;
		}
		if (length - i < 2)
			return 0;
		size = p[i + 1];
		if (size > length - i - 2)
			return 0;
		if (hop_by_hop && p[i] == 0xc2 && !jumbo_payload(w, p + i + 2, size))
			return 0;
		if (!hop_by_hop && p[i] == 0xc9 && !home_address(w, p + i + 2, size))
			return 0;
		i += 2 + size;
	}
	return !w->lengthless;
}

/* RPL's source route (RFC 6554): addresses without the prefixes shared with the destination. */
static int compressed_route(struct cc_walk *w, const unsigned char *p, size_t length)
{
	size_t left = p[3], each = 16 - (p[4] >> 4), kept = p[4] & 15, padding = p[5] >> 4;
	size_t last = 16 - kept, before;

	if (length < 8 + last + padding)
		return 0;
	before = length - 8 - last - padding;
	if (before % each || left > before / each + 1)
		return 0;
	memcpy(w->last_hop, w->destination, kept);
	memcpy(w->last_hop + kept, p + 8 + before, last);
	w->to = w->last_hop;
	return 1;
}

/* The final destination of a packet on its way; returns whether the header has one. */
static int routing(struct cc_walk *w, const unsigned char *p, size_t length)
{
	size_t left = p[3], addresses = (length - 8) / 16;

	/* at the last hop, the destination is already the final one */
	if (!left)
		return 1;
	switch (p[2]) {
	case 0: /* the addresses in order (RFC 2460, 4.4) */
		if ((length - 8) % 16 || left > addresses)
			return 0;
		w->to = p + 8 + (addresses - 1) * 16;
		return 1;
	case 2: /* the home address (RFC 6275, 6.4) */
		if (length != 24 || left != 1)
			return 0;
		w->to = p + 8;
		return 1;
	case 3:
		return compressed_route(w, p, length);
	case 4: /* in reverse order, then options; p[4] is the last one's number (RFC 8754, 2) */
		if (p[4] >= addresses || left > p[4] + 1u)
			return 0;
		w->to = p + 8;
		return 1;
	default:
		return 0;
	}
}

static int well_formed(struct cc_walk *w, unsigned int number, size_t length, int first)
{
	const unsigned char *p = w->data + w->at;

	switch (number) {
	case 0: /* right behind the IPv6 header, or nowhere (RFC 8200, 4.1) */
		return first && options(w, p, length, 1);
	case 43:
		return routing(w, p, length);
	case 51:
		return length >= 12;
	default:
		return options(w, p, length, 0);
	}
}

static enum step give_up(struct cc_walk *w, int reason)
{
	return cc_walk_give_up(w, w->family == 4 ? CC_PACKET_IPV4 : CC_PACKET_IPV6, reason);
}

enum step cc_walk_extension(struct cc_walk *w)
{
	const unsigned char *p = w->data + w->at;
	unsigned int number = w->number, position;
	size_t length;
	int first = w->first, reason = reach(w, 8);

	w->first = 0;
	if (reason != REACHED)
		return give_up(w, reason);
	w->number = p[0];
	if (number == 44) {
		/* jumbograms have none (RFC 2675, 3) */
		if (w->jumbo)
			return give_up(w, CC_PACKET_MALFORMED);
		position = get16(p + 2);
		w->at += 8;
		if (!(position & 0xfff9))
			return PROTOCOL;
		return cc_walk_fragment(w, get32(p + 4), position & 0xfff8, position & 1);
	}
	length = number == 51 ? ((size_t)p[1] + 2) * 4 : ((size_t)p[1] + 1) * 8;
	reason = reach(w, length);
	if (reason == REACHED && !well_formed(w, number, length, first))
		reason = CC_PACKET_MALFORMED;
	if (reason != REACHED)
		return give_up(w, reason);
	w->at += length;
	return PROTOCOL;
}
