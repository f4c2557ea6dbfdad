// SPDX-License-Identifier: MIT
#include "mpn.h"

/* a[an], and behind it d[dn] with a top word that is not 0; a is often a multiple of d, or 1 less.
 */
static void any_division(size_t at, size_t an, size_t dn)
{
	cc_word *a = mine + at, *d = a + an;
	size_t qn = an - dn;

	fill(at + an + dn);
	d[dn - 1] >>= random_below(2) * random_below(CC_WORD_BITS);
	d[dn - 1] += !d[dn - 1];
	if (qn && random_below(2)) {
		memcpy(its, a, qn * sizeof(*its));
		if (qn >= dn)
			theirs.mul(a, its, (cc_mpn_size)qn, d, (cc_mpn_size)dn);
		else
			theirs.mul(a, d, (cc_mpn_size)dn, its, (cc_mpn_size)qn);
		theirs.sub_1(a, a, (cc_mpn_size)an, random_below(2));
	}
	memcpy(its, mine, (at + an + dn) * sizeof(*its));
}

/* The dividend may be where the remainder is put. */
static void check_tdiv_qr(void)
{
	size_t an = near(300, 1200), dn = 1 + random_below(an), qn = an - dn + 1;
	size_t a = qn + dn, r = random_below(2) ? qn : a, d = a + an, end = d + dn;

	test_sizes(an, dn, r == a);
	any_division(a, an, dn);
	BOTH_VOID(tdiv_qr, arena, arena + r, 0, arena + a, (cc_mpn_size)an, arena + d,
		  (cc_mpn_size)dn);
	same("quotient or remainder", end);
}

/* The quotient, for which GMP's wants work space. */
static void check_div_q(void)
{
	size_t an = near(200, 1200), dn = 1 + random_below(an), qn = an - dn + 1, a = qn;

	test_sizes(an, dn, 0);
	any_division(a, an, dn);
	BOTH_VOID(div_q, arena, arena + a, (cc_mpn_size)an, arena + a + an, (cc_mpn_size)dn,
		  arena + 4 * 1204);
	same("quotient", a + an + dn);
}

/* The quotient may be put where the dividend's upper words were. */
static void check_divrem(void)
{
	size_t an = near(100, 600), dn = 1 + random_below(an);
	size_t fraction = random_below(4) ? 0 : a_size(1, 40), qn = an - dn + fraction;
	size_t a = qn, d = a + an, q = fraction || random_below(2) ? 0 : a + dn;

	test_sizes(an, dn, fraction);
	fill(d + dn);
	mine[d + dn - 1] |= (cc_word)1 << (CC_WORD_BITS - 1);
	its[d + dn - 1] = mine[d + dn - 1];
	BOTH("top word", divrem, arena + q, (cc_mpn_size)fraction, arena + a, (cc_mpn_size)an,
	     arena + d, (cc_mpn_size)dn);
	/* above the remainder the dividend's words are undefined */
	CHECK(!memcmp(mine + a, its + a, dn * sizeof(*its)), "another remainder than GMP's");
	CHECK(!memcmp(mine + q, its + q, qn * sizeof(*its)), "another quotient than GMP's");
}

static void check_by_word(void)
{
	size_t n = a_size(1, 400), fraction = random_below(2) * random_below(20);
	size_t a = n + fraction, q = !fraction && random_below(2) ? a : 0, end = a + n;
	cc_word d = random_edge_word() >> random_below(CC_WORD_BITS);

	d += !d;
	test_sizes(n, fraction, 0);
	fill(end);
	BOTH("remainder", mod_1, arena + a, (cc_mpn_size)n, d);
	BOTH("remainder", divrem_1, arena + q, (cc_mpn_size)fraction, arena + a, (cc_mpn_size)n, d);
	same("quotient", end);
	BOTH("remainder", mod_1, arena, 0, d);
	BOTH("remainder", divrem_1, arena, (cc_mpn_size)fraction, arena + a, 0, d);
	same("quotient of nothing", end);
}

static void check_exact(void)
{
	size_t n = a_size(1, 400), q = random_below(2) * (n + 1), end = 2 * n + 2;
	cc_word d = random_edge_word() >> random_below(CC_WORD_BITS), carry = random_below(3);

	d += !d;
	test_sizes(n, q, 0);
	fill(end);
	BOTH("borrow", divexact_by3c, arena + q, arena, (cc_mpn_size)n, carry);
	same("third", end);
	mine[n] = its[n] = theirs.mul_1(mine, mine + n + 1, (cc_mpn_size)n, d);
	memcpy(its, mine, (n + 1) * sizeof(*its));
	BOTH_VOID(divexact_1, arena + q, arena, (cc_mpn_size)n + 1, d);
	same("exact quotient", end);
}

static const struct check all[] = {
	{"tdiv_qr", check_tdiv_qr, 10000},
	{"div_q", check_div_q, 10000},
	{"divrem", check_divrem, 5000},
	{"divrem_1, mod_1", check_by_word, 10000},
	{"divexact_by3c, divexact_1", check_exact, 5000},
};
const struct checks quotients = {all, COUNT(all)};
