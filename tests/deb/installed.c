/* SPDX-License-Identifier: MIT */
/*
 * installed.c - what the packages installed: F(1000) by the library, and where a device is
 * named, by that.  0 if it is right, 1 if not, 2 if there is no asking.
 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <carrychain/fib.h>
#include <carrychain/fibdrv.h>

#define N 1000

static const char expected[] =
	"4346655768693745643568852767504062580256466051737178040248172908953655541794905"
	"1890403879840079255169295922593080322634775209689623239873322471161642996440906"
	"533187938298969649928516003704476137795166849228875";

static int device(const char *path)
{
	char digits[sizeof(expected)] = "";
	__u64 length = 0;
	int fd = open(path, O_RDONLY);

	if (fd < 0 || lseek(fd, N, SEEK_SET) != N || ioctl(fd, FIB_IOC_LENGTH, &length) ||
	    read(fd, digits, sizeof(digits)) < 0) {
		perror(path);
		return 2;
	}
	printf("%s: F(%d) has %llu digits\n", path, N, (unsigned long long)length);
	return length != sizeof(expected) - 1 || strcmp(digits, expected);
}

int main(int argc, char **argv)
{
	char *digits;
	size_t length;
	int wrong;

	if (cc_fib_decimal(&digits, &length, N, NULL)) {
		fputs("no memory\n", stderr);
		return 2;
	}
	printf("libcarrychain: F(%d) has %zu digits\n", N, length);
	wrong = length != sizeof(expected) - 1 || strcmp(digits, expected);
	cc_string_free(digits);
	return !wrong && argc > 1 ? device(argv[1]) : wrong;
}
