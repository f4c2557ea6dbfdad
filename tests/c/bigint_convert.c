// SPDX-License-Identifier: MIT
/* What bigint.h makes of machine integers, text and bytes, and makes of numbers. */
#include "bigint.h"
#include "memory.h"
#include "reference.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void machine_integers(size_t count)
{
	cc_bigint x = CC_BIGINT_INIT;
	struct value v;

	while (count--) {
		uint64_t u = random_u64() >> random_below(64), got;
		int64_t i = (int64_t)(random_u64() >> random_below(64)), signed_got;
		unsigned int bits = 0;

		if (!random_below(8))
			u = ~(uint64_t)0 >> random_below(64);
		if (!random_below(4))
			i = random_below(2) ? INT64_MIN : INT64_MAX;
		if (random_below(2) && i != INT64_MIN)
			i = -i;
		while (bits < 64 && u >> bits)
			bits++;
		HOLDS(!cc_bigint_set_u64(&x, u) && !cc_bigint_get_u64(&got, &x) && got == u);
		HOLDS(cc_bigint_bit_length(&x) == bits);
		HOLDS(cc_bigint_get_i64(&signed_got, &x) == (u > INT64_MAX ? CC_ERANGE : CC_OK));
		HOLDS(!cc_bigint_set_i64(&x, i) && !cc_bigint_get_i64(&signed_got, &x) &&
		      signed_got == i);
		value_set(&v, i);
		HOLDS(value_is(&v, &x));
		HOLDS(cc_bigint_get_u64(&got, &x) == (i < 0 ? CC_ERANGE : CC_OK));
		/* one beyond either end */
		HOLDS(!cc_bigint_set_i64(&x, INT64_MIN) && !cc_bigint_not(&x, &x) &&
		      !cc_bigint_neg(&x, &x) && !cc_bigint_shl(&x, &x, 1));
		HOLDS(cc_bigint_get_i64(&signed_got, &x) == CC_ERANGE);
	}
	cc_bigint_clear(&x);
}

static void format_and_parse(int radix, size_t words, size_t count)
{
	static struct value v;
	char *want = malloc(words * CC_WORD_BITS + 8), *got = NULL, *c;
	size_t length, failing;
	cc_bigint x, y;
	int err;

	while (count-- && want && !test_case_failed()) {
		value_random(&v, random_below(words + 1));
		test_sizes(v.length, (size_t)radix, 0);
		want[0] = '-';
		length = ref_to_digits(want + v.negative, v.words, v.length, (unsigned int)radix) +
			 (size_t)v.negative;
		memory_begin(MEMORY_SOUND);
		value_to_bigint(&x, &v, 0);
		for (failing = 0;; failing++) {
			size_t got_length = 0;

			memory_begin(failing);
			err = cc_bigint_format(&got, &got_length, &x, radix, NULL);
			if (!memory_end()) {
				HOLDS(!err && got_length == length && !strcmp(got, want));
				break;
			}
			HOLDS(err == CC_ENOMEM && !got);
		}
		memory_begin(MEMORY_SOUND);
		cc_string_free(got);
		memory_end();
		CHECK(memory_live() == (v.length > 0), "leaked");

		/* the other case, leading zeros and a plus are read as well */
		memmove(want + v.negative + 2, want + v.negative, length + 1 - (size_t)v.negative);
		memcpy(want + v.negative, "00", 2);
		if (!v.negative && random_below(2))
			want[0] = '+';
		for (c = want; *c && random_below(2 * words * CC_WORD_BITS); c++)
			if (*c >= 'a')
				*c = (char)(*c - 'a' + 'A');
		for (failing = 0;; failing++) {
			static struct value seven;

			value_set(&seven, 7);
			memory_begin(MEMORY_SOUND);
			value_to_bigint(&y, &seven, random_below(2) * random_below(words + 4));
			memory_begin(failing);
			err = cc_bigint_from_string(&y, want, radix);
			if (!memory_end()) {
				HOLDS(!err && value_is(&v, &y));
				break;
			}
			HOLDS(err == CC_ENOMEM && value_is(&seven, &y));
			memory_begin(MEMORY_SOUND);
			cc_bigint_clear(&y);
		}
		memory_begin(MEMORY_SOUND);
		cc_bigint_clear(&x);
		cc_bigint_clear(&y);
		memory_end();
		CHECK(!memory_live(), "leaked");
	}
	free(want);
}

static void strings(void)
{
	char name[40];
	int radix;

	for (radix = 2; radix <= 36; radix++) {
		snprintf(name, sizeof(name), "strings in radix %d", radix);
		test_case(NULL, name);
		format_and_parse(radix, 12, test_scaled(20));
		format_and_parse(radix, radix % 5 ? 60 : 250, 1);
	}
}

static void malformed_strings(void)
{
	static const struct {
		const char *s;
		int radix;
	} bad[] = {
		{"", 10},   {"-", 10},	  {"+", 10},   {"--1", 10}, {"+-1", 10}, {"1 ", 10},
		{" 1", 10}, {"1.", 10},	  {"0x1", 16}, {"2", 2},    {"12a", 10}, {"9", 8},
		{"G", 16},  {"zz", 35},	  {"1_0", 10}, {"1", 1},    {"1", 37},	 {"1", 0},
		{"1", -10}, {"\xff", 36}, {"1/", 36},  {"1:", 36},  {"1@", 36},	 {"1[", 36},
		{"1`", 36}, {"1{", 36},
	};
	cc_bigint x = CC_BIGINT_INIT;
	size_t length, i;
	uint64_t u;
	char *s;

	test_case(NULL, "from_string, format: what is malformed");
	HOLDS(!cc_bigint_set_u64(&x, 42));
	for (i = 0; i < COUNT(bad); i++) {
		test_sizes(i, 0, 0);
		HOLDS(cc_bigint_from_string(&x, bad[i].s, bad[i].radix) == CC_EINVAL);
		HOLDS(!cc_bigint_get_u64(&u, &x) && u == 42);
	}
	s = (char *)bad;
	HOLDS(cc_bigint_format(&s, &length, &x, 37, NULL) == CC_EINVAL && !s);
	HOLDS(!cc_bigint_to_string(&x, 1));
	HOLDS(!cc_bigint_from_string(&x, "-0000", 10) && !x.length && !x.negative);
	cc_bigint_clear(&x);
}

/* Each character in each radix, behind one that is a digit in all. */
static void every_character(void)
{
	static const char lower[] = "0123456789abcdefghijklmnopqrstuvwxyz";
	static const char upper[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
	cc_bigint x = CC_BIGINT_INIT;
	size_t radix, digit;
	uint64_t u;
	int c;

	test_case(NULL, "from_string: each character in each radix");
	for (c = 1; c < 256; c++)
		for (radix = 2; radix <= 36; radix++) {
			const char text[] = {'1', (char)c, '\0'};

			test_sizes((size_t)c, radix, 0);
			for (digit = 0;
			     digit < radix && lower[digit] != text[1] && upper[digit] != text[1];
			     digit++)
				;
			if (digit < radix)
				HOLDS(!cc_bigint_from_string(&x, text, (int)radix) &&
				      !cc_bigint_get_u64(&u, &x) && u == radix + digit);
			else
				HOLDS(cc_bigint_from_string(&x, text, (int)radix) == CC_EINVAL);
		}
	cc_bigint_clear(&x);
}

/* Stops at step number *context. */
static int stop_at(void *context, cc_u64 done, cc_u64 total)
{
	size_t *left = context;

	CHECK(done <= total, "%llu of %llu", (unsigned long long)done, (unsigned long long)total);
	return !(*left)--;
}

static void format_interrupted(void)
{
	static struct value v;
	size_t left, length, step;
	struct cc_progress progress = {.step = stop_at, .context = &left};
	cc_bigint x;
	char *s;
	int err;

	test_case(NULL, "format, interrupted");
	value_random(&v, VALUE_WORDS);
	v.words[VALUE_WORDS - 1] = 1;
	v.length = VALUE_WORDS;
	memory_begin(MEMORY_SOUND);
	value_to_bigint(&x, &v, 0);
	for (step = 0;; step++) {
		left = step;
		memory_begin(MEMORY_SOUND);
		err = cc_bigint_format(&s, &length, &x, 10, &progress);
		memory_end();
		if (!err)
			break;
		HOLDS(err == CC_EINTR && !s && value_is(&v, &x) && memory_live() == 1);
	}
	CHECK(step > 0, "never asked");
	memory_begin(MEMORY_SOUND);
	cc_string_free(s);
	cc_bigint_clear(&x);
	memory_end();
	CHECK(!memory_live(), "leaked");
}

static void bytes(size_t count)
{
	static struct value v, back;
	unsigned char buffer[600], want[600];
	cc_bigint x, y = CC_BIGINT_INIT;

	while (count-- && !test_case_failed()) {
		unsigned int flags = (unsigned int)random_below(4);
		size_t n = random_below(random_below(2) ? 5 : 21), length, i;
		int fits, err;

		value_random(&v, n);
		if (!random_below(4)) {
			/* around the least and the greatest of some number of bytes */
			value_set(&back, (int64_t)random_below(3) - 1);
			value_set(&v, random_below(2) ? 1 : -1);
			value_shl(&v, &v, 8 * random_below(20) + 7 * random_below(2));
			value_add(&v, &v, &back);
		}
		value_to_bigint(&x, &v, 0);
		length = random_below(2) ? random_below(v.length * sizeof(cc_word) + 20)
					 : (size_t)(cc_bigint_bit_length(&x) + random_below(9)) / 8;
		test_sizes(v.length, length, flags);
		fits = flags & CC_SIGNED ? 1 : !v.negative;
		for (i = 0; i < v.length * sizeof(cc_word) + 2; i++) {
			unsigned char byte = value_byte(&v, i), sign = v.negative ? 0xff : 0;

			if (i < length)
				want[flags & CC_BIG_ENDIAN ? length - 1 - i : i] = byte;
			else if (byte != sign)
				fits = 0;
		}
		for (; i < length; i++)
			want[flags & CC_BIG_ENDIAN ? length - 1 - i : i] = v.negative ? 0xff : 0;
		if ((flags & CC_SIGNED) && v.length &&
		    (!length || value_byte(&v, length - 1) >> 7 != v.negative))
			fits = 0;

		memset(buffer, 0x55, sizeof(buffer));
		err = cc_bigint_to_bytes(buffer + 1, length, &x, flags);
		CHECK(err == (fits ? CC_OK : CC_ERANGE), "%d", err);
		CHECK(buffer[0] == 0x55 && buffer[length + 1] == 0x55, "outside");
		if (fits) {
			CHECK(!memcmp(buffer + 1, want, length), "to_bytes");
			CHECK(!cc_bigint_from_bytes(&y, want, length, flags) && value_is(&v, &y),
			      "from_bytes");
		}
		cc_bigint_clear(&x);
	}
	cc_bigint_clear(&y);
}

void bigint_convert(void)
{
	test_case(NULL, "machine integers");
	machine_integers(test_scaled(2000));
	strings();
	malformed_strings();
	every_character();
	format_interrupted();
	test_case(NULL, "bytes");
	bytes(test_scaled(5000));
}
