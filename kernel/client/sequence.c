// SPDX-License-Identifier: MIT
/*
 * The calls of the courses' client: a write at each position, F(0) to F(100) by reads of one
 * byte, and back.  The output is compared between machines; a number that does not fit ssize_t
 * prints a line of its own kind.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define LAST 100

static int failures;

static void read_at(int fd, off_t n)
{
	char byte;
	ssize_t got;

	if (lseek(fd, n, SEEK_SET) != n) {
		printf("%lld: no such position\n", (long long)n);
		failures++;
		return;
	}
	got = read(fd, &byte, 1);
	if (got >= 0) {
		printf("%lld: %lld\n", (long long)n, (long long)got);
	} else if (errno == EOVERFLOW) {
		printf("%lld: too large\n", (long long)n);
	} else {
		printf("%lld: %s\n", (long long)n, strerror(errno));
		failures++;
	}
}

int main(void)
{
	static const char greeting[] = "testing writing";
	int fd = open("/dev/fibonacci", O_RDWR);
	off_t n;

	if (fd < 0) {
		perror("/dev/fibonacci");
		return 1;
	}
	for (n = 0; n <= LAST; n++) {
		ssize_t wrote = write(fd, greeting, strlen(greeting));

		printf("greeting %lld: %lld\n", (long long)n, (long long)wrote);
		failures += wrote != 1;
	}
	for (n = 0; n <= LAST; n++)
		read_at(fd, n);
	for (n = LAST; n >= 0; n--)
		read_at(fd, n);
	printf("%d passed, %d failed, 0 skipped\n", 3 * (LAST + 1) - failures, failures);
	return failures > 0;
}
