// SPDX-License-Identifier: MIT
#include "value.h"

#include "harness.h"
#include "reference.h"

#include <stdlib.h>
#include <string.h>

static const cc_word zero[VALUE_WORDS];

static void normalise(struct value *v)
{
	v->length = VALUE_WORDS;
	while (v->length && !v->words[v->length - 1])
		v->length--;
	if (!v->length)
		v->negative = 0;
}

void value_random(struct value *v, size_t words)
{
	memset(v, 0, sizeof(*v));
	random_words(v->words, words);
	v->negative = random_below(2) != 0;
	normalise(v);
}

void value_set(struct value *v, int64_t x)
{
	uint64_t m = x < 0 ? 0 - (uint64_t)x : (uint64_t)x;
	size_t i;

	memset(v, 0, sizeof(*v));
	for (i = 0; i < 64 / CC_WORD_BITS; i++)
		v->words[i] = (cc_word)(m >> i * CC_WORD_BITS);
	v->negative = x < 0;
	normalise(v);
}

void value_set_power_of_two(struct value *v, size_t bits)
{
	value_set(v, 0);
	v->words[bits / CC_WORD_BITS] = (cc_word)1 << bits % CC_WORD_BITS;
	v->length = bits / CC_WORD_BITS + 1;
}

bool value_equal(const struct value *a, const struct value *b)
{
	return a->negative == b->negative && ref_equal(a->words, b->words, VALUE_WORDS);
}

/* r[n] = x modulo B^n */
static void to_complement(cc_word *r, const struct value *x, size_t n)
{
	if (n > VALUE_WORDS)
		abort();
	if (x->negative)
		ref_sub(r, zero, x->words, n, 0);
	else
		memcpy(r, x->words, n * sizeof(*r));
}

static void from_complement(struct value *r, const cc_word *w, size_t n)
{
	memset(r, 0, sizeof(*r));
	r->negative = w[n - 1] >> (CC_WORD_BITS - 1) != 0;
	if (r->negative)
		ref_sub(r->words, zero, w, n, 0);
	else
		memcpy(r->words, w, n * sizeof(*w));
	normalise(r);
}

/* Two's complement of so many words holds either, their sum, and the sign. */
static size_t width(const struct value *x, const struct value *y)
{
	return (x->length > y->length ? x->length : y->length) + 1;
}

void value_neg(struct value *r, const struct value *x)
{
	cc_word w[VALUE_WORDS];
	size_t n = width(x, x);

	to_complement(w, x, n);
	ref_sub(w, zero, w, n, 0);
	from_complement(r, w, n);
}

void value_not(struct value *r, const struct value *x)
{
	cc_word w[VALUE_WORDS];
	size_t n = width(x, x), i;

	to_complement(w, x, n);
	for (i = 0; i < n; i++)
		w[i] = ~w[i];
	from_complement(r, w, n);
}

#define LOGIC(name, op)                                                                            \
	void name(struct value *r, const struct value *x, const struct value *y)                   \
	{                                                                                          \
		cc_word a[VALUE_WORDS], b[VALUE_WORDS];                                            \
		size_t n = width(x, y), i;                                                         \
                                                                                                   \
		to_complement(a, x, n);                                                            \
		to_complement(b, y, n);                                                            \
		for (i = 0; i < n; i++)                                                            \
			a[i] = a[i] op b[i];                                                       \
		from_complement(r, a, n);                                                          \
	}

LOGIC(value_and, &)
LOGIC(value_or, |)
LOGIC(value_xor, ^)

void value_add(struct value *r, const struct value *x, const struct value *y)
{
	cc_word a[VALUE_WORDS], b[VALUE_WORDS];
	size_t n = width(x, y);

	to_complement(a, x, n);
	to_complement(b, y, n);
	ref_add(a, a, b, n, 0);
	from_complement(r, a, n);
}

void value_sub(struct value *r, const struct value *x, const struct value *y)
{
	cc_word a[VALUE_WORDS], b[VALUE_WORDS];
	size_t n = width(x, y);

	to_complement(a, x, n);
	to_complement(b, y, n);
	ref_sub(a, a, b, n, 0);
	from_complement(r, a, n);
}

void value_mul(struct value *r, const struct value *x, const struct value *y)
{
	cc_word w[VALUE_WORDS] = {0};
	int negative = x->negative != y->negative;

	if (x->length + y->length > VALUE_WORDS)
		abort();
	ref_mul(w, x->words, x->length, y->words, y->length);
	memcpy(r->words, w, sizeof(w));
	r->negative = negative;
	normalise(r);
}

void value_shl(struct value *r, const struct value *x, size_t bits)
{
	cc_word w[VALUE_WORDS];

	if (x->length + bits / CC_WORD_BITS + 1 > VALUE_WORDS)
		abort();
	ref_shl(w, x->words, VALUE_WORDS, bits);
	*r = (struct value){.negative = x->negative};
	memcpy(r->words, w, sizeof(w));
	normalise(r);
}

/* floor(x / 2^bits) = ~floor(~x / 2^bits) */
void value_shr(struct value *r, const struct value *x, size_t bits)
{
	struct value up;
	cc_word w[VALUE_WORDS];

	if (x->negative) {
		value_not(&up, x);
		value_shr(&up, &up, bits);
		value_not(r, &up);
		return;
	}
	ref_shr(w, x->words, VALUE_WORDS, bits);
	memcpy(r->words, w, sizeof(w));
	r->negative = 0;
	normalise(r);
}

void value_divmod(struct value *q, struct value *r, const struct value *x, const struct value *y,
		  bool floor)
{
	struct value quotient = {.negative = x->negative != y->negative};
	struct value remainder = {.negative = x->negative}, one;

	ref_divrem(quotient.words, remainder.words, x->words, x->length, y->words, y->length);
	normalise(&quotient);
	normalise(&remainder);
	if (floor && remainder.length && x->negative != y->negative) {
		value_set(&one, 1);
		value_sub(&quotient, &quotient, &one);
		value_add(&remainder, &remainder, y);
	}
	*q = quotient;
	*r = remainder;
}

void value_gcd(struct value *r, const struct value *x, const struct value *y)
{
	struct value a = *x, b = *y, q, rest;

	while (b.length) {
		value_divmod(&q, &rest, &a, &b, false);
		a = b;
		b = rest;
	}
	*r = a;
	r->negative = 0;
}

/* Bit by bit, from above. */
void value_isqrt(struct value *r, const struct value *x)
{
	struct value root, next, square;
	size_t i;

	value_set(&root, 0);
	for (i = (x->length * CC_WORD_BITS + 1) / 2; i--;) {
		value_set_power_of_two(&next, i);
		value_add(&next, &next, &root);
		value_mul(&square, &next, &next);
		if (value_cmp(&square, x) <= 0)
			root = next;
	}
	*r = root;
}

void value_pow(struct value *r, const struct value *x, uint64_t exponent)
{
	struct value power;

	value_set(&power, 1);
	while (exponent--)
		value_mul(&power, &power, x);
	*r = power;
}

int value_cmp(const struct value *x, const struct value *y)
{
	struct value difference;

	value_sub(&difference, x, y);
	return difference.negative ? -1 : difference.length > 0;
}

unsigned char value_byte(const struct value *x, size_t i)
{
	cc_word w[VALUE_WORDS];

	if (i / sizeof(cc_word) > x->length)
		return x->negative ? 0xff : 0;
	to_complement(w, x, x->length + 1);
	return (unsigned char)(w[i / sizeof(cc_word)] >> 8 * (i % sizeof(cc_word)));
}

void value_to_bigint(cc_bigint *x, const struct value *v, size_t spare)
{
	cc_bigint_init(x);
	if (v->length + spare && cc_bigint_reserve(x, v->length + spare))
		abort();
	if (v->length)
		memcpy(x->words, v->words, v->length * sizeof(cc_word));
	x->length = v->length;
	x->negative = v->negative;
}

bool value_is(const struct value *v, const cc_bigint *x)
{
	return x->length <= x->capacity && x->length == v->length && x->negative == v->negative &&
	       (!x->length || ref_equal(x->words, v->words, x->length));
}
