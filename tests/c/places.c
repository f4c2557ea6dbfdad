// SPDX-License-Identifier: MIT
#include "places.h"

#include <string.h>

#define GAPS (PLACE_WAYS / GUARD_SIDES)

static struct guard guards[PLACES];
/* What is left of place_by()'s, while it holds. */
static size_t way;
static bool told;

void begin(const char *tier, const char *function)
{
	size_t i;

	for (i = 0; i < PLACES; i++) {
		if (!guards[i].base)
			guard_init(&guards[i], 0);
		guard_place(&guards[i], 0, GUARD_END, 0);
	}
	test_case(tier, function);
}

/* What is placed here, however much it is. */
static unsigned char *room(enum place which, size_t bytes, enum guard_side side, size_t gap)
{
	struct guard *g = &guards[which];

	if (g->size < bytes + gap) {
		guard_free(g);
		guard_init(g, 2 * (bytes + gap));
	}
	return guard_place(g, bytes, side, gap);
}

static enum guard_side any_side(void)
{
	return random_below(2) ? GUARD_START : GUARD_END;
}

void place_by(size_t ways)
{
	way = ways;
	told = true;
}

cc_word *place(enum place which, const cc_word *value, size_t n)
{
	size_t gap = random_below(2) ? random_below(GAPS) : 0;
	enum guard_side side = any_side();
	void *at;

	if (told) {
		side = way % GUARD_SIDES ? GUARD_START : GUARD_END;
		gap = way / GUARD_SIDES % GAPS;
		way /= PLACE_WAYS;
	}
	at = room(which, n * sizeof(*value), side, gap * sizeof(*value));

	if (value && n)
		memcpy(at, value, n * sizeof(*value));
	return at;
}

cc_word *place_aligned(enum place which, size_t n)
{
	size_t bytes = n * sizeof(cc_word);
	enum guard_side side = any_side();

	return (void *)room(which, bytes, side, side == GUARD_START ? 0 : -bytes % 64);
}

unsigned char *place_bytes(enum place which, const unsigned char *value, size_t bytes)
{
	unsigned char *at = room(which, bytes, any_side(), random_below(9));

	if (value)
		memcpy(at, value, bytes);
	return at;
}

void check_guards(void)
{
	static const char *const names[PLACES] = {
		"the result",	      "the second result", "the first operand",
		"the second operand", "the third operand", "the scratch",
	};
	size_t i;

	told = false;
	for (i = 0; i < PLACES; i++)
		CHECK(guard_intact(&guards[i]), "wrote outside of %s", names[i]);
}

void check_words(const char *what, const cc_word *is, const cc_word *should, size_t n)
{
	size_t i;

	for (i = 0; i < n && is[i] == should[i]; i++)
		;
	CHECK(i == n, "%s: word %zu is %#llx, not %#llx", what, i,
	      i < n ? (unsigned long long)is[i] : 0, i < n ? (unsigned long long)should[i] : 0);
}

void any_words(cc_word *r, size_t n)
{
	if (random_below(4))
		random_words(r, n);
	else
		edge_words(r, n, random_below(EDGE_VECTORS));
}

void any_number(cc_word *r, size_t n)
{
	any_words(r, n);
	while (!r[n - 1])
		r[n - 1] = random_edge_word();
}

void any_modulus(cc_word *r, size_t n)
{
	size_t width = random_below(4) ? n : 1 + random_below(n), i;
	cc_word any = 0;

	any_words(r, width);
	memset(r + width, 0, (n - width) * sizeof(*r));
	for (i = 0; i < n; i++)
		any |= r[i];
	if (!any)
		r[random_below(width)] = (cc_word)1 << random_below(CC_WORD_BITS);
}
