/* SPDX-License-Identifier: MIT */
/* jacobi.h - the Jacobi symbol of words. */
#ifndef CC_NATURAL_JACOBI_H
#define CC_NATURAL_JACOBI_H

#include <carrychain/word.h>

#include "../platform.h"

/* (a / b) for odd b, or its negative for an odd @sign */
CC_HIDDEN int cc_jacobi_of_words(cc_word a, cc_word b, unsigned int sign);

#endif /* CC_NATURAL_JACOBI_H */
