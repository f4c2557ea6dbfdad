/* SPDX-License-Identifier: MIT */
/*
 * mpn.h - GMP's functions by name, thrice: ours, those that the program gets when ours stand in the
 * way of GMP's, and GMP's own, in a namespace of its own, where nothing stands in its way.
 */
#ifndef TESTS_GMP_MPN_H
#define TESTS_GMP_MPN_H

#include "../../gmp/mpn.h"
#include "../c/harness.h"

#include <string.h>

/* Result, name, arguments. */
#define FUNCTIONS(X)                                                                               \
	X(cc_word, add_n, (cc_word *, const cc_word *, const cc_word *, cc_mpn_size))              \
	X(cc_word, add_1, (cc_word *, const cc_word *, cc_mpn_size, cc_word))                      \
	X(cc_word, add, (cc_word *, const cc_word *, cc_mpn_size, const cc_word *, cc_mpn_size))   \
	X(cc_word, sub_n, (cc_word *, const cc_word *, const cc_word *, cc_mpn_size))              \
	X(cc_word, sub_1, (cc_word *, const cc_word *, cc_mpn_size, cc_word))                      \
	X(cc_word, sub, (cc_word *, const cc_word *, cc_mpn_size, const cc_word *, cc_mpn_size))   \
	X(cc_word, neg, (cc_word *, const cc_word *, cc_mpn_size))                                 \
	X(int, cmp, (const cc_word *, const cc_word *, cc_mpn_size))                               \
	X(int, zero_p, (const cc_word *, cc_mpn_size))                                             \
	X(cc_word, lshift, (cc_word *, const cc_word *, cc_mpn_size, unsigned int))                \
	X(cc_word, rshift, (cc_word *, const cc_word *, cc_mpn_size, unsigned int))                \
	X(void, copyi, (cc_word *, const cc_word *, cc_mpn_size))                                  \
	X(void, copyd, (cc_word *, const cc_word *, cc_mpn_size))                                  \
	X(void, zero, (cc_word *, cc_mpn_size))                                                    \
	X(void, com, (cc_word *, const cc_word *, cc_mpn_size))                                    \
	X(void, and_n, (cc_word *, const cc_word *, const cc_word *, cc_mpn_size))                 \
	X(void, andn_n, (cc_word *, const cc_word *, const cc_word *, cc_mpn_size))                \
	X(void, nand_n, (cc_word *, const cc_word *, const cc_word *, cc_mpn_size))                \
	X(void, ior_n, (cc_word *, const cc_word *, const cc_word *, cc_mpn_size))                 \
	X(void, iorn_n, (cc_word *, const cc_word *, const cc_word *, cc_mpn_size))                \
	X(void, nior_n, (cc_word *, const cc_word *, const cc_word *, cc_mpn_size))                \
	X(void, xor_n, (cc_word *, const cc_word *, const cc_word *, cc_mpn_size))                 \
	X(void, xnor_n, (cc_word *, const cc_word *, const cc_word *, cc_mpn_size))                \
	X(cc_mpn_bits, popcount, (const cc_word *, cc_mpn_size))                                   \
	X(cc_mpn_bits, hamdist, (const cc_word *, const cc_word *, cc_mpn_size))                   \
	X(cc_mpn_bits, scan0, (const cc_word *, cc_mpn_bits))                                      \
	X(cc_mpn_bits, scan1, (const cc_word *, cc_mpn_bits))                                      \
	X(void, random, (cc_word *, cc_mpn_size))                                                  \
	X(void, random2, (cc_word *, cc_mpn_size))                                                 \
	X(cc_word, mul_1, (cc_word *, const cc_word *, cc_mpn_size, cc_word))                      \
	X(cc_word, addmul_1, (cc_word *, const cc_word *, cc_mpn_size, cc_word))                   \
	X(cc_word, submul_1, (cc_word *, const cc_word *, cc_mpn_size, cc_word))                   \
	X(cc_word, mul, (cc_word *, const cc_word *, cc_mpn_size, const cc_word *, cc_mpn_size))   \
	X(void, mul_n, (cc_word *, const cc_word *, const cc_word *, cc_mpn_size))                 \
	X(void, sqr, (cc_word *, const cc_word *, cc_mpn_size))                                    \
	X(void, tdiv_qr,                                                                           \
	  (cc_word *, cc_word *, cc_mpn_size, const cc_word *, cc_mpn_size, const cc_word *,       \
	   cc_mpn_size))                                                                           \
	X(cc_word, divrem,                                                                         \
	  (cc_word *, cc_mpn_size, cc_word *, cc_mpn_size, const cc_word *, cc_mpn_size))          \
	X(cc_word, divrem_1, (cc_word *, cc_mpn_size, const cc_word *, cc_mpn_size, cc_word))      \
	X(cc_word, mod_1, (const cc_word *, cc_mpn_size, cc_word))                                 \
	X(void, divexact_1, (cc_word *, const cc_word *, cc_mpn_size, cc_word))                    \
	X(cc_word, divexact_by3c, (cc_word *, const cc_word *, cc_mpn_size, cc_word))              \
	X(cc_mpn_size, gcd, (cc_word *, cc_word *, cc_mpn_size, cc_word *, cc_mpn_size))           \
	X(cc_word, gcd_1, (const cc_word *, cc_mpn_size, cc_word))                                 \
	X(cc_mpn_size, gcdext,                                                                     \
	  (cc_word *, cc_word *, cc_mpn_size *, cc_word *, cc_mpn_size, cc_word *, cc_mpn_size))   \
	X(cc_mpn_size, sqrtrem, (cc_word *, cc_word *, const cc_word *, cc_mpn_size))              \
	X(int, perfect_square_p, (const cc_word *, cc_mpn_size))                                   \
	X(int, perfect_power_p, (const cc_word *, cc_mpn_size))                                    \
	X(size_t, sizeinbase, (const cc_word *, cc_mpn_size, int))                                 \
	X(size_t, get_str, (unsigned char *, int, cc_word *, cc_mpn_size))                         \
	X(cc_mpn_size, set_str, (cc_word *, const unsigned char *, size_t, int))                   \
	X(cc_word, cnd_add_n, (cc_word, cc_word *, const cc_word *, const cc_word *, cc_mpn_size)) \
	X(cc_word, cnd_sub_n, (cc_word, cc_word *, const cc_word *, const cc_word *, cc_mpn_size)) \
	X(void, cnd_swap, (cc_word, volatile cc_word *, volatile cc_word *, cc_mpn_size))          \
	X(cc_word, sec_add_1, (cc_word *, const cc_word *, cc_mpn_size, cc_word, cc_word *))       \
	X(cc_word, sec_sub_1, (cc_word *, const cc_word *, cc_mpn_size, cc_word, cc_word *))       \
	X(void, sec_mul,                                                                           \
	  (cc_word *, const cc_word *, cc_mpn_size, const cc_word *, cc_mpn_size, cc_word *))      \
	X(void, sec_sqr, (cc_word *, const cc_word *, cc_mpn_size, cc_word *))                     \
	X(void, sec_powm,                                                                          \
	  (cc_word *, const cc_word *, cc_mpn_size, const cc_word *, cc_mpn_bits, const cc_word *, \
	   cc_mpn_size, cc_word *))                                                                \
	X(void, sec_tabselect,                                                                     \
	  (volatile cc_word *, volatile const cc_word *, cc_mpn_size, cc_mpn_size, cc_mpn_size))   \
	X(cc_word, sec_div_qr,                                                                     \
	  (cc_word *, cc_word *, cc_mpn_size, const cc_word *, cc_mpn_size, cc_word *))            \
	X(void, sec_div_r, (cc_word *, cc_mpn_size, const cc_word *, cc_mpn_size, cc_word *))      \
	X(int, sec_invert,                                                                         \
	  (cc_word *, cc_word *, const cc_word *, cc_mpn_size, cc_mpn_bits, cc_word *))            \
	X(cc_mpn_size, sec_add_1_itch, (cc_mpn_size))                                              \
	X(cc_mpn_size, sec_sub_1_itch, (cc_mpn_size))                                              \
	X(cc_mpn_size, sec_mul_itch, (cc_mpn_size, cc_mpn_size))                                   \
	X(cc_mpn_size, sec_sqr_itch, (cc_mpn_size))                                                \
	X(cc_mpn_size, sec_powm_itch, (cc_mpn_size, cc_mpn_bits, cc_mpn_size))                     \
	X(cc_mpn_size, sec_div_qr_itch, (cc_mpn_size, cc_mpn_size))                                \
	X(cc_mpn_size, sec_div_r_itch, (cc_mpn_size, cc_mpn_size))                                 \
	X(cc_mpn_size, sec_invert_itch, (cc_mpn_size))                                             \
	X(void, div_q,                                                                             \
	  (cc_word *, const cc_word *, cc_mpn_size, const cc_word *, cc_mpn_size, cc_word *))      \
	X(void, powm,                                                                              \
	  (cc_word *, const cc_word *, cc_mpn_size, const cc_word *, cc_mpn_size, const cc_word *, \
	   cc_mpn_size, cc_word *))

#define MEMBER(result, name, arguments) result(*name) arguments;
struct mpn {
	const char *door;
	FUNCTIONS(MEMBER)
};
#undef MEMBER

/* What is called now, and what it is compared with. */
extern struct mpn ours, theirs;

/*
 * Two copies of the same words: our function works in one, GMP's in the other.  same() compares
 * them whole, so nothing may be undefined, and nothing beside the results is written.
 */
#define ARENA 16384
extern cc_word mine[ARENA], its[ARENA];

/* Random words in both. */
void fill(size_t words);
void same(const char *what, size_t words);
/* From @least: mostly small, sometimes up to @most. */
size_t a_size(size_t least, size_t most);
/* A size as a_size() draws, or one near @threshold. */
size_t near(size_t threshold, size_t most);
/* Both calls; the results must be equal. */
#define BOTH(what, name, ...)                                                                      \
	do {                                                                                       \
		arena = mine;                                                                      \
		result = (cc_u64)ours.name(__VA_ARGS__);                                           \
		arena = its;                                                                       \
		its_result = (cc_u64)theirs.name(__VA_ARGS__);                                     \
		CHECK(result == its_result, what ": another result than GMP's");                   \
	} while (0)
#define BOTH_VOID(name, ...)                                                                       \
	do {                                                                                       \
		arena = mine;                                                                      \
		ours.name(__VA_ARGS__);                                                            \
		arena = its;                                                                       \
		theirs.name(__VA_ARGS__);                                                          \
	} while (0)
extern cc_word *arena;
extern cc_u64 result, its_result;

struct check {
	const char *name;
	void (*run)(void);
	size_t times;
};

struct checks {
	const struct check *checks;
	size_t count;
};
extern const struct checks sums, bits, products, quotients, divisors, digits, constant_time;

#endif /* TESTS_GMP_MPN_H */
