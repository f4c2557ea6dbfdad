// SPDX-License-Identifier: MIT
/* Random numbers, by xoshiro256** (Blackman and Vigna 2018), seeded by splitmix64. */
#include "mpz.h"

static inline uint64_t rotated(uint64_t x, unsigned int by)
{
	return x << by | x >> (64 - by);
}

static uint64_t next(gmp_randstate_ptr state)
{
	uint64_t *s = state->_mp_state, result = rotated(s[1] * 5, 7) * 9, t = s[1] << 17;

	s[2] ^= s[0];
	s[3] ^= s[1];
	s[1] ^= s[2];
	s[0] ^= s[3];
	s[2] ^= t;
	s[3] = rotated(s[3], 45);
	return result;
}

static uint64_t mixed(uint64_t x)
{
	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
	x = (x ^ x >> 27) * 0x94d049bb133111eb;
	return x ^ x >> 31;
}

/* Never all 0: four different inputs of a permutation. */
static void seed_with(gmp_randstate_ptr state, uint64_t seed)
{
	unsigned int i;

	for (i = 0; i < 4; i++)
		state->_mp_state[i] = mixed(seed += 0x9e3779b97f4a7c15);
}

void gmp_randinit_default(gmp_randstate_ptr state)
{
	seed_with(state, 0);
}

void gmp_randinit_mt(gmp_randstate_ptr state)
{
	gmp_randinit_default(state);
}

void gmp_randinit_lc_2exp(gmp_randstate_ptr state, mpz_srcptr a, unsigned long c, mp_bitcnt_t bits)
{
	gmp_randseed(state, a);
	state->_mp_state[0] ^= mixed(c) ^ bits;
}

int gmp_randinit_lc_2exp_size(gmp_randstate_ptr state, mp_bitcnt_t size)
{
	if (size > 128)
		return 0;
	seed_with(state, size);
	return 1;
}

void gmp_randinit_set(gmp_randstate_ptr state, gmp_randstate_srcptr from)
{
	*state = *from;
}

void gmp_randclear(gmp_randstate_ptr state)
{
	(void)state;
}

void gmp_randseed_ui(gmp_randstate_ptr state, unsigned long seed)
{
	seed_with(state, seed);
}

void gmp_randseed(gmp_randstate_ptr state, mpz_srcptr seed)
{
	size_t n = mpz_length(seed), i;
	uint64_t hash = seed->_mp_size < 0;

	for (i = n; i--;)
		hash = mixed(hash + 0x9e3779b97f4a7c15) ^ seed->_mp_d[i];
	seed_with(state, hash);
}

unsigned long gmp_urandomb_ui(gmp_randstate_ptr state, unsigned long bits)
{
	if (bits >= sizeof(long) * CHAR_BIT)
		return (unsigned long)next(state);
	return (unsigned long)(next(state) >> 1 >> (63 - bits));
}

unsigned long gmp_urandomm_ui(gmp_randstate_ptr state, unsigned long n)
{
	uint64_t high, low;

	if (!n)
		cc_gmp_division_by_zero();
	/* Lemire 2019: the upper half of a product, but where its lower half is one too many */
	low = cc_mul_u64(&high, next(state), n);
	if (low < n) {
		uint64_t least = (0 - (uint64_t)n) % n;

		while (low < least)
			low = cc_mul_u64(&high, next(state), n);
	}
	return (unsigned long)high;
}

static void random_words(mp_ptr words, gmp_randstate_ptr state, size_t n, mp_bitcnt_t bits)
{
	size_t i;

	for (i = 0; i < n; i++)
		words[i] = (mp_limb_t)(next(state) >> (64 - GMP_LIMB_BITS));
	if (bits % GMP_LIMB_BITS)
		words[n - 1] &= ((mp_limb_t)1 << bits % GMP_LIMB_BITS) - 1;
}

void mpz_urandomb(mpz_ptr r, gmp_randstate_ptr state, mp_bitcnt_t bits)
{
	size_t n = bits / GMP_LIMB_BITS + (bits % GMP_LIMB_BITS != 0);

	random_words(mpz_room(r, n), state, n, bits);
	mpz_close(r, n, 0);
}

void mpz_urandomm(mpz_ptr r, gmp_randstate_ptr state, mpz_srcptr n)
{
	size_t length = mpz_length(n);
	mp_bitcnt_t bits = words_bits(n->_mp_d, length);
	struct temporary t;
	mp_ptr words;

	if (!length)
		cc_gmp_division_by_zero();
	words = temporary_open(&t, length);
	do
		random_words(words, state, length, bits);
	while (cc_limbs_cmp(words, n->_mp_d, length) >= 0);
	memcpy(mpz_room(r, length), words, length * sizeof(mp_limb_t));
	mpz_close(r, length, 0);
	temporary_close(&t);
}

void mpz_rrandomb(mpz_ptr r, gmp_randstate_ptr state, mp_bitcnt_t bits)
{
	size_t n = bits / GMP_LIMB_BITS + (bits % GMP_LIMB_BITS != 0);
	mp_bitcnt_t longest = bits / (1 + next(state) % 4) + 1, at = bits;
	mp_ptr words = mpz_room(r, n);

	memset(words, 0, n * sizeof(mp_limb_t));
	/* ones and zeros in turn, from the top */
	while (at) {
		mp_bitcnt_t ones = 1 + next(state) % longest, zeros = 1 + next(state) % longest;

		for (; ones && at; ones--) {
			at--;
			words[at / GMP_LIMB_BITS] |= (mp_limb_t)1 << at % GMP_LIMB_BITS;
		}
		at -= zeros < at ? zeros : at;
	}
	mpz_close(r, n, 0);
}

static void random_number(mpz_ptr r, mp_size_t words, void (*fill)(mp_ptr r, mp_size_t n))
{
	mp_size_t n = words < 0 ? -words : words;
	mp_ptr at = mpz_room(r, (size_t)n);

	if (n)
		fill(at, n);
	mpz_close(r, (size_t)n, words < 0);
}

void mpz_random(mpz_ptr r, mp_size_t words)
{
	random_number(r, words, mpn_random);
}

void mpz_random2(mpz_ptr r, mp_size_t words)
{
	random_number(r, words, mpn_random2);
}
