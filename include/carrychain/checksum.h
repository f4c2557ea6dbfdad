/* SPDX-License-Identifier: MIT */
/*
 * checksum.h - the Internet checksum (RFC 1071), for authors of network stacks.
 *
 * The sum is the one's complement sum of 16-bit words; an odd last byte is padded with a
 * zero.  The checksum is the complement of the sum.  Any length and alignment is allowed.
 *
 * Byte order: a uint16_t here is a packet field as the packet has it in memory.  Store it,
 * or compare it with a stored one, without htons().  Use ntohs() to print it.  (The one's
 * complement sum does not depend on byte order, as long as all words are swapped alike:
 * RFC 1071, 2(B).)  Lengths and protocol numbers are plain numbers.
 *
 * A partial sum is a uint32_t that was not yet folded to 16 bits; begin with 0.  It is 0
 * only if every byte summed was 0, so that it folds to 0 or to 0xffff correctly.
 *
 * @data may be NULL if the length is 0.  The running time depends on the length and on
 * the alignment, but not on the data.  After Zaks, Naishlos and Citron, TCP/IP checksum
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

/* The checksum of @data[len], ready to be stored. */
uint16_t cc_checksum(const void *data, size_t len);

/*
 * The partial sum @sum continued over @data[len].  Every fragment of a message but the last
 * must have an even length; for odd fragments use struct cc_checksum_state.
 */
uint32_t cc_checksum_partial(const void *data, size_t len, uint32_t sum);

/*
 * memcpy(to, from, len) and cc_checksum_partial() in one.  The sum is that of what was
 * written, even if @from changes meanwhile.
 */
uint32_t cc_checksum_copy(void *to, const void *from, size_t len, uint32_t sum);

/*
 * The same by the best tier in use that needs only @features: CC_CPU_* of cpu.h, or a tier's
 * needs in cc_cpu_tiers().  With 0, they touch no vector register and do not call memcpy().
 * This is for code that must not, such as code that is switched without saving them.
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

/* a - b in one's complement.  If they are equal, the result is all ones, not 0. */
static inline uint32_t cc_checksum_sub(uint32_t a, uint32_t b)
{
	return cc_checksum_add(a, ~b);
}

/*
 * What the partial sum of a block contributes @offset bytes into a message: at an odd offset
 * each byte is in the other half of its word.
 */
static inline uint32_t cc_checksum_shift(uint32_t sum, size_t offset)
{
	return offset & 1 ? (sum << 8) | (sum >> 24) : sum;
}

/* Adds the partial sum @part of a block @offset bytes into the message to @sum, or subtracts it. */
static inline uint32_t cc_checksum_block_add(uint32_t sum, uint32_t part, size_t offset)
{
	return cc_checksum_add(sum, cc_checksum_shift(part, offset));
}

static inline uint32_t cc_checksum_block_sub(uint32_t sum, uint32_t part, size_t offset)
{
	return cc_checksum_sub(sum, cc_checksum_shift(part, offset));
}

/* The 16-bit one's complement sum, not complemented */
static inline uint16_t cc_checksum_sum16(uint32_t sum)
{
	/* both halves in either order: the lower sum's carry goes where it belongs */
	sum += (sum >> 16) | (sum << 16);
	return (uint16_t)(sum >> 16);
}

/* The checksum for the partial sum @sum, ready to be stored. */
static inline uint16_t cc_checksum_fold(uint32_t sum)
{
	return (uint16_t)~cc_checksum_sum16(sum);
}

/*
 * Whether @data[len], including its checksum field, is intact.  @sum is the partial sum of
 * its pseudo-header, or 0.
 */
static inline int cc_checksum_verify(const void *data, size_t len, uint32_t sum)
{
	return cc_checksum_sum16(cc_checksum_partial(data, len, sum)) == 0xffff;
}

/*
 * The checksum as UDP stores it: 0xffff for 0, because 0 means no checksum (RFC 768).
 */
static inline uint16_t cc_checksum_udp(uint16_t check)
{
	return check ? check : 0xffff;
}

/*
 * Scatter and gather: fragments of any length, including odd and empty ones, in order, from
 * an array or a list:
 *
 *	for (i = 0; i < count; i++)
 *		cc_checksum_more(&state, iov[i].iov_base, iov[i].iov_len);
 */

struct cc_checksum_state {
	uint32_t sum;
	uint32_t odd; /* whether the number of bytes so far is odd */
};

/* @sum is that of the pseudo-header, or 0. */
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
 * The checksum of a range of such fragments: @len bytes, beginning @offset bytes in:
 *
 *	cc_checksum_range_begin(&range, sum, offset, len);
 *	for (m = head; m && cc_checksum_range_more(&range, m->data, m->len); m = m->next)
 *		;
 *	check = cc_checksum_end(&range.state);
 */

struct cc_checksum_range {
	struct cc_checksum_state state;
	size_t skip; /* bytes before the range */
	size_t left; /* bytes of the range */
};

static inline void cc_checksum_range_begin(struct cc_checksum_range *range, uint32_t sum,
					   size_t offset, size_t len)
{
	cc_checksum_begin(&range->state, sum);
	range->skip = offset;
	range->left = len;
}

/* Returns how many bytes of the range are still to come.  Ignores bytes after its end. */
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
 * The checksum @check after the word @from becomes @to (RFC 1624, equation 3).  It equals a
 * new computation, except when every word is now 0: a new computation then gives 0xffff,
 * this function 0.  For UDP, leave a checksum of 0 alone, and pass the result through
 * cc_checksum_udp(), as cc_checksum_apply_udp() does.
 */
static inline uint16_t cc_checksum_update(uint16_t check, uint16_t from, uint16_t to)
{
	return cc_checksum_fold((uint32_t)(uint16_t)~check + (uint16_t)~from + to);
}

/*
 * The change of a partial sum when @from[from_len], at an even offset of the message, becomes
 * @to[to_len].  It is added to @sum, which is 0 or another difference.  An address
 * translation needs one difference for all checksums that cover the changed fields:
 *
 *	diff = cc_checksum_diff(&ip->saddr, 4, &address, 4, 0);
 *	ip->check = cc_checksum_apply(ip->check, diff);
 *	diff = cc_checksum_diff(&udp->source, 2, &port, 2, diff);
 *	udp->check = cc_checksum_apply_udp(udp->check, diff);
 *
 * A field that holds only the pseudo-header's sum, for checksum offload, becomes
 * cc_checksum_sum16(cc_checksum_add(field, diff)).
 */
static inline uint32_t cc_checksum_diff(const void *from, size_t from_len, const void *to,
					size_t to_len, uint32_t sum)
{
	sum = cc_checksum_sub(sum, cc_checksum_partial(from, from_len, 0));
	return cc_checksum_partial(to, to_len, sum);
}

/* The checksum @check after that change, as in cc_checksum_update() */
static inline uint16_t cc_checksum_apply(uint16_t check, uint32_t diff)
{
	return cc_checksum_fold(cc_checksum_add((uint16_t)~check, diff));
}

/* The same for UDP: 0, which means no checksum, stays 0 */
static inline uint16_t cc_checksum_apply_udp(uint16_t check, uint32_t diff)
{
	return check ? cc_checksum_udp(cc_checksum_apply(check, diff)) : 0;
}

/*
 * cc_checksum_update() for @len bytes at an even offset of the message: an address of 4 or
 * 16 bytes, a header, or an address and the port next to it.
 */
static inline uint16_t cc_checksum_replace(uint16_t check, const void *from, const void *to,
					   size_t len)
{
	return cc_checksum_apply(check, cc_checksum_diff(from, len, to, len, 0));
}

/* The sum of a number's 16-bit words, as memory holds them in network order. */
static inline uint32_t cc_checksum_number(uint32_t number)
{
	uint32_t sum = (number >> 16) + (number & 0xffff);

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	sum = cc_checksum_shift(sum, 1);
#endif
	return sum;
}

/*
 * The partial sum of a pseudo-header: addresses as in the packet (4 or 16 bytes), the
 * protocol or next header, and the length of header and data above IP.  The length may
 * exceed 16 bits, over IPv4, too, for a segment that is still to be segmented.
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
