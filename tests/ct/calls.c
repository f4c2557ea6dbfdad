// SPDX-License-Identifier: MIT
#include "ct.h"

#include <string.h>

#define CALL(name, ...)                                                                            \
	static void name(struct ct_operands *o)                                                    \
	{                                                                                          \
		__VA_ARGS__;                                                                       \
	}

CALL(add, o->q[0] = cc_fz_add(o->r, o->a, o->b, o->n))
CALL(sub, o->q[0] = cc_fz_sub(o->r, o->a, o->b, o->n))

static void sums_if(struct ct_operands *o)
{
	o->q[0] = cc_fz_add_if(o->r, o->mask, o->a, o->b, o->n);
	o->q[1] = cc_fz_sub_if(o->r, o->mask, o->r, o->b, o->n);
	cc_fz_negate(o->r, o->mask, o->a, o->n);
	cc_fz_copy_if(o->r, o->mask, o->b, o->n);
}

static void modular(struct ct_operands *o)
{
	cc_fz_addmod(o->r, o->a, o->b, o->m, o->n);
	cc_fz_submod(o->r, o->r, o->b, o->m, o->n);
	cc_fz_negmod(o->r, o->r, o->m, o->n);
	cc_fz_halfmod(o->r, o->r, o->m, o->n);
}

static void words(struct ct_operands *o)
{
	cc_word *above = o->q;

	above[0] = cc_fz_add_word(o->r, o->a, o->n, o->b[0]);
	above[1] = cc_fz_sub_word(o->r, o->a, o->n, o->b[0]);
	above[0] += cc_fz_mul_word(o->r, o->a, o->n, o->b[0]);
	above[1] += cc_fz_addmul_word(o->r, o->a, o->n, o->b[0]);
	above[0] += cc_fz_submul_word(o->r, o->a, o->n, o->b[0]);
}

CALL(div_word, cc_fz_div_word(o->q, o->r, o->a, o->n, o->m[(o->n - 1) / 2]))

static void counts(struct ct_operands *o)
{
	o->r[0] = cc_fz_bits(o->a, o->n) ^ cc_fz_trailing_zeros(o->a, o->n);
	o->r[1] = (cc_word)cc_fz_cmp(o->a, o->b, o->n);
	cc_fz_wipe(o->r, o->n);
}

/* Of single words, then of one that is wide. */
CALL(table_select, cc_fz_table_select(o->r, o->a, o->n, 1, o->count),
     cc_fz_table_select(o->r, o->a, 1, o->n, o->count))

static void mul_unequal(struct ct_operands *o)
{
	size_t narrow = (5 * o->n + 7) / 8;

	cc_fz_mul_unequal(o->r, o->a, o->n, o->b, narrow);
	cc_fz_mul_unequal(o->r, o->a, 1, o->b, o->n);
}

CALL(halves, cc_fz_mul_low(o->r, o->a, o->b, o->n), cc_fz_mul_high(o->r, o->a, o->b, o->n))

static void bytes(struct ct_operands *o)
{
	size_t length = o->n * sizeof(cc_word);

	cc_fz_from_bytes(o->r, o->n, o->a, length - 1, 0);
	cc_fz_from_bytes(o->r, o->n, o->a, length - 1, CC_BIG_ENDIAN);
	cc_fz_to_bytes(o->r, length + 1, o->a, o->n, 0);
	cc_fz_to_bytes(o->r, length + 1, o->a, o->n, CC_BIG_ENDIAN);
	o->q[0] = cc_fz_from_bytes_below(o->r, o->m, o->n, o->a, length, 0);
	o->q[1] = cc_fz_from_bytes_below(o->r, o->m, (o->n + 1) / 2, o->a, length, CC_BIG_ENDIAN);
}

/* The numbers a, again and again, with a 0 for their top bit. */
static int generate(void *state, unsigned char *bytes, size_t length)
{
	const struct ct_operands *o = state;
	size_t have = o->n * sizeof(cc_word), at;

	for (at = 0; at < length; at += have)
		memcpy(bytes + at, o->a, length - at < have ? length - at : have);
	bytes[length - 1] &= 0x7f;
	return CC_OK;
}

CALL(random_wide, cc_fz_random_bits(o->r, o->n, o->n *CC_WORD_BITS - 3, generate, o),
     cc_fz_random_wide(o->r, o->m, o->n, generate, o))
CALL(random_below, cc_fz_random_below(o->r, o->m, o->n, generate, o))
CALL(compare,
     o->r[0] = cc_fz_is_zero(o->a, o->n) ^ cc_fz_eq(o->a, o->b, o->n) ^ cc_fz_lt(o->a, o->b, o->n))
CALL(choose, cc_fz_select(o->r, o->mask, o->a, o->b, o->n), cc_fz_cswap(o->mask, o->a, o->b, o->n))
CALL(shift, cc_fz_shl(o->r, o->a, o->n, o->count), cc_fz_shr(o->q, o->a, o->n, o->count))
CALL(mul, cc_fz_mul(o->r, o->a, o->b, o->n))
CALL(sqr, cc_fz_sqr(o->r, o->a, o->n))
CALL(divrem, cc_fz_divrem(o->q, o->r, o->a, o->n, o->m, o->n))
CALL(divrem_narrow, cc_fz_divrem(o->q, o->r, o->a, o->n, o->m, (o->n + 1) / 2))
CALL(mod, cc_fz_mod(o->r, o->a, o->n, o->m, o->n))
CALL(mulmod, cc_fz_mulmod(o->r, o->a, o->b, o->m, o->n), cc_fz_sqrmod(o->q, o->a, o->m, o->n))
CALL(powmod, cc_fz_powmod(o->r, o->a, o->b, o->m, o->n))
CALL(powmod_many, cc_fz_powmod_many(o->r, o->a, o->b, o->m, o->n, 8))
CALL(powmod_short, cc_fz_powmod_bits(o->r, o->a, o->b, o->n *CC_WORD_BITS - 3, o->m, o->n))

static void powmod_public(struct ct_operands *o)
{
	static const cc_word e[] = {0x10001};

	cc_fz_powmod_public(o->r, o->a, e, 1, o->m, o->n);
}

static cc_word context_memory[CC_FZ_MONT_WORDS(CC_FZ_MAX)];

static void context(struct ct_operands *o)
{
	struct cc_fz_mont M;

	cc_fz_mont_init(&M, context_memory, o->m, o->n);
	cc_fz_mont_to(o->r, o->a, &M);
	cc_fz_mont_to(o->q, o->b, &M);
	cc_fz_mont_mul(o->r, o->r, o->q, &M);
	cc_fz_mont_sqr(o->r, o->r, &M);
	cc_fz_mont_inverse(o->r, o->q, o->r, &M);
	cc_fz_mont_from(o->r, o->r, &M);
}

static void context_powers(struct ct_operands *o)
{
	static const cc_word e[] = {0x10001};
	struct cc_fz_mont M;

	cc_fz_mont_init(&M, context_memory, o->m, o->n);
	cc_fz_mont_powmod(o->r, o->a, o->b, o->n * CC_WORD_BITS - 3, &M);
	cc_fz_mont_pow(o->r, o->r, o->b, o->n * CC_WORD_BITS - 3, &M);
	cc_fz_mont_pow_public(o->r, o->r, e, 1, &M);
	cc_fz_mont_powmod_public(o->r, o->r, e, 1, &M);
}

static void context_many(struct ct_operands *o)
{
	struct cc_fz_mont M;

	cc_fz_mont_init(&M, context_memory, o->m, o->n);
	cc_fz_mont_powmod_many(o->r, o->a, o->b, CC_WORD_BITS - 3, &M, 8);
}

CALL(gcd, cc_fz_gcd(o->r, o->a, o->b, o->n))
CALL(inverse, cc_fz_inverse(o->r, o->q, o->a, o->m, o->n))
CALL(gcdext, cc_fz_gcdext(o->q, o->r, o->r + o->n, o->a, o->b, o->n),
     cc_fz_lcm(o->r, o->a, o->b, o->n))
CALL(divexact, cc_fz_divexact(o->q, o->a, o->n, o->m, o->n),
     cc_fz_divexact(o->q, o->a, o->n, o->m, (o->n + 1) / 2))

static void jacobi(struct ct_operands *o)
{
	int symbol;

	cc_fz_jacobi(&symbol, o->a, o->b, o->n);
	o->r[0] = (cc_word)symbol;
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
	cc_fz_rsa_private(o->r, o->a, &key, generate, o);
	cc_fz_rsa_public(o->q, o->a, &key);
}

/* Three messages, each two operands wide: as many lanes as a batch of halves has, and two. */
static void rsa_private_many(struct ct_operands *o)
{
	static cc_word memory[CC_FZ_RSA_WORDS(65, 65, 1)];
	const cc_word e = 65537;
	struct cc_fz_rsa key;

	cc_fz_rsa_init(&key, memory, o->m, o->n, o->m + o->n, o->n, &e, 1);
	cc_fz_rsa_private_many(o->r, o->a, 3, &key, generate, o);
}

CALL(sqrtmod, cc_fz_sqrtmod(o->r, o->q, o->a, o->m, o->n))
CALL(miller_rabin, cc_fz_miller_rabin(o->q, o->m, o->n, o->a, 1))

const struct ct_call ct_calls[] = {
	{"add", add, CT_NOTHING, 1},
	{"sub", sub, CT_NOTHING, 1},
	{"add_if, sub_if, negate, copy_if", sums_if, CT_NOTHING, 1},
	{"addmod, submod, negmod, halfmod", modular, CT_NOTHING, 1},
	{"add_word ... submul_word", words, CT_NOTHING, 1},
	{"div_word", div_word, CT_NOT_ZERO, 1},
	{"bits, trailing_zeros, cmp, wipe", counts, CT_NOTHING, 1},
	{"table_select", table_select, CT_NOTHING, 1},
	{"mul_unequal", mul_unequal, CT_NOTHING, 1},
	{"mul_low, mul_high", halves, CT_NOTHING, 1},
	{"from_bytes, to_bytes, from_bytes_below", bytes, CT_NOTHING, 1},
	{"random_bits, random_wide", random_wide, CT_NOT_ZERO, 1},
	{"random_below", random_below, CT_TRIES, 1},
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
	{"powmod_bits, odd", powmod_short, CT_ODD, 1},
	{"powmod_bits, even", powmod_short, CT_EVEN, 1},
	{"powmod_public, odd", powmod_public, CT_ODD, 1},
	{"powmod_public, even", powmod_public, CT_EVEN, 1},
	{"a context", context, CT_ODD, 1},
	{"a context's powers", context_powers, CT_ODD, 1},
	{"a context's powers, many", context_many, CT_ODD, 8},
	{"gcd", gcd, CT_NOTHING, 1},
	{"inverse, odd", inverse, CT_ODD, 1},
	{"inverse, even", inverse, CT_EVEN, 1},
	{"gcdext, lcm", gcdext, CT_NOTHING, 1},
	{"divexact", divexact, CT_NOT_ZERO, 1},
	{"jacobi", jacobi, CT_NOTHING, 1},
	{"sqrtmod, a power", sqrtmod, CT_3_MOD_4, 1},
	{"sqrtmod, powers", sqrtmod, CT_ALL, 1},
	{"miller_rabin, a power", miller_rabin, CT_ODD, 1},
	{"miller_rabin, even", miller_rabin, CT_EVEN, 1},
	{"rsa_private, public", rsa_private, CT_PRIME, 2},
	{"rsa_private_many", rsa_private_many, CT_PRIME, 6},
};

const size_t ct_calls_count = sizeof(ct_calls) / sizeof(ct_calls[0]);
