// SPDX-License-Identifier: MIT
#include "reference.h"

#include <stdlib.h>
#include <string.h>

/* of a word, 16 bits each: their products fit in 32 bits, and the sums of these in 64 */
#define DIGITS (sizeof(cc_word) / 2)

/* Digit @i of a vector, least significant first, on any machine. */
static uint32_t get(const cc_word *a, size_t i)
{
	return (uint32_t)(a[i / DIGITS] >> 16 * (i % DIGITS)) & 0xffff;
}

static void put(cc_word *a, size_t i, uint32_t digit)
{
	unsigned int at = 16 * (unsigned int)(i % DIGITS);

	a[i / DIGITS] = (a[i / DIGITS] & ~((cc_word)0xffff << at)) | (cc_word)(digit & 0xffff)
									     << at;
}

static void *room(size_t size)
{
	void *p = calloc(size + 1, 1);

	if (!p)
		abort();
	return p;
}

static uint16_t *to_digits(const cc_word *a, size_t n)
{
	uint16_t *digits = room(n * sizeof(cc_word));
	size_t i;

	for (i = 0; i < n * DIGITS; i++)
		digits[i] = (uint16_t)get(a, i);
	return digits;
}

cc_word ref_add(cc_word *r, const cc_word *a, const cc_word *b, size_t n, cc_word carry)
{
	uint32_t c = (uint32_t)carry;
	size_t i;

	for (i = 0; i < n * DIGITS; i++) {
		c += get(a, i) + get(b, i);
		put(r, i, c);
		c >>= 16;
	}
	return c;
}

cc_word ref_sub(cc_word *r, const cc_word *a, const cc_word *b, size_t n, cc_word borrow)
{
	uint32_t c = (uint32_t)borrow;
	size_t i;

	for (i = 0; i < n * DIGITS; i++) {
		uint32_t difference = 0x10000 + get(a, i) - get(b, i) - c;

		c = difference < 0x10000;
		put(r, i, difference);
	}
	return c;
}

void ref_mul(cc_word *r, const cc_word *a, size_t an, const cc_word *b, size_t bn)
{
	uint16_t *x = to_digits(a, an), *y = to_digits(b, bn);
	uint64_t *column = room((an + bn) * DIGITS * sizeof(*column)), carry = 0;
	size_t i, j;

	/* a column gathers fewer than 2^32 products */
	for (j = 0; j < bn * DIGITS; j++)
		for (i = 0; i < an * DIGITS; i++)
			column[i + j] += (uint32_t)x[i] * y[j];
	for (i = 0; i < (an + bn) * DIGITS; i++) {
		carry += column[i];
		put(r, i, (uint32_t)(carry & 0xffff));
		carry >>= 16;
	}
	free(column);
	free(y);
	free(x);
}

/* x[n] >= y[n] */
static bool reaches(const uint16_t *x, const uint16_t *y, size_t n)
{
	while (n && x[n - 1] == y[n - 1])
		n--;
	return !n || x[n - 1] > y[n - 1];
}

/* x[n] -= y[n], which is not more */
static void take(uint16_t *x, const uint16_t *y, size_t n)
{
	uint32_t borrow = 0;
	size_t i;

	for (i = 0; i < n; i++) {
		uint32_t difference = 0x10000u + x[i] - y[i] - borrow;

		x[i] = (uint16_t)(difference & 0xffff);
		borrow = difference < 0x10000;
	}
}

void ref_divrem(cc_word *q, cc_word *r, const cc_word *a, size_t an, const cc_word *d, size_t dn)
{
	/* one digit above the divisor's, for what a remainder times 2^16 has there */
	size_t top = dn * DIGITS, n = top + 1, i;
	uint16_t *x = to_digits(a, an), *y = to_digits(d, dn), *rest = room(n * sizeof(*rest));
	/* the divisor times 1, 2, 4 ... 2^15 */
	uint16_t *times = room(16 * n * sizeof(*times));
	unsigned int bit;

	for (bit = 0; bit < 16; bit++) {
		uint32_t carry = 0;

		for (i = 0; i < top; i++) {
			carry |= (uint32_t)y[i] << bit;
			times[bit * n + i] = (uint16_t)(carry & 0xffff);
			carry >>= 16;
		}
		times[bit * n + top] = (uint16_t)carry;
	}
	for (i = an * DIGITS; i-- > 0;) {
		uint32_t digit = 0;

		memmove(rest + 1, rest, top * sizeof(*rest));
		rest[0] = x[i];
		for (bit = 16; bit-- > 0;)
			if (reaches(rest, times + bit * n, n)) {
				take(rest, times + bit * n, n);
				digit |= 1u << bit;
			}
		put(q, i, digit);
	}
	for (i = 0; i < top; i++)
		put(r, i, rest[i]);
	free(times);
	free(rest);
	free(y);
	free(x);
}

void ref_shl(cc_word *r, const cc_word *a, size_t n, size_t count)
{
	uint16_t *x = to_digits(a, n);
	size_t whole = count / 16, i;

	for (i = 0; i < n * DIGITS; i++) {
		uint32_t high = i >= whole ? x[i - whole] : 0;
		uint32_t low = i > whole ? x[i - whole - 1] : 0;

		put(r, i, (high << 16 | low) << count % 16 >> 16);
	}
	free(x);
}

void ref_shr(cc_word *r, const cc_word *a, size_t n, size_t count)
{
	uint16_t *x = to_digits(a, n);
	size_t digits = n * DIGITS, whole = count / 16, i;

	for (i = 0; i < digits; i++) {
		uint32_t low = whole < digits - i ? x[i + whole] : 0;
		uint32_t high = whole < digits - i - 1 ? x[i + whole + 1] : 0;

		put(r, i, (high << 16 | low) >> count % 16);
	}
	free(x);
}

int ref_cmp(const cc_word *a, const cc_word *b, size_t n)
{
	size_t i;

	for (i = n * DIGITS; i-- > 0;)
		if (get(a, i) != get(b, i))
			return get(a, i) < get(b, i) ? -1 : 1;
	return 0;
}

bool ref_equal(const cc_word *a, const cc_word *b, size_t n)
{
	return !ref_cmp(a, b, n);
}

size_t ref_to_digits(char *digits, const cc_word *a, size_t n, unsigned int radix)
{
	/* three digits at a time: 36^3 < 2^16 */
	const uint32_t three = radix * radix * radix;
	uint16_t *x = to_digits(a, n);
	size_t top = n * DIGITS, length = 0, i;

	while (top && !x[top - 1])
		top--;
	do {
		uint32_t rest = 0;

		for (i = top; i-- > 0;) {
			rest = rest << 16 | x[i];
			x[i] = (uint16_t)(rest / three);
			rest %= three;
		}
		while (top && !x[top - 1])
			top--;
		/* the last three may begin with zeros */
		for (i = 0; i < 3 && (top || rest || !length); i++) {
			digits[length++] = "0123456789abcdefghijklmnopqrstuvwxyz"[rest % radix];
			rest /= radix;
		}
	} while (top);
	for (i = 0; i < length / 2; i++) {
		char c = digits[i];

		digits[i] = digits[length - 1 - i];
		digits[length - 1 - i] = c;
	}
	digits[length] = '\0';
	free(x);
	return length;
}

static bool halve_if_even(cc_word *x, cc_word *room, size_t n)
{
	if (x[0] & 1)
		return false;
	ref_shr(room, x, n, 1);
	memcpy(x, room, n * sizeof(cc_word));
	return true;
}

/* Stein's algorithm: twos out, the smaller from the larger. */
void ref_gcd(cc_word *r, const cc_word *a, const cc_word *b, size_t n)
{
	cc_word *zero = room(4 * n * sizeof(cc_word)), *x = zero + n, *y = x + n, *half = y + n;
	size_t twos = 0;

	memcpy(x, a, n * sizeof(cc_word));
	memcpy(y, b, n * sizeof(cc_word));
	while (!ref_equal(x, zero, n) && !ref_equal(y, zero, n)) {
		bool even = halve_if_even(x, half, n), both = halve_if_even(y, half, n) && even;

		twos += both;
		if (!(x[0] & 1) || !(y[0] & 1))
			continue;
		if (ref_cmp(x, y, n) < 0)
			ref_sub(y, y, x, n, 0);
		else
			ref_sub(x, x, y, n, 0);
	}
	ref_shl(r, ref_equal(x, zero, n) ? y : x, n, twos);
	free(zero);
}
