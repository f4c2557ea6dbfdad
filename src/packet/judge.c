// SPDX-License-Identifier: MIT
#include "walk.h"

#include <carrychain/checksum.h>

#include "../platform.h"

/* The checksum field, as it is in memory. */
static uint16_t field16(const unsigned char *p)
{
	uint16_t x;

	memcpy(&x, p, sizeof(x));
	return x;
}

static uint32_t as_written(uint16_t field)
{
	unsigned char bytes[2];

	memcpy(bytes, &field, sizeof(bytes));
	return get16(bytes);
}

struct cc_packet_layer *cc_walk_add(struct cc_walk *w, enum cc_packet_protocol protocol,
				    enum cc_packet_verdict verdict)
{
	struct cc_packet_layer *f;

	/* a step may add two checksums: the last place is then overwritten */
	if (w->out->count == CC_PACKET_LAYERS)
		w->out->count--;
	f = &w->out->layer[w->out->count];
	memset(f, 0, sizeof(*f));
	f->protocol = (unsigned char)protocol;
	f->verdict = (unsigned char)verdict;
	f->quoted = !!w->quoted;
	f->family = (unsigned char)w->family;
	f->width = 2;
	f->source = w->source;
	f->destination = w->destination;
	/* the last place is reserved: it reports that there are too many */
	if (++w->out->count == CC_PACKET_LAYERS) {
		f->verdict = CC_PACKET_UNVERIFIABLE;
		f->reason = CC_PACKET_NESTED;
	}
	return f;
}

struct cc_packet_layer *cc_walk_unverifiable(struct cc_walk *w, enum cc_packet_protocol protocol,
					     int reason)
{
	struct cc_packet_layer *f = cc_walk_add(w, protocol, CC_PACKET_UNVERIFIABLE);

	if (f->reason != CC_PACKET_NESTED)
		f->reason = (unsigned char)reason;
	if (w->quoted)
		w->out->count--;
	return f;
}

/* Protocols in which a field of 0 means no checksum: a checksum of 0 is sent as 0xffff. */
static int zero_is_none(enum cc_packet_protocol protocol)
{
	return protocol == CC_PACKET_UDP || protocol == CC_PACKET_UDP_LITE ||
	       protocol == CC_PACKET_RSVP || protocol == CC_PACKET_ICMP_EXTENSION;
}

struct cc_packet_layer *cc_walk_judge(struct cc_walk *w, enum cc_packet_protocol protocol,
				      size_t field, size_t length, uint32_t pseudo)
{
	const unsigned char *data = w->data + w->at;
	uint16_t found = field16(data + field), expected;
	struct cc_packet_layer *f = cc_walk_add(w, protocol, CC_PACKET_GOOD);
	uint32_t sum;

	f->field_at = (unsigned char)field;
	f->field = w->at + field;
	f->length = (uint32_t)length;
	if (w->pseudo_length) {
		f->routed = w->from != w->source || w->to != w->destination;
		f->pseudo_length = w->pseudo_length;
		f->pseudo_number = (unsigned char)w->number;
		w->pseudo_length = 0;
	}
	f->found = f->expected = as_written(found);
	if (f->verdict != CC_PACKET_GOOD)
		return f;
	/* for these, 0 is never a right checksum */
	if ((found || !zero_is_none(protocol)) && cc_checksum_verify(data, length, pseudo))
		return f;
	f->verdict =
		pseudo && found == cc_checksum_sum16(pseudo) ? CC_PACKET_PARTIAL : CC_PACKET_BAD;
	/* not by subtraction, which cannot tell 0 from 0xffff */
	sum = cc_checksum_partial(data, field, pseudo);
	sum = cc_checksum_partial(data + field + 2, length - field - 2, sum);
	expected = cc_checksum_fold(sum);
	if (zero_is_none(protocol))
		expected = cc_checksum_udp(expected);
	f->expected = as_written(expected);
	return f;
}

void cc_walk_judge_also(struct cc_walk *w, struct cc_packet_layer *f, size_t length,
			uint32_t pseudo)
{
	w->pseudo_length = 0;
	if (f->verdict != CC_PACKET_BAD && f->verdict != CC_PACKET_PARTIAL)
		return;
	if (cc_checksum_verify(w->data + w->at, length, pseudo)) {
		f->verdict = CC_PACKET_GOOD;
		f->expected = f->found;
	}
}
