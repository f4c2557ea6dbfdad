// SPDX-License-Identifier: MIT
/*
 * Captures made here field by field, in both byte orders: what each field says, how much is asked
 * for where there is less, and where each length is the last that may be.
 */
#include "capture_made.h"
#include "harness.h"

#include <carrychain/capture.h>

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define PCAP_FILE 24
#define SECTION	  28

static struct guard guard;
static struct cc_capture c;

struct file {
	int big;
	size_t size;
	unsigned char data[1024];
};

static void put(struct file *f, cc_u64 value, size_t bytes)
{
	size_t i;

	for (i = 0; i < bytes; i++)
		f->data[f->size + i] = (unsigned char)(value >> 8 * (f->big ? bytes - 1 - i : i));
	f->size += bytes;
}

static void put_some(struct file *f, const void *data, size_t size)
{
	memcpy(f->data + f->size, data, size);
	f->size += size;
}

static void begin(void)
{
	memset(&c, 0, offsetof(struct cc_capture, interface));
	/* written before it is read */
	memset(c.interface, 0xa5, 2 * sizeof(c.interface[0]));
}

/* What is told of the first @have bytes from @at on, none behind them read. */
static enum cc_capture_status next(const struct file *f, size_t at, size_t have, size_t *used,
				   struct cc_capture_record *r)
{
	unsigned char *p = guard_place(&guard, have, GUARD_END, 0);

	memcpy(p, f->data + at, have);
	test_sizes(at, have, (size_t)f->big);
	*used = 999;
	memset(r, 0xa5, sizeof(*r));
	return cc_capture_next(&c, p, have, used, r);
}

/* What begins at @at is whole with @least and more of its bytes, asked for in the end. */
static void check_needs(const struct file *f, size_t at, size_t first, size_t least)
{
	struct cc_capture_record r;
	size_t have, used;

	for (have = 0; have < least; have++) {
		CHECK(next(f, at, have, &used, &r) == CC_CAPTURE_MORE, "not more");
		CHECK(c.need == (have < first ? first : least) ||
			      (at == 0 && have < 4 && c.need == 4),
		      "%u are needed", (unsigned int)c.need);
	}
}

/* pcap */

static void pcap(struct file *f, int big, uint32_t magic, uint32_t link)
{
	f->big = big;
	f->size = 0;
	put(f, magic, 4);
	put(f, 2, 2);
	put(f, 4, 2);
	put(f, 0, 4);
	put(f, 0, 4);
	put(f, 65535, 4);
	put(f, link, 4);
}

static void test_pcap(int big)
{
	static const struct {
		uint32_t magic;
		size_t header;
		cc_u64 time;
	} kinds[] = {
		{0xa1b2c3d4, 16, 1700000001000007000},
		{0xa1b23c4d, 16, 1700000001000000007},
		{0xa1b2cd34, 24, 1700000001000007000},
	};
	size_t kind, length, used, i;
	struct cc_capture_record r;
	static struct file f;

	for (kind = 0; kind < 3; kind++) {
		for (length = 0; length < 3; length++) {
			size_t header = kinds[kind].header;

			/* what tells of checksums behind the frame is no link type */
			pcap(&f, big, kinds[kind].magic, 0xfc000000 | 0x3fffff5);
			put(&f, 1700000001, 4);
			put(&f, 7, 4);
			put(&f, length, 4);
			put(&f, 1000, 4);
			put_some(&f, "12345678abc", header - 16 + length);
			begin();
			check_needs(&f, 0, PCAP_FILE, PCAP_FILE);
			CHECK(next(&f, 0, PCAP_FILE, &used, &r) == CC_CAPTURE_BLOCK &&
				      used == PCAP_FILE,
			      "its header");
			CHECK(c.format == CC_CAPTURE_PCAP && c.interface_count == 1,
			      "%u interfaces", (unsigned int)c.interface_count);
			CHECK(c.interface[0].ticks == (kind == 1 ? 1000000000 : 1000000),
			      "so many ticks");
			CHECK(!c.interface[0].snapshot && !c.interface[0].offset &&
				      !c.interface[0].name[0],
			      "what pcap has not");
			check_needs(&f, PCAP_FILE, header, header + length);
			for (i = 0; i < 2; i++) {
				CHECK(next(&f, PCAP_FILE, header + length, &used, &r) ==
						      CC_CAPTURE_RECORD &&
					      used == header + length,
				      "its record");
				CHECK(r.at == header && r.captured == length &&
					      r.original == 1000 && r.link == 0x3fffff5 &&
					      r.interface == 0 && r.time == kinds[kind].time,
				      "what its record says");
			}
		}
	}
	/* the longest record, and one that is longer */
	pcap(&f, big, 0xa1b2c3d4, 1);
	put(&f, 0, 8);
	put(&f, CC_CAPTURE_LONGEST, 4);
	put(&f, CC_CAPTURE_LONGEST, 4);
	begin();
	next(&f, 0, PCAP_FILE, &used, &r);
	CHECK(next(&f, PCAP_FILE, 16, &used, &r) == CC_CAPTURE_MORE &&
		      c.need == 16 + CC_CAPTURE_LONGEST,
	      "the longest");
	f.size -= 8;
	put(&f, CC_CAPTURE_LONGEST + 1, 4);
	CHECK(next(&f, PCAP_FILE, 16, &used, &r) == CC_CAPTURE_LENGTH &&
		      c.value == CC_CAPTURE_LONGEST + 1,
	      "longer than the longest");
	pcap(&f, big, 0xa1b2c3d4, 1);
	f.size = 4;
	put(&f, 3, 2);
	begin();
	CHECK(next(&f, 0, PCAP_FILE, &used, &r) == CC_CAPTURE_VERSION && c.value == 3, "version 3");
}

/* pcapng */

static size_t open_block(struct file *f, uint32_t kind)
{
	size_t at = f->size;

	put(f, kind, 4);
	put(f, 0, 4);
	return at;
}

/* Its length, padded as it has to be, at both of its ends. */
static size_t close_block(struct file *f, size_t at)
{
	size_t length;

	while ((f->size - at) % 4)
		put(f, 0, 1);
	length = f->size + 4 - at;
	put(f, length, 4);
	f->size = at + 4;
	put(f, length, 4);
	f->size = at + length;
	return length;
}

static void section(struct file *f, int big)
{
	size_t at;

	f->big = big;
	f->size = 0;
	at = open_block(f, 0x0a0d0d0a);
	put(f, 0x1a2b3c4d, 4);
	put(f, 1, 2);
	put(f, 0, 2);
	put(f, UINT64_MAX, 8);
	close_block(f, at);
}

static void option(struct file *f, unsigned int code, const void *data, size_t size)
{
	put(f, code, 2);
	put(f, size, 2);
	put_some(f, data, size);
	while (f->size % 4)
		put(f, 0, 1);
}

static size_t open_interface(struct file *f, unsigned int link, uint32_t snapshot)
{
	size_t at = open_block(f, 1);

	put(f, link, 2);
	put(f, 0, 2);
	put(f, snapshot, 4);
	return at;
}

/* Reads all of the file: the last status, and what that was of. */
static enum cc_capture_status read_all(const struct file *f, size_t *at, size_t *used,
				       struct cc_capture_record *r)
{
	enum cc_capture_status status;

	begin();
	for (*at = 0; *at < f->size; *at += *used) {
		status = next(f, *at, f->size - *at, used, r);
		if (status != CC_CAPTURE_BLOCK)
			return status;
	}
	return CC_CAPTURE_BLOCK;
}

static void test_names(int big)
{
	static const char letters[] =
		"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
		"0123456789abcdefghijklmnopqrstuvwxyz";
	static struct file f;
	struct cc_capture_record r;
	size_t length, at, used;

	for (length = 0; length < sizeof(letters); length++) {
		size_t kept = length < CC_CAPTURE_NAME ? length : CC_CAPTURE_NAME - 1;
		const struct cc_capture_interface *i = &c.interface[0];

		section(&f, big);
		at = open_interface(&f, 113, 96);
		option(&f, 3, "a description", 13);
		option(&f, 2, letters, length);
		option(&f, 0, "", 0);
		/* none behind the end */
		option(&f, 9, "\t", 1);
		close_block(&f, at);
		CHECK(read_all(&f, &at, &used, &r) == CC_CAPTURE_BLOCK, "not read");
		CHECK(!memcmp(i->name, letters, kept) && !i->name[kept], "%.*s, not %zu letters",
		      CC_CAPTURE_NAME, i->name, kept);
		/* what a name that is not cut would be written over */
		CHECK(i->link == 113 && i->snapshot == 96 && i->ticks == 1000000 && !i->offset &&
			      (unsigned char)c.interface[1].link == 0xa5 && c.interface_count == 1,
		      "a name of %zu writes elsewhere", length);
	}
}

static void test_options(int big)
{
	static const struct {
		unsigned int code;
		size_t size;
		unsigned char data[8];
		cc_u64 ticks, offset;
	} cases[] = {
		{9, 1, {3}, 1000, 0},
		{9, 1, {0}, 1, 0},
		{9, 1, {18}, 1000000000000000000, 0},
		{9, 1, {19}, 10000000000000000000u, 0},
		{9, 1, {20}, 1000000, 0}, /* more than can be counted */
		{9, 1, {0x80}, 1, 0},
		{9, 1, {0x80 | 63}, (cc_u64)1 << 63, 0},
		{9, 1, {0x80 | 64}, 1000000, 0},
		{9, 2, {3}, 1000000, 0},
		{9, 0, {3}, 1000000, 0},
		{10, 1, {3}, 1000000, 0},
		{14, 8, {1, 2, 3, 4, 5, 6, 7, 8}, 1000000, 0x0102030405060708},
		{14, 7, {1, 2, 3, 4, 5, 6, 7}, 1000000, 0},
		{13, 8, {1, 2, 3, 4, 5, 6, 7, 8}, 1000000, 0},
	};
	static struct file f;
	struct cc_capture_record r;
	size_t i, at, used, k;

	for (i = 0; i < COUNT(cases); i++) {
		unsigned char data[8];

		for (k = 0; k < 8; k++)
			data[k] = cases[i].data[cases[i].size == 8 && !big ? 7 - k : k];
		section(&f, big);
		at = open_interface(&f, 1, 0);
		option(&f, cases[i].code, data, cases[i].size);
		close_block(&f, at);
		CHECK(read_all(&f, &at, &used, &r) == CC_CAPTURE_BLOCK, "not read");
		CHECK(c.interface[0].ticks == cases[i].ticks &&
			      c.interface[0].offset == cases[i].offset && !c.interface[0].name[0],
		      "option %u of %zu bytes, case %zu", cases[i].code, cases[i].size, i);
	}
	/* the last is longer than what there is, or has no length but what pads it, or is none */
	for (k = 0; k < 7; k++) {
		size_t says = k < 5 ? 4 + k : 2;

		section(&f, big);
		at = open_interface(&f, 1, 0);
		option(&f, 2, "eth0", 4);
		if (k < 6)
			put(&f, 2, 2);
		if (k < 5)
			put(&f, says, 2);
		put_some(&f, "eth1", k < 5 ? 4 : 0);
		close_block(&f, at);
		CHECK(read_all(&f, &at, &used, &r) == CC_CAPTURE_BLOCK, "not read");
		CHECK(!strcmp(c.interface[0].name, k == 5 ? ""
						   : k	  ? "eth0"
							  : "eth1"),
		      "%s, case %zu", c.interface[0].name, k);
	}
}

/* A packet of an interface of IP in a section behind another: by each kind of block. */
static void test_packets(int big)
{
	static const uint32_t kinds[] = {2, 3, 6};
	static struct file f;
	struct cc_capture_record r;
	size_t k, length, at, used, packet;
	enum cc_capture_status status;

	for (k = 0; k < 3; k++) {
		for (length = 0; length < 9; length++) {
			/* a snapshot length of 5 is all that says so of a simple one */
			size_t captured = kinds[k] == 3 && length > 5 ? 5 : length;
			unsigned int number = kinds[k] == 3 ? 0 : 1;
			size_t header = kinds[k] == 3 ? 12 : 28;

			section(&f, big);
			at = open_interface(&f, 1, 0);
			close_block(&f, at);
			at = open_block(&f, 0x0a0d0d0a);
			put(&f, 0x1a2b3c4d, 4);
			put(&f, 1, 2);
			put(&f, 0, 2);
			put(&f, UINT64_MAX, 8);
			close_block(&f, at);
			close_block(&f, open_interface(&f, 101, 5));
			close_block(&f, open_interface(&f, 229, 0));
			packet = open_block(&f, kinds[k]);
			if (kinds[k] == 2) {
				put(&f, number, 2);
				put(&f, 77, 2);
			} else if (kinds[k] == 6) {
				put(&f, number, 4);
			}
			if (kinds[k] != 3) {
				put(&f, 0x0006055d, 4);
				put(&f, 0x12345678, 4);
				put(&f, captured, 4);
			}
			put(&f, kinds[k] == 3 ? length : 100, 4);
			put_some(&f, "a packet?", captured);
			close_block(&f, packet);
			status = read_all(&f, &at, &used, &r);
			CHECK(status == CC_CAPTURE_RECORD && at == packet && used == f.size - at,
			      "%u at %zu", status, at);
			CHECK(r.at == header && r.captured == captured &&
				      r.original == (kinds[k] == 3 ? length : 100) &&
				      r.link == (number ? 229 : 101) && r.interface == 1 + number &&
				      r.time == (kinds[k] == 3 ? 0
							       : (cc_u64)0x0006055d12345678 * 1000),
			      "what a block of kind %u says", (unsigned int)kinds[k]);
			check_needs(&f, packet, 12, f.size - packet);
			/* one that says of one byte more than is there */
			if (length % 4 || kinds[k] == 3)
				continue;
			used = f.size;
			f.size = packet + 20;
			put(&f, length + 1, 4);
			f.size = used;
			CHECK(next(&f, packet, f.size - packet, &used, &r) == CC_CAPTURE_LENGTH &&
				      c.value == length + 1,
			      "longer than its block");
		}
	}
	/* of an interface that is not */
	for (k = 0; k < 3; k++) {
		section(&f, big);
		close_block(&f, open_interface(&f, 1, 0));
		packet = open_block(&f, kinds[k]);
		put(&f, 1, kinds[k] == 2 ? 2 : 4);
		put_some(&f, "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", kinds[k] == 2 ? 18 : 16);
		close_block(&f, packet);
		status = read_all(&f, &at, &used, &r);
		CHECK(kinds[k] == 3 ? status == CC_CAPTURE_RECORD
				    : status == CC_CAPTURE_INTERFACE && c.value == 1,
		      "status %u", status);
	}
}

/* Blocks: which are shorter than they may be, longer, or not what their end says. */
static void test_blocks(int big)
{
	static const struct {
		uint32_t kind;
		size_t least;
		enum cc_capture_status status;
	} kinds[] = {
		{0, 12, CC_CAPTURE_BLOCK},	     {1, 20, CC_CAPTURE_BLOCK},
		{2, 32, CC_CAPTURE_RECORD},	     {3, 16, CC_CAPTURE_RECORD},
		{4, 12, CC_CAPTURE_BLOCK},	     {5, 12, CC_CAPTURE_BLOCK},
		{6, 32, CC_CAPTURE_RECORD},	     {7, 12, CC_CAPTURE_BLOCK},
		{8, 12, CC_CAPTURE_BLOCK},	     {9, 12, CC_CAPTURE_RECORD},
		{10, 12, CC_CAPTURE_BLOCK},	     {0xbad, 12, CC_CAPTURE_RECORD},
		{0x40000bad, 12, CC_CAPTURE_RECORD}, {0x0a0d0d0a, 28, CC_CAPTURE_BLOCK},
	};
	static struct file f;
	struct cc_capture_record r;
	size_t i, length, block, at, used;
	enum cc_capture_status status;

	for (i = 0; i < COUNT(kinds); i++) {
		/* a section has its order behind its length, where a shorter one ends */
		for (length = kinds[i].least == 28 ? 16 : 8; length < 44; length++) {
			size_t least = kinds[i].least;
			int fits = length >= least && length % 4 == 0;

			section(&f, big);
			close_block(&f, open_interface(&f, 1, 0));
			block = f.size;
			put(&f, kinds[i].kind, 4);
			put(&f, length, 4);
			memset(f.data + f.size, 0, 64);
			if (kinds[i].kind == 0x0a0d0d0a) {
				put(&f, 0x1a2b3c4d, 4);
				put(&f, 1, 2);
			}
			if (length >= 12) {
				f.size = block + length - 4;
				put(&f, length, 4);
			}
			f.size = block + 64;
			status = read_all(&f, &at, &used, &r);
			if (status == CC_CAPTURE_LENGTH && !fits) {
				CHECK(c.value == length, "of %u", (unsigned int)c.value);
				continue;
			}
			/* what follows is a block of length 0, or the record itself is the last */
			CHECK(fits, "kind %x of %zu bytes", (unsigned int)kinds[i].kind, length);
			if (kinds[i].status == CC_CAPTURE_RECORD)
				CHECK(status == CC_CAPTURE_RECORD && at == block &&
					      used == length &&
					      (kinds[i].least > 12 ||
					       (r.link == CC_CAPTURE_NO_PACKET && !r.captured &&
						!r.time && !r.original && !r.at && !r.interface)),
				      "kind %x of %zu bytes", (unsigned int)kinds[i].kind, length);
			else
				CHECK(at == block + length, "kind %x of %zu bytes, at %zu",
				      (unsigned int)kinds[i].kind, length, at);
		}
	}
	/* the longest, and one that is longer; another length at the end; another version */
	section(&f, big);
	put(&f, 4, 4);
	put(&f, CC_CAPTURE_LONGEST, 4);
	put(&f, 0, 4);
	CHECK(read_all(&f, &at, &used, &r) == CC_CAPTURE_MORE && c.need == CC_CAPTURE_LONGEST,
	      "the longest");
	f.size = SECTION + 4;
	put(&f, CC_CAPTURE_LONGEST + 4, 4);
	f.size = SECTION + 12;
	CHECK(read_all(&f, &at, &used, &r) == CC_CAPTURE_LENGTH &&
		      c.value == CC_CAPTURE_LONGEST + 4,
	      "longer than the longest");
	f.size = SECTION + 4;
	put(&f, 12, 4);
	put(&f, 16, 4);
	CHECK(read_all(&f, &at, &used, &r) == CC_CAPTURE_LENGTH && c.value == 16, "its end");
	section(&f, big);
	f.size = 12;
	put(&f, 2, 2);
	f.size = SECTION;
	CHECK(read_all(&f, &at, &used, &r) == CC_CAPTURE_VERSION && c.value == 2, "version 2");
	section(&f, big);
	begin();
	check_needs(&f, 0, 12, SECTION);
}

/* As many interfaces as a section may have, in each of two, and one more. */
static void test_interfaces(int big)
{
	static struct file f;
	struct cc_capture_record r;
	enum cc_capture_status status;
	size_t i, used, bad = 0;
	unsigned int n;

	section(&f, big);
	close_block(&f, open_interface(&f, 7, 0));
	begin();
	for (n = 0; n < 2; n++) {
		CHECK(cc_capture_next(&c, f.data, SECTION, &used, &r) == CC_CAPTURE_BLOCK,
		      "a section");
		for (i = 0; i < CC_CAPTURE_INTERFACES; i++)
			bad += cc_capture_next(&c, f.data + SECTION, 20, &used, &r) !=
			       CC_CAPTURE_BLOCK;
		CHECK(!bad && c.interface_count == CC_CAPTURE_INTERFACES &&
			      c.interfaces_before == n * CC_CAPTURE_INTERFACES,
		      "%u interfaces", (unsigned int)c.interface_count);
		c.need = 77;
		status = cc_capture_next(&c, f.data + SECTION, 20, &used, &r);
		CHECK(status == CC_CAPTURE_CROWDED && c.need == 77 && c.value == 0, "status %u",
		      status);
	}
}

void test_made_captures(void)
{
	static const struct {
		const char *name;
		void (*run)(int big);
	} tests[] = {
		{"pcap", test_pcap},	   {"names of interfaces", test_names},
		{"options", test_options}, {"packets in blocks", test_packets},
		{"blocks", test_blocks},   {"many interfaces", test_interfaces},
	};
	size_t i;

	guard_init(&guard, sizeof(((struct file *)NULL)->data));
	for (i = 0; i < COUNT(tests); i++) {
		test_case(NULL, tests[i].name);
		tests[i].run(0);
		tests[i].run(1);
	}
	guard_free(&guard);
}
