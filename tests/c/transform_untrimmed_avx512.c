// SPDX-License-Identifier: MIT
#include "transform_untrimmed.h"

#define cc_transform_avx512 untrimmed_avx512
#define trim(a, c)	    (a)
#define trim_first(a, c)    (a)

#include "transform/x86_64/avx512.c"
