// SPDX-License-Identifier: MIT
/* Many processes at once, and whether all their memory is freed. */
#include "test.h"

#define READERS 16

static int shared;

static void reader(void)
{
	int fd = open_at(0), i;

	for (i = 0; i < 40; i++) {
		int64_t n = random_below(20000);
		char digits[32];

		CHECK(lseek(fd, n, SEEK_SET) == n);
		check_number(fd, n);
		CHECK(time_of(fd, i % STRATEGIES) >= 0);
		/* one file for all of them: n has to come with the call */
		CHECK(pread(shared, digits, sizeof(digits), 100) == 21);
		CHECK(is_fibonacci(digits, 21, 100));
	}
	CHECK(lseek(fd, MAX_N_DEFAULT / 5, SEEK_SET) == MAX_N_DEFAULT / 5);
	check_number(fd, MAX_N_DEFAULT / 5);
}

static void concurrent_readers(void)
{
	pid_t pids[READERS];
	bool ok = true;
	int i;

	shared = open_at(0);
	for (i = 0; i < READERS; i++)
		pids[i] = spawn(reader);
	for (i = 0; i < READERS; i++)
		ok &= reap(pids[i]);
	CHECK(ok);
}

/*
 * If F(n) or its digits leaked each time, even only when the copy to user space fails, 1200
 * calls would take 5.2 or 12 MB at n = 50000, and the next 1200 as much again.  What the
 * kernel otherwise holds back in that time, as KASAN does with freed memory, was up to
 * 4.2 MB, and is bounded: in one of a few rounds it is less.
 */
static void memory_given_back(void)
{
	int fd = open_at(50000), i, round;
	size_t length = length_at(fd);
	char *digits = guarded(length), *short_by_one = guarded(length - 1);
	long before = 0, lost = LONG_MAX;

	for (round = 0; round < 4 && lost >= 4000; round++) {
		for (i = -20; i < 1200; i++) {
			if (i == 0)
				before = available_kb();
			CHECK(pread(fd, digits, length, 50000) == (ssize_t)length);
			CHECK_ERROR(read(fd, short_by_one, length), EFAULT);
		}
		lost = before - available_kb();
		note("%ld kB less available", lost);
	}
	CHECK(lost < 4000);
}

const struct test_case many_cases[] = {
	{"16 concurrent readers", concurrent_readers},
	{"memory is given back", memory_given_back},
	{NULL, NULL},
};
