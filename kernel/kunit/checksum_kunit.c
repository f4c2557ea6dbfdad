// SPDX-License-Identifier: MIT
/* The checksum, and each of its portable schemes, compared with the kernel's own. */
#include <kunit/test.h>
#include <linux/in.h>
#include <linux/prandom.h>
#include <linux/string.h>
#include <net/checksum.h>

#include <carrychain/checksum.h>

#include "../src/checksum/schemes.h"
#include "params.h"

#define SEED 0x5eedc5
#define LENGTH_MAX 600
#define ALIGNMENTS 16

struct scheme_case {
	const char *name;
	cc_checksum_fn *sum;
};

static const struct scheme_case schemes[] = {
	{ "16-bit words", cc_checksum16 },
	{ "16-bit words, unrolled", cc_checksum16_unrolled },
	{ "32-bit words", cc_checksum32 },
	{ "32-bit words, unrolled", cc_checksum32_unrolled },
	{ "machine words", cc_checksum_word },
	{ "machine words, unrolled", cc_checksum_word_unrolled },
};

NAMED_PARAMS(scheme, schemes);

static void as_the_kernel(struct kunit *test)
{
	static u8 data[LENGTH_MAX + ALIGNMENTS];
	const struct scheme_case *c = test->param_value;
	struct rnd_state state;
	size_t length, at;

	prandom_seed_state(&state, SEED);
	for (length = 0; length <= LENGTH_MAX; length++) {
		for (at = 0; at < ALIGNMENTS; at++) {
			u16 want;
			u32 got;

			prandom_bytes_state(&state, data, sizeof(data));
			/* all ones carry always */
			if (prandom_u32_state(&state) & 1)
				memset(data + at, 0xff, length / 2);
			want = ~(__force u16)csum_fold(csum_partial(data + at, length, 0));
			got = c->sum(data + at, length);
			KUNIT_ASSERT_EQ_MSG(test, got % 65535, (u32)want % 65535,
					    "%zu bytes at %zu", length, at);
		}
	}
}

static void nothing_but_zeros_gives_zero(struct kunit *test)
{
	static const u8 zeros[100], ones[100] = { [0 ... 99] = 0xff };
	const struct scheme_case *c = test->param_value;

	KUNIT_EXPECT_EQ(test, c->sum(zeros, sizeof(zeros)), 0U);
	KUNIT_EXPECT_NE(test, c->sum(ones, sizeof(ones)), 0U);
	KUNIT_EXPECT_EQ(test, c->sum(ones, sizeof(ones)) % 65535, 0U);
}

/* The functions of checksum.h that other modules call. */
static void exported(struct kunit *test)
{
	static u8 data[LENGTH_MAX], copy[LENGTH_MAX];
	struct cc_checksum_state fragments;
	struct rnd_state state;
	size_t length;

	prandom_seed_state(&state, SEED);
	for (length = 0; length <= LENGTH_MAX; length++) {
		__wsum sum = (__force __wsum)prandom_u32_state(&state);
		size_t cut = prandom_u32_state(&state) % (length + 1);
		u16 want;

		prandom_bytes_state(&state, data, sizeof(data));
		want = (__force u16)ip_compute_csum(data, length);
		KUNIT_ASSERT_EQ_MSG(test, cc_checksum(data, length), want, "%zu bytes", length);

		cc_checksum_begin(&fragments, 0);
		cc_checksum_more(&fragments, data, cut);
		cc_checksum_more(&fragments, data + cut, length - cut);
		KUNIT_ASSERT_EQ_MSG(test, cc_checksum_end(&fragments), want, "%zu and %zu bytes",
				    cut, length - cut);

		want = (__force u16)csum_fold(csum_partial(data, length, sum));
		memset(copy, 0, sizeof(copy));
		KUNIT_ASSERT_EQ(test, want,
				cc_checksum_fold(cc_checksum_copy(copy, data, length,
								  (__force u32)sum)));
		KUNIT_ASSERT_EQ(test, memcmp(copy, data, length), 0);
	}
	KUNIT_EXPECT_STREQ(test, cc_checksum_tier(), "generic");
}

static void pseudo_header(struct kunit *test)
{
	static const u8 from[4] = { 192, 0, 2, 255 }, to[4] = { 198, 51, 100, 7 };
	__be32 source, target;
	u32 length;

	memcpy(&source, from, sizeof(source));
	memcpy(&target, to, sizeof(target));
	/* x86's own loses what is more than 24 bits */
	for (length = 0; length < 1 << 24; length += 65413) {
		u16 want = (__force u16)csum_tcpudp_magic(source, target, length, IPPROTO_TCP, 0);

		KUNIT_ASSERT_EQ(test, want,
				cc_checksum_fold(cc_checksum_pseudo_v4(from, to, IPPROTO_TCP,
								       length)));
	}
}

/* A sum folded to 16 bits, in which 0 and 0xffff are equal. */
static void same_sum(struct kunit *test, u32 ours, __wsum kernels)
{
	KUNIT_ASSERT_EQ(test, cc_checksum_sum16(ours) % 65535,
			(u16)~(__force u16)csum_fold(kernels) % 65535);
}

static void blocks(struct kunit *test)
{
	struct rnd_state state;
	size_t i;

	prandom_seed_state(&state, SEED);
	for (i = 0; i < 10000; i++) {
		u32 a = prandom_u32_state(&state), b = prandom_u32_state(&state);
		int offset = prandom_u32_state(&state) % 3000;
		__wsum x = (__force __wsum)a, y = (__force __wsum)b;

		same_sum(test, cc_checksum_add(a, b), csum_add(x, y));
		same_sum(test, cc_checksum_sub(a, b), csum_sub(x, y));
		same_sum(test, cc_checksum_block_add(a, b, offset), csum_block_add(x, y, offset));
		same_sum(test, cc_checksum_block_sub(a, b, offset), csum_block_sub(x, y, offset));
	}
}

static void differences(struct kunit *test)
{
	struct rnd_state state;
	size_t i;

	prandom_seed_state(&state, SEED);
	for (i = 0; i < 10000; i++) {
		__be32 from[4], to[4];
		__sum16 theirs;
		u16 ours;
		u32 diff;

		prandom_bytes_state(&state, from, sizeof(from));
		prandom_bytes_state(&state, to, sizeof(to));
		prandom_bytes_state(&state, &theirs, sizeof(theirs));
		ours = (__force u16)theirs;

		diff = cc_checksum_diff(from, sizeof(from), to, sizeof(to), 0);
		same_sum(test, diff, csum_sub(csum_partial(to, sizeof(to), 0),
					      csum_partial(from, sizeof(from), 0)));
		csum_replace4(&theirs, from[0], to[0]);
		diff = cc_checksum_diff(from, 4, to, 4, 0);
		KUNIT_ASSERT_EQ(test, cc_checksum_apply(ours, diff), (__force u16)theirs);

		csum_replace_by_diff(&theirs, (__force __wsum)diff);
		KUNIT_ASSERT_EQ(test, cc_checksum_apply(cc_checksum_apply(ours, diff), diff),
				(__force u16)theirs);
	}
}

static void in_a_tier(struct kunit *test)
{
	static u8 data[LENGTH_MAX], copy[LENGTH_MAX];
	struct rnd_state state;
	size_t length;

	prandom_seed_state(&state, SEED);
	for (length = 0; length <= LENGTH_MAX; length++) {
		u32 sum = prandom_u32_state(&state);
		__wsum want;

		prandom_bytes_state(&state, data, sizeof(data));
		want = csum_partial(data, length, (__force __wsum)sum);
		same_sum(test, cc_checksum_partial_tier(data, length, sum, 0), want);
		memset(copy, 0, sizeof(copy));
		same_sum(test, cc_checksum_copy_tier(copy, data, length, sum, ~0ULL), want);
		KUNIT_ASSERT_EQ(test, memcmp(copy, data, length), 0);
	}
}

static struct kunit_case checksum_tests[] = {
	KUNIT_CASE(exported),
	KUNIT_CASE(pseudo_header),
	KUNIT_CASE(blocks),
	KUNIT_CASE(differences),
	KUNIT_CASE(in_a_tier),
	KUNIT_CASE_PARAM(as_the_kernel, scheme_gen_params),
	KUNIT_CASE_PARAM(nothing_but_zeros_gives_zero, scheme_gen_params),
	{}
};

static struct kunit_suite checksum_suite = {
	.name = "carrychain_checksum",
	.test_cases = checksum_tests,
};

kunit_test_suite(checksum_suite);

MODULE_LICENSE("Dual MIT/GPL");
