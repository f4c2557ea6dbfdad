// SPDX-License-Identifier: MIT
/*
 * The k-th root, k >= 3, by Newton's iteration on truncated numbers, which doubles the precision
 * (Brent and Zimmermann, Modern Computer Arithmetic, 4.2.3).  No number is longer than twice the
 * root, but the power that decides in the end whether the operand is one.
 *
 * Let y be the root, 2^(L-1) <= y < 2^L, and Y = y / 2^L.  An approximation is x[h] with the top
 * bit set, for X = x / B^h.  It has g good bits if |X - Y| < 2^-g Y.  With A = Y^k, a step adds
 *
 *	(A - X^k) / (k X^(k-1)),
 *
 * whose error is below k 2^-2g Y / 2.  X^(k-1) and X^k are powers with h' + 1 words kept of each
 * product, so their error is below 2 k B^-h' A; what is dropped of A, and of the quotient's parts,
 * is less than three units of B^-h'.  So the sum has min(2g - log2 k, h' CC_WORD_BITS - 5) bits.
 */
#include "first_root.h"
#include "product.h"

#include "../limbs/kernels.h"

/* Bits beyond the root's that decide it, but for one root in 2^12.  Two words need no step. */
#define GUARD_BITS 14
/* A number of h words has 5 bits less. */
#define SPOILT_BITS 5

/* words[n] B^exponent; the top word is not 0, and those at the bottom may have been dropped */
struct number {
	const cc_word *words;
	size_t n;
	int64_t exponent;
};

static struct number top_of(struct number x, size_t words)
{
	if (x.n > words) {
		x.words += x.n - words;
		x.exponent += (int64_t)(x.n - words);
		x.n = words;
	}
	return x;
}

/* a b in r, of which so many words are kept */
static struct number product(cc_word *r, struct number a, struct number b, size_t words, cc_word *t,
			     struct cc_watch *w)
{
	struct number p = {r, a.n + b.n, a.exponent + b.exponent};

	if (a.words == b.words)
		cc_natural_sqr_watched(r, a.words, a.n, t, w);
	else
		cc_natural_mul_watched(r, a.words, a.n, b.words, b.n, t, w);
	p.n -= !r[p.n - 1];
	return top_of(p, words);
}

/*
 * x^e, e >= 1, by its bits from the top; so many words are kept of each product, which is in one
 * half of r[2 room].
 */
static struct number power_of(cc_word *r, size_t room, struct number x, cc_word e, size_t words,
			      cc_word *t, struct cc_watch *w)
{
	struct number power = x;
	cc_word *to = r, *other = r + room, *swap;
	unsigned int bit = CC_WORD_BITS - 1 - cc_word_clz(e);

	while (bit-- && !cc_watch_step(w, power.n)) {
		power = product(to, power, power, words, t, w);
		swap = to, to = other, other = swap;
		if (!(e >> bit & 1) || cc_watch_stopped(w))
			continue;
		power = product(to, power, x, words, t, w);
		swap = to, to = other, other = swap;
	}
	return power;
}

/* r[n] = x / B^exponent, rounded down */
static void align(cc_word *r, size_t n, int64_t exponent, struct number x)
{
	size_t i;

	for (i = 0; i < n; i++) {
		int64_t at = exponent + (int64_t)i - x.exponent;

		r[i] = at >= 0 && at < (int64_t)x.n ? x.words[at] : 0;
	}
}

/* What all steps know. */
struct rooted {
	const cc_word *a;
	size_t n;
	cc_word k;
	uint64_t scale; /* k L */
	struct cc_watch *w;
};

/* A with at least so many words more than one; t has two more */
static struct number operand(const struct rooted *of, size_t words, cc_word *t)
{
	unsigned int shift = (unsigned int)((0 - of->scale) % CC_WORD_BITS);
	struct number a = top_of((struct number){of->a, of->n, 0}, words + 1);

	t[a.n] = cc_limbs_lshift(t, a.words, a.n, shift);
	a.exponent -= (int64_t)((of->scale + shift) / CC_WORD_BITS);
	a.words = t;
	a.n += t[a.n] != 0;
	return a;
}

/*
 * x[h], in place of its top words x[h0]; t as newton_scratch() says.  X^k and A are aligned with
 * h + 3 words; the quotient's parts have m = h - h0 + 2 words, which it needs.
 */
static void newton_step(cc_word *x, size_t h0, size_t h, const struct rooted *of, cc_word *t)
{
	size_t m = h - h0 + 2, room = 2 * h + 2, length = h + 3, low = h - h0, n, qn;
	cc_word *powers_of = t, *whole = powers_of + 2 * room, *rest = whole + room + h;
	cc_word *numerator = rest + length, *q = numerator + 2 * h + 8, *work = q + h + 8, carry;
	struct number first = {x + low, h0, -(int64_t)h0}, a, by, r;
	int negative;

	by = power_of(powers_of, room, first, of->k - 1, h + 1, work, of->w);
	if (cc_watch_stopped(of->w))
		return;
	r = product(whole, by, first, length, work, of->w);
	a = operand(of, length, numerator);
	if (cc_watch_stopped(of->w))
		return;
	/* the difference, which is short */
	align(rest, length, a.exponent + (int64_t)a.n + 1 - (int64_t)length, a);
	align(q, length, a.exponent + (int64_t)a.n + 1 - (int64_t)length, r);
	negative = cc_limbs_cmp(rest, q, length) < 0;
	if (negative)
		cc_limbs_sub(rest, q, rest, length);
	else
		cc_limbs_sub(rest, rest, q, length);
	n = cc_limbs_normalise(rest, length);
	if (!n)
		return;
	by = top_of(by, m);
	whole[by.n] = cc_limbs_mul_1(whole, by.words, by.n, of->k);
	by.words = whole;
	by.n += whole[by.n] != 0;
	by = top_of(by, m);
	r = (struct number){rest, n, a.exponent + (int64_t)a.n + 1 - (int64_t)length};
	/* the quotient in units of B^-h */
	n = (size_t)(r.exponent + (int64_t)(r.n + h) - by.exponent);
	if ((int64_t)n < (int64_t)by.n)
		return;
	align(numerator, n, by.exponent - (int64_t)h, r);
	cc_natural_divrem_watched(q, rest, numerator, n, by.words, by.n, work, of->w);
	if (cc_watch_stopped(of->w))
		return;
	qn = cc_limbs_normalise(q, n - by.n + 1);
	if (negative) {
		carry = cc_limbs_sub(x, x, q, qn);
		carry = cc_limbs_sub_1(x + qn, x + qn, h - qn, carry);
		/* not below 1/2 */
		if (!(x[h - 1] >> (CC_WORD_BITS - 1))) {
			memset(x, 0, h * sizeof(*x));
			x[h - 1] = (cc_word)1 << (CC_WORD_BITS - 1);
		}
		return;
	}
	carry = cc_limbs_add(x, x, q, qn);
	carry = cc_limbs_add_1(x + qn, x + qn, h - qn, carry);
	/* not above 1 */
	if (carry)
		memset(x, 0xff, h * sizeof(*x));
}

static unsigned int bits_of(cc_word x)
{
	return CC_WORD_BITS - cc_word_clz(x);
}

static size_t words_for(size_t good)
{
	size_t words = (good + SPOILT_BITS + CC_WORD_BITS - 1) / CC_WORD_BITS;

	return cc_larger(words, CC_FIRST_WORDS);
}

/* The good bits before the last step, so that it gives so many. */
static size_t bits_before(size_t good, cc_word k)
{
	return (good + bits_of(k) + 1) / 2;
}

/*
 * x[words_for(good)] with so many good bits.  Precisions are halved down to the first one, and
 * computed again for each step; there are few.
 */
static void approximate(cc_word *x, size_t good, size_t whole, const struct rooted *of, cc_word *t)
{
	size_t h = words_for(good), have = CC_FIRST_BITS, h0 = CC_FIRST_WORDS, next, before, words,
	       i;
	uint64_t first = cc_first_root(of->a, of->n, whole, of->k);

	memset(x, 0, h * sizeof(*x));
	for (i = 0; i < h0; i++)
		x[h - h0 + i] = (cc_word)(first >> CC_WORD_BITS * i);
#if CC_HAS_SECOND_ROOT
	if (good > have && of->k <= CC_SECOND_MOST) {
		cc_pair second = cc_second_root(first, of->a, of->n, of->k);

		have = CC_SECOND_BITS(of->k);
		x[h - 1] = cc_pair_high(second);
		if (h > 1)
			x[h - 1 - h0++] = (cc_word)second;
	}
#endif
	while (have < good && !cc_watch_stopped(of->w)) {
		for (next = good; (before = bits_before(next, of->k)) > have; next = before)
			;
		words = words_for(next);
		newton_step(x + h - words, h0, words, of, t);
		h0 = words;
		have = next;
	}
}

/*
 * A step's two powers, products and quotient, and what a product, or a division, of such numbers
 * takes.  It is called for k >= 3, and where the root has more bits than the first one.
 */
static size_t newton_scratch(size_t h)
{
	size_t room = 2 * h + 2, work;

	work = cc_larger(cc_natural_mul_scratch(h + 1, h + 1), cc_natural_sqr_scratch(h + 1));
	work = cc_larger(work, cc_natural_divrem_scratch(2 * h + 8, h + 2));
	return 2 * room + room + h + h + 3 + 2 * h + 8 + h + 8 + work;
}

/* A power of the root, one half more than it needs; r^j < 2^(jL) B, jL <= bits + k < 2 bits */
static size_t power_room(size_t n)
{
	return 2 * n + 3;
}

/* The approximation, and a step or the root's power; or a square root and its remainder. */
size_t cc_natural_root_scratch(size_t n)
{
	size_t good = (n * CC_WORD_BITS + 2) / 3 + GUARD_BITS, half = n + 2, words;

	words = 2 * power_room(n) +
		cc_larger(cc_natural_mul_scratch(half, half), cc_natural_sqr_scratch(half));
	if (good > CC_FIRST_BITS)
		words = cc_larger(words, newton_scratch(words_for(good)));
	words += words_for(good);
	return n < 2 ? 0 : cc_larger(words, n + 1 + cc_natural_isqrt_scratch(n));
}

/* r[n] = x[h] / 2^drop, for fewer bits than 2^drop B^n */
static void shift_down(cc_word *r, size_t n, const cc_word *x, size_t h, size_t drop)
{
	size_t words = drop / CC_WORD_BITS;

	h -= words;
	if (h > n) {
		/* by less than a word, which the top one has not beyond n words */
		cc_word above = x[words + n];
		unsigned int shift = drop % CC_WORD_BITS;

		cc_limbs_rshift(r, x + words, n, shift);
		if (shift)
			r[n - 1] |= above << (CC_WORD_BITS - shift);
		return;
	}
	memset(r + h, 0, (n - h) * sizeof(*r));
	cc_limbs_rshift(r, x + words, h, drop % CC_WORD_BITS);
}

/* GUARD_BITS of x below 2^drop */
static unsigned int fraction(const cc_word *x, size_t drop)
{
	size_t at = drop - GUARD_BITS, i = at / CC_WORD_BITS;
	unsigned int shift = at % CC_WORD_BITS;
	cc_word bits = x[i] >> shift;

	/* the word above may hold the rest, and is part of x, as drop < h CC_WORD_BITS */
	if (shift + GUARD_BITS > CC_WORD_BITS)
		bits |= x[i + 1] << (CC_WORD_BITS - shift);
	return (unsigned int)bits & ((1u << GUARD_BITS) - 1);
}

/* rem = a - root^k, if it is not negative, and its length; else @below is set */
static size_t remainder_of(cc_word *rem, int *below, const cc_word *root, size_t rn,
			   const struct rooted *of, cc_word *t)
{
	struct number x = {root, cc_limbs_normalise(root, rn), 0}, power;
	size_t room = power_room(of->n), n = of->n;

	power = power_of(t, room, x, of->k, SIZE_MAX, t + 2 * room, of->w);
	if (cc_watch_stopped(of->w))
		return 0;
	*below = power.n > n || (power.n == n && cc_limbs_cmp(power.words, of->a, n) > 0);
	if (*below)
		return 0;
	if (rem) {
		cc_word borrow = cc_limbs_sub(rem, of->a, power.words, power.n);

		memcpy(rem + power.n, of->a + power.n, (n - power.n) * sizeof(*rem));
		cc_limbs_sub_1(rem + power.n, rem + power.n, n - power.n, borrow);
		return cc_limbs_normalise(rem, n);
	}
	return power.n < n || cc_limbs_cmp(power.words, of->a, n) != 0;
}

/* For k >= 3, and k less than the bits of a. */
static size_t long_root(cc_word *root, size_t rn, cc_word *rem, const struct rooted *of,
			size_t bits, cc_word *t)
{
	size_t length = (bits - 1) / of->k + 1, h = words_for(length + GUARD_BITS), found;
	size_t drop = h * CC_WORD_BITS - length;
	unsigned int part;
	cc_word *x = t;
	int below = 0;

	t += h;
	approximate(x, length + GUARD_BITS, bits - 1, of, t);
	if (cc_watch_stopped(of->w))
		return 0;
	shift_down(root, rn, x, h, drop);
	part = fraction(x, drop);
	/* within one of the last bit */
	if (part > 1 && part < (1u << GUARD_BITS) - 2) {
		if (!rem)
			return 1;
	} else if (part > 1) {
		/* 2^L is too large, and 2^L - 1 may be right */
		cc_limbs_add_1(root, root, rn, 1);
		if (!cc_limbs_normalise(root, rn) ||
		    (length % CC_WORD_BITS && root[length / CC_WORD_BITS] >> length % CC_WORD_BITS))
			below = 1;
	}
	found = below ? 0 : remainder_of(rem, &below, root, rn, of, t);
	if (!below || cc_watch_stopped(of->w))
		return found;
	cc_limbs_sub_1(root, root, rn, 1);
	return rem ? remainder_of(rem, &below, root, rn, of, t) : 1;
}

/* power[1] = b^k, if it is a word; whether it is */
static int power_of_word(cc_word *power, cc_word b, cc_word k)
{
	cc_word high = 0;

	for (*power = b; --k && !high;)
		*power = cc_word_mul(&high, *power, b);
	return !high;
}

/* Of one word, which has more bits than k >= 3. */
static size_t root_of_word(cc_word *root, cc_word *rem, cc_word a, unsigned int bits, cc_word k)
{
	unsigned int length = (bits - 1) / (unsigned int)k + 1, part;
	uint64_t x = cc_first_root(&a, 1, bits - 1, k);
	cc_word power;

	part = (unsigned int)(x >> (64 - length - GUARD_BITS)) & ((1u << GUARD_BITS) - 1);
	*root = (cc_word)(x >> (64 - length));
	if (part > 1 && part < (1u << GUARD_BITS) - 2) {
		if (!rem)
			return 1;
	} else {
		*root += part > 1;
		*root -= !power_of_word(&power, *root, k) || power > a;
	}
	power_of_word(&power, *root, k);
	if (rem)
		*rem = a - power;
	return a != power;
}

size_t cc_natural_root_watched(cc_word *root, cc_word *rem, const cc_word *a, size_t an, cc_word k,
			       cc_word *scratch, struct cc_watch *w)
{
	size_t n = cc_limbs_normalise(a, an), rn = an > k ? an / k + (an % k != 0) : an > 0, bits,
	       length;
	struct rooted of = {a, n, k, 0, w};
	cc_word rest[2], *square_rem = n <= 2 ? rest : scratch;

	if (an == 1 && k > 2 && a[0] && bits_of(a[0]) > k)
		return root_of_word(root, rem, a[0], bits_of(a[0]), k);
	if (rem && an)
		memset(rem, 0, an * sizeof(*rem));
	if (rn)
		memset(root, 0, rn * sizeof(*root));
	if (!n)
		return 0;
	if (k == 1) {
		memcpy(root, a, an * sizeof(*root));
		return 0;
	}
	bits = n * CC_WORD_BITS - cc_word_clz(a[n - 1]);
	if (bits <= k) {
		root[0] = 1;
		if (!rem)
			return n > 1 || a[0] > 1;
		cc_limbs_sub_1(rem, a, n, 1);
		return cc_limbs_normalise(rem, n);
	}
	if (k == 2) {
		length = n <= 2 ? cc_natural_isqrt(root, rest, a, n, NULL)
				: cc_natural_isqrt_watched(root, scratch, a, n, scratch + n + 1, w);
		if (!rem)
			return length != 0;
		memcpy(rem, square_rem, length * sizeof(*rem));
		return length;
	}
	if (n == 1)
		return root_of_word(root, rem, a[0], (unsigned int)bits, k);
	of.scale = (uint64_t)((bits - 1) / k + 1) * k;
	return long_root(root, (n - 1) / k + 1, rem, &of, bits, scratch);
}

size_t cc_natural_root(cc_word *root, cc_word *rem, const cc_word *a, size_t n, cc_word k,
		       cc_word *scratch)
{
	return cc_natural_root_watched(root, rem, a, n, k, scratch, NULL);
}
