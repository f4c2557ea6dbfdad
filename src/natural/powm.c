// SPDX-License-Identifier: MIT
/*
 * Modular powers by sliding windows (Knuth 4.6.3; HAC 14.85): residues times R = B^n and
 * Montgomery's reduction for short odd moduli (Montgomery 1985; HAC 14.32), a division for others.
 * A short even modulus 2^k o, k < CC_WORD_BITS, is split.
 */
#include "product.h"
#include "word_product.h"

#include "../limbs/kernels.h"

/* From so many words on, a recursive division is faster than a reduction row by row. */
#define REDUCE_LEAST 96

struct modulus {
	const cc_word *m;
	size_t n;
	cc_word inverse;      /* -1 / m modulo B; 0: by division */
	cc_word *product, *t; /* 2n words, and scratch */
	struct cc_watch *w;
	size_t work; /* pairs of words multiplied since the watch was asked */
};

static size_t larger(size_t a, size_t b)
{
	return a > b ? a : b;
}

/* -1 / m modulo B for odd m: 3 m ^ 2 is 1 / m modulo 2^5, and Newton's step doubles the bits */
static cc_word minus_inverse(cc_word m)
{
	cc_word x = 3 * m ^ 2;
	unsigned int bits;

	for (bits = 5; bits < CC_WORD_BITS; bits *= 2)
		x *= 2 - m * x;
	return 0 - x;
}

/* r[n] = the product modulo m, or divided by R modulo m; r < m */
static void reduce(cc_word *r, const struct modulus *m)
{
	const struct cc_limbs_kernels *k = cc_limbs_kernels();
	cc_word *p = m->product;
	size_t n = m->n, i;

	if (!m->inverse) {
		cc_natural_divrem_watched(m->t, r, p, 2 * n, m->m, n, m->t + n + 1, m->w);
		return;
	}
	/* what each row carries out belongs n words above, in the place that it has made zero */
	for (i = 0; i < n; i++)
		p[i] = k->addmul_1(p + i, m->m, n, p[i] * m->inverse);
	if (k->add(r, p + n, p, n) || cc_limbs_cmp(r, m->m, n) >= 0)
		k->sub(r, r, m->m, n);
}

/* Up to so many words, product and reduction are one loop (HAC 14.36). */
#define FUSED 6

/* *high : returned = a b + c + *high, at most B^2 - 1 */
static inline cc_word step(cc_word a, cc_word b, cc_word c, cc_word *high)
{
	cc_word above, low = cc_word_mul(&above, a, b);

	low += c;
	above += low < c;
	low += *high;
	*high = above + (low < *high);
	return low;
}

/* r[n] = a b / R modulo m, for a, b < m; r may be either */
static inline __attribute__((__always_inline__)) void
fused(cc_word *r, const cc_word *a, const cc_word *b, const cc_word *m, size_t n, cc_word inverse)
{
	cc_word t[FUSED], above = 0, borrow = 0, less;
	size_t i, j;

#pragma GCC unroll 8
	for (j = 0; j < n; j++)
		t[j] = 0;
#pragma GCC unroll 8
	for (i = 0; i < n; i++) {
		cc_word of_ab = 0, of_qm = 0, low = step(a[0], b[i], t[0], &of_ab);
		cc_word q = low * inverse;

		step(q, m[0], low, &of_qm);
#pragma GCC unroll 8
		for (j = 1; j < n; j++) {
			low = step(a[j], b[i], t[j], &of_ab);
			t[j - 1] = step(q, m[j], low, &of_qm);
		}
		/* t < 2m < 2R */
		t[n - 1] = cc_word_add(of_ab, of_qm, &above);
	}
#pragma GCC unroll 8
	for (j = 0; j < n; j++)
		r[j] = cc_word_sub(t[j], m[j], &borrow);
	less = 0 - (borrow & ~above);
#pragma GCC unroll 8
	for (j = 0; j < n; j++)
		r[j] = (t[j] & less) | (r[j] & ~less);
}

static void multiply_short(cc_word *r, const cc_word *a, const cc_word *b, const struct modulus *m)
{
	switch (m->n) {
	case 2:
		fused(r, a, b, m->m, 2, m->inverse);
		break;
	case 3:
		fused(r, a, b, m->m, 3, m->inverse);
		break;
	case 4:
		fused(r, a, b, m->m, 4, m->inverse);
		break;
	case 5:
		fused(r, a, b, m->m, 5, m->inverse);
		break;
	default:
		fused(r, a, b, m->m, 6, m->inverse);
	}
}

/* Many short products are long work. */
static int stops(struct modulus *m)
{
	m->work += 2 * m->n * m->n;
	if (m->work < CC_STEP_WORDS * CC_STEP_WORDS)
		return cc_watch_stopped(m->w);
	m->work = 0;
	return cc_watch_step(m->w, CC_STEP_WORDS);
}

static void multiply(cc_word *r, const cc_word *a, const cc_word *b, struct modulus *m)
{
	if (stops(m))
		return;
	if (m->inverse && m->n <= FUSED) {
		multiply_short(r, a, b, m);
		return;
	}
	cc_natural_mul_watched(m->product, a, m->n, b, m->n, m->t, m->w);
	if (!cc_watch_stopped(m->w))
		reduce(r, m);
}

static void square(cc_word *r, const cc_word *a, struct modulus *m)
{
	if (stops(m))
		return;
	if (m->inverse && m->n <= FUSED) {
		multiply_short(r, a, a, m);
		return;
	}
	cc_natural_sqr_watched(m->product, a, m->n, m->t, m->w);
	if (!cc_watch_stopped(m->w))
		reduce(r, m);
}

/*
 * The window's bits for an exponent of so many: a table of 2^(window - 1) powers, and a product
 * for window + 1 bits.
 */
static unsigned int window_for(size_t bits)
{
	static const unsigned short from[] = {7, 25, 81, 241, 673, 1793, 4609, 11521};
	unsigned int window = 1;

	while (window <= sizeof(from) / sizeof(*from) && bits >= from[window - 1])
		window++;
	return window;
}

static unsigned int bit_of(const cc_word *e, size_t at)
{
	return (unsigned int)(e[at / CC_WORD_BITS] >> at % CC_WORD_BITS & 1);
}

/* r = table[0]^e for e > 0; table has room for the odd powers, and one number more */
static void windows(cc_word *r, cc_word *table, const cc_word *e, size_t bits, struct modulus *m)
{
	unsigned int window = window_for(bits), digit, length, i;
	size_t n = m->n, at = bits;
	cc_word *twice = table + (n << (window - 1));
	int begun = 0;

	if (window > 1)
		square(twice, table, m);
	for (i = 1; i < 1u << (window - 1) && !cc_watch_stopped(m->w); i++)
		multiply(table + i * n, table + (i - 1) * n, twice, m);
	while (at && !cc_watch_stopped(m->w)) {
		if (!bit_of(e, at - 1)) {
			at--;
			square(r, r, m);
			continue;
		}
		/* the longest digit of at most so many bits that ends with a one */
		length = at < window ? (unsigned int)at : window;
		while (!bit_of(e, at - length))
			length--;
		for (digit = 0, i = 0; i < length; i++) {
			digit = digit << 1 | bit_of(e, --at);
			if (begun)
				square(r, r, m);
		}
		if (begun)
			multiply(r, r, table + (digit >> 1) * n, m);
		else
			memcpy(r, table + (digit >> 1) * n, n * sizeof(*r));
		begun = 1;
	}
}

/* Exponents of more bits are taken four at a time. */
#define BINARY_BITS 24

/* base^e in Montgomery's form modulo m, which has the inverse 1 / m; one is B modulo m */
static cc_word power_of_word(cc_word base, const cc_word *e, size_t bits, cc_word m,
			     cc_word inverse, cc_word one)
{
	cc_word table[16] = {one, base}, power;
	size_t i;

	if (bits <= BINARY_BITS) {
		for (power = base; --bits;) {
			power = cc_word_product(power, power, m, inverse);
			if (bit_of(e, bits - 1))
				power = cc_word_product(power, base, m, inverse);
		}
		return power;
	}
	for (i = 2; i < 16; i++)
		table[i] = cc_word_product(table[i / 2], table[i - i / 2], m, inverse);
	bits = (bits + 3) / 4;
	power = table[e[(bits - 1) / (CC_WORD_BITS / 4)] >> (bits - 1) * 4 % CC_WORD_BITS & 15];
	while (--bits) {
		for (i = 0; i < 4; i++)
			power = cc_word_product(power, power, m, inverse);
		i = e[(bits - 1) / (CC_WORD_BITS / 4)] >> (bits - 1) * 4 % CC_WORD_BITS & 15;
		power = cc_word_product(power, table[i], m, inverse);
	}
	return power;
}

/*
 * b^e mod m for one word m = 2^k o, o odd, b < m and e > 0: modulo o in Montgomery's form, modulo B
 * by words' own products, and of both by the Chinese remainder theorem.
 */
static cc_word of_word(cc_word b, const cc_word *e, size_t bits, cc_word m)
{
	unsigned int k = cc_word_ctz(m), shift;
	cc_word o = m >> k, inverse = 0 - minus_inverse(o), d, v, power, base, one, even = b;

	shift = cc_word_clz(o);
	d = o << shift;
	v = cc_word_reciprocal(d);
	/* b B and B mod o, by dividends below o B */
	base = k ? b % o : b;
	cc_word_div_2by1(&base, base << shift, 0, d, v);
	cc_word_div_2by1(&one, (o > 1 ? (cc_word)1 : 0) << shift, 0, d, v);
	power = power_of_word(base >> shift, e, bits, o, inverse, one >> shift);
	power = cc_word_product(power, 1, o, inverse);
	if (!k)
		return power;
	while (--bits) {
		even *= even;
		if (bit_of(e, bits - 1))
			even *= b;
	}
	/* the multiple of o is what remains below 2^k */
	return power + o * ((even - power) * inverse & (((cc_word)1 << k) - 1));
}

/*
 * r[n] = b^e mod m for m = 2^k o, 0 < k < CC_WORD_BITS, as for one word above; scratch has room for
 * o before the rest.
 */
static void of_even(cc_word *r, const cc_word *b, size_t bn, const cc_word *e, size_t en,
		    size_t bits, const cc_word *m, size_t n, cc_word *scratch, struct cc_watch *w)
{
	unsigned int k = cc_word_ctz(m[0]);
	cc_word *o = scratch, even = b[0], multiple;
	size_t on;

	cc_limbs_rshift(o, m, n, k);
	on = cc_limbs_normalise(o, n);
	cc_natural_powm_watched(r, b, bn, e, en, o, on, scratch + n, w);
	while (--bits) {
		even *= even;
		if (bit_of(e, bits - 1))
			even *= b[0];
	}
	multiple = (r[0] - even) * minus_inverse(o[0]) & (((cc_word)1 << k) - 1);
	multiple = cc_limbs_addmul_1(r, o, on, multiple);
	if (on < n)
		r[on] = multiple;
}

/* r[n] = b[bn] modulo m[n] */
static void remainder_of(cc_word *r, const cc_word *b, size_t bn, const struct modulus *m)
{
	if (bn < m->n) {
		memcpy(r, b, bn * sizeof(*r));
		memset(r + bn, 0, (m->n - bn) * sizeof(*r));
	} else {
		cc_natural_divrem_watched(m->t, r, b, bn, m->m, m->n, m->t + bn - m->n + 1, m->w);
	}
}

/*
 * An even modulus's odd part, the table and a number more, a product, and what it or a division
 * takes, with its quotient.
 */
size_t cc_natural_powm_scratch(size_t bn, size_t en, size_t mn)
{
	size_t entries = ((size_t)1 << (window_for(en * CC_WORD_BITS) - 1)) + 1;
	size_t longest = larger(bn, 2 * mn), words;

	if (!mn)
		return 0;
	words = longest + 1 + cc_natural_divrem_scratch(longest, mn);
	words = larger(words, cc_natural_mul_scratch(mn, mn));
	words = larger(words, cc_natural_sqr_scratch(mn));
	return (entries + 3) * mn + words;
}

void cc_natural_powm_watched(cc_word *r, const cc_word *b, size_t bn, const cc_word *e, size_t en,
			     const cc_word *m, size_t mn, cc_word *scratch, struct cc_watch *w)
{
	size_t n = cc_limbs_normalise(m, mn), bits;
	struct modulus modulus = {.m = m, .n = n, .w = w};
	cc_word *table;

	bn = cc_limbs_normalise(b, bn);
	en = cc_limbs_normalise(e, en);
	memset(r, 0, mn * sizeof(*r));
	if (n == 1 && m[0] == 1)
		return;
	if (!en) {
		r[0] = 1;
		return;
	}
	if (!bn)
		return;
	bits = en * CC_WORD_BITS - cc_word_clz(e[en - 1]);
	if (n > 1 && n < REDUCE_LEAST && !(m[0] & 1) && m[0]) {
		of_even(r, b, bn, e, en, bits, m, n, scratch, w);
		return;
	}
	modulus.product = scratch;
	table = scratch + 2 * n;
	modulus.t = table + n * (((size_t)1 << (window_for(bits) - 1)) + 1);
	remainder_of(table, b, bn, &modulus);
	if (n == 1) {
		r[0] = of_word(table[0], e, bits, m[0]);
		return;
	}
	if (m[0] & 1 && n < REDUCE_LEAST) {
		modulus.inverse = minus_inverse(m[0]);
		memset(modulus.product, 0, n * sizeof(*table));
		memcpy(modulus.product + n, table, n * sizeof(*table));
		cc_natural_divrem_watched(modulus.t, table, modulus.product, 2 * n, m, n,
					  modulus.t + n + 1, w);
	}
	windows(r, table, e, bits, &modulus);
	if (modulus.inverse) {
		memcpy(modulus.product, r, n * sizeof(*r));
		memset(modulus.product + n, 0, n * sizeof(*r));
		reduce(r, &modulus);
	}
}

void cc_natural_powm(cc_word *r, const cc_word *b, size_t bn, const cc_word *e, size_t en,
		     const cc_word *m, size_t mn, cc_word *scratch)
{
	cc_natural_powm_watched(r, b, bn, e, en, m, mn, scratch, NULL);
}
