// SPDX-License-Identifier: MIT
/* The checksums of crc.py, compiled to C by Carrychain, compared with the kernel's own. */
#include <kunit/test.h>
#include <linux/crc32.h>
#include <linux/prandom.h>

#include "crc.h"
#include "params.h"

#define SEED 0x5eedc5
#define LENGTH_MAX 400

struct crc_case {
	const char *name;
	int (*built)(u32 crc, const u8 *data, size_t data_length, u32 *result,
		     struct cc_failure *failure);
	u32 (*own)(u32 crc, const unsigned char *data, size_t length);
	/* of "123456789", begun with ones */
	u32 known;
};

static u32 le(u32 crc, const unsigned char *data, size_t length)
{
	return crc32_le(crc, data, length);
}

static u32 be(u32 crc, const unsigned char *data, size_t length)
{
	return crc32_be(crc, data, length);
}

static u32 castagnoli(u32 crc, const unsigned char *data, size_t length)
{
	return __crc32c_le(crc, data, length);
}

static const struct crc_case crcs[] = {
	{ "CRC-32", natural_crc32, le, ~0xcbf43926u },
	{ "CRC-32, the most significant bit first", natural_crc32_be, be, 0x0376e6e7 },
	{ "CRC-32C", natural_crc32c, castagnoli, ~0xe3069283u },
};

NAMED_PARAMS(crc, crcs);

static void as_the_kernel(struct kunit *test)
{
	static u8 data[LENGTH_MAX];
	const struct crc_case *c = test->param_value;
	struct rnd_state state;
	size_t length;
	u32 crc = 0;

	KUNIT_ASSERT_EQ(test, c->built(~0, "123456789", 9, &crc, NULL), CC_OK);
	KUNIT_EXPECT_EQ(test, crc, c->known);
	prandom_seed_state(&state, SEED);
	for (length = 0; length <= LENGTH_MAX; length++) {
		u32 first = prandom_u32_state(&state);

		prandom_bytes_state(&state, data, length);
		KUNIT_ASSERT_EQ(test, c->built(first, data, length, &crc, NULL), CC_OK);
		KUNIT_ASSERT_EQ_MSG(test, crc, c->own(first, data, length), "%zu bytes", length);
	}
}

static struct kunit_case crc_tests[] = {
	KUNIT_CASE_PARAM(as_the_kernel, crc_gen_params),
	{}
};

static struct kunit_suite crc_suite = {
	.name = "carrychain_crc",
	.test_cases = crc_tests,
};

kunit_test_suite(crc_suite);

MODULE_LICENSE("Dual MIT/GPL");
