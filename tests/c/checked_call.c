// SPDX-License-Identifier: MIT
#include "harness.h"

#if CHECKED_CALL

/* As checked_call_x86_64.S knows it. */
struct call {
	void (*function)(void);
	uint64_t arguments[6];
	uint64_t flags;
	uint64_t result;
	uint64_t damage;
};

void checked_call_x86_64(struct call *call);

/* The arithmetic flags, which no callee may rely on, and the one that is always set. */
#define FLAGS_NOISE 0x8d5
#define FLAGS_FIXED 0x202

uint64_t test_call(void (*function)(void), const uint64_t arguments[6])
{
	static const char *const what[] = {
		"rbx", "rbp", "r12", "r13", "r14", "r15", "rsp", "direction flag", "caller's stack",
	};
	struct call call = {.function = function};
	size_t i;

	for (i = 0; i < 6; i++)
		call.arguments[i] = arguments[i];
	call.flags = FLAGS_FIXED | (random_u64() & FLAGS_NOISE);
	checked_call_x86_64(&call);
	for (i = 0; i < COUNT(what); i++)
		CHECK(!((call.damage >> i) & 1), "%s not as it was", what[i]);
	return call.result;
}

#endif
