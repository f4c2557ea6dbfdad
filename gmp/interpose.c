// SPDX-License-Identifier: MIT
/*
 * libcarrychain-gmp.so: under LD_PRELOAD these functions are called in the place of GMP's, by the
 * program and by libgmp itself, whose calls go through its procedure linkage table.  Below each
 * one's threshold, and where there is no memory for our way, GMP's own is called.
 */
#include "mpn.h"

#include <carrychain/cpu.h>

#include <dlfcn.h>
#include <limits.h>

/* The words from which ours are faster. */
struct least {
	cc_mpn_size mul, sqr;
	/* quotient and divisor of tdiv_qr; both of div_q, where the divisor is not the longer one
	 */
	cc_mpn_size digits, divisor, div_q;
	/* the shorter number */
	cc_mpn_size gcd, gcdext;
	cc_mpn_size sqrtrem, get_str;
	/* the modulus, up to so many */
	cc_mpn_size powm, powm_most;
};

#define NEVER LONG_MAX

/*
 * By their times on a Zen 5.  GMP's other functions are faster by our products alone than ours are:
 * set_str, exact quotients, and powers modulo longer numbers.  Without mulx and adcx GMP's short
 * products are faster than ours, and without vectors its long ones.
 */
static const struct least by_digits = {8, 8, 24, 8, 64, 8, 100, 8, 300, 8, 128};
static const struct least by_words = {8, 8, 24, 8, NEVER, 8, 200, 8, 400, 8, 24};
static const struct least by_vectors = {1000,  1000,  NEVER, NEVER, NEVER, NEVER,
					NEVER, NEVER, NEVER, NEVER, 0};

/* Until the tier is known, GMP's. */
static struct least least = {NEVER, NEVER, NEVER, NEVER, NEVER, NEVER,
			     NEVER, NEVER, NEVER, NEVER, 0};

__attribute__((constructor)) static void choose(void)
{
	const uint64_t words = CC_CPU_BMI2 | CC_CPU_ADX | CC_CPU_AVX2;
	const uint64_t digits = words | CC_CPU_AVX512 | CC_CPU_AVX512IFMA;
	uint64_t has = cc_cpu_features();

	if ((has & digits) == digits)
		least = by_digits;
	else if ((has & words) == words)
		least = by_words;
	else if (has & CC_CPU_AVX2)
		least = by_vectors;
}

/* GMP's header is not included: it would declare other names by macros. */
#define FUNCTION(result, name, ...)                                                                \
	typedef result name##_function(__VA_ARGS__);                                               \
	name##_function __gmpn_##name
FUNCTION(cc_word, mul, cc_word *, const cc_word *, cc_mpn_size, const cc_word *, cc_mpn_size);
FUNCTION(void, mul_n, cc_word *, const cc_word *, const cc_word *, cc_mpn_size);
FUNCTION(void, sqr, cc_word *, const cc_word *, cc_mpn_size);
FUNCTION(void, tdiv_qr, cc_word *, cc_word *, cc_mpn_size, const cc_word *, cc_mpn_size,
	 const cc_word *, cc_mpn_size);
FUNCTION(void, div_q, cc_word *, const cc_word *, cc_mpn_size, const cc_word *, cc_mpn_size,
	 cc_word *);
FUNCTION(cc_mpn_size, gcd, cc_word *, cc_word *, cc_mpn_size, cc_word *, cc_mpn_size);
FUNCTION(cc_mpn_size, gcdext, cc_word *, cc_word *, cc_mpn_size *, cc_word *, cc_mpn_size,
	 cc_word *, cc_mpn_size);
FUNCTION(cc_mpn_size, sqrtrem, cc_word *, cc_word *, const cc_word *, cc_mpn_size);
FUNCTION(size_t, get_str, unsigned char *, int, cc_word *, cc_mpn_size);
FUNCTION(void, powm, cc_word *, const cc_word *, cc_mpn_size, const cc_word *, cc_mpn_size,
	 const cc_word *, cc_mpn_size, cc_word *);

/*
 * GMP's function of that name: the next in the search order, or, where libgmp was loaded privately
 * (by an extension module), the one that @caller's object sees.  If there is none, @ours.
 */
static __attribute__((__noinline__, __cold__)) void *find(void **place, const char *name,
							  void *ours, const void *caller)
{
	void *found = dlsym(RTLD_NEXT, name), *object;
	Dl_info from;

	if (!found && dladdr(caller, &from) &&
	    (object = dlopen(from.dli_fname, RTLD_LAZY | RTLD_NOLOAD))) {
		found = dlsym(object, name);
		dlclose(object);
	}
	if (!found)
		found = ours;
	__atomic_store_n(place, found, __ATOMIC_RELAXED);
	return found;
}

/* In the function that is called in the place of GMP's @name. */
#define GMPS(name)                                                                                 \
	__extension__({                                                                            \
		static void *place;                                                                \
		void *known = __atomic_load_n(&place, __ATOMIC_RELAXED);                           \
                                                                                                   \
		if (__builtin_expect(!known, 0))                                                   \
			known = find(&place, "__gmpn_" #name, (void *)cc_mpn_##name,               \
				     __builtin_return_address(0));                                 \
		(name##_function *)known;                                                          \
	})

cc_word __gmpn_mul(cc_word *r, const cc_word *a, cc_mpn_size an, const cc_word *b, cc_mpn_size bn)
{
	if (bn < least.mul || !cc_try_mul(r, a, an, b, bn))
		return GMPS(mul)(r, a, an, b, bn);
	return r[an + bn - 1];
}

void __gmpn_mul_n(cc_word *r, const cc_word *a, const cc_word *b, cc_mpn_size n)
{
	if (n < least.mul || !cc_try_mul(r, a, n, b, n))
		GMPS(mul_n)(r, a, b, n);
}

void __gmpn_sqr(cc_word *r, const cc_word *a, cc_mpn_size n)
{
	if (n < least.sqr || !cc_try_sqr(r, a, n))
		GMPS(sqr)(r, a, n);
}

void __gmpn_tdiv_qr(cc_word *q, cc_word *r, cc_mpn_size zero, const cc_word *a, cc_mpn_size an,
		    const cc_word *d, cc_mpn_size dn)
{
	if (dn < least.divisor || an - dn < least.digits || !cc_try_tdiv_qr(q, r, a, an, d, dn))
		GMPS(tdiv_qr)(q, r, zero, a, an, d, dn);
}

/* A divisor that is longer than the quotient is cut by GMP's: only its upper part counts. */
void __gmpn_div_q(cc_word *q, const cc_word *a, cc_mpn_size an, const cc_word *d, cc_mpn_size dn,
		  cc_word *scratch)
{
	if (dn < least.div_q || an - dn < dn || !cc_try_div_q(q, a, an, d, dn))
		GMPS(div_q)(q, a, an, d, dn, scratch);
}

cc_mpn_size __gmpn_gcd(cc_word *g, cc_word *a, cc_mpn_size an, cc_word *b, cc_mpn_size bn)
{
	cc_mpn_size gn;

	if (bn < least.gcd || !cc_try_gcd(g, &gn, a, an, b, bn))
		return GMPS(gcd)(g, a, an, b, bn);
	return gn;
}

cc_mpn_size __gmpn_gcdext(cc_word *g, cc_word *s, cc_mpn_size *sn, cc_word *a, cc_mpn_size an,
			  cc_word *b, cc_mpn_size bn)
{
	cc_mpn_size gn;

	if (bn < least.gcdext || !cc_try_gcdext(g, &gn, s, sn, a, an, b, bn))
		return GMPS(gcdext)(g, s, sn, a, an, b, bn);
	return gn;
}

cc_mpn_size __gmpn_sqrtrem(cc_word *root, cc_word *rem, const cc_word *a, cc_mpn_size n)
{
	cc_mpn_size rn;

	if (n < least.sqrtrem || !cc_try_sqrtrem(root, rem, &rn, a, n))
		return GMPS(sqrtrem)(root, rem, a, n);
	return rn;
}

size_t __gmpn_get_str(unsigned char *digits, int base, cc_word *a, cc_mpn_size n)
{
	size_t count;

	if (n < least.get_str || base > 36 || !(base & (base - 1)) ||
	    !cc_try_get_str(&count, digits, base, a, n))
		return GMPS(get_str)(digits, base, a, n);
	return count;
}

/* m is odd, and @scratch has 2 mn words */
void __gmpn_powm(cc_word *r, const cc_word *b, cc_mpn_size bn, const cc_word *e, cc_mpn_size en,
		 const cc_word *m, cc_mpn_size mn, cc_word *scratch)
{
	if (mn < least.powm || mn > least.powm_most || !cc_try_powm(r, b, bn, e, en, m, mn))
		GMPS(powm)(r, b, bn, e, en, m, mn, scratch);
}
