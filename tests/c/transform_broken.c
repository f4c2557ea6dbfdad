// SPDX-License-Identifier: MIT
/* The tiers' own kernels, but for a step before or after one of them. */
#include "transform_broken.h"

#include "transform_untrimmed.h"

/* One factor of the last prime's table is another's neighbour. */
static void table(const struct cc_transform_kernels *k, const struct cc_field *f, size_t count,
		  struct cc_watch *w)
{
	size_t at = count / 2 + 1;

	k->table(f, count, w);
	if (f->prime != &cc_primes[2])
		return;
	f->w[at] = f->w[at - 1];
	f->wq[at] = f->wq[at - 1];
}

/* The first root's quotient is off by what its last bits say. */
static void quotient(const struct cc_transform_kernels *k, const struct cc_field *f, size_t count,
		     struct cc_watch *w)
{
	k->table(f, count, w);
	if (f->prime == &cc_primes[1])
		f->wq[1] ^= (cc_u64)1 << 40;
}

/* A node's values come out in another's place. */
static void swapped(const struct cc_transform_kernels *k, const struct cc_field *f, cc_u64 *x,
		    const struct cc_ring *ring, struct cc_watch *w)
{
	cc_u64 first;

	k->forward(f, x, ring, w);
	first = x[0];
	x[0] = x[ring->length - 1];
	x[ring->length - 1] = first;
}

#define BREAK(tier)                                                                                \
	static void table_##tier(const struct cc_field *f, size_t count, struct cc_watch *w)       \
	{                                                                                          \
		table(&cc_transform_##tier, f, count, w);                                          \
	}                                                                                          \
	static void quotient_##tier(const struct cc_field *f, size_t count, struct cc_watch *w)    \
	{                                                                                          \
		quotient(&cc_transform_##tier, f, count, w);                                       \
	}                                                                                          \
	static void swapped_##tier(const struct cc_field *f, cc_u64 *x,                            \
				   const struct cc_ring *ring, struct cc_watch *w)                 \
	{                                                                                          \
		swapped(&cc_transform_##tier, f, x, ring, w);                                      \
	}                                                                                          \
	static struct cc_transform_kernels broken_table_##tier, broken_quotient_##tier,            \
		swapped_values_##tier

#define LIST(tier, need)                                                                           \
	{"sound: " #tier, &cc_transform_##tier, need, false},                                      \
		{"a factor for its neighbour: " #tier, &broken_table_##tier, need, true},          \
		{"a factor's quotient: " #tier, &broken_quotient_##tier, need, true},              \
	{                                                                                          \
		"two values exchanged: " #tier, &swapped_values_##tier, need, true                 \
	}

#define MAKE(tier)                                                                                 \
	broken_table_##tier = cc_transform_##tier;                                                 \
	broken_table_##tier.table = table_##tier;                                                  \
	broken_quotient_##tier = cc_transform_##tier;                                              \
	broken_quotient_##tier.table = quotient_##tier;                                            \
	swapped_values_##tier = cc_transform_##tier;                                               \
	swapped_values_##tier.forward = swapped_##tier

BREAK(generic);
#if CC_BUILD_VECTORS
BREAK(avx2);
BREAK(avx512);
#endif

const struct broken_transform broken_transforms[] = {
	LIST(generic, CC_TIER_GENERIC),
#if CC_BUILD_VECTORS
	LIST(avx2, CC_TIER_AVX2),
	LIST(avx512, CC_TIER_AVX512),
	{"no reduction on the way down: avx2", &untrimmed_avx2, CC_TIER_AVX2, true},
	{"no reduction on the way down: avx512", &untrimmed_avx512, CC_TIER_AVX512, true},
#endif
};

const size_t broken_transforms_count = sizeof(broken_transforms) / sizeof(broken_transforms[0]);

static __attribute__((__constructor__)) void make(void)
{
	MAKE(generic);
#if CC_BUILD_VECTORS
	MAKE(avx2);
	MAKE(avx512);
#endif
}
