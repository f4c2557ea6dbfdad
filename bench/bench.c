// SPDX-License-Identifier: MIT
/*
 * carrychain-bench [--quick] [--all] [--case NAME] [--most SIZE] [--flint FILE] [--aws-lc FILE]
 * [--openssl FILE] [--list] [SUITE...] - one row of JSON a line: {suite, case, size, impl,
 * ns_median, ns_min, peer, ratio, spread, disturbed}, as bench.h defines them.
 */
#include "flint.h"
#include "timing.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* A suite whose file is not there yet is left out. */
#pragma weak cc_bench_u128
#pragma weak cc_bench_limbs
#pragma weak cc_bench_natural
#pragma weak cc_bench_theory
#pragma weak cc_bench_fib
#pragma weak cc_bench_decimal
#pragma weak cc_bench_fixed
#pragma weak cc_bench_fixed_ffa
#pragma weak cc_crypto_open
#pragma weak cc_bench_checksum
#pragma weak cc_bench_checksum_lengths
#pragma weak cc_bench_checksum_schemes

static const struct {
	const char *name;
	void (*run)(void);
} suites[] = {
	{"u128", cc_bench_u128},
	{"limbs", cc_bench_limbs},
	{"natural", cc_bench_natural},
	{"theory", cc_bench_theory},
	{"fixed", cc_bench_fixed},
	{"fixed_ffa", cc_bench_fixed_ffa},
	{"fib", cc_bench_fib},
	{"decimal", cc_bench_decimal},
	{"checksum", cc_bench_checksum},
	{"checksum_lengths", cc_bench_checksum_lengths},
	{"checksum_schemes", cc_bench_checksum_schemes},
};

#define SUITES (sizeof(suites) / sizeof(suites[0]))

static const char *suite;
static int quick, all;
/* Rows of no other case, unless this is NULL, and of no larger size. */
static const char *only;
static size_t most = SIZE_MAX;

const char *cc_bench_suite(void)
{
	return suite;
}

int cc_bench_all(void)
{
	return all;
}

int cc_bench_wants(const char *case_, size_t size)
{
	return size <= most && (!only || !strcmp(only, case_));
}

#define EVERY 16

size_t cc_bench_next(size_t n)
{
	size_t octave = 1;

	if (n < 2 || (all && n < EVERY))
		return n + 1;
	while (octave <= n / 2)
		octave *= 2;
	return n == octave ? n + octave / 2 : 2 * octave;
}

double cc_bench_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

void cc_bench_pair(const char *case_, size_t size, const char *impl, const char *peer,
		   cc_bench_fn *ours, cc_bench_fn *theirs, void *context)
{
	struct cc_bench_timing t;

	if (!cc_bench_wants(case_, size))
		return;
	t = cc_bench_time(ours, theirs, context, quick);
	printf("{\"suite\": \"%s\", \"case\": \"%s\", \"size\": %zu, \"impl\": \"%s\", "
	       "\"ns_median\": %.4g, \"ns_min\": %.4g, ",
	       suite, case_, size, impl, t.ns_median, t.ns_min);
	if (theirs)
		printf("\"peer\": \"%s\", \"ratio\": %.3f, ", peer, t.ratio);
	else if (peer)
		printf("\"peer\": \"%s\", \"ratio\": null, ", peer);
	else
		printf("\"peer\": null, \"ratio\": null, ");
	printf("\"spread\": %.3f, \"disturbed\": %s}\n", t.spread,
	       t.spread > CC_BENCH_SPREAD_MAX ? "true" : "false");
	fflush(stdout);
}

void cc_bench_random(void *words, size_t bytes)
{
	/* Steele and Vigna's splitmix64 */
	static uint64_t state = 1;
	unsigned char *p = words;

	while (bytes) {
		uint64_t x = state += 0x9e3779b97f4a7c15;
		size_t part = bytes < sizeof(x) ? bytes : sizeof(x);

		x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
		x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
		x ^= x >> 31;
		memcpy(p, &x, part);
		p += part;
		bytes -= part;
	}
}

void *cc_bench_alloc(size_t bytes)
{
	void *p = aligned_alloc(64, (bytes + 64) / 64 * 64);

	if (!p) {
		fprintf(stderr, "carrychain-bench: no memory for %zu bytes\n", bytes);
		exit(1);
	}
	memset(p, 0, bytes);
	return p;
}

static int usage(const char *what, const char *argument)
{
	fprintf(stderr,
		"carrychain-bench: %s %s: give [--quick] [--all] [--case NAME] [--most SIZE] "
		"[--flint FILE] [--aws-lc FILE] [--openssl FILE] [--list] and suites from "
		"--list\n",
		what, argument);
	return 2;
}

/* Libraries of OpenSSL's interface, by the beginnings of their versions. */
static const struct {
	const char *option, *name, *version;
} crypto[] = {
	{"--aws-lc", "AWS-LC", "aws-lc "},
	{"--openssl", "OpenSSL", "openssl "},
};

#define CRYPTO (sizeof(crypto) / sizeof(crypto[0]))

static int no_peer(const char *name, const char *why)
{
	fprintf(stderr, "carrychain-bench: no %s: %s\n", name, why);
	return 2;
}

int main(int argc, char **argv)
{
	int wanted[SUITES] = {0}, any = 0, list = 0, i;
	size_t s, p;

	for (i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "--quick")) {
			quick = 1;
			continue;
		}
		if (!strcmp(argv[i], "--all")) {
			all = 1;
			continue;
		}
		if (!strcmp(argv[i], "--case") && i + 1 < argc) {
			only = argv[++i];
			continue;
		}
		if (!strcmp(argv[i], "--most") && i + 1 < argc) {
			most = strtoul(argv[++i], NULL, 10);
			continue;
		}
		if (!strcmp(argv[i], "--flint") && i + 1 < argc) {
			const char *why = cc_flint_open(argv[++i]);

			if (why)
				return no_peer("FLINT", why);
			continue;
		}
		for (p = 0; p < CRYPTO && strcmp(argv[i], crypto[p].option); p++)
			;
		if (p < CRYPTO && i + 1 < argc) {
			const char *why = cc_crypto_open
						  ? cc_crypto_open(argv[++i], crypto[p].version)
						  : "built without OpenSSL's headers";

			if (why)
				return no_peer(crypto[p].name, why);
			continue;
		}
		if (!strcmp(argv[i], "--list")) {
			list = 1;
			continue;
		}
		if (argv[i][0] == '-')
			return usage("no option", argv[i]);
		for (s = 0; s < SUITES && strcmp(argv[i], suites[s].name); s++)
			;
		if (s == SUITES)
			return usage("no suite", argv[i]);
		wanted[s] = any = 1;
	}
	for (s = 0; s < SUITES; s++) {
		if (!suites[s].run || (any && !wanted[s]))
			continue;
		if (list) {
			puts(suites[s].name);
			continue;
		}
		suite = suites[s].name;
		suites[s].run();
	}
	return 0;
}
