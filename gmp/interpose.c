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

/* The words from which ours is faster; until the tier is known, never. */
static cc_mpn_size least_mul = LONG_MAX, least_sqr = LONG_MAX;

/*
 * By their times on a Zen 5 in each tier.  Without mulx and adcx GMP's short products are faster,
 * and without vectors its long ones.
 */
__attribute__((constructor)) static void choose(void)
{
	const uint64_t words = CC_CPU_BMI2 | CC_CPU_ADX | CC_CPU_AVX2;
	uint64_t has = cc_cpu_features();

	if (has & CC_CPU_AVX2)
		least_mul = least_sqr = (has & words) == words ? 8 : 1000;
}

typedef cc_word mul_function(cc_word *, const cc_word *, cc_mpn_size, const cc_word *, cc_mpn_size);
typedef void mul_n_function(cc_word *, const cc_word *, const cc_word *, cc_mpn_size);
typedef void sqr_function(cc_word *, const cc_word *, cc_mpn_size);

/* GMP's declares them, and can't be included: the names are ours here. */
mul_function __gmpn_mul;
mul_n_function __gmpn_mul_n;
sqr_function __gmpn_sqr;

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
	if (bn < least_mul || !cc_try_mul(r, a, an, b, bn))
		return GMPS(mul)(r, a, an, b, bn);
	return r[an + bn - 1];
}

void __gmpn_mul_n(cc_word *r, const cc_word *a, const cc_word *b, cc_mpn_size n)
{
	if (n < least_mul || !cc_try_mul(r, a, n, b, n))
		GMPS(mul_n)(r, a, b, n);
}

void __gmpn_sqr(cc_word *r, const cc_word *a, cc_mpn_size n)
{
	if (n < least_sqr || !cc_try_sqr(r, a, n))
		GMPS(sqr)(r, a, n);
}
