// SPDX-License-Identifier: MIT
#include "oracle.h"

#include <assert.h>
#include <gmp.h>
#include <stdlib.h>
#include <string.h>

static_assert(sizeof(mp_limb_t) == sizeof(cc_word) && GMP_NAIL_BITS == 0, "GMP's limbs are words");

const char oracle_name[] = "GMP";

void oracle_mul(cc_word *xy, const cc_word *x, const cc_word *y, size_t n)
{
	mpn_mul_n(xy, x, y, (mp_size_t)n);
}

void oracle_sqr(cc_word *xx, const cc_word *x, size_t n)
{
	mpn_sqr(xx, x, (mp_size_t)n);
}

#define WITH_SCRATCH(name, function)                                                               \
	cc_word name(cc_word *r, const cc_word *a, size_t n, cc_word w)                            \
	{                                                                                          \
		mp_size_t words = function##_itch((mp_size_t)n);                                   \
		mp_limb_t *scratch = malloc((size_t)words * sizeof(*scratch));                     \
		cc_word out = function(r, a, (mp_size_t)n, w, scratch);                            \
                                                                                                   \
		free(scratch);                                                                     \
		return out;                                                                        \
	}

WITH_SCRATCH(oracle_add_word, mpn_sec_add_1)
WITH_SCRATCH(oracle_sub_word, mpn_sec_sub_1)

void oracle_mul_unequal(cc_word *xy, const cc_word *x, size_t xn, const cc_word *y, size_t yn)
{
	mp_size_t words = mpn_sec_mul_itch((mp_size_t)xn, (mp_size_t)yn);
	mp_limb_t *scratch = malloc(((size_t)words + 1) * sizeof(*scratch));

	mpn_sec_mul(xy, x, (mp_size_t)xn, y, (mp_size_t)yn, scratch);
	free(scratch);
}

/* r[n] = z, which is below B^n, and is cleared */
static void take(cc_word *r, size_t n, mpz_t z)
{
	size_t size = mpz_size(z);

	memcpy(r, mpz_limbs_read(z), size * sizeof(*r));
	memset(r + size, 0, (n - size) * sizeof(*r));
	mpz_clear(z);
}

void oracle_divrem(cc_word *q, cc_word *r, const cc_word *a, size_t an, const cc_word *d, size_t dn)
{
	mpz_t za, zd, zq, zr;

	mpz_inits(zq, zr, NULL);
	mpz_tdiv_qr(zq, zr, mpz_roinit_n(za, a, (mp_size_t)an), mpz_roinit_n(zd, d, (mp_size_t)dn));
	take(q, an, zq);
	take(r, dn, zr);
}

void oracle_powmod(cc_word *r, const cc_word *b, const cc_word *e, const cc_word *m, size_t n)
{
	mp_size_t size = (mp_size_t)n;
	mpz_t zb, ze, zm, zr;

	mpz_init(zr);
	mpz_powm(zr, mpz_roinit_n(zb, b, size), mpz_roinit_n(ze, e, size),
		 mpz_roinit_n(zm, m, size));
	take(r, n, zr);
}

void oracle_gcd(cc_word *r, const cc_word *a, const cc_word *b, size_t n)
{
	mpz_t za, zb, zr;

	mpz_init(zr);
	mpz_gcd(zr, mpz_roinit_n(za, a, (mp_size_t)n), mpz_roinit_n(zb, b, (mp_size_t)n));
	take(r, n, zr);
}

bool oracle_inverse(cc_word *r, const cc_word *a, const cc_word *m, size_t n)
{
	mpz_t za, zm, zr;
	bool exists;

	mpz_init(zr);
	mpz_roinit_n(zm, m, (mp_size_t)n);
	/* what GMP says modulo 1 depends on its version */
	exists = !mpz_cmp_ui(zm, 1) || mpz_invert(zr, mpz_roinit_n(za, a, (mp_size_t)n), zm);
	if (!exists || !mpz_cmp_ui(zm, 1))
		mpz_set_ui(zr, 0);
	take(r, n, zr);
	return exists;
}

/* r[n] = z in two's complement, for |z| < B^n / 2, and z is cleared */
static void take_signed(cc_word *r, size_t n, mpz_t z)
{
	bool negative = mpz_sgn(z) < 0;

	take(r, n, z);
	if (negative)
		mpn_neg(r, r, (mp_size_t)n);
}

void oracle_gcdext(cc_word *g, cc_word *x, cc_word *y, const cc_word *a, const cc_word *b, size_t n)
{
	mpz_t za, zb, zg, zx, zy;

	mpz_inits(zg, zx, zy, NULL);
	mpz_gcdext(zg, zx, zy, mpz_roinit_n(za, a, (mp_size_t)n),
		   mpz_roinit_n(zb, b, (mp_size_t)n));
	take(g, n, zg);
	take_signed(x, n, zx);
	take_signed(y, n, zy);
}

int oracle_jacobi(const cc_word *a, const cc_word *m, size_t n)
{
	mpz_t za, zm;

	return mpz_kronecker(mpz_roinit_n(za, a, (mp_size_t)n), mpz_roinit_n(zm, m, (mp_size_t)n));
}

void oracle_root(cc_word *root, cc_word *rem, const cc_word *a, size_t n, unsigned long k)
{
	mpz_t za, zroot, zrem;

	mpz_inits(zroot, zrem, NULL);
	mpz_rootrem(zroot, zrem, mpz_roinit_n(za, a, (mp_size_t)n), k);
	take(root, n, zroot);
	take(rem, n, zrem);
}

bool oracle_is_square(const cc_word *a, size_t n)
{
	mpz_t za;

	return mpz_perfect_square_p(mpz_roinit_n(za, a, (mp_size_t)n));
}

bool oracle_is_power(const cc_word *a, size_t n)
{
	mpz_t za;

	return mpz_perfect_power_p(mpz_roinit_n(za, a, (mp_size_t)n));
}

size_t oracle_remove(cc_word *r, const cc_word *a, size_t an, const cc_word *f, size_t fn)
{
	mpz_t za, zf, zr;
	size_t times;

	mpz_init(zr);
	times = mpz_remove(zr, mpz_roinit_n(za, a, (mp_size_t)an),
			   mpz_roinit_n(zf, f, (mp_size_t)fn));
	take(r, an, zr);
	return times;
}

char *oracle_to_digits(const cc_word *a, size_t n, unsigned int radix)
{
	mpz_t za;

	return mpz_get_str(NULL, (int)radix, mpz_roinit_n(za, a, (mp_size_t)n));
}

bool oracle_is_prime(const cc_word *c, size_t n)
{
	mpz_t zc;

	return mpz_probab_prime_p(mpz_roinit_n(zc, c, (mp_size_t)n), 25);
}

bool oracle_next_prime(cc_word *r, const cc_word *a, size_t n)
{
	mpz_t za, zr;
	bool fits;

	mpz_init(zr);
	mpz_nextprime(zr, mpz_roinit_n(za, a, (mp_size_t)n));
	fits = mpz_size(zr) <= n;
	if (!fits)
		mpz_set_ui(zr, 0);
	take(r, n, zr);
	return fits;
}
