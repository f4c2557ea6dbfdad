// SPDX-License-Identifier: MIT
/* Numbers from bytes and to bytes, and random ones from a generator that a test has written. */
#include "fixed_kernels.h"
#include "harness.h"
#include "reference.h"

#include <carrychain/fixed.h>
#include <string.h>

#define SMALL	   12
#define WORD_BYTES sizeof(cc_word)
#define BYTES	   ((SMALL + 3) * WORD_BYTES)
#define BITS	   CC_WORD_BITS

static const char *tier;

/* The byte of weight 256^i */
static unsigned char byte_of(const cc_word *a, size_t n, size_t i)
{
	return i < n * WORD_BYTES ? (unsigned char)(a[i / WORD_BYTES] >> i % WORD_BYTES * 8) : 0;
}

/* a's lowest @length bytes in that order; whether they are all that is not 0 */
static bool ref_to_bytes(unsigned char *bytes, size_t length, const cc_word *a, size_t n,
			 unsigned int order)
{
	bool fits = true;
	size_t i;

	for (i = 0; i < length; i++)
		bytes[order ? length - 1 - i : i] = byte_of(a, n, i);
	for (; i < n * WORD_BYTES; i++)
		fits = fits && !byte_of(a, n, i);
	return fits;
}

/* Any words, mostly with zero bytes at the top. */
static void any_short(cc_word *a, size_t n)
{
	cc_word any[SMALL + 2];

	any_words(any, n);
	ref_shr(a, any, n, 8 * random_below(random_below(2) ? 9 : n * WORD_BYTES + 1));
}

static void test_bytes(void)
{
	cc_word a[SMALL + 2], *pa, *r;
	unsigned char should[BYTES], kept[BYTES], *bytes;
	size_t n, round;

	begin(tier, "cc_fz_from_bytes, to_bytes");
	for (n = 0; n <= SMALL; n++) {
		for (round = 0; round < test_scaled(300); round++) {
			unsigned int order = random_below(2) ? CC_BIG_ENDIAN : 0;
			size_t length = random_below((n + 2) * WORD_BYTES), m;
			bool fits;

			any_short(a, n);
			if (random_below(2))
				length = n * WORD_BYTES - random_below(n ? WORD_BYTES : 1);
			test_sizes(n, length, order);
			fits = ref_to_bytes(should, length, a, n, order);
			pa = place(FIRST, a, n);
			bytes = place_bytes(RESULT, NULL, length);
			memcpy(kept, bytes, length);
			CHECK(cc_fz_to_bytes(bytes, length, pa, n, order) ==
				      (fits ? CC_OK : CC_ERANGE),
			      "to_bytes: fits or not");
			CHECK(!memcmp(bytes, fits ? should : kept, length), "to_bytes");

			/* and into another number of words */
			m = random_below(n + 3);
			if (m > SMALL)
				m = SMALL;
			bytes = place_bytes(SECOND, should, length);
			r = place(SECOND_RESULT, NULL, m);
			memset(a, 0xc9, sizeof(a));
			fits = true;
			for (size_t i = m * WORD_BYTES; i < length; i++)
				fits = fits && !should[order ? length - 1 - i : i];
			for (size_t i = 0; fits && i < m * WORD_BYTES; i++) {
				cc_word byte = i < length ? should[order ? length - 1 - i : i] : 0;

				a[i / WORD_BYTES] &= ~((cc_word)0xff << i % WORD_BYTES * 8);
				a[i / WORD_BYTES] |= byte << i % WORD_BYTES * 8;
			}
			CHECK(cc_fz_from_bytes(r, m, bytes, length, order) ==
				      (fits ? CC_OK : CC_ERANGE),
			      "from_bytes: fits or not");
			check_words("from_bytes", r, a, m);
			check_guards();
		}
	}
}

static void test_below(void)
{
	cc_word m[SMALL], a[SMALL + 2], wide[SMALL + 2], *pm, *r;
	const cc_word zero[SMALL + 2] = {0}, one[SMALL + 2] = {1};
	unsigned char bytes[BYTES], *at;
	size_t n, round;

	begin(tier, "cc_fz_from_bytes_below");
	for (n = 0; n <= SMALL; n++) {
		for (round = 0; round < test_scaled(300); round++) {
			unsigned int order = random_below(2) ? CC_BIG_ENDIAN : 0;
			size_t length = random_below((n + 2) * WORD_BYTES + 1);
			bool in_place = random_below(2), below;

			test_sizes(n, length, order);
			any_short(m, n);
			memcpy(wide, m, n * sizeof(*m));
			memset(wide + n, 0, 2 * sizeof(*wide));
			switch (random_below(4)) {
			case 0: /* m itself, or one beside it */
				memcpy(a, wide, (n + 2) * sizeof(*a));
				break;
			case 1:
				ref_sub(a, wide, one, n + 2, 0);
				break;
			case 2: /* m and more above */
				memcpy(a, wide, (n + 2) * sizeof(*a));
				a[random_below(n + 2)] |= (cc_word)1 << random_below(BITS);
				break;
			default:
				any_short(a, n + 2);
			}
			ref_to_bytes(bytes, length, a, n + 2, order);
			/* what the bytes are worth */
			memset(a, 0, sizeof(a));
			for (size_t i = 0; i < length; i++)
				a[i / WORD_BYTES] |= (cc_word)bytes[order ? length - 1 - i : i]
						     << i % WORD_BYTES * 8;
			below = ref_cmp(a, wide, n + 2) < 0;
			at = place_bytes(FIRST, bytes, length);
			pm = place(SECOND, m, n);
			r = in_place ? pm : place(RESULT, NULL, n);
			CHECK(cc_fz_from_bytes_below(r, pm, n, at, length, order) ==
				      (below ? TRUE : 0),
			      "below or not");
			check_words("value", r, below ? a : zero, n);
			check_guards();
		}
	}
}

/* A generator that keeps what it gave, ends with an error, or is stuck. */
#define CALLS 140

struct source {
	unsigned char given[CALLS][BYTES + 16];
	size_t lengths[CALLS], calls;
	size_t fails_at; /* the call that fails, or more than there are */
	bool stuck;	 /* all ones */
};

#define FAILURE (-77)

static int generate(void *state, unsigned char *bytes, size_t length)
{
	struct source *s = state;
	cc_word words[BYTES / WORD_BYTES + 4];

	if (s->calls >= CALLS || length > sizeof(words))
		return 1;
	s->lengths[s->calls] = length;
	random_words(words, sizeof(words) / sizeof(*words));
	if (random_below(2))
		random_dense_words(words, sizeof(words) / sizeof(*words), 32);
	memcpy(s->given[s->calls], words, length);
	if (s->stuck)
		memset(s->given[s->calls], 0xff, length);
	memcpy(bytes, s->given[s->calls], length);
	return s->calls++ == s->fails_at ? FAILURE : CC_OK;
}

static struct source source;

static void begin_source(size_t fails_at, bool stuck)
{
	source.calls = 0;
	source.fails_at = fails_at;
	source.stuck = stuck;
}

/* The number that call @i gave, its lowest @bits bits */
static void given(cc_word *r, size_t n, size_t i, size_t bits)
{
	memset(r, 0, n * sizeof(*r));
	for (size_t bit = 0; bit < bits; bit++)
		r[bit / BITS] |= (cc_word)(source.given[i][bit / 8] >> bit % 8 & 1) << bit % BITS;
}

static void test_random_bits(void)
{
	cc_word should[SMALL], *r;
	const cc_word zero[SMALL] = {0};
	size_t n, bits;

	begin(tier, "cc_fz_random_bits");
	for (n = 0; n <= SMALL; n++) {
		for (bits = 0; bits <= n * BITS; bits += 1 + random_below(9)) {
			bool fails = !random_below(4) && bits;

			test_sizes(n, bits, fails);
			r = place(RESULT, NULL, n);
			begin_source(fails ? 0 : CALLS, false);
			CHECK(cc_fz_random_bits(r, n, bits, generate, &source) ==
				      (fails ? FAILURE : CC_OK),
			      "status");
			CHECK(source.calls == (bits > 0), "%zu calls", source.calls);
			CHECK(!bits || source.lengths[0] == (bits + 7) / 8, "bytes");
			given(should, n, 0, bits);
			check_words("bits", r, fails ? zero : should, n);
			check_guards();
		}
		r = place(RESULT, NULL, n);
		memset(should, 0xc9, sizeof(should));
		begin_source(CALLS, false);
		CHECK(cc_fz_random_bits(r, n, n * BITS + 1, generate, &source) == CC_EINVAL,
		      "too many bits taken");
		CHECK(!source.calls, "asked for what it refused");
		check_words("untouched", r, should, n);
	}
}

/* What comes of the tries in turn */
static int ref_random_below(cc_word *r, const cc_word *m, size_t n, size_t bits, size_t tries)
{
	size_t i;

	for (i = 0; i < tries; i++) {
		given(r, n, i, bits);
		if (i == source.fails_at)
			break;
		if (ref_cmp(r, m, n) < 0)
			return CC_OK;
	}
	memset(r, 0, n * sizeof(*r));
	return i < tries ? FAILURE : CC_EINVAL;
}

static void test_random_below(void)
{
	cc_word m[SMALL], should[SMALL], *pm, *r;
	size_t n, round, bits;
	int status;

	begin(tier, "cc_fz_random_below");
	for (n = 1; n <= SMALL; n++) {
		for (round = 0; round < test_scaled(200); round++) {
			size_t kind = random_below(8);

			any_short(m, n);
			if (kind < 2) {
				memset(m, 0, n * sizeof(*m));
				m[random_below(n)] = (cc_word)1 << (kind ? random_below(BITS) : 0);
			}
			m[0] |= cc_fz_is_zero(m, n) & 1;
			/* all ones, of which a stuck generator's are never below */
			bits = cc_fz_bits(m, n);
			if (kind == 2) {
				memset(should, 0xff, sizeof(should));
				ref_shr(m, should, n, n * BITS - bits);
			}
			test_sizes(n, bits, kind);
			begin_source(kind == 3 ? random_below(3) : CALLS, kind == 2);
			pm = place(FIRST, m, n);
			r = place(RESULT, NULL, n);
			status = cc_fz_random_below(r, pm, n, generate, &source);
			CHECK(status == ref_random_below(should, m, n, bits, source.calls),
			      "status %d", status);
			CHECK(kind != 2 || (status == CC_EINVAL && source.calls == 128),
			      "stuck, %zu tries", source.calls);
			check_words("number", r, should, n);
			check_guards();
		}
		memset(m, 0, sizeof(m));
		memset(should, 0xc9, sizeof(should));
		r = place(RESULT, NULL, n);
		begin_source(CALLS, false);
		CHECK(cc_fz_random_below(r, m, n, generate, &source) == CC_EINVAL, "m = 0 taken");
		CHECK(!source.calls, "asked for what it refused");
		check_words("untouched", r, should, n);
	}
	CHECK(cc_fz_random_below(NULL, NULL, 0, generate, &source) == CC_EINVAL, "n = 0 taken");
}

static void test_random_wide(void)
{
	enum { EXTRA = 128 / BITS };
	static const cc_word too_wide[CC_FZ_MAX + 1] = {1};
	cc_word m[SMALL], drawn[SMALL + EXTRA], q[SMALL + EXTRA], should[SMALL], *pm, *r;
	size_t n, round;

	begin(tier, "cc_fz_random_wide");
	for (n = 1; n <= SMALL; n++) {
		for (round = 0; round < test_scaled(100); round++) {
			bool in_place = random_below(2), fails = !random_below(4);

			test_sizes(n, in_place, fails);
			any_modulus(m, n);
			begin_source(fails ? 0 : CALLS, false);
			pm = place(FIRST, m, n);
			r = in_place ? pm : place(RESULT, NULL, n);
			memcpy(should, r, n * sizeof(*r));
			CHECK(cc_fz_random_wide(r, pm, n, generate, &source) ==
				      (fails ? FAILURE : CC_OK),
			      "status");
			CHECK(source.calls == 1 && source.lengths[0] == n * WORD_BYTES + 16,
			      "bytes");
			given(drawn, n + EXTRA, 0, (n + EXTRA) * BITS);
			if (!fails)
				ref_divrem(q, should, drawn, n + EXTRA, m, n);
			check_words("number", r, should, n);
			check_guards();
		}
	}
	memset(m, 0, sizeof(m));
	memset(should, 0x37, sizeof(should));
	begin_source(CALLS, false);
	CHECK(cc_fz_random_wide(should, m, 2, generate, &source) == CC_EINVAL, "m = 0 taken");
	CHECK(cc_fz_random_wide(should, too_wide, CC_FZ_MAX + 1, generate, &source) == CC_EINVAL,
	      "too wide taken");
	CHECK(!source.calls && (should[0] & 0xff) == 0x37, "wrote what it refused");
}

void fixed_bytes(const char *in_tier)
{
	tier = in_tier;
	test_bytes();
	test_below();
	test_random_bits();
	test_random_below();
	test_random_wide();
}
