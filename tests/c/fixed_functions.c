// SPDX-License-Identifier: MIT
/* Products, quotients and powers of fixed.h: widths, in place and not, what they refuse; the stack.
 */
#include "fixed_kernels.h"
#include "harness.h"
#include "reference.h"

#include <carrychain/prime.h>
#include <carrychain/rsa.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define SMALL 40
#define BITS  CC_WORD_BITS

static const char *tier;

/* Wider than the kernels go. */
static void test_wide_products(void)
{
	static const size_t widths[] = {0, 1, 7, CC_FZ_MAX, CC_FZ_MAX + 1, CC_FZ_MAX + 45};
	static cc_word a[CC_FZ_MAX + 45], b[CC_FZ_MAX + 45], should[2 * CC_FZ_MAX + 90];
	cc_word *pa, *pb, *r;
	size_t i, round;

	begin(tier, "cc_fz_mul, sqr");
	for (i = 0; i < COUNT(widths); i++) {
		size_t n = widths[i];

		for (round = 0; round < test_scaled(8); round++) {
			test_sizes(n, 0, 0);
			any_words(a, n);
			any_words(b, n);
			r = place(RESULT, NULL, 2 * n);
			pa = place(FIRST, a, n);
			pb = place(SECOND, b, n);
			cc_fz_mul(r, pa, pb, n);
			ref_mul(should, a, n, b, n);
			check_words("product", r, should, 2 * n);
			/* the very same vector as both operands */
			cc_fz_mul(r, pa, pa, n);
			ref_mul(should, a, n, a, n);
			check_words("product by itself", r, should, 2 * n);
			cc_fz_sqr(r, pa, n);
			check_words("square", r, should, 2 * n);
			check_guards();
		}
	}
}

static void test_divide(void)
{
	static cc_word a[2 * SMALL], d[SMALL], q[2 * SMALL], r[SMALL];
	cc_word *pa, *pd, *pq, *pr;
	size_t an, dn, round;

	begin(tier, "cc_fz_divrem, mod");
	for (round = 0; round < test_scaled(3000); round++) {
		bool in_place = random_below(2);

		dn = 1 + random_below(random_below(4) ? 8 : SMALL);
		an = random_below(2 * dn + 2);
		an = an > 2 * SMALL ? 2 * SMALL : an;
		test_sizes(an, dn, in_place);
		any_words(a, an);
		any_modulus(d, dn);
		/* a dividend beside a multiple of the divisor: the estimate is at its worst */
		if (an >= dn && random_below(2)) {
			any_words(q, an);
			memset(q + (an - dn), 0, dn * sizeof(*q));
			ref_mul(a, d, dn, q, an - dn);
			if (random_below(2) && an) {
				cc_word one[2 * SMALL] = {1};

				ref_sub(a, a, one, an, 0);
			}
		}
		ref_divrem(q, r, a, an, d, dn);
		pa = place(FIRST, a, an);
		pd = place(SECOND, d, dn);
		pq = in_place ? pa : place(RESULT, NULL, an);
		pr = place(SECOND_RESULT, NULL, dn);
		CHECK(cc_fz_divrem(pq, pr, pa, an, pd, dn) == CC_OK, "divrem refused");
		check_words("quotient", pq, q, an);
		check_words("remainder", pr, r, dn);
		pa = place(FIRST, a, an);
		pr = in_place ? pd : pr;
		CHECK(cc_fz_mod(pr, pa, an, pd, dn) == CC_OK, "mod refused");
		check_words("residue", pr, r, dn);
		check_guards();
	}
}

/*
 * Any modulus.  Few widths by the reference alone; the others by b^e = b^(e - 1) b, and
 * b^1 = b mod m.
 */
static void test_powmod(void)
{
	static cc_word b[SMALL], e[SMALL], m[SMALL], less[SMALL], r[SMALL];
	static cc_word product[2 * SMALL], q[2 * SMALL], should[SMALL];
	const cc_word one[SMALL] = {1};
	cc_word *pb, *pe, *pm, *pr;
	size_t n, round;

	begin(tier, "cc_fz_powmod");
	for (n = 1; n <= (fixed_slow() ? 12 : SMALL); n += n < 10 ? 1 : 5) {
		for (round = 0; round < test_scaled(n <= 3 ? 30 : n <= 16 ? 3 : 1); round++) {
			size_t alias = random_below(4);

			test_sizes(n, alias, 0);
			any_words(b, n);
			any_words(e, n);
			any_modulus(m, n);
			if (random_below(2)) {
				ref_shl(r, m, n, random_below(n * BITS / 2));
				memcpy(m, r, n * sizeof(*m));
			}
			if (cc_fz_is_zero(m, n))
				m[n - 1] = 1;
			if (n <= 3) {
				ref_powmod(should, b, e, n, m, n);
			} else {
				e[0] |= 1;
				ref_sub(less, e, one, n, 0);
				cc_fz_powmod(r, b, less, m, n);
				ref_mul(product, r, n, b, n);
				ref_divrem(q, should, product, 2 * n, m, n);
				cc_fz_powmod(r, b, one, m, n);
				ref_divrem(q, product, b, n, m, n);
				check_words("b^1", r, product, n);
			}
			pr = place(RESULT, NULL, n);
			pb = place(FIRST, b, n);
			pe = place(SECOND, e, n);
			pm = place(THIRD, m, n);
			pr = alias == 1 ? pb : alias == 2 ? pe : alias == 3 ? pm : pr;
			CHECK(cc_fz_powmod(pr, pb, pe, pm, n) == CC_OK, "refused");
			check_words("power", pr, should, n);
			check_guards();
		}
	}
}

#define MANY 19

static void test_powmod_many(void)
{
	static cc_word b[MANY * SMALL], e[MANY * SMALL], m[MANY * SMALL], should[MANY * SMALL];
	static const size_t widths[] = {1, 2, 3, 8, 16, 17, 32};
	cc_word *pb, *pe, *pm, *pr;
	size_t i, count, each;

	begin(tier, "cc_fz_powmod_many");
	for (i = 0; i < COUNT(widths); i++) {
		size_t n = widths[i];

		if (n > 8 && fixed_slow())
			continue;
		for (count = 0; count <= MANY; count += n > 8 ? 3 : 1) {
			bool in_place = random_below(2), any_even = random_below(2);

			test_sizes(n, count, in_place);
			for (each = 0; each < count * n; each += n) {
				any_words(b + each, n);
				any_words(e + each, n);
				any_modulus(m + each, n);
				m[each] |= !any_even;
				cc_fz_powmod(should + each, b + each, e + each, m + each, n);
			}
			pb = place(FIRST, b, count * n);
			pe = place(SECOND, e, count * n);
			pm = place(THIRD, m, count * n);
			pr = in_place ? pb : place(RESULT, NULL, count * n);
			CHECK(cc_fz_powmod_many(pr, pb, pe, pm, n, count) == CC_OK, "refused");
			check_words("powers", pr, should, count * n);
			check_guards();
			/* one modulus of many is 0: nothing is written */
			if (!count)
				continue;
			memset(pm + random_below(count) * n, 0, n * sizeof(*pm));
			memcpy(should, pr, count * n * sizeof(*pr));
			CHECK(cc_fz_powmod_many(pr, pb, pe, pm, n, count) == CC_EINVAL,
			      "modulus 0 taken");
			check_words("untouched", pr, should, count * n);
		}
	}
}

/* What is refused, and that nothing is written then. */
static void test_refused(void)
{
	static cc_word wide[CC_FZ_MAX + 1], r[CC_FZ_MAX + 1];
	const cc_word zero[2] = {0, 0}, five[2] = {5, 0};
	const size_t too_wide = CC_FZ_MAX + 1;
	cc_word q[2] = {7, 7}, exists = 7;

	begin(tier, "fixed.h refuses");
	memset(wide, 0xff, sizeof(wide));
	memset(r, 0x37, sizeof(r));
#define REFUSED(call) CHECK((call) == CC_EINVAL, #call)
	REFUSED(cc_fz_divrem(q, r, five, 2, zero, 2));
	REFUSED(cc_fz_divrem(q, r, five, 2, zero, 0));
	REFUSED(cc_fz_divrem(q, r, five, 2, NULL, 0));
	REFUSED(cc_fz_divrem(q, r, five, 2, wide, too_wide));
	REFUSED(cc_fz_mod(r, five, 2, zero, 2));
	REFUSED(cc_fz_mod(r, five, 2, zero, 0));
	REFUSED(cc_fz_mod(r, five, 2, wide, too_wide));
	REFUSED(cc_fz_mulmod(r, five, five, zero, 2));
	REFUSED(cc_fz_mulmod(r, five, five, five, 0));
	REFUSED(cc_fz_mulmod(r, wide, wide, wide, too_wide));
	REFUSED(cc_fz_sqrmod(r, five, zero, 2));
	REFUSED(cc_fz_sqrmod(r, wide, wide, too_wide));
	REFUSED(cc_fz_powmod(r, five, five, zero, 2));
	REFUSED(cc_fz_powmod(r, five, five, five, 0));
	REFUSED(cc_fz_powmod(r, NULL, NULL, NULL, 0));
	REFUSED(cc_fz_powmod(r, wide, wide, wide, too_wide));
	REFUSED(cc_fz_powmod_many(r, five, five, zero, 2, 1));
	REFUSED(cc_fz_powmod_many(r, wide, wide, wide, too_wide, 1));
	REFUSED(cc_fz_gcd(r, wide, wide, too_wide));
	REFUSED(cc_fz_inverse(r, &exists, five, zero, 2));
	REFUSED(cc_fz_inverse(r, &exists, five, five, 0));
	REFUSED(cc_fz_inverse(r, &exists, wide, wide, too_wide));
#undef REFUSED
	CHECK(q[0] == 7 && q[1] == 7 && exists == 7, "wrote what it refused");
	CHECK(r[0] == r[CC_FZ_MAX] && (r[0] & 0xff) == 0x37, "wrote what it refused");
	CHECK(cc_fz_powmod_many(NULL, NULL, NULL, NULL, 2, 0) == CC_OK, "none of none");
	CHECK(cc_fz_gcd(NULL, NULL, NULL, 0) == CC_OK, "gcd of nothing");
}

/* b, e and m at the edges that fixed.h speaks of. */
static void test_powmod_edges(void)
{
	static const struct {
		cc_word b, e, m, r;
	} edges[] = {
		{0, 0, 1, 0}, {0, 0, 2, 1}, {0, 0, 7, 1},  {0, 5, 7, 0},   {5, 0, 1, 0},
		{5, 0, 7, 1}, {5, 1, 1, 0}, {12, 1, 7, 5}, {12, 3, 5, 3},  {7, 2, 7, 0},
		{3, 4, 8, 1}, {2, 9, 8, 0}, {6, 1, 4, 2},  {10, 3, 12, 4}, {7, 77, 2, 1},
	};
	size_t i, n;

	begin(tier, "cc_fz_powmod at the edges");
	for (i = 0; i < COUNT(edges); i++) {
		for (n = 1; n <= 9; n++) {
			cc_word b[9] = {edges[i].b}, e[9] = {edges[i].e}, m[9] = {edges[i].m};
			cc_word should[9] = {edges[i].r}, r[9];

			test_sizes(i, n, 0);
			CHECK(cc_fz_powmod(r, b, e, m, n) == CC_OK, "refused");
			check_words("power", r, should, n);
		}
	}
}

/*
 * On a stack of our own: no more of it is used than fixed.h says, and in what was used no
 * two neighbouring words of an operand or of the result are left; nor, of what is computed in a
 * context, of its other forms.  Nor is what other operands leave other, but for spilled words.
 */
#define SPILLED 16
/* where the compiler spills little, which tells spills from what was not wiped */
#if defined(__x86_64__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__)
#define LEAVES_NOTHING_ELSE 1
#else
#define LEAVES_NOTHING_ELSE 0
#endif
#define STACK_PAGES 256
#define PATTERN	    0xa5

struct secret {
	cc_word b[CC_FZ_MAX], e[CC_FZ_MAX], m[CC_FZ_MAX], r[2 * CC_FZ_MAX], rest[CC_FZ_MAX];
	size_t n;
	bool idle, in_context, of_rsa;
};

#define CALL(name, call)                                                                           \
	static void *call_##name(void *context)                                                    \
	{                                                                                          \
		struct secret *s = context;                                                        \
                                                                                                   \
		if (!s->idle)                                                                      \
			call;                                                                      \
		return NULL;                                                                       \
	}

CALL(mul, cc_fz_mul(s->r, s->b, s->e, s->n))
CALL(sqr, cc_fz_sqr(s->r, s->b, s->n))
/* by the golden ratio: of all widths the most levels */
CALL(mul_unequal, cc_fz_mul_unequal(s->r, s->b, s->n, s->e, s->n * 5 / 8))
CALL(mul_low, cc_fz_mul_low(s->r, s->b, s->e, s->n))
CALL(mul_high, cc_fz_mul_high(s->r, s->b, s->e, s->n))
CALL(mulmod, cc_fz_mulmod(s->r, s->b, s->e, s->m, s->n))
CALL(sqrmod, cc_fz_sqrmod(s->r, s->b, s->m, s->n))
CALL(divrem, cc_fz_divrem(s->r, s->rest, s->b, s->n, s->m, s->n / 2))
CALL(gcd, cc_fz_gcd(s->r, s->b, s->e, s->n))
CALL(inverse, cc_fz_inverse(s->r, s->rest, s->b, s->m, s->n))
CALL(gcdext, cc_fz_gcdext(s->r, s->rest, s->r + s->n, s->b, s->e, s->n))
CALL(lcm, cc_fz_lcm(s->r, s->b, s->e, s->n))
CALL(divexact, cc_fz_divexact(s->r, s->b, s->n, s->m, s->n))
CALL(jacobi, cc_fz_jacobi((int *)(void *)s->r, s->b, s->m, s->n))
CALL(sqrtmod, cc_fz_sqrtmod(s->r, s->rest, s->b, s->m, s->n))
CALL(miller_rabin, cc_fz_miller_rabin(s->r, s->m, s->n, s->b, 1))
CALL(powmod, cc_fz_powmod(s->r, s->b, s->e, s->m, s->n))
/* eight of an eighth's width */
CALL(powmod_many, cc_fz_powmod_many(s->r, s->b, s->e, s->m, s->n / 8, 8))

static int give(void *state, unsigned char *bytes, size_t length)
{
	const struct secret *s = state;

	memset(bytes, 0x5c, length);
	memcpy(bytes, s->b, length < sizeof(s->b) ? length : sizeof(s->b));
	return CC_OK;
}

CALL(random_wide, cc_fz_random_wide(s->r, s->m, s->n, give, s))
CALL(powmod_public, cc_fz_powmod_public(s->r, s->b, s->e, 1, s->m, s->n))

/* So many of four, each of which leaves what it leaves where the one before did. */
static void in_context(struct secret *s, int count)
{
	static cc_word memory[CC_FZ_MONT_WORDS(CC_FZ_MAX)];
	struct cc_fz_mont M;

	s->in_context = true;
	cc_fz_mont_init(&M, memory, s->m, s->n);
	cc_fz_mont_to(s->r, s->b, &M);
	if (count > 1)
		cc_fz_mont_sqr(s->rest, s->r, &M);
	if (count > 2)
		cc_fz_mont_mul(s->r, s->rest, s->r, &M);
	if (count > 3)
		cc_fz_mont_from(s->r, s->r, &M);
}

CALL(mont_to, in_context(s, 1))
CALL(mont_sqr, in_context(s, 2))
CALL(mont_mul, in_context(s, 3))
CALL(mont_from, in_context(s, 4))
CALL(table_select, cc_fz_table_select(s->r, s->b, 4, s->n / 4, 2))

static void power_in_context(struct secret *s)
{
	static cc_word memory[CC_FZ_MONT_WORDS(CC_FZ_MAX)];
	struct cc_fz_mont M;

	s->in_context = true;
	cc_fz_mont_init(&M, memory, s->m, s->n);
	cc_fz_mont_powmod(s->rest, s->b, s->e, 2 * BITS, &M);
	cc_fz_mont_pow(s->r, s->rest, s->e, 2 * BITS, &M);
}

CALL(power_in_context, power_in_context(s))

/* The primes are odd numbers: results are refused, but made. */
static struct cc_fz_rsa rsa;

static void make_rsa(struct secret *s, size_t n)
{
	static cc_word memory[CC_FZ_RSA_WORDS(CC_FZ_MAX / 2, CC_FZ_MAX / 2, 1)];
	const cc_word e = 65537;

	s->of_rsa = true;
	s->e[0] |= 1;
	cc_fz_rsa_init(&rsa, memory, s->e, n / 2, s->m, n / 2, &e, 1);
}

CALL(rsa_init, make_rsa(s, s->n))
CALL(rsa_private, (make_rsa(s, s->n), cc_fz_rsa_private(s->r, s->b, &rsa, give, s)))
CALL(rsa_private_many,
     (make_rsa(s, s->n / 8), cc_fz_rsa_private_many(s->r, s->b, 8, &rsa, give, s)))

static bool run_on(unsigned char *stack, size_t size, void *(*run)(void *), struct secret *s)
{
	pthread_attr_t attributes;
	pthread_t thread;
	bool ran;

	memset(stack, PATTERN, size);
	ran = !pthread_attr_init(&attributes) && !pthread_attr_setstack(&attributes, stack, size) &&
	      !pthread_create(&thread, &attributes, run, s) && !pthread_join(thread, NULL);
	pthread_attr_destroy(&attributes);
	return ran;
}

static size_t untouched(const unsigned char *stack, size_t size)
{
	size_t i;

	for (i = 0; i < size && stack[i] == PATTERN; i++)
		;
	return i;
}

/* Words with a zero above, as in a small result, may be anybody's. */
static bool left(const unsigned char *stack, size_t size, const cc_word *secret, size_t n)
{
	size_t i, at;

	for (at = 0; at + 2 * sizeof(*secret) <= size; at += sizeof(*secret))
		for (i = 0; i + 1 < n; i++)
			if (secret[i + 1] && !memcmp(stack + at, secret + i, 2 * sizeof(*secret)))
				return true;
	return false;
}

/* Whether a number is left as Montgomery's form or as what it is the form of. */
static bool left_otherwise(const unsigned char *stack, size_t size, const cc_word *secret,
			   const struct secret *s)
{
	static cc_word memory[CC_FZ_MONT_WORDS(CC_FZ_MAX)], to[CC_FZ_MAX], from[CC_FZ_MAX];
	struct cc_fz_mont M;

	cc_fz_mont_init(&M, memory, s->m, s->n);
	cc_fz_mont_to(to, secret, &M);
	cc_fz_mont_from(from, secret, &M);
	return left(stack, size, to, s->n) || left(stack, size, from, s->n);
}

#if LEAVES_NOTHING_ELSE
/* Most words in a row that another b, and another e where it is no key, leave otherwise. */
static size_t left_by_secrets(unsigned char *stack, size_t size, void *(*run)(void *),
			      struct secret *s)
{
	unsigned char *other = aligned_alloc(4096, size);
	size_t i, at, row = 0, most = 0;

	for (i = 0; i < s->n; i++) {
		s->b[i] = random_word();
		if (!s->of_rsa)
			s->e[i] = random_word();
	}
	memset(s->r, 0, sizeof(s->r));
	memset(s->rest, 0, sizeof(s->rest));
	/* at the same addresses */
	memcpy(other, stack, size);
	CHECK(run_on(stack, size, run, s), "no thread");
	for (at = 0; at < size; at += sizeof(cc_word)) {
		row = memcmp(stack + at, other + at, sizeof(cc_word)) ? row + 1 : 0;
		most = row > most ? row : most;
	}
	free(other);
	return most;
}
#endif

static void on_stack(const char *name, void *(*run)(void *), size_t n, size_t promised)
{
	static struct secret s;
	const size_t size = (size_t)STACK_PAGES * 4096;
	unsigned char *stack = aligned_alloc(4096, size), *used;
	size_t i, idle, rest, size_used;

	begin(tier, name);
	test_sizes(n, 0, 0);
	s.n = n;
	s.in_context = s.of_rsa = false;
	for (i = 0; i < n; i++) {
		s.b[i] = random_word();
		s.e[i] = random_word();
		s.m[i] = random_word() | 1;
	}
	/* by the last window of e, b itself is the last that comes out of a table */
	if (random_below(2))
		s.e[0] = (s.e[0] & ~(cc_word)0xff) | 1;
	s.idle = true;
	CHECK(run_on(stack, size, run, &s), "no thread");
	idle = untouched(stack, size);
	s.idle = false;
	CHECK(run_on(stack, size, run, &s), "no thread");
	rest = untouched(stack, size);
	/* a thread that does nothing may use more */
	CHECK(idle <= rest + promised, "%zu bytes of stack, not %zu", idle - rest, promised);
	used = stack + rest / sizeof(cc_word) * sizeof(cc_word);
	size_used = (size_t)(stack + size - used);
	CHECK(!left(used, size_used, s.b, n), "b is left on the stack");
	CHECK(!left(used, size_used, s.e, n), "e is left on the stack");
	CHECK(!left(used, size_used, s.m, n), "m is left on the stack");
	CHECK(!left(used, size_used, s.r, n), "the result is left on the stack");
	CHECK(!left(used, size_used, s.rest, n), "the second result is left on the stack");
	if (s.in_context)
		CHECK(!left_otherwise(used, size_used, s.b, &s) &&
			      !left_otherwise(used, size_used, s.r, &s) &&
			      !left_otherwise(used, size_used, s.rest, &s),
		      "another form is left on the stack");
#if LEAVES_NOTHING_ELSE
	rest = left_by_secrets(stack, size, run, &s);
	CHECK(rest <= SPILLED, "%zu words in a row are left that depend on secrets", rest);
#endif
	free(stack);
}

static void test_stack(void)
{
	/* a second and more in portable C */
	size_t most = fixed_slow() ? CC_FZ_MAX / 8 : CC_FZ_MAX;

	if (!LEAVES_NOTHING_ELSE)
		test_skip("what secrets leave: looked at on x86-64, by gcc, without "
			  "AddressSanitizer");
	on_stack("cc_fz_mul's stack", call_mul, CC_FZ_MAX, 16 * 1024);
	on_stack("cc_fz_sqr's stack", call_sqr, CC_FZ_MAX, 16 * 1024);
	on_stack("cc_fz_mul_unequal's stack", call_mul_unequal, CC_FZ_MAX, 28 * 1024);
	on_stack("cc_fz_mul_low's stack", call_mul_low, CC_FZ_MAX, 20 * 1024);
	on_stack("cc_fz_mul_high's stack", call_mul_high, CC_FZ_MAX, 20 * 1024);
	on_stack("cc_fz_random_wide's stack", call_random_wide, CC_FZ_MAX, 24 * 1024);
	on_stack("cc_fz_mulmod's stack", call_mulmod, CC_FZ_MAX, 24 * 1024);
	on_stack("cc_fz_sqrmod's stack", call_sqrmod, CC_FZ_MAX, 24 * 1024);
	on_stack("cc_fz_divrem's stack", call_divrem, CC_FZ_MAX, 24 * 1024);
	on_stack("cc_fz_gcd's stack", call_gcd, CC_FZ_MAX, 24 * 1024);
	on_stack("cc_fz_inverse's stack", call_inverse, CC_FZ_MAX, 24 * 1024);
	on_stack("cc_fz_gcdext's stack", call_gcdext, CC_FZ_MAX, 24 * 1024);
	on_stack("cc_fz_lcm's stack", call_lcm, CC_FZ_MAX, 24 * 1024);
	on_stack("cc_fz_divexact's stack", call_divexact, CC_FZ_MAX, 24 * 1024);
	on_stack("cc_fz_jacobi's stack", call_jacobi, CC_FZ_MAX, 24 * 1024);
	on_stack("cc_fz_sqrtmod's stack", call_sqrtmod, most, CC_FZ_POWMOD_STACK);
	on_stack("cc_fz_miller_rabin's stack", call_miller_rabin, most, CC_FZ_POWMOD_STACK);
	on_stack("cc_fz_powmod's stack", call_powmod, most, CC_FZ_POWMOD_STACK);
	on_stack("cc_fz_powmod_public's stack", call_powmod_public, CC_FZ_MAX, CC_FZ_POWMOD_STACK);
	on_stack("cc_fz_table_select's stack", call_table_select, CC_FZ_MAX, 4 * 1024);
	on_stack("cc_fz_mont_to's stack", call_mont_to, CC_FZ_MAX, 24 * 1024);
	on_stack("cc_fz_mont_sqr's stack", call_mont_sqr, CC_FZ_MAX, 24 * 1024);
	on_stack("cc_fz_mont_mul's stack", call_mont_mul, CC_FZ_MAX, 24 * 1024);
	on_stack("cc_fz_mont_from's stack", call_mont_from, CC_FZ_MAX, 24 * 1024);
	on_stack("a context's powers' stack", call_power_in_context, CC_FZ_MAX, CC_FZ_POWMOD_STACK);
	on_stack("cc_fz_powmod_many's stack", call_powmod_many, most, CC_FZ_POWMOD_MANY_STACK);
	on_stack("cc_fz_rsa_init's stack", call_rsa_init, CC_FZ_MAX, 40 * 1024);
	on_stack("cc_fz_rsa_private's stack", call_rsa_private, most, CC_FZ_RSA_STACK);
	on_stack("cc_fz_rsa_private_many's stack", call_rsa_private_many, most, CC_FZ_RSA_STACK);
}

void fixed_functions(const char *in_tier)
{
	tier = in_tier;
	test_wide_products();
	test_divide();
	test_powmod();
	test_powmod_many();
	test_powmod_edges();
	test_refused();
	test_stack();
}
