// SPDX-License-Identifier: MIT
/* Invalid pointers: EFAULT, and the kernel survives. */
#include "test.h"

#include <sys/mman.h>

static void reads(void)
{
	int fd = open_at(1000);
	char *unmapped = page_of(PROT_NONE);
	char *volatile null = NULL; /* volatile: hidden from the compiler */

	CHECK(length_at(fd) == 209);
	CHECK_ERROR(read(fd, null, 300), EFAULT);
	CHECK_ERROR(read(fd, unmapped, 300), EFAULT);
	CHECK_ERROR(read(fd, unmapped, 2), EFAULT);
	CHECK_ERROR(read(fd, page_of(PROT_READ), 300), EFAULT);
	CHECK_ERROR(read(fd, KERNEL_ADDRESS, 300), EFAULT);
	CHECK_ERROR(read(fd, (char *)-1, 300), EFAULT);
	check_number(fd, 1000);
}

/* The buffer begins in a page, and ends after it, where nothing is mapped. */
static void reads_across_an_edge(void)
{
	int fd = open_at(MAX_N_DEFAULT / 10);
	size_t length = length_at(fd), room;

	for (room = 1; room < length; room = 5 * room + 1)
		CHECK_ERROR(read(fd, guarded(room), length), EFAULT);
	CHECK(read(fd, guarded(length), length) == (ssize_t)length);
}

static void requests(void)
{
	int fd = open_at(1000);
	char *unmapped = page_of(PROT_NONE);

	CHECK_ERROR(ioctl(fd, FIB_IOC_LENGTH, NULL), EFAULT);
	CHECK_ERROR(ioctl(fd, FIB_IOC_LENGTH, unmapped), EFAULT);
	CHECK_ERROR(ioctl(fd, FIB_IOC_LENGTH, page_of(PROT_READ)), EFAULT);
	CHECK_ERROR(ioctl(fd, FIB_IOC_LENGTH, KERNEL_ADDRESS), EFAULT);
	CHECK_ERROR(ioctl(fd, FIB_IOC_TIME, NULL), EFAULT);
	CHECK_ERROR(ioctl(fd, FIB_IOC_TIME, unmapped), EFAULT);
	CHECK_ERROR(ioctl(fd, FIB_IOC_TIME, page_of(PROT_READ)), EFAULT);
	CHECK_ERROR(ioctl(fd, FIB_IOC_TIME, KERNEL_ADDRESS), EFAULT);
	CHECK_ERROR(ioctl(fd, FIB_IOC_LENGTH + 1, unmapped), ENOTTY);
	CHECK_ERROR(ioctl(fd, 0, unmapped), ENOTTY);
	CHECK_ERROR(ioctl(fd, -1, KERNEL_ADDRESS), ENOTTY);
	CHECK(length_at(fd) == 209);
}

const struct test_case pointer_cases[] = {
	{"reads to bad pointers", reads},
	{"reads across the edge of what is mapped", reads_across_an_edge},
	{"ioctl: bad pointers and unknown requests", requests},
	{NULL, NULL},
};
