// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L
#include "native.h"

#include "clock.h"

int watch_step(void *context, cc_u64 done, cc_u64 total)
{
	struct watch *w = context;
	uint64_t t;

	if (__atomic_load_n(&w->stop, __ATOMIC_RELAXED))
		return 1;
	if (!w->listener)
		return 0;
	t = clock_ns();
	if (t < w->next)
		return 0;
	w->next = t + w->interval;
	return watch_report(w->listener, done, total);
}

const char *compiler_name(void)
{
#if defined(__clang__)
	return __VERSION__;
#elif defined(__GNUC__)
	return "gcc " __VERSION__;
#else
	return "";
#endif
}

void muldiv_each(uint64_t *q, const uint64_t *a, const uint64_t *b, const uint64_t *c, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++)
		q[i] = mul_u64_u64_div_u64(a[i], b[i], c[i]);
}

int fib_sweep(uint64_t *ns, const uint64_t *n, size_t count, size_t rounds,
	      enum cc_fib_strategy strategy)
{
	size_t i, round;

	for (i = 0; i < count; i++) {
		uint64_t start = clock_ns();

		for (round = 0; round < rounds; round++) {
			cc_bigint f = CC_BIGINT_INIT;
			int status = cc_fib_by(&f, n[i], strategy, NULL);

			cc_bigint_clear(&f);
			if (status)
				return status;
		}
		ns[i] = clock_ns() - start;
	}
	return CC_OK;
}
