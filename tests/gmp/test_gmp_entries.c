// SPDX-License-Identifier: MIT
/*
 * An unchanged program enters every function that libcarrychain-gmp.so exports with numbers of one
 * word, and prints what it prints without that library.
 */
#include "harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char printed[65536], alone[65536];

#define DOOR "gmp/libcarrychain-gmp.so"

/*
 * What the program writes with those objects preloaded, into @text.  Their paths begin at the
 * build's folder: in LD_PRELOAD no path may have a space.
 */
static bool run(const char *preloaded, char *text, size_t size)
{
	size_t n;
	FILE *out;

	setenv("LD_PRELOAD", preloaded, 1);
	out = popen("tests/gmp/gmp_one_word 2>&1", "r");
	unsetenv("LD_PRELOAD");
	if (!out)
		return false;
	n = fread(text, 1, size - 1, out);
	text[n] = 0;
	return pclose(out) == 0;
}

int main(int argc, char **argv)
{
	char line[256], name[128], entered[512];
	FILE *map = fopen(MAP, "r");
	size_t names = 0;

	test_begin(argc, argv);
	test_case(NULL, "one word");
	CHECK(!chdir(BUILD), "no folder %s", BUILD);
	CHECK(run("tests/gmp/libgmp_entries.so:" DOOR, printed, sizeof(printed)),
	      "the program fails with ours");
	CHECK(run("", alone, sizeof(alone)), "the program fails without ours");
	CHECK(*alone && strstr(printed, alone), "%s, and without ours %s", printed, alone);
	while (map && fgets(line, sizeof(line), map)) {
		if (sscanf(line, " %127[_a-z0-9];", name) != 1 || strncmp(name, "__gmpn_", 7))
			continue;
		snprintf(entered, sizeof(entered), "%s %s\n", name, DOOR);
		CHECK(strstr(printed, entered), "%s is not entered", name);
		names++;
	}
	CHECK(names, "%s names no function", MAP);
	if (map)
		fclose(map);
	return test_end();
}
