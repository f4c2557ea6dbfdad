// SPDX-License-Identifier: MIT
#include "ring.h"

void cc_fixed_ring_mul(const struct cc_fixed_ring *ring, cc_word *r, const cc_word *a,
		       const cc_word *b)
{
	if (ring->mont_mul) {
		ring->mont_mul(r, a, b, ring->m, ring->n, *ring->m0);
		return;
	}
	ring->mul(ring->t, a, b, ring->n);
	ring->reduce(ring, r);
}

static void sqr(const struct cc_fixed_ring *ring, cc_word *r, const cc_word *a)
{
	if (ring->mont_sqr) {
		ring->mont_sqr(r, a, a, ring->m, ring->n, *ring->m0);
		return;
	}
	ring->sqr(ring->t, a, ring->n);
	ring->reduce(ring, r);
}

/* Fills the table with the powers of its second entry; the first two are given. */
static void fill(const struct cc_fixed_ring *ring, size_t entries)
{
	cc_word *table = ring->table;
	size_t n = ring->n, entry;

	for (entry = 2; entry < entries; entry += 2) {
		sqr(ring, table + entry * n, table + entry / 2 * n);
		cc_fixed_ring_mul(ring, table + (entry + 1) * n, table + entry * n, table + n);
	}
}

/* From the top digit on, which is narrower unless the width divides the number of bits. */
static void power_of(const struct cc_fixed_ring *ring, const cc_word *e, size_t bits)
{
	size_t n = ring->n, en = (bits + CC_WORD_BITS - 1) / CC_WORD_BITS;
	unsigned int width = cc_fixed_window(bits, false), i;
	size_t entries = (size_t)1 << width, at = (bits - 1) / width * width;
	cc_word *table = ring->table, *x = ring->x, *y = x + n;

	fill(ring, entries);
	cc_fz_table_select(x, table, entries, n,
			   cc_fixed_bits(e, en, at, (unsigned int)(bits - at)));
	while (at) {
		at -= width;
		for (i = 0; i < width; i++)
			sqr(ring, x, x);
		cc_fz_table_select(y, table, entries, n, cc_fixed_bits(e, en, at, width));
		cc_fixed_ring_mul(ring, x, x, y);
	}
}

/* The same for a public e. */
static void power_of_shown(const struct cc_fixed_ring *ring, const cc_word *e, size_t bits)
{
	unsigned int width = cc_fixed_window(bits, true), i;
	size_t n = ring->n, at = (bits - 1) / width * width, digit;
	cc_word *x = ring->x;

	fill(ring, (size_t)1 << width);
	memcpy(x, ring->table + cc_fixed_shown_digit(e, bits, at, width) * n, n * sizeof(*x));
	while (at) {
		at -= width;
		for (i = 0; i < width; i++)
			sqr(ring, x, x);
		digit = cc_fixed_shown_digit(e, bits, at, width);
		if (digit)
			cc_fixed_ring_mul(ring, x, x, ring->table + digit * n);
	}
}

void cc_fixed_ring_power(const struct cc_fixed_ring *ring, const cc_word *e, size_t bits,
			 bool shown)
{
	if (shown)
		power_of_shown(ring, e, bits);
	else
		power_of(ring, e, bits);
}
