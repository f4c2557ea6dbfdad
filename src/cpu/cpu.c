// SPDX-License-Identifier: MIT
#include "dispatch.h"

const void *cc_cpu_chosen[CC_FAMILIES];

/* The tiers for this architecture. */
static const struct cc_cpu_tier tiers[] = {
	{"generic", CC_TIER_GENERIC},
#if CC_BUILD_X86_64
	{"x86_64", CC_TIER_X86_64},
	{"bmi2+adx", CC_TIER_BMI2ADX},
	/* the tier in fixed/ also uses mulx and adx, so this name allows them */
	{"avx2", CC_TIER_AVX2 | CC_TIER_BMI2ADX},
	{"avx512", CC_TIER_AVX512},
	{"avx512ifma", CC_TIER_AVX512IFMA},
	{"avx512vnni", CC_TIER_AVX512VNNI},
#elif defined(__aarch64__)
	{"neon", CC_TIER_NEON},
#elif defined(__powerpc64__)
	{"altivec", CC_TIER_ALTIVEC},
#endif
};

#define TIERS (sizeof(tiers) / sizeof(tiers[0]))

const struct cc_cpu_tier *cc_cpu_tiers(size_t *count)
{
	*count = TIERS;
	return tiers;
}

#if CC_BUILD_X86_64

struct cpuid {
	cc_u32 eax, ebx, ecx, edx;
};

static struct cpuid ask_cpuid(cc_u32 leaf)
{
	struct cpuid r;

	__asm__ volatile("cpuid"
			 : "=a"(r.eax), "=b"(r.ebx), "=c"(r.ecx), "=d"(r.edx)
			 : "0"(leaf), "2"(0));
	return r;
}

/* XCR0: which register files the operating system saves. */
static cc_u32 xcr0(void)
{
	cc_u32 eax, edx;

	__asm__ volatile("xgetbv" : "=a"(eax), "=d"(edx) : "c"(0));
	return eax;
}

#define OSXSAVE	    (1u << 27) /* leaf 1, ecx */
#define XCR0_YMM    0x06u      /* xmm, ymm */
#define XCR0_ZMM    0xe6u      /* and opmask, the upper halves, zmm16-31 */
#define HAS(r, bit) (((r) >> (bit)) & 1)

uint64_t cc_cpu_features_of(const struct cc_cpuid *p)
{
	uint64_t features = CC_CPU_X86_64;

	/* cpuid returns another leaf's values for one that does not exist */
	if (p->leaves < 7)
		return features;
	if (HAS(p->ebx7, 8))
		features |= CC_CPU_BMI2;
	if (HAS(p->ebx7, 19))
		features |= CC_CPU_ADX;
	/* FMA too */
	if ((p->xcr0 & XCR0_YMM) == XCR0_YMM && HAS(p->ebx7, 5) && HAS(p->ecx1, 12))
		features |= CC_CPU_AVX2;
	/* F, DQ, BW, VL */
	if ((p->xcr0 & XCR0_ZMM) == XCR0_ZMM && HAS(p->ebx7, 16) && HAS(p->ebx7, 17) &&
	    HAS(p->ebx7, 30) && HAS(p->ebx7, 31)) {
		features |= CC_CPU_AVX512;
		if (HAS(p->ebx7, 21))
			features |= CC_CPU_AVX512IFMA;
		if (HAS(p->ecx7, 11))
			features |= CC_CPU_AVX512VNNI;
	}
	return features;
}

static uint64_t detect(void)
{
	struct cpuid one = ask_cpuid(1), seven = ask_cpuid(7);
	const struct cc_cpuid p = {ask_cpuid(0).eax, one.ecx, seven.ebx, seven.ecx,
				   one.ecx & OSXSAVE ? xcr0() : 0};

	return cc_cpu_features_of(&p);
}

void cc_cpu_brand(char name[49])
{
	cc_u32 leaf;
	size_t i, at = 0;

	memset(name, 0, 49);
	if (ask_cpuid(0x80000000).eax < 0x80000004)
		return;
	for (leaf = 0x80000002; leaf <= 0x80000004; leaf++) {
		struct cpuid r = ask_cpuid(leaf);

		memcpy(name + at, &r, sizeof(r));
		at += sizeof(r);
	}
	/* some pad on the left */
	for (i = 0; name[i] == ' '; i++)
		;
	memmove(name, name + i, 49 - i);
}

#else

static uint64_t detect(void)
{
	uint64_t features = 0;

#if defined(__aarch64__) && defined(__ARM_NEON)
	features |= CC_CPU_NEON;
#endif
	if (CC_HAS_ALTIVEC())
		features |= CC_CPU_ALTIVEC;
	return features;
}

void cc_cpu_brand(char name[49])
{
	memset(name, 0, 49);
}

#endif

static int same(const char *name, const char *word, size_t length)
{
	size_t i;

	for (i = 0; i < length; i++)
		if (name[i] != word[i])
			return 0;
	return name[length] == '\0';
}

/* What a CC_CPU list allows, and the first name in it that is not a tier's, or NULL. */
struct allowed {
	uint64_t features;
	const char *unknown;
	size_t length;
};

static struct allowed allowed(const char *list)
{
	struct allowed result = {0, NULL, 0};

	while (*list) {
		size_t length = 0, i;
		int known = 0;

		while (list[length] && list[length] != ',')
			length++;
		for (i = 0; i < TIERS; i++) {
			if (same(tiers[i].name, list, length)) {
				result.features |= tiers[i].needs;
				known = 1;
			}
		}
		if (!known && length && !result.unknown) {
			result.unknown = list;
			result.length = length;
		}
		list += length + (list[length] == ',');
	}
	return result;
}

/* A line, truncated if it does not fit. */
struct line {
	char text[256];
	size_t length;
};

static void append(struct line *line, const char *text, size_t length)
{
	size_t room = sizeof(line->text) - 1 - line->length;

	length = length < room ? length : room;
	memcpy(line->text + line->length, text, length);
	line->length += length;
	line->text[line->length] = '\0';
}

static void say_unknown(const char *name, size_t length)
{
	static const char begin[] = "carrychain: CC_CPU names no tier '",
			  middle[] = "': known are ";
	struct line line = {"", 0};
	size_t i, end;

	append(&line, begin, sizeof(begin) - 1);
	append(&line, name, length < 60 ? length : 60);
	append(&line, middle, sizeof(middle) - 1);
	for (i = 0; i < TIERS; i++) {
		for (end = 0; tiers[i].name[end]; end++)
			;
		append(&line, tiers[i].name, end);
		append(&line, i + 1 < TIERS ? ", " : "\n", i + 1 < TIERS ? 2 : 1);
	}
	CC_SAY(line.text);
}

/* Features are stored in 32 bits, which every machine loads and stores atomically. */
uint64_t cc_cpu_detected(void)
{
	static cc_u32 detected;
	cc_u32 features = __atomic_load_n(&detected, __ATOMIC_RELAXED);

	if (!features) {
		features = (cc_u32)detect();
		__atomic_store_n(&detected, features, __ATOMIC_RELAXED);
	}
	return features;
}

/* The features in use, and SET beside them once they are known. */
#define SET ((cc_u32)1 << 31)
static cc_u32 in_use;

uint64_t cc_cpu_features(void)
{
	cc_u32 features = __atomic_load_n(&in_use, __ATOMIC_RELAXED);

	if (!features) {
		const char *list = CC_GETENV("CC_CPU");
		struct allowed may = {~(uint64_t)0, NULL, 0};

		if (list && *list)
			may = allowed(list);
		features = (cc_u32)(cc_cpu_detected() & may.features) | SET;
		__atomic_store_n(&in_use, features, __ATOMIC_RELAXED);
		/* several threads may do this: an atomic exchange would call libgcc on aarch64 */
		if (may.unknown)
			say_unknown(may.unknown, may.length);
	}
	return features & ~SET;
}

void cc_cpu_set_mask(uint64_t mask)
{
	int family;

	__atomic_store_n(&in_use, (cc_u32)(cc_cpu_detected() & mask) | SET, __ATOMIC_RELAXED);
	for (family = 0; family < CC_FAMILIES; family++)
		__atomic_store_n(&cc_cpu_chosen[family], NULL, __ATOMIC_RELEASE);
}

const void *cc_cpu_best(const struct cc_candidate *candidates, size_t count, uint64_t features)
{
	const void *kernels = NULL;
	size_t i;

	for (i = 0; i < count; i++)
		if (!(candidates[i].needs & ~features))
			kernels = candidates[i].kernels;
	return kernels;
}

const void *cc_cpu_choose(enum cc_family family, const struct cc_candidate *candidates,
			  size_t count)
{
	const void *kernels = cc_cpu_best(candidates, count, cc_cpu_features());

	__atomic_store_n(&cc_cpu_chosen[family], kernels, __ATOMIC_RELEASE);
	return kernels;
}
