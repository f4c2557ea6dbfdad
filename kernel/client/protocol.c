// SPDX-License-Identifier: MIT
/* The results of every system call on the device by either protocol, from one process. */
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
	CHECK(pread(fd, whole, sizeof(whole), 300) == (ssize_t)length);
	CHECK(pread(fd, whole, 0, 300) == 0);
	for (size = 2; size <= 100; size++) {
		size_t count = size < length ? size : length;
		char buffer[200], *end = guarded(count);

		memset(buffer, '#', sizeof(buffer));
		CHECK(pread(fd, buffer, size, 300) == (ssize_t)count);
		CHECK(!memcmp(buffer, whole, count));
		CHECK(buffer[count] == '#');
		/* the buffer beyond the digits is not touched: it would fault */
		CHECK(pread(fd, end, size, 300) == (ssize_t)count);
		CHECK(!memcmp(end, whole, count));
	}
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

/* As with a regular file: always ready, with nothing to wait for. */
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

/* Computing is not waiting: O_NONBLOCK allows it, RWF_NOWAIT does not and fails. */
static void no_blocking(void)
{
	int fd = open(DEVICE, O_RDWR | O_NONBLOCK);
	char digits[300];
	struct iovec room = {digits, sizeof(digits)};

	CHECK(fd >= 0);
	CHECK(lseek(fd, 100000, SEEK_SET) == 100000);
	check_number(fd, 100000);
	CHECK(time_of(fd, SQUARING) >= 0);
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
	/* the n whose value under the floor is nearest to an integer, and the last one */
	CHECK(length_at(open_at(7499627)) == 1567330);
	CHECK(length_at(open_at(10000000)) == 2089877);
}

const struct test_case protocol_cases[] = {
	{"lseek within and beyond", seeking},
	{"lengths and digits of F(0) to F(1500)", every_small_number},
	{"lengths and digits of large numbers", large_numbers},
	{"reads shorter and longer than the number", short_and_long_reads},
	{"each open file has its position", files_apart},
	{"anyone may use it, and root set it", permissions},
	{"poll, select and epoll", readiness},
	{"O_NONBLOCK and RWF_NOWAIT", no_blocking},
	{"max_n changes while files are open", limit},
	{NULL, NULL},
};
