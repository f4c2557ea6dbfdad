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
	/* sqrtrem without and with a remainder */
	cc_mpn_size sqrt, sqrtrem, get_str;
	/* the modulus, up to so many */
	cc_mpn_size powm, powm_most;
};

#define NEVER LONG_MAX

/*
 * By their times on a Zen 5.  GMP's other functions are faster by our products alone than ours are:
 * set_str, exact quotients, and powers modulo longer numbers.  Without mulx and adcx GMP's short
 * products are faster than ours, and without vectors its long ones.
 */
static const struct least by_digits = {8, 8, 24, 8, 24, 8, 100, 220, 8, 300, 8, 128};
static const struct least by_words = {8, 8, 24, 8, 24, 8, 200, 500, 8, 400, 8, 24};
static const struct least by_vectors = {1000,  1000,  NEVER, NEVER, NEVER, NEVER,
					NEVER, NEVER, NEVER, NEVER, NEVER, 0};

/* Until the tier is known, GMP's. */
static struct least least = {NEVER, NEVER, NEVER, NEVER, NEVER, NEVER,
			     NEVER, NEVER, NEVER, NEVER, NEVER, 0};

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

typedef void any_function(void);

/*
 * GMP's function of that name: the next in the search order, or, where libgmp was loaded privately
 * (by an extension module), the one that @caller's object sees.  If there is none but the one in
 * its place, @ours.
 */
static __attribute__((__noinline__)) any_function *find(const char *name, any_function *in_place,
							any_function *ours, const void *caller)
{
	any_function *found;
	void *object;
	Dl_info from;

	*(void **)&found = dlsym(RTLD_NEXT, name);
	if (!found && dladdr(caller, &from) &&
	    (object = dlopen(from.dli_fname, RTLD_LAZY | RTLD_NOLOAD))) {
		*(void **)&found = dlsym(object, name);
		dlclose(object);
	}
	return found && found != in_place ? found : ours;
}

#define GMPS(name) __atomic_load_n(&gmps_##name, __ATOMIC_RELAXED)

/*
 * GMP's header is not included: it would declare other names by macros.  GMP's function is looked
 * for at the first call of it, which the optimized first_X() passes on as its caller's.  Which one
 * is called is decided before registers are saved, so that short numbers' calls cost a jump.
 */
#define FUNCTION(result, give, name, parameters, arguments, below)                                 \
	typedef result name##_function parameters;                                                 \
	name##_function __gmpn_##name;                                                             \
	static name##_function first_##name;                                                       \
	static name##_function *gmps_##name = first_##name;                                        \
                                                                                                   \
	static __attribute__((__noinline__, __cold__)) result first_##name parameters              \
	{                                                                                          \
		name##_function *found = (name##_function *)find(                                  \
			"__gmpn_" #name, (any_function *)__gmpn_##name,                            \
			(any_function *)cc_mpn_##name, __builtin_return_address(0));               \
                                                                                                   \
		__atomic_store_n(&gmps_##name, found, __ATOMIC_RELAXED);                           \
		give found arguments;                                                              \
	}                                                                                          \
                                                                                                   \
	static __attribute__((__noinline__)) name##_function ours_##name;                          \
                                                                                                   \
	result __gmpn_##name parameters                                                            \
	{                                                                                          \
		if (below)                                                                         \
			give GMPS(name) arguments;                                                 \
		else                                                                               \
			give ours_##name arguments;                                                \
	}

FUNCTION(cc_word, return, mul,
	 (cc_word * r, const cc_word *a, cc_mpn_size an, const cc_word *b, cc_mpn_size bn),
	 (r, a, an, b, bn), bn < least.mul)
FUNCTION(void, , mul_n, (cc_word * r, const cc_word *a, const cc_word *b, cc_mpn_size n),
	 (r, a, b, n), n < least.mul)
FUNCTION(void, , sqr, (cc_word * r, const cc_word *a, cc_mpn_size n), (r, a, n), n < least.sqr)
FUNCTION(void, , tdiv_qr,
	 (cc_word * q, cc_word *r, cc_mpn_size zero, const cc_word *a, cc_mpn_size an,
	  const cc_word *d, cc_mpn_size dn),
	 (q, r, zero, a, an, d, dn), dn < least.divisor || an - dn < least.digits)
/* A divisor that is longer than the quotient is cut by GMP's: only its upper part counts. */
FUNCTION(void, , div_q,
	 (cc_word * q, const cc_word *a, cc_mpn_size an, const cc_word *d, cc_mpn_size dn,
	  cc_word *scratch),
	 (q, a, an, d, dn, scratch), dn < least.div_q || an - dn < dn)
FUNCTION(cc_mpn_size, return, gcd,
	 (cc_word * g, cc_word *a, cc_mpn_size an, cc_word *b, cc_mpn_size bn), (g, a, an, b, bn),
	 bn < least.gcd)
FUNCTION(cc_mpn_size, return, gcdext,
	 (cc_word * g, cc_word *s, cc_mpn_size *sn, cc_word *a, cc_mpn_size an, cc_word *b,
	  cc_mpn_size bn),
	 (g, s, sn, a, an, b, bn), bn < least.gcdext)
FUNCTION(cc_mpn_size, return, sqrtrem,
	 (cc_word * root, cc_word *rem, const cc_word *a, cc_mpn_size n), (root, rem, a, n),
	 n < (rem ? least.sqrtrem : least.sqrt))
FUNCTION(size_t, return, get_str, (unsigned char *digits, int base, cc_word *a, cc_mpn_size n),
	 (digits, base, a, n), n<least.get_str || base> 36 || !(base & (base - 1)))
/* m is odd, and @scratch has 2 mn words */
FUNCTION(void, , powm,
	 (cc_word * r, const cc_word *b, cc_mpn_size bn, const cc_word *e, cc_mpn_size en,
	  const cc_word *m, cc_mpn_size mn, cc_word *scratch),
	 (r, b, bn, e, en, m, mn, scratch), mn<least.powm || mn> least.powm_most)

static cc_word ours_mul(cc_word *r, const cc_word *a, cc_mpn_size an, const cc_word *b,
			cc_mpn_size bn)
{
	return cc_try_mul(r, a, an, b, bn) ? r[an + bn - 1] : GMPS(mul)(r, a, an, b, bn);
}

static void ours_mul_n(cc_word *r, const cc_word *a, const cc_word *b, cc_mpn_size n)
{
	if (!cc_try_mul(r, a, n, b, n))
		GMPS(mul_n)(r, a, b, n);
}

static void ours_sqr(cc_word *r, const cc_word *a, cc_mpn_size n)
{
	if (!cc_try_sqr(r, a, n))
		GMPS(sqr)(r, a, n);
}

static void ours_tdiv_qr(cc_word *q, cc_word *r, cc_mpn_size zero, const cc_word *a, cc_mpn_size an,
			 const cc_word *d, cc_mpn_size dn)
{
	if (!cc_try_tdiv_qr(q, r, a, an, d, dn))
		GMPS(tdiv_qr)(q, r, zero, a, an, d, dn);
}

static void ours_div_q(cc_word *q, const cc_word *a, cc_mpn_size an, const cc_word *d,
		       cc_mpn_size dn, cc_word *scratch)
{
	if (!cc_try_div_q(q, a, an, d, dn))
		GMPS(div_q)(q, a, an, d, dn, scratch);
}

static cc_mpn_size ours_gcd(cc_word *g, cc_word *a, cc_mpn_size an, cc_word *b, cc_mpn_size bn)
{
	cc_mpn_size gn;

	return cc_try_gcd(g, &gn, a, an, b, bn) ? gn : GMPS(gcd)(g, a, an, b, bn);
}

static cc_mpn_size ours_gcdext(cc_word *g, cc_word *s, cc_mpn_size *sn, cc_word *a, cc_mpn_size an,
			       cc_word *b, cc_mpn_size bn)
{
	cc_mpn_size gn;

	return cc_try_gcdext(g, &gn, s, sn, a, an, b, bn) ? gn
							  : GMPS(gcdext)(g, s, sn, a, an, b, bn);
}

static cc_mpn_size ours_sqrtrem(cc_word *root, cc_word *rem, const cc_word *a, cc_mpn_size n)
{
	cc_mpn_size rn;

	return cc_try_sqrtrem(root, rem, &rn, a, n) ? rn : GMPS(sqrtrem)(root, rem, a, n);
}

static size_t ours_get_str(unsigned char *digits, int base, cc_word *a, cc_mpn_size n)
{
	size_t count;

	return cc_try_get_str(&count, digits, base, a, n) ? count
							  : GMPS(get_str)(digits, base, a, n);
}

static void ours_powm(cc_word *r, const cc_word *b, cc_mpn_size bn, const cc_word *e,
		      cc_mpn_size en, const cc_word *m, cc_mpn_size mn, cc_word *scratch)
{
	if (!cc_try_powm(r, b, bn, e, en, m, mn))
		GMPS(powm)(r, b, bn, e, en, m, mn, scratch);
}
