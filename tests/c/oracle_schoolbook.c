// SPDX-License-Identifier: MIT
/* Row by row, a word by a word: the compiler's own double width. */
#include "oracle.h"

#include <string.h>

#if CC_WORD_BITS == 64
__extension__ typedef unsigned __int128 two_words;
#else
typedef uint64_t two_words;
#endif

const char oracle_name[] = "the schoolbook";

void oracle_mul(cc_word *xy, const cc_word *x, const cc_word *y, size_t n)
{
	size_t i, j;

	memset(xy, 0, 2 * n * sizeof(*xy));
	for (i = 0; i < n; i++) {
		two_words sum = 0;

		/* (B - 1)^2 + 2 (B - 1) = B^2 - 1 */
		for (j = 0; j < n; j++) {
			sum = (sum >> CC_WORD_BITS) + (two_words)x[i] * y[j] + xy[i + j];
			xy[i + j] = (cc_word)sum;
		}
		xy[i + n] = (cc_word)(sum >> CC_WORD_BITS);
	}
}

void oracle_sqr(cc_word *xx, const cc_word *x, size_t n)
{
	oracle_mul(xx, x, x, n);
}
