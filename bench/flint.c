// SPDX-License-Identifier: MIT
/* RTLD_DEEPBIND: with the GMP that it was linked with, not with the one beside it here. */
#define _GNU_SOURCE
#include "flint.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

static struct cc_flint flint;
static int opened;

const struct cc_flint *cc_flint(void)
{
	return opened ? &flint : NULL;
}

void cc_flint_pair(const char *case_, size_t size, const char *impl, cc_bench_fn *ours,
		   cc_bench_fn *theirs, void *context)
{
	static const char *told;

	if (opened) {
		cc_bench_pair(case_, size, impl, flint.peer, ours, theirs, context);
	} else if (told != cc_bench_suite() && cc_bench_wants(case_, size)) {
		told = cc_bench_suite();
		cc_bench_pair(case_, size, impl, "flint: absent", ours, NULL, context);
	}
}

const char *cc_flint_open(const char *path)
{
	static const struct {
		const char *name;
		void *function;
	} symbols[] = {
		{"flint_mpn_mul", &flint.mpn_mul}, {"flint_mpn_sqr", &flint.mpn_sqr},
		{"fmpz_tdiv_qr", &flint.divrem},   {"fmpz_sqrtrem", &flint.sqrtrem},
		{"fmpz_gcd", &flint.gcd},	   {"fmpz_set_ui_array", &flint.set_words},
		{"fmpz_fib_ui", &flint.fib},	   {"fmpz_get_str", &flint.get_str},
		{"fmpz_set_str", &flint.set_str},  {"fmpz_clear", &flint.clear},
		{"flint_free", &flint.free},
	};
	void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
	const char *version;
	size_t i;

	if (!library)
		return dlerror();
	version = dlsym(library, "flint_version");
	if (!version)
		return dlerror();
	/* what multiplies long numbers fast, and the wheel's is built without */
	snprintf(flint.peer, sizeof(flint.peer), "flint %s%s", version,
		 dlsym(library, "mpn_mul_default_mpn_ctx") ? " fft_small" : "");
	for (i = 0; i < sizeof(symbols) / sizeof(symbols[0]); i++) {
		void *function = dlsym(library, symbols[i].name);

		if (!function)
			return dlerror();
		/* C has no cast from an object's address to a function's */
		memcpy(symbols[i].function, &function, sizeof(function));
	}
	opened = 1;
	return NULL;
}
