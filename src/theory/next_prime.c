// SPDX-License-Identifier: MIT
/*
 * The next prime: spans of odd numbers, from which the multiples of small primes are removed,
 * before the rest is tested.  A further prime p removes one in p of the numbers that are left, so
 * it pays as long as its residue takes less than 1 / p of their tests.  A test takes the cube of
 * the bits or less, a residue is linear: primes up to about the square of the bits pay.
 */
#include <carrychain/theory.h>

#include "../bigint/room.h"
#include "../fixed/public.h"
#include "../limbs/divide.h"
#include "../natural/sieve.h"

#include "prime.h"

#define SIEVE_LEAST ((size_t)1 << 8)
#define SIEVE_MOST  ((size_t)1 << 20)

struct search {
	size_t n;
	cc_word *from, *candidate; /* n words each */
	size_t span, limit;	   /* odd numbers from @from on, and the bound of the primes */
	cc_word *composite, *sieve, *memory;
	struct cc_watch *w;
};

/* Marks the multiples of p in the span, for from = rest modulo p: those with 2 i + rest = 0 */
static void mark(const struct search *s, size_t p, size_t rest)
{
	size_t i = rest ? p - rest : 0;

	i = i & 1 ? (i + p) / 2 : i / 2;
	for (; i < s->span; i += p)
		s->composite[i / CC_WORD_BITS] |= (cc_word)1 << i % CC_WORD_BITS;
}

/* The words that are divided between two questions to the watch: some passes over short numbers. */
#define DIVIDED (16 * CC_STEP_WORDS)

/* Removes the multiples of the primes below the limit, all of which are below @from. */
static void remove_multiples(const struct search *s)
{
	size_t p = cc_sieve_next(s->sieve, s->limit, 2), first, divided = 0;

	memset(s->composite, 0, cc_sieve_words(2 * s->span) * sizeof(cc_word));
	while (p < s->limit) {
		cc_word together = 1, rest;

		for (first = p; p < s->limit && together <= ~(cc_word)0 / p;
		     p = cc_sieve_next(s->sieve, s->limit, p))
			together *= p;
		divided += s->n;
		if (divided >= DIVIDED) {
			divided = 0;
			if (cc_watch_step(s->w, CC_STEP_WORDS))
				return;
		}
		rest = cc_limbs_mod_1(s->from, s->n, together);
		for (; first < p && first < s->limit;
		     first = cc_sieve_next(s->sieve, s->limit, first))
			mark(s, first, (size_t)(rest % first));
	}
}

/* The first prime of the span, in the candidate; CC_ERANGE if there is none. */
static int search_span(struct search *s)
{
	size_t i = 0, length;
	int prime = 0, err;

	while (i < s->span) {
		cc_word left = ~s->composite[i / CC_WORD_BITS] >> i % CC_WORD_BITS;

		if (!left) {
			i = (i / CC_WORD_BITS + 1) * CC_WORD_BITS;
			continue;
		}
		i += cc_word_ctz(left);
		if (i >= s->span)
			break;
		cc_limbs_add_1(s->candidate, s->from, s->n, 2 * i);
		length = cc_limbs_normalise(s->candidate, s->n);
		if (cc_watch_step(s->w, CC_STEP_WORDS))
			return CC_EINTR;
		err = cc_probable_prime(&prime, s->candidate, length, s->memory, s->w);
		if (err || prime)
			return err;
		i++;
	}
	return CC_ERANGE;
}

static int search(struct search *s)
{
	int err;

	cc_sieve(s->sieve, s->limit);
	do {
		remove_multiples(s);
		err = cc_watch_stopped(s->w) ? CC_EINTR : search_span(s);
		cc_limbs_add_1(s->from, s->from, s->n, 2 * s->span);
	} while (err == CC_ERANGE);
	return err;
}

/* The odd primes p by which a span of odd numbers is sieved, and bits 0, p, 2p, ... */
static const struct {
	uint64_t each;
	unsigned char p;
} few[] = {{0x9249249249249249, 3},  {0x1084210842108421, 5}, {0x8102040810204081, 7},
	   {0x80100200400801, 11},   {0x10008004002001, 13},  {0x8000400020001, 17},
	   {0x200004000080001, 19},  {0x400000800001, 23},    {0x400000020000001, 29},
	   {0x4000000080000001, 31}, {0x2000000001, 37},      {0x20000000001, 41},
	   {0x80000000001, 43},	     {0x800000000001, 47},    {0x20000000000001, 53}};
#define SPAN 64

/* Below, primes are found by trial division alone. */
#define FEW_LEAST ((cc_word)1 << 12)

/* Bit i: whether one of them divides c + 2 i, for an odd c. */
static uint64_t multiples_of_few(cc_word c)
{
	uint64_t multiples = 0;
	size_t i;

#pragma GCC unroll 16
	for (i = 0; i < sizeof(few) / sizeof(*few); i++) {
		unsigned int p = few[i].p, first = p - (unsigned int)(c % p);

		/* 2 i = -c modulo p */
		multiples |= few[i].each << (first & 1 ? first + p : first) / 2 % p;
	}
	return multiples;
}

/* The first prime from an odd c on; such a prime is a word. */
static cc_word next_of_word(cc_word c)
{
	uint64_t left;
	int prime = 0;
	cc_word x;

	for (; c < FEW_LEAST; c += 2)
		if (cc_fixed_is_prime_by_trial(&c, 1))
			return c;
	for (;; c += 2 * SPAN)
		for (left = ~multiples_of_few(c); left; left &= left - 1) {
			x = c + 2 * (SPAN - 1 - cc_clz_u64(left & (0 - left)));
			cc_probable_prime(&prime, &x, 1, NULL, NULL);
			if (prime)
				return x;
		}
}

static size_t clamped(uint64_t x, size_t least, size_t most)
{
	return x < least ? least : x > most ? most : (size_t)x;
}

int cc_theory_next_prime(cc_bigint *r, const cc_bigint *x, const struct cc_progress *progress)
{
	struct cc_watch w = {progress, 0, 0, 0};
	uint64_t bits = cc_bigint_bit_length(x), words;
	size_t n = x->length + 1;
	struct search s = {.n = n, .w = &w};
	cc_word *memory;
	cc_bigint found;
	int err;

	if (x->negative || bits < 2)
		return cc_bigint_set_u64(r, 2);
	/* the next odd number */
	if (n == 2 && x->words[0] >> (CC_WORD_BITS - 1) == 0)
		return cc_bigint_set_u64(r, next_of_word((x->words[0] + 1) | 1));
	s.limit = clamped(bits * bits / 16, SIEVE_LEAST, SIEVE_MOST);
	s.span = clamped(2 * bits, 512, SIZE_MAX / 4);
	words = 2 * (uint64_t)n + cc_sieve_words(2 * s.span) + cc_sieve_words(s.limit) +
		cc_probable_prime_words(n);
	if (words > PTRDIFF_MAX / sizeof(cc_word))
		return CC_ENOMEM;
	memory = CC_ALLOC((size_t)words * sizeof(*memory));
	if (!memory)
		return CC_ENOMEM;
	s.from = memory;
	s.candidate = s.from + n;
	s.composite = s.candidate + n;
	s.sieve = s.composite + cc_sieve_words(2 * s.span);
	s.memory = s.sieve + cc_sieve_words(s.limit);
	memcpy(s.from, x->words, (n - 1) * sizeof(*memory));
	s.from[n - 1] = 0;
	cc_limbs_add_1(s.from, s.from, n, x->words[0] & 1 ? 2 : 1);
	err = search(&s);
	if (!err) {
		found = (cc_bigint){s.candidate, cc_limbs_normalise(s.candidate, n), n, 0};
		err = cc_bigint_set(r, &found);
	}
	CC_FREE(memory);
	return err;
}
