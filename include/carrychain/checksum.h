/* SPDX-License-Identifier: MIT */
/*
 * checksum.h - the Internet checksum (RFC 1071), for those who write stacks.
 *
 * The sum is the one's complement sum of 16-bit words, a last odd byte being followed by
 * a zero; the checksum is its complement.  Any length, any alignment.
 *
 * Byte order: a uint16_t here is a field of a packet, as the packet has it in memory.
 * Store it, or compare it with what is stored, without htons(); to print it as people
 * write it, use ntohs().  (One's complement addition does not care in which order the
 * bytes of all words are taken: RFC 1071, 2(B).)  Lengths and protocol numbers are plain
 * numbers.
 *
 * A partial sum is a uint32_t that has not been folded to 16 bits yet; 0 begins one.  It
 * is 0 only if every byte summed was: so that its fold is 0 or 0xffff as it is to be.
 *
 * @data may be NULL where the length is 0.  The time taken shows the length, and whether
 * data is aligned; no value.  After Zaks, Naishlos and Citron, TCP/IP checksum
 * vectorization using AltiVec, 2004.
 *
 * No function allocates, blocks or, in the kernel, touches a vector register.
 *
 *	udp->check = 0;
 *	sum = cc_checksum_pseudo_v4(ip->saddr, ip->daddr, 17, length);
 *	udp->check = cc_checksum_udp(cc_checksum_fold(cc_checksum_partial(udp, length, sum)));
 */
#ifndef CARRYCHAIN_CHECKSUM_H
#define CARRYCHAIN_CHECKSUM_H

#include <carrychain/word.h>

CC_C_CASTS_BEGIN

#ifdef __cplusplus
extern "C" {
#endif

/* The checksum of @data[len], to be stored as it is. */
uint16_t cc_checksum(const void *data, size_t len);

/*
 * The partial sum @sum and @data[len] after it.  Every fragment of a message but the last
 * must be of even length; where they may not be, use struct cc_checksum_state.
 */
uint32_t cc_checksum_partial(const void *data, size_t len, uint32_t sum);

/*
 * memcpy(to, from, len), and cc_checksum_partial() of it: of what was written, even if
 * another changes @from meanwhile.
 */
uint32_t cc_checksum_copy(void *to, const void *from, size_t len, uint32_t sum);

/*
 * The same by the best tier in use that needs no more than @features, the CC_CPU_* of
 * cpu.h or a tier's needs in cc_cpu_tiers().  With 0 no vector register is touched, nor
 * memcpy() called: for who may not, as code that is switched to and from without them.
 */
uint32_t cc_checksum_partial_tier(const void *data, size_t len, uint32_t sum, uint64_t features);
uint32_t cc_checksum_copy_tier(void *to, const void *from, size_t len, uint32_t sum,
			       uint64_t features);

/* a + b in one's complement */
static inline uint32_t cc_checksum_add(uint32_t a, uint32_t b)
{
	uint32_t s = a + b;

	return s + (s < a);
}

/* a - b in one's complement: where they are equal not 0, but what is congruent to it. */
static inline uint32_t cc_checksum_sub(uint32_t a, uint32_t b)
{
	return cc_checksum_add(a, ~b);
}

/*
 * The partial sum of what begins @offset bytes into a message, as it counts there: at an
 * odd offset each byte is in the other half of its word.
 */
static inline uint32_t cc_checksum_shift(uint32_t sum, size_t offset)
{
	return offset & 1 ? (sum << 8) | (sum >> 24) : sum;
}

/* The partial sum @sum of a message with, or without, the part that begins @offset bytes in. */
static inline uint32_t cc_checksum_block_add(uint32_t sum, uint32_t part, size_t offset)
{
	return cc_checksum_add(sum, cc_checksum_shift(part, offset));
}

static inline uint32_t cc_checksum_block_sub(uint32_t sum, uint32_t part, size_t offset)
{
	return cc_checksum_sub(sum, cc_checksum_shift(part, offset));
}

/* The one's complement sum, 16 bits, not complemented */
static inline uint16_t cc_checksum_sum16(uint32_t sum)
{
	/* both halves in either order: the lower sum's carry goes where it belongs */
	sum += (sum >> 16) | (sum << 16);
	return (uint16_t)(sum >> 16);
}

/* The checksum, to be stored, of what @sum is the partial sum of. */
static inline uint16_t cc_checksum_fold(uint32_t sum)
{
	return (uint16_t)~cc_checksum_sum16(sum);
}

/*
 * Whether @data[len], its checksum field included, is as it was sent; @sum is that of
 * its pseudo-header, or 0.
 */
static inline int cc_checksum_verify(const void *data, size_t len, uint32_t sum)
{
	return cc_checksum_sum16(cc_checksum_partial(data, len, sum)) == 0xffff;
}

/*
 * What UDP stores: 0 stands for no checksum there, and 0xffff for 0 (RFC 768).
 */
static inline uint16_t cc_checksum_udp(uint16_t check)
{
	return check ? check : 0xffff;
}

/*
 * Scatter and gather: fragments of any length, odd and empty ones too, in order, from an
 * array or a list:
 *
 *	for (i = 0; i < count; i++)
 *		cc_checksum_more(&state, iov[i].iov_base, iov[i].iov_len);
 */

struct cc_checksum_state {
	uint32_t sum;
	uint32_t odd; /* whether the bytes so far are odd in number */
};

/* @sum: of the pseudo-header, or 0. */
static inline void cc_checksum_begin(struct cc_checksum_state *state, uint32_t sum)
{
	state->sum = sum;
	state->odd = 0;
}

static inline void cc_checksum_more(struct cc_checksum_state *state, const void *data, size_t len)
{
	uint32_t sum = cc_checksum_partial(data, len, 0);

	state->sum = cc_checksum_block_add(state->sum, sum, state->odd);
	state->odd ^= len & 1;
}

static inline uint16_t cc_checksum_end(const struct cc_checksum_state *state)
{
	return cc_checksum_fold(state->sum);
}

/*
 * Of such fragments only @len bytes, from the one @offset bytes into the first on:
 *
 *	cc_checksum_range_begin(&range, sum, offset, len);
 *	for (m = head; m && cc_checksum_range_more(&range, m->data, m->len); m = m->next)
 *		;
 *	check = cc_checksum_end(&range.state);
 */

struct cc_checksum_range {
	struct cc_checksum_state state;
	size_t skip; /* bytes until it begins */
	size_t left; /* bytes of it, from there on */
};

static inline void cc_checksum_range_begin(struct cc_checksum_range *range, uint32_t sum,
					   size_t offset, size_t len)
{
	cc_checksum_begin(&range->state, sum);
	range->skip = offset;
	range->left = len;
}

/* How many bytes of the range are still to come; what comes after its end is passed over. */
static inline size_t cc_checksum_range_more(struct cc_checksum_range *range, const void *data,
					    size_t len)
{
	size_t skip = len < range->skip ? len : range->skip;
	size_t take = len - skip < range->left ? len - skip : range->left;

	if (take)
		cc_checksum_more(&range->state, (const unsigned char *)data + skip, take);
	range->skip -= skip;
	range->left -= take;
	return range->left;
}

/*
 * What the checksum @check becomes when the words @from become @to (RFC 1624, equation
 * 3): what a computation anew gives, unless every word is 0 by then, where that gives
 * 0xffff and this 0.  A UDP checksum of 0 must be left alone, and the result be passed
 * through cc_checksum_udp(), as cc_checksum_apply_udp() does.
 */
static inline uint16_t cc_checksum_update(uint16_t check, uint16_t from, uint16_t to)
{
	return cc_checksum_fold((uint32_t)(uint16_t)~check + (uint16_t)~from + to);
}

/*
 * How a partial sum changes when @from[from_len], at an even offset of the message, becomes
 * @to[to_len], added to @sum, which is 0 or another difference.  All that a translation of
 * addresses changes is one difference, for every checksum that covers it:
 *
 *	diff = cc_checksum_diff(&ip->saddr, 4, &address, 4, 0);
 *	ip->check = cc_checksum_apply(ip->check, diff);
 *	diff = cc_checksum_diff(&udp->source, 2, &port, 2, diff);
 *	udp->check = cc_checksum_apply_udp(udp->check, diff);
 *
 * A field that holds the sum of the pseudo-header alone, for a device to finish, becomes
 * cc_checksum_sum16(cc_checksum_add(field, diff)).
 */
static inline uint32_t cc_checksum_diff(const void *from, size_t from_len, const void *to,
					size_t to_len, uint32_t sum)
{
	sum = cc_checksum_sub(sum, cc_checksum_partial(from, from_len, 0));
	return cc_checksum_partial(to, to_len, sum);
}

/* What @check becomes by it, as in cc_checksum_update() */
static inline uint16_t cc_checksum_apply(uint16_t check, uint32_t diff)
{
	return cc_checksum_fold(cc_checksum_add((uint16_t)~check, diff));
}

/* The same of UDP's, of which 0, for none, remains 0 */
static inline uint16_t cc_checksum_apply_udp(uint16_t check, uint32_t diff)
{
	return check ? cc_checksum_udp(cc_checksum_apply(check, diff)) : 0;
}

/*
 * cc_checksum_update() for @len bytes at an even offset of the message: an address of 4 or
 * 16, a header, an address and a port that lie one after the other.
 */
static inline uint16_t cc_checksum_replace(uint16_t check, const void *from, const void *to,
					   size_t len)
{
	return cc_checksum_apply(check, cc_checksum_diff(from, len, to, len, 0));
}

/* A number's 16-bit words in network order, as memory would hold them, summed. */
static inline uint32_t cc_checksum_number(uint32_t number)
{
	uint32_t sum = (number >> 16) + (number & 0xffff);

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	sum = cc_checksum_shift(sum, 1);
#endif
	return sum;
}

/*
 * The partial sum of a pseudo-header: addresses as a packet has them (4 bytes, or 16),
 * the protocol or the next header, and the length of the header and data above IP: over
 * IPv4, too, it may be more than 16 bits hold, in a segment that is still to be cut up.
 */
static inline uint32_t cc_checksum_pseudo_v4(const void *from, const void *to, uint8_t protocol,
					     uint32_t length)
{
	uint32_t sum = cc_checksum_add(cc_checksum_number(length), cc_checksum_number(protocol));

	return cc_checksum_partial(to, 4, cc_checksum_partial(from, 4, sum));
}

static inline uint32_t cc_checksum_pseudo_v6(const void *from, const void *to, uint8_t next_header,
					     uint32_t length)
{
	uint32_t sum = cc_checksum_add(cc_checksum_number(length), cc_checksum_number(next_header));

	return cc_checksum_partial(to, 16, cc_checksum_partial(from, 16, sum));
}

/* The tier now in use, by its name in cc_cpu_tiers(). */
const char *cc_checksum_tier(void);

#ifdef __cplusplus
}
#endif

CC_C_CASTS_END

#endif /* CARRYCHAIN_CHECKSUM_H */
