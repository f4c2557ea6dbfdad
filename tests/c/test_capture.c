// SPDX-License-Identifier: MIT
/*
 * The captures of tests/vectors, read and walked: each checksum has the verdict that it was
 * made with, on every machine; cut at any byte they are read as far as they go, and no
 * further.
 */
#include "capture_made.h"
#include "harness.h"

#include <carrychain/capture.h>
#include <carrychain/packet.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CAPTURES VECTORS "/captures/"
#define MOST	 512 /* checksums in a capture */

struct verdict {
	cc_u64 frame;
	char protocol[24], verdict[16];
};

struct verdicts {
	size_t count;
	struct verdict of[MOST];
};

static unsigned char *load(const char *name, size_t *size)
{
	char path[512];
	unsigned char *data;
	FILE *file;
	long length;

	snprintf(path, sizeof(path), "%s%s", CAPTURES, name);
	file = fopen(path, "rb");
	if (!file || fseek(file, 0, SEEK_END) || (length = ftell(file)) < 0)
		return NULL;
	rewind(file);
	data = calloc(1, (size_t)length + 1);
	*size = fread(data, 1, (size_t)length, file);
	fclose(file);
	return data;
}

static void found(struct verdicts *v, cc_u64 frame, unsigned int protocol, unsigned int verdict)
{
	struct verdict *to = &v->of[v->count];

	if (v->count == MOST)
		return;
	v->count++;
	to->frame = frame;
	snprintf(to->protocol, sizeof(to->protocol), "%s", cc_packet_protocol_name(protocol));
	snprintf(to->verdict, sizeof(to->verdict), "%s", cc_packet_verdict_name(verdict));
}

static void all_found(struct verdicts *v, cc_u64 frame, const struct cc_packet_layers *layers)
{
	size_t i;

	for (i = 0; i < layers->count; i++)
		if (!layers->layer[i].quoted)
			found(v, frame, layers->layer[i].protocol, layers->layer[i].verdict);
}

static void given_up(struct verdicts *v, struct cc_packet_datagrams *s,
		     struct cc_packet_datagram *d)
{
	found(v, d->origin.frame, d->first.protocol, CC_PACKET_UNVERIFIABLE);
	cc_packet_datagrams_release(s, d);
}

static void put_together(struct verdicts *v, struct cc_packet_datagrams *s,
			 const struct cc_packet_fragment *f, const unsigned char *packet,
			 const struct cc_packet_origin *o)
{
	struct cc_packet_datagram *d, *lost;
	struct cc_packet_layers layers;

	do {
		d = cc_packet_datagrams_add(s, f, packet + f->at, 0, o, &lost);
		if (lost)
			given_up(v, s, lost);
	} while (lost);
	if (!d)
		return;
	cc_packet_walk_datagram(&layers, &d->first, d->data, d->total, 0);
	all_found(v, o->frame, &layers);
	cc_packet_datagrams_release(s, d);
}

/* All of @data[size]: how many packets, what stopped it, and where. */
static cc_u64 read_all(struct verdicts *v, const unsigned char *data, size_t size,
		       enum cc_capture_status *status, size_t *end)
{
	struct cc_packet_datagrams *s = calloc(1, sizeof(*s));
	struct cc_capture *c = calloc(1, sizeof(*c));
	struct cc_packet_datagram *d;
	struct cc_packet_layers layers;
	struct cc_capture_record r;
	size_t at = 0, used = 0;
	cc_u64 frame = 0;

	v->count = 0;
	while ((*status = cc_capture_next(c, data + at, size - at, &used, &r)) <=
	       CC_CAPTURE_BLOCK) {
		if (*status == CC_CAPTURE_RECORD) {
			const struct cc_packet_origin o = {++frame, r.time, r.original, r.interface,
							   0};

			cc_packet_walk(&layers, r.link, data + at + r.at, r.captured, r.original,
				       0);
			all_found(v, frame, &layers);
			if (layers.is_fragment)
				put_together(v, s, &layers.fragment, data + at + r.at, &o);
		}
		at += used;
	}
	while ((d = cc_packet_datagrams_rest(s, CC_PACKET_END)))
		given_up(v, s, d);
	*end = at;
	free(s);
	free(c);
	return frame;
}

/*
 * verdicts.json has a list of frames for each file, a list of checksums for each frame, and a
 * list of two names for each checksum: what is between quotes at a depth of brackets.
 */
struct expected {
	char file[64];
	cc_u64 frames;
	struct verdicts verdicts;
};

/* The next file's, from @text on; returns the text behind them, or NULL at the end. */
static const char *next_expected(const char *text, struct expected *e)
{
	unsigned int depth = 0, name = 0;

	memset(e, 0, sizeof(*e));
	for (; *text; text++) {
		if (*text == '[' && ++depth == 2)
			e->frames++;
		if (*text == ']' && !--depth)
			return text + 1;
		if (*text == '"') {
			struct verdict *v = &e->verdicts.of[e->verdicts.count];
			const char *end = strchr(text + 1, '"');
			char *to = !depth ? e->file : name ? v->verdict : v->protocol;

			memcpy(to, text + 1, (size_t)(end - text - 1));
			if (depth) {
				v->frame = e->frames;
				e->verdicts.count += name;
				name ^= 1;
			}
			text = end;
		}
	}
	return NULL;
}

/* Datagrams are told of at their end: in the order of frames they come where they were found. */
static void in_order(struct verdicts *v)
{
	size_t i, j;

	for (i = 1; i < v->count; i++) {
		struct verdict moved = v->of[i];

		for (j = i; j && v->of[j - 1].frame > moved.frame; j--)
			v->of[j] = v->of[j - 1];
		v->of[j] = moved;
	}
}

static void compare(const struct expected *e, const struct verdicts *v)
{
	size_t i;

	CHECK(v->count == e->verdicts.count, "%s: %zu checksums, not %zu", e->file, v->count,
	      e->verdicts.count);
	for (i = 0; i < v->count && i < e->verdicts.count; i++) {
		const struct verdict *is = &v->of[i], *be = &e->verdicts.of[i];

		CHECK(is->frame == be->frame && !strcmp(is->protocol, be->protocol) &&
			      !strcmp(is->verdict, be->verdict),
		      "%s, frame %u: %s %s, not %s %s in frame %u", e->file,
		      (unsigned int)is->frame, is->protocol, is->verdict, be->protocol, be->verdict,
		      (unsigned int)be->frame);
	}
}

static void check_capture(const struct expected *e)
{
	static struct verdicts v, part;
	enum cc_capture_status status;
	struct guard cut;
	unsigned char *data;
	size_t size = 0, end, i, most;
	cc_u64 frames;

	test_case(NULL, e->file);
	data = load(e->file, &size);
	CHECK(data, "no file %s%s", CAPTURES, e->file);
	if (!data)
		return;
	guard_init(&cut, size);
	frames = read_all(&v, data, size, &status, &end);
	CHECK(status == CC_CAPTURE_MORE && end == size, "it ends at %zu of %zu with %d", end, size,
	      status);
	CHECK(frames == e->frames, "%u frames, not %u", (unsigned int)frames,
	      (unsigned int)e->frames);
	in_order(&v);
	compare(e, &v);

	/* nothing is read behind where it is cut */
	most = test_scaled(100);
	for (i = 0; i < most; i++) {
		size_t length = random_below(size), used;
		unsigned char *there = guard_place(&cut, length, GUARD_END, 0);
		cc_u64 some;

		test_sizes(length, 0, 0);
		memcpy(there, data, length);
		some = read_all(&part, there, length, &status, &used);
		CHECK(status == CC_CAPTURE_MORE && used <= length && some <= frames,
		      "cut there it ends at %zu with %d", used, status);
	}
	guard_free(&cut);
	free(data);
}

static void test_captures(void)
{
	static struct expected e;
	size_t size = 0, files = 0;
	unsigned char *text = load("verdicts.json", &size);
	const char *at = (const char *)text;

	test_case(NULL, "verdicts.json");
	CHECK(text, "no file " CAPTURES "verdicts.json");
	if (!text)
		return;
	while ((at = next_expected(at, &e))) {
		files++;
		check_capture(&e);
	}
	test_case(NULL, "files");
	CHECK(files >= 20, "only %zu files", files);
	free(text);
}

/* What is no capture, or not one to go on with. */
static void test_refused(void)
{
	static const struct {
		enum cc_capture_status status;
		cc_u64 value;
		unsigned char data[64];
	} cases[] = {
		{CC_CAPTURE_FOREIGN, 0, "GIF89a"},
		{CC_CAPTURE_FOREIGN, 0, {0x1f, 0x8b, 8}},
		{CC_CAPTURE_VERSION, 3, {0xd4, 0xc3, 0xb2, 0xa1, 3}},
		{CC_CAPTURE_VERSION, 3, {0xa1, 0xb2, 0xc3, 0xd4, 0, 3}},
		{CC_CAPTURE_FOREIGN, 0, {0x0a, 0x0d, 0x0d, 0x0a, 28, 0, 0, 0, 1, 2, 3, 4}},
		{CC_CAPTURE_LENGTH,
		 27,
		 {0x0a, 0x0d, 0x0d, 0x0a, 27, 0, 0, 0, 0x4d, 0x3c, 0x2b, 0x1a}},
		{CC_CAPTURE_LENGTH,
		 0x7fffffff,
		 {0xd4, 0xc3, 0xb2, 0xa1, 2, 0, 4, 0, [32] = 0xff, 0xff, 0xff, 0x7f, 0xff, 0xff,
		  0xff, 0x7f}},
	};
	size_t i;

	for (i = 0; i < COUNT(cases); i++) {
		static struct cc_capture c;
		struct cc_capture_record r;
		enum cc_capture_status status;
		size_t at = 0, used = 0;

		test_case(NULL, "refused");
		test_sizes(i, 0, 0);
		memset(&c, 0, sizeof(c));
		while ((status = cc_capture_next(&c, cases[i].data + at, sizeof(cases[i].data) - at,
						 &used, &r)) <= CC_CAPTURE_BLOCK)
			at += used;
		CHECK(status == cases[i].status, "status %d", status);
		if (cases[i].value)
			CHECK(c.value == cases[i].value, "value %u", (unsigned int)c.value);
	}
}

/*
 * Times of any resolution, to the nanosecond; 2^-63 seconds and 10^-19 need more than 64 bits
 * on the way.
 */
static void test_times(void)
{
	static const struct {
		unsigned char resolution;
		cc_u64 time, ns;
	} cases[] = {
		{6, 1700000000123456, 1700000000123456000},
		{9, 1700000000123456789, 1700000000123456789},
		{0, 1700000000, 1700000000000000000},
		{3, 1700000000123, 1700000000123000000},
		{12, 1700000000123456789, 1700000000123456},
		{19, 0xffffffffffffffff, 1844674407},
		{0x80 | 1, 3400000001, 1700000000500000000},
		{0x80 | 32, 0x0000000180000000, 1500000000},
		{0x80 | 63, 0xc000000000000000, 1500000000},
	};
	static unsigned char file[28 + 32 + 36];
	size_t i, k;

	test_case(NULL, "times");
	for (i = 0; i < COUNT(cases); i++) {
		static const unsigned char begin[60] = {
			0x0a, 0x0d, 0x0d,     0x0a, 0, 0,	 0, 28, 0x1a, 0x2b, 0x3c, 0x4d,
			0,    1,    0,	      0,    0, 0,	 0, 0,	0,    0,    0,	  0,
			0,    0,    0,	      28,   0, 0,	 0, 1,	0,    0,    0,	  32,
			0,    101,  [45] = 9, 0,    1, [55] = 0, 0, 0,	0,    32,
		};
		static struct cc_capture c;
		struct cc_capture_record r;
		size_t at = 0, used = 0;

		test_sizes(cases[i].resolution, 0, 0);
		memset(file, 0, sizeof(file));
		memcpy(file, begin, sizeof(begin));
		file[48] = cases[i].resolution;
		file[60 + 3] = 6;
		file[60 + 7] = file[60 + 35] = 36;
		for (k = 0; k < 8; k++)
			file[60 + 12 + k] = (unsigned char)(cases[i].time >> (56 - 8 * k));
		/* one byte of a packet, and three of padding, are where the length reaches */
		memset(&c, 0, sizeof(c));
		while (cc_capture_next(&c, file + at, sizeof(file) - at, &used, &r) ==
		       CC_CAPTURE_BLOCK)
			at += used;
		CHECK(at == 60 && c.interface_count == 1, "no packet at %zu", at);
		CHECK(r.time == cases[i].ns, "%u.%09u s", (unsigned int)(r.time / 1000000000),
		      (unsigned int)(r.time % 1000000000));
	}
}

int main(int argc, char **argv)
{
	test_begin(argc, argv);
	test_captures();
	test_refused();
	test_times();
	test_made_captures();
	return test_end();
}
