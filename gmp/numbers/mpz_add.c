// SPDX-License-Identifier: MIT
/* Sums and differences. */
#include "mpz.h"

/* Lengths up to which a loop here is quicker than the kernel that is called. */
#define INLINE_MOST 3

static inline int signed_size(size_t n, int negative)
{
	return negative ? -(int)n : (int)n;
}

/* |r| = |x| + |y|, of an and bn words. */
static __attribute__((__noinline__)) void sum(mpz_ptr r, mpz_srcptr x, size_t an, mpz_srcptr y,
					      size_t bn, int negative)
{
	mp_limb_t carry = 0;
	mp_srcptr a, b;
	mp_ptr words;
	size_t i;

	mpz_longer_first(&x, &an, &y, &bn);
	words = mpz_room(r, an + 1);
	a = x->_mp_d;
	b = y->_mp_d;
	if (__builtin_expect(an <= INLINE_MOST, 0)) {
		for (i = 0; i < bn; i++)
			words[i] = cc_word_add(a[i], b[i], &carry);
		for (; i < an; i++)
			words[i] = cc_word_add(a[i], 0, &carry);
	} else if (an == bn) {
		carry = cc_sum(words, a, b, an);
	} else {
		carry = bn ? cc_sum(words, a, b, bn) : 0;
		/* mostly: then the length does not wait for the sum */
		if (__builtin_expect(!carry, 1)) {
			if (words != a)
				cc_copy_words(words + bn, a + bn, an - bn);
			r->_mp_size = signed_size(an, negative);
			return;
		}
		carry = words_add_1(words + bn, a + bn, an - bn, carry);
	}
	words[an] = carry;
	r->_mp_size = signed_size(an + carry, negative);
}

/* |r| = a[an] - b[bn] for a > b */
static inline __attribute__((__always_inline__)) void subtract(mpz_ptr r, mp_srcptr a, size_t an,
							       mp_srcptr b, size_t bn, int negative)
{
	mp_ptr words = r->_mp_d;
	mp_limb_t borrow = 0;
	size_t i;

	if (__builtin_expect(an <= INLINE_MOST, 0)) {
		for (i = 0; i < bn; i++)
			words[i] = cc_word_sub(a[i], b[i], &borrow);
		for (; i < an; i++)
			words[i] = cc_word_sub(a[i], 0, &borrow);
	} else {
		words_sub(words, a, an, b, bn);
	}
	while (!words[an - 1])
		an--;
	r->_mp_size = signed_size(an, negative);
}

/*
 * r = |x| - |y|, of an and bn words, or the negative of that.  Which is greater is a branch:
 * operands that are selected wait for their top words.
 */
static __attribute__((__noinline__)) void difference(mpz_ptr r, mpz_srcptr x, size_t an,
						     mpz_srcptr y, size_t bn, int negative)
{
	mp_srcptr a, b;

	(void)mpz_room(r, an > bn ? an : bn);
	a = x->_mp_d;
	b = y->_mp_d;
	if (an == bn) {
		/* equal words at the top disappear */
		while (an && a[an - 1] == b[an - 1])
			an--;
		if (!an)
			r->_mp_size = 0;
		else if (a[an - 1] > b[an - 1])
			subtract(r, a, an, b, an, negative);
		else
			subtract(r, b, an, a, an, !negative);
	} else if (an > bn) {
		subtract(r, a, an, b, bn, negative);
	} else {
		subtract(r, b, bn, a, an, !negative);
	}
}

/* r = x + y, where @size is y's length with the sign that it counts with. */
static inline __attribute__((__always_inline__)) void add(mpz_ptr r, mpz_srcptr x, mpz_srcptr y,
							  int y_size)
{
	int x_size = x->_mp_size;

	if (x_size >= 0 && y_size >= 0)
		sum(r, x, (size_t)x_size, y, (size_t)y_size, 0);
	else if (x_size >= 0)
		difference(r, x, (size_t)x_size, y, (size_t)-y_size, 0);
	else if (y_size >= 0)
		difference(r, x, (size_t)-x_size, y, (size_t)y_size, 1);
	else
		sum(r, x, (size_t)-x_size, y, (size_t)-y_size, 1);
}

void mpz_add(mpz_ptr r, mpz_srcptr x, mpz_srcptr y)
{
	add(r, x, y, y->_mp_size);
}

void mpz_sub(mpz_ptr r, mpz_srcptr x, mpz_srcptr y)
{
	add(r, x, y, -y->_mp_size);
}

/* r = x + y for y < 0 if @negative; x's sign is @size's. */
static inline __attribute__((__always_inline__)) void add_word(mpz_ptr r, mpz_srcptr x, int size,
							       mp_limb_t y, int negative)
{
	size_t n = (size_t)(size < 0 ? -size : size);
	mp_ptr words = mpz_room(r, n + 1);
	mp_srcptr a = x->_mp_d;
	mp_limb_t word;

	if (!n) {
		words[0] = y;
		r->_mp_size = !y ? 0 : negative ? -1 : 1;
		return;
	}
	if ((size < 0) == negative) {
		word = a[0] + y;
		if (word >= y) {
			if (words != a)
				cc_copy_words(words, a, n);
			words[0] = word;
			r->_mp_size = size;
			return;
		}
		words[0] = word;
		words[n] = n > 1 ? words_add_1(words + 1, a + 1, n - 1, 1) : 1;
		n += words[n] != 0;
	} else if (n == 1) {
		word = a[0];
		words[0] = word < y ? y - word : word - y;
		size = word < y ? -size : size;
		n = word != y;
	} else if (a[0] >= y) {
		word = a[0] - y;
		if (words != a)
			cc_copy_words(words, a, n);
		words[0] = word;
	} else {
		mp_limb_t top = a[n - 1];

		words[0] = a[0] - y;
		(void)words_sub_1(words + 1, a + 1, n - 1, 1);
		/* only a top word of 1 disappears; others needn't be read again */
		n -= top == 1 && !words[n - 1];
	}
	r->_mp_size = size < 0 ? -(int)n : (int)n;
}

void mpz_add_ui(mpz_ptr r, mpz_srcptr x, unsigned long y)
{
	add_word(r, x, x->_mp_size, y, 0);
}

void mpz_sub_ui(mpz_ptr r, mpz_srcptr x, unsigned long y)
{
	add_word(r, x, x->_mp_size, y, 1);
}

void mpz_ui_sub(mpz_ptr r, unsigned long x, mpz_srcptr y)
{
	add_word(r, y, -y->_mp_size, x, 0);
}

/* -x - 1 */
void mpz_com(mpz_ptr r, mpz_srcptr x)
{
	add_word(r, x, -x->_mp_size, 1, 1);
}
