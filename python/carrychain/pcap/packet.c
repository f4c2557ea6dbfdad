// SPDX-License-Identifier: MIT
#include "walk.h"

#include <string.h>

static void walk_on(struct walk *w, enum step step)
{
	while (step != END && w->out->count < PACKET_FINDINGS) {
		switch (step) {
		case ETHERNET:
			step = walk_ethernet(w);
			break;
		case TYPE:
			step = walk_type(w);
			break;
		case MPLS:
			step = walk_mpls(w);
			break;
		case IP:
			step = walk_ip(w);
			break;
		case IPV4:
			step = walk_ipv4(w);
			break;
		case IPV6:
			step = walk_ipv6(w);
			break;
		case PROTOCOL:
			step = walk_protocol(w);
			break;
		case END:
			break;
		}
	}
}

static void begin(struct packet_findings *out)
{
	out->count = 0;
	out->is_fragment = 0;
	out->unknown = PACKET_NOTHING;
	out->number = 0;
}

void packet_walk(struct packet_findings *out, unsigned int link, const unsigned char *data,
		 size_t captured, size_t original)
{
	struct walk w = {
		.out = out,
		.data = data,
		.captured = captured,
		.end = original < captured ? captured : original,
	};

	begin(out);
	walk_on(&w, walk_link(&w, link));
}

void packet_walk_datagram(struct packet_findings *out, const struct packet_fragment *of,
			  const unsigned char *data, size_t length)
{
	struct walk w = {
		.out = out,
		.data = data,
		.captured = length,
		.end = length,
		.number = of->number,
		.family = of->family,
		.reassembled = 1,
		.home = memcmp(of->from, of->source, sizeof(of->from)) != 0,
		.source = of->source,
		.destination = of->destination,
		.from = of->from,
		.to = of->to,
	};

	begin(out);
	walk_on(&w, PROTOCOL);
}

size_t packet_fix(struct packet_findings *out, struct packet_write written[PACKET_FINDINGS],
		  unsigned int link, const struct packet_fragment *of, unsigned char *data,
		  size_t captured, size_t original)
{
	size_t count = 0, i = out->count;

	/*
	 * One that is written changes none inside it, and so leaves the walk as it was: each
	 * is looked at once, with all inside it as they will stay.
	 */
	while (i--) {
		struct packet_finding *f = &out->finding[i];
		unsigned int byte;

		if (f->verdict != PACKET_BAD && f->verdict != PACKET_PARTIAL)
			continue;
		for (byte = 0; byte < f->width; byte++)
			data[f->field + byte] =
				(unsigned char)(f->expected >> 8 * (f->width - 1u - byte));
		written[count].field = f->field;
		written[count++].width = f->width;
		if (of)
			packet_walk_datagram(out, of, data, captured);
		else
			packet_walk(out, link, data, captured, original);
	}
	return count;
}
