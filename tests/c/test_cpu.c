// SPDX-License-Identifier: MIT
/* Which tier runs: CC_CPU in processes of their own, masks, races. */
#include "harness.h"

#include <carrychain/limbs.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* What a process with CC_CPU as @list (NULL: not set) finds in use; it asks first of all. */
struct answer {
	uint64_t features;
	char tier[64];
	char masked[64]; /* the tier that cc_cpu_set_mask() chooses for the same features */
};

/* What the same process says on stderr. */
static char said[1024];

static bool ask(struct answer *answer, const char *list)
{
	int ends[2], said_ends[2], status;
	ssize_t length;
	bool whole;
	pid_t child;

	if (pipe(ends) || pipe(said_ends))
		return false;
	child = fork();
	if (!child) {
		if (list)
			setenv("CC_CPU", list, 1);
		else
			unsetenv("CC_CPU");
		dup2(said_ends[1], 2);
		answer->features = cc_cpu_features();
		snprintf(answer->tier, sizeof(answer->tier), "%s", cc_limbs_tier());
		cc_cpu_set_mask(answer->features);
		snprintf(answer->masked, sizeof(answer->masked), "%s", cc_limbs_tier());
		_exit(write(ends[1], answer, sizeof(*answer)) != sizeof(*answer));
	}
	close(ends[1]);
	whole = read(ends[0], answer, sizeof(*answer)) == sizeof(*answer);
	close(ends[0]);
	close(said_ends[1]);
	length = read(said_ends[0], said, sizeof(said) - 1);
	said[length > 0 ? length : 0] = '\0';
	close(said_ends[0]);
	return waitpid(child, &status, 0) == child && !status && whole;
}

/* @tier NULL: as the mask chooses, which test_masks() and each kernel's tests pin down */
static void expect_said(const char *list, uint64_t features, const char *tier, const char *unknown)
{
	const char *name = list ? list : "(unset)";
	struct answer answer = {0};

	CHECK(ask(&answer, list), "CC_CPU=%s: no answer", name);
	CHECK(answer.features == features, "CC_CPU=%s: features %#llx, not %#llx", name,
	      (unsigned long long)answer.features, (unsigned long long)features);
	if (!tier)
		tier = answer.masked;
	CHECK(!strcmp(answer.tier, tier), "CC_CPU=%s: tier %s, not %s", name, answer.tier, tier);
	if (unknown) {
		char begin[128];

		snprintf(begin, sizeof(begin),
			 "carrychain: CC_CPU names no tier '%.60s': known are generic", unknown);
		CHECK(!strncmp(said, begin, strlen(begin)), "CC_CPU=%s: says %s", name, said);
		CHECK(strchr(said, '\n') == said + strlen(said) - 1, "CC_CPU=%s: not one line",
		      name);
	} else {
		CHECK(!said[0], "CC_CPU=%s: says %s", name, said);
	}
}

static void expect(const char *list, uint64_t features, const char *tier)
{
	expect_said(list, features, tier, NULL);
}

/* more than a line repeats of it */
#define LONG_NAME                                                                                  \
	"a-name-that-goes-on-and-on-and-on-and-on-and-on-and-on-and-on-and-on-and-on-and-on"

static void test_lists(void)
{
	const struct cc_cpu_tier *tiers;
	const uint64_t all = cc_cpu_detected();
	char list[256];
	size_t count, i;

	tiers = cc_cpu_tiers(&count);
	test_case(NULL, "CC_CPU");
	expect(NULL, all, NULL);
	expect("", all, NULL);
	expect("generic", 0, "generic");
	/* a tier by itself, before and after another, and one that no one knows */
	for (i = 0; i < count; i++) {
		uint64_t features = tiers[i].needs & all;

		expect(tiers[i].name, features, NULL);
		snprintf(list, sizeof(list), "generic,%s", tiers[i].name);
		expect(list, features, NULL);
		snprintf(list, sizeof(list), "%s,unknown,other", tiers[i].name);
		expect_said(list, features, NULL, "unknown");
	}
	expect_said("unknown", 0, "generic", "unknown");
	expect_said(LONG_NAME, 0, "generic", LONG_NAME);
	expect(",", 0, "generic");
	expect(",,generic,,", 0, "generic");
	/* neither the beginning of a name nor more than one */
	expect_said("x86", 0, "generic", "x86");
	expect_said("x86_645", 0, "generic", "x86_645");
	expect_said(" x86_64", 0, "generic", " x86_64");
}

static void test_masks(void)
{
	const struct cc_cpu_tier *tiers;
	const uint64_t all = cc_cpu_detected();
	size_t count, i;

	tiers = cc_cpu_tiers(&count);
	test_case(NULL, "cc_cpu_set_mask");
	CHECK(count > 0 && !strcmp(tiers[0].name, "generic") && !tiers[0].needs,
	      "the first tier is not generic");
	cc_cpu_set_mask(0);
	CHECK(!cc_cpu_features(), "features left");
	CHECK(!strcmp(cc_limbs_tier(), "generic"), "%s with no feature", cc_limbs_tier());
	for (i = 0; i < 64; i++) {
		cc_cpu_set_mask((uint64_t)1 << i);
		CHECK(cc_cpu_features() == (all & (uint64_t)1 << i), "bit %zu", i);
	}
	cc_cpu_set_mask(~(uint64_t)0);
	CHECK(cc_cpu_features() == all, "not all restored");
	CHECK(cc_cpu_detected() == all, "the detected changed");
}

static void test_brand(void)
{
	char name[49];

	test_case(NULL, "cc_cpu_brand");
	memset(name, 'x', sizeof(name));
	cc_cpu_brand(name);
	CHECK(memchr(name, '\0', sizeof(name)) != NULL, "no NUL");
	CHECK(name[0] != ' ', "begins with a space");
#if defined(__x86_64__)
	CHECK(name[0] != '\0', "empty");
#endif
}

#define THREADS 8

static pthread_barrier_t barrier;

struct racer {
	const char *tier;
	uint64_t features;
	cc_word sum, carry;
};

static void *race(void *argument)
{
	struct racer *racer = argument;
	const cc_word ones = ~(cc_word)0, one = 1;

	pthread_barrier_wait(&barrier);
	racer->carry = cc_limbs_add(&racer->sum, &ones, &one, 1);
	racer->tier = cc_limbs_tier();
	racer->features = cc_cpu_features();
	return NULL;
}

/* First use, again and again, by all at once: the same choice for everyone. */
static void test_race(void)
{
	size_t i, round;

	test_case(NULL, "threads that race for the first use");
	for (round = 0; round < test_scaled(200); round++) {
		pthread_t threads[THREADS];
		struct racer racers[THREADS];
		uint64_t mask = round % 2 ? ~(uint64_t)0 : 0;
		const char *tier;

		cc_cpu_set_mask(mask);
		tier = cc_limbs_tier();
		cc_cpu_set_mask(mask);
		pthread_barrier_init(&barrier, NULL, THREADS);
		for (i = 0; i < THREADS; i++)
			CHECK(!pthread_create(&threads[i], NULL, race, &racers[i]), "no thread");
		for (i = 0; i < THREADS; i++)
			pthread_join(threads[i], NULL);
		pthread_barrier_destroy(&barrier);
		for (i = 0; i < THREADS; i++) {
			CHECK(!strcmp(racers[i].tier, tier), "%s, not %s", racers[i].tier, tier);
			CHECK(racers[i].features == cc_cpu_features(), "other features");
			CHECK(!racers[i].sum && racers[i].carry == 1, "wrong sum");
		}
	}
	cc_cpu_set_mask(~(uint64_t)0);
}

int main(int argc, char **argv)
{
	test_begin(argc, argv);
	test_lists();
	test_masks();
	test_brand();
	test_race();
	return test_end();
}
