/* SPDX-License-Identifier: MIT */
/*
 * mpn.h - the functions of GMP's manual, chapter "Low-level Functions", on words.
 *
 * Names, arguments and results are those of the manual; a declaration here says what may overlap.
 * Unless it says otherwise, lengths are at least 1, and a result may be the same vector as an
 * operand, but may not overlap it otherwise.  cc_mpn_X() ends the program as GMP does if there is
 * no memory; cc_try_X() returns 0 then, and has written nothing.
 */
#ifndef CC_GMP_MPN_H
#define CC_GMP_MPN_H

#include <carrychain/word.h>

#include "../src/platform.h"

/* mp_size_t, mp_bitcnt_t */
typedef long cc_mpn_size;
typedef unsigned long cc_mpn_bits;

/* mpn_sums.c.  an >= bn */
cc_word cc_mpn_add_n(cc_word *r, const cc_word *a, const cc_word *b, cc_mpn_size n);
cc_word cc_mpn_add_1(cc_word *r, const cc_word *a, cc_mpn_size n, cc_word b);
cc_word cc_mpn_add(cc_word *r, const cc_word *a, cc_mpn_size an, const cc_word *b, cc_mpn_size bn);
cc_word cc_mpn_sub_n(cc_word *r, const cc_word *a, const cc_word *b, cc_mpn_size n);
cc_word cc_mpn_sub_1(cc_word *r, const cc_word *a, cc_mpn_size n, cc_word b);
cc_word cc_mpn_sub(cc_word *r, const cc_word *a, cc_mpn_size an, const cc_word *b, cc_mpn_size bn);
cc_word cc_mpn_neg(cc_word *r, const cc_word *a, cc_mpn_size n);
int cc_mpn_cmp(const cc_word *a, const cc_word *b, cc_mpn_size n);
int cc_mpn_zero_p(const cc_word *a, cc_mpn_size n);

/* mpn_bits.c.  r may begin above a for lshift and copyd, below a for rshift and copyi. */
cc_word cc_mpn_lshift(cc_word *r, const cc_word *a, cc_mpn_size n, unsigned int count);
cc_word cc_mpn_rshift(cc_word *r, const cc_word *a, cc_mpn_size n, unsigned int count);
void cc_mpn_copyi(cc_word *r, const cc_word *a, cc_mpn_size n);
void cc_mpn_copyd(cc_word *r, const cc_word *a, cc_mpn_size n);
void cc_mpn_zero(cc_word *r, cc_mpn_size n);
void cc_mpn_com(cc_word *r, const cc_word *a, cc_mpn_size n);
void cc_mpn_and_n(cc_word *r, const cc_word *a, const cc_word *b, cc_mpn_size n);
void cc_mpn_andn_n(cc_word *r, const cc_word *a, const cc_word *b, cc_mpn_size n);
void cc_mpn_nand_n(cc_word *r, const cc_word *a, const cc_word *b, cc_mpn_size n);
void cc_mpn_ior_n(cc_word *r, const cc_word *a, const cc_word *b, cc_mpn_size n);
void cc_mpn_iorn_n(cc_word *r, const cc_word *a, const cc_word *b, cc_mpn_size n);
void cc_mpn_nior_n(cc_word *r, const cc_word *a, const cc_word *b, cc_mpn_size n);
void cc_mpn_xor_n(cc_word *r, const cc_word *a, const cc_word *b, cc_mpn_size n);
void cc_mpn_xnor_n(cc_word *r, const cc_word *a, const cc_word *b, cc_mpn_size n);
cc_mpn_bits cc_mpn_popcount(const cc_word *a, cc_mpn_size n);
cc_mpn_bits cc_mpn_hamdist(const cc_word *a, const cc_word *b, cc_mpn_size n);
/* There must be such a bit. */
cc_mpn_bits cc_mpn_scan0(const cc_word *a, cc_mpn_bits from);
cc_mpn_bits cc_mpn_scan1(const cc_word *a, cc_mpn_bits from);
/* Any words; random2 has long runs of equal bits.  The top word is not 0.  Not GMP's numbers. */
void cc_mpn_random(cc_word *r, cc_mpn_size n);
void cc_mpn_random2(cc_word *r, cc_mpn_size n);

/* mpn_mul.c.  In the last three r overlaps neither operand; an >= bn. */
cc_word cc_mpn_mul_1(cc_word *r, const cc_word *a, cc_mpn_size n, cc_word b);
cc_word cc_mpn_addmul_1(cc_word *r, const cc_word *a, cc_mpn_size n, cc_word b);
cc_word cc_mpn_submul_1(cc_word *r, const cc_word *a, cc_mpn_size n, cc_word b);
cc_word cc_mpn_mul(cc_word *r, const cc_word *a, cc_mpn_size an, const cc_word *b, cc_mpn_size bn);
void cc_mpn_mul_n(cc_word *r, const cc_word *a, const cc_word *b, cc_mpn_size n);
void cc_mpn_sqr(cc_word *r, const cc_word *a, cc_mpn_size n);
CC_HIDDEN int cc_try_mul(cc_word *r, const cc_word *a, cc_mpn_size an, const cc_word *b,
			 cc_mpn_size bn);
CC_HIDDEN int cc_try_sqr(cc_word *r, const cc_word *a, cc_mpn_size n);

/*
 * mpn_divide.c.  tdiv_qr: @zero is 0, an >= dn, d's top word is not 0; r may be a.  divrem: d's top
 * bit is set, a becomes the remainder, q may be a + dn, and returns the quotient's top word.
 * divrem_1 and mod_1: n may be 0, q has @fraction words below the quotient's.
 */
void cc_mpn_tdiv_qr(cc_word *q, cc_word *r, cc_mpn_size zero, const cc_word *a, cc_mpn_size an,
		    const cc_word *d, cc_mpn_size dn);
cc_word cc_mpn_divrem(cc_word *q, cc_mpn_size fraction, cc_word *a, cc_mpn_size an,
		      const cc_word *d, cc_mpn_size dn);
cc_word cc_mpn_divrem_1(cc_word *q, cc_mpn_size fraction, const cc_word *a, cc_mpn_size n,
			cc_word d);
cc_word cc_mpn_mod_1(const cc_word *a, cc_mpn_size n, cc_word d);
void cc_mpn_divexact_1(cc_word *q, const cc_word *a, cc_mpn_size n, cc_word d);
cc_word cc_mpn_divexact_by3c(cc_word *q, const cc_word *a, cc_mpn_size n, cc_word carry);
/* GMP's own mpz functions call these two: q may be a or d; m is odd, r may be any. */
CC_HIDDEN void cc_mpn_div_q(cc_word *q, const cc_word *a, cc_mpn_size an, const cc_word *d,
			    cc_mpn_size dn, cc_word *scratch);
CC_HIDDEN void cc_mpn_powm(cc_word *r, const cc_word *b, cc_mpn_size bn, const cc_word *e,
			   cc_mpn_size en, const cc_word *m, cc_mpn_size mn, cc_word *scratch);
CC_HIDDEN int cc_try_div_q(cc_word *q, const cc_word *a, cc_mpn_size an, const cc_word *d,
			   cc_mpn_size dn);
CC_HIDDEN int cc_try_powm(cc_word *r, const cc_word *b, cc_mpn_size bn, const cc_word *e,
			  cc_mpn_size en, const cc_word *m, cc_mpn_size mn);
CC_HIDDEN int cc_try_tdiv_qr(cc_word *q, cc_word *r, const cc_word *a, cc_mpn_size an,
			     const cc_word *d, cc_mpn_size dn);

/*
 * mpn_theory.c.  gcd, gcdext: an >= bn, b's top word is not 0, and a and b may be destroyed; g may
 * be a or b.  sqrtrem: a's top word is not 0; rem may be a or NULL.
 */
cc_mpn_size cc_mpn_gcd(cc_word *g, cc_word *a, cc_mpn_size an, cc_word *b, cc_mpn_size bn);
cc_word cc_mpn_gcd_1(const cc_word *a, cc_mpn_size n, cc_word b);
cc_mpn_size cc_mpn_gcdext(cc_word *g, cc_word *s, cc_mpn_size *sn, cc_word *a, cc_mpn_size an,
			  cc_word *b, cc_mpn_size bn);
cc_mpn_size cc_mpn_sqrtrem(cc_word *root, cc_word *rem, const cc_word *a, cc_mpn_size n);
int cc_mpn_perfect_square_p(const cc_word *a, cc_mpn_size n);
int cc_mpn_perfect_power_p(const cc_word *a, cc_mpn_size n);
CC_HIDDEN int cc_try_gcd(cc_word *g, cc_mpn_size *gn, const cc_word *a, cc_mpn_size an,
			 const cc_word *b, cc_mpn_size bn);
CC_HIDDEN int cc_try_gcdext(cc_word *g, cc_mpn_size *gn, cc_word *s, cc_mpn_size *sn,
			    const cc_word *a, cc_mpn_size an, const cc_word *b, cc_mpn_size bn);
CC_HIDDEN int cc_try_sqrtrem(cc_word *root, cc_word *rem, cc_mpn_size *rn, const cc_word *a,
			     cc_mpn_size n);

/*
 * mpn_digits.c.  Digits are bytes from 0 to base - 1, in bases 2 to 256.  get_str may destroy a but
 * for powers of two; a's top word is not 0.
 */
size_t cc_mpn_sizeinbase(const cc_word *a, cc_mpn_size n, int base);
size_t cc_mpn_get_str(unsigned char *digits, int base, cc_word *a, cc_mpn_size n);
cc_mpn_size cc_mpn_set_str(cc_word *r, const unsigned char *digits, size_t count, int base);
CC_HIDDEN int cc_try_get_str(size_t *count, unsigned char *digits, int base, cc_word *a,
			     cc_mpn_size n);
CC_HIDDEN int cc_try_set_str(cc_mpn_size *rn, cc_word *r, const unsigned char *digits, size_t count,
			     int base);

/*
 * mpn_sec.c: in constant time, on the caller's scratch.  Nothing overlaps but what says so: sums
 * and selections as above.
 */
cc_word cc_mpn_cnd_add_n(cc_word made, cc_word *r, const cc_word *a, const cc_word *b,
			 cc_mpn_size n);
cc_word cc_mpn_cnd_sub_n(cc_word made, cc_word *r, const cc_word *a, const cc_word *b,
			 cc_mpn_size n);
void cc_mpn_cnd_swap(cc_word made, volatile cc_word *a, volatile cc_word *b, cc_mpn_size n);
cc_word cc_mpn_sec_add_1(cc_word *r, const cc_word *a, cc_mpn_size n, cc_word b, cc_word *scratch);
cc_word cc_mpn_sec_sub_1(cc_word *r, const cc_word *a, cc_mpn_size n, cc_word b, cc_word *scratch);
void cc_mpn_sec_mul(cc_word *r, const cc_word *a, cc_mpn_size an, const cc_word *b, cc_mpn_size bn,
		    cc_word *scratch);
void cc_mpn_sec_sqr(cc_word *r, const cc_word *a, cc_mpn_size n, cc_word *scratch);
void cc_mpn_sec_powm(cc_word *r, const cc_word *b, cc_mpn_size bn, const cc_word *e,
		     cc_mpn_bits bits, const cc_word *m, cc_mpn_size n, cc_word *scratch);
void cc_mpn_sec_tabselect(volatile cc_word *r, volatile const cc_word *table, cc_mpn_size n,
			  cc_mpn_size count, cc_mpn_size which);
cc_word cc_mpn_sec_div_qr(cc_word *q, cc_word *a, cc_mpn_size an, const cc_word *d, cc_mpn_size dn,
			  cc_word *scratch);
void cc_mpn_sec_div_r(cc_word *a, cc_mpn_size an, const cc_word *d, cc_mpn_size dn,
		      cc_word *scratch);
int cc_mpn_sec_invert(cc_word *r, cc_word *a, const cc_word *m, cc_mpn_size n, cc_mpn_bits steps,
		      cc_word *scratch);
cc_mpn_size cc_mpn_sec_add_1_itch(cc_mpn_size n);
cc_mpn_size cc_mpn_sec_sub_1_itch(cc_mpn_size n);
cc_mpn_size cc_mpn_sec_mul_itch(cc_mpn_size an, cc_mpn_size bn);
cc_mpn_size cc_mpn_sec_sqr_itch(cc_mpn_size n);
cc_mpn_size cc_mpn_sec_powm_itch(cc_mpn_size bn, cc_mpn_bits bits, cc_mpn_size n);
cc_mpn_size cc_mpn_sec_div_qr_itch(cc_mpn_size an, cc_mpn_size dn);
cc_mpn_size cc_mpn_sec_div_r_itch(cc_mpn_size an, cc_mpn_size dn);
cc_mpn_size cc_mpn_sec_invert_itch(cc_mpn_size n);

#endif /* CC_GMP_MPN_H */
