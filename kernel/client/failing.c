// SPDX-License-Identifier: MIT
/*
 * Lets every allocation fail in turn, in a kernel built for that (FAULT_INJECTION,
 * FAILSLAB): after N is written to fail-nth, the N-th allocation fails once.
 */
#include "test.h"

#define FAIL_NTH "/proc/thread-self/fail-nth"

static void prepare(void)
{
	if (access(FAIL_NTH, W_OK))
		skip("this kernel injects no failures (FAULT_INJECTION)");
	CHECK(put("/sys/kernel/debug/failslab/ignore-gfp-wait", "N"));
	CHECK(put("/sys/kernel/debug/failslab/verbose", "0"));
}

static int fail_nth;

static void arm(int nth)
{
	char text[16];

	sprintf(text, "%d", nth);
	CHECK(pwrite(fail_nth, text, strlen(text), 0) == (ssize_t)strlen(text));
}

/* Whether the failure happened; if not, there were fewer allocations. */
static bool disarm(void)
{
	char text[16] = "";

	CHECK(pread(fail_nth, text, sizeof(text) - 1, 0) > 0);
	arm(0);
	return atoi(text) == 0;
}

static void open_fail_nth(void)
{
	prepare();
	fail_nth = open(FAIL_NTH, O_RDWR);
	CHECK(fail_nth >= 0);
}

/* Repeats a system call: each time it returns ENOMEM, or its usual result. */
static void call_failing(int fd, int64_t n, int strategy)
{
	static char digits[MAX_N_DEFAULT];
	int failures = 0, nth;

	CHECK(lseek(fd, n, SEEK_SET) == n);
	for (nth = 1;; nth++) {
		int64_t got;
		bool met;
		int err;

		CHECK(nth < 1000);
		arm(nth);
		errno = 0;
		got = strategy < 0 ? pread(fd, digits, sizeof(digits), n) : time_of(fd, strategy);
		err = errno;
		met = disarm();
		if (got < 0) {
			CHECK(met && err == ENOMEM);
			failures++;
		} else if (strategy < 0) {
			CHECK(is_fibonacci(digits, got, n));
		}
		if (!met)
			break;
	}
	note("F(%lld) %s %d: ENOMEM %d times", (long long)n, strategy < 0 ? "read" : "strategy",
	     strategy, failures);
	CHECK(failures > 0);
}

static void allocations_in_calls(void)
{
	static const int64_t numbers[] = {92, 1000, 20000};
	int fd = open_at(0), strategy;
	size_t i;

	open_fail_nth();
	for (i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		for (strategy = -1; strategy < STRATEGIES; strategy++)
			call_failing(fd, numbers[i], strategy);
	check_number(fd, numbers[i - 1]);
}

static void allocations_in_open(void)
{
	int nth, failures = 0;
	bool met = true;

	open_fail_nth();
	for (nth = 1; met; nth++) {
		int fd;

		CHECK(nth < 1000);
		arm(nth);
		fd = open(DEVICE, O_RDWR);
		met = disarm();
		CHECK(fd >= 0 || met);
		failures += fd < 0;
		close(fd);
	}
	CHECK(failures > 0);
}

/* After each failed load nothing of the device is left, and the next load works. */
static void allocations_in_loading(void)
{
	int nth, failures = 0;
	bool met = true;

	open_fail_nth();
	CHECK(unload("fibdrv") == 0);
	for (nth = 1; met; nth++) {
		int err;

		CHECK(nth < 5000);
		arm(nth);
		err = load("fibdrv");
		met = disarm();
		CHECK(!err || met);
		failures += err != 0;
		if (err)
			CHECK(access(DEVICE, F_OK) && errno == ENOENT);
		else
			CHECK(unload("fibdrv") == 0);
	}
	note("failed to load %d times of %d", failures, nth - 1);
	CHECK(failures > 0);
	CHECK(load("fibdrv") == 0);
	check_number(open_at(1000), 1000);
}

const struct test_case failing_cases[] = {
	{"each allocation of a call fails in turn", allocations_in_calls},
	{"each allocation of an open fails in turn", allocations_in_open},
	{"each allocation of the loading fails in turn", allocations_in_loading},
	{NULL, NULL},
};
