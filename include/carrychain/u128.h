/* SPDX-License-Identifier: MIT */
/*
 * u128.h - unsigned 128-bit integers, with or without the compiler's help.
 *
 * Header-only and freestanding; every function is inline and none calls a library.
 * The names are those of Plantykw, Olech and Lobakin, Generic 128-bit Math API.
 *
 * There are three equivalent implementations; CC_U128_IMPL (see word.h) selects one:
 *   128  unsigned __int128, except for division
 *    64  two 64-bit words
 *    32  two 64-bit words, with no product or dividend wider than 64 bits
 * None uses the compiler's 128-bit division.  In all of them, division by 0 traps as the
 * machine's own does (SIGFPE on x86).  Sums, differences and products are modulo 2^128, and
 * a shift by any count is defined.
 */
#ifndef CARRYCHAIN_U128_H
#define CARRYCHAIN_U128_H

#include <carrychain/word.h>

CC_C_CASTS_BEGIN

/* The kernel's functions of these names are missing, or not exact on every machine. */
#ifdef __KERNEL__
#undef mul_u64_u64_div_u64
#undef mul_u64_add_u64_div_u64
#undef mul_u64_u64_div_u64_roundup
#define mul_u64_u64_div_u64	    cc_mul_u64_u64_div_u64
#define mul_u64_add_u64_div_u64	    cc_mul_u64_add_u64_div_u64
#define mul_u64_u64_div_u64_roundup cc_mul_u64_u64_div_u64_roundup
#endif

/**
 * union cc_u128 - an unsigned 128-bit integer
 *
 * Aligned to 16 bytes on every machine, in every implementation.  b<h>_<l> are bits h down
 * to l, in the machine's own order of bytes and words.
 */
union cc_u128 {
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	__extension__ struct {
		cc_u32 b127_96;
		cc_u32 b95_64;
		cc_u32 b63_32;
		cc_u32 b31_0;
	};
	__extension__ struct {
		cc_u64 b127_64;
		cc_u64 b63_0;
	};
#else
	__extension__ struct {
		cc_u32 b31_0;
		cc_u32 b63_32;
		cc_u32 b95_64;
		cc_u32 b127_96;
	};
	__extension__ struct {
		cc_u64 b63_0;
		cc_u64 b127_64;
	};
#endif
#if CC_U128_IMPL == 128
	cc_native_u128 b127_0;
#endif
} CC_ALIGNED(16);

/**
 * u128_store() - make a 128-bit value from its halves
 * @high: bits 127 to 64
 * @low: bits 63 to 0
 *
 * Return: @high * 2^64 + @low
 */
static inline cc_u128 u128_store(cc_u64 high, cc_u64 low)
{
	cc_u128 x;

#if CC_U128_IMPL == 128
	x.b127_0 = (cc_native_u128)high << 64 | low;
#else
	x.b127_64 = high;
	x.b63_0 = low;
#endif
	return x;
}

/**
 * u128_load_high() - the upper half
 * @x: a value
 *
 * Return: bits 127 to 64 of @x
 */
static inline cc_u64 u128_load_high(cc_u128 x)
{
#if CC_U128_IMPL == 128
	return (cc_u64)(x.b127_0 >> 64);
#else
	return x.b127_64;
#endif
}

/**
 * u128_load_low() - the lower half
 * @x: a value
 *
 * Return: bits 63 to 0 of @x
 */
static inline cc_u64 u128_load_low(cc_u128 x)
{
#if CC_U128_IMPL == 128
	return (cc_u64)x.b127_0;
#else
	return x.b63_0;
#endif
}

/**
 * u128_et() - equal to
 * @a: a value
 * @b: another
 *
 * Return: 1 if @a == @b, else 0
 */
static inline int u128_et(cc_u128 a, cc_u128 b)
{
#if CC_U128_IMPL == 128
	return a.b127_0 == b.b127_0;
#else
	return !((a.b127_64 ^ b.b127_64) | (a.b63_0 ^ b.b63_0));
#endif
}

/**
 * u128_lt() - less than
 * @a: a value
 * @b: another
 *
 * Return: 1 if @a < @b, else 0
 */
static inline int u128_lt(cc_u128 a, cc_u128 b)
{
#if CC_U128_IMPL == 128
	return a.b127_0 < b.b127_0;
#else
	return a.b127_64 == b.b127_64 ? a.b63_0 < b.b63_0 : a.b127_64 < b.b127_64;
#endif
}

/**
 * u128_gt() - greater than
 * @a: a value
 * @b: another
 *
 * Return: 1 if @a > @b, else 0
 */
static inline int u128_gt(cc_u128 a, cc_u128 b)
{
	return u128_lt(b, a);
}

/**
 * u128_get() - greater than or equal to
 * @a: a value
 * @b: another
 *
 * Return: 1 if @a >= @b, else 0
 */
static inline int u128_get(cc_u128 a, cc_u128 b)
{
	return !u128_lt(a, b);
}

/**
 * u128_let() - less than or equal to
 * @a: a value
 * @b: another
 *
 * Return: 1 if @a <= @b, else 0
 */
static inline int u128_let(cc_u128 a, cc_u128 b)
{
	return !u128_lt(b, a);
}

/**
 * add_u128_u128() - addition
 * @a: a value
 * @b: another
 *
 * Return: @a + @b modulo 2^128
 */
static inline cc_u128 add_u128_u128(cc_u128 a, cc_u128 b)
{
#if CC_U128_IMPL == 128
	a.b127_0 += b.b127_0;
	return a;
#else
	cc_u64 low = a.b63_0 + b.b63_0;

	/* in this order gcc finds its add with carry */
	return u128_store((low < a.b63_0) + a.b127_64 + b.b127_64, low);
#endif
}

/**
 * add_u128_u64() - addition of a 64-bit value
 * @a: a value
 * @b: another
 *
 * Return: @a + @b modulo 2^128
 */
static inline cc_u128 add_u128_u64(cc_u128 a, cc_u64 b)
{
	return add_u128_u128(a, u128_store(0, b));
}

/**
 * sub_u128_u128() - subtraction
 * @a: a value
 * @b: what to take from it
 *
 * Return: @a - @b modulo 2^128
 */
static inline cc_u128 sub_u128_u128(cc_u128 a, cc_u128 b)
{
#if CC_U128_IMPL == 128
	a.b127_0 -= b.b127_0;
	return a;
#else
	return u128_store(a.b127_64 - b.b127_64 - (a.b63_0 < b.b63_0), a.b63_0 - b.b63_0);
#endif
}

/**
 * sub_u128_u64() - subtraction of a 64-bit value
 * @a: a value
 * @b: what to take from it
 *
 * Return: @a - @b modulo 2^128
 */
static inline cc_u128 sub_u128_u64(cc_u128 a, cc_u64 b)
{
	return sub_u128_u128(a, u128_store(0, b));
}

/* Digits in base 2^32, least significant first, for the _fb functions. */

static inline void u128_to_digits(cc_u32 digits[4], cc_u128 x)
{
	digits[0] = x.b31_0;
	digits[1] = x.b63_32;
	digits[2] = x.b95_64;
	digits[3] = x.b127_96;
}

static inline cc_u128 u128_from_digits(const cc_u32 digits[4])
{
	return u128_store((cc_u64)digits[3] << 32 | digits[2], (cc_u64)digits[1] << 32 | digits[0]);
}

/* w[m + n] = u[m] * v[n]: Knuth 4.3.1, algorithm M */
static inline void u128_mul_digits(cc_u32 *w, const cc_u32 *u, unsigned int m, const cc_u32 *v,
				   unsigned int n)
{
	unsigned int i, j;

	for (i = 0; i < m; i++)
		w[i] = 0;
	for (j = 0; j < n; j++) {
		cc_u64 t = 0;

		for (i = 0; i < m; i++) {
			/* (2^32 - 1)^2 + 2(2^32 - 1) = 2^64 - 1 */
			t = (cc_u64)u[i] * v[j] + w[i + j] + (t >> 32);
			w[i + j] = (cc_u32)t;
		}
		w[m + j] = (cc_u32)(t >> 32);
	}
}

/* The low 128 bits of w[n] >> shift. */
static inline cc_u128 u128_shr_digits(const cc_u32 *w, unsigned int n, unsigned int shift)
{
	unsigned int first = shift >> 5, bits = shift & 31, i;
	cc_u32 digits[4];

	for (i = 0; i < 4; i++) {
		/* first <= 2^27: no sum here can wrap */
		cc_u32 low = first + i < n ? w[first + i] : 0;
		cc_u32 high = first + i + 1 < n ? w[first + i + 1] : 0;

		digits[i] = low >> bits | high << 1 << (31 - bits);
	}
	return u128_from_digits(digits);
}

/* The low 128 bits of (high : low) >> shift. */
static inline cc_u128 u128_shr_256(cc_u128 high, cc_u128 low, unsigned int shift)
{
	cc_u64 w0 = u128_load_low(low), w1 = u128_load_high(low);
	cc_u64 w2 = u128_load_low(high), w3 = u128_load_high(high);

	if (shift & 64) {
		w0 = w1;
		w1 = w2;
		w2 = w3;
		w3 = 0;
	}
	if (shift >= 128) {
		if (shift >= 256)
			return u128_store(0, 0);
		w0 = w2;
		w1 = w3;
		w2 = 0;
	}
	shift &= 63;
	return u128_store(w1 >> shift | w2 << 1 << (63 - shift),
			  w0 >> shift | w1 << 1 << (63 - shift));
}

/**
 * u128_shr() - shift right
 * @x: a value
 * @shift: by how many bits, any number
 *
 * Return: floor(@x / 2^@shift), which is 0 from 128 bits on
 */
static inline cc_u128 u128_shr(cc_u128 x, unsigned int shift)
{
	return u128_shr_256(u128_store(0, 0), x, shift);
}

/**
 * u128_shl() - shift left
 * @x: a value
 * @shift: by how many bits, any number
 *
 * Return: @x * 2^@shift modulo 2^128, which is 0 from 128 bits on
 */
static inline cc_u128 u128_shl(cc_u128 x, unsigned int shift)
{
	if (shift >= 128)
		return u128_store(0, 0);
	return u128_shr_256(x, u128_store(0, 0), 128 - shift);
}

/**
 * mul_half_u128_u64() - the product of two 64-bit values
 * @half: one half of a 128-bit value
 * @mul: multiplier
 *
 * Return: @half * @mul, exact
 */
static inline cc_u128 mul_half_u128_u64(cc_u64 half, cc_u64 mul)
{
	cc_u64 high, low = cc_mul_u64(&high, half, mul);

	return u128_store(high, low);
}

/* a * mul = (*high : returned) */
static inline cc_u128 u128_mul_192(cc_u128 *high, cc_u128 a, cc_u64 mul)
{
	cc_u128 p0 = mul_half_u128_u64(u128_load_low(a), mul);
	/* (2^64 - 1)^2 + 2^64 - 1 < 2^128 */
	cc_u128 p1 = add_u128_u64(mul_half_u128_u64(u128_load_high(a), mul), u128_load_high(p0));

	*high = u128_store(0, u128_load_high(p1));
	return u128_store(u128_load_low(p1), u128_load_low(p0));
}

/* a * b = (*high : returned) */
static inline cc_u128 u128_mul_256(cc_u128 *high, cc_u128 a, cc_u128 b)
{
	cc_u128 h0, l0 = u128_mul_192(&h0, a, u128_load_low(b));
	cc_u128 h1, l1 = u128_mul_192(&h1, a, u128_load_high(b));
	/* the upper 192 bits of the product: l1 + h1 * 2^128 + h0 * 2^64 + upper half of l0 */
	cc_u128 mid = add_u128_u128(l1, u128_store(u128_load_low(h0), u128_load_high(l0)));

	*high = u128_store(u128_load_low(h1) + (cc_u64)u128_lt(mid, l1), u128_load_high(mid));
	return u128_store(u128_load_low(mid), u128_load_low(l0));
}

/**
 * mul_u128_u64() - multiplication by a 64-bit value
 * @a: multiplicand
 * @mul: multiplier
 *
 * Return: @a * @mul modulo 2^128
 */
static inline cc_u128 mul_u128_u64(cc_u128 a, cc_u64 mul)
{
	cc_u128 p = mul_half_u128_u64(u128_load_low(a), mul);

	return u128_store(u128_load_high(p) + u128_load_high(a) * mul, u128_load_low(p));
}

/**
 * mul_u128_u32() - multiplication by a 32-bit value
 * @a: multiplicand
 * @mul: multiplier
 *
 * Return: @a * @mul modulo 2^128
 */
static inline cc_u128 mul_u128_u32(cc_u128 a, cc_u32 mul)
{
	return mul_u128_u64(a, mul);
}

/**
 * mul_u128_u128() - multiplication
 * @a: multiplicand
 * @b: multiplier
 *
 * Return: @a * @b modulo 2^128
 */
static inline cc_u128 mul_u128_u128(cc_u128 a, cc_u128 b)
{
	cc_u128 p = mul_half_u128_u64(u128_load_low(a), u128_load_low(b));

	return u128_store(u128_load_high(p) + u128_load_high(a) * u128_load_low(b) +
				  u128_load_low(a) * u128_load_high(b),
			  u128_load_low(p));
}

/**
 * mul_u128_u32_shr_fb() - multiply by a 32-bit value and shift right, in 32-bit digits
 * @a: multiplicand
 * @mul: multiplier
 * @shift: by how many bits, any number
 *
 * The fallback of mul_u128_u32_shr(), whatever the implementation selected.
 *
 * Return: the low 128 bits of floor(@a * @mul / 2^@shift), of the whole 160-bit product
 */
static inline cc_u128 mul_u128_u32_shr_fb(cc_u128 a, cc_u32 mul, unsigned int shift)
{
	cc_u32 u[4], w[5];

	u128_to_digits(u, a);
	u128_mul_digits(w, u, 4, &mul, 1);
	return u128_shr_digits(w, 5, shift);
}

/**
 * mul_u128_u64_shr_fb() - multiply by a 64-bit value and shift right, in 32-bit digits
 * @a: multiplicand
 * @mul: multiplier
 * @shift: by how many bits, any number
 *
 * The fallback of mul_u128_u64_shr(), whatever the implementation selected.
 *
 * Return: the low 128 bits of floor(@a * @mul / 2^@shift), of the whole 192-bit product
 */
static inline cc_u128 mul_u128_u64_shr_fb(cc_u128 a, cc_u64 mul, unsigned int shift)
{
	cc_u32 u[4], v[2] = {(cc_u32)mul, (cc_u32)(mul >> 32)}, w[6];

	u128_to_digits(u, a);
	u128_mul_digits(w, u, 4, v, 2);
	return u128_shr_digits(w, 6, shift);
}

/**
 * mul_u128_u64_shr() - multiply by a 64-bit value and shift right
 * @a: multiplicand
 * @mul: multiplier
 * @shift: by how many bits, any number
 *
 * Return: the low 128 bits of floor(@a * @mul / 2^@shift), of the whole 192-bit product
 */
static inline cc_u128 mul_u128_u64_shr(cc_u128 a, cc_u64 mul, unsigned int shift)
{
	cc_u128 high, low = u128_mul_192(&high, a, mul);

	return u128_shr_256(high, low, shift);
}

/**
 * mul_u128_u32_shr() - multiply by a 32-bit value and shift right
 * @a: multiplicand
 * @mul: multiplier
 * @shift: by how many bits, any number
 *
 * Return: the low 128 bits of floor(@a * @mul / 2^@shift), of the whole 160-bit product
 */
static inline cc_u128 mul_u128_u32_shr(cc_u128 a, cc_u32 mul, unsigned int shift)
{
	return mul_u128_u64_shr(a, mul, shift);
}

/**
 * mul_u128_u128_shr() - multiply and shift right
 * @a: multiplicand
 * @b: multiplier
 * @shift: by how many bits, any number
 *
 * Return: the low 128 bits of floor(@a * @b / 2^@shift), of the whole 256-bit product
 */
static inline cc_u128 mul_u128_u128_shr(cc_u128 a, cc_u128 b, unsigned int shift)
{
	cc_u128 high, low = u128_mul_256(&high, a, b);

	return u128_shr_256(high, low, shift);
}

/**
 * div_u128_u64_rem() - division by a 64-bit value, with remainder
 * @dividend: what to divide
 * @divisor: by what; 0 traps
 * @rem: where to put the remainder; may be where an operand came from
 *
 * Return: floor(@dividend / @divisor)
 */
static inline cc_u128 div_u128_u64_rem(cc_u128 dividend, cc_u64 divisor, cc_u128 *rem)
{
	cc_u64 high, low, r = u128_load_high(dividend);

	if (r >> 1 < divisor) {
		/* r < 2 divisor, as it is whenever the divisor has its top bit set */
		high = r >= divisor;
		r -= high ? divisor : 0;
	} else {
		if (!divisor)
			cc_trap_div0();
		high = cc_div_u64(&r, r, divisor);
	}
	low = cc_div_any_u64(&r, r, u128_load_low(dividend), divisor);
	*rem = u128_store(0, r);
	return u128_store(high, low);
}

/**
 * div_u128_rem() - division, with remainder
 * @dividend: what to divide
 * @divisor: by what; 0 traps
 * @rem: where to put the remainder; may be where an operand came from
 *
 * Return: floor(@dividend / @divisor)
 */
static inline cc_u128 div_u128_rem(cc_u128 dividend, cc_u128 divisor, cc_u128 *rem)
{
	cc_u64 a1 = u128_load_high(dividend), a0 = u128_load_low(dividend), a2;
	cc_u64 b1 = u128_load_high(divisor), b0 = u128_load_low(divisor), q;
	cc_u128 p, t;
	unsigned int s;

	if (!b1)
		return div_u128_u64_rem(dividend, b0, rem);
	if (a1 >> 1 < b1) {
		/* a < 2b, as it is whenever b has its top bit set */
		q = (cc_u64)u128_get(dividend, divisor);
		*rem = q ? sub_u128_u128(dividend, divisor) : dividend;
		return u128_store(0, q);
	}
	s = cc_clz_u64(b1);
	/*
	 * a and b are shifted so that b has its top bit set, and a has three words.  The
	 * estimate q = floor((a2 : a1) / b1) is not less than a / b rounded down, and at
	 * most one more: q <= a / (2^64 b1), and this exceeds a / b by
	 * a b0 / (2^64 b1 b) < 2^(128 + s) b0 / 2^(127 + 127).  For s < 63 that is
	 * below 1, as b0 < 2^64; and so it is for s = 63, as then b0 <= 2^63.
	 */
	b1 = b1 << s | b0 >> (64 - s);
	b0 <<= s;
	a2 = a1 >> (64 - s);
	a1 = a1 << s | a0 >> (64 - s);
	a0 <<= s;
	q = cc_div_once_u64(&a1, a2, a1, b1);
	t = u128_store(a1, a0);
	p = mul_half_u128_u64(q, b0);
	if (u128_lt(t, p)) {
		q--;
		p = sub_u128_u128(p, u128_store(b1, b0));
	}
	t = sub_u128_u128(t, p);
	a1 = u128_load_high(t);
	*rem = u128_store(a1 >> s, u128_load_low(t) >> s | a1 << (64 - s));
	return u128_store(0, q);
}

/**
 * div_u128() - division
 * @dividend: what to divide
 * @divisor: by what; 0 traps
 *
 * Return: floor(@dividend / @divisor)
 */
static inline cc_u128 div_u128(cc_u128 dividend, cc_u128 divisor)
{
	cc_u128 rem;

	return div_u128_rem(dividend, divisor, &rem);
}

/**
 * div_u128_u128() - division
 * @dividend: what to divide
 * @divisor: by what; 0 traps
 *
 * Return: floor(@dividend / @divisor)
 */
static inline cc_u128 div_u128_u128(cc_u128 dividend, cc_u128 divisor)
{
	return div_u128(dividend, divisor);
}

/**
 * div_u128_u96() - division by a value that should have at most 96 bits
 * @dividend: what to divide
 * @divisor: by what; 0 traps
 *
 * A @divisor of more than 96 bits is divided by exactly, too.
 *
 * Return: floor(@dividend / @divisor)
 */
static inline cc_u128 div_u128_u96(cc_u128 dividend, cc_u128 divisor)
{
	return div_u128(dividend, divisor);
}

/**
 * div_u96_u96() - division of values that should have at most 96 bits
 * @dividend: what to divide
 * @divisor: by what; 0 traps
 *
 * Arguments of more than 96 bits are divided exactly, too.
 *
 * Return: floor(@dividend / @divisor)
 */
static inline cc_u128 div_u96_u96(cc_u128 dividend, cc_u128 divisor)
{
	return div_u128(dividend, divisor);
}

/**
 * div_u128_u64() - division by a 64-bit value
 * @dividend: what to divide
 * @divisor: by what; 0 traps
 *
 * Return: floor(@dividend / @divisor)
 */
static inline cc_u128 div_u128_u64(cc_u128 dividend, cc_u64 divisor)
{
	cc_u128 rem;

	return div_u128_u64_rem(dividend, divisor, &rem);
}

/**
 * div_u128_u32_rem() - division by a 32-bit value, with remainder
 * @dividend: what to divide
 * @divisor: by what; 0 traps
 * @rem: where to put the remainder; may be where an operand came from
 *
 * Return: floor(@dividend / @divisor)
 */
static inline cc_u128 div_u128_u32_rem(cc_u128 dividend, cc_u32 divisor, cc_u128 *rem)
{
	return div_u128_u64_rem(dividend, divisor, rem);
}

/**
 * div_u128_u32() - division by a 32-bit value
 * @dividend: what to divide
 * @divisor: by what; 0 traps
 *
 * Return: floor(@dividend / @divisor)
 */
static inline cc_u128 div_u128_u32(cc_u128 dividend, cc_u32 divisor)
{
	return div_u128_u64(dividend, divisor);
}

/**
 * mul_u64_add_u64_div_u64() - multiply, add and divide, exactly
 * @a: multiplicand
 * @mul: multiplier
 * @add: added to the 128-bit product
 * @div: divisor; 0 traps
 *
 * Return: floor((@a * @mul + @add) / @div), or 2^64 - 1 if that is more
 */
static inline cc_u64 mul_u64_add_u64_div_u64(cc_u64 a, cc_u64 mul, cc_u64 add, cc_u64 div)
{
	/* (2^64 - 1)^2 + 2^64 - 1 < 2^128 */
	cc_u128 n = add_u128_u64(mul_half_u128_u64(a, mul), add);
	cc_u64 rem;

	if (u128_load_high(n) >= div) {
		if (!div)
			cc_trap_div0();
		return ~(cc_u64)0;
	}
	return cc_div_any_u64(&rem, u128_load_high(n), u128_load_low(n), div);
}

/**
 * mul_u64_u64_div_u64() - multiply and divide, exactly
 * @a: multiplicand
 * @mul: multiplier
 * @div: divisor; 0 traps
 *
 * Return: floor(@a * @mul / @div), or 2^64 - 1 if that is more
 */
static inline cc_u64 mul_u64_u64_div_u64(cc_u64 a, cc_u64 mul, cc_u64 div)
{
	return mul_u64_add_u64_div_u64(a, mul, 0, div);
}

/**
 * mul_u64_u64_div_u64_roundup() - multiply and divide, exactly, rounding up
 * @a: multiplicand
 * @mul: multiplier
 * @div: divisor; 0 traps
 *
 * Return: ceil(@a * @mul / @div), or 2^64 - 1 if that is more
 */
static inline cc_u64 mul_u64_u64_div_u64_roundup(cc_u64 a, cc_u64 mul, cc_u64 div)
{
	return mul_u64_add_u64_div_u64(a, mul, div - 1, div);
}

/* Bytes for any value in decimal or hexadecimal, its NUL included. */
#define CC_U128_DEC_SIZE 40
#define CC_U128_HEX_SIZE 33

/**
 * u128_to_dec() - format in decimal
 * @buf: room for CC_U128_DEC_SIZE bytes
 * @x: a value
 *
 * No leading zeros ("0" for 0); a NUL at the end.
 *
 * Return: the number of digits
 */
static inline size_t u128_to_dec(char *buf, cc_u128 x)
{
	char digits[45]; /* five times nine */
	size_t first = sizeof(digits), length, i;

	/*
	 * 32-bit chunks, because no machine needs a library to take those apart.  For size gcc
	 * divides by a constant, too, so that we multiply: 10 * 0xcccccccd = 2^35 + 2, and
	 * floor(x / 10) is right for any x < 2^32, as 2x / 2^35 < 1 / 4.
	 */
	do {
		cc_u32 chunk, tenth;
		cc_u128 rem;

		x = div_u128_u32_rem(x, 1000000000, &rem);
		chunk = rem.b31_0;
		for (i = 0; i < 9; i++) {
			tenth = (cc_u32)(cc_mul_u32(chunk, 0xcccccccd) >> 35);
			digits[--first] = (char)('0' + (chunk - 10 * tenth));
			chunk = tenth;
		}
	} while (u128_load_high(x) | u128_load_low(x));
	while (first < sizeof(digits) - 1 && digits[first] == '0')
		first++;
	length = sizeof(digits) - first;
	for (i = 0; i < length; i++)
		buf[i] = digits[first + i];
	buf[length] = '\0';
	return length;
}

/**
 * u128_to_hex() - format in hexadecimal
 * @buf: room for CC_U128_HEX_SIZE bytes
 * @x: a value
 *
 * Lower case, no prefix, no leading zeros ("0" for 0); a NUL at the end.
 *
 * Return: the number of digits
 */
static inline size_t u128_to_hex(char *buf, cc_u128 x)
{
	size_t length = 0;
	unsigned int shift = 128;

	while (shift) {
		unsigned int digit;

		shift -= 4;
		digit = u128_shr(x, shift).b31_0 & 15;
		if (digit || length || !shift)
			buf[length++] = "0123456789abcdef"[digit];
	}
	buf[length] = '\0';
	return length;
}

/* The value of a digit 0-9, a-f or A-F; 16 for anything else. */
static inline unsigned int u128_digit(char c)
{
	if (c >= '0' && c <= '9')
		return (unsigned int)(c - '0');
	if (c >= 'a' && c <= 'f')
		return (unsigned int)(c - 'a') + 10;
	if (c >= 'A' && c <= 'F')
		return (unsigned int)(c - 'A') + 10;
	return 16;
}

/* Digits of @radix and nothing else, at least one, of a value that fits. */
static inline int u128_parse(cc_u128 *x, const char *s, size_t length, unsigned int radix)
{
	cc_u128 value = u128_store(0, 0), high;
	int error = length ? CC_OK : CC_EINVAL;
	size_t i;

	for (i = 0; i < length; i++) {
		unsigned int digit = u128_digit(s[i]);

		if (digit >= radix)
			return CC_EINVAL;
		value = u128_mul_192(&high, value, radix);
		value = add_u128_u64(value, digit);
		/* a sum that wrapped is less than the digit */
		if (u128_load_low(high) || u128_lt(value, u128_store(0, digit)))
			error = CC_ERANGE;
	}
	if (!error)
		*x = value;
	return error;
}

/**
 * u128_from_dec() - parse decimal
 * @x: where to put the value; left alone on error
 * @s: the digits 0-9, and nothing else; no NUL needed
 * @length: how many
 *
 * Return: CC_OK; CC_EINVAL if there is no digit or anything else; CC_ERANGE if the value
 * is 2^128 or more
 */
static inline int u128_from_dec(cc_u128 *x, const char *s, size_t length)
{
	return u128_parse(x, s, length, 10);
}

/**
 * u128_from_hex() - parse hexadecimal
 * @x: where to put the value; left alone on error
 * @s: the digits 0-9, a-f, A-F, and nothing else (no prefix); no NUL needed
 * @length: how many
 *
 * Return: CC_OK; CC_EINVAL if there is no digit or anything else; CC_ERANGE if the value
 * is 2^128 or more
 */
static inline int u128_from_hex(cc_u128 *x, const char *s, size_t length)
{
	return u128_parse(x, s, length, 16);
}

CC_C_CASTS_END

#endif /* CARRYCHAIN_U128_H */
