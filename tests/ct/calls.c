// SPDX-License-Identifier: MIT
#include <string.h>

#include "ct.h"

static void add(struct ct_operands *o)
{
	o->q[0] = cc_fz_add(o->r, o->a, o->b, o->n);
}

static void sub(struct ct_operands *o)
{
	o->q[0] = cc_fz_sub(o->r, o->a, o->b, o->n);
}

static void compare(struct ct_operands *o)
{
	o->r[0] =
		cc_fz_is_zero(o->a, o->n) ^ cc_fz_eq(o->a, o->b, o->n) ^ cc_fz_lt(o->a, o->b, o->n);
}

static void choose(struct ct_operands *o)
{
	cc_fz_select(o->r, o->mask, o->a, o->b, o->n);
	cc_fz_cswap(o->mask, o->a, o->b, o->n);
}

static void shift(struct ct_operands *o)
{
	cc_fz_shl(o->r, o->a, o->n, o->count);
	cc_fz_shr(o->q, o->a, o->n, o->count);
}

static void mul(struct ct_operands *o)
{
	cc_fz_mul(o->r, o->a, o->b, o->n);
}

static void sqr(struct ct_operands *o)
{
	cc_fz_sqr(o->r, o->a, o->n);
}

static void divrem(struct ct_operands *o)
{
	cc_fz_divrem(o->q, o->r, o->a, o->n, o->m, o->n);
}

static void divrem_narrow(struct ct_operands *o)
{
	cc_fz_divrem(o->q, o->r, o->a, o->n, o->m, (o->n + 1) / 2);
}

static void mod(struct ct_operands *o)
{
	cc_fz_mod(o->r, o->a, o->n, o->m, o->n);
}

static void mulmod(struct ct_operands *o)
{
	cc_fz_mulmod(o->r, o->a, o->b, o->m, o->n);
	cc_fz_sqrmod(o->q, o->a, o->m, o->n);
}

static void powmod(struct ct_operands *o)
{
	cc_fz_powmod(o->r, o->a, o->b, o->m, o->n);
}

static void powmod_many(struct ct_operands *o)
{
	cc_fz_powmod_many(o->r, o->a, o->b, o->m, o->n, 8);
}

static void gcd(struct ct_operands *o)
{
	cc_fz_gcd(o->r, o->a, o->b, o->n);
}

static void inverse(struct ct_operands *o)
{
	cc_fz_inverse(o->r, o->q, o->a, o->m, o->n);
}

static int factor(void *state, unsigned char *bytes, size_t length)
{
	const struct ct_operands *o = state;

	memset(bytes, 0x5c, length);
	memcpy(bytes, o->b, 2 * o->n * sizeof(*o->b));
	return CC_OK;
}

/* Two primes of n words, or one of them narrower; its numbers are two operands wide. */
static void rsa_private(struct ct_operands *o)
{
	static cc_word memory[CC_FZ_RSA_WORDS(65, 65, 1)];
	const cc_word e = 65537;
	struct cc_fz_rsa key;
	size_t qn = o->n % 2 ? (o->n + 1) / 2 : o->n;

	cc_fz_rsa_init(&key, memory, o->m, o->n, o->m + o->n, qn, &e, 1);
	cc_fz_rsa_private(o->r, o->a, &key, NULL, NULL);
	cc_fz_rsa_private(o->r, o->a, &key, factor, o);
	cc_fz_rsa_public(o->q, o->a, &key);
}

const struct ct_call ct_calls[] = {
	{"add", add, CT_NOTHING, 1},
	{"sub", sub, CT_NOTHING, 1},
	{"is_zero, eq, lt", compare, CT_NOTHING, 1},
	{"select, cswap", choose, CT_NOTHING, 1},
	{"shl, shr", shift, CT_NOTHING, 1},
	{"mul", mul, CT_NOTHING, 1},
	{"sqr", sqr, CT_NOTHING, 1},
	{"divrem", divrem, CT_NOT_ZERO, 1},
	{"divrem by a narrow one", divrem_narrow, CT_NOT_ZERO, 1},
	{"mod", mod, CT_NOT_ZERO, 1},
	{"mulmod, sqrmod", mulmod, CT_NOT_ZERO, 1},
	{"powmod, odd", powmod, CT_ODD, 1},
	{"powmod, even", powmod, CT_EVEN, 1},
	{"powmod_many", powmod_many, CT_ODD, 8},
	{"rsa_private, public", rsa_private, CT_PRIME, 2},
	{"gcd", gcd, CT_NOTHING, 1},
	{"inverse, odd", inverse, CT_ODD, 1},
	{"inverse, even", inverse, CT_EVEN, 1},
};

const size_t ct_calls_count = sizeof(ct_calls) / sizeof(ct_calls[0]);
