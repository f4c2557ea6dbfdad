// SPDX-License-Identifier: MIT
/* Powers, and those modulo a number. */
#include <carrychain/fixed.h>

#include "mpz.h"

#include "../../src/limbs/kernels.h"

/* The words of a power that is made here, on the stack. */
#define SHORT_POWER 128

/* r = b[bn]^e for bn e <= SHORT_POWER, b and e > 0, by the bits of e from the top. */
static void short_power(mpz_ptr r, mp_srcptr b, size_t bn, unsigned long e, int negative)
{
	const struct cc_limbs_kernels *kernels = cc_limbs_kernels();
	mp_limb_t room[2][SHORT_POWER + 2], *power = room[0], *next = room[1], *made, above;
	unsigned int bit = GMP_LIMB_BITS - 1 - cc_word_clz(e);
	size_t n = bn;

	memcpy(power, b, bn * sizeof(*b));
	while (bit--) {
		if (n == 1) {
			next[0] = cc_word_mul(&next[1], power[0], power[0]);
			n += next[1] != 0;
		} else {
			kernels->sqr_basecase(next, power, n);
			n = 2 * n - !next[2 * n - 1];
		}
		made = next;
		next = power;
		power = made;
		if (!(e >> bit & 1))
			continue;
		if (bn == 1) {
			above = cc_limbs_mul_1(power, power, n, b[0]);
			power[n] = above;
			n += above != 0;
		} else {
			kernels->mul_basecase(next, power, n, b, bn);
			n += bn - !next[n + bn - 1];
			made = next;
			next = power;
			power = made;
		}
	}
	cc_copy_words(mpz_room(r, n), power, n);
	r->_mp_size = negative ? -(int)n : (int)n;
}

void mpz_pow_ui(mpz_ptr r, mpz_srcptr b, unsigned long e)
{
	cc_bigint made = CC_BIGINT_INIT, base = mpz_view(b);
	size_t bn = base.length;
	uint64_t above;

	if (e == 1) {
		mpz_set(r, b);
		return;
	}
	if (e == 2) {
		mpz_mul(r, b, b);
		return;
	}
	if (bn && e && e <= SHORT_POWER / bn) {
		short_power(r, b->_mp_d, bn, e, base.negative && e & 1);
		return;
	}
	/* more words than a number may have, but for 0 and 1 */
	if (cc_bigint_bit_length(&base) > 1 &&
	    (cc_mul_u64(&above, cc_bigint_bit_length(&base) - 1, e) / GMP_LIMB_BITS > INT_MAX ||
	     above))
		cc_gmp_overflow();
	cc_mpz_take(r, &made, cc_bigint_pow(&made, &base, e));
}

void mpz_ui_pow_ui(mpz_ptr r, unsigned long b, unsigned long e)
{
	struct word_view v;

	if (b > 1 && e && e <= SHORT_POWER * GMP_LIMB_BITS / (GMP_LIMB_BITS - cc_word_clz(b))) {
		v.word = b;
		short_power(r, &v.word, 1, e, 0);
	} else {
		mpz_pow_ui(r, view_ui(&v, b), e);
	}
}

/* r = b^e mod |m| for e >= 0 and m not 0 */
static void power_modulo(mpz_ptr r, mpz_srcptr b, mp_srcptr e, size_t en, mpz_srcptr m)
{
	size_t bn = mpz_length(b), mn = mpz_length(m);
	int negative = b->_mp_size < 0 && en && (e[0] & 1);
	struct temporary t;
	mp_ptr words;

	words = temporary_open(&t, mn + cc_natural_powm_scratch(bn, en, mn));
	cc_natural_powm(words, b->_mp_d, bn, e, en, m->_mp_d, mn, words + mn);
	if (negative && cc_limbs_normalise(words, mn))
		cc_limbs_sub(words, m->_mp_d, words, mn);
	memcpy(mpz_room(r, mn), words, mn * sizeof(mp_limb_t));
	mpz_close(r, mn, 0);
	temporary_close(&t);
}

void mpz_powm(mpz_ptr r, mpz_srcptr b, mpz_srcptr e, mpz_srcptr m)
{
	__mpz_struct inverse = MPZ_INIT;

	if (!m->_mp_size)
		cc_gmp_division_by_zero();
	if (e->_mp_size >= 0) {
		power_modulo(r, b, e->_mp_d, mpz_length(e), m);
		return;
	}
	if (!mpz_invert(&inverse, b, m))
		cc_gmp_division_by_zero();
	power_modulo(r, &inverse, e->_mp_d, mpz_length(e), m);
	mpz_clear(&inverse);
}

void mpz_powm_ui(mpz_ptr r, mpz_srcptr b, unsigned long e, mpz_srcptr m)
{
	struct word_view v;

	mpz_powm(r, b, view_ui(&v, e), m);
}

void mpz_powm_sec(mpz_ptr r, mpz_srcptr b, mpz_srcptr e, mpz_srcptr m)
{
	const size_t bn = mpz_length(b), n = mpz_length(m), en = mpz_length(e);
	const mp_bitcnt_t bits = en * GMP_LIMB_BITS;
	struct temporary t;
	mp_ptr power, negated;
	mp_limb_t mask;

	if (!n || !(m->_mp_d[0] & 1) || e->_mp_size < 0)
		cc_gmp_division_by_zero();
	power = temporary_open(
		&t, 2 * n + (size_t)cc_mpn_sec_powm_itch((mp_size_t)bn, bits, (mp_size_t)n));
	negated = power + n;
	cc_mpn_sec_powm(power, b->_mp_d, (mp_size_t)bn, e->_mp_d, bits, m->_mp_d, (mp_size_t)n,
			negated + n);
	/* of a negative base to an odd power m less it, but for 0: the sign is public, e is not */
	if (b->_mp_size < 0 && en) {
		mask = (0 - (e->_mp_d[0] & 1)) & ~cc_fz_is_zero(power, n);
		cc_limbs_sub(negated, m->_mp_d, power, n);
		cc_fz_select(power, mask, negated, power, n);
	}
	memcpy(mpz_room(r, n), power, n * sizeof(mp_limb_t));
	mpz_close(r, n, 0);
	cc_wipe(power, 2 * n * sizeof(mp_limb_t));
	temporary_close(&t);
}
