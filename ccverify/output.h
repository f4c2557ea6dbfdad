/* SPDX-License-Identifier: MIT */
/* output.h - what is printed: tables, foreign text made safe, and the errors that end all. */
#ifndef CCVERIFY_OUTPUT_H
#define CCVERIFY_OUTPUT_H

#include <carrychain/word.h>

/* What is allocated; without memory, the command ends. */
void *needed(void *memory);
void enough(int status);
char *copied(const char *text);

/* "ccverify: ", and @name and ": " unless it is NULL, and @what, as one line on stderr. */
void complain(const char *name, const char *what);
/* Flush the standard output; ends the command if it could not be written. */
void flush_output(void);

/* A copy of foreign text as one line: what controls a terminal is escaped. */
char *printable(const char *text);

/* 1,234 into @to, which is returned; "1 frame", "2 frames". */
#define GROUPED 27
char *grouped(char to[GROUPED], cc_u64 number);
void print_count(cc_u64 number, const char *what);

/* Rows of cells as wide as the widest of their column.  Initialized with columns and right. */
struct table {
	unsigned int columns;
	unsigned int right; /* the columns, one bit each, that are flush right */
	size_t count, room; /* of the cells */
	char **cell;
};

void table_cell(struct table *t, const char *text);
/* Print all rows, and free them. */
void table_print(struct table *t);

#endif /* CCVERIFY_OUTPUT_H */
