/* SPDX-License-Identifier: MIT */
/* gmp_sweep.h - the functions that gmp-sweep measures, thrice, and on what. */
#ifndef CC_BENCH_GMP_SWEEP_H
#define CC_BENCH_GMP_SWEEP_H

#include <carrychain/gmp.h>

/* clang-format breaks lines within the parentheses. */
/* clang-format off */
#define NAMES(X) \
	X(mpz_add) X(mpz_sub) X(mpz_add_ui) X(mpz_sub_ui) X(mpz_ui_sub) X(mpz_mul) \
	X(mpz_mul_ui) X(mpz_mul_si) X(mpz_addmul) X(mpz_submul) X(mpz_addmul_ui) \
	X(mpz_submul_ui) X(mpz_mul_2exp) X(mpz_neg) X(mpz_abs) X(mpz_set) X(mpz_swap) \
	X(mpz_tdiv_q) X(mpz_tdiv_r) X(mpz_tdiv_qr) X(mpz_fdiv_q) X(mpz_fdiv_r) \
	X(mpz_fdiv_qr) X(mpz_cdiv_q) X(mpz_cdiv_r) X(mpz_cdiv_qr) X(mpz_mod) \
	X(mpz_tdiv_q_ui) X(mpz_tdiv_r_ui) X(mpz_tdiv_qr_ui) X(mpz_tdiv_ui) X(mpz_fdiv_q_ui) \
	X(mpz_fdiv_ui) X(mpz_cdiv_q_ui) X(mpz_cdiv_ui) X(mpz_tdiv_q_2exp) X(mpz_tdiv_r_2exp) \
	X(mpz_fdiv_q_2exp) X(mpz_fdiv_r_2exp) X(mpz_cdiv_q_2exp) X(mpz_cdiv_r_2exp) \
	X(mpz_divexact) X(mpz_divexact_ui) X(mpz_divisible_p) X(mpz_divisible_ui_p) \
	X(mpz_divisible_2exp_p) X(mpz_congruent_p) X(mpz_congruent_ui_p) \
	X(mpz_congruent_2exp_p) X(mpz_powm) X(mpz_powm_ui) X(mpz_pow_ui) X(mpz_ui_pow_ui) \
	X(mpz_root) X(mpz_rootrem) X(mpz_sqrt) X(mpz_sqrtrem) X(mpz_perfect_square_p) \
	X(mpz_perfect_power_p) X(mpz_gcd) X(mpz_gcd_ui) X(mpz_gcdext) X(mpz_lcm) \
	X(mpz_lcm_ui) X(mpz_invert) X(mpz_jacobi) X(mpz_kronecker_ui) X(mpz_ui_kronecker) \
	X(mpz_remove) X(mpz_fac_ui) X(mpz_2fac_ui) X(mpz_mfac_uiui) X(mpz_primorial_ui) \
	X(mpz_bin_ui) X(mpz_bin_uiui) X(mpz_fib_ui) X(mpz_fib2_ui) X(mpz_lucnum_ui) \
	X(mpz_lucnum2_ui) X(mpz_cmp) X(mpz_cmp_ui) X(mpz_cmp_si) X(mpz_cmpabs) \
	X(mpz_cmpabs_ui) X(mpz_cmp_d) X(mpz_and) X(mpz_ior) X(mpz_xor) X(mpz_com) \
	X(mpz_popcount) X(mpz_hamdist) X(mpz_scan0) X(mpz_scan1) X(mpz_setbit) X(mpz_clrbit) \
	X(mpz_combit) X(mpz_tstbit) X(mpz_get_str) X(mpz_set_str) X(mpz_import) \
	X(mpz_export) X(mpz_sizeinbase) X(mpz_get_d) X(mpz_get_ui) X(mpn_add_n) X(mpn_sub_n) \
	X(mpn_add_1) X(mpn_sub_1) X(mpn_neg) X(mpn_cmp) X(mpn_zero_p) X(mpn_lshift) \
	X(mpn_rshift) X(mpn_copyi) X(mpn_copyd) X(mpn_zero) X(mpn_com) X(mpn_and_n) \
	X(mpn_andn_n) X(mpn_nand_n) X(mpn_ior_n) X(mpn_iorn_n) X(mpn_nior_n) X(mpn_xor_n) \
	X(mpn_xnor_n) X(mpn_popcount) X(mpn_hamdist) X(mpn_scan0) X(mpn_scan1) X(mpn_mul_1) \
	X(mpn_addmul_1) X(mpn_submul_1) X(mpn_mul) X(mpn_mul_n) X(mpn_sqr) X(mpn_tdiv_qr) \
	X(mpn_divrem) X(mpn_divrem_1) X(mpn_mod_1) X(mpn_divexact_1) X(mpn_divexact_by3c) \
	X(mpn_gcd) X(mpn_gcd_1) X(mpn_gcdext) X(mpn_sqrtrem) X(mpn_perfect_square_p) \
	X(mpn_perfect_power_p) X(mpn_sizeinbase) X(mpn_get_str) X(mpn_set_str) \
	X(mpn_cnd_add_n) X(mpn_cnd_sub_n) X(mpn_sec_mul) X(mpn_sec_sqr) X(mpn_sec_tabselect) \
	X(mpn_sec_div_qr) X(mpn_sec_div_r)
/* clang-format on */

/* GMP's header has macros of these names, and so has ours: members are ours by name. */
#define MEMBER(name) __typeof__(name) *name;
struct functions {
	NAMES(MEMBER)
};

struct test {
	const char *name;
	void (*run)(const struct functions *f);
	size_t most;
	/* the numbers' values decide what it does: each call has others */
	int varied;
};

extern const struct test tests[];
extern const size_t tests_count;

/* Numbers of n words, if a name says nothing else; r, s and t are written. */
struct operands {
	mp_size_t n;
	mpz_t a, b, half, few, wide, multiple, square, same, negative, by_word, base, r, s, t;
	mp_ptr room, room2, room3;
	char *text;
	unsigned char *bytes;
};

/* Those of the call that is measured. */
extern struct operands *current;
#define o (*current)

#endif /* CC_BENCH_GMP_SWEEP_H */
