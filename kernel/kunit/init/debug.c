// SPDX-License-Identifier: MIT
/*
 * What the debugging kernel runs after its suites: reads of /dev/fibonacci in which each
 * allocation fails in turn (failslab), then a search for leaks.  It is one process that never
 * forks, because forking triggers a warning of lockdep about itself in this kernel.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <unistd.h>

#define LEAKS "/sys/kernel/debug/kmemleak"

/* Objects must be 5 s old to count. */
#define LEAK_AGE 6

/* In the format that the suites' runner reads. */
static void fail(const char *what)
{
	printf("BUG: %s: %s\n", what, strerror(errno));
	fflush(stdout);
	reboot(RB_POWER_OFF);
	exit(1);
}

static void put(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY);

	if (fd < 0 || write(fd, text, strlen(text)) < 0)
		fail(path);
	close(fd);
}

static void mount_all(void)
{
	if (mount("none", "/proc", "proc", 0, NULL) || mount("none", "/sys", "sysfs", 0, NULL) ||
	    mount("none", "/sys/kernel/debug", "debugfs", 0, NULL) ||
	    mount("none", "/dev", "devtmpfs", 0, NULL))
		fail("mount");
}

/* Reads F(@n) with its first, second, ... allocation failing, until none fails. */
static void failing_reads(long n)
{
	static char whole[4096], digits[4096];
	int device = open("/dev/fibonacci", O_RDWR), nth = open("/proc/self/fail-nth", O_RDWR);
	ssize_t length;
	int at, failed = 0;

	if (device < 0 || nth < 0)
		fail("open");
	length = pread(device, whole, sizeof(whole), n);
	if (length <= 0)
		fail("pread");
	for (at = 1;; at++) {
		char left[16] = "";
		ssize_t got;

		snprintf(left, sizeof(left), "%d", at);
		if (pwrite(nth, left, strlen(left), 0) < 0)
			fail("fail-nth");
		got = pread(device, digits, sizeof(digits), n);
		if (got < 0 && errno != ENOMEM)
			fail("a read with failing memory");
		failed += got < 0;
		if (got >= 0 && (got != length || memcmp(digits, whole, length)))
			fail("a read with failing memory gave other digits");
		memset(left, 0, sizeof(left));
		if (pread(nth, left, sizeof(left) - 1, 0) < 0)
			fail("fail-nth");
		if (pwrite(nth, "0", 1, 0) < 0)
			fail("fail-nth");
		if (atoi(left))
			break;
	}
	if (!failed)
		fail("no read failed");
	printf("failslab: F(%ld), %d allocations failed in turn, %d reads with them\n", n, at - 1,
	       failed);
	close(device);
	close(nth);
}

static void look_for_leaks(void)
{
	char text[4096];
	ssize_t length;
	int fd;

	put(LEAKS, "scan");
	sleep(LEAK_AGE);
	put(LEAKS, "scan");
	fd = open(LEAKS, O_RDONLY);
	if (fd < 0)
		fail(LEAKS);
	while ((length = read(fd, text, sizeof(text))) > 0)
		fwrite(text, 1, length, stdout);
	printf("leaks looked for\n");
}

int main(void)
{
	mount_all();
	put("/sys/kernel/debug/failslab/ignore-gfp-wait", "N");
	put("/sys/kernel/debug/failslab/verbose", "0");
	failing_reads(100);
	failing_reads(1000);
	failing_reads(10000);
	look_for_leaks();
	fflush(stdout);
	reboot(RB_POWER_OFF);
	return 0;
}
