// SPDX-License-Identifier: MIT
/*
 * The Miller-Rabin test for a secret candidate.  With c - 1 = 2^s d, d odd, the test examines
 * the squares b^d, b^2d ... b^(2^(s - 1) d).  The power b^(c - 1) passes through these at the
 * end, when only zeros of the exponent are left.  So that power is computed by windows as
 * usual, and each square is compared, with a mask that says whether it is one of them.  For b^d
 * itself to be an intermediate value, the windows must be aligned with d: the exponent is
 * shifted by s mod the window's width, and that many squarings follow.
 */
#include <carrychain/montgomery.h>
#include <carrychain/prime.h>

#include "mask.h"
#include "ring.h"

#define WORDS(n) (CC_FZ_MONT_WORDS(n) + (4 + CC_FIXED_ENTRIES) * (size_t)(n))

struct candidate {
	struct cc_fz_mont M;
	/* d 2^lowest, lowest + rest = s; -1, and room for powers */
	cc_word *e, *minus_one, *x, *y, *table;
	size_t lowest, rest;
	unsigned int width;
	/* WORDS(n) of it are used */
	cc_word memory[WORDS(CC_FZ_MAX)];
};

/* c is odd */
static void start(struct candidate *k, const cc_word *c, size_t n)
{
	size_t bits = n * CC_WORD_BITS, s, at;

	(void)cc_fz_mont_init(&k->M, k->memory, c, n);
	k->e = k->memory + CC_FZ_MONT_WORDS(n);
	k->minus_one = k->e + n;
	k->x = k->minus_one + n;
	k->y = k->x + n;
	k->table = k->y + n;
	k->width = cc_fixed_window(bits, false);
	cc_fz_sub(k->minus_one, c, k->M.one, n);

	memcpy(k->y, c, n * sizeof(*c));
	k->y[0] ^= 1;
	s = cc_fz_trailing_zeros(k->y, n);
	k->lowest = 0;
	for (at = k->width; at < bits; at += k->width)
		k->lowest = cc_choose(cc_mask_lt(s, at), k->lowest, at);
	k->rest = s - k->lowest;
	cc_fz_shr(k->e, k->y, n, k->rest);
}

static cc_word passes(const struct candidate *k, const cc_word *b)
{
	const struct cc_fz_mont *M = &k->M;
	size_t n = M->n, entries = (size_t)1 << k->width, entry, at, i;
	cc_word *table = k->table, *x = k->x, *y = k->y, pass;

	memcpy(table, M->one, n * sizeof(*table));
	cc_fz_mont_to(table + n, b, M);
	for (entry = 2; entry < entries; entry += 2) {
		cc_fz_mont_sqr(table + entry * n, table + entry / 2 * n, M);
		cc_fz_mont_mul(table + (entry + 1) * n, table + entry * n, table + n, M);
	}
	pass = cc_fz_is_zero(table + n, n);
	memcpy(x, M->one, n * sizeof(*x));
	at = (n * CC_WORD_BITS - 1) / k->width * k->width;
	for (;; at -= k->width) {
		for (i = k->width; i--;) {
			/* b^d is not, nor is b^(c - 1) */
			cc_word among =
				cc_mask_lt(at + i, k->lowest) & ~cc_mask_zero(at + i + k->rest);

			cc_fz_mont_sqr(x, x, M);
			pass |= among & cc_fz_eq(x, k->minus_one, n);
		}
		cc_fz_table_select(y, table, entries, n, cc_fixed_bits(k->e, n, at, k->width));
		cc_fz_mont_mul(x, x, y, M);
		pass |= cc_mask_eq(at, k->lowest) &
			(cc_fz_eq(x, M->one, n) | cc_fz_eq(x, k->minus_one, n));
		if (!at)
			break;
	}
	for (i = 1; i < k->width; i++) {
		cc_fz_mont_sqr(x, x, M);
		pass |= cc_mask_lt(i, k->rest) & cc_fz_eq(x, k->minus_one, n);
	}
	return pass;
}

int cc_fz_miller_rabin(cc_word *pass, const cc_word *c, size_t n, const cc_word *bases,
		       size_t count)
{
	struct candidate k;

	if (n > CC_FZ_MAX || !count)
		return CC_EINVAL;
	*pass = 0;
	if (!n)
		return CC_OK;
	if (c[0] & 1) {
		start(&k, c, n);
		*pass = ~cc_fixed_is_one(c, n);
		for (; count; count--, bases += n)
			*pass &= passes(&k, bases);
	} else {
		cc_fz_shr(k.memory, c, n, 1);
		*pass = cc_fixed_is_one(k.memory, n);
	}
	cc_wipe(&k, sizeof(k) - sizeof(k.memory) + WORDS(n) * sizeof(*k.memory));
	return CC_OK;
}
