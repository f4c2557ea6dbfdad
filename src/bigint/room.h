/* SPDX-License-Identifier: MIT */
/*
 * room.h - where a function of bigint.h writes its result, and its temporaries.
 *
 * Every function has the same three parts.  It gets all the room that it needs, before it
 * writes anything, so that an error leaves every argument unchanged.  It writes into the
 * result's own words if they suffice, otherwise into a new block.  Closing the room makes the
 * block the result's.  A result in place may be an argument: a function that does not work
 * word by word from one end asks cc_room_shared(), and copies that argument first.
 */
#ifndef CC_BIGINT_ROOM_H
#define CC_BIGINT_ROOM_H

#include <carrychain/bigint.h>
#include <carrychain/limbs.h>

#include "../natural/product.h"
#include "../platform.h"

/*
 * The greatest length.  The number of bits fits a size_t, and so 64 bits, and the sum of a
 * few lengths does not overflow.
 */
#define CC_WORDS_MAX (SIZE_MAX / CC_WORD_BITS)

struct cc_room {
	cc_word *words;
	size_t capacity;
};

/* A new block of at least @words, more if @r grows, so that growing costs O(1) per word. */
CC_HIDDEN int cc_room_alloc(struct cc_room *room, const cc_bigint *r, size_t words);

static inline int cc_room_open(struct cc_room *room, const cc_bigint *r, size_t words)
{
	if (words > r->capacity)
		return cc_room_alloc(room, r, words);
	room->words = r->words;
	room->capacity = r->capacity;
	return CC_OK;
}

static inline int cc_room_shared(const struct cc_room *room, const cc_bigint *x)
{
	return room->words == x->words;
}

static inline void cc_room_abandon(struct cc_room *room, const cc_bigint *r)
{
	if (!cc_room_shared(room, r))
		CC_FREE(room->words);
}

/* Makes the room's first @length words the value; the top ones may be 0. */
static inline void cc_room_close(struct cc_room *room, cc_bigint *r, size_t length, int negative)
{
	while (length && !room->words[length - 1])
		length--;
	if (!cc_room_shared(room, r)) {
		CC_FREE(r->words);
		r->words = room->words;
		r->capacity = room->capacity;
	}
	r->length = length;
	r->negative = negative && length;
}

/*
 * cc_bigint_mul() and cc_bigint_sqr(), into r's own words if they suffice; @w may be NULL.
 * If it stops the work, they return CC_EINTR, and r's words are undefined.
 */
CC_HIDDEN int cc_room_mul(cc_bigint *r, const cc_bigint *x, const cc_bigint *y, struct cc_watch *w);
CC_HIDDEN int cc_room_sqr(cc_bigint *r, const cc_bigint *x, struct cc_watch *w);

/* Temporaries: small ones are on the stack, so that small operations do not allocate. */
#define CC_SCRATCH_LOCAL 64

struct cc_scratch {
	cc_word *words;
	cc_word local[CC_SCRATCH_LOCAL];
};

static inline int cc_scratch_open(struct cc_scratch *s, size_t words)
{
	s->words = s->local;
	if (words <= CC_SCRATCH_LOCAL)
		return CC_OK;
	if (words > PTRDIFF_MAX / sizeof(cc_word))
		return CC_ENOMEM;
	s->words = CC_ALLOC(words * sizeof(cc_word));
	return s->words ? CC_OK : CC_ENOMEM;
}

static inline void cc_scratch_close(struct cc_scratch *s)
{
	if (s->words != s->local)
		CC_FREE(s->words);
}

#endif /* CC_BIGINT_ROOM_H */
