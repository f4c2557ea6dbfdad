// SPDX-License-Identifier: MIT
/* Fragments, put together: each rule of packet.h at its edge, and behind it. */
#include "packet_datagrams.h"
#include "harness.h"

#include <carrychain/packet.h>

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define SPOILT(reason) ((int)(reason) + 1)

static struct cc_packet_datagrams *s;
static struct cc_packet_datagram *lost;
static struct cc_packet_origin origin;
static unsigned char bytes[CC_PACKET_LONGEST + 1];

static void begin(void)
{
	memset(s->key, 0, sizeof(s->key));
	s->seen = s->open = s->most = 0;
	memset(&origin, 0, sizeof(origin));
}

/* Of datagram @id, between addresses that differ in their last bytes only from others here. */
static struct cc_packet_fragment part(unsigned int family, uint32_t id, uint32_t position,
				      size_t length, int more)
{
	struct cc_packet_fragment f;

	memset(&f, 0, sizeof(f));
	f.family = (unsigned char)family;
	f.number = f.protocol = 17;
	f.whole = 1;
	f.more = (unsigned char)more;
	f.id = id;
	f.position = position;
	f.length = length;
	memset(f.source, 1, sizeof(f.source));
	memset(f.destination, 2, sizeof(f.destination));
	memset(f.from, 3, sizeof(f.from));
	memset(f.to, 4, sizeof(f.to));
	return f;
}

static struct cc_packet_datagram *add(const struct cc_packet_fragment *f)
{
	return cc_packet_datagrams_add(s, f, bytes + f->position, 1000 + f->position, &origin,
				       &lost);
}

/* The one there is, after these of @count. */
static const struct cc_packet_datagram *after(const struct cc_packet_fragment *f, size_t count)
{
	size_t i;

	begin();
	for (i = 0; i < count; i++)
		add(&f[i]);
	return &s->datagram[0];
}

static void test_whole(void)
{
	struct cc_packet_fragment f[3];
	const struct cc_packet_datagram *d = NULL;
	size_t i, first;

	test_case(NULL, "in any order");
	for (first = 0; first < 3; first++) {
		begin();
		f[0] = part(4, 7, 0, 16, 1);
		f[1] = part(4, 7, 16, 8, 1);
		f[2] = part(4, 7, 24, 5, 0);
		/* those of the fragment in front are the datagram's */
		f[0].protocol = 99;
		memset(f[0].from, 5, sizeof(f[0].from));
		memset(f[0].to, 6, sizeof(f[0].to));
		for (i = 0; i < 3; i++) {
			origin.frame = i + 1;
			f[(first + i) % 3].covered = i == 1;
			d = add(&f[(first + i) % 3]);
			CHECK(!lost && !d == (i < 2), "whole after %zu", i);
		}
		if (!d)
			return;
		CHECK(d->total == 29 && d->have == 29 && d->reach == 29 && d->part_count == 3 &&
			      !d->spoilt,
		      "of %u bytes", (unsigned int)d->total);
		CHECK(!memcmp(d->data, bytes, 29), "other bytes");
		CHECK(d->first.protocol == 99 && d->first.from[15] == 5 && d->first.to[15] == 6 &&
			      d->origin.frame == 1 && d->covered == 1,
		      "other headers");
		CHECK(d->first.position == f[first].position, "another was seen first");
		for (i = 0; i < 3; i++)
			CHECK(d->part[i].position == f[(first + i) % 3].position &&
				      d->part[i].length == f[(first + i) % 3].length &&
				      d->part[i].place == 1000 + d->part[i].position,
			      "part %zu", i);
		CHECK(s->open == 1 && s->most == 1, "%u open", (unsigned int)s->open);
		cc_packet_datagrams_release(s, &s->datagram[0]);
		CHECK(!s->open && s->most == 1 && !cc_packet_datagrams_rest(s, CC_PACKET_END),
		      "still there");
	}
}

static void test_same(void)
{
	static const struct {
		unsigned int family;
		size_t at;
		int value, same;
	} cases[] = {
		{4, offsetof(struct cc_packet_fragment, family), 6, 0},
		{4, offsetof(struct cc_packet_fragment, number), 18, 0},
		{6, offsetof(struct cc_packet_fragment, number), 18, 1},
		{4, offsetof(struct cc_packet_fragment, id), 9, 0},
		{4, offsetof(struct cc_packet_fragment, source), 9, 0},
		{4, offsetof(struct cc_packet_fragment, source) + 3, 9, 0},
		{4, offsetof(struct cc_packet_fragment, source) + 4, 9, 1},
		{6, offsetof(struct cc_packet_fragment, source) + 4, 9, 0},
		{6, offsetof(struct cc_packet_fragment, source) + 15, 9, 0},
		{4, offsetof(struct cc_packet_fragment, destination) + 3, 9, 0},
		{4, offsetof(struct cc_packet_fragment, destination) + 4, 9, 1},
		{6, offsetof(struct cc_packet_fragment, destination) + 15, 9, 0},
		{6, offsetof(struct cc_packet_fragment, from), 9, 1},
		{6, offsetof(struct cc_packet_fragment, to), 9, 1},
	};
	struct cc_packet_fragment f, g;
	size_t i, others = 0;

	test_case(NULL, "of one datagram");
	for (i = 0; i < COUNT(cases); i++) {
		test_sizes(i, 0, 0);
		begin();
		f = g = part(cases[i].family, 7, 0, 8, 1);
		g.position = 8;
		((unsigned char *)&g)[cases[i].at] = (unsigned char)cases[i].value;
		add(&f);
		add(&g);
		CHECK(s->open == (cases[i].same ? 1 : 2), "%u of them", (unsigned int)s->open);
		CHECK((cc_packet_fragment_key(&f) == cc_packet_fragment_key(&g)) ==
			      (cases[i].same || i == 1),
		      "its key");
	}
	/* though all had one key */
	f = part(6, 7, 0, 8, 1);
	for (i = 0; i < 1000; i++) {
		uint32_t key = cc_packet_fragment_key(&f);

		f.id += 2;
		CHECK(key & 1, "a key of 0 may come");
		others += cc_packet_fragment_key(&f) != key;
	}
	CHECK(others > 990, "only %zu other keys", others);
}

static void test_spoilt(void)
{
	static const struct {
		const char *what;
		int reason; /* of being spoilt, plus 1; 0 of not */
		struct {
			uint32_t position;
			size_t length;
			int more;
		} of[3];
	} cases[] = {
		{"none", 0, {{0, 8, 1}, {8, 8, 1}, {24, 8, 0}}},
		{"the same again", 0, {{8, 8, 1}, {8, 8, 1}, {8, 8, 1}}},
		{"no bytes", SPOILT(CC_PACKET_MALFORMED), {{8, 0, 1}, {0, 8, 1}, {16, 8, 1}}},
		{"no bytes at the end",
		 SPOILT(CC_PACKET_MALFORMED),
		 {{8, 0, 0}, {0, 8, 1}, {16, 8, 1}}},
		{"half a unit", SPOILT(CC_PACKET_MALFORMED), {{8, 12, 1}, {0, 8, 1}, {32, 8, 1}}},
		{"half a unit at the end", 0, {{8, 12, 0}, {0, 8, 1}, {0, 8, 1}}},
		{"the longest", 0, {{65528, 7, 0}, {0, 8, 1}, {8, 8, 1}}},
		{"longer", SPOILT(CC_PACKET_MALFORMED), {{65528, 8, 0}, {0, 8, 1}, {8, 8, 1}}},
		{"over its end", SPOILT(CC_PACKET_MALFORMED), {{8, 16, 1}, {16, 8, 1}, {32, 8, 1}}},
		{"over its begin",
		 SPOILT(CC_PACKET_MALFORMED),
		 {{8, 16, 1}, {0, 16, 1}, {32, 8, 1}}},
		{"in it", SPOILT(CC_PACKET_MALFORMED), {{8, 24, 1}, {16, 8, 1}, {40, 8, 1}}},
		{"around it", SPOILT(CC_PACKET_MALFORMED), {{16, 8, 1}, {8, 24, 1}, {40, 8, 1}}},
		{"shorter", SPOILT(CC_PACKET_MALFORMED), {{8, 16, 1}, {8, 8, 1}, {40, 8, 1}}},
		{"beside it", 0, {{8, 8, 1}, {16, 8, 1}, {0, 8, 1}}},
		{"two ends", SPOILT(CC_PACKET_MALFORMED), {{16, 8, 0}, {32, 8, 0}, {0, 8, 1}}},
		{"an end before", SPOILT(CC_PACKET_MALFORMED), {{32, 8, 1}, {16, 8, 0}, {0, 8, 1}}},
		{"behind the end",
		 SPOILT(CC_PACKET_MALFORMED),
		 {{16, 8, 0}, {24, 8, 1}, {0, 8, 1}}},
		{"the end, and more of it",
		 SPOILT(CC_PACKET_MALFORMED),
		 {{16, 8, 0}, {24, 8, 0}, {0, 8, 1}}},
		{"the end again", 0, {{16, 8, 0}, {16, 8, 0}, {0, 8, 1}}},
		{"an end that all may reach", 0, {{24, 8, 1}, {0, 8, 1}, {32, 8, 0}}},
	};
	struct cc_packet_fragment f[3], g;
	const struct cc_packet_datagram *d;
	size_t i, k;

	for (i = 0; i < COUNT(cases); i++) {
		test_case(NULL, cases[i].what);
		for (k = 0; k < 3; k++)
			f[k] = part(4, 7, cases[i].of[k].position, cases[i].of[k].length,
				    cases[i].of[k].more);
		d = after(f, 3);
		CHECK(d->spoilt == cases[i].reason, "spoilt by %d", d->spoilt);
		CHECK(s->open == 1 && !lost, "%u open", (unsigned int)s->open);
	}
	test_case(NULL, "spoilt for good");
	f[0] = f[1] = f[2] = part(4, 7, 0, 8, 1);
	f[0].broken = 1;
	CHECK(after(f, 1)->spoilt == SPOILT(CC_PACKET_MALFORMED), "by its headers");
	f[0].broken = 0;
	f[0].whole = 0;
	CHECK(after(f, 1)->spoilt == SPOILT(CC_PACKET_TRUNCATED), "by what is missing");
	f[1].length = 0;
	d = after(f, 2);
	CHECK(d->spoilt == SPOILT(CC_PACKET_TRUNCATED) && !d->part_count, "by what came first");
	/* what would be all of it comes too late */
	f[1] = part(4, 7, 0, 8, 0);
	begin();
	CHECK(!add(&f[0]) && !add(&f[1]) && s->open == 1, "whole");
	/* the same place, other bytes */
	g = part(4, 7, 8, 8, 1);
	begin();
	add(&g);
	cc_packet_datagrams_add(s, &g, bytes + 9, 0, &origin, &lost);
	CHECK(s->datagram[0].spoilt == SPOILT(CC_PACKET_MALFORMED), "other bytes");
	begin();
	add(&g);
	add(&g);
	d = &s->datagram[0];
	CHECK(d->have == 8 && d->part_count == 2 && d->part[1].place == 1008, "twice");
}

/* Each three parts of some, in each order: whether they can be one datagram's. */
static void test_threes(void)
{
	struct cc_packet_fragment all[12], f[3];
	size_t count = 0, i, k, n;
	uint32_t position;

	test_case(NULL, "three parts");
	for (position = 0; position < 24; position += 8)
		for (i = 0; i < 4; i++)
			all[count++] = part(4, 7, position, i & 2 ? 16 : 8, i & 1);
	for (n = 0; n < count * count * count; n++) {
		int possible = 1;

		f[0] = all[n % count];
		f[1] = all[n / count % count];
		f[2] = all[n / count / count];
		test_sizes(n % count, n / count % count, n / count / count);
		for (i = 0; i < 3; i++) {
			size_t end = f[i].position + f[i].length;

			for (k = 0; k < 3; k++) {
				size_t other = f[k].position + f[k].length;

				/* they overlap, but for the same one again */
				if (f[i].position < other && f[k].position < end &&
				    (f[i].position != f[k].position || f[i].length != f[k].length))
					possible = 0;
				/* it is the last, and there is more */
				if (!f[i].more && (other > end || (!f[k].more && other < end)))
					possible = 0;
			}
		}
		CHECK(after(f, 3)->spoilt == (possible ? 0 : SPOILT(CC_PACKET_MALFORMED)),
		      "spoilt by %d", after(f, 3)->spoilt);
	}
}

static void test_bounds(void)
{
	struct cc_packet_fragment f = part(4, 7, 0, 8, 1), g;
	const struct cc_packet_datagram *d;
	uint32_t i;

	test_case(NULL, "as many parts as there may be");
	begin();
	for (i = 0; i < CC_PACKET_PARTS; i++)
		add(&f);
	d = &s->datagram[0];
	CHECK(!d->spoilt && d->part_count == CC_PACKET_PARTS, "%u", (unsigned int)d->part_count);
	add(&f);
	CHECK(d->spoilt == SPOILT(CC_PACKET_FRAGMENTS) && d->part_count == CC_PACKET_PARTS, "more");

	test_case(NULL, "as many datagrams as there may be");
	begin();
	for (i = 0; i < CC_PACKET_DATAGRAMS; i++) {
		f = part(4, i, 0, 8, 1);
		CHECK(!add(&f) && !lost, "one is given up for the %uth", (unsigned int)i);
	}
	CHECK(s->open == CC_PACKET_DATAGRAMS && s->most == s->open, "%u", (unsigned int)s->open);
	/* all but the second are touched again, from the last on */
	for (i = CC_PACKET_DATAGRAMS; i--;) {
		g = part(4, i, 8, 8, 1);
		if (i != 1)
			add(&g);
	}
	g = part(4, 1000, 0, 8, 1);
	CHECK(!add(&g) && lost == &s->datagram[1], "another is given up");
	CHECK(!add(&g) && lost == &s->datagram[1] && lost->first.id == 1, "it was added");
	cc_packet_datagrams_release(s, lost);
	CHECK(!add(&g) && !lost && s->datagram[1].first.id == 1000, "its place");
	CHECK(s->open == CC_PACKET_DATAGRAMS && s->most == s->open, "%u", (unsigned int)s->open);
	for (i = CC_PACKET_DATAGRAMS; i--;) {
		struct cc_packet_datagram *rest = cc_packet_datagrams_rest(s, CC_PACKET_END);

		CHECK(rest && (i ? rest != &s->datagram[1] : rest == &s->datagram[1]), "order");
		if (rest)
			cc_packet_datagrams_release(s, rest);
		if (i == 1)
			CHECK(rest == &s->datagram[0], "the last that was touched");
	}
	CHECK(!cc_packet_datagrams_rest(s, CC_PACKET_END) && !s->open, "more");
}

static void test_times(void)
{
	static const struct {
		cc_u64 begin, now;
		int late;
	} cases[] = {
		{100, 100 + CC_PACKET_TIMEOUT, 0},
		{100, 101 + CC_PACKET_TIMEOUT, 1},
		{100, 100, 0},
		{100, 99, 0}, /* a clock that was set back */
		{CC_PACKET_TIMEOUT * 2, 1, 0},
	};
	struct cc_packet_fragment f = part(4, 7, 0, 8, 1), g = part(4, 7, 8, 8, 1);
	size_t i;

	test_case(NULL, "times");
	for (i = 0; i < COUNT(cases); i++) {
		test_sizes(i, 0, 0);
		begin();
		origin.time = cases[i].begin;
		add(&f);
		CHECK(!cc_packet_datagrams_rest(s, cases[i].now) == !cases[i].late, "rests");
		CHECK(cc_packet_datagrams_rest(s, CC_PACKET_END) == &s->datagram[0], "in the end");
		origin.time = cases[i].now;
		add(&g);
		CHECK(lost == (cases[i].late ? &s->datagram[0] : NULL), "given up");
		CHECK(s->datagram[0].part_count == (cases[i].late ? 1 : 2), "added");
	}
}

void test_datagrams(void)
{
	size_t i;

	s = calloc(1, sizeof(*s));
	for (i = 0; i < sizeof(bytes); i++)
		bytes[i] = (unsigned char)(i * 7 + i / 256);
	test_whole();
	test_same();
	test_spoilt();
	test_threes();
	test_bounds();
	test_times();
	free(s);
}
