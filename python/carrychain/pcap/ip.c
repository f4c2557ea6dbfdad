// SPDX-License-Identifier: MIT
#include "walk.h"

#include <string.h>

static const int counted_as[] = {
	[1] = PACKET_ICMP,   [2] = PACKET_IGMP,	      [4] = PACKET_IPV4, [6] = PACKET_TCP,
	[17] = PACKET_UDP,   [41] = PACKET_IPV6,      [47] = PACKET_GRE, [58] = PACKET_ICMPV6,
	[132] = PACKET_SCTP, [136] = PACKET_UDP_LITE,
};

/* IPv6's extension headers hide what is behind them. */
int walk_is_extension(unsigned int number)
{
	return number == 0 || number == 43 || number == 44 || number == 51 || number == 60;
}

/* What to count a datagram as by its protocol; -1 if it has no checksum that we know. */
static int protocol_of(unsigned int number, int family)
{
	if (walk_is_extension(number))
		return family == 6 ? PACKET_IPV6 : number == 51 ? PACKET_IPV4 : -1;
	if (number >= sizeof(counted_as) / sizeof(counted_as[0]) ||
	    (!counted_as[number] && number != 4))
		return -1;
	return counted_as[number];
}

enum step walk_fragment(struct walk *w, uint32_t id, uint32_t position, int more)
{
	struct packet_fragment *f = &w->out->fragment;
	size_t size = w->family == 4 ? 4 : 16;
	int protocol = protocol_of(w->number, w->family);

	if (protocol < 0)
		return END;
	if (w->reassembled)
		return walk_give_up(w, protocol, PACKET_FRAGMENTS);
	w->out->is_fragment = 1;
	memset(f, 0, sizeof(*f));
	f->family = (unsigned char)w->family;
	f->number = (unsigned char)w->number;
	f->protocol = (unsigned char)protocol;
	f->more = !!more;
	f->whole = !w->broken && w->end <= w->captured;
	f->covered = !!w->covered;
	f->id = id;
	f->position = position;
	f->at = w->at;
	f->length = w->end - w->at;
	memcpy(f->source, w->source, size);
	memcpy(f->destination, w->destination, size);
	memcpy(f->from, w->from, size);
	memcpy(f->to, w->to, size);
	return END;
}

/* The last address of a source route that is not at its end yet, or @to. */
static const unsigned char *source_route(const unsigned char *options, size_t length,
					 const unsigned char *to)
{
	size_t i = 0, option;

	while (i < length && options[i] != 0) {
		if (options[i] == 1) {
			i++;
			continue;
		}
		if (length - i < 2)
			break;
		option = options[i + 1];
		if (option < 2 || option > length - i)
			break;
		/* loose or strict; the pointer counts from 1 */
		if ((options[i] == 131 || options[i] == 137) && option >= 7 &&
		    (size_t)options[i + 2] + 3 <= option)
			return options + i + 3 + (option - 3) / 4 * 4 - 4;
		i += option;
	}
	return to;
}

enum step walk_ipv4(struct walk *w)
{
	const unsigned char *p = w->data + w->at;
	size_t header, total;
	unsigned int flags;
	int reason = reach(w, 20);

	w->family = 4;
	w->source = w->destination = NULL;
	if (reason != REACHED)
		return walk_give_up(w, PACKET_IPV4, reason);
	w->source = w->from = p + 12;
	w->destination = w->to = p + 16;
	header = (size_t)(p[0] & 15) * 4;
	total = get16(p + 2);
	/* left to the network card, which cuts it up */
	if (!total)
		total = w->end - w->at;
	if (p[0] >> 4 != 4 || header < 20 || total < header)
		return walk_give_up(w, PACKET_IPV4, PACKET_MALFORMED);
	reason = reach(w, header);
	if (reason != REACHED)
		return walk_give_up(w, PACKET_IPV4, reason);
	walk_judge(w, PACKET_IPV4, 10, header, 0);
	if (total > w->end - w->at)
		w->broken = 1;
	else
		w->end = w->at + total;
	w->to = source_route(p + 20, header - 20, w->to);
	w->number = p[9];
	w->at += header;
	flags = get16(p + 6);
	if (flags & 0x3fff)
		return walk_fragment(w, get16(p + 4), (flags & 0x1fff) * 8, flags & 0x2000);
	return PROTOCOL;
}

enum step walk_ipv6(struct walk *w)
{
	const unsigned char *p = w->data + w->at;
	size_t length;
	int reason = reach(w, 40);

	w->family = 6;
	w->source = w->destination = NULL;
	if (reason != REACHED)
		return walk_give_up(w, PACKET_IPV6, reason);
	w->source = w->from = p + 8;
	w->destination = w->to = p + 24;
	if (p[0] >> 4 != 6)
		return walk_give_up(w, PACKET_IPV6, PACKET_MALFORMED);
	length = get16(p + 4);
	w->lengthless = !length;
	w->number = p[6];
	w->at += 40;
	/* 0: a jumbogram, whose option says it; or left to the network card */
	if (length > w->end - w->at)
		w->broken = 1;
	else if (length)
		w->end = w->at + length;
	return PROTOCOL;
}
