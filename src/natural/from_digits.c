// SPDX-License-Identifier: MIT
/*
 * Digits to words.  Short numbers are converted chunk by chunk (Horner); long ones as upper *
 * power + lower, recursively (Knuth 4.4).
 */
#include "radix.h"

#include "../limbs/kernels.h"

size_t cc_natural_from_digits_max(size_t count, unsigned int radix)
{
	return count / cc_radix(radix).chunk + 1;
}

static unsigned int digit_value(char c)
{
	/* also of 0 to 9 */
	if (c <= '9')
		return (unsigned int)c & 15;
	return (unsigned int)((c | 0x20) - 'a') + 10;
}

static size_t from_digits_power_of_two(cc_word *r, const char *digits, size_t count,
				       unsigned int bits)
{
	size_t n = (count * bits + CC_WORD_BITS - 1) / CC_WORD_BITS, at = 0;

	memset(r, 0, n * sizeof(*r));
	for (; count--; at += bits) {
		cc_word value = digit_value(digits[count]);
		unsigned int low = at % CC_WORD_BITS;

		r[at / CC_WORD_BITS] |= value << low;
		if (low + bits > CC_WORD_BITS)
			r[at / CC_WORD_BITS + 1] |= value >> (CC_WORD_BITS - low);
	}
	return cc_limbs_normalise(r, n);
}

/*
 * The value of eight decimal digits: they are combined to four numbers below 100, in twice as
 * many bits each; these to two, and then to one.
 */
static uint32_t eight_digits(const char *digits)
{
	cc_u64 v = 0;
	unsigned int i;

	/* compilers make one load of this, if nothing is done to each */
	_Pragma("GCC unroll 8") for (i = 0; i < 8; i++) v |= (cc_u64)(unsigned char)digits[i]
							     << 8 * i;
	v &= 0x0f0f0f0f0f0f0f0f;
	v = (v * 10 + (v >> 8)) & 0x00ff00ff00ff00ff;
	v = (v * 100 + (v >> 16)) & 0x0000ffff0000ffff;
	return (uint32_t)(v * 10000 + (v >> 32));
}

/* the digits of at most one chunk */
static cc_word chunk_value(const char *digits, size_t count, unsigned int radix)
{
	cc_word value = 0;

	if (radix == 10)
		for (; count >= 8; count -= 8, digits += 8)
			value = value * 100000000 + eight_digits(digits);
	while (count--)
		value = value * radix + digit_value(*digits++);
	return value;
}

static size_t from_digits_quadratic(cc_word *r, const char *digits, size_t count,
				    const struct cc_radix *x)
{
	/* the first chunk has the remaining digits */
	size_t first = count % x->chunk, n = 0;

	if (first) {
		r[0] = chunk_value(digits, first, x->radix);
		n = r[0] != 0;
	}
	for (digits += first, count -= first; count; digits += x->chunk, count -= x->chunk)
		n = cc_radix_append(r, n, x->big, chunk_value(digits, x->chunk, x->radix));
	return n;
}

/*
 * There are at least 2 e - 1 chunks for the first power's exponent e, as e is half of @chunks,
 * rounded down.  So it is for the parts, by the next e' <= e / 2: the lower one has e chunks, the
 * upper one at least e - 1.
 */
static size_t from_digits_recursive(cc_word *r, const char *digits, size_t count,
				    const struct cc_radix *x, const struct cc_radix_power *power,
				    int powers, cc_word *scratch, struct cc_watch *w)
{
	size_t low, high, n;
	cc_word carry;

	if (!powers)
		return from_digits_quadratic(r, digits, count, x);

	low = power->exponent * x->chunk;
	high = from_digits_recursive(scratch, digits, count - low, x, power + 1, powers - 1,
				     scratch + cc_natural_from_digits_max(count - low, x->radix),
				     w);
	if (cc_watch_step(w, power->length))
		return 0;
	memset(r, 0, power->zeros * sizeof(*r));
	cc_natural_mul_watched(r + power->zeros, power->words, power->length, scratch, high,
			       scratch + high, w);
	n = power->zeros + power->length + high;
	low = from_digits_recursive(scratch, digits + count - low, low, x, power + 1, powers - 1,
				    scratch + cc_natural_from_digits_max(low, x->radix), w);
	if (cc_watch_stopped(w))
		return 0;
	if (!high) {
		memcpy(r, scratch, low * sizeof(*r));
		return low;
	}
	/* lower < big^exponent, of as many words */
	carry = cc_limbs_add(r, r, scratch, low);
	cc_limbs_add_1(r + low, r + low, n - low, carry);
	return cc_limbs_normalise(r, n);
}

/*
 * After the powers: the parts of all levels, and the scratch of the first multiplication, which
 * is the largest: later powers and factors are not longer.
 */
size_t cc_natural_from_digits_scratch(size_t count, unsigned int radix)
{
	struct cc_radix x = cc_radix(radix);
	size_t chunks = cc_natural_from_digits_max(count, radix);

	if (x.bits || chunks < cc_thresholds()->from_digits)
		return 0;
	return cc_radix_powers_scratch(chunks) + cc_radix_parts_words(chunks) +
	       cc_natural_mul_scratch(chunks / 2 + 1, chunks / 2 + 1);
}

size_t cc_natural_from_digits_watched(cc_word *r, const char *digits, size_t count,
				      unsigned int radix, cc_word *scratch, struct cc_watch *w)
{
	struct cc_radix_power power[CC_RADIX_POWERS];
	struct cc_radix x = cc_radix(radix);
	size_t chunks = cc_natural_from_digits_max(count, radix);
	int powers = 0;

	if (x.bits)
		return from_digits_power_of_two(r, digits, count, x.bits);
	if (chunks >= cc_thresholds()->from_digits) {
		powers = cc_radix_powers(power, &x, chunks, cc_thresholds()->from_digits / 2,
					 scratch, w);
		if (cc_watch_stopped(w))
			return 0;
		scratch += cc_radix_powers_words(chunks);
	}
	return from_digits_recursive(r, digits, count, &x, power, powers, scratch, w);
}

size_t cc_natural_from_digits(cc_word *r, const char *digits, size_t count, unsigned int radix,
			      cc_word *scratch)
{
	return cc_natural_from_digits_watched(r, digits, count, radix, scratch, NULL);
}
