// SPDX-License-Identifier: MIT
/* Which known mistakes would have made the sum that was found in a packet. */
#include <carrychain/cause.h>

#include "../platform.h"

/*
 * How often each byte's place in a group of eight was summed: from these eight sums follow the
 * sums of words of 16, 32 and 64 bits, in either byte order.  A place's sum is below 2^40.
 */
struct places {
	cc_u64 at[8];
};

/* A bad sum, as its mistakes need it. */
struct sum {
	const struct cc_packet_layer *f;
	const unsigned char *data; /* what it covers */
	struct places covered;	   /* without the field */
	struct places pseudo;
	unsigned char header[40]; /* the pseudo-header, as it is summed */
	size_t header_length;	  /* 0 if there is none, or it is unknown */
};

static unsigned int get16(const unsigned char *p)
{
	return (unsigned int)p[0] << 8 | p[1];
}

static void put32(unsigned char *p, uint32_t x)
{
	p[0] = (unsigned char)(x >> 24);
	p[1] = (unsigned char)(x >> 16);
	p[2] = (unsigned char)(x >> 8);
	p[3] = (unsigned char)x;
}

static unsigned int swapped(unsigned int x)
{
	return (x << 8 & 0xff00) | x >> 8;
}

static size_t address_length(const struct cc_packet_layer *f)
{
	return f->family == 4 ? 4 : 16;
}

static void add(struct places *p, const unsigned char *data, size_t length)
{
	size_t i;

	for (i = 0; i + 8 <= length; i += 8) {
		p->at[0] += data[i];
		p->at[1] += data[i + 1];
		p->at[2] += data[i + 2];
		p->at[3] += data[i + 3];
		p->at[4] += data[i + 4];
		p->at[5] += data[i + 5];
		p->at[6] += data[i + 6];
		p->at[7] += data[i + 7];
	}
	for (; i < length; i++)
		p->at[i & 7] += data[i];
}

/* The sum of both, of words of @width bytes, a power of two, modulo 2^64. */
static cc_u64 words(const struct places *p, const struct places *q, unsigned int width, int little)
{
	cc_u64 sum = 0;
	unsigned int i;

	for (i = 0; i < 8; i++) {
		unsigned int place = i & (width - 1), byte = little ? place : width - 1 - place;

		sum += (p->at[i] + q->at[i]) << 8 * byte;
	}
	return sum;
}

/* In 16 bits, in one's complement; 0 only of 0. */
static unsigned int fold(cc_u64 sum)
{
	sum = (sum >> 32) + (sum & 0xffffffff);
	sum = (sum >> 32) + (sum & 0xffffffff);
	sum = (sum >> 16) + (sum & 0xffff);
	sum = (sum >> 16) + (sum & 0xffff);
	return (unsigned int)((sum >> 16) + (sum & 0xffff));
}

/* a - b in one's complement, with 0 for 0xffff. */
static unsigned int minus(unsigned int a, unsigned int b)
{
	unsigned int d = fold((cc_u64)a + (~b & 0xffff));

	return d == 0xffff ? 0 : d;
}

/* 0 is 0xffff in one's complement, as one of them is always found where the other is expected. */
static int is(const struct sum *s, unsigned int check)
{
	return !minus(s->f->found, check & 0xffff);
}

static const struct places nothing;

/* Whether the sum, of the pseudo-header without @missing bytes at @at, is what was found. */
static int lacks(const struct sum *s, size_t at, size_t missing)
{
	struct places part = {{0}};
	cc_u64 whole = words(&s->covered, &s->pseudo, 2, 0);

	add(&part, s->header + at, missing);
	/* parts begin at even offsets */
	return is(s, ~fold(whole - words(&part, &nothing, 2, 0)));
}

static uint32_t of_pseudo_header(const struct sum *s)
{
	size_t size = address_length(s->f);
	uint32_t fits = 0;

	if (!s->header_length)
		return 0;
	if (is(s, ~fold(words(&s->covered, &nothing, 2, 0))))
		fits |= 1u << CC_CAUSE_NO_PSEUDO_HEADER;
	if (lacks(s, 2 * size, 4))
		fits |= 1u << CC_CAUSE_NO_LENGTH;
	if (lacks(s, 2 * size + 4, 4))
		fits |= 1u << CC_CAUSE_NO_PROTOCOL;
	if (lacks(s, 0, size))
		fits |= 1u << CC_CAUSE_NO_SOURCE;
	if (lacks(s, size, size))
		fits |= 1u << CC_CAUSE_NO_DESTINATION;
	return fits;
}

static uint32_t of_odd_length(const struct sum *s)
{
	cc_u64 whole = words(&s->covered, &s->pseudo, 2, 0);
	unsigned int last;
	uint32_t fits = 0;

	if (!(s->f->length & 1))
		return 0;
	last = s->data[s->f->length - 1];
	if (!last)
		return 0;
	whole -= (cc_u64)last << 8;
	if (is(s, ~fold(whole)))
		fits |= 1u << CC_CAUSE_ODD_LEFT;
	if (is(s, ~fold(whole + last)))
		fits |= 1u << CC_CAUSE_ODD_SIDE;
	return fits;
}

static uint32_t of_carries(const struct sum *s)
{
	uint32_t fits = 0;
	unsigned int width;
	int little;

	for (little = 0; little < 2; little++) {
		cc_u64 once, sum = words(&s->covered, &s->pseudo, 2, little);
		unsigned int check;

		once = (sum & 0xffff) + (sum >> 16);
		check = ~(unsigned int)once & 0xffff;
		if (once > 0xffff && is(s, little ? swapped(check) : check))
			fits |= 1u << CC_CAUSE_FOLDED_ONCE;
		for (width = 2; width <= 8; width *= 2) {
			sum = words(&s->covered, &s->pseudo, width, little);
			if (width < 8)
				sum &= ((cc_u64)1 << 8 * width) - 1;
			check = ~fold(sum) & 0xffff;
			if (is(s, little ? swapped(check) : check))
				fits |= 1u << CC_CAUSE_NO_CARRY;
		}
	}
	return fits;
}

/* What routers change in an IPv4 header. */
static uint32_t of_ipv4(const struct sum *s, unsigned int difference)
{
	enum { SERVICE = 1, ID = 4, TTL = 8, CE = 3, ONE_HOP = 0x100 };
	unsigned int id, service, before, hops;
	uint32_t fits = 0;

	/* others may be shorter */
	if (s->f->protocol != CC_PACKET_IPV4)
		return 0;
	id = get16(s->data + ID);
	service = s->data[SERVICE];
	/* its part of the word, as it was: a difference of -hops */
	hops = 0xffff - difference;
	if (hops && !(hops % ONE_HOP) && s->data[TTL] + hops / ONE_HOP <= 255)
		fits |= 1u << CC_CAUSE_TTL;
	if (id && !minus(difference, id))
		fits |= 1u << CC_CAUSE_ID;
	before = minus(service, difference);
	if (before <= 255) {
		if ((service & CE) == CE && before >> 2 == service >> 2 && before & CE)
			fits |= 1u << CC_CAUSE_ECN;
		else if ((service & CE) == (before & CE))
			fits |= 1u << CC_CAUSE_DSCP;
	}
	return fits;
}

/* Whether only what fits a packet of @mtu bytes was summed, of TCP over IP without options. */
static int is_of_segment(const struct sum *s, size_t mtu)
{
	const struct cc_packet_layer *f = s->f;
	size_t header = s->data[12] >> 4, length = mtu - (f->family == 4 ? 20 : 40);
	struct places part = {{0}}, pseudo = {{0}};
	unsigned char changed[40];
	unsigned int place = f->field_at & 7u;

	if (length >= f->length || header * 4 > length)
		return 0;
	memcpy(changed, s->header, sizeof(changed));
	put32(changed + 2 * address_length(f), (uint32_t)length);
	add(&pseudo, changed, s->header_length);
	add(&part, s->data, length);
	part.at[place] -= s->data[f->field_at];
	part.at[place + 1] -= s->data[f->field_at + 1];
	return is(s, ~fold(words(&part, &pseudo, 2, 0)));
}

static uint32_t of_segments(const struct sum *s)
{
	static const uint16_t mtus[] = {576, 1280, 1400, 1420, 1450, 1492, 1500, 9000};
	size_t i;

	if (s->f->protocol != CC_PACKET_TCP || !s->header_length)
		return 0;
	for (i = 0; i < sizeof(mtus) / sizeof(mtus[0]); i++)
		if (is_of_segment(s, mtus[i]))
			return 1u << CC_CAUSE_FIRST_SEGMENT;
	return 0;
}

static void set_pseudo_header(struct sum *s)
{
	const struct cc_packet_layer *f = s->f;
	size_t size = address_length(f);

	if (!f->pseudo_length || f->routed)
		return;
	/* RFC 8200's, whose words add up to RFC 793's over IPv4, too */
	memcpy(s->header, f->source, size);
	memcpy(s->header + size, f->destination, size);
	put32(s->header + 2 * size, f->pseudo_length);
	put32(s->header + 2 * size + 4, f->pseudo_number);
	s->header_length = 2 * size + 8;
	add(&s->pseudo, s->header, s->header_length);
}

static uint32_t of_number(unsigned int found, unsigned int expected)
{
	uint32_t fits = 0;

	if (!found || found == 0xffff)
		fits |= 1u << (minus(found, expected) ? CC_CAUSE_EMPTY : CC_CAUSE_ZERO);
	else if (found == (~expected & 0xffff))
		fits |= 1u << CC_CAUSE_COMPLEMENT;
	if (found == swapped(expected))
		fits |= 1u << CC_CAUSE_BYTE_ORDER;
	return fits;
}

/* Of CRC32c and Adler-32, which are no sums of words. */
static uint32_t of_wide_number(uint32_t found, uint32_t expected)
{
	uint32_t other = expected << 24 | (expected << 8 & 0xff0000) | (expected >> 8 & 0xff00) |
			 expected >> 24;

	if (!found || found == 0xffffffff)
		return 1u << CC_CAUSE_EMPTY;
	if (found == (~expected & 0xffffffff))
		return 1u << CC_CAUSE_COMPLEMENT;
	return found == other ? 1u << CC_CAUSE_BYTE_ORDER : 0;
}

void cc_cause_find(struct cc_causes *out, const struct cc_packet_layer *f,
		   const unsigned char *data)
{
	struct sum s = {.f = f, .data = data + f->field - f->field_at};
	size_t field = f->field_at;

	out->difference = 0;
	if (f->width != 2) {
		out->fits = of_wide_number(f->found, f->expected);
		return;
	}
	out->difference = (uint16_t)minus(f->found, f->expected);
	out->fits = of_number(f->found, f->expected);
	/* a sum that was never made is not wrong because of a word */
	if (out->fits & (1u << CC_CAUSE_ZERO | 1u << CC_CAUSE_EMPTY))
		return;
	if (cc_cause_bit(out->difference) >= 0)
		out->fits |= 1u << CC_CAUSE_BIT;
	out->fits |= of_ipv4(&s, out->difference);
	add(&s.covered, s.data, f->length);
	/* an even offset */
	s.covered.at[field & 7] -= s.data[field];
	s.covered.at[(field & 7) + 1] -= s.data[field + 1];
	set_pseudo_header(&s);
	/* not of a sum that leaves out more, or whose pseudo-header is not known */
	if (minus(fold(words(&s.covered, &s.pseudo, 2, 0)), ~f->expected & 0xffff))
		return;
	out->fits |= of_pseudo_header(&s) | of_odd_length(&s) | of_carries(&s) | of_segments(&s);
}

int cc_cause_bit(uint16_t difference)
{
	unsigned int bit;

	for (bit = 0; bit < 16; bit++)
		if (difference == 1u << bit || difference == 0xffff - (1u << bit))
			return (int)bit;
	return -1;
}

/* 2^15 is 2^15, and -2^15 2^15 - 1 in one's complement: no number is both. */
int cc_cause_bit_rose(uint16_t difference)
{
	return difference && !(difference & (difference - 1));
}

size_t cc_cause_places(const struct cc_packet_layer *f, const unsigned char *data,
		       uint16_t difference, size_t *at, size_t most)
{
	int bit = cc_cause_bit(difference), rose = cc_cause_bit_rose(difference);
	size_t begin = f->field - f->field_at, i, count = 0;

	if (bit < 0 || f->width != 2)
		return 0;
	for (i = 0; i < f->length; i += 2) {
		const unsigned char *p = data + begin + i;
		/* an odd last byte is the upper half of a word whose lower half is not there */
		unsigned int word = i + 1 < f->length ? get16(p) : (unsigned int)p[0] << 8;

		if ((i + 1 == f->length && bit < 8) || (word >> bit & 1) != (unsigned int)rose)
			continue;
		if (count < most)
			at[count] = begin + i;
		count++;
	}
	return count;
}
