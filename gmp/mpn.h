/* SPDX-License-Identifier: MIT */
/*
 * mpn.h - the functions of GMP's manual, chapter "Low-level Functions", on words.
 *
 * Names, arguments, results and overlaps are as there.  cc_mpn_X() aborts as GMP does if there is
 * no memory; cc_try_X() then returns 0, and has written nothing.
 */
#ifndef CC_GMP_MPN_H
#define CC_GMP_MPN_H

#include <carrychain/word.h>

/* mp_size_t */
typedef long cc_mpn_size;

/* r[an + bn] = a b, an >= bn >= 1; returns the top word.  r overlaps neither. */
cc_word cc_mpn_mul(cc_word *r, const cc_word *a, cc_mpn_size an, const cc_word *b, cc_mpn_size bn);
void cc_mpn_mul_n(cc_word *r, const cc_word *a, const cc_word *b, cc_mpn_size n);
void cc_mpn_sqr(cc_word *r, const cc_word *a, cc_mpn_size n);

int cc_try_mul(cc_word *r, const cc_word *a, cc_mpn_size an, const cc_word *b, cc_mpn_size bn);
int cc_try_sqr(cc_word *r, const cc_word *a, cc_mpn_size n);

#endif /* CC_GMP_MPN_H */
