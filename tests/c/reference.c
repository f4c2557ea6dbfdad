// SPDX-License-Identifier: MIT
#include "reference.h"

#include <stdlib.h>
#include <string.h>

#define BYTES sizeof(cc_word)

/* Byte @i of a vector, least significant first, on any machine. */
static unsigned int get(const cc_word *a, size_t i)
{
	return (unsigned int)(a[i / BYTES] >> 8 * (i % BYTES)) & 0xff;
}

static void put(cc_word *a, size_t i, unsigned int byte)
{
	unsigned int at = 8 * (unsigned int)(i % BYTES);

	a[i / BYTES] = (a[i / BYTES] & ~((cc_word)0xff << at)) | (cc_word)(byte & 0xff) << at;
}

static void *room(size_t size)
{
	void *p = calloc(size + 1, 1);

	if (!p)
		abort();
	return p;
}

static unsigned char *to_bytes(const cc_word *a, size_t n)
{
	unsigned char *bytes = room(n * BYTES);
	size_t i;

	for (i = 0; i < n * BYTES; i++)
		bytes[i] = (unsigned char)get(a, i);
	return bytes;
}

cc_word ref_add(cc_word *r, const cc_word *a, const cc_word *b, size_t n, cc_word carry)
{
	unsigned int c = (unsigned int)carry;
	size_t i;

	for (i = 0; i < n * BYTES; i++) {
		c += get(a, i) + get(b, i);
		put(r, i, c);
		c >>= 8;
	}
	return c;
}

cc_word ref_sub(cc_word *r, const cc_word *a, const cc_word *b, size_t n, cc_word borrow)
{
	int c = (int)borrow;
	size_t i;

	for (i = 0; i < n * BYTES; i++) {
		int difference = (int)get(a, i) - (int)get(b, i) - c;

		c = difference < 0;
		put(r, i, (unsigned int)(difference + 256 * c));
	}
	return (cc_word)c;
}

void ref_mul(cc_word *r, const cc_word *a, size_t an, const cc_word *b, size_t bn)
{
	unsigned char *x = to_bytes(a, an), *y = to_bytes(b, bn);
	uint32_t *column = room((an + bn) * BYTES * sizeof(*column));
	uint64_t carry = 0;
	size_t i, j;

	/* a column gathers bn * BYTES products of two bytes: 66051 * 255^2 < 2^32 */
	if (bn * BYTES > 66051)
		abort();
	for (j = 0; j < bn * BYTES; j++)
		for (i = 0; i < an * BYTES; i++)
			column[i + j] += (uint32_t)x[i] * y[j];
	for (i = 0; i < (an + bn) * BYTES; i++) {
		carry += column[i];
		put(r, i, (unsigned int)(carry & 0xff));
		carry >>= 8;
	}
	free(column);
	free(y);
	free(x);
}

/* x[n] >= y[n] */
static bool reaches(const unsigned char *x, const unsigned char *y, size_t n)
{
	while (n && x[n - 1] == y[n - 1])
		n--;
	return !n || x[n - 1] > y[n - 1];
}

/* x[n] -= y[n], which is not more */
static void take(unsigned char *x, const unsigned char *y, size_t n)
{
	unsigned int borrow = 0;
	size_t i;

	for (i = 0; i < n; i++) {
		unsigned int difference = 256u + x[i] - y[i] - borrow;

		x[i] = (unsigned char)(difference & 0xff);
		borrow = difference < 256;
	}
}

void ref_divrem(cc_word *q, cc_word *r, const cc_word *a, size_t an, const cc_word *d, size_t dn)
{
	/* one byte above the divisor's, for what a remainder times 256 has there */
	size_t top = dn * BYTES, n = top + 1, i;
	unsigned char *x = to_bytes(a, an), *y = to_bytes(d, dn), *rest = room(n);
	/* the divisor times 1, 2, 4 ... 128 */
	unsigned char *times = room(8 * n);
	unsigned int bit;

	for (bit = 0; bit < 8; bit++) {
		unsigned int carry = 0;

		for (i = 0; i < top; i++) {
			carry |= (unsigned int)y[i] << bit;
			times[bit * n + i] = (unsigned char)(carry & 0xff);
			carry >>= 8;
		}
		times[bit * n + top] = (unsigned char)carry;
	}
	for (i = an * BYTES; i-- > 0;) {
		unsigned int digit = 0;

		memmove(rest + 1, rest, top);
		rest[0] = x[i];
		for (bit = 8; bit-- > 0;)
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
	unsigned char *x = to_bytes(a, n);
	size_t whole = count / 8, i;

	for (i = 0; i < n * BYTES; i++) {
		unsigned int high = i >= whole ? x[i - whole] : 0;
		unsigned int low = i > whole ? x[i - whole - 1] : 0;

		put(r, i, (high << 8 | low) << count % 8 >> 8);
	}
	free(x);
}

void ref_shr(cc_word *r, const cc_word *a, size_t n, size_t count)
{
	unsigned char *x = to_bytes(a, n);
	size_t bytes = n * BYTES, whole = count / 8, i;

	for (i = 0; i < bytes; i++) {
		unsigned int low = whole < bytes - i ? x[i + whole] : 0;
		unsigned int high = whole < bytes - i - 1 ? x[i + whole + 1] : 0;

		put(r, i, (high << 8 | low) >> count % 8);
	}
	free(x);
}

int ref_cmp(const cc_word *a, const cc_word *b, size_t n)
{
	size_t i;

	for (i = n * BYTES; i-- > 0;)
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
	unsigned char *x = to_bytes(a, n);
	size_t top = n * BYTES, length = 0, i;

	while (top && !x[top - 1])
		top--;
	do {
		unsigned int rest = 0;

		for (i = top; i-- > 0;) {
			rest = rest << 8 | x[i];
			x[i] = (unsigned char)(rest / radix);
			rest %= radix;
		}
		digits[length++] = "0123456789abcdefghijklmnopqrstuvwxyz"[rest];
		while (top && !x[top - 1])
			top--;
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
	memcpy(x, room, n * BYTES);
	return true;
}

/* Stein's algorithm: twos out, the smaller from the larger. */
void ref_gcd(cc_word *r, const cc_word *a, const cc_word *b, size_t n)
{
	cc_word *zero = room(4 * n * BYTES), *x = zero + n, *y = x + n, *half = y + n;
	size_t twos = 0;

	memcpy(x, a, n * BYTES);
	memcpy(y, b, n * BYTES);
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
