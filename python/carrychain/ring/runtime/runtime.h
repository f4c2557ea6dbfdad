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

/* What a call gives to compiled code, and hears from it. */
struct ring_context {
	uintptr_t stack_end; /* a frame below here is one too deep */
	uint64_t operand[2]; /* of the check that failed: a word's two halves, or a value */
	uint64_t length;     /* of the array concerned */
};

/* The functions that compiled code calls, by name. */
struct ring_symbol {
	const char *name;
	void (*function)(void);
};

const struct ring_symbol *ring_symbols(size_t *count);

/* Calls the compiled function at @entry; its status. */
int ring_call(uintptr_t entry, void *arguments, void *results, struct ring_context *context);

/* A value from two's complement, least significant byte first; owned by who called. */
ring_value ring_from_bytes(const void *bytes, size_t length);
/* The integer of a value that is an object. */
const cc_bigint *ring_integer(ring_value x);
struct ring_array *ring_array(ring_value x);
void ring_release(ring_value x);

#endif /* CARRYCHAIN_RING_RUNTIME_H */
