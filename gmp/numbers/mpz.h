/* SPDX-License-Identifier: MIT */
/*
 * mpz.h - what the functions of carrychain/gmp.h share: the words of a number, and temporaries.
 *
 * A number without memory of its own has _mp_alloc 0, and _mp_d points to a word that is never
 * written.  Every function first gets the room that it needs; memory that is not there ends the
 * program, as it does with GMP.  Arguments may be results: room for a result may move its words,
 * so that an argument's words are asked for after it.
 */
#ifndef CC_GMP_MPZ_H
#define CC_GMP_MPZ_H

#include <carrychain/bigint.h>
#include <carrychain/gmp.h>
#include <carrychain/limbs.h>
#include <carrychain/natural.h>

#include <limits.h>
#include <string.h>

#include "../../src/limbs/copy.h"
#include "../../src/limbs/divide.h"
#include "../../src/limbs/sums.h"

/* The functions that mp_set_memory_functions() sets. */
CC_HIDDEN extern void *(*cc_gmp_allocate)(size_t size);
CC_HIDDEN extern void *(*cc_gmp_reallocate)(void *memory, size_t old_size, size_t size);
CC_HIDDEN extern void (*cc_gmp_release)(void *memory, size_t size);

/* They end the program, as GMP's do. */
CC_HIDDEN __attribute__((__noreturn__, __cold__)) void cc_gmp_division_by_zero(void);
CC_HIDDEN __attribute__((__noreturn__, __cold__)) void cc_gmp_even_root_of_negative(void);
CC_HIDDEN __attribute__((__noreturn__, __cold__)) void cc_gmp_invalid_argument(void);
CC_HIDDEN __attribute__((__noreturn__, __cold__)) void cc_gmp_overflow(void);
CC_HIDDEN __attribute__((__noreturn__, __cold__)) void cc_gmp_no_memory(size_t size);

/* The word that a number without memory points to. */
CC_HIDDEN extern const mp_limb_t cc_mpz_nothing;

#define MPZ_INIT                                                                                   \
	{                                                                                          \
		0, 0, (mp_limb_t *)&cc_mpz_nothing                                                 \
	}

static inline size_t mpz_length(mpz_srcptr x)
{
	int size = x->_mp_size;

	return (size_t)(size < 0 ? -size : size);
}

/* Of x and y, of an and bn words, the longer one becomes x. */
static inline void mpz_longer_first(mpz_srcptr *x, size_t *an, mpz_srcptr *y, size_t *bn)
{
	mpz_srcptr shorter = *x;
	size_t n = *an;

	if (__builtin_expect(n >= *bn, 1))
		return;
	*x = *y;
	*an = *bn;
	*y = shorter;
	*bn = n;
}

CC_HIDDEN mp_ptr cc_mpz_grow(mpz_ptr x, size_t n);

/* x's words, at least n of them; the value stays. */
static inline mp_ptr mpz_room(mpz_ptr x, size_t n)
{
	return __builtin_expect(n > (size_t)x->_mp_alloc, 0) ? cc_mpz_grow(x, n) : x->_mp_d;
}

/* The first n words become the value; the top ones may be 0. */
static inline void mpz_close(mpz_ptr x, size_t n, int negative)
{
	while (n && !x->_mp_d[n - 1])
		n--;
	x->_mp_size = negative ? -(int)n : (int)n;
}

/* A number of one word or none, to be read only. */
struct word_view {
	mp_limb_t word;
	__mpz_struct z;
};

static inline mpz_srcptr view_ui(struct word_view *v, unsigned long x)
{
	v->word = x;
	v->z._mp_alloc = 0;
	v->z._mp_size = x != 0;
	v->z._mp_d = &v->word;
	return &v->z;
}

static inline unsigned long magnitude_si(long x)
{
	return x < 0 ? 0 - (unsigned long)x : (unsigned long)x;
}

static inline mpz_srcptr view_si(struct word_view *v, long x)
{
	view_ui(v, magnitude_si(x));
	if (x < 0)
		v->z._mp_size = -1;
	return &v->z;
}

/* Temporaries: short ones are on the stack. */
#define TEMPORARY_LOCAL 512

struct temporary {
	mp_ptr words;
	size_t count;
	mp_limb_t local[TEMPORARY_LOCAL];
};

CC_HIDDEN mp_ptr cc_gmp_temporary(struct temporary *t, size_t n);

static inline mp_ptr temporary_open(struct temporary *t, size_t n)
{
	t->count = 0;
	t->words = t->local;
	return n <= TEMPORARY_LOCAL ? t->local : cc_gmp_temporary(t, n);
}

static inline void temporary_close(struct temporary *t)
{
	if (t->count)
		cc_gmp_release(t->words, t->count * sizeof(mp_limb_t));
}

/* a[n] where it is, or, if it is @result's memory, a copy at *@copy, which moves on. */
static inline mp_srcptr apart(mp_srcptr a, size_t n, mp_srcptr result, mp_ptr *copy)
{
	if (a != result)
		return a;
	a = memcpy(*copy, a, n * sizeof(*a));
	*copy += n;
	return a;
}

/* The order of a[an] and b[bn] without zeros at the top. */
static inline int words_cmp(mp_srcptr a, size_t an, mp_srcptr b, size_t bn)
{
	if (an != bn)
		return an < bn ? -1 : 1;
	return cc_limbs_cmp(a, b, an);
}

/* r[n] = a[n] + w, or a[n] - w; the carry or borrow returned: mostly few words change. */
static inline mp_limb_t words_add_1(mp_ptr r, mp_srcptr a, size_t n, mp_limb_t w)
{
	size_t i;

	for (i = 0; i < n && w; i++) {
		mp_limb_t word = a[i] + w;

		w = word < w;
		r[i] = word;
	}
	if (r != a && i < n)
		cc_copy_words(r + i, a + i, n - i);
	return w;
}

static inline mp_limb_t words_sub_1(mp_ptr r, mp_srcptr a, size_t n, mp_limb_t w)
{
	size_t i;

	for (i = 0; i < n && w; i++) {
		mp_limb_t word = a[i];

		r[i] = word - w;
		w = word < w;
	}
	if (r != a && i < n)
		cc_copy_words(r + i, a + i, n - i);
	return w;
}

/* r[an] = a[an] + b[bn] for an >= bn, carry returned; r may be either. */
static inline mp_limb_t words_add(mp_ptr r, mp_srcptr a, size_t an, mp_srcptr b, size_t bn)
{
	mp_limb_t carry = bn ? cc_sum(r, a, b, bn) : 0;

	return an > bn ? words_add_1(r + bn, a + bn, an - bn, carry) : carry;
}

/* r[an] = a[an] - b[bn] for a >= b; r may be either. */
static inline void words_sub(mp_ptr r, mp_srcptr a, size_t an, mp_srcptr b, size_t bn)
{
	mp_limb_t borrow = bn ? cc_difference(r, a, b, bn) : 0;

	if (an > bn)
		(void)words_sub_1(r + bn, a + bn, an - bn, borrow);
}

/* Bits of a[n] for a top word that is not 0. */
static inline mp_bitcnt_t words_bits(mp_srcptr a, size_t n)
{
	return n ? (mp_bitcnt_t)n * GMP_LIMB_BITS - cc_word_clz(a[n - 1]) : 0;
}

/* x for bigint.h's functions, which only read it. */
static inline cc_bigint mpz_view(mpz_srcptr x)
{
	cc_bigint v = {x->_mp_d, mpz_length(x), mpz_length(x), x->_mp_size < 0};

	return v;
}

/* r = what bigint.h's function has made, which is cleared; @error is its answer. */
CC_HIDDEN void cc_mpz_take(mpz_ptr r, cc_bigint *made, int error);

/* r = x d's quotient by d, or remainder, or both; one of them may be NULL. */
enum rounding {
	ROUND_DOWN = -1,
	ROUND_ZERO = 0,
	ROUND_UP = 1,
};

CC_HIDDEN void cc_mpz_divide(mpz_ptr q, mpz_ptr r, mpz_srcptr n, mpz_srcptr d, enum rounding);

#endif /* CC_GMP_MPZ_H */
