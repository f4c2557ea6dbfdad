/* SPDX-License-Identifier: MIT */
/* Parts of test_fixed.c's program. */
#ifndef TESTS_FIXED_KERNELS_H
#define TESTS_FIXED_KERNELS_H

#include "fixed/kernels.h"

#include "places.h"

#include <stdbool.h>
#include <string.h>

#define TRUE (~(cc_word)0)

static inline cc_word mask_of(bool holds)
{
	return holds ? TRUE : 0;
}

static inline bool is_zero(const cc_word *a, size_t n)
{
	while (n && !a[n - 1])
		n--;
	return !n;
}

static inline void set(cc_word *r, cc_word value, size_t n)
{
	memset(r, 0, n * sizeof(*r));
	r[0] = value;
}

/* The check of one kernel: a case, against the reference and the portable tier. */
struct fixed_check {
	const char *function;
	void (*run)(const struct cc_fixed_kernels *k);
};

#define FIXED_CHECKS 6
extern const struct fixed_check fixed_checks[FIXED_CHECKS];

/* fixed_broken.c: kernels with one fault each, every one of which fixed_checks must catch. */
void broken_fixed_kernels(void);

/* fixed_functions.c: functions of fixed.h, in the tier that is now forced. */
void fixed_functions(const char *tier);

/* fixed_basic.c, fixed_products.c, fixed_bytes.c: more of them. */
void fixed_basic(const char *tier);
void fixed_products(const char *tier);
void fixed_bytes(const char *tier);

/* fixed_context.c: the functions of montgomery.h, and powers of any width, in that tier. */
void fixed_context(const char *tier);

/* fixed_number.c: number theory; fixed_prime.c: prime.h, in that tier. */
void fixed_number(const char *tier);
void fixed_prime(const char *tier);

/* fixed_rsa.c: the functions of rsa.h. */
void fixed_rsa(const char *tier);

/* fixed_stack.c: what they all leave on the stack. */
void fixed_stack(const char *tier);

/* fixed_vectors.c: the known answers, in the tier that is now forced. */
void fixed_vectors(const char *tier);

/* Fewer vectors are asked for: the machine is emulated, and wide powers take too long. */
bool fixed_slow(void);

/* r[n] = b^e mod m by squaring and multiplying, bit by bit, with the reference's division */
#define FIXED_REFERENCE_MAX 64
void ref_powmod(cc_word *r, const cc_word *b, const cc_word *e, size_t en, const cc_word *m,
		size_t n);

/*
 * fixed_rsa_lies.c: cc_fz_rsa_private_many() of which the check of that number holds whatever
 * was computed: 1 the first, 2 the second, 0 neither.
 */
extern int fixed_lie;
struct cc_fz_rsa;
int lying_private_many(cc_word *r, const cc_word *x, size_t count, const struct cc_fz_rsa *key,
		       cc_fz_generator *generator, void *state);

#endif /* TESTS_FIXED_KERNELS_H */
