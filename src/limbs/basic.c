// SPDX-License-Identifier: MIT
/* Operations that end early or touch few words: no tier would make them faster. */
#include "../platform.h"
#include <carrychain/limbs.h>

#include "copy.h"

cc_word cc_limbs_add_1(cc_word *r, const cc_word *a, size_t n, cc_word w)
{
	size_t i;

	for (i = 0; i < n && w; i++) {
		r[i] = a[i] + w;
		w = r[i] < w;
	}
	if (r != a && i < n)
		cc_copy_words(r + i, a + i, n - i);
	return w;
}

cc_word cc_limbs_sub_1(cc_word *r, const cc_word *a, size_t n, cc_word w)
{
	size_t i;

	for (i = 0; i < n && w; i++) {
		cc_word old = a[i];

		r[i] = old - w;
		w = old < w;
	}
	if (r != a && i < n)
		cc_copy_words(r + i, a + i, n - i);
	return w;
}

int cc_limbs_cmp(const cc_word *a, const cc_word *b, size_t n)
{
	/* four at a time as long as they are equal */
	while (n >= 4 && !((a[n - 1] ^ b[n - 1]) | (a[n - 2] ^ b[n - 2]) | (a[n - 3] ^ b[n - 3]) |
			   (a[n - 4] ^ b[n - 4])))
		n -= 4;
	while (n--)
		if (a[n] != b[n])
			return a[n] < b[n] ? -1 : 1;
	return 0;
}

size_t cc_limbs_normalise(const cc_word *a, size_t n)
{
	while (n && !a[n - 1])
		n--;
	return n;
}
