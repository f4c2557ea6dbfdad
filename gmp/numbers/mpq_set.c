// SPDX-License-Identifier: MIT
/* Fractions from and to other numbers. */
#include "digits.h"

#include <float.h>

void mpq_canonicalize(mpq_ptr x)
{
	mpz_ptr num = mpq_numref(x), den = mpq_denref(x);
	mpz_t g;

	if (!den->_mp_size)
		cc_gmp_division_by_zero();
	if (den->_mp_size < 0) {
		den->_mp_size = -den->_mp_size;
		num->_mp_size = -num->_mp_size;
	}
	mpz_init(g);
	mpz_gcd(g, num, den);
	if (mpz_cmp_ui(g, 1)) {
		mpz_divexact(num, num, g);
		mpz_divexact(den, den, g);
	}
	mpz_clear(g);
}

void mpq_init(mpq_ptr x)
{
	mpz_init(mpq_numref(x));
	mpz_init_set_ui(mpq_denref(x), 1);
}

void mpq_clear(mpq_ptr x)
{
	mpz_clear(mpq_numref(x));
	mpz_clear(mpq_denref(x));
}

void mpq_inits(mpq_ptr x, ...)
{
	va_list list;

	va_start(list, x);
	for (; x; x = va_arg(list, mpq_ptr))
		mpq_init(x);
	va_end(list);
}

void mpq_clears(mpq_ptr x, ...)
{
	va_list list;

	va_start(list, x);
	for (; x; x = va_arg(list, mpq_ptr))
		mpq_clear(x);
	va_end(list);
}

void mpq_set(mpq_ptr r, mpq_srcptr x)
{
	mpz_set(mpq_numref(r), mpq_numref(x));
	mpz_set(mpq_denref(r), mpq_denref(x));
}

void mpq_set_z(mpq_ptr r, mpz_srcptr x)
{
	mpz_set(mpq_numref(r), x);
	mpz_set_ui(mpq_denref(r), 1);
}

/* 0 has the denominator 1, whatever is given. */
void mpq_set_ui(mpq_ptr r, unsigned long num, unsigned long den)
{
	mpz_set_ui(mpq_numref(r), num);
	mpz_set_ui(mpq_denref(r), num ? den : 1);
}

void mpq_set_si(mpq_ptr r, long num, unsigned long den)
{
	mpz_set_si(mpq_numref(r), num);
	mpz_set_ui(mpq_denref(r), num ? den : 1);
}

void mpq_swap(mpq_ptr x, mpq_ptr y)
{
	mpz_swap(mpq_numref(x), mpq_numref(y));
	mpz_swap(mpq_denref(x), mpq_denref(y));
}

void mpq_get_num(mpz_ptr r, mpq_srcptr x)
{
	mpz_set(r, mpq_numref(x));
}

void mpq_get_den(mpz_ptr r, mpq_srcptr x)
{
	mpz_set(r, mpq_denref(x));
}

void mpq_set_num(mpq_ptr r, mpz_srcptr x)
{
	mpz_set(mpq_numref(r), x);
}

void mpq_set_den(mpq_ptr r, mpz_srcptr x)
{
	mpz_set(mpq_denref(r), x);
}

void mpz_set_q(mpz_ptr r, mpq_srcptr x)
{
	mpz_tdiv_q(r, mpq_numref(x), mpq_denref(x));
}

void mpq_set_d(mpq_ptr r, double x)
{
	mp_bitcnt_t bits = 0, twos;

	if (x != x || x - x != 0)
		cc_gmp_invalid_argument();
	/* exact: a power of two until there is no fraction */
	while (x > -9007199254740992.0 && x < 9007199254740992.0 && x != (double)(int64_t)x) {
		x *= 2;
		bits++;
	}
	mpz_set_d(mpq_numref(r), x);
	mpz_set_ui(mpq_denref(r), 1);
	if (!bits)
		return;
	twos = mpz_scan1(mpq_numref(r), 0);
	twos = twos < bits ? twos : bits;
	mpz_tdiv_q_2exp(mpq_numref(r), mpq_numref(r), twos);
	mpz_mul_2exp(mpq_denref(r), mpq_denref(r), bits - twos);
}

/* The quotient's first bits, truncated: as many as a double of its size has. */
double mpq_get_d(mpq_srcptr x)
{
	mpz_srcptr num = mpq_numref(x), den = mpq_denref(x);
	long shift, exponent, keep = DBL_MANT_DIG;
	double value;
	mpz_t q;

	if (!num->_mp_size)
		return 0;
	shift = DBL_MANT_DIG + 1 - (long)words_bits(num->_mp_d, mpz_length(num)) +
		(long)words_bits(den->_mp_d, mpz_length(den));
	mpz_init(q);
	if (shift > 0)
		mpz_mul_2exp(q, num, (mp_bitcnt_t)shift);
	else
		mpz_tdiv_q_2exp(q, num, (mp_bitcnt_t)-shift);
	mpz_tdiv_q(q, q, den);
	exponent = (long)words_bits(q->_mp_d, mpz_length(q)) - shift;
	if (exponent < DBL_MIN_EXP)
		keep -= DBL_MIN_EXP - exponent;
	if (keep > 0)
		mpz_tdiv_q_2exp(q, q, words_bits(q->_mp_d, mpz_length(q)) - (mp_bitcnt_t)keep);
	value = keep > 0 ? mpz_get_d(q) : 0;
	mpz_clear(q);
	exponent -= keep;
	if (exponent > 2 * DBL_MAX_EXP)
		exponent = 2 * DBL_MAX_EXP;
	for (; value != 0 && exponent > 0; exponent--)
		value *= 2;
	for (; value != 0 && exponent < 0; exponent++)
		value /= 2;
	return value;
}

char *mpq_get_str(char *s, int base, mpq_srcptr x)
{
	size_t room = mpz_sizeinbase(mpq_numref(x), base < 0 ? -base
						    : base   ? base
							     : 10) +
		      mpz_sizeinbase(mpq_denref(x), base < 0 ? -base
						    : base   ? base
							     : 10) +
		      3;
	char *made = s ? s : cc_gmp_allocate(room);
	size_t length;

	if (!mpz_get_str(made, base, mpq_numref(x))) {
		if (!s)
			cc_gmp_release(made, room);
		return NULL;
	}
	length = strlen(made);
	if (mpz_cmp_ui(mpq_denref(x), 1)) {
		made[length] = '/';
		mpz_get_str(made + length + 1, base, mpq_denref(x));
		length += strlen(made + length);
	}
	return s ? s : cc_gmp_reallocate(made, room, length + 1);
}

int mpq_set_str(mpq_ptr r, const char *s, int base)
{
	const char *slash = strchr(s, '/');
	size_t length;
	char *num;
	int answer;

	if (!slash) {
		mpz_set_ui(mpq_denref(r), 1);
		return mpz_set_str(mpq_numref(r), s, base);
	}
	length = (size_t)(slash - s);
	num = cc_gmp_allocate(length + 1);
	memcpy(num, s, length);
	num[length] = 0;
	answer = mpz_set_str(mpq_numref(r), num, base);
	cc_gmp_release(num, length + 1);
	return answer ? answer : mpz_set_str(mpq_denref(r), slash + 1, base);
}

size_t mpq_out_str(FILE *file, int base, mpq_srcptr x)
{
	size_t num, den;

	if (!file)
		file = stdout;
	num = mpz_out_str(file, base, mpq_numref(x));
	if (!num || !mpz_cmp_ui(mpq_denref(x), 1))
		return num;
	if (putc('/', file) == EOF)
		return 0;
	den = mpz_out_str(file, base, mpq_denref(x));
	return den ? num + 1 + den : 0;
}

size_t mpq_inp_str(mpq_ptr r, FILE *file, int base)
{
	size_t num, den;
	int c;

	if (!file)
		file = stdin;
	mpz_set_ui(mpq_denref(r), 1);
	num = mpz_inp_str(mpq_numref(r), file, base);
	if (!num)
		return 0;
	c = getc(file);
	if (c != '/') {
		if (c != EOF)
			ungetc(c, file);
		return num;
	}
	den = cc_gmp_read_file(mpq_denref(r), file, base);
	if (!den) {
		mpq_set_ui(r, 0, 1);
		return 0;
	}
	return num + 1 + den;
}
