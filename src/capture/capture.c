// SPDX-License-Identifier: MIT
#include <carrychain/capture.h>

#include <carrychain/u128.h>

#include "../platform.h"

#define NS 1000000000u

/* Made of shifts: __builtin_bswap64() calls libgcc where there is no instruction for it. */
static uint32_t reversed(uint32_t x)
{
	return x >> 24 | (x >> 8 & 0xff00) | (x & 0xff00) << 8 | x << 24;
}

static uint32_t read32(const struct cc_capture *c, const unsigned char *p)
{
	uint32_t x;

	memcpy(&x, p, sizeof(x));
	return c->swapped ? reversed(x) : x;
}

static uint16_t read16(const struct cc_capture *c, const unsigned char *p)
{
	uint16_t x;

	memcpy(&x, p, sizeof(x));
	return c->swapped ? (uint16_t)(x >> 8 | x << 8) : x;
}

static cc_u64 read64(const struct cc_capture *c, const unsigned char *p)
{
	cc_u64 x;

	memcpy(&x, p, sizeof(x));
	return c->swapped ? (cc_u64)reversed((uint32_t)x) << 32 | reversed((uint32_t)(x >> 32)) : x;
}

static enum cc_capture_status more(struct cc_capture *c, cc_u64 need)
{
	c->need = need;
	return CC_CAPTURE_MORE;
}

static enum cc_capture_status refuse(struct cc_capture *c, enum cc_capture_status why, cc_u64 value)
{
	c->value = value;
	return why;
}

static enum cc_capture_status took(size_t *used, size_t length, enum cc_capture_status what)
{
	*used = length;
	return what;
}

/* pcap */

#define PCAP_HEADER 24

static enum cc_capture_status pcap_header(struct cc_capture *c, const unsigned char *p, size_t have,
					  size_t *used, cc_u64 ticks)
{
	struct cc_capture_interface *i = &c->interface[0];

	if (have < PCAP_HEADER)
		return more(c, PCAP_HEADER);
	if (read16(c, p + 4) != 2)
		return refuse(c, CC_CAPTURE_VERSION, read16(c, p + 4));
	c->format = CC_CAPTURE_PCAP;
	c->interface_count = 1;
	/* the upper bits are about a frame check sequence, which no IP length includes */
	i->link = read32(c, p + 20) & 0x03ffffff;
	i->ticks = ticks;
	/* what only pcapng has: this memory may be an earlier capture's */
	i->snapshot = 0;
	i->offset = 0;
	i->name[0] = 0;
	return took(used, PCAP_HEADER, CC_CAPTURE_BLOCK);
}

static enum cc_capture_status pcap_record(struct cc_capture *c, const unsigned char *p, size_t have,
					  size_t *used, struct cc_capture_record *r)
{
	size_t header = c->odd_header ? 24 : 16;

	if (have < header)
		return more(c, header);
	r->captured = read32(c, p + 8);
	if (r->captured > CC_CAPTURE_LONGEST)
		return refuse(c, CC_CAPTURE_LENGTH, r->captured);
	if (have - header < r->captured)
		return more(c, header + r->captured);
	r->at = header;
	r->original = read32(c, p + 12);
	r->link = c->interface[0].link;
	r->interface = 0;
	r->flags = 0;
	r->time = (cc_u64)read32(c, p) * NS +
		  read32(c, p + 4) * (cc_u64)(NS / (cc_u32)c->interface[0].ticks);
	return took(used, header + r->captured, CC_CAPTURE_RECORD);
}

/* pcapng */

enum {
	BLOCK_SECTION = 0x0a0d0d0a,
	BLOCK_INTERFACE = 1,
	BLOCK_PACKET = 2, /* obsolete */
	BLOCK_SIMPLE = 3,
	BLOCK_ENHANCED = 6,
	BLOCK_JOURNAL = 9,
	BLOCK_CUSTOM = 0x0bad,
	BLOCK_CUSTOM_PRIVATE = 0x40000bad,
};

#define BYTE_ORDER_MAGIC 0x1a2b3c4d

static cc_u64 ticks_of(unsigned char resolution)
{
	cc_u64 ticks = 1;
	unsigned int n = resolution & 0x7f;

	if (resolution & 0x80)
		return n < 64 ? (cc_u64)1 << n : 0;
	/* 10^19 is the highest below 2^64 */
	if (n > 19)
		return 0;
	while (n--)
		ticks *= 10;
	return ticks;
}

static void copy_name(char name[CC_CAPTURE_NAME], const unsigned char *p, size_t size)
{
	if (size > CC_CAPTURE_NAME - 1)
		size = CC_CAPTURE_NAME - 1;
	memcpy(name, p, size);
	name[size] = 0;
}

static enum cc_capture_status interface(struct cc_capture *c, const unsigned char *p, size_t length)
{
	struct cc_capture_interface *i = &c->interface[c->interface_count];
	size_t at = 16, size;

	if (length < 20)
		return refuse(c, CC_CAPTURE_LENGTH, length);
	if (c->interface_count == CC_CAPTURE_INTERFACES)
		return refuse(c, CC_CAPTURE_CROWDED, 0);
	c->interface_count++;
	i->link = read16(c, p + 8);
	i->snapshot = read32(c, p + 12);
	i->ticks = 1000000;
	i->offset = 0;
	i->name[0] = 0;
	/* options: a code, a length, as many bytes, padded to four */
	while (length - 4 - at >= 4) {
		unsigned int code = read16(c, p + at);

		size = read16(c, p + at + 2);
		at += 4;
		if (!code || size > length - 4 - at)
			break;
		if (code == 2)
			copy_name(i->name, p + at, size);
		if (code == 9 && size == 1 && ticks_of(p[at]))
			i->ticks = ticks_of(p[at]);
		if (code == 14 && size == 8)
			i->offset = read64(c, p + at);
		/* the block also consists of whole words, so its padding is within it */
		at += (size + 3) & ~(size_t)3;
	}
	return CC_CAPTURE_BLOCK;
}

static cc_u64 nanoseconds(const struct cc_capture_interface *i, cc_u64 time)
{
	cc_u64 ns;

	if (i->ticks == 1000000)
		ns = time * 1000;
	else if (i->ticks == NS)
		ns = time;
	else
		ns = u128_load_low(div_u128_u64(mul_u128_u64(u128_store(0, time), NS), i->ticks));
	return ns + i->offset * NS;
}

/* The flags among the options of a packet, from @at to @end; 0 if there are none. */
static uint32_t packet_flags(const struct cc_capture *c, const unsigned char *p, size_t at,
			     size_t end)
{
	enum { FLAGS = 2 };

	while (at < end && end - at >= 4) {
		unsigned int code = read16(c, p + at);
		size_t size = read16(c, p + at + 2);

		at += 4;
		if (!code || size > end - at)
			break;
		if (code == FLAGS && size == 4)
			return read32(c, p + at);
		at += (size + 3) & ~(size_t)3;
	}
	return 0;
}

/* @header bytes, then the packet, then options or padding, then four bytes */
static enum cc_capture_status packet(struct cc_capture *c, const unsigned char *p, size_t length,
				     uint32_t number, size_t header, struct cc_capture_record *r)
{
	const struct cc_capture_interface *i;

	if (number >= c->interface_count)
		return refuse(c, CC_CAPTURE_INTERFACE, number);
	i = &c->interface[number];
	r->link = i->link;
	r->interface = c->interfaces_before + number;
	r->at = header;
	if (header == 12) {
		/* a simple packet block has neither a time nor a captured length */
		r->time = 0;
		r->original = r->captured = read32(c, p + 8);
		if (i->snapshot && r->captured > i->snapshot)
			r->captured = i->snapshot;
	} else {
		r->captured = read32(c, p + 20);
		r->original = read32(c, p + 24);
		r->time = nanoseconds(i, (cc_u64)read32(c, p + 12) << 32 | read32(c, p + 16));
	}
	if (r->captured > length - header - 4)
		return refuse(c, CC_CAPTURE_LENGTH, r->captured);
	/* a simple packet block has no options */
	r->flags = header == 12
			   ? 0
			   : packet_flags(c, p, header + (((size_t)r->captured + 3) & ~(size_t)3),
					  length - 4);
	return CC_CAPTURE_RECORD;
}

static enum cc_capture_status block(struct cc_capture *c, const unsigned char *p, size_t have,
				    size_t *used, struct cc_capture_record *r)
{
	static const unsigned char least[] = {
		[BLOCK_PACKET] = 32, [BLOCK_SIMPLE] = 16, [BLOCK_ENHANCED] = 32};
	uint32_t kind, length;
	enum cc_capture_status status = CC_CAPTURE_BLOCK;

	if (have < 12)
		return more(c, 12);
	kind = read32(c, p);
	/* this block type reads the same in both byte orders; the magic after it tells which */
	if (kind == BLOCK_SECTION) {
		c->swapped = 0;
		if (read32(c, p + 8) != BYTE_ORDER_MAGIC) {
			c->swapped = 1;
			if (read32(c, p + 8) != BYTE_ORDER_MAGIC)
				return refuse(c, CC_CAPTURE_FOREIGN, 0);
		}
	}
	length = read32(c, p + 4);
	if (length % 4 || length < (kind == BLOCK_SECTION ? 28 : 12) || length > CC_CAPTURE_LONGEST)
		return refuse(c, CC_CAPTURE_LENGTH, length);
	if (have < length)
		return more(c, length);
	if (read32(c, p + length - 4) != length)
		return refuse(c, CC_CAPTURE_LENGTH, read32(c, p + length - 4));
	if (kind < sizeof(least) && length < least[kind])
		return refuse(c, CC_CAPTURE_LENGTH, length);
	switch (kind) {
	case BLOCK_SECTION:
		if (read16(c, p + 12) != 1)
			return refuse(c, CC_CAPTURE_VERSION, read16(c, p + 12));
		c->format = CC_CAPTURE_PCAPNG;
		c->interfaces_before += c->interface_count;
		c->interface_count = 0;
		break;
	case BLOCK_INTERFACE:
		status = interface(c, p, length);
		break;
	case BLOCK_PACKET:
		status = packet(c, p, length, read16(c, p + 8), 28, r);
		break;
	case BLOCK_SIMPLE:
		status = packet(c, p, length, 0, 12, r);
		break;
	case BLOCK_ENHANCED:
		status = packet(c, p, length, read32(c, p + 8), 28, r);
		break;
	case BLOCK_JOURNAL:
	case BLOCK_CUSTOM:
	case BLOCK_CUSTOM_PRIVATE:
		memset(r, 0, sizeof(*r));
		r->link = CC_CAPTURE_NO_PACKET;
		return took(used, length, CC_CAPTURE_RECORD);
	default:
		break;
	}
	return status > CC_CAPTURE_BLOCK ? status : took(used, length, status);
}

static enum cc_capture_status begin(struct cc_capture *c, const unsigned char *p, size_t have,
				    size_t *used, struct cc_capture_record *r)
{
	uint32_t magic;

	if (have < 4)
		return more(c, 4);
	for (c->swapped = 0; c->swapped < 2; c->swapped++) {
		magic = read32(c, p);
		c->odd_header = magic == 0xa1b2cd34;
		if (magic == 0xa1b2c3d4 || c->odd_header)
			return pcap_header(c, p, have, used, 1000000);
		if (magic == 0xa1b23c4d)
			return pcap_header(c, p, have, used, NS);
	}
	if (magic == BLOCK_SECTION)
		return block(c, p, have, used, r);
	return refuse(c, CC_CAPTURE_FOREIGN, 0);
}

enum cc_capture_status cc_capture_next(struct cc_capture *c, const unsigned char *data, size_t have,
				       size_t *used, struct cc_capture_record *r)
{
	switch (c->format) {
	case CC_CAPTURE_PCAP:
		return pcap_record(c, data, have, used, r);
	case CC_CAPTURE_PCAPNG:
		return block(c, data, have, used, r);
	default:
		return begin(c, data, have, used, r);
	}
}
