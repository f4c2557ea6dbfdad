// SPDX-License-Identifier: MIT
/* Random calls of GMP's functions beside GMP's own, with every overlap that its manual allows. */
#include "mpn.h"

#include <dlfcn.h>

struct mpn ours, theirs;
cc_word mine[ARENA], its[ARENA], *arena;
cc_u64 result, its_result;

void fill(size_t words)
{
	size_t at, n;

	for (at = 0; at < words; at += n) {
		n = 1 + random_below(words - at);
		random_words(mine + at, n);
	}
	memcpy(its, mine, words * sizeof(*its));
}

void same(const char *what, size_t words)
{
	CHECK(!memcmp(mine, its, words * sizeof(*its)), "another %s than GMP's", what);
}

size_t a_size(size_t least, size_t most)
{
	size_t shape = random_below(32);
	size_t longest = shape < 12 ? 8 : shape < 26 ? 40 : shape < 31 ? 400 : most;

	longest = longest < most ? longest : most;
	return least + random_below(longest + 1 - least);
}

size_t near(size_t threshold, size_t most)
{
	size_t n = random_below(16) ? a_size(1, most) : threshold - 4 + random_below(9);

	return n < 1 ? 1 : n > most ? most : n;
}

static void run(const struct checks *some)
{
	size_t i, times;

	for (i = 0; i < some->count; i++) {
		test_case(ours.door, some->checks[i].name);
		for (times = test_scaled(some->checks[i].times); times && !test_case_failed();
		     times--)
			some->checks[i].run();
	}
}

/* What libcarrychain-gmp.so has some functions of. */
static void run_interposed(void)
{
	run(&products);
	run(&quotients);
	run(&divisors);
	run(&digits);
}

/* The functions that the program sees once ours stand before libgmp in the order of search. */
static bool interpose(void)
{
	void *door = dlopen(DOOR, RTLD_NOW | RTLD_GLOBAL);

	CHECK(door, "%s", dlerror());
	if (!door || !dlopen("libgmp.so.10", RTLD_NOW | RTLD_GLOBAL))
		return false;
#define FIND(result, name, arguments) *(void **)&ours.name = dlsym(RTLD_DEFAULT, "__gmpn_" #name);
	FUNCTIONS(FIND)
#undef FIND
	ours.door = "interposed";
	return dlsym(RTLD_DEFAULT, "__gmpn_mul") == dlsym(door, "__gmpn_mul");
}

int main(int argc, char **argv)
{
	void *gmp;

	test_begin(argc, argv);
	gmp = dlmopen(LM_ID_NEWLM, "libgmp.so.10", RTLD_NOW);
	if (!gmp) {
		test_skip("GMP's functions beside GMP: libgmp.so.10 is not here");
		return test_end();
	}
#define FIND(result, name, arguments) *(void **)&theirs.name = dlsym(gmp, "__gmpn_" #name);
	FUNCTIONS(FIND)
#undef FIND
#define FIND(result, name, arguments) ours.name = cc_mpn_##name;
	FUNCTIONS(FIND)
#undef FIND
	ours.door = "called";
	run(&sums);
	run(&bits);
	run(&constant_time);
	run_interposed();
	test_case(NULL, "interposed");
	CHECK(interpose(), "ours are not found first");
	if (!test_case_failed())
		run_interposed();
	return test_end();
}
