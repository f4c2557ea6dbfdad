// SPDX-License-Identifier: MIT
/* Rationals from and to other numbers. */
#include "mpz.h"

void mpz_set_q(mpz_ptr r, mpq_srcptr x)
{
	mpz_tdiv_q(r, &x->_mp_num, &x->_mp_den);
}
