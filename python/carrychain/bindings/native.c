// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L
#include "native.h"

#include "clock.h"

#include <string.h>

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

int muldiv_peer_each(uint64_t *q, const uint64_t *a, const uint64_t *b, const uint64_t *c,
		     size_t count)
{
#ifdef __SIZEOF_INT128__
	size_t i;

	for (i = 0; i < count; i++)
		q[i] = (uint64_t)((cc_native_u128)a[i] * b[i] / c[i]);
	return CC_OK;
#else
	(void)q, (void)a, (void)b, (void)c, (void)count;
	return CC_EINVAL;
#endif
}

int checksum_peer(uint16_t *result, const void *data, size_t len)
{
#ifdef __SIZEOF_INT128__
	const unsigned char *p = data;
	cc_native_u128 sum = 0;
	uint64_t word, whole;

	for (; len >= 8; p += 8, len -= 8) {
		memcpy(&word, p, 8);
		sum += word;
	}
	/* what is left, as if zeros followed; 2^64 is 1 modulo 65535, as 2^32 and 2^16 are */
	word = 0;
	memcpy(&word, p, len);
	sum += word;
	sum = (uint64_t)sum + (sum >> 64);
	whole = (uint64_t)sum + (uint64_t)(sum >> 64);
	whole = (whole >> 32) + (uint32_t)whole;
	*result = cc_checksum_fold(cc_checksum_add((uint32_t)whole, (uint32_t)(whole >> 32)));
	return CC_OK;
#else
	(void)result, (void)data, (void)len;
	return CC_EINVAL;
#endif
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
