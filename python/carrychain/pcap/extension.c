// SPDX-License-Identifier: MIT
/* IPv6's extension headers, and authentication headers over IPv4, too. */
#include "walk.h"

#include <string.h>

/* Hop-by-hop and destination options: the jumbo payload's length, the home address. */
static void options(struct walk *w, const unsigned char *p, size_t length, int hop_by_hop)
{
	size_t i = 2, size, jumbo;

	while (i < length) {
		if (!p[i]) {
			i++;
			continue;
		}
		if (length - i < 2)
			return;
		size = p[i + 1];
		if (size > length - i - 2)
			return;
		if (!hop_by_hop && p[i] == 0xc9 && size == 16)
			w->from = p + i + 2;
		/* counts from behind the IPv6 header */
		if (hop_by_hop && p[i] == 0xc2 && size == 4 && w->lengthless) {
			jumbo = get32(p + i + 2);
			if (jumbo > w->end - w->at || jumbo < length)
				w->broken = 1;
			else
				w->end = w->at + jumbo;
		}
		i += 2 + size;
	}
}

/* The final destination, where the packet is not there yet. */
static int routing(struct walk *w, const unsigned char *p, size_t length)
{
	size_t left = p[3], kept, padding, addresses;

	if (!left)
		return 1;
	switch (p[2]) {
	case 0: /* the addresses in order */
	case 2: /* the home address */
		addresses = (length - 8) / 16;
		if (left > addresses)
			return 0;
		w->to = p + 8 + (addresses - 1) * 16;
		return 1;
	case 3: /* in order, each without what it has in common with the destination */
		kept = p[4] & 15;
		padding = p[5] >> 4;
		if (length < 8 + padding + 16 - kept)
			return 0;
		memcpy(w->last_hop, w->destination, kept);
		memcpy(w->last_hop + kept, p + length - padding - (16 - kept), 16 - kept);
		w->to = w->last_hop;
		return 1;
	case 4: /* in reverse order */
		if (length < 24)
			return 0;
		w->to = p + 8;
		return 1;
	default:
		return 0;
	}
}

enum step walk_extension(struct walk *w)
{
	const unsigned char *p = w->data + w->at;
	unsigned int number = w->number, position;
	size_t length;
	int reason = reach(w, 8);

	if (reason != REACHED)
		return walk_give_up(w, w->family == 4 ? PACKET_IPV4 : PACKET_IPV6, reason);
	w->number = p[0];
	if (number == 44) {
		position = get16(p + 2);
		w->at += 8;
		if (!(position & 0xfff9))
			return PROTOCOL;
		return walk_fragment(w, get32(p + 4), position & 0xfff8, position & 1);
	}
	length = number == 51 ? ((size_t)p[1] + 2) * 4 : ((size_t)p[1] + 1) * 8;
	reason = reach(w, length);
	if (reason == REACHED && number == 43 && !routing(w, p, length))
		reason = PACKET_MALFORMED;
	if (reason != REACHED)
		return walk_give_up(w, w->family == 4 ? PACKET_IPV4 : PACKET_IPV6, reason);
	if (number == 0 || number == 60)
		options(w, p, length, number == 0);
	w->lengthless = 0;
	w->at += length;
	return PROTOCOL;
}
