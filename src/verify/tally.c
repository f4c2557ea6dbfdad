// SPDX-License-Identifier: MIT
#include "tally.h"
#include "arrays.h"

void tally_free(struct tally *t)
{
	CC_FREE(t->row);
	CC_FREE(t->slot);
}

void tally_clear(struct tally *t)
{
	if (t->count)
		memset(t->slot, 0, 2 * t->room * sizeof(*t->slot));
	t->count = 0;
	memset(&t->others, 0, sizeof(t->others));
}

/* The slot of @key, or the free slot where it belongs; at least half of the slots are free. */
static size_t place_of(const struct tally *t, const struct tally_key *key)
{
	size_t mask = 2 * t->room - 1, i;
	cc_u64 hash = 0, part;

	_Static_assert(sizeof(*key) % sizeof(part) == 0, "whole words");
	for (i = 0; i < sizeof(*key); i += sizeof(part)) {
		cc_u64 word;

		memcpy(&word, (const char *)key + i, sizeof(word));
		part = (hash ^ word) * 0x9e3779b97f4a7c15u;
		hash = part ^ part >> 32;
	}
	for (i = hash & mask; t->slot[i]; i = (i + 1) & mask)
		if (!memcmp(&t->row[t->slot[i] - 1].key, key, sizeof(*key)))
			break;
	return i;
}

static int grow(struct tally *t)
{
	size_t room = t->room ? 2 * t->room : 64, i;
	struct tally_row *row = array_grown(t->row, t->count * sizeof(*row), room * sizeof(*row));
	uint32_t *slot;

	if (!row)
		return CC_ENOMEM;
	t->row = row;
	slot = array_zeros(2 * room * sizeof(*slot));
	if (!slot)
		return CC_ENOMEM;
	CC_FREE(t->slot);
	t->slot = slot;
	t->room = room;
	for (i = 0; i < t->count; i++)
		slot[place_of(t, &row[i].key)] = (uint32_t)i + 1;
	return CC_OK;
}

struct tally_row *tally_row(struct tally *t, const struct tally_key *key)
{
	struct tally_row *row;
	size_t i;

	if (!t->room && grow(t))
		return NULL;
	i = place_of(t, key);
	if (t->slot[i])
		return &t->row[t->slot[i] - 1];
	if (t->count == TALLY_MOST)
		return &t->others;
	if (t->count == t->room) {
		if (grow(t))
			return NULL;
		i = place_of(t, key);
	}
	row = &t->row[t->count++];
	t->slot[i] = (uint32_t)t->count;
	memset(row, 0, sizeof(*row));
	row->key = *key;
	return row;
}

const struct tally_row *tally_find(const struct tally *t, const struct tally_key *key)
{
	size_t slot = t->room ? t->slot[place_of(t, key)] : 0;

	return slot ? &t->row[slot - 1] : NULL;
}

static void add(struct tally_row *to, const struct tally_row *from)
{
	size_t i;

	for (i = 0; i < CC_VERDICTS; i++)
		to->count[i] += from->count[i];
}

int tally_add(struct tally *t, const struct tally *from)
{
	size_t i;

	for (i = 0; i < from->count; i++) {
		struct tally_row *row = tally_row(t, &from->row[i].key);

		if (!row)
			return CC_ENOMEM;
		add(row, &from->row[i]);
	}
	add(&t->others, &from->others);
	return CC_OK;
}
