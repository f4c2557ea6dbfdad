// SPDX-License-Identifier: MIT
/*
 * As in powers_of_two.c, for a public modulus: the time depends on it.
 *
 * d = m 2^s has its top bit set, and a remainder r of m is kept as r 2^s, below d.  Zeros are
 * appended to it, and what they make is divided by d (Knuth 4.3.1, algorithm D), whose two top
 * words have a reciprocal.  A word of zeros takes a row of d: up to CC_FZ_MAX words, products with
 * the reciprocal of all of d take no less.
 */
#include <carrychain/limbs.h>

#include "../limbs/kernels.h"
#include "kernels.h"
#include "public.h"

struct divisor {
	const struct cc_limbs_kernels *limbs;
	cc_word d[CC_FZ_MAX];
	cc_word w[2 * CC_FZ_MAX + 1];
	size_t n; /* at least 2 */
	unsigned int shift;
	cc_word reciprocal;
};

static void start(struct divisor *k, const cc_word *m, size_t n)
{
	k->limbs = cc_limbs_kernels();
	k->n = n;
	k->shift = (unsigned int)cc_word_clz(m[n - 1]);
	k->limbs->lshift(k->d, m, n, k->shift);
	k->reciprocal = cc_word_reciprocal_3by2(k->d[n - 1], k->d[n - 2]);
}

/* w[n] = w[n + count] mod d, whose top n words are below d */
static void divide(struct divisor *k, size_t count)
{
	const size_t n = k->n;
	const cc_word d1 = k->d[n - 1], d0 = k->d[n - 2];
	cc_word u2 = k->w[count + n - 1], u1 = k->w[count + n - 2], *w = k->w + count;

	while (w-- > k->w) {
		cc_word borrow = 0, carry = 0, digit;

		if (u2 == d1 && u1 == d0) {
			/* B - 1 is the digit, as d is greater than B^(n-1) */
			w[n - 1] = u1;
			k->limbs->submul_1(w, k->d, n, ~(cc_word)0);
			u2 = w[n - 1];
			u1 = w[n - 2];
			continue;
		}
		digit = cc_word_div_3by2(&u2, &u1, u2, u1, w[n - 2], d1, d0, k->reciprocal);
		u1 = cc_word_sub(u1, k->limbs->submul_1(w, k->d, n - 2, digit), &borrow);
		u2 = cc_word_sub(u2, 0, &borrow);
		if (__builtin_expect(borrow != 0, 0)) {
			/* the digit was 1 too large */
			carry = k->limbs->add(w, w, k->d, n - 2);
			u1 = cc_word_add(u1, d0, &carry);
			u2 = cc_word_add(u2, d1, &carry);
		}
	}
	k->w[n - 1] = u2;
	k->w[n - 2] = u1;
}

/* w = 2^bits w mod d, bits up to CC_FZ_MAX words */
static void append(struct divisor *k, size_t bits)
{
	size_t words = bits / CC_WORD_BITS, n = k->n;
	unsigned int rest = bits % CC_WORD_BITS;

	k->w[words + n] = k->limbs->lshift(k->w + words, k->w, n, rest);
	memset(k->w, 0, words * sizeof(*k->w));
	divide(k, words + !!rest);
}

void cc_fixed_public_powers_of_two_mod(cc_word *const *r, const size_t *bits, size_t count,
				       const cc_word *m, size_t n)
{
	size_t used = cc_limbs_normalise(m, n), at = used * CC_WORD_BITS, next, i;
	struct divisor k;

	start(&k, m, used);
	memset(k.w, 0, used * sizeof(*k.w));
	k.w[used] = (cc_word)1 << k.shift;
	divide(&k, 1);
	for (;;) {
		next = SIZE_MAX;
		for (i = 0; i < count; i++) {
			if (bits[i] == at) {
				k.limbs->rshift(r[i], k.w, used, k.shift);
				memset(r[i] + used, 0, (n - used) * sizeof(*m));
			} else if (bits[i] > at && bits[i] < next) {
				next = bits[i];
			}
		}
		if (next == SIZE_MAX)
			return;
		if (next - at > CC_FZ_MAX_BITS)
			next = at + CC_FZ_MAX_BITS;
		append(&k, next - at);
		at = next;
	}
}
