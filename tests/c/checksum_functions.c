// SPDX-License-Identifier: MIT
/* The functions of checksum.h, in one tier, and those that are told which. */
#include "checksum_parts.h"

#include <carrychain/cpu.h>
#include <checksum/dispatch.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>

static uint16_t network(uint16_t number)
{
	return stored(number);
}

static void check_field(const char *what, uint16_t is, uint16_t should)
{
	CHECK(is == should, "%s: stored %#06x, not %#06x", what, is, should);
}

static void known_answers(const char *tier)
{
	/* RFC 1071, section 3 */
	static const unsigned char rfc1071[] = {0x00, 0x01, 0xf2, 0x03, 0xf4, 0xf5, 0xf6, 0xf7};
	/* a header whose checksum is at 10 */
	static const unsigned char header[] = {0x45, 0x00, 0x00, 0x73, 0x00, 0x00, 0x40,
					       0x00, 0x40, 0x11, 0xb8, 0x61, 0xc0, 0xa8,
					       0x00, 0x01, 0xc0, 0xa8, 0x00, 0xc7};
	unsigned char *ones = malloc(65536 + 1), copy[sizeof(header)];
	uint16_t field;

	test_case(tier, "known answers");
	check_field("RFC 1071", cc_checksum(rfc1071, 8), network(0x220d));
	check_field("RFC 1071, odd", cc_checksum(rfc1071, 7), network((uint16_t)~0xdcfb));
	check_field("nothing", cc_checksum(NULL, 0), 0xffff);
	memcpy(copy, header, sizeof(header));
	CHECK(cc_checksum_verify(copy, sizeof(copy), 0), "a good header is bad");
	memset(copy + 10, 0, 2);
	field = cc_checksum(copy, sizeof(copy));
	check_field("header", field, network(0xb861));
	memcpy(copy + 10, &field, 2);
	CHECK(!memcmp(copy, header, sizeof(header)), "not to be stored as it is");
	copy[3] ^= 4;
	CHECK(!cc_checksum_verify(copy, sizeof(copy), 0), "a bad header is good");

	memset(ones, 0xff, 65536 + 1);
	check_field("65536 bytes of 0xff", cc_checksum(ones, 65536), 0);
	check_field("65536 of 65537 bytes", cc_checksum(ones + 1, 65536), 0);
	check_field("65537 bytes of 0xff", cc_checksum(ones, 65537), network(0x00ff));
	memset(ones, 0, 65536);
	check_field("65536 zeros", cc_checksum(ones, 65536), 0xffff);
	free(ones);

	CHECK(cc_checksum_udp(0) == 0xffff && cc_checksum_udp(0xffff) == 0xffff &&
		      cc_checksum_udp(0x1234) == 0x1234,
	      "UDP's zero");
	/* RFC 1624, section 4: equation 3 gives 0 where equation 2 gives 0xffff */
	check_field("RFC 1624",
		    cc_checksum_update(network(0xdd2f), network(0x5555), network(0x3285)), 0);
}

static void pseudo_headers(const char *tier)
{
	unsigned char v4[16], v6[40];
	size_t round;

	test_case(tier, "pseudo-headers");
	for (round = 0; round < test_scaled(2000); round++) {
		struct reference r = {0};
		uint8_t protocol = (uint8_t)random_u64();
		uint32_t length = (uint32_t)random_edge_word();
		size_t i;

		for (i = 0; i < 8; i++)
			v4[i] = (unsigned char)random_u64();
		for (i = 0; i < 32; i++)
			v6[i] = (unsigned char)random_edge_word();
		for (i = 0; i < 4; i++)
			v6[32 + i] = (unsigned char)(length >> (24 - 8 * i));
		memset(v6 + 36, 0, 3);
		v6[39] = protocol;
		/* where a length of 16 bits stands beside the protocol gives the same sum */
		memcpy(v4 + 8, v6 + 32, 8);
		reference_init(&r, v4, sizeof(v4));
		check_field("IPv4",
			    cc_checksum_sum16(cc_checksum_pseudo_v4(v4, v4 + 4, protocol, length)),
			    reference_sum(&r, v4, sizeof(v4)));
		reference_init(&r, v6, sizeof(v6));
		check_field("IPv6",
			    cc_checksum_sum16(cc_checksum_pseudo_v6(v6, v6 + 16, protocol, length)),
			    reference_sum(&r, v6, sizeof(v6)));
		reference_free(&r);
	}
}

/* More than is copied or summed at once. */
#define COPIES (2 * 65536 + 300)

static size_t random_length(void)
{
	static const size_t bounds[] = {4, 70, 300, LENGTHS + 1};

	return random_below(bounds[random_below(COUNT(bounds))]);
}

static void copies(const char *tier)
{
	struct guard copies;
	size_t round;

	guard_init(&copies, COPIES + 2 * OFFSETS);
	test_case(tier, "copy");
	for (round = 0; round < test_scaled(3000); round++) {
		size_t len = round % 16 ? random_length() : random_below(COPIES + 1);
		const unsigned char *from = large.base + random_below(4 * OFFSETS);
		uint32_t before = (uint32_t)random_edge_word(), sum, should;
		unsigned char *to =
			guard_place(&copies, len, random_below(GUARD_SIDES), random_below(OFFSETS));

		test_sizes(len, (uintptr_t)from % OFFSETS, (uintptr_t)to % OFFSETS);
		sum = cc_checksum_copy(to, from, len, before);
		should = cc_checksum_partial(from, len, before);
		check_field("sum", cc_checksum_sum16(sum), cc_checksum_sum16(should));
		CHECK(!memcmp(to, from, len), "not a copy");
		CHECK(guard_intact(&copies), "wrote outside");
	}
	guard_free(&copies);
}

static void functions(const char *tier)
{
	struct reference r = {0};
	size_t round, pattern;

	known_answers(tier);
	pseudo_headers(tier);
	for (pattern = 0; pattern < PATTERNS; pattern++) {
		static const char *const names[] = {"fragments", "fragments of ones",
						    "fragments of zeros", "fragments, one carry",
						    "fragments, uniform"};
		unsigned char *base = guard_place(&small, SMALL, GUARD_START, 0);

		test_case(tier, names[pattern]);
		fill(base, small.size, pattern);
		reference_init(&r, base, small.size);
		for (round = 0; round < test_scaled(3000); round++) {
			size_t len = random_length(), even = random_below(len / 2 + 1) * 2, at = 0;
			const unsigned char *p = base + random_below(OFFSETS);
			uint16_t should = reference_sum(&r, p, len);
			struct cc_checksum_state state;
			uint32_t sum;

			test_sizes(len, even, (uintptr_t)p % OFFSETS);
			check_field("whole", cc_checksum(p, len), (uint16_t)~should);
			sum = cc_checksum_partial(p, even, 0);
			sum = cc_checksum_partial(p + even, len - even, sum);
			check_field("in two", cc_checksum_fold(sum), (uint16_t)~should);
			cc_checksum_begin(&state, 0);
			while (at < len) {
				size_t part = random_below(3) ? random_below(len - at + 1)
							      : random_below(4) % (len - at + 1);

				cc_checksum_more(&state, p + at, part);
				at += part;
				if (!random_below(4))
					cc_checksum_more(&state, NULL, 0);
			}
			check_field("scattered", cc_checksum_end(&state), (uint16_t)~should);
			sum = cc_checksum_partial(p, len, 0);
			CHECK(!sum == !should, "a partial sum of %#x for %#x", sum, should);
			if (pattern == ZEROS)
				continue;
			/* its own checksum after it, at an even place, makes it good */
			state.sum = cc_checksum_add(state.sum, cc_checksum_end(&state));
			check_field("with its checksum", cc_checksum_sum16(state.sum), 0xffff);
		}
	}
	test_case(tier, "large");
	fill(large.base, 2 * MEGA, RANDOM);
	reference_init(&r, large.base, 2 * MEGA);
	for (round = 0; round < test_scaled(100); round++) {
		const unsigned char *p = large.base + random_below(2 * OFFSETS);
		size_t len =
			round % 4 ? random_below(300000) : random_below(2 * MEGA - 2 * OFFSETS);
		uint16_t should = reference_sum(&r, p, len);

		test_sizes(len, (uintptr_t)p % OFFSETS, 0);
		check_field("whole", cc_checksum(p, len), (uint16_t)~should);
		check_field("partial", cc_checksum_sum16(cc_checksum_partial(p, len, 0)), should);
	}
	copies(tier);
	test_case(tier, "update");
	for (round = 0; round < test_scaled(20000); round++) {
		size_t len = 2 + 2 * random_below(40), place = 2 * random_below(len / 2);
		size_t wide = 1 + random_below(len - place), i;
		unsigned char was[90], now[90];
		uint16_t check, from, to, anew;

		test_sizes(len, place, wide);
		fill(was, sizeof(was), random_below(3) ? RANDOM : random_below(PATTERNS));
		memcpy(now, was, sizeof(was));
		for (i = 0; i < wide; i++)
			now[place + i] = (unsigned char)random_edge_word();
		check = cc_checksum(was, len);
		anew = cc_checksum(now, len);
		/* the one corner: nothing but zeros is left */
		if (anew == 0xffff)
			anew = 0;
		check_field("replaced", cc_checksum_replace(check, was + place, now + place, wide),
			    anew);
		memcpy(&from, was + place, 2);
		memcpy(&to, now + place, 2);
		if (wide <= 2)
			check_field("updated", cc_checksum_update(check, from, to), anew);
	}
	reference_free(&r);
}

/* The sum by bytes, for what is too short to prepare a struct reference for. */
static uint64_t bytes_sum(const unsigned char *data, size_t len)
{
	uint64_t sum = 0;
	size_t i;

	for (i = 0; i < len; i++)
		sum += i % 2 ? data[i] : (uint64_t)data[i] << 8;
	return sum;
}

/* Of fields that may be any number congruent to 0 where the sum is of zeros: 0 is 0xffff. */
static void check_congruent(const char *what, uint16_t is, uint16_t should)
{
	CHECK(is % 65535 == should % 65535, "%s: %#06x, not %#06x", what, is, should);
}

/* Every length of which few are treated alike, and a share of the others, between forbidden pages.
 */
static void every_length(const char *tier)
{
	struct reference r = {0};
	unsigned char *base = guard_place(&small, SMALL, GUARD_START, 0), *end;
	struct guard copies;
	size_t len, i;

	test_case(tier, "every length");
	guard_init(&copies, LENGTHS);
	end = small.base + small.size;
	fill(base, small.size, UNIFORM);
	reference_init(&r, base, small.size);
	for (len = 0; len <= LENGTHS; len++) {
		const unsigned char *const from[] = {base, base + 1, base + random_below(OFFSETS),
						     end - len, end - len - 1};

		if (len > 700 && random_below(8))
			continue;
		for (i = 0; i < COUNT(from); i++) {
			uint16_t should = reference_sum(&r, from[i], len);
			unsigned char *to = guard_place(&copies, len, i % GUARD_SIDES, 0);

			test_sizes(len, (uintptr_t)from[i] % OFFSETS, i % GUARD_SIDES);
			check_field("whole", cc_checksum(from[i], len), (uint16_t)~should);
			check_field("partial",
				    cc_checksum_sum16(cc_checksum_partial(from[i], len, 0)),
				    should);
			check_field("copied",
				    cc_checksum_sum16(cc_checksum_copy(to, from[i], len, 0)),
				    should);
			CHECK(!memcmp(to, from[i], len), "not a copy");
			CHECK(guard_intact(&copies), "wrote outside");
		}
	}
	reference_free(&r);
	guard_free(&copies);
}

/* A part taken out of a message, and put back, at odd offsets and of odd lengths too */
static void blocks(const char *tier)
{
	unsigned char message[300], rest[300];
	size_t round;

	test_case(tier, "blocks");
	for (round = 0; round < test_scaled(3000); round++) {
		size_t len = 1 + random_below(sizeof(message)), offset = random_below(len + 1);
		size_t part = random_below(len - offset + 1);
		uint32_t whole, block, without;

		test_sizes(len, offset, part);
		fill(message, len, random_below(PATTERNS));
		memcpy(rest, message, len);
		memset(rest + offset, 0, part);
		whole = cc_checksum_partial(message, len, 0);
		block = cc_checksum_partial(message + offset, part, 0);
		without = cc_checksum_block_sub(whole, block, offset);
		check_congruent("without", cc_checksum_sum16(without),
				stored(bytes_sum(rest, len)));
		check_congruent("with",
				cc_checksum_sum16(cc_checksum_block_add(without, block, offset)),
				stored(bytes_sum(message, len)));
		check_congruent("difference", cc_checksum_sum16(cc_checksum_sub(whole, without)),
				stored(bytes_sum(message + offset, part) << (offset % 2 ? 8 : 0)));
	}
}

struct linked {
	struct linked *next;
	const unsigned char *data;
	uint16_t len;
};

/* A range of a message that lies in an array of pieces, and in a list of them */
static void ranges(const char *tier)
{
	static unsigned char message[2 * LENGTHS];
	struct iovec iov[20];
	struct linked list[COUNT(iov)];
	size_t round;

	test_case(tier, "ranges");
	fill(message, sizeof(message), UNIFORM);
	for (round = 0; round < test_scaled(3000); round++) {
		size_t at = 0, count = 1 + random_below(COUNT(iov)), total, offset, len, left, i;
		struct cc_checksum_range range;
		const struct linked *m;
		uint16_t should;

		for (i = 0; i < count; i++) {
			size_t part = random_below(random_below(2) ? 8 : 400);

			/* nothing is nowhere */
			iov[i].iov_base = part ? message + at : NULL;
			iov[i].iov_len = part;
			list[i].data = iov[i].iov_base;
			list[i].len = (uint16_t)part;
			list[i].next = i + 1 < count ? &list[i + 1] : NULL;
			at += part;
		}
		total = at;
		offset = random_below(total + 1);
		len = random_below(total - offset + 10);
		left = len > total - offset ? len - (total - offset) : 0;
		should = stored(bytes_sum(message + offset, len - left));
		test_sizes(total, offset, len);

		cc_checksum_range_begin(&range, 0, offset, len);
		for (i = 0; i < count; i++)
			cc_checksum_range_more(&range, iov[i].iov_base, iov[i].iov_len);
		check_field("array", cc_checksum_end(&range.state), (uint16_t)~should);
		CHECK(range.left == left, "%zu bytes left, not %zu", range.left, left);

		cc_checksum_range_begin(&range, 0, offset, len);
		for (m = list; m && cc_checksum_range_more(&range, m->data, m->len); m = m->next)
			;
		check_field("list", cc_checksum_end(&range.state), (uint16_t)~should);
		CHECK(range.left == left, "%zu bytes left, not %zu", range.left, left);
	}
}

/*
 * Addresses and ports are translated, an address of 16 bytes to one of 4 too: each checksum
 * becomes what it is when all is summed anew.
 */
static void translations(const char *tier)
{
	size_t round;

	test_case(tier, "translations");
	for (round = 0; round < test_scaled(20000); round++) {
		/* address, port, and what else is covered; never zeros alone */
		unsigned char was[16 + 2 + 6], now[sizeof(was)], *end;
		size_t from = random_below(2) ? 4 : 16, to = random_below(2) ? from : 4, i;
		uint16_t check, anew;
		uint32_t diff;

		test_sizes(from, to, 0);
		fill(was, sizeof(was), random_below(PATTERNS));
		fill(now, sizeof(now), random_below(PATTERNS));
		memcpy(now + to, was + from, 8);
		for (i = 0; i < 2; i++)
			now[to + i] = (unsigned char)random_edge_word();
		was[from + 7] = now[to + 7] |= 1;
		end = now + to + 8;
		check = (uint16_t)~stored(bytes_sum(was, from + 8));
		anew = (uint16_t)~stored(bytes_sum(now, (size_t)(end - now)));
		diff = cc_checksum_diff(was, from, now, to, 0);
		diff = cc_checksum_diff(was + from, 2, now + to, 2, diff);
		check_field("applied", cc_checksum_apply(check, diff), anew);
		check_field("applied to UDP", cc_checksum_apply_udp(cc_checksum_udp(check), diff),
			    anew ? anew : 0xffff);
		check_field("to none", cc_checksum_apply_udp(0, diff), 0);
		/* a sum that is still to be finished */
		check_field("to a sum", cc_checksum_sum16(cc_checksum_add((uint16_t)~check, diff)),
			    (uint16_t)~anew);
		if (from == to)
			check_field("address and port",
				    cc_checksum_replace(check, was, now, from + 2), anew);
		diff = cc_checksum_diff(NULL, 0, NULL, 0, 0);
		check_field("nothing", cc_checksum_apply(check, diff), check);
	}
}

/* csum_sub() of @delta, and csum_fold(), as Linux's remcsum_unadjust() takes them. */
static uint16_t linux_unadjust(uint16_t field, uint32_t delta)
{
	uint32_t sum = delta + ~(uint32_t)field;

	sum += sum < delta;
	sum = (sum & 0xffff) + (sum >> 16);
	sum = (sum & 0xffff) + (sum >> 16);
	return (uint16_t)~sum;
}

/*
 * A field is set anew, and set back by the difference that was kept of it: to what it was, of two
 * zeros to 0.  Of no difference at all Linux makes 0 of 0xffff, and this leaves it.
 */
static void set_back(void)
{
	uint32_t now;
	size_t round;

	test_case(NULL, "a field that is set back");
	for (round = 0; round < test_scaled(5); round++)
		for (now = 0; now < 0x10000; now++) {
			uint16_t was = (uint16_t)random_edge_word(), field = (uint16_t)now;
			uint32_t delta = cc_checksum_sub(field, was);

			test_sizes(was, field, 0);
			CHECK(delta, "no difference");
			check_field("set back", cc_checksum_apply(field, delta),
				    was == 0xffff ? 0 : was);
			check_field("Linux's", linux_unadjust(field, delta),
				    cc_checksum_apply(field, delta));
			check_field("no difference", cc_checksum_apply(field, 0), field);
			check_field("Linux's, no difference", linux_unadjust(field, 0),
				    field == 0xffff ? 0 : field);
		}
}

/* AddressSanitizer writes its own notes by vectors. */
#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED 1
#elif defined(__has_feature)
#define SANITIZED __has_feature(address_sanitizer)
#else
#define SANITIZED 0
#endif

#if defined(__x86_64__) && !SANITIZED
/*
 * Calls @function, of up to five arguments, with a pattern in each vector register, and says
 * whether all are as they were.
 */
static bool leaves_vectors(uint32_t *result, const void *function, const uint64_t arguments[5])
{
	static _Alignas(16) unsigned char before[16 * 16], after[16 * 16];
	uint64_t sum = (uint64_t)(uintptr_t)function;
	void *stack;

	fill(before, sizeof(before), UNIFORM);
#define EACH(x)                                                                                    \
	x("0") x("1") x("2") x("3") x("4") x("5") x("6") x("7") x("8") x("9") x("10") x("11")      \
		x("12") x("13") x("14") x("15")
#define FILL(n) "movdqa 16*" n "+%[before], %%xmm" n "\n\t"
#define KEEP(n) "movdqa %%xmm" n ", 16*" n "+%[after]\n\t"
	/* below the stack pointer lies what the compiler keeps there */
	__asm__ volatile(EACH(FILL) "movq %%rsp, %[stack]\n\t"
				    "subq $256, %%rsp\n\t"
				    "andq $-64, %%rsp\n\t"
				    "movq (%[arguments]), %%rdi\n\t"
				    "movq 8(%[arguments]), %%rsi\n\t"
				    "movq 16(%[arguments]), %%rdx\n\t"
				    "movq 24(%[arguments]), %%rcx\n\t"
				    "movq 32(%[arguments]), %%r8\n\t"
				    "call *%%rax\n\t"
				    "movq %[stack], %%rsp\n\t" EACH(KEEP)
			 : "+a"(sum), [stack] "=&b"(stack), [after] "=m"(after)
			 : [before] "m"(before), [arguments] "r"(arguments)
			 : "rdi", "rsi", "rdx", "rcx", "r8", "r9", "r10", "r11", "cc", "memory",
			   "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8",
			   "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15");
	*result = (uint32_t)sum;
	return !memcmp(before, after, sizeof(before));
}

static bool sums_without(uint32_t *sum, const void *data, size_t len, uint64_t features)
{
	const uint64_t arguments[5] = {(uintptr_t)data, len, 0, features};

	return leaves_vectors(sum, (const void *)(uintptr_t)cc_checksum_partial_tier, arguments);
}

static bool copies_without(uint32_t *sum, void *to, const void *from, size_t len)
{
	const uint64_t arguments[5] = {(uintptr_t)to, (uintptr_t)from, len};

	return leaves_vectors(sum, (const void *)(uintptr_t)cc_checksum_copy_tier, arguments);
}

static void untouched(const char *tier)
{
	unsigned char *from = large.base, *to = large.base + MEGA;
	size_t round;
	uint32_t sum;

	test_case(tier, "vectors untouched");
	fill(from, MEGA, UNIFORM);
	for (round = 0; round < test_scaled(500); round++) {
		size_t len = round < 300 ? round : random_below(MEGA);
		uint16_t should = stored(bytes_sum(from, len));

		test_sizes(len, 0, 0);
		CHECK(sums_without(&sum, from, len, 0), "a sum by a vector");
		check_field("partial", cc_checksum_sum16(sum), should);
		CHECK(copies_without(&sum, to, from, len), "a copy by a vector");
		check_field("copy", cc_checksum_sum16(sum), should);
		CHECK(!memcmp(to, from, len), "not a copy");
	}
	/* and what finds them does */
	if (cc_cpu_detected() & CC_CPU_AVX2)
		CHECK(!sums_without(&sum, from, 1000, CC_CPU_X86_64 | CC_CPU_AVX2),
		      "a vector is not found");
}
#else
static void untouched(const char *tier)
{
	test_skip("vectors untouched [%s]: looked at on x86-64, without AddressSanitizer", tier);
}
#endif

/* The functions that take a tier: each by its needs, while all are in use and while few are. */
static void chosen_tiers(void)
{
	size_t count, t, round;
	const struct cc_cpu_tier *tiers = cc_cpu_tiers(&count);
	unsigned char *from = large.base, *to = large.base + MEGA;

	fill(from, MEGA, UNIFORM);
	for (t = 0; t < count; t++) {
		test_case(tiers[t].name, "chosen");
		for (round = 0; round < test_scaled(400); round++) {
			size_t len = round % 16 ? random_length() : random_below(COPIES);
			uint32_t before = (uint32_t)random_u64() >> 8;
			/* what is before the data, as memory would hold it */
			unsigned char words[2];
			uint16_t folded = cc_checksum_sum16(before), should;
			uint32_t sum;

			memcpy(words, &folded, 2);
			should = stored(bytes_sum(from, len) + bytes_sum(words, 2));
			test_sizes(len, t, 0);
			cc_cpu_set_mask(round % 2 ? ~(uint64_t)0 : random_u64());
			sum = cc_checksum_partial_tier(from, len, before, tiers[t].needs);
			check_congruent("partial", cc_checksum_sum16(sum), should);
			memset(to, 0, len);
			sum = cc_checksum_copy_tier(to, from, len, before, tiers[t].needs);
			check_congruent("copy", cc_checksum_sum16(sum), should);
			CHECK(!memcmp(to, from, len), "not a copy");
		}
	}
	cc_cpu_set_mask(~(uint64_t)0);
}

/*
 * What is copied changes meanwhile, here by the copy itself: the sum is that of what was
 * written.
 */
static void changing(const char *tier)
{
	unsigned char *base = large.base + OFFSETS * 4;
	size_t round;

	test_case(tier, "changing");
	for (round = 0; round < test_scaled(5000); round++) {
		size_t len = random_length();
		unsigned char *to = base + random_below(2 * OFFSETS);
		uint16_t sum;

		test_sizes(len, (size_t)(to - base), 0);
		fill(base, len + 2 * OFFSETS, UNIFORM);
		sum = cc_checksum_sum16(cc_checksum_copy(to, base + OFFSETS, len, 0));
		check_field("copy", sum, stored(bytes_sum(to, len)));
	}
}

static void all_functions(const char *tier)
{
	functions(tier);
	every_length(tier);
	blocks(tier);
	ranges(tier);
	translations(tier);
	changing(tier);
}

/* As where the tier has no kernel that copies: no machine with AVX has such a tier. */
static void copies_in_parts(void)
{
	static const struct cc_checksum_kernels kernels = {.sum = cc_checksum_word_unrolled};
	static const struct cc_candidate only = {CC_TIER_GENERIC, &kernels};

	cc_cpu_choose(CC_FAMILY_CHECKSUM, &only, 1);
	copies("in parts");
	cc_cpu_set_mask(~(uint64_t)0);
}

void checksum_functions(void)
{
	test_tiers(all_functions);
	copies_in_parts();
	set_back();
	chosen_tiers();
	untouched("generic");
}
