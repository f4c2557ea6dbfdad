// SPDX-License-Identifier: MIT
#include "batch.h"

#include <stdlib.h>
#include <string.h>

/* The records that a batch of @size bytes may have: the shortest take some 64 bytes each. */
#define RECORDS(size) ((size) / 64 + 1)
/* The length of an address. */
#define ADDRESS(family) ((family) == 4 ? (size_t)4 : 16)

struct batch *batch_new(size_t size)
{
	struct batch *b = calloc(1, sizeof(*b));

	if (!b)
		return NULL;
	b->size = size;
	b->data = malloc(size);
	b->record = malloc(RECORDS(size) * sizeof(*b->record));
	if (!b->data || !b->record) {
		batch_free(b);
		return NULL;
	}
	return b;
}

void batch_free(struct batch *b)
{
	if (!b)
		return;
	free(b->data);
	free(b->record);
	free(b->entry);
	free(b->fragment);
	free(b->unknown);
	free(b->patch);
	free(b->interface);
	tally_free(&b->tally);
	tally_free(&b->wrong);
	free(b);
}

int batch_grow(struct batch *b, size_t size)
{
	unsigned char *data = realloc(b->data, size);
	struct batch_record *record;

	if (!data)
		return CC_ENOMEM;
	b->data = data;
	record = realloc(b->record, RECORDS(size) * sizeof(*record));
	if (!record)
		return CC_ENOMEM;
	b->record = record;
	b->size = size;
	return CC_OK;
}

/* Makes room for one more element of @size bytes. */
static int room(void **array, size_t *there, size_t count, size_t size)
{
	size_t more = *there ? 2 * *there : 64;
	void *grown;

	if (count < *there)
		return CC_OK;
	grown = realloc(*array, more * size);
	if (!grown)
		return CC_ENOMEM;
	*array = grown;
	*there = more;
	return CC_OK;
}

static void forget(struct batch *b)
{
	b->used = b->record_count = 0;
	b->entry_count = b->fragment_count = b->unknown_count = b->patch_count = 0;
	b->interface_count = 0;
	memset(b->count, 0, sizeof(b->count));
	memset(b->quoted, 0, sizeof(b->quoted));
	memset(b->reason, 0, sizeof(b->reason));
	b->without = b->fixed = b->unfixed = 0;
	tally_clear(&b->tally);
	tally_clear(&b->wrong);
	if (b->plot)
		memset(&b->histogram, 0, sizeof(b->histogram));
}

/* Notes the interface that was described last, if it is new; without memory it stays unnamed. */
static void note_interface(struct batch *b, const struct cc_capture *c, uint32_t before)
{
	struct batch_interface *i;
	uint32_t count = c->interfaces_before + c->interface_count;

	if (count == before || !c->interface[c->interface_count - 1].name[0] ||
	    room((void **)&b->interface, &b->interface_room, b->interface_count, sizeof(*i)))
		return;
	i = &b->interface[b->interface_count++];
	i->number = count - 1;
	memcpy(i->name, c->interface[c->interface_count - 1].name, sizeof(i->name));
}

enum cc_capture_status batch_cut(struct batch *b, struct cc_capture *c)
{
	enum cc_capture_status status = CC_CAPTURE_RECORD;
	struct cc_capture_record r;
	size_t used = 0;

	forget(b);
	while (b->record_count < RECORDS(b->size)) {
		struct batch_record *record = &b->record[b->record_count];
		uint32_t interfaces = c->interfaces_before + c->interface_count;

		status = cc_capture_next(c, b->data + b->used, b->filled - b->used, &used, &r);
		if (status > CC_CAPTURE_BLOCK)
			break;
		if (status == CC_CAPTURE_RECORD) {
			record->at = (uint32_t)(b->used + r.at);
			record->captured = r.captured;
			record->original = r.original;
			record->link = r.link;
			record->interface = r.interface;
			record->time = r.time;
			b->record_count++;
		} else {
			note_interface(b, c, interfaces);
		}
		b->used += used;
	}
	return status > CC_CAPTURE_BLOCK ? status : CC_CAPTURE_RECORD;
}

static int count_in(struct tally *t, const struct tally_key *key, const struct cc_packet_layer *f)
{
	struct tally_row *row = tally_row(t, key);

	if (!row)
		return CC_ENOMEM;
	row->count[f->verdict]++;
	row->zero += f->verdict == CC_PACKET_BAD && !f->found;
	return CC_OK;
}

static int count_by(struct batch *b, const struct cc_packet_layer *f,
		    const struct cc_packet_origin *o)
{
	struct tally_key key = {.interface = o->interface};

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
	return count_in(&b->tally, &key, f);
}

/* Counts a bad or partial checksum by sender and receiver; partial ones show a host's offload. */
static int count_wrong(struct batch *b, const struct cc_packet_layer *f,
		       const struct cc_packet_origin *o)
{
	struct tally_key key = {.interface = o->interface};

	if (f->source) {
		key.family = f->family;
		memcpy(key.source, f->source, ADDRESS(f->family));
		memcpy(key.destination, f->destination, ADDRESS(f->family));
	}
	return count_in(&b->wrong, &key, f);
}

static int count(struct batch *b, const struct cc_packet_layer *f, const struct cc_packet_origin *o)
{
	int status = CC_OK;

	b->count[f->protocol][f->verdict]++;
	if (f->verdict == CC_PACKET_UNVERIFIABLE)
		b->reason[f->reason]++;
	if (b->plot)
		histogram_count(&b->histogram, o->time, o->length, f->verdict);
	if (b->by)
		status = count_by(b, f, o);
	if (!status && (f->verdict == CC_PACKET_BAD || f->verdict == CC_PACKET_PARTIAL))
		status = count_wrong(b, f, o);
	return status;
}

static void set(struct batch_entry *e, const struct cc_packet_layer *f,
		const struct cc_packet_origin *o)
{
	memset(e, 0, sizeof(*e));
	e->frame = o->frame;
	e->time = o->time;
	e->length = o->length;
	e->interface = o->interface;
	e->capture = o->capture;
	e->expected = f->expected;
	e->found = f->found;
	e->protocol = f->protocol;
	e->verdict = f->verdict;
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
}

static int tell(struct batch *b, const struct cc_packet_layer *f, const struct cc_packet_origin *o)
{
	int status;

	if (f->quoted) {
		b->quoted[f->protocol][f->verdict]++;
		return CC_OK;
	}
	status = count(b, f, o);
	if (status || !(b->tell >> f->verdict & 1))
		return status;
	status = room((void **)&b->entry, &b->entry_room, b->entry_count, sizeof(*b->entry));
	if (status)
		return status;
	set(&b->entry[b->entry_count], f, o);
	b->entry[b->entry_count].number = (uint32_t)b->entry_count;
	b->entry_count++;
	return CC_OK;
}

static int tell_all(struct batch *b, const struct cc_packet_layers *out,
		    const struct cc_packet_origin *o)
{
	size_t i;
	int status;

	for (i = 0; i < out->count; i++) {
		status = tell(b, &out->layer[i], o);
		if (status)
			return status;
	}
	return CC_OK;
}

static int note_unknown(struct batch *b, const struct cc_packet_layers *out)
{
	struct batch_unknown *u;
	int status;

	if (out->unknown == CC_PACKET_NOTHING)
		return CC_OK;
	/* usually the same as the last */
	if (b->unknown_count) {
		u = &b->unknown[b->unknown_count - 1];
		if (u->what == (uint32_t)out->unknown && u->number == out->number) {
			u->count++;
			return CC_OK;
		}
	}
	status = room((void **)&b->unknown, &b->unknown_room, b->unknown_count, sizeof(*u));
	if (status)
		return status;
	u = &b->unknown[b->unknown_count++];
	u->what = out->unknown;
	u->number = out->number;
	u->count = 1;
	return CC_OK;
}

static int compare_unknown(const void *a, const void *b)
{
	const struct batch_unknown *u = a, *v = b;

	if (u->what != v->what)
		return u->what < v->what ? -1 : 1;
	return (u->number > v->number) - (u->number < v->number);
}

/* Merges equal entries. */
static void merge_unknown(struct batch *b)
{
	size_t i, last = 0;

	if (!b->unknown_count)
		return;
	qsort(b->unknown, b->unknown_count, sizeof(*b->unknown), compare_unknown);
	for (i = 1; i < b->unknown_count; i++) {
		if (!compare_unknown(&b->unknown[last], &b->unknown[i]))
			b->unknown[last].count += b->unknown[i].count;
		else
			b->unknown[++last] = b->unknown[i];
	}
	b->unknown_count = last + 1;
}

static int keep(struct batch *b, const struct cc_packet_fragment *f, const struct batch_record *r,
		const struct cc_packet_origin *o)
{
	struct batch_fragment *kept;
	int status =
		room((void **)&b->fragment, &b->fragment_room, b->fragment_count, sizeof(*kept));

	if (status)
		return status;
	kept = &b->fragment[b->fragment_count++];
	kept->fragment = *f;
	kept->at = r->at + f->at;
	kept->origin = *o;
	return CC_OK;
}

static void fix(struct batch *b, struct cc_packet_layers *out, const struct batch_record *r)
{
	struct cc_packet_write written[CC_PACKET_LAYERS];

	b->fixed += cc_packet_repair(out, written, r->link, NULL, b->data + r->at, r->captured,
				     r->original, b->flags);
}

int batch_walk(struct batch *b)
{
	struct cc_packet_layers out;
	size_t i;
	int status;

	for (i = 0; i < b->record_count; i++) {
		const struct batch_record *r = &b->record[i];
		const struct cc_packet_origin o = {b->frame + i, r->time, r->original, r->interface,
						   b->capture};

		cc_packet_walk(&out, r->link, b->data + r->at, r->captured, r->original, b->flags);
		status = tell_all(b, &out, &o);
		if (!status && out.is_fragment)
			status = keep(b, &out.fragment, r, &o);
		if (!status && r->link != CC_CAPTURE_NO_PACKET)
			status = note_unknown(b, &out);
		if (status)
			return status;
		if (!out.count && !out.is_fragment)
			b->without++;
		if (b->fix)
			fix(b, &out, r);
	}
	merge_unknown(b);
	return CC_OK;
}

static int give_up(struct batch *b, struct cc_packet_datagrams *s, struct cc_packet_datagram *d)
{
	struct cc_packet_layer f = {
		.protocol = d->first.protocol,
		.verdict = CC_PACKET_UNVERIFIABLE,
		.reason = (unsigned char)(d->spoilt ? d->spoilt - 1 : CC_PACKET_FRAGMENTS),
		.family = d->first.family,
		.source = d->first.source,
		.destination = d->first.destination,
	};

	cc_packet_datagrams_release(s, d);
	return tell(b, &f, &d->origin);
}

/* Patches byte @at of a datagram, in each frame that has it. */
static int patch_byte(struct batch *b, const struct cc_packet_datagram *d, size_t at)
{
	const struct cc_packet_part *p;
	int status;

	for (p = d->part; p < d->part + d->part_count; p++) {
		if (at < p->position || at - p->position >= p->length)
			continue;
		status =
			room((void **)&b->patch, &b->patch_room, b->patch_count, sizeof(*b->patch));
		if (status)
			return status;
		b->patch[b->patch_count].place = p->place + (at - p->position);
		b->patch[b->patch_count++].byte = d->data[at];
	}
	return CC_OK;
}

static int patch(struct batch *b, const struct cc_packet_datagram *d,
		 const struct cc_packet_write *w)
{
	unsigned int i;
	int status = CC_OK;

	for (i = 0; i < w->width && !status; i++)
		status = patch_byte(b, d, w->field + i);
	return status;
}

static int whole(struct batch *b, struct cc_packet_datagrams *s, struct cc_packet_datagram *d,
		 const struct cc_packet_origin *o)
{
	struct cc_packet_write written[CC_PACKET_LAYERS];
	struct cc_packet_layers out;
	size_t i, count;
	int status;

	cc_packet_walk_datagram(&out, &d->first, d->data, d->total, b->flags);
	status = tell_all(b, &out, o);
	if (!status)
		status = note_unknown(b, &out);
	cc_packet_datagrams_release(s, d);
	if (status || !b->fix)
		return status;
	count = cc_packet_repair(&out, written, 0, &d->first, d->data, d->total, d->total,
				 b->flags);
	/* a repair would make a checksum around the fragments bad */
	if (d->covered) {
		b->unfixed += count;
		return CC_OK;
	}
	b->fixed += count;
	for (i = 0; i < count && !status; i++)
		status = patch(b, d, &written[i]);
	return status;
}

int batch_reassemble(struct batch *b, struct cc_packet_datagrams *s)
{
	struct cc_packet_datagram *d, *lost;
	size_t i;
	int status = CC_OK;

	for (i = 0; i < b->fragment_count && !status; i++) {
		const struct batch_fragment *f = &b->fragment[i];

		do {
			d = cc_packet_datagrams_add(s, &f->fragment, b->data + f->at,
						    b->place + f->at, &f->origin, &lost);
			if (lost)
				status = give_up(b, s, lost);
		} while (lost && !status);
		if (d && !status)
			status = whole(b, s, d, &f->origin);
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
	if (b->entry_count)
		qsort(b->entry, b->entry_count, sizeof(*b->entry), compare_entries);
}

int batch_end(struct batch *b, struct cc_packet_datagrams *s, cc_u64 now)
{
	struct cc_packet_datagram *d;
	int status = CC_OK;

	while (!status && (d = cc_packet_datagrams_rest(s, now)))
		status = give_up(b, s, d);
	return status;
}

void batch_keys(const struct batch *b, uint32_t *key)
{
	size_t i;

	for (i = 0; i < b->fragment_count; i++)
		key[i] = cc_packet_fragment_key(&b->fragment[i].fragment);
}

size_t batch_entries(struct batch_entry entry[CC_PACKET_LAYERS], unsigned int link,
		     const unsigned char *data, size_t captured, size_t original,
		     unsigned int flags)
{
	const struct cc_packet_origin o = {.frame = 1, .length = (uint32_t)original};
	struct cc_packet_layers out;
	size_t i, count = 0;

	cc_packet_walk(&out, link, data, captured, original, flags);
	for (i = 0; i < out.count; i++)
		if (!out.layer[i].quoted)
			set(&entry[count++], &out.layer[i], &o);
	return count;
}
