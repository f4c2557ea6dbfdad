/* SPDX-License-Identifier: MIT */
/* text.h - words and numbers, one after the other: each function returns where its text ends. */
#ifndef CC_VERIFY_TEXT_H
#define CC_VERIFY_TEXT_H

#include <carrychain/word.h>

/* Padded with zeros to @least digits. */
static inline char *text_number(char *to, cc_u64 number, unsigned int least)
{
	char digits[20];
	unsigned int n = 0;

	while (number || n < least) {
		digits[n++] = (char)('0' + number % 10);
		number /= 10;
	}
	while (n)
		*to++ = digits[--n];
	return to;
}

/* 1,234,567 */
static inline char *text_grouped(char *to, cc_u64 number)
{
	if (number < 1000)
		return text_number(to, number, 1);
	to = text_grouped(to, number / 1000);
	*to++ = ',';
	return text_number(to, number % 1000, 3);
}

static inline char *text_put(char *to, const char *text)
{
	while (*text)
		*to++ = *text++;
	return to;
}

#endif /* CC_VERIFY_TEXT_H */
