// SPDX-License-Identifier: MIT
/* Compiled once for each WORD_TABLE, with CC_U128_IMPL and perhaps CC_NO_ASM. */
#if CC_U128_IMPL != 128 || defined(__SIZEOF_INT128__)
#include "word_functions.h"

#define NAME_OF(table) #table
#define NAME(table)    NAME_OF(table)

const struct word_functions WORD_TABLE = {.name = NAME(WORD_TABLE),
#define FUNCTION(type, name, function, ...) .name = function,
					  WORD_FUNCTIONS
#undef FUNCTION
};

#else
#undef CC_U128_IMPL
#include "word_functions.h"

const struct word_functions WORD_TABLE = {.name = NULL};

#endif
