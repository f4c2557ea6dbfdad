// SPDX-License-Identifier: MIT
/* Pointers that lead nowhere: EFAULT, and the kernel goes on. */
#include "test.h"

#include <sys/mman.h>

/*
 * The kernel's, or nobody's: where user space has addresses of its own (s390x), or ends far
 * above what a 32-bit program can name, it is an address like others with nothing at it.
 */
#define KERNEL_ADDRESS ((char *)-4096)

/*
 * Whether a call that follows no pointer returned @value or, where the kernel lets no such
 * pointer through at all, EFAULT: a write to /dev/null says which.
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

static void reads(void)
{
	int fd = open_at(1000);
	char *unmapped = page_of(PROT_NONE);
	char *volatile null = NULL; /* which the compiler would not let through */

	CHECK(length_at(fd) == 209);
	CHECK_ERROR(read(fd, null, 300), EFAULT);
	CHECK_ERROR(read(fd, unmapped, 300), EFAULT);
	CHECK_ERROR(read(fd, unmapped, 2), EFAULT);
	CHECK_ERROR(read(fd, page_of(PROT_READ), 300), EFAULT);
	CHECK_ERROR(read(fd, KERNEL_ADDRESS, 300), EFAULT);
	CHECK_ERROR(read(fd, (char *)-1, 300), EFAULT);
	CHECK(lseek(fd, 46, SEEK_SET) == 46);
	CHECK(read(fd, unmapped, 1) == (ssize_t)added_up(46));
	CHECK(unfollowed(read(fd, KERNEL_ADDRESS, 1), KERNEL_ADDRESS, 1, added_up(46)));
	CHECK(lseek(fd, 1000, SEEK_SET) == 1000);
	check_number(fd, 1000);
}

/* The number begins in a page and ends in none. */
static void reads_across_an_edge(void)
{
	int fd = open_at(MAX_N_DEFAULT / 10);
	size_t length = length_at(fd), room;

	for (room = 1; room < length; room = 5 * room + 1)
		CHECK_ERROR(read(fd, guarded(room), length), EFAULT);
	CHECK(read(fd, guarded(length), length) == (ssize_t)length);
}

static void writes(void)
{
	int fd = open_at(1000);
	char *unmapped = page_of(PROT_NONE);
	ssize_t got;

	/* what is written is a size; the bytes are never looked at */
	CHECK(write(fd, unmapped, 15) == 1);
	CHECK(write(fd, unmapped, ITERATIVE) > 0);
	CHECK(write(fd, NULL, 0) > 0);
	CHECK(unfollowed(write(fd, KERNEL_ADDRESS, 15), KERNEL_ADDRESS, 15, 1));
	got = write(fd, KERNEL_ADDRESS, DOUBLING);
	CHECK(unfollowed(got, KERNEL_ADDRESS, DOUBLING, got));
}

static void requests(void)
{
	int fd = open_at(1000);
	char *unmapped = page_of(PROT_NONE);

	CHECK_ERROR(ioctl(fd, FIB_IOC_LENGTH, NULL), EFAULT);
	CHECK_ERROR(ioctl(fd, FIB_IOC_LENGTH, unmapped), EFAULT);
	CHECK_ERROR(ioctl(fd, FIB_IOC_LENGTH, page_of(PROT_READ)), EFAULT);
	CHECK_ERROR(ioctl(fd, FIB_IOC_LENGTH, KERNEL_ADDRESS), EFAULT);
	CHECK_ERROR(ioctl(fd, FIB_IOC_LENGTH + 1, unmapped), ENOTTY);
	CHECK_ERROR(ioctl(fd, 0, unmapped), ENOTTY);
	CHECK_ERROR(ioctl(fd, -1, KERNEL_ADDRESS), ENOTTY);
	CHECK(length_at(fd) == 209);
}

const struct test_case pointer_cases[] = {
	{"reads to bad pointers", reads},
	{"reads across the edge of what is mapped", reads_across_an_edge},
	{"writes from bad pointers", writes},
	{"ioctl: bad pointers and unknown requests", requests},
	{NULL, NULL},
};
