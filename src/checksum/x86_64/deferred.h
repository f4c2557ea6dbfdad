/* SPDX-License-Identifier: MIT */
/*
 * deferred.h - 64-bit lanes that wrap, and an estimate of how often they did.
 *
 * A lane of 64 bits has no room for carries.  So we add modulo 2^64, one instruction per
 * vector, and find the carries from an *estimate* of the sum, whose error only has to be
 * below 2^64.  For eight vectors, we compute the rounded averages of their 16-bit words (seven
 * instructions), and sum the top word of each lane (two).  This takes 17 instructions for
 * eight vectors; separate sums of the halves of each lane take 24.
 *
 * In one lane, let v be the words added, t = floor(v / 2^48) their top 16 bits, G the
 * number of groups of eight, A the sum of the groups' averages of t.  An average rounds up
 * by 0 or 1/2, and averages the errors of its operands: after three levels, a group's average
 * exceeds the mean by 0 to 3/2.  So
 *
 *	8 A - 12 G <= sum t <= 8 A,	sum t <= sum v / 2^48 < sum t + 8 G,
 *
 * and with E = 8 A - 12 G
 *
 *	0 <= sum v - 2^48 E < 2^48 (8 G + 12 G) <= 2^64	as long as 20 G <= 2^16.
 *
 * Hence d = (sum v - 2^48 E) mod 2^64 is that difference itself.  Since 2^48 is 1 modulo
 * 65535, the lane's part is (d mod 2^48) + floor(d / 2^48) + E.  Since 2^48 divides 2^48 E,
 * the first term is sum v mod 2^48, and the other two are floor(sum v / 2^48): nothing is
 * negative, and the total is 0 only if every v was.
 *
 * An includer must first define the vector's type and operations.
 */

#define GROUP	 (8 * VECTOR)
#define GROUPS	 (CC_DEFERRED_VECTORS / 8)
#define DEFERRED ((size_t)GROUPS * GROUP)

/* The sum of both halves of each lane: < 2^33 */
ATTRIBUTES static inline vector halves(vector v)
{
	return ADD64(AND(v, SET64(0xffffffff)), SRL64(v, 32));
}

ATTRIBUTES static inline vector group(vector *sum, const unsigned char *p)
{
	vector v0 = load(p), v1 = load(p + VECTOR);
	vector v2 = load(p + 2 * VECTOR), v3 = load(p + 3 * VECTOR);
	vector v4 = load(p + 4 * VECTOR), v5 = load(p + 5 * VECTOR);
	vector v6 = load(p + 6 * VECTOR), v7 = load(p + 7 * VECTOR);

	/* otherwise gcc loads each vector twice, but loads are the bottleneck */
	__asm__(""
		: "+v"(v0), "+v"(v1), "+v"(v2), "+v"(v3), "+v"(v4), "+v"(v5), "+v"(v6), "+v"(v7));
	sum[0] = ADD64(ADD64(sum[0], v0), v4);
	sum[1] = ADD64(ADD64(sum[1], v1), v5);
	sum[2] = ADD64(ADD64(sum[2], v2), v6);
	sum[3] = ADD64(ADD64(sum[3], v3), v7);
	v0 = AVG16(AVG16(AVG16(v0, v1), AVG16(v2, v3)), AVG16(AVG16(v4, v5), AVG16(v6, v7)));
	return SRL64(v0, 48);
}

/* The sum of @count groups, at most GROUPS: < 2^50 per lane */
ATTRIBUTES static inline vector groups(const unsigned char *p, size_t count)
{
	vector zero = SET64(0), sum[4] = {zero, zero, zero, zero}, average = zero, estimate, d;
	size_t i;

	for (i = 0; i < count; i++)
		average = ADD64(average, group(sum, p + i * GROUP));
	sum[0] = ADD64(ADD64(sum[0], sum[1]), ADD64(sum[2], sum[3]));
	estimate = SUB64(SLL64(average, 3), SET64((long long)(12 * count)));
	d = SUB64(sum[0], SLL64(estimate, 48));
	return ADD64(AND(d, SET64(0xffffffffffff)), ADD64(SRL64(d, 48), estimate));
}

/*
 * For data too short for groups: lanes of 32 bits wrap, and their upper words are also summed
 * separately, three instructions per vector.  sum - 2^16 high is exactly the sum of the lower
 * words, and those of 2^11 vectors of 64 bytes fit 32 bits: here are at most 32 vectors.
 * VECTOR bytes before the end must be readable.
 */
#define APART(p)                                                                                   \
	do {                                                                                       \
		vector v_ = load(p);                                                               \
                                                                                                   \
		__asm__("" : "+v"(v_)); /* as in group() */                                        \
		sum = ADD32(sum, v_);                                                              \
		high = ADD32(high, SRL32(v_, 16));                                                 \
		__asm__("" : "+v"(sum), "+v"(high));                                               \
	} while (0)

#define APART_TWO(p)                                                                               \
	do {                                                                                       \
		vector v_ = load(p), w_ = load((p) + VECTOR);                                      \
                                                                                                   \
		__asm__("" : "+v"(v_), "+v"(w_));                                                  \
		sum = ADD32(sum, ADD32(v_, w_));                                                   \
		high = ADD32(high, ADD32(SRL32(v_, 16), SRL32(w_, 16)));                           \
	} while (0)

ATTRIBUTES static inline __attribute__((always_inline)) cc_u32 apart(const unsigned char *p,
								     size_t len)
{
	/* no branch: it would be mispredicted for every second length */
	cc_u32 odd = (0 - (cc_u32)(len & 1)) & cc_load_last(p + len - 1);
	vector sum = load_last(p + len / VECTOR * VECTOR, len % VECTOR & ~(size_t)1);
	vector high = SRL32(sum, 16);

	for (; len >= GROUP; p += GROUP, len -= GROUP) {
		APART_TWO(p);
		APART_TWO(p + 2 * VECTOR);
		APART_TWO(p + 4 * VECTOR);
		APART_TWO(p + 6 * VECTOR);
	}
	/* one jump into the unrolled code: branches on the length's bits would cost more */
	switch (len / VECTOR) {
#define APART_CASE(n)                                                                              \
	case n:                                                                                    \
		__asm__ volatile(".p2align 5");                                                    \
		APART(p + ((n)-1) * VECTOR);                                                       \
		__attribute__((fallthrough))
		APART_CASE(7);
		APART_CASE(6);
		APART_CASE(5);
		APART_CASE(4);
		APART_CASE(3);
		APART_CASE(2);
		APART_CASE(1);
	case 0:
		break;
	}
	return sum_small(ADD32(SUB32(sum, SLL32(high, 16)), high)) + odd;
}

ATTRIBUTES static inline cc_u32 grouped(const unsigned char *p, size_t len)
{
	vector sum = SET64(0);

	while (len >= GROUP) {
		size_t count = len < DEFERRED ? len / GROUP : GROUPS;

		sum = halves(ADD64(sum, groups(p, count)));
		p += count * GROUP;
		len -= count * GROUP;
	}
	return cc_checksum_fold32(sum_u64(sum) + apart(p, len));
}

ATTRIBUTES static inline cc_u32 deferred(const unsigned char *p, size_t len)
{
	if (len < CC_AVX_FROM)
		return cc_checksum_word_unrolled(p, len);
	return len < GROUPED ? apart(p, len) : grouped(p, len);
}

ATTRIBUTES static __attribute__((noinline)) uint16_t whole_long(const unsigned char *p, size_t len)
{
	return cc_checksum_fold(deferred(p, len));
}

/* At least CC_AVX_FROM bytes; few bytes need neither a loop nor a stack frame */
ATTRIBUTES static inline uint16_t whole(const unsigned char *p, size_t len)
{
	if (__builtin_expect(len >= GROUP, 0))
		return whole_long(p, len);
	return cc_checksum_fold(apart(p, len));
}
