// SPDX-License-Identifier: MIT
#define CC_U128_IMPL 64
#define ADJFINE adjfine_fallback64
#include "adjfine_api.h"
