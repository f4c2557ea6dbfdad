// SPDX-License-Identifier: MIT
/* Numbers' memory and words. */
#include "mpz.h"

const mp_limb_t cc_mpz_nothing;

/* x's memory is @n words; a value that does not fit becomes 0. */
static void resize(mpz_ptr x, size_t n)
{
	if (!n)
		n = 1;
	if (n > INT_MAX)
		cc_gmp_overflow();
	if (x->_mp_alloc)
		x->_mp_d = cc_gmp_reallocate(x->_mp_d, (size_t)x->_mp_alloc * sizeof(mp_limb_t),
					     n * sizeof(mp_limb_t));
	else
		x->_mp_d = cc_gmp_allocate(n * sizeof(mp_limb_t));
	x->_mp_alloc = (int)n;
	if (mpz_length(x) > n)
		x->_mp_size = 0;
}

mp_ptr cc_mpz_grow(mpz_ptr x, size_t n)
{
	resize(x, n);
	return x->_mp_d;
}

void *_mpz_realloc(mpz_ptr x, mp_size_t words)
{
	resize(x, words < 0 ? 0 : (size_t)words);
	return x->_mp_d;
}

static size_t words_for(mp_bitcnt_t bits)
{
	return bits / GMP_LIMB_BITS + (bits % GMP_LIMB_BITS != 0);
}

void mpz_init(mpz_ptr x)
{
	*x = (__mpz_struct)MPZ_INIT;
}

void mpz_init2(mpz_ptr x, mp_bitcnt_t bits)
{
	mpz_init(x);
	resize(x, words_for(bits));
}

void mpz_realloc2(mpz_ptr x, mp_bitcnt_t bits)
{
	resize(x, words_for(bits));
}

void mpz_clear(mpz_ptr x)
{
	if (x->_mp_alloc)
		cc_gmp_release(x->_mp_d, (size_t)x->_mp_alloc * sizeof(mp_limb_t));
}

void mpz_inits(mpz_ptr x, ...)
{
	va_list list;

	va_start(list, x);
	for (; x; x = va_arg(list, mpz_ptr))
		mpz_init(x);
	va_end(list);
}

void mpz_clears(mpz_ptr x, ...)
{
	va_list list;

	va_start(list, x);
	for (; x; x = va_arg(list, mpz_ptr))
		mpz_clear(x);
	va_end(list);
}

/* Never given back, by the manual. */
void mpz_array_init(mpz_ptr array, mp_size_t count, mp_size_t bits)
{
	size_t n = words_for((mp_bitcnt_t)bits) + 1;
	mp_size_t i;
	mp_ptr all;

	if (n > INT_MAX || (size_t)count > PTRDIFF_MAX / sizeof(mp_limb_t) / n)
		cc_gmp_overflow();
	all = cc_gmp_allocate((size_t)count * n * sizeof(mp_limb_t));
	for (i = 0; i < count; i++)
		array[i] = (__mpz_struct){(int)n, 0, all + (size_t)i * n};
}

mp_ptr mpz_limbs_write(mpz_ptr x, mp_size_t n)
{
	return mpz_room(x, (size_t)n);
}

mp_ptr mpz_limbs_modify(mpz_ptr x, mp_size_t n)
{
	return mpz_room(x, (size_t)n);
}

void mpz_limbs_finish(mpz_ptr x, mp_size_t s)
{
	mpz_close(x, (size_t)(s < 0 ? -s : s), s < 0);
}

mpz_srcptr mpz_roinit_n(mpz_ptr x, mp_srcptr words, mp_size_t xs)
{
	x->_mp_alloc = 0;
	x->_mp_d = (mp_ptr)words;
	mpz_limbs_finish(x, xs);
	return x;
}

void cc_mpz_take(mpz_ptr r, cc_bigint *made, int error)
{
	if (error)
		cc_gmp_no_memory(0);
	if (made->length)
		memcpy(mpz_room(r, made->length), made->words, made->length * sizeof(mp_limb_t));
	mpz_close(r, made->length, made->negative);
	cc_bigint_clear(made);
}
