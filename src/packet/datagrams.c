// SPDX-License-Identifier: MIT
#include <carrychain/packet.h>

#include "../platform.h"

static int same(const struct cc_packet_fragment *a, const struct cc_packet_fragment *b)
{
	size_t size = a->family == 4 ? 4 : 16;

	/* not the next header: RFC 8200 says that only the first fragment's counts */
	return a->family == b->family && a->id == b->id &&
	       (a->family == 6 || a->number == b->number) && !memcmp(a->source, b->source, size) &&
	       !memcmp(a->destination, b->destination, size);
}

uint32_t cc_packet_fragment_key(const struct cc_packet_fragment *f)
{
	size_t i, size = f->family == 4 ? 4 : 16;
	uint32_t h = f->id, word;

	for (i = 0; i < size; i += sizeof(word)) {
		memcpy(&word, f->source + i, sizeof(word));
		h = (h ^ word) * 0x9e3779b1;
		memcpy(&word, f->destination + i, sizeof(word));
		h = (h ^ h >> 15 ^ word) * 0x85ebca6b;
	}
	return h | 1;
}

static struct cc_packet_datagram *find(struct cc_packet_datagrams *s,
				       const struct cc_packet_fragment *f, uint32_t key)
{
	size_t i;

	for (i = 0; i < CC_PACKET_DATAGRAMS; i++)
		if (s->key[i] == key && same(&s->datagram[i].first, f))
			return &s->datagram[i];
	return NULL;
}

/* A free place, or that of the least recently used datagram. */
static size_t place_for(const struct cc_packet_datagrams *s)
{
	size_t i, oldest = 0;

	for (i = 0; i < CC_PACKET_DATAGRAMS; i++) {
		if (!s->key[i])
			return i;
		if (s->touched[i] < s->touched[oldest])
			oldest = i;
	}
	return oldest;
}

static int late(const struct cc_packet_datagram *d, cc_u64 now)
{
	return now > d->origin.time && now - d->origin.time > CC_PACKET_TIMEOUT;
}

static void begin(struct cc_packet_datagram *d, const struct cc_packet_fragment *f,
		  const struct cc_packet_origin *origin)
{
	d->spoilt = 0;
	d->first = *f;
	d->origin = *origin;
	d->covered = 0;
	d->have = d->reach = d->total = d->part_count = 0;
}

static void spoil(struct cc_packet_datagram *d, enum cc_packet_reason reason)
{
	if (!d->spoilt)
		d->spoilt = (int)reason + 1;
}

static void take(struct cc_packet_datagram *d, const struct cc_packet_fragment *f,
		 const unsigned char *data, cc_u64 place)
{
	struct cc_packet_part *p;
	uint32_t i, end;
	int again = 0;

	if (f->broken) {
		spoil(d, CC_PACKET_MALFORMED);
		return;
	}
	if (!f->whole) {
		spoil(d, CC_PACKET_TRUNCATED);
		return;
	}
	/* all but the last fragment have whole units */
	if (!f->length || f->length > CC_PACKET_LONGEST - f->position ||
	    (f->more && f->length % 8)) {
		spoil(d, CC_PACKET_MALFORMED);
		return;
	}
	end = f->position + (uint32_t)f->length;
	for (i = 0; i < d->part_count; i++) {
		p = &d->part[i];
		if (p->position == f->position && p->length == f->length &&
		    !memcmp(d->data + p->position, data, f->length)) {
			again = 1;
			continue;
		}
		if (p->position < end && f->position < p->position + p->length) {
			spoil(d, CC_PACKET_MALFORMED);
			return;
		}
	}
	if (d->part_count == CC_PACKET_PARTS) {
		spoil(d, CC_PACKET_FRAGMENTS);
		return;
	}
	if (!f->more ? (d->total && d->total != end) || d->reach > end
		     : d->total && end > d->total) {
		spoil(d, CC_PACKET_MALFORMED);
		return;
	}
	if (!f->more)
		d->total = end;
	if (!f->position) {
		/* its headers count; the rest of the first fragment seen is kept */
		d->first.number = f->number;
		d->first.protocol = f->protocol;
		memcpy(d->first.from, f->from, sizeof(f->from));
		memcpy(d->first.to, f->to, sizeof(f->to));
	}
	d->covered |= f->covered;
	p = &d->part[d->part_count++];
	p->position = f->position;
	p->length = (uint32_t)f->length;
	p->place = place;
	memcpy(d->data + f->position, data, f->length);
	if (!again)
		d->have += p->length;
	if (d->reach < end)
		d->reach = end;
}

struct cc_packet_datagram *cc_packet_datagrams_add(struct cc_packet_datagrams *s,
						   const struct cc_packet_fragment *f,
						   const unsigned char *data, cc_u64 place,
						   const struct cc_packet_origin *origin,
						   struct cc_packet_datagram **lost)
{
	uint32_t key = cc_packet_fragment_key(f);
	struct cc_packet_datagram *d = find(s, f, key);

	*lost = NULL;
	if (d && late(d, origin->time)) {
		*lost = d;
		return NULL;
	}
	if (!d) {
		size_t i = place_for(s);

		d = &s->datagram[i];
		if (s->key[i]) {
			*lost = d;
			return NULL;
		}
		s->key[i] = key;
		if (++s->open > s->most)
			s->most = s->open;
		begin(d, f, origin);
	}
	s->touched[d - s->datagram] = s->seen++;
	if (!d->spoilt)
		take(d, f, data, place);
	/* no fragments overlap, and none ends after the last: together they are the datagram */
	return !d->spoilt && d->total && d->have == d->total ? d : NULL;
}

struct cc_packet_datagram *cc_packet_datagrams_rest(struct cc_packet_datagrams *s, cc_u64 now)
{
	size_t i, oldest = CC_PACKET_DATAGRAMS;

	for (i = 0; i < CC_PACKET_DATAGRAMS; i++)
		if (s->key[i] && (now == CC_PACKET_END || late(&s->datagram[i], now)) &&
		    (oldest == CC_PACKET_DATAGRAMS || s->touched[i] < s->touched[oldest]))
			oldest = i;
	return oldest < CC_PACKET_DATAGRAMS ? &s->datagram[oldest] : NULL;
}

void cc_packet_datagrams_release(struct cc_packet_datagrams *s, struct cc_packet_datagram *d)
{
	s->key[d - s->datagram] = 0;
	s->open--;
}
