// SPDX-License-Identifier: MIT
/*
 * The Internet checksum: every scheme of every tier on its own, then what is built on
 * them, then schemes with one fault each.
 *
 *	CC_TEST_HUGE=1	also 4 GB and more (a minute or two a scheme and machine)
 */
#include "checksum_parts.h"

#include <carrychain/cpu.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

void reference_init(struct reference *r, const unsigned char *base, size_t size)
{
	size_t i;

	r->base = base;
	for (i = 0; i < 2; i++) {
		if (size >= r->room)
			r->bytes[i] = realloc(r->bytes[i], (size + 1) * sizeof(*r->bytes[i]));
		if (!r->bytes[i])
			abort();
		r->bytes[i][0] = 0;
	}
	r->room = size >= r->room ? size + 1 : r->room;
	for (i = 0; i < size; i++) {
		r->bytes[0][i + 1] = r->bytes[0][i] + (i % 2 ? 0 : base[i]);
		r->bytes[1][i + 1] = r->bytes[1][i] + (i % 2 ? base[i] : 0);
	}
}

void reference_free(struct reference *r)
{
	free(r->bytes[0]);
	free(r->bytes[1]);
}

uint16_t stored(uint64_t sum)
{
	unsigned char bytes[2];
	uint16_t field;

	while (sum > 0xffff)
		sum = sum / 0x10000 + sum % 0x10000;
	bytes[0] = (unsigned char)(sum >> 8);
	bytes[1] = (unsigned char)sum;
	memcpy(&field, bytes, 2);
	return field;
}

uint16_t reference_sum(const struct reference *r, const unsigned char *data, size_t len)
{
	size_t at = (size_t)(data - r->base), phase = at % 2;
	uint64_t high = r->bytes[phase][at + len] - r->bytes[phase][at];
	uint64_t low = r->bytes[!phase][at + len] - r->bytes[!phase][at];

	return stored(256 * high + low);
}

static void check_sum(const struct cc_checksum_scheme *scheme, const unsigned char *data,
		      size_t len, uint16_t should)
{
	uint16_t is;

	test_sizes(len, (uintptr_t)data % OFFSETS, 0);
	is = cc_checksum_sum16(scheme->sum(data, len));
	CHECK(is == should, "%zu bytes: sum %#06x, not %#06x", len, is, should);
}

void fill(unsigned char *p, size_t size, enum pattern pattern)
{
	size_t i;

	switch (pattern) {
	case ONES:
		memset(p, 0xff, size);
		break;
	case ZEROS:
		memset(p, 0, size);
		break;
	case ONE_CARRY:
		/* the first 1 in a while carries all the way through what was summed */
		memset(p, 0, size);
		for (i = 0; i < size; i += 1 + random_below(1000)) {
			memset(p + i, 0xff, size - i < 8 ? size - i : 8);
			i += 8 + random_below(200);
			if (i < size)
				p[i] = 1;
		}
		break;
	case UNIFORM:
		for (i = 0; i < size; i++)
			p[i] = (unsigned char)random_below(256);
		break;
	default:
		/* each stretch has a density of its own */
		for (i = 0; i < size; i += 64) {
			cc_word words[64 / sizeof(cc_word)];

			random_words(words, COUNT(words));
			memcpy(p + i, words, size - i < 64 ? size - i : 64);
		}
	}
}

struct guard small, large;
/* of either, for one scheme after another: they are large */
static struct reference known;

/*
 * All lengths at all offsets from either forbidden page; of the long ones a random share:
 * SHARE of WHOLE, and every one of them at a scale of WHOLE / SHARE.
 */
#define SHARE 8
#define WHOLE 64
static void check_grid(const struct cc_checksum_scheme *scheme)
{
	size_t kept = test_scaled(SHARE), pattern, len, offset;

	for (pattern = 0; pattern < PATTERNS && !test_case_failed(); pattern++) {
		unsigned char *base = guard_place(&small, SMALL, GUARD_START, 0), *end;

		end = small.base + small.size;
		fill(base, small.size, pattern);
		reference_init(&known, base, small.size);
		for (len = 0; len <= LENGTHS; len++) {
			for (offset = 0; offset < OFFSETS; offset++) {
				const unsigned char *p = base + offset, *q = end - offset - len;

				if (len > 300 && random_below(WHOLE) >= kept)
					continue;
				check_sum(scheme, p, len, reference_sum(&known, p, len));
				check_sum(scheme, q, len, reference_sum(&known, q, len));
			}
		}
	}
}

static void check_around(const struct cc_checksum_scheme *scheme, const struct reference *r,
			 size_t middle, size_t away, size_t step)
{
	unsigned char *end = large.base + large.size;
	size_t len;

	for (len = middle - away; len <= middle + away; len += step) {
		size_t offset = random_below(OFFSETS);
		const unsigned char *p = large.base + offset, *q = end - offset - len;

		check_sum(scheme, p, len, reference_sum(r, p, len));
		check_sum(scheme, q, len, reference_sum(r, q, len));
		check_sum(scheme, end - len, len, reference_sum(r, end - len, len));
	}
}

/* The widest vector, or the widest step of an unrolled loop. */
#define STEP 64

/* Where accumulators are full: all ones fill them fastest, and show one that wraps. */
static void check_large(const struct cc_checksum_scheme *scheme)
{
	size_t pattern, i;

	for (pattern = 0; pattern < PATTERNS && !test_case_failed(); pattern++) {
		fill(large.base, large.size, pattern);
		reference_init(&known, large.base, large.size);
		check_around(scheme, &known, 65536, 64, 1);
		check_around(scheme, &known, MEGA, 1, 1);
		for (i = 1; scheme->flush && i <= 2; i++) {
			check_around(scheme, &known, i * scheme->flush, STEP, STEP / 4);
			check_around(scheme, &known, i * scheme->flush, 1, 1);
			check_around(scheme, &known, i * scheme->flush + 8 * STEP, 1, 1);
		}
	}
}

/*
 * What x86_64/deferred.h is least exact about: averages of eight vectors that round up at
 * each level, below them nothing.  (Its other extreme is all ones.)
 */
static void check_rounding(const struct cc_checksum_scheme *scheme)
{
	size_t vector, i;

	for (vector = 8; vector <= 64; vector *= 2) {
		for (i = 0; i < large.size; i += 8) {
			uint64_t lane = (uint64_t)__builtin_popcount(i / vector % 8) << 48;

			memcpy(large.base + i, &lane, 8);
		}
		reference_init(&known, large.base, large.size);
		for (i = 1; i <= 2; i++)
			check_sum(scheme, large.base, i * scheme->flush,
				  reference_sum(&known, large.base, i * scheme->flush));
	}
}

/* One page many times over, so that 4 GB take no memory to speak of. */
static void check_huge(const struct cc_checksum_scheme *scheme)
{
#if UINTPTR_MAX > 0xffffffff
	const size_t piece = 16 * MEGA, size = ((size_t)4 << 30) + 2 * piece;
	const size_t lengths[] = {((size_t)4 << 30) - 1, (size_t)4 << 30, ((size_t)4 << 30) + 77,
				  size};
	unsigned char *map = mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	FILE *file = tmpfile();
	struct reference r = {0};
	size_t i, pattern;

	if (map == MAP_FAILED || !file || ftruncate(fileno(file), (off_t)piece))
		abort();
	for (i = 0; i < size; i += piece)
		if (mmap(map + i, piece, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED,
			 fileno(file), 0) == MAP_FAILED)
			abort();
	for (pattern = RANDOM; pattern <= ONES; pattern++) {
		fill(map, piece, pattern);
		reference_init(&r, map, piece);
		for (i = 0; i < COUNT(lengths); i++) {
			size_t whole = lengths[i] / piece, rest = lengths[i] % piece;
			uint64_t high = whole * r.bytes[0][piece] + r.bytes[0][rest];
			uint64_t low = whole * r.bytes[1][piece] + r.bytes[1][rest];

			check_sum(scheme, map, lengths[i], stored(256 * high + low));
		}
	}
	reference_free(&r);
	fclose(file);
	munmap(map, size);
#else
	(void)scheme;
	CHECK(true, "no such length");
#endif
}

void check_scheme(const struct cc_checksum_scheme *scheme)
{
	test_case(scheme->tier, scheme->name);
	check_grid(scheme);
	check_large(scheme);
	check_rounding(scheme);
	if (getenv("CC_TEST_HUGE"))
		check_huge(scheme);
}

int main(int argc, char **argv)
{
	size_t i, largest = 2 * MEGA;

	test_begin(argc, argv);
	for (i = 0; i < cc_checksum_schemes_count; i++)
		if (2 * cc_checksum_schemes[i].flush > largest)
			largest = 2 * cc_checksum_schemes[i].flush;
	guard_init(&small, SMALL);
	guard_init(&large, largest + 64 * STEP);
	for (i = 0; i < cc_checksum_schemes_count; i++) {
		const struct cc_checksum_scheme *scheme = &cc_checksum_schemes[i];

		if (scheme->needs & ~cc_cpu_detected())
			test_emulated("%s [%s]", scheme->name, scheme->tier);
		else
			check_scheme(scheme);
	}
	if (!getenv("CC_TEST_HUGE"))
		test_skip("4 GB and more: CC_TEST_HUGE=1 asks for it");
	broken_schemes();
	checksum_functions();
	reference_free(&known);
	return test_end();
}
