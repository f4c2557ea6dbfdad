// SPDX-License-Identifier: MIT
#include "transform.h"

#include "shared.h"

/* Slots are aligned to cache lines. */
#define LINE 64

static cc_u64 *slots(cc_word *words)
{
	return (cc_u64 *)(((uintptr_t)words + LINE - 1) & ~(uintptr_t)(LINE - 1));
}

static size_t words_of(size_t count)
{
	return (count * sizeof(cc_u64) + LINE) / sizeof(cc_word);
}

static unsigned int bit_length(cc_u64 x)
{
	return x ? 64 - cc_clz_u64(x) : 0;
}

/* The number of digits of n words. */
static size_t digits(size_t n, unsigned int bits)
{
	return n / bits * CC_WORD_BITS + (n % bits * CC_WORD_BITS + bits - 1) / bits;
}

/* The least of 2^k {4, 5, 6, 7} that is at least @least and whose nodes have two leaves. */
static void choose_ring(struct cc_ring *ring, size_t least, size_t leaf)
{
	size_t h = 8 * leaf, quarters;

	/* 2 h < least in any case */
	while (least > h && h < least - h)
		h *= 2;
	quarters = least > h ? (least + h / 4 - 1) / (h / 4) : 4;
	if (quarters == 8) {
		h *= 2;
		quarters = 4;
	}
	ring->length = quarters * (h / 4);
	ring->nodes = 1;
	ring->node[0] = (struct cc_node){0, h, 0};
	if (quarters & 2)
		ring->node[ring->nodes++] = (struct cc_node){h, h / 2, 2};
	if (quarters & 1)
		ring->node[ring->nodes++] =
			(struct cc_node){ring->length - h / 4, h / 4, quarters == 7 ? 6 : 4};
}

/* The factors up to the inverse of a node's last one. */
static void plan_table(struct cc_transform *t)
{
	unsigned int i;

	t->table = 8;
	for (i = 0; i < t->ring.nodes; i++) {
		const struct cc_node *node = &t->ring.node[i];

		while (t->table < (node->j + 1) * (node->m / (2 * t->k->leaf)))
			t->table *= 2;
	}
}

void cc_transform_plan(struct cc_transform *t, size_t an, size_t bn)
{
	size_t shorter = an < bn ? an : bn;
	cc_u64 least = 0;
	unsigned int primes;

	t->k = cc_transform_kernels();
	for (primes = CC_PRIMES_FEWEST; primes <= CC_PRIMES; primes++) {
		/* a coefficient is below 2^(2 bits) digits(shorter), and P / 8 */
		unsigned int room = cc_remainders[primes].bits - 3, bits = room / 16 * 8;
		struct cc_ring ring;
		cc_u64 cost;

		while (2 * bits + bit_length(digits(shorter, bits)) > room)
			bits -= 8;
		/* join() writes a word each time */
		if (bits < 64)
			continue;
		choose_ring(&ring, digits(an, bits) + digits(bn, bits) - 1, t->k->leaf);
		cost = ring.length * primes * (16 + bit_length(ring.length));
		if (!least || cost < least) {
			least = cost;
			t->primes = primes;
			t->bits = bits;
			t->ring = ring;
		}
	}
	t->radix = 0;
	plan_table(t);
}

/* In bits, a coefficient's: 4 43.2 + 24 <= 197. */
int cc_transform_plan_radix(struct cc_transform *t, size_t an, size_t bn, cc_u64 radix)
{
	t->k = cc_transform_kernels();
	if (!t->k->join_radix)
		return 0;
	t->primes = CC_RADIX_PRIMES;
	t->bits = 0;
	t->radix = radix;
	choose_ring(&t->ring, (an + 1) / 2 + (bn + 1) / 2 - 1, t->k->leaf);
	plan_table(t);
	return 1;
}

/*
 * A plan has no more than 5 / 4 of the digits it needs, at most words / bits + 2 of them, and
 * primes / bits <= 1 / 20; its table has 1 / leaf <= 1 / 4 of the length, twice.
 */
size_t cc_transform_scratch(size_t words, size_t numbers)
{
	size_t slots = words * CC_WORD_BITS / 16 + 512;

	return (slots * numbers + slots / 2 + 64) * (64 / CC_WORD_BITS);
}

size_t cc_transform_table_words(const struct cc_transform *t)
{
	return words_of(2 * t->primes * t->table);
}

size_t cc_transform_words(const struct cc_transform *t)
{
	return words_of(t->primes * t->ring.length);
}

void cc_transform_open(struct cc_transform *t, cc_word *table, struct cc_watch *w)
{
	cc_u64 *at = slots(table);
	unsigned int i;

	for (i = 0; i < t->primes; i++, at += 2 * t->table)
		t->field[i] = (struct cc_field){&cc_primes[i], at, at + t->table};
	if (cc_shared(t, w)) {
		cc_shared_table(t, w);
		return;
	}
	for (i = 0; i < t->primes && !cc_watch_step(w, t->table); i++)
		t->k->table(&t->field[i], t->table, w);
}

/* The place of each prime's residues. */
static void residues_of(const struct cc_transform *t, cc_u64 **residues, cc_word *x)
{
	unsigned int i;

	for (i = 0; i < t->primes; i++)
		residues[i] = slots(x) + i * t->ring.length;
}

/* The residues of a[n], which are words, or places if the plan has a radix. */
static void split(const struct cc_transform *t, cc_u64 *const *residues, const void *a, size_t n,
		  struct cc_watch *w)
{
	if (cc_shared(t, w))
		cc_shared_split(t, residues, a, n, w);
	else if (t->radix)
		t->k->split_radix(residues, t->field, t->ring.length, a, n, t->radix, w);
	else
		t->k->split(residues, t->field, t->primes, t->ring.length, a, n, t->bits, w);
}

/* The way back, to r[n]. */
static void join(const struct cc_transform *t, void *r, size_t n, cc_u64 *const *residues,
		 struct cc_watch *w)
{
	if (cc_watch_step(w, t->ring.length))
		return;
	if (cc_shared(t, w))
		cc_shared_join(t, r, n, residues, w);
	else if (t->radix)
		t->k->join_radix(r, n, residues, t->field, t->ring.length, t->radix, w);
	else
		t->k->join(r, n, residues, t->field, t->primes, t->ring.length, t->bits, w);
}

static void forward(const struct cc_transform *t, cc_word *x, const void *a, size_t n,
		    struct cc_watch *w)
{
	cc_u64 *residues[CC_PRIMES];
	unsigned int i;

	/* if the work was stopped, there may be no table */
	if (cc_watch_stopped(w))
		return;
	residues_of(t, residues, x);
	split(t, residues, a, n, w);
	if (cc_shared(t, w)) {
		cc_shared_forward(t, residues, w);
		return;
	}
	for (i = 0; i < t->primes && !cc_watch_step(w, t->ring.length); i++)
		t->k->forward(&t->field[i], residues[i], &t->ring, w);
}

void cc_transform_forward(const struct cc_transform *t, cc_word *x, const cc_word *a, size_t n,
			  struct cc_watch *w)
{
	forward(t, x, a, n, w);
}

void cc_transform_forward_radix(const struct cc_transform *t, cc_word *x, const cc_u64 *a, size_t n,
				struct cc_watch *w)
{
	forward(t, x, a, n, w);
}

/* a b modulo p */
static int64_t mul_mod(int64_t a, int64_t b, int64_t p)
{
	cc_u64 d = (cc_u64)p << 14, high, low, rem;

	low = cc_mul_u64(&high, (cc_u64)(a < 0 ? a + p : a), (cc_u64)(b < 0 ? b + p : b));
	high = high << 14 | low >> 50;
	(void)cc_div_2by1_u64(&rem, high, low << 14, d, cc_reciprocal_u64(d));
	a = (int64_t)(rem >> 14);
	return 2 * a > p ? a - p : a;
}

/* The factors that products need: the inverses of the rings' lengths and of the P / p. */
static void scales(const struct cc_transform *t, int64_t (*scale)[CC_NODES])
{
	unsigned int i, n;

	for (i = 0; i < t->primes; i++) {
		int64_t p = cc_primes[i].p, c = p >> CC_PRIME_ORDER;

		/* p = c 2^36 + 1: 2^-k = -c 2^(36 - k) */
		for (n = 0; n < t->ring.nodes; n++) {
			unsigned int k = bit_length(t->ring.node[n].m / t->k->leaf) - 1;

			scale[i][n] = mul_mod(p - (c << (CC_PRIME_ORDER - k)),
					      cc_remainders[t->primes].inverse[i], p);
		}
	}
}

void cc_transform_multiply(const struct cc_transform *t, cc_word *x, const cc_word *y,
			   struct cc_watch *w)
{
	cc_u64 *to[CC_PRIMES], *by[CC_PRIMES];
	int64_t scale[CC_PRIMES][CC_NODES];
	unsigned int i;

	scales(t, scale);
	residues_of(t, to, x);
	residues_of(t, by, (cc_word *)(uintptr_t)y);
	if (cc_shared(t, w)) {
		cc_shared_multiply(t, to, by, scale, w);
		return;
	}
	for (i = 0; i < t->primes && !cc_watch_step(w, t->ring.length); i++)
		t->k->multiply(&t->field[i], to[i], by[i], &t->ring, scale[i], w);
}

static void inverse(const struct cc_transform *t, void *r, size_t n, cc_word *x, struct cc_watch *w)
{
	cc_u64 *residues[CC_PRIMES];
	unsigned int i;

	residues_of(t, residues, x);
	if (cc_shared(t, w))
		cc_shared_inverse(t, residues, w);
	else
		for (i = 0; i < t->primes && !cc_watch_step(w, t->ring.length); i++)
			t->k->inverse(&t->field[i], residues[i], &t->ring, w);
	join(t, r, n, residues, w);
}

void cc_transform_inverse(const struct cc_transform *t, cc_word *r, size_t n, cc_word *x,
			  struct cc_watch *w)
{
	inverse(t, r, n, x, w);
}

void cc_transform_inverse_radix(const struct cc_transform *t, cc_u64 *r, size_t n, cc_word *x,
				struct cc_watch *w)
{
	inverse(t, r, n, x, w);
}

static void times(const struct cc_transform *t, void *r, size_t rn, const void *a, size_t n,
		  cc_word *x, const cc_word *y, struct cc_watch *w)
{
	cc_u64 *to[CC_PRIMES], *by[CC_PRIMES];
	int64_t scale[CC_PRIMES][CC_NODES];
	unsigned int i;

	if (cc_watch_stopped(w))
		return;
	scales(t, scale);
	residues_of(t, to, x);
	residues_of(t, by, (cc_word *)(uintptr_t)y);
	split(t, to, a, n, w);
	if (cc_shared(t, w))
		cc_shared_convolve(t, to, by, scale, w);
	else
		for (i = 0; i < t->primes && !cc_watch_step(w, t->ring.length); i++)
			t->k->convolve(&t->field[i], to[i], by[i], &t->ring, scale[i], w);
	join(t, r, rn, to, w);
}

void cc_transform_times(const struct cc_transform *t, cc_word *r, size_t rn, const cc_word *a,
			size_t n, cc_word *x, const cc_word *y, struct cc_watch *w)
{
	times(t, r, rn, a, n, x, y, w);
}

void cc_transform_times_radix(const struct cc_transform *t, cc_u64 *r, size_t rn, const cc_u64 *a,
			      size_t n, cc_word *x, const cc_word *y, struct cc_watch *w)
{
	times(t, r, rn, a, n, x, y, w);
}
