/* SPDX-License-Identifier: MIT */
/*
 * vectors.h - operations that are the same instruction in the tiers of four and of eight lanes.
 *
 * A tier must define LANES, TARGET, the types VECTOR and INTS, and the names of its intrinsics:
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

TARGET static inline INTS load_integers(const cc_u64 *x)
{
	return BITS(loadu)((const INTS *)(const void *)x);
}

TARGET static inline void store_integers(cc_u64 *x, INTS v)
{
	BITS(storeu)((INTS *)(void *)x, v);
}

#define OF_TWO(type, name, intrinsic)                                                              \
	TARGET static inline type name(type a, type b)                                             \
	{                                                                                          \
		return intrinsic(a, b);                                                            \
	}
#define OF_THREE(type, name, intrinsic)                                                            \
	TARGET static inline type name(type a, type b, type c)                                     \
	{                                                                                          \
		return intrinsic(a, b, c);                                                         \
	}
#define SHIFT(name, intrinsic)                                                                     \
	TARGET static inline INTS name(INTS v, unsigned int by)                                    \
	{                                                                                          \
		return intrinsic(v, _mm_cvtsi32_si128((int)by));                                   \
	}

OF_TWO(VECTOR, add, DOUBLES(add))
OF_TWO(VECTOR, sub, DOUBLES(sub))
OF_TWO(VECTOR, product, DOUBLES(mul))
OF_TWO(VECTOR, divide, DOUBLES(div))
OF_THREE(VECTOR, fmadd, DOUBLES(fmadd))
OF_THREE(VECTOR, fmsub, DOUBLES(fmsub))
OF_THREE(VECTOR, fnmadd, DOUBLES(fnmadd))
OF_TWO(INTS, plus, INTEGERS(add))
OF_TWO(INTS, both, BITS(and))
OF_TWO(INTS, either, BITS(or))
SHIFT(left, INTEGERS(sll))
SHIFT(right, INTEGERS(srl))

#undef OF_TWO
#undef OF_THREE
#undef SHIFT
