// SPDX-License-Identifier: MIT
/*
 * With values=0 a number is a file that ends: programs that know nothing of the device read it.
 * These load the modules so, and begin and end with them absent.
 */
#include "test.h"

#include <sys/stat.h>
#include <sys/uio.h>

#define DIGIT ((off_t)1 << 32)

static void arrive(void)
{
	CHECK(load("carrychain_math") == 0);
	CHECK(load_with("fibdrv", "values=0") == 0);
}

static void leave(void)
{
	CHECK(unload("fibdrv") == 0);
	CHECK(unload("carrychain_math") == 0);
}

/* F(n) by reads of @size bytes, from the position on to the end; its last position. */
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

	arrive();
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
	leave();
}

/* F(300) has 63 digits; a call that names its digit moves nothing, and one that fails neither. */
static void digits_by_position(void)
{
	char whole[100], some[100] = "", a, b[3];
	struct iovec pieces[] = {{&a, 1}, {b, sizeof(b)}};
	off_t end = 300 + 63 * DIGIT;
	int fd;

	arrive();
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
	leave();
}

static void nothing_is_written(void)
{
	static const char text[] = "testing writing";
	struct stat parameter;
	size_t size;
	int fd;

	arrive();
	fd = open_at(100);
	for (size = 0; size < sizeof(text); size++)
		CHECK_ERROR(write(fd, text, size), EINVAL);
	CHECK(lseek(fd, 0, SEEK_CUR) == 100);
	CHECK(stat("/sys/module/fibdrv/parameters/values", &parameter) == 0);
	CHECK((parameter.st_mode & 0777) == 0444);
	close(fd);
	leave();
}

const struct test_case file_cases[] = {
	{"values=0: reads go through F(n), and end", numbers_end},
	{"values=0: pread, readv and lseek of digits", digits_by_position},
	{"values=0: writes are refused", nothing_is_written},
	{NULL, NULL},
};
