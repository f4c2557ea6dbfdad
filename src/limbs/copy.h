/* SPDX-License-Identifier: MIT */
/* copy.h - words that are mostly few: a call of memmove() takes longer than they do. */
#ifndef CC_LIMBS_COPY_H
#define CC_LIMBS_COPY_H

#include <carrychain/word.h>

#include "../platform.h"

/* From so many words on, that call is faster. */
#define CC_COPY_LONG 32

/* Four are read before one is written, which compilers make vectors of. */
struct cc_four_words {
	cc_word w0, w1, w2, w3;
};

static inline struct cc_four_words cc_read_four(const cc_word *a)
{
	return (struct cc_four_words){a[0], a[1], a[2], a[3]};
}

static inline void cc_write_four(cc_word *r, struct cc_four_words w)
{
	r[0] = w.w0;
	r[1] = w.w1;
	r[2] = w.w2;
	r[3] = w.w3;
}

/* r[n] = a[n]; r may begin below a */
static inline void cc_copy_words(cc_word *r, const cc_word *a, size_t n)
{
	struct cc_four_words last;
	size_t i;

	if (n >= CC_COPY_LONG) {
		memmove(r, a, n * sizeof(*r));
	} else if (n >= 4) {
		/* some may be copied twice, but are read once */
		last = cc_read_four(a + n - 4);
		for (i = 0; i + 4 < n; i += 4)
			cc_write_four(r + i, cc_read_four(a + i));
		cc_write_four(r + n - 4, last);
	} else {
		for (i = 0; i < n; i++)
			r[i] = a[i];
	}
}

#endif /* CC_LIMBS_COPY_H */
