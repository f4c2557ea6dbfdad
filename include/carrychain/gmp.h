/* SPDX-License-Identifier: MIT */
/*
 * gmp.h - GMP's integers and rationals, by its names, on this library: for programs that do without
 * GMP itself.
 *
 * Put a file gmp.h with the line #include <carrychain/gmp.h> in a program's path, and link it with
 * -lcarrychain.  What is said here is what GMP's manual says; the manual is the reference.  Each
 * name of it is a macro for one that begins with cc_, so that GMP may be linked to the same
 * program, but not be included in the same file.  Functions on floats (mpf_) are not there.  Random
 * numbers are of another stream than GMP's.
 *
 * A result may be any of a function's arguments, but two results must differ.  A number that is
 * not changed may be used by several threads at once.  What is not possible ends the program as
 * GMP does it: no memory by abort(), a division by 0 and an even root of a negative number by
 * SIGFPE.
 */
#ifndef CARRYCHAIN_GMP_H
#define CARRYCHAIN_GMP_H

#include <carrychain/word.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of GMP whose manual this follows. */
#define __GNU_MP__	       6
#define __GNU_MP_VERSION       6
#define __GNU_MP_VERSION_MINOR 3
#define __GNU_MP_RELEASE       60300

#define GMP_LIMB_BITS CC_WORD_BITS
#define GMP_NAIL_BITS 0
#define GMP_NUMB_BITS CC_WORD_BITS
#define GMP_NUMB_MASK (~(mp_limb_t)0)
#define GMP_NUMB_MAX  GMP_NUMB_MASK
#define GMP_NAIL_MASK ((mp_limb_t)0)

typedef cc_word mp_limb_t;

#if CC_WORD_BITS == 64
typedef int64_t mp_limb_signed_t;
#else
typedef int32_t mp_limb_signed_t;
#endif

typedef long mp_size_t;
typedef long mp_exp_t;
typedef unsigned long mp_bitcnt_t;
typedef mp_limb_t *mp_ptr;
typedef const mp_limb_t *mp_srcptr;

/* |_mp_size| words in use of _mp_alloc at _mp_d, the top one not 0; _mp_size < 0 below zero */
typedef struct __mpz_struct {
	int _mp_alloc;
	int _mp_size;
	mp_limb_t *_mp_d;
} __mpz_struct;
typedef __mpz_struct mpz_t[1];
typedef __mpz_struct *mpz_ptr;
typedef const __mpz_struct *mpz_srcptr;

/* A fraction; functions want it and leave it in lowest terms, with a denominator above 0. */
typedef struct __mpq_struct {
	__mpz_struct _mp_num;
	__mpz_struct _mp_den;
} __mpq_struct;
typedef __mpq_struct mpq_t[1];
typedef __mpq_struct *mpq_ptr;
typedef const __mpq_struct *mpq_srcptr;

/* Names: GMP's for ours. */
#define mp_bits_per_limb	  cc_mp_bits_per_limb
#define gmp_version		  cc_gmp_version
#define gmp_errno		  cc_gmp_errno
#define mp_set_memory_functions	  cc_mp_set_memory_functions
#define mp_get_memory_functions	  cc_mp_get_memory_functions
#define mpz_init		  cc_mpz_init
#define mpz_inits		  cc_mpz_inits
#define mpz_init2		  cc_mpz_init2
#define mpz_clear		  cc_mpz_clear
#define mpz_clears		  cc_mpz_clears
#define mpz_realloc2		  cc_mpz_realloc2
#define mpz_array_init		  cc_mpz_array_init
#define mpz_set			  cc_mpz_set
#define mpz_set_ui		  cc_mpz_set_ui
#define mpz_set_si		  cc_mpz_set_si
#define mpz_set_d		  cc_mpz_set_d
#define mpz_set_q		  cc_mpz_set_q
#define mpz_set_str		  cc_mpz_set_str
#define mpz_swap		  cc_mpz_swap
#define mpz_init_set		  cc_mpz_init_set
#define mpz_init_set_ui		  cc_mpz_init_set_ui
#define mpz_init_set_si		  cc_mpz_init_set_si
#define mpz_init_set_d		  cc_mpz_init_set_d
#define mpz_init_set_str	  cc_mpz_init_set_str
#define mpz_get_ui		  cc_mpz_get_ui
#define mpz_get_si		  cc_mpz_get_si
#define mpz_get_d		  cc_mpz_get_d
#define mpz_get_d_2exp		  cc_mpz_get_d_2exp
#define mpz_get_str		  cc_mpz_get_str
#define mpz_add			  cc_mpz_add
#define mpz_add_ui		  cc_mpz_add_ui
#define mpz_sub			  cc_mpz_sub
#define mpz_sub_ui		  cc_mpz_sub_ui
#define mpz_ui_sub		  cc_mpz_ui_sub
#define mpz_mul			  cc_mpz_mul
#define mpz_mul_ui		  cc_mpz_mul_ui
#define mpz_mul_si		  cc_mpz_mul_si
#define mpz_addmul		  cc_mpz_addmul
#define mpz_addmul_ui		  cc_mpz_addmul_ui
#define mpz_submul		  cc_mpz_submul
#define mpz_submul_ui		  cc_mpz_submul_ui
#define mpz_mul_2exp		  cc_mpz_mul_2exp
#define mpz_neg			  cc_mpz_neg
#define mpz_abs			  cc_mpz_abs
#define mpz_cdiv_q		  cc_mpz_cdiv_q
#define mpz_cdiv_r		  cc_mpz_cdiv_r
#define mpz_cdiv_qr		  cc_mpz_cdiv_qr
#define mpz_cdiv_q_ui		  cc_mpz_cdiv_q_ui
#define mpz_cdiv_r_ui		  cc_mpz_cdiv_r_ui
#define mpz_cdiv_qr_ui		  cc_mpz_cdiv_qr_ui
#define mpz_cdiv_ui		  cc_mpz_cdiv_ui
#define mpz_cdiv_q_2exp		  cc_mpz_cdiv_q_2exp
#define mpz_cdiv_r_2exp		  cc_mpz_cdiv_r_2exp
#define mpz_fdiv_q		  cc_mpz_fdiv_q
#define mpz_fdiv_r		  cc_mpz_fdiv_r
#define mpz_fdiv_qr		  cc_mpz_fdiv_qr
#define mpz_fdiv_q_ui		  cc_mpz_fdiv_q_ui
#define mpz_fdiv_r_ui		  cc_mpz_fdiv_r_ui
#define mpz_fdiv_qr_ui		  cc_mpz_fdiv_qr_ui
#define mpz_fdiv_ui		  cc_mpz_fdiv_ui
#define mpz_fdiv_q_2exp		  cc_mpz_fdiv_q_2exp
#define mpz_fdiv_r_2exp		  cc_mpz_fdiv_r_2exp
#define mpz_tdiv_q		  cc_mpz_tdiv_q
#define mpz_tdiv_r		  cc_mpz_tdiv_r
#define mpz_tdiv_qr		  cc_mpz_tdiv_qr
#define mpz_tdiv_q_ui		  cc_mpz_tdiv_q_ui
#define mpz_tdiv_r_ui		  cc_mpz_tdiv_r_ui
#define mpz_tdiv_qr_ui		  cc_mpz_tdiv_qr_ui
#define mpz_tdiv_ui		  cc_mpz_tdiv_ui
#define mpz_tdiv_q_2exp		  cc_mpz_tdiv_q_2exp
#define mpz_tdiv_r_2exp		  cc_mpz_tdiv_r_2exp
#define mpz_mod			  cc_mpz_mod
#define mpz_divexact		  cc_mpz_divexact
#define mpz_divexact_ui		  cc_mpz_divexact_ui
#define mpz_divisible_p		  cc_mpz_divisible_p
#define mpz_divisible_ui_p	  cc_mpz_divisible_ui_p
#define mpz_divisible_2exp_p	  cc_mpz_divisible_2exp_p
#define mpz_congruent_p		  cc_mpz_congruent_p
#define mpz_congruent_ui_p	  cc_mpz_congruent_ui_p
#define mpz_congruent_2exp_p	  cc_mpz_congruent_2exp_p
#define mpz_powm		  cc_mpz_powm
#define mpz_powm_ui		  cc_mpz_powm_ui
#define mpz_powm_sec		  cc_mpz_powm_sec
#define mpz_pow_ui		  cc_mpz_pow_ui
#define mpz_ui_pow_ui		  cc_mpz_ui_pow_ui
#define mpz_root		  cc_mpz_root
#define mpz_rootrem		  cc_mpz_rootrem
#define mpz_sqrt		  cc_mpz_sqrt
#define mpz_sqrtrem		  cc_mpz_sqrtrem
#define mpz_perfect_power_p	  cc_mpz_perfect_power_p
#define mpz_perfect_square_p	  cc_mpz_perfect_square_p
#define mpz_probab_prime_p	  cc_mpz_probab_prime_p
#define mpz_nextprime		  cc_mpz_nextprime
#define mpz_prevprime		  cc_mpz_prevprime
#define mpz_gcd			  cc_mpz_gcd
#define mpz_gcd_ui		  cc_mpz_gcd_ui
#define mpz_gcdext		  cc_mpz_gcdext
#define mpz_lcm			  cc_mpz_lcm
#define mpz_lcm_ui		  cc_mpz_lcm_ui
#define mpz_invert		  cc_mpz_invert
#define mpz_jacobi		  cc_mpz_jacobi
#define mpz_kronecker_si	  cc_mpz_kronecker_si
#define mpz_kronecker_ui	  cc_mpz_kronecker_ui
#define mpz_si_kronecker	  cc_mpz_si_kronecker
#define mpz_ui_kronecker	  cc_mpz_ui_kronecker
#define mpz_remove		  cc_mpz_remove
#define mpz_fac_ui		  cc_mpz_fac_ui
#define mpz_2fac_ui		  cc_mpz_2fac_ui
#define mpz_mfac_uiui		  cc_mpz_mfac_uiui
#define mpz_primorial_ui	  cc_mpz_primorial_ui
#define mpz_bin_ui		  cc_mpz_bin_ui
#define mpz_bin_uiui		  cc_mpz_bin_uiui
#define mpz_fib_ui		  cc_mpz_fib_ui
#define mpz_fib2_ui		  cc_mpz_fib2_ui
#define mpz_lucnum_ui		  cc_mpz_lucnum_ui
#define mpz_lucnum2_ui		  cc_mpz_lucnum2_ui
#define mpz_cmp			  cc_mpz_cmp
#define mpz_cmp_d		  cc_mpz_cmp_d
#define mpz_cmp_si		  cc_mpz_cmp_si
#define mpz_cmp_ui		  cc_mpz_cmp_ui
#define mpz_cmpabs		  cc_mpz_cmpabs
#define mpz_cmpabs_d		  cc_mpz_cmpabs_d
#define mpz_cmpabs_ui		  cc_mpz_cmpabs_ui
#define mpz_and			  cc_mpz_and
#define mpz_ior			  cc_mpz_ior
#define mpz_xor			  cc_mpz_xor
#define mpz_com			  cc_mpz_com
#define mpz_popcount		  cc_mpz_popcount
#define mpz_hamdist		  cc_mpz_hamdist
#define mpz_scan0		  cc_mpz_scan0
#define mpz_scan1		  cc_mpz_scan1
#define mpz_setbit		  cc_mpz_setbit
#define mpz_clrbit		  cc_mpz_clrbit
#define mpz_combit		  cc_mpz_combit
#define mpz_tstbit		  cc_mpz_tstbit
#define mpz_out_str		  cc_mpz_out_str
#define mpz_inp_str		  cc_mpz_inp_str
#define mpz_out_raw		  cc_mpz_out_raw
#define mpz_inp_raw		  cc_mpz_inp_raw
#define mpz_import		  cc_mpz_import
#define mpz_export		  cc_mpz_export
#define mpz_fits_ulong_p	  cc_mpz_fits_ulong_p
#define mpz_fits_slong_p	  cc_mpz_fits_slong_p
#define mpz_fits_uint_p		  cc_mpz_fits_uint_p
#define mpz_fits_sint_p		  cc_mpz_fits_sint_p
#define mpz_fits_ushort_p	  cc_mpz_fits_ushort_p
#define mpz_fits_sshort_p	  cc_mpz_fits_sshort_p
#define mpz_sizeinbase		  cc_mpz_sizeinbase
#define _mpz_realloc		  cc_mpz_realloc
#define mpz_getlimbn		  cc_mpz_getlimbn
#define mpz_size		  cc_mpz_size
#define mpz_limbs_read		  cc_mpz_limbs_read
#define mpz_limbs_write		  cc_mpz_limbs_write
#define mpz_limbs_modify	  cc_mpz_limbs_modify
#define mpz_limbs_finish	  cc_mpz_limbs_finish
#define mpz_roinit_n		  cc_mpz_roinit_n
#define gmp_randinit_default	  cc_gmp_randinit_default
#define gmp_randinit_mt		  cc_gmp_randinit_mt
#define gmp_randinit_lc_2exp	  cc_gmp_randinit_lc_2exp
#define gmp_randinit_lc_2exp_size cc_gmp_randinit_lc_2exp_size
#define gmp_randinit_set	  cc_gmp_randinit_set
#define gmp_randclear		  cc_gmp_randclear
#define gmp_randseed		  cc_gmp_randseed
#define gmp_randseed_ui		  cc_gmp_randseed_ui
#define gmp_urandomb_ui		  cc_gmp_urandomb_ui
#define gmp_urandomm_ui		  cc_gmp_urandomm_ui
#define mpz_urandomb		  cc_mpz_urandomb
#define mpz_urandomm		  cc_mpz_urandomm
#define mpz_rrandomb		  cc_mpz_rrandomb
#define mpz_random		  cc_mpz_random
#define mpz_random2		  cc_mpz_random2
#define gmp_printf		  cc_gmp_printf
#define gmp_fprintf		  cc_gmp_fprintf
#define gmp_sprintf		  cc_gmp_sprintf
#define gmp_snprintf		  cc_gmp_snprintf
#define gmp_asprintf		  cc_gmp_asprintf
#define gmp_vprintf		  cc_gmp_vprintf
#define gmp_vfprintf		  cc_gmp_vfprintf
#define gmp_vsprintf		  cc_gmp_vsprintf
#define gmp_vsnprintf		  cc_gmp_vsnprintf
#define gmp_vasprintf		  cc_gmp_vasprintf
#define gmp_scanf		  cc_gmp_scanf
#define gmp_fscanf		  cc_gmp_fscanf
#define gmp_sscanf		  cc_gmp_sscanf
#define gmp_vscanf		  cc_gmp_vscanf
#define gmp_vfscanf		  cc_gmp_vfscanf
#define gmp_vsscanf		  cc_gmp_vsscanf
#define mpq_canonicalize	  cc_mpq_canonicalize
#define mpq_init		  cc_mpq_init
#define mpq_inits		  cc_mpq_inits
#define mpq_clear		  cc_mpq_clear
#define mpq_clears		  cc_mpq_clears
#define mpq_set			  cc_mpq_set
#define mpq_set_z		  cc_mpq_set_z
#define mpq_set_ui		  cc_mpq_set_ui
#define mpq_set_si		  cc_mpq_set_si
#define mpq_set_str		  cc_mpq_set_str
#define mpq_set_d		  cc_mpq_set_d
#define mpq_swap		  cc_mpq_swap
#define mpq_get_d		  cc_mpq_get_d
#define mpq_get_str		  cc_mpq_get_str
#define mpq_add			  cc_mpq_add
#define mpq_sub			  cc_mpq_sub
#define mpq_mul			  cc_mpq_mul
#define mpq_div			  cc_mpq_div
#define mpq_mul_2exp		  cc_mpq_mul_2exp
#define mpq_div_2exp		  cc_mpq_div_2exp
#define mpq_neg			  cc_mpq_neg
#define mpq_abs			  cc_mpq_abs
#define mpq_inv			  cc_mpq_inv
#define mpq_cmp			  cc_mpq_cmp
#define mpq_cmp_z		  cc_mpq_cmp_z
#define mpq_cmp_ui		  cc_mpq_cmp_ui
#define mpq_cmp_si		  cc_mpq_cmp_si
#define mpq_equal		  cc_mpq_equal
#define mpq_get_num		  cc_mpq_get_num
#define mpq_get_den		  cc_mpq_get_den
#define mpq_set_num		  cc_mpq_set_num
#define mpq_set_den		  cc_mpq_set_den
#define mpq_out_str		  cc_mpq_out_str
#define mpq_inp_str		  cc_mpq_inp_str
#define mpn_add_n		  cc_mpn_add_n
#define mpn_add_1		  cc_mpn_add_1
#define mpn_add			  cc_mpn_add
#define mpn_sub_n		  cc_mpn_sub_n
#define mpn_sub_1		  cc_mpn_sub_1
#define mpn_sub			  cc_mpn_sub
#define mpn_neg			  cc_mpn_neg
#define mpn_cmp			  cc_mpn_cmp
#define mpn_zero_p		  cc_mpn_zero_p
#define mpn_lshift		  cc_mpn_lshift
#define mpn_rshift		  cc_mpn_rshift
#define mpn_copyi		  cc_mpn_copyi
#define mpn_copyd		  cc_mpn_copyd
#define mpn_zero		  cc_mpn_zero
#define mpn_com			  cc_mpn_com
#define mpn_and_n		  cc_mpn_and_n
#define mpn_andn_n		  cc_mpn_andn_n
#define mpn_nand_n		  cc_mpn_nand_n
#define mpn_ior_n		  cc_mpn_ior_n
#define mpn_iorn_n		  cc_mpn_iorn_n
#define mpn_nior_n		  cc_mpn_nior_n
#define mpn_xor_n		  cc_mpn_xor_n
#define mpn_xnor_n		  cc_mpn_xnor_n
#define mpn_popcount		  cc_mpn_popcount
#define mpn_hamdist		  cc_mpn_hamdist
#define mpn_scan0		  cc_mpn_scan0
#define mpn_scan1		  cc_mpn_scan1
#define mpn_random		  cc_mpn_random
#define mpn_random2		  cc_mpn_random2
#define mpn_mul_1		  cc_mpn_mul_1
#define mpn_addmul_1		  cc_mpn_addmul_1
#define mpn_submul_1		  cc_mpn_submul_1
#define mpn_mul			  cc_mpn_mul
#define mpn_mul_n		  cc_mpn_mul_n
#define mpn_sqr			  cc_mpn_sqr
#define mpn_tdiv_qr		  cc_mpn_tdiv_qr
#define mpn_divrem		  cc_mpn_divrem
#define mpn_divrem_1		  cc_mpn_divrem_1
#define mpn_mod_1		  cc_mpn_mod_1
#define mpn_divexact_1		  cc_mpn_divexact_1
#define mpn_divexact_by3c	  cc_mpn_divexact_by3c
#define mpn_gcd			  cc_mpn_gcd
#define mpn_gcd_1		  cc_mpn_gcd_1
#define mpn_gcdext		  cc_mpn_gcdext
#define mpn_sqrtrem		  cc_mpn_sqrtrem
#define mpn_perfect_square_p	  cc_mpn_perfect_square_p
#define mpn_perfect_power_p	  cc_mpn_perfect_power_p
#define mpn_sizeinbase		  cc_mpn_sizeinbase
#define mpn_get_str		  cc_mpn_get_str
#define mpn_set_str		  cc_mpn_set_str
#define mpn_cnd_add_n		  cc_mpn_cnd_add_n
#define mpn_cnd_sub_n		  cc_mpn_cnd_sub_n
#define mpn_cnd_swap		  cc_mpn_cnd_swap
#define mpn_sec_add_1		  cc_mpn_sec_add_1
#define mpn_sec_sub_1		  cc_mpn_sec_sub_1
#define mpn_sec_mul		  cc_mpn_sec_mul
#define mpn_sec_sqr		  cc_mpn_sec_sqr
#define mpn_sec_powm		  cc_mpn_sec_powm
#define mpn_sec_tabselect	  cc_mpn_sec_tabselect
#define mpn_sec_div_qr		  cc_mpn_sec_div_qr
#define mpn_sec_div_r		  cc_mpn_sec_div_r
#define mpn_sec_invert		  cc_mpn_sec_invert
#define mpn_sec_add_1_itch	  cc_mpn_sec_add_1_itch
#define mpn_sec_sub_1_itch	  cc_mpn_sec_sub_1_itch
#define mpn_sec_mul_itch	  cc_mpn_sec_mul_itch
#define mpn_sec_sqr_itch	  cc_mpn_sec_sqr_itch
#define mpn_sec_powm_itch	  cc_mpn_sec_powm_itch
#define mpn_sec_div_qr_itch	  cc_mpn_sec_div_qr_itch
#define mpn_sec_div_r_itch	  cc_mpn_sec_div_r_itch
#define mpn_sec_invert_itch	  cc_mpn_sec_invert_itch

/* The bits of a limb, the version above, and what has gone wrong since the program began. */
extern const int cc_mp_bits_per_limb;
extern const char *const cc_gmp_version;
extern int cc_gmp_errno;
enum {
	GMP_ERROR_NONE = 0,
	GMP_ERROR_UNSUPPORTED_ARGUMENT = 1,
	GMP_ERROR_DIVISION_BY_ZERO = 2,
	GMP_ERROR_SQRT_OF_NEGATIVE = 4,
	GMP_ERROR_INVALID_ARGUMENT = 8,
	GMP_ERROR_MPZ_OVERFLOW = 16,
};

/*
 * Memory.  All that numbers hold is got from and given back to these functions, with the sizes that
 * they had; a NULL stands for the default, malloc() and its kin, which abort if there is none.
 */
void cc_mp_set_memory_functions(void *(*allocate)(size_t size),
				void *(*reallocate)(void *memory, size_t old_size, size_t size),
				void (*release)(void *memory, size_t size));
void cc_mp_get_memory_functions(void *(**allocate)(size_t size),
				void *(**reallocate)(void *memory, size_t old_size, size_t size),
				void (**release)(void *memory, size_t size));

/* Lists of numbers end with NULL.  init2 makes room for so many bits; realloc2 makes it that much.
 */
void cc_mpz_init(mpz_ptr x);
void cc_mpz_inits(mpz_ptr x, ...);
void cc_mpz_init2(mpz_ptr x, mp_bitcnt_t bits);
void cc_mpz_clear(mpz_ptr x);
void cc_mpz_clears(mpz_ptr x, ...);
void cc_mpz_realloc2(mpz_ptr x, mp_bitcnt_t bits);
void cc_mpz_array_init(mpz_ptr array, mp_size_t count, mp_size_t bits);

/* set_str: 0, or -1 if s is no number in the base, which is 0 (by its prefix) or 2 to 62 */
void cc_mpz_set(mpz_ptr r, mpz_srcptr x);
void cc_mpz_set_ui(mpz_ptr r, unsigned long x);
void cc_mpz_set_si(mpz_ptr r, long x);
void cc_mpz_set_d(mpz_ptr r, double x);
void cc_mpz_set_q(mpz_ptr r, mpq_srcptr x);
int cc_mpz_set_str(mpz_ptr r, const char *s, int base);
void cc_mpz_swap(mpz_ptr x, mpz_ptr y);
void cc_mpz_init_set(mpz_ptr r, mpz_srcptr x);
void cc_mpz_init_set_ui(mpz_ptr r, unsigned long x);
void cc_mpz_init_set_si(mpz_ptr r, long x);
void cc_mpz_init_set_d(mpz_ptr r, double x);
int cc_mpz_init_set_str(mpz_ptr r, const char *s, int base);

/*
 * get_ui: the low bits of |x|.  get_d and get_d_2exp truncate.  get_str: with s = NULL into memory
 * of the allocation function, of strlen + 1 bytes; base 2 to 62, or -2 to -36 for capitals.
 */
unsigned long cc_mpz_get_ui(mpz_srcptr x);
long cc_mpz_get_si(mpz_srcptr x);
double cc_mpz_get_d(mpz_srcptr x);
double cc_mpz_get_d_2exp(long *exponent, mpz_srcptr x);
char *cc_mpz_get_str(char *s, int base, mpz_srcptr x);

void cc_mpz_add(mpz_ptr r, mpz_srcptr x, mpz_srcptr y);
void cc_mpz_add_ui(mpz_ptr r, mpz_srcptr x, unsigned long y);
void cc_mpz_sub(mpz_ptr r, mpz_srcptr x, mpz_srcptr y);
void cc_mpz_sub_ui(mpz_ptr r, mpz_srcptr x, unsigned long y);
void cc_mpz_ui_sub(mpz_ptr r, unsigned long x, mpz_srcptr y);
void cc_mpz_mul(mpz_ptr r, mpz_srcptr x, mpz_srcptr y);
void cc_mpz_mul_ui(mpz_ptr r, mpz_srcptr x, unsigned long y);
void cc_mpz_mul_si(mpz_ptr r, mpz_srcptr x, long y);
void cc_mpz_addmul(mpz_ptr r, mpz_srcptr x, mpz_srcptr y);
void cc_mpz_addmul_ui(mpz_ptr r, mpz_srcptr x, unsigned long y);
void cc_mpz_submul(mpz_ptr r, mpz_srcptr x, mpz_srcptr y);
void cc_mpz_submul_ui(mpz_ptr r, mpz_srcptr x, unsigned long y);
void cc_mpz_mul_2exp(mpz_ptr r, mpz_srcptr x, mp_bitcnt_t bits);
void cc_mpz_neg(mpz_ptr r, mpz_srcptr x);
void cc_mpz_abs(mpz_ptr r, mpz_srcptr x);

/*
 * n = q d + r with |r| < |d|: cdiv rounds q up, and r has the sign opposite to d's; fdiv rounds it
 * down, and r has d's sign; tdiv rounds it towards 0, and r has n's sign.  q and r must differ, and
 * may be n and d.  Division by 0 raises SIGFPE.  The _ui functions return |r|.
 */
void cc_mpz_cdiv_q(mpz_ptr q, mpz_srcptr n, mpz_srcptr d);
void cc_mpz_cdiv_r(mpz_ptr r, mpz_srcptr n, mpz_srcptr d);
void cc_mpz_cdiv_qr(mpz_ptr q, mpz_ptr r, mpz_srcptr n, mpz_srcptr d);
unsigned long cc_mpz_cdiv_q_ui(mpz_ptr q, mpz_srcptr n, unsigned long d);
unsigned long cc_mpz_cdiv_r_ui(mpz_ptr r, mpz_srcptr n, unsigned long d);
unsigned long cc_mpz_cdiv_qr_ui(mpz_ptr q, mpz_ptr r, mpz_srcptr n, unsigned long d);
unsigned long cc_mpz_cdiv_ui(mpz_srcptr n, unsigned long d);
void cc_mpz_cdiv_q_2exp(mpz_ptr q, mpz_srcptr n, mp_bitcnt_t bits);
void cc_mpz_cdiv_r_2exp(mpz_ptr r, mpz_srcptr n, mp_bitcnt_t bits);
void cc_mpz_fdiv_q(mpz_ptr q, mpz_srcptr n, mpz_srcptr d);
void cc_mpz_fdiv_r(mpz_ptr r, mpz_srcptr n, mpz_srcptr d);
void cc_mpz_fdiv_qr(mpz_ptr q, mpz_ptr r, mpz_srcptr n, mpz_srcptr d);
unsigned long cc_mpz_fdiv_q_ui(mpz_ptr q, mpz_srcptr n, unsigned long d);
unsigned long cc_mpz_fdiv_r_ui(mpz_ptr r, mpz_srcptr n, unsigned long d);
unsigned long cc_mpz_fdiv_qr_ui(mpz_ptr q, mpz_ptr r, mpz_srcptr n, unsigned long d);
unsigned long cc_mpz_fdiv_ui(mpz_srcptr n, unsigned long d);
void cc_mpz_fdiv_q_2exp(mpz_ptr q, mpz_srcptr n, mp_bitcnt_t bits);
void cc_mpz_fdiv_r_2exp(mpz_ptr r, mpz_srcptr n, mp_bitcnt_t bits);
void cc_mpz_tdiv_q(mpz_ptr q, mpz_srcptr n, mpz_srcptr d);
void cc_mpz_tdiv_r(mpz_ptr r, mpz_srcptr n, mpz_srcptr d);
void cc_mpz_tdiv_qr(mpz_ptr q, mpz_ptr r, mpz_srcptr n, mpz_srcptr d);
unsigned long cc_mpz_tdiv_q_ui(mpz_ptr q, mpz_srcptr n, unsigned long d);
unsigned long cc_mpz_tdiv_r_ui(mpz_ptr r, mpz_srcptr n, unsigned long d);
unsigned long cc_mpz_tdiv_qr_ui(mpz_ptr q, mpz_ptr r, mpz_srcptr n, unsigned long d);
unsigned long cc_mpz_tdiv_ui(mpz_srcptr n, unsigned long d);
void cc_mpz_tdiv_q_2exp(mpz_ptr q, mpz_srcptr n, mp_bitcnt_t bits);
void cc_mpz_tdiv_r_2exp(mpz_ptr r, mpz_srcptr n, mp_bitcnt_t bits);

/* 0 <= r < |d| */
void cc_mpz_mod(mpz_ptr r, mpz_srcptr n, mpz_srcptr d);
#define mpz_mod_ui mpz_fdiv_r_ui

/* divexact: q is only right for a multiple n of d.  A divisor or modulus of 0 means equality. */
void cc_mpz_divexact(mpz_ptr q, mpz_srcptr n, mpz_srcptr d);
void cc_mpz_divexact_ui(mpz_ptr q, mpz_srcptr n, unsigned long d);
int cc_mpz_divisible_p(mpz_srcptr n, mpz_srcptr d);
int cc_mpz_divisible_ui_p(mpz_srcptr n, unsigned long d);
int cc_mpz_divisible_2exp_p(mpz_srcptr n, mp_bitcnt_t bits);
int cc_mpz_congruent_p(mpz_srcptr n, mpz_srcptr c, mpz_srcptr d);
int cc_mpz_congruent_ui_p(mpz_srcptr n, unsigned long c, unsigned long d);
int cc_mpz_congruent_2exp_p(mpz_srcptr n, mpz_srcptr c, mp_bitcnt_t bits);

/*
 * powm: e < 0 if b has an inverse modulo m, else division by 0.  powm_sec: for e >= 0 and odd m;
 * its time depends on their lengths in words and on the sign of b alone.
 */
void cc_mpz_powm(mpz_ptr r, mpz_srcptr b, mpz_srcptr e, mpz_srcptr m);
void cc_mpz_powm_ui(mpz_ptr r, mpz_srcptr b, unsigned long e, mpz_srcptr m);
void cc_mpz_powm_sec(mpz_ptr r, mpz_srcptr b, mpz_srcptr e, mpz_srcptr m);
void cc_mpz_pow_ui(mpz_ptr r, mpz_srcptr b, unsigned long e);
void cc_mpz_ui_pow_ui(mpz_ptr r, unsigned long b, unsigned long e);

/* Roots are truncated; root returns whether it is exact. */
int cc_mpz_root(mpz_ptr root, mpz_srcptr x, unsigned long k);
void cc_mpz_rootrem(mpz_ptr root, mpz_ptr rem, mpz_srcptr x, unsigned long k);
void cc_mpz_sqrt(mpz_ptr root, mpz_srcptr x);
void cc_mpz_sqrtrem(mpz_ptr root, mpz_ptr rem, mpz_srcptr x);
int cc_mpz_perfect_power_p(mpz_srcptr x);
int cc_mpz_perfect_square_p(mpz_srcptr x);

/*
 * probab_prime_p: 2 if x is prime, 1 if it passes the Baillie-PSW test and @reps - 24 rounds of
 * Miller and Rabin's, 0 if it is composite.  prevprime returns the same, or 0 for x < 3.
 */
int cc_mpz_probab_prime_p(mpz_srcptr x, int reps);
void cc_mpz_nextprime(mpz_ptr r, mpz_srcptr x);
int cc_mpz_prevprime(mpz_ptr r, mpz_srcptr x);

/*
 * gcd_ui returns it, or 0 if it does not fit; g may be NULL.  gcdext: g = s a + t b with s and t as
 * small as possible; t may be NULL, and so may s.  invert returns whether there is an inverse.
 */
void cc_mpz_gcd(mpz_ptr g, mpz_srcptr a, mpz_srcptr b);
unsigned long cc_mpz_gcd_ui(mpz_ptr g, mpz_srcptr a, unsigned long b);
void cc_mpz_gcdext(mpz_ptr g, mpz_ptr s, mpz_ptr t, mpz_srcptr a, mpz_srcptr b);
void cc_mpz_lcm(mpz_ptr r, mpz_srcptr a, mpz_srcptr b);
void cc_mpz_lcm_ui(mpz_ptr r, mpz_srcptr a, unsigned long b);
int cc_mpz_invert(mpz_ptr r, mpz_srcptr a, mpz_srcptr m);
int cc_mpz_jacobi(mpz_srcptr a, mpz_srcptr b);
int cc_mpz_kronecker_si(mpz_srcptr a, long b);
int cc_mpz_kronecker_ui(mpz_srcptr a, unsigned long b);
int cc_mpz_si_kronecker(long a, mpz_srcptr b);
int cc_mpz_ui_kronecker(unsigned long a, mpz_srcptr b);
#define mpz_legendre  mpz_jacobi
#define mpz_kronecker mpz_jacobi
mp_bitcnt_t cc_mpz_remove(mpz_ptr r, mpz_srcptr x, mpz_srcptr f);

/* n!, n!!, n (n - m) (n - 2m) ..., the primes up to n; fib2_ui: F(n) and F(n - 1) */
void cc_mpz_fac_ui(mpz_ptr r, unsigned long n);
void cc_mpz_2fac_ui(mpz_ptr r, unsigned long n);
void cc_mpz_mfac_uiui(mpz_ptr r, unsigned long n, unsigned long m);
void cc_mpz_primorial_ui(mpz_ptr r, unsigned long n);
void cc_mpz_bin_ui(mpz_ptr r, mpz_srcptr n, unsigned long k);
void cc_mpz_bin_uiui(mpz_ptr r, unsigned long n, unsigned long k);
void cc_mpz_fib_ui(mpz_ptr f, unsigned long n);
void cc_mpz_fib2_ui(mpz_ptr f, mpz_ptr before, unsigned long n);
void cc_mpz_lucnum_ui(mpz_ptr l, unsigned long n);
void cc_mpz_lucnum2_ui(mpz_ptr l, mpz_ptr before, unsigned long n);

/* Negative, 0 or positive; cmpabs: |x| and |y| */
int cc_mpz_cmp(mpz_srcptr x, mpz_srcptr y);
int cc_mpz_cmp_d(mpz_srcptr x, double y);
int cc_mpz_cmp_si(mpz_srcptr x, long y);
int cc_mpz_cmp_ui(mpz_srcptr x, unsigned long y);
int cc_mpz_cmpabs(mpz_srcptr x, mpz_srcptr y);
int cc_mpz_cmpabs_d(mpz_srcptr x, double y);
int cc_mpz_cmpabs_ui(mpz_srcptr x, unsigned long y);
#define mpz_sgn(x) ((x)->_mp_size < 0 ? -1 : (x)->_mp_size > 0)

/* On two's complement without end: scan and popcount are ~0 where there is no end. */
void cc_mpz_and(mpz_ptr r, mpz_srcptr x, mpz_srcptr y);
void cc_mpz_ior(mpz_ptr r, mpz_srcptr x, mpz_srcptr y);
void cc_mpz_xor(mpz_ptr r, mpz_srcptr x, mpz_srcptr y);
void cc_mpz_com(mpz_ptr r, mpz_srcptr x);
mp_bitcnt_t cc_mpz_popcount(mpz_srcptr x);
mp_bitcnt_t cc_mpz_hamdist(mpz_srcptr x, mpz_srcptr y);
mp_bitcnt_t cc_mpz_scan0(mpz_srcptr x, mp_bitcnt_t from);
mp_bitcnt_t cc_mpz_scan1(mpz_srcptr x, mp_bitcnt_t from);
void cc_mpz_setbit(mpz_ptr x, mp_bitcnt_t bit);
void cc_mpz_clrbit(mpz_ptr x, mp_bitcnt_t bit);
void cc_mpz_combit(mpz_ptr x, mp_bitcnt_t bit);
int cc_mpz_tstbit(mpz_srcptr x, mp_bitcnt_t bit);

/* The bytes or characters written or read, 0 on an error.  A NULL is the standard stream. */
size_t cc_mpz_out_str(FILE *file, int base, mpz_srcptr x);
size_t cc_mpz_inp_str(mpz_ptr r, FILE *file, int base);
size_t cc_mpz_out_raw(FILE *file, mpz_srcptr x);
size_t cc_mpz_inp_raw(mpz_ptr r, FILE *file);

/*
 * @count words of @size bytes, the top @nails bits of each unused; order: 1 most significant word
 * first, -1 least; endian: 1 most significant byte first, -1 least, 0 the machine's.  export with
 * data = NULL allocates.
 */
void cc_mpz_import(mpz_ptr r, size_t count, int order, size_t size, int endian, size_t nails,
		   const void *data);
void *cc_mpz_export(void *data, size_t *count, int order, size_t size, int endian, size_t nails,
		    mpz_srcptr x);

int cc_mpz_fits_ulong_p(mpz_srcptr x);
int cc_mpz_fits_slong_p(mpz_srcptr x);
int cc_mpz_fits_uint_p(mpz_srcptr x);
int cc_mpz_fits_sint_p(mpz_srcptr x);
int cc_mpz_fits_ushort_p(mpz_srcptr x);
int cc_mpz_fits_sshort_p(mpz_srcptr x);
#define mpz_odd_p(x)  ((x)->_mp_size ? (int)((x)->_mp_d[0] & 1) : 0)
#define mpz_even_p(x) (!mpz_odd_p(x))
/* The digits of |x|, or one more, but for a power of two; 1 for 0. */
size_t cc_mpz_sizeinbase(mpz_srcptr x, int base);

/*
 * The words.  limbs_write: room for n words of any value; limbs_modify: with x's value; then
 * limbs_finish: as many words count, negative if s < 0.  roinit_n: x is xs words of other memory.
 */
void *cc_mpz_realloc(mpz_ptr x, mp_size_t words);
mp_limb_t cc_mpz_getlimbn(mpz_srcptr x, mp_size_t n);
size_t cc_mpz_size(mpz_srcptr x);
mp_srcptr cc_mpz_limbs_read(mpz_srcptr x);
mp_ptr cc_mpz_limbs_write(mpz_ptr x, mp_size_t n);
mp_ptr cc_mpz_limbs_modify(mpz_ptr x, mp_size_t n);
void cc_mpz_limbs_finish(mpz_ptr x, mp_size_t s);
mpz_srcptr cc_mpz_roinit_n(mpz_ptr x, mp_srcptr words, mp_size_t xs);
#define MPZ_ROINIT_N(words, xs)                                                                    \
	{                                                                                          \
		{                                                                                  \
			0, (xs), (words)                                                           \
		}                                                                                  \
	}

/*
 * Random numbers.  All states have the same generator, xoshiro256**, which is good, but not for
 * secrets; the kinds, of which lc_2exp_size knows sizes up to 128, are taken for its seeds alone.
 * urandomb: below 2^bits; urandomm: below n; rrandomb: of so many bits, in long runs of equal ones.
 */
typedef struct __gmp_randstate_struct {
	uint64_t _mp_state[4];
} __gmp_randstate_struct;
typedef __gmp_randstate_struct gmp_randstate_t[1];
typedef __gmp_randstate_struct *gmp_randstate_ptr;
typedef const __gmp_randstate_struct *gmp_randstate_srcptr;
void cc_gmp_randinit_default(gmp_randstate_ptr state);
void cc_gmp_randinit_mt(gmp_randstate_ptr state);
void cc_gmp_randinit_lc_2exp(gmp_randstate_ptr state, mpz_srcptr a, unsigned long c,
			     mp_bitcnt_t bits);
int cc_gmp_randinit_lc_2exp_size(gmp_randstate_ptr state, mp_bitcnt_t size);
void cc_gmp_randinit_set(gmp_randstate_ptr state, gmp_randstate_srcptr from);
void cc_gmp_randclear(gmp_randstate_ptr state);
void cc_gmp_randseed(gmp_randstate_ptr state, mpz_srcptr seed);
void cc_gmp_randseed_ui(gmp_randstate_ptr state, unsigned long seed);
unsigned long cc_gmp_urandomb_ui(gmp_randstate_ptr state, unsigned long bits);
unsigned long cc_gmp_urandomm_ui(gmp_randstate_ptr state, unsigned long n);
void cc_mpz_urandomb(mpz_ptr r, gmp_randstate_ptr state, mp_bitcnt_t bits);
void cc_mpz_urandomm(mpz_ptr r, gmp_randstate_ptr state, mpz_srcptr n);
void cc_mpz_rrandomb(mpz_ptr r, gmp_randstate_ptr state, mp_bitcnt_t bits);
/* Of |words| words, below 0 for fewer than 0, from a stream that threads share. */
void cc_mpz_random(mpz_ptr r, mp_size_t words);
void cc_mpz_random2(mpz_ptr r, mp_size_t words);

/*
 * As C's functions, and in a conversion before its letter (d i o u x X n): Z for mpz_t, Q for
 * mpq_t, M for mp_limb_t, and, to print, N for words and how many, as mp_size_t.  print: -1 if a
 * conversion is none; asprintf allocates, as mpz_get_str.  F, for mpf_t, isn't there.
 */
int cc_gmp_printf(const char *format, ...);
int cc_gmp_fprintf(FILE *file, const char *format, ...);
int cc_gmp_sprintf(char *s, const char *format, ...);
int cc_gmp_snprintf(char *s, size_t size, const char *format, ...);
int cc_gmp_asprintf(char **s, const char *format, ...);
int cc_gmp_vprintf(const char *format, va_list list);
int cc_gmp_vfprintf(FILE *file, const char *format, va_list list);
int cc_gmp_vsprintf(char *s, const char *format, va_list list);
int cc_gmp_vsnprintf(char *s, size_t size, const char *format, va_list list);
int cc_gmp_vasprintf(char **s, const char *format, va_list list);
int cc_gmp_scanf(const char *format, ...);
int cc_gmp_fscanf(FILE *file, const char *format, ...);
int cc_gmp_sscanf(const char *text, const char *format, ...);
int cc_gmp_vscanf(const char *format, va_list list);
int cc_gmp_vfscanf(FILE *file, const char *format, va_list list);
int cc_gmp_vsscanf(const char *text, const char *format, va_list list);

/*
 * Fractions.  What sets a numerator or a denominator does not reduce them: canonicalize does, and
 * is asked for before arithmetic.  set_str and inp_str: numbers of a base, with a / between.
 */
void cc_mpq_canonicalize(mpq_ptr x);
void cc_mpq_init(mpq_ptr x);
void cc_mpq_inits(mpq_ptr x, ...);
void cc_mpq_clear(mpq_ptr x);
void cc_mpq_clears(mpq_ptr x, ...);
void cc_mpq_set(mpq_ptr r, mpq_srcptr x);
void cc_mpq_set_z(mpq_ptr r, mpz_srcptr x);
void cc_mpq_set_ui(mpq_ptr r, unsigned long num, unsigned long den);
void cc_mpq_set_si(mpq_ptr r, long num, unsigned long den);
int cc_mpq_set_str(mpq_ptr r, const char *s, int base);
void cc_mpq_set_d(mpq_ptr r, double x);
void cc_mpq_swap(mpq_ptr x, mpq_ptr y);
double cc_mpq_get_d(mpq_srcptr x);
char *cc_mpq_get_str(char *s, int base, mpq_srcptr x);
void cc_mpq_add(mpq_ptr r, mpq_srcptr x, mpq_srcptr y);
void cc_mpq_sub(mpq_ptr r, mpq_srcptr x, mpq_srcptr y);
void cc_mpq_mul(mpq_ptr r, mpq_srcptr x, mpq_srcptr y);
void cc_mpq_div(mpq_ptr r, mpq_srcptr x, mpq_srcptr y);
void cc_mpq_mul_2exp(mpq_ptr r, mpq_srcptr x, mp_bitcnt_t bits);
void cc_mpq_div_2exp(mpq_ptr r, mpq_srcptr x, mp_bitcnt_t bits);
void cc_mpq_neg(mpq_ptr r, mpq_srcptr x);
void cc_mpq_abs(mpq_ptr r, mpq_srcptr x);
void cc_mpq_inv(mpq_ptr r, mpq_srcptr x);
int cc_mpq_cmp(mpq_srcptr x, mpq_srcptr y);
int cc_mpq_cmp_z(mpq_srcptr x, mpz_srcptr y);
int cc_mpq_cmp_ui(mpq_srcptr x, unsigned long num, unsigned long den);
int cc_mpq_cmp_si(mpq_srcptr x, long num, unsigned long den);
int cc_mpq_equal(mpq_srcptr x, mpq_srcptr y);
void cc_mpq_get_num(mpz_ptr r, mpq_srcptr x);
void cc_mpq_get_den(mpz_ptr r, mpq_srcptr x);
void cc_mpq_set_num(mpq_ptr r, mpz_srcptr x);
void cc_mpq_set_den(mpq_ptr r, mpz_srcptr x);
size_t cc_mpq_out_str(FILE *file, int base, mpq_srcptr x);
size_t cc_mpq_inp_str(mpq_ptr r, FILE *file, int base);
#define mpq_numref(x) (&(x)->_mp_num)
#define mpq_denref(x) (&(x)->_mp_den)
#define mpq_sgn(x)    mpz_sgn(mpq_numref(x))

/*
 * Words: numbers of so many limbs, the least significant first, of at least one where nothing else
 * is said.  A result may be the same vector as an operand, but overlaps it in no other way, unless
 * the manual says so.  sec_: in constant time, on scratch of as many words as _itch says.
 */
mp_limb_t cc_mpn_add_n(mp_ptr r, mp_srcptr a, mp_srcptr b, mp_size_t n);
mp_limb_t cc_mpn_add_1(mp_ptr r, mp_srcptr a, mp_size_t n, mp_limb_t b);
mp_limb_t cc_mpn_add(mp_ptr r, mp_srcptr a, mp_size_t an, mp_srcptr b, mp_size_t bn);
mp_limb_t cc_mpn_sub_n(mp_ptr r, mp_srcptr a, mp_srcptr b, mp_size_t n);
mp_limb_t cc_mpn_sub_1(mp_ptr r, mp_srcptr a, mp_size_t n, mp_limb_t b);
mp_limb_t cc_mpn_sub(mp_ptr r, mp_srcptr a, mp_size_t an, mp_srcptr b, mp_size_t bn);
mp_limb_t cc_mpn_neg(mp_ptr r, mp_srcptr a, mp_size_t n);
int cc_mpn_cmp(mp_srcptr a, mp_srcptr b, mp_size_t n);
int cc_mpn_zero_p(mp_srcptr a, mp_size_t n);
mp_limb_t cc_mpn_lshift(mp_ptr r, mp_srcptr a, mp_size_t n, unsigned int count);
mp_limb_t cc_mpn_rshift(mp_ptr r, mp_srcptr a, mp_size_t n, unsigned int count);
void cc_mpn_copyi(mp_ptr r, mp_srcptr a, mp_size_t n);
void cc_mpn_copyd(mp_ptr r, mp_srcptr a, mp_size_t n);
void cc_mpn_zero(mp_ptr r, mp_size_t n);
void cc_mpn_com(mp_ptr r, mp_srcptr a, mp_size_t n);
void cc_mpn_and_n(mp_ptr r, mp_srcptr a, mp_srcptr b, mp_size_t n);
void cc_mpn_andn_n(mp_ptr r, mp_srcptr a, mp_srcptr b, mp_size_t n);
void cc_mpn_nand_n(mp_ptr r, mp_srcptr a, mp_srcptr b, mp_size_t n);
void cc_mpn_ior_n(mp_ptr r, mp_srcptr a, mp_srcptr b, mp_size_t n);
void cc_mpn_iorn_n(mp_ptr r, mp_srcptr a, mp_srcptr b, mp_size_t n);
void cc_mpn_nior_n(mp_ptr r, mp_srcptr a, mp_srcptr b, mp_size_t n);
void cc_mpn_xor_n(mp_ptr r, mp_srcptr a, mp_srcptr b, mp_size_t n);
void cc_mpn_xnor_n(mp_ptr r, mp_srcptr a, mp_srcptr b, mp_size_t n);
mp_bitcnt_t cc_mpn_popcount(mp_srcptr a, mp_size_t n);
mp_bitcnt_t cc_mpn_hamdist(mp_srcptr a, mp_srcptr b, mp_size_t n);
mp_bitcnt_t cc_mpn_scan0(mp_srcptr a, mp_bitcnt_t from);
mp_bitcnt_t cc_mpn_scan1(mp_srcptr a, mp_bitcnt_t from);
void cc_mpn_random(mp_ptr r, mp_size_t n);
void cc_mpn_random2(mp_ptr r, mp_size_t n);
mp_limb_t cc_mpn_mul_1(mp_ptr r, mp_srcptr a, mp_size_t n, mp_limb_t b);
mp_limb_t cc_mpn_addmul_1(mp_ptr r, mp_srcptr a, mp_size_t n, mp_limb_t b);
mp_limb_t cc_mpn_submul_1(mp_ptr r, mp_srcptr a, mp_size_t n, mp_limb_t b);
mp_limb_t cc_mpn_mul(mp_ptr r, mp_srcptr a, mp_size_t an, mp_srcptr b, mp_size_t bn);
void cc_mpn_mul_n(mp_ptr r, mp_srcptr a, mp_srcptr b, mp_size_t n);
void cc_mpn_sqr(mp_ptr r, mp_srcptr a, mp_size_t n);
void cc_mpn_tdiv_qr(mp_ptr q, mp_ptr r, mp_size_t zero, mp_srcptr a, mp_size_t an, mp_srcptr d,
		    mp_size_t dn);
mp_limb_t cc_mpn_divrem(mp_ptr q, mp_size_t fraction, mp_ptr a, mp_size_t an, mp_srcptr d,
			mp_size_t dn);
mp_limb_t cc_mpn_divrem_1(mp_ptr q, mp_size_t fraction, mp_srcptr a, mp_size_t n, mp_limb_t d);
mp_limb_t cc_mpn_mod_1(mp_srcptr a, mp_size_t n, mp_limb_t d);
void cc_mpn_divexact_1(mp_ptr q, mp_srcptr a, mp_size_t n, mp_limb_t d);
mp_limb_t cc_mpn_divexact_by3c(mp_ptr q, mp_srcptr a, mp_size_t n, mp_limb_t carry);
mp_size_t cc_mpn_gcd(mp_ptr g, mp_ptr a, mp_size_t an, mp_ptr b, mp_size_t bn);
mp_limb_t cc_mpn_gcd_1(mp_srcptr a, mp_size_t n, mp_limb_t b);
mp_size_t cc_mpn_gcdext(mp_ptr g, mp_ptr s, mp_size_t *sn, mp_ptr a, mp_size_t an, mp_ptr b,
			mp_size_t bn);
mp_size_t cc_mpn_sqrtrem(mp_ptr root, mp_ptr rem, mp_srcptr a, mp_size_t n);
int cc_mpn_perfect_square_p(mp_srcptr a, mp_size_t n);
int cc_mpn_perfect_power_p(mp_srcptr a, mp_size_t n);
size_t cc_mpn_sizeinbase(mp_srcptr a, mp_size_t n, int base);
size_t cc_mpn_get_str(unsigned char *digits, int base, mp_ptr a, mp_size_t n);
mp_size_t cc_mpn_set_str(mp_ptr r, const unsigned char *digits, size_t count, int base);
mp_limb_t cc_mpn_cnd_add_n(mp_limb_t made, mp_ptr r, mp_srcptr a, mp_srcptr b, mp_size_t n);
mp_limb_t cc_mpn_cnd_sub_n(mp_limb_t made, mp_ptr r, mp_srcptr a, mp_srcptr b, mp_size_t n);
void cc_mpn_cnd_swap(mp_limb_t made, volatile mp_limb_t *a, volatile mp_limb_t *b, mp_size_t n);
mp_limb_t cc_mpn_sec_add_1(mp_ptr r, mp_srcptr a, mp_size_t n, mp_limb_t b, mp_ptr scratch);
mp_limb_t cc_mpn_sec_sub_1(mp_ptr r, mp_srcptr a, mp_size_t n, mp_limb_t b, mp_ptr scratch);
void cc_mpn_sec_mul(mp_ptr r, mp_srcptr a, mp_size_t an, mp_srcptr b, mp_size_t bn, mp_ptr scratch);
void cc_mpn_sec_sqr(mp_ptr r, mp_srcptr a, mp_size_t n, mp_ptr scratch);
void cc_mpn_sec_powm(mp_ptr r, mp_srcptr b, mp_size_t bn, mp_srcptr e, mp_bitcnt_t bits,
		     mp_srcptr m, mp_size_t n, mp_ptr scratch);
void cc_mpn_sec_tabselect(volatile mp_limb_t *r, volatile const mp_limb_t *table, mp_size_t n,
			  mp_size_t count, mp_size_t which);
mp_limb_t cc_mpn_sec_div_qr(mp_ptr q, mp_ptr a, mp_size_t an, mp_srcptr d, mp_size_t dn,
			    mp_ptr scratch);
void cc_mpn_sec_div_r(mp_ptr a, mp_size_t an, mp_srcptr d, mp_size_t dn, mp_ptr scratch);
int cc_mpn_sec_invert(mp_ptr r, mp_ptr a, mp_srcptr m, mp_size_t n, mp_bitcnt_t steps,
		      mp_ptr scratch);
mp_size_t cc_mpn_sec_add_1_itch(mp_size_t n);
mp_size_t cc_mpn_sec_sub_1_itch(mp_size_t n);
mp_size_t cc_mpn_sec_mul_itch(mp_size_t an, mp_size_t bn);
mp_size_t cc_mpn_sec_sqr_itch(mp_size_t n);
mp_size_t cc_mpn_sec_powm_itch(mp_size_t bn, mp_bitcnt_t bits, mp_size_t n);
mp_size_t cc_mpn_sec_div_qr_itch(mp_size_t an, mp_size_t dn);
mp_size_t cc_mpn_sec_div_r_itch(mp_size_t an, mp_size_t dn);
mp_size_t cc_mpn_sec_invert_itch(mp_size_t n);
#define mpn_divmod(q, a, an, d, dn) mpn_divrem(q, 0, a, an, d, dn)
#define mpn_divmod_1(q, a, n, d)    mpn_divrem_1(q, 0, a, n, d)
#define mpn_divexact_by3(q, a, n)   mpn_divexact_by3c(q, a, n, 0)

/*
 * What takes less time than a call is compiled into the program, by compilers that know GNU's
 * inline functions.  The library has the same, for those that don't, and for addresses.
 */
#if !defined(CC_GMP_INLINE) && defined(__GNUC__)
#define CC_GMP_INLINE extern __inline__ __attribute__((__gnu_inline__))
#endif
#ifdef CC_GMP_INLINE
CC_C_CASTS_BEGIN

CC_GMP_INLINE size_t cc_mpz_size(mpz_srcptr x)
{
	return (size_t)(x->_mp_size < 0 ? -x->_mp_size : x->_mp_size);
}

CC_GMP_INLINE mp_limb_t cc_mpz_getlimbn(mpz_srcptr x, mp_size_t n)
{
	return n >= 0 && (size_t)n < cc_mpz_size(x) ? x->_mp_d[n] : 0;
}

CC_GMP_INLINE mp_srcptr cc_mpz_limbs_read(mpz_srcptr x)
{
	return x->_mp_d;
}

CC_GMP_INLINE void cc_mpz_swap(mpz_ptr x, mpz_ptr y)
{
	/* as they were stored: a wider load of two of them would wait for both */
	int alloc = x->_mp_alloc, size = x->_mp_size;
	mp_ptr words = x->_mp_d;

	x->_mp_alloc = y->_mp_alloc;
	x->_mp_size = y->_mp_size;
	x->_mp_d = y->_mp_d;
	y->_mp_alloc = alloc;
	y->_mp_size = size;
	y->_mp_d = words;
}

CC_GMP_INLINE void cc_mpz_neg(mpz_ptr r, mpz_srcptr x)
{
	if (r != x)
		cc_mpz_set(r, x);
	r->_mp_size = -r->_mp_size;
}

CC_GMP_INLINE void cc_mpz_abs(mpz_ptr r, mpz_srcptr x)
{
	if (r != x)
		cc_mpz_set(r, x);
	r->_mp_size = r->_mp_size < 0 ? -r->_mp_size : r->_mp_size;
}

CC_GMP_INLINE unsigned long cc_mpz_get_ui(mpz_srcptr x)
{
	return x->_mp_size ? (unsigned long)x->_mp_d[0] : 0;
}

CC_GMP_INLINE int cc_mpz_cmpabs_ui(mpz_srcptr x, unsigned long y)
{
	mp_limb_t word = x->_mp_size ? x->_mp_d[0] : 0;

	if (x->_mp_size > 1 || x->_mp_size < -1)
		return 1;
	return word < y ? -1 : word > y;
}

CC_GMP_INLINE int cc_mpz_cmp_ui(mpz_srcptr x, unsigned long y)
{
	return x->_mp_size < 0 ? -1 : cc_mpz_cmpabs_ui(x, y);
}

CC_GMP_INLINE int cc_mpz_cmp_si(mpz_srcptr x, long y)
{
	if (y >= 0)
		return cc_mpz_cmp_ui(x, (unsigned long)y);
	return x->_mp_size < 0 ? -cc_mpz_cmpabs_ui(x, 0 - (unsigned long)y) : 1;
}

CC_GMP_INLINE int cc_mpz_fits_ulong_p(mpz_srcptr x)
{
	return x->_mp_size >= 0 && cc_mpz_cmpabs_ui(x, ULONG_MAX) <= 0;
}

CC_GMP_INLINE int cc_mpz_fits_uint_p(mpz_srcptr x)
{
	return x->_mp_size >= 0 && cc_mpz_cmpabs_ui(x, UINT_MAX) <= 0;
}

CC_GMP_INLINE int cc_mpz_fits_ushort_p(mpz_srcptr x)
{
	return x->_mp_size >= 0 && cc_mpz_cmpabs_ui(x, USHRT_MAX) <= 0;
}

/* The least number is one further from 0 than the greatest. */
CC_GMP_INLINE int cc_mpz_fits_slong_p(mpz_srcptr x)
{
	return cc_mpz_cmpabs_ui(x, (unsigned long)LONG_MAX + (x->_mp_size < 0)) <= 0;
}

CC_GMP_INLINE int cc_mpz_fits_sint_p(mpz_srcptr x)
{
	return cc_mpz_cmpabs_ui(x, (unsigned long)INT_MAX + (x->_mp_size < 0)) <= 0;
}

CC_GMP_INLINE int cc_mpz_fits_sshort_p(mpz_srcptr x)
{
	return cc_mpz_cmpabs_ui(x, (unsigned long)SHRT_MAX + (x->_mp_size < 0)) <= 0;
}

CC_C_CASTS_END
#endif

#ifdef __cplusplus
}
#endif

#endif /* CARRYCHAIN_GMP_H */
