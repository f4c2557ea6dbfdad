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
