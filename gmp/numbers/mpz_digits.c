// SPDX-License-Identifier: MIT
/*
 * Digits.  Those of bases up to 36 are natural.h's; above, numbers are cut by powers of the base,
 * recursively.
 */
#include <ctype.h>

#include "digits.h"

static const char characters[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/* 2^64 / log2(base), rounded up; powers of two need none */
static const uint64_t digits_per_bit[63] = {
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

size_t mpz_sizeinbase(mpz_srcptr x, int base)
{
	mp_bitcnt_t bits = words_bits(x->_mp_d, mpz_length(x));
	unsigned int log = 0;
	uint64_t digits;

	if (!bits)
		return 1;
	if (!(base & (base - 1))) {
		while (base >> (log + 1))
			log++;
		return bits / log + (bits % log != 0);
	}
	(void)cc_mul_u64(&digits, bits, digits_per_bit[base]);
	return (size_t)digits + 1;
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
	count = radix <= 36 ? cc_natural_digits_max(n, radix) + 2 : room;
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

int cc_gmp_digit(int c, int base)
{
	int value = c >= '0' && c <= '9'   ? c - '0'
		    : c >= 'A' && c <= 'Z' ? c - 'A' + 10
		    : c >= 'a' && c <= 'z' ? c - 'a' + (base > 36 ? 36 : 10)
					   : base;

	return value < base ? value : -1;
}

/* The same of decimal digits first, which is most of what is read. */
static inline int digit_of(int c, int base)
{
	unsigned int value = (unsigned int)c - '0';

	return value <= 9 ? (int)value < base ? (int)value : -1 : cc_gmp_digit(c, base);
}

/* r = digits[count] of a base above 36, which become their values */
static void value_of(mpz_ptr r, char *digits, size_t count, int base)
{
	/* no base has fewer digits in a word than 62, 10 of 64 bits or 5 of 32 */
	mp_ptr words = mpz_room(r, count / (GMP_LIMB_BITS == 64 ? 10 : 5) + 1);
	size_t i;

	for (i = 0; i < count; i++)
		digits[i] = (char)digit_of(digits[i], base);
	r->_mp_size = (int)mpn_set_str(words, (unsigned char *)digits, count, base);
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

void cc_gmp_value(mpz_ptr r, char *digits, size_t count, int base)
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
