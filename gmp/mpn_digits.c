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

#include <string.h>

/* The words from which a number is halved. */
#define HALVED 40

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

	for (; c.big <= ~(cc_word)0 / base; c.big *= base)
		c.digits++;
	return c;
}

/*
 * By log2(base), rounded down to 48 bits below the point: each squaring of the base, scaled to
 * [1, 2), doubles its logarithm, whose whole part is the next bit.
 */
size_t cc_mpn_sizeinbase(const cc_word *a, cc_mpn_size n, int base)
{
	unsigned int of_digit = power_of_two((unsigned int)base), i;
	cc_u64 scaled = (cc_u64)(unsigned int)base, low, rest, logarithm;
	size_t bits;

	if (!n)
		return 1;
	bits = bit_length(a, (size_t)n);
	if (of_digit)
		return (bits + of_digit - 1) / of_digit;
	i = cc_clz_u64(scaled);
	scaled <<= i;
	logarithm = 63 - i;
	for (i = 0; i < 48; i++) {
		low = cc_mul_u64(&scaled, scaled, scaled);
		logarithm = logarithm << 1 | scaled >> 63;
		if (!(scaled >> 63))
			scaled = scaled << 1 | low >> 63;
	}
	return (size_t)cc_div_any_u64(&rest, (cc_u64)bits >> 16, (cc_u64)bits << 48, logarithm) + 1;
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
		cc_word w = cc_limbs_divrem_1(a, a, n, c->big), digit;
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
	struct powers p;

	scratch = open_powers(&p, base, n, scratch);
	get_long(digits, width, a, n, &p, p.count - 1, scratch);
	while (zeros < width - 1 && !digits[zeros])
		zeros++;
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

int cc_try_get_str(size_t *count, unsigned char *digits, int base, cc_word *a, cc_mpn_size n)
{
	const unsigned int radix = (unsigned int)base, bits = power_of_two(radix);
	struct cc_room room;
	size_t i;

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
		for (i = 0; i < *count; i++)
			digits[i] =
				(unsigned char)(digits[i] - (digits[i] <= '9' ? '0' : 'a' - 10));
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
		cc_word value = 0, above;

		for (; i < end; i++)
			value = value * c->base + digits[i];
		above = cc_limbs_mul_1(r, r, n, c->big);
		above += cc_limbs_add_1(r, r, n, value);
		if (above)
			r[n++] = above;
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
	if (level < 0 || p->length[level] < HALVED / 2)
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
	if (!cc_room_open(&room, set_str_words(count, radix)))
		return 0;
	if (radix > 36) {
		scratch = open_powers(&p, radix, count / chunk_of(radix).digits + 1, room.words);
		*rn = (cc_mpn_size)set_long(r, digits, count, &p, p.count - 1, scratch);
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
