// SPDX-License-Identifier: MIT
#include "text.h"

#include "output.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* The kinds of what is not checked that are listed. */
enum { KINDS = 10 };

/* In the order of a table's columns. */
static const unsigned char verdicts[] = {CC_PACKET_GOOD,	CC_PACKET_BAD,
					 CC_VERDICT_UNFINISHED, CC_VERDICT_DEFERRED,
					 CC_PACKET_NONE,	CC_PACKET_UNVERIFIABLE};

cc_u64 text_clock(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (cc_u64)now.tv_sec * 1000000000 + (cc_u64)now.tv_nsec;
}

static void rank(struct total *t, const struct report *r)
{
	cc_u64 bad = report_verdicts(r, CC_PACKET_BAD),
	       unfinished = report_verdicts(r, CC_VERDICT_UNFINISHED);
	size_t i = t->worst_count;

	if (!bad && !unfinished)
		return;
	/* of those with as many, the first comes first */
	while (i && t->worst[i - 1].bad + t->worst[i - 1].unfinished < bad + unfinished)
		i--;
	if (i == WORST)
		return;
	t->worst_count += t->worst_count < WORST;
	memmove(&t->worst[i + 1], &t->worst[i], (t->worst_count - 1 - i) * sizeof(*t->worst));
	t->worst[i].name = r->name;
	t->worst[i].bad = bad;
	t->worst[i].unfinished = unfinished;
}

void total_add(struct total *t, const struct report *r, const struct conclusions *on, int unread)
{
	t->captures++;
	t->unreadable += !!unread;
	report_sum(&t->sum, r);
	conclusions_add(&t->on, on);
	rank(t, r);
}

static void add_counts(struct table *t, const cc_u64 count[CC_PACKET_PROTOCOLS][CC_VERDICTS],
		       const char *behind)
{
	char text[64];
	size_t i, j;

	for (i = 0; i < CC_PACKET_PROTOCOLS; i++) {
		cc_u64 any = 0;

		for (j = 0; j < CC_VERDICTS; j++)
			any |= count[i][j];
		if (!any)
			continue;
		snprintf(text, sizeof(text), "%s%s", cc_packet_protocol_name((unsigned int)i),
			 behind);
		table_cell(t, text);
		for (j = 0; j < sizeof(verdicts); j++)
			table_cell(t, count[i][verdicts[j]] ? grouped(text, count[i][verdicts[j]])
							    : "·");
	}
}

static void print_counts(const struct report *r)
{
	struct table t = {.columns = 1 + sizeof(verdicts), .right = ~1u};
	cc_u64 any = 0;
	size_t i;

	for (i = 0; i < sizeof(verdicts); i++)
		any |= report_verdicts(r, verdicts[i]);
	if (!any)
		return;
	table_cell(&t, "");
	for (i = 0; i < sizeof(verdicts); i++)
		table_cell(&t, cc_verdict_name(verdicts[i]));
	add_counts(&t, r->count, "");
	add_counts(&t, r->quoted, " (quoted)");
	table_print(&t);
}

static void print_found(const struct report *r, struct conclusions *on, int explain)
{
	char number[GROUPED], text[CC_PACKET_TEXT];
	cc_u64 rest = 0;
	size_t i;

	print_counts(r);
	conclusions_print(on, explain);
	for (i = 0; i < CC_PACKET_REASONS; i++)
		if (r->reason[i])
			printf("  %s unverifiable: %s\n", grouped(number, r->reason[i]),
			       cc_packet_reason_name((unsigned int)i));
	for (i = 0; i < r->unknown_count; i++) {
		if (i >= KINDS) {
			rest += r->unknown[i].count;
			continue;
		}
		cc_packet_unknown_text(text, r->unknown[i].what, r->unknown[i].number);
		printf("  %s not checked: %s\n", grouped(number, r->unknown[i].count), text);
	}
	if (rest) {
		printf("  %s not checked, of ", grouped(number, rest));
		printf("%s more kinds: --csv lists them all\n",
		       grouped(number, r->unknown_count - KINDS));
	}
}

void text_capture(const struct report *r, struct conclusions *on, int explain)
{
	char number[GROUPED], *name = printable(r->name);

	printf("%s: %s, ", name, r->format == CC_CAPTURE_PCAP ? "pcap" : "pcapng");
	free(name);
	print_count(r->frames, "frame");
	if (r->without)
		printf(", %s of them without a known checksum", grouped(number, r->without));
	putchar('\n');
	print_found(r, on, explain);
}

void text_total(struct total *t, int explain)
{
	struct table table = {.columns = 3, .right = 6};
	char number[GROUPED];
	cc_u64 tenths;
	size_t i;

	printf("total: ");
	print_count(t->captures, "capture");
	if (t->unreadable)
		printf(", %s of them not read completely", grouped(number, t->unreadable));
	printf("; ");
	print_count(t->sum.frames, "frame");
	printf(", ");
	print_count(t->sum.bytes, "byte");
	tenths = (text_clock() - t->began + 50000000) / 100000000;
	printf(", %s.%u s\n", grouped(number, tenths / 10), (unsigned int)(tenths % 10));
	report_order(&t->sum);
	print_found(&t->sum, &t->on, explain);
	if (!t->worst_count)
		return;
	table_cell(&table, "most wrong");
	table_cell(&table, "bad");
	table_cell(&table, "unfinished");
	for (i = 0; i < t->worst_count; i++) {
		char *name = printable(t->worst[i].name);

		table_cell(&table, name);
		free(name);
		table_cell(&table, grouped(number, t->worst[i].bad));
		table_cell(&table, grouped(number, t->worst[i].unfinished));
	}
	table_print(&table);
}
