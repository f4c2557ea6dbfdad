// SPDX-License-Identifier: MIT
/* What a processor has, and which tier runs: CC_CPU in processes of their own, masks, races. */
#include "fixed/kernels.h"
#include "harness.h"
#include "limbs/kernels.h"

#include <carrychain/checksum.h>
#include <carrychain/fixed.h>
#include <carrychain/limbs.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#if CC_BUILD_X86_64
#include <cpuid.h>
#endif

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
		char line[256];
		const struct cc_cpu_tier *tiers;
		size_t count, i, at;

		tiers = cc_cpu_tiers(&count);
		at = (size_t)snprintf(line, sizeof(line),
				      "carrychain: CC_CPU names no tier '%.60s': known are ",
				      unknown);
		for (i = 0; i < count; i++)
			at += (size_t)snprintf(line + at, sizeof(line) - at, "%s%s", tiers[i].name,
					       i + 1 < count ? ", " : "\n");
		CHECK(!strcmp(said, line), "CC_CPU=%s: says %s, not %s", name, said, line);
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
	/* a tier by itself, before and after another, one that no one knows; with any letter wrong
	 */
	for (i = 0; i < count; i++) {
		uint64_t features = tiers[i].needs & all;
		size_t letter;

		expect(tiers[i].name, features, NULL);
		snprintf(list, sizeof(list), "generic,%s", tiers[i].name);
		expect(list, features, NULL);
		snprintf(list, sizeof(list), "%s,unknown,other", tiers[i].name);
		expect_said(list, features, NULL, "unknown");
		for (letter = 0; tiers[i].name[letter]; letter++) {
			snprintf(list, sizeof(list), "%s", tiers[i].name);
			list[letter] ^= 1;
			expect_said(list, 0, "generic", list);
		}
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

/* Whether a tier of this name needs what one of a module's does. */
static void test_needs_of(const struct cc_candidate *candidates, size_t count)
{
	const struct cc_cpu_tier *tiers;
	size_t known, i, j;

	tiers = cc_cpu_tiers(&known);
	for (i = 0; i < count; i++) {
		/* their first member is their tier's name */
		const char *name = *(const char *const *)candidates[i].kernels;

		for (j = 0; j < known && strcmp(tiers[j].name, name); j++)
			;
		CHECK(j < known && !(candidates[i].needs & ~tiers[j].needs),
		      "who names %s does not get all that it needs", name);
	}
}

/* By its needs alone some module runs in each tier. */
static void test_needs(void)
{
	const struct cc_cpu_tier *tiers;
	const uint64_t all = cc_cpu_detected();
	size_t count, i;

	test_case(NULL, "what tiers need");
	test_needs_of(cc_limbs_candidates, cc_limbs_candidates_count);
	test_needs_of(cc_fixed_candidates, cc_fixed_candidates_count);
	tiers = cc_cpu_tiers(&count);
	for (i = 0; i < count; i++) {
		if (tiers[i].needs & ~all)
			continue;
		cc_cpu_set_mask(tiers[i].needs);
		CHECK(!strcmp(cc_limbs_tier(), tiers[i].name) ||
			      !strcmp(cc_fz_tier(), tiers[i].name) ||
			      !strcmp(cc_checksum_tier(), tiers[i].name),
		      "nothing runs in %s", tiers[i].name);
	}
	cc_cpu_set_mask(~(uint64_t)0);
}

#if CC_BUILD_X86_64

#define AVX512_ALL (CC_CPU_AVX512 | CC_CPU_AVX512IFMA | CC_CPU_AVX512VNNI)

/* Without which bits what is lost: Intel's manual, volume 2, CPUID; volume 1, 13.3 and 14. */
static const struct {
	size_t at; /* a register of struct cc_cpuid */
	unsigned int bit;
	uint64_t features;
} relies[] = {
	{offsetof(struct cc_cpuid, ebx7), 8, CC_CPU_BMI2},
	{offsetof(struct cc_cpuid, ebx7), 19, CC_CPU_ADX},
	{offsetof(struct cc_cpuid, ebx7), 5, CC_CPU_AVX2},
	{offsetof(struct cc_cpuid, ecx1), 12, CC_CPU_AVX2},
	{offsetof(struct cc_cpuid, xcr0), 1, CC_CPU_AVX2 | AVX512_ALL},
	{offsetof(struct cc_cpuid, xcr0), 2, CC_CPU_AVX2 | AVX512_ALL},
	{offsetof(struct cc_cpuid, xcr0), 5, AVX512_ALL},
	{offsetof(struct cc_cpuid, xcr0), 6, AVX512_ALL},
	{offsetof(struct cc_cpuid, xcr0), 7, AVX512_ALL},
	{offsetof(struct cc_cpuid, ebx7), 16, AVX512_ALL},
	{offsetof(struct cc_cpuid, ebx7), 17, AVX512_ALL},
	{offsetof(struct cc_cpuid, ebx7), 30, AVX512_ALL},
	{offsetof(struct cc_cpuid, ebx7), 31, AVX512_ALL},
	{offsetof(struct cc_cpuid, ebx7), 21, CC_CPU_AVX512IFMA},
	{offsetof(struct cc_cpuid, ecx7), 11, CC_CPU_AVX512VNNI},
};

#define EVERY                                                                                      \
	(CC_CPU_X86_64 | CC_CPU_BMI2 | CC_CPU_ADX | CC_CPU_AVX2 | CC_CPU_AVX512 |                  \
	 CC_CPU_AVX512IFMA | CC_CPU_AVX512VNNI)

/* A processor that has any bits, mostly nearly all of them. */
static void test_any_processor(void)
{
	size_t round, i, flips;

	test_case(NULL, "any processor's features");
	for (round = 0; round < test_scaled(20000); round++) {
		struct cc_cpuid p;
		unsigned char *bytes = (unsigned char *)&p;
		uint64_t features = EVERY;

		memset(&p, 0xff, sizeof(p));
		for (flips = random_below(4); flips; flips--)
			bytes[random_below(sizeof(p))] ^= (unsigned char)(1 << random_below(8));
		p.leaves = (cc_u32)random_below(40);
		if (p.leaves < 7)
			features = CC_CPU_X86_64;
		for (i = 0; i < COUNT(relies); i++) {
			cc_u32 bits;

			memcpy(&bits, bytes + relies[i].at, sizeof(bits));
			if (!(bits >> relies[i].bit & 1))
				features &= ~relies[i].features;
		}
		CHECK(cc_cpu_features_of(&p) == features,
		      "%#llx, not %#llx of %u leaves, ecx1 %#x, ebx7 %#x, ecx7 %#x, xcr0 %#x",
		      (unsigned long long)cc_cpu_features_of(&p), (unsigned long long)features,
		      p.leaves, p.ecx1, p.ebx7, p.ecx7, p.xcr0);
	}
}

/* Beside what the compiler's own library finds. */
static void test_this_processor(void)
{
	const uint64_t all = cc_cpu_detected();
	bool f = __builtin_cpu_supports("avx512f"), bw = __builtin_cpu_supports("avx512bw");
	bool dq = __builtin_cpu_supports("avx512dq"), vl = __builtin_cpu_supports("avx512vl");
	bool avx512 = f && bw && dq && vl;

	test_case(NULL, "this processor's features");
	CHECK(all & CC_CPU_X86_64, "not even the baseline");
	CHECK(!(all & CC_CPU_BMI2) == !__builtin_cpu_supports("bmi2"), "BMI2");
	CHECK(!(all & CC_CPU_AVX2) ==
		      !(__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")),
	      "AVX2");
	CHECK(!(all & CC_CPU_AVX512) == !avx512, "AVX-512");
	CHECK(!(all & CC_CPU_AVX512IFMA) == !(avx512 && __builtin_cpu_supports("avx512ifma")),
	      "AVX-512 IFMA");
	CHECK(!(all & CC_CPU_AVX512VNNI) == !(avx512 && __builtin_cpu_supports("avx512vnni")),
	      "AVX-512 VNNI");
}

static void test_name(const char *name)
{
	unsigned int words[13] = {0};
	const char *begin = (const char *)words;
	unsigned int i;

	for (i = 0; i < 3; i++)
		if (!__get_cpuid(0x80000002 + i, &words[4 * i], &words[4 * i + 1],
				 &words[4 * i + 2], &words[4 * i + 3]))
			return;
	while (*begin == ' ')
		begin++;
	CHECK(!strcmp(name, begin), "%s, not %s", name, begin);
}

#endif

static void test_brand(void)
{
	struct guard guard;
	char *name;

	test_case(NULL, "cc_cpu_brand");
	guard_init(&guard, 49);
	name = guard_place(&guard, 49, GUARD_END, 0);
	cc_cpu_brand(name);
	CHECK(guard_intact(&guard), "wrote outside");
	CHECK(!name[48], "no NUL");
	CHECK(name[0] != ' ', "begins with a space");
#if CC_BUILD_X86_64
	CHECK(name[0] != '\0', "empty");
	test_name(name);
#endif
	guard_free(&guard);
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
	test_needs();
#if CC_BUILD_X86_64
	test_any_processor();
	test_this_processor();
#endif
	test_brand();
	test_race();
	return test_end();
}
