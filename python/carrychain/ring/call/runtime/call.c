// SPDX-License-Identifier: MIT
/* call.c - calls compiled code, and tells it where its stack ends. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "entries.h"
#include "interrupt.h"

#include <pthread.h>

/* The part of the stack that is left to functions which compiled code calls. */
#define STACK_RESERVE (256 << 10)
/* The part that compiled code may use of a stack whose end is unknown. */
#define STACK_GUESS (512 << 10)

static __thread uintptr_t stack_end;

static void find_stack(void)
{
	char here;
#ifdef __linux__
	pthread_attr_t attributes;
	void *start;
	size_t size;

	if (!pthread_getattr_np(pthread_self(), &attributes)) {
		/* half of a small stack */
		if (!pthread_attr_getstack(&attributes, &start, &size))
			stack_end = (uintptr_t)start +
				    (size < 2 * STACK_RESERVE ? size / 2 : STACK_RESERVE);
		pthread_attr_destroy(&attributes);
	}
#endif
	if (!stack_end)
		stack_end = (uintptr_t)&here - STACK_GUESS;
}

void ring_called(struct ring_context *context, uint32_t site)
{
	if (site && context->called < RING_CALLERS)
		context->callers[context->called++] = site;
}

typedef int entry(void *arguments, void *results, struct ring_context *context);

int ring_call(uintptr_t address, void *arguments, struct ring_slots *results,
	      struct ring_context *context)
{
	struct ring_context *outer;
	int status;

	if (!stack_end)
		find_stack();
	context->stack_end = stack_end;
	context->poll = ring_poll;
	context->called = 0;
	outer = ring_watch(context);
	status = ((entry *)address)(arguments, results->values, context);
	ring_unwatch(outer);
	results->values[0] = context->value;
	return status;
}
