// SPDX-License-Identifier: MIT
#include "report.h"

#include "output.h"

#include <stdlib.h>
#include <string.h>

void report_free(struct report *r)
{
	free(r->unknown);
	free(r->interface);
	tally_free(&r->wrong);
	learned_free(&r->learned);
}

static int compare_kinds(const void *a, const void *b)
{
	const struct batch_unknown *u = a, *v = b;

	if (u->what != v->what)
		return u->what < v->what ? -1 : 1;
	return (u->number > v->number) - (u->number < v->number);
}

/* Merges those of one kind. */
static void merge_unknown(struct report *r)
{
	size_t i, last = 0;

	if (!r->unknown_count)
		return;
	qsort(r->unknown, r->unknown_count, sizeof(*r->unknown), compare_kinds);
	for (i = 1; i < r->unknown_count; i++) {
		if (!compare_kinds(&r->unknown[last], &r->unknown[i]))
			r->unknown[last].count += r->unknown[i].count;
		else
			r->unknown[++last] = r->unknown[i];
	}
	r->unknown_count = last + 1;
}

static void add_unknown(struct report *r, const struct batch_unknown *u)
{
	if (r->unknown_count == r->unknown_room) {
		merge_unknown(r);
		if (2 * r->unknown_count >= r->unknown_room) {
			r->unknown_room = r->unknown_room ? 2 * r->unknown_room : 64;
			r->unknown = needed(realloc(r->unknown, r->unknown_room * sizeof(*u)));
		}
	}
	r->unknown[r->unknown_count++] = *u;
}

static void add_interface(struct report *r, const struct batch_interface *i)
{
	/* a file may go on describing them */
	if (r->interface_count == TALLY_MOST)
		return;
	if (r->interface_count == r->interface_room) {
		r->interface_room = r->interface_room ? 2 * r->interface_room : 16;
		r->interface = needed(realloc(r->interface, r->interface_room * sizeof(*i)));
	}
	r->interface[r->interface_count++] = *i;
}

static void add_counts(cc_u64 to[CC_PACKET_PROTOCOLS][CC_VERDICTS],
		       const cc_u64 from[CC_PACKET_PROTOCOLS][CC_VERDICTS])
{
	size_t i, j;

	for (i = 0; i < CC_PACKET_PROTOCOLS; i++)
		for (j = 0; j < CC_VERDICTS; j++)
			to[i][j] += from[i][j];
}

void report_add(struct report *r, const struct batch *b)
{
	size_t i;

	r->frames += b->record_count;
	if (b->record_count && b->record[b->record_count - 1].time > r->latest)
		r->latest = b->record[b->record_count - 1].time;
	r->bytes += b->used;
	r->without += b->without;
	add_counts(r->count, b->count);
	add_counts(r->quoted, b->quoted);
	for (i = 0; i < CC_PACKET_REASONS; i++)
		r->reason[i] += b->reason[i];
	for (i = 0; i < b->unknown_count; i++)
		add_unknown(r, &b->unknown[i]);
	for (i = 0; i < b->interface_count; i++)
		add_interface(r, &b->interface[i]);
	enough(tally_add(&r->wrong, &b->wrong));
	enough(learned_add(&r->learned, &b->learned));
	r->doubted |= b->doubted;
}

void report_sum(struct report *r, const struct report *from)
{
	size_t i;

	r->frames += from->frames;
	r->bytes += from->bytes;
	r->without += from->without;
	add_counts(r->count, from->count);
	add_counts(r->quoted, from->quoted);
	for (i = 0; i < CC_PACKET_REASONS; i++)
		r->reason[i] += from->reason[i];
	for (i = 0; i < from->unknown_count; i++)
		add_unknown(r, &from->unknown[i]);
}

int report_settle(struct report *r)
{
	size_t i, v;
	int changed;

	enough(learned_settle(&r->learned, &r->wrong, &changed));
	for (i = 0; changed && i < r->wrong.count; i++) {
		const struct tally_row *row = &r->wrong.row[i];
		cc_u64 *count = r->count[row->key.protocol];

		for (v = 0; row->key.sum && v < CC_VERDICTS; v++) {
			count[v] -= row->count[v];
			count[row->verdict] += row->count[v];
		}
	}
	return changed;
}

static int compare_unknown(const void *a, const void *b)
{
	const struct batch_unknown *u = a, *v = b;

	if (u->count != v->count)
		return u->count > v->count ? -1 : 1;
	return compare_kinds(a, b);
}

void report_order(struct report *r)
{
	merge_unknown(r);
	if (r->unknown_count)
		qsort(r->unknown, r->unknown_count, sizeof(*r->unknown), compare_unknown);
}

cc_u64 report_verdicts(const struct report *r, unsigned int verdict)
{
	cc_u64 sum = 0;
	size_t i;

	for (i = 0; i < CC_PACKET_PROTOCOLS; i++)
		sum += r->count[i][verdict];
	return sum;
}

const char *report_interface(const struct report *r, uint32_t number)
{
	size_t i;

	/* each number is described once */
	for (i = 0; i < r->interface_count; i++)
		if (r->interface[i].number == number && r->interface[i].name[0])
			return r->interface[i].name;
	return NULL;
}
