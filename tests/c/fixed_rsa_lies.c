// SPDX-License-Identifier: MIT
/*
 * rsa.c with a second fault in it: one of its two checks is skipped, and the other must refuse
 * what a first fault spoilt.
 */
#include "fixed_kernels.h"

#define cc_fz_rsa_init	       lying_init
#define cc_fz_rsa_init_public  lying_init_public
#define cc_fz_rsa_public       lying_public
#define cc_fz_rsa_private_many lying_private_many
#define cc_fz_rsa_private      lying_private
#define cc_fz_eq(x, y, n)      ((fixed_lie == 1 ? ~(cc_word)0 : 0) | (cc_fz_eq)(x, y, n))
#define cc_fz_is_zero(x, n)    ((fixed_lie == 2 ? ~(cc_word)0 : 0) | (cc_fz_is_zero)(x, n))

int fixed_lie;

#include "fixed/rsa.c"
