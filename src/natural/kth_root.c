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
#include "product.h"

#include "../limbs/kernels.h"

/* The good bits of a root by logarithms. */
#define FIRST_BITS  58
#define FIRST_WORDS (64 / CC_WORD_BITS)
/* Bits beyond the root's that decide it, but for one root in 2^12.  Two words need no step. */
#define GUARD_BITS 14
/* A number of h words has 5 bits less. */
#define SPOILT_BITS 5

/* c = 2^16 / (1 + (i + 1/2) / 32), rounded */
static const uint16_t reciprocals[32] = {
	64528, 62602, 60787, 59075, 57456, 55924, 54471, 53092, 51782, 50534, 49345,
	48210, 47127, 46091, 45100, 44151, 43240, 42367, 41528, 40721, 39946, 39199,
	38480, 37787, 37118, 36472, 35849, 35246, 34664, 34100, 33554, 33026,
};

/* 2^62 log2(2^16 / c) */
static const uint64_t logarithms[32] = {
	0x016e625317aa9f87, 0x043aa2e00cef0bcc, 0x06f212017fe423fa, 0x099556a5539ab7dd,
	0x0c262cfd61c9ae6a, 0x0ea4fceb6b342d56, 0x11133d3c179389b6, 0x137158be940d0b69,
	0x15bfe367828cbaae, 0x18008b6b2971605c, 0x1a3357be96a3fb6b, 0x1c5960ba6e19da5f,
	0x1e726c133bce076d, 0x207fd645cbcacd72, 0x228199ba95d1fcae, 0x24784881da4e9fb3,
	0x26651b755acf0c89, 0x28473726a8e88e05, 0x2a20006e2cb82aec, 0x2befdb0ed5f8fc43,
	0x2db60d525fccb0ff, 0x2f7441d10c7877fe, 0x3129d780c95c936f, 0x32d7692efc95c9d0,
	0x347da49f407762c0, 0x361ca4ed6b2696a8, 0x37b3e463051016a1, 0x3944dd014268bb0d,
	0x3ace6e0b455fc978, 0x3c522e216e09f5b1, 0x3dcfb6cb5925f279, 0x3f469f05987c96d9,
};

/* 2^63 2^(i / 32) */
static const uint64_t powers[32] = {
	0x8000000000000000, 0x82cd8698ac2ba1d7, 0x85aac367cc487b15, 0x88980e8092da8527,
	0x8b95c1e3ea8bd6e7, 0x8ea4398b45cd53c0, 0x91c3d373ab11c336, 0x94f4efa8fef70961,
	0x9837f0518db8a96f, 0x9b8d39b9d54e5539, 0x9ef5326091a111ae, 0xa27043030c496819,
	0xa5fed6a9b15138ea, 0xa9a15ab4ea7c0ef8, 0xad583eea42a14ac6, 0xb123f581d2ac2590,
	0xb504f333f9de6484, 0xb8fbaf4762fb9ee9, 0xbd08a39f580c36bf, 0xc12c4cca66709456,
	0xc5672a115506dadd, 0xc9b9bd866e2f27a3, 0xce248c151f8480e4, 0xd2a81d91f12ae45a,
	0xd744fccad69d6af4, 0xdbfbb797daf23755, 0xe0ccdeec2a94e111, 0xe5b906e77c8348a8,
	0xeac0c6e7dd24392f, 0xefe4b99bdcdaf5cb, 0xf5257d152486cc2c, 0xfa83b2db722a033a,
};

/* 2^62 / (i ln 2), and 2^64 (ln 2)^i / i!, for i from 1 */
static const uint64_t of_log[] = {
	0x5c551d94ae0bf85e, 0x2e2a8eca5705fc2f, 0x1ec709dc3a03fd75, 0x171547652b82fe17,
	0x12776c50ef9bfe79, 0x0f6384ee1d01feba, 0x0d30bb153d6f6ca0, 0x0b8aa3b295c17f0c,
	0x0a42589ebe01547c, 0x093bb62877cdff3d, 0x0864d424ca011694,
};
static const uint64_t of_exp[] = {
	0xb17217f7d1cf79ac, 0x3d7f7bff058b1d51, 0x0e35846b82505fc6,
	0x0276556df749cee5, 0x005761ff9e299cc4, 0x000a184897c363c4,
	0x0000ffe5fe2c4586, 0x0000162c0223a5c8, 0x000001b5253d395e,
};

#define TERMS(series) (sizeof(series) / sizeof((series)[0]))

static uint64_t high_of(uint64_t a, uint64_t b)
{
	uint64_t high;

	cc_mul_u64(&high, a, b);
	return high;
}

/* 2^62 log2(x / 2^63) within 4, for x >= 2^63: x c = 2^79 (1 + z), |z| < 1/63, and a series */
static uint64_t log2_of(uint64_t x)
{
	const unsigned int at = x >> 58 & 31;
	const uint64_t one = (uint64_t)1 << 63, y = high_of(x, (uint64_t)reciprocals[at] << 48);
	const uint64_t z = (y < one ? one - y : y - one) << 1, top = ((uint64_t)1 << 62) - 1;
	size_t i = TERMS(of_log) - 1;
	uint64_t sum = of_log[i], f;

	while (i--)
		sum = y < one ? of_log[i] + high_of(z, sum) : of_log[i] - high_of(z, sum);
	sum = high_of(z, sum);
	if (y < one)
		return logarithms[at] > sum ? logarithms[at] - sum : 0;
	f = logarithms[at] + sum;
	return f < top ? f : top;
}

/* 2^63 2^(x / 2^64), but for a part of 2^-62; at least 2^63 */
static uint64_t exp2_of(uint64_t x)
{
	const uint64_t least = (uint64_t)1 << 63, rest = x & (((uint64_t)1 << 59) - 1);
	size_t i = TERMS(of_exp) - 1;
	uint64_t sum = of_exp[i], power = powers[x >> 59];

	while (i--)
		sum = of_exp[i] + high_of(rest, sum);
	power += high_of(power, high_of(rest, sum));
	return power < least ? ~(uint64_t)0 : power;
}

/* The top 64 bits of a[n], of which the first is set. */
static uint64_t top_bits(const cc_word *a, size_t n)
{
	const unsigned int shift = cc_word_clz(a[n - 1]);
	uint64_t top = 0, next = 0;
	size_t i;

	for (i = 0; i < FIRST_WORDS; i++)
		top |= (uint64_t)(i < n ? a[n - 1 - i] : 0) << (64 - CC_WORD_BITS * (i + 1));
	if (n > FIRST_WORDS)
		next = (uint64_t)a[n - 1 - FIRST_WORDS] << (64 - CC_WORD_BITS);
	return top << shift | next >> 1 >> (63 - shift);
}

/* 2^64 Y with FIRST_BITS good ones: 2^(log2(a) / k), for 2^whole <= a < 2 2^whole */
static uint64_t first_root(const cc_word *a, size_t n, size_t whole, cc_word k)
{
	cc_word f[FIRST_WORDS + 1], q[FIRST_WORDS + 1];
	uint64_t log = log2_of(top_bits(a, n)) << 2, part = 0;
	size_t i;

	for (i = 0; i < FIRST_WORDS; i++)
		f[i] = (cc_word)(log >> CC_WORD_BITS * i);
	f[i] = (cc_word)(whole % k);
	cc_limbs_divrem_1(q, f, FIRST_WORDS + 1, k);
	for (i = 0; i < FIRST_WORDS; i++)
		part |= (uint64_t)q[i] << CC_WORD_BITS * i;
	return exp2_of(part);
}

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
	by = top_of(by, m);
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
	r = (struct number){rest, n, a.exponent + (int64_t)a.n + 1 - (int64_t)length};
	/* the quotient in units of B^-h */
	n = (size_t)(r.exponent + (int64_t)(r.n + h) - by.exponent);
	if ((int64_t)n < (int64_t)by.n)
		return;
	align(numerator, n, by.exponent - (int64_t)h, r);
	cc_natural_divrem_watched(q, rest, numerator, n, by.words, by.n, work, of->w);
	if (cc_watch_stopped(of->w))
		return;
	qn = n - by.n + 1;
	cc_limbs_divrem_1(q, q, qn, of->k);
	qn = cc_limbs_normalise(q, qn);
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

	return cc_larger(words, FIRST_WORDS);
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
	size_t h = words_for(good), have = FIRST_BITS, h0 = FIRST_WORDS, next, before, words, i;
	uint64_t first = first_root(of->a, of->n, whole, of->k);

	memset(x, 0, h * sizeof(*x));
	for (i = 0; i < h0; i++)
		x[h - h0 + i] = (cc_word)(first >> CC_WORD_BITS * i);
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
	if (good > FIRST_BITS)
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
	uint64_t x = first_root(&a, 1, bits - 1, k);
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
	size_t n = cc_limbs_normalise(a, an), rn = k ? an / k + (an % k != 0) : 0, bits, length;
	struct rooted of = {a, n, k, 0, w};
	cc_word rest[2], *square_rem = n <= 2 ? rest : scratch;

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
