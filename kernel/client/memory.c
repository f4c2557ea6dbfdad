// SPDX-License-Identifier: MIT
/* max_memory, which limits all calls together, and calls that find too little left. */
#include "test.h"

#include <pthread.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/stat.h>

#define THREADS 128
#define MANY_N	200000
#define BOUND	(8 << 20)
/* What the kernel otherwise holds back in that time. */
#define SLACK_KB 8192

static int shared;
static char *truth, *rooms;
static size_t length;
static pthread_barrier_t together;
static volatile bool finished;

static void *read_once(void *room)
{
	pthread_barrier_wait(&together);
	CHECK(pread(shared, room, length, MANY_N) == (ssize_t)length);
	CHECK(!memcmp(room, truth, length));
	return NULL;
}

static void *watch(void *least)
{
	pthread_barrier_wait(&together);
	while (!finished) {
		long kb = available_kb();

		if (kb < *(long *)least)
			*(long *)least = kb;
		usleep(1000);
	}
	return NULL;
}

static void many_threads(void)
{
	pthread_t threads[THREADS], watcher;
	pthread_attr_t small;
	long at_first, least, stack;
	int i;

	shared = open_at(MANY_N);
	length = length_at(shared);
	truth = malloc(length);
	rooms = malloc(THREADS * length);
	CHECK(truth && rooms);
	/* touched now: otherwise their pages would be allocated during the test */
	memset(rooms, '#', THREADS * length);
	CHECK(read(shared, truth, length) == (ssize_t)length);
	CHECK(is_fibonacci(truth, length, MANY_N));
	CHECK(put(MAX_MEMORY, "8388608"));

	CHECK(pthread_barrier_init(&together, NULL, THREADS + 2) == 0);
	CHECK(pthread_attr_init(&small) == 0);
	/* of some machines the least stack is larger */
	stack = sysconf(_SC_THREAD_STACK_MIN);
	CHECK(pthread_attr_setstacksize(&small, stack > 65536 ? stack : 65536) == 0);
	for (i = 0; i < THREADS; i++)
		CHECK(pthread_create(&threads[i], &small, read_once, rooms + i * length) == 0);
	CHECK(pthread_create(&watcher, &small, watch, &least) == 0);
	at_first = least = available_kb();
	pthread_barrier_wait(&together);
	for (i = 0; i < THREADS; i++)
		CHECK(pthread_join(threads[i], NULL) == 0);
	finished = true;
	CHECK(pthread_join(watcher, NULL) == 0);
	note("available memory fell by up to %ld KB", at_first - least);
	CHECK(at_first - least <= BOUND / 1024 + SLACK_KB);
}

/* Takes longer than any test, and uses little of the 3 n + 8192 bytes that it reserves. */
#define HOLDER_N 10000000
#define LEFT	 "30108192"
#define LESS	 "30008192"
#define MORE	 "40000000"
/* A read reserves 5 n + 8192 bytes; beside the holder, LEFT leaves 100000. */
#define FITS  1000
#define WAITS 20000

static int at_once;
static char room[WAITS];

static void hold(void)
{
	CHECK(time_of(open_at(HOLDER_N), ITERATIVE) < 0);
}

static bool would_wait(int64_t n)
{
	ssize_t got = pread(at_once, room, sizeof(room), n);

	CHECK(got > 0 ? is_fibonacci(room, got, n) : errno == EAGAIN);
	return got < 0;
}

static void until_waits(int64_t n)
{
	int tries;

	for (tries = 0; !would_wait(n); tries++) {
		CHECK(tries < 30000);
		usleep(1000);
	}
}

/* One call holds almost all; one that is refused waits for nothing. */
static pid_t holder(void)
{
	pid_t pid;

	CHECK(put(MAX_N, "10000000") && put(MAX_MEMORY, LEFT));
	at_once = open(DEVICE, O_RDONLY | O_NONBLOCK);
	CHECK(at_once >= 0);
	pid = spawn(hold);
	until_waits(WAITS);
	CHECK(!would_wait(FITS));
	return pid;
}

static void end(pid_t pid)
{
	int status;

	CHECK(kill(pid, SIGKILL) == 0 && waitpid(pid, &status, 0) == pid);
	CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
}

static void handle(int sig)
{
	(void)sig;
}

static void wait_for_a_signal(void)
{
	struct sigaction action = {.sa_handler = handle, .sa_flags = SA_RESTART};

	CHECK(sigaction(SIGUSR1, &action, NULL) == 0);
	CHECK_ERROR(pread(open_at(0), room, sizeof(room), WAITS), EINTR);
}

static void wait_for_digits(void)
{
	check_number(open_at(WAITS), WAITS);
}

static void wait_in_vain(void)
{
	CHECK_ERROR(pread(open_at(0), room, sizeof(room), WAITS), ENOMEM);
}

/* The queue is served in order: a call that would fit waits behind a large one. */
static pid_t waiter(void (*run)(void))
{
	pid_t pid = spawn(run);

	until_waits(FITS);
	return pid;
}

static void not_to_wait(void)
{
	struct fib_time asked = {.strategy = SQUARING};
	pid_t holding = holder();

	CHECK_ERROR(pread(at_once, room, sizeof(room), WAITS), EAGAIN);
	CHECK(lseek(at_once, 2 * WAITS, SEEK_SET) == 2 * WAITS);
	CHECK_ERROR(read(at_once, room, sizeof(room)), EAGAIN);
	CHECK_ERROR(ioctl(at_once, FIB_IOC_TIME, &asked), EAGAIN);
	CHECK(lseek(at_once, 0, SEEK_CUR) == 2 * WAITS);
	end(holding);
	CHECK(!would_wait(WAITS));
}

static void signalled(void)
{
	pid_t holding = holder(), waiting;
	int i;

	for (i = 0; i < 20; i++) {
		waiting = waiter(wait_for_a_signal);
		CHECK(kill(waiting, SIGUSR1) == 0 && reap(waiting));
		CHECK(!would_wait(FITS));
		end(waiter(wait_for_digits));
		CHECK(!would_wait(FITS));
		waiting = waiter(wait_for_digits);
		CHECK(kill(waiting, SIGSTOP) == 0 && kill(waiting, SIGCONT) == 0);
		end(waiting);
	}
	end(holding);
}

static void one_after_another(void)
{
	pid_t holding = holder(), waiting[3];
	int i;

	for (i = 0; i < 3; i++)
		waiting[i] = waiter(wait_for_digits);
	end(holding);
	for (i = 0; i < 3; i++)
		CHECK(reap(waiting[i]));
	CHECK(!would_wait(WAITS));
}

static void bound_moved(void)
{
	pid_t holding = holder(), waiting = waiter(wait_for_digits);

	CHECK(put(MAX_MEMORY, MORE));
	CHECK(reap(waiting));
	CHECK(put(MAX_MEMORY, LESS));
	until_waits(FITS);
	waiting = spawn(wait_in_vain);
	usleep(100000);
	CHECK(put(MAX_MEMORY, "50000"));
	CHECK(reap(waiting));
	end(holding);
	CHECK(!would_wait(FITS));
}

static long parameter(void)
{
	FILE *f = fopen(MAX_MEMORY, "r");
	long bytes;

	CHECK(f && fscanf(f, "%ld", &bytes) == 1);
	fclose(f);
	return bytes;
}

static void more_than_all(void)
{
	int fd = open_at(0);

	CHECK(parameter() == (memory_kb("MemTotal") - memory_kb("HighTotal")) * (1024 / 16));
	CHECK_ERROR(put(MAX_MEMORY, "-1") ? 0 : -1, EINVAL);
	CHECK_ERROR(put(MAX_MEMORY, "much") ? 0 : -1, EINVAL);
	CHECK(put(MAX_MEMORY, "108192"));
	CHECK_ERROR(pread(fd, room, sizeof(room), WAITS + 1), ENOMEM);
	CHECK(pread(fd, room, sizeof(room), WAITS) == 4180);
	CHECK(is_fibonacci(room, 4180, WAITS));
	CHECK(lseek(fd, 33334, SEEK_SET) == 33334);
	CHECK_ERROR(time_of(fd, SQUARING), ENOMEM);
	CHECK(lseek(fd, 33333, SEEK_SET) == 33333);
	CHECK(time_of(fd, SQUARING) >= 0);
}

#define GROUPS "/groups"
#define OURS   GROUPS "/readers"
/* what is allowed to the group beside what it has */
#define GROUP_MORE (1 << 20)

static long first_number(const char *path, const char *format)
{
	FILE *f = fopen(path, "r");
	char line[128];
	long x = -1;

	CHECK(f);
	while (fgets(line, sizeof(line), f) && sscanf(line, format, &x) != 1)
		;
	fclose(f);
	return x;
}

/* In a control group with less memory than F(n) takes. */
static void read_in_a_group(void)
{
	static char digits[MAX_N_DEFAULT / 4];
	int fd = open_at(0), i;
	char text[32];

	memset(digits, '#', sizeof(digits));
	CHECK(put(OURS "/cgroup.procs", "0"));
	CHECK(pread(fd, digits, sizeof(digits), MAX_N_DEFAULT) == 208988);
	sprintf(text, "%ld", first_number(OURS "/memory.current", "%ld") + GROUP_MORE);
	CHECK(put(OURS "/memory.max", text));
	for (i = 0; i < 20; i++)
		CHECK_ERROR(pread(fd, digits, sizeof(digits), MAX_N_DEFAULT), ENOMEM);
	CHECK(put(OURS "/memory.max", "max"));
	CHECK(pread(fd, digits, sizeof(digits), MAX_N_DEFAULT) == 208988);
	CHECK(is_fibonacci(digits, 208988, MAX_N_DEFAULT));
}

static void in_a_group(void)
{
	bool ok;

	/* where a group is charged for 64 pages at once, and what is left of them is used first */
	if (sysconf(_SC_PAGESIZE) * 64 > GROUP_MORE)
		skip("this kernel charges a group for more memory at once than F(n) takes");
	CHECK(mkdir(GROUPS, 0755) == 0 || errno == EEXIST);
	if (mount("none", GROUPS, "cgroup2", 0, NULL))
		skip("this kernel has no control groups");
	if (!put(GROUPS "/cgroup.subtree_control", "+memory")) {
		CHECK(umount(GROUPS) == 0);
		skip("no control group counts memory here");
	}
	CHECK(mkdir(OURS, 0755) == 0);
	ok = reap(spawn(read_in_a_group));
	note("ended for memory: %ld", first_number(OURS "/memory.events", "oom_kill %ld"));
	CHECK(ok);
	CHECK(first_number(OURS "/memory.events", "oom_kill %ld") == 0);
	CHECK(rmdir(OURS) == 0);
	CHECK(put(GROUPS "/cgroup.subtree_control", "-memory"));
	CHECK(umount(GROUPS) == 0);
}

const struct test_case memory_cases[] = {
	{"128 readers hold no more than max_memory", many_threads},
	{"O_NONBLOCK, and who waits is first: EAGAIN", not_to_wait},
	{"a signal ends a wait", signalled},
	{"those who wait go on one after another", one_after_another},
	{"max_memory raised and lowered under those who wait", bound_moved},
	{"more than all there is: ENOMEM", more_than_all},
	{"beyond memory.max: ENOMEM, and nobody is killed", in_a_group},
	{NULL, NULL},
};
