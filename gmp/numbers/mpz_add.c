// SPDX-License-Identifier: MIT
/* Sums and differences, and the other sign. */
#include "mpz.h"

/* Lengths up to which a loop here is quicker than the kernel that is called. */
#define INLINE_MOST 3

static inline mp_limb_t add_words(mp_ptr r, mp_srcptr a, size_t an, mp_srcptr b, size_t bn)
{
	mp_limb_t carry = 0;
	size_t i;

	if (an > INLINE_MOST)
		return words_add(r, a, an, b, bn);
	for (i = 0; i < bn; i++)
		r[i] = cc_word_add(a[i], b[i], &carry);
	for (; i < an; i++)
		r[i] = cc_word_add(a[i], 0, &carry);
	return carry;
}

static inline void sub_words(mp_ptr r, mp_srcptr a, size_t an, mp_srcptr b, size_t bn)
{
	mp_limb_t borrow = 0;
	size_t i;

	if (an > INLINE_MOST) {
		words_sub(r, a, an, b, bn);
		return;
	}
	for (i = 0; i < bn; i++)
		r[i] = cc_word_sub(a[i], b[i], &borrow);
	for (; i < an; i++)
		r[i] = cc_word_sub(a[i], 0, &borrow);
}

/* r = x + y, where @size is y's length with the sign that it counts with. */
static inline __attribute__((__always_inline__)) void add(mpz_ptr r, mpz_srcptr x, mpz_srcptr y,
							  int y_size)
{
	int x_size = x->_mp_size, size;
	size_t an, bn;
	mp_limb_t out;
	mp_ptr words;

	if ((size_t)(x_size < 0 ? -x_size : x_size) < (size_t)(y_size < 0 ? -y_size : y_size)) {
		mpz_srcptr longer = y;

		y = x;
		x = longer;
		size = y_size;
		y_size = x_size;
		x_size = size;
	}
	an = (size_t)(x_size < 0 ? -x_size : x_size);
	bn = (size_t)(y_size < 0 ? -y_size : y_size);
	words = mpz_room(r, an + 1);
	if ((x_size ^ y_size) >= 0) {
		out = add_words(words, x->_mp_d, an, y->_mp_d, bn);
		words[an] = out;
		size = (int)(an + out);
		r->_mp_size = x_size < 0 ? -size : size;
		return;
	}
	if (an == bn) {
		/* equal words at the top disappear */
		while (an && x->_mp_d[an - 1] == y->_mp_d[an - 1])
			an--;
		if (!an) {
			r->_mp_size = 0;
			return;
		}
		bn = an;
		if (x->_mp_d[an - 1] < y->_mp_d[an - 1]) {
			mpz_srcptr greater = y;

			y = x;
			x = greater;
			x_size = -x_size;
		}
	}
	sub_words(words, x->_mp_d, an, y->_mp_d, bn);
	while (!words[an - 1])
		an--;
	r->_mp_size = x_size < 0 ? -(int)an : (int)an;
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
		words[0] = word;
		if (word >= y && (n == 1 || words == a)) {
			r->_mp_size = size;
			return;
		}
		words[n] = n > 1 ? words_add_1(words + 1, a + 1, n - 1, word < y) : word < y;
		n += words[n] != 0;
	} else if (n == 1) {
		word = a[0];
		words[0] = word < y ? y - word : word - y;
		size = word < y ? -size : size;
		n = word != y;
	} else {
		mp_limb_t top = a[n - 1];

		word = a[0];
		words[0] = word - y;
		(void)words_sub_1(words + 1, a + 1, n - 1, word < y);
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

void mpz_neg(mpz_ptr r, mpz_srcptr x)
{
	mpz_set(r, x);
	r->_mp_size = -r->_mp_size;
}

void mpz_abs(mpz_ptr r, mpz_srcptr x)
{
	mpz_set(r, x);
	r->_mp_size = (int)mpz_length(r);
}
