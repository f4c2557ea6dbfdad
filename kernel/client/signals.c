// SPDX-License-Identifier: MIT
/*
 * Signals at random moments of long work: any that is not ignored ends it soon.  Soon is a
 * quarter of what the whole call was just measured to take, where that is more than the 100 ms
 * which are promised of a machine that is neither emulated nor busy.
 */
#include "test.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>

#define PROMISED_NS  100000000
#define LONG_WORK_NS 2000000000
#define N_LIMIT	     10000000

/* The work: a read, or a write by a strategy, at n; and the nanoseconds it takes. */
static int strategy;
static int64_t n;
static uint64_t whole;

enum { READING = -1 };

/* What the call returned; the digits at @digits, where there are any. */
static ssize_t work(int fd, char **digits)
{
	static char room[N_LIMIT / 4];

	*digits = room;
	return strategy == READING ? read(fd, room, sizeof(room)) : write(fd, "", strategy);
}

static void work_on(void)
{
	int fd = open_at(n);
	char *digits;

	for (;;)
		CHECK(took_time(work(fd, &digits)));
}

/* The least n, of those tried, where it takes long. */
static void choose(int which)
{
	char *digits;

	CHECK(put(MAX_N, "10000000"));
	strategy = which;
	n = N_LIMIT >> 10;
	do {
		uint64_t begin;
		int fd;

		n *= 2;
		fd = open_at(n);
		begin = now_ns();
		CHECK(took_time(work(fd, &digits)));
		whole = now_ns() - begin;
		close(fd);
	} while (whole < LONG_WORK_NS && n <= N_LIMIT / 2);
}

static void answered_in_time(uint64_t worst, int count)
{
	uint64_t allowed = whole / 4 > PROMISED_NS ? whole / 4 : PROMISED_NS;

	note("F(%lld) takes %llu ms; worst of %d answers: %llu us (allowed: %llu)", (long long)n,
	     (unsigned long long)whole / 1000000, count, (unsigned long long)worst / 1000,
	     (unsigned long long)allowed / 1000);
	CHECK(worst <= allowed);
}

static void at_random_moment(uint64_t within_ns)
{
	usleep(random_below(within_ns / 1000) + 1);
}

/* Those that dump core are not fatal at once for the kernel: it waits for the call to end. */
static void killed_at(int which, int count)
{
	static const int fatal[] = {SIGKILL, SIGTERM, SIGQUIT, SIGINT,	SIGABRT, SIGSEGV,
				    SIGXCPU, SIGHUP,  SIGALRM, SIGUSR1, SIGSYS,	 SIGTRAP};
	static const struct rlimit none = {0, 0};
	uint64_t worst = 0;
	int i;

	choose(which);
	CHECK(setrlimit(RLIMIT_CORE, &none) == 0);
	for (i = 0; i < count; i++) {
		pid_t pid = spawn(work_on);
		int status, sig = fatal[random_below(sizeof(fatal) / sizeof(fatal[0]))];
		uint64_t begin, took;

		usleep(5000);
		at_random_moment(whole);
		begin = now_ns();
		CHECK(kill(pid, sig) == 0);
		CHECK(waitpid(pid, &status, 0) == pid);
		took = now_ns() - begin;
		worst = took > worst ? took : worst;
		CHECK(WIFSIGNALED(status) && WTERMSIG(status) == sig);
	}
	answered_in_time(worst, count);
}

static void killed_reading(void)
{
	killed_at(READING, 12);
}

static void killed_squaring(void)
{
	killed_at(SQUARING, 6);
}

static void killed_doubling(void)
{
	killed_at(DOUBLING, 6);
}

static void killed_iterating(void)
{
	killed_at(ITERATIVE, 6);
}

static volatile sig_atomic_t handled;

static void handle(int sig)
{
	(void)sig;
	handled++;
}

static void handle_with(int sig, int flags)
{
	struct sigaction action = {.sa_handler = handle, .sa_flags = flags};

	CHECK(sigaction(sig, &action, NULL) == 0);
}

/* When the signal was sent: for both processes. */
static volatile uint64_t *sent;

static void send_at_random_moment(void)
{
	at_random_moment(whole);
	*sent = now_ns();
	CHECK(kill(getppid(), SIGUSR1) == 0);
}

static void handlers_run(void)
{
	uint64_t worst = 0, took;
	int i, ended = 0, fd;
	char *digits;

	sent = mmap(NULL, sizeof(*sent), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	CHECK(sent != MAP_FAILED);
	choose(READING);
	fd = open_at(n);
	for (i = 0; i < 10; i++) {
		ssize_t got;
		pid_t pid;

		handle_with(SIGUSR1, i % 2 ? SA_RESTART : 0);
		handled = 0;
		pid = spawn(send_at_random_moment);
		errno = 0;
		got = work(fd, &digits);
		took = now_ns();
		if (got < 0) {
			CHECK(got == -1 && errno == EINTR && handled == 1);
			took -= *sent;
			worst = took > worst ? took : worst;
			ended++;
		}
		CHECK(lseek(fd, 0, SEEK_CUR) == n);
		while (!handled)
			usleep(1000);
		while (waitpid(pid, NULL, 0) < 0)
			CHECK(errno == EINTR);
	}
	answered_in_time(worst, ended);
	CHECK(ended > 0);
}

/* Faster than any answer: the call ends, and does not begin anew for ever; blocked, it is done. */
static void a_fast_timer(void)
{
	struct itimerval each_ms = {.it_interval = {0, 1000}, .it_value = {0, 1000}}, off = {0};
	char *digits;
	sigset_t alarm;
	int fd;

	choose(READING);
	fd = open_at(n);
	handle_with(SIGALRM, SA_RESTART);
	CHECK(sigemptyset(&alarm) == 0 && sigaddset(&alarm, SIGALRM) == 0);
	CHECK(setitimer(ITIMER_REAL, &each_ms, NULL) == 0);
	CHECK_ERROR(work(fd, &digits), EINTR);
	CHECK(sigprocmask(SIG_BLOCK, &alarm, NULL) == 0);
	CHECK(lseek(fd, 20000, SEEK_SET) == 20000);
	check_number(fd, 20000);
	CHECK(setitimer(ITIMER_REAL, &off, NULL) == 0);
}

static void read_once(void)
{
	int fd = open_at(n);
	char *digits;
	ssize_t length = work(fd, &digits);

	CHECK(length > 0 && (size_t)length == length_at(fd));
	CHECK(is_fibonacci(digits, length, n));
}

/* Where no handler runs the call knows nothing of it: stopped and continued, or ignored. */
static void no_handlers_run(void)
{
	static const int harmless[] = {SIGSTOP, SIGSTOP, SIGCONT, SIGWINCH, SIGURG, SIGCHLD};
	uint64_t worst = 0, took;
	int i, j, stops = 0;

	choose(READING);
	for (i = 0; i < 4; i++) {
		pid_t pid = spawn(read_once);

		for (j = random_below(6); j >= 0; j--) {
			int sig = harmless[random_below(sizeof(harmless) / sizeof(harmless[0]))];
			int status;

			at_random_moment(whole / 4);
			took = now_ns();
			CHECK(kill(pid, sig) == 0);
			if (sig != SIGSTOP)
				continue;
			CHECK(waitpid(pid, &status, WUNTRACED) == pid);
			took = now_ns() - took;
			if (!WIFSTOPPED(status)) {
				CHECK(WIFEXITED(status) && !WEXITSTATUS(status));
				pid = 0;
				break;
			}
			worst = took > worst ? took : worst;
			stops++;
			CHECK(kill(pid, SIGCONT) == 0);
		}
		CHECK(!pid || reap(pid));
	}
	answered_in_time(worst, stops);
}

const struct test_case signal_cases[] = {
	{"killed during a read", killed_reading},
	{"killed while squaring", killed_squaring},
	{"killed while doubling", killed_doubling},
	{"killed while iterating", killed_iterating},
	{"a handler that runs ends the call: EINTR", handlers_run},
	{"a timer faster than the answer", a_fast_timer},
	{"stopped and continued, the call goes on", no_handlers_run},
	{NULL, NULL},
};
