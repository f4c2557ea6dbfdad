// SPDX-License-Identifier: MIT
#include "batch.h"

#include "arrays.h"
#include "findings.h"

/* The link type of a record that is not looked at; those of captures have 26 bits at most. */
#define LEFT_OUT 0xfffffffe

/* The records that a batch of @size bytes may have: the shortest take some 64 bytes each. */
#define RECORDS(size) ((size) / 64 + 1)

struct batch *batch_new(size_t size)
{
	struct batch *b = array_zeros(sizeof(*b));

	if (!b)
		return NULL;
	b->size = size;
	b->data = CC_ALLOC(size);
	b->record = CC_ALLOC(RECORDS(size) * sizeof(*b->record));
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
	CC_FREE(b->data);
	CC_FREE(b->record);
	CC_FREE(b->entry);
	CC_FREE(b->fragment);
	CC_FREE(b->unknown);
	CC_FREE(b->patch);
	CC_FREE(b->interface);
	CC_FREE(b->noted);
	tally_free(&b->tally);
	tally_free(&b->wrong);
	tally_free(&b->causes);
	tally_free(&b->talks);
	learned_free(&b->learned);
	CC_FREE(b);
}

int batch_grow(struct batch *b, size_t size)
{
	unsigned char *data = array_grown(b->data, b->filled, size);
	struct batch_record *record;

	if (!data)
		return CC_ENOMEM;
	b->data = data;
	record = array_grown(b->record, b->record_count * sizeof(*record),
			     RECORDS(size) * sizeof(*record));
	if (!record)
		return CC_ENOMEM;
	b->record = record;
	b->size = size;
	return CC_OK;
}

int batch_room(void **array, size_t *there, size_t count, size_t size)
{
	size_t more = *there ? 2 * *there : 64;
	void *grown;

	if (count < *there)
		return CC_OK;
	grown = array_grown(*array, count * size, more * size);
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
	b->interface_count = b->noted_count = 0;
	memset(b->count, 0, sizeof(b->count));
	memset(b->quoted, 0, sizeof(b->quoted));
	memset(b->reason, 0, sizeof(b->reason));
	b->left_out = b->without = b->fixed = b->unfixed = 0;
	b->doubted = b->damaged = 0;
	tally_clear(&b->tally);
	tally_clear(&b->wrong);
	tally_clear(&b->causes);
	tally_clear(&b->talks);
	learned_clear(&b->learned);
	if (b->plot)
		memset(&b->histogram, 0, sizeof(b->histogram));
}

/* Notes the interface that was described last, if it is new; without memory it stays unknown. */
static void note_interface(struct batch *b, const struct cc_capture *c, uint32_t before)
{
	struct batch_interface *i;
	uint32_t count = c->interfaces_before + c->interface_count;

	if (count == before ||
	    batch_room((void **)&b->interface, &b->interface_room, b->interface_count, sizeof(*i)))
		return;
	i = &b->interface[b->interface_count++];
	i->number = count - 1;
	i->link = c->interface[c->interface_count - 1].link;
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
			record->flags = r.flags;
			record->time = r.time;
			b->record_count++;
		} else {
			note_interface(b, c, interfaces);
		}
		b->used += used;
	}
	return status > CC_CAPTURE_BLOCK ? status : CC_CAPTURE_RECORD;
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
	status = batch_room((void **)&b->unknown, &b->unknown_room, b->unknown_count, sizeof(*u));
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
	array_sort(b->unknown, b->unknown_count, sizeof(*b->unknown), compare_unknown);
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
	int status = batch_room((void **)&b->fragment, &b->fragment_room, b->fragment_count,
				sizeof(*kept));

	if (status)
		return status;
	kept = &b->fragment[b->fragment_count++];
	kept->fragment = *f;
	kept->at = r->at + f->at;
	kept->origin = *o;
	findings_look(b, &kept->vantage, r);
	return CC_OK;
}

static void fix(struct batch *b, struct cc_packet_layers *out, const struct batch_record *r)
{
	struct cc_packet_write written[CC_PACKET_LAYERS];

	b->fixed += cc_packet_repair(out, written, r->link, NULL, b->data + r->at, r->captured,
				     r->original, b->flags);
}

static int passes(const struct batch_filter *f, const unsigned char *packet,
		  const struct batch_record *r)
{
	size_t i;

	for (i = 0; i < f->count; i++)
		if (f->program[i].link == r->link)
			return f->run(f->program[i].code, packet, r->original, r->captured) != 0;
	return 0;
}

/* Marks the records that the filter does not let pass. */
static void leave_out(struct batch *b)
{
	size_t i;

	for (i = 0; i < b->record_count; i++) {
		struct batch_record *r = &b->record[i];

		if (passes(b->filter, b->data + r->at, r))
			continue;
		r->link = LEFT_OUT;
		b->left_out++;
	}
}

/* Learns from packets that were walked before, in a batch that turned out to need it. */
static int learn_all(struct batch *b)
{
	struct cc_packet_layers out;
	size_t i;
	int status = CC_OK;

	for (i = 0; i < b->record_count && !status; i++) {
		const struct batch_record *r = &b->record[i];
		const struct cc_packet_origin o = {.interface = r->interface};
		const struct findings_walk w = {&out, &o, b->data + r->at, r, NULL};

		if (r->link == LEFT_OUT)
			continue;
		cc_packet_walk(&out, r->link, w.data, r->captured, r->original, b->flags);
		status = findings_learn(b, &w);
	}
	return status;
}

static int walk_all(struct batch *b, int learns)
{
	struct cc_packet_layers out;
	size_t i;
	int status;

	for (i = 0; i < b->record_count; i++) {
		const struct batch_record *r = &b->record[i];
		const struct cc_packet_origin o = {b->frame + i, r->time, r->original, r->interface,
						   b->capture};

		const unsigned char *data = b->data + r->at;
		const struct findings_walk w = {&out, &o, data, r, NULL};

		if (r->link == LEFT_OUT)
			continue;
		cc_packet_walk(&out, r->link, data, r->captured, r->original, b->flags);
		status = findings_tell(b, &w);
		if (!status && learns)
			status = findings_learn(b, &w);
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

/*
 * Only batches with a sum that others can judge or explain are learned from: in all others, it
 * would slow the walk.  Batches of a capture are alike, so the one before tells which to expect.
 */
int batch_walk(struct batch *b)
{
	/* a repair makes sums right */
	int learns = b->learns || b->fix, status;

	if (b->filter)
		leave_out(b);
	status = walk_all(b, learns);
	if (!status && (b->doubted || b->damaged) && !learns)
		status = learn_all(b);
	if (!b->doubted)
		learned_clear(&b->learned);
	if (!b->damaged)
		tally_clear(&b->talks);
	b->learns = b->doubted || b->damaged;
	return status;
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
	return findings_tell_one(b, &f, &d->origin);
}

/* Patches byte @at of a datagram, in each frame that has it. */
static int patch_byte(struct batch *b, const struct cc_packet_datagram *d, size_t at)
{
	const struct cc_packet_part *p;
	int status;

	for (p = d->part; p < d->part + d->part_count; p++) {
		if (at < p->position || at - p->position >= p->length)
			continue;
		status = batch_room((void **)&b->patch, &b->patch_room, b->patch_count,
				    sizeof(*b->patch));
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
		 const struct batch_fragment *last)
{
	struct cc_packet_write written[CC_PACKET_LAYERS];
	struct cc_packet_layers out;
	const struct findings_walk w = {&out, &last->origin, d->data, NULL, &last->vantage};
	size_t i, count;
	int status;

	cc_packet_walk_datagram(&out, &d->first, d->data, d->total, b->flags);
	status = findings_tell(b, &w);
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
			status = whole(b, s, d, f);
	}
	return status;
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
