// SPDX-License-Identifier: MIT
/*
 * The Internet checksum: every scheme of every tier on its own, then what is built on
 * them, then schemes with one fault each.
 *
 *	CC_TEST_HUGE=1	also 4 GB and more (a minute or two a scheme and machine)
 */
#include "harness.h"

#include <carrychain/checksum.h>
#include <carrychain/cpu.h>
#include <checksum/schemes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

#define LENGTHS 4096
#define OFFSETS 64
/* Room for the largest place of any length. */
#define SMALL (LENGTHS + 2 * OFFSETS)
#define MEGA  ((size_t)1 << 20)

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* What the words of any memory sum to, byte by byte, in network order. */
struct reference {
	const unsigned char *base;
	/* of the bytes before each place, those at even and at odd places */
	uint64_t *bytes[2];
};

static void reference_init(struct reference *r, const unsigned char *base, size_t size)
{
	size_t i;

	r->base = base;
	for (i = 0; i < 2; i++) {
		r->bytes[i] = realloc(r->bytes[i], (size + 1) * sizeof(*r->bytes[i]));
		if (!r->bytes[i])
			abort();
		r->bytes[i][0] = 0;
	}
	for (i = 0; i < size; i++) {
		r->bytes[0][i + 1] = r->bytes[0][i] + (i % 2 ? 0 : base[i]);
		r->bytes[1][i + 1] = r->bytes[1][i] + (i % 2 ? base[i] : 0);
	}
}

static void reference_free(struct reference *r)
{
	free(r->bytes[0]);
	free(r->bytes[1]);
}

/* The one's complement sum as memory would hold it. */
static uint16_t stored(uint64_t sum)
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

static uint16_t reference_sum(const struct reference *r, const unsigned char *data, size_t len)
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

/* What memory is filled with. */
enum pattern {
	RANDOM,
	ONES,
	ZEROS,
	ONE_CARRY,
	UNIFORM, /* so that what is left out or summed twice seldom sums to nothing */
	PATTERNS,
};

static void fill(unsigned char *p, size_t size, enum pattern pattern)
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

static struct guard small, large;

/*
 * All lengths at all offsets from either forbidden page; of the long ones a random share:
 * SHARE of WHOLE, and every one of them at a scale of WHOLE / SHARE.
 */
#define SHARE 8
#define WHOLE 64
static void check_grid(const struct cc_checksum_scheme *scheme)
{
	struct reference r = {0};
	size_t kept = test_scaled(SHARE), pattern, len, offset;

	for (pattern = 0; pattern < PATTERNS && !test_case_failed(); pattern++) {
		unsigned char *base = guard_place(&small, SMALL, GUARD_START, 0), *end;

		end = small.base + small.size;
		fill(base, small.size, pattern);
		reference_init(&r, base, small.size);
		for (len = 0; len <= LENGTHS; len++) {
			for (offset = 0; offset < OFFSETS; offset++) {
				const unsigned char *p = base + offset, *q = end - offset - len;

				if (len > 300 && random_below(WHOLE) >= kept)
					continue;
				check_sum(scheme, p, len, reference_sum(&r, p, len));
				check_sum(scheme, q, len, reference_sum(&r, q, len));
			}
		}
	}
	reference_free(&r);
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
	struct reference r = {0};
	size_t pattern, i;

	for (pattern = 0; pattern < PATTERNS && !test_case_failed(); pattern++) {
		fill(large.base, large.size, pattern);
		reference_init(&r, large.base, large.size);
		check_around(scheme, &r, 65536, 64, 1);
		check_around(scheme, &r, MEGA, 1, 1);
		for (i = 1; scheme->flush && i <= 2; i++) {
			check_around(scheme, &r, i * scheme->flush, STEP, STEP / 4);
			check_around(scheme, &r, i * scheme->flush, 1, 1);
			check_around(scheme, &r, i * scheme->flush + 8 * STEP, 1, 1);
		}
	}
	reference_free(&r);
}

/*
 * What x86_64/deferred.h is least exact about: averages of eight vectors that round up at
 * each level, below them nothing.  (Its other extreme is all ones.)
 */
static void check_rounding(const struct cc_checksum_scheme *scheme)
{
	struct reference r = {0};
	size_t vector, i;

	for (vector = 8; vector <= 64; vector *= 2) {
		for (i = 0; i < large.size; i += 8) {
			uint64_t lane = (uint64_t)__builtin_popcount(i / vector % 8) << 48;

			memcpy(large.base + i, &lane, 8);
		}
		reference_init(&r, large.base, large.size);
		for (i = 1; i <= 2; i++)
			check_sum(scheme, large.base, i * scheme->flush,
				  reference_sum(&r, large.base, i * scheme->flush));
	}
	reference_free(&r);
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

static void check_scheme(const struct cc_checksum_scheme *scheme)
{
	test_case(scheme->tier, scheme->name);
	check_grid(scheme);
	check_large(scheme);
	check_rounding(scheme);
	if (getenv("CC_TEST_HUGE"))
		check_huge(scheme);
}

/* The functions of checksum.h, in one tier. */

static uint16_t network(uint16_t number)
{
	return stored(number);
}

static void check_field(const char *what, uint16_t is, uint16_t should)
{
	CHECK(is == should, "%s: stored %#06x, not %#06x", what, is, should);
}

static void known_answers(const char *tier)
{
	/* RFC 1071, section 3 */
	static const unsigned char rfc1071[] = {0x00, 0x01, 0xf2, 0x03, 0xf4, 0xf5, 0xf6, 0xf7};
	/* a header whose checksum is at 10 */
	static const unsigned char header[] = {0x45, 0x00, 0x00, 0x73, 0x00, 0x00, 0x40,
					       0x00, 0x40, 0x11, 0xb8, 0x61, 0xc0, 0xa8,
					       0x00, 0x01, 0xc0, 0xa8, 0x00, 0xc7};
	unsigned char *ones = malloc(65536 + 1), copy[sizeof(header)];
	uint16_t field;

	test_case(tier, "known answers");
	check_field("RFC 1071", cc_checksum(rfc1071, 8), network(0x220d));
	check_field("RFC 1071, odd", cc_checksum(rfc1071, 7), network((uint16_t)~0xdcfb));
	check_field("nothing", cc_checksum(NULL, 0), 0xffff);
	memcpy(copy, header, sizeof(header));
	CHECK(cc_checksum_verify(copy, sizeof(copy), 0), "a good header is bad");
	memset(copy + 10, 0, 2);
	field = cc_checksum(copy, sizeof(copy));
	check_field("header", field, network(0xb861));
	memcpy(copy + 10, &field, 2);
	CHECK(!memcmp(copy, header, sizeof(header)), "not to be stored as it is");
	copy[3] ^= 4;
	CHECK(!cc_checksum_verify(copy, sizeof(copy), 0), "a bad header is good");

	memset(ones, 0xff, 65536 + 1);
	check_field("65536 bytes of 0xff", cc_checksum(ones, 65536), 0);
	check_field("65536 of 65537 bytes", cc_checksum(ones + 1, 65536), 0);
	check_field("65537 bytes of 0xff", cc_checksum(ones, 65537), network(0x00ff));
	memset(ones, 0, 65536);
	check_field("65536 zeros", cc_checksum(ones, 65536), 0xffff);
	free(ones);

	CHECK(cc_checksum_udp(0) == 0xffff && cc_checksum_udp(0xffff) == 0xffff &&
		      cc_checksum_udp(0x1234) == 0x1234,
	      "UDP's zero");
	/* RFC 1624, section 4: equation 3 gives 0 where equation 2 gives 0xffff */
	check_field("RFC 1624",
		    cc_checksum_update(network(0xdd2f), network(0x5555), network(0x3285)), 0);
}

static void pseudo_headers(const char *tier)
{
	unsigned char v4[16], v6[40];
	size_t round;

	test_case(tier, "pseudo-headers");
	for (round = 0; round < test_scaled(2000); round++) {
		struct reference r = {0};
		uint8_t protocol = (uint8_t)random_u64();
		uint32_t length = (uint32_t)random_edge_word();
		size_t i;

		for (i = 0; i < 8; i++)
			v4[i] = (unsigned char)random_u64();
		for (i = 0; i < 32; i++)
			v6[i] = (unsigned char)random_edge_word();
		for (i = 0; i < 4; i++)
			v6[32 + i] = (unsigned char)(length >> (24 - 8 * i));
		memset(v6 + 36, 0, 3);
		v6[39] = protocol;
		/* where a length of 16 bits stands beside the protocol gives the same sum */
		memcpy(v4 + 8, v6 + 32, 8);
		reference_init(&r, v4, sizeof(v4));
		check_field("IPv4",
			    cc_checksum_sum16(cc_checksum_pseudo_v4(v4, v4 + 4, protocol, length)),
			    reference_sum(&r, v4, sizeof(v4)));
		reference_init(&r, v6, sizeof(v6));
		check_field("IPv6",
			    cc_checksum_sum16(cc_checksum_pseudo_v6(v6, v6 + 16, protocol, length)),
			    reference_sum(&r, v6, sizeof(v6)));
		reference_free(&r);
	}
}

/* More than is copied or summed at once. */
#define COPIES (2 * 65536 + 300)

static size_t random_length(void)
{
	static const size_t bounds[] = {4, 70, 300, LENGTHS + 1};

	return random_below(bounds[random_below(COUNT(bounds))]);
}

static void functions(const char *tier)
{
	struct reference r = {0};
	struct guard copies;
	size_t round, pattern;

	guard_init(&copies, COPIES + 2 * OFFSETS);
	known_answers(tier);
	pseudo_headers(tier);
	for (pattern = 0; pattern < PATTERNS; pattern++) {
		static const char *const names[] = {"fragments", "fragments of ones",
						    "fragments of zeros", "fragments, one carry",
						    "fragments, uniform"};
		unsigned char *base = guard_place(&small, SMALL, GUARD_START, 0);

		test_case(tier, names[pattern]);
		fill(base, small.size, pattern);
		reference_init(&r, base, small.size);
		for (round = 0; round < test_scaled(3000); round++) {
			size_t len = random_length(), even = random_below(len / 2 + 1) * 2, at = 0;
			const unsigned char *p = base + random_below(OFFSETS);
			uint16_t should = reference_sum(&r, p, len);
			struct cc_checksum_state state;
			uint32_t sum;

			test_sizes(len, even, (uintptr_t)p % OFFSETS);
			check_field("whole", cc_checksum(p, len), (uint16_t)~should);
			sum = cc_checksum_partial(p, even, 0);
			sum = cc_checksum_partial(p + even, len - even, sum);
			check_field("in two", cc_checksum_fold(sum), (uint16_t)~should);
			cc_checksum_begin(&state, 0);
			while (at < len) {
				size_t part = random_below(3) ? random_below(len - at + 1)
							      : random_below(4) % (len - at + 1);

				cc_checksum_more(&state, p + at, part);
				at += part;
				if (!random_below(4))
					cc_checksum_more(&state, NULL, 0);
			}
			check_field("scattered", cc_checksum_end(&state), (uint16_t)~should);
			sum = cc_checksum_partial(p, len, 0);
			CHECK(!sum == !should, "a partial sum of %#x for %#x", sum, should);
			if (pattern == ZEROS)
				continue;
			/* its own checksum after it, at an even place, makes it good */
			state.sum = cc_checksum_add(state.sum, cc_checksum_end(&state));
			check_field("with its checksum", cc_checksum_sum16(state.sum), 0xffff);
		}
	}
	test_case(tier, "large");
	fill(large.base, 2 * MEGA, RANDOM);
	reference_init(&r, large.base, 2 * MEGA);
	for (round = 0; round < test_scaled(100); round++) {
		const unsigned char *p = large.base + random_below(2 * OFFSETS);
		size_t len =
			round % 4 ? random_below(300000) : random_below(2 * MEGA - 2 * OFFSETS);
		uint16_t should = reference_sum(&r, p, len);

		test_sizes(len, (uintptr_t)p % OFFSETS, 0);
		check_field("whole", cc_checksum(p, len), (uint16_t)~should);
		check_field("partial", cc_checksum_sum16(cc_checksum_partial(p, len, 0)), should);
	}
	test_case(tier, "copy");
	for (round = 0; round < test_scaled(3000); round++) {
		size_t len = round % 16 ? random_length() : random_below(COPIES + 1);
		const unsigned char *from = large.base + random_below(4 * OFFSETS);
		uint32_t before = (uint32_t)random_edge_word(), sum, should;
		unsigned char *to =
			guard_place(&copies, len, random_below(GUARD_SIDES), random_below(OFFSETS));

		test_sizes(len, (uintptr_t)from % OFFSETS, (uintptr_t)to % OFFSETS);
		sum = cc_checksum_copy(to, from, len, before);
		should = cc_checksum_partial(from, len, before);
		check_field("sum", cc_checksum_sum16(sum), cc_checksum_sum16(should));
		CHECK(!memcmp(to, from, len), "not a copy");
		CHECK(guard_intact(&copies), "wrote outside");
	}
	test_case(tier, "update");
	for (round = 0; round < test_scaled(20000); round++) {
		size_t len = 2 + 2 * random_below(40), place = 2 * random_below(len / 2);
		size_t wide = 1 + random_below(len - place), i;
		unsigned char was[90], now[90];
		uint16_t check, from, to, anew;

		test_sizes(len, place, wide);
		fill(was, sizeof(was), random_below(3) ? RANDOM : random_below(PATTERNS));
		memcpy(now, was, sizeof(was));
		for (i = 0; i < wide; i++)
			now[place + i] = (unsigned char)random_edge_word();
		check = cc_checksum(was, len);
		anew = cc_checksum(now, len);
		/* the one corner: nothing but zeros is left */
		if (anew == 0xffff)
			anew = 0;
		check_field("replaced", cc_checksum_replace(check, was + place, now + place, wide),
			    anew);
		memcpy(&from, was + place, 2);
		memcpy(&to, now + place, 2);
		if (wide <= 2)
			check_field("updated", cc_checksum_update(check, from, to), anew);
	}
	reference_free(&r);
	guard_free(&copies);
}

/* The sum by bytes, for what is too short to prepare a struct reference for. */
static uint64_t bytes_sum(const unsigned char *data, size_t len)
{
	uint64_t sum = 0;
	size_t i;

	for (i = 0; i < len; i++)
		sum += i % 2 ? data[i] : (uint64_t)data[i] << 8;
	return sum;
}

/* Of fields that may be any number congruent to 0 where the sum is of zeros: 0 is 0xffff. */
static void check_congruent(const char *what, uint16_t is, uint16_t should)
{
	CHECK(is % 65535 == should % 65535, "%s: %#06x, not %#06x", what, is, should);
}

/* Every length of which few are treated alike, and a share of the others, between forbidden pages.
 */
static void every_length(const char *tier)
{
	struct reference r = {0};
	unsigned char *base = guard_place(&small, SMALL, GUARD_START, 0), *end;
	struct guard copies;
	size_t len, i;

	test_case(tier, "every length");
	guard_init(&copies, LENGTHS);
	end = small.base + small.size;
	fill(base, small.size, UNIFORM);
	reference_init(&r, base, small.size);
	for (len = 0; len <= LENGTHS; len++) {
		const unsigned char *const from[] = {base, base + 1, base + random_below(OFFSETS),
						     end - len, end - len - 1};

		if (len > 700 && random_below(8))
			continue;
		for (i = 0; i < COUNT(from); i++) {
			uint16_t should = reference_sum(&r, from[i], len);
			unsigned char *to = guard_place(&copies, len, i % GUARD_SIDES, 0);

			test_sizes(len, (uintptr_t)from[i] % OFFSETS, i % GUARD_SIDES);
			check_field("whole", cc_checksum(from[i], len), (uint16_t)~should);
			check_field("partial",
				    cc_checksum_sum16(cc_checksum_partial(from[i], len, 0)),
				    should);
			check_field("copied",
				    cc_checksum_sum16(cc_checksum_copy(to, from[i], len, 0)),
				    should);
			CHECK(!memcmp(to, from[i], len), "not a copy");
			CHECK(guard_intact(&copies), "wrote outside");
		}
	}
	reference_free(&r);
	guard_free(&copies);
}

/* A part taken out of a message, and put back, at odd offsets and of odd lengths too */
static void blocks(const char *tier)
{
	unsigned char message[300], rest[300];
	size_t round;

	test_case(tier, "blocks");
	for (round = 0; round < test_scaled(3000); round++) {
		size_t len = 1 + random_below(sizeof(message)), offset = random_below(len + 1);
		size_t part = random_below(len - offset + 1);
		uint32_t whole, block, without;

		test_sizes(len, offset, part);
		fill(message, len, random_below(PATTERNS));
		memcpy(rest, message, len);
		memset(rest + offset, 0, part);
		whole = cc_checksum_partial(message, len, 0);
		block = cc_checksum_partial(message + offset, part, 0);
		without = cc_checksum_block_sub(whole, block, offset);
		check_congruent("without", cc_checksum_sum16(without),
				stored(bytes_sum(rest, len)));
		check_congruent("with",
				cc_checksum_sum16(cc_checksum_block_add(without, block, offset)),
				stored(bytes_sum(message, len)));
		check_congruent("difference", cc_checksum_sum16(cc_checksum_sub(whole, without)),
				stored(bytes_sum(message + offset, part) << (offset % 2 ? 8 : 0)));
	}
}

struct linked {
	struct linked *next;
	const unsigned char *data;
	uint16_t len;
};

/* A range of a message that lies in an array of pieces, and in a list of them */
static void ranges(const char *tier)
{
	static unsigned char message[2 * LENGTHS];
	struct iovec iov[20];
	struct linked list[COUNT(iov)];
	size_t round;

	test_case(tier, "ranges");
	fill(message, sizeof(message), UNIFORM);
	for (round = 0; round < test_scaled(3000); round++) {
		size_t at = 0, count = 1 + random_below(COUNT(iov)), total, offset, len, left, i;
		struct cc_checksum_range range;
		const struct linked *m;
		uint16_t should;

		for (i = 0; i < count; i++) {
			size_t part = random_below(random_below(2) ? 8 : 400);

			/* nothing is nowhere */
			iov[i].iov_base = part ? message + at : NULL;
			iov[i].iov_len = part;
			list[i].data = iov[i].iov_base;
			list[i].len = (uint16_t)part;
			list[i].next = i + 1 < count ? &list[i + 1] : NULL;
			at += part;
		}
		total = at;
		offset = random_below(total + 1);
		len = random_below(total - offset + 10);
		left = len > total - offset ? len - (total - offset) : 0;
		should = stored(bytes_sum(message + offset, len - left));
		test_sizes(total, offset, len);

		cc_checksum_range_begin(&range, 0, offset, len);
		for (i = 0; i < count; i++)
			cc_checksum_range_more(&range, iov[i].iov_base, iov[i].iov_len);
		check_field("array", cc_checksum_end(&range.state), (uint16_t)~should);
		CHECK(range.left == left, "%zu bytes left, not %zu", range.left, left);

		cc_checksum_range_begin(&range, 0, offset, len);
		for (m = list; m && cc_checksum_range_more(&range, m->data, m->len); m = m->next)
			;
		check_field("list", cc_checksum_end(&range.state), (uint16_t)~should);
		CHECK(range.left == left, "%zu bytes left, not %zu", range.left, left);
	}
}

/*
 * Addresses and ports are translated, an address of 16 bytes to one of 4 too: each checksum
 * becomes what it is when all is summed anew.
 */
static void translations(const char *tier)
{
	size_t round;

	test_case(tier, "translations");
	for (round = 0; round < test_scaled(20000); round++) {
		/* address, port, and what else is covered; never zeros alone */
		unsigned char was[16 + 2 + 6], now[sizeof(was)], *end;
		size_t from = random_below(2) ? 4 : 16, to = random_below(2) ? from : 4, i;
		uint16_t check, anew;
		uint32_t diff;

		test_sizes(from, to, 0);
		fill(was, sizeof(was), random_below(PATTERNS));
		fill(now, sizeof(now), random_below(PATTERNS));
		memcpy(now + to, was + from, 8);
		for (i = 0; i < 2; i++)
			now[to + i] = (unsigned char)random_edge_word();
		was[from + 7] = now[to + 7] |= 1;
		end = now + to + 8;
		check = (uint16_t)~stored(bytes_sum(was, from + 8));
		anew = (uint16_t)~stored(bytes_sum(now, (size_t)(end - now)));
		diff = cc_checksum_diff(was, from, now, to, 0);
		diff = cc_checksum_diff(was + from, 2, now + to, 2, diff);
		check_field("applied", cc_checksum_apply(check, diff), anew);
		check_field("applied to UDP", cc_checksum_apply_udp(cc_checksum_udp(check), diff),
			    anew ? anew : 0xffff);
		check_field("to none", cc_checksum_apply_udp(0, diff), 0);
		/* a sum that is still to be finished */
		check_field("to a sum", cc_checksum_sum16(cc_checksum_add((uint16_t)~check, diff)),
			    (uint16_t)~anew);
		if (from == to)
			check_field("address and port",
				    cc_checksum_replace(check, was, now, from + 2), anew);
		diff = cc_checksum_diff(NULL, 0, NULL, 0, 0);
		check_field("nothing", cc_checksum_apply(check, diff), check);
	}
}

/* AddressSanitizer writes its own notes by vectors. */
#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED 1
#elif defined(__has_feature)
#define SANITIZED __has_feature(address_sanitizer)
#else
#define SANITIZED 0
#endif

#if defined(__x86_64__) && !SANITIZED
/*
 * Calls @function, of up to five arguments, with a pattern in each vector register, and says
 * whether all are as they were.
 */
static bool leaves_vectors(uint32_t *result, const void *function, const uint64_t arguments[5])
{
	static _Alignas(16) unsigned char before[16 * 16], after[16 * 16];
	uint64_t sum = (uint64_t)(uintptr_t)function;
	void *stack;

	fill(before, sizeof(before), UNIFORM);
#define EACH(x)                                                                                    \
	x("0") x("1") x("2") x("3") x("4") x("5") x("6") x("7") x("8") x("9") x("10") x("11")      \
		x("12") x("13") x("14") x("15")
#define FILL(n) "movdqa 16*" n "+%[before], %%xmm" n "\n\t"
#define KEEP(n) "movdqa %%xmm" n ", 16*" n "+%[after]\n\t"
	/* below the stack pointer lies what the compiler keeps there */
	__asm__ volatile(EACH(FILL) "movq %%rsp, %[stack]\n\t"
				    "subq $256, %%rsp\n\t"
				    "andq $-64, %%rsp\n\t"
				    "movq (%[arguments]), %%rdi\n\t"
				    "movq 8(%[arguments]), %%rsi\n\t"
				    "movq 16(%[arguments]), %%rdx\n\t"
				    "movq 24(%[arguments]), %%rcx\n\t"
				    "movq 32(%[arguments]), %%r8\n\t"
				    "call *%%rax\n\t"
				    "movq %[stack], %%rsp\n\t" EACH(KEEP)
			 : "+a"(sum), [stack] "=&b"(stack), [after] "=m"(after)
			 : [before] "m"(before), [arguments] "r"(arguments)
			 : "rdi", "rsi", "rdx", "rcx", "r8", "r9", "r10", "r11", "cc", "memory",
			   "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8",
			   "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15");
	*result = (uint32_t)sum;
	return !memcmp(before, after, sizeof(before));
}

static bool sums_without(uint32_t *sum, const void *data, size_t len, uint64_t features)
{
	const uint64_t arguments[5] = {(uintptr_t)data, len, 0, features};

	return leaves_vectors(sum, (const void *)(uintptr_t)cc_checksum_partial_tier, arguments);
}

static bool copies_without(uint32_t *sum, void *to, const void *from, size_t len)
{
	const uint64_t arguments[5] = {(uintptr_t)to, (uintptr_t)from, len};

	return leaves_vectors(sum, (const void *)(uintptr_t)cc_checksum_copy_tier, arguments);
}

static void untouched(const char *tier)
{
	unsigned char *from = large.base, *to = large.base + MEGA;
	size_t round;
	uint32_t sum;

	test_case(tier, "vectors untouched");
	fill(from, MEGA, UNIFORM);
	for (round = 0; round < test_scaled(500); round++) {
		size_t len = round < 300 ? round : random_below(MEGA);
		uint16_t should = stored(bytes_sum(from, len));

		test_sizes(len, 0, 0);
		CHECK(sums_without(&sum, from, len, 0), "a sum by a vector");
		check_field("partial", cc_checksum_sum16(sum), should);
		CHECK(copies_without(&sum, to, from, len), "a copy by a vector");
		check_field("copy", cc_checksum_sum16(sum), should);
		CHECK(!memcmp(to, from, len), "not a copy");
	}
	/* and what finds them does */
	if (cc_cpu_detected() & CC_CPU_AVX2)
		CHECK(!sums_without(&sum, from, 1000, CC_CPU_X86_64 | CC_CPU_AVX2),
		      "a vector is not found");
}
#else
static void untouched(const char *tier)
{
	test_skip("vectors untouched [%s]: looked at on x86-64, without AddressSanitizer", tier);
}
#endif

/* The functions that take a tier: each by its needs, while all are in use and while few are. */
static void chosen_tiers(void)
{
	size_t count, t, round;
	const struct cc_cpu_tier *tiers = cc_cpu_tiers(&count);
	unsigned char *from = large.base, *to = large.base + MEGA;

	fill(from, MEGA, UNIFORM);
	for (t = 0; t < count; t++) {
		test_case(tiers[t].name, "chosen");
		for (round = 0; round < test_scaled(400); round++) {
			size_t len = round % 16 ? random_length() : random_below(COPIES);
			uint32_t before = (uint32_t)random_u64() >> 8;
			/* what is before the data, as memory would hold it */
			unsigned char words[2];
			uint16_t folded = cc_checksum_sum16(before), should;
			uint32_t sum;

			memcpy(words, &folded, 2);
			should = stored(bytes_sum(from, len) + bytes_sum(words, 2));
			test_sizes(len, t, 0);
			cc_cpu_set_mask(round % 2 ? ~(uint64_t)0 : random_u64());
			sum = cc_checksum_partial_tier(from, len, before, tiers[t].needs);
			check_congruent("partial", cc_checksum_sum16(sum), should);
			memset(to, 0, len);
			sum = cc_checksum_copy_tier(to, from, len, before, tiers[t].needs);
			check_congruent("copy", cc_checksum_sum16(sum), should);
			CHECK(!memcmp(to, from, len), "not a copy");
		}
	}
	cc_cpu_set_mask(~(uint64_t)0);
}

/*
 * What is copied changes meanwhile, here by the copy itself: the sum is that of what was
 * written.
 */
static void changing(const char *tier)
{
	unsigned char *base = large.base + OFFSETS * 4;
	size_t round;

	test_case(tier, "changing");
	for (round = 0; round < test_scaled(5000); round++) {
		size_t len = random_length();
		unsigned char *to = base + random_below(2 * OFFSETS);
		uint16_t sum;

		test_sizes(len, (size_t)(to - base), 0);
		fill(base, len + 2 * OFFSETS, UNIFORM);
		sum = cc_checksum_sum16(cc_checksum_copy(to, base + OFFSETS, len, 0));
		check_field("copy", sum, stored(bytes_sum(to, len)));
	}
}

static void all_functions(const char *tier)
{
	functions(tier);
	every_length(tier);
	blocks(tier);
	ranges(tier);
	translations(tier);
	changing(tier);
}

/* Schemes with one fault each.  A test that lets one of them pass is itself broken. */

#define SOUND cc_checksum_word

static cc_u32 never_flushed(const unsigned char *p, size_t len)
{
	cc_u32 sum = 0;

	for (; len > 1; p += 2, len -= 2)
		sum += cc_load_u16(p);
	return cc_checksum_add(sum, SOUND(p, len));
}

/* One word too many for 32 bits. */
static cc_u32 flushed_late(const unsigned char *p, size_t len)
{
	cc_u64 sum = 0;

	while (len) {
		size_t take = len < CC_CHECKSUM16_FLUSH + 4 ? len : CC_CHECKSUM16_FLUSH + 4;

		sum += never_flushed(p, take);
		p += take;
		len -= take;
	}
	return cc_checksum_fold32(sum);
}

static cc_u32 odd_byte_in_wrong_half(const unsigned char *p, size_t len)
{
	return SOUND(p, len & ~(size_t)1) +
	       (len & 1 ? cc_checksum_shift(cc_load_last(p + len - 1), 1) : 0);
}

static cc_u32 odd_byte_dropped(const unsigned char *p, size_t len)
{
	return SOUND(p, len & ~(size_t)1);
}

static cc_u32 carries_dropped(const unsigned char *p, size_t len)
{
	cc_word sum = 0;

	for (; len >= sizeof(sum); p += sizeof(sum), len -= sizeof(sum))
		sum += cc_load_word(p);
	return cc_checksum_fold32(cc_checksum_fold64(sum) + SOUND(p, len));
}

/* What has the carries of one place but not those of another. */
static cc_u32 last_carry_dropped(const unsigned char *p, size_t len)
{
	cc_word whole = 0, w;
	cc_u64 carries = 0;

	for (; len >= sizeof(w); p += sizeof(w), len -= sizeof(w)) {
		w = cc_load_word(p);
		whole += w;
		if (len >= 2 * sizeof(w))
			carries += whole < w;
	}
	return cc_checksum_fold32(cc_checksum_fold64(whole) + carries + SOUND(p, len));
}

static cc_u32 zero_for_zero(const unsigned char *p, size_t len)
{
	return SOUND(p, len) % 65535;
}

static cc_u32 reads_past(const unsigned char *p, size_t len)
{
	(void)*(const volatile unsigned char *)(p + len);
	return SOUND(p, len);
}

static cc_u32 reads_before(const unsigned char *p, size_t len)
{
	(void)*(const volatile unsigned char *)(p - 1);
	return SOUND(p, len);
}

/* Forgets that the vectors of an odd address hold other words. */
static cc_u32 odd_address_as_even(const unsigned char *p, size_t len)
{
	size_t head = (0 - (uintptr_t)p) % 16;

	if (len < 128)
		return SOUND(p, len);
	return cc_checksum_add(SOUND(p, head), SOUND(p + head, len - head));
}

static cc_u32 vector_forgotten(const unsigned char *p, size_t len)
{
	return len == 65536 + 32 ? SOUND(p, len - 32) : SOUND(p, len);
}

static cc_u32 length_in_16_bits(const unsigned char *p, size_t len)
{
	return SOUND(p, (uint16_t)len);
}

/*
 * The estimate of x86_64/deferred.h, in portable C with one lane a vector of 8 bytes, for
 * whole groups, with the constants that its proof gives or others.
 */
static uint64_t average(uint64_t a, uint64_t b)
{
	return (a + b + 1) / 2;
}

static cc_u32 estimated(const unsigned char *p, size_t len, size_t most, uint64_t margin)
{
	uint64_t sum = 0;

	while (len >= 64) {
		size_t groups = len / 64 < most ? len / 64 : most, i, j;
		uint64_t wrapped = 0, tops = 0, estimate, d;

		for (i = 0; i < groups; i++) {
			uint64_t v[8];

			memcpy(v, p + 64 * i, 64);
			for (j = 0; j < 8; j++) {
				wrapped += v[j];
				v[j] >>= 48;
			}
			tops += average(average(average(v[0], v[1]), average(v[2], v[3])),
					average(average(v[4], v[5]), average(v[6], v[7])));
		}
		estimate = 8 * tops - margin * groups;
		d = wrapped - (estimate << 48);
		sum += (d & 0xffffffffffff) + (d >> 48) + estimate;
		sum = cc_checksum_fold64(sum);
		p += 64 * groups;
		len -= 64 * groups;
	}
	return cc_checksum_fold32(sum + SOUND(p, len));
}

#define ESTIMATED ((size_t)3276)

static cc_u32 estimated_sound(const unsigned char *p, size_t len)
{
	return estimated(p, len, ESTIMATED, 12);
}

static cc_u32 estimated_too_long(const unsigned char *p, size_t len)
{
	return estimated(p, len, ESTIMATED + 1, 12);
}

static cc_u32 estimated_too_high(const unsigned char *p, size_t len)
{
	return estimated(p, len, ESTIMATED, 11);
}

static void run_broken(const void *context)
{
	check_scheme(context);
}

static void broken_schemes(void)
{
#define BROKEN(function, flush)                                                                    \
	{                                                                                          \
#function, "broken", 0, flush, function                                            \
	}
	static const struct cc_checksum_scheme broken[] = {
		BROKEN(never_flushed, CC_CHECKSUM16_FLUSH),
		BROKEN(flushed_late, CC_CHECKSUM16_FLUSH),
		BROKEN(odd_byte_in_wrong_half, 0),
		BROKEN(odd_byte_dropped, 0),
		BROKEN(carries_dropped, 0),
		BROKEN(last_carry_dropped, 0),
		BROKEN(zero_for_zero, 0),
		BROKEN(reads_past, 0),
		BROKEN(reads_before, 0),
		BROKEN(odd_address_as_even, 0),
		BROKEN(vector_forgotten, 0),
		BROKEN(length_in_16_bits, 0),
		BROKEN(estimated_too_long, (ESTIMATED + 1) * 64),
		BROKEN(estimated_too_high, ESTIMATED * 64),
	};
	static const struct cc_checksum_scheme sound[] = {
		{"sound", "sound", 0, 0, SOUND},
		{"sound estimate", "sound", 0, ESTIMATED * 64, estimated_sound},
	};
	size_t i;

	for (i = 0; i < COUNT(broken); i++)
		test_control(broken[i].name, true, run_broken, &broken[i]);
	for (i = 0; i < COUNT(sound); i++)
		test_control(sound[i].name, false, run_broken, &sound[i]);
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
	test_tiers(all_functions);
	chosen_tiers();
	untouched("generic");
	return test_end();
}
