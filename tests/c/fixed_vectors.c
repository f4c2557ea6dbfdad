// SPDX-License-Identifier: MIT
/* tests/vectors/fixed.txt: known answers, some of them from published carry bugs. */
#include "fixed_kernels.h"
#include "harness.h"
#include "reference.h"

#include <carrychain/fixed.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST   CC_FZ_MAX
#define FIELDS 4

/* The value of a hexadecimal number of at most 2 MOST words; the words it takes. */
static size_t parse(cc_word *r, const char *text)
{
	size_t digits = strlen(text), i;

	memset(r, 0, 2 * MOST * sizeof(*r));
	for (i = 0; i < digits; i++) {
		unsigned int digit = isdigit((unsigned char)text[i])
					     ? (unsigned int)(text[i] - '0')
					     : (unsigned int)(text[i] - 'a' + 10);
		size_t at = 4 * (digits - 1 - i);

		r[at / CC_WORD_BITS] |= (cc_word)digit << at % CC_WORD_BITS;
	}
	return (4 * digits + CC_WORD_BITS - 1) / CC_WORD_BITS;
}

static size_t larger(size_t a, size_t b)
{
	return a > b ? a : b;
}

static void check_line(const char *operation, cc_word v[FIELDS][2 * MOST], const size_t n[FIELDS])
{
	static cc_word r[2 * MOST];
	size_t width = larger(larger(n[0], n[1]), n[2]), more;

	/* at its own width and at some above */
	for (more = 0; more <= (fixed_slow() ? 1 : 3); more++) {
		size_t w = width + more;

		if (!strcmp(operation, "sqr")) {
			w = n[0] + more;
			cc_fz_sqr(r, v[0], w);
			check_words("square", r, v[1], 2 * w);
			cc_fz_mul(r, v[0], v[0], w);
			check_words("square by mul", r, v[1], 2 * w);
		} else if (!strcmp(operation, "mul")) {
			w = larger(n[0], n[1]) + more;
			cc_fz_mul(r, v[0], v[1], w);
			check_words("product", r, v[2], 2 * w);
			cc_fz_mul(r, v[1], v[0], w);
			check_words("product, exchanged", r, v[2], 2 * w);
		} else if (!strcmp(operation, "powmod")) {
			CHECK(cc_fz_powmod(r, v[0], v[1], v[2], w) == CC_OK, "refused");
			check_words("power", r, v[3], w);
		} else {
			CHECK(!strcmp(operation, "mulmod"), "unknown operation %s", operation);
			CHECK(cc_fz_mulmod(r, v[0], v[1], v[2], w) == CC_OK, "refused");
			check_words("product mod m", r, v[3], w);
		}
	}
}

void fixed_vectors(const char *tier)
{
	static cc_word v[FIELDS][2 * MOST];
	static char line[40000];
	size_t n[FIELDS], number = 0;
	FILE *file = fopen(VECTORS "/fixed.txt", "r");

	begin(tier, "vectors/fixed.txt");
	CHECK(file, "no file %s", VECTORS "/fixed.txt");
	while (file && fgets(line, sizeof(line), file)) {
		const char *operation;
		size_t i;

		test_sizes(++number, 0, 0);
		operation = strtok(line, " \n");
		if (!operation || *operation == '#')
			continue;
		for (i = 0; i < FIELDS; i++) {
			const char *field = strtok(NULL, " \n");

			n[i] = parse(v[i], field ? field : "");
		}
		check_line(operation, v, n);
	}
	if (file)
		fclose(file);
}
