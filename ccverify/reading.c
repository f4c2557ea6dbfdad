// SPDX-License-Identifier: MIT
#include "reading.h"

#include "../src/verify/source.h"
#include "csv.h"
#include "output.h"

#include <stdlib.h>
#include <string.h>

/* One of up to two readings of a capture. */
struct pass {
	struct cc_packet_datagrams *datagrams;
	const struct tally *settled;
	size_t skip;   /* the rows that an earlier reading wrote */
	int waits;     /* rows may wait */
	int lost;      /* too many did */
	size_t passed; /* the rows that did not wait */
};

void reading_begin(struct reading *g, char *const *name, unsigned int count,
		   enum cc_vantage vantage, unsigned int tell, unsigned int flags)
{
	*g = (struct reading){.name = name, .count = count, .rows = !!tell};
	g->batch = needed(batch_new(BATCH_BYTES));
	g->batch->judge = 1;
	g->batch->stated = (int)vantage;
	g->batch->tell = tell;
	g->batch->flags = flags;
	/* zeros that are never used take no memory */
	g->framing = needed(calloc(1, sizeof(*g->framing)));
	g->datagrams = needed(calloc(1, sizeof(*g->datagrams)));
	g->waiting = needed(malloc(BATCH_WAITING * sizeof(*g->waiting)));
}

void reading_end(struct reading *g)
{
	batch_free(g->batch);
	free(g->framing);
	free(g->datagrams);
	free(g->waiting);
}

/* What follows the first doubt waits, for its verdict may change. */
static void take(struct reading *g, struct pass *p, const struct report *r)
{
	const struct batch_entry *entry = g->batch->entry;
	size_t count = g->batch->entry_count, skipped = p->skip < count ? p->skip : count;

	p->skip -= skipped;
	entry += skipped;
	count -= skipped;
	if (!p->waits || !r->doubted) {
		p->passed += count;
		csv_rows(entry, count, g->name);
	} else if (!p->lost && g->waiting_count + count <= BATCH_WAITING) {
		if (count)
			memcpy(g->waiting + g->waiting_count, entry, count * sizeof(*entry));
		g->waiting_count += count;
	} else {
		p->lost = 1;
	}
}

static char *read_through(struct reading *g, unsigned int number, struct report *r, struct pass *p)
{
	struct batch *b = g->batch;
	struct reader reader;
	char *error;
	int more;

	reader_open(&reader, g->name[number], number, g->framing);
	r->name = g->name[number];
	b->filled = b->used = 0;
	b->settled = p->settled;
	do {
		more = reader_fill(&reader, b);
		enough(batch_walk(b));
		enough(batch_reassemble(b, p->datagrams));
		batch_sort(b);
		report_add(r, b);
		take(g, p, r);
	} while (more);
	b->settled = NULL;
	r->format = g->framing->format;
	error = reader.error;
	reader.error = NULL;
	reader_close(&reader);
	return error;
}

/* The datagrams that are open, apart from @s. */
static struct cc_packet_datagrams *copy_of(const struct cc_packet_datagrams *s)
{
	struct cc_packet_datagrams *copy = needed(calloc(1, sizeof(*copy)));
	size_t i;

	if (!s->open)
		return copy;
	memcpy(copy, s, offsetof(struct cc_packet_datagrams, datagram));
	for (i = 0; i < CC_PACKET_DATAGRAMS; i++)
		if (s->key[i])
			copy->datagram[i] = s->datagram[i];
	return copy;
}

static char *read_again(struct reading *g, unsigned int number, struct report *r,
			struct pass *first, struct cc_packet_datagrams *before)
{
	struct pass again = {.datagrams = before, .settled = &r->wrong, .skip = first->passed};
	struct report second = {0};
	char *error = read_through(g, number, &second, &again);

	report_settle(&second);
	report_free(r);
	*r = second;
	return error;
}

/* When capture @number, which is in the same series, begins; CC_PACKET_END if it does not go on. */
static cc_u64 begins(struct reading *g, unsigned int number, cc_u64 latest)
{
	struct batch *b = needed(batch_new(BATCH_HEAD));
	struct reader reader;
	cc_u64 time = CC_PACKET_END;

	reader_open(&reader, g->name[number], number, g->framing);
	reader_fill(&reader, b);
	if (b->record_count && b->record[0].time + BATCH_DISORDER >= latest)
		time = b->record[0].time;
	reader_close(&reader);
	batch_free(b);
	return time;
}

static int is_continued(const struct reading *g, unsigned int number)
{
	char *series[2];
	unsigned int i;
	int same;

	if (number + 1 == g->count)
		return 0;
	for (i = 0; i < 2; i++) {
		series[i] = needed(malloc(strlen(g->name[number + i]) + 1));
		source_series(series[i], g->name[number + i]);
	}
	same = !strcmp(series[0], series[1]);
	free(series[0]);
	free(series[1]);
	return same;
}

/* Gives up the datagrams that can receive no more fragments. */
static void give_up(struct reading *g, unsigned int number, struct report *r)
{
	struct batch *b = g->batch;
	cc_u64 now = CC_PACKET_END;

	if (g->datagrams->open && is_continued(g, number))
		now = begins(g, number + 1, r->latest);
	/* of no bytes: only what it found is cleared */
	b->filled = b->used = 0;
	batch_cut(b, g->framing);
	enough(batch_end(b, g->datagrams, now));
	batch_sort(b);
	report_add(r, b);
	csv_rows(b->entry, b->entry_count, g->name);
}

char *reading_capture(struct reading *g, unsigned int number, struct report *r)
{
	struct cc_packet_datagrams *before = NULL;
	struct pass first = {.datagrams = g->datagrams};
	char *error;
	int changed = 0;

	g->waiting_count = 0;
	first.waits = g->rows && reader_repeats(g->name[number]);
	if (first.waits)
		before = copy_of(g->datagrams);
	error = read_through(g, number, r, &first);
	if (first.waits)
		enough(learned_settle(&r->learned, &r->wrong, &changed));
	else
		report_settle(r);
	if (changed || first.lost) {
		free(error);
		error = read_again(g, number, r, &first, before);
	} else {
		batch_settle(g->waiting, g->waiting_count, &r->wrong);
		csv_rows(g->waiting, g->waiting_count, g->name);
	}
	free(before);
	give_up(g, number, r);
	report_order(r);
	return error;
}
