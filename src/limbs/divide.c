// SPDX-License-Identifier: MIT
/*
 * Division by a word: word by word from the top, by its reciprocal (Moeller and Granlund, 2011).
 * There each word waits for the remainder of the word above.  Long dividends need less:
 *
 * The remainder, four words at a time: p_k = B^k mod d, and of what is above, only h B + l is kept,
 * which is congruent to it modulo d:
 *   h B^5 + l B^4 + w3 B^3 + w2 B^2 + w1 B + w0 = h p5 + l p4 + w3 p3 + w2 p2 + w1 p1 + w0.
 * For d <= B / 8 that is below B^2 again.  Each four wait for the four above, so that long ones are
 * taken by eights, for d <= B / 16.
 *
 * Then the quotient, exactly and from the bottom (Jebelean, 1993): with the remainder taken off,
 * and shifted until d is odd, each word of it is a product with the inverse of d modulo B.  What is
 * taken off the upper half is its own remainder, so both halves are divided at the same time.
 */
#include "divide.h"
#include "chain.h"

/* From as many words on, the preparations pay. */
#define LONG_REMAINDER 6
#define FOURS	       11
#define EIGHTS	       140
#define LONG_QUOTIENT  23
#define LONG_EXACT     40

cc_word cc_limbs_divrem_by(cc_word *q, const cc_word *a, size_t n, const struct cc_divisor *by)
{
	unsigned int shift = by->shift;
	cc_word d = by->d, v = by->reciprocal, rem, next;

	if (!n)
		return 0;
	if (!shift) {
		rem = 0;
		while (n--)
			q[n] = cc_word_div_2by1(&rem, rem, a[n], d, v);
		return rem;
	}
	next = a[--n];
	rem = next >> (CC_WORD_BITS - shift);
	while (n) {
		cc_word word = next << shift;

		next = a[n - 1];
		word |= next >> (CC_WORD_BITS - shift);
		q[n--] = cc_word_div_2by1(&rem, rem, word, d, v);
	}
	q[0] = cc_word_div_2by1(&rem, rem, next << shift, d, v);
	return rem >> shift;
}

/* (*high : *low) += a b */
static inline void add_product(cc_word *high, cc_word *low, cc_word a, cc_word b)
{
#if CC_U128_IMPL == 128
	/* of this, compilers keep the carry where it is */
	cc_native_u128 sum = ((cc_native_u128)*high << 64 | *low) + (cc_native_u128)a * b;

	*low = (cc_word)sum;
	*high = (cc_word)(sum >> 64);
#else
	cc_word above, below = cc_word_mul(&above, a, b), carry = 0;

	*low = cc_word_add(*low, below, &carry);
	*high += above + carry;
#endif
}

#define POWERS 9

/*
 * p[k] = B^k mod d for 1 < d <= B / 8, up to @most.  The first needs no division: B / d is the top
 * bits of B^2 / by->d, or one more if d is a power of two.
 */
static void prepare(cc_word p[POWERS + 1], const struct cc_divisor *by, unsigned int most)
{
	const cc_word d = by->d >> by->shift;
	const cc_word top = (cc_word)1 << by->shift | by->reciprocal >> (CC_WORD_BITS - by->shift);
	cc_word rem = 0 - top * d;
	unsigned int k;

	p[1] = rem == d ? 0 : rem;
	rem = p[1] << by->shift;
	for (k = 2; k <= most; k++) {
		cc_word_div_2by1(&rem, rem, 0, by->d, by->reciprocal);
		p[k] = rem >> by->shift;
	}
}

/* As many as remainder_of_long() takes. */
static inline unsigned int powers_for(size_t n, const struct cc_divisor *by)
{
	return n >= EIGHTS && by->shift >= 4 ? 9 : n >= FOURS ? 5 : 2;
}

/* Makes a compiler have (*high : *low) before it adds more, which is known later. */
static inline void known(cc_word *high, cc_word *low)
{
	__asm__("" : "+r"(*high), "+r"(*low));
}

/* (above : a[n]) mod d */
static cc_word remainder_of_long(cc_word above, const cc_word *a, size_t n,
				 const cc_word p[POWERS + 1], unsigned int most,
				 const struct cc_divisor *by)
{
	unsigned int shift = by->shift, back = CC_WORD_BITS - shift;
	cc_word high = 0, low = above, h, l, rem;

	for (; most == 2 ? n : n % 4; high = h, low = l) {
		l = a[--n];
		h = 0;
		add_product(&h, &l, low, p[1]);
		add_product(&h, &l, high, p[2]);
	}
	for (; n && (most < POWERS || n % 8); high = h, low = l) {
		n -= 4;
		l = a[n];
		h = 0;
		add_product(&h, &l, a[n + 1], p[1]);
		add_product(&h, &l, a[n + 2], p[2]);
		add_product(&h, &l, a[n + 3], p[3]);
		known(&h, &l);
		add_product(&h, &l, low, p[4]);
		known(&h, &l);
		add_product(&h, &l, high, p[5]);
	}
	for (; n; high = h, low = l) {
		n -= 8;
		l = a[n];
		h = 0;
		add_product(&h, &l, a[n + 1], p[1]);
		add_product(&h, &l, a[n + 2], p[2]);
		add_product(&h, &l, a[n + 3], p[3]);
		add_product(&h, &l, a[n + 4], p[4]);
		add_product(&h, &l, a[n + 5], p[5]);
		add_product(&h, &l, a[n + 6], p[6]);
		add_product(&h, &l, a[n + 7], p[7]);
		add_product(&h, &l, low, p[8]);
		add_product(&h, &l, high, p[9]);
	}
	/* below B d */
	h = 0;
	l = low;
	add_product(&h, &l, high, p[1]);
	rem = h << shift | l >> back;
	cc_word_div_2by1(&rem, rem, l << shift, by->d, by->reciprocal);
	return rem >> shift;
}

static inline int is_long(size_t n, size_t least, const struct cc_divisor *by)
{
	return n >= least && by->shift >= 3 && by->shift < CC_WORD_BITS - 1;
}

/* An exact division from the bottom: what is still to be taken off is taken + borrow. */
struct exact {
	unsigned int zeros; /* of d, below its odd part */
	cc_word odd, inverse;
};

struct taken {
	cc_word product;
	cc_carry borrow;
};

static inline struct exact exact_by(cc_word d)
{
	struct exact by = {.zeros = cc_word_ctz(d)};

	by.odd = d >> by.zeros;
	by.inverse = cc_limbs_inverse(by.odd);
	return by;
}

/* The next word of the quotient. */
static inline cc_word exact_word(struct taken *taken, cc_word word, const struct exact *by)
{
	cc_word q = cc_chain_sub(word, taken->product, &taken->borrow) * by->inverse;

	cc_word_mul(&taken->product, q, by->odd);
	return q;
}

/* A word of a / 2^zeros, of a word and that above it. */
static inline cc_word shifted(cc_word word, cc_word above, const struct exact *by)
{
	return word >> by->zeros | above << 1 << (CC_WORD_BITS - 1 - by->zeros);
}

/* q[n] = a[n] / d, of remainder @rem; that of the words from n / 2 on is @upper */
static void divide_exactly(cc_word *q, const cc_word *a, size_t n, cc_word d, cc_word rem,
			   cc_word upper)
{
	const struct exact by = exact_by(d);
	struct taken low = {rem >> by.zeros, 0}, high = {upper >> by.zeros, 0};
	size_t half = n / 2, i;
	/* q may be a */
	cc_word middle = a[half];

	for (i = 0; i < half - 1; i++) {
		q[i] = exact_word(&low, shifted(a[i], a[i + 1], &by), &by);
		q[half + i] = exact_word(&high, shifted(a[half + i], a[half + i + 1], &by), &by);
	}
	q[i] = exact_word(&low, shifted(a[i], middle, &by), &by);
	for (i += half; i < n; i++)
		q[i] = exact_word(&high, shifted(a[i], i + 1 < n ? a[i + 1] : 0, &by), &by);
}

/* Shorter ones, from the bottom to the top. */
static void exact_short(cc_word *q, const cc_word *a, size_t n, cc_word d)
{
	const struct exact by = exact_by(d);
	struct taken taken = {0, 0};
	size_t i;

	if (!by.zeros) {
		for (i = 0; i < n; i++)
			q[i] = exact_word(&taken, a[i], &by);
		return;
	}
	for (i = 0; i + 1 < n; i++)
		q[i] = exact_word(&taken, shifted(a[i], a[i + 1], &by), &by);
	if (n)
		q[i] = exact_word(&taken, shifted(a[i], 0, &by), &by);
}

void cc_limbs_divexact_1(cc_word *q, const cc_word *a, size_t n, cc_word d)
{
	size_t half = n / 2;
	struct cc_divisor by;
	cc_word p[POWERS + 1];
	unsigned int most;

	if (n < LONG_EXACT) {
		exact_short(q, a, n, d);
		return;
	}
	by = cc_divisor(d);
	if (!is_long(n, LONG_EXACT, &by)) {
		exact_short(q, a, n, d);
		return;
	}
	most = powers_for(n - half, &by);
	prepare(p, &by, most);
	divide_exactly(q, a, n, d, 0,
		       remainder_of_long(a[n - 1], a + half, n - half - 1, p, most, &by));
}

cc_word cc_limbs_exact_rest(const cc_word *a, size_t n, cc_word d)
{
	const struct exact by = {0, d, cc_limbs_inverse(d)};
	struct taken taken = {0, 0};
	size_t i;

	for (i = 0; i < n; i++)
		(void)exact_word(&taken, a[i], &by);
	/* the product's upper word is below d */
	return taken.product + taken.borrow;
}

int cc_limbs_divides_1(const cc_word *a, size_t n, cc_word d)
{
	return !cc_limbs_exact_rest(a, n, d);
}

cc_word cc_limbs_mod_1(const cc_word *a, size_t n, cc_word d)
{
	struct cc_divisor by = cc_divisor(d);
	unsigned int back = CC_WORD_BITS - 1 - by.shift;
	cc_word p[POWERS + 1], rem, next;

	if (is_long(n, LONG_REMAINDER, &by)) {
		unsigned int most = powers_for(n, &by);

		prepare(p, &by, most);
		return remainder_of_long(a[n - 1], a, n - 1, p, most, &by);
	}
	if (!n)
		return 0;
	next = a[--n];
	rem = next >> 1 >> back;
	while (n) {
		cc_word word = next << by.shift;

		next = a[--n];
		cc_word_div_2by1(&rem, rem, word | next >> 1 >> back, by.d, by.reciprocal);
	}
	cc_word_div_2by1(&rem, rem, next << by.shift, by.d, by.reciprocal);
	return rem >> by.shift;
}

cc_word cc_limbs_divrem_1(cc_word *q, const cc_word *a, size_t n, cc_word d)
{
	struct cc_divisor by = cc_divisor(d);
	unsigned int most = powers_for(n / 2, &by);
	cc_word p[POWERS + 1], rem, upper;

	if (!is_long(n, LONG_QUOTIENT, &by))
		return cc_limbs_divrem_by(q, a, n, &by);
	prepare(p, &by, most);
	upper = remainder_of_long(a[n - 1], a + n / 2, n - n / 2 - 1, p, most, &by);
	rem = remainder_of_long(upper, a, n / 2, p, most, &by);
	divide_exactly(q, a, n, d, rem, upper);
	return rem;
}
