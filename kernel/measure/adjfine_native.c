// SPDX-License-Identifier: MIT
#define CC_U128_IMPL 128
#define ADJFINE adjfine_native
#include "adjfine_api.h"
