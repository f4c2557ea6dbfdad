/* SPDX-License-Identifier: MIT */
/*
 * entries.h - the functions that compiled code calls, by name; runtime.h says who owns their
 * results.
 */
#ifndef CARRYCHAIN_RING_ENTRIES_H
#define CARRYCHAIN_RING_ENTRIES_H

#include "runtime.h"

/* call.c */
/*
 * Records the site of a call whose callee had a failing check; @site is 0 if the check is the
 * caller's own.
 */
void ring_called(struct ring_context *context, uint32_t site);

/* references.c */
void ring_retain(ring_value x);
/* Moves the caller's reference to x into the slot. */
void ring_put(ring_value *slot, ring_value x);
void ring_set(ring_value *slot, ring_value x);
void ring_leave(ring_value *slots, uint64_t count);

/* arithmetic.c */
ring_value ring_add(ring_value a, ring_value b, ring_value *slot);
ring_value ring_sub(ring_value a, ring_value b, ring_value *slot);
ring_value ring_mul(ring_value a, ring_value b, ring_value *slot);
/* Quotient or remainder, rounded to the floor, to zero or to the ceiling; emit/ uses these numbers.
 */
enum ring_division { FDIV, FMOD, TDIV, TREM, CDIV, CREM };
ring_value ring_divide(int32_t which, ring_value a, ring_value b, ring_value *slot);
int ring_compare(ring_value a, ring_value b);
ring_value ring_isqrt(ring_value a, ring_value *slot);
ring_value ring_gcd(ring_value a, ring_value b, ring_value *slot);
/* a^b, for b >= 0 */
ring_value ring_expt(ring_value a, ring_value b, ring_value *slot);

/* bits.c */
/* The operator whose result for bits a and b is bit 2a + b of the table. */
ring_value ring_logic(int32_t table, ring_value a, ring_value b, ring_value *slot);
/* floor(a 2^n) */
ring_value ring_shift(ring_value a, int64_t n, ring_value *slot);
/* The k low bits: low() as an unsigned number, field() in two's complement, for k >= 1. */
ring_value ring_low(ring_value a, uint64_t k, ring_value *slot);
ring_value ring_field(ring_value a, uint64_t k, ring_value *slot);
/* The bit length of a, or of ~a if a < 0; and the number of bits set in it. */
uint64_t ring_bitlen(ring_value a);
uint64_t ring_popcount(ring_value a);

/* convert.c */
struct ring_halves {
	uint64_t low, high;
};

/* The 128 low bits; the 64 low bits. */
struct ring_halves ring_words(ring_value a);
uint64_t ring_word(ring_value a);
ring_value ring_unsigned(uint64_t low, uint64_t high, ring_value *slot);
ring_value ring_signed(uint64_t low, uint64_t high, ring_value *slot);
/* A shift's count; one that does not fit a small integer becomes the greatest, or the least. */
int64_t ring_count(ring_value a);

/* array.c */
/*
 * An array of @count elements of @width bytes, each with the low bytes of @low and @high.  With a
 * @width of 0 its elements are values, which it owns.  They begin MADE_DATA bytes (emit/arrays.py)
 * behind the array's address.
 */
ring_value ring_new(uint64_t count, uint32_t width, uint64_t low, uint64_t high, ring_value *slot);

/*
 * An array of @lanes copies of @from, interleaved: the first element of each lane, then the second
 * of each, and so on.  With @rows, lane i is copied from the i-th of the addresses in @from.
 * Elements have @width bytes; the length is that of one lane.
 */
ring_value ring_columns(const struct ring_array *from, uint32_t width, uint32_t lanes,
			uint32_t rows, ring_value *slot);

/* words.c */
uint64_t ring_isqrt_word(uint64_t x);
uint64_t ring_gcd_word(uint64_t a, uint64_t b);
/* a^n modulo 2^64 */
uint64_t ring_power_word(uint64_t a, uint64_t n);

/* The functions that compilers call for 128-bit division, under names of our own. */
#ifdef __SIZEOF_INT128__
__extension__ typedef __int128 ring_wide;
__extension__ typedef unsigned __int128 ring_unsigned_wide;

ring_wide ring_divti3(ring_wide a, ring_wide b);
ring_wide ring_modti3(ring_wide a, ring_wide b);
ring_unsigned_wide ring_udivti3(ring_unsigned_wide a, ring_unsigned_wide b);
ring_unsigned_wide ring_umodti3(ring_unsigned_wide a, ring_unsigned_wide b);
#endif

#endif /* CARRYCHAIN_RING_ENTRIES_H */
