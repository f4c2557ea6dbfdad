// SPDX-License-Identifier: MIT
/* symbols.c - the table of symbols that compiled code is linked with. */
#include "entries.h"

#include <string.h>

#define SYMBOL(name)                                                                               \
	{                                                                                          \
#name, (void (*)(void))name                                                        \
	}

static const struct ring_symbol symbols[] = {
	SYMBOL(ring_retain),
	SYMBOL(ring_release),
	SYMBOL(ring_put),
	SYMBOL(ring_set),
	SYMBOL(ring_leave),
	SYMBOL(ring_called),
	SYMBOL(ring_add),
	SYMBOL(ring_sub),
	SYMBOL(ring_mul),
	SYMBOL(ring_logic),
	SYMBOL(ring_divide),
	SYMBOL(ring_shift),
	SYMBOL(ring_low),
	SYMBOL(ring_field),
	SYMBOL(ring_bitlen),
	SYMBOL(ring_popcount),
	SYMBOL(ring_compare),
	SYMBOL(ring_isqrt),
	SYMBOL(ring_gcd),
	SYMBOL(ring_expt),
	SYMBOL(ring_words),
	SYMBOL(ring_word),
	SYMBOL(ring_unsigned),
	SYMBOL(ring_signed),
	SYMBOL(ring_count),
	SYMBOL(ring_new),
	SYMBOL(ring_columns),
	SYMBOL(ring_isqrt_word),
	SYMBOL(ring_power_word),
	SYMBOL(ring_gcd_word),
	SYMBOL(memcpy),
	SYMBOL(memset),
	SYMBOL(memmove),
#ifdef __SIZEOF_INT128__
	{"__divti3", (void (*)(void))ring_divti3},
	{"__modti3", (void (*)(void))ring_modti3},
	{"__udivti3", (void (*)(void))ring_udivti3},
	{"__umodti3", (void (*)(void))ring_umodti3},
#endif
};

const struct ring_symbol *ring_symbols(size_t *count)
{
	*count = sizeof(symbols) / sizeof(symbols[0]);
	return symbols;
}
