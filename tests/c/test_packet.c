// SPDX-License-Identifier: MIT
/*
 * Packets made here: whole, cut, damaged and repaired; and the two checksums that are no
 * sums, beside the slowest way to make them.
 */
#include "harness.h"
#include "packet_datagrams.h"

#include <carrychain/checksum.h>
#include <carrychain/packet.h>

#include <string.h>

#define LONGEST 600

static struct guard guard;

static uint32_t crc32c_by_bits(const unsigned char *data, size_t len)
{
	uint32_t crc = 0xffffffff;
	size_t i, bit;

	for (i = 0; i < len; i++) {
		crc ^= data[i];
		for (bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (crc & 1 ? 0x82f63b78 : 0);
	}
	return ~crc;
}

static uint32_t adler32_by_bytes(const unsigned char *data, size_t len)
{
	uint32_t once = 1, twice = 0;
	size_t i;

	for (i = 0; i < len; i++) {
		once = (once + data[i]) % 65521;
		twice = (twice + once) % 65521;
	}
	return twice << 16 | once;
}

static void fill(unsigned char *data, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++)
		data[i] = (unsigned char)random_u64();
}

static void test_sums(const char *tier)
{
	static unsigned char ones[20000];
	static const unsigned char digits[] = "123456789";
	size_t i, count = test_scaled(2000);

	test_case(tier, "cc_packet_crc32c");
	CHECK(cc_packet_crc32c(0, digits, 9) == 0xe3069283, "the check value");
	CHECK(cc_packet_crc32c(7, NULL, 0) == 7, "of nothing");
	for (i = 0; i < count; i++) {
		size_t len = random_below(300), first = random_below(len + 1);
		unsigned char *data = guard_place(&guard, len, GUARD_END, random_below(9));

		test_sizes(len, first, 0);
		fill(data, len);
		CHECK(cc_packet_crc32c(cc_packet_crc32c(0, data, first), data + first,
				       len - first) == crc32c_by_bits(data, len),
		      "differs");
	}
	test_case(tier, "cc_packet_adler32");
	CHECK(cc_packet_adler32(1, digits, 9) == 0x091e01de, "the check value");
	/* where the sums are largest */
	memset(ones, 0xff, sizeof(ones));
	for (i = 0; i < 40; i++) {
		size_t len = random_below(sizeof(ones)), first = random_below(len + 1);

		test_sizes(len, first, 0);
		CHECK(cc_packet_adler32(cc_packet_adler32(1, ones, first), ones + first,
					len - first) == adler32_by_bytes(ones, len),
		      "differs");
	}
}

static void put16(unsigned char *p, unsigned int x)
{
	p[0] = (unsigned char)(x >> 8);
	p[1] = (unsigned char)x;
}

/* By the definition: words, their sum, what is above it added below. */
static unsigned int sum(const unsigned char *p, size_t len, unsigned int before)
{
	cc_u64 s = before;
	size_t i;

	for (i = 0; i < len; i++)
		s += (cc_u64)p[i] << (i % 2 ? 0 : 8);
	while (s >> 16)
		s = (s & 0xffff) + (s >> 16);
	return (unsigned int)s;
}

/*
 * Ethernet, tagged or not, IPv4, UDP or TCP, and padding: where each checksum is, and what it
 * covers.  Returns the frame's length.
 */
struct made {
	size_t ip, upper, end, field;
	unsigned int protocol;
};

static size_t make(unsigned char *p, struct made *m)
{
	size_t payload = random_below(400), header, at = 12;
	unsigned int pseudo, check;

	m->protocol = random_below(2) ? 6 : 17;
	header = m->protocol == 6 ? 20 : 8;
	fill(p, LONGEST);
	if (random_below(2)) {
		put16(p + at, 0x8100);
		at += 4;
	}
	put16(p + at, 0x0800);
	m->ip = at + 2;
	m->upper = m->ip + 20;
	m->end = m->upper + header + payload;
	p[m->ip] = 0x45;
	put16(p + m->ip + 2, (unsigned int)(m->end - m->ip));
	put16(p + m->ip + 6, 0x4000);
	p[m->ip + 9] = (unsigned char)m->protocol;
	put16(p + m->ip + 10, 0);
	put16(p + m->ip + 10, ~sum(p + m->ip, 20, 0) & 0xffff);
	m->field = m->upper + (m->protocol == 6 ? 16 : 6);
	if (m->protocol == 6) {
		p[m->upper + 12] = 0x50;
	} else {
		/* no port that would be a tunnel's */
		put16(p + m->upper, 9);
		put16(p + m->upper + 2, 9);
		put16(p + m->upper + 4, (unsigned int)(header + payload));
	}
	put16(p + m->field, 0);
	pseudo = sum(p + m->ip + 12, 8, m->protocol + (unsigned int)(header + payload));
	check = ~sum(p + m->upper, header + payload, pseudo) & 0xffff;
	/* once damaged, it would be partial: as seldom as one in 65536 */
	if (check == pseudo)
		return make(p, m);
	put16(p + m->field, m->protocol == 17 && !check ? 0xffff : check);
	return m->end + random_below(20);
}

static void expect(const struct cc_packet_layers *out, const struct made *m, unsigned int first,
		   unsigned int second)
{
	unsigned int upper = m->protocol == 6 ? CC_PACKET_TCP : CC_PACKET_UDP;

	CHECK(out->count == 2 && out->layer[0].protocol == CC_PACKET_IPV4 &&
		      out->layer[1].protocol == upper,
	      "%zu layers", out->count);
	CHECK(out->layer[0].verdict == first, "IPv4 is %s",
	      cc_packet_verdict_name(out->layer[0].verdict));
	CHECK(out->layer[1].verdict == second, "the upper is %s",
	      cc_packet_verdict_name(out->layer[1].verdict));
}

static void test_walks(const char *tier)
{
	size_t i, k, count = test_scaled(2000);

	test_case(tier, "cc_packet_walk");
	for (i = 0; i < count; i++) {
		static unsigned char whole[LONGEST];
		struct cc_packet_write written[CC_PACKET_LAYERS];
		struct cc_packet_layers out;
		struct made m;
		size_t size = make(whole, &m), cut, at, fixed;
		unsigned char *p = guard_place(&guard, size, GUARD_END, 0);
		unsigned char damage = (unsigned char)(1 + random_below(255));

		test_sizes(size, m.end, 0);
		memcpy(p, whole, size);
		cc_packet_walk(&out, 1, p, size, size, 0);
		expect(&out, &m, CC_PACKET_GOOD, CC_PACKET_GOOD);
		CHECK(out.layer[0].field == m.ip + 10 && out.layer[1].field == m.field, "fields");

		/* one bit or more of the payload, or what pads */
		at = m.upper + (m.protocol == 6 ? 20 : 8) + random_below(size - m.upper);
		if (at < size) {
			p[at] ^= damage;
			cc_packet_walk(&out, 1, p, size, size, 0);
			expect(&out, &m, CC_PACKET_GOOD,
			       at < m.end ? CC_PACKET_BAD : CC_PACKET_GOOD);
			fixed = cc_packet_repair(&out, written, 1, NULL, p, size, size, 0);
			CHECK(fixed == (at < m.end), "%zu repaired", fixed);
			for (k = 0; k < fixed; k++)
				memcpy(p + written[k].field, whole + written[k].field,
				       written[k].width);
			p[at] ^= damage;
			CHECK(!memcmp(p, whole, size), "a repair changed more than its field");
		}
		/* the header's TTL, which nothing else covers */
		p[m.ip + 8] ^= damage;
		cc_packet_walk(&out, 1, p, size, size, 0);
		expect(&out, &m, CC_PACKET_BAD, CC_PACKET_GOOD);
		p[m.ip + 8] ^= damage;

		/* cut: not a byte beyond is read */
		cut = random_below(size);
		p = guard_place(&guard, cut, GUARD_END, 0);
		memcpy(p, whole, cut);
		test_sizes(size, m.end, cut);
		cc_packet_walk(&out, 1, p, cut, size, 0);
		if (cut >= m.end)
			expect(&out, &m, CC_PACKET_GOOD, CC_PACKET_GOOD);
		else if (cut >= m.upper)
			expect(&out, &m, CC_PACKET_GOOD, CC_PACKET_UNVERIFIABLE);
		else if (cut >= m.ip)
			CHECK(out.count == 1 && out.layer[0].verdict == CC_PACKET_UNVERIFIABLE,
			      "half an IP header");
		else
			CHECK(!out.count && out.unknown == CC_PACKET_CUT, "half a link's header");
	}
}

/* @count IPv4 headers in each other at @p[@size], the last with @protocol and @flags. */
static void nest(unsigned char *p, size_t size, size_t count, unsigned int protocol,
		 unsigned int flags)
{
	size_t i;

	for (i = 0; i < count; i++, p += 20, size -= 20) {
		memset(p, 0, 20);
		p[0] = 0x45;
		put16(p + 2, (unsigned int)size);
		p[9] = (unsigned char)(i + 1 < count ? 4 : protocol);
		put16(p + 6, i + 1 < count ? 0 : flags);
	}
}

/* The last place says that there are more, whatever comes there: two of one step, too. */
static void test_nested(void)
{
	static const struct cc_packet_fragment of = {.family = 4, .number = 4};
	static const unsigned char udp[] = {
		0,    9, 0x12, 0x92, 0, 36, 0, 0, /* UDP to 4754 */
		0x80, 0, 8,    0,    0, 0,  0, 0, /* GRE with a checksum */
		0x45, 0, 0,    20,   0, 0,  0, 0, 64, 59, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8};
	size_t size = 20 * CC_PACKET_LAYERS;
	struct cc_packet_layers out;
	unsigned char *p;

	test_case(NULL, "nested too deep");
	p = guard_place(&guard, size, GUARD_END, 0);
	nest(p, size, CC_PACKET_LAYERS, 17, 0x2000);
	cc_packet_walk_datagram(&out, &of, p, size, 0);
	CHECK(out.count == CC_PACKET_LAYERS, "%zu layers", out.count);
	CHECK(!out.is_fragment, "a fragment");
	CHECK(out.layer[CC_PACKET_LAYERS - 1].reason == CC_PACKET_NESTED, "says why");

	size = 20 * (CC_PACKET_LAYERS - 1) + sizeof(udp);
	p = guard_place(&guard, size, GUARD_END, 0);
	nest(p, size, CC_PACKET_LAYERS - 1, 17, 0);
	memcpy(p + size - sizeof(udp), udp, sizeof(udp));
	cc_packet_walk(&out, 228, p, size, size, 0);
	CHECK(out.count == CC_PACKET_LAYERS, "%zu layers", out.count);
	CHECK(!out.is_fragment, "a fragment");
	CHECK(out.layer[CC_PACKET_LAYERS - 1].reason == CC_PACKET_NESTED, "says why");
}

/* What Linux leaves to the network card as one packet: of a length of 0, without an option. */
static void test_big_tcp(void)
{
	size_t size = 40 + 20 + 100;
	unsigned char *p = guard_place(&guard, size, GUARD_END, 0);
	struct cc_packet_layers out;
	unsigned int verdict;

	test_case(NULL, "TCP over IPv6 of length 0");
	fill(p, size);
	p[0] = 0x60;
	put16(p + 4, 0);
	p[6] = 6;
	put16(p + 56, 0);
	put16(p + 56, ~sum(p + 40, 120, sum(p + 8, 32, 6 + 120)) & 0xffff);
	cc_packet_walk(&out, 229, p, size, size, 0);
	CHECK(out.count == 1 && out.layer[0].verdict == CC_PACKET_GOOD, "%s",
	      cc_packet_verdict_name(out.layer[0].verdict));
	p[60]++;
	cc_packet_walk(&out, 229, p, size, size, 0);
	/* it may be partial by chance */
	verdict = out.layer[0].verdict;
	CHECK(out.count == 1 && (verdict == CC_PACKET_BAD || verdict == CC_PACKET_PARTIAL), "%s",
	      cc_packet_verdict_name(verdict));
	/* other protocols are left to none */
	p[6] = 17;
	cc_packet_walk(&out, 229, p, size, size, 0);
	CHECK(out.count == 1 && out.layer[0].reason == CC_PACKET_MALFORMED, "UDP");
}

static void run(const char *tier)
{
	test_sums(tier);
	test_walks(tier);
}

static void test_names(void)
{
	unsigned int i;

	test_case(NULL, "names");
	for (i = 0; i < CC_PACKET_PROTOCOLS; i++)
		CHECK(cc_packet_protocol_name(i) && *cc_packet_protocol_name(i) != '?', "%u", i);
	for (i = 0; i < CC_PACKET_VERDICTS; i++)
		CHECK(cc_packet_verdict_name(i) && *cc_packet_verdict_name(i) != '?', "%u", i);
	for (i = 0; i < CC_PACKET_REASONS; i++)
		CHECK(cc_packet_reason_name(i) && *cc_packet_reason_name(i) != '?', "%u", i);
	CHECK(!strcmp(cc_packet_protocol_name(CC_PACKET_PROTOCOLS), "?"), "beyond");
	CHECK(!strcmp(cc_packet_verdict_name(CC_PACKET_VERDICTS), "?"), "beyond");
	CHECK(!strcmp(cc_packet_reason_name(CC_PACKET_REASONS), "?"), "beyond");
}

/* Each form of a number, the first and the last of each kind of names, and their edges. */
static void test_unknown_texts(void)
{
	static const struct {
		unsigned int what;
		uint32_t number;
		const char *text;
	} cases[] = {
		{CC_PACKET_NOTHING, 5, "nothing"},
		{CC_PACKET_LINK, 0, "link type 0"},
		{CC_PACKET_LINK, 147, "link type 147"},
		{CC_PACKET_LINK, 0xffffffff, "link type 4294967295"},
		{CC_PACKET_FAMILY, 7, "address family 7"},
		{CC_PACKET_ETHERTYPE, 0, "EtherType 0x0000"},
		{CC_PACKET_ETHERTYPE, 0x27, "EtherType 0x0027 (DEC MOP)"},
		{CC_PACKET_ETHERTYPE, 0x88e5, "EtherType 0x88e5 (MACsec)"},
		{CC_PACKET_ETHERTYPE, 0xfefe, "EtherType 0xfefe (ISO)"},
		{CC_PACKET_SAP, 0, "LLC SAP 0x00 (none)"},
		{CC_PACKET_SAP, 0xff, "LLC SAP 0xff (IPX without LLC)"},
		{CC_PACKET_SNAP, 0x0c, "SNAP organization 0x00000c (Cisco)"},
		{CC_PACKET_SNAP, 0x80007, "SNAP organization 0x080007 (AppleTalk)"},
		{CC_PACKET_PPP, 0x23, "PPP protocol 0x0023 (OSI)"},
		{CC_PACKET_PPP, 0xfd, "PPP protocol 0x00fd (compressed)"},
		{CC_PACKET_NLPID, 8, "NLPID 0x08 (Q.933)"},
		{CC_PACKET_NLPID, 0xb1, "NLPID 0xb1 (fragments)"},
		{CC_PACKET_IEEE80211_VERSION, 3, "802.11 version 3"},
		{CC_PACKET_IEEE80211_FRAGMENT, 3, "802.11 fragment"},
		{CC_PACKET_PROTECTED, 3, "protected 802.11"},
		{CC_PACKET_SUBFRAME, 3, "802.11 subframe behind a fragment, or too deep"},
		{CC_PACKET_PSEUDOWIRE, 3, "pseudowire"},
		{CC_PACKET_CHANNEL, 7, "pseudowire channel 0x0007 (BFD)"},
		{CC_PACKET_CHANNEL, 0x8902,
		 "pseudowire channel 0x8902 (connectivity fault management)"},
		{CC_PACKET_NSH, 9, "NSH protocol 9"},
		{CC_PACKET_IP_VERSION, 15, "IP version 15"},
		{CC_PACKET_IP_PROTOCOL, 3, "IP protocol 3 (GGP)"},
		{CC_PACKET_IP_PROTOCOL, 4, "IP protocol 4"},
		{CC_PACKET_IP_PROTOCOL, 142, "IP protocol 142 (ROHC)"},
		{CC_PACKET_IP_PROTOCOL, 253, "IP protocol 253"},
		{CC_PACKET_GRE_FLAGS, 0x4000, "GRE flags 0x4000"},
		{CC_PACKET_ERSPAN, 3, "ERSPAN version 3"},
		{CC_PACKET_ERSPAN_FRAME, 1, "ERSPAN frame type 1"},
		{CC_PACKET_CAPWAP_DTLS, 1, "CAPWAP in DTLS"},
		{CC_PACKET_CAPWAP_FRAGMENT, 1, "CAPWAP fragment"},
		{CC_PACKET_CAPWAP_BINDING, 3, "CAPWAP binding 3"},
		{CC_PACKET_UDP_PORT, 1701, "UDP port 1701 (L2TP)"},
		{CC_PACKET_UDP_PORT, 8472, "UDP port 8472 (VXLAN)"},
		{CC_PACKET_CUT, 1, "header cut short"},
		{CC_PACKET_UNKNOWNS, 1, "nothing"},
		{CC_PACKET_UNKNOWNS + 1, 1, "nothing"},
	};
	char text[CC_PACKET_TEXT + 2], found[8 * CC_PACKET_TEXT];
	uint32_t number, digest = 2166136261;
	unsigned int what;
	size_t i, length;

	test_case(NULL, "what is unknown");
	for (i = 0; i < COUNT(cases); i++) {
		memset(found, 'x', sizeof(found));
		length = cc_packet_unknown_text(found, cases[i].what, cases[i].number);
		CHECK(length == strlen(cases[i].text) && !strcmp(found, cases[i].text),
		      "%.*s, not %s", CC_PACKET_TEXT, found, cases[i].text);
		CHECK(found[length + 1] == 'x', "written behind the end");
	}
	/* all names, whose numbers are in the registries of IEEE and IANA: none is another's by a
	 * slip */
	for (what = 0; what < CC_PACKET_UNKNOWNS; what++) {
		for (number = 0; number < 0x10000; number++) {
			length = cc_packet_unknown_text(text, what, number);
			if (text[length - 1] != ')')
				continue;
			for (i = 0; i < length; i++)
				digest = (digest ^ (unsigned char)text[i]) * 16777619;
		}
	}
	CHECK(digest == 0x4b6e4262, "of the names: %08x", (unsigned int)digest);
}

int main(int argc, char **argv)
{
	test_begin(argc, argv);
	guard_init(&guard, 4096);
	test_tiers(run);
	test_nested();
	test_big_tcp();
	test_names();
	test_unknown_texts();
	test_datagrams();
	guard_free(&guard);
	return test_end();
}
