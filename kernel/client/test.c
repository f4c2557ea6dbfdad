// SPDX-License-Identifier: MIT
/*
 * The test client: tests everything that /dev/fibonacci promises, in a running kernel.
 *
 *	test-fibonacci MODULES [GROUP...]
 *
 * Run it as root; the modules are in the directory MODULES, and not loaded.  It runs the named
 * groups of cases, or all.  What both protocols promise is tested by default and with values=1.
 * Each case runs in a process of its own, so a failed one leaves nothing open.  CC_TEST_SEED
 * chooses the random calls and moments, CC_TEST_SCALE (1) how many there are.
 */
#include "test.h"

static int counts[3];

static void run_cases(const struct test_case *cases)
{
	static const char *const verdicts[] = {"ok", "not ok", "skipped"};

	static int begun;

	for (; cases->name; cases++) {
		int status, verdict = FAILED;
		uint64_t begin = now_ns();
		pid_t pid;

		draw_anew(++begun);
		pid = spawn(cases->run);

		CHECK(waitpid(pid, &status, 0) == pid);
		/* restore the parameters, whatever the case did and wherever it failed */
		put(MAX_N, "1000000");
		put(MAX_MEMORY, "0");
		if (WIFEXITED(status) && WEXITSTATUS(status) <= SKIPPED)
			verdict = WEXITSTATUS(status);
		counts[verdict]++;
		printf("%s %s%s (%llu ms)\n", verdicts[verdict], values ? "values=1: " : "",
		       cases->name, (unsigned long long)(now_ns() - begin) / 1000000);
		fflush(stdout);
	}
}

/* How fibdrv is loaded for a group; the first group loads and unloads it itself. */
enum { ABSENT, DIGITS, VALUES, LOADS };

static const struct {
	const char *name;
	const struct test_case *cases;
	int load;
} groups[] = {
	{"modules", module_cases, ABSENT},    {"file", file_cases, DIGITS},
	{"protocol", protocol_cases, DIGITS}, {"model", model_cases, DIGITS},
	{"pointers", pointer_cases, DIGITS},  {"many", many_cases, DIGITS},
	{"memory", memory_cases, DIGITS},     {"signals", signal_cases, DIGITS},
	{"failing", failing_cases, DIGITS},   {"values", value_cases, VALUES},
	{"protocol", protocol_cases, VALUES}, {"model", model_cases, VALUES},
	{"pointers", pointer_cases, VALUES},
};

#define GROUPS (sizeof(groups) / sizeof(groups[0]))

static bool wanted(const char *name, char **names)
{
	bool any = !*names;

	for (; *names; names++)
		any |= !strcmp(*names, name);
	return any;
}

static void run_groups(int loaded, char **names)
{
	size_t i;

	for (i = 0; i < GROUPS; i++)
		if (groups[i].load == loaded && wanted(groups[i].name, names))
			run_cases(groups[i].cases);
}

int main(int argc, char **argv)
{
	int i;

	if (argc < 2) {
		fputs("usage: test-fibonacci MODULES [GROUP...]\n", stderr);
		return 2;
	}
	modules = argv[1];
	run_groups(ABSENT, argv + 2);
	for (i = DIGITS; i < LOADS; i++) {
		values = i == VALUES;
		if (load("carrychain_math") || load_with("fibdrv", values ? "values=1" : "")) {
			perror("loading the modules");
			return 1;
		}
		run_groups(i, argv + 2);
		if (unload("fibdrv") || unload("carrychain_math")) {
			perror("unloading the modules");
			return 1;
		}
	}
	printf("%d passed, %d failed, %d skipped\n", counts[0], counts[FAILED], counts[SKIPPED]);
	return counts[FAILED] > 0;
}
