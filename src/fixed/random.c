// SPDX-License-Identifier: MIT
/* Random numbers from a caller's bytes. */
#include "../limbs/bytes.h"
#include "kernels.h"
#include "mask.h"

/* At least half of the numbers succeed: this many fail in a row once in 2^128. */
#define TRIES 128

/* The words that the wide reduction takes beyond the modulus's width. */
#define EXTRA (128 / CC_WORD_BITS)

int cc_fz_random_bits(cc_word *r, size_t n, size_t bits, cc_fz_generator *generator, void *state)
{
	int error = CC_OK;
	size_t i;

	if (bits > n * CC_WORD_BITS)
		return CC_EINVAL;
	memset(r, 0, n * sizeof(*r));
	if (bits)
		error = generator(state, (unsigned char *)r, (bits + 7) / 8);
	if (error) {
		cc_fz_wipe(r, n);
		return error;
	}
	for (i = 0; i < n; i++)
		r[i] = cc_bytes_ordered(r[i], 0);
	if (bits % CC_WORD_BITS)
		r[bits / CC_WORD_BITS] &= ((cc_word)1 << bits % CC_WORD_BITS) - 1;
	return CC_OK;
}

int cc_fz_random_below(cc_word *r, const cc_word *m, size_t n, cc_fz_generator *generator,
		       void *state)
{
	size_t bits = cc_fz_bits(m, n);
	int tries, error;

	if (!bits)
		return CC_EINVAL;
	for (tries = 0; tries < TRIES; tries++) {
		error = cc_fz_random_bits(r, n, bits, generator, state);
		if (error)
			return error;
		if (cc_fz_lt(r, m, n))
			return CC_OK;
	}
	cc_fz_wipe(r, n);
	return CC_EINVAL;
}

int cc_fz_random_wide(cc_word *r, const cc_word *m, size_t n, cc_fz_generator *generator,
		      void *state)
{
	cc_word t[CC_FZ_MAX + EXTRA];
	int error;

	if (n > CC_FZ_MAX || cc_shows_zero(m, n))
		return CC_EINVAL;
	error = cc_fz_random_bits(t, n + EXTRA, (n + EXTRA) * CC_WORD_BITS, generator, state);
	if (!error)
		error = cc_fz_mod(r, t, n + EXTRA, m, n);
	cc_fz_wipe(t, n + EXTRA);
	return error;
}
