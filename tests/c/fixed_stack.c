// SPDX-License-Identifier: MIT
/*
 * What fixed.h, montgomery.h, prime.h and rsa.h leave on the stack, and how much of it they use.
 *
 * Each function is called on a stack of its own, twice, with other secrets at the same
 * addresses.  No two neighbouring words of an operand or a result may be left, nor the inverse of
 * a modulus.  Words that differ after the second call depend on a secret: a compiler may spill a
 * few.  Narrow numbers leave the most: what is wiped in its whole width hides less.
 */
#include "fixed_kernels.h"
#include "harness.h"

#include <carrychain/prime.h>
#include <carrychain/rsa.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#define BITS CC_WORD_BITS
/* as many powers as there are lanes */
#define SOME 8

#define STACK_PAGES 256
#define PATTERN	    0xa5
/* above a function's frame, for what ends a context */
#define GAP 16384

/* Which operands are secret, and what else they have to be. */
enum kind {
	ANY,   /* all, any modulus */
	ODD,   /* all, an odd modulus */
	THREE, /* all, a modulus of 3 mod 4 */
	BASE,  /* b, for one modulus of 1 mod 4 */
	KEY,   /* b, and the two factors of one n */
	TWO,   /* the same for two b, in as many words */
	MANY,  /* the same for SOME b */
	VALID, /* b, for a key of two primes */
};

struct secret {
	cc_word b[CC_FZ_MAX], e[CC_FZ_MAX], m[CC_FZ_MAX], r[2 * CC_FZ_MAX], rest[CC_FZ_MAX];
	size_t n, half; /* words of a number, of a factor */
	struct cc_fz_mont M;
	cc_word context[CC_FZ_MONT_WORDS(CC_FZ_MAX)];
	cc_word p[CC_FZ_MAX / 2], q[CC_FZ_MAX / 2];
	struct cc_fz_rsa rsa;
	cc_word key[CC_FZ_RSA_WORDS(CC_FZ_MAX / 2, CC_FZ_MAX / 2, 1)];
	int drawn, failing; /* the generator's calls, and which of them fails */
	void (*call)(struct secret *s);
	unsigned char *top; /* of what the call may use */
};

static const char *tier;
static const cc_word exponent = 65537;

static int give(void *state, unsigned char *bytes, size_t length)
{
	struct secret *s = state;

	memset(bytes, 0x5c, length);
	memcpy(bytes, s->b, length < sizeof(s->b) ? length : sizeof(s->b));
	return ++s->drawn == s->failing ? CC_EINVAL : CC_OK;
}

static void make_context(struct secret *s)
{
	cc_fz_mont_init(&s->M, s->context, s->m, s->n);
}

static int make_key(struct secret *s)
{
	return cc_fz_rsa_init(&s->rsa, s->key, s->p, s->half, s->q, s->half, &exponent, 1);
}

static void private_power(struct secret *s)
{
	make_key(s);
	cc_fz_rsa_private(s->r, s->b, &s->rsa, give, s);
}

/* Each draws twice. */
static void private_powers(struct secret *s, size_t count, int failing)
{
	make_key(s);
	s->drawn = 0;
	s->failing = failing;
	cc_fz_rsa_private_many(s->r, s->b, count, &s->rsa, give, s);
	s->failing = 0;
}

/* Name, kind, the most KB of stack, call. */
#define FUNCTIONS(X)                                                                               \
	X(add, ANY, 4, cc_fz_add(s->r, s->b, s->e, s->n))                                          \
	X(sub, ANY, 4, cc_fz_sub(s->r, s->b, s->e, s->n))                                          \
	X(add_if, ANY, 4, cc_fz_add_if(s->r, TRUE, s->b, s->e, s->n))                              \
	X(sub_if, ANY, 4, cc_fz_sub_if(s->r, TRUE, s->b, s->e, s->n))                              \
	X(negate, ANY, 4, cc_fz_negate(s->r, TRUE, s->b, s->n))                                    \
	X(is_zero, ANY, 4, cc_fz_is_zero(s->b, s->n))                                              \
	X(eq, ANY, 4, cc_fz_eq(s->b, s->e, s->n))                                                  \
	X(lt, ANY, 4, cc_fz_lt(s->b, s->e, s->n))                                                  \
	X(cmp, ANY, 4, cc_fz_cmp(s->b, s->e, s->n))                                                \
	X(bits, ANY, 4, cc_fz_bits(s->b, s->n))                                                    \
	X(trailing_zeros, ANY, 4, cc_fz_trailing_zeros(s->b, s->n))                                \
	X(select, ANY, 4, cc_fz_select(s->r, TRUE, s->b, s->e, s->n))                              \
	X(copy_if, ANY, 4, cc_fz_copy_if(s->r, TRUE, s->b, s->n))                                  \
	X(cswap, ANY, 4, cc_fz_cswap(TRUE, s->b, s->e, s->n))                                      \
	X(table_select, ANY, 4, cc_fz_table_select(s->r, s->b, 4, s->n / 4, 2))                    \
	X(shl, ANY, 4, cc_fz_shl(s->r, s->b, s->n, 3 * BITS / 2))                                  \
	X(shr, ANY, 4, cc_fz_shr(s->r, s->b, s->n, 3 * BITS / 2))                                  \
	X(add_word, ANY, 4, cc_fz_add_word(s->r, s->b, s->n, s->e[0]))                             \
	X(sub_word, ANY, 4, cc_fz_sub_word(s->r, s->b, s->n, s->e[0]))                             \
	X(mul_word, ANY, 4, cc_fz_mul_word(s->r, s->b, s->n, s->e[0]))                             \
	X(addmul_word, ANY, 4, cc_fz_addmul_word(s->r, s->b, s->n, s->e[0]))                       \
	X(submul_word, ANY, 4, cc_fz_submul_word(s->r, s->b, s->n, s->e[0]))                       \
	X(addmod, ANY, 4, cc_fz_addmod(s->r, s->b, s->e, s->m, s->n))                              \
	X(submod, ANY, 4, cc_fz_submod(s->r, s->b, s->e, s->m, s->n))                              \
	X(negmod, ANY, 4, cc_fz_negmod(s->r, s->b, s->m, s->n))                                    \
	X(halfmod, ODD, 4, cc_fz_halfmod(s->r, s->b, s->m, s->n))                                  \
	X(from_bytes, ANY, 4,                                                                      \
	  cc_fz_from_bytes(s->r, s->n, s->b, s->n * sizeof(cc_word), CC_BIG_ENDIAN))               \
	X(to_bytes, ANY, 4,                                                                        \
	  cc_fz_to_bytes(s->r, s->n * sizeof(cc_word), s->b, s->n, CC_BIG_ENDIAN))                 \
	X(from_bytes_below, ANY, 4,                                                                \
	  cc_fz_from_bytes_below(s->r, s->m, s->n, s->b, s->n * sizeof(cc_word), 0))               \
	X(mul, ANY, 16, cc_fz_mul(s->r, s->b, s->e, s->n))                                         \
	X(sqr, ANY, 16, cc_fz_sqr(s->r, s->b, s->n))                                               \
	/* by the golden ratio: of all widths the most levels */                                   \
	X(mul_unequal, ANY, 28, cc_fz_mul_unequal(s->r, s->b, s->n, s->e, s->n * 5 / 8))           \
	X(mul_low, ANY, 20, cc_fz_mul_low(s->r, s->b, s->e, s->n))                                 \
	X(mul_high, ANY, 20, cc_fz_mul_high(s->r, s->b, s->e, s->n))                               \
	X(divrem, ANY, 24, cc_fz_divrem(s->r, s->rest, s->b, s->n, s->m, s->n / 2))                \
	X(div_word, ANY, 24, cc_fz_div_word(s->r, s->rest, s->b, s->n, s->m[0]))                   \
	X(mod, ANY, 24, cc_fz_mod(s->r, s->b, s->n, s->m, s->n / 2))                               \
	X(divexact, ANY, 24, cc_fz_divexact(s->r, s->b, s->n, s->m, s->n))                         \
	X(random_bits, ANY, 24, cc_fz_random_bits(s->r, s->n, s->n *BITS, give, s))                \
	X(random_below, ANY, 24, cc_fz_random_below(s->r, s->m, s->n, give, s))                    \
	X(random_wide, ANY, 24, cc_fz_random_wide(s->r, s->m, s->n, give, s))                      \
	X(mulmod, ANY, 24, cc_fz_mulmod(s->r, s->b, s->e, s->m, s->n))                             \
	X(sqrmod, ANY, 24, cc_fz_sqrmod(s->r, s->b, s->m, s->n))                                   \
	X(gcd, ANY, 24, cc_fz_gcd(s->r, s->b, s->e, s->n))                                         \
	X(gcdext, ANY, 24, cc_fz_gcdext(s->r, s->rest, s->r + s->n, s->b, s->m, s->n))             \
	X(lcm, ANY, 24, cc_fz_lcm(s->r, s->b, s->m, s->n))                                         \
	X(inverse, ANY, 24, cc_fz_inverse(s->r, s->rest, s->b, s->m, s->n))                        \
	X(jacobi, ANY, 24, cc_fz_jacobi((int *)(void *)s->r, s->b, s->m, s->n))                    \
	X(powmod, ANY, 160, cc_fz_powmod(s->r, s->b, s->e, s->m, s->n))                            \
	X(powmod_bits, ANY, 160, cc_fz_powmod_bits(s->r, s->b, s->e, BITS, s->m, s->n))            \
	X(powmod_public, ANY, 160, cc_fz_powmod_public(s->r, s->b, &exponent, 1, s->m, s->n))      \
	X(powmod_many, ANY, 320, cc_fz_powmod_many(s->r, s->b, s->e, s->m, s->n / SOME, SOME))     \
	X(powmod_many_bits, ANY, 320,                                                              \
	  cc_fz_powmod_many_bits(s->r, s->b, s->e, BITS / 2, s->m, s->n / SOME, SOME))             \
	X(mont_init, ODD, 24, make_context(s))                                                     \
	X(mont_to, ODD, 24, cc_fz_mont_to(s->r, s->b, &s->M))                                      \
	X(mont_from, ODD, 24, cc_fz_mont_from(s->r, s->b, &s->M))                                  \
	X(mont_mul, ODD, 24, cc_fz_mont_mul(s->r, s->b, s->e, &s->M))                              \
	X(mont_sqr, ODD, 24, cc_fz_mont_sqr(s->r, s->b, &s->M))                                    \
	X(mont_inverse, ODD, 24, cc_fz_mont_inverse(s->r, s->rest, s->b, &s->M))                   \
	X(mont_pow, ODD, 160, cc_fz_mont_pow(s->r, s->b, s->e, 2 * BITS, &s->M))                   \
	X(mont_pow_public, ODD, 160, cc_fz_mont_pow_public(s->r, s->b, &exponent, 1, &s->M))       \
	X(mont_powmod, ODD, 160, cc_fz_mont_powmod(s->r, s->b, s->e, 2 * BITS, &s->M))             \
	X(mont_powmod_public, ODD, 160, cc_fz_mont_powmod_public(s->r, s->b, &exponent, 1, &s->M)) \
	X(mont_powmod_many, ODD, 320, cc_fz_mont_powmod_many(s->r, s->b, s->e, BITS, &s->M, 1))    \
	X(sqrtmod, THREE, 160, cc_fz_sqrtmod(s->r, s->rest, s->b, s->m, s->n))                     \
	X(sqrtmod_long, BASE, 160, cc_fz_sqrtmod(s->r, s->rest, s->b, s->m, s->n))                 \
	X(miller_rabin, ODD, 160, cc_fz_miller_rabin(s->r, s->m, s->n, s->b, 1))                   \
	X(rsa_init, KEY, 40, make_key(s))                                                          \
	X(rsa_public, VALID, 160, cc_fz_rsa_public(s->r, s->b, &s->rsa))                           \
	X(rsa_private, VALID, RSA, cc_fz_rsa_private(s->r, s->b, &s->rsa, give, s))                \
	X(rsa_private_alone, VALID, RSA, cc_fz_rsa_private(s->r, s->b, &s->rsa, NULL, NULL))       \
	X(rsa_private_of_a_key, KEY, RSA, private_power(s))                                        \
	X(rsa_private_many, MANY, RSA, private_powers(s, SOME, 0))                                 \
	X(rsa_private_many_without_a_factor, TWO, RSA, private_powers(s, 2, 3))                    \
	X(rsa_private_many_without_exponents, TWO, RSA, private_powers(s, 2, 4))

#define RSA (CC_FZ_RSA_STACK / 1024)

#define CALL(name, kind, kilobytes, call)                                                          \
	static void call_##name(struct secret *s)                                                  \
	{                                                                                          \
		(void)(call);                                                                      \
	}
FUNCTIONS(CALL)

#define ROW(name, kind, kilobytes, call)                                                           \
	{"the stack of " #name, kind, (kilobytes)*1024, call_##name},

static const struct function {
	const char *name;
	enum kind kind;
	size_t promised;
	void (*call)(struct secret *s);
} functions[] = {FUNCTIONS(ROW)};

/*
 * The most words in a row that a compiler may spill, where it was looked at: three were found, or
 * a vector, or two.
 */
#define SPILLED		4
#define SPILLED_VECTORS 24
#if defined(__has_feature)
#define HAS(feature) __has_feature(feature)
#else
#define HAS(feature) 0
#endif

/* Sanitizers put more on the stack, and leave it there. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || HAS(address_sanitizer) ||     \
	HAS(thread_sanitizer)
#define SANITIZED 1
#else
#define SANITIZED 0
#endif

#if !defined(__x86_64__) || !defined(__OPTIMIZE__) || SANITIZED
#define LOOKED_AT 0
#elif defined(__clang__)
#define LOOKED_AT (__clang_major__ == 14)
#else
#define LOOKED_AT (__GNUC__ == 12)
#endif

static ucontext_t here;
static struct secret *called;

static void enter(void)
{
	volatile unsigned char gap[GAP];

	gap[0] = 0;
	called->top = (unsigned char *)(uintptr_t)gap;
	called->call(called);
	gap[0] = 1;
}

/*
 * No signal may put its frame there.  Not a thread: after one, a signal's end gives the first
 * thread another's local storage under qemu-i386.
 */
static bool run_on(unsigned char *stack, size_t size, struct secret *s)
{
	ucontext_t there;
	sigset_t alarm, before;
	bool ran;

	memset(stack, PATTERN, size);
	sigemptyset(&alarm);
	sigaddset(&alarm, SIGALRM);
	sigprocmask(SIG_BLOCK, &alarm, &before);
	called = s;
	ran = !getcontext(&there);
	there.uc_stack.ss_sp = stack;
	there.uc_stack.ss_size = size;
	there.uc_link = &here;
	makecontext(&there, enter, 0);
	ran = ran && !swapcontext(&here, &there);
	sigprocmask(SIG_SETMASK, &before, NULL);
	return ran;
}

static cc_word word_at(const unsigned char *stack, size_t at)
{
	cc_word word;

	memcpy(&word, stack + at, sizeof(word));
	return word;
}

/* The bytes of the words that are as they were filled. */
static size_t untouched(const unsigned char *stack, size_t size)
{
	const cc_word filled = (cc_word)-1 / 0xff * PATTERN;
	size_t i;

	for (i = 0; i < size && word_at(stack, i) == filled; i += sizeof(filled))
		;
	return i;
}

/* Words with a zero above, as in a small result, may be anybody's. */
static bool left(const unsigned char *stack, size_t size, const cc_word *secret, size_t n)
{
	size_t i, at;

	for (at = 0; at + 2 * sizeof(cc_word) <= size; at += sizeof(cc_word)) {
		cc_word low = word_at(stack, at), high = word_at(stack, at + sizeof(cc_word));

		for (i = 0; high && i + 1 < n; i++)
			if (low == secret[i] && high == secret[i + 1])
				return true;
	}
	return false;
}

/* Whether a number is left as Montgomery's form or as what it is the form of. */
static bool left_otherwise(const unsigned char *stack, size_t size, const cc_word *secret,
			   const struct secret *s)
{
	static cc_word to[CC_FZ_MAX], from[CC_FZ_MAX];

	cc_fz_mont_to(to, secret, &s->M);
	cc_fz_mont_from(from, secret, &s->M);
	return left(stack, size, to, s->n) || left(stack, size, from, s->n);
}

/* Two odd factors of one product, of which another @which exchanges parts. */
static void factors(struct secret *s, cc_word (*part)[CC_FZ_MAX / 4], size_t which)
{
	size_t narrow = s->half / 2, wide = s->half - narrow;

	cc_fz_mul_unequal(s->p, part[0], wide, part[2 + which], narrow);
	cc_fz_mul_unequal(s->q, part[1], wide, part[3 - which], narrow);
}

/* Draws parts until there is a key of either kind. */
static void draw_parts(struct secret *s, cc_word (*part)[CC_FZ_MAX / 4])
{
	size_t i, j;

	do {
		for (i = 0; i < 4; i++)
			for (j = 0; j < CC_FZ_MAX / 4; j++)
				part[i][j] = random_word() | !j;
		factors(s, part, 1);
		if (make_key(s))
			continue;
		factors(s, part, 0);
	} while (make_key(s));
}

static void draw_prime(cc_word *r, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		r[i] = random_word();
	r[n - 1] >>= 1;
	cc_fz_next_prime(r, r, n);
}

/* Secrets of a kind; what is the same for all is made with the first, @which = 0. */
static void make_secret(struct secret *s, enum kind kind, bool even, size_t which)
{
	static cc_word part[4][CC_FZ_MAX / 4];
	size_t i;

	for (i = 0; i < s->n; i++) {
		s->b[i] = random_word();
		s->e[i] = random_word();
		/* each of many, too */
		if (kind != BASE || !which)
			s->m[i] = (random_word() | 1) ^ even;
	}
	/* b, e < m */
	s->b[s->n - 1] >>= 1;
	s->e[s->n - 1] >>= 1;
	s->m[s->n - 1] |= (cc_word)1 << (BITS - 1);
	if (kind == THREE)
		s->m[0] |= 2;
	if (kind == BASE)
		s->m[0] &= ~(cc_word)2;
	if (even)
		s->b[0] &= ~(cc_word)1;
	/* by the last window of e, b itself is the last that comes out of a table */
	if (random_below(2))
		s->e[0] = (s->e[0] & ~(cc_word)0xff) | 1;
	if (kind == ODD)
		make_context(s);
	if ((kind == KEY || kind == TWO || kind == MANY) && !which)
		draw_parts(s, part);
	if (kind == KEY || kind == TWO || kind == MANY)
		factors(s, part, which);
	while (kind == VALID && !which) {
		draw_prime(s->p, s->half);
		draw_prime(s->q, s->half);
		if (!make_key(s))
			break;
	}
	memset(s->r, 0, sizeof(s->r));
	memset(s->rest, 0, sizeof(s->rest));
}

static void check_left(const unsigned char *stack, size_t size, enum kind kind,
		       const struct secret *s)
{
	const size_t n = s->n;

	CHECK(!left(stack, size, s->b, n), "b is left on the stack");
	CHECK(!left(stack, size, s->e, n), "e is left on the stack");
	CHECK(!left(stack, size, s->m, n), "m is left on the stack");
	CHECK(!left(stack, size, s->p, s->half), "p is left on the stack");
	CHECK(!left(stack, size, s->q, s->half), "q is left on the stack");
	CHECK(!left(stack, size, s->r, n), "the result is left on the stack");
	CHECK(!left(stack, size, s->rest, n), "the second result is left on the stack");
	if (kind == ODD)
		CHECK(!left_otherwise(stack, size, s->b, s) &&
			      !left_otherwise(stack, size, s->r, s) &&
			      !left_otherwise(stack, size, s->rest, s),
		      "another form is left on the stack");
}

/* The most words in a row that differ. */
static size_t most_in_a_row(const unsigned char *stack, const unsigned char *other, size_t size)
{
	size_t row = 0, most = 0, at;

	for (at = 0; at < size; at += sizeof(cc_word)) {
		row = word_at(stack, at) != word_at(other, at) ? row + 1 : 0;
		most = row > most ? row : most;
	}
	return most;
}

/* The words of a factor, if there are factors. */
static size_t half_of(enum kind kind, size_t n)
{
	switch (kind) {
	case KEY:
		return n / 2;
	case TWO:
		return n / 4;
	case MANY:
		return n / SOME / 2;
	case VALID:
		return 3;
	default:
		return 0;
	}
}

static void on_stack(const struct function *f, size_t n, bool even, size_t times)
{
	static struct secret s;
	/* made once: to touch as many new pages takes longer than most of the calls */
	static unsigned char *stack, *other;
	const size_t size = (size_t)STACK_PAGES * 4096;
	size_t spilled = strcmp(tier, "avx512ifma") ? SPILLED : SPILLED_VECTORS, which, most;

	stack = stack ? stack : aligned_alloc(4096, size);
	other = other ? other : aligned_alloc(4096, size);
	test_sizes(n, even, 0);
	s.call = f->call;
	s.half = half_of(f->kind, n);
	s.n = f->kind == VALID ? 2 * s.half : n;
	for (which = 0; which < times; which++) {
		size_t used, from;

		make_secret(&s, f->kind, even, which);
		if (LOOKED_AT && which)
			memcpy(other, stack, size);
		CHECK(run_on(stack, size, &s), "no other stack");
		from = untouched(stack, size);
		used = (size_t)(s.top - stack) - from;
		CHECK(used <= f->promised || SANITIZED, "%zu bytes of stack, not %zu", used,
		      f->promised);
		check_left(stack + from, used, f->kind, &s);
	}
	if (LOOKED_AT && times == 2) {
		most = most_in_a_row(stack, other, (size_t)(s.top - stack));
		CHECK(most <= spilled, "%zu words in a row are left that depend on secrets", most);
	}
}

void fixed_stack(const char *in_tier)
{
	static const size_t widths[] = {7, 24, 72};
	size_t i, width;
	cc_word none;

	tier = in_tier;
	if (!LOOKED_AT)
		test_skip("what secrets leave otherwise: looked at on x86-64, by gcc 12 and clang "
			  "14");
	/* chooses the kernels of limbs/ */
	cc_fz_add(&none, NULL, NULL, 0);
	for (i = 0; i < COUNT(functions); i++) {
		const struct function *f = &functions[i];
		bool power = f->promised > 40 * 1024;

		begin(tier, f->name);
		/* wide powers take a second and more in portable C */
		if (power && (fixed_slow() || f->kind == BASE))
			on_stack(f, CC_FZ_MAX / 8, false, 2);
		else
			on_stack(f, CC_FZ_MAX, false, power ? 1 : 2);
		for (width = 0; width < COUNT(widths) - fixed_slow(); width++) {
			/* each of a factor's two parts takes a word */
			if (f->kind >= KEY && half_of(f->kind, widths[width]) < 2)
				continue;
			on_stack(f, widths[width], false, 2);
			if (f->kind == ANY)
				on_stack(f, widths[width], true, 2);
		}
	}
}
