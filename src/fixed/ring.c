// SPDX-License-Identifier: MIT
#include "ring.h"

void cc_fixed_ring_mul(const struct cc_fixed_ring *ring, cc_word *r, const cc_word *a,
		       const cc_word *b)
{
	ring->mul(ring->t, a, b, ring->n);
	ring->reduce(ring, r);
}

static void sqr(const struct cc_fixed_ring *ring, cc_word *r, const cc_word *a)
{
	ring->sqr(ring->t, a, ring->n);
	ring->reduce(ring, r);
}

/* Narrower windows where the table would cost more than it saves. */
static unsigned int window(size_t bits)
{
	return bits <= 64 ? 3 : bits <= 256 ? 4 : CC_FIXED_WINDOW;
}

void cc_fixed_ring_power(const struct cc_fixed_ring *ring, const cc_word *e)
{
	size_t n = ring->n, bits = n * CC_WORD_BITS, at, entry;
	unsigned int width = window(bits), i;
	size_t entries = (size_t)1 << width;
	cc_word *table = ring->table, *x = ring->x, *y = x + n;

	for (entry = 2; entry < entries; entry += 2) {
		sqr(ring, table + entry * n, table + entry / 2 * n);
		cc_fixed_ring_mul(ring, table + (entry + 1) * n, table + entry * n, table + n);
	}

	/* from the top digit, which is narrower unless the width divides the bits */
	at = (bits - 1) / width * width;
	cc_fz_table_select(x, table, entries, n, cc_fixed_bits(e, n, at, width));
	while (at) {
		at -= width;
		for (i = 0; i < width; i++)
			sqr(ring, x, x);
		cc_fz_table_select(y, table, entries, n, cc_fixed_bits(e, n, at, width));
		cc_fixed_ring_mul(ring, x, x, y);
	}
}
