// SPDX-License-Identifier: MIT
#include "conclusions.h"

#include "../src/verify/rows.h"
#include "output.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The senders that a sentence names. */
enum { NAMED = 3 };

void conclusions_free(struct conclusions *c)
{
	free(c->row);
}

static struct conclusion *added(struct conclusions *c)
{
	struct conclusion *row;

	if (c->count == c->room) {
		c->room = c->room ? 2 * c->room : 64;
		c->row = needed(realloc(c->row, c->room * sizeof(*c->row)));
	}
	row = &c->row[c->count];
	memset(row, 0, sizeof(*row));
	row->first = c->count++;
	return row;
}

/* Corruption first: bad, unfinished, deferred. */
static int rank_of(unsigned int verdict)
{
	return verdict == CC_PACKET_BAD ? 0 : verdict == CC_VERDICT_UNFINISHED ? 1 : 2;
}

/* Of the same verdict and evidence. */
static int compare_groups(const struct conclusion *a, const struct conclusion *b)
{
	int order = rank_of(a->verdict) - rank_of(b->verdict);

	return order ? order : a->judged * 256 + a->evidence - (b->judged * 256 + b->evidence);
}

static int compare_senders(const struct conclusion *a, const struct conclusion *b)
{
	int order = strcmp(a->interface, b->interface);

	if (!order)
		order = a->others - b->others;
	if (!order)
		order = a->family - b->family;
	return order ? order : memcmp(a->source, b->source, sizeof(a->source));
}

static int compare_all(const void *x, const void *y)
{
	const struct conclusion *a = x, *b = y;
	int order = compare_groups(a, b);

	if (!order)
		order = compare_senders(a, b);
	return order ? order : a->protocol - b->protocol;
}

/* As they were found, by groups: the larger ones earlier. */
static int compare_found(const void *x, const void *y)
{
	const struct conclusion *a = x, *b = y;
	int order = rank_of(a->verdict) - rank_of(b->verdict);

	if (!order && a->group != b->group)
		order = a->group > b->group ? -1 : 1;
	if (!order)
		order = strcmp(cc_evidence_text(a->evidence), cc_evidence_text(b->evidence));
	if (!order)
		order = a->judged - b->judged;
	return order ? order : (a->first > b->first) - (a->first < b->first);
}

/* The same, but in a group those with more sums earlier. */
static int compare_counts(const void *x, const void *y)
{
	const struct conclusion *a = x, *b = y;

	if (compare_groups(a, b) || a->count == b->count)
		return compare_found(x, y);
	return a->count > b->count ? -1 : 1;
}

/* Merges what @compare finds equal into what was found first. */
static void merge(struct conclusions *c, int (*compare)(const void *x, const void *y))
{
	size_t i, last = 0;

	if (!c->count)
		return;
	qsort(c->row, c->count, sizeof(*c->row), compare);
	for (i = 1; i < c->count; i++) {
		struct conclusion *to = &c->row[last], *from = &c->row[i];

		if (compare(to, from)) {
			c->row[++last] = *from;
			continue;
		}
		to->count += from->count;
		if (from->first < to->first)
			to->first = from->first;
	}
	c->count = last + 1;
}

static void order(struct conclusions *c)
{
	size_t i, j, end;

	merge(c, compare_all);
	for (i = 0; i < c->count; i = end) {
		cc_u64 sum = 0;

		for (end = i; end < c->count && !compare_groups(&c->row[i], &c->row[end]); end++)
			sum += c->row[end].count;
		for (j = i; j < end; j++)
			c->row[j].group = sum;
	}
	if (c->count)
		qsort(c->row, c->count, sizeof(*c->row), compare_found);
}

static void add_row(struct conclusions *c, const struct report *r, const struct tally_row *from)
{
	const struct tally_key *key = &from->key;
	const char *name = report_interface(r, key->interface);
	struct conclusion *row = added(c);
	size_t v;

	row->verdict = CC_PACKET_BAD;
	if (key->sum) {
		row->judged = 1;
		row->verdict = from->verdict;
		row->evidence = from->evidence;
		row->protocol = key->protocol;
	}
	row->family = key->family;
	memcpy(row->source, key->source, sizeof(row->source));
	if (name)
		strcpy(row->interface, name);
	else
		sprintf(row->interface, "%u", (unsigned int)key->interface);
	for (v = 0; v < CC_VERDICTS; v++)
		row->count += from->count[v];
}

void conclusions_of(struct conclusions *c, const struct report *r)
{
	size_t i;

	for (i = 0; i < r->wrong.count; i++)
		add_row(c, r, &r->wrong.row[i]);
	for (i = 0; i < CC_VERDICTS; i++) {
		struct conclusion *row;

		if (!r->wrong.others.count[i])
			continue;
		row = added(c);
		row->verdict = (unsigned char)i;
		row->judged = i != CC_PACKET_BAD;
		row->evidence = row->judged ? CC_EVIDENCE_UNSETTLED : CC_EVIDENCE_NONE;
		row->others = 1;
		row->count = r->wrong.others.count[i];
	}
	order(c);
}

void conclusions_add(struct conclusions *c, const struct conclusions *from)
{
	size_t i;

	for (i = 0; i < from->count; i++) {
		struct conclusion *row = added(c);
		size_t first = row->first;

		*row = from->row[i];
		row->first = first;
		row->interface[0] = 0;
	}
	order(c);
}

static const char *sender(char text[ROWS_ADDRESS + 1], const struct conclusion *row)
{
	if (row->others)
		return "all others";
	*rows_address(text, row->family, row->source) = 0;
	return text;
}

static int compare_by_sender(const void *x, const void *y)
{
	return compare_senders(x, y);
}

static int compare_most(const void *x, const void *y)
{
	const struct conclusion *a = x, *b = y;

	if (a->count != b->count)
		return a->count > b->count ? -1 : 1;
	return (a->first > b->first) - (a->first < b->first);
}

static int same_interface(const struct conclusions *c)
{
	size_t i;

	for (i = 1; i < c->count; i++)
		if (strcmp(c->row[i].interface, c->row[0].interface))
			return 0;
	return 1;
}

/* "all from 192.0.2.1"; "from 192.0.2.1 (5) and 192.0.2.2 (3)" */
static void print_from(const struct conclusion *some, size_t count)
{
	struct conclusions by = {.count = count, .room = count};
	size_t i, named, words;
	char text[ROWS_ADDRESS + 1], number[GROUPED];
	int one;

	by.row = needed(malloc(count * sizeof(*by.row)));
	memcpy(by.row, some, count * sizeof(*by.row));
	for (i = 0; i < count; i++)
		by.row[i].first = i;
	merge(&by, compare_by_sender);
	qsort(by.row, by.count, sizeof(*by.row), compare_most);
	one = same_interface(&by);
	named = by.count < NAMED ? by.count : NAMED;
	words = named + (by.count > named);
	printf(by.count == 1 ? ", all from " : ", from ");
	for (i = 0; i < named; i++) {
		if (i)
			printf(i + 1 == words ? " and " : ", ");
		fputs(sender(text, &by.row[i]), stdout);
		if (!one)
			printf(" at %s", by.row[i].interface);
		if (by.count > 1)
			printf(" (%s)", grouped(number, by.row[i].count));
	}
	if (by.count > named)
		printf(" and %s more", grouped(number, by.count - named));
	conclusions_free(&by);
}

/* " (received: packet type)", with counts if there is more than one kind. */
static void print_evidence(const struct conclusion *some, size_t count)
{
	size_t i = 0, end;
	char number[GROUPED];

	printf(" (");
	while (i < count) {
		const char *text = cc_evidence_text(some[i].evidence);

		for (end = i; end < count && !compare_groups(&some[i], &some[end]); end++)
			;
		if (i)
			printf("; ");
		if (i || end < count)
			printf("%s %s", grouped(number, some[i].group),
			       *text ? text : "by themselves");
		else
			fputs(text, stdout);
		i = end;
	}
	printf(")");
}

static int any_evidence(const struct conclusion *some, size_t count)
{
	while (count--)
		if (some[count].evidence != CC_EVIDENCE_NONE)
			return 1;
	return 0;
}

static void print_sentence(const struct conclusion *some, size_t count)
{
	unsigned int verdict = some->verdict;
	char number[GROUPED];
	cc_u64 sum = 0;
	size_t i;

	for (i = 0; i < count; i++)
		sum += some[i].count;
	printf("  %s %s%s", grouped(number, sum), cc_verdict_name(verdict),
	       verdict == CC_PACKET_BAD ? " not explained by offload" : "");
	print_from(some, count);
	if (verdict != CC_PACKET_BAD || any_evidence(some, count))
		print_evidence(some, count);
	if (verdict != CC_PACKET_BAD)
		fputs(verdict == CC_VERDICT_DEFERRED ? ": no corruption"
						     : ": the sender's offload is broken",
		      stdout);
	putchar('\n');
}

static void print_all(struct conclusions *c)
{
	static const char *const head[] = {"verdict", "protocol", "interface",
					   "from",    "count",	  "evidence"};
	struct table t = {.columns = 6, .right = 1u << 4};
	char text[ROWS_ADDRESS + 1], number[GROUPED];
	size_t i;

	for (i = 0; i < t.columns; i++)
		table_cell(&t, head[i]);
	qsort(c->row, c->count, sizeof(*c->row), compare_counts);
	for (i = 0; i < c->count; i++) {
		const struct conclusion *row = &c->row[i];

		table_cell(&t, cc_verdict_name(row->verdict));
		table_cell(&t, row->judged && !row->others ? cc_packet_protocol_name(row->protocol)
							   : "");
		table_cell(&t, row->interface);
		table_cell(&t, sender(text, row));
		table_cell(&t, grouped(number, row->count));
		table_cell(&t, cc_evidence_text(row->evidence));
	}
	table_print(&t);
}

void conclusions_print(struct conclusions *c, int explain)
{
	static const unsigned char verdicts[] = {CC_VERDICT_DEFERRED, CC_VERDICT_UNFINISHED,
						 CC_PACKET_BAD};
	size_t v, i, end;

	for (v = 0; v < sizeof(verdicts) && any_evidence(c->row, c->count); v++) {
		for (i = 0; i < c->count && c->row[i].verdict != verdicts[v]; i++)
			;
		for (end = i; end < c->count && c->row[end].verdict == verdicts[v]; end++)
			;
		if (i < end)
			print_sentence(c->row + i, end - i);
	}
	if (explain && c->count)
		print_all(c);
}
