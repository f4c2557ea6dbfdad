// SPDX-License-Identifier: MIT
/*
 * With values=1, some calls return a number instead of a count. It must fit ssize_t, and their
 * pointers are not followed.
 */
#include "test.h"

#include <sys/mman.h>
#include <sys/uio.h>

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

/* One call for all segments: F(300) in pieces, and never a number instead of a digit. */
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
/* More nanoseconds than ssize_t holds: the call fails, and does not truncate them. */
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

/*
 * Whether a call that does not follow its pointer returned @value; or EFAULT, if the kernel
 * rejects such pointers itself, which a write to /dev/null shows.
 */
static bool unfollowed(ssize_t got, char *p, size_t size, uint64_t value)
{
	int err = errno, null = open("/dev/null", O_WRONLY | O_CLOEXEC);
	bool through;

	CHECK(null >= 0);
	through = write(null, p, size) == (ssize_t)size;
	close(null);
	errno = err;
	return through ? returned(got, value) : got == -1 && err == EFAULT;
}

static void bad_pointers(void)
{
	int fd = open_at(1000);
	char *unmapped = page_of(PROT_NONE);
	ssize_t got;

	CHECK(lseek(fd, 46, SEEK_SET) == 46);
	CHECK(read(fd, unmapped, 1) == (ssize_t)added_up(46));
	CHECK(unfollowed(read(fd, KERNEL_ADDRESS, 1), KERNEL_ADDRESS, 1, added_up(46)));
	CHECK(lseek(fd, 1000, SEEK_SET) == 1000);
	CHECK(write(fd, unmapped, 15) == 1);
	CHECK(write(fd, unmapped, ITERATIVE) > 0);
	CHECK(write(fd, NULL, 0) > 0);
	CHECK(unfollowed(write(fd, KERNEL_ADDRESS, 15), KERNEL_ADDRESS, 15, 1));
	got = write(fd, KERNEL_ADDRESS, DOUBLING);
	CHECK(unfollowed(got, KERNEL_ADDRESS, DOUBLING, got));
}

const struct test_case value_cases[] = {
	{"a read of one byte returns F(n), up to F(92)", one_byte},
	{"readv and writev are one call", in_pieces},
	{"pread and pwrite bring their own n", positions_in_the_call},
	{"writes: 15 bytes, strategies, others", writes},
#if LONG_MAX == INT_MAX
	{"times of more than 2^31 ns", long_times},
#endif
	{"files open for one direction", directions},
	{"reads and writes that follow no pointer", bad_pointers},
	{NULL, NULL},
};
