/* SPDX-License-Identifier: MIT */
/*
 * entries.h - what compiled code calls, by these names; how it owns what they give is in
 * runtime.h.
 */
#ifndef CARRYCHAIN_RING_ENTRIES_H
#define CARRYCHAIN_RING_ENTRIES_H

#include "runtime.h"

/* call.c */
/* A call that ends by a check that failed in what it called; 0 where the check is the caller's. */
void ring_called(struct ring_context *context, uint32_t site);

/* references.c */
void ring_retain(ring_value x);
/* The slot owns x, which who called owned. */
void ring_put(ring_value *slot, ring_value x);
void ring_set(ring_value *slot, ring_value x);
void ring_leave(ring_value *slots, uint64_t count);

/* arithmetic.c */
ring_value ring_add(ring_value a, ring_value b, ring_value *slot);
ring_value ring_sub(ring_value a, ring_value b, ring_value *slot);
ring_value ring_mul(ring_value a, ring_value b, ring_value *slot);
/* Which of a division's results, and how it is rounded; emit/ knows these numbers. */
enum ring_division { FDIV, FMOD, TDIV, TREM, CDIV, CREM };
ring_value ring_divide(int32_t which, ring_value a, ring_value b, ring_value *slot);
int ring_compare(ring_value a, ring_value b);
ring_value ring_isqrt(ring_value a, ring_value *slot);
ring_value ring_gcd(ring_value a, ring_value b, ring_value *slot);
/* a^b, b not below 0 */
ring_value ring_expt(ring_value a, ring_value b, ring_value *slot);

/* bits.c */
/* The operator of this truth table, bit 2a + b for bits a and b. */
ring_value ring_logic(int32_t table, ring_value a, ring_value b, ring_value *slot);
/* a 2^n, rounded down */
ring_value ring_shift(ring_value a, int64_t n, ring_value *slot);
/* The k low bits; as two's complement, k at least 1. */
ring_value ring_low(ring_value a, uint64_t k, ring_value *slot);
ring_value ring_field(ring_value a, uint64_t k, ring_value *slot);
/* Bits of a, or of ~a below 0; and how many are set. */
uint64_t ring_bitlen(ring_value a);
uint64_t ring_popcount(ring_value a);

/* convert.c */
struct ring_halves {
	uint64_t low, high;
};

/* The 128 low bits; the 64. */
struct ring_halves ring_words(ring_value a);
uint64_t ring_word(ring_value a);
ring_value ring_unsigned(uint64_t low, uint64_t high, ring_value *slot);
ring_value ring_signed(uint64_t low, uint64_t high, ring_value *slot);
/* As a shift's count: whatever is further off than any number has bits is as far as that. */
int64_t ring_count(ring_value a);

/* array.c */
/*
 * @width bytes an element, each @low's and @high's low bytes; 0 for values, which are owned.  They
 * are MADE_DATA bytes (emit/arrays.py) from the array.
 */
ring_value ring_new(uint64_t count, uint32_t width, uint64_t low, uint64_t high, ring_value *slot);

/*
 * What @from holds, or with @rows the arrays whose addresses its data are, elements of @width
 * bytes: first the first of all @lanes, then the second...; the length is that of one.
 */
ring_value ring_columns(const struct ring_array *from, uint32_t width, uint32_t lanes,
			uint32_t rows, ring_value *slot);

/* words.c */
uint64_t ring_isqrt_word(uint64_t x);
uint64_t ring_gcd_word(uint64_t a, uint64_t b);
/* a^n modulo 2^64 */
uint64_t ring_power_word(uint64_t a, uint64_t n);

/* What compilers call to divide 128 bits: under our own linkage. */
#ifdef __SIZEOF_INT128__
__extension__ typedef __int128 ring_wide;
__extension__ typedef unsigned __int128 ring_unsigned_wide;

ring_wide ring_divti3(ring_wide a, ring_wide b);
ring_wide ring_modti3(ring_wide a, ring_wide b);
ring_unsigned_wide ring_udivti3(ring_unsigned_wide a, ring_unsigned_wide b);
ring_unsigned_wide ring_umodti3(ring_unsigned_wide a, ring_unsigned_wide b);
#endif

#endif /* CARRYCHAIN_RING_ENTRIES_H */
