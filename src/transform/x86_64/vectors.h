/* SPDX-License-Identifier: MIT */
/*
 * vectors.h - what the tiers of four and of eight lanes do by the same instruction.
 *
 * A tier has defined LANES, TARGET, the types VECTOR and INTS, and the names of its intrinsics:
 * DOUBLES(op), INTEGERS(op), of 64 bits each, and BITS(op).
 */

#define LEAF LANES

typedef double ELEMENT __attribute__((may_alias));

TARGET static inline VECTOR all(double e)
{
	return DOUBLES(set1)(e);
}

TARGET static inline VECTOR load(const ELEMENT *x)
{
	return DOUBLES(loadu)((const double *)x);
}

TARGET static inline void store(ELEMENT *x, VECTOR v)
{
	DOUBLES(storeu)((double *)x, v);
}

TARGET static inline VECTOR add(VECTOR a, VECTOR b)
{
	return DOUBLES(add)(a, b);
}

TARGET static inline VECTOR sub(VECTOR a, VECTOR b)
{
	return DOUBLES(sub)(a, b);
}

TARGET static inline VECTOR product(VECTOR a, VECTOR b)
{
	return DOUBLES(mul)(a, b);
}

TARGET static inline VECTOR fmadd(VECTOR a, VECTOR b, VECTOR c)
{
	return DOUBLES(fmadd)(a, b, c);
}

TARGET static inline VECTOR fmsub(VECTOR a, VECTOR b, VECTOR c)
{
	return DOUBLES(fmsub)(a, b, c);
}

TARGET static inline VECTOR fnmadd(VECTOR a, VECTOR b, VECTOR c)
{
	return DOUBLES(fnmadd)(a, b, c);
}

TARGET static inline VECTOR divide(VECTOR a, VECTOR b)
{
	return DOUBLES(div)(a, b);
}

TARGET static inline INTS load_integers(const cc_u64 *x)
{
	return BITS(loadu)((const INTS *)(const void *)x);
}

TARGET static inline void store_integers(cc_u64 *x, INTS v)
{
	BITS(storeu)((INTS *)(void *)x, v);
}

TARGET static inline INTS plus(INTS a, INTS b)
{
	return INTEGERS(add)(a, b);
}

TARGET static inline INTS both(INTS a, INTS b)
{
	return BITS(and)(a, b);
}

TARGET static inline INTS either(INTS a, INTS b)
{
	return BITS(or)(a, b);
}

TARGET static inline INTS left(INTS v, unsigned int by)
{
	return INTEGERS(sll)(v, _mm_cvtsi32_si128((int)by));
}

TARGET static inline INTS right(INTS v, unsigned int by)
{
	return INTEGERS(srl)(v, _mm_cvtsi32_si128((int)by));
}
