/* SPDX-License-Identifier: MIT */
/*
 * runtime.h - the runtime of compiled programs: integers of any size, arrays, and their memory.
 *
 * A value is a word. If its lowest bit is set, the bits above are a small integer of 63 bits.
 * Otherwise it is the address of a reference-counted object, or 0 for none. An integer that fits
 * 63 bits is always small: so two equal integers either have equal words, or are both objects.
 *
 * The caller passes a slot, which then owns the result. What the slot owned before is released, or
 * its memory reused if nothing else refers to it. If the result is small, the slot is unchanged.
 * Arguments are borrowed. A result of 0 says that memory ran out, or that the call is to end.
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

#define RING_CALLERS 32 /* the most that are recorded */

/* Shared by a call and the compiled code; emit/ knows the offset of each member. */
struct ring_context {
	uintptr_t stack_end; /* a frame below this address is too deep */
	uint64_t operand[2]; /* the failed check's operand, if a word: its halves */
	uint64_t length;     /* the length of the failed check's array */
	ring_value value;    /* the failed check's operand, if a value; owned */
	int (*poll)(struct ring_context *context); /* ring_poll() */
	unsigned char due;			   /* poll() is to be called */
	unsigned char stopped;
	/*
	 * Whether to stop; called every RING_TICK ms in the call's thread.  NULL: never stop.
	 * Only one thread at a time may make calls that ask; they may be nested.
	 */
	int (*ask)(void);
	/* The sites of the calls that led to the failed check, innermost first. */
	uint32_t called;
	uint32_t callers[RING_CALLERS];
};

#define RING_TICK 40

/* Values, owned by the slots; then other words, aligned to 16 bytes. */
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
 * Calls the compiled function at @entry, and returns its status.  results->values[0] is the
 * operand of a failed check, if a value; the results that are owned follow, then the other words
 * (emit/module.py).
 */
int ring_call(uintptr_t entry, void *arguments, struct ring_slots *results,
	      struct ring_context *context);
/*
 * Whether the call is to end.  If so, each operation that yields a value, and may take long,
 * yields 0.
 */
int ring_poll(struct ring_context *context);
/* The same for the innermost call of this thread; asks only if that is due. */
int ring_asked(void);

/* @count values and @words other words, all 0; NULL if memory ran out. */
struct ring_slots *ring_slots_new(uint64_t count, uint64_t words);
void ring_slots_free(struct ring_slots *slots);

/*
 * The value of little-endian bytes in two's complement, owned by the caller; 0 if memory ran out.
 */
ring_value ring_from_bytes(const void *bytes, size_t length);
/* The integer of a value that is not small. */
const cc_bigint *ring_integer(ring_value x);
struct ring_array *ring_array(ring_value x);
void ring_release(ring_value x);

#endif /* CARRYCHAIN_RING_RUNTIME_H */
