// SPDX-License-Identifier: MIT
/*
 * Times /dev/fibonacci from user space, and GMP: what a measuring kernel runs.
 *
 * For each n, the time around a write that computes F(n), minus the time that the write
 * reports, is the cost of the system call; and the time around a read of the digits is what a
 * user waits.  The results are medians of samples, each of them a sweep over all n.
 */
#include <errno.h>
#include <fcntl.h>
#include <gmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <time.h>
#include <unistd.h>

#define SAMPLES 21
#define POINTS 1001
#define LEAST_OF 101
#define DIGITS_MAX 32768

enum what { TRANSFER, READ, WHATS };

static const char *const names[] = { "transfer", "read" };
static long times[WHATS][POINTS][SAMPLES];

static long now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000L + t.tv_nsec;
}

static void halt(void)
{
	fflush(stdout);
	reboot(RB_POWER_OFF);
	exit(1);
}

static void fail(const char *what)
{
	printf("%s: %s\n", what, strerror(errno));
	halt();
}

static int compare(const void *a, const void *b)
{
	long x = *(const long *)a, y = *(const long *)b;

	return x < y ? -1 : x > y;
}

static void sweep(int device, int points, int step)
{
	static char digits[DIGITS_MAX];
	int i, sample;

	for (sample = 0; sample < SAMPLES; sample++) {
		for (i = 0; i < points; i++) {
			long begin, inside, end;

			begin = now();
			inside = pwrite(device, digits, 0, (off_t)i * step);
			end = now();
			if (inside < 0)
				fail("write");
			times[TRANSFER][i][sample] = end - begin - inside;
			begin = now();
			if (pread(device, digits, sizeof(digits), (off_t)i * step) < 1)
				fail("read");
			times[READ][i][sample] = now() - begin;
		}
	}
}

static void report(int points, int step)
{
	int what, i;

	for (what = 0; what < WHATS; what++) {
		printf("carrychain-result {\"user\": \"%s\", \"first\": 0, \"step\": %d, \"ns\": [",
		       names[what], step);
		for (i = 0; i < points; i++) {
			qsort(times[what][i], SAMPLES, sizeof(long), compare);
			printf("%s%ld", i ? "," : "", times[what][i][SAMPLES / 2]);
		}
		printf("]}\n");
	}
}

static void gmp_decimals(unsigned long n, int calls)
{
	static char digits[DIGITS_MAX];
	long least = 0, begin;
	int sample, i;

	for (sample = 0; sample < LEAST_OF; sample++) {
		begin = now();
		for (i = 0; i < calls; i++) {
			mpz_t f;

			mpz_init(f);
			mpz_fib_ui(f, n);
			mpz_get_str(digits, 10, f);
			mpz_clear(f);
		}
		begin = now() - begin;
		if (!sample || begin < least)
			least = begin;
	}
	printf("carrychain-result {\"decimals\": \"GMP %s\", ", gmp_version);
	printf("\"n\": %lu, \"calls\": %d, \"ns\": %ld}\n", n, calls, least);
}

int main(void)
{
	int device;

	if (mount("none", "/dev", "devtmpfs", 0, NULL))
		fail("mount");
	device = open("/dev/fibonacci", O_RDWR);
	if (device < 0)
		fail("open");
	sweep(device, POINTS, 1);
	report(POINTS, 1);
	sweep(device, 201, 50);
	report(201, 50);
	gmp_decimals(100, 1000);
	gmp_decimals(1000, 1000);
	gmp_decimals(10000, 100);
	gmp_decimals(100000, 4);
	halt();
}
