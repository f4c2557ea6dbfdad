// SPDX-License-Identifier: MIT
/* Digits in any radix from 2 to 36: signs, errors and memory around limbs/. */
#include "room.h"

static int is_radix(int radix)
{
	return radix >= 2 && radix <= 36;
}

static int is_digit(char c, int radix)
{
	int value = 36;

	if (c >= '0' && c <= '9')
		value = c - '0';
	else if (c >= 'a' && c <= 'z')
		value = c - 'a' + 10;
	else if (c >= 'A' && c <= 'Z')
		value = c - 'A' + 10;
	return value < radix;
}

int cc_bigint_from_string(cc_bigint *r, const char *s, int radix)
{
	struct cc_scratch scratch;
	struct cc_room room;
	size_t count, length;
	int negative, err;

	if (!is_radix(radix))
		return CC_EINVAL;
	negative = *s == '-';
	if (*s == '-' || *s == '+')
		s++;
	if (!*s)
		return CC_EINVAL;
	for (count = 0; s[count]; count++)
		if (!is_digit(s[count], radix))
			return CC_EINVAL;
	for (; count > 1 && *s == '0'; count--)
		s++;
	/* so many digits that their bits, at most 6 each, can't be counted */
	if (count > SIZE_MAX / 6)
		return CC_ENOMEM;

	err = cc_room_open(&room, r, cc_natural_from_digits_max(count, (unsigned int)radix));
	if (err)
		return err;
	err = cc_scratch_open(&scratch, cc_natural_from_digits_scratch(count, (unsigned int)radix));
	if (err) {
		cc_room_abandon(&room, r);
		return err;
	}
	length = cc_natural_from_digits(room.words, s, count, (unsigned int)radix, scratch.words);
	cc_scratch_close(&scratch);
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
