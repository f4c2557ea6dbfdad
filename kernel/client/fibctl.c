// SPDX-License-Identifier: MIT
/* fibctl - ask /dev/fibonacci from the command line. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "../fibdrv.h"

#define DEVICE "/dev/fibonacci"

/* In the order of their numbers. */
static const char *const strategies[] = {"squaring", "doubling", "iterative"};

#define STRATEGIES (sizeof(strategies) / sizeof(strategies[0]))

static const char usage[] =
	"usage: fibctl [number] N            F(N) in decimal\n"
	"       fibctl length N              how many digits that is\n"
	"       fibctl time N [STRATEGY]     nanoseconds the kernel takes for F(N) by\n"
	"                                    squaring, doubling, iterative (or by all)\n";

__attribute__((noreturn, format(printf, 2, 3))) static void die(int status, const char *format, ...)
{
	va_list arguments;

	fputs("fibctl: ", stderr);
	va_start(arguments, format);
	vfprintf(stderr, format, arguments);
	va_end(arguments);
	fputc('\n', stderr);
	exit(status);
}

static int64_t parse(const char *s)
{
	char *end;
	int64_t n;

	errno = 0;
	n = strtoll(s, &end, 10);
	if (*s < '0' || *s > '9' || *end || errno)
		die(2, "N is a whole number from 0 on, not '%s'", s);
	return n;
}

static int open_at(int64_t n)
{
	int fd = open(DEVICE, O_RDWR | O_CLOEXEC);

	if (fd < 0 && errno == ENOENT)
		die(1, "there is no %s: load the module with 'modprobe fibdrv'", DEVICE);
	if (fd < 0)
		die(1, "%s: %s", DEVICE, strerror(errno));
	if (lseek(fd, n, SEEK_SET) < 0)
		die(2, "N goes up to %" PRId64 " (set it in /sys/module/fibdrv/parameters/max_n)",
		    (int64_t)lseek(fd, 0, SEEK_END));
	return fd;
}

static size_t ask_length(int fd)
{
	__u64 length;

	if (ioctl(fd, FIB_IOC_LENGTH, &length))
		die(1, "%s: %s", DEVICE, strerror(errno));
	return length;
}

static void print_number(int fd)
{
	size_t length = ask_length(fd);
	/* with values=1, a read of one byte would return F(n) instead of reading a digit */
	char *digits = malloc(length + 1);
	ssize_t got;

	if (!digits)
		die(1, "no memory for %zu digits", length);
	got = read(fd, digits, length + 1);
	if (got < 0)
		die(1, "%s: %s", DEVICE, strerror(errno));
	digits[got] = '\n';
	fwrite(digits, 1, got + 1, stdout);
	free(digits);
}

static void print_time(int fd, size_t strategy)
{
	struct fib_time asked = {.strategy = strategy};

	if (ioctl(fd, FIB_IOC_TIME, &asked))
		die(1, "%s: %s", DEVICE, strerror(errno));
	printf("%-10s %" PRIu64 " ns\n", strategies[strategy], (uint64_t)asked.ns);
}

static void print_times(int fd, const char *only)
{
	size_t i;

	for (i = 0; i < STRATEGIES; i++) {
		if (only && strcmp(only, strategies[i]))
			continue;
		print_time(fd, i);
		if (only)
			return;
	}
	if (only)
		die(2, "no strategy '%s': there are squaring, doubling, iterative", only);
}

int main(int argc, char **argv)
{
	const char *command = "number";

	if (argc > 1 && (!strcmp(argv[1], "-h") || !strcmp(argv[1], "--help"))) {
		fputs(usage, stdout);
		return 0;
	}
	if (argc > 2) {
		command = argv[1];
		argc--;
		argv++;
	}
	if (!strcmp(command, "number") && argc == 2) {
		print_number(open_at(parse(argv[1])));
	} else if (!strcmp(command, "length") && argc == 2) {
		printf("%zu\n", ask_length(open_at(parse(argv[1]))));
	} else if (!strcmp(command, "time") && (argc == 2 || argc == 3)) {
		print_times(open_at(parse(argv[1])), argc == 3 ? argv[2] : NULL);
	} else {
		fputs(usage, stderr);
		return 2;
	}
	if (fflush(stdout) || ferror(stdout))
		die(1, "standard output: %s", strerror(errno));
	return 0;
}
