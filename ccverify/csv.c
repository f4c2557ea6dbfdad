// SPDX-License-Identifier: MIT
#include "csv.h"

#include "../src/verify/rows.h"
#include "output.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The rows that are written at once. */
enum { AT_ONCE = 512 };

void csv_begin(void)
{
	static int begun;
	unsigned int i;

	if (begun)
		return;
	begun = 1;
	printf("file");
	for (i = 0; i < ROWS_COLUMNS; i++)
		printf(",%s", rows_column(i));
	puts(",count");
}

/* @name as a field, quoted if it has what ends one, and the comma that follows. */
static char *field(const char *name)
{
	char *text = needed(malloc(2 * strlen(name) + 4)), *end = text;

	if (!name[strcspn(name, ",\"\r\n")])
		return strcat(strcpy(text, name), ",");
	*end++ = '"';
	for (; *name; name++) {
		if (*name == '"')
			*end++ = '"';
		*end++ = *name;
	}
	strcpy(end, "\",");
	return text;
}

/* Those of one capture. */
static void rows_of(const struct batch_entry *entry, size_t count, const char *name)
{
	struct rows_words words = {.after = {",1\n", 3}};
	char *first = field(name), *room;
	size_t longest = strlen(first) + ROWS_COLUMNS + 3 + ROWS_LONGEST, i, some;

	words.before[0] = (struct rows_word){first, strlen(first)};
	for (i = 1; i < ROWS_COLUMNS; i++)
		words.before[i] = (struct rows_word){",", 1};
	longest += rows_name(&words);
	room = needed(malloc(AT_ONCE * longest));
	for (i = 0; i < count; i += some) {
		some = count - i < AT_ONCE ? count - i : AT_ONCE;
		fwrite(room, 1, rows_write(room, entry + i, some, &words), stdout);
	}
	free(room);
	free(first);
}

void csv_rows(const struct batch_entry *entry, size_t count, char *const *name)
{
	size_t i, end;

	if (count)
		csv_begin();
	for (i = 0; i < count; i = end) {
		for (end = i; end < count && entry[end].capture == entry[i].capture; end++)
			;
		rows_of(entry + i, end - i, name[entry[i].capture]);
	}
}

void csv_finish(const struct report *r)
{
	char *name = field(r->name), text[CC_PACKET_TEXT];
	size_t i;

	csv_begin();
	for (i = 0; i < r->unknown_count; i++) {
		cc_packet_unknown_text(text, r->unknown[i].what, r->unknown[i].number);
		printf("%s,,%s,,,,,not checked,,%llu\n", name, text,
		       (unsigned long long)r->unknown[i].count);
	}
	free(name);
}
