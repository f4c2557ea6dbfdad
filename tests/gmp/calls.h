/* SPDX-License-Identifier: MIT */
/*
 * calls.h - the functions of carrychain/gmp.h that GMP's are called beside, by the shape of their
 * arguments.
 *
 * A shape's name has what it returns, and then its arguments: R for a number that is written, z for
 * one that is read, u and l for unsigned long and long.
 */
#ifndef TESTS_GMP_CALLS_H
#define TESTS_GMP_CALLS_H

#include <carrychain/gmp.h>

enum shape {
	V_Rzz,
	V_Rzu,
	V_Ruz,
	V_Rzl,
	V_Rz,
	V_Ru,
	V_Rl,
	V_Ruu,
	V_RRzz,
	V_RRz,
	V_RRu,
	V_RRzu,
	V_Rzzz,
	V_Rzuz,
	V_RRRzz,
	U_Rzu,
	U_RRzu,
	U_Rzz,
	U_zu,
	U_zz,
	U_z,
	L_z,
	I_Rzz,
	I_Rzu,
	I_z,
	I_zu,
	I_zl,
	I_uz,
	I_lz,
	I_zz,
	I_zzz,
	I_zzu,
	I_zuu,
};

/* What a call asks of its arguments, and what of its answer counts. */
enum need {
	NONE = 0,
	/* the last number, or the last unsigned long, is not 0 */
	NOT_0 = 1,
	/* the first that is read is a multiple of the last */
	MULTIPLE = 2,
	/* the last unsigned long counts bits, or is an exponent, or an index: not too large */
	BITS = 4,
	SMALL = 8,
	/* the first that is read is not negative */
	POSITIVE = 16,
	/* the last number is odd, and the exponent not negative */
	SEC = 32,
	/* roots of negative numbers are of odd degree */
	ROOT = 64,
	/* the answer's sign counts, or whether it is 0 */
	SIGN = 128,
	TRUTH = 256,
	/* an exponent that may be negative only where there is an inverse */
	POWER = 512,
	/* the first that is read is often a square, or beside one */
	SQUARE = 1024,
	/* the answer counts only if it is not 0 */
	MAYBE = 2048,
	/* read and not 0, +-1 */
	FACTOR = 4096,
};

/* name, shape, needs, the most words of a number */
#define MPZ_CALLS(CALL)                                                                            \
	CALL(add, V_Rzz, NONE, 400)                                                                \
	CALL(sub, V_Rzz, NONE, 400)                                                                \
	CALL(mul, V_Rzz, NONE, 400)                                                                \
	CALL(addmul, V_Rzz, NONE, 400)                                                             \
	CALL(submul, V_Rzz, NONE, 400)                                                             \
	CALL(add_ui, V_Rzu, NONE, 400)                                                             \
	CALL(sub_ui, V_Rzu, NONE, 400)                                                             \
	CALL(ui_sub, V_Ruz, NONE, 400)                                                             \
	CALL(mul_ui, V_Rzu, NONE, 400)                                                             \
	CALL(mul_si, V_Rzl, NONE, 400)                                                             \
	CALL(addmul_ui, V_Rzu, NONE, 400)                                                          \
	CALL(submul_ui, V_Rzu, NONE, 400)                                                          \
	CALL(mul_2exp, V_Rzu, BITS, 400)                                                           \
	CALL(neg, V_Rz, NONE, 400)                                                                 \
	CALL(abs, V_Rz, NONE, 400)                                                                 \
	CALL(set, V_Rz, NONE, 400)                                                                 \
	CALL(set_ui, V_Ru, NONE, 1)                                                                \
	CALL(set_si, V_Rl, NONE, 1)                                                                \
	CALL(get_ui, U_z, NONE, 10)                                                                \
	CALL(get_si, L_z, NONE, 10)                                                                \
	CALL(cdiv_q, V_Rzz, NOT_0, 400)                                                            \
	CALL(cdiv_r, V_Rzz, NOT_0, 400)                                                            \
	CALL(cdiv_qr, V_RRzz, NOT_0, 400)                                                          \
	CALL(cdiv_q_ui, U_Rzu, NOT_0, 400)                                                         \
	CALL(cdiv_r_ui, U_Rzu, NOT_0, 400)                                                         \
	CALL(cdiv_qr_ui, U_RRzu, NOT_0, 400)                                                       \
	CALL(cdiv_ui, U_zu, NOT_0, 400)                                                            \
	CALL(cdiv_q_2exp, V_Rzu, BITS, 400)                                                        \
	CALL(cdiv_r_2exp, V_Rzu, BITS, 400)                                                        \
	CALL(fdiv_q, V_Rzz, NOT_0, 400)                                                            \
	CALL(fdiv_r, V_Rzz, NOT_0, 400)                                                            \
	CALL(fdiv_qr, V_RRzz, NOT_0, 400)                                                          \
	CALL(fdiv_q_ui, U_Rzu, NOT_0, 400)                                                         \
	CALL(fdiv_r_ui, U_Rzu, NOT_0, 400)                                                         \
	CALL(fdiv_qr_ui, U_RRzu, NOT_0, 400)                                                       \
	CALL(fdiv_ui, U_zu, NOT_0, 400)                                                            \
	CALL(fdiv_q_2exp, V_Rzu, BITS, 400)                                                        \
	CALL(fdiv_r_2exp, V_Rzu, BITS, 400)                                                        \
	CALL(tdiv_q, V_Rzz, NOT_0, 400)                                                            \
	CALL(tdiv_r, V_Rzz, NOT_0, 400)                                                            \
	CALL(tdiv_qr, V_RRzz, NOT_0, 400)                                                          \
	CALL(tdiv_q_ui, U_Rzu, NOT_0, 400)                                                         \
	CALL(tdiv_r_ui, U_Rzu, NOT_0, 400)                                                         \
	CALL(tdiv_qr_ui, U_RRzu, NOT_0, 400)                                                       \
	CALL(tdiv_ui, U_zu, NOT_0, 400)                                                            \
	CALL(tdiv_q_2exp, V_Rzu, BITS, 400)                                                        \
	CALL(tdiv_r_2exp, V_Rzu, BITS, 400)                                                        \
	CALL(mod, V_Rzz, NOT_0, 400)                                                               \
	CALL(divexact, V_Rzz, MULTIPLE | NOT_0, 200)                                               \
	CALL(divexact_ui, V_Rzu, MULTIPLE | NOT_0, 400)                                            \
	CALL(divisible_p, I_zz, MULTIPLE | TRUTH, 200)                                             \
	CALL(divisible_ui_p, I_zu, TRUTH, 400)                                                     \
	CALL(divisible_2exp_p, I_zu, BITS | TRUTH, 400)                                            \
	CALL(congruent_p, I_zzz, TRUTH, 200)                                                       \
	CALL(congruent_ui_p, I_zuu, TRUTH, 400)                                                    \
	CALL(congruent_2exp_p, I_zzu, BITS | TRUTH, 400)                                           \
	CALL(powm, V_Rzzz, POWER, 12)                                                              \
	CALL(powm_ui, V_Rzuz, NOT_0, 20)                                                           \
	CALL(powm_sec, V_Rzzz, SEC, 12)                                                            \
	CALL(pow_ui, V_Rzu, SMALL, 8)                                                              \
	CALL(ui_pow_ui, V_Ruu, SMALL, 1)                                                           \
	CALL(root, I_Rzu, ROOT | TRUTH, 100)                                                       \
	CALL(rootrem, V_RRzu, ROOT, 100)                                                           \
	CALL(sqrt, V_Rz, POSITIVE | SQUARE, 400)                                                   \
	CALL(sqrtrem, V_RRz, POSITIVE | SQUARE, 400)                                               \
	CALL(perfect_square_p, I_z, TRUTH | SQUARE, 100)                                           \
	CALL(perfect_power_p, I_z, TRUTH, 10)                                                      \
	CALL(nextprime, V_Rz, NONE, 3)                                                             \
	CALL(gcd, V_Rzz, NONE, 400)                                                                \
	CALL(gcd_ui, U_Rzu, NONE, 100)                                                             \
	CALL(gcdext, V_RRRzz, NONE, 300)                                                           \
	CALL(lcm, V_Rzz, NONE, 200)                                                                \
	CALL(lcm_ui, V_Rzu, NONE, 200)                                                             \
	CALL(invert, I_Rzz, NOT_0 | TRUTH | MAYBE, 200)                                            \
	CALL(jacobi, I_zz, NONE, 100)                                                              \
	CALL(kronecker_si, I_zl, NONE, 100)                                                        \
	CALL(kronecker_ui, I_zu, NONE, 100)                                                        \
	CALL(si_kronecker, I_lz, NONE, 100)                                                        \
	CALL(ui_kronecker, I_uz, NONE, 100)                                                        \
	CALL(remove, U_Rzz, FACTOR | MULTIPLE, 40)                                                 \
	CALL(fac_ui, V_Ru, SMALL, 1)                                                               \
	CALL(2fac_ui, V_Ru, SMALL, 1)                                                              \
	CALL(mfac_uiui, V_Ruu, SMALL | NOT_0, 1)                                                   \
	CALL(primorial_ui, V_Ru, SMALL, 1)                                                         \
	CALL(bin_ui, V_Rzu, SMALL, 3)                                                              \
	CALL(bin_uiui, V_Ruu, SMALL, 1)                                                            \
	CALL(fib_ui, V_Ru, SMALL, 1)                                                               \
	CALL(fib2_ui, V_RRu, SMALL, 1)                                                             \
	CALL(lucnum_ui, V_Ru, SMALL, 1)                                                            \
	CALL(lucnum2_ui, V_RRu, SMALL, 1)                                                          \
	CALL(cmp, I_zz, SIGN, 100)                                                                 \
	CALL(cmp_si, I_zl, SIGN, 2)                                                                \
	CALL(cmp_ui, I_zu, SIGN, 2)                                                                \
	CALL(cmpabs, I_zz, SIGN, 100)                                                              \
	CALL(cmpabs_ui, I_zu, SIGN, 2)                                                             \
	CALL(and, V_Rzz, NONE, 400)                                                                \
	CALL(ior, V_Rzz, NONE, 400)                                                                \
	CALL(xor, V_Rzz, NONE, 400)                                                                \
	CALL(com, V_Rz, NONE, 400)                                                                 \
	CALL(popcount, U_z, NONE, 100)                                                             \
	CALL(hamdist, U_zz, NONE, 100)                                                             \
	CALL(scan0, U_zu, BITS, 100)                                                               \
	CALL(scan1, U_zu, BITS, 100)                                                               \
	CALL(tstbit, I_zu, BITS, 100)                                                              \
	CALL(fits_ulong_p, I_z, TRUTH, 2)                                                          \
	CALL(fits_slong_p, I_z, TRUTH, 2)                                                          \
	CALL(fits_uint_p, I_z, TRUTH, 2)                                                           \
	CALL(fits_sint_p, I_z, TRUTH, 2)                                                           \
	CALL(fits_ushort_p, I_z, TRUTH, 2)                                                         \
	CALL(fits_sshort_p, I_z, TRUTH, 2)

typedef void any_function(void);

struct call {
	const char *name;
	any_function *ours, *theirs;
	enum shape shape;
	int needs;
	size_t most;
};

extern const struct call mpz_calls[];
extern const size_t mpz_calls_count;

#endif /* TESTS_GMP_CALLS_H */
