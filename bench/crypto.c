// SPDX-License-Identifier: MIT
/* RTLD_DEEPBIND: with its own functions, not with those of the same names beside it here. */
#define _GNU_SOURCE
#include "crypto.h"

#include <ctype.h>
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

static struct cc_crypto libraries[CC_CRYPTO_MOST] = {{
	.number_new = BN_new,
	.number_free = BN_free,
	.number_set = BN_bin2bn,
	.number_get = BN_bn2binpad,
	.ctx_new = BN_CTX_new,
	.ctx_free = BN_CTX_free,
	.mont_new = BN_MONT_CTX_new,
	.mont_free = BN_MONT_CTX_free,
	.mont_set = BN_MONT_CTX_set,
	.power = BN_mod_exp_mont,
	.power_consttime = BN_mod_exp_mont_consttime,
}};
static size_t opened = 1;

const struct cc_crypto *cc_crypto(size_t i)
{
	return i < opened ? &libraries[i] : NULL;
}

/* "OpenSSL 3.6.3 9 Jun 2026", "AWS-LC 5.12.0": the name and the version, in small letters */
static void name_peer(char *peer, size_t size, const char *told)
{
	size_t i, words = 0;

	for (i = 0; i + 1 < size && told[i] && (words += told[i] == ' ') < 2; i++)
		peer[i] = (char)tolower((unsigned char)told[i]);
	peer[i] = 0;
}

const char *cc_crypto_open(const char *path, const char *name)
{
	struct cc_crypto *new = &libraries[opened];
	const struct {
		const char *name;
		void *function;
	} symbols[] = {
		{"OpenSSL_version", &new->version},
		{"BN_new", &new->number_new},
		{"BN_free", &new->number_free},
		{"BN_bin2bn", &new->number_set},
		{"BN_bn2binpad", &new->number_get},
		{"BN_CTX_new", &new->ctx_new},
		{"BN_CTX_free", &new->ctx_free},
		{"BN_MONT_CTX_new", &new->mont_new},
		{"BN_MONT_CTX_free", &new->mont_free},
		{"BN_MONT_CTX_set", &new->mont_set},
		{"BN_mod_exp_mont", &new->power},
		{"BN_mod_exp_mont_consttime", &new->power_consttime},
	};
	void *library, *function;
	size_t i;

	if (opened == CC_CRYPTO_MOST)
		return "there are enough";
	library = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
	if (!library)
		return dlerror();
	for (i = 0; i < sizeof(symbols) / sizeof(symbols[0]); i++) {
		function = dlsym(library, symbols[i].name);
		if (!function)
			return dlerror();
		/* C has no cast from an object's address to a function's */
		memcpy(symbols[i].function, &function, sizeof(function));
	}
	function = dlsym(library, "BN_MONT_CTX_new_consttime");
	memcpy(&new->mont_new_consttime, &function, sizeof(function));
	name_peer(new->peer, sizeof(new->peer), new->version(0));
	if (strncmp(new->peer, name, strlen(name)))
		return new->peer;
	opened++;
	return NULL;
}
