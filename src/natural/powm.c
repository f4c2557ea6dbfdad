// SPDX-License-Identifier: MIT
/*
 * Modular powers by sliding windows (Knuth 4.6.3; HAC 14.85).  An even modulus 2^k o,
 * k < CC_WORD_BITS, is split.  Where fixed/ has vectors of digits, powers of up to CC_FZ_MAX words
 * are its.
 */
#include "residues.h"
#include "word_product.h"

#include "../cpu/dispatch.h"
#include "../limbs/divide.h"

#if CC_BUILD_FIXED
#include "../fixed/kernels.h"
#endif

/*
 * The powers of fixed/ do not ask the watch.  So they get no more bits of exponent times squares of
 * the modulus's words than take some two milliseconds.
 */
#define WHOLE_MOST (16 * CC_STEP_WORDS * CC_STEP_WORDS)

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

/*
 * The longest digit of at most @window bits below bit *at that ends with a one, for a one on top;
 * *at is then behind its *length bits.
 */
static unsigned int digit_at(const cc_word *e, size_t *at, unsigned int window,
			     unsigned int *length)
{
	unsigned int most = *at < window ? (unsigned int)*at : window, digit = 0, i;

	while (!bit_of(e, *at - most))
		most--;
	for (i = 0; i < most; i++)
		digit = digit << 1 | bit_of(e, --*at);
	*length = most;
	return digit;
}

/* r = table[0]^e for e > 0; table has room for the odd powers, and one number more */
static void windows(cc_word *r, cc_word *table, const cc_word *e, size_t bits,
		    struct cc_residues *m)
{
	unsigned int window = window_for(bits), digit, length, i;
	size_t n = m->n, at = bits;
	cc_word *twice = table + (n << (window - 1));
	int begun = 0;

	if (window > 1)
		cc_residues_sqr(twice, table, m);
	for (i = 1; i < 1u << (window - 1) && !cc_watch_stopped(m->w); i++)
		cc_residues_mul(table + i * n, table + (i - 1) * n, twice, m);
	while (at && !cc_watch_stopped(m->w)) {
		if (!bit_of(e, at - 1)) {
			at--;
			cc_residues_sqr(r, r, m);
			continue;
		}
		digit = digit_at(e, &at, window, &length);
		for (i = 0; i < length && begun; i++)
			cc_residues_sqr(r, r, m);
		if (begun)
			cc_residues_mul(r, r, table + (digit >> 1) * n, m);
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
	cc_word o = m >> k, inverse = cc_limbs_inverse(o), d, v, power, base, one, even = b;

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

#if CC_HAS_PAIR
/* r[2] = base[2]^e mod m[2], both in Montgomery's form, as windows() */
static void power_of_pair(cc_word *r, const cc_word *base, const cc_word *e, size_t bits,
			  const cc_word *words)
{
	cc_pair table[16], power, twice, m = cc_pair_of(words);
	cc_pair inverse = cc_pair_inverse(m, cc_limbs_inverse(words[0]));
	unsigned int window = window_for(bits), length, i;

	window = window < 5 ? window : 5;
	table[0] = cc_pair_of(base);
	twice = cc_pair_product(table[0], table[0], m, inverse);
	for (i = 1; i < 1u << (window - 1); i++)
		table[i] = cc_pair_product(table[i - 1], twice, m, inverse);
	power = table[digit_at(e, &bits, window, &length) >> 1];
	while (bits) {
		unsigned int digit = 0;

		length = 1;
		if (bit_of(e, bits - 1))
			digit = digit_at(e, &bits, window, &length);
		else
			bits--;
		for (i = 0; i < length; i++)
			power = cc_pair_product(power, power, m, inverse);
		if (digit)
			power = cc_pair_product(power, table[digit >> 1], m, inverse);
	}
	/* out of the form */
	power = cc_pair_product(power, 1, m, inverse);
	r[0] = (cc_word)power;
	r[1] = cc_pair_high(power);
}
#endif

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
	multiple = (even - r[0]) * cc_limbs_inverse(o[0]) & (((cc_word)1 << k) - 1);
	multiple = cc_limbs_addmul_1(r, o, on, multiple);
	if (on < n)
		r[on] = multiple;
}

/* Exponents of fewer bits are not worth Montgomery's form, whose way in is a division. */
#define FORM_BITS 4

/* Nor are exponents of so few bits worth fixed's: its way in takes longer. */
#define WHOLE_BITS(n) (110 / ((n)-10))

/* What fixed's powers take, from an address that is a multiple of 64 on. */
static size_t whole_words(size_t n)
{
#if CC_BUILD_FIXED
	n = n < CC_FZ_MAX ? n : CC_FZ_MAX;
	return n > CC_FIXED_MONT_MOST ? CC_FIXED_POWMOD_SCRATCH(n) + 64 / sizeof(cc_word) : 0;
#else
	(void)n;
	return 0;
#endif
}

/*
 * Whether a power is fixed's: modulo odd numbers, by vectors of digits, which take as long for 9
 * words as for 11.  Then r[n] = b[n]^e modulo m.
 */
static int is_whole(cc_word *r, const cc_word *b, const cc_word *e, size_t bits, const cc_word *m,
		    size_t n, cc_word *scratch)
{
#if CC_BUILD_FIXED
	const struct cc_fixed_kernels *k = cc_fixed_kernels();
	const struct cc_fixed_power power = {.r = r, .b = b, .e = e, .m = m, .shown = true};

	if (n < 11 || n > CC_FZ_MAX || !(m[0] & 1) || bits < FORM_BITS || bits < WHOLE_BITS(n) ||
	    bits > WHOLE_MOST / (n * n) || k->radix(n) == n * CC_WORD_BITS)
		return 0;
	scratch += (0 - (uintptr_t)scratch) % 64 / sizeof(*scratch);
	k->powmod_odd(&power, n, bits, scratch);
	return 1;
#else
	(void)r, (void)b, (void)e, (void)bits, (void)m, (void)n, (void)scratch;
	return 0;
#endif
}

/*
 * The base, a table and a number more, and the residues'; or a division by the modulus, or an even
 * modulus's odd part.
 */
size_t cc_natural_powm_scratch(size_t bn, size_t en, size_t mn)
{
	size_t entries = ((size_t)1 << (window_for(en * CC_WORD_BITS) - 1)) + 1, words, longest;

	if (!mn)
		return 0;
	longest = cc_larger(bn, mn);
	words = longest + 1 + cc_natural_divrem_scratch(longest, mn);
	words = cc_larger(words, whole_words(mn));
	return 2 * mn + cc_larger(words, entries * mn + cc_residues_words(mn));
}

void cc_natural_powm_watched(cc_word *r, const cc_word *b, size_t bn, const cc_word *e, size_t en,
			     const cc_word *m, size_t mn, cc_word *scratch, struct cc_watch *w)
{
	size_t n = cc_limbs_normalise(m, mn), bits;
	struct cc_residues residues;
	cc_word *base = scratch, *table = base + n;

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
	if (n > 1 && !(m[0] & 1) && m[0]) {
		of_even(r, b, bn, e, en, bits, m, n, scratch, w);
		return;
	}
	memset(base, 0, n * sizeof(*base));
	if (bn > n || n == 1) {
		cc_natural_divrem_watched(table, base, b, bn, m, n, table + bn - n + 1, w);
		if (cc_watch_stopped(w))
			return;
		bn = n;
	} else {
		memcpy(base, b, bn * sizeof(*base));
	}
	if (n == 1) {
		r[0] = of_word(base[0], e, bits, m[0]);
		return;
	}
	if (cc_watch_step(w, bits / CC_STEP_WORDS >= CC_STEP_WORDS / n / n ? CC_STEP_WORDS : 0) ||
	    is_whole(r, base, e, bits, m, n, table))
		return;
	cc_residues_init(&residues, m, n, bits >= FORM_BITS,
			 table + n * (((size_t)1 << (window_for(bits) - 1)) + 1), w);
	if (cc_watch_stopped(w))
		return;
	cc_residues_to(table, base, bn, &residues);
#if CC_HAS_PAIR
	/* longer exponents ask the watch */
	if (n == 2 && residues.minus_inverse && bits < CC_STEP_WORDS * CC_STEP_WORDS / 8) {
		power_of_pair(r, table, e, bits, m);
		return;
	}
#endif
	windows(r, table, e, bits, &residues);
	if (!cc_watch_stopped(w))
		cc_residues_from(r, &residues);
}

void cc_natural_powm(cc_word *r, const cc_word *b, size_t bn, const cc_word *e, size_t en,
		     const cc_word *m, size_t mn, cc_word *scratch)
{
	cc_natural_powm_watched(r, b, bn, e, en, m, mn, scratch, NULL);
}
