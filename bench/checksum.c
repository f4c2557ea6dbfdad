// SPDX-License-Identifier: MIT
/*
 * The Internet checksum against what kernels have in assembly (adc), what the compiler
 * makes of the plain loop for this very machine (loop), and what only loads the data
 * (load); and, as suites of their own, every length where lengths matter, and every scheme.
 *
 * Every peer is called by a pointer, as our schemes are, and what it returns is folded.
 */
#include <checksum/schemes.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

#define LARGEST ((size_t)1 << 20)

struct work {
	const unsigned char *data;
	unsigned char *to;
	size_t len;
	cc_checksum_fn *sum, *peer;
	volatile uint16_t result;
};

CC_BENCH_LOOP(ours, w->result = cc_checksum(w->data, w->len))
CC_BENCH_LOOP(scheme, w->result = cc_checksum_fold(w->sum(w->data, w->len)))
CC_BENCH_LOOP(theirs, w->result = cc_checksum_fold(w->peer(w->data, w->len)))

/*
 * As long as 32 bits are wide enough: to 128 KB.  A macro, since gcc does not inline one
 * function into another of more optimisation.
 */
#define LOOP(attributes, name)                                                                     \
	attributes __attribute__((noinline, aligned(64))) static cc_u32 name(                      \
		const unsigned char *data, size_t len)                                             \
	{                                                                                          \
		const uint16_t *words = (const void *)data;                                        \
		cc_u32 sum = 0;                                                                    \
		size_t i;                                                                          \
                                                                                                   \
		for (i = 0; i < len / 2; i++)                                                      \
			sum += words[i];                                                           \
		return len % 2 ? sum + data[len - 1] : sum;                                        \
	}

#ifdef __clang__
#define O3
#else
#define O3 __attribute__((optimize("O3")))
#endif

LOOP(O3, loop)

#if CC_BUILD_AVX

LOOP(O3 __attribute__((target("arch=haswell"))), loop_avx2)
LOOP(O3 __attribute__((target("arch=icelake-server,prefer-vector-width=512"))), loop_avx512)

__attribute__((noinline, aligned(64))) static cc_u32 adc(const unsigned char *data, size_t len)
{
	cc_u64 sum = 0;

	for (; len >= 64; data += 64, len -= 64)
		__asm__("addq (%1), %0\n\t"
			"adcq 8(%1), %0\n\t"
			"adcq 16(%1), %0\n\t"
			"adcq 24(%1), %0\n\t"
			"adcq 32(%1), %0\n\t"
			"adcq 40(%1), %0\n\t"
			"adcq 48(%1), %0\n\t"
			"adcq 56(%1), %0\n\t"
			"adcq $0, %0"
			: "+r"(sum)
			: "r"(data), "m"(*(const unsigned char(*)[64])data)
			: "cc");
	for (; len >= 8; data += 8, len -= 8)
		__asm__("addq (%1), %0\n\t"
			"adcq $0, %0"
			: "+r"(sum)
			: "r"(data), "m"(*(const unsigned char(*)[8])data)
			: "cc");
	return cc_checksum_fold32(cc_checksum_fold64(sum) + cc_checksum_tail(data, len));
}

/* Every byte is loaded, by the steps of our kernels, and nothing else is done. */

#define LOAD_512(n) "vmovdqu64 64*" #n "(%0), %%zmm" #n "\n\t"
#define LOAD_256(n) "vmovdqu 32*" #n "(%0), %%ymm" #n "\n\t"
#define LOADED	    "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7"
#define LOADS(bytes, loads)                                                                        \
	do {                                                                                       \
		__asm__ volatile(loads : : "r"(data) : LOADED, "memory");                          \
		data += (bytes);                                                                   \
	} while (0)

__attribute__((noinline, aligned(64))) static cc_u32 load_avx512(const unsigned char *data,
								 size_t len)
{
	for (; len >= 512; len -= 512)
		LOADS(512, LOAD_512(0) LOAD_512(1) LOAD_512(2) LOAD_512(3) LOAD_512(4) LOAD_512(5)
				   LOAD_512(6) LOAD_512(7));
	if (len & 256)
		LOADS(256, LOAD_512(0) LOAD_512(1) LOAD_512(2) LOAD_512(3));
	if (len & 128)
		LOADS(128, LOAD_512(0) LOAD_512(1));
	if (len & 64)
		LOADS(64, LOAD_512(0));
	if (len % 64)
		__asm__ volatile("kmovq %1, %%k1\n\t"
				 "vmovdqu8 (%0), %%zmm0%{%%k1%}%{z%}"
				 :
				 : "r"(data), "r"(((cc_u64)1 << len % 64) - 1)
				 : "xmm0", "memory");
	__asm__ volatile("vzeroupper" : : : LOADED);
	return 1;
}

/* For at least 32 bytes */
__attribute__((noinline, aligned(64))) static cc_u32 load_avx2(const unsigned char *data,
							       size_t len)
{
	for (; len >= 256; len -= 256)
		LOADS(256, LOAD_256(0) LOAD_256(1) LOAD_256(2) LOAD_256(3) LOAD_256(4) LOAD_256(5)
				   LOAD_256(6) LOAD_256(7));
	if (len & 128)
		LOADS(128, LOAD_256(0) LOAD_256(1) LOAD_256(2) LOAD_256(3));
	if (len & 64)
		LOADS(64, LOAD_256(0) LOAD_256(1));
	if (len & 32)
		LOADS(32, LOAD_256(0));
	if (len % 32) {
		data += len % 32 - 32;
		LOADS(0, LOAD_256(0));
	}
	__asm__ volatile("vzeroupper" : : : LOADED);
	return 1;
}

#endif

/* Peers, too, are of the tiers in use: CC_CPU=avx2 compares with what other processors run. */
static int has(uint64_t features)
{
	return !(features & ~cc_cpu_features());
}

static cc_checksum_fn *plain_loop(void)
{
#if CC_BUILD_AVX
	if (has(CC_CPU_AVX512VNNI))
		return loop_avx512;
	if (has(CC_CPU_AVX2))
		return loop_avx2;
#endif
	return loop;
}

static const size_t sizes[] = {20,   32,   40,	  48,	 60,	64,	65,	100,
			       128,  200,  256,	  320,	 448,	576,	1024,	1500,
			       4096, 9000, 16384, 32768, 65536, 131072, 262144, LARGEST};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static void pair(struct work *w, const char *case_, const char *impl, const char *peer,
		 cc_bench_fn *fn, cc_checksum_fn *sum)
{
	w->peer = sum;
	cc_bench_pair(case_, w->len, impl, peer, fn, theirs, w);
}

void cc_bench_checksum(void)
{
	unsigned char *data = cc_bench_alloc(LARGEST + 64);
	struct work w = {.data = data};
	size_t i;

	cc_bench_random(data, LARGEST + 64);
	for (i = 0; i < COUNT(sizes); i++) {
		w.len = sizes[i];
		if (w.len <= 131072)
			pair(&w, "checksum", cc_checksum_tier(), "loop", ours, plain_loop());
#if CC_BUILD_AVX
		pair(&w, "checksum", cc_checksum_tier(), "adc", ours, adc);
		if (has(CC_CPU_AVX512))
			pair(&w, "checksum", cc_checksum_tier(), "load", ours, load_avx512);
#endif
	}
#if CC_BUILD_AVX
	w.sum = cc_checksum_deferred_avx2;
	for (i = 0; i < COUNT(sizes) && has(CC_CPU_AVX2); i++) {
		w.len = sizes[i];
		if (w.len > 64)
			pair(&w, "one tier", "avx2", "load", scheme, load_avx2);
	}
	w.sum = cc_checksum_deferred_avx512;
	for (i = 0; i < COUNT(sizes) && has(CC_CPU_AVX512); i++) {
		w.len = sizes[i];
		if (w.len > 64)
			pair(&w, "one tier", "avx512", "load", scheme, load_avx512);
	}
	w.data = data + 1;
	for (i = 0; i < COUNT(sizes); i++) {
		w.len = sizes[i];
		pair(&w, "odd address", cc_checksum_tier(), "adc", ours, adc);
	}
#endif
	free(data);
}

/* Every length to 320 bytes, where each has a path of its own, and then 8 an octave. */
static size_t next_length(size_t len)
{
	return len + (len < 320 ? 1 : len / 12);
}

static uint16_t copied_then_summed(const struct work *w)
{
	memcpy(w->to, w->data, w->len);
	return cc_checksum_fold(cc_checksum_partial(w->data, w->len, 0));
}

CC_BENCH_LOOP(copy, w->result = cc_checksum_fold(cc_checksum_copy(w->to, w->data, w->len, 0)))
CC_BENCH_LOOP(copy_then_sum, w->result = copied_then_summed(w))

void cc_bench_checksum_lengths(void)
{
	unsigned char *data = cc_bench_alloc(65536), *to = cc_bench_alloc(65536);
	struct work w = {.data = data, .to = to};

	cc_bench_random(data, 65536);
	for (w.len = 20; w.len <= 65536; w.len = next_length(w.len)) {
		pair(&w, "checksum", cc_checksum_tier(), "loop", ours, plain_loop());
#if CC_BUILD_AVX
		pair(&w, "checksum", cc_checksum_tier(), "adc", ours, adc);
#endif
		cc_bench_pair("copy", w.len, cc_checksum_tier(), "memcpy, sum", copy, copy_then_sum,
			      &w);
	}
	free(to);
	free(data);
}

/* The article's figures: to 512 bytes by 16, to 8 KB by 256, to 64 KB by 1 KB. */
static size_t next(size_t len)
{
	return len + (len < 512 ? 16 : len < 8192 ? 256 : 1024);
}

void cc_bench_checksum_schemes(void)
{
	unsigned char *data = cc_bench_alloc(65536);
	struct work w = {.data = data};
	size_t i;

	cc_bench_random(data, 65536);
	for (i = 0; i < cc_checksum_schemes_count; i++) {
		const struct cc_checksum_scheme *s = &cc_checksum_schemes[i];

		w.sum = s->sum;
		for (w.len = 16; has(s->needs) && w.len <= 65536; w.len = next(w.len))
			cc_bench_pair(s->name, w.len, s->tier, NULL, scheme, NULL, &w);
	}
	free(data);
}
