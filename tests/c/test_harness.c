// SPDX-License-Identifier: MIT
/* A program that hangs ends by itself, with the name of its case and the count; no other does. */
#include "harness.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void sleep_ms(long ms)
{
	struct timespec rest = {ms / 1000, ms % 1000 * 1000000};

	while (nanosleep(&rest, &rest))
		;
}

static void sleeping(void)
{
	for (;;)
		pause();
}

static void locked(void)
{
	pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

	for (;;)
		pthread_mutex_lock(&mutex);
}

static void at_work(void)
{
	volatile unsigned int x = 0;

	for (;;)
		x++;
}

static void counting(void)
{
	clock_t begun = clock();

	while (clock() - begun < CLOCKS_PER_SEC / 2)
		CHECK(true, "none");
}

/* What a child prints that runs @run within narrow limits, and its status. */
static int narrowly(void (*run)(void), double asleep, bool stopped, char *said, size_t size)
{
	int ends[2], status = -1;
	size_t length = 0;
	ssize_t more;
	pid_t child;

	if (pipe(ends))
		return -1;
	fflush(stdout);
	child = fork();
	if (!child) {
		dup2(ends[1], STDOUT_FILENO);
		close(ends[1]);
		test_limits(asleep, 0.3);
		run();
		_exit(0);
	}
	close(ends[1]);
	if (stopped) {
		kill(child, SIGSTOP);
		sleep_ms(3000);
		kill(child, SIGCONT);
	}
	while ((more = read(ends[0], said + length, size - 1 - length)) > 0)
		length += (size_t)more;
	said[length] = '\0';
	close(ends[0]);
	if (waitpid(child, &status, 0) != child || !WIFEXITED(status))
		return -1;
	return WEXITSTATUS(status);
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*run)(void);
		double asleep;
		bool stopped;
		const char *why; /* NULL if it is none that hangs */
	} programs[] = {
		{"one that sleeps", sleeping, 1, false, "hangs asleep"},
		{"one that waits for a lock", locked, 1, false, "hangs asleep"},
		{"one that works in vain", at_work, 1, false, "hangs at work"},
		/* a busy machine may keep it waiting */
		{"one that counts", counting, 2, false, NULL},
		{"one that is stopped", counting, 2, true, NULL},
	};
	size_t i;

	test_begin(argc, argv);
	for (i = 0; i < COUNT(programs); i++) {
		char said[1000] = "", begins[200];
		unsigned long long passed, failed, skipped;
		int status;

		test_case(NULL, programs[i].name);
		test_sizes(i, 2, 3);
		status = narrowly(programs[i].run, programs[i].asleep, programs[i].stopped, said,
				  sizeof(said));
		if (!programs[i].why) {
			CHECK(!status && !*said, "status %d: %s", status, said);
			continue;
		}
		snprintf(begins, sizeof(begins), "%s: %s; sizes %zu 2 3; --seed ", programs[i].name,
			 programs[i].why, i);
		CHECK(status == 1 && !strncmp(said, begins, strlen(begins)), "status %d: %s",
		      status, said);
		CHECK(strchr(said, '\n') &&
			      sscanf(strchr(said, '\n'), " %llu passed, %llu failed, %llu skipped",
				     &passed, &failed, &skipped) == 3 &&
			      passed == i && failed == 1 && !skipped,
		      "%s", said);
	}
	return test_end();
}
