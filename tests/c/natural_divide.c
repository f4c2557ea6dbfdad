// SPDX-License-Identifier: MIT
/* Long quotients that are known beforehand: of q d + r, in every way that divrem() takes. */
#include "natural.h"

#include "places.h"

#include "natural/product.h"
#include "natural/quotient.h"

#include <carrychain/limbs.h>
#include <carrychain/natural.h>

#include <stdlib.h>
#include <string.h>

static cc_word *a, *q, *r, *work;

/*
 * Also B^n / 2 with ones in the lower half of the words that a reciprocal is of: the upper half's
 * is as long as can be then, and too long for all of it.
 */
static void any_divisor(cc_word *d, size_t m, size_t n)
{
	size_t words = m < n ? m : n, ones = n - words / 2 - random_below(words / 2 + 1);

	any_number(d, n);
	if (random_below(6))
		return;
	memset(d, 0xff, ones * sizeof(*d));
	memset(d + ones, 0, (n - ones) * sizeof(*d));
	d[n - 1] |= (cc_word)1 << (CC_WORD_BITS - 1);
}

/* r[dn] below d: 0, d - 1, or any with the divisor's top words or without */
static void any_remainder(const cc_word *d, size_t dn)
{
	size_t which = random_below(4);

	memset(r, 0, dn * sizeof(*r));
	if (which == 1)
		cc_limbs_sub_1(r, d, dn, 1);
	if (which < 2)
		return;
	random_words(r, dn);
	if (which == 2)
		memcpy(r + dn / 2, d + dn / 2, (dn - dn / 2) * sizeof(*r));
	if (cc_limbs_cmp(r, d, dn) >= 0)
		r[dn - 1] = 0;
	/* of a power of two */
	if (cc_limbs_cmp(r, d, dn) >= 0)
		memset(r, 0, dn * sizeof(*r));
}

static void check(size_t m, size_t dn)
{
	cc_word *d = place(SECOND, NULL, dn), *pa, *pq, *pr;
	bool in_place = random_below(2) != 0;
	size_t zeros = random_zeros(m), an, qn;

	test_sizes(m, dn, in_place);
	any_divisor(d, m, dn);
	any_number(q, m);
	any_remainder(d, dn);
	memset(q + m, 0, (zeros + 1) * sizeof(*q));
	cc_natural_mul(a, q, m, d, dn, work);
	cc_limbs_add_1(a + dn, a + dn, m, cc_limbs_add(a, a, r, dn));
	memset(a + m + dn, 0, zeros * sizeof(*a));
	an = cc_limbs_normalise(a, m + dn) + zeros;
	qn = an - dn + 1;
	pa = place(FIRST, a, an);
	pq = place(RESULT, NULL, qn);
	pr = in_place ? pa : place(SECOND_RESULT, NULL, dn);
	cc_natural_divrem(pq, pr, pa, an, d, dn,
			  place(SCRATCH, NULL, cc_natural_divrem_scratch(an, dn)));
	CHECK(!memcmp(pq, q, qn * sizeof(*q)), "the quotient is wrong");
	CHECK(!memcmp(pr, r, dn * sizeof(*r)), "the remainder is wrong");
	CHECK(in_place || !memcmp(pa, a, an * sizeof(*a)), "dividend modified");
	check_guards();
	pa = place(FIRST, a, an);
	pq = place(RESULT, NULL, qn);
	cc_natural_quotient(pq, pa, an, d, dn,
			    place(SCRATCH, NULL, cc_natural_quotient_scratch(an, dn)));
	CHECK(!memcmp(pq, q, qn * sizeof(*q)), "the quotient without a remainder is wrong");
	CHECK(!memcmp(pa, a, an * sizeof(*a)), "dividend modified");
	check_guards();
}

void natural_divide(const char *tier)
{
	/* so many words have the shortest blocks that are multiplied by a reciprocal */
	size_t least = 2 * cc_natural_transform_mul(), longest = 9 * least, round, i, n;

	a = malloc(3 * longest * sizeof(*a));
	q = malloc(3 * longest * sizeof(*q));
	r = malloc(longest * sizeof(*r));
	work = malloc(24 * longest * sizeof(*work));
	begin(tier, "cc_natural_divrem");
	for (round = 0; round < test_scaled(100); round++)
		check(1 + random_below(least), 1 + random_below(least));
	/* each number of digits and of words has its own way */
	for (round = 0; round < test_scaled(30); round++)
		for (n = 1; n < 24; n++)
			for (i = 1; i < 24; i++)
				check(i, n);
	for (round = 0; round < test_scaled(2000); round++)
		check(1 + random_below(100), 1 + random_below(100));
	for (round = 0; round < test_scaled(2); round++)
		for (i = 0; i < 5; i++) {
			n = least - 2 + i;
			check(n, n + random_below(4 * least));
			check(2 * n, 2 * n + random_below(least));
			check(2 * n + random_below(least), n);
			check(3 * least - 3 + i, 3 * least);
		}
	for (round = 0; round < test_scaled(20); round++)
		check(least + random_below(4 * least), least + random_below(4 * least));
	free(work);
	free(r);
	free(q);
	free(a);
}
