// SPDX-License-Identifier: MIT
/* Order. */
#include "mpz.h"

int mpz_cmp(mpz_srcptr x, mpz_srcptr y)
{
	int xn = x->_mp_size, yn = y->_mp_size, order;
	size_t n = mpz_length(x);

	if (xn != yn)
		return xn < yn ? -1 : 1;
	if (n && x->_mp_d[n - 1] != y->_mp_d[n - 1])
		order = x->_mp_d[n - 1] < y->_mp_d[n - 1] ? -1 : 1;
	else
		order = cc_limbs_cmp(x->_mp_d, y->_mp_d, n);
	return xn < 0 ? -order : order;
}

int mpz_cmpabs(mpz_srcptr x, mpz_srcptr y)
{
	return words_cmp(x->_mp_d, mpz_length(x), y->_mp_d, mpz_length(y));
}

int mpz_cmp_ui(mpz_srcptr x, unsigned long y)
{
	mp_limb_t word;

	if (x->_mp_size > 1)
		return 1;
	if (x->_mp_size < 0)
		return -1;
	word = x->_mp_size ? x->_mp_d[0] : 0;
	return word < y ? -1 : word > y;
}

int mpz_cmp_si(mpz_srcptr x, long y)
{
	if (x->_mp_size < 0)
		return y < 0 ? -mpz_cmpabs_ui(x, magnitude_si(y)) : -1;
	return y < 0 ? 1 : mpz_cmpabs_ui(x, (unsigned long)y);
}

int mpz_cmpabs_ui(mpz_srcptr x, unsigned long y)
{
	size_t n = mpz_length(x);
	mp_limb_t word;

	if (n > 1)
		return 1;
	word = n ? x->_mp_d[0] : 0;
	return word < y ? -1 : word > y;
}
