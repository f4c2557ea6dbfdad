// SPDX-License-Identifier: MIT
/* Common divisors, roots and powers. */
#include "memory.h"
#include "mpn.h"

#include <carrychain/limbs.h>
#include <carrychain/natural.h>

#include "../src/limbs/divide.h"
#include "../src/natural/square.h"

#include <string.h>

/* g has room for b's words only, and may be an operand. */
static size_t gcd_words(cc_mpn_size an, cc_mpn_size bn)
{
	return (size_t)an + cc_natural_gcd_scratch((size_t)an, (size_t)bn);
}

int cc_try_gcd(cc_word *g, cc_mpn_size *gn, const cc_word *a, cc_mpn_size an, const cc_word *b,
	       cc_mpn_size bn)
{
	struct cc_room room;
	size_t n;

	if (!cc_room_open(&room, gcd_words(an, bn)))
		return 0;
	n = cc_natural_gcd(room.words, a, (size_t)an, b, (size_t)bn, room.words + an);
	memcpy(g, room.words, n * sizeof(*g));
	cc_room_close(&room);
	*gn = (cc_mpn_size)n;
	return 1;
}

cc_mpn_size cc_mpn_gcd(cc_word *g, cc_word *a, cc_mpn_size an, cc_word *b, cc_mpn_size bn)
{
	cc_mpn_size gn;

	if (!cc_try_gcd(g, &gn, a, an, b, bn))
		cc_room_refused(gcd_words(an, bn));
	return gn;
}

cc_word cc_mpn_gcd_1(const cc_word *a, cc_mpn_size n, cc_word b)
{
	unsigned int both = cc_word_ctz(a[0] | b), twos = cc_word_ctz(b);
	cc_word x = cc_limbs_mod_1(a, (size_t)n, b), odd = b >> twos;

	/* a's factors 2 beyond its lowest word are more than b has */
	both = a[0] ? both : twos;
	while (x) {
		x >>= cc_word_ctz(x);
		if (x < odd) {
			cc_word less = x;

			x = odd - x;
			odd = less;
		} else {
			x -= odd;
		}
	}
	return odd << both;
}

/* g, both cofactors, and the work */
static size_t gcdext_words(cc_mpn_size an, cc_mpn_size bn)
{
	return (size_t)(2 * an + bn) + cc_natural_gcdext_scratch((size_t)an, (size_t)bn);
}

int cc_try_gcdext(cc_word *g, cc_mpn_size *gn, cc_word *s, cc_mpn_size *sn, const cc_word *a,
		  cc_mpn_size an, const cc_word *b, cc_mpn_size bn)
{
	struct cc_room room;
	cc_word *divisor, *x, *y;
	size_t n, length;
	int negative;

	if (!cc_room_open(&room, gcdext_words(an, bn)))
		return 0;
	divisor = room.words;
	x = divisor + an;
	y = x + bn;
	n = cc_natural_gcdext(divisor, x, y, &negative, a, (size_t)an, b, (size_t)bn, y + an);
	length = cc_limbs_normalise(x, (size_t)bn);
	memcpy(g, divisor, n * sizeof(*g));
	memcpy(s, x, length * sizeof(*s));
	cc_room_close(&room);
	*sn = negative ? -(cc_mpn_size)length : (cc_mpn_size)length;
	*gn = (cc_mpn_size)n;
	return 1;
}

cc_mpn_size cc_mpn_gcdext(cc_word *g, cc_word *s, cc_mpn_size *sn, cc_word *a, cc_mpn_size an,
			  cc_word *b, cc_mpn_size bn)
{
	cc_mpn_size gn;

	if (!cc_try_gcdext(g, &gn, s, sn, a, an, b, bn))
		cc_room_refused(gcdext_words(an, bn));
	return gn;
}

static size_t sqrtrem_words(cc_mpn_size n)
{
	return (size_t)n / 2 + 1 + cc_natural_isqrt_scratch((size_t)n);
}

int cc_try_sqrtrem(cc_word *root, cc_word *rem, cc_mpn_size *rn, const cc_word *a, cc_mpn_size n)
{
	struct cc_room room;
	cc_word *rest;
	size_t length;

	if (!cc_room_open(&room, sqrtrem_words(n)))
		return 0;
	rest = room.words;
	length = cc_natural_isqrt(root, rest, a, (size_t)n, rest + n / 2 + 1);
	if (rem)
		memcpy(rem, rest, length * sizeof(*rem));
	cc_room_close(&room);
	*rn = (cc_mpn_size)length;
	return 1;
}

cc_mpn_size cc_mpn_sqrtrem(cc_word *root, cc_word *rem, const cc_word *a, cc_mpn_size n)
{
	cc_mpn_size rn;

	if (!cc_try_sqrtrem(root, rem, &rn, a, n))
		cc_room_refused(sqrtrem_words(n));
	return rn;
}

static __attribute__((__noinline__)) int is_square(const cc_word *a, cc_mpn_size n)
{
	size_t words = cc_natural_is_square_scratch((size_t)n);
	struct cc_room room;
	int is;

	if (!cc_room_open(&room, words))
		cc_room_refused(words);
	is = cc_natural_is_square(a, (size_t)n, room.words);
	cc_room_close(&room);
	return is;
}

/* Most numbers' last bits or residues say no: before there is any memory for more. */
int cc_mpn_perfect_square_p(const cc_word *a, cc_mpn_size n)
{
	return cc_square_by_last_bits(a[0]) && cc_square_by_residues(a, (size_t)n) &&
	       is_square(a, n);
}

static __attribute__((__noinline__)) int is_power(const cc_word *a, cc_mpn_size n)
{
	size_t words = cc_natural_is_power_scratch((size_t)n);
	struct cc_room room;
	int is;

	if (!cc_room_open(&room, words))
		cc_room_refused(words);
	is = cc_natural_is_power(a, (size_t)n, room.words);
	cc_room_close(&room);
	return is;
}

/* What 2 divides once is no power. */
int cc_mpn_perfect_power_p(const cc_word *a, cc_mpn_size n)
{
	return (a[0] & 3) != 2 && is_power(a, n);
}

static size_t powm_words(cc_mpn_size bn, cc_mpn_size en, cc_mpn_size mn)
{
	return (size_t)mn + cc_natural_powm_scratch((size_t)bn, (size_t)en, (size_t)mn);
}

int cc_try_powm(cc_word *r, const cc_word *b, cc_mpn_size bn, const cc_word *e, cc_mpn_size en,
		const cc_word *m, cc_mpn_size mn)
{
	struct cc_room room;

	if (!cc_room_open(&room, powm_words(bn, en, mn)))
		return 0;
	cc_natural_powm(room.words, b, (size_t)bn, e, (size_t)en, m, (size_t)mn, room.words + mn);
	memcpy(r, room.words, (size_t)mn * sizeof(*r));
	cc_room_close(&room);
	return 1;
}

void cc_mpn_powm(cc_word *r, const cc_word *b, cc_mpn_size bn, const cc_word *e, cc_mpn_size en,
		 const cc_word *m, cc_mpn_size mn, cc_word *scratch)
{
	(void)scratch;
	if (!cc_try_powm(r, b, bn, e, en, m, mn))
		cc_room_refused(powm_words(bn, en, mn));
}
