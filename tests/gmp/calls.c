// SPDX-License-Identifier: MIT
/* GMP's own functions have the same types as ours, and the same struct. */
#include "calls.h"

#define DECLARE(name, shape, needs, most) extern __typeof__(cc_mpz_##name) __gmpz_##name;
MPZ_CALLS(DECLARE)

#define ENTRY(name, shape, needs, most)                                                            \
	{#name, (any_function *)cc_mpz_##name, (any_function *)__gmpz_##name, shape, needs, most},
const struct call mpz_calls[] = {MPZ_CALLS(ENTRY)};
const size_t mpz_calls_count = sizeof(mpz_calls) / sizeof(mpz_calls[0]);
