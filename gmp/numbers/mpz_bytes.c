// SPDX-License-Identifier: MIT
/* Numbers as words of any size and order, and as bytes in a file. */
#include "mpz.h"

/* 1 if the most significant byte is first, else -1 */
static int endian_of(int endian)
{
	const uint16_t probe = 1;

	return endian ? endian : *(const unsigned char *)&probe ? -1 : 1;
}

/* Where the bytes of word i of @count begin, from the least significant one on, and the step. */
static size_t place(size_t i, size_t count, int order, size_t size, int endian, ptrdiff_t *step)
{
	size_t at = (order > 0 ? count - 1 - i : i) * size;

	*step = endian > 0 ? -1 : 1;
	return endian > 0 ? at + size - 1 : at;
}

/* Whether words of so many bytes are one string of bytes, its least significant one first or last.
 */
static int one_string(size_t count, int order, size_t size, int endian, size_t nails)
{
	return !nails && (size == 1 || count == 1 || order == endian);
}

/* A word's bytes in the other order. */
static mp_limb_t turned(mp_limb_t w)
{
	w = (w & GMP_NUMB_MAX / 257) << 8 | (w >> 8 & GMP_NUMB_MAX / 257);
	w = (w & GMP_NUMB_MAX / 65537) << 16 | (w >> 16 & GMP_NUMB_MAX / 65537);
#if GMP_LIMB_BITS == 64
	w = w << 32 | w >> 32;
#endif
	return w;
}

/* A word whose least significant byte is first, or last. */
static mp_limb_t load(const unsigned char *at, int last)
{
	mp_limb_t w;

	memcpy(&w, at, sizeof(w));
	return last == (endian_of(0) > 0) ? w : turned(w);
}

static void store(unsigned char *at, mp_limb_t w, int last)
{
	w = last == (endian_of(0) > 0) ? w : turned(w);
	memcpy(at, &w, sizeof(w));
}

/* r = that string of bytes */
static void from_bytes(mpz_ptr r, const unsigned char *bytes, size_t count, int last)
{
	const size_t whole = count / sizeof(mp_limb_t), rest = count % sizeof(mp_limb_t);
	mp_ptr words = mpz_room(r, whole + 1);
	size_t i;

	for (i = 0; i < whole; i++)
		words[i] = load(last ? bytes + count - (i + 1) * sizeof(mp_limb_t)
				     : bytes + i * sizeof(mp_limb_t),
				last);
	words[whole] = 0;
	for (i = 0; i < rest; i++)
		words[whole] |= (mp_limb_t)(last ? bytes[rest - 1 - i] : bytes[count - rest + i])
				<< CHAR_BIT * i;
	mpz_close(r, whole + 1, 0);
}

/* bytes[count], with zeros above x */
static void to_bytes(unsigned char *bytes, size_t count, mpz_srcptr x, int last)
{
	size_t n = mpz_length(x), i, at;

	for (i = 0; i < n && (i + 1) * sizeof(mp_limb_t) <= count; i++)
		store(last ? bytes + count - (i + 1) * sizeof(mp_limb_t)
			   : bytes + i * sizeof(mp_limb_t),
		      x->_mp_d[i], last);
	for (at = i * sizeof(mp_limb_t); at < count; at++) {
		mp_limb_t word = i < n ? x->_mp_d[i] : 0;

		bytes[last ? count - 1 - at : at] =
			at / sizeof(mp_limb_t) == i
				? (unsigned char)(word >> at % sizeof(mp_limb_t) * CHAR_BIT)
				: 0;
	}
}

void mpz_import(mpz_ptr r, size_t count, int order, size_t size, int endian, size_t nails,
		const void *data)
{
	size_t used = size * CHAR_BIT - nails, i, n, at = 0;
	unsigned int filled = 0;
	mp_limb_t word = 0;
	mp_ptr words;

	if (used && count > (SIZE_MAX - GMP_LIMB_BITS) / used)
		cc_gmp_overflow();
	n = (count * used + GMP_LIMB_BITS - 1) / GMP_LIMB_BITS;
	endian = endian_of(endian);
	words = mpz_room(r, n);
	if (size == sizeof(mp_limb_t) && !nails && endian == endian_of(0)) {
		if ((uintptr_t)data % sizeof(mp_limb_t))
			memcpy(words, data, n * sizeof(mp_limb_t));
		else
			cc_copy_words(words, data, n);
		for (i = 0; order > 0 && i < n / 2; i++) {
			word = words[i];
			words[i] = words[n - 1 - i];
			words[n - 1 - i] = word;
		}
		mpz_close(r, n, 0);
		return;
	}
	if (one_string(count, order, size, endian, nails)) {
		from_bytes(r, data, count * size, size == 1 ? order > 0 : endian > 0);
		return;
	}
	for (i = 0; i < count; i++) {
		ptrdiff_t step;
		const unsigned char *byte =
			(const unsigned char *)data + place(i, count, order, size, endian, &step);
		size_t bits = used;

		for (; bits; byte += step) {
			unsigned int take = bits < CHAR_BIT ? (unsigned int)bits : CHAR_BIT;
			mp_limb_t value = *byte & ((1u << take) - 1);

			word |= value << filled;
			filled += take;
			bits -= take;
			if (filled >= GMP_LIMB_BITS) {
				words[at++] = word;
				filled -= GMP_LIMB_BITS;
				word = value >> (take - filled);
			}
		}
	}
	if (filled)
		words[at++] = word;
	mpz_close(r, at, 0);
}

void *mpz_export(void *data, size_t *count, int order, size_t size, int endian, size_t nails,
		 mpz_srcptr x)
{
	size_t used = size * CHAR_BIT - nails, n = mpz_length(x), words, i, at = 0, ignored;
	mp_bitcnt_t bits = words_bits(x->_mp_d, n);
	unsigned int left = 0;
	mp_limb_t word = 0;

	if (!count)
		count = &ignored;
	words = bits / used + (bits % used != 0);
	*count = words;
	if (!words)
		return data;
	if (!data)
		data = cc_gmp_allocate(words * size);
	endian = endian_of(endian);
	if (size == sizeof(mp_limb_t) && !nails && endian == endian_of(0)) {
		mp_ptr to = data;

		for (i = 0; order > 0 && i < n; i++)
			to[i] = x->_mp_d[n - 1 - i];
		if (order <= 0)
			memcpy(to, x->_mp_d, n * sizeof(mp_limb_t));
		return data;
	}
	if (one_string(words, order, size, endian, nails)) {
		to_bytes(data, words * size, x, size == 1 ? order > 0 : endian > 0);
		return data;
	}
	for (i = 0; i < words; i++) {
		ptrdiff_t step;
		unsigned char *byte =
			(unsigned char *)data + place(i, words, order, size, endian, &step);
		size_t remaining = used, bytes;

		for (bytes = size; bytes--; byte += step) {
			unsigned int take =
				remaining < CHAR_BIT ? (unsigned int)remaining : CHAR_BIT;
			mp_limb_t value = word;

			if (left < take) {
				mp_limb_t next = at < n ? x->_mp_d[at] : 0;

				at++;
				value |= next << left;
				word = next >> (take - left);
				/* a shift by a whole word is none */
				left += GMP_LIMB_BITS - take;
			} else {
				word >>= take;
				left -= take;
			}
			*byte = (unsigned char)(value & ((1u << take) - 1));
			remaining -= take;
		}
	}
	return data;
}

/* Four bytes of the length, most significant first, negative below zero; then the bytes. */
size_t mpz_out_raw(FILE *file, mpz_srcptr x)
{
	size_t bytes = (words_bits(x->_mp_d, mpz_length(x)) + CHAR_BIT - 1) / CHAR_BIT, i, count;
	uint32_t head = (uint32_t)(x->_mp_size < 0 ? 0 - bytes : bytes);
	unsigned char *data;
	int written;

	if (bytes > INT32_MAX)
		return 0;
	data = cc_gmp_allocate(bytes + 4);
	for (i = 0; i < 4; i++)
		data[i] = (unsigned char)(head >> (24 - 8 * i));
	mpz_export(data + 4, &count, 1, 1, 1, 0, x);
	written = fwrite(data, 1, bytes + 4, file ? file : stdout) == bytes + 4;
	cc_gmp_release(data, bytes + 4);
	return written ? bytes + 4 : 0;
}

size_t mpz_inp_raw(mpz_ptr r, FILE *file)
{
	unsigned char head[4], *data;
	uint32_t length = 0, i;
	size_t bytes;
	int whole;

	if (!file)
		file = stdin;
	if (fread(head, 1, 4, file) != 4)
		return 0;
	for (i = 0; i < 4; i++)
		length = length << 8 | head[i];
	bytes = length >> 31 ? 0 - length : length;
	data = cc_gmp_allocate(bytes ? bytes : 1);
	whole = fread(data, 1, bytes, file) == bytes;
	if (whole) {
		mpz_import(r, bytes, 1, 1, 1, 0, data);
		if (length >> 31)
			r->_mp_size = -r->_mp_size;
	}
	cc_gmp_release(data, bytes ? bytes : 1);
	return whole ? bytes + 4 : 0;
}
