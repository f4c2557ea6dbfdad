// SPDX-License-Identifier: MIT
/*
 * What fits single sums, and how mistakes are ranked.  Whole captures with mistakes of every kind
 * are tests/python/test_verify_cause.py's.
 */
#include "harness.h"

#include <carrychain/cause.h>
#include <carrychain/checksum.h>

#include <string.h>

enum { RAW = 101, LONGEST = 1480, TCP = 6, HEADER = 20, CHECK = 16 };

static void test_names(void)
{
	unsigned int i, j;

	test_case(NULL, "cc_cause_text");
	CHECK(!strcmp(cc_cause_text(CC_CAUSES), "?"), "beyond");
	for (i = 0; i < CC_CAUSES; i++) {
		/* in CSV and JSON as they are */
		CHECK(cc_cause_text(i) && !strpbrk(cc_cause_text(i), ",\"\\\n"), "%u", i);
		for (j = 0; j < i; j++)
			CHECK(strcmp(cc_cause_text(i), cc_cause_text(j)), "%u and %u", i, j);
	}
}

/* TCP over IPv4 with @length bytes above it, and both sums right. */
static void make(unsigned char *p, size_t length)
{
	uint16_t check;
	size_t i;

	for (i = 0; i < HEADER + length; i++)
		p[i] = (unsigned char)random_u64();
	p[0] = 0x45;
	p[2] = (unsigned char)((HEADER + length) >> 8);
	p[3] = (unsigned char)(HEADER + length);
	p[6] = p[7] = 0;
	p[9] = TCP;
	p[10] = p[11] = p[HEADER + CHECK] = p[HEADER + CHECK + 1] = 0;
	check = cc_checksum(p, HEADER);
	memcpy(p + 10, &check, 2);
	check = cc_checksum_fold(cc_checksum_partial(
		p + HEADER, length, cc_checksum_pseudo_v4(p + 12, p + 16, TCP, (uint32_t)length)));
	memcpy(p + HEADER + CHECK, &check, 2);
}

static const struct cc_packet_layer *walk(struct cc_packet_layers *out, const unsigned char *p,
					  size_t length)
{
	cc_packet_walk(out, RAW, p, HEADER + length, HEADER + length, 0);
	return &out->layer[1];
}

/* Flips one bit behind the header, and looks for it. */
static void test_bit(void)
{
	static unsigned char p[HEADER + LONGEST];
	static size_t at[LONGEST];
	struct cc_packet_layers out;
	size_t count, places, i, length, byte, word;
	unsigned int bit;

	test_case(NULL, "cc_cause_bit");
	CHECK(cc_cause_bit(0) < 0 && !cc_cause_bit_rose(0), "none");
	CHECK(cc_cause_bit(3) < 0, "two");
	for (count = test_scaled(2000); count; count--) {
		const struct cc_packet_layer *f;
		struct cc_causes causes;
		int found = 0, rose;

		length = 40 + (size_t)random_u64() % (LONGEST - 40);
		make(p, length);
		byte = 20 + (size_t)random_u64() % (length - 20);
		bit = (unsigned int)random_u64() & 7;
		p[HEADER + byte] ^= (unsigned char)(1u << bit);
		rose = p[HEADER + byte] >> bit & 1;
		f = walk(&out, p, length);
		/* as if left to a card, or never computed */
		if (f->verdict == CC_PACKET_PARTIAL || !f->found || f->found == 0xffff)
			continue;
		CHECK(f->verdict == CC_PACKET_BAD, "%zu of %zu", byte, length);
		cc_cause_find(&causes, f, p);
		CHECK(causes.fits >> CC_CAUSE_BIT & 1, "%zu of %zu", byte, length);
		bit += byte & 1 ? 0 : 8;
		CHECK(cc_cause_bit(causes.difference) == (int)bit, "bit %u", bit);
		CHECK(cc_cause_bit_rose(causes.difference) == rose, "bit %u", bit);
		places = cc_cause_places(f, p, causes.difference, at, LONGEST);
		word = HEADER + (byte & ~(size_t)1);
		for (i = 0; i < places; i++) {
			unsigned int low = at[i] + 1 < HEADER + length ? p[at[i] + 1] : 0;

			CHECK(((((unsigned int)p[at[i]] << 8) + low) >> bit & 1) ==
				      (unsigned int)rose,
			      "%zu", at[i]);
			found |= at[i] == word;
		}
		CHECK(found, "%zu is not among %zu", word, places);
		CHECK(cc_cause_places(f, p, causes.difference, at, 0) == places, "%zu", places);
	}
}

/* Right sums for another length, with which none of the lengths' mistakes can be meant. */
static void test_header(void)
{
	static const struct {
		enum cc_cause cause;
		size_t at;
		unsigned char was, is;
	} changes[] = {
		{CC_CAUSE_TTL, 8, 64, 63},   {CC_CAUSE_TTL, 8, 255, 250},
		{CC_CAUSE_ECN, 1, 2, 3},     {CC_CAUSE_ECN, 1, 0xb9, 0xbb},
		{CC_CAUSE_DSCP, 1, 0, 0xb8}, {CC_CAUSE_DSCP, 1, 0xfc, 0},
	};
	unsigned char p[HEADER + 40];
	struct cc_packet_layers out;
	struct cc_causes causes;
	uint16_t check;
	size_t i;

	test_case(NULL, "cc_cause_find");
	for (i = 0; i < COUNT(changes); i++) {
		make(p, 40);
		p[10] = p[11] = 0;
		p[changes[i].at] = changes[i].was;
		check = cc_checksum(p, HEADER);
		memcpy(p + 10, &check, 2);
		p[changes[i].at] = changes[i].is;
		walk(&out, p, 40);
		cc_cause_find(&causes, &out.layer[0], p);
		CHECK(causes.fits >> changes[i].cause & 1, "%zu: %#x", i, causes.fits);
	}
	/* of a sum of 32 bits, only what needs no words */
	{
		struct cc_packet_layer f = {
			.width = 4, .found = 0x01020304, .expected = 0x04030201};

		cc_cause_find(&causes, &f, p);
		CHECK(causes.fits == 1u << CC_CAUSE_BYTE_ORDER && !causes.difference, "%#x",
		      causes.fits);
		f.found = 0;
		cc_cause_find(&causes, &f, p);
		CHECK(causes.fits == 1u << CC_CAUSE_EMPTY, "%#x", causes.fits);
	}
}

/* Layers of every length, as short as a field and its sum, at the end of what may be read. */
static void test_ends(void)
{
	static const struct {
		unsigned int protocol, at;
	} sums[] = {
		{CC_PACKET_ICMP, 2}, {CC_PACKET_IGMP, 2}, {CC_PACKET_UDP, 6}, {CC_PACKET_TCP, 16}};
	cc_word words[64 / sizeof(cc_word)];
	size_t length, i, most = sizeof(words);
	struct cc_causes causes;
	struct guard guard;

	test_case(NULL, "cc_cause_find, at the end");
	guard_init(&guard, most);
	for (i = 0; i < COUNT(sums); i++) {
		for (length = sums[i].at + 2; length <= most; length++) {
			unsigned char *p = guard_place(&guard, length, GUARD_END, 0);
			struct cc_packet_layer f = {.width = 2, .found = 0x1234};

			random_words(words, COUNT(words));
			memcpy(p, words, length);
			f.protocol = (unsigned char)sums[i].protocol;
			f.field = sums[i].at;
			f.field_at = (unsigned char)sums[i].at;
			f.length = (uint32_t)length;
			f.expected = (uint32_t)random_u64() & 0xffff;
			cc_cause_find(&causes, &f, p);
			CHECK(!(causes.fits >> CC_CAUSES), "%#x", causes.fits);
			CHECK(!(causes.fits & 1u << CC_CAUSE_TTL), "no IPv4: %#x", causes.fits);
		}
	}
	guard_free(&guard);
}

static void test_translates(void)
{
	struct cc_cause_ends now = {.family = 4,
				    .has_ports = 1,
				    .source_port = 1000,
				    .destination_port = 80,
				    .source = {10, 0, 0, 2},
				    .destination = {192, 0, 2, 1}};
	struct cc_cause_ends other = now, reply;

	test_case(NULL, "cc_cause_translates");
	other.source[3] = 1;
	CHECK(cc_cause_translates(1, &now, &other), "an address");
	CHECK(!cc_cause_translates(2, &now, &other), "another difference");
	CHECK(cc_cause_translates(0xfffe, &other, &now), "the other way round");
	other.source_port = 998;
	CHECK(cc_cause_translates(3, &now, &other), "and a port");
	reply = other;
	memcpy(reply.source, other.destination, 16);
	memcpy(reply.destination, other.source, 16);
	reply.source_port = other.destination_port;
	reply.destination_port = other.source_port;
	CHECK(cc_cause_translates(3, &now, &reply), "as answered");
	reply.source_port++;
	CHECK(!cc_cause_translates(3, &now, &reply), "another's");
	reply.source_port--;
	reply.family = 6;
	CHECK(!cc_cause_translates(3, &now, &reply), "another family");
	CHECK(!cc_cause_translates(0, &now, &now), "itself");
}

static void test_rank(void)
{
	struct cc_cause_count some[] = {
		/* all of it TTL or a bit; then carries, of which some may be a bit; chance */
		{.count = 9, .fits = 1u << CC_CAUSE_TTL | 1u << CC_CAUSE_BIT, .difference = 0xfeff},
		{.count = 2,
		 .fits = 1u << CC_CAUSE_NO_CARRY | 1u << CC_CAUSE_DSCP,
		 .difference = 3},
		{.count = 2, .fits = 1u << CC_CAUSE_NO_CARRY, .difference = 5},
		{.count = 0, .fits = 1u << CC_CAUSE_ID},
	};
	struct cc_cause_count chance[] = {{.count = 1, .fits = 1u << CC_CAUSE_BIT}, {.count = 300}};
	/* of flipped bits, a third that are all a TTL's, or as few as by accident */
	struct cc_cause_count third[] = {
		{.count = 25,
		 .fits = 1u << CC_CAUSE_TTL | 1u << CC_CAUSE_BIT,
		 .difference = 0xfeff},
		{.count = 47, .fits = 1u << CC_CAUSE_BIT, .difference = 4},
		{.count = 99, .fits = 1u << CC_CAUSE_ID, .protocol = CC_PACKET_TCP},
	};
	struct cc_cause_ranked rank[CC_CAUSES];
	size_t count;

	test_case(NULL, "cc_cause_rank");
	count = cc_cause_rank(rank, some, COUNT(some), CC_PACKET_IPV4);
	CHECK(count == 4, "%zu", count);
	CHECK(rank[0].cause == CC_CAUSE_TTL && rank[0].count == 9 && rank[0].same, "the first");
	CHECK(rank[0].ties == 1u << CC_CAUSE_BIT, "%#x", rank[0].ties);
	CHECK(rank[1].cause == CC_CAUSE_BIT && rank[1].ties == 1u << CC_CAUSE_TTL, "the second");
	CHECK(rank[2].cause == CC_CAUSE_NO_CARRY && rank[2].count == 4 && !rank[2].same, "then");
	cc_cause_take(some, COUNT(some), CC_PACKET_IPV4, CC_CAUSE_TTL);
	count = cc_cause_rank(rank, some, COUNT(some), CC_PACKET_IPV4);
	CHECK(count == 2 && rank[0].cause == CC_CAUSE_NO_CARRY && !rank[0].ties, "%zu", count);
	cc_cause_take(some, COUNT(some), CC_PACKET_IPV4, CC_CAUSE_NO_CARRY);
	CHECK(!cc_cause_rank(rank, some, COUNT(some), CC_PACKET_IPV4), "nothing is left");
	CHECK(!cc_cause_rank(rank, chance, COUNT(chance), CC_PACKET_IPV4), "1 of 301 is chance");
	CHECK(!cc_cause_rank(rank, NULL, 0, 0), "of nothing");
	count = cc_cause_rank(rank, third, COUNT(third), CC_PACKET_IPV4);
	CHECK(count == 2 && rank[0].cause == CC_CAUSE_TTL && rank[1].count == 72, "a third");
	third[0].count = 2;
	third[1].count = 70;
	cc_cause_rank(rank, third, COUNT(third), CC_PACKET_IPV4);
	CHECK(rank[0].cause == CC_CAUSE_BIT && rank[0].count == 72, "an accident");
	cc_cause_take(third, COUNT(third), CC_PACKET_IPV4, CC_CAUSE_ID);
	CHECK(cc_cause_rank(rank, third, COUNT(third), CC_PACKET_TCP) == 1, "another protocol's");
}

int main(int argc, char **argv)
{
	test_begin(argc, argv);
	test_names();
	test_bit();
	test_header();
	test_ends();
	test_translates();
	test_rank();
	return test_end();
}
