// SPDX-License-Identifier: MIT
/*
 * Constant-time integers: products beside GMP's, modular exponentiation beside GMP's and those
 * of OpenSSL and its like (crypto.h), all constant-time; a size is in bits.  In the suite
 * fixed_ffa, the table of FFA's unrolled columns: portable, asm-8, asm-16, asm-32, each its own
 * row.
 */
#include <carrychain/cpu.h>
#include <carrychain/montgomery.h>
#include <gmp.h>
#include <stdlib.h>
#include <string.h>

#include "crypto.h"
#include "fixed/kernels.h"

#define WORDS(bits) ((bits) / CC_WORD_BITS)
#define MOST	    WORDS(8192)
#define BATCH	    8
#define SHORT	    256 /* bits of a short exponent */

/* What a library has of one exponentiation. */
struct side {
	const struct cc_crypto *by;
	BIGNUM *r, *b, *e, *m;
	BN_CTX *ctx;
	BN_MONT_CTX *mont;
};

/* Operands for one exponentiation, or a batch of them. */
struct work {
	cc_word *r, *a, *b, *m;
	size_t n;
	cc_fixed_mul_fn *mul;
	cc_fixed_sqr_fn *sqr;
	mpz_t zr, zb, ze, zm;
	struct side sides[CC_CRYPTO_MOST], *end, *side; /* @side is the one that is timed */
	struct cc_fz_mont kept;
	cc_word memory[CC_FZ_MONT_WORDS(MOST)];
};

CC_BENCH_LOOP(our_mul, cc_fz_mul(w->r, w->a, w->b, w->n))
CC_BENCH_LOOP(our_sqr, cc_fz_sqr(w->r, w->a, w->n))
CC_BENCH_LOOP(variant_mul, w->mul(w->r, w->a, w->b, w->n))
CC_BENCH_LOOP(variant_sqr, w->sqr(w->r, w->a, w->n))
CC_BENCH_LOOP(gmp_mul, mpn_mul_n(w->r, w->a, w->b, (mp_size_t)w->n))
CC_BENCH_LOOP(gmp_sqr, mpn_sqr(w->r, w->a, (mp_size_t)w->n))
CC_BENCH_LOOP(our_powmod, cc_fz_powmod(w->r, w->a, w->b, w->m, w->n))
CC_BENCH_LOOP(our_powmod_many, cc_fz_powmod_many(w->r, w->a, w->b, w->m, w->n, BATCH))
CC_BENCH_LOOP(our_short, cc_fz_powmod_bits(w->r, w->a, w->b, SHORT, w->m, w->n))
CC_BENCH_LOOP(our_short_kept, cc_fz_mont_powmod(w->r, w->a, w->b, SHORT, &w->kept))
CC_BENCH_LOOP(our_public, cc_fz_powmod_public(w->r, w->a, w->b, 1, w->m, w->n))
CC_BENCH_LOOP(our_public_kept, cc_fz_mont_powmod_public(w->r, w->a, w->b, 1, &w->kept))
CC_BENCH_LOOP(our_context, cc_fz_mont_init(&w->kept, w->memory, w->m, w->n))
CC_BENCH_LOOP(our_context_public, cc_fz_mont_init_public(&w->kept, w->memory, w->m, w->n))
CC_BENCH_LOOP(gmp_public, mpz_powm(w->zr, w->zb, w->ze, w->zm))
CC_BENCH_LOOP(gmp_powmod, mpz_powm_sec(w->zr, w->zb, w->ze, w->zm))

#define SIDE_LOOP(name, call)                                                                      \
	static void name(void *context, size_t rounds)                                             \
	{                                                                                          \
		struct side *s = ((struct work *)context)->side;                                   \
                                                                                                   \
		while (rounds--)                                                                   \
			call;                                                                      \
	}

SIDE_LOOP(side_powmod, s->by->power_consttime(s->r, s->b, s->e, s->m, s->ctx, s->mont))
SIDE_LOOP(side_public, s->by->power(s->r, s->b, s->e, s->m, s->ctx, s->mont))
SIDE_LOOP(side_context, s->by->mont_set(s->mont, s->m, s->ctx))
SIDE_LOOP(side_context_consttime, s->by->mont_free(s->by->mont_new_consttime(s->m, s->ctx)))

/* One of ours is a batch: the peer does as many. */
static void side_powmod_batch(void *context, size_t rounds)
{
	side_powmod(context, BATCH * rounds);
}

/* A row beside each library; @peer is the system's. */
static void beside(struct work *w, const char *case_, size_t bits, const char *peer,
		   cc_bench_fn *ours, cc_bench_fn *theirs)
{
	for (w->side = w->sides; w->side < w->end; w->side++)
		cc_bench_pair(case_, bits, cc_fz_tier(),
			      w->side == w->sides ? peer : w->side->by->peer, ours, theirs, w);
}

static void set_up(struct work *w)
{
	const struct cc_crypto *by;
	struct side *s;

	memset(w, 0, sizeof(*w));
	w->r = cc_bench_alloc(2 * BATCH * MOST * sizeof(cc_word));
	w->a = cc_bench_alloc(BATCH * MOST * sizeof(cc_word));
	w->b = cc_bench_alloc(BATCH * MOST * sizeof(cc_word));
	w->m = cc_bench_alloc(BATCH * MOST * sizeof(cc_word));
	cc_bench_random(w->a, BATCH * MOST * sizeof(cc_word));
	cc_bench_random(w->b, BATCH * MOST * sizeof(cc_word));
	mpz_inits(w->zr, w->zb, w->ze, w->zm, NULL);
	for (w->end = w->sides; (by = cc_crypto((size_t)(w->end - w->sides))); w->end++) {
		s = w->end;
		s->by = by;
		s->r = by->number_new();
		s->b = by->number_new();
		s->e = by->number_new();
		s->m = by->number_new();
		s->ctx = by->ctx_new();
		s->mont = by->mont_new();
		if (!s->r || !s->b || !s->e || !s->m || !s->ctx || !s->mont)
			abort();
	}
}

static void tear_down(struct work *w)
{
	struct side *s;

	free(w->r);
	free(w->a);
	free(w->b);
	free(w->m);
	mpz_clears(w->zr, w->zb, w->ze, w->zm, NULL);
	for (s = w->sides; s < w->end; s++) {
		s->by->number_free(s->r);
		s->by->number_free(s->b);
		s->by->number_free(s->e);
		s->by->number_free(s->m);
		s->by->mont_free(s->mont);
		s->by->ctx_free(s->ctx);
	}
}

/* x = a[n] */
static void set_number(const struct cc_crypto *by, BIGNUM *x, const cc_word *a, size_t n)
{
	unsigned char bytes[MOST * sizeof(cc_word)];

	if (cc_fz_to_bytes(bytes, n * sizeof(cc_word), a, n, CC_BIG_ENDIAN) != CC_OK ||
	    !by->number_set(bytes, (int)(n * sizeof(cc_word)), x))
		abort();
}

/* Odd moduli of full width, and the peers' copies of the first of each operand. */
static void set_moduli(struct work *w)
{
	size_t lane, n = w->n;
	struct side *s;

	cc_bench_random(w->m, BATCH * MOST * sizeof(cc_word));
	for (lane = 0; lane < BATCH; lane++) {
		w->m[lane * n] |= 1;
		w->m[lane * n + n - 1] |= (cc_word)1 << (CC_WORD_BITS - 1);
		/* exponents of full width too: the peers' time depends on it */
		w->b[lane * n + n - 1] |= (cc_word)1 << (CC_WORD_BITS - 1);
		/* the peers want a reduced base */
		w->a[lane * n + n - 1] &= ~(cc_word)0 >> 1;
	}
	mpz_import(w->zb, n, -1, sizeof(cc_word), 0, 0, w->a);
	mpz_import(w->zm, n, -1, sizeof(cc_word), 0, 0, w->m);
	for (s = w->sides; s < w->end; s++) {
		set_number(s->by, s->b, w->a, n);
		set_number(s->by, s->m, w->m, n);
		if (!s->by->mont_set(s->mont, s->m, s->ctx))
			abort();
	}
	if (cc_fz_mont_init(&w->kept, w->memory, w->m, n) != CC_OK)
		abort();
}

/* The peers' exponent: the first @en words of ours. */
static void set_exponent(struct work *w, size_t en)
{
	struct side *s;

	mpz_import(w->ze, en, -1, sizeof(cc_word), 0, 0, w->b);
	for (s = w->sides; s < w->end; s++)
		set_number(s->by, s->e, w->b, en);
}

/* A peer that computes something else would be no peer. */
static void check_same(struct work *w, void (*ours)(void *context, size_t rounds))
{
	unsigned char theirs[MOST * sizeof(cc_word)], bytes[MOST * sizeof(cc_word)];
	size_t len = w->n * sizeof(cc_word);
	cc_word gmp[MOST] = {0};

	ours(w, 1);
	gmp_powmod(w, 1);
	mpz_export(gmp, NULL, -1, sizeof(cc_word), 0, 0, w->zr);
	if (memcmp(w->r, gmp, len) ||
	    cc_fz_to_bytes(bytes, len, w->r, w->n, CC_BIG_ENDIAN) != CC_OK)
		abort();
	for (w->side = w->sides; w->side < w->end; w->side++) {
		side_powmod(w, 1);
		if (w->side->by->number_get(w->side->r, theirs, (int)len) != (int)len ||
		    memcmp(bytes, theirs, len))
			abort();
	}
}

static const size_t sizes[] = {1024, 2048, 3072, 4096, 8192};
static const size_t narrow[] = {256, 384, 512};

#define SIZES  (sizeof(sizes) / sizeof(sizes[0]))
#define NARROW (sizeof(narrow) / sizeof(narrow[0]))

static void powers(struct work *w, size_t bits, const char *tier)
{
	w->n = WORDS(bits);
	set_moduli(w);
	set_exponent(w, w->n);
	check_same(w, our_powmod);
	beside(w, "powmod", bits, "BN_mod_exp_mont_consttime", our_powmod, side_powmod);
	cc_bench_pair("powmod", bits, tier, "mpz_powm_sec", our_powmod, gmp_powmod, w);
	/* nanoseconds of eight */
	beside(w, "powmod_many 8", bits, "BN_mod_exp_mont_consttime", our_powmod_many,
	       side_powmod_batch);
}

/* Short exponents, secret and public, without a context and with one; what that costs. */
static void short_powers(struct work *w, size_t bits, const char *tier)
{
	w->n = WORDS(bits);
	set_moduli(w);
	set_exponent(w, SHORT / CC_WORD_BITS);
	check_same(w, our_short);
	beside(w, "powmod e 256 bits", bits, "BN_mod_exp_mont_consttime", our_short, side_powmod);
	beside(w, "powmod e 256 bits, kept", bits, "BN_mod_exp_mont_consttime", our_short_kept,
	       side_powmod);
	w->b[0] = 65537;
	set_exponent(w, 1);
	check_same(w, our_public);
	cc_bench_pair("powmod e 65537", bits, tier, "mpz_powm", our_public, gmp_public, w);
	beside(w, "powmod e 65537, kept", bits, "BN_mod_exp_mont", our_public_kept, side_public);
	beside(w, "context, public", bits, "BN_MONT_CTX_set", our_context_public, side_context);
	/* where BN_MONT_CTX_set takes time by the modulus, there is another one */
	for (w->side = w->sides; w->side < w->end; w->side++)
		cc_bench_pair(
			"context", bits, tier,
			w->side == w->sides ? "BN_MONT_CTX_set" : w->side->by->peer, our_context,
			w->side->by->mont_new_consttime ? side_context_consttime : side_context, w);
}

void cc_bench_fixed(void)
{
	const char *tier = cc_fz_tier();
	struct work w;
	size_t s;

	set_up(&w);
	for (s = 0; s < SIZES; s++) {
		w.n = WORDS(sizes[s]);
		cc_bench_pair("mul", sizes[s], tier, "mpn_mul_n", our_mul, gmp_mul, &w);
	}
	for (s = 0; s < SIZES; s++) {
		w.n = WORDS(sizes[s]);
		cc_bench_pair("sqr", sizes[s], tier, "mpn_sqr", our_sqr, gmp_sqr, &w);
	}
	for (s = 0; s < NARROW; s++)
		powers(&w, narrow[s], tier);
	for (s = 0; s < SIZES; s++)
		powers(&w, sizes[s], tier);
	for (s = 0; s < SIZES; s++)
		short_powers(&w, sizes[s], tier);
	tear_down(&w);
}

#if CC_BUILD_X86_64
#include "fixed/x86_64/comba.h"

/* FFA's ways to use the columns: one width in assembly, portable below it, Karatsuba above. */
#define VARIANT(width)                                                                             \
	static void mul_base##width(cc_word *xy, const cc_word *x, const cc_word *y, size_t n)     \
	{                                                                                          \
		if (n == width)                                                                    \
			cc_fixed_mul_##width##_x86_64(xy, x, y, n);                                \
		else                                                                               \
			cc_fixed_mul_comba(xy, x, y, n);                                           \
	}                                                                                          \
                                                                                                   \
	static void sqr_base##width(cc_word *xx, const cc_word *x, size_t n)                       \
	{                                                                                          \
		if (n == width)                                                                    \
			cc_fixed_sqr_##width##_x86_64(xx, x, n);                                   \
		else                                                                               \
			cc_fixed_sqr_comba(xx, x, n);                                              \
	}                                                                                          \
                                                                                                   \
	static void mul_asm##width(cc_word *xy, const cc_word *x, const cc_word *y, size_t n)      \
	{                                                                                          \
		cc_fixed_mul_above(mul_base##width, width, xy, x, y, n);                           \
	}                                                                                          \
                                                                                                   \
	static void sqr_asm##width(cc_word *xx, const cc_word *x, size_t n)                        \
	{                                                                                          \
		cc_fixed_sqr_above(sqr_base##width, width, xx, x, n);                              \
	}

VARIANT(8)
VARIANT(16)
VARIANT(32)

static void portable_mul(cc_word *xy, const cc_word *x, const cc_word *y, size_t n)
{
	cc_fixed_generic.mul(xy, x, y, n);
}

static void portable_sqr(cc_word *xx, const cc_word *x, size_t n)
{
	cc_fixed_generic.sqr(xx, x, n);
}

/*
 * The table of the article: squaring and multiplication, each variant beside GMP.  The
 * portable one has the portable tier below it too, the others that of mul and adc.
 */
void cc_bench_fixed_ffa(void)
{
	static const size_t table[] = {2048, 4096, 8192};
	static const struct {
		const char *name;
		uint64_t mask;
		cc_fixed_mul_fn *mul;
		cc_fixed_sqr_fn *sqr;
	} variants[] = {
		{"portable", CC_TIER_GENERIC, portable_mul, portable_sqr},
		{"asm-8", CC_TIER_X86_64, mul_asm8, sqr_asm8},
		{"asm-16", CC_TIER_X86_64, mul_asm16, sqr_asm16},
		{"asm-32", CC_TIER_X86_64, mul_asm32, sqr_asm32},
	};
	uint64_t in_use = cc_cpu_features();
	struct work w;
	size_t v, s;

	set_up(&w);
	for (v = 0; v < sizeof(variants) / sizeof(variants[0]); v++) {
		cc_cpu_set_mask(variants[v].mask);
		w.mul = variants[v].mul;
		w.sqr = variants[v].sqr;
		for (s = 0; s < sizeof(table) / sizeof(table[0]); s++) {
			w.n = WORDS(table[s]);
			cc_bench_pair("sqr", table[s], variants[v].name, "mpn_sqr", variant_sqr,
				      gmp_sqr, &w);
			cc_bench_pair("mul", table[s], variants[v].name, "mpn_mul_n", variant_mul,
				      gmp_mul, &w);
		}
	}
	cc_cpu_set_mask(in_use);
	tear_down(&w);
}
#endif
