// SPDX-License-Identifier: MIT
/* What every system call on the device answers, one process asking. */
#include "test.h"

static const struct {
	off_t from, offset;
	int whence;
	off_t to; /* -1: EINVAL */
} seeks[] = {
	{0, 0, SEEK_SET, 0},
	{0, 1, SEEK_SET, 1},
	{5, MAX_N_DEFAULT, SEEK_SET, MAX_N_DEFAULT},
	{5, MAX_N_DEFAULT + 1, SEEK_SET, -1},
	{5, -1, SEEK_SET, -1},
	{5, INT64_MAX, SEEK_SET, -1},
	{5, INT64_MIN, SEEK_SET, -1},
	{5, 0, SEEK_CUR, 5},
	{5, 1, SEEK_CUR, 6},
	{5, -5, SEEK_CUR, 0},
	{5, -6, SEEK_CUR, -1},
	{5, MAX_N_DEFAULT - 5, SEEK_CUR, MAX_N_DEFAULT},
	{5, MAX_N_DEFAULT - 4, SEEK_CUR, -1},
	{5, INT64_MAX, SEEK_CUR, -1},
	{5, INT64_MIN, SEEK_CUR, -1},
	{5, 0, SEEK_END, MAX_N_DEFAULT},
	{5, 1, SEEK_END, -1},
	{5, -MAX_N_DEFAULT, SEEK_END, 0},
	{5, -MAX_N_DEFAULT - 1, SEEK_END, -1},
	{5, INT64_MAX, SEEK_END, -1},
	{5, INT64_MIN, SEEK_END, -1},
	{5, 0, SEEK_DATA, -1},
	{5, 0, SEEK_HOLE, -1},
	{5, 0, 99, -1},
	{5, 0, -1, -1},
};

static void seeking(void)
{
	size_t i;

	for (i = 0; i < sizeof(seeks) / sizeof(seeks[0]); i++) {
		int fd = open_at(seeks[i].from);

		errno = 0;
		CHECK(lseek(fd, seeks[i].offset, seeks[i].whence) == seeks[i].to);
		CHECK(seeks[i].to >= 0 || errno == EINVAL);
		CHECK(lseek(fd, 0, SEEK_CUR) == (seeks[i].to < 0 ? seeks[i].from : seeks[i].to));
		close(fd);
	}
}

static void one_byte(void)
{
	char byte = '#';
	int64_t n;

	for (n = 0; n <= 200; n++) {
		int fd = open_at(n);

		CHECK(read(fd, &byte, 1) == (ssize_t)added_up(n < 92 ? n : 92));
		CHECK(byte == '#');
		CHECK(lseek(fd, 0, SEEK_CUR) == n);
		close(fd);
	}
}

static void every_small_number(void)
{
	int fd = open_at(0);
	int64_t n;

	for (n = 0; n <= 1500; n++) {
		CHECK(lseek(fd, n, SEEK_SET) == n);
		check_number(fd, n);
	}
}

static void large_numbers(void)
{
	static const int64_t numbers[] = {4096, 9999, 10000, 65536, 99999, MAX_N_DEFAULT};
	size_t i;

	for (i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		check_number(open_at(numbers[i]), numbers[i]);
	CHECK(length_at(open_at(MAX_N_DEFAULT)) == 208988);
}

/* F(300) has 63 digits */
static void short_and_long_reads(void)
{
	int fd = open_at(300);
	size_t length = length_at(fd), size;
	char whole[200];

	CHECK(length == 63);
	CHECK(read(fd, whole, sizeof(whole)) == (ssize_t)length);
	CHECK(read(fd, whole, 0) == 0);
	for (size = 2; size <= 100; size++) {
		size_t count = size < length ? size : length;
		char buffer[200], *end = guarded(count);

		memset(buffer, '#', sizeof(buffer));
		CHECK(read(fd, buffer, size) == (ssize_t)count);
		CHECK(!memcmp(buffer, whole, count));
		CHECK(buffer[count] == '#');
		/* what is asked for beyond the digits is not touched: it would fault */
		CHECK(read(fd, end, size) == (ssize_t)count);
		CHECK(!memcmp(end, whole, count));
	}
}

static void positions_in_the_call(void)
{
	int fd = open_at(7);
	char digits[64];

	CHECK(pread(fd, digits, sizeof(digits), 100) == 21);
	CHECK(is_fibonacci(digits, 21, 100));
	CHECK(pread(fd, digits, 1, 50) == (ssize_t)added_up(50));
	CHECK(pwrite(fd, "", 0, 50) > 0);
	CHECK_ERROR(pread(fd, digits, sizeof(digits), MAX_N_DEFAULT + 1), EINVAL);
	CHECK_ERROR(pread(fd, digits, sizeof(digits), -1), EINVAL);
	CHECK_ERROR(pread(fd, digits, 1, INT64_MAX), EINVAL);
	CHECK_ERROR(pwrite(fd, "", 0, MAX_N_DEFAULT + 1), EINVAL);
	CHECK(lseek(fd, 0, SEEK_CUR) == 7);
}

static void writes(void)
{
	static const char text[] = "testing writing";
	static char large[1 << 20];
	int fd = open_at(20000);
	size_t size;

	CHECK(write(fd, text, strlen(text)) == 1);
	for (size = 0; size < STRATEGIES; size++) {
		uint64_t begin = now_ns();
		ssize_t ns = write(fd, text, size);

		CHECK(ns > 0 && (uint64_t)ns <= now_ns() - begin);
	}
	for (size = STRATEGIES; size < 40; size++)
		if (size != strlen(text))
			CHECK_ERROR(write(fd, large, size), EINVAL);
	CHECK_ERROR(write(fd, large, sizeof(large)), EINVAL);
	CHECK(lseek(fd, 0, SEEK_CUR) == 20000);
}

static void files_apart(void)
{
	int a = open_at(10), b = open_at(20), shared = dup(a);

	CHECK(shared >= 0);
	check_number(a, 10);
	check_number(b, 20);
	CHECK(lseek(shared, 30, SEEK_SET) == 30);
	check_number(a, 30);
	check_number(b, 20);
}

static void directions(void)
{
	int in = open(DEVICE, O_RDONLY), out = open(DEVICE, O_WRONLY);
	char byte;

	CHECK(in >= 0 && out >= 0);
	CHECK(read(in, &byte, 1) == 0);
	CHECK(write(out, &byte, 0) > 0);
	CHECK_ERROR(write(in, &byte, 0), EBADF);
	CHECK_ERROR(read(out, &byte, 1), EBADF);
}

static void limit(void)
{
	int fd = open_at(MAX_N_DEFAULT);
	char digits[100];

	CHECK(put(MAX_N, "100"));
	CHECK(lseek(open_at(100), 0, SEEK_END) == 100);
	CHECK_ERROR(lseek(open_at(0), 101, SEEK_SET), EINVAL);
	/* left outside, until it moves */
	CHECK_ERROR(read(fd, digits, sizeof(digits)), EINVAL);
	CHECK_ERROR(read(fd, digits, 1), EINVAL);
	CHECK_ERROR(write(fd, digits, 0), EINVAL);
	CHECK_ERROR(ioctl(fd, FIB_IOC_LENGTH, digits), EINVAL);
	CHECK(lseek(fd, -1, SEEK_END) == 99);
	check_number(fd, 99);

	CHECK(!put(MAX_N, "10000001") && errno == EINVAL);
	CHECK(!put(MAX_N, "-1") && errno == EINVAL);
	CHECK(!put(MAX_N, "many") && errno == EINVAL);
	CHECK(lseek(fd, 0, SEEK_END) == 100);
	CHECK(put(MAX_N, "0"));
	CHECK(lseek(fd, 0, SEEK_END) == 0);
	CHECK(put(MAX_N, "10000000"));
	/* where the value under the floor comes nearest to an integer, and at the end */
	CHECK(length_at(open_at(7499627)) == 1567330);
	CHECK(length_at(open_at(10000000)) == 2089877);
	CHECK(put(MAX_N, "1000000"));
}

const struct test_case protocol_cases[] = {
	{"lseek within and beyond", seeking},
	{"a read of one byte returns F(n), up to F(92)", one_byte},
	{"lengths and digits of F(0) to F(1500)", every_small_number},
	{"lengths and digits of large numbers", large_numbers},
	{"reads shorter and longer than the number", short_and_long_reads},
	{"pread and pwrite bring their own n", positions_in_the_call},
	{"writes: 15 bytes, strategies, others", writes},
	{"each open file has its position", files_apart},
	{"files open for one direction", directions},
	{"max_n changes while files are open", limit},
	{NULL, NULL},
};
