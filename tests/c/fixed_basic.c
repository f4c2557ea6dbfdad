// SPDX-License-Identifier: MIT
/*
 * The functions of fixed.h whose operands and results have one width, by one table: what each is
 * called with, what it means by the reference, and which of its vectors may be one.
 */
#include "fixed_kernels.h"
#include "harness.h"
#include "reference.h"

#include <carrychain/fixed.h>
#include <string.h>

#define SMALL 40
/* as most functions here have no limit */
#define WIDE (CC_FZ_MAX + 9)
#define BITS CC_WORD_BITS

static const char *tier;
static const cc_word zero[WIDE], one[WIDE] = {1};

/* Values, of n words each, or where they lie. */
struct operands {
	cc_word *r, *a, *b, *m;
	size_t n, count; /* bits of a shift */
	cc_word w, made; /* any word; all ones or 0 */
};

struct function {
	const char *name;
	cc_word (*call)(const struct operands *o);
	/* the same of values, none of which is another; r is what it was */
	cc_word (*mean)(const struct operands *o);
	void (*draw)(struct operands *o);
	unsigned int aliases;
	/* vectors for each width: below 10, up to SMALL, and WIDE */
	size_t few, small, wide;
};

/* Which vectors may be one. */
enum {
	APART = 1 << 0,
	R_IS_A = 1 << 1,
	R_IS_B = 1 << 2,
	R_IS_M = 1 << 3,
	A_IS_B = 1 << 4,
	ALL_ONE = 1 << 5,
	ALIASES = 6,
};

/* Operands */

static size_t ref_bits(const cc_word *a, size_t n)
{
	size_t bits = n * BITS;

	while (bits && !(a[(bits - 1) / BITS] >> (bits - 1) % BITS & 1))
		bits--;
	return bits;
}

/* b is often a, a bit away from it, or shifted: else no two would ever be equal. */
static void any_operands(struct operands *o)
{
	size_t n = o->n, width = n * BITS;

	any_words(o->a, n);
	any_words(o->b, n);
	if (n && random_below(2)) {
		memcpy(o->b, o->a, n * sizeof(*o->b));
		if (random_below(2))
			o->b[random_below(n)] ^= (cc_word)1 << random_below(BITS);
	} else if (random_below(2)) {
		(random_below(2) ? ref_shr : ref_shl)(o->b, o->a, n, random_below(width + 1));
	}
	o->count = random_below(8) ? random_below(width + BITS + 2)
				   : ~(size_t)0 >> (1 + random_below(20));
}

/* The same, with a factor in common. */
static void any_multiples(struct operands *o)
{
	static cc_word g[WIDE], product[2 * WIDE];
	size_t part = o->n / 2;

	any_operands(o);
	if (!part || random_below(2))
		return;
	any_words(g, part);
	ref_mul(product, o->a, part, g, part);
	memcpy(o->a, product, 2 * part * sizeof(*o->a));
	ref_mul(product, o->b, part, g, part);
	memcpy(o->b, product, 2 * part * sizeof(*o->b));
	memset(o->a + 2 * part, 0, (o->n - 2 * part) * sizeof(*o->a));
	memset(o->b + 2 * part, 0, (o->n - 2 * part) * sizeof(*o->b));
}

static void with_modulus(struct operands *o)
{
	any_operands(o);
	if (random_below(8))
		any_modulus(o->m, o->n);
	else
		set(o->m, 1 + random_below(3), o->n);
}

/* x below m: 0, 1, m - 1 and halves of m among them */
static void reduce(cc_word *x, const cc_word *m, size_t n)
{
	static cc_word any[WIDE];
	size_t shape = random_below(8);

	memcpy(any, x, n * sizeof(*any));
	if (shape < 2)
		set(any, shape, n);
	else if (shape == 2)
		ref_sub(any, m, one, n, 0);
	else if (shape == 3)
		ref_shr(any, m, n, 1);
	if (ref_cmp(any, m, n) >= 0)
		ref_shr(x, any, n, ref_bits(any, n) - ref_bits(m, n) + 1);
	else
		memcpy(x, any, n * sizeof(*x));
}

static void below_modulus(struct operands *o)
{
	with_modulus(o);
	reduce(o->a, o->m, o->n);
	reduce(o->b, o->m, o->n);
}

static void below_odd_modulus(struct operands *o)
{
	with_modulus(o);
	o->m[0] |= 1;
	reduce(o->a, o->m, o->n);
}

/* Functions */

#define FUNCTION_IS(name, value)                                                                   \
	static cc_word name(const struct operands *o)                                              \
	{                                                                                          \
		cc_word *r = o->r, *a = o->a, *b = o->b, *m = o->m, w = o->w, made = o->made;      \
		size_t n = o->n, count = o->count;                                                 \
                                                                                                   \
		(void)r, (void)a, (void)b, (void)m, (void)w, (void)made, (void)n, (void)count;     \
		return (cc_word)(value);                                                           \
	}
/* What it is called with, and what that means; both yield what is returned, or 0. */
#define FUNCTION(name, called, meant)                                                              \
	FUNCTION_IS(call_##name, called)                                                           \
	FUNCTION_IS(mean_##name, meant)

static cc_word copied(cc_word *r, const cc_word *a, size_t n)
{
	memmove(r, a, n * sizeof(*r));
	return 0;
}

static cc_word swapped(cc_word *a, cc_word *b, size_t n)
{
	static cc_word t[WIDE];

	copied(t, a, n);
	copied(a, b, n);
	return copied(b, t, n);
}

static size_t ref_trailing_zeros(const cc_word *a, size_t n)
{
	size_t zeros = 0;

	while (zeros < n * BITS && !(a[zeros / BITS] >> zeros % BITS & 1))
		zeros++;
	return zeros;
}

/* A number that is one word. */
static const cc_word *alone(cc_word w)
{
	static cc_word number[WIDE];

	number[0] = w;
	return number;
}

/* r = a w, r + a w or r - a w, as @then has it */
static cc_word scaled(cc_word *r, const cc_word *a, size_t n, cc_word w,
		      cc_word (*then)(cc_word *, const cc_word *, const cc_word *, size_t, cc_word))
{
	static cc_word product[WIDE + 1];

	ref_mul(product, a, n, &w, 1);
	return product[n] + (then ? then(r, r, product, n, 0) : copied(r, product, n));
}

/* a, b < m */
static cc_word sum_mod(cc_word *r, const cc_word *a, const cc_word *b, const cc_word *m, size_t n)
{
	if (ref_add(r, a, b, n, 0) || ref_cmp(r, m, n) >= 0)
		ref_sub(r, r, m, n, 0);
	return 0;
}

static cc_word negative_mod(cc_word *r, const cc_word *a, const cc_word *m, size_t n)
{
	if (is_zero(a, n))
		return copied(r, zero, n);
	ref_sub(r, m, a, n, 0);
	return 0;
}

static cc_word difference_mod(cc_word *r, const cc_word *a, const cc_word *b, const cc_word *m,
			      size_t n)
{
	negative_mod(r, b, m, n);
	return sum_mod(r, a, r, m, n);
}

static cc_word half_mod(cc_word *r, const cc_word *a, const cc_word *m, size_t n)
{
	static cc_word sum[WIDE];
	cc_word carry = ref_add(sum, a, a[0] & 1 ? m : zero, n, 0);

	ref_shr(r, sum, n, 1);
	r[n - 1] |= carry << (BITS - 1);
	return 0;
}

static cc_word product_mod(cc_word *r, const cc_word *a, const cc_word *b, const cc_word *m,
			   size_t n)
{
	static cc_word product[2 * SMALL], q[2 * SMALL];

	ref_mul(product, a, n, b, n);
	ref_divrem(q, r, product, 2 * n, m, n);
	return CC_OK;
}

FUNCTION(add, cc_fz_add(r, a, b, n), ref_add(r, a, b, n, 0))
FUNCTION(sub, cc_fz_sub(r, a, b, n), ref_sub(r, a, b, n, 0))
FUNCTION(add_if, cc_fz_add_if(r, made, a, b, n), ref_add(r, a, made ? b : zero, n, 0))
FUNCTION(sub_if, cc_fz_sub_if(r, made, a, b, n), ref_sub(r, a, made ? b : zero, n, 0))
FUNCTION(negate, (cc_fz_negate(r, made, a, n), 0),
	 made ? (ref_sub(r, zero, a, n, 0), 0) : copied(r, a, n))
FUNCTION(copy_if, (cc_fz_copy_if(r, made, a, n), 0), made ? copied(r, a, n) : 0)
FUNCTION(select, (cc_fz_select(r, made, a, b, n), 0), copied(r, made ? a : b, n))
FUNCTION(cswap, (cc_fz_cswap(made, a, b, n), 0), made ? swapped(a, b, n) : 0)
FUNCTION(wipe, (cc_fz_wipe(r, n), 0), copied(r, zero, n))
FUNCTION(is_zero, cc_fz_is_zero(a, n), mask_of(is_zero(a, n)))
FUNCTION(eq, cc_fz_eq(a, b, n), mask_of(ref_equal(a, b, n)))
FUNCTION(lt, cc_fz_lt(a, b, n), mask_of(ref_cmp(a, b, n) < 0))
FUNCTION(cmp, cc_fz_cmp(a, b, n), ref_cmp(a, b, n))
FUNCTION(bits, cc_fz_bits(b, n), ref_bits(b, n))
FUNCTION(trailing_zeros, cc_fz_trailing_zeros(b, n), ref_trailing_zeros(b, n))
FUNCTION(shl, (cc_fz_shl(r, a, n, count), 0), (ref_shl(r, a, n, count), 0))
FUNCTION(shr, (cc_fz_shr(r, a, n, count), 0), (ref_shr(r, a, n, count), 0))
FUNCTION(add_word, cc_fz_add_word(r, a, n, w), n ? ref_add(r, a, alone(w), n, 0) : w)
FUNCTION(sub_word, cc_fz_sub_word(r, a, n, w), n ? ref_sub(r, a, alone(w), n, 0) : w)
FUNCTION(mul_word, cc_fz_mul_word(r, a, n, w), scaled(r, a, n, w, NULL))
FUNCTION(addmul_word, cc_fz_addmul_word(r, a, n, w), scaled(r, a, n, w, ref_add))
FUNCTION(submul_word, cc_fz_submul_word(r, a, n, w), scaled(r, a, n, w, ref_sub))
FUNCTION(addmod, (cc_fz_addmod(r, a, b, m, n), 0), sum_mod(r, a, b, m, n))
FUNCTION(submod, (cc_fz_submod(r, a, b, m, n), 0), difference_mod(r, a, b, m, n))
FUNCTION(negmod, (cc_fz_negmod(r, a, m, n), 0), negative_mod(r, a, m, n))
FUNCTION(halfmod, (cc_fz_halfmod(r, a, m, n), 0), half_mod(r, a, m, n))
FUNCTION(mulmod, cc_fz_mulmod(r, a, b, m, n), product_mod(r, a, b, m, n))
FUNCTION(sqrmod, cc_fz_sqrmod(r, a, m, n), product_mod(r, a, a, m, n))
FUNCTION(gcd, cc_fz_gcd(r, a, b, n), (ref_gcd(r, a, b, n), CC_OK))

#define ROW(name) "cc_fz_" #name, call_##name, mean_##name
/* of two operands, of one, of one that may be the modulus */
#define OF_TWO (APART | R_IS_A | R_IS_B | A_IS_B | ALL_ONE)
#define OF_ONE (APART | R_IS_A)

static const struct function functions[] = {
	{ROW(add), any_operands, OF_TWO, 20, 20, 4},
	{ROW(sub), any_operands, OF_TWO, 20, 20, 4},
	{ROW(add_if), any_operands, OF_TWO, 30, 30, 4},
	{ROW(sub_if), any_operands, OF_TWO, 30, 30, 4},
	{ROW(negate), any_operands, OF_ONE, 60, 60, 4},
	{ROW(copy_if), any_operands, OF_ONE, 60, 60, 4},
	{ROW(select), any_operands, OF_TWO, 20, 20, 4},
	{ROW(cswap), any_operands, APART, 40, 40, 4},
	{ROW(wipe), any_operands, APART, 10, 10, 4},
	{ROW(is_zero), any_operands, APART, 100, 100, 4},
	{ROW(eq), any_operands, APART | A_IS_B, 100, 100, 4},
	{ROW(lt), any_operands, APART | A_IS_B, 200, 200, 4},
	{ROW(cmp), any_operands, APART | A_IS_B, 200, 200, 4},
	{ROW(bits), any_operands, APART, 100, 100, 4},
	{ROW(trailing_zeros), any_operands, APART, 100, 100, 4},
	{ROW(shl), any_operands, OF_ONE, 75, 75, 4},
	{ROW(shr), any_operands, OF_ONE, 75, 75, 4},
	{ROW(add_word), any_operands, OF_ONE, 30, 30, 4},
	{ROW(sub_word), any_operands, OF_ONE, 30, 30, 4},
	{ROW(mul_word), any_operands, OF_ONE, 30, 30, 4},
	{ROW(addmul_word), any_operands, OF_ONE, 30, 30, 4},
	{ROW(submul_word), any_operands, OF_ONE, 30, 30, 4},
	{ROW(addmod), below_modulus, OF_TWO, 50, 10, 4},
	{ROW(submod), below_modulus, OF_TWO, 50, 10, 4},
	{ROW(negmod), below_modulus, OF_ONE | R_IS_M, 50, 10, 4},
	{ROW(halfmod), below_odd_modulus, OF_ONE | R_IS_M, 50, 10, 4},
	{ROW(mulmod), with_modulus, APART | R_IS_A | R_IS_B | R_IS_M, 15, 2, 0},
	{ROW(sqrmod), with_modulus, APART | R_IS_A | R_IS_M, 20, 2, 0},
	{ROW(gcd), any_multiples, APART | R_IS_A | R_IS_B, 20, 1, 0},
};

static void check_function(const struct function *f, size_t n, unsigned int alias)
{
	static cc_word r[WIDE], a[WIDE], b[WIDE], m[WIDE];
	struct operands value = {r, a, b, m, n, 0, random_edge_word(), mask_of(random_below(2))}, o;
	cc_word should, is;

	test_sizes(n, alias, 0);
	f->draw(&value);
	if (alias == A_IS_B || alias == ALL_ONE)
		copied(b, a, n);
	o = value;
	o.r = place(RESULT, NULL, n);
	o.a = place(FIRST, a, n);
	o.b = alias == A_IS_B || alias == ALL_ONE ? o.a : place(SECOND, b, n);
	o.m = place(THIRD, m, n);
	if (alias == R_IS_A || alias == ALL_ONE)
		o.r = o.a;
	else if (alias == R_IS_B)
		o.r = o.b;
	else if (alias == R_IS_M)
		o.r = o.m;
	copied(r, o.r, n);
	should = f->mean(&value);
	is = f->call(&o);
	CHECK(is == should, "%#llx, not %#llx", (unsigned long long)is, (unsigned long long)should);
	check_words("result", o.r, r, n);
	if (o.r != o.a)
		check_words("first operand", o.a, a, n);
	if (o.r != o.b)
		check_words("second operand", o.b, b, n);
	if (o.r != o.m)
		check_words("modulus", o.m, m, n);
	check_guards();
}

/* Widths up to SMALL, then one that is wide. */
static size_t next_width(size_t n)
{
	return n == SMALL ? WIDE : n + 1;
}

static void test_function(const struct function *f)
{
	bool modular = f->draw != any_operands && f->draw != any_multiples;
	size_t n, round, alias;

	begin(tier, f->name);
	for (n = modular; n <= WIDE; n = next_width(n)) {
		size_t rounds = n < 10 ? f->few : n <= SMALL ? f->small : f->wide;

		for (round = 0; rounds && round < test_scaled(rounds); round++)
			for (alias = 0; alias < ALIASES; alias++)
				if (f->aliases >> alias & 1)
					check_function(f, n, 1u << alias);
	}
}

static void test_table_select(void)
{
	static cc_word table[33 * SMALL];
	size_t n, round;

	begin(tier, "cc_fz_table_select");
	for (n = 0; n <= SMALL; n++) {
		for (round = 0; round < test_scaled(40); round++) {
			size_t count = random_below(34), which = random_below(count + 2);
			cc_word *pt, *r;

			if (!random_below(8))
				which = ~(size_t)0 >> random_below(BITS);
			test_sizes(n, count, which);
			any_words(table, count * n);
			pt = place(FIRST, table, count * n);
			r = place(RESULT, NULL, n);
			cc_fz_table_select(r, pt, count, n, which);
			check_words("entry", r, which < count ? table + which * n : zero, n);
			check_words("table", pt, table, count * n);
			check_guards();
		}
	}
}

static void test_div_word(void)
{
	static cc_word a[WIDE + 1], q[WIDE + 1];
	size_t n, round;

	begin(tier, "cc_fz_div_word");
	for (n = 0; n <= WIDE; n = next_width(n)) {
		for (round = 0; round < test_scaled(n > SMALL ? 4 : 60); round++) {
			bool in_place = random_below(2);
			cc_word d = random_edge_word(), r, rest = 7, *pa, *pq;

			d >>= random_below(2) ? 0 : random_below(BITS);
			d += !d;
			test_sizes(n, in_place, 0);
			any_words(a, n);
			/* beside a multiple of the divisor */
			if (n && random_below(2)) {
				ref_mul(q, a, n - 1, &d, 1);
				memcpy(a, q, n * sizeof(*a));
				cc_fz_sub_word(a, a, n, random_below(2));
			}
			ref_divrem(q, &r, a, n, &d, 1);
			pa = place(FIRST, a, n);
			pq = in_place ? pa : place(RESULT, NULL, n);
			CHECK(cc_fz_div_word(pq, &rest, pa, n, d) == CC_OK, "refused");
			check_words("quotient", pq, q, n);
			CHECK(rest == r, "remainder");
			check_words("quotient kept", pq, q, n);
			CHECK(cc_fz_div_word(pq, &rest, pa, n, 0) == CC_EINVAL, "0 taken");
			check_words("quotient kept", pq, q, n);
			CHECK(rest == r, "wrote what it refused");
			check_guards();
		}
	}
}

void fixed_basic(const char *in_tier)
{
	size_t i;

	tier = in_tier;
	for (i = 0; i < COUNT(functions); i++)
		test_function(&functions[i]);
	test_table_select();
	test_div_word();
	/* nothing of nothing */
	cc_fz_addmod(NULL, NULL, NULL, NULL, 0);
	cc_fz_submod(NULL, NULL, NULL, NULL, 0);
	cc_fz_negmod(NULL, NULL, NULL, 0);
}
