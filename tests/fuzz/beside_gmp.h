/* SPDX-License-Identifier: MIT */
/* beside_gmp.h - what the targets that compare with GMP share. */
#ifndef FUZZ_BESIDE_GMP_H
#define FUZZ_BESIDE_GMP_H

#include <carrychain/bigint.h>

#include <gmp.h>
#include <stdlib.h>

#define MUST(condition)                                                                            \
	do {                                                                                       \
		if (!(condition))                                                                  \
			abort();                                                                   \
	} while (0)

static void to_gmp(mpz_t r, const cc_bigint *x)
{
	mpz_import(r, x->length, -1, sizeof(cc_word), 0, 0, x->words);
	if (x->negative)
		mpz_neg(r, r);
}

static int same(const cc_bigint *x, const mpz_t want)
{
	mpz_t got;
	int equal;

	MUST(x->length <= x->capacity && (!x->length || x->words[x->length - 1]));
	MUST(x->negative == 0 || (x->negative == 1 && x->length));
	mpz_init(got);
	to_gmp(got, x);
	equal = !mpz_cmp(got, want);
	mpz_clear(got);
	return equal;
}

#endif /* FUZZ_BESIDE_GMP_H */
