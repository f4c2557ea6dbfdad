/* SPDX-License-Identifier: MIT */
/*
 * u128_impl.h - u128.h as a table of functions, one table for each way to compile it.
 *
 * Every function of the header has one operation here: plain words in, plain words out,
 * so that tables from translation units that disagree on cc_u128 can be compared.
 */
#ifndef TESTS_U128_IMPL_H
#define TESTS_U128_IMPL_H

#include <stddef.h>
#include <stdint.h>

/* a = a1 : a0, b = b1 : b0 */
struct u128_args {
	uint64_t a1, a0, b1, b0;
	unsigned int shift;
};

/* A value is two words, high first: the result, and the remainder if there is one. */
struct u128_result {
	uint64_t w[4];
};

typedef void u128_run(struct u128_result *r, const struct u128_args *x);

/* The second argument: how many bits of b are a divisor, 0 if none is. */
#define U128_OPS(OP)                                                                               \
	OP(u128_store, 0)                                                                          \
	OP(u128_load, 0)                                                                           \
	OP(u128_views, 0)                                                                          \
	OP(u128_et, 0)                                                                             \
	OP(u128_gt, 0)                                                                             \
	OP(u128_get, 0)                                                                            \
	OP(u128_lt, 0)                                                                             \
	OP(u128_let, 0)                                                                            \
	OP(add_u128_u64, 0)                                                                        \
	OP(add_u128_u128, 0)                                                                       \
	OP(sub_u128_u64, 0)                                                                        \
	OP(sub_u128_u128, 0)                                                                       \
	OP(u128_shl, 0)                                                                            \
	OP(u128_shr, 0)                                                                            \
	OP(mul_half_u128_u64, 0)                                                                   \
	OP(mul_u128_u32, 0)                                                                        \
	OP(mul_u128_u64, 0)                                                                        \
	OP(mul_u128_u128, 0)                                                                       \
	OP(mul_u128_u32_shr, 0)                                                                    \
	OP(mul_u128_u32_shr_fb, 0)                                                                 \
	OP(mul_u128_u64_shr, 0)                                                                    \
	OP(mul_u128_u64_shr_fb, 0)                                                                 \
	OP(mul_u128_u128_shr, 0)                                                                   \
	OP(div_u128_u32_rem, 32)                                                                   \
	OP(div_u128_u32, 32)                                                                       \
	OP(div_u128_u64_rem, 64)                                                                   \
	OP(div_u128_u64, 64)                                                                       \
	OP(div_u128_u128, 128)                                                                     \
	OP(div_u96_u96, 128)                                                                       \
	OP(div_u128_u96, 128)                                                                      \
	OP(div_u128_rem, 128)                                                                      \
	OP(div_u128, 128)                                                                          \
	OP(mul_u64_u64_div_u64, 64)                                                                \
	OP(mul_u64_add_u64_div_u64, 64)                                                            \
	OP(mul_u64_u64_div_u64_roundup, 64)                                                        \
	OP(u128_to_dec, 0)                                                                         \
	OP(u128_to_hex, 0)                                                                         \
	OP(u128_from_dec, 0)                                                                       \
	OP(u128_from_hex, 0)

#define U128_OP_NUMBER(name, divisor) U128_OP_##name,
enum u128_op { U128_OPS(U128_OP_NUMBER) U128_OP_COUNT };

struct u128_impl {
	const char *name;
	u128_run *run[U128_OP_COUNT]; /* all NULL if this compiler has no such type */
	/* u128_from_dec (radix 10) or _hex (16), on *high : *low */
	int (*parse)(uint64_t *high, uint64_t *low, const char *s, size_t length, int radix);
};

extern const struct u128_impl u128_impl_128, u128_impl_128_noasm, u128_impl_64, u128_impl_64_noasm,
	u128_impl_32, u128_impl_32_noasm, u128_impl_reference;

/* One operation of the 64-bit fallback, with a fault. */
struct u128_fault {
	const char *name;
	enum u128_op op;
	u128_run *run;
};

extern const struct u128_fault u128_faults[];
extern const size_t u128_faults_count;

/* What the formatters are expected to print: digits and a NUL. */
void u128_reference_text(char text[48], uint64_t high, uint64_t low, unsigned int radix);
/* What the parsers are given for x: the digits of a, then @shift % 4 of b's last ones. */
void u128_parser_text(char text[48], const struct u128_args *x, unsigned int radix);
/* Makes a text a result: its length, and a hash of its characters. */
void u128_text_result(struct u128_result *r, const char *text, size_t length);

#endif /* TESTS_U128_IMPL_H */
