/* SPDX-License-Identifier: MIT */
/*
 * memory.h - work space for one call.
 *
 * Little is on the stack.  More is a block that the thread keeps for its next call, and gives back
 * when it ends.  It is taken while it is used: a call from a signal handler, or after a longjmp()
 * out of long work, gets another.
 */
#ifndef CC_GMP_MEMORY_H
#define CC_GMP_MEMORY_H

#include <carrychain/word.h>

#include "../src/platform.h"

/* As many words as GMP itself puts on the stack, at most: 64 KB on 64-bit machines. */
#define CC_ROOM_SMALL 8192

struct cc_room {
	cc_word *words;
	size_t size;
	cc_word small[CC_ROOM_SMALL];
};

/* NULL if there is no memory; cc_room_refused() then says so, as GMP does, and aborts. */
CC_HIDDEN cc_word *cc_room_take(struct cc_room *room, size_t words);
CC_HIDDEN void cc_room_give(struct cc_room *room);
CC_HIDDEN _Noreturn void cc_room_refused(size_t words);

static inline cc_word *cc_room_open(struct cc_room *room, size_t words)
{
	room->size = words;
	if (words > CC_ROOM_SMALL)
		return cc_room_take(room, words);
	return room->words = room->small;
}

static inline void cc_room_close(struct cc_room *room)
{
	if (room->words != room->small)
		cc_room_give(room);
}

#endif /* CC_GMP_MEMORY_H */
