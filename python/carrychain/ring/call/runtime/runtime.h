/* SPDX-License-Identifier: MIT */
/*
 * runtime.h - what compiled programs call: integers of any size, arrays, and their memory.
 *
 * A value is a word. Its lowest bit set, it is the integer above that bit (small, 63 bits);
 * else it is the address of an object with a count of references, or 0 for none. A small
 * integer is never kept as an object, so that equal integers have equal words or both objects.
 *
 * An operation's result is owned by the slot it is given: what the slot owned before is given
 * up, and its memory used again where nothing else refers to it. A small result leaves the slot
 * as it is. Arguments are borrowed. 0 says that memory ran out.
 */
#ifndef CARRYCHAIN_RING_RUNTIME_H
#define CARRYCHAIN_RING_RUNTIME_H

#include <carrychain/bigint.h>

typedef int64_t ring_value;

enum ring_kind {
	RING_INTEGER,
	RING_WORDS,  /* an array of words */
	RING_VALUES, /* an array of values, which it owns */
};

struct ring_object {
	int64_t references; /* below 0: not counted, never freed */
	int64_t kind;
};

struct ring_integer {
	struct ring_object object;
	cc_bigint value;
};

struct ring_array {
	struct ring_object object;
	uint64_t length;
	void *data;
};

#define RING_CALLERS 32 /* that are told of, at most */

/* What a call gives to compiled code, and hears from it. emit/ knows where each member is. */
struct ring_context {
	uintptr_t stack_end; /* a frame below here is one too deep */
	uint64_t operand[2]; /* of the check that failed: a word's two halves */
	uint64_t length;     /* of the array concerned */
	ring_value value;    /* the operand where it is a value; owned */
	int (*poll)(struct ring_context *context); /* ring_poll() */
	unsigned char due;			   /* whether it is time to call it */
	unsigned char stopped;
	/*
	 * Whether to stop: asked every RING_TICK ms, in the thread of the call.  NULL: never
	 * stop.  One thread at a time may make calls that ask, and one call within another.
	 */
	int (*ask)(void);
	/* Of a check that failed, the calls that led to it: their sites, the innermost first. */
	uint32_t called;
	uint32_t callers[RING_CALLERS];
};

#define RING_TICK 40

/* Values that are given up with their memory; after them, at a multiple of 16, other words. */
struct ring_slots {
	uint64_t count;
	uint64_t unused;
	ring_value values[];
};

/* The functions that compiled code calls, by name. */
struct ring_symbol {
	const char *name;
	void (*function)(void);
};

const struct ring_symbol *ring_symbols(size_t *count);

/*
 * Calls the compiled function at @entry; its status.  What it yields that is owned goes to
 * results->values[1] and on, the other words after them (emit/module.py); the operand of the
 * check that failed to values[0].
 */
int ring_call(uintptr_t entry, void *arguments, struct ring_slots *results,
	      struct ring_context *context);
/* Whether the call is to end; then everything that yields a value, and may take long, yields 0. */
int ring_poll(struct ring_context *context);
/* The same for the innermost call of this thread, if it is time to ask. */
int ring_asked(void);

/* All 0, with room for @words other words; NULL if memory ran out. */
struct ring_slots *ring_slots_new(uint64_t count, uint64_t words);
void ring_slots_free(struct ring_slots *slots);

/*
 * The value of two's complement, least significant byte first, owned by who called; 0 if memory
 * ran out.
 */
ring_value ring_from_bytes(const void *bytes, size_t length);
/* The integer of a value that is an object. */
const cc_bigint *ring_integer(ring_value x);
struct ring_array *ring_array(ring_value x);
void ring_release(ring_value x);

#endif /* CARRYCHAIN_RING_RUNTIME_H */
