/* SPDX-License-Identifier: MIT */
/* csv.h - a line for each listed checksum, and one with a count per kind of unchecked contents. */
#ifndef CCVERIFY_CSV_H
#define CCVERIFY_CSV_H

#include "report.h"

/* Print the columns' names, unless they have been: before the first line at the latest. */
void csv_begin(void);
/* @name has the captures' names, by number. */
void csv_rows(const struct batch_entry *entry, size_t count, char *const *name);
void csv_finish(const struct report *r);

#endif /* CCVERIFY_CSV_H */
