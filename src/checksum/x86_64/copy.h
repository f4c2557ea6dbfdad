/* SPDX-License-Identifier: MIT */
/*
 * copy.h - copies and sums in one pass, by lanes of 32 bits and their upper words as in
 * deferred.h.  An includer must first define the vector's type and operations, and
 *
 *	keep_last(v, len)	the last bytes, an even number, others becoming 0
 */

/* Loads once, even if the compiler would prefer to load again, and stores */
ATTRIBUTES static inline vector copy_vector(unsigned char *to, const unsigned char *from)
{
	vector v = load(from);

	__asm__ volatile("" : "+v"(v));
	STORE(to, v);
	return v;
}

#define COPY_TWO(at)                                                                               \
	do {                                                                                       \
		vector v_ = copy_vector(to + (at), from + (at));                                   \
		vector w_ = copy_vector(to + (at) + VECTOR, from + (at) + VECTOR);                 \
                                                                                                   \
		sum = ADD32(sum, ADD32(v_, w_));                                                   \
		high = ADD32(high, ADD32(SRL32(v_, 16), SRL32(w_, 16)));                           \
	} while (0)

/*
 * Sums as apart() in deferred.h, for as long as that is exact.  The last vector is stored
 * before the others, which overwrite the bytes that they share with it; an odd last byte is
 * stored first, or overwritten by it.
 */
#define COPY_MOST 65536

ATTRIBUTES static inline cc_u32 copy_short(unsigned char *to, const unsigned char *from, size_t len)
{
	const size_t even = len & ~(size_t)1;
	vector sum, high;
	unsigned char odd = from[len - 1];

	__asm__ volatile("" : "+r"(odd));
	to[len - 1] = odd;
	sum = keep_last(copy_vector(to + even - VECTOR, from + even - VECTOR), even % VECTOR);
	high = SRL32(sum, 16);
	odd &= (unsigned char)(0 - (len & 1));
	for (; len >= 4 * VECTOR; len -= 4 * VECTOR, to += 4 * VECTOR, from += 4 * VECTOR) {
		COPY_TWO(0);
		COPY_TWO(2 * VECTOR);
	}
	if (len & 2 * VECTOR) {
		COPY_TWO(0);
		to += 2 * VECTOR;
		from += 2 * VECTOR;
	}
	if (len & VECTOR) {
		vector v = copy_vector(to, from);

		sum = ADD32(sum, v);
		high = ADD32(high, SRL32(v, 16));
	}
	return cc_checksum_fold32((cc_u64)sum_small(ADD32(SUB32(sum, SLL32(high, 16)), high)) +
				  odd);
}

ATTRIBUTES static __attribute__((noinline)) cc_u32 copy_long(unsigned char *to,
							     const unsigned char *from, size_t len)
{
	cc_u64 sum = 0;

	for (; len >= COPY_MOST + VECTOR; to += COPY_MOST, from += COPY_MOST, len -= COPY_MOST)
		sum += copy_short(to, from, COPY_MOST);
	return cc_checksum_fold32(sum + copy_short(to, from, len));
}

/* At least VECTOR bytes */
ATTRIBUTES static inline cc_u32 copy(unsigned char *to, const unsigned char *from, size_t len)
{
	return len <= COPY_MOST ? copy_short(to, from, len) : copy_long(to, from, len);
}
