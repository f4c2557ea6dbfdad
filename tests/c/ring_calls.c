// SPDX-License-Identifier: MIT
/* Calls of compiled code: the stack, the frames that led to a failure, and who asks to stop. */
#include "ring_runtime.h"

static int called(void *arguments, void *results, struct ring_context *context)
{
	ring_value *values = results;
	char here;

	values[1] = *(ring_value *)arguments;
	context->value = integer(INT64_MAX);
	return context->stack_end && context->stack_end < (uintptr_t)&here ? 7 : 0;
}

/* A check that fails in what is called, so deep, by a check of its own at 0. */
static uint32_t calls_led_to;

static int leading(void *arguments, void *results, struct ring_context *context)
{
	uint32_t at;

	(void)arguments, (void)results;
	ring_called(context, 0);
	for (at = 1; at <= calls_led_to; at++)
		ring_called(context, at);
	return 9;
}

void test_callers(void)
{
	struct ring_context context = {0};
	struct ring_slots *results = ring_slots_new(1, 0);
	uint32_t at;

	for (calls_led_to = 0; calls_led_to < RING_CALLERS + 3; calls_led_to++) {
		HOLDS(ring_call((uintptr_t)leading, NULL, results, &context) == 9);
		HOLDS(context.called ==
		      (calls_led_to < RING_CALLERS ? calls_led_to : RING_CALLERS));
		for (at = 0; at < context.called; at++)
			HOLDS(context.callers[at] == at + 1);
	}
	ring_slots_free(results);
}

static void test_entry(void)
{
	struct ring_context context = {0};
	unsigned char bytes[17] = {0};
	ring_value argument = 5 << 1 | 1;
	struct ring_slots *results;
	long live = memory_live();

	results = ring_slots_new(3, 2);
	HOLDS(results && !((uintptr_t)results->values & 15));
	HOLDS(ring_call((uintptr_t)called, &argument, results, &context) == 7);
	HOLDS(results->values[1] == argument && results->values[0] == context.value);
	bytes[16] = 1;
	results->values[2] = ring_from_bytes(bytes, sizeof(bytes));
	HOLDS(results->values[2] && !(results->values[2] & 1));
	ring_slots_free(results);
	HOLDS(memory_live() == live);
}

/* Of the calls that ask: how often they did, and which answer says to stop. */
static int asked, patience;

static int ask(void)
{
	return ++asked == patience;
}

/* As compiled code in a loop. */
static int polling(void *arguments, void *results, struct ring_context *context)
{
	volatile unsigned char *due = &context->due;

	(void)arguments, (void)results;
	for (;;)
		if (*due && context->poll(context))
			return 9;
}

static int calling(void *arguments, void *results, struct ring_context *context)
{
	struct ring_context inner = {.ask = context->ask};
	struct ring_slots *slots = ring_slots_new(1, 0);
	int status = ring_call((uintptr_t)polling, NULL, slots, &inner);

	ring_slots_free(slots);
	patience += 2;
	/* who called goes on, and is told when it is time */
	return !context->stopped && inner.stopped && status == 9
		       ? polling(arguments, results, context)
		       : 0;
}

static void test_polls(void)
{
	struct ring_context context = {.ask = ask};
	struct ring_slots *results = ring_slots_new(1, 0);

	asked = 0;
	patience = 3;
	HOLDS(ring_call((uintptr_t)polling, NULL, results, &context) == 9);
	HOLDS(asked == 3 && context.stopped);
	context.stopped = 0;
	patience = 5;
	HOLDS(ring_call((uintptr_t)calling, NULL, results, &context) == 9);
	HOLDS(asked == 7 && context.stopped);
	/* no one to ask: no time comes */
	context = (struct ring_context){.due = 1};
	HOLDS(!ring_poll(&context) && !context.due);
	ring_slots_free(results);
}

void test_calls(void)
{
	test_entry();
	test_polls();
}
