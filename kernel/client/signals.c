// SPDX-License-Identifier: MIT
/*
 * Signals at random moments of long work: any that is not ignored ends it soon.  Soon is a
 * quarter of what the whole call was just measured to take, where that is more than the 100 ms
 * which are promised of a machine that is neither emulated nor busy.  An answer that comes later
 * is asked for again, at the same moment: the work is late each time, other machines' turns on a
 * shared processor are not.
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

/* The work: a read, or a time asked for by a strategy, at n; and the nanoseconds it takes. */
static int strategy;
static int64_t n;
static uint64_t whole;

enum { READING = -1 };

/* What the call returned; the digits at @digits, where there are any. */
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

/* The least n, of those tried, where it takes long; not once by chance, but twice. */
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

/* How long after a signal, sent @us after the work began, the answer came; 0: it had ended. */
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

/* Those that dump core are not fatal at once for the kernel: it waits for the call to end. */
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

/* When the signal was sent: for both processes. */
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
	int64_t length = work(fd, &digits);

	CHECK(length > 0 && (size_t)length == length_at(fd));
	CHECK(is_fibonacci(digits, length, n));
}

/* Where no handler runs the call knows nothing of it: stopped and continued, or ignored. */
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
