// SPDX-License-Identifier: MIT
/* What the test client and the soak test share, except the oracle. */
#include "test.h"

#include <signal.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>

const char *modules;
bool values;

void fail(const char *file, int line, const char *condition)
{
	note("%s:%d: %s (errno %d)", file, line, condition, errno);
	_exit(FAILED);
}

void skip(const char *reason)
{
	note("%s", reason);
	_exit(SKIPPED);
}

void note(const char *format, ...)
{
	va_list arguments;

	printf("    ");
	va_start(arguments, format);
	vprintf(format, arguments);
	va_end(arguments);
	putchar('\n');
	fflush(stdout);
}

int open_at(int64_t n)
{
	int fd = open(DEVICE, O_RDWR | O_CLOEXEC);

	CHECK(fd >= 0);
	CHECK(lseek(fd, n, SEEK_SET) == n);
	return fd;
}

size_t length_at(int fd)
{
	__u64 length;

	CHECK(ioctl(fd, FIB_IOC_LENGTH, &length) == 0);
	return length;
}

bool returned(ssize_t got, uint64_t value)
{
	if (value > SSIZE_MAX)
		return got == -1 && errno == EOVERFLOW;
	return got == (ssize_t)value;
}

bool took_time(ssize_t ns)
{
	return ns > 0 || (SSIZE_MAX == INT_MAX && ns == -1 && errno == EOVERFLOW);
}

char *page_of(int protection)
{
	char *p = mmap(NULL, sysconf(_SC_PAGESIZE), protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	CHECK(p != MAP_FAILED);
	return p;
}

char *guarded(size_t size)
{
	size_t page = sysconf(_SC_PAGESIZE), room = (size + page - 1) / page * page;
	char *p =
		mmap(NULL, room + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	CHECK(p != MAP_FAILED);
	CHECK(mprotect(p + room, page, PROT_NONE) == 0);
	memset(p, '#', room);
	return p + room - size;
}

void check_number(int fd, uint64_t n)
{
	size_t length = length_at(fd), size = length > 1 ? length : 2;
	char *digits = malloc(size + 1);

	CHECK(digits);
	digits[size] = '#';
	CHECK(read(fd, digits, size) == (ssize_t)length);
	CHECK(digits[size] == '#');
	CHECK(is_fibonacci(digits, length, n));
	CHECK(lseek(fd, 0, SEEK_CUR) == (off_t)n + (values ? 0 : (off_t)length * DIGIT));
	CHECK(lseek(fd, n, SEEK_SET) == (off_t)n);
	free(digits);
}

int64_t time_of(int fd, int strategy)
{
	struct fib_time asked = {.strategy = strategy};

	return ioctl(fd, FIB_IOC_TIME, &asked) ? -1 : (int64_t)asked.ns;
}

bool put(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC), err;
	bool ok;

	if (fd < 0)
		return false;
	ok = write(fd, text, strlen(text)) == (ssize_t)strlen(text);
	err = errno;
	close(fd);
	errno = err;
	return ok;
}

pid_t spawn(void (*run)(void))
{
	pid_t pid = fork();

	CHECK(pid >= 0);
	if (pid)
		return pid;
	/* nobody is to outlive the one who waits for him */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	run();
	_exit(0);
}

bool reap(pid_t pid)
{
	int status;

	CHECK(waitpid(pid, &status, 0) == pid);
	return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

long memory_kb(const char *name)
{
	FILE *f = fopen("/proc/meminfo", "r");
	size_t length = strlen(name);
	char line[128];
	long kb = 0;

	CHECK(f);
	while (fgets(line, sizeof(line), f))
		if (!strncmp(line, name, length) && line[length] == ':')
			kb = strtol(line + length + 1, NULL, 10);
	fclose(f);
	return kb;
}

long available_kb(void)
{
	long kb = memory_kb("MemAvailable");

	CHECK(kb > 0);
	return kb;
}

uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* xorshift64, with the seed varied for each process */
static uint64_t state;

static const char *environment(const char *name, const char *otherwise)
{
	const char *value = getenv(name);

	return value && *value ? value : otherwise;
}

void draw_anew(uint64_t which)
{
	uint64_t seed = strtoull(environment("CC_TEST_SEED", "0"), NULL, 10);

	/* distinct for distinct small numbers, and not 0, which would stay so */
	state = (seed ^ which * 0x9e3779b97f4a7c15) | 1;
}

int scaled(int count)
{
	double scale = atof(environment("CC_TEST_SCALE", "1"));

	return count * scale < 2 ? 2 : (int)(count * scale);
}

uint64_t random_below(uint64_t bound)
{
	if (!state)
		draw_anew(getpid());
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state % bound;
}

int load_with(const char *module, const char *parameters)
{
	char path[256];
	int fd, err;

	snprintf(path, sizeof(path), "%s/%s.ko", modules, module);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return errno;
	err = syscall(SYS_finit_module, fd, parameters, 0) ? errno : 0;
	close(fd);
	return err;
}

int load(const char *module)
{
	return load_with(module, "");
}

int unload(const char *module)
{
	return syscall(SYS_delete_module, module, O_NONBLOCK) ? errno : 0;
}
