/* SPDX-License-Identifier: MIT */
/*
 * many_powmod.h - converts integers to digits in lanes and back, and computes powers, once for both
 * tiers.
 *
 * A tier must define TARGET, LANES, DIGIT, a digit's type, DIGITS, a vector of them, SUMS, a
 * vector of integers, ONE, the digits 1, WINDOW, the widest, many_sqr, many_mul and radix_8,
 * the names of its functions, and
 *   look_up(r, table, entries, d, wanted)  r[d] = the entry for each lane
 */

/* x[d] = the digits of a[n], lane by lane */
static void load(DIGITS *x, size_t d, const cc_word *const a[LANES], size_t n)
{
	DIGIT *to = (DIGIT *)x;
	size_t i, j;

	for (i = 0; i < d; i++)
		for (j = 0; j < LANES; j++)
			*to++ = i * DIGIT_BITS < n * CC_WORD_BITS
					? (DIGIT)(int64_t)cc_fixed_bits(a[j], n, i * DIGIT_BITS,
									DIGIT_BITS)
					: 0;
}

/* a[n] = the digits of x, each below 2^52 */
static void store(cc_word *const a[LANES], size_t n, const SUMS *x)
{
	size_t i, j;

	for (i = 0; i < n; i++) {
		size_t bit = i * CC_WORD_BITS, shift = bit % DIGIT_BITS;
		const cc_word *from = (const cc_word *)(x + bit / DIGIT_BITS);

		for (j = 0; j < LANES; j++, from++) {
			a[j][i] = from[0] >> shift | from[LANES] << (DIGIT_BITS - shift);
			if (shift > 2 * DIGIT_BITS - CC_WORD_BITS)
				a[j][i] |= from[2 * LANES] << (2 * DIGIT_BITS - shift);
		}
	}
}

/* x[d] = 1 */
TARGET static void set_one(DIGITS *x, size_t d)
{
	memset(x, 0, d * sizeof(*x));
	x[0] = ONE;
}

/* x = 2^(104 d) mod m, which is R in Montgomery form; room[d] is scratch */
static void square_of_r(const struct cc_fixed_moduli *mod, DIGITS *x, DIGITS *room,
			const cc_word *const m[LANES], size_t n)
{
	size_t bits = DIGIT_BITS * mod->d, squarings = 0, j;
	cc_word *power = (cc_word *)room;
	const cc_word *powers[LANES];

	/* Begins with 2^power in that form: each squaring doubles the exponent. */
	for (; bits % 2 == 0; bits /= 2)
		squarings++;
	for (j = 0; j < LANES; j++, power += n) {
		/* what fills a batch is lane 0 again */
		if (j && m[j] == m[0]) {
			powers[j] = powers[0];
			continue;
		}
		cc_fixed_power_of_two_mod(power, DIGIT_BITS * mod->d + bits, m[j], n);
		powers[j] = power;
	}
	load(x, mod->d, powers, n);
	while (squarings--)
		many_sqr(mod, x, x);
}

/* x = y^e in Montgomery form, y = table[d ...]; the table's first entry is 1; t[d] is scratch */
TARGET static void power_of(const struct cc_fixed_moduli *mod, DIGITS *x, DIGITS *table, DIGITS *t,
			    const cc_word *const e[LANES], size_t bits, cc_word *wanted)
{
	size_t en = (bits + CC_WORD_BITS - 1) / CC_WORD_BITS, d = mod->d, at = bits, i, j;
	unsigned int width = cc_fixed_window(bits, false), take;
	size_t entries;

	if (width > WINDOW)
		width = WINDOW;
	entries = (size_t)1 << width;
	for (i = 2; i < entries; i++)
		many_mul(mod, table + i * d, table + (i - 1) * d, table + d);
	memcpy(x, table, d * sizeof(*x));
	while (at) {
		/* the top digit is narrower unless the window divides the number of bits */
		take = at % width ? (unsigned int)(at % width) : width;
		at -= take;
		for (i = 0; i < take; i++)
			many_sqr(mod, x, x);
		for (j = 0; j < LANES; j++)
			wanted[j] = cc_fixed_bits(e[j], en, at, take);
		look_up(t, table, entries, d, *(const SUMS *)(const void *)wanted);
		many_mul(mod, x, x, t);
	}
}

/* R >= 16 2^(64 n) > 9 m */
static size_t digits_of(size_t n)
{
	size_t d = (n * CC_WORD_BITS + 4 + DIGIT_BITS - 1) / DIGIT_BITS;

	return (d + COLUMNS - 1) / COLUMNS * COLUMNS;
}

size_t radix_8(size_t n)
{
	return DIGIT_BITS * digits_of(n);
}
