// SPDX-License-Identifier: MIT
/*
 * The soak test.  For the first tenth of the time, a user's many threads ask for large numbers,
 * beside a large process of root's that must survive.  Then all at once: readers without pause,
 * signals at random moments, modules loaded and unloaded, memory running out, and allocations
 * failing.
 *
 *	soak-fibonacci MODULES SECONDS
 *
 * Run it as root; the modules are in the directory MODULES, and not loaded.  Every answer is
 * checked; the first wrong one ends the test.
 */
#include "test.h"

#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <time.h>

#define READERS	    16
#define PROGRESS_NS 10000000000
#define SMALL_N	    20000
#define LARGE_N	    200000
#define FAILSLAB    "/sys/kernel/debug/failslab/"
#define FAIL_PAGE   "/sys/kernel/debug/fail_page_alloc/"
#define FAULTS	    2000000000
#define SPARED_KB   16384
#define BITE	    ((size_t)1 << 22)
#define ATTACKERS   512
#define NOBODY	    65534
#define LARGE	    ((size_t)150 << 20)

/* Counters that all processes share. */
static struct {
	atomic_ullong operations, interrupted, out_of_memory, handled, stopped, killed, reloads,
		refused, failed_loads, waves, oom_kills, attacked, denied;
	atomic_ullong longest_call, longest_answer;
	/* the module is about to be unloaded: no more long work */
	atomic_bool leaving;
	atomic_bool ending;
	/* root's process has all its memory */
	atomic_bool large;
	/* when each was sent the signal that it has not answered yet, or 0 */
	atomic_ullong sent[READERS];
} * all;

static int self;
static int fail_nth;

static void at_most(atomic_ullong *most, uint64_t value)
{
	unsigned long long seen = *most;

	while (value > seen && !atomic_compare_exchange_weak(most, &seen, value))
		;
}

static void doze(uint64_t most_us)
{
	usleep(1 + random_below(most_us));
}

static void open_fail_nth(void)
{
	fail_nth = open("/proc/thread-self/fail-nth", O_RDWR | O_CLOEXEC);
	CHECK(fail_nth >= 0);
}

/* Lets the @nth allocation from here fail; 0: none. */
static void arm(int nth)
{
	char text[16];

	sprintf(text, "%d", nth);
	CHECK(pwrite(fail_nth, text, strlen(text), 0) == (ssize_t)strlen(text));
}

static volatile sig_atomic_t handled;

static void handle(int sig)
{
	(void)sig;
	handled = 1;
}

enum { READ, PREAD, READV, TIME, LENGTH, POLL, KINDS };

static char room[LARGE_N / 4];

static long call(int fd, int kind, int64_t n, int strategy)
{
	struct iovec pieces[] = {{room, 7}, {room + 7, 1}, {room + 8, sizeof(room) - 8}};
	struct pollfd asked = {fd, POLLIN, 0};
	__u64 length;

	switch (kind) {
	case READ:
		return read(fd, room, sizeof(room));
	case PREAD:
		return pread(fd, room, sizeof(room), n);
	case READV:
		return readv(fd, pieces, 3);
	case TIME:
		return time_of(fd, strategy);
	case LENGTH:
		return ioctl(fd, FIB_IOC_LENGTH, &length) ? -1 : (long)length;
	default:
		return poll(&asked, 1, -1);
	}
}

static bool as_promised(long got, int kind, int64_t n)
{
	switch (kind) {
	case TIME:
		/* the clock may be too coarse for the work */
		return got >= 0;
	case LENGTH:
		return n != 1000 || got == 209;
	case POLL:
		return got == 1;
	default:
		return is_fibonacci(room, got, n);
	}
}

static void one_operation(int fd)
{
	bool brief = all->leaving, large = !brief && !random_below(16);
	int kind = random_below(KINDS), strategy = random_below(STRATEGIES);
	int64_t n = brief ? 1000 : random_below(large ? LARGE_N : SMALL_N);
	uint64_t begin, end, sent;
	long got;
	int err;

	CHECK(lseek(fd, n, SEEK_SET) == n);
	all->sent[self] = 0;
	handled = 0;
	arm(random_below(4) ? 0 : 1 + random_below(12));
	begin = now_ns();
	got = call(fd, kind, n, strategy);
	err = errno;
	end = now_ns();
	arm(0);
	all->operations++;
	at_most(&all->longest_call, end - begin);
	if (got >= 0) {
		if (!as_promised(got, kind, n)) {
			note("call %d at %lld, strategy %d: %ld", kind, (long long)n, strategy,
			     got);
			CHECK(false);
		}
	} else if (err == EINTR) {
		CHECK(handled);
		all->interrupted++;
		sent = all->sent[self];
		if (sent && sent < end)
			at_most(&all->longest_answer, end - sent);
	} else {
		errno = err;
		CHECK(err == ENOMEM);
		all->out_of_memory++;
	}
	if (kind == READ || kind == READV)
		CHECK(lseek(fd, 0, SEEK_CUR) == n + (got > 0 ? got : 0) * DIGIT);
	else
		CHECK(lseek(fd, 0, SEEK_CUR) == n);
}

static void reader(void)
{
	/* or it would be given its pages while allocations fail */
	memset(room, '#', sizeof(room));
	open_fail_nth();
	for (;;) {
		int fd = open(DEVICE, O_RDWR | O_CLOEXEC), i;

		if (fd < 0) {
			/* no such device, now or while it is being opened */
			CHECK(errno == ENOENT || errno == ENODEV || errno == ENXIO);
		} else {
			for (i = all->leaving ? 0 : random_below(8); i >= 0; i--)
				one_operation(fd);
			close(fd);
		}
		doze(all->leaving ? 50000 : 2000);
	}
}

static void come_and_go(void)
{
	open_fail_nth();
	while (!all->ending) {
		int err;

		doze(1000000);
		all->leaving = true;
		while ((err = unload("fibdrv"))) {
			CHECK(err == EWOULDBLOCK);
			all->refused++;
			doze(5000);
		}
		CHECK(unload("carrychain_math") == 0);
		CHECK(load("carrychain_math") == 0);
		arm(1 + random_below(200));
		err = load("fibdrv");
		arm(0);
		if (err) {
			all->failed_loads++;
			CHECK(load("fibdrv") == 0);
		}
		all->leaving = false;
		all->reloads++;
	}
}

/* Takes all free memory, and in one of eight waves more than that: the kernel then kills it. */
static void press(void)
{
	CHECK(put("/proc/self/oom_score_adj", "1000"));
	for (;;) {
		struct {
			void *next;
		} *last = NULL, *bite;
		long spared = random_below(8) ? SPARED_KB : -1;

		while (available_kb() > spared) {
			bite = mmap(NULL, BITE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
				    -1, 0);
			CHECK(bite != MAP_FAILED);
			memset(bite, '#', BITE);
			bite->next = last;
			last = bite;
		}
		all->waves++;
		doze(1000000);
		while (last) {
			bite = last;
			last = bite->next;
			CHECK(munmap(bite, BITE) == 0);
		}
		doze(2000000);
	}
}

static pid_t readers[READERS], goer, presser;

static void begin_reader(int i)
{
	self = i;
	readers[i] = spawn(reader);
}

/* Only one process may die without a signal of ours: the first that the OOM killer kills. */
static void look_after(void)
{
	int status;
	pid_t pid = waitpid(-1, &status, WNOHANG);

	if (!pid)
		return;
	CHECK(pid == presser && WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
	all->oom_kills++;
	presser = spawn(press);
}

/* It must not have ended before: that would be a failed check. */
static void end(pid_t pid)
{
	int status;

	CHECK(kill(pid, SIGKILL) == 0 && waitpid(pid, &status, 0) == pid);
	CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
}

static void signal_one(int i)
{
	uint64_t begin = now_ns(), which = random_below(32);

	if (which == 0) {
		end(readers[i]);
		at_most(&all->longest_answer, now_ns() - begin);
		all->killed++;
		begin_reader(i);
	} else if (which <= 8) {
		CHECK(kill(readers[i], SIGSTOP) == 0);
		doze(20000);
		CHECK(kill(readers[i], SIGCONT) == 0);
		all->stopped++;
	} else {
		all->sent[i] = begin;
		CHECK(kill(readers[i], which % 2 ? SIGUSR1 : SIGUSR2) == 0);
		all->handled++;
	}
}

static void *ask_for_long(void *unused)
{
	int fd = open(DEVICE, O_RDONLY | O_CLOEXEC);
	char digits[10];

	(void)unused;
	CHECK(fd >= 0);
	for (;;) {
		ssize_t got = pread(fd, digits, sizeof(digits), MAX_N_DEFAULT);

		if (got < 0) {
			CHECK(errno == ENOMEM);
			all->denied++;
		} else {
			CHECK(got == sizeof(digits) && !memcmp(digits, "1953282128", got));
			all->attacked++;
		}
	}
	return NULL;
}

static void attack(void)
{
	pthread_attr_t small;
	pthread_t thread;
	int i;

	CHECK(put("/proc/self/oom_score_adj", "0"));
	CHECK(setgid(NOBODY) == 0 && setuid(NOBODY) == 0);
	CHECK(pthread_attr_init(&small) == 0);
	CHECK(pthread_attr_setstacksize(&small, 65536) == 0);
	for (i = 0; i < ATTACKERS; i++)
		CHECK(pthread_create(&thread, &small, ask_for_long, NULL) == 0);
	pause();
}

/* The largest process; while others work, it frees and allocates part of its memory. */
static void be_large(void)
{
	char *memory =
		mmap(NULL, LARGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	CHECK(put("/proc/self/oom_score_adj", "0"));
	CHECK(memory != MAP_FAILED);
	memset(memory, '#', LARGE);
	all->large = true;
	for (;;) {
		CHECK(madvise(memory, BITE, MADV_DONTNEED) == 0);
		memset(memory, '#', BITE);
		doze(10000);
	}
}

static void under_attack(uint64_t until)
{
	pid_t large = spawn(be_large), attacker;
	int status;

	while (!all->large)
		doze(10000);
	attacker = spawn(attack);
	while (now_ns() < until || !all->attacked) {
		doze(100000);
		CHECK(waitpid(large, &status, WNOHANG) == 0);
		CHECK(waitpid(attacker, &status, WNOHANG) == 0);
	}
	end(attacker);
	CHECK(waitpid(large, &status, WNOHANG) == 0);
	end(large);
}

static unsigned long long injected(const char *directory)
{
	char path[64];
	unsigned long long left;
	FILE *f;

	snprintf(path, sizeof(path), "%stimes", directory);
	f = fopen(path, "r");
	CHECK(f && fscanf(f, "%llu", &left) == 1);
	fclose(f);
	return FAULTS - left;
}

static void prepare_faults(const char *directory)
{
	char path[64];

	snprintf(path, sizeof(path), "%signore-gfp-wait", directory);
	CHECK(put(path, "N"));
	snprintf(path, sizeof(path), "%sverbose", directory);
	CHECK(put(path, "0"));
	snprintf(path, sizeof(path), "%stimes", directory);
	CHECK(put(path, "2000000000"));
}

static unsigned long long faults(void)
{
	return injected(FAILSLAB) + injected(FAIL_PAGE);
}

static unsigned long long signals(void)
{
	return all->handled + 2 * all->stopped + all->killed;
}

static void say_progress(uint64_t since)
{
	printf("%4llu s: %llu operations, %llu signals, %llu reloads, %llu faults, %llu waves of "
	       "memory\n",
	       (unsigned long long)(now_ns() - since) / 1000000000, all->operations, signals(),
	       all->reloads, faults(), all->waves);
	fflush(stdout);
}

static void report(void)
{
	printf("operations: %llu, of which interrupted %llu, without memory %llu\n",
	       all->operations, all->interrupted, all->out_of_memory);
	printf("signals: %llu (handled %llu, stopped and continued %llu, killed %llu)\n", signals(),
	       all->handled, all->stopped, all->killed);
	printf("reloads: %llu (unloading refused while in use %llu times, %llu loads failed "
	       "first)\n",
	       all->reloads, all->refused, all->failed_loads);
	printf("faults injected: %llu (%llu of kmalloc, %llu of pages)\n", faults(),
	       injected(FAILSLAB), injected(FAIL_PAGE));
	printf("attacked: %llu calls answered, %llu without memory, of %d threads; root's process "
	       "of "
	       "%zu MB lived\n",
	       all->attacked, all->denied, ATTACKERS, LARGE >> 20);
	printf("memory: exhausted %llu times, %llu processes killed for it\n", all->waves,
	       all->oom_kills);
	printf("longest call, stops included: %llu ms; longest from a signal to its answer: %llu "
	       "ms\n",
	       all->longest_call / 1000000, all->longest_answer / 1000000);
	fflush(stdout);
}

int main(int argc, char **argv)
{
	struct sigaction ends = {.sa_handler = handle},
			 restarts = {.sa_handler = handle, .sa_flags = SA_RESTART};
	uint64_t begin, said, until;
	int i;

	if (argc != 3) {
		fputs("usage: soak-fibonacci MODULES SECONDS\n", stderr);
		return 2;
	}
	modules = argv[1];
	all = mmap(NULL, sizeof(*all), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	CHECK(all != MAP_FAILED);
	prepare_faults(FAILSLAB);
	prepare_faults(FAIL_PAGE);
	CHECK(load("carrychain_math") == 0 && load("fibdrv") == 0);
	CHECK(put("/proc/self/oom_score_adj", "-1000"));

	/* before there is a reader to be killed for want of them */
	CHECK(sigaction(SIGUSR1, &ends, NULL) == 0 && sigaction(SIGUSR2, &restarts, NULL) == 0);
	begin = said = now_ns();
	until = begin + strtoull(argv[2], NULL, 10) * 1000000000;
	under_attack(begin + (until - begin) / 10);
	for (i = 0; i < READERS; i++)
		begin_reader(i);
	goer = spawn(come_and_go);
	presser = spawn(press);
	while (now_ns() < until) {
		doze(20000);
		look_after();
		signal_one(random_below(READERS));
		if (now_ns() - said > PROGRESS_NS) {
			said = now_ns();
			say_progress(begin);
		}
	}

	all->ending = true;
	CHECK(reap(goer));
	for (i = 0; i < READERS; i++)
		end(readers[i]);
	end(presser);
	report();
	CHECK(unload("fibdrv") == 0);
	CHECK(unload("carrychain_math") == 0);
	CHECK(access(DEVICE, F_OK) && errno == ENOENT);
	CHECK(all->interrupted && all->out_of_memory && all->killed && all->reloads &&
	      all->refused && faults() && all->waves);
	return 0;
}
