/* SPDX-License-Identifier: MIT */
/*
 * join.h - the Chinese remainder theorem and the carries, for all lanes at once.
 *
 * With x_i the residues times (P / p_i)^-1, |x_i| < 2^49, a coefficient is
 *   c = sum of x_i (P / p_i) - k P,  k the integer nearest to sum of x_i / p_i - 1/16,
 * because c / P is between 0 and 1/8.  P / p_i and P are cut like the result: a digit of it has
 * @units units of @width bits, which is w below, at most 48.  Their own digits d are balanced,
 * |d| <= 2^(w - 1), so column t of c is the sum of
 *   the lower parts of x_i d_t, |.| <= 2^(w - 1), and
 *   the upper parts of x_i d_(t-1), multiples of 2^w, |.| <= 2^(48 + w),
 * for at most five primes: exact in a double.  While the accumulator contains 3 2^(51 + w), fma
 * rounds its result to a multiple of 2^w, with room for 2^(51 + w) on either side; the part that
 * rounding drops is at most 2^(w - 1), and another fma finds it exactly.
 *
 * A unit is the sum of up to three columns, still below 2^53, and of the carry.
 *
 * In another radix u < 2^44, digits are in base u, and two units are two places of the result.
 * The parts of a product are then its quotient and remainder by u, found as doubles.h does for a
 * prime.
 */

#define UNITS_MAX   3
#define COLUMNS_MAX 7

/* Unrolls loops of a small constant length, so that their variables are in registers. */
#define UNROLL _Pragma("GCC unroll 8")

struct cuts {
	unsigned int width[UNITS_MAX];
	VECTOR digit[COLUMNS_MAX - 1][CC_PRIMES];
	VECTOR product[COLUMNS_MAX];
	VECTOR ratio[COLUMNS_MAX - 1][CC_PRIMES]; /* digit / radix */
};

/* The balanced digits of a positive number; the last one is the rest. */
TARGET static void cut(VECTOR *digit, size_t stride, unsigned int count, const cc_u64 *words,
		       const unsigned int *width, unsigned int units)
{
	unsigned int at = 0, t;
	int64_t carry = 0;

	for (t = 0; t < count; t++) {
		unsigned int w = t + 1 < count ? width[t % units] : CC_PIECE_BITS;
		int64_t d = carry +
			    (int64_t)cc_bits_at((const cc_word *)words, CC_REMAINDERS_WORDS, at, w);

		carry = 0;
		if (t + 1 < count && d >= (int64_t)1 << (w - 1)) {
			d -= (int64_t)1 << w;
			carry = 1;
		}
		digit[t * stride] = all((double)d);
		at += w;
	}
}

/* The same in the radix u; the number is destroyed. */
TARGET static void cut_radix(VECTOR *digit, size_t stride, unsigned int count, cc_u64 *words,
			     cc_u64 u)
{
	const unsigned int shift = cc_clz_u64(u);
	const cc_u64 d = u << shift, reciprocal = cc_reciprocal_u64(d);
	int64_t carry = 0;
	unsigned int t, w;

	for (t = 0; t + 1 < count; t++) {
		cc_u64 rem = 0;
		int64_t value;

		for (w = CC_REMAINDERS_WORDS; w--;)
			words[w] = cc_div_2by1_u64(&rem, rem | words[w] >> (64 - shift),
						   words[w] << shift, d, reciprocal);
		value = (int64_t)(rem >> shift) + carry;
		carry = 2 * value > (int64_t)u;
		digit[t * stride] = all((double)(value - (carry ? (int64_t)u : 0)));
	}
	digit[t * stride] = all((double)((int64_t)words[0] + carry));
}

/* 2^e, exactly */
static inline double power_of_two(int e)
{
	double two = e < 0 ? 0.5 : 2, power = 1;

	for (e = e < 0 ? -e : e; e; e--)
		power *= two;
	return power;
}

/*
 * Each unit modulo 2^w, or modulo @range in another radix, and the borrow of the last one: all
 * are between -2^w and 2^w, so a negative unit borrows one from the next.
 */
TARGET static inline INTS settle(INTS *unit, const INTS *range, unsigned int units, cc_u64 radix)
{
	INTS borrow;
	unsigned int e;

	UNROLL
	for (e = 0; e < units; e++) {
		if (e)
			unit[e] = plus(unit[e], borrow);
		borrow = negative(unit[e]);
		unit[e] = radix ? plus(unit[e], both(borrow, range[e])) : both(unit[e], range[e]);
	}
	return borrow;
}

/* @radix is 0 for digits of @bits bits. */
TARGET static inline __attribute__((__always_inline__)) void
join_units(cc_u64 *r, size_t n, cc_u64 *const *x, const struct cc_field *f, unsigned int primes,
	   unsigned int units, unsigned int columns, size_t length, unsigned int bits, cc_u64 radix,
	   struct cc_watch *watch)
{
	const struct cc_remainders *by = &cc_remainders[primes];
	const size_t digit = radix ? units * sizeof(*r) : bits / 8;
	const size_t step = LANES * digit, room = n * sizeof(*r);
	struct constants c[CC_PRIMES];
	struct cuts cuts;
	VECTOR magic[UNITS_MAX], down[UNITS_MAX], up[UNITS_MAX];
	VECTOR last[COLUMNS_MAX], carried = all(0);
	INTS range[UNITS_MAX];
	unsigned char *to = (unsigned char *)r;
	unsigned int borrowed = 0, i, e, t;
	cc_u64 words[CC_REMAINDERS_WORDS];
	size_t j, at;

	for (e = 0; e < units; e++) {
		unsigned int w = bits * (e + 1) / units - bits * e / units;

		cuts.width[e] = w;
		magic[e] = all(3 * power_of_two(51 + (int)w));
		up[e] = all(radix ? (double)radix : power_of_two((int)w));
		down[e] = divide(all(1), up[e]);
		range[e] = every(radix ? radix : ((cc_u64)1 << w) - 1);
	}
	for (i = 0; i < primes; i++) {
		c[i] = constants_of(&f[i]);
		if (radix) {
			memcpy(words, by->cofactor[i], sizeof(words));
			cut_radix(&cuts.digit[0][i], CC_PRIMES, columns - 1, words, radix);
			for (t = 0; t + 1 < columns; t++)
				cuts.ratio[t][i] = divide(cuts.digit[t][i], up[0]);
		} else {
			cut(&cuts.digit[0][i], CC_PRIMES, columns - 1, by->cofactor[i], cuts.width,
			    units);
		}
	}
	memcpy(words, by->product, sizeof(words));
	if (radix)
		cut_radix(cuts.product, 1, columns, words, radix);
	else
		cut(cuts.product, 1, columns, words, cuts.width, units);
	for (t = 0; t < columns; t++)
		last[t] = all(0);

	/* once more, for the carries of the last coefficients */
	for (j = 0, at = 0; j <= length && !cc_transform_stopped(watch, j);
	     j += LANES, at += step) {
		cc_u64 low[LANES], high[LANES];
		unsigned char rest[LANES * 16 + 8], *out = to + at;
		VECTOR column[COLUMNS_MAX], v[UNITS_MAX];
		unsigned int below, equal, borrow;
		INTS unit[UNITS_MAX], l, h;

		UNROLL
		for (t = 0; t < columns; t++)
			column[t] = all(0);
		if (j < length) {
			VECTOR residue[CC_PRIMES], k = all(-1.0 / 16);

			UNROLL
			for (i = 0; i < primes; i++) {
				residue[i] = reduce(load((ELEMENT *)x[i] + j), &c[i]);
				k = fmadd(residue[i], c[i].inverse, k);
			}
			k = nearest(k);
			UNROLL
			for (t = 0; t + 1 < columns; t++) {
				VECTOR upper = radix ? all(0) : magic[t % units], lower = column[t];

				UNROLL
				for (i = 0; i < primes; i++) {
					VECTOR a = residue[i], m = cuts.digit[t][i], whole, sum;

					if (radix) {
						whole = product(a, m);
						sum = nearest(product(a, cuts.ratio[t][i]));
						lower = add(lower, add(fnmadd(sum, up[0], whole),
								       fmsub(a, m, whole)));
						upper = add(upper, sum);
						continue;
					}
					sum = fmadd(a, m, upper);
					lower = add(lower, fmsub(a, m, sub(sum, upper)));
					upper = sum;
				}
				column[t] = fnmadd(k, cuts.product[t], lower);
				column[t + 1] = upper;
				if (!radix)
					column[t + 1] = product(sub(upper, magic[t % units]),
								down[t % units]);
			}
			column[t] = fnmadd(k, cuts.product[t], column[t]);
		}

		UNROLL
		for (e = 0; e < units; e++) {
			v[e] = column[e];
			UNROLL
			for (t = e + units, i = 1; t < columns; t += units, i++)
				v[e] = add(v[e], i == 1 ? rotate(column[t], last[t], 1)
							: rotate(column[t], last[t], 2));
		}
		UNROLL
		for (t = units; t < columns; t++)
			last[t] = column[t];

		/* a unit's carry is an integer below 2^22, and the rest at most 2^(w - 1) */
		UNROLL
		for (e = 0; e < units; e++) {
			VECTOR carry = nearest(product(v[e], down[e]));

			v[e] = fnmadd(carry, up[e], v[e]);
			if (e + 1 < units) {
				v[e + 1] = add(v[e + 1], carry);
			} else {
				v[0] = add(v[0], rotate(carry, carried, 1));
				carried = carry;
			}
		}
		UNROLL
		for (e = 0; e < units; e++)
			unit[e] = integers(v[e]);

		/* a negative digit borrows from the next, and so does a 0 that is borrowed from */
		below = lanes(settle(unit, range, units, radix));
		l = unit[0];
		UNROLL
		for (e = 1; e < units; e++)
			l = either(l, unit[e]);
		equal = lanes(zero(l));
		borrow = below << 1 | borrowed;
		borrow = (borrow + equal) ^ equal;
		borrowed = borrow >> LANES & 1;
		unit[0] = plus(unit[0], spread(borrow));
		(void)settle(unit, range, units, radix);

		l = either(unit[0], left(unit[1], cuts.width[0]));
		if (radix) {
			l = unit[0];
			h = unit[1];
		} else if (units == 2) {
			h = right(unit[1], 64 - cuts.width[0]);
		} else {
			l = either(l, left(unit[2], cuts.width[0] + cuts.width[1]));
			h = either(right(unit[1], 64 - cuts.width[0]),
				   left(unit[2], cuts.width[0] + cuts.width[1] - 64));
		}
		store_integers(low, l);
		store_integers(high, h);
		if (at + step + 8 > room)
			out = rest;
		UNROLL
		for (i = 0; i < LANES; i++) {
			memcpy(out + i * digit, &low[i], 8);
			memcpy(out + i * digit + 8, &high[i], 8);
		}
		if (out == rest && at < room)
			memcpy(to + at, rest, room - at < step ? room - at : step);
	}
	if (at < room)
		memset(to + at, 0, room - at);
}

/*
 * P / p fits columns - 1 units, and there is room for 4 2^49 2^48.  There are fewer than 2^37
 * digits, so with four primes they have at least 80 bits, with five 104.
 */
TARGET static void join(cc_word *r, size_t n, cc_u64 *const *x, const struct cc_field *f,
			unsigned int primes, size_t length, unsigned int bits, struct cc_watch *w)
{
	cc_u64 *words = (cc_u64 *)r;

	if (primes == 3)
		join_units(words, n, x, f, 3, 2, 5, length, bits, 0, w);
	else if (primes == 4)
		join_units(words, n, x, f, 4, 2, 5, length, bits, 0, w);
	else
		join_units(words, n, x, f, 5, 3, 7, length, bits, 0, w);
}

TARGET static void join_radix(cc_u64 *r, size_t n, cc_u64 *const *x, const struct cc_field *f,
			      size_t length, cc_u64 radix, struct cc_watch *w)
{
	join_units(r, n, x, f, CC_RADIX_PRIMES, 2, 5, length, 0, radix, w);
}
