// SPDX-License-Identifier: MIT
/*
 * Words to digits.  Short numbers are repeatedly divided by a chunk's radix; long ones are
 * halved by a power of it, recursively (Knuth 4.4).
 */
#include "places.h"

#include "../limbs/kernels.h"

static const char digit_characters[36] = "0123456789abcdefghijklmnopqrstuvwxyz";

struct conversion {
	struct cc_radix radix;
	struct cc_radix_power power[CC_RADIX_POWERS];
	int powers;
	struct cc_watch watch; /* as work() has it */
};

/* The work of halving a number of n words, by Karatsuba: each half costs a third of it. */
static cc_u64 work(size_t n)
{
	cc_u64 words = n;

	for (; n >= 2 * cc_thresholds()->to_digits; n /= 2)
		words += words / 2;
	return words;
}

/* The work of the powers: squarings, of which the last is of a quarter of the length. */
static cc_u64 powers_work(size_t n)
{
	/* a sixth, without dividing two words, for which gcc calls libgcc */
	return work(n) * 43 >> 8;
}

/* The work for all halves, too; a cut is never exactly in the middle. */
static cc_u64 all_work(size_t n)
{
	cc_u64 sum = 0, pieces = 1;

	for (; n >= cc_thresholds()->to_digits; n /= 2, pieces *= 2)
		sum += pieces * work(n);
	return sum;
}

size_t cc_natural_digits_max(size_t n, unsigned int radix)
{
	struct cc_radix x = cc_radix(radix);

	if (!n)
		return 1;
	if (x.bits)
		return (n * CC_WORD_BITS + x.bits - 1) / x.bits;
	/* radix^(chunk + 1) exceeds a word */
	return n * (x.chunk + 1);
}

/* A number of n words never has more chunks than this. */
static size_t chunks_max(size_t n, const struct cc_radix *x)
{
	return n + n / x->chunk + 1;
}

/* x.radix a power of two: digits are fields of bits */
static size_t to_digits_power_of_two(char *digits, const cc_word *a, size_t n, unsigned int bits)
{
	size_t total = n * CC_WORD_BITS - cc_word_clz(a[n - 1]);
	size_t count = (total + bits - 1) / bits, i;

	for (i = 0; i < count; i++) {
		size_t at = (count - 1 - i) * bits, word = at / CC_WORD_BITS;
		unsigned int low = at % CC_WORD_BITS;
		cc_word field = a[word] >> low;

		if (low + bits > CC_WORD_BITS && word + 1 < n)
			field |= a[word + 1] << (CC_WORD_BITS - low);
		digits[i] = digit_characters[field & (((cc_word)1 << bits) - 1)];
	}
	return count;
}

/*
 * The decimal digits of x < 10^8: its halves are put into the two halves of a word, their halves
 * into four quarters, and theirs into bytes.  Each division is a product: 10486 / 2^20 and
 * 103 / 2^10 exceed 1/100 and 1/10 by too little to change a quotient below 100 or below 10.
 */
static void eight_digits(char *digits, uint32_t x)
{
	uint32_t upper = x / 10000;
	cc_u64 v = upper | (cc_u64)(x - upper * 10000) << 32, q;
	unsigned int i;

	q = v * 10486 >> 20 & 0x0000007f0000007f;
	v = q | (v - q * 100) << 16;
	q = v * 103 >> 10 & 0x000f000f000f000f;
	v = (q | (v - q * 10) << 8) | 0x3030303030303030;
	/* one store */
	_Pragma("GCC unroll 8") for (i = 0; i < 8; i++) digits[i] = (char)(v >> 8 * i);
}

static void decimal_digits(char *digits, cc_word c, unsigned int chunk)
{
	char first[8];

	for (; chunk > 8; c /= 100000000)
		eight_digits(digits + (chunk -= 8), (uint32_t)(c % 100000000));
	eight_digits(first, (uint32_t)c);
	memcpy(digits, first + 8 - chunk, chunk);
}

/*
 * The digits of one chunk c < big.  The fraction f = floor(c B / big) + 1, divided by B, lies in
 * (c / big, (c + 1) / big), because big < B: so the leading digits of f are those of c, and
 * multiplying by the radix yields them one after the other.
 */
static void chunk_digits(char *digits, cc_word c, const struct cc_radix *x)
{
	const struct cc_divisor *by = &x->by;
	unsigned int i;
	cc_word rem, digit, f;

	if (x->radix == 10) {
		decimal_digits(digits, c, x->chunk);
		return;
	}
	f = cc_word_div_2by1(&rem, c << by->shift, 0, by->d, by->reciprocal) + 1;
	for (i = 0; i < x->chunk; i++) {
		f = cc_word_mul(&digit, f, x->radix);
		digits[i] = digit_characters[digit];
	}
}

/*
 * The digits of the first chunk, at the end of its place; returns the number of leading zeros.
 * Decimal digits are taken from the low end, so that few digits cost little.
 */
static size_t first_digits(char *digits, cc_word c, const struct cc_radix *x)
{
	size_t at = x->chunk;

	if (x->radix != 10) {
		chunk_digits(digits, c, x);
		for (at = 0; digits[at] == '0'; at++)
			;
		return at;
	}
	for (; c >= 10; c /= 100) {
		unsigned int two = (unsigned int)(c % 100);

		digits[--at] = (char)('0' + two % 10);
		digits[--at] = (char)('0' + two / 10);
	}
	if (c)
		digits[--at] = (char)('0' + c);
	return at;
}

/*
 * Writes a[n] as @width digits, with leading zeros; or, for @width 0, without them (and nothing
 * for zero).  Returns the number of digits.
 */
static size_t to_digits_quadratic(struct conversion *to, char *digits, cc_word *a, size_t n,
				  size_t width, cc_word *scratch)
{
	unsigned int chunk = to->radix.chunk;
	size_t chunks = 0, skip, count;

	for (n = cc_limbs_normalise(a, n); n; n -= !a[n - 1])
		scratch[chunks++] = cc_limbs_divrem_by(a, a, n, &to->radix.by);
	count = width;
	if (!width) {
		char first[CC_WORD_BITS];

		if (!chunks)
			return 0;
		skip = first_digits(first, scratch[--chunks], &to->radix);
		count = (chunks + 1) * chunk - skip;
		memcpy(digits, first + skip, chunk - skip);
		digits += chunk - skip;
	} else {
		memset(digits, '0', width - chunks * chunk);
		digits += width - chunks * chunk;
	}
	for (; chunks; digits += chunk)
		chunk_digits(digits, scratch[--chunks], &to->radix);
	return count;
}

static size_t to_digits_recursive(struct conversion *to, int level, char *digits, cc_word *a,
				  size_t n, size_t width, cc_word *scratch)
{
	const struct cc_radix_power *p = to->power + level;
	size_t qn, low, high;
	cc_word *top;

	n = cc_limbs_normalise(a, n);
	while (level < to->powers && n < p->zeros + p->length) {
		level++;
		p++;
	}
	if (level >= to->powers || n < cc_thresholds()->to_digits)
		return to_digits_quadratic(to, digits, a, n, width, scratch);
	if (cc_watch_step(&to->watch, n))
		return 0;

	/* the dividend's words below the power's zeros do not change */
	top = a + p->zeros;
	qn = n - p->zeros - p->length + 1;
	low = p->exponent * to->radix.chunk;
	cc_natural_divrem_watched(scratch, top, top, n - p->zeros, p->words, p->length,
				  scratch + qn, &to->watch);
	if (to->watch.stopped)
		return 0;
	to->watch.done += work(n);
	if (to->watch.done > to->watch.total)
		to->watch.done = to->watch.total;
	high = to_digits_recursive(to, level + 1, digits, scratch, qn, width ? width - low : 0,
				   scratch + qn);
	/* the upper part was 0 */
	if (!width && !high && !to->watch.stopped)
		return to_digits_recursive(to, level + 1, digits, a, n - qn + 1, 0, scratch);
	return high +
	       to_digits_recursive(to, level + 1, digits + high, a, n - qn + 1, low, scratch);
}

/*
 * After the powers: the quotients of all levels, and the scratch of the first division, or of a
 * later one of shorter numbers.  No power is longer than 5/8 of n (a chunk has at least 6 digits,
 * so chunks_max() is at most 7/6 n + 1).  The chunks of a short number need less.
 */
static size_t by_powers_scratch(size_t n, const struct cc_radix *x)
{
	size_t chunks = chunks_max(n, x);

	if (n < cc_thresholds()->to_digits)
		return chunks;
	return cc_radix_powers_scratch(chunks) + cc_radix_parts_words(chunks) +
	       cc_natural_divrem_scratch(n, n / 8 * 5 + 5);
}

/*
 * For all numbers of up to n words: the longest one converted by places, and the longest one that
 * is not, because zeros at the top are removed before the way is chosen.
 */
size_t cc_natural_to_digits_scratch(size_t n, unsigned int radix)
{
	size_t others = cc_places_worth(n) ? CC_PLACES_LEAST - 1 : n;
	size_t longest = n < CC_PLACES_MOST ? n : CC_PLACES_MOST, words, by_places;
	struct cc_radix x = cc_radix(radix);

	if (x.bits)
		return 0;
	words = by_powers_scratch(others, &x);
	if (!cc_places_worth(longest))
		return words;
	x = cc_places(radix);
	by_places = cc_natural_to_places_scratch(longest, &x);
	return by_places > words ? by_places : words;
}

size_t cc_places_to_digits(char *digits, const cc_u64 *places, size_t count,
			   const struct cc_radix *x)
{
	char first[CC_WORD_BITS];
	size_t skip = first_digits(first, (cc_word)places[--count], x), done = x->chunk - skip;

	memcpy(digits, first + skip, done);
	for (; count; done += x->chunk)
		chunk_digits(digits + done, (cc_word)places[--count], x);
	return done;
}

/* A separate function: a kernel's stack has no room for both its locals and struct conversion. */
static __attribute__((__noinline__)) size_t to_digits_by_places(char *digits, const cc_word *a,
								size_t n, unsigned int radix,
								cc_word *scratch,
								const struct cc_progress *progress)
{
	const struct cc_radix x = cc_places(radix);
	struct cc_watch w = {progress, 0, cc_places_work(n, &x), 0};
	const cc_u64 *places;
	size_t count;

	places = cc_natural_to_places(&count, a, n, &x, scratch, &w);
	return places ? cc_places_to_digits(digits, places, count, &x) : 0;
}

size_t cc_natural_to_digits(char *digits, cc_word *a, size_t n, unsigned int radix,
			    cc_word *scratch, const struct cc_progress *progress)
{
	struct conversion to;
	size_t count;

	n = cc_limbs_normalise(a, n);
	if (!n) {
		digits[0] = '0';
		return 1;
	}
	to.radix = cc_radix(radix);
	if (to.radix.bits)
		return to_digits_power_of_two(digits, a, n, to.radix.bits);
	if (cc_places_worth(n))
		return to_digits_by_places(digits, a, n, radix, scratch, progress);
	to.watch = (struct cc_watch){progress, 0, powers_work(n) + all_work(n), 0};
	to.powers = 0;
	if (n >= cc_thresholds()->to_digits) {
		size_t chunks = chunks_max(n, &to.radix);

		to.powers = cc_radix_powers(to.power, &to.radix, chunks,
					    cc_thresholds()->to_digits / 2, scratch, &to.watch);
		if (to.watch.stopped)
			return 0;
		to.watch.done = powers_work(n);
		scratch += cc_radix_powers_words(chunks);
	}
	count = to_digits_recursive(&to, 0, digits, a, n, 0, scratch);
	return to.watch.stopped ? 0 : count;
}
