// SPDX-License-Identifier: MIT
/*
 * A libFuzzer target: packets as the walker of captures takes them, and whole captures.
 *
 *	make fuzz
 *
 * It begins with what seeds.py makes: each link, tunnel and upper layer.
 * Without assembly, into which the sanitizers don't see.
 *
 * The first byte says what the rest is.  A packet: its link type, and in the next byte how
 * much longer it was than what was captured; what is found then lies in the packet, and
 * after a repair nothing is bad or partial, and no byte but the checksums has changed.  A
 * packet longer than 65535 bytes, over either IP, which is the rest again and again.  Or a
 * capture, behind a header that this makes: read in two ways, whole and in pieces, both have
 * to find the same.  To catch something deliberately, build with -DFUZZ_FAULT: one link
 * type's repairs then leave a bit wrong, and pieces lose a packet with a certain byte.
 */
#include "../../src/verify/batch.h"

#include <stdlib.h>
#include <string.h>

#define MUST(condition)                                                                            \
	do {                                                                                       \
		if (!(condition))                                                                  \
			abort();                                                                   \
	} while (0)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const unsigned int links[] = {0,	  1,   6,   9,	 10,  12,  14,	50,  51,  101, 104,
				     105, 107, 108, 113, 119, 127, 129, 163, 192, 228, 229,
				     239, 242, 258, 276, 281, 282, 284, 285, 999};

#define LINKS (sizeof(links) / sizeof(links[0]))

static int wrong(const struct cc_packet_layer *f)
{
	return !f->quoted && (f->verdict == CC_PACKET_BAD || f->verdict == CC_PACKET_PARTIAL);
}

static void check_findings(const struct cc_packet_layers *out, const uint8_t *data, size_t size)
{
	size_t i;

	MUST(out->count <= CC_PACKET_LAYERS);
	for (i = 0; i < out->count; i++) {
		const struct cc_packet_layer *f = &out->layer[i];

		MUST(f->protocol < CC_PACKET_PROTOCOLS && f->verdict < CC_PACKET_VERDICTS);
		MUST(f->reason < CC_PACKET_REASONS);
		if (f->verdict != CC_PACKET_UNVERIFIABLE)
			MUST(f->width && f->field <= size && f->width <= size - f->field);
		MUST(!f->source || (f->source >= data && f->source < data + size));
	}
	if (out->is_fragment && out->fragment.whole)
		MUST(out->fragment.at + out->fragment.length <= size);
}

/* What may have made bad sums. */
static void check_causes(const struct cc_packet_layers *out, const uint8_t *data)
{
	struct cc_causes causes;
	size_t i, at[2];

	for (i = 0; i < out->count; i++) {
		const struct cc_packet_layer *f = &out->layer[i];

		if (f->verdict != CC_PACKET_BAD)
			continue;
		MUST(f->field_at <= f->field);
		cc_cause_find(&causes, f, data);
		MUST(!(causes.fits >> CC_CAUSES) && causes.difference != 0xffff);
		cc_cause_places(f, data, causes.difference, at, 2);
	}
}

static void fuzz_packet(unsigned int link, const uint8_t *data, size_t size, size_t original,
			unsigned int flags)
{
	struct cc_packet_write written[CC_PACKET_LAYERS];
	struct cc_packet_layers out, before;
	/* of its very size, so that one byte beyond is seen */
	uint8_t *copy = malloc(size ? size : 1);
	size_t i, count;

	MUST(copy);
	memcpy(copy, data, size);
	cc_packet_walk(&out, link, copy, size, original, flags);
	check_findings(&out, copy, size);
	check_causes(&out, copy);
	before = out;
	count = cc_packet_repair(&out, written, link, NULL, copy, size, original, flags);
#ifdef FUZZ_FAULT
	if (count && link == 276)
		copy[written[0].field] ^= 1;
#endif
	cc_packet_walk(&out, link, copy, size, original, flags);
	MUST(out.count == before.count);
	for (i = 0; i < out.count; i++) {
		MUST(out.layer[i].protocol == before.layer[i].protocol);
		MUST(!wrong(&out.layer[i]));
		MUST(!wrong(&before.layer[i]) || count);
	}
	for (i = 0; i < count; i++)
		memcpy(copy + written[i].field, data + written[i].field, written[i].width);
	MUST(!memcmp(copy, data, size));
	free(copy);
}

/* Raw IP without a length, or with one in an option; then what IP carries, of many times @data. */
static void fuzz_big(unsigned int kind, const uint8_t *data, size_t size)
{
	static const uint8_t v4[20] = {0x45, 0, 0, 0, 0, 0, 0, 0, 64, 6};
	static const uint8_t v6[48] = {0x60, 0, 0, 0, 0, 0, 0, 64, [42] = 0xc2, 4};
	size_t header = kind & 1 ? sizeof(v6) : sizeof(v4), at;
	size_t length = header + 0x10000 + (size_t)data[0] * 16 + data[1] % 16;
	uint8_t *packet = malloc(length);

	MUST(packet);
	memcpy(packet, kind & 1 ? v6 : v4, header);
	if (kind & 1) {
		/* from behind the IPv6 header; or not, if it is to contradict the rest */
		size_t jumbo = length - 40 + (kind & 4 ? data[2] : 0);

		packet[40] = kind & 2 ? data[3] : 6;
		for (at = 0; at < 4; at++)
			packet[44 + at] = (uint8_t)(jumbo >> 8 * (3 - at));
	}
	for (at = header; at < length; at++)
		packet[at] = data[(at - header) % size];
	fuzz_packet(101, packet, length, length, 0);
	free(packet);
}

struct totals {
	cc_u64 count[CC_PACKET_PROTOCOLS][CC_VERDICTS];
	cc_u64 reason[CC_PACKET_REASONS];
	cc_u64 records, used;
	enum cc_capture_status status;
};

static struct cc_capture framing;
static struct cc_packet_datagrams datagrams;

static void add(struct totals *t, const struct batch *b)
{
	size_t i, j;

	for (i = 0; i < CC_PACKET_PROTOCOLS; i++)
		for (j = 0; j < CC_VERDICTS; j++)
			t->count[i][j] += b->count[i][j];
	for (i = 0; i < CC_PACKET_REASONS; i++)
		t->reason[i] += b->reason[i];
	t->records += b->record_count;
}

/* As Python does it, from pieces of @piece bytes: 0 for all at once. */
static struct totals read_capture(const uint8_t *data, size_t size, size_t piece, int fix)
{
	struct totals t = {.records = 0};
	struct batch *b = batch_new(piece ? piece : size + 1);
	size_t at = 0;
	int changed;

	MUST(b);
	memset(&framing, 0, offsetof(struct cc_capture, interface));
	b->fix = fix;
	b->judge = 1;
	b->by = BATCH_BY_CONVERSATION;
	b->plot = 1;
	b->frame = 1;
	for (;;) {
		size_t part = size - at < b->size ? size - at : b->size;

		memcpy(b->data, data + at, part);
		b->filled = part;
		b->place = at;
		t.status = batch_cut(b, &framing);
		MUST(b->used <= part);
		MUST(!batch_walk(b) && !batch_reassemble(b, &datagrams));
		MUST(!learned_settle(&b->learned, &b->wrong, &changed));
		add(&t, b);
		b->frame += b->record_count;
		at += b->used;
		if (t.status != CC_CAPTURE_MORE && t.status != CC_CAPTURE_RECORD)
			break;
		if (t.status == CC_CAPTURE_MORE && at + (part - b->used) == size)
			break;
		if (!b->used)
			MUST(!batch_grow(b, 2 * b->size));
	}
	batch_cut(b, &framing);
	b->entry_count = b->fragment_count = b->record_count = 0;
	memset(b->count, 0, sizeof(b->count));
	memset(b->reason, 0, sizeof(b->reason));
	MUST(!batch_end(b, &datagrams, CC_PACKET_END));
	add(&t, b);
	t.used = at;
	batch_free(b);
	return t;
}

/* A capture: of either format, order and resolution, with a link type, then @data. */
static void fuzz_capture(unsigned int kind, unsigned int link, const uint8_t *data, size_t size)
{
	static const uint8_t pcap[2][24] = {
		{0xd4, 0xc3, 0xb2, 0xa1, 2, 0, 4, 0},
		{0xa1, 0xb2, 0x3c, 0x4d, 0, 2, 0, 4},
	};
	static const uint8_t section[28] = {0x0a, 0x0d, 0x0d, 0x0a, 28, 0, 0, 0, 0x4d, 0x3c,
					    0x2b, 0x1a, 1,    0,    0,	0, 0, 0, 0,    0,
					    0,	  0,	0,    0,    28, 0, 0, 0};
	static const uint8_t interface[20] = {1, 0, 0, 0, 20, 0, 0,  0, 0, 0,
					      0, 0, 0, 0, 0,  0, 20, 0, 0, 0};
	size_t header = kind < 2 ? 24 : 48;
	uint8_t *file = calloc(1, header + size);
	struct totals whole, pieces;

	MUST(file);
	if (kind < 2) {
		memcpy(file, pcap[kind], 24);
		file[kind ? 23 : 20] = (uint8_t)link;
		file[kind ? 22 : 21] = (uint8_t)(link >> 8);
	} else {
		memcpy(file, section, 28);
		memcpy(file + 28, interface, 20);
		file[36] = (uint8_t)link;
		file[37] = (uint8_t)(link >> 8);
	}
	memcpy(file + header, data, size);
	whole = read_capture(file, header + size, 0, 0);
	pieces = read_capture(file, header + size, 100, 1);
#ifdef FUZZ_FAULT
	if (pieces.records && size > 20 && data[20] == 0x46)
		pieces.records--;
#endif
	MUST(!memcmp(whole.count, pieces.count, sizeof(whole.count)));
	MUST(!memcmp(whole.reason, pieces.reason, sizeof(whole.reason)));
	MUST(whole.records == pieces.records && whole.used == pieces.used);
	MUST(whole.status == pieces.status);
	free(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	unsigned int what;

	if (size < 2)
		return 0;
	what = data[0];
	if (what < 4 * LINKS)
		fuzz_packet(links[what % LINKS], data + 2, size - 2, size - 2 + data[1],
			    what / LINKS & CC_PACKET_NO_HEURISTICS);
	else if (what < 4 * LINKS + 8 && size > 5)
		fuzz_big(what, data + 1, size - 1);
	else
		fuzz_capture(what % 3, links[what / 3 % LINKS], data + 1, size - 1);
	return 0;
}
