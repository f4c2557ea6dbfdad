/* SPDX-License-Identifier: MIT */
/*
 * vectors.h - the article's schemes over vectors, for a tier that has defined
 *
 *	ATTRIBUTES, VECTOR, vector	of its functions; bytes of a vector, and its type
 *	ZERO, ADD32(a, b)		lanes of 32 bits
 *	load(p), sum_u32(v)		the lanes' sum, unsigned
 *	add_count(&c, a, b)		a + b, its carries counted in c's lanes, and
 *	sum_counted(s, c, additions)	the sum of both, after so many
 *	BEGIN(vectors)			an accumulator before so many
 *	accumulate(sum, p)		of a vector's words
 */
ATTRIBUTES static inline cc_u64 mot(const unsigned char *p, size_t take)
{
	vector sum = ZERO, counts = sum;
	size_t i;

	CC_AS_WRITTEN
	for (i = 0; i < take; i += 2 * VECTOR) {
		vector t = add_count(&counts, load(p + i), load(p + i + VECTOR));

		sum = add_count(&counts, t, sum);
	}
	return sum_counted(sum, counts, take / VECTOR);
}

ATTRIBUTES static inline cc_u64 mot_unrolled(const unsigned char *p, size_t take)
{
	vector s0 = ZERO, s1 = s0, c0 = s0, c1 = s0;
	size_t i;

	CC_AS_WRITTEN
	for (i = 0; i < take; i += 4 * VECTOR) {
		const unsigned char *at = p + i;
		vector t0 = add_count(&c0, load(at), load(at + VECTOR));
		vector t1 = add_count(&c1, load(at + 2 * VECTOR), load(at + 3 * VECTOR));

		s0 = add_count(&c0, t0, s0);
		s1 = add_count(&c1, t1, s1);
	}
	s0 = add_count(&c0, s0, s1);
	return sum_counted(s0, ADD32(c0, c1), take / VECTOR + 1);
}

ATTRIBUTES static inline cc_u64 ibm(const unsigned char *p, size_t take)
{
	vector sum = BEGIN(take / VECTOR);
	size_t i;

	CC_AS_WRITTEN
	for (i = 0; i < take; i += VECTOR)
		sum = accumulate(sum, p + i);
	return sum_u32(sum);
}

ATTRIBUTES static inline cc_u64 ibm_unrolled(const unsigned char *p, size_t take)
{
	vector a = BEGIN(take / VECTOR), b = ZERO, c = b, d = b;
	size_t i;

	CC_AS_WRITTEN
	for (i = 0; i < take; i += 4 * VECTOR) {
		a = accumulate(a, p + i);
		b = accumulate(b, p + i + VECTOR);
		c = accumulate(c, p + i + 2 * VECTOR);
		d = accumulate(d, p + i + 3 * VECTOR);
	}
	return sum_u32(ADD32(ADD32(a, b), ADD32(c, d)));
}
