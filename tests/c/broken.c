// SPDX-License-Identifier: MIT
/*
 * Kernels with one fault each.  A harness that lets one of them pass is itself broken.
 */
#include "limbs_kernels.h"

#include "harness.h"

#include <string.h>

#define SOUND cc_limbs_generic

/* The carry out of the last word is lost. */
static cc_word add_drops_carry(cc_word *r, const cc_word *a, const cc_word *b, size_t n)
{
	SOUND.add(r, a, b, n);
	return 0;
}

/* A carry dies where an unrolled loop of four meets its tail. */
static cc_word add_wrong_tail(cc_word *r, const cc_word *a, const cc_word *b, size_t n)
{
	size_t whole = n % 4 == 3 ? n - 3 : n;
	cc_word carry = SOUND.add(r, a, b, whole);

	return whole == n ? carry : SOUND.add(r + whole, a + whole, b + whole, n - whole);
}

/* The carry travels through at most 16 words. */
static cc_word add_short_carry(cc_word *r, const cc_word *a, const cc_word *b, size_t n)
{
	cc_word carry = 0;
	size_t i, travelled = 0;

	for (i = 0; i < n; i++) {
		r[i] = cc_word_add(a[i], b[i], &carry);
		travelled = carry ? travelled + 1 : 0;
		if (travelled > 16)
			carry = 0;
	}
	return carry;
}

/* Zeroes the result first: it may be an operand. */
static cc_word sub_clears_first(cc_word *r, const cc_word *a, const cc_word *b, size_t n)
{
	memset(r, 0, n * sizeof(*r));
	return SOUND.sub(r, a, b, n);
}

static cc_word sub_writes_past(cc_word *r, const cc_word *a, const cc_word *b, size_t n)
{
	cc_word borrow = SOUND.sub(r, a, b, n);

	*(volatile cc_word *)(r + n) = 0;
	return borrow;
}

static cc_word mul_1_reads_before(cc_word *r, const cc_word *a, size_t n, cc_word w)
{
	(void)*(const volatile cc_word *)(a - 1);
	return SOUND.mul_1(r, a, n, w);
}

static cc_word mul_1_reads_past(cc_word *r, const cc_word *a, size_t n, cc_word w)
{
	(void)*(const volatile cc_word *)(a + n);
	return SOUND.mul_1(r, a, n, w);
}

static bool all_ones(const cc_word *a, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (~a[i])
			return false;
	return n > 0;
}

static cc_word addmul_1_wrong_on_ones(cc_word *r, const cc_word *a, size_t n, cc_word w)
{
	bool wrong = all_ones(a, n) && !~w;
	cc_word above = SOUND.addmul_1(r, a, n, w);

	return above - wrong;
}

/* Writes back to the operand, with the right value in all but one case. */
static cc_word submul_1_spoils_operand(cc_word *r, const cc_word *a, size_t n, cc_word w)
{
	cc_word above = SOUND.submul_1(r, a, n, w);

	if (n > 3 && r != a)
		((cc_word *)a)[n / 2] ^= 1;
	return above;
}

/* From the bottom up, though the result may lie above the operand. */
static cc_word lshift_ignores_overlap(cc_word *r, const cc_word *a, size_t n, unsigned int count)
{
	cc_word below = 0;
	size_t i;

	if (!count)
		return SOUND.lshift(r, a, n, count);
	for (i = 0; i < n; i++) {
		cc_word w = a[i];

		r[i] = (w << count) | below;
		below = w >> (CC_WORD_BITS - count);
	}
	return below;
}

/* Only the distance that is its own block. */
static cc_word rshift_ignores_overlap(cc_word *r, const cc_word *a, size_t n, unsigned int count)
{
	cc_word out;

	if (r + 4 != a || n < 8)
		return SOUND.rshift(r, a, n, count);
	out = SOUND.rshift(r + 4, a + 4, n - 4, count);
	out = SOUND.rshift(r, a, 4, count);
	if (count)
		r[3] |= a[4] << (CC_WORD_BITS - count);
	return out;
}

static cc_word rshift_by_0(cc_word *r, const cc_word *a, size_t n, unsigned int count)
{
	cc_word out = SOUND.rshift(r, a, n, count);

	return count || !n ? out : a[0];
}

/* Takes b as long as a. */
static void mul_basecase_square_only(cc_word *r, const cc_word *a, size_t an, const cc_word *b,
				     size_t bn)
{
	SOUND.mul_basecase(r, a, an, b, an == bn + 7 ? bn - 1 : bn);
}

static void mul_basecase_writes_before(cc_word *r, const cc_word *a, size_t an, const cc_word *b,
				       size_t bn)
{
	*(volatile cc_word *)(r - 1) = 0;
	SOUND.mul_basecase(r, a, an, b, bn);
}

/* Of one short length, beyond the lengths of which there are all pairs. */
static void mul_basecase_long_by_five(cc_word *r, const cc_word *a, size_t an, const cc_word *b,
				      size_t bn)
{
	SOUND.mul_basecase(r, a, an, b, bn);
	if (bn == 5 && an == 77)
		r[26] ^= 1;
}

/* One carry, at one place, for operands that are nearly all ones. */
static void sqr_basecase_drops_carry(cc_word *r, const cc_word *a, size_t n)
{
	SOUND.sqr_basecase(r, a, n);
	if (n > 8 && !~a[n - 1] && !~a[n - 2] && !~a[0])
		r[n]--;
}

/* Where the few words end. */
static void mul_few_of_five(cc_word *r, const cc_word *a, size_t an, const cc_word *b, size_t bn)
{
	SOUND.mul_few(r, a, an, b, bn);
	if (bn == CC_FEW - 1 && an > 64)
		r[an + bn - 1] = 0;
}

static void sqr_few_of_six(cc_word *r, const cc_word *a, size_t n)
{
	SOUND.sqr_few(r, a, n);
	if (n == CC_FEW - 1 && !~a[n - 1])
		r[n]--;
}

#if CHECKED_CALL
/* broken_x86_64.S: each does its damage, then what the kernel is to do. */
cc_word broken_rbx(cc_word *r, const cc_word *a, const cc_word *b, size_t n);
cc_word broken_r15(cc_word *r, const cc_word *a, const cc_word *b, size_t n);
cc_word broken_rbp(cc_word *r, const cc_word *a, const cc_word *b, size_t n);
cc_word broken_rsp(cc_word *r, const cc_word *a, const cc_word *b, size_t n);
cc_word broken_stack(cc_word *r, const cc_word *a, const cc_word *b, size_t n);
cc_word broken_direction(cc_word *r, const cc_word *a, const cc_word *b, size_t n);
cc_word broken_carry_in(cc_word *r, const cc_word *a, const cc_word *b, size_t n);
cc_word broken_count(cc_word *r, const cc_word *a, size_t n, unsigned int count);
cc_word broken_sound(cc_word *r, const cc_word *a, const cc_word *b, size_t n);

/* Where broken_x86_64.S goes on. */
cc_word broken_add(cc_word *r, const cc_word *a, const cc_word *b, size_t n);
cc_word broken_add(cc_word *r, const cc_word *a, const cc_word *b, size_t n)
{
	return SOUND.add(r, a, b, n);
}

cc_word broken_lshift(cc_word *r, const cc_word *a, size_t n, unsigned int count);
cc_word broken_lshift(cc_word *r, const cc_word *a, size_t n, unsigned int count)
{
	return SOUND.lshift(r, a, n, count);
}
#endif

struct broken {
	const char *name;
	bool caught;
	const char *function;
	struct cc_limbs_kernels kernels;
};

static void run(const void *context)
{
	const struct broken *broken = context;
	struct cc_limbs_kernels k = SOUND;
	size_t i;

	k.tier = "broken";
#define REPLACE(kernel) k.kernel = broken->kernels.kernel ? broken->kernels.kernel : k.kernel
	REPLACE(add);
	REPLACE(sub);
	REPLACE(mul_1);
	REPLACE(addmul_1);
	REPLACE(submul_1);
	REPLACE(lshift);
	REPLACE(rshift);
	REPLACE(mul_basecase);
	REPLACE(sqr_basecase);
	REPLACE(mul_few);
	REPLACE(sqr_few);
#undef REPLACE
	for (i = 0; i < KERNEL_CHECKS; i++)
		if (!strcmp(kernel_checks[i].function, broken->function))
			kernel_checks[i].run(&k);
}

void broken_kernels(void)
{
#define BROKEN(kernel, fault)                                                                      \
	{                                                                                          \
#fault, true, #kernel,                                                             \
		{                                                                                  \
			.kernel = (fault)                                                          \
		}                                                                                  \
	}
	static const struct broken broken[] = {
		BROKEN(add, add_drops_carry),
		BROKEN(add, add_wrong_tail),
		BROKEN(add, add_short_carry),
		BROKEN(sub, sub_clears_first),
		BROKEN(sub, sub_writes_past),
		BROKEN(mul_1, mul_1_reads_before),
		BROKEN(mul_1, mul_1_reads_past),
		BROKEN(addmul_1, addmul_1_wrong_on_ones),
		BROKEN(submul_1, submul_1_spoils_operand),
		BROKEN(lshift, lshift_ignores_overlap),
		BROKEN(rshift, rshift_ignores_overlap),
		BROKEN(rshift, rshift_by_0),
		BROKEN(mul_basecase, mul_basecase_square_only),
		BROKEN(mul_basecase, mul_basecase_writes_before),
		BROKEN(mul_basecase, mul_basecase_long_by_five),
		BROKEN(sqr_basecase, sqr_basecase_drops_carry),
		BROKEN(mul_few, mul_few_of_five),
		BROKEN(sqr_few, sqr_few_of_six),
#if CHECKED_CALL
		BROKEN(add, broken_rbx),
		BROKEN(add, broken_r15),
		BROKEN(add, broken_rbp),
		BROKEN(add, broken_rsp),
		BROKEN(add, broken_stack),
		BROKEN(add, broken_direction),
		BROKEN(add, broken_carry_in),
		BROKEN(lshift, broken_count),
		/* the way there is no fault of its own */
		{"broken_sound", false, "add", {.add = broken_sound}},
#endif
		{"sound add", false, "add", {.tier = NULL}},
		{"sound lshift", false, "lshift", {.tier = NULL}},
		{"sound sqr_basecase", false, "sqr_basecase", {.tier = NULL}},
	};
	size_t i;

	for (i = 0; i < COUNT(broken); i++)
		test_control(broken[i].name, broken[i].caught, run, &broken[i]);
}
