// SPDX-License-Identifier: MIT
/* Digits in any radix from 2 to 36: signs, errors and memory around limbs/. */
#include "room.h"

static int is_radix(int radix)
{
	return radix >= 2 && radix <= 36;
}

/* A digit's value plus 1; 0 for characters that are not digits in any radix. */
static const unsigned char digit_or_none[256] = {
	['0'] = 1,  ['1'] = 2,	['2'] = 3,  ['3'] = 4,	['4'] = 5,  ['5'] = 6,	['6'] = 7,
	['7'] = 8,  ['8'] = 9,	['9'] = 10, ['a'] = 11, ['b'] = 12, ['c'] = 13, ['d'] = 14,
	['e'] = 15, ['f'] = 16, ['g'] = 17, ['h'] = 18, ['i'] = 19, ['j'] = 20, ['k'] = 21,
	['l'] = 22, ['m'] = 23, ['n'] = 24, ['o'] = 25, ['p'] = 26, ['q'] = 27, ['r'] = 28,
	['s'] = 29, ['t'] = 30, ['u'] = 31, ['v'] = 32, ['w'] = 33, ['x'] = 34, ['y'] = 35,
	['z'] = 36, ['A'] = 11, ['B'] = 12, ['C'] = 13, ['D'] = 14, ['E'] = 15, ['F'] = 16,
	['G'] = 17, ['H'] = 18, ['I'] = 19, ['J'] = 20, ['K'] = 21, ['L'] = 22, ['M'] = 23,
	['N'] = 24, ['O'] = 25, ['P'] = 26, ['Q'] = 27, ['R'] = 28, ['S'] = 29, ['T'] = 30,
	['U'] = 31, ['V'] = 32, ['W'] = 33, ['X'] = 34, ['Y'] = 35, ['Z'] = 36,
};

static int is_digit(char c, int radix)
{
	/* 0 becomes the greatest */
	return digit_or_none[(unsigned char)c] - 1u < (unsigned int)radix;
}

int cc_bigint_from_string(cc_bigint *r, const char *s, int radix)
{
	return cc_bigint_from_string_watched(r, s, radix, NULL);
}

int cc_bigint_from_string_watched(cc_bigint *r, const char *s, int radix,
				  const struct cc_progress *progress)
{
	struct cc_watch w = {progress, 0, 0, 0};
	struct cc_scratch scratch;
	struct cc_room room;
	size_t words;
	size_t count, length;
	int negative, err;

	if (!is_radix(radix))
		return CC_EINVAL;
	negative = *s == '-';
	if (*s == '-' || *s == '+')
		s++;
	if (!*s)
		return CC_EINVAL;
	for (count = 0; is_digit(s[count], radix); count++)
		;
	if (s[count])
		return CC_EINVAL;
	for (; count > 1 && *s == '0'; count--)
		s++;
	/* too many digits to count their bits, at most 6 each */
	if (count > SIZE_MAX / 6)
		return CC_ENOMEM;

	words = cc_natural_from_digits_max(count, (unsigned int)radix);
	/* not in r's own words: stopped work would leave neither value */
	err = progress ? cc_room_alloc(&room, r, words) : cc_room_open(&room, r, words);
	if (err)
		return err;
	err = cc_scratch_open(&scratch, cc_natural_from_digits_scratch(count, (unsigned int)radix));
	if (err) {
		cc_room_abandon(&room, r);
		return err;
	}
	length = cc_natural_from_digits_watched(room.words, s, count, (unsigned int)radix,
						scratch.words, &w);
	cc_scratch_close(&scratch);
	if (w.stopped) {
		cc_room_abandon(&room, r);
		return CC_EINTR;
	}
	cc_room_close(&room, r, length, negative);
	return CC_OK;
}

int cc_bigint_format(char **s, size_t *length, const cc_bigint *x, int radix,
		     const struct cc_progress *progress)
{
	size_t n = x->length, count, sign = x->negative ? 1 : 0;
	struct cc_scratch scratch;
	char *digits;
	int err;

	*s = NULL;
	if (!is_radix(radix))
		return CC_EINVAL;
	digits = CC_ALLOC(cc_natural_digits_max(n, (unsigned int)radix) + sign + 1);
	if (!digits)
		return CC_ENOMEM;
	err = cc_scratch_open(&scratch, n + cc_natural_to_digits_scratch(n, (unsigned int)radix));
	if (err)
		goto failed;
	if (n)
		memcpy(scratch.words, x->words, n * sizeof(cc_word));
	count = cc_natural_to_digits(digits + sign, scratch.words, n, (unsigned int)radix,
				     scratch.words + n, progress);
	cc_scratch_close(&scratch);
	err = CC_EINTR;
	if (!count)
		goto failed;
	if (sign)
		digits[0] = '-';
	digits[sign + count] = '\0';
	*length = sign + count;
	*s = digits;
	return CC_OK;

failed:
	CC_FREE(digits);
	return err;
}

char *cc_bigint_to_string(const cc_bigint *x, int radix)
{
	size_t length;
	char *s;

	/* on an error s is NULL */
	cc_bigint_format(&s, &length, x, radix, NULL);
	return s;
}

void cc_string_free(char *s)
{
	CC_FREE(s);
}
