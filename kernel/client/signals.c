// SPDX-License-Identifier: MIT
/* Signals during long work: the fatal ones answered soon, the others when it is done. */
#include "test.h"

#include <signal.h>
#include <sys/time.h>

static void read_on(void)
{
	static char digits[MAX_N_DEFAULT];
	int fd = open_at(MAX_N_DEFAULT);

	for (;;)
		CHECK(read(fd, digits, sizeof(digits)) == 208988);
}

static void write_on(size_t strategy)
{
	int fd = open_at(MAX_N_DEFAULT);

	for (;;)
		CHECK(write(fd, "", strategy) > 0);
}

static void write_squaring(void)
{
	write_on(SQUARING);
}

static void write_doubling(void)
{
	write_on(DOUBLING);
}

static void write_iterative(void)
{
	write_on(ITERATIVE);
}

/* Many times, each at another moment of the work. */
static void kill_during(void (*work)(void), uint64_t moments_ms)
{
	static const int fatal[] = {SIGKILL, SIGTERM, SIGINT};
	uint64_t worst = 0;
	int i;

	for (i = 0; i < 30; i++) {
		int status, sig = fatal[i % 3];
		pid_t pid = spawn(work);
		uint64_t begin, took;

		usleep(5000 + random_below(moments_ms * 1000));
		begin = now_ns();
		CHECK(kill(pid, sig) == 0);
		CHECK(waitpid(pid, &status, 0) == pid);
		took = now_ns() - begin;
		if (took > worst)
			worst = took;
		CHECK(WIFSIGNALED(status) && WTERMSIG(status) == sig);
		CHECK(took <= (uint64_t)patience * 1000000);
	}
	note("worst of %d answers: %llu us (allowed: %ld)", i, (unsigned long long)worst / 1000,
	     patience * 1000);
}

/* How long the work takes once, so that the moments are spread over it. */
static uint64_t reading_ms(void)
{
	uint64_t begin = now_ns();

	check_number(open_at(MAX_N_DEFAULT), MAX_N_DEFAULT);
	return (now_ns() - begin) / 1000000 + 1;
}

static void killed_reading(void)
{
	kill_during(read_on, reading_ms());
}

static void killed_squaring(void)
{
	kill_during(write_squaring, reading_ms());
}

static void killed_doubling(void)
{
	kill_during(write_doubling, reading_ms());
}

static void killed_iterating(void)
{
	kill_during(write_iterative, reading_ms());
}

static volatile sig_atomic_t alarms;

static void count_alarm(int sig)
{
	(void)sig;
	alarms++;
}

static void handled_signals(void)
{
	struct itimerval each_ms = {.it_interval = {0, 1000}, .it_value = {0, 1000}};
	struct sigaction action = {.sa_handler = count_alarm};
	int fd = open_at(MAX_N_DEFAULT);

	CHECK(sigaction(SIGALRM, &action, NULL) == 0);
	CHECK(setitimer(ITIMER_REAL, &each_ms, NULL) == 0);
	check_number(fd, MAX_N_DEFAULT);
	CHECK(write(fd, "", SQUARING) > 0);
	CHECK(alarms > 0);
}

const struct test_case signal_cases[] = {
	{"killed during a read of F(10^6)", killed_reading},
	{"killed while squaring", killed_squaring},
	{"killed while doubling", killed_doubling},
	{"killed while iterating", killed_iterating},
	{"handled signals leave the work alone", handled_signals},
	{NULL, NULL},
};
