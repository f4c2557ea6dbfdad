// SPDX-License-Identifier: MIT
#define CC_U128_IMPL 32
#define ADJFINE adjfine_fallback32
#include "adjfine_api.h"
