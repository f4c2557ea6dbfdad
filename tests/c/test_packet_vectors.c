// SPDX-License-Identifier: MIT
/*
 * tests/vectors/frames.txt: packets that Python's tests have judged, and what is told of them on
 * every machine: whole, cut behind each byte, with each byte damaged, and repaired.
 *
 * With --tell it serves that file's maker: it reads lines of a link type, the length on the wire
 * and the bytes, and writes each with what is told of it.
 */
#include "harness.h"

#include <carrychain/packet.h>

#include <stdio.h>
#include <string.h>

#define LONGEST 2048
#define LINE	8192

struct vector {
	unsigned int link;
	size_t captured, original;
	unsigned char data[LONGEST];
};

static struct guard guard;

/* FNV-1a */
static void note(uint32_t *digest, cc_u64 value, size_t bytes)
{
	for (; bytes; bytes--, value >>= 8)
		*digest = (*digest ^ (value & 0xff)) * 16777619;
}

static void note_bytes(uint32_t *digest, const unsigned char *p, size_t size)
{
	while (size--)
		note(digest, *p++, 1);
}

/* An address, by where it is. */
static void note_place(uint32_t *digest, const unsigned char *p, const unsigned char *data,
		       const struct cc_packet_fragment *of)
{
	if (!p)
		note(digest, 0xffff, 2);
	else if (of && (p == of->source || p == of->destination))
		note(digest, p == of->source ? 0xfffe : 0xfffd, 2);
	else
		note(digest, (cc_u64)(p - data), 2);
}

static void note_layers(uint32_t *digest, const struct cc_packet_layers *out,
			const unsigned char *data, const struct cc_packet_fragment *of)
{
	size_t i;

	note(digest, out->count, 1);
	for (i = 0; i < out->count; i++) {
		const struct cc_packet_layer *f = &out->layer[i];
		int judged = f->verdict != CC_PACKET_UNVERIFIABLE;
		int wrong = f->verdict == CC_PACKET_BAD || f->verdict == CC_PACKET_PARTIAL;

		note(digest, f->protocol, 1);
		note(digest, f->verdict, 1);
		note(digest, judged ? 0 : f->reason, 1);
		note(digest, f->family, 1);
		note(digest, f->quoted, 1);
		note_place(digest, f->source, data, of);
		note_place(digest, f->destination, data, of);
		note(digest, f->has_ports, 1);
		note(digest, f->has_ports ? f->source_port : 0, 2);
		note(digest, f->has_ports ? f->destination_port : 0, 2);
		note(digest, judged ? f->width : 0, 1);
		note(digest, judged ? f->field : 0, 2);
		note(digest, judged ? f->found : 0, 4);
		note(digest, wrong ? f->expected : 0, 4);
	}
	note(digest, out->unknown, 1);
	note(digest, out->number, 4);
}

static void note_fragment(uint32_t *digest, const struct cc_packet_fragment *f)
{
	size_t size = f->family == 4 ? 4 : 16;

	note(digest, f->family, 1);
	note(digest, f->number, 1);
	note(digest, f->protocol, 1);
	note(digest, f->more, 1);
	note(digest, f->broken, 1);
	note(digest, f->whole, 1);
	note(digest, f->covered, 1);
	note(digest, f->id, 4);
	note(digest, f->position, 4);
	note(digest, f->at, 4);
	note(digest, f->length, 4);
	note_bytes(digest, f->source, size);
	note_bytes(digest, f->destination, size);
	note_bytes(digest, f->from, size);
	note_bytes(digest, f->to, size);
}

/* All that is told of a packet; of a fragment's data also as if it were all of its datagram. */
static void note_walk(uint32_t *digest, unsigned int link, const unsigned char *data,
		      size_t captured, size_t original, unsigned int flags)
{
	struct cc_packet_layers out, inside;
	const struct cc_packet_fragment *f = &out.fragment;

	cc_packet_walk(&out, link, data, captured, original, flags);
	note_layers(digest, &out, data, NULL);
	note(digest, (cc_u64) !!out.is_fragment, 1);
	if (!out.is_fragment)
		return;
	note_fragment(digest, f);
	if (!f->whole)
		return;
	cc_packet_walk_datagram(&inside, f, data + f->at, f->length, flags);
	note_layers(digest, &inside, data + f->at, f);
}

enum { WHOLE, CUT, DAMAGED, REPAIRED, DIGESTS };

/* At the end of what may be read: not a byte behind it is. */
static unsigned char *place(const struct vector *v, size_t captured)
{
	unsigned char *p = guard_place(&guard, captured, GUARD_END, 0);

	memcpy(p, v->data, captured);
	return p;
}

static void note_repair(uint32_t *digest, const struct vector *v, struct cc_packet_layers *out)
{
	struct cc_packet_write written[CC_PACKET_LAYERS];
	unsigned char *p = place(v, v->captured);
	size_t count, i;

	cc_packet_walk(out, v->link, p, v->captured, v->original, 0);
	count = cc_packet_repair(out, written, v->link, NULL, p, v->captured, v->original, 0);
	for (i = 0; i < count; i++) {
		note(digest, written[i].field, 2);
		note_bytes(digest, p + written[i].field, written[i].width);
	}
	note_bytes(digest, p, v->captured);
	note_layers(digest, out, p, NULL);
}

static void tell(uint32_t digest[DIGESTS], const struct vector *v)
{
	struct cc_packet_layers out;
	unsigned char *p;
	size_t i, k;

	for (i = 0; i < DIGESTS; i++)
		digest[i] = 2166136261;
	p = place(v, v->captured);
	note_walk(&digest[WHOLE], v->link, p, v->captured, v->original, 0);
	note_walk(&digest[WHOLE], v->link, p, v->captured, v->original, CC_PACKET_NO_HEURISTICS);
	for (i = 0; i < v->captured; i++) {
		const unsigned char damaged[] = {
			(unsigned char)(v->data[i] + 1),
			(unsigned char)(v->data[i] - 1),
			(unsigned char)(v->data[i] ^ 0x80 >> i % 8),
			(unsigned char)(v->data[i] ^ 0x80 >> (i + 4) % 8),
		};

		for (k = 0; k < sizeof(damaged); k++) {
			p[i] = damaged[k];
			note_walk(&digest[DAMAGED], v->link, p, v->captured, v->original, 0);
		}
		p[i] = v->data[i];
	}
	note_repair(&digest[REPAIRED], v, &out);
	for (k = 0; k < out.count; k++)
		CHECK(out.layer[k].quoted || (out.layer[k].verdict != CC_PACKET_BAD &&
					      out.layer[k].verdict != CC_PACKET_PARTIAL),
		      "a repair leaves layer %zu %s", k,
		      cc_packet_verdict_name(out.layer[k].verdict));
	for (i = 0; i < v->captured; i++) {
		p = place(v, i);
		/* by whoever captured it, and on the wire */
		note_walk(&digest[CUT], v->link, p, i, v->original, 0);
		note_walk(&digest[CUT], v->link, p, i, i, 0);
	}
}

/* As people read it. */
static size_t write_told(char text[LINE], const struct vector *v)
{
	char unknown[CC_PACKET_TEXT];
	struct cc_packet_layers out;
	size_t i, at = 0;

	cc_packet_walk(&out, v->link, v->data, v->captured, v->original, 0);
	text[0] = 0;
	for (i = 0; i < out.count; i++) {
		const struct cc_packet_layer *f = &out.layer[i];
		int why = f->verdict == CC_PACKET_UNVERIFIABLE;

		at += (size_t)snprintf(text + at, LINE - at, "%s%s%s %s%s%s", i ? ", " : "",
				       f->quoted ? "quoted " : "",
				       cc_packet_protocol_name(f->protocol),
				       cc_packet_verdict_name(f->verdict), why ? ": " : "",
				       why ? cc_packet_reason_name(f->reason) : "");
	}
	if (out.is_fragment)
		at += (size_t)snprintf(text + at, LINE - at, "%sfragment", at ? ", " : "");
	if (out.unknown) {
		cc_packet_unknown_text(unknown, out.unknown, out.number);
		at += (size_t)snprintf(text + at, LINE - at, "; %s", unknown);
	}
	if (!at)
		at += (size_t)snprintf(text, LINE, "nothing");
	return at;
}

/* The link type, the length on the wire and the bytes, from @line on; NULL if it has none. */
static const char *parse(struct vector *v, const char *line)
{
	unsigned int link, original, byte;
	int used;

	if (sscanf(line, "%u %u %n", &link, &original, &used) != 2)
		return NULL;
	v->link = link;
	v->original = original;
	v->captured = 0;
	for (line += used; v->captured < LONGEST && sscanf(line, "%2x", &byte) == 1; line += 2) {
		v->data[v->captured++] = (unsigned char)byte;
		if (line[2] == ' ' || line[2] == '\n')
			return line + 2;
	}
	return NULL;
}

static void check_line(const char *line)
{
	static const char *const whats[] = {"whole", "cut", "damaged", "repaired"};
	static struct vector v;
	static char text[LINE];
	uint32_t found[DIGESTS];
	unsigned int want;
	size_t i, length;
	int used;

	line = parse(&v, line);
	CHECK(line, "a line that can't be read");
	if (!line)
		return;
	length = write_told(text, &v);
	tell(found, &v);
	for (i = 0; i < DIGESTS; i++, line += used) {
		used = 0;
		CHECK(sscanf(line, " %8x %n", &want, &used) == 1 && want == found[i],
		      "of it %s, %s is told otherwise", text, whats[i]);
	}
	CHECK(!strncmp(line, text, length) && line[length] == '\n', "%s, not %s", text, line);
}

static void test_vectors(void)
{
	FILE *file = fopen(VECTORS "/frames.txt", "r");
	static char line[LINE];
	size_t number = 0, count = 0;

	test_case(NULL, "frames.txt");
	CHECK(file, "no file " VECTORS "/frames.txt");
	while (file && fgets(line, sizeof(line), file)) {
		number++;
		if (line[0] == '#')
			continue;
		test_sizes(number, 0, 0);
		check_line(line);
		count++;
	}
	CHECK(count > 200, "only %zu packets", count);
	if (file)
		fclose(file);
}

static void serve(void)
{
	static struct vector v;
	static char line[LINE], text[LINE];
	uint32_t found[DIGESTS];

	while (fgets(line, sizeof(line), stdin) && parse(&v, line)) {
		write_told(text, &v);
		tell(found, &v);
		printf("%.*s %08x %08x %08x %08x %s\n", (int)strcspn(line, "\n"), line,
		       (unsigned int)found[WHOLE], (unsigned int)found[CUT],
		       (unsigned int)found[DAMAGED], (unsigned int)found[REPAIRED], text);
	}
}

int main(int argc, char **argv)
{
	guard_init(&guard, LONGEST);
	if (argc == 2 && !strcmp(argv[1], "--tell")) {
		test_case(NULL, "told");
		serve();
		return 0;
	}
	test_begin(argc, argv);
	test_vectors();
	guard_free(&guard);
	return test_end();
}
