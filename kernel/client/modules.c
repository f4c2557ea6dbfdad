// SPDX-License-Identifier: MIT
/* Loads and unloads the modules; they are not loaded before and after. */
#include "test.h"

#include <signal.h>

static void arrive(void)
{
	CHECK(load("carrychain_math") == 0);
	CHECK(load("fibdrv") == 0);
	CHECK(access(DEVICE, R_OK | W_OK) == 0);
}

static void leave(void)
{
	CHECK(unload("fibdrv") == 0);
	CHECK(access(DEVICE, F_OK) && errno == ENOENT);
	CHECK(unload("carrychain_math") == 0);
}

static void twenty_times(void)
{
	int fd, i;

	for (i = 0; i < 20; i++) {
		arrive();
		fd = open_at(1000 + i);
		check_number(fd, 1000 + i);
		close(fd);
		leave();
		arrive();
		leave();
	}
}

static void in_use(void)
{
	int fd, i;

	CHECK(load("fibdrv") == ENOENT); /* its symbols are missing */
	arrive();
	CHECK(load("fibdrv") == EEXIST);
	CHECK(unload("carrychain_math") == EWOULDBLOCK);
	fd = open_at(1000);
	for (i = 0; i < 20; i++)
		CHECK(unload("fibdrv") == EWOULDBLOCK);
	check_number(fd, 1000);
	close(fd);
	leave();
}

static void read_version(const char *module, char version[32])
{
	char path[64];
	FILE *f;

	snprintf(path, sizeof(path), "/sys/module/%s/version", module);
	f = fopen(path, "r");
	CHECK(f && fgets(version, 32, f));
	fclose(f);
}

static void versions(void)
{
	char library[32], device[32];

	arrive();
	read_version("carrychain_math", library);
	read_version("fibdrv", device);
	CHECK(!strcmp(library, device));
	leave();
}

static void open_read_close(void)
{
	char digits[500];

	for (;;) {
		int fd = open(DEVICE, O_RDONLY);

		if (fd < 0) {
			CHECK(errno == ENOENT || errno == ENODEV || errno == ENXIO);
		} else {
			CHECK(pread(fd, digits, sizeof(digits), 2000) == 418);
			CHECK(is_fibonacci(digits, 418, 2000));
			close(fd);
		}
		usleep(random_below(3000));
	}
}

static void under_load(void)
{
	int refused = 0, i;
	pid_t pids[4];

	for (i = 0; i < 4; i++)
		pids[i] = spawn(open_read_close);
	for (i = 0; i < 20; i++) {
		uint64_t begin = now_ns();
		int err;

		arrive();
		usleep(10000);
		while ((err = unload("fibdrv"))) {
			CHECK(err == EWOULDBLOCK);
			CHECK(now_ns() - begin < 60000000000);
			refused++;
			usleep(random_below(2000));
		}
		CHECK(unload("carrychain_math") == 0);
	}
	for (i = 0; i < 4; i++) {
		int status;

		/* still running: none has failed a check */
		CHECK(waitpid(pids[i], &status, WNOHANG) == 0);
		kill(pids[i], SIGKILL);
		CHECK(waitpid(pids[i], &status, 0) == pids[i]);
	}
	note("refused while in use: %d times", refused);
}

const struct test_case module_cases[] = {
	{"loaded and unloaded, 20 times over", twenty_times},
	{"of one version", versions},
	{"not unloaded while in use", in_use},
	{"unloaded 20 times under load", under_load},
	{NULL, NULL},
};
