// SPDX-License-Identifier: MIT
/* Exact division, and whether it is exact. */
#include "mpz.h"

void mpz_divexact(mpz_ptr q, mpz_srcptr n, mpz_srcptr d)
{
	size_t an = mpz_length(n), dn = mpz_length(d), qn;
	int negative = (n->_mp_size ^ d->_mp_size) < 0;
	struct temporary t;
	mp_ptr words, work;
	mp_srcptr a, b;

	if (!dn)
		cc_gmp_division_by_zero();
	if (an < dn) {
		q->_mp_size = 0;
		return;
	}
	qn = an - dn + 1;
	words = mpz_room(q, qn);
	a = n->_mp_d;
	b = d->_mp_d;
	if (dn == 1) {
		mpn_divexact_1(words, a, (mp_size_t)an, b[0]);
	} else {
		work = temporary_open(&t, cc_natural_divexact_scratch(an, dn) +
						  (a == words ? an : 0) + (b == words ? dn : 0));
		a = apart(a, an, words, &work);
		b = apart(b, dn, words, &work);
		cc_natural_divexact(words, a, an, b, dn, work);
		temporary_close(&t);
	}
	mpz_close(q, qn, negative);
}

void mpz_divexact_ui(mpz_ptr q, mpz_srcptr n, unsigned long d)
{
	size_t an = mpz_length(n);
	mp_ptr words;

	if (!d)
		cc_gmp_division_by_zero();
	words = mpz_room(q, an);
	mpn_divexact_1(words, n->_mp_d, (mp_size_t)an, d);
	mpz_close(q, an, n->_mp_size < 0);
}

/* Up to so many words a remainder takes longer than what an exact quotient would leave. */
#define SHORT_DIVIDEND 14

/* Whether d divides a[n] */
static int divides_short(mp_srcptr a, size_t n, mp_limb_t d)
{
	const unsigned int zeros = cc_word_ctz(d);

	return !(a[0] & (((mp_limb_t)1 << zeros) - 1)) && cc_limbs_divides_1(a, n, d >> zeros);
}

/* Up to so many words, rows without estimates are faster than a division. */
#define ROWS_DIVIDEND 64

/*
 * Whether an odd d[dn] divides rest[an]: its multiples clear the words from the bottom.  If it
 * does, q[an - dn + 1] is the quotient.
 */
static int divide_by_rows(mp_ptr q, mp_ptr rest, size_t an, mp_srcptr d, size_t dn)
{
	const mp_limb_t inverse = cc_limbs_inverse(d[0]);
	mp_limb_t above, borrow = 0;
	size_t i;

	for (i = 0; i + dn < an; i++) {
		q[i] = rest[i] * inverse;
		above = cc_limbs_submul_1(rest + i, d, dn, q[i]);
		rest[i + dn] = cc_word_sub(rest[i + dn], above, &borrow);
	}
	q[i] = rest[i] * inverse;
	above = cc_limbs_submul_1(rest + i, d, dn, q[i]);
	return !above && !borrow && !cc_limbs_normalise(rest + i, dn);
}

/* Whether d[dn] divides a[an]; the top word of d is not 0. */
static int divides(mp_srcptr a, size_t an, mp_srcptr d, size_t dn)
{
	mp_limb_t rest[ROWS_DIVIDEND], q[ROWS_DIVIDEND];
	struct temporary t;
	mp_ptr words;
	int yes;

	if (an < dn)
		return !an;
	if (dn == 1)
		return an <= SHORT_DIVIDEND ? divides_short(a, an, d[0])
					    : !cc_limbs_mod_1(a, an, d[0]);
	/* a multiple has at least as many zeros */
	if (!d[0] ? a[0] != 0 : a[0] & ((d[0] & (0 - d[0])) - 1))
		return 0;
	if (an <= ROWS_DIVIDEND && (d[0] & 1)) {
		memcpy(rest, a, an * sizeof(*a));
		return divide_by_rows(q, rest, an, d, dn);
	}
	words = temporary_open(&t, an + 1 + cc_natural_divrem_scratch(an, dn));
	cc_natural_divrem(words + dn, words, a, an, d, dn, words + an + 1);
	yes = !cc_limbs_normalise(words, dn);
	temporary_close(&t);
	return yes;
}

int mpz_divisible_p(mpz_srcptr n, mpz_srcptr d)
{
	if (!d->_mp_size)
		return !n->_mp_size;
	return divides(n->_mp_d, mpz_length(n), d->_mp_d, mpz_length(d));
}

int mpz_divisible_ui_p(mpz_srcptr n, unsigned long d)
{
	mp_limb_t word = d;

	if (!d)
		return !n->_mp_size;
	return divides(n->_mp_d, mpz_length(n), &word, 1);
}

int mpz_divisible_2exp_p(mpz_srcptr n, mp_bitcnt_t bits)
{
	size_t whole = bits / GMP_LIMB_BITS, length = mpz_length(n), i;

	/* most numbers' low bits say no */
	if (length && n->_mp_d[0] & (whole ? GMP_NUMB_MAX : ((mp_limb_t)1 << bits) - 1))
		return 0;
	if (length <= whole)
		return !length;
	for (i = 0; i < whole; i++)
		if (n->_mp_d[i])
			return 0;
	return !(n->_mp_d[whole] & (((mp_limb_t)1 << bits % GMP_LIMB_BITS) - 1));
}

int mpz_congruent_p(mpz_srcptr n, mpz_srcptr c, mpz_srcptr d)
{
	size_t an = mpz_length(n), cn = mpz_length(c), longer = an > cn ? an : cn;
	__mpz_struct difference = MPZ_INIT;
	struct temporary t;
	int yes;

	if (!d->_mp_size)
		return !mpz_cmp(n, c);
	if (longer > INT_MAX - 1)
		cc_gmp_overflow();
	difference._mp_alloc = (int)longer + 1;
	difference._mp_d = temporary_open(&t, longer + 1);
	mpz_sub(&difference, n, c);
	yes = mpz_divisible_p(&difference, d);
	temporary_close(&t);
	return yes;
}

int mpz_congruent_ui_p(mpz_srcptr n, unsigned long c, unsigned long d)
{
	size_t an = mpz_length(n);
	unsigned long rest;

	if (!d)
		return !mpz_cmp_ui(n, c);
	if (an > 1 && an < SHORT_DIVIDEND) {
		mp_limb_t words[SHORT_DIVIDEND];

		/* |n - c| */
		if (n->_mp_size < 0)
			words[an] = cc_limbs_add_1(words, n->_mp_d, an, c);
		else
			words[an] = cc_limbs_sub_1(words, n->_mp_d, an, c);
		return divides_short(words, an + 1, d);
	}
	rest = mpz_fdiv_ui(n, d);
	return rest == c % d;
}

/* n - c in two's complement, as far as it is asked for */
int mpz_congruent_2exp_p(mpz_srcptr n, mpz_srcptr c, mp_bitcnt_t bits)
{
	size_t an = mpz_length(n), cn = mpz_length(c), i;
	mp_limb_t n_ones = n->_mp_size < 0 ? ~(mp_limb_t)0 : 0, n_carry = n_ones & 1;
	mp_limb_t c_ones = c->_mp_size < 0 ? ~(mp_limb_t)0 : 0, c_carry = c_ones & 1;

	/* of one sign, what is congruent is so without it */
	if (n_ones == c_ones && bits / GMP_LIMB_BITS <= (an < cn ? an : cn)) {
		size_t whole = bits / GMP_LIMB_BITS;
		mp_limb_t above =
			(whole < an ? n->_mp_d[whole] : 0) ^ (whole < cn ? c->_mp_d[whole] : 0);

		return !(above & (((mp_limb_t)1 << bits % GMP_LIMB_BITS) - 1)) &&
		       (!whole || !cc_limbs_cmp(n->_mp_d, c->_mp_d, whole));
	}
	for (i = 0; bits && (i < an || i < cn || n_ones != c_ones); i++) {
		mp_limb_t x = ((i < an ? n->_mp_d[i] : 0) ^ n_ones) + n_carry;
		mp_limb_t y = ((i < cn ? c->_mp_d[i] : 0) ^ c_ones) + c_carry;
		mp_limb_t other = x ^ y;

		n_carry = n_carry && !x;
		c_carry = c_carry && !y;
		if (bits < GMP_LIMB_BITS)
			return !(other & (((mp_limb_t)1 << bits) - 1));
		if (other)
			return 0;
		bits -= GMP_LIMB_BITS;
	}
	return 1;
}

/* Up to so many times the factor's words, powers of it would not pay. */
#define ROWS_TIMES 8

/* Divides a[*an] by an odd f[fn] as often as it goes; returns how often. */
static size_t remove_by_rows(mp_ptr a, size_t *an, mp_srcptr f, size_t fn)
{
	mp_limb_t rest[ROWS_DIVIDEND], q[ROWS_DIVIDEND];
	size_t n = *an, count = 0;

	for (; n >= fn; count++) {
		memcpy(rest, a, n * sizeof(*a));
		if (!divide_by_rows(q, rest, n, f, fn))
			break;
		n -= fn - 1;
		n -= !q[n - 1];
		memcpy(a, q, n * sizeof(*a));
	}
	*an = n;
	return count;
}

mp_bitcnt_t mpz_remove(mpz_ptr r, mpz_srcptr x, mpz_srcptr f)
{
	size_t an = mpz_length(x), fn = mpz_length(f);
	struct temporary t;
	int negative, by_rows;
	size_t count;
	mp_ptr words;

	if (!fn)
		cc_gmp_division_by_zero();
	if (!an || (fn == 1 && f->_mp_d[0] == 1)) {
		mpz_set(r, x);
		return 0;
	}
	by_rows = fn > 1 && (f->_mp_d[0] & 1) && an <= ROWS_DIVIDEND && an <= ROWS_TIMES * fn;
	words = temporary_open(&t, an + (by_rows ? 0 : cc_natural_remove_scratch(an, fn)));
	if (by_rows) {
		memcpy(words, x->_mp_d, an * sizeof(mp_limb_t));
		count = remove_by_rows(words, &an, f->_mp_d, fn);
	} else {
		count = cc_natural_remove(words, x->_mp_d, an, f->_mp_d, fn, words + an);
	}
	negative = (x->_mp_size < 0) ^ (f->_mp_size < 0 && count & 1);
	memcpy(mpz_room(r, an), words, an * sizeof(mp_limb_t));
	mpz_close(r, an, negative);
	temporary_close(&t);
	return count;
}
