/* SPDX-License-Identifier: MIT */
/*
 * The parts of <kunit/test.h> that these suites use, for kernels that were built without KUnit.
 *
 * Included before a suite, it replaces that header.  The suite is then a module, which runs when
 * it is loaded, and logs what KUnit would.
 */
#ifndef _KUNIT_TEST_H
#define _KUNIT_TEST_H

#include <linux/completion.h>
#include <linux/err.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>

#define KUNIT_PARAM_DESC_SIZE 128

struct kunit {
	const void *param_value;
	const char *name;
	void (*run)(struct kunit *test);
	struct kunit_memory *memory;
	struct completion done;
	bool failed;
};

struct kunit_case {
	void (*run_case)(struct kunit *test);
	const char *name;
	const void *(*generate_params)(const void *prev, char *desc);
};

struct kunit_suite {
	const char *name;
	struct kunit_case *test_cases;
};

#define KUNIT_CASE(test_name) { .run_case = test_name, .name = #test_name }
#define KUNIT_CASE_PARAM(test_name, gen_params) \
	{ .run_case = test_name, .name = #test_name, .generate_params = gen_params }

#define KUNIT_ARRAY_PARAM(name, array, get_desc)                                              \
	static const void *name##_gen_params(const void *prev, char *desc)                    \
	{                                                                                     \
		const void *next = kunit_next(prev, array, sizeof(array), sizeof(array[0]));   \
										\
		if (next)                                                                     \
			get_desc(next, desc);                                                 \
		return next;                                                                  \
	}

/* The element after @prev in an array: the first if @prev is NULL, NULL after the last. */
static inline const void *kunit_next(const void *prev, const void *array, size_t bytes, size_t size)
{
	const char *next = prev ? prev + size : array;

	return next == (const char *)array + bytes ? NULL : next;
}

/* Memory that is freed when the case ends. */
struct kunit_memory {
	struct kunit_memory *next;
	u64 bytes[];
};

static inline void *kunit_kmalloc_array(struct kunit *test, size_t n, size_t size, gfp_t gfp)
{
	struct kunit_memory *memory = kmalloc(sizeof(*memory) + n * size, gfp);

	if (!memory)
		return NULL;
	memory->next = test->memory;
	test->memory = memory;
	return memory->bytes;
}

static inline void *kunit_kzalloc(struct kunit *test, size_t size, gfp_t gfp)
{
	return kunit_kmalloc_array(test, 1, size, gfp | __GFP_ZERO);
}

/* A failed assertion ends its case from any depth of calls: each case is a thread. */
static inline __printf(6, 7) void kunit_check(struct kunit *test, bool held, bool assertion,
					      const char *file, int line, const char *fmt, ...)
{
	struct va_format detail;
	va_list args;

	if (held)
		return;
	test->failed = true;
	va_start(args, fmt);
	detail.fmt = fmt;
	detail.va = &args;
	pr_info("    # %s: FAILED at %s:%d: %pV\n", test->name, file, line, &detail);
	va_end(args);
	if (assertion)
		kthread_complete_and_exit(&test->done, 0);
}

#define KUNIT_CHECK(test, held, assertion, fmt, ...) \
	kunit_check(test, held, assertion, __FILE__, __LINE__, fmt, ##__VA_ARGS__)

#define KUNIT_COMPARE(test, left, op, right, assertion, fmt, ...)                   \
	do {                                                                        \
		typeof(left) is = (left);                                           \
		typeof(right) by = (right);                                         \
										\
		KUNIT_CHECK(test, is op by, assertion, "%s, but with %lld and %lld " fmt, \
			    #left " " #op " " #right, (long long)is, (long long)by, \
			    ##__VA_ARGS__);                                         \
	} while (0)

#define KUNIT_EXPECT_EQ(test, l, r) KUNIT_COMPARE(test, l, ==, r, false, "")
#define KUNIT_EXPECT_NE(test, l, r) KUNIT_COMPARE(test, l, !=, r, false, "")
#define KUNIT_EXPECT_LE(test, l, r) KUNIT_COMPARE(test, l, <=, r, false, "")
#define KUNIT_EXPECT_GT(test, l, r) KUNIT_COMPARE(test, l, >, r, false, "")
#define KUNIT_EXPECT_EQ_MSG(test, l, r, fmt, ...) \
	KUNIT_COMPARE(test, l, ==, r, false, fmt, ##__VA_ARGS__)
#define KUNIT_ASSERT_EQ(test, l, r) KUNIT_COMPARE(test, l, ==, r, true, "")
#define KUNIT_ASSERT_LE(test, l, r) KUNIT_COMPARE(test, l, <=, r, true, "")
#define KUNIT_ASSERT_LT(test, l, r) KUNIT_COMPARE(test, l, <, r, true, "")
#define KUNIT_ASSERT_EQ_MSG(test, l, r, fmt, ...) \
	KUNIT_COMPARE(test, l, ==, r, true, fmt, ##__VA_ARGS__)
#define KUNIT_ASSERT_TRUE_MSG(test, condition, fmt, ...) \
	KUNIT_CHECK(test, condition, true, fmt, ##__VA_ARGS__)
#define KUNIT_ASSERT_FALSE_MSG(test, condition, fmt, ...) \
	KUNIT_CHECK(test, !(condition), true, fmt, ##__VA_ARGS__)
#define KUNIT_ASSERT_NOT_ERR_OR_NULL(test, pointer) \
	KUNIT_CHECK(test, !IS_ERR_OR_NULL(pointer), true, "no " #pointer)
#define KUNIT_EXPECT_STREQ_MSG(test, l, r, fmt, ...)                                \
	do {                                                                        \
		const char *is = (l), *by = (r);                                    \
										\
		KUNIT_CHECK(test, is && by && !strcmp(is, by), false,               \
			    "%s, not %s " fmt, is, by, ##__VA_ARGS__);              \
	} while (0)
#define KUNIT_EXPECT_STREQ(test, l, r) KUNIT_EXPECT_STREQ_MSG(test, l, r, "")

static inline int kunit_thread(void *context)
{
	struct kunit *test = context;

	test->run(test);
	kthread_complete_and_exit(&test->done, 0);
}

static inline bool kunit_passes(const struct kunit_case *c, const void *param)
{
	struct kunit test = { .param_value = param, .name = c->name, .run = c->run_case };
	struct task_struct *thread;

	init_completion(&test.done);
	thread = kthread_run(kunit_thread, &test, "kunit");
	if (IS_ERR(thread))
		return false;
	wait_for_completion(&test.done);
	while (test.memory) {
		struct kunit_memory *memory = test.memory;

		test.memory = memory->next;
		kfree(memory);
	}
	return !test.failed;
}

static inline bool kunit_run_params(const struct kunit_case *c)
{
	char desc[KUNIT_PARAM_DESC_SIZE];
	const void *param = NULL;
	unsigned int number = 0;
	bool passed = true;

	pr_info("        # Subtest: %s\n", c->name);
	while ((param = c->generate_params(param, desc))) {
		bool ok = kunit_passes(c, param);

		pr_info("        %s %u %s\n", ok ? "ok" : "not ok", ++number, desc);
		passed &= ok;
	}
	return passed && number;
}

static inline int kunit_run(const struct kunit_suite *suite)
{
	const struct kunit_case *c;
	bool passed = true;

	pr_info("    # Subtest: %s\n", suite->name);
	for (c = suite->test_cases; c->run_case; c++) {
		bool ok = c->generate_params ? kunit_run_params(c) : kunit_passes(c, NULL);

		pr_info("    %s %u %s\n", ok ? "ok" : "not ok",
			(unsigned int)(c - suite->test_cases) + 1, c->name);
		passed &= ok;
	}
	pr_info("%s 1 %s\n", passed ? "ok" : "not ok", suite->name);
	return 0;
}

#define kunit_test_suite(suite)                   \
	static int __init suite##_begin(void)     \
	{                                         \
		return kunit_run(&(suite));       \
	}                                         \
	module_init(suite##_begin);               \
	static void __exit suite##_end(void)      \
	{                                         \
	}                                         \
	module_exit(suite##_end)

#endif /* _KUNIT_TEST_H */
