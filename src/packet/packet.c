// SPDX-License-Identifier: MIT
#include "walk.h"

#include "../platform.h"

static void walk_on(struct cc_walk *w, enum step step)
{
	while (step != END && w->out->count < CC_PACKET_LAYERS) {
		switch (step) {
		case ETHERNET:
			step = cc_walk_ethernet(w);
			break;
		case TYPE:
			step = cc_walk_type(w);
			break;
		case LLC:
			step = cc_walk_llc(w);
			break;
		case PPP:
			step = cc_walk_ppp(w);
			break;
		case MPLS:
			step = cc_walk_mpls(w);
			break;
		case NSH:
			step = cc_walk_nsh(w);
			break;
		case SUBFRAME:
			step = cc_walk_subframe(w);
			break;
		case IP:
			step = cc_walk_ip(w);
			break;
		case IPV4:
			step = cc_walk_ipv4(w);
			break;
		case IPV6:
			step = cc_walk_ipv6(w);
			break;
		case PROTOCOL:
			step = cc_walk_protocol(w);
			break;
		case OTHER:
		case END:
			return;
		}
		if (step == END && w->rest_count)
			step = SUBFRAME;
	}
}

static void begin(struct cc_packet_layers *out)
{
	out->count = 0;
	out->is_fragment = 0;
	out->unknown = CC_PACKET_NOTHING;
	out->number = 0;
}

void cc_packet_walk(struct cc_packet_layers *out, unsigned int link, const unsigned char *data,
		    size_t captured, size_t original, unsigned int flags)
{
	struct cc_subframes rest[AGGREGATES];
	struct cc_walk w = {
		.out = out,
		.rest = rest,
		.data = data,
		.captured = captured,
		.end = original < captured ? captured : original,
		.flags = flags,
	};

	begin(out);
	walk_on(&w, cc_walk_link(&w, link));
}

void cc_packet_walk_datagram(struct cc_packet_layers *out, const struct cc_packet_fragment *of,
			     const unsigned char *data, size_t length, unsigned int flags)
{
	struct cc_subframes rest[AGGREGATES];
	struct cc_walk w = {
		.out = out,
		.rest = rest,
		.data = data,
		.captured = length,
		.end = length,
		.number = of->number,
		.flags = flags,
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

size_t cc_packet_repair(struct cc_packet_layers *out,
			struct cc_packet_write written[CC_PACKET_LAYERS], unsigned int link,
			const struct cc_packet_fragment *of, unsigned char *data, size_t captured,
			size_t original, unsigned int flags)
{
	size_t count = 0, i = out->count;

	/*
	 * Writing a checksum changes none that it covers, and does not change the walk: so each is
	 * computed once, after all that it covers.
	 */
	while (i--) {
		struct cc_packet_layer *f = &out->layer[i];
		unsigned int byte;

		if (f->quoted || (f->verdict != CC_PACKET_BAD && f->verdict != CC_PACKET_PARTIAL))
			continue;
		for (byte = 0; byte < f->width; byte++)
			data[f->field + byte] =
				(unsigned char)(f->expected >> 8 * (f->width - 1u - byte));
		written[count].field = f->field;
		written[count++].width = f->width;
		if (of)
			cc_packet_walk_datagram(out, of, data, captured, flags);
		else
			cc_packet_walk(out, link, data, captured, original, flags);
	}
	return count;
}
