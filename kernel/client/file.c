// SPDX-License-Identifier: MIT
/* By default, a number is a file that ends, which ordinary programs can read. */
#include "test.h"

#include <sys/stat.h>
#include <sys/uio.h>

#define DIGITS_300 63

/* Reads F(n) by @size bytes, from the position to the end; returns the last position. */
static off_t read_through(int fd, uint64_t n, size_t size)
{
	size_t length = length_at(fd), got = 0;
	char *digits = malloc(length + size);
	ssize_t count;

	CHECK(digits);
	do {
		count = read(fd, digits + got, size);
		CHECK(count >= 0);
		got += count;
		CHECK(got <= length);
		CHECK(lseek(fd, 0, SEEK_CUR) == (off_t)n + (off_t)got * DIGIT);
		CHECK(length_at(fd) == length);
	} while (count);
	CHECK(got == length && is_fibonacci(digits, length, n));
	free(digits);
	return n + length * DIGIT;
}

static void numbers_end(void)
{
	static const uint64_t numbers[] = {0, 1, 7, 92, 93, 300, 1000};
	static const size_t sizes[] = {1, 2, 3, 62, 63, 64, 4096};
	size_t i, j;
	int fd;

	fd = open_at(0);
	for (i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		for (j = 0; j < sizeof(sizes) / sizeof(sizes[0]); j++) {
			CHECK(lseek(fd, numbers[i], SEEK_SET) == (off_t)numbers[i]);
			read_through(fd, numbers[i], sizes[j]);
		}
	}
	CHECK(lseek(fd, MAX_N_DEFAULT, SEEK_SET) == MAX_N_DEFAULT);
	read_through(fd, MAX_N_DEFAULT, 131072);
	close(fd);
}

/* F(300) has 63 digits; pread and failing calls leave the position. */
static void digits_by_position(void)
{
	char whole[100], some[100] = "", a, b[3];
	struct iovec pieces[] = {{&a, 1}, {b, sizeof(b)}};
	off_t end = 300 + 63 * DIGIT;
	int fd;

	fd = open_at(300);
	CHECK(pread(fd, whole, sizeof(whole), 300) == 63);
	CHECK(is_fibonacci(whole, 63, 300));
	CHECK(pread(fd, some, 5, 300 + 10 * DIGIT) == 5 && !memcmp(some, whole + 10, 5));
	CHECK(pread(fd, some, sizeof(some), 300 + 62 * DIGIT) == 1 && some[0] == whole[62]);
	CHECK(pread(fd, some, 1, end) == 0);
	CHECK(pread(fd, some, 1, 300 + INT32_MAX * DIGIT) == 0);
	CHECK_ERROR(pread(fd, some, 1, MAX_N_DEFAULT + 1), EINVAL);
	CHECK_ERROR(pread(fd, some, 1, MAX_N_DEFAULT + 1 + DIGIT), EINVAL);
	CHECK_ERROR(read(fd, page_of(0), 300), EFAULT);
	CHECK(lseek(fd, 0, SEEK_CUR) == 300);

	CHECK(readv(fd, pieces, 1) == 1 && a == whole[0]);
	CHECK(readv(fd, pieces, 2) == 4 && a == whole[1] && !memcmp(b, whole + 2, 3));
	CHECK(lseek(fd, 0, SEEK_CUR) == 300 + 5 * DIGIT);
	/* seeking reaches first digits only */
	CHECK_ERROR(lseek(fd, 300 + DIGIT, SEEK_SET), EINVAL);
	CHECK_ERROR(lseek(fd, 1, SEEK_CUR), EINVAL);
	CHECK(lseek(fd, 0, SEEK_CUR) == 300 + 5 * DIGIT);
	CHECK(lseek(fd, 300, SEEK_SET) == 300);
	CHECK(read_through(fd, 300, 100) == end);
	close(fd);
}

static void nothing_is_written(void)
{
	static const char text[] = "testing writing";
	struct stat parameter;
	size_t size;
	int fd;

	fd = open_at(100);
	for (size = 0; size < sizeof(text); size++)
		CHECK_ERROR(write(fd, text, size), EINVAL);
	CHECK(lseek(fd, 0, SEEK_CUR) == 100);
	CHECK(stat("/sys/module/fibdrv/parameters/values", &parameter) == 0);
	CHECK((parameter.st_mode & 0777) == 0444);
	close(fd);
}

/* No write returns more than its size: dd and stdio would believe it. */
static void counts_are_counts(void)
{
	static char room[DIGITS_300 + 2];
	struct iovec one = {room, 1};
	int fd = open_at(0);
	int64_t n;

	for (n = 0; n <= 300; n++) {
		size_t sizes[6], i;

		CHECK(lseek(fd, n, SEEK_SET) == n);
		/* none, one, around all that there are, and any */
		sizes[0] = 0;
		sizes[1] = 1;
		sizes[2] = length_at(fd) - 1;
		sizes[3] = sizes[2] + 1;
		sizes[4] = sizes[2] + 2;
		sizes[5] = random_below(sizeof(room));
		for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
			ssize_t most = sizes[i];

			CHECK(lseek(fd, n, SEEK_SET) == n);
			CHECK(read(fd, room, sizes[i]) <= most);
			CHECK(pread(fd, room, sizes[i], n) <= most);
		}
		CHECK(lseek(fd, n, SEEK_SET) == n);
		CHECK(readv(fd, &one, 1) == 1 && preadv(fd, &one, 1, n) == 1);
	}
	CHECK(lseek(fd, 20, SEEK_SET) == 20);
	CHECK(read(fd, room, 1) == 1 && room[0] == '6');
	close(fd);
}

static void times(void)
{
	struct fib_time none = {.strategy = STRATEGIES}, more = {.zero = 1};
	int fd = open_at(20000), strategy;

	for (strategy = 0; strategy < STRATEGIES; strategy++) {
		uint64_t begin = now_ns();
		int64_t ns = time_of(fd, strategy);

		CHECK(ns >= 0 && (uint64_t)ns <= now_ns() - begin);
	}
	CHECK_ERROR(ioctl(fd, FIB_IOC_TIME, &none), EINVAL);
	CHECK_ERROR(ioctl(fd, FIB_IOC_TIME, &more), EINVAL);
	CHECK(lseek(fd, 0, SEEK_CUR) == 20000);
	close(fd);
}

const struct test_case file_cases[] = {
	{"reads go through F(n), and end", numbers_end},
	{"pread, readv and lseek of digits", digits_by_position},
	{"writes are refused", nothing_is_written},
	{"no call returns more than it was asked for", counts_are_counts},
	{"times are asked for by ioctl", times},
	{NULL, NULL},
};
