// SPDX-License-Identifier: MIT
/*
 * RSA signatures by the Chinese remainder theorem: half the width, an eighth of the work
 * for each of two exponentiations, which are independent.  Four messages make eight, one
 * for each lane of a batch.
 *
 *	cc -I../include rsa_crt.c -lcarrychain -o rsa_crt
 *
 * The key is an example's: it is printed here.  Messages are raised as they are, without
 * the padding that a signature needs.
 */
#include <carrychain/fixed.h>
#include <stdio.h>
#include <string.h>

#define BITS	 1024 /* of a prime */
#define HALF	 (BITS / CC_WORD_BITS)
#define FULL	 (2 * HALF)
#define MESSAGES 4

static const char p_digits[] = "f361c478f1f77e5de3e0942915886da06e9d76b63655f8cb6e7ae16a553a06b1"
			       "2c5617e7e82fededd2f32262e93d13f9881a8a040edd01c8674296d192f551b6"
			       "52c24c797ba0c77b7e69301036ad5bbde4bfc9df54fe8834156099c39bed9ccd"
			       "204dca282587bf1842c1a130ae2b7732e79832eef052d43cd7714a98890b99e3";
static const char q_digits[] = "de5860a99b104b1b562cbd9b004af7d5bee2e680bcffa3508689b1ca75d729f3"
			       "b8a54256f37f47992283180b89d1ef56763decede4b86670722c471dafcf3b2f"
			       "b5aef9935d21bb6f57b9094e30262215861454573bdb2455348d9656abae3b33"
			       "080a0dc5b007f8ecfdf8d384c0ef8cd03d54121b0b57249920a93037c6c81c4f";

struct key {
	cc_word p[HALF], q[HALF], n[FULL];
	cc_word dp[HALF], dq[HALF]; /* 1 / e modulo p - 1, q - 1 */
	cc_word q_inverse[HALF];    /* 1 / q mod p */
};

static const cc_word public_exponent = 65537;

static void from_hex(cc_word *r, const char *digits, size_t n)
{
	size_t length = strlen(digits), i;

	memset(r, 0, n * sizeof(*r));
	for (i = 0; i < length; i++) {
		char c = digits[length - 1 - i];
		cc_word digit = (cc_word)(c <= '9' ? c - '0' : c - 'a' + 10);

		r[4 * i / CC_WORD_BITS] |= digit << 4 * i % CC_WORD_BITS;
	}
}

/*
 * d = 1 / e modulo the even p - 1: with k = -1 / (p - 1) mod e, e divides k (p - 1) + 1, and
 * the quotient is d.
 */
static int private_exponent(cc_word *d, const cc_word *p)
{
	const cc_word e = public_exponent;
	cc_word less[HALF + 1] = {0}, product[2 * HALF + 2], k[HALF + 1] = {0}, rest, exists;

	memcpy(less, p, HALF * sizeof(*p));
	less[0]--; /* p is odd */
	if (cc_fz_mod(&rest, less, HALF, &e, 1) || cc_fz_inverse(&rest, &exists, &rest, &e, 1) ||
	    !exists)
		return CC_EINVAL;
	k[0] = e - rest;
	cc_fz_mul(product, less, k, HALF + 1);
	product[0]++; /* (p - 1) k is even */
	cc_fz_divrem(product, &rest, product, HALF + 1, &e, 1);
	memcpy(d, product, HALF * sizeof(*d));
	return rest ? CC_EINVAL : CC_OK;
}

static int make_key(struct key *key)
{
	cc_word exists;

	from_hex(key->p, p_digits, HALF);
	from_hex(key->q, q_digits, HALF);
	cc_fz_mul(key->n, key->p, key->q, HALF);
	if (private_exponent(key->dp, key->p) || private_exponent(key->dq, key->q))
		return CC_EINVAL;
	if (cc_fz_inverse(key->q_inverse, &exists, key->q, key->p, HALF) || !exists)
		return CC_EINVAL;
	return CC_OK;
}

/* signature[i] = message[i]^d mod n, for all messages at once */
static int sign(cc_word signature[MESSAGES][FULL], cc_word message[MESSAGES][FULL],
		const struct key *key)
{
	struct {
		cc_word b[2 * MESSAGES][HALF], e[2 * MESSAGES][HALF], m[2 * MESSAGES][HALF];
		cc_word r[2 * MESSAGES][HALF];
	} lanes;
	size_t i;
	int error = CC_OK;

	for (i = 0; i < MESSAGES && !error; i++) {
		memcpy(lanes.m[2 * i], key->p, sizeof(key->p));
		memcpy(lanes.e[2 * i], key->dp, sizeof(key->dp));
		memcpy(lanes.m[2 * i + 1], key->q, sizeof(key->q));
		memcpy(lanes.e[2 * i + 1], key->dq, sizeof(key->dq));
		error = cc_fz_mod(lanes.b[2 * i], message[i], FULL, key->p, HALF);
		if (!error)
			error = cc_fz_mod(lanes.b[2 * i + 1], message[i], FULL, key->q, HALF);
	}
	if (!error)
		error = cc_fz_powmod_many(lanes.r[0], lanes.b[0], lanes.e[0], lanes.m[0], HALF,
					  2 * MESSAGES);

	/* Garner: s = sq + q ((sp - sq) / q mod p) < p q */
	for (i = 0; i < MESSAGES && !error; i++) {
		const cc_word *sp = lanes.r[2 * i], *sq = lanes.r[2 * i + 1];
		cc_word h[HALF], wide[FULL] = {0}, borrow;

		error = cc_fz_mod(h, sq, HALF, key->p, HALF);
		borrow = cc_fz_sub(h, sp, h, HALF);
		memcpy(wide, key->p, sizeof(key->p));
		cc_fz_select(wide, 0 - borrow, wide, wide + HALF, HALF);
		cc_fz_add(h, h, wide, HALF);
		if (!error)
			error = cc_fz_mulmod(h, h, key->q_inverse, key->p, HALF);
		cc_fz_mul(signature[i], h, key->q, HALF);
		memset(wide, 0, sizeof(wide));
		memcpy(wide, sq, sizeof(lanes.r[0]));
		cc_fz_add(signature[i], signature[i], wide, FULL);
	}
	/* a library of one's own would wipe lanes here, by means the compiler can't undo */
	return error;
}

int main(void)
{
	static cc_word message[MESSAGES][FULL], signature[MESSAGES][FULL];
	const cc_word e[FULL] = {public_exponent};
	cc_word back[FULL];
	struct key key;
	size_t i, k, passed = 0;

	if (make_key(&key)) {
		fprintf(stderr, "not a key\n");
		return 1;
	}
	for (i = 0; i < MESSAGES; i++)
		for (k = 0; k + 1 < FULL; k++)
			message[i][k] = (cc_word)0x9e3779b9 * (cc_word)(i * FULL + k + 1);
	if (sign(signature, message, &key)) {
		fprintf(stderr, "not signed\n");
		return 1;
	}
	printf("%d signatures of %d bits, tier %s\n", MESSAGES, 2 * BITS, cc_fz_tier());
	for (i = 0; i < MESSAGES; i++) {
		if (!cc_fz_powmod(back, signature[i], e, key.n, FULL) &&
		    cc_fz_eq(back, message[i], FULL))
			passed++;
		else
			printf("signature %zu is wrong\n", i);
	}
	printf("%zu passed, %zu failed, 0 skipped\n", passed, MESSAGES - passed);
	return passed != MESSAGES;
}
