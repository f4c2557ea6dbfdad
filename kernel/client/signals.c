// SPDX-License-Identifier: MIT
/*
 * Signals at random moments of long work: any signal that is not ignored must end it within
 * 100 ms, or within a quarter of the time that the whole call was just measured to take, if that
 * is more.  A late answer is tried again, at the same moment of the work: work that does not
 * check for signals is late each time, a shared processor is not.
 */
#include "test.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>

#define PROMISED_NS  100000000
#define LONG_WORK_NS 500000000
#define N_LIMIT	     10000000
#define TRIES	     4

/* The work: a read at n, or the timing of a strategy; and how long it takes, in nanoseconds. */
static int strategy;
static int64_t n;
static uint64_t whole;

enum { READING = -1 };

/* The result of the call; *digits = the digits that it read, if any. */
static int64_t work(int fd, char **digits)
{
	static char room[N_LIMIT / 4];

	*digits = room;
	return strategy == READING ? pread(fd, room, sizeof(room), n) : time_of(fd, strategy);
}

static void work_on(void)
{
	int fd = open_at(n);
	char *digits;

	for (;;)
		CHECK(work(fd, &digits) > 0);
}

static uint64_t timed_work(void)
{
	int fd = open_at(n);
	uint64_t begin = now_ns(), took;
	char *digits;

	CHECK(work(fd, &digits) > 0);
	took = now_ns() - begin;
	close(fd);
	return took;
}

/* Chooses the least of some n for which the work takes long in two measurements. */
static void choose(int which)
{
	uint64_t again;

	CHECK(put(MAX_N, "10000000"));
	strategy = which;
	n = N_LIMIT >> 10;
	do {
		n *= 2;
		whole = timed_work();
		again = whole < LONG_WORK_NS ? whole : timed_work();
		whole = again < whole ? again : whole;
	} while (whole < LONG_WORK_NS && n <= N_LIMIT / 2);
}

/* The time from a signal, sent @us after the work began, to the answer; 0 if it had ended. */
typedef uint64_t answer(uint64_t us);

static void answered_in_time(answer *ask, int count)
{
	uint64_t allowed = whole / 4 > PROMISED_NS ? whole / 4 : PROMISED_NS, worst = 0;
	int answered = 0, again = 0, i, try;

	for (i = 0; i < scaled(count); i++) {
		uint64_t us = random_below(whole / 1000) + 1, took;

		while (!(took = ask(us)) && us > 1)
			us /= 2;
		for (try = 1; took > allowed && try < TRIES; try++, again++)
			took = ask(us);
		answered += took > 0;
		worst = took > worst ? took : worst;
	}
	note("F(%lld) takes %llu ms; worst of %d answers: %llu us (allowed: %llu; asked again: %d)",
	     (long long)n, (unsigned long long)whole / 1000000, answered,
	     (unsigned long long)worst / 1000, (unsigned long long)allowed / 1000, again);
	CHECK(worst <= allowed);
	CHECK(answered);
}

/* Signals that dump core also wait for the call to end. */
static uint64_t death(uint64_t us)
{
	static const int fatal[] = {SIGKILL, SIGTERM, SIGQUIT, SIGINT,	SIGABRT, SIGSEGV,
				    SIGXCPU, SIGHUP,  SIGALRM, SIGUSR1, SIGSYS,	 SIGTRAP};
	int status, sig = fatal[random_below(sizeof(fatal) / sizeof(fatal[0]))];
	pid_t pid = spawn(work_on);
	uint64_t took;

	usleep(5000 + us);
	took = now_ns();
	CHECK(kill(pid, sig) == 0);
	CHECK(waitpid(pid, &status, 0) == pid);
	took = now_ns() - took;
	CHECK(WIFSIGNALED(status) && WTERMSIG(status) == sig);
	return took;
}

static void killed_at(int which, int count)
{
	static const struct rlimit none = {0, 0};

	choose(which);
	CHECK(setrlimit(RLIMIT_CORE, &none) == 0);
	answered_in_time(death, count);
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

/* When the signal was sent; shared by both processes. */
static volatile uint64_t *sent;
static uint64_t moment;

static void send_at_the_moment(void)
{
	usleep(moment);
	*sent = now_ns();
	CHECK(kill(getppid(), SIGUSR1) == 0);
}

static uint64_t handler(uint64_t us)
{
	uint64_t took = 0;
	int fd = open_at(n);
	char *digits;
	pid_t pid;

	handle_with(SIGUSR1, us % 2 ? SA_RESTART : 0);
	handled = 0;
	moment = us;
	pid = spawn(send_at_the_moment);
	errno = 0;
	if (work(fd, &digits) < 0) {
		took = now_ns() - *sent;
		CHECK(errno == EINTR && handled == 1);
	}
	CHECK(lseek(fd, 0, SEEK_CUR) == n);
	while (!handled)
		usleep(1000);
	while (waitpid(pid, NULL, 0) < 0)
		CHECK(errno == EINTR);
	close(fd);
	return took;
}

static void handlers_run(void)
{
	sent = mmap(NULL, sizeof(*sent), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	CHECK(sent != MAP_FAILED);
	choose(READING);
	answered_in_time(handler, 10);
}

/* A timer faster than any answer: the call ends with EINTR, and completes if it is blocked. */
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
	int64_t length = work(fd, &digits);

	CHECK(length > 0 && (size_t)length == length_at(fd));
	CHECK(is_fibonacci(digits, length, n));
}

/* Without a handler the call is not disturbed: by stop and continue, or an ignored signal. */
static uint64_t stop(uint64_t us)
{
	static const int ignored[] = {SIGCONT, SIGWINCH, SIGURG, SIGCHLD};
	pid_t pid = spawn(read_once);
	uint64_t took;
	int status, i;

	for (i = us % 3; i >= 0; i--) {
		usleep(us / 4);
		CHECK(kill(pid, ignored[random_below(sizeof(ignored) / sizeof(ignored[0]))]) == 0);
	}
	took = now_ns();
	CHECK(kill(pid, SIGSTOP) == 0);
	CHECK(waitpid(pid, &status, WUNTRACED) == pid);
	took = now_ns() - took;
	if (WIFSTOPPED(status)) {
		CHECK(kill(pid, SIGCONT) == 0);
		CHECK(reap(pid));
		return took;
	}
	CHECK(WIFEXITED(status) && !WEXITSTATUS(status));
	return 0;
}

static void no_handlers_run(void)
{
	choose(READING);
	answered_in_time(stop, 6);
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
