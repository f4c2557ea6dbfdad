/* SPDX-License-Identifier: MIT */
/*
 * crypto.h - libraries of OpenSSL's interface as peers: the system's, which the program is
 * linked with, and those that are named when it is run: a newer OpenSSL, and AWS-LC.
 */
#ifndef CC_BENCH_CRYPTO_H
#define CC_BENCH_CRYPTO_H

#include "bench.h"

#include <openssl/bn.h>

/* What bn.h and crypto.h declare, where all of them agree. */
struct cc_crypto {
	char peer[48]; /* "openssl 3.6.3", "aws-lc 5.12.0"; "" for the system's */
	const char *(*version)(int which);
	BIGNUM *(*number_new)(void);
	void (*number_free)(BIGNUM *x);
	BIGNUM *(*number_set)(const unsigned char *bytes, int len, BIGNUM *x);
	int (*number_get)(const BIGNUM *x, unsigned char *bytes, int len);
	BN_CTX *(*ctx_new)(void);
	void (*ctx_free)(BN_CTX *ctx);
	BN_MONT_CTX *(*mont_new)(void);
	void (*mont_free)(BN_MONT_CTX *mont);
	int (*mont_set)(BN_MONT_CTX *mont, const BIGNUM *m, BN_CTX *ctx);
	BN_MONT_CTX *(*mont_new_consttime)(const BIGNUM *m, BN_CTX *ctx); /* AWS-LC's alone */
	int (*power)(BIGNUM *r, const BIGNUM *b, const BIGNUM *e, const BIGNUM *m, BN_CTX *ctx,
		     BN_MONT_CTX *mont);
	int (*power_consttime)(BIGNUM *r, const BIGNUM *b, const BIGNUM *e, const BIGNUM *m,
			       BN_CTX *ctx, BN_MONT_CTX *mont);
};

/* The system's and those that were opened. */
#define CC_CRYPTO_MOST 3

/* The system's for 0, then in the order in which they were opened; NULL after the last. */
const struct cc_crypto *cc_crypto(size_t i);

#endif /* CC_BENCH_CRYPTO_H */
