// SPDX-License-Identifier: MIT
/*
 * checksum-count TIER SCHEME STEP LAST - runs one scheme on STEP, 2 STEP, ... LAST bytes,
 * and before each run calls what does nothing in its place; no arguments: names them all.
 * For count.py, which counts the instructions that an emulator executes in each call.
 */
#include <checksum/schemes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A plain label, which marks a place in the code whatever functions' symbols stand for. */
__attribute__((noinline)) static void between(void)
{
	__asm__ volatile(".globl checksum_count_between\n"
			 "checksum_count_between:\n\tnop"
			 :
			 :
			 : "memory");
}

static cc_u32 nothing(const unsigned char *data, size_t len)
{
	(void)data;
	return (cc_u32)len;
}

static int run(const struct cc_checksum_scheme *s, size_t step, size_t last)
{
	static _Alignas(64) unsigned char data[65536];
	cc_checksum_fn *volatile functions[2] = {nothing, s->sum};
	volatile cc_u32 sum;
	size_t len, i;

	if (s->needs & ~cc_cpu_detected())
		return 1;
	for (len = step; step && len <= last && len <= sizeof(data); len += step) {
		for (i = 0; i < 2; i++) {
			between();
			sum = functions[i](data, len);
		}
	}
	between();
	(void)sum;
	return 0;
}

int main(int argc, char **argv)
{
	size_t i;

	for (i = 0; i < cc_checksum_schemes_count; i++) {
		const struct cc_checksum_scheme *s = &cc_checksum_schemes[i];

		if (argc == 1)
			printf("%s %s\n", s->tier, s->name);
		else if (argc == 5 && !strcmp(s->tier, argv[1]) && !strcmp(s->name, argv[2]))
			return run(s, strtoul(argv[3], NULL, 10), strtoul(argv[4], NULL, 10));
	}
	return argc == 1 ? 0 : 2;
}
