/* SPDX-License-Identifier: MIT */
/*
 * word.h - one machine word: types, carry, double-width product, division.
 *
 * The whole library is built on these operations.  All are inline, none calls a library,
 * and none divides wider than the machine's own division instruction: tools/check links
 * each of them without libgcc for every architecture of Debian.
 *
 * CC_U128_IMPL selects the widest product; you may define it before including:
 *   128  the compiler's unsigned __int128
 *    64  64-bit words, 64x64->128 by x86-64's mulq or from four 32x32->64 products
 *    32  32-bit words: 32x32->64 products, divisions of 64 bits by 32
 * CC_NO_ASM keeps every operation in portable C.
 *
 * Except for the divisions, no function branches on its operands' values.
 */
#ifndef CARRYCHAIN_WORD_H
#define CARRYCHAIN_WORD_H

#include <stddef.h>
#include <stdint.h>

/* Around C casts, about which a C++ compiler may warn. */
#if defined(__cplusplus) && defined(__GNUC__)
#define CC_C_CASTS_BEGIN                                                                           \
	_Pragma("GCC diagnostic push") _Pragma("GCC diagnostic ignored \"-Wold-style-cast\"")
#define CC_C_CASTS_END _Pragma("GCC diagnostic pop")
#else
#define CC_C_CASTS_BEGIN
#define CC_C_CASTS_END
#endif

CC_C_CASTS_BEGIN

/* The library's version, and the same to be compared: 10000 major + 100 minor + patch. */
#define CC_VERSION	  "0.1.0"
#define CC_VERSION_NUMBER 100

typedef uint32_t cc_u32;
typedef uint64_t cc_u64;
typedef union cc_u128 cc_u128; /* u128.h */

#define CC_ALIGNED(bytes) __attribute__((aligned(bytes)))

/* Status codes, with the kernel's numbers. */
enum {
	CC_OK = 0,
	CC_EINTR = -4,	 /* the caller's progress function asked to stop */
	CC_ENOMEM = -12, /* no memory; no argument has changed */
	CC_EINVAL = -22, /* a precondition does not hold */
	CC_ERANGE = -34, /* the value does not fit the type asked for */
};

/* Flags for conversions between bytes and numbers. */
enum {
	CC_BIG_ENDIAN = 1, /* most significant byte first; otherwise least */
	CC_SIGNED = 2,	   /* two's complement */
};

/*
 * Workers that the caller provides.  run() calls task(argument, i, worker) once for each i
 * below @count, in any order, and returns when all calls have returned.  worker is less than
 * @workers, and different for tasks that run at the same time.  It is 0 in the calling
 * thread, and only there.
 */
struct cc_tasks {
	void (*run)(void *context, size_t count,
		    void (*task)(void *argument, size_t i, unsigned int worker), void *argument);
	void *context;
	unsigned int workers;
};

/*
 * Long work calls @step between its steps.  No step takes longer than about a product of 1000
 * by 1000 words and some passes over the operands.  If @step returns nonzero, the work ends
 * with CC_EINTR.  @done and @total are in units of work, not of time.  @step is called in the
 * calling thread.  @step and @tasks may be NULL.
 */
struct cc_progress {
	int (*step)(void *context, cc_u64 done, cc_u64 total);
	void *context;
	const struct cc_tasks *tasks;
};

#if defined(__GNUC__) && !defined(CC_NO_ASM) && (defined(__x86_64__) || defined(__i386__))
#define CC_X86_ASM 1
#else
#define CC_X86_ASM 0
#endif

/*
 * Whether the target has instructions to count leading zeros and to divide words.  gcc calls
 * libgcc where there is none, so only targets known to have them are listed.  All others
 * shift, which is slower but works everywhere.  You may define both before including.
 */
#if defined(__x86_64__) || defined(__i386__) || defined(__aarch64__) || defined(__powerpc__) ||    \
	defined(__loongarch__) || defined(__mc68020__) ||                                          \
	(defined(__mips_isa_rev) && __mips_isa_rev >= 1) ||                                        \
	(defined(__s390x__) && defined(__ARCH__) && __ARCH__ >= 7)
#define CC_HAS_BOTH 1
#else
#define CC_HAS_BOTH 0
#endif
#ifndef CC_HAS_CLZ
#if CC_HAS_BOTH || defined(__ARM_FEATURE_CLZ) || defined(__riscv_zbb)
#define CC_HAS_CLZ 1
#else
#define CC_HAS_CLZ 0
#endif
#endif
#ifndef CC_HAS_DIVISION
#if CC_HAS_BOTH || defined(__ARM_FEATURE_IDIV) || defined(__riscv_div) || defined(__sparc_v9__)
#define CC_HAS_DIVISION 1
#else
#define CC_HAS_DIVISION 0
#endif
#endif

#ifndef CC_U128_IMPL
/* SPARC gets the upper half of a product only from libgcc */
#if defined(__SIZEOF_INT128__) && !defined(__sparc__)
#define CC_U128_IMPL 128
#elif UINTPTR_MAX > 0xffffffffu
#define CC_U128_IMPL 64
#else
#define CC_U128_IMPL 32
#endif
#endif

#if CC_U128_IMPL == 128
__extension__ typedef unsigned __int128 cc_native_u128;
#endif

#if UINTPTR_MAX > 0xffffffffu
typedef cc_u64 cc_word;
#define CC_WORD_BITS 64
#else
typedef cc_u32 cc_word;
#define CC_WORD_BITS 32
#endif

/* Does what the machine does on division by zero; traps if that is nothing. */
static inline void cc_trap_div0(void)
{
#if CC_X86_ASM
	__asm__ volatile("xorl %%eax, %%eax\n\tdivl %%eax" : : : "eax", "edx", "cc");
#endif
#if defined(__sh__) && !defined(CC_NO_ASM)
	/* gcc's trap calls abort(); this encoding is reserved as no instruction */
	__asm__ volatile(".short 0xfffd");
	__builtin_unreachable();
#else
	__builtin_trap();
#endif
}

/* Leading zeros; x must not be 0. */
static inline unsigned int cc_clz_u32(cc_u32 x)
{
#if CC_HAS_CLZ
	return (unsigned int)__builtin_clz(x);
#else
	unsigned int s = (x > 0xffff) << 4, n = 31 - s;

	x >>= s;
	s = (x > 0xff) << 3;
	n -= s;
	x >>= s;
	s = (x > 0xf) << 2;
	n -= s;
	x >>= s;
	s = (x > 3) << 1;
	/* x is now 1, 2 or 3 */
	return n - s - (x >> s >> 1);
#endif
}

static inline unsigned int cc_clz_u64(cc_u64 x)
{
#if CC_U128_IMPL == 32 || !CC_HAS_CLZ
	cc_u32 high = (cc_u32)(x >> 32);

	return high ? cc_clz_u32(high) : 32 + cc_clz_u32((cc_u32)x);
#elif CC_X86_ASM && defined(__x86_64__)
	cc_u64 top = 0;

	if (__builtin_constant_p(x))
		return (unsigned int)__builtin_clzll(x);
	/* bsr depends on the old value of its destination, so make that a constant */
	__asm__("bsrq %1, %0" : "+r"(top) : "r"(x) : "cc");
	return (unsigned int)top ^ 63;
#else
	return (unsigned int)__builtin_clzll(x);
#endif
}

/* a * b */
static inline cc_u64 cc_mul_u32(cc_u32 a, cc_u32 b)
{
#if CC_X86_ASM && !defined(__x86_64__)
	cc_u64 p;

	/* gcc 12 also multiplies by the zeros above a and b */
	__asm__("mull %2" : "=A"(p) : "%0"(a), "rm"(b) : "cc");
	return p;
#else
	return (cc_u64)a * b;
#endif
}

/* a * b = *high : returned */
static inline cc_u64 cc_mul_u64(cc_u64 *high, cc_u64 a, cc_u64 b)
{
#if CC_U128_IMPL == 128
	cc_native_u128 p = (cc_native_u128)a * b;

	*high = (cc_u64)(p >> 64);
	return (cc_u64)p;
#elif CC_X86_ASM && defined(__x86_64__) && CC_U128_IMPL == 64
	cc_u64 low;

	__asm__("mulq %3" : "=a"(low), "=d"(*high) : "%0"(a), "r"(b) : "cc");
	return low;
#else
	cc_u32 a0 = (cc_u32)a, a1 = (cc_u32)(a >> 32);
	cc_u32 b0 = (cc_u32)b, b1 = (cc_u32)(b >> 32);
	cc_u64 p00 = cc_mul_u32(a0, b0);
	cc_u64 p01 = cc_mul_u32(a0, b1);
	cc_u64 p10 = cc_mul_u32(a1, b0);
	cc_u64 p11 = cc_mul_u32(a1, b1);
	/* (2^32-1)^2 + 2(2^32-1) = 2^64-1: neither sum can overflow */
	cc_u64 mid = p10 + (p00 >> 32) + (cc_u32)p01;

	*high = p11 + (p01 >> 32) + (mid >> 32);
	return (mid << 32) | (cc_u32)p00;
#endif
}

/* n / d for n < 2^24 and d >= 2^9, which is below 2^15 */
static inline cc_u32 cc_div_u24(cc_u32 n, cc_u32 d)
{
#if CC_HAS_DIVISION
	return n / d;
#else
	cc_u32 q = 0;
	unsigned int i;

	/* n < 2^(i + 1) d when a step begins: 2^24 <= 2^15 d, and a step leaves less than 2^i d */
	for (i = 15; i--;) {
		cc_u32 bit = n >> i >= d;

		n -= (bit ? d : 0) << i;
		q = q << 1 | bit;
	}
	return q;
#endif
}

/*
 * Reciprocal of a normalised divisor (top bit set): floor((B^2 - 1) / d) - B.
 * Moeller and Granlund, Improved division by invariant integers (2011), algorithms 2
 * and 3; one narrow division computes the entries of their tables.
 */
static inline cc_u32 cc_reciprocal_u32(cc_u32 d)
{
#if CC_X86_ASM
	cc_u32 q, r;

	__asm__("divl %4" : "=a"(q), "=d"(r) : "0"(~(cc_u32)0), "1"(~d), "r"(d) : "cc");
	return q;
#else
	cc_u32 d0 = d & 1, d10 = d >> 22, d21 = (d >> 11) + 1, d31 = (d >> 1) + d0;
	cc_u32 v0 = cc_div_u24((1u << 24) - (1u << 14) + (1u << 9), d10);
	cc_u32 v1 = (v0 << 4) - (cc_u32)(((cc_u64)(v0 * v0) * d21) >> 32) - 1;
	cc_u32 e = (v1 >> 1) * d0 - v1 * d31;
	cc_u32 v2 = (v1 << 15) + (cc_u32)(((cc_u64)v1 * e) >> 33);

	return v2 - (cc_u32)(((cc_u64)v2 * d + d) >> 32) - d;
#endif
}

static inline cc_u64 cc_reciprocal_u64(cc_u64 d)
{
#if CC_X86_ASM && CC_U128_IMPL == 128
	cc_u64 q, r;

	__asm__("divq %4" : "=a"(q), "=d"(r) : "0"(~(cc_u64)0), "1"(~d), "r"(d) : "cc");
	return q;
#else
	cc_u64 d0 = d & 1, d40 = (d >> 24) + 1, d63 = (d >> 1) + d0;
	/* (2^19 - 3 2^8) / (d >> 55), both doubled */
	cc_u32 v0 = cc_div_u24((1u << 20) - 3 * (1u << 9), (cc_u32)(d >> 54) & ~1u);
	cc_u64 v1 = ((cc_u64)v0 << 11) - (cc_u32)(((cc_u64)(v0 * v0) * d40) >> 40) - 1;
	cc_u64 v2 = (v1 << 13) + ((v1 * (((cc_u64)1 << 60) - v1 * d40)) >> 47);
	cc_u64 e = (v2 >> 1) * d0 - v2 * d63;
	cc_u64 high, low, v3;

	cc_mul_u64(&high, v2, e);
	v3 = (v2 << 31) + (high >> 1);
	low = cc_mul_u64(&high, v3, d) + d;
	return v3 - (high + (low < d)) - d;
#endif
}

/*
 * (u1 : u0) / d for normalised d > u1 and its reciprocal v: the quotient, and *rem.
 * Moeller and Granlund, algorithm 4.
 */
static inline cc_u32 cc_div_2by1_u32(cc_u32 *rem, cc_u32 u1, cc_u32 u0, cc_u32 d, cc_u32 v)
{
	cc_u64 q = (cc_u64)v * u1 + (((cc_u64)u1 << 32) | u0);
	cc_u32 q1 = (cc_u32)(q >> 32) + 1;
	cc_u32 r = u0 - q1 * d;

	if (r > (cc_u32)q) {
		q1--;
		r += d;
	}
	if (r >= d) {
		q1++;
		r -= d;
	}
	*rem = r;
	return q1;
}

static inline cc_u64 cc_div_2by1_u64(cc_u64 *rem, cc_u64 u1, cc_u64 u0, cc_u64 d, cc_u64 v)
{
	cc_u64 q1, q0 = cc_mul_u64(&q1, v, u1), r, more;

	q0 += u0;
	q1 += u1 + (q0 < u0) + 1;
	r = u0 - q1 * d;
	/* true half of the time, so a selection, not a branch */
	more = r + d;
	q1 -= r > q0;
	r = r > q0 ? more : r;
	if (r >= d) {
		q1++;
		r -= d;
	}
	*rem = r;
	return q1;
}

/*
 * (u1 : u0) / d for normalised d > u1, by the machine's instruction; otherwise by the
 * reciprocal v, which is ignored where there is an instruction.
 */
static inline cc_u32 cc_div_once_u32(cc_u32 *rem, cc_u32 u1, cc_u32 u0, cc_u32 d, cc_u32 v)
{
#if CC_X86_ASM
	cc_u32 q;

	(void)v;
	__asm__("divl %4" : "=a"(q), "=d"(*rem) : "0"(u0), "1"(u1), "r"(d) : "cc");
	return q;
#else
	return cc_div_2by1_u32(rem, u1, u0, d, v);
#endif
}

/* The v of cc_div_once_u32() for normalised d. */
static inline cc_u32 cc_reciprocal_once_u32(cc_u32 d)
{
#if CC_X86_ASM
	(void)d;
	return 0;
#else
	return cc_reciprocal_u32(d);
#endif
}

/* u / d for normalised d, and *rem; v as above. */
static inline cc_u64 cc_div_u64_u32(cc_u32 *rem, cc_u64 u, cc_u32 d, cc_u32 v)
{
#if CC_WORD_BITS == 64 && CC_U128_IMPL != 32 && CC_HAS_DIVISION
	(void)v;
	*rem = (cc_u32)(u % d);
	return u / d;
#else
	cc_u32 high = (cc_u32)(u >> 32), one = high >= d;

	return (cc_u64)one << 32 | cc_div_once_u32(rem, high - (one ? d : 0), (cc_u32)u, d, v);
#endif
}

/*
 * (*u : u0) / d for normalised d > *u.  Returns the quotient, which is half a word; *u
 * becomes the remainder.  Knuth's step D3 in base 2^32; v is the reciprocal of the upper
 * half of d, as above.
 */
static inline cc_u64 cc_div_half_u64(cc_u64 *u, cc_u32 u0, cc_u64 d, cc_u32 v)
{
	cc_u32 rest;
	cc_u64 q = cc_div_u64_u32(&rest, *u, (cc_u32)(d >> 32), v);
	/* q <= (d - 1) / d1 <= 2^32 + 1, so the product is below 2^64 */
	cc_u64 p = q * (cc_u32)d, r = (cc_u64)rest << 32 | u0;

	/* at most twice, and not again if the sum passed 2^64: then it is above p */
	if (r < p) {
		q--;
		r += d;
		if (r < p && r >= d) {
			q--;
			r += d;
		}
	}
	*u = r - p;
	return q;
}

/*
 * (u1 : u0) / d for normalised d > u1 without a known reciprocal: the quotient, and *rem.
 * By the machine's instruction, two steps of 64 bits by 32, or the reciprocal.
 */
static inline cc_u64 cc_div_once_u64(cc_u64 *rem, cc_u64 u1, cc_u64 u0, cc_u64 d)
{
	cc_u64 q;

#if CC_X86_ASM && defined(__x86_64__) && CC_U128_IMPL != 32
	__asm__("divq %4" : "=a"(q), "=d"(*rem) : "0"(u0), "1"(u1), "r"(d) : "cc");
#elif CC_U128_IMPL == 128
	q = cc_div_2by1_u64(rem, u1, u0, d, cc_reciprocal_u64(d));
#else
	cc_u32 v = cc_reciprocal_once_u32((cc_u32)(d >> 32));

	if (u1 >> 32) {
		q = cc_div_half_u64(&u1, (cc_u32)(u0 >> 32), d, v) << 32;
	} else {
		/* a small quotient: its upper half is 0 or 1 */
		u1 = u1 << 32 | u0 >> 32;
		q = (cc_u64)(u1 >= d) << 32;
		u1 -= q ? d : 0;
	}
	q += cc_div_half_u64(&u1, (cc_u32)u0, d, v);
	*rem = u1;
#endif
	return q;
}

/* (u1 : u0) / d for any d > u1, and *rem: short division. */
static inline cc_u64 cc_div_short_u64(cc_u64 *rem, cc_u32 u1, cc_u64 u0, cc_u32 d)
{
	/* the instruction divides by any value, the reciprocal by a normalised one */
	unsigned int s = CC_X86_ASM ? 0 : cc_clz_u32(d);
	cc_u32 v = cc_reciprocal_once_u32(d << s);
	cc_u64 q = 0;

	if (u1 || u0 >> 32 >= d) {
		u1 = u1 << s | (cc_u32)(u0 >> 32 >> 1 >> (31 - s));
		q = (cc_u64)cc_div_once_u32(&u1, u1, (cc_u32)(u0 << s >> 32), d << s, v) << 32;
	} else {
		u1 = (cc_u32)(u0 << s >> 32);
	}
	q |= cc_div_once_u32(&u1, u1, (cc_u32)u0 << s, d << s, v);
	*rem = u1 >> s;
	return q;
}

/* u / d for nonzero d, and *rem: by the machine's instruction, or one step. */
static inline cc_u64 cc_div_u64(cc_u64 *rem, cc_u64 u, cc_u64 d)
{
#if CC_WORD_BITS == 64 && CC_U128_IMPL != 32 && CC_HAS_DIVISION
	*rem = u % d;
	return u / d;
#else
	cc_u32 high = (cc_u32)(d >> 32), q, r;
	unsigned int s;

	if (!high)
		return cc_div_short_u64(rem, 0, u, (cc_u32)d);
	s = 32 - cc_clz_u32(high);
	high = (cc_u32)(d >> s);
	/*
	 * Warren, Hacker's Delight, 9-5: floor((u >> s) / (d >> s)) is floor(u / d) or one
	 * more, because they differ by less than 2^64 (2^s - 1) / (2^(31 + s))^2 <= 1.  One
	 * less than that, and no product exceeds u.
	 */
	q = cc_div_once_u32(&r, (cc_u32)(u >> s >> 32), (cc_u32)(u >> s), high,
			    cc_reciprocal_once_u32(high));
	q -= q != 0;
	u -= q * d;
	q += u >= d;
	*rem = u >= d ? u - d : u;
	return q;
#endif
}

/* (u1 : u0) / d for any d > u1. */
static inline cc_u64 cc_div_any_u64(cc_u64 *rem, cc_u64 u1, cc_u64 u0, cc_u64 d)
{
#if CC_X86_ASM && defined(__x86_64__) && CC_U128_IMPL != 32
	return cc_div_once_u64(rem, u1, u0, d);
#else
	unsigned int s;
	cc_u64 q;

#if CC_WORD_BITS == 32 || CC_U128_IMPL == 32
	if (!(d >> 32))
		return cc_div_short_u64(rem, (cc_u32)u1, u0, (cc_u32)d);
	if (!u1)
		return cc_div_u64(rem, u0, d);
#endif
	s = cc_clz_u64(d);
	q = cc_div_once_u64(rem, u1 << s | u0 >> 1 >> (63 - s), u0 << s, d << s);
	*rem >>= s;
	return q;
#endif
}

/* The same for the machine's own word. */

static inline unsigned int cc_word_clz(cc_word x)
{
#if CC_WORD_BITS == 64
	return cc_clz_u64(x);
#else
	return cc_clz_u32(x);
#endif
}

/* Trailing zeros; x must not be 0. */
static inline unsigned int cc_word_ctz(cc_word x)
{
#if CC_HAS_CLZ && CC_WORD_BITS == 64
	return (unsigned int)__builtin_ctzll(x);
#elif CC_HAS_CLZ
	return (unsigned int)__builtin_ctz(x);
#else
	return CC_WORD_BITS - 1 - cc_word_clz(x & (0 - x));
#endif
}

/* a + b + *carry, for *carry 0 or 1; leaves the carry out in *carry */
static inline cc_word cc_word_add(cc_word a, cc_word b, cc_word *carry)
{
	cc_word s = a + b, t = s + *carry;

	*carry = (cc_word)(s < a) | (cc_word)(t < s);
	return t;
}

/* a - b - *borrow, for *borrow 0 or 1; leaves the borrow out in *borrow */
static inline cc_word cc_word_sub(cc_word a, cc_word b, cc_word *borrow)
{
	cc_word s = a - b, t = s - *borrow;

	*borrow = (cc_word)(a < b) | (cc_word)(s < t);
	return t;
}

/* a * b = *high : returned */
static inline cc_word cc_word_mul(cc_word *high, cc_word a, cc_word b)
{
#if CC_WORD_BITS == 64
	return cc_mul_u64(high, a, b);
#else
	cc_u64 p = (cc_u64)a * b;

	*high = (cc_word)(p >> 32);
	return (cc_word)p;
#endif
}

static inline cc_word cc_word_reciprocal(cc_word d)
{
#if CC_WORD_BITS == 64
	return cc_reciprocal_u64(d);
#else
	return cc_reciprocal_u32(d);
#endif
}

static inline cc_word cc_word_div_2by1(cc_word *rem, cc_word u1, cc_word u0, cc_word d, cc_word v)
{
#if CC_WORD_BITS == 64
	return cc_div_2by1_u64(rem, u1, u0, d, v);
#else
	return cc_div_2by1_u32(rem, u1, u0, d, v);
#endif
}

/*
 * Reciprocal of a normalised two-word divisor: floor((B^3 - 1) / (d1 : d0)) - B.
 * Moeller and Granlund, algorithm 6.
 */
static inline cc_word cc_word_reciprocal_3by2(cc_word d1, cc_word d0)
{
	cc_word v = cc_word_reciprocal(d1);
	cc_word p = d1 * v + d0, t1, t0;

	if (p < d0) {
		v--;
		if (p >= d1) {
			v--;
			p -= d1;
		}
		p -= d1;
	}
	t0 = cc_word_mul(&t1, v, d0);
	p += t1;
	if (p < t1) {
		v--;
		if (p > d1 || (p == d1 && t0 >= d0))
			v--;
	}
	return v;
}

/*
 * (u2 : u1 : u0) / (d1 : d0) for a normalised divisor > (u2 : u1) and its reciprocal v:
 * the quotient word, and the remainder *r1 : *r0.  Moeller and Granlund, algorithm 5.
 */
static inline cc_word cc_word_div_3by2(cc_word *r1, cc_word *r0, cc_word u2, cc_word u1, cc_word u0,
				       cc_word d1, cc_word d0, cc_word v)
{
	cc_word q1, q0 = cc_word_mul(&q1, v, u2), t1, t0, s1, s0, more1, more0, carry;

	q0 += u1;
	q1 += u2 + (q0 < u1);
	/* subtract d while d0 q1 is being computed */
	t0 = cc_word_mul(&t1, d0, q1);
	more1 = u1 - q1 * d1;
	carry = 0;
	s0 = cc_word_sub(u0, d0, &carry);
	s1 = more1 - d1 - carry;
	carry = 0;
	s0 = cc_word_sub(s0, t0, &carry);
	s1 -= t1 + carry;
	carry = 0;
	more0 = cc_word_sub(u0, t0, &carry);
	more1 -= t1 + carry;
	/* true half of the time, so a selection, not a branch, which gcc would make of two */
#if CC_X86_ASM && CC_WORD_BITS == 64
	__asm__("cmpq %3, %1\n\tcmovaeq %4, %0\n\tcmovaeq %5, %1\n\tadcq $0, %2"
		: "+r"(s0), "+&r"(s1), "+r"(q1)
		: "r"(q0), "r"(more0), "r"(more1)
		: "cc");
#else
	q1 += s1 < q0;
	s0 = s1 < q0 ? s0 : more0;
	s1 = s1 < q0 ? s1 : more1;
#endif
	if (__builtin_expect(s1 >= d1, 0) && (s1 > d1 || s0 >= d0)) {
		q1++;
		carry = 0;
		s0 = cc_word_sub(s0, d0, &carry);
		s1 -= d1 + carry;
	}
	*r1 = s1;
	*r0 = s0;
	return q1;
}

CC_C_CASTS_END

#endif /* CARRYCHAIN_WORD_H */
