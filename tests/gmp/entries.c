// SPDX-License-Identifier: MIT
/*
 * Preloaded before libcarrychain-gmp.so, it passes GMP's calls on to the next object that has the
 * function.  At the program's end it writes the names that were entered with numbers of one word,
 * and that object's file name, to stderr.
 */
#include "../../gmp/mpn.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>

static void *next(const char *name)
{
	return dlsym(RTLD_NEXT, name);
}

static void tell(const char *name, bool entered)
{
	Dl_info found;

	if (entered && dladdr(next(name), &found))
		fprintf(stderr, "%s %s\n", name, found.dli_fname);
}

/* @one: whether all numbers have one word */
#define ENTRY(result, name, parameters, arguments, one)                                            \
	static bool entered_##name;                                                                \
	result __gmpn_##name parameters;                                                           \
	result __gmpn_##name parameters                                                            \
	{                                                                                          \
		result(*to) parameters;                                                            \
                                                                                                   \
		*(void **)&to = next("__gmpn_" #name);                                             \
		entered_##name |= one;                                                             \
		return to arguments;                                                               \
	}                                                                                          \
	static __attribute__((destructor)) void tell_##name(void)                                  \
	{                                                                                          \
		tell("__gmpn_" #name, entered_##name);                                             \
	}

/* What returns nothing is passed on as if it did: the register's value is nobody's. */
ENTRY(cc_word, mul,
      (cc_word * r, const cc_word *a, cc_mpn_size an, const cc_word *b, cc_mpn_size bn),
      (r, a, an, b, bn), an == 1 && bn == 1)
ENTRY(cc_word, mul_n, (cc_word * r, const cc_word *a, const cc_word *b, cc_mpn_size n),
      (r, a, b, n), n == 1)
ENTRY(cc_word, sqr, (cc_word * r, const cc_word *a, cc_mpn_size n), (r, a, n), n == 1)
ENTRY(cc_word, tdiv_qr,
      (cc_word * q, cc_word *r, cc_mpn_size zero, const cc_word *a, cc_mpn_size an,
       const cc_word *d, cc_mpn_size dn),
      (q, r, zero, a, an, d, dn), an == 1 && dn == 1)
ENTRY(cc_word, div_q,
      (cc_word * q, const cc_word *a, cc_mpn_size an, const cc_word *d, cc_mpn_size dn,
       cc_word *scratch),
      (q, a, an, d, dn, scratch), an == 1 && dn == 1)
ENTRY(cc_mpn_size, gcd, (cc_word * g, cc_word *a, cc_mpn_size an, cc_word *b, cc_mpn_size bn),
      (g, a, an, b, bn), an == 1 && bn == 1)
ENTRY(cc_mpn_size, gcdext,
      (cc_word * g, cc_word *s, cc_mpn_size *sn, cc_word *a, cc_mpn_size an, cc_word *b,
       cc_mpn_size bn),
      (g, s, sn, a, an, b, bn), an == 1 && bn == 1)
ENTRY(cc_mpn_size, sqrtrem, (cc_word * root, cc_word *rem, const cc_word *a, cc_mpn_size n),
      (root, rem, a, n), n == 1)
ENTRY(size_t, get_str, (unsigned char *digits, int base, cc_word *a, cc_mpn_size n),
      (digits, base, a, n), n == 1)
ENTRY(cc_word, powm,
      (cc_word * r, const cc_word *b, cc_mpn_size bn, const cc_word *e, cc_mpn_size en,
       const cc_word *m, cc_mpn_size mn, cc_word *scratch),
      (r, b, bn, e, en, m, mn, scratch), bn == 1 && en == 1 && mn == 1)
