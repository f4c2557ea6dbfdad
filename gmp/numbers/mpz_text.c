// SPDX-License-Identifier: MIT
/* Numbers as text in a file. */
#include "digits.h"

#include <ctype.h>

size_t mpz_out_str(FILE *file, int base, mpz_srcptr x)
{
	char *s = mpz_get_str(NULL, base, x);
	size_t length = 0;

	if (!s)
		return 0;
	length = strlen(s);
	if (fwrite(s, 1, length, file ? file : stdout) != length) {
		cc_gmp_release(s, length + 1);
		return 0;
	}
	cc_gmp_release(s, length + 1);
	return length;
}

size_t cc_gmp_read(mpz_ptr r, int base, int (*next)(void *context),
		   void (*back)(void *context, int c), void *context, size_t most)
{
	struct collected c = collected_begin();
	size_t read = 1, digits = 0;
	int at = next(context), negative = at == '-';

	if (negative && read < most) {
		at = next(context);
		read++;
	}
	if (!base) {
		base = 10;
		if (at == '0') {
			/* a prefix, or octal: the 0 is a digit where nothing follows */
			base = 8;
			digits = 1;
			at = read < most ? next(context) : EOF;
			read++;
			if (at == 'x' || at == 'X' || at == 'b' || at == 'B') {
				base = at == 'x' || at == 'X' ? 16 : 2;
				at = read < most ? next(context) : EOF;
				read++;
			}
		}
	}
	for (; at != EOF && cc_gmp_digit(at, base) >= 0; digits++) {
		if (c.count || at != '0')
			collect(&c, at);
		at = read < most ? next(context) : EOF;
		read++;
	}
	read--;
	if (at != EOF)
		back(context, at);
	if (digits) {
		cc_gmp_value(r, c.digits, c.count, base);
		if (negative)
			r->_mp_size = -r->_mp_size;
	}
	cc_gmp_release(c.digits, c.room);
	return digits ? read : 0;
}

static int from_file(void *file)
{
	return getc((FILE *)file);
}

static void to_file(void *file, int c)
{
	ungetc(c, (FILE *)file);
}

size_t cc_gmp_read_file(mpz_ptr r, FILE *file, int base)
{
	return cc_gmp_read(r, base, from_file, to_file, file, SIZE_MAX);
}

size_t mpz_inp_str(mpz_ptr r, FILE *file, int base)
{
	size_t blanks = 0, read;
	int c;

	if (base && (base < 2 || base > 62))
		return 0;
	if (!file)
		file = stdin;
	while (isspace(c = getc(file)))
		blanks++;
	if (c == EOF)
		return 0;
	ungetc(c, file);
	read = cc_gmp_read_file(r, file, base);
	return read ? blanks + read : 0;
}
