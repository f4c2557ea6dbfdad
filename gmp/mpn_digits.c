// SPDX-License-Identifier: MIT
/*
 * Digits.  Those of bases up to 36 are natural.h's; other bases are halved here by the powers
 * base^(chunk 2^i), as there.
 */
#include "memory.h"
#include "mpn.h"

#include <carrychain/limbs.h>
#include <carrychain/natural.h>

#include "../src/limbs/divide.h"
#include "../src/natural/radix.h"

#include <string.h>

/*
 * The words from which a number is halved; those of a power from which numbers are multiplied by
 * it; and so many digits that they aren't.
 */
#define HALVED	     14
#define MULTIPLIED   20
#define SHORT_DIGITS (16 * MULTIPLIED)

static unsigned int power_of_two(unsigned int base)
{
	return base & (base - 1) ? 0 : cc_word_ctz(base);
}

static size_t bit_length(const cc_word *a, size_t n)
{
	return n * CC_WORD_BITS - cc_word_clz(a[n - 1]);
}

/* Digits that fit a word, and base^chunk. */
struct chunk {
	unsigned int base, digits;
	cc_word big;
};

static struct chunk chunk_of(unsigned int base)
{
	struct chunk c = {base, 0, 1};
	cc_word above, next = base;

	for (above = 0; !above; next = cc_word_mul(&above, next, base)) {
		c.big = next;
		c.digits++;
	}
	return c;
}

/* 2^64 / log2(base), rounded up, for bases up to 62; powers of two need none */
static const cc_u64 digits_per_bit[63] = {
	0,
	0,
	0,
	0xa1849cc1a9a9e94f,
	0,
	0x6e40d1a4143dcb95,
	0x6308c91b702a7cf5,
	0x5b3064eb3aa6d389,
	0,
	0x50c24e60d4d4f4a8,
	0x4d104d427de7fbcd,
	0x4a00270775914e89,
	0x4768ce0d05818e13,
	0x452e53e365907bdb,
	0x433cfffb4b5aae56,
	0x41867711b4f85356,
	0,
	0x3ea16afd58b10967,
	0x3d64598d154dc4df,
	0x3c43c23018bb5564,
	0x3b3b9a42873069c8,
	0x3a4898f06cf41aca,
	0x39680b13582e7c19,
	0x3897b2b751ae561b,
	0x37d5aed131f19c99,
	0x372068d20a1ee5cb,
	0x3676867e5d60de2a,
	0x35d6deeb388df870,
	0x354071d61c77fa2f,
	0x34b260c5671b18ad,
	0x342be986572b45cd,
	0x33ac61b998fbbdf3,
	0,
	0x32bfd90114c12862,
	0x3251dcf6169e45f3,
	0x31e8d59f180dc631,
	0x3184648db8153e7b,
	0x312434e89c35dace,
	0x30c7fa349460a542,
	0x306f6f4c8432bc6e,
	0x301a557ffbfdd253,
	0x2fc873d1fda55f3c,
	0x2f799652a4e6dc4a,
	0x2f2d8d8f64460aae,
	0x2ee42e164e8f53a5,
	0x2e9d500984041dbe,
	0x2e58cec05a6a8145,
	0x2e1688743ef9104d,
	0x2dd65df7a5835990,
	0x2d9832759d5369c5,
	0x2d5beb38dcd1394d,
	0x2d216f7943e2ba6b,
	0x2ce8a82efbb3ff2d,
	0x2cb17fea7ad7e333,
	0x2c7be2b0cfa1ba51,
	0x2c47bddba92d7464,
	0x2c14fffcaa8b131f,
	0x2be398c3a38be054,
	0x2bb378e758451069,
	0x2b8492108be5e5f8,
	0x2b56d6c70d55481c,
	0x2b2a3a608c72ddd6,
	0x2afeb0f1060c7e42,
};

/*
 * bits / log2(base), by the logarithm rounded down to 48 bits below the point: each squaring of the
 * base, scaled to [1, 2), doubles it, and its whole part is the next bit.
 */
static size_t by_logarithm(size_t bits, int base)
{
	cc_u64 scaled = (cc_u64)(unsigned int)base, low, rest, logarithm;
	unsigned int i = cc_clz_u64(scaled);

	scaled <<= i;
	logarithm = 63 - i;
	for (i = 0; i < 48; i++) {
		low = cc_mul_u64(&scaled, scaled, scaled);
		logarithm = logarithm << 1 | scaled >> 63;
		if (!(scaled >> 63))
			scaled = scaled << 1 | low >> 63;
	}
	return (size_t)cc_div_any_u64(&rest, (cc_u64)bits >> 16, (cc_u64)bits << 48, logarithm);
}

size_t cc_mpn_sizeinbase(const cc_word *a, cc_mpn_size n, int base)
{
	unsigned int of_digit = power_of_two((unsigned int)base);
	cc_u64 digits;
	size_t bits;

	if (!n)
		return 1;
	bits = bit_length(a, (size_t)n);
	if (of_digit)
		return (bits + of_digit - 1) / of_digit;
	if (base > 62)
		return by_logarithm(bits, base) + 1;
	(void)cc_mul_u64(&digits, bits, digits_per_bit[base]);
	return (size_t)digits + 1;
}

/*
 * big^(2^i), each the square of the one before, in @store, as long as it has at most half of n
 * words.
 */
struct powers {
	struct chunk chunk;
	const cc_word *words[CC_WORD_BITS];
	size_t length[CC_WORD_BITS];
	int count;
};

/* A power of at most n / 2 + 1 words, and before it half of that, and so on; a square's work. */
static size_t powers_words(size_t n)
{
	return 2 * n + CC_WORD_BITS + cc_natural_sqr_scratch(n);
}

/* Returns what follows them. */
static cc_word *open_powers(struct powers *p, unsigned int base, size_t n, cc_word *store)
{
	p->chunk = chunk_of(base);
	p->count = 1;
	store[0] = p->chunk.big;
	p->words[0] = store;
	p->length[0] = 1;
	store++;
	while (4 * p->length[p->count - 1] <= n + 2) {
		size_t length = p->length[p->count - 1];

		cc_natural_sqr(store, p->words[p->count - 1], length, store + 2 * length);
		p->words[p->count] = store;
		p->length[p->count] = cc_limbs_normalise(store, 2 * length);
		store += p->length[p->count++];
	}
	return store;
}

/*
 * a[n] as @width digits, with zeros before it; a is destroyed.  A word w of them is the fraction
 * w / big, of B parts and rounded up, whose products with the base have the digits above.
 */
static void get_short(unsigned char *digits, size_t width, cc_word *a, size_t n,
		      const struct chunk *c)
{
	const struct cc_divisor by = cc_divisor(c->big);

	while ((n = cc_limbs_normalise(a, n))) {
		cc_word w = cc_limbs_divrem_by(a, a, n, &by), digit;
		size_t places = width < c->digits ? width : c->digits, i;

		w = cc_word_div_2by1(&digit, w << by.shift, 0, by.d, by.reciprocal) + 1;
		for (i = places; i < c->digits; i++)
			w *= c->base;
		width -= places;
		for (i = 0; i < places; i++) {
			w = cc_word_mul(&digit, w, c->base);
			digits[width + i] = (unsigned char)digit;
		}
	}
	memset(digits, 0, width);
}

static void get_long(unsigned char *digits, size_t width, cc_word *a, size_t n,
		     const struct powers *p, int level, cc_word *scratch)
{
	size_t length, low, qn;

	n = cc_limbs_normalise(a, n);
	while (level >= 0 && (p->length[level] > n || (size_t)p->chunk.digits << level >= width))
		level--;
	if (level < 0 || n < HALVED) {
		get_short(digits, width, a, n, &p->chunk);
		return;
	}
	length = p->length[level];
	low = (size_t)p->chunk.digits << level;
	qn = n - length + 1;
	cc_natural_divrem(scratch, a, a, n, p->words[level], length, scratch + qn);
	get_long(digits, width - low, scratch, qn, p, level, scratch + qn);
	get_long(digits + width - low, low, a, length, p, level - 1, scratch + qn);
}

/*
 * Of k times the power's length L, k < 4, there are quotients of (k - 1) L, (k - 2) L and so on
 * down to L words, then of half of that, and a word more each: at most 7/4 n of all.
 */
static size_t get_words(size_t n)
{
	return powers_words(n) + 3 * n + 4 * CC_WORD_BITS +
	       cc_natural_divrem_scratch(n + 1, n / 2 + 2);
}

/* Of the digits in their places; leading zeros are left out. */
static size_t get_other(unsigned char *digits, unsigned int base, cc_word *a, size_t n,
			cc_word *scratch)
{
	size_t width = cc_mpn_sizeinbase(a, (cc_mpn_size)n, (int)base), zeros = 0;
	struct chunk short_chunk;
	struct powers p;

	if (n < HALVED) {
		short_chunk = chunk_of(base);
		get_short(digits, width, a, n, &short_chunk);
	} else {
		scratch = open_powers(&p, base, n, scratch);
		get_long(digits, width, a, n, &p, p.count - 1, scratch);
	}
	while (zeros < width - 1 && !digits[zeros])
		zeros++;
	if (zeros)
		memmove(digits, digits + zeros, width - zeros);
	return width - zeros;
}

static size_t get_fields(unsigned char *digits, unsigned int bits, const cc_word *a, size_t n)
{
	size_t count = (bit_length(a, n) + bits - 1) / bits, i;

	for (i = 0; i < count; i++) {
		size_t at = (count - 1 - i) * bits, word = at / CC_WORD_BITS;
		unsigned int low = at % CC_WORD_BITS;
		cc_word field = a[word] >> low;

		if (low + bits > CC_WORD_BITS && word + 1 < n)
			field |= a[word + 1] << (CC_WORD_BITS - low);
		digits[i] = (unsigned char)(field & (((cc_word)1 << bits) - 1));
	}
	return count;
}

static size_t get_str_words(size_t n, unsigned int base)
{
	if (power_of_two(base))
		return 0;
	return base <= 36 ? cc_natural_to_digits_scratch(n, base) : get_words(n);
}

/* Characters to their values. */
static void to_values(unsigned char *digits, size_t count, unsigned int radix)
{
	size_t i = 0;
	cc_u64 v;

	for (; radix <= 10 && i + sizeof(v) <= count; i += sizeof(v)) {
		memcpy(&v, digits + i, sizeof(v));
		v &= 0x0f0f0f0f0f0f0f0f;
		memcpy(digits + i, &v, sizeof(v));
	}
	for (; i < count; i++)
		digits[i] = (unsigned char)(digits[i] - (digits[i] <= '9' ? '0' : 'a' - 10));
}

int cc_try_get_str(size_t *count, unsigned char *digits, int base, cc_word *a, cc_mpn_size n)
{
	const unsigned int radix = (unsigned int)base, bits = power_of_two(radix);
	struct cc_room room;

	if (bits) {
		*count = get_fields(digits, bits, a, (size_t)n);
		return 1;
	}
	if (!cc_room_open(&room, get_str_words((size_t)n, radix)))
		return 0;
	if (radix > 36) {
		*count = get_other(digits, radix, a, (size_t)n, room.words);
	} else {
		*count =
			cc_natural_to_digits((char *)digits, a, (size_t)n, radix, room.words, NULL);
		to_values(digits, *count, radix);
	}
	cc_room_close(&room);
	return 1;
}

size_t cc_mpn_get_str(unsigned char *digits, int base, cc_word *a, cc_mpn_size n)
{
	size_t count;

	if (!cc_try_get_str(&count, digits, base, a, n))
		cc_room_refused(get_str_words((size_t)n, (unsigned int)base));
	return count;
}

static size_t set_short(cc_word *r, const unsigned char *digits, size_t count,
			const struct chunk *c)
{
	size_t i = 0, n = 0;

	while (i < count) {
		/* the first chunk has the remaining digits */
		size_t end = i + ((count - i) % c->digits ? (count - i) % c->digits : c->digits);
		cc_word value = 0;

		/* two at once: each step waits for a product */
		for (; i + 1 < end; i += 2)
			value = value * (c->base * c->base) + (digits[i] * c->base + digits[i + 1]);
		if (i < end)
			value = value * c->base + digits[i++];
		n = cc_radix_append(r, n, c->big, value);
	}
	return n;
}

static size_t set_long(cc_word *r, const unsigned char *digits, size_t count,
		       const struct powers *p, int level, cc_word *scratch)
{
	size_t low, high, n;
	cc_word *rest;

	while (level >= 0 && (size_t)p->chunk.digits << level >= count)
		level--;
	if (level < 0 || p->length[level] < MULTIPLIED)
		return set_short(r, digits, count, &p->chunk);
	low = (size_t)p->chunk.digits << level;
	rest = scratch + (count - low) / p->chunk.digits + 2;
	high = set_long(scratch, digits, count - low, p, level, rest);
	n = p->length[level] + high;
	cc_natural_mul(r, p->words[level], p->length[level], scratch, high, scratch + high);
	rest = scratch + low / p->chunk.digits + 2;
	low = set_long(scratch, digits + count - low, low, p, level - 1, rest);
	if (!high) {
		memcpy(r, scratch, low * sizeof(*r));
		return low;
	}
	cc_limbs_add_1(r + low, r + low, n - low, cc_limbs_add(r, r, scratch, low));
	return cc_limbs_normalise(r, n);
}

/* The upper parts are as get_words() has the quotients. */
static size_t set_words(size_t n)
{
	return powers_words(n) + 3 * n + 4 * CC_WORD_BITS + cc_natural_mul_scratch(n, n);
}

static size_t set_fields(cc_word *r, const unsigned char *digits, size_t count, unsigned int bits)
{
	size_t n = (count * bits + CC_WORD_BITS - 1) / CC_WORD_BITS, at = 0;

	memset(r, 0, n * sizeof(*r));
	for (; count--; at += bits) {
		unsigned int low = at % CC_WORD_BITS;

		r[at / CC_WORD_BITS] |= (cc_word)digits[count] << low;
		/* the top digit's bits may end with the last word's */
		if (low + bits > CC_WORD_BITS && digits[count] >> (CC_WORD_BITS - low))
			r[at / CC_WORD_BITS + 1] |= (cc_word)digits[count] >> (CC_WORD_BITS - low);
	}
	return cc_limbs_normalise(r, n);
}

static size_t set_str_words(size_t count, unsigned int base)
{
	if (power_of_two(base))
		return 0;
	if (base > 36)
		return set_words(count / chunk_of(base).digits + 1);
	return count / sizeof(cc_word) + 1 + cc_natural_from_digits_scratch(count, base);
}

int cc_try_set_str(cc_mpn_size *rn, cc_word *r, const unsigned char *digits, size_t count, int base)
{
	static const char characters[] = "0123456789abcdefghijklmnopqrstuvwxyz";
	const unsigned int radix = (unsigned int)base, bits = power_of_two(radix);
	struct cc_room room;
	struct powers p;
	cc_word *scratch;
	char *text;
	size_t i;

	for (; count && !*digits; count--)
		digits++;
	if (bits || !count) {
		*rn = (cc_mpn_size)set_fields(r, digits, count, bits);
		return 1;
	}
	if (radix <= 10 && !cc_natural_from_digits_scratch(count, radix)) {
		*rn = (cc_mpn_size)cc_natural_from_digits(r, (const char *)digits, count, radix,
							  NULL);
		return 1;
	}
	if (radix > 36 && count < SHORT_DIGITS) {
		const struct chunk c = chunk_of(radix);

		*rn = (cc_mpn_size)set_short(r, digits, count, &c);
		return 1;
	}
	if (!cc_room_open(&room, set_str_words(count, radix)))
		return 0;
	if (radix > 36) {
		scratch = open_powers(&p, radix, count / chunk_of(radix).digits + 1, room.words);
		*rn = (cc_mpn_size)set_long(r, digits, count, &p, p.count - 1, scratch);
	} else if (radix <= 10) {
		/* natural.h's functions read values as well */
		*rn = (cc_mpn_size)cc_natural_from_digits(r, (const char *)digits, count, radix,
							  room.words);
	} else {
		text = (char *)room.words;
		scratch = room.words + count / sizeof(cc_word) + 1;
		for (i = 0; i < count; i++)
			text[i] = characters[digits[i]];
		*rn = (cc_mpn_size)cc_natural_from_digits(r, text, count, radix, scratch);
	}
	cc_room_close(&room);
	return 1;
}

cc_mpn_size cc_mpn_set_str(cc_word *r, const unsigned char *digits, size_t count, int base)
{
	cc_mpn_size rn;

	if (!cc_try_set_str(&rn, r, digits, count, base))
		cc_room_refused(set_str_words(count, (unsigned int)base));
	return rn;
}
