// SPDX-License-Identifier: MIT
#include "learned.h"
#include "arrays.h"

#define KINDS  ((1u << CC_RIGHT_BITS) - 1)
#define FEWEST 256

void learned_free(struct learned *l)
{
	CC_FREE(l->slot);
}

void learned_clear(struct learned *l)
{
	if (l->count)
		memset(l->slot, 0, l->room * sizeof(*l->slot));
	l->count = 0;
	memset(&l->macs, 0, sizeof(l->macs));
}

/* The slot of @pair, or the free slot where it belongs; at least half of the slots are free. */
static cc_u64 *slot_of(const struct learned *l, cc_u64 pair)
{
	size_t mask = l->room - 1, i = (size_t)(pair >> CC_RIGHT_BITS) & mask;

	while (l->slot[i] && (l->slot[i] ^ pair) > KINDS)
		i = (i + 1) & mask;
	return &l->slot[i];
}

static int grow(struct learned *l)
{
	struct learned more = {.room = l->room ? 2 * l->room : FEWEST, .count = l->count};
	size_t i;

	more.slot = array_zeros(more.room * sizeof(*more.slot));
	if (!more.slot)
		return CC_ENOMEM;
	for (i = 0; i < l->room; i++)
		if (l->slot[i])
			*slot_of(&more, l->slot[i] & ~(cc_u64)KINDS) = l->slot[i];
	CC_FREE(l->slot);
	l->slot = more.slot;
	l->room = more.room;
	return CC_OK;
}

int learned_right(struct learned *l, cc_u64 pair, unsigned int kinds, size_t most)
{
	cc_u64 *slot;

	if (!l->room && grow(l))
		return CC_ENOMEM;
	slot = slot_of(l, pair);
	if (!*slot) {
		if (l->count == most)
			return CC_OK;
		if (2 * (l->count + 1) > l->room) {
			if (grow(l))
				return CC_ENOMEM;
			slot = slot_of(l, pair);
		}
		l->count++;
	}
	*slot |= pair | kinds;
	return CC_OK;
}

int learned_add(struct learned *l, const struct learned *from)
{
	size_t i;
	int status = CC_OK;

	cc_vantage_macs_add(&l->macs, &from->macs);
	for (i = 0; i < from->room && from->count && !status; i++)
		if (from->slot[i])
			status = learned_right(l, from->slot[i] & ~(cc_u64)KINDS,
					       (unsigned int)from->slot[i] & KINDS, LEARNED_MOST);
	return status;
}

static unsigned int right_of(const struct learned *l, const struct tally_key *key)
{
	cc_u64 pair;

	if (!l->room || !key->family)
		return 0;
	pair = cc_vantage_pair(key->interface, key->family, key->source, key->destination);
	return (unsigned int)*slot_of(l, pair) & KINDS;
}

/* What is known of pairs of hosts, of senders and of interfaces: a row's first counts are bits. */
enum { FOUND, ANSWERED };

static int note(struct tally *t, const struct tally_key *key, unsigned int what, cc_u64 bits)
{
	struct tally_row *row = tally_row(t, key);

	if (!row)
		return CC_ENOMEM;
	if (row != &t->others)
		row->count[what] |= bits;
	return CC_OK;
}

static cc_u64 noted(const struct tally *t, const struct tally_key *key, unsigned int what)
{
	const struct tally_row *row = tally_find(t, key);

	return row ? row->count[what] : 0;
}

static struct tally_key interface_of(const struct tally_key *key)
{
	struct tally_key of = {.interface = key->interface};

	return of;
}

static struct tally_key sender_of(const struct tally_key *key)
{
	struct tally_key of = {.interface = key->interface, .family = key->family};

	memcpy(of.source, key->source, sizeof(of.source));
	return of;
}

static struct tally_key pair_of(const struct tally_key *key)
{
	struct tally_key of = sender_of(key);

	/* other than a sender or an interface, even with addresses of 0 */
	of.has_ports = 1;
	memcpy(of.destination, key->destination, sizeof(of.destination));
	return of;
}

static struct tally_key reverse_of(const struct tally_key *key)
{
	struct tally_key of = pair_of(key);

	memcpy(of.source, key->destination, sizeof(of.source));
	memcpy(of.destination, key->source, sizeof(of.destination));
	return of;
}

/* That segments were merged is seen by one that was received. */
static int was_merged(const struct tally_key *key)
{
	enum cc_vantage at = cc_vantage_of(key->evidence);

	return key->sum & CC_SUM_LONG && (at == CC_VANTAGE_RECEIVER || at == CC_VANTAGE_WIRE);
}

/* What each row shows of others. */
static int gather(const struct learned *l, const struct tally *sums, struct tally *about)
{
	struct tally_key of;
	size_t i;
	int status = CC_OK;

	for (i = 0; i < sums->count && !status; i++) {
		const struct tally_key *key = &sums->row[i].key;

		if (!key->sum)
			continue;
		of = pair_of(key);
		status = note(about, &of, FOUND, 1);
		if (!status && was_merged(key)) {
			of = interface_of(key);
			status = note(about, &of, FOUND, 1);
		}
		if (status || right_of(l, key) & (CC_RIGHT_TCP_DATA | CC_RIGHT_TCP_SYN))
			continue;
		of = pair_of(key);
		status = note(about, &of, ANSWERED, key->sum & (CC_SUM_OPENS | CC_SUM_CONTINUES));
	}
	/* a sender whose handshakes are answered, with one at least, has all its sums accepted */
	for (i = 0; i < sums->count && !status; i++) {
		const struct tally_key *key = &sums->row[i].key;

		of = pair_of(key);
		if (!key->sum || noted(about, &of, ANSWERED) != (CC_SUM_OPENS | CC_SUM_CONTINUES))
			continue;
		of = sender_of(key);
		status = note(about, &of, ANSWERED, 1);
	}
	return status;
}

static void settle(const struct learned *l, const struct tally *about, struct tally_row *row)
{
	const struct tally_key *key = &row->key;
	struct tally_key pair = reverse_of(key), sender = sender_of(key),
			 interface = interface_of(key);
	struct cc_vantage_known known = {
		.right = (unsigned char)right_of(l, key),
		.mac = (unsigned char)cc_vantage_macs_show(&l->macs, key->mac),
		.merges = !!noted(about, &interface, FOUND),
		.accepted = !!noted(about, &sender, ANSWERED),
		.both = !!noted(about, &pair, FOUND),
	};

	row->evidence = key->evidence;
	row->verdict =
		(unsigned char)cc_vantage_verdict(key->protocol, key->sum, &known, &row->evidence);
}

int learned_settle(const struct learned *l, struct tally *sums, int *changed)
{
	struct tally about = {0};
	size_t i;
	int status = gather(l, sums, &about);

	*changed = 0;
	for (i = 0; i < sums->count && !status; i++) {
		struct tally_row *row = &sums->row[i];

		if (!row->key.sum)
			continue;
		settle(l, &about, row);
		*changed |= !row->count[row->verdict];
	}
	tally_free(&about);
	return status;
}
