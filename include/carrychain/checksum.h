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

/* a + b in one's complement */
static inline uint32_t cc_checksum_add(uint32_t a, uint32_t b)
{
	uint32_t s = a + b;

	return s + (s < a);
}

/*
 * The partial sum of what begins @offset bytes into a message, as it counts there: at an
 * odd offset each byte is in the other half of its word.
 */
static inline uint32_t cc_checksum_shift(uint32_t sum, size_t offset)
{
	return offset & 1 ? (sum << 8) | (sum >> 24) : sum;
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

/* Scatter and gather: fragments of any length, odd and empty ones too, in order. */

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
	uint32_t sum = cc_checksum_shift(cc_checksum_partial(data, len, 0), state->odd);

	state->sum = cc_checksum_add(state->sum, sum);
	state->odd ^= len & 1;
}

static inline uint16_t cc_checksum_end(const struct cc_checksum_state *state)
{
	return cc_checksum_fold(state->sum);
}

/*
 * What the checksum @check becomes when the words @from become @to (RFC 1624, equation
 * 3): what a computation anew gives, unless every word is 0 by then, where that gives
 * 0xffff and this 0.  A UDP checksum of 0 must be left alone, and the result be passed
 * through cc_checksum_udp().
 */
static inline uint16_t cc_checksum_update(uint16_t check, uint16_t from, uint16_t to)
{
	return cc_checksum_fold((uint32_t)(uint16_t)~check + (uint16_t)~from + to);
}

/* The same for @len bytes at an even offset of the message: an address, a header. */
static inline uint16_t cc_checksum_replace(uint16_t check, const void *from, const void *to,
					   size_t len)
{
	uint32_t sum = (uint16_t)~check;

	sum += cc_checksum_fold(cc_checksum_partial(from, len, 0));
	return cc_checksum_fold(sum + cc_checksum_sum16(cc_checksum_partial(to, len, 0)));
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
