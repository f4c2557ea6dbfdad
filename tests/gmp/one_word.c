// SPDX-License-Identifier: MIT
/*
 * A program that uses GMP, on numbers of one word, and prints what it gets: it knows nothing of
 * ours, and is linked with the system's libgmp alone.
 */
#include <carrychain/gmp.h>
#include <stdio.h>

/* GMP's own functions, which have the same types. */
#define GMPS(kind, name) extern __typeof__(cc_##kind##_##name) __g##kind##_##name;
GMPS(mpz, init)
GMPS(mpz, clear)
GMPS(mpz, set_ui)
GMPS(mpz, get_ui)
GMPS(mpz, tdiv_q)
GMPS(mpz, tdiv_qr)
GMPS(mpz, gcdext)
GMPS(mpz, sqrt)
GMPS(mpz, powm)
GMPS(mpz, get_str)
GMPS(mpn, mul)
GMPS(mpn, mul_n)
GMPS(mpn, sqr)
GMPS(mpn, gcd)

int main(void)
{
	const mp_limb_t a = 4000000007, b = 3000000019;
	mp_limb_t r[2], x = a, y = b;
	mpz_t n, d, q, s;
	char text[32];

	__gmpn_mul(r, &a, 1, &b, 1);
	printf("mul %lu %lu\n", (unsigned long)r[1], (unsigned long)r[0]);
	__gmpn_mul_n(r, &b, &a, 1);
	printf("mul_n %lu %lu\n", (unsigned long)r[1], (unsigned long)r[0]);
	__gmpn_sqr(r, &b, 1);
	printf("sqr %lu %lu\n", (unsigned long)r[1], (unsigned long)r[0]);
	__gmpn_gcd(r, &x, 1, &y, 1);
	printf("gcd %lu\n", (unsigned long)r[0]);
	__gmpz_init(n);
	__gmpz_init(d);
	__gmpz_init(q);
	__gmpz_init(s);
	__gmpz_set_ui(n, 4000000007);
	__gmpz_set_ui(d, 30011);
	__gmpz_tdiv_q(q, n, d);
	printf("div_q %lu\n", __gmpz_get_ui(q));
	__gmpz_tdiv_qr(q, s, n, d);
	printf("tdiv_qr %lu %lu\n", __gmpz_get_ui(q), __gmpz_get_ui(s));
	__gmpz_gcdext(q, s, NULL, n, d);
	printf("gcdext %lu %lu\n", __gmpz_get_ui(q), __gmpz_get_ui(s));
	__gmpz_powm(q, n, n, d);
	printf("powm %lu\n", __gmpz_get_ui(q));
	__gmpz_sqrt(q, n);
	printf("sqrtrem %lu\n", __gmpz_get_ui(q));
	printf("get_str %s\n", __gmpz_get_str(text, 10, n));
	__gmpz_clear(n);
	__gmpz_clear(d);
	__gmpz_clear(q);
	__gmpz_clear(s);
	return 0;
}
