// SPDX-License-Identifier: MIT
/* Pointers that lead nowhere: EFAULT, and the kernel goes on. */
#include "test.h"

#include <sys/mman.h>

/* Where no user space can be, whatever the machine. */
#define KERNEL_ADDRESS ((char *)-4096)

static char *no_page(int protection)
{
	size_t page = sysconf(_SC_PAGESIZE);
	char *p = mmap(NULL, page, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	CHECK(p != MAP_FAILED);
	return p;
}

static void reads(void)
{
	int fd = open_at(1000);
	char *unmapped = no_page(PROT_NONE);
	char *volatile null = NULL; /* which the compiler would not let through */

	CHECK(length_at(fd) == 209);
	CHECK_ERROR(read(fd, null, 300), EFAULT);
	CHECK_ERROR(read(fd, unmapped, 300), EFAULT);
	CHECK_ERROR(read(fd, unmapped, 2), EFAULT);
	CHECK_ERROR(read(fd, no_page(PROT_READ), 300), EFAULT);
	CHECK_ERROR(read(fd, KERNEL_ADDRESS, 300), EFAULT);
	CHECK_ERROR(read(fd, KERNEL_ADDRESS, 1), EFAULT);
	CHECK_ERROR(read(fd, (char *)-1, 300), EFAULT);
	/* the pointer of a read of one byte is never followed */
	CHECK(read(fd, unmapped, 1) == (ssize_t)added_up(92));
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
	char *unmapped = no_page(PROT_NONE);

	/* what is written is a size; the bytes are never looked at */
	CHECK(write(fd, unmapped, 15) == 1);
	CHECK(write(fd, unmapped, ITERATIVE) > 0);
	CHECK(write(fd, NULL, 0) > 0);
	CHECK_ERROR(write(fd, KERNEL_ADDRESS, 15), EFAULT);
	CHECK_ERROR(write(fd, KERNEL_ADDRESS, DOUBLING), EFAULT);
}

static void requests(void)
{
	int fd = open_at(1000);
	char *unmapped = no_page(PROT_NONE);

	CHECK_ERROR(ioctl(fd, FIB_IOC_LENGTH, NULL), EFAULT);
	CHECK_ERROR(ioctl(fd, FIB_IOC_LENGTH, unmapped), EFAULT);
	CHECK_ERROR(ioctl(fd, FIB_IOC_LENGTH, no_page(PROT_READ)), EFAULT);
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
