// SPDX-License-Identifier: MIT
#include "transform_untrimmed.h"

#define cc_transform_avx2 untrimmed_avx2
#define trim(a, c)	  (a)
#define trim_first(a, c)  (a)

#include "transform/x86_64/avx2.c"
