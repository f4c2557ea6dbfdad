// SPDX-License-Identifier: MIT
/* Which mistakes explain many bad sums, and what each of them saves. */
#include <carrychain/cause.h>

#include "../platform.h"

enum { SUM_BITS = 16, CLOSE_BITS = 8 };

static const struct {
	const char *text;
	signed char bits; /* to say which of its variants a sum has */
} causes[] = {
	[CC_CAUSE_ZERO] = {"0 in place of 0xffff", 0},
	[CC_CAUSE_EMPTY] = {"never computed", 1},
	[CC_CAUSE_COMPLEMENT] = {"the sum not complemented", 0},
	[CC_CAUSE_BYTE_ORDER] = {"the sum's two bytes swapped", 0},
	[CC_CAUSE_NO_PSEUDO_HEADER] = {"the pseudo-header left out", 0},
	[CC_CAUSE_NO_LENGTH] = {"the pseudo-header's length left out", 0},
	[CC_CAUSE_NO_PROTOCOL] = {"the pseudo-header's protocol left out", 0},
	[CC_CAUSE_NO_SOURCE] = {"the pseudo-header's source left out", 0},
	[CC_CAUSE_NO_DESTINATION] = {"the pseudo-header's destination left out", 0},
	[CC_CAUSE_ODD_SIDE] = {"an odd last byte padded on the wrong side", 0},
	[CC_CAUSE_ODD_LEFT] = {"an odd last byte left out", 0},
	/* few sums overflow again: that all of these do says as much as 6 bits */
	[CC_CAUSE_FOLDED_ONCE] = {"folded only once", -6},
	[CC_CAUSE_NO_CARRY] = {"carries dropped", 3},
	[CC_CAUSE_TTL] = {"TTL decremented without the sum", 1},
	[CC_CAUSE_ECN] = {"ECN marked without the sum", 1},
	[CC_CAUSE_ID] = {"identification set after the sum", 0},
	[CC_CAUSE_FIRST_SEGMENT] = {"only a first segment summed", 3},
	[CC_CAUSE_TRANSLATED] = {"an address or port rewritten without the sum", 2},
	[CC_CAUSE_REPEATED] = {"one sum in several segments", 0},
	[CC_CAUSE_BIT] = {"one bit flipped", 5},
	[CC_CAUSE_DSCP] = {"DSCP rewritten without the sum", 6},
	/* a flow's difference is said once, in 16 bits, of three packets or more */
	[CC_CAUSE_ALIKE] = {"the same change in all packets of a flow", 6},
};

const char *cc_cause_text(unsigned int cause)
{
	return cause < CC_CAUSES ? causes[cause].text : "?";
}

/* More than eight times what chance would: of @all sums, each fits with 2^(bits - 16). */
static int is_no_chance(cc_u64 count, cc_u64 all, int bits)
{
	return count << (SUM_BITS - 3 - (bits > 0 ? bits : 0)) > all;
}

/* The sums that are ranked. */
struct left {
	const struct cc_cause_count *some;
	size_t count;
	unsigned int protocol;
};

static int is_left(const struct left *l, size_t i)
{
	return !l->some[i].explained && l->some[i].protocol == l->protocol && l->some[i].count;
}

static int fits(const struct left *l, size_t i, unsigned int cause)
{
	return (int)(l->some[i].fits >> cause & 1);
}

/* 0 if it explains nothing. */
static int measure(struct cc_cause_ranked *r, const struct left *l, cc_u64 all)
{
	int bits = causes[r->cause].bits;
	size_t i;

	r->same = 1;
	for (i = 0; i < l->count; i++) {
		if (!is_left(l, i) || !fits(l, i, r->cause))
			continue;
		if (!r->count)
			r->difference = l->some[i].difference;
		else if (l->some[i].difference != r->difference)
			r->same = 0;
		r->count += l->some[i].count;
	}
	if (!r->same)
		r->difference = 0;
	if (!r->count || !is_no_chance(r->count, all, bits))
		return 0;
	/* a variant that is always the same is said once */
	r->saved =
		(cc_u64)((int64_t)(SUM_BITS * r->count) - bits * (int64_t)(r->same ? 1 : r->count));
	return 1;
}

/* How many sums both explain; whether they are the same. */
static cc_u64 shared(const struct left *l, unsigned int a, unsigned int b, int *alike)
{
	cc_u64 both = 0;
	size_t i;

	*alike = 1;
	for (i = 0; i < l->count; i++) {
		if (!is_left(l, i))
			continue;
		if (fits(l, i, a) != fits(l, i, b))
			*alike = 0;
		else if (fits(l, i, a))
			both += l->some[i].count;
	}
	return both;
}

static int is_close(cc_u64 a, cc_u64 b)
{
	return (a > b ? a - b : b - a) <= CLOSE_BITS;
}

/*
 * Whether it takes fewer bits to say which sums of @best are @other's, and that.  Of n sums,
 * k are named in less than k (log2(n / k) + 3 / 2) bits.
 */
static int is_better(const struct left *l, const struct cc_cause_ranked *best,
		     const struct cc_cause_ranked *other)
{
	/* that the best is always the same is no accident, either */
	int bits = (best->same ? 0 : causes[best->cause].bits) - causes[other->cause].bits;
	int alike;
	cc_u64 both = shared(l, best->cause, other->cause, &alike);

	/* a half more: 2^(3/2) is less than 3 */
	return bits > 0 && both > 1 && (both << bits) > 3 * best->count;
}

static void move_to_front(struct cc_cause_ranked *rank, size_t at)
{
	struct cc_cause_ranked r = rank[at];

	for (; at; at--)
		rank[at] = rank[at - 1];
	rank[0] = r;
}

size_t cc_cause_rank(struct cc_cause_ranked rank[CC_CAUSES], const struct cc_cause_count *some,
		     size_t count, unsigned int protocol)
{
	const struct left l = {some, count, protocol};
	size_t ranks = 0, i, j;
	unsigned int cause;
	cc_u64 all = 0;
	int alike;

	for (i = 0; i < count; i++)
		all += is_left(&l, i) ? some[i].count : 0;
	for (cause = 0; cause < CC_CAUSES; cause++) {
		struct cc_cause_ranked r = {.cause = (unsigned char)cause};

		if (!measure(&r, &l, all))
			continue;
		/* those that save as much stay in the order of their numbers */
		for (i = ranks++; i && rank[i - 1].saved < r.saved; i--)
			rank[i] = rank[i - 1];
		rank[i] = r;
	}
	/* each move is to fewer bits, so it ends */
	for (i = 1; i < ranks; i++) {
		if (is_better(&l, &rank[0], &rank[i])) {
			move_to_front(rank, i);
			i = 0;
		}
	}
	for (i = 0; i < ranks; i++) {
		for (j = 0; j < ranks; j++) {
			if (i == j || !is_close(rank[i].saved, rank[j].saved))
				continue;
			shared(&l, rank[i].cause, rank[j].cause, &alike);
			rank[i].ties |= alike ? 1u << rank[j].cause : 0;
		}
	}
	return ranks;
}

void cc_cause_take(struct cc_cause_count *some, size_t count, unsigned int protocol,
		   unsigned int cause)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (some[i].protocol == protocol)
			some[i].explained |= some[i].fits >> cause & 1;
}
