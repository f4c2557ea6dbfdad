// SPDX-License-Identifier: MIT
/*
 * Digits.  Those of bases up to 36 are natural.h's; above, numbers are cut by powers of the base,
 * recursively.
 */
#include <ctype.h>

#include "digits.h"

static const char characters[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

size_t mpz_sizeinbase(mpz_srcptr x, int base)
{
	return mpn_sizeinbase(x->_mp_d, (mp_size_t)mpz_length(x), base);
}

/* s[8] = the digits of base 16 of a value of 32 bits. */
static inline void put_eight_16(char *s, uint64_t v)
{
	uint64_t letters;
	unsigned int i;

	/* a digit a byte, the first one in the lowest */
	v = v >> 16 | (v & 0xffff) << 32;
	v = (v >> 8 & 0x000000ff000000ff) | (v & 0x000000ff000000ff) << 16;
	v = (v >> 4 & 0x000f000f000f000f) | (v & 0x000f000f000f000f) << 8;
	letters = (v + 0x0606060606060606) >> 4 & 0x0101010101010101;
	v += 0x3030303030303030 + letters * ('a' - '0' - 10);
	/* compilers make one store of this */
#pragma GCC unroll 8
	for (i = 0; i < 8; i++)
		s[i] = (char)(v >> 8 * i);
}

/* The same of words[n] whose top word is not 0; returns how many. */
static size_t digits_16(char *s, mp_srcptr words, size_t n)
{
	char top[GMP_LIMB_BITS / 4];
	size_t count = (words_bits(words, n) + 3) / 4 - (n - 1) * sizeof(top), all = count;
	char *to = top;

	while (n--) {
#if GMP_LIMB_BITS == 64
		put_eight_16(to, words[n] >> 32);
		put_eight_16(to + 8, words[n] & 0xffffffff);
#else
		put_eight_16(to, words[n]);
#endif
		if (to == top) {
			memcpy(s, top + sizeof(top) - count, count);
			to = s + count;
		} else {
			to += sizeof(top);
			all += sizeof(top);
		}
	}
	return all;
}

size_t cc_gmp_digits(char *s, unsigned int base, mp_srcptr words, size_t n)
{
	size_t scratch = base <= 36 ? cc_natural_to_digits_scratch(n, base) : 0, count, i;
	struct temporary t;
	mp_ptr copy;

	if (!n) {
		s[0] = '0';
		return 1;
	}
	if (base == 16)
		return digits_16(s, words, n);
	copy = temporary_open(&t, n + scratch);
	memcpy(copy, words, n * sizeof(mp_limb_t));
	if (base <= 36) {
		count = cc_natural_to_digits(s, copy, n, base, copy + n, NULL);
	} else {
		count = mpn_get_str((unsigned char *)s, (int)base, copy, (mp_size_t)n);
		for (i = 0; i < count; i++)
			s[i] = characters[(unsigned char)s[i]];
	}
	temporary_close(&t);
	return count;
}

char *mpz_get_str(char *s, int base, mpz_srcptr x)
{
	unsigned int radix = (unsigned int)(base < 0 ? -base : base ? base : 10);
	size_t n = mpz_length(x), room, count, i;
	int negative = x->_mp_size < 0;
	char *to, *made = NULL;

	if (radix < 2 || radix > (base < 0 ? 36u : 62u))
		return NULL;
	room = mpz_sizeinbase(x, (int)radix) + 2;
	/* natural.h may use more than it needs */
	count = radix <= 36 && radix != 16 ? cc_natural_digits_max(n, radix) + 2 : room;
	if (count < room)
		count = room;
	to = s;
	if (!s || count > room) {
		made = cc_gmp_allocate(count);
		to = made;
	}
	to[0] = '-';
	i = cc_gmp_digits(to + negative, radix, x->_mp_d, n) + (size_t)negative;
	to[i] = 0;
	if (base < 0) {
		size_t at;

		for (at = 0; at < i; at++)
			if (to[at] >= 'a')
				to[at] = (char)(to[at] - 'a' + 'A');
	}
	if (s && made) {
		memcpy(s, made, i + 1);
		cc_gmp_release(made, count);
		return s;
	}
	return s ? s : cc_gmp_reallocate(made, count, i + 1);
}

/* One more than a character's value in bases above 36, for those from '0' to 'z'; or 0. */
static const unsigned char values_of_62[] = {
	1,  2,	3,  4,	5,  6,	7,  8,	9,  10, 0,  0,	0,  0,	0,  0,	0,  11, 12,
	13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31,
	32, 33, 34, 35, 36, 0,	0,  0,	0,  0,	0,  37, 38, 39, 40, 41, 42, 43, 44,
	45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62,
};

static inline int digit_above_36(int c, int base)
{
	unsigned int at = (unsigned int)c - '0';
	int value = at < sizeof(values_of_62) ? values_of_62[at] - 1 : -1;

	return value < base ? value : -1;
}

int cc_gmp_digit(int c, int base)
{
	int value = c >= '0' && c <= '9'   ? c - '0'
		    : c >= 'A' && c <= 'Z' ? c - 'A' + 10
		    : c >= 'a' && c <= 'z' ? c - 'a' + 10
					   : base;

	if (base > 36)
		return digit_above_36(c, base);
	return value < base ? value : -1;
}

/* The same of decimal digits first, which is most of what is read. */
static inline int digit_of(int c, int base)
{
	unsigned int value = (unsigned int)c - '0';

	if (base > 36)
		return digit_above_36(c, base);
	return value <= 9 ? (int)value < base ? (int)value : -1 : cc_gmp_digit(c, base);
}

/* r = digits[count] of a base above 36 */
static void value_of(mpz_ptr r, const char *digits, size_t count, int base)
{
	struct temporary t;
	unsigned char *values;
	/* no base has fewer digits in a word than 62, 10 of 64 bits or 5 of 32 */
	mp_ptr words = mpz_room(r, count / (GMP_LIMB_BITS == 64 ? 10 : 5) + 1);
	size_t i;

	values = (unsigned char *)temporary_open(&t, count / sizeof(mp_limb_t) + 1);
	for (i = 0; i < count; i++)
		values[i] = (unsigned char)(values_of_62[digits[i] - '0'] - 1);
	r->_mp_size = (int)mpn_set_str(words, values, count, base);
	temporary_close(&t);
}

/* Eight characters, the first one of the least address. */
static inline uint64_t eight_characters(const char *s)
{
	uint64_t v = 0;
	unsigned int i;

	/* compilers make one load of this */
#pragma GCC unroll 8
	for (i = 0; i < 8; i++)
		v |= (uint64_t)(unsigned char)s[i] << 8 * i;
	return v;
}

/* The value of eight digits of base 16: letters have bit 6, and a low half of 1 for ten. */
static inline uint32_t eight_digits_16(const char *s)
{
	uint64_t v = eight_characters(s);

	v = (v & 0x0f0f0f0f0f0f0f0f) + 9 * (v >> 6 & 0x0101010101010101);
	v = (v << 4 | v >> 8) & 0x00ff00ff00ff00ff;
	v = (v << 8 | v >> 16) & 0x0000ffff0000ffff;
	return (uint32_t)(v << 16 | v >> 32);
}

/* How many of the first s[length] are decimal digits, but for up to seven. */
static size_t decimal_digits(const char *s, size_t length)
{
	size_t i;

	for (i = 0; i + 8 <= length; i += 8) {
		uint64_t v = eight_characters(s + i);

		/* from '0' to '9' neither sum reaches the top bit */
		if (((v + 0x4646464646464646) | (v - 0x3030303030303030) | v) & 0x8080808080808080)
			break;
	}
	return i;
}

/* r = digits[count] of a base that is a power of two */
static void value_of_bits(mpz_ptr r, const char *digits, size_t count, int base)
{
	const unsigned int bits = cc_word_ctz((mp_limb_t)base);
	unsigned int filled = 0;
	size_t n = 0;
	mp_limb_t word = 0;
	mp_ptr words;

	if (count > (SIZE_MAX - GMP_LIMB_BITS) / bits)
		cc_gmp_overflow();
	words = mpz_room(r, count * bits / GMP_LIMB_BITS + 1);
	for (; base == 16 && count >= GMP_LIMB_BITS / 4; n++) {
		count -= GMP_LIMB_BITS / 4;
		words[n] = eight_digits_16(digits + count);
#if GMP_LIMB_BITS == 64
		words[n] = words[n] << 32 | eight_digits_16(digits + count + 8);
#endif
	}
	while (count--) {
		mp_limb_t digit = (mp_limb_t)digit_of(digits[count], base);

		word |= digit << filled;
		filled += bits;
		if (filled >= GMP_LIMB_BITS) {
			words[n++] = word;
			filled -= GMP_LIMB_BITS;
			word = digit >> (bits - filled);
		}
	}
	words[n++] = word;
	mpz_close(r, n, 0);
}

void cc_gmp_value(mpz_ptr r, const char *digits, size_t count, int base)
{
	unsigned int radix = (unsigned int)base;
	struct temporary t;
	mp_ptr words;
	size_t n;

	if (base > 36) {
		value_of(r, digits, count, base);
		return;
	}
	if (!(base & (base - 1))) {
		value_of_bits(r, digits, count, base);
		return;
	}
	words = mpz_room(r, cc_natural_from_digits_max(count, radix));
	n = cc_natural_from_digits(
		words, digits, count, radix,
		temporary_open(&t, cc_natural_from_digits_scratch(count, radix)));
	temporary_close(&t);
	mpz_close(r, n, 0);
}

int cc_gmp_prefix(const char *s, int *base)
{
	*base = 10;
	if (s[0] != '0')
		return 0;
	*base = s[1] == 'x' || s[1] == 'X' ? 16 : s[1] == 'b' || s[1] == 'B' ? 2 : 8;
	return *base == 8 ? 1 : 2;
}

int mpz_set_str(mpz_ptr r, const char *s, int base)
{
	size_t length, count = 0, i;
	int negative, answer = 0;
	struct temporary t;
	char *digits;

	if (base && (base < 2 || base > 62))
		return -1;
	while (isspace((unsigned char)*s))
		s++;
	negative = *s == '-';
	s += negative;
	if (cc_gmp_digit((unsigned char)*s, base ? base : 10) < 0)
		return -1;
	if (!base)
		s += cc_gmp_prefix(s, &base);
	length = strlen(s);
	if (base >= 10)
		count = decimal_digits(s, length);
	while (count < length && digit_of((unsigned char)s[count], base) >= 0)
		count++;
	if (count == length) {
		/* no blanks: they are read where they are */
		for (; length && *s == '0'; length--)
			s++;
		cc_gmp_value(r, s, length, base);
		if (negative)
			r->_mp_size = -r->_mp_size;
		return 0;
	}
	count = 0;
	digits = (char *)temporary_open(&t, length / sizeof(mp_limb_t) + 1);
	for (i = 0; i < length && !answer; i++) {
		if (digit_of((unsigned char)s[i], base) >= 0) {
			if (count || s[i] != '0')
				digits[count++] = s[i];
		} else if (!isspace((unsigned char)s[i])) {
			answer = -1;
		}
	}
	if (!answer) {
		cc_gmp_value(r, digits, count, base);
		if (negative)
			r->_mp_size = -r->_mp_size;
	}
	temporary_close(&t);
	return answer;
}
