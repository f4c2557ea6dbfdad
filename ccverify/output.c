// SPDX-License-Identifier: MIT
#include "output.h"

#include "../src/verify/text.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TROUBLE = 2 };

void *needed(void *memory)
{
	if (!memory) {
		complain(NULL, "not enough memory");
		exit(TROUBLE);
	}
	return memory;
}

void enough(int status)
{
	needed(status ? NULL : &status);
}

char *copied(const char *text)
{
	return strcpy(needed(malloc(strlen(text) + 1)), text);
}

void complain(const char *name, const char *what)
{
	char *shown = name ? printable(name) : NULL;

	fflush(stdout);
	fprintf(stderr, "ccverify: %s%s%s\n", shown ? shown : "", shown ? ": " : "", what);
	free(shown);
}

void flush_output(void)
{
	if (!fflush(stdout) && !ferror(stdout))
		return;
	/* whoever read it has had enough */
	if (errno != EPIPE)
		complain("can't write", strerror(errno));
	_exit(TROUBLE);
}

char *printable(const char *text)
{
	/* an escape takes four bytes */
	char *shown = malloc(4 * strlen(text) + 1), *end = shown;

	if (!shown)
		exit(TROUBLE);
	for (; *text; text++) {
		unsigned char c = (unsigned char)*text;

		if (c == ' ' || (c >= '\t' && c <= '\r')) {
			if (end > shown && end[-1] != ' ')
				*end++ = ' ';
		} else if (c < ' ' || c == 0x7f) {
			end += sprintf(end, "\\x%02x", c);
		} else {
			*end++ = (char)c;
		}
	}
	if (end > shown && end[-1] == ' ')
		end--;
	*end = 0;
	return shown;
}

char *grouped(char to[GROUPED], cc_u64 number)
{
	*text_grouped(to, number) = 0;
	return to;
}

void print_count(cc_u64 number, const char *what)
{
	char text[GROUPED];

	printf("%s %s%s", grouped(text, number), what, number == 1 ? "" : "s");
}

void table_cell(struct table *t, const char *text)
{
	if (t->count == t->room) {
		t->room = t->room ? 2 * t->room : 64;
		t->cell = needed(realloc(t->cell, t->room * sizeof(*t->cell)));
	}
	t->cell[t->count++] = copied(text);
}

/* In characters of UTF-8. */
static size_t width_of(const char *text)
{
	size_t width = 0;

	for (; *text; text++)
		width += (*text & 0xc0) != 0x80;
	return width;
}

static void pad(size_t count)
{
	printf("%*s", (int)count, "");
}

void table_print(struct table *t)
{
	size_t *widest = needed(calloc(t->columns, sizeof(*widest))), i;

	for (i = 0; i < t->count; i++)
		if (width_of(t->cell[i]) > widest[i % t->columns])
			widest[i % t->columns] = width_of(t->cell[i]);
	for (i = 0; i < t->count; i++) {
		size_t column = i % t->columns, more = widest[column] - width_of(t->cell[i]);
		int right = t->right >> column & 1;

		pad(2 + (right ? more : 0));
		fputs(t->cell[i], stdout);
		pad(2 + (right ? 0 : more));
		if (column + 1 == t->columns)
			putchar('\n');
		free(t->cell[i]);
	}
	free(t->cell);
	free(widest);
}
