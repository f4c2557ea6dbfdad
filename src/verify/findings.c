// SPDX-License-Identifier: MIT
#include "findings.h"
#include "arrays.h"
#include "causes.h"

/* The length of an address. */
#define ADDRESS(family) ((family) == 4 ? (size_t)4 : 16)

/* A checksum, in its packet or datagram. */
struct sum {
	const struct cc_packet_layer *layer;
	const struct cc_packet_origin *origin;
	unsigned int verdict;
	/* of one that may be deferred: as in a struct tally_key; what the verdict rests on */
	struct batch_vantage vantage;
	unsigned char bits, evidence, provisional;
	struct cc_causes causes; /* of a bad one that cannot be deferred */
	const struct findings_walk *walk;
};

static int count_in(struct tally *t, const struct tally_key *key, const struct sum *s)
{
	struct tally_row *row = tally_row(t, key);

	if (!row)
		return CC_ENOMEM;
	row->count[s->verdict]++;
	return CC_OK;
}

/* The outermost VLAN of an Ethernet frame, plus 1; 0 if it has none, or is not there. */
static uint32_t vlan_of(const struct findings_walk *w)
{
	enum { ETHERNET = 1, TYPE = 12, TAG = 14, TAGGED = 16, VLAN = 0xfff };
	unsigned int type;

	if (!w || !w->record || w->record->link != ETHERNET || w->record->captured < TAGGED)
		return 0;
	type = (unsigned int)w->data[TYPE] << 8 | w->data[TYPE + 1];
	if (type != 0x8100 && type != 0x88a8 && type != 0x9100)
		return 0;
	return (((unsigned int)w->data[TAG] << 8 | w->data[TAG + 1]) & VLAN) + 1;
}

/* The number by which sums are grouped. */
static uint32_t number_of(const struct sum *s, enum batch_by by)
{
	const struct cc_packet_layer *f = s->layer;

	if (by == BATCH_BY_VLAN)
		return vlan_of(s->walk);
	if (!f->length)
		return 0;
	/* a datagram has none: its fragments have */
	if (by == BATCH_BY_OFFSET)
		return s->walk->record ? (uint32_t)(f->field - f->field_at) + 1 : 0;
	return f->length % (by == BATCH_BY_LENGTH_4 ? 4 : 64) + 1;
}

static int count_by(struct batch *b, const struct sum *s)
{
	const struct cc_packet_layer *f = s->layer;
	struct tally_key key = {.interface = s->origin->interface};

	if (b->by > BATCH_BY_CONVERSATION) {
		key.interface = number_of(s, b->by);
		return count_in(&b->tally, &key, s);
	}
	if (b->by >= BATCH_BY_HOST && f->source) {
		key.family = f->family;
		memcpy(key.source, f->source, ADDRESS(f->family));
	}
	if (b->by == BATCH_BY_CONVERSATION) {
		key.interface = 0;
		key.protocol = f->protocol;
		key.has_ports = f->has_ports;
		key.source_port = f->source_port;
		key.destination_port = f->destination_port;
		if (f->source)
			memcpy(key.destination, f->destination, ADDRESS(f->family));
	}
	return count_in(&b->tally, &key, s);
}

/* The group of a bad sum, by sender and receiver; one that may be deferred, also by its evidence.
 */
static void set_key(struct tally_key *key, const struct sum *s)
{
	const struct cc_packet_layer *f = s->layer;

	memset(key, 0, sizeof(*key));
	key->interface = s->origin->interface;
	if (f->source) {
		key->family = f->family;
		memcpy(key->source, f->source, ADDRESS(f->family));
		memcpy(key->destination, f->destination, ADDRESS(f->family));
	}
	if (!s->bits)
		return;
	key->protocol = f->protocol;
	key->sum = s->bits;
	key->evidence = s->vantage.evidence;
	memcpy(key->mac, s->vantage.mac, sizeof(key->mac));
}

/* Sets the verdict on a sum that may be deferred, by what is settled or else by itself. */
static void judge(const struct batch *b, struct sum *s, const struct tally_key *key)
{
	const struct tally_row *row = b->settled ? tally_find(b->settled, key) : NULL;

	if (row) {
		s->verdict = row->verdict;
		s->evidence = row->evidence;
		return;
	}
	s->evidence = s->vantage.evidence;
	s->provisional = cc_vantage_of(s->evidence) != CC_VANTAGE_SENDER;
	s->verdict = cc_vantage_verdict(key->protocol, key->sum, NULL, &s->evidence);
}

static int count(struct batch *b, struct sum *s)
{
	const struct cc_packet_layer *f = s->layer;
	struct tally_key key;
	int status = CC_OK;

	if (s->bits || f->verdict == CC_PACKET_BAD) {
		set_key(&key, s);
		if (s->bits && b->judge)
			judge(b, s, &key);
		status = count_in(&b->wrong, &key, s);
		if (!s->bits && !status) {
			b->damaged = 1;
			status = causes_count(&b->causes, f, s->origin->interface, &s->causes);
		}
	}
	b->count[f->protocol][s->verdict]++;
	if (f->verdict == CC_PACKET_UNVERIFIABLE)
		b->reason[f->reason]++;
	if (b->plot)
		histogram_count(&b->histogram, s->origin->time, s->origin->length, s->verdict);
	if (b->by && !status)
		status = count_by(b, s);
	return status;
}

static void set(struct batch_entry *e, const struct sum *s)
{
	const struct cc_packet_layer *f = s->layer;
	const struct cc_packet_origin *o = s->origin;

	memset(e, 0, sizeof(*e));
	e->frame = o->frame;
	e->time = o->time;
	e->length = o->length;
	e->interface = o->interface;
	e->capture = o->capture;
	e->expected = f->expected;
	e->found = f->found;
	e->protocol = f->protocol;
	e->verdict = (unsigned char)s->verdict;
	e->reason = f->reason;
	e->width = f->width;
	e->has_ports = f->has_ports;
	e->source_port = f->source_port;
	e->destination_port = f->destination_port;
	if (f->source) {
		e->family = f->family;
		memcpy(e->source, f->source, ADDRESS(f->family));
		memcpy(e->destination, f->destination, ADDRESS(f->family));
	}
	e->sum = s->bits;
	e->shown = s->vantage.evidence;
	memcpy(e->mac, s->vantage.mac, sizeof(e->mac));
	e->evidence = s->evidence;
	e->provisional = s->provisional;
	e->causes = s->causes.fits;
}

/* Notes the frame of a sum that is corrupt. */
static int note(struct batch *b, cc_u64 frame)
{
	if (b->noted_count && b->noted[b->noted_count - 1] == frame)
		return CC_OK;
	if (batch_room((void **)&b->noted, &b->noted_room, b->noted_count, sizeof(*b->noted)))
		return CC_ENOMEM;
	b->noted[b->noted_count++] = frame;
	return CC_OK;
}

static int tell(struct batch *b, struct sum *s)
{
	int status;

	if (s->layer->quoted) {
		/* where its packet was captured is unknown, and its sum nobody's fault */
		if (b->judge && s->verdict == CC_PACKET_PARTIAL)
			s->verdict = CC_VERDICT_DEFERRED;
		b->quoted[s->layer->protocol][s->verdict]++;
		return CC_OK;
	}
	status = count(b, s);
	if (b->note && !status &&
	    (s->verdict == CC_PACKET_BAD || s->verdict == CC_VERDICT_UNFINISHED))
		status = note(b, s->origin->frame);
	if (status || !(b->tell >> s->verdict & 1))
		return status;
	status = batch_room((void **)&b->entry, &b->entry_room, b->entry_count, sizeof(*b->entry));
	if (status)
		return status;
	set(&b->entry[b->entry_count], s);
	b->entry[b->entry_count].number = (uint32_t)b->entry_count;
	b->entry_count++;
	return CC_OK;
}

int findings_tell_one(struct batch *b, const struct cc_packet_layer *f,
		      const struct cc_packet_origin *o)
{
	struct sum s = {.layer = f, .origin = o, .verdict = f->verdict};

	return tell(b, &s);
}

void findings_look(const struct batch *b, struct batch_vantage *v, const struct batch_record *r)
{
	const unsigned char *frame = b->data + r->at;
	enum { ETHERNET = 1, SOURCE = 6 };

	memset(v, 0, sizeof(*v));
	v->evidence = (unsigned char)cc_vantage_stated((enum cc_vantage)b->stated);
	if (!v->evidence)
		v->evidence = (unsigned char)cc_vantage_look(r->link, frame, r->captured, r->flags);
	if (r->link == ETHERNET && r->captured >= SOURCE + sizeof(v->mac))
		memcpy(v->mac, frame + SOURCE, sizeof(v->mac));
}

/* Takes a layer that may be deferred for what it is. */
static void set_vantage(struct batch *b, struct sum *s, const struct findings_walk *w)
{
	int sent;

	if (w->vantage)
		s->vantage = *w->vantage;
	else
		findings_look(b, &s->vantage, w->record);
	if (!b->stated && cc_vantage_within(s->layer))
		s->vantage.evidence = CC_EVIDENCE_LOOPBACK;
	sent = cc_vantage_of(s->vantage.evidence) == CC_VANTAGE_SENDER;
	/* others' sums tell nothing of a 0 in TCP, which few senders leave */
	if (!sent && s->bits & CC_SUM_ZERO && s->layer->protocol == CC_PACKET_TCP)
		s->bits = 0;
	else
		b->doubted |= !sent;
}

int findings_tell(struct batch *b, const struct findings_walk *w)
{
	/* nothing is said of good ones, which are nearly all */
	const int silent = !b->plot && !b->by && !(b->tell >> CC_PACKET_GOOD & 1);
	size_t i;
	int status;

	for (i = 0; i < w->layers->count; i++) {
		const struct cc_packet_layer *f = &w->layers->layer[i];
		struct sum s;

		if (silent && f->verdict == CC_PACKET_GOOD && !f->quoted) {
			b->count[f->protocol][CC_PACKET_GOOD]++;
			continue;
		}
		s = (struct sum){.layer = f, .origin = w->origin, .verdict = f->verdict, .walk = w};
		if ((f->verdict == CC_PACKET_BAD || f->verdict == CC_PACKET_PARTIAL) &&
		    !f->quoted) {
			s.bits = (unsigned char)cc_vantage_sum(w->layers, i, w->data);
			if (s.bits)
				set_vantage(b, &s, w);
			if (!s.bits && f->verdict == CC_PACKET_BAD)
				cc_cause_find(&s.causes, f, w->data);
		}
		status = tell(b, &s);
		if (status)
			return status;
	}
	return CC_OK;
}

int findings_learn(struct batch *b, const struct findings_walk *w)
{
	enum { ETHERNET = 1, ADDRESSES = 12 };
	const struct cc_packet_layers *out = w->layers;
	size_t i = 0;
	int status = CC_OK;

	if (w->record->link == ETHERNET && w->record->captured >= ADDRESSES)
		cc_vantage_macs_see(&b->learned.macs, w->data);
	if (b->damaged || b->learns)
		status = causes_talk(&b->talks, out);
	while (i < out->count && !status) {
		const struct cc_packet_layer *f = &out->layer[i];
		unsigned int kinds = cc_vantage_right(out, &i, w->data);

		if (kinds && f->source)
			status = learned_right(&b->learned,
					       cc_vantage_pair(w->origin->interface, f->family,
							       f->source, f->destination),
					       kinds, LEARNED_MOST_AT_ONCE);
	}
	return status;
}

static int compare_entries(const void *a, const void *b)
{
	const struct batch_entry *e = a, *f = b;

	if (e->capture != f->capture)
		return e->capture < f->capture ? -1 : 1;
	if (e->frame != f->frame)
		return e->frame < f->frame ? -1 : 1;
	return (e->number > f->number) - (e->number < f->number);
}

void batch_sort(struct batch *b)
{
	array_sort(b->entry, b->entry_count, sizeof(*b->entry), compare_entries);
}

size_t batch_entries(struct batch_entry entry[CC_PACKET_LAYERS], unsigned int link,
		     const unsigned char *data, size_t captured, size_t original,
		     unsigned int flags)
{
	const struct cc_packet_origin o = {.frame = 1, .length = (uint32_t)original};
	struct cc_packet_layers out;
	size_t i, count = 0;

	cc_packet_walk(&out, link, data, captured, original, flags);
	for (i = 0; i < out.count; i++) {
		const struct cc_packet_layer *f = &out.layer[i];
		struct sum s = {.layer = f, .origin = &o, .verdict = f->verdict};

		if (f->quoted)
			continue;
		if (f->verdict == CC_PACKET_BAD)
			cc_cause_find(&s.causes, f, data);
		set(&entry[count++], &s);
	}
	return count;
}

void batch_settle(struct batch_entry *entry, size_t count, const struct tally *settled)
{
	struct batch_entry *e;

	for (e = entry; e < entry + count; e++) {
		struct tally_key key = {.interface = e->interface,
					.protocol = e->protocol,
					.family = e->family,
					.sum = e->sum,
					.evidence = e->shown};
		const struct tally_row *row;

		if (!e->sum)
			continue;
		memcpy(key.mac, e->mac, sizeof(key.mac));
		memcpy(key.source, e->source, sizeof(key.source));
		memcpy(key.destination, e->destination, sizeof(key.destination));
		row = tally_find(settled, &key);
		if (!row)
			continue;
		e->verdict = row->verdict;
		e->evidence = row->evidence;
		e->provisional = 0;
	}
}
