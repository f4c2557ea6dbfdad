// SPDX-License-Identifier: MIT
/*
 * Modular exponentiation for odd m by the doubles of digits_avx2.h, with four digits of one number
 * in a vector: Montgomery reduction in whole vectors, and a fixed window.
 *
 * With x = 2^52, K vectors, R = x^4K >= 4 m, m' = -1 / m mod R, and factors below 2 m:
 *
 *	T = a b < 4 m^2,  q = (T mod R) m' mod R,  r = (T + q m) / R < m (4 m / R + 1) <= 2 m,
 *
 * so no step subtracts.  Only the columns of q m from 4K - 4 on are computed.  T + q m is a
 * multiple of R; let V be the part of T mod R and of q m in columns from 4K - 4 on.  The omitted
 * part has the products in at most 4K - 4 columns below, at most 4K in each, and their carries:
 * together less than (4K + 1) x x^(4K - 4).  So V mod R is 0 or exceeds R minus that, and with
 *
 *	r = T / R + floor((V + 2^61 x^(4K - 4)) / R),   4K + 1 <= 2^9,
 *
 * the columns from 4K - 4 on, rounded up, give the exact carry.
 *
 * Columns of T and q m together are sums of at most 8K products' halves, each between -2^51 and
 * 2^52: from -2^61 to less than 960 2^52, for K <= 80.  With 2^61 and 2^62 added, they are
 * positive and below 2^63.
 *
 * Zen 5, cycles per step at n = 16, 32, 48, 64, 128: 603, 1470, 2810, 4670, 16100 for a square,
 * 660, 1650, 3320, 5670, 20500 for a product.  The products of digits in a square's step alone,
 * at 1.25 cycles: 260, 900, 1910, 3300, 12600.
 */
#include <carrychain/limbs.h>

#include "../mask.h"
#include "digits_avx2.h"
#include "tier_avx2.h"

#if CC_BUILD_VECTORS

#define ENTRIES 32 /* of the widest window */
#define TILE	5  /* vectors of columns that are summed at a time */
#define LANES	4

struct montgomery {
	size_t vectors; /* K: a multiple of TILE */
	real *m;	/* numbers that are multiplied have LANES zeros at both ends */
	real *minus_inverse;
	real *low; /* T mod R */
	real *q;
	__m256i *column; /* 2 K */
};

/* Sums of columns: of low halves, and of high ones, which belong one column higher */
struct columns {
	__m256i low[TILE], high[TILE];
};

#define FOR_COLUMNS(statement) statement(0) statement(1) statement(2) statement(3) statement(4)

/* Columns that begin so that they are 0 after column k has had first + step k products */
INLINE struct columns no_columns(size_t first, int step)
{
	const __m256i low = every(first * LOW_BITS), high = every(first * HIGH_BITS);
	struct columns c;

#define CLEAR(k)                                                                                   \
	c.low[k] = _mm256_add_epi64(low, every((uint64_t)(step * (k)) * LOW_BITS));                \
	c.high[k] = every((uint64_t)(-step * (k)) * HIGH_BITS);                                    \
	c.high[k] = _mm256_sub_epi64(c.high[k], high);
	FOR_COLUMNS(CLEAR)
#undef CLEAR
	return c;
}

/*
 * The columns from @from to @to - 1: column k += x y[4 k ...]; column @first, if it is among them,
 * has its own factor
 */
INLINE void row(struct columns *c, int from, int to, __m256d x, const real *y, int first,
		__m256d factor)
{
#define ADD_PRODUCT(k)                                                                             \
	if (from <= (k) && (k) < to)                                                               \
		add_unaligned(&c->low[k], &c->high[k], (k) == first ? factor : x,                  \
			      (const vector *)(y + LANES * (k)));
	FOR_COLUMNS(ADD_PRODUCT)
#undef ADD_PRODUCT
}

/* Rows, for the digits of x from @begin to @end - 1: column k += x[i] y[4 k - i ...] */
INLINE void rows(struct columns *c, int from, int to, const real *x, size_t begin, size_t end,
		 const real *y)
{
	size_t i;

	ROLLED
	for (i = begin; i < end; i++)
		row(c, from, to, _mm256_broadcast_sd(x + i), y - (ptrdiff_t)i, -1,
		    _mm256_setzero_pd());
}

/* The rows after the whole ones, at the beginning of y: those of vector @at + t have columns t on
 */
INLINE void falling_rows(struct columns *c, const real *x, size_t at, const real *y)
{
#define FALL(t) rows(c, t, TILE, x, LANES *(at + (t)), LANES *(at + (t) + 1), y + LANES * at);
	FOR_COLUMNS(FALL)
#undef FALL
}

/*
 * The rows before the whole ones, at the end of y[@vectors]: those of vector @at + t have columns
 * 0 to t, of which the last in row 0 has the zeros above y
 */
INLINE void rising_rows(struct columns *c, const real *x, size_t at, const real *y, size_t vectors)
{
#define RISE(t)                                                                                    \
	rows(c, 0, (t) + 1, x, LANES * (at + (t)), LANES * (at + (t) + 1),                         \
	     y + LANES * (vectors + at));
	FOR_COLUMNS(RISE)
#undef RISE
}

/*
 * The four rows of a square that begin in columns @first (may be -1) and the next, up to @to - 1:
 * digit i times those above it, so that row 0 has three products in its first column, and row 1
 * has one.  x is at the first of the four digits, from at the digit for lane 0 of column 0.
 */
INLINE void first_rows(struct columns *c, int first, int to, const real *x, const real *from)
{
	const __m256d three = _mm256_castsi256_pd(_mm256_set_epi64x(-1, -1, -1, 0));
	const __m256d one = _mm256_castsi256_pd(_mm256_set_epi64x(-1, 0, 0, 0));
	__m256d digit;

#define ROW(i, mask)                                                                               \
	digit = _mm256_broadcast_sd(x + (i));                                                      \
	row(c, first + (i) / 2, to, digit, from - (i), first + (i) / 2, _mm256_and_pd(digit, mask));
	ROW(0, three)
	ROW(1, one)
	ROW(2, three)
	ROW(3, one)
#undef ROW
}

/* Moves lanes up by one; lane 0 is the top lane of @below, which is rotated and becomes @v */
INLINE __m256i lanes_up(__m256i v, __m256i *below)
{
	__m256i rotated = _mm256_permute4x64_epi64(v, 0x93), up;

	up = _mm256_blend_epi32(rotated, *below, 3);
	*below = rotated;
	return up;
}

enum finish { STORED, ADDED, DOUBLED };

/* Stores the columns to @to, or adds them once or twice; @below as in lanes_up() */
INLINE void finish(struct columns *c, __m256i *to, enum finish how, __m256i *below)
{
	__m256i sum;

#define FINISH(k)                                                                                  \
	sum = _mm256_add_epi64(c->low[k], lanes_up(c->high[k], below));                            \
	if (how == DOUBLED)                                                                        \
		sum = _mm256_slli_epi64(sum, 1);                                                   \
	to[k] = how == STORED ? sum : _mm256_add_epi64(sum, to[k]);
	FOR_COLUMNS(FINISH)
#undef FINISH
}

/* column[K] = the low half of x y; returns the part above the last column */
AVX2 static __m256i multiply_low(const struct montgomery *k, const real *x, const real *y)
{
	__m256i below = _mm256_setzero_si256();
	size_t at;

	for (at = 0; at < k->vectors; at += TILE) {
		struct columns c = no_columns(LANES * (at + 1), LANES);

		rows(&c, 0, TILE, x, 0, LANES * at, y + LANES * at);
		falling_rows(&c, x, at, y);
		finish(&c, k->column + at, STORED, &below);
	}
	return below;
}

/* column[K ...] = the high half, or adds it */
INLINE void multiply_high(const struct montgomery *k, const real *x, const real *y, enum finish how,
			  __m256i below)
{
	size_t at, vectors = k->vectors;

	for (at = 0; at < vectors; at += TILE) {
		struct columns c = no_columns(LANES * (vectors - at), -LANES);

		rising_rows(&c, x, at, y, vectors);
		rows(&c, 0, TILE, x, LANES * (at + TILE), LANES * vectors,
		     y + LANES * (vectors + at));
		finish(&c, k->column + vectors + at, how, &below);
	}
}

/* column[2 K] = a b */
AVX2 static void multiply(const struct montgomery *k, const real *a, const real *b)
{
	multiply_high(k, a, b, STORED, multiply_low(k, a, b));
}

/* column[2 K] = the squares of the digits alone */
AVX2 static void squares(const struct montgomery *k, const real *a)
{
	size_t i;

	for (i = 0; i < k->vectors; i++) {
		const vector *x = (const vector *)(a + LANES * i);
		__m256i low = every(LOW_BITS), high = every(0 - HIGH_BITS), even, odd;

		add_product(&low, &high, *x, x);
		even = _mm256_unpacklo_epi64(low, high);
		odd = _mm256_unpackhi_epi64(low, high);
		k->column[2 * i] = _mm256_permute2x128_si256(even, odd, 0x20);
		k->column[2 * i + 1] = _mm256_permute2x128_si256(even, odd, 0x31);
	}
}

/*
 * column[2 K] = a^2.  A column v < K has 2 v + 2 products of pairs: four for each of the vectors
 * below v / 2, and two more if v is even.  A column above has correspondingly fewer, and a product
 * with the zeros above a.
 */
AVX2 static void square(const struct montgomery *k, const real *a)
{
	size_t vectors = k->vectors, top = 2 * vectors - TILE, at;
	__m256i below = _mm256_setzero_si256();
	struct columns c;

	squares(k, a);
	for (at = 0; at < top; at += TILE) {
		const real *from = a + LANES * at, *x = a + LANES * (at / 2);
		size_t begin = 0;

		if (at < vectors) {
			c = no_columns(2 * at + 2, 2);
		} else {
			c = no_columns(4 * vectors - 2 * at + 2, -2);
			rising_rows(&c, a, at - vectors, a, vectors);
			begin = LANES * (at - vectors + TILE);
		}
		rows(&c, 0, TILE, a, begin, LANES * (at / 2), from);
		from -= LANES * (at / 2);
		if (at % 2) {
			first_rows(&c, -1, TILE, x, from);
			first_rows(&c, 1, TILE, x + LANES, from - LANES);
			first_rows(&c, 3, TILE, x + 2 * LANES, from - 2 * LANES);
		} else {
			first_rows(&c, 0, TILE, x, from);
			first_rows(&c, 2, TILE, x + LANES, from - LANES);
			first_rows(&c, 4, TILE, x + 2 * LANES, from - 2 * LANES);
		}
		finish(&c, k->column + at, DOUBLED, &below);
	}
	a += LANES * vectors;
	c = no_columns(2 * TILE + 2, -2);
	rows(&c, 0, 1, a - LANES * TILE, 0, LANES, a);
	rows(&c, 0, 2, a - LANES * TILE, LANES, 2 * LANES, a);
	first_rows(&c, -1, 3, a - 3 * LANES, a - 2 * LANES);
	first_rows(&c, 1, 4, a - 2 * LANES, a - 3 * LANES);
	first_rows(&c, 3, 5, a - LANES, a - 4 * LANES);
	finish(&c, k->column + top, DOUBLED, &below);
}

/* The carry from the top column of one run of vectors to the next. */
struct carry {
	__m256i high; /* rotated: in lane 0 */
	uint64_t bit;
};

/* Makes each column positive: 2^62 adds 2^10 to its carry, which the next column subtracts */
#define POSITIVE (((uint64_t)1 << 62) - ((uint64_t)1 << 10))

INLINE struct carry no_carry(void)
{
	struct carry c = {every((uint64_t)1 << 10), 0};

	return c;
}

/* One bit per lane, from masks */
INLINE uint64_t lane_bits(__m256i v)
{
	return (uint64_t)(unsigned int)_mm256_movemask_pd(_mm256_castsi256_pd(v));
}

/*
 * d[TILE] = the digits of column[TILE], each with POSITIVE added.
 *
 * A column is then c = h 2^52 + l, h < 2^11.  With the h of the column below,
 * l + h < 2 2^52 - 1, even after a carry of 1: from then on, a column carries 0 or 1.  It generates
 * a carry if l + h >= 2^52, and propagates one if it is 2^52 - 1.  One addition of bit masks yields
 * all carries, because a carry ripples through a run of propagate bits as through ones.
 */
INLINE void carry_tile(real *d, const __m256i *column, struct carry *carry)
{
	const __m256i mask = every(DIGIT_MASK), one = every(1);
	__m256i s[TILE], into_lanes, at = _mm256_set_epi64x(3, 2, 1, 0);
	uint64_t generate = 0, propagate = 0, into;

#define SUM(k)                                                                                     \
	s[k] = _mm256_add_epi64(column[k], every(POSITIVE));                                       \
	into_lanes = lanes_up(_mm256_srli_epi64(s[k], DIGIT_BITS), &carry->high);                  \
	s[k] = _mm256_add_epi64(_mm256_and_si256(s[k], mask), into_lanes);                         \
	generate |= lane_bits(_mm256_cmpgt_epi64(s[k], mask)) << (LANES * (k));                    \
	propagate |= lane_bits(_mm256_cmpeq_epi64(s[k], mask)) << (LANES * (k));
	FOR_COLUMNS(SUM)
#undef SUM
	into = (generate << 1 | carry->bit) + propagate;
	carry->bit = into >> (LANES * TILE) & 1;
	into_lanes = every(into ^ propagate);
#define ADD_CARRY(k)                                                                               \
	s[k] = _mm256_add_epi64(s[k], _mm256_and_si256(_mm256_srlv_epi64(into_lanes, at), one));   \
	at = _mm256_add_epi64(at, every(LANES));                                                   \
	_mm256_storeu_pd(d + LANES * (k), digit(s[k]));
	FOR_COLUMNS(ADD_CARRY)
#undef ADD_CARRY
}

INLINE void carry_columns(const struct montgomery *k, real *d, const __m256i *column,
			  struct carry *carry)
{
	size_t i;

	for (i = 0; i < k->vectors; i += TILE)
		carry_tile(d + LANES * i, column + i, carry);
}
/* The carry out of the top vector of V, rounded up, added to the carry so far */
INLINE void carry_top(const struct montgomery *k, __m256i column, struct carry *carry)
{
	const __m256i mask = every(DIGIT_MASK), half = _mm256_set_epi64x(0, 0, 0, 1LL << 61);
	struct carry top = no_carry();
	__m256i s, high;
	uint64_t into;

	s = integer(_mm256_loadu_pd(k->low + LANES * (k->vectors - 1)));
	s = _mm256_add_epi64(_mm256_add_epi64(s, column), _mm256_add_epi64(half, every(POSITIVE)));
	high = lanes_up(_mm256_srli_epi64(s, DIGIT_BITS), &top.high);
	s = _mm256_add_epi64(_mm256_and_si256(s, mask), high);
	into = (lane_bits(_mm256_cmpgt_epi64(s, mask)) << 1) +
	       lane_bits(_mm256_cmpeq_epi64(s, mask));
	/* subtract the excess of all columns */
	top.high = _mm256_sub_epi64(top.high, no_carry().high);
	top.high = _mm256_add_epi64(top.high, every(into >> LANES));
	carry->high = _mm256_add_epi64(carry->high, top.high);
}

/* The column below the high half of x y, without carries from below; returns the part above it */
INLINE __m256i top_column(const struct montgomery *k, const real *x, const real *y, __m256i *above)
{
	size_t products = 2 * k->vectors, i;
	__m256i low[2], high[2];

	low[0] = low[1] = every(products * LOW_BITS);
	high[0] = high[1] = every(0 - products * HIGH_BITS);
	ROLLED
	for (i = 0; i < k->vectors; i++, x += LANES) {
		const real *from = y + LANES * (k->vectors - 1 - i);

#define ADD_PRODUCT(s)                                                                             \
	add_unaligned(&low[(s) % 2], &high[(s) % 2], _mm256_broadcast_sd(x + (s)),                 \
		      (const vector *)(from - (s)));
		ADD_PRODUCT(0)
		ADD_PRODUCT(1)
		ADD_PRODUCT(2)
		ADD_PRODUCT(3)
#undef ADD_PRODUCT
	}
	*above = _mm256_setzero_si256();
	high[0] = lanes_up(_mm256_add_epi64(high[0], high[1]), above);
	return _mm256_add_epi64(_mm256_add_epi64(low[0], low[1]), high[0]);
}

/* r = the columns / R mod m */
AVX2 static void reduce(const struct montgomery *k, real *r)
{
	struct carry carry = no_carry(), of_q = no_carry();
	__m256i top, below;

	carry_columns(k, k->low, k->column, &carry);
	multiply_low(k, k->low, k->minus_inverse);
	carry_columns(k, k->q, k->column, &of_q);
	top = top_column(k, k->q, k->m, &below);
	multiply_high(k, k->q, k->m, ADDED, below);
	carry_top(k, top, &carry);
	carry_columns(k, r, k->column + k->vectors, &carry);
}

/* r = a b / R mod m, a^2 / R mod m, below 2 m if a b < R m; r may be a or b */
static void mul(const struct montgomery *k, real *r, const real *a, const real *b)
{
	multiply(k, a, b);
	reduce(k, r);
}

static void sqr(const struct montgomery *k, real *r, const real *a)
{
	square(k, a);
	reduce(k, r);
}

/* d = the number */
static void set(const struct montgomery *k, real *d, double number)
{
	memset(d, 0, LANES * k->vectors * sizeof(*d));
	d[0] = number;
}

static void load(const struct montgomery *k, real *d, const cc_word *x, size_t n)
{
	size_t i;

	for (i = 0; i < LANES * k->vectors; i++)
		d[i] = i * DIGIT_BITS < n * CC_WORD_BITS
			       ? (double)(int64_t)cc_fixed_bits(x, n, i * DIGIT_BITS, DIGIT_BITS)
			       : 0;
}

/* x[n] = the digits */
static void store(cc_word *x, size_t n, const real *d)
{
	size_t i;

	for (i = 0; i < n; i++) {
		size_t bit = i * CC_WORD_BITS, shift = bit % DIGIT_BITS;
		const real *from = d + bit / DIGIT_BITS;

		x[i] = (cc_word)(int64_t)from[0] >> shift | (cc_word)(int64_t)from[1]
								    << (DIGIT_BITS - shift);
		if (shift > 2 * DIGIT_BITS - CC_WORD_BITS)
			x[i] |= (cc_word)(int64_t)from[2] << (2 * DIGIT_BITS - shift);
	}
}

/* x = -1 / m mod R by Newton: if m x = -1 + e, the error of x (2 + m x) is e^2. */
AVX2 static void invert(const struct montgomery *k, real *x, cc_word m0)
{
	size_t digits;

	set(k, x, (double)(int64_t)(cc_fixed_minus_inverse(m0) & DIGIT_MASK));
	for (digits = 1; digits < LANES * k->vectors; digits *= 2) {
		struct carry carry = no_carry();

		multiply_low(k, k->m, x);
		k->column[0] = _mm256_add_epi64(k->column[0], _mm256_set_epi64x(0, 0, 0, 2));
		carry_columns(k, k->q, k->column, &carry);
		multiply_low(k, k->q, x);
		carry = no_carry();
		carry_columns(k, x, k->column, &carry);
	}
}

/* An entry of the table has no padding. */
static size_t entry_digits(size_t n)
{
	return (n * CC_WORD_BITS + 2 + DIGIT_BITS - 1) / DIGIT_BITS;
}

static size_t vectors_of(size_t n)
{
	size_t each = LANES * TILE;

	return (entry_digits(n) + each - 1) / each * TILE;
}

size_t cc_fixed_radix_avx2(size_t n)
{
	return LANES * DIGIT_BITS * vectors_of(n);
}

/* r = table[which] of @entries, all of which are read, one vector at a time */
AVX2 static void lookup(real *r, const real *table, size_t entries, cc_word which, size_t digits)
{
	const __m256i wanted = every(which), one = every(1);
	size_t entry, i, at;

	for (i = 0; i < digits; i += LANES) {
		__m256d found = _mm256_setzero_pd();
		__m256i passing = _mm256_setzero_si256();

		at = i + LANES <= digits ? i : digits - LANES;
		for (entry = 0; entry < entries; entry++) {
			__m256d mine = _mm256_castsi256_pd(_mm256_cmpeq_epi64(passing, wanted));
			__m256d from = _mm256_loadu_pd(table + entry * digits + at);

			found = _mm256_or_pd(found, _mm256_and_pd(mine, from));
			passing = _mm256_add_epi64(passing, one);
		}
		_mm256_storeu_pd(r + at, found);
	}
}

/* Fills the table with the powers of y; its first entry is given, and x is y. */
static void fill(const struct montgomery *k, real *table, size_t entries, size_t digits, real *x,
		 const real *y)
{
	size_t entry;

	for (entry = 1; entry < entries; entry++) {
		if (entry > 1)
			mul(k, x, x, y);
		memcpy(table + entry * digits, x, digits * sizeof(*x));
	}
}

/*
 * x = y^e in Montgomery form, from the top digit on, which is narrower unless the window divides
 * the number of bits.  x and y are 0 above an entry's digits.
 */
static void power_of(const struct montgomery *k, real *x, real *y, real *table, size_t digits,
		     const cc_word *e, size_t bits)
{
	size_t en = (bits + CC_WORD_BITS - 1) / CC_WORD_BITS, i;
	unsigned int width = cc_fixed_window(bits, false);
	size_t entries = (size_t)1 << width, at = (bits - 1) / width * width;

	fill(k, table, entries, digits, x, y);
	lookup(x, table, entries, cc_fixed_bits(e, en, at, (unsigned int)(bits - at)), digits);
	while (at) {
		at -= width;
		for (i = 0; i < width; i++)
			sqr(k, x, x);
		lookup(y, table, entries, cc_fixed_bits(e, en, at, width), digits);
		mul(k, x, x, y);
	}
}

/* The same for a public e. */
static void power_of_shown(const struct montgomery *k, real *x, real *y, real *table, size_t digits,
			   const cc_word *e, size_t bits)
{
	unsigned int width = cc_fixed_window(bits, true);
	size_t at = (bits - 1) / width * width, digit, i;

	fill(k, table, (size_t)1 << width, digits, x, y);
	digit = cc_fixed_shown_digit(e, bits, at, width);
	memcpy(x, table + digit * digits, digits * sizeof(*x));
	while (at) {
		at -= width;
		for (i = 0; i < width; i++)
			sqr(k, x, x);
		digit = cc_fixed_shown_digit(e, bits, at, width);
		if (!digit)
			continue;
		memcpy(y, table + digit * digits, digits * sizeof(*y));
		mul(k, x, x, y);
	}
}

/* Wipes the stack where the steps spilled: below 800 bytes, by gcc 12 and clang 14. */
__attribute__((noinline)) static void wipe_stack(void)
{
	unsigned char below[2048];

	cc_wipe(below, sizeof(below));
}

void cc_fixed_powmod_odd_avx2(const struct cc_fixed_power *power, size_t n, size_t bits,
			      cc_word *scratch)
{
	size_t digits = entry_digits(n), vectors = vectors_of(n), i;
	size_t padded = LANES * (vectors + 2);
	const cc_word *m = power->m, *in = power->in;
	unsigned int control = _mm_getcsr();
	real *room = (real *)scratch, *x, *y, *table;
	struct montgomery k = {.vectors = vectors};
	cc_word *word, below;

	/* halves are rounded to nearest */
	_mm_setcsr(CONTROL);
	k.column = (__m256i *)room, room += 2 * LANES * vectors;
	word = (cc_word *)k.column;
	memset(room, 0, 4 * padded * sizeof(*room));
	k.m = room + LANES, room += padded;
	k.minus_inverse = room + LANES, room += padded;
	x = room + LANES, room += padded;
	y = room + LANES, room += padded;
	k.low = room, room += LANES * vectors;
	k.q = room, room += LANES * vectors;
	table = room;
	load(&k, k.m, m, n);
	invert(&k, k.minus_inverse, m[0]);

	/* y = R^2 mod m: 1 and b to Montgomery form */
	if (!in) {
		cc_fixed_power_of_two_mod(word, 2 * LANES * DIGIT_BITS * vectors, m, n);
		in = word;
	}
	load(&k, y, in, n);
	set(&k, x, 1);
	mul(&k, x, x, y);
	memcpy(table, x, digits * sizeof(*x));
	load(&k, x, power->b, n);
	mul(&k, y, x, y);
	memcpy(x, y, LANES * vectors * sizeof(*x));
	if (power->shown)
		power_of_shown(&k, x, y, table, digits, power->e, bits);
	else
		power_of(&k, x, y, table, digits, power->e, bits);

	/* from Montgomery form: (x + q m) / R < (2 m + R m) / R, so at most m */
	set(&k, y, 1);
	mul(&k, x, x, y);
	store(word, n, x);
	below = cc_mask(cc_limbs_sub(word + n, word, m, n));
	for (i = 0; i < n; i++)
		power->r[i] = cc_choose(below, word[i], word[n + i]);
	_mm_setcsr(control);
	wipe_stack();
}

#endif /* CC_BUILD_VECTORS */
