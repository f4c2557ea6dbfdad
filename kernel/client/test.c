// SPDX-License-Identifier: MIT
/*
 * The test client: everything that /dev/fibonacci promises, asked of a running kernel.
 *
 *	test-fibonacci MODULES [GROUP...]
 *
 * As root, the modules lying in the directory MODULES and not yet loaded; the groups of cases
 * named, or all.  A case runs in a process of its own, so that one that fails leaves nothing
 * open.
 */
#include "test.h"

static int counts[3];

static void run_cases(const struct test_case *cases)
{
	static const char *const verdicts[] = {"ok", "not ok", "skipped"};

	for (; cases->name; cases++) {
		int status, verdict = FAILED;
		uint64_t begin = now_ns();
		pid_t pid = spawn(cases->run);

		CHECK(waitpid(pid, &status, 0) == pid);
		/* as it was, whatever the case did and wherever it failed */
		put(MAX_N, "1000000");
		if (WIFEXITED(status) && WEXITSTATUS(status) <= SKIPPED)
			verdict = WEXITSTATUS(status);
		counts[verdict]++;
		printf("%s %s (%llu ms)\n", verdicts[verdict], cases->name,
		       (unsigned long long)(now_ns() - begin) / 1000000);
		fflush(stdout);
	}
}

/* The first ones load and unload by themselves. */
#define ABSENT 2
static const struct {
	const char *name;
	const struct test_case *cases;
} groups[] = {
	{"modules", module_cases}, {"file", file_cases},	{"protocol", protocol_cases},
	{"model", model_cases},	   {"pointers", pointer_cases}, {"many", many_cases},
	{"signals", signal_cases}, {"failing", failing_cases},
};

#define GROUPS (sizeof(groups) / sizeof(groups[0]))

static bool wanted(const char *name, char **names)
{
	bool any = !*names;

	for (; *names; names++)
		any |= !strcmp(*names, name);
	return any;
}

int main(int argc, char **argv)
{
	size_t i;

	if (argc < 2) {
		fputs("usage: test-fibonacci MODULES [GROUP...]\n", stderr);
		return 2;
	}
	modules = argv[1];
	for (i = 0; i < ABSENT; i++)
		if (wanted(groups[i].name, argv + 2))
			run_cases(groups[i].cases);
	if (load("carrychain_math") || load("fibdrv")) {
		perror("loading the modules");
		return 1;
	}
	for (i = ABSENT; i < GROUPS; i++)
		if (wanted(groups[i].name, argv + 2))
			run_cases(groups[i].cases);
	if (unload("fibdrv") || unload("carrychain_math")) {
		perror("unloading the modules");
		return 1;
	}
	printf("%d passed, %d failed, %d skipped\n", counts[0], counts[FAILED], counts[SKIPPED]);
	return counts[FAILED] > 0;
}
