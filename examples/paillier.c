// SPDX-License-Identifier: MIT
/*
 * Paillier's encryption (Eurocrypt 1999), whose products are sums: of n = p q, with g = n + 1,
 *
 *	c = (1 + m n) r^n mod n^2	m = L(c^phi mod n^2) / phi mod n, L(u) = (u - 1) / n
 *
 * for phi = (p - 1) (q - 1).  Without arguments it checks itself by published answers; else
 *
 *	paillier encrypt P Q M R	one ciphertext of M; R has no factor in common with n
 *	paillier decrypt P Q C
 *	paillier add P Q C C2		a ciphertext of the sum modulo n
 *	paillier scale P Q C K		a ciphertext of K times what C is one of, modulo n
 *
 * all in hexadecimal, each an even number of digits.
 *
 *	cc -I../include paillier.c -lcarrychain -o paillier
 */
#include "example.h"

#define HALF WORDS(1536) /* of a prime at most */
#define N    (2 * HALF)
#define NN   (2 * N)

struct key {
	size_t n; /* words of n; those of n^2 are twice as many */
	cc_word modulus[N], phi[N], inverse[N];
	cc_word memory[CC_FZ_MONT_WORDS(NN)];
	struct cc_fz_mont square; /* modulo n^2 */
};

/* Of primes of the same width; n and phi have no factor in common if they have the same length */
static bool make_key(struct key *key, const cc_word *p, const cc_word *q, size_t half)
{
	cc_word p_less[HALF], q_less[HALF], square[NN], exists;
	bool made;

	key->n = 2 * half;
	cc_fz_mul(key->modulus, p, q, half);
	cc_fz_sub_word(p_less, p, half, 1);
	cc_fz_sub_word(q_less, q, half, 1);
	cc_fz_mul(key->phi, p_less, q_less, half);
	cc_fz_sqr(square, key->modulus, key->n);
	made = !cc_fz_inverse(key->inverse, &exists, key->phi, key->modulus, key->n) && exists &&
	       !cc_fz_mont_init(&key->square, key->memory, square, 2 * key->n);
	cc_fz_wipe(p_less, HALF);
	cc_fz_wipe(q_less, HALF);
	return made;
}

/* c[2n] for m < n; m and r do not show in time, n does not but for its width */
static bool encrypt(cc_word *c, const cc_word *m, const cc_word *r, const struct key *key)
{
	cc_word wide[NN] = {0}, power[NN];
	size_t n = key->n;

	if (!cc_fz_lt(m, key->modulus, n))
		return false;
	memcpy(wide, r, n * sizeof(*r));
	cc_fz_mont_powmod(power, wide, key->modulus, n * CC_WORD_BITS, &key->square);
	/* 1 + m n <= 1 + (n - 1) n < n^2 */
	cc_fz_mul(wide, m, key->modulus, n);
	cc_fz_add_word(wide, wide, 2 * n, 1);
	cc_fz_mont_to(wide, wide, &key->square);
	cc_fz_mont_mul(c, power, wide, &key->square);
	return true;
}

/* m[n] for c < n^2 without a factor in common with n: else L is no whole number, and refused. */
static bool decrypt(cc_word *m, const cc_word *c, const struct key *key)
{
	cc_word u[NN], rest[N];
	size_t n = key->n;

	if (!cc_fz_lt(c, key->square.m, 2 * n))
		return false;
	cc_fz_mont_powmod(u, c, key->phi, n * CC_WORD_BITS, &key->square);
	/* 0, too, has a factor in common with n */
	if (cc_fz_sub_word(u, u, 2 * n, 1) || cc_fz_divrem(u, rest, u, 2 * n, key->modulus, n) ||
	    !cc_fz_is_zero(rest, n))
		return false;
	return !cc_fz_mulmod(m, u, key->inverse, key->modulus, n);
}

static void add(cc_word *c, const cc_word *a, const cc_word *b, const struct key *key)
{
	cc_word form[NN];

	cc_fz_mont_to(form, a, &key->square);
	cc_fz_mont_mul(c, form, b, &key->square);
}

static void scale(cc_word *c, const cc_word *a, const cc_word *k, const struct key *key)
{
	cc_fz_mont_powmod(c, a, k, key->n * CC_WORD_BITS, &key->square);
}

static bool key_from_hex(struct key *key, const char *p_digits, const char *q_digits)
{
	cc_word p[HALF], q[HALF];
	size_t pn = from_hex(p, HALF, p_digits), qn = from_hex(q, HALF, q_digits);

	return pn && qn && make_key(key, p, q, pn > qn ? pn : qn);
}

/* Primes of 1024 bits: those of RFC 7515, A.2. */
static const char p_digits[] =
	"e01cc410eb48a6655d54464d0aa4bb6da0b872b774a6a9d11ffe480778f0ddb7311a7e90"
	"2ef9c4b5f75476262ba8176cb35979f014372a1a2829e4136bd001d07c3f3f2e4f25d4c9"
	"34f63c7109fba2e67628a0dc9a73c6058e6def22dcd50950e711ddc16d5586f2a7fa75ea"
	"8494c18083e0b65742f8a0d5e73fb2d970f01947";
static const char q_digits[] =
	"b903c47e0995b632f4532cb1f3c199145d5f3ae9c7dfeedc7a92a6b47e29c61b42a07aa9"
	"5a64fc600999c5a7b01e01c08cb62ca756527bbcc56078fb0baba5ed38de2d07990ff630"
	"0faeadeb6c039a97bf1e507e4e7040fa78db8257c8b112ed5e59c3cd092fe5d4e5b51275"
	"d41281072a5e785ebaf3dae3709203133f5159d7";

/* 0 <= r < n */
static bool any(cc_word *r, const struct key *key)
{
	return !cc_fz_random_wide(r, key->modulus, key->n, system_random, NULL);
}

static void check_known(void)
{
	static struct key key;
	cc_word a[NN] = {0}, b[NN] = {0}, k[N] = {0}, c[NN], d[NN], m[N], sum[N], r[N];

	/* python-paillier, paillier_test.py, testEncryptDecryptRegression0: 293 and 433 */
	check(key_from_hex(&key, "0125", "01b1"), "a small key");
	a[0] = 10100;
	r[0] = 74384;
	memset(r + 1, 0, (N - 1) * sizeof(*r));
	check(encrypt(c, a, r, &key) && c[0] == 935906717, "what python-paillier encrypts");
	check(decrypt(m, c, &key) && m[0] == 10100, "what it was before");
	a[0] = 126869;
	check(!encrypt(c, a, r, &key), "n is refused");

	check(key_from_hex(&key, p_digits, q_digits), "a key of 2048 bits");
	check(any(a, &key) && any(b, &key) && any(r, &key) && any(k, &key), "random numbers");
	check(encrypt(c, a, r, &key) && decrypt(m, c, &key) && cc_fz_eq(m, a, key.n),
	      "in and out again");
	check(!cc_fz_eq(c, a, key.n) && encrypt(d, b, a, &key), "another, by another factor");
	add(c, c, d, &key);
	check(decrypt(m, c, &key), "their product decrypts");
	cc_fz_addmod(sum, a, b, key.modulus, key.n);
	check(cc_fz_eq(m, sum, key.n), "to the sum modulo n");
	scale(c, c, k, &key);
	cc_fz_mulmod(sum, sum, k, key.modulus, key.n);
	check(decrypt(m, c, &key) && cc_fz_eq(m, sum, key.n), "and its power to a product");
	memset(d, 0, sizeof(d));
	memcpy(d, key.modulus, key.n * sizeof(*d));
	check(!decrypt(m, d, &key), "a multiple of n is refused");
	check(!decrypt(m, key.square.m, &key), "n^2 is refused");
}

static int usage(void)
{
	fprintf(stderr, "usage: paillier [encrypt P Q M R | decrypt P Q C | add P Q C C2 | "
			"scale P Q C K], hexadecimal\n");
	return 2;
}

int main(int argc, char **argv)
{
	static struct key key;
	cc_word a[NN], b[NN], c[NN];
	size_t n;

	if (argc == 1) {
		check_known();
		return checked();
	}
	if (argc < 5 || !key_from_hex(&key, argv[2], argv[3]))
		return usage();
	n = key.n;
	if (argc == 5 && !strcmp(argv[1], "decrypt") && from_hex(a, 2 * n, argv[4])) {
		if (!decrypt(c, a, &key)) {
			fprintf(stderr, "paillier: no ciphertext of this key\n");
			return 1;
		}
		print_number(c, n);
		return 0;
	}
	/* plain numbers are n's width, ciphertexts that of n^2 */
	if (argc != 6 || !from_hex(a, strcmp(argv[1], "encrypt") ? 2 * n : n, argv[4]) ||
	    !from_hex(b, strcmp(argv[1], "add") ? n : 2 * n, argv[5]))
		return usage();
	if (!strcmp(argv[1], "encrypt")) {
		if (!encrypt(c, a, b, &key))
			return usage();
	} else if (!strcmp(argv[1], "add")) {
		add(c, a, b, &key);
	} else if (!strcmp(argv[1], "scale")) {
		scale(c, a, b, &key);
	} else {
		return usage();
	}
	print_number(c, 2 * n);
	return 0;
}
