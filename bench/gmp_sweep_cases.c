// SPDX-License-Identifier: MIT
/* What gmp-sweep calls: one call a case. */
#include "gmp_sweep.h"

#include <string.h>

/* name, call, the most words; V: whose time depends on the values, by branches that are predicted
 */
#define CASES(X, V)                                                                                \
	X(add, f->mpz_add(o.r, o.a, o.b), ALL)                                                     \
	X(add_in_place, f->mpz_add(o.base, o.base, o.few), ALL)                                    \
	X(add_short, f->mpz_add(o.r, o.a, o.few), ALL)                                             \
	V(sub, f->mpz_sub(o.r, o.a, o.b), ALL)                                                     \
	V(sub_negative, f->mpz_sub(o.r, o.a, o.negative), ALL)                                     \
	X(add_ui, f->mpz_add_ui(o.r, o.a, 12345), ALL)                                             \
	X(sub_ui, f->mpz_sub_ui(o.r, o.a, 12345), ALL)                                             \
	X(ui_sub, f->mpz_ui_sub(o.r, 12345, o.a), ALL)                                             \
	X(mul, f->mpz_mul(o.r, o.a, o.b), ALL)                                                     \
	X(mul_square, f->mpz_mul(o.r, o.a, o.a), ALL)                                              \
	X(mul_half, f->mpz_mul(o.r, o.a, o.half), ALL)                                             \
	X(mul_few, f->mpz_mul(o.r, o.a, o.few), ALL)                                               \
	X(mul_ui, f->mpz_mul_ui(o.r, o.a, 1234567891011), ALL)                                     \
	X(mul_si, f->mpz_mul_si(o.r, o.a, -1234567891011), ALL)                                    \
	X(addmul, f->mpz_addmul(o.s, o.a, o.b), ALL)                                               \
	X(submul, f->mpz_submul(o.s, o.a, o.few), ALL)                                             \
	X(addmul_ui, f->mpz_addmul_ui(o.s, o.a, 12345), ALL)                                       \
	X(submul_ui, f->mpz_submul_ui(o.s, o.a, 12345), ALL)                                       \
	X(mul_2exp, f->mpz_mul_2exp(o.r, o.a, 77), ALL)                                            \
	X(neg, f->mpz_neg(o.r, o.a), ALL)                                                          \
	X(abs, f->mpz_abs(o.r, o.negative), ALL)                                                   \
	X(set, f->mpz_set(o.r, o.a), ALL)                                                          \
	X(swap, f->mpz_swap(o.s, o.t), 16)                                                         \
	V(tdiv_q, f->mpz_tdiv_q(o.r, o.wide, o.a), ALL)                                            \
	V(tdiv_q_half, f->mpz_tdiv_q(o.r, o.a, o.half), ALL)                                       \
	V(tdiv_q_few, f->mpz_tdiv_q(o.r, o.a, o.few), ALL)                                         \
	V(tdiv_q_near, f->mpz_tdiv_q(o.r, o.by_word, o.b), ALL)                                    \
	V(tdiv_r, f->mpz_tdiv_r(o.r, o.wide, o.a), ALL)                                            \
	V(tdiv_r_few, f->mpz_tdiv_r(o.r, o.a, o.few), ALL)                                         \
	V(tdiv_qr, f->mpz_tdiv_qr(o.r, o.t, o.wide, o.a), ALL)                                     \
	V(tdiv_qr_few, f->mpz_tdiv_qr(o.r, o.t, o.a, o.few), ALL)                                  \
	V(tdiv_qr_near, f->mpz_tdiv_qr(o.r, o.t, o.by_word, o.b), ALL)                             \
	V(fdiv_q, f->mpz_fdiv_q(o.r, o.wide, o.negative), ALL)                                     \
	V(fdiv_r, f->mpz_fdiv_r(o.r, o.wide, o.negative), ALL)                                     \
	V(fdiv_qr, f->mpz_fdiv_qr(o.r, o.t, o.wide, o.negative), ALL)                              \
	V(cdiv_q, f->mpz_cdiv_q(o.r, o.wide, o.a), ALL)                                            \
	V(cdiv_r, f->mpz_cdiv_r(o.r, o.wide, o.a), ALL)                                            \
	V(cdiv_qr, f->mpz_cdiv_qr(o.r, o.t, o.wide, o.a), ALL)                                     \
	V(mod, f->mpz_mod(o.r, o.wide, o.a), ALL)                                                  \
	X(tdiv_q_ui, f->mpz_tdiv_q_ui(o.r, o.a, 1234567), ALL)                                     \
	X(tdiv_r_ui, f->mpz_tdiv_r_ui(o.r, o.a, 1234567), ALL)                                     \
	X(tdiv_qr_ui, f->mpz_tdiv_qr_ui(o.r, o.t, o.a, 1234567), ALL)                              \
	X(tdiv_ui, f->mpz_tdiv_ui(o.a, 1234567), ALL)                                              \
	X(fdiv_q_ui, f->mpz_fdiv_q_ui(o.r, o.negative, 1234567), ALL)                              \
	X(fdiv_ui, f->mpz_fdiv_ui(o.negative, 1234567), ALL)                                       \
	X(cdiv_q_ui, f->mpz_cdiv_q_ui(o.r, o.a, 1234567), ALL)                                     \
	X(cdiv_ui, f->mpz_cdiv_ui(o.a, 1234567), ALL)                                              \
	X(tdiv_q_2exp, f->mpz_tdiv_q_2exp(o.r, o.wide, 77), ALL)                                   \
	X(tdiv_r_2exp, f->mpz_tdiv_r_2exp(o.r, o.wide, (mp_bitcnt_t)o.n * 64 + 7), ALL)            \
	X(fdiv_q_2exp, f->mpz_fdiv_q_2exp(o.r, o.negative, 77), ALL)                               \
	X(fdiv_r_2exp, f->mpz_fdiv_r_2exp(o.r, o.negative, (mp_bitcnt_t)o.n * 64 + 7), ALL)        \
	X(cdiv_q_2exp, f->mpz_cdiv_q_2exp(o.r, o.wide, 77), ALL)                                   \
	X(cdiv_r_2exp, f->mpz_cdiv_r_2exp(o.r, o.wide, (mp_bitcnt_t)o.n * 64 + 7), ALL)            \
	V(divexact, f->mpz_divexact(o.r, o.multiple, o.b), ALL)                                    \
	V(divexact_half, f->mpz_divexact(o.r, o.square, o.half), ALL)                              \
	X(divexact_ui, f->mpz_divexact_ui(o.r, o.by_word, 1234567891), ALL)                        \
	V(divisible_p, f->mpz_divisible_p(o.multiple, o.b), ALL)                                   \
	V(divisible_p_not, f->mpz_divisible_p(o.wide, o.b), ALL)                                   \
	X(divisible_ui_p, f->mpz_divisible_ui_p(o.by_word, 1234567891), ALL)                       \
	X(divisible_2exp_p, f->mpz_divisible_2exp_p(o.a, 1), 64)                                   \
	V(congruent_p, f->mpz_congruent_p(o.wide, o.a, o.b), ALL)                                  \
	X(congruent_ui_p, f->mpz_congruent_ui_p(o.a, 7, 1234567), ALL)                             \
	X(congruent_2exp_p, f->mpz_congruent_2exp_p(o.a, o.same, (mp_bitcnt_t)o.n * 60), ALL)      \
	V(powm, f->mpz_powm(o.r, o.base, o.a, o.b), 2000)                                          \
	V(powm_short, f->mpz_powm(o.r, o.base, o.few, o.b), 100000)                                \
	V(powm_even, f->mpz_powm(o.r, o.base, o.few, o.multiple), 50000)                           \
	V(powm_ui, f->mpz_powm_ui(o.r, o.base, 12345, o.b), ALL)                                   \
	X(pow_ui, f->mpz_pow_ui(o.r, o.half, 7), ALL)                                              \
	X(ui_pow_ui, f->mpz_ui_pow_ui(o.r, 3, (unsigned long)o.n * 40), ALL)                       \
	V(root, f->mpz_root(o.r, o.a, 3), ALL)                                                     \
	V(root_high, f->mpz_root(o.r, o.a, 101), ALL)                                              \
	V(rootrem, f->mpz_rootrem(o.r, o.t, o.a, 3), ALL)                                          \
	V(sqrt, f->mpz_sqrt(o.r, o.a), ALL)                                                        \
	V(sqrtrem, f->mpz_sqrtrem(o.r, o.t, o.a), ALL)                                             \
	V(perfect_square_p, f->mpz_perfect_square_p(o.a), ALL)                                     \
	V(perfect_square_p_is, f->mpz_perfect_square_p(o.square), ALL)                             \
	V(perfect_power_p, f->mpz_perfect_power_p(o.a), 2000)                                      \
	V(gcd, f->mpz_gcd(o.r, o.a, o.b), ALL)                                                     \
	V(gcd_half, f->mpz_gcd(o.r, o.a, o.half), ALL)                                             \
	V(gcd_ui, f->mpz_gcd_ui(NULL, o.a, 1234567), ALL)                                          \
	V(gcdext, f->mpz_gcdext(o.r, o.s, o.t, o.a, o.b), ALL)                                     \
	V(lcm, f->mpz_lcm(o.r, o.a, o.b), ALL)                                                     \
	V(lcm_ui, f->mpz_lcm_ui(o.r, o.a, 1234567), ALL)                                           \
	V(invert, f->mpz_invert(o.r, o.a, o.b), ALL)                                               \
	V(jacobi, f->mpz_jacobi(o.a, o.b), ALL)                                                    \
	V(kronecker_ui, f->mpz_kronecker_ui(o.a, 1234567), ALL)                                    \
	V(ui_kronecker, f->mpz_ui_kronecker(1234567, o.b), ALL)                                    \
	V(remove, f->mpz_remove(o.r, o.square, o.half), ALL)                                       \
	X(fac_ui, f->mpz_fac_ui(o.r, (unsigned long)o.n * 8), ALL)                                 \
	X(2fac_ui, f->mpz_2fac_ui(o.r, (unsigned long)o.n * 8 + 1), ALL)                           \
	X(mfac_uiui, f->mpz_mfac_uiui(o.r, (unsigned long)o.n * 16, 3), ALL)                       \
	X(primorial_ui, f->mpz_primorial_ui(o.r, (unsigned long)o.n * 40), ALL)                    \
	V(bin_ui, f->mpz_bin_ui(o.r, o.few, (unsigned long)o.n), 10000)                            \
	X(bin_uiui, f->mpz_bin_uiui(o.r, (unsigned long)o.n * 60, (unsigned long)o.n * 20), ALL)   \
	X(fib_ui, f->mpz_fib_ui(o.r, (unsigned long)o.n * 92), ALL)                                \
	X(fib2_ui, f->mpz_fib2_ui(o.r, o.t, (unsigned long)o.n * 92), ALL)                         \
	X(lucnum_ui, f->mpz_lucnum_ui(o.r, (unsigned long)o.n * 92), ALL)                          \
	X(lucnum2_ui, f->mpz_lucnum2_ui(o.r, o.t, (unsigned long)o.n * 92), ALL)                   \
	X(cmp, f->mpz_cmp(o.a, o.same), ALL)                                                       \
	V(cmp_soon, f->mpz_cmp(o.a, o.b), ALL)                                                     \
	X(cmp_ui, f->mpz_cmp_ui(o.a, 5), 16)                                                       \
	X(cmp_si, f->mpz_cmp_si(o.a, 5), 16)                                                       \
	X(cmp_d, f->mpz_cmp_d(o.a, 5e10), 16)                                                      \
	X(cmpabs, f->mpz_cmpabs(o.a, o.same), ALL)                                                 \
	X(cmpabs_ui, f->mpz_cmpabs_ui(o.a, 5), 16)                                                 \
	X(and, f->mpz_and(o.r, o.a, o.b), ALL)                                                     \
	X(and_negative, f->mpz_and(o.r, o.a, o.negative), ALL)                                     \
	X(ior, f->mpz_ior(o.r, o.a, o.b), ALL)                                                     \
	X(ior_negative, f->mpz_ior(o.r, o.a, o.negative), ALL)                                     \
	X(xor, f->mpz_xor(o.r, o.a, o.b), ALL)                                                     \
	X(xor_negative, f->mpz_xor(o.r, o.a, o.negative), ALL)                                     \
	X(com, f->mpz_com(o.r, o.a), ALL)                                                          \
	X(popcount, f->mpz_popcount(o.a), ALL)                                                     \
	X(hamdist, f->mpz_hamdist(o.a, o.b), ALL)                                                  \
	X(scan0, f->mpz_scan0(o.a, 100), 16)                                                       \
	X(scan1, f->mpz_scan1(o.a, 100), 16)                                                       \
	X(setbit, f->mpz_setbit(o.base, 100), 16)                                                  \
	X(clrbit, f->mpz_clrbit(o.base, 100), 16)                                                  \
	X(combit, f->mpz_combit(o.base, 100), 16)                                                  \
	X(tstbit, f->mpz_tstbit(o.a, 100), 16)                                                     \
	V(get_str, f->mpz_get_str((char *)o.room3, 10, o.a), ALL)                                  \
	X(get_str_16, f->mpz_get_str((char *)o.room3, 16, o.a), ALL)                               \
	V(get_str_62, f->mpz_get_str((char *)o.room3, 62, o.a), ALL)                               \
	V(set_str, f->mpz_set_str(o.r, o.text, 10), ALL)                                           \
	V(set_str_16, f->mpz_set_str(o.r, o.text, 16), ALL)                                        \
	V(set_str_62, f->mpz_set_str(o.r, o.text, 62), ALL)                                        \
	X(import, f->mpz_import(o.r, (size_t)o.n * 8, 1, 1, 0, 0, o.bytes), ALL)                   \
	X(import_words, f->mpz_import(o.r, (size_t)o.n, -1, 8, 0, 0, o.bytes), ALL)                \
	X(export, f->mpz_export(o.room3, NULL, 1, 1, 0, 0, o.a), ALL)                              \
	X(export_words, f->mpz_export(o.room3, NULL, -1, 8, 0, 0, o.a), ALL)                       \
	X(sizeinbase, f->mpz_sizeinbase(o.a, 10), 16)                                              \
	X(get_d, f->mpz_get_d(o.a), 16)                                                            \
	X(mpn_add_n, f->mpn_add_n(o.room2, A, B, o.n), ALL)                                        \
	X(mpn_sub_n, f->mpn_sub_n(o.room2, A, B, o.n), ALL)                                        \
	X(mpn_add_1, f->mpn_add_1(o.room2, A, o.n, 5), ALL)                                        \
	X(mpn_sub_1, f->mpn_sub_1(o.room2, A, o.n, 5), ALL)                                        \
	X(mpn_neg, f->mpn_neg(o.room2, A, o.n), ALL)                                               \
	X(mpn_cmp, f->mpn_cmp(A, o.same->_mp_d, o.n), ALL)                                         \
	X(mpn_lshift, f->mpn_lshift(o.room2, A, o.n, 13), ALL)                                     \
	X(mpn_rshift, f->mpn_rshift(o.room2, A, o.n, 13), ALL)                                     \
	X(mpn_copyi, f->mpn_copyi(o.room2, A, o.n), ALL)                                           \
	X(mpn_copyd, f->mpn_copyd(o.room2, A, o.n), ALL)                                           \
	X(mpn_zero, f->mpn_zero(o.room2, o.n), ALL)                                                \
	X(mpn_com, f->mpn_com(o.room2, A, o.n), ALL)                                               \
	X(mpn_and_n, f->mpn_and_n(o.room2, A, B, o.n), ALL)                                        \
	X(mpn_andn_n, f->mpn_andn_n(o.room2, A, B, o.n), ALL)                                      \
	X(mpn_nand_n, f->mpn_nand_n(o.room2, A, B, o.n), ALL)                                      \
	X(mpn_ior_n, f->mpn_ior_n(o.room2, A, B, o.n), ALL)                                        \
	X(mpn_iorn_n, f->mpn_iorn_n(o.room2, A, B, o.n), ALL)                                      \
	X(mpn_nior_n, f->mpn_nior_n(o.room2, A, B, o.n), ALL)                                      \
	X(mpn_xor_n, f->mpn_xor_n(o.room2, A, B, o.n), ALL)                                        \
	X(mpn_xnor_n, f->mpn_xnor_n(o.room2, A, B, o.n), ALL)                                      \
	X(mpn_popcount, f->mpn_popcount(A, o.n), ALL)                                              \
	X(mpn_hamdist, f->mpn_hamdist(A, B, o.n), ALL)                                             \
	X(mpn_mul_1, f->mpn_mul_1(o.room2, A, o.n, 12345), ALL)                                    \
	X(mpn_addmul_1, f->mpn_addmul_1(o.room2, A, o.n, 12345), ALL)                              \
	X(mpn_submul_1, f->mpn_submul_1(o.room2, A, o.n, 12345), ALL)                              \
	X(mpn_mul, f->mpn_mul(o.room2, A, o.n, o.half->_mp_d, o.n / 2), ALL)                       \
	X(mpn_mul_n, f->mpn_mul_n(o.room2, A, B, o.n), ALL)                                        \
	X(mpn_sqr, f->mpn_sqr(o.room2, A, o.n), ALL)                                               \
	V(mpn_tdiv_qr, f->mpn_tdiv_qr(o.room2, o.room3, 0, o.wide->_mp_d, 2 * o.n, A, o.n), ALL)   \
	X(mpn_divrem_1, f->mpn_divrem_1(o.room2, 0, A, o.n, 1234567), ALL)                         \
	X(mpn_mod_1, f->mpn_mod_1(A, o.n, 1234567), ALL)                                           \
	X(mpn_divexact_1, f->mpn_divexact_1(o.room2, o.by_word->_mp_d, o.n, 1234567891), ALL)      \
	X(mpn_divexact_by3c, f->mpn_divexact_by3c(o.room2, A, o.n, 0), ALL)                        \
	V(mpn_gcd_1, f->mpn_gcd_1(A, o.n, 1234567), ALL)                                           \
	V(mpn_sqrtrem, f->mpn_sqrtrem(o.room2, o.room3, A, o.n), ALL)                              \
	V(mpn_perfect_square_p, f->mpn_perfect_square_p(A, o.n), ALL)                              \
	V(mpn_perfect_power_p, f->mpn_perfect_power_p(A, o.n), 2000)                               \
	X(mpn_cnd_add_n, f->mpn_cnd_add_n(1, o.room2, A, B, o.n), ALL)                             \
	X(mpn_cnd_sub_n, f->mpn_cnd_sub_n(1, o.room2, A, B, o.n), ALL)                             \
	X(mpn_sec_tabselect, f->mpn_sec_tabselect(o.room2, o.wide->_mp_d, o.n / 8, 16, 3), ALL)    \
	X(mpn_sec_mul, f->mpn_sec_mul(o.room2, A, o.n, B, o.n, o.room3), 300)                      \
	X(mpn_sec_sqr, f->mpn_sec_sqr(o.room2, A, o.n, o.room3), 300)                              \
	X(mpn_zero_p, f->mpn_zero_p(A, o.n), ALL)                                                  \
	V(mpn_get_str,                                                                             \
	  (memcpy(o.room, A, (size_t)o.n * 8),                                                     \
	   f->mpn_get_str((unsigned char *)o.room3, 10, o.room, o.n)),                             \
	  ALL)                                                                                     \
	V(mpn_gcd,                                                                                 \
	  (memcpy(o.room, A, (size_t)o.n * 8), memcpy(o.room2, B, (size_t)o.n * 8),                \
	   f->mpn_gcd(o.room3, o.room, o.n, o.room2, o.n)),                                        \
	  ALL)                                                                                     \
	V(mpn_divrem,                                                                              \
	  (memcpy(o.room, o.wide->_mp_d, (size_t)o.n * 16),                                        \
	   f->mpn_divrem(o.room2, 0, o.room, 2 * o.n, A, o.n)),                                    \
	  ALL)                                                                                     \
	X(mpn_set_str, f->mpn_set_str(o.room2, o.bytes, (size_t)o.n * 8, 10), ALL)

#define ALL ((size_t)-1)
#define A   o.a->_mp_d
#define B   o.b->_mp_d

#define CASE(name, call, most)                                                                     \
	static void run_##name(const struct functions *f)                                          \
	{                                                                                          \
		(void)(call);                                                                      \
	}
CASES(CASE, CASE)

#define ENTRY(name, call, most)	 {#name, run_##name, most, 0},
#define VARIED(name, call, most) {#name, run_##name, most, 1},
const struct test tests[] = {CASES(ENTRY, VARIED)};
const size_t tests_count = sizeof(tests) / sizeof(tests[0]);
