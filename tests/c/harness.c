// SPDX-License-Identifier: MIT
#include "harness.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static uint64_t seed;
static double scale = 1;

static uint64_t passed, failed, skipped, checks;

/* The case now open. */
static bool open;
static char name[160];
static uint64_t case_checks, case_failures;
static size_t sizes[3];

static void usage(const char *program)
{
	fprintf(stderr, "usage: %s [--seed N] [--scale X]\n", program);
	exit(2);
}

static void set_seed(const char *program, const char *text)
{
	char *end;

	seed = strtoull(text, &end, 0);
	if (!*text || *end)
		usage(program);
}

static void set_scale(const char *program, const char *text)
{
	char *end;

	scale = strtod(text, &end);
	if (!*text || *end || !(scale > 0))
		usage(program);
}

/* What ends a program within a case, from a handler of signals: a failure with a name. */
static void die(const char *why)
{
	char line[400];
	int length = snprintf(line, sizeof(line),
			      "%s: %s; sizes %zu %zu %zu; --seed %llu\n"
			      "%llu passed, %llu failed, %llu skipped\n",
			      name, why, sizes[0], sizes[1], sizes[2], (unsigned long long)seed,
			      (unsigned long long)passed, (unsigned long long)failed + 1,
			      (unsigned long long)skipped);

	if (write(STDOUT_FILENO, line, (size_t)length) < 0)
		_exit(2);
	_exit(1);
}

/* Most often a guard page was touched. */
static void crash(int number)
{
	char why[100];

	snprintf(why, sizeof(why), "signal %d (%s)", number, strsignal(number));
	die(why);
}

/*
 * A program that hangs is ended, too: it sleeps if its processor time has hardly moved at
 * LOOKS looks in a row, so that neither a machine that is busy nor one that was stopped looks like
 * that; it works in vain if it took too much of that time since it last counted anything.
 * ThreadSanitizer keeps signals back but in calls that may wait, as pthread_cond_wait(): what
 * hangs elsewhere is ended by who runs the tests.
 */
#define LOOKS 10
/* the part of its time that a program works which sleeps: a handler's, a sanitizer's thread's */
#define ASLEEP 0.005
/* of the work of slowness() on a machine of 2020 */
#define NOMINAL 0.004

static struct {
	double every;	/* seconds between two looks */
	double work;	/* seconds of work with nothing counted */
	double worked;	/* at the last look */
	double begun;	/* when something was last counted */
	uint64_t count; /* then */
	int asleep;	/* looks */
} watched;

/* How many times slower than a machine of 2020 this one works. */
static double slower = 1;

static double processor_time(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void look(int number)
{
	uint64_t count = passed + failed + skipped + checks + case_checks;
	double worked = processor_time();

	(void)number;
	watched.asleep = worked - watched.worked < ASLEEP * watched.every ? watched.asleep + 1 : 0;
	watched.worked = worked;
	if (count != watched.count) {
		watched.count = count;
		watched.begun = worked;
	}
	if (watched.asleep >= LOOKS)
		die("hangs asleep");
	if (worked - watched.begun > watched.work)
		die("hangs at work");
}

static double slowness(void)
{
	double begun = processor_time(), times;
	volatile uint64_t x = 1;
	int i;

	for (i = 0; i < 2000000; i++)
		x = x * 3 + 1;
	times = (processor_time() - begun) / NOMINAL;
	return times > 1 ? times : 1;
}

/* The timer alone: whoever waits for a child does not look, for it may be a long time. */
static void look_every(double seconds)
{
	struct itimerval timer;

	timer.it_interval.tv_sec = (time_t)seconds;
	timer.it_interval.tv_usec = (suseconds_t)((seconds - (double)(time_t)seconds) * 1e6);
	timer.it_value = timer.it_interval;
	setitimer(ITIMER_REAL, &timer, NULL);
}

static void begin_to_look(void)
{
	watched.worked = watched.begun = processor_time();
	watched.asleep = 0;
	look_every(watched.every);
}

void test_limits(double asleep, double work)
{
	watched.every = asleep / LOOKS;
	watched.work = work * slower;
	begin_to_look();
}

static void catch_signals(void)
{
	static char stack[64 * 1024];
	const int numbers[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP};
	stack_t alternate = {.ss_sp = stack, .ss_size = sizeof(stack)};
	struct sigaction action = {.sa_handler = crash, .sa_flags = SA_ONSTACK};
	size_t i;

	sigaltstack(&alternate, NULL);
	for (i = 0; i < COUNT(numbers); i++)
		sigaction(numbers[i], &action, NULL);
	action.sa_handler = look;
	action.sa_flags |= SA_RESTART;
	sigaction(SIGALRM, &action, NULL);
}

void test_begin(int argc, char **argv)
{
	const char *program = strrchr(argv[0], '/') ? strrchr(argv[0], '/') + 1 : argv[0];
	struct timespec now;
	int i;

	clock_gettime(CLOCK_REALTIME, &now);
	seed = (uint64_t)now.tv_sec * 1000003 + (uint64_t)now.tv_nsec;
	if (getenv("CC_TEST_SEED"))
		set_seed(program, getenv("CC_TEST_SEED"));
	if (getenv("CC_TEST_SCALE"))
		set_scale(program, getenv("CC_TEST_SCALE"));
	for (i = 1; i < argc; i += 2) {
		if (i + 1 == argc)
			usage(program);
		if (!strcmp(argv[i], "--seed"))
			set_seed(program, argv[i + 1]);
		else if (!strcmp(argv[i], "--scale"))
			set_scale(program, argv[i + 1]);
		else
			usage(program);
	}
	/* a child that crashes must not print our buffered lines again */
	setvbuf(stdout, NULL, _IOLBF, 0);
	printf("%s --seed %llu --scale %g\n", program, (unsigned long long)seed, scale);
	snprintf(name, sizeof(name), "%s", program);
	catch_signals();
	slower = slowness();
	test_limits(120, 600);
	random_seed(seed);
}

static void end_case(void)
{
	if (!open)
		return;
	open = false;
	if (!case_checks) {
		printf("%s: made no check\n", name);
		case_failures++;
	}
	if (case_failures > 1)
		printf("%s: %llu of %llu checks failed\n", name, (unsigned long long)case_failures,
		       (unsigned long long)case_checks);
	if (case_failures)
		failed++;
	else
		passed++;
	checks += case_checks;
}

void test_case(const char *tier, const char *function)
{
	uint64_t stream = seed;
	const char *c;

	end_case();
	open = true;
	case_checks = 0;
	case_failures = 0;
	test_sizes(0, 0, 0);
	if (tier)
		snprintf(name, sizeof(name), "%s [%s]", function, tier);
	else
		snprintf(name, sizeof(name), "%s", function);
	/* FNV-1a */
	for (c = function; *c; c++)
		stream = (stream ^ (unsigned char)*c) * 0x100000001b3;
	random_seed(stream);
}

void test_skip(const char *format, ...)
{
	va_list arguments;

	end_case();
	printf("skipped: ");
	va_start(arguments, format);
	vprintf(format, arguments);
	va_end(arguments);
	printf("\n");
	skipped++;
}

void test_emulated(const char *format, ...)
{
	va_list arguments;

	end_case();
	printf("emulated: ");
	va_start(arguments, format);
	vprintf(format, arguments);
	va_end(arguments);
	printf(": this processor lacks it; test_kernels_emulated.py has it\n");
}

void test_sizes(size_t a, size_t b, size_t c)
{
	sizes[0] = a;
	sizes[1] = b;
	sizes[2] = c;
}

bool test_case_failed(void)
{
	return case_failures != 0;
}

size_t test_scaled(size_t count)
{
	double scaled = (double)count * scale;

	return scaled < 1 ? 1 : (size_t)scaled;
}

bool test_checked(bool holds)
{
	if (!open) {
		fprintf(stderr, "a CHECK outside of any case\n");
		exit(2);
	}
	case_checks++;
	return holds;
}

void test_failed(const char *file, int line, const char *format, ...)
{
	va_list arguments;

	if (case_failures++)
		return;
	printf("%s:%d: %s: ", file, line, name);
	va_start(arguments, format);
	vprintf(format, arguments);
	va_end(arguments);
	printf("; sizes %zu %zu %zu; --seed %llu\n", sizes[0], sizes[1], sizes[2],
	       (unsigned long long)seed);
}

int test_end(void)
{
	end_case();
	if (!passed && !failed) {
		printf("no case ran\n");
		failed++;
	}
	printf("%llu checks\n", (unsigned long long)checks);
	printf("%llu passed, %llu failed, %llu skipped\n", (unsigned long long)passed,
	       (unsigned long long)failed, (unsigned long long)skipped);
	return failed != 0;
}

void test_tiers(void (*run)(const char *tier))
{
	const struct cc_cpu_tier *tiers;
	size_t count, i;

	tiers = cc_cpu_tiers(&count);
	for (i = 0; i < count; i++) {
		if (tiers[i].needs & ~cc_cpu_detected()) {
			test_skip("tier %s: this processor lacks it", tiers[i].name);
			continue;
		}
		cc_cpu_set_mask(tiers[i].needs);
		run(tiers[i].name);
	}
	end_case();
	cc_cpu_set_mask(~(uint64_t)0);
}

void test_control(const char *what, bool caught, void (*run)(const void *context),
		  const void *context)
{
	int status = 0;
	pid_t child;

	test_case("control", what);
	fflush(stdout);
	look_every(0);
	child = fork();
	if (!child) {
		if (!freopen("/dev/null", "w", stdout))
			_exit(3);
		open = false;
		failed = 0;
		/*
		 * what is broken may never end, which is a crash, of the processor's time, which no
		 * other work uses up; what is sound has any time
		 */
		if (caught) {
			signal(SIGPROF, crash);
			setitimer(ITIMER_PROF, &(struct itimerval){.it_value.tv_sec = 120}, NULL);
		}
		begin_to_look();
		run(context);
		end_case();
		_exit(failed != 0);
	}
	CHECK(child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) &&
		      WEXITSTATUS(status) == caught,
	      "%s (status %#x)", caught ? "not caught" : "caught, though sound", status);
	begin_to_look();
}
