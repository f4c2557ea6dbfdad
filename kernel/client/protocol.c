// SPDX-License-Identifier: MIT
/* What every system call on the device answers, one process asking. */
#include "test.h"

#include <poll.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/uio.h>

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

		CHECK(returned(read(fd, &byte, 1), added_up(n < 92 ? n : 92)));
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

/* One call whatever its segments: F(300) in pieces, and no number in place of a digit. */
static void in_pieces(void)
{
	int fd = open_at(300);
	char whole[64], a[5], b, c[100];
	struct iovec pieces[] = {{a, sizeof(a)}, {&b, 1}, {c, sizeof(c)}}, none = {whole, 0};

	CHECK(read(fd, whole, sizeof(whole)) == 63);
	CHECK(readv(fd, pieces, 3) == 63);
	CHECK(!memcmp(a, whole, 5) && b == whole[5] && !memcmp(c, whole + 6, 57));
	CHECK(readv(fd, pieces + 1, 1) != 1);
	CHECK(readv(fd, (struct iovec[]){pieces[1], none}, 2) == 1 && b == whole[0]);
	CHECK(readv(fd, (struct iovec[]){none, pieces[1]}, 2) == 1 && b == whole[0]);
	CHECK_ERROR(writev(fd, pieces, 3), EINVAL);
	/* 15 bytes, or 2, but not in one piece */
	CHECK_ERROR(writev(fd, (struct iovec[]){{c, 10}, {c, 5}}, 2), EINVAL);
	CHECK_ERROR(writev(fd, (struct iovec[]){pieces[1], pieces[1]}, 2), EINVAL);
	CHECK(writev(fd, (struct iovec[]){{c, 15}}, 1) == 1);
	CHECK(writev(fd, (struct iovec[]){{c, 2}}, 1) > 0);
}

static void positions_in_the_call(void)
{
	int fd = open_at(7);
	char digits[64];

	CHECK(pread(fd, digits, sizeof(digits), 100) == 21);
	CHECK(is_fibonacci(digits, 21, 100));
	CHECK(returned(pread(fd, digits, 1, 50), added_up(50)));
	CHECK(took_time(pwrite(fd, "", 0, 50)));
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

		CHECK(took_time(ns) && (ns < 0 || (uint64_t)ns <= now_ns() - begin));
	}
	for (size = STRATEGIES; size < 40; size++)
		if (size != strlen(text))
			CHECK_ERROR(write(fd, large, size), EINVAL);
	CHECK_ERROR(write(fd, large, sizeof(large)), EINVAL);
	CHECK(lseek(fd, 0, SEEK_CUR) == 20000);
}

#if LONG_MAX == INT_MAX
/* More nanoseconds than ssize_t holds here: refused, and not by what is left of them. */
static void long_times(void)
{
	static const char nothing[ITERATIVE];
	bool refused = false;
	int64_t n;

	CHECK(put(MAX_N, "10000000"));
	for (n = 100000; !refused && n <= 6400000; n *= 2) {
		int fd = open_at(n);
		uint64_t begin = now_ns(), took;
		ssize_t ns = write(fd, nothing, ITERATIVE);

		refused = ns < 0;
		CHECK(!refused || errno == EOVERFLOW);
		took = now_ns() - begin;
		CHECK(refused ? took > INT_MAX : (uint64_t)ns <= took);
		close(fd);
	}
	CHECK(refused);
}
#endif

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

static void permissions(void)
{
	struct stat device;

	CHECK(stat(DEVICE, &device) == 0);
	CHECK(S_ISCHR(device.st_mode) && (device.st_mode & 0777) == 0666);
	CHECK(device.st_rdev == makedev(10, 246));
	CHECK(setgid(65534) == 0 && setuid(65534) == 0);
	check_number(open_at(1000), 1000);
	CHECK(!put(MAX_N, "100") && errno == EACCES);
}

/* As a regular file: always ready, and nothing to wait for. */
static void readiness(void)
{
	static const short events[] = {POLLIN, POLLOUT, POLLIN | POLLOUT};
	struct epoll_event event = {.events = EPOLLIN};
	int fd = open_at(MAX_N_DEFAULT), poller = epoll_create1(0);
	struct timeval forever = {INT_MAX, 0};
	fd_set in, out;
	size_t i;

	for (i = 0; i < sizeof(events) / sizeof(events[0]); i++) {
		struct pollfd asked = {fd, events[i], 0};

		CHECK(poll(&asked, 1, -1) == 1);
		CHECK(asked.revents == events[i]);
	}
	FD_ZERO(&in);
	FD_ZERO(&out);
	FD_SET(fd, &in);
	FD_SET(fd, &out);
	CHECK(select(fd + 1, &in, &out, NULL, &forever) == 2);
	CHECK(poller >= 0);
	CHECK_ERROR(epoll_ctl(poller, EPOLL_CTL_ADD, fd, &event), EPERM);
}

/* Work is no waiting; who won't have the work either is told that the device can't do without. */
static void no_blocking(void)
{
	int fd = open(DEVICE, O_RDWR | O_NONBLOCK);
	char digits[300];
	struct iovec room = {digits, sizeof(digits)};

	CHECK(fd >= 0);
	CHECK(lseek(fd, 100000, SEEK_SET) == 100000);
	check_number(fd, 100000);
	CHECK(took_time(write(fd, "", SQUARING)));
	CHECK(preadv2(fd, &room, 1, 1000, 0) == 209);
	CHECK_ERROR(preadv2(fd, &room, 1, 1000, RWF_NOWAIT), EOPNOTSUPP);
	CHECK_ERROR(pwritev2(fd, &room, 1, 1000, RWF_NOWAIT), EOPNOTSUPP);
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
}

const struct test_case protocol_cases[] = {
	{"lseek within and beyond", seeking},
	{"a read of one byte returns F(n), up to F(92)", one_byte},
	{"lengths and digits of F(0) to F(1500)", every_small_number},
	{"lengths and digits of large numbers", large_numbers},
	{"reads shorter and longer than the number", short_and_long_reads},
	{"readv and writev are one call", in_pieces},
	{"pread and pwrite bring their own n", positions_in_the_call},
	{"writes: 15 bytes, strategies, others", writes},
#if LONG_MAX == INT_MAX
	{"times of more than 2^31 ns", long_times},
#endif
	{"each open file has its position", files_apart},
	{"files open for one direction", directions},
	{"anyone may use it, and root set it", permissions},
	{"poll, select and epoll", readiness},
	{"O_NONBLOCK and RWF_NOWAIT", no_blocking},
	{"max_n changes while files are open", limit},
	{NULL, NULL},
};
