/* SPDX-License-Identifier: MIT */
/* u128_impl.h - the kernel's tables of u128.h, one for each way to compile it, and their reference.
 */
#ifndef TESTS_U128_IMPL_H
#define TESTS_U128_IMPL_H

#include "../../kernel/kunit/u128_ops.h"

extern const struct u128_impl u128_impl_128, u128_impl_128_noasm, u128_impl_64, u128_impl_64_noasm,
	u128_impl_32, u128_impl_32_noasm, u128_impl_reference;

/* Beside the operations of plain words, those of text. */
enum text_op {
	U128_TO_DEC = U128_OP_COUNT,
	U128_TO_HEX,
	U128_FROM_DEC,
	U128_FROM_HEX,
	U128_OPS,
};

typedef void u128_run(struct u128_result *r, const struct u128_args *x);

/* One operation of the 64-bit fallback, with a fault. */
struct u128_fault {
	const char *name;
	int op;
	u128_run *run;
};

extern const struct u128_fault u128_faults[];
extern const size_t u128_faults_count;

/* What the parsers are given for x: the digits of a, then @shift % 4 of b's last ones. */
void u128_parser_text(char text[48], const struct u128_args *x, unsigned int radix);

#endif /* TESTS_U128_IMPL_H */
