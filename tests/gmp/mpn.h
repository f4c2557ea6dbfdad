/* SPDX-License-Identifier: MIT */
/*
 * mpn.h - GMP's functions by name, thrice: ours, those that the program gets when ours stand in the
 * way of GMP's, and GMP's own, in a namespace of its own, where nothing stands in its way.
 */
#ifndef TESTS_GMP_MPN_H
#define TESTS_GMP_MPN_H

#include "../../gmp/mpn.h"
#include "../c/harness.h"

#include <string.h>

/* Result, name, arguments. */
#define FUNCTIONS(X)                                                                               \
	X(cc_word, mul, (cc_word *, const cc_word *, cc_mpn_size, const cc_word *, cc_mpn_size))   \
	X(void, mul_n, (cc_word *, const cc_word *, const cc_word *, cc_mpn_size))                 \
	X(void, sqr, (cc_word *, const cc_word *, cc_mpn_size))

#define MEMBER(result, name, arguments) result(*name) arguments;
struct mpn {
	const char *door;
	FUNCTIONS(MEMBER)
};
#undef MEMBER

/* What is called now, and what it is compared with. */
extern struct mpn ours, theirs;

/*
 * Two copies of the same words: our function works in one, GMP's in the other.  same() compares
 * them whole, so nothing may be undefined, and nothing beside the results is written.
 */
#define ARENA 16384
extern cc_word mine[ARENA], its[ARENA];

/* Random words in both. */
void fill(size_t words);
void same(const char *what, size_t words);
/* From @least: mostly small, sometimes up to @most. */
size_t a_size(size_t least, size_t most);
/* The offset of @n words that overlap nothing of the @used words from 0. */
size_t apart(size_t used);

struct check {
	const char *name;
	void (*run)(void);
	size_t times;
};

extern const struct check product_checks[];
extern const size_t product_checks_count;

#endif /* TESTS_GMP_MPN_H */
