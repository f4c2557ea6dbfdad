// SPDX-License-Identifier: MIT
/* Exact quotients of products, and factors removed from powers, which the other parts prove. */
#include "natural.h"

#include "places.h"

#include <carrychain/limbs.h>
#include <carrychain/natural.h>

#include <stdlib.h>
#include <string.h>

#define LONGEST 500

static void check_quotient(size_t qn, size_t dn)
{
	static cc_word q[LONGEST], d[LONGEST], a[2 * LONGEST];
	size_t n = qn + dn - 1;
	cc_word *work = malloc((cc_natural_mul_scratch(qn, dn) + 1) * sizeof(*work));
	cc_word *pa, *pd, *r;

	test_sizes(qn, dn, 0);
	any_words(q, qn);
	any_number(d, dn);
	if (!random_below(3))
		memset(d, 0, random_below(dn) * sizeof(*d));
	/* a quotient with a word of zeros, or so many words that it fits */
	cc_natural_mul(a, q, qn, d, dn, work);
	if (a[n])
		n++;
	pa = place(FIRST, a, n);
	pd = place(SECOND, d, dn);
	r = place(RESULT, NULL, n - dn + 1);
	cc_natural_divexact(r, pa, n, pd, dn,
			    place(SCRATCH, NULL, cc_natural_divexact_scratch(n, dn)));
	CHECK(!memcmp(r, q, qn * sizeof(*r)), "wrong");
	CHECK(n - dn + 1 == qn || (n - dn == qn && !r[qn]), "wrong above");
	CHECK(!memcmp(pa, a, n * sizeof(*a)) && !memcmp(pd, d, dn * sizeof(*d)),
	      "operand modified");
	check_guards();
	free(work);
}

/* rest f^count, rest not divisible by f */
static void check_remove(size_t rn, size_t fn, size_t count)
{
	static cc_word rest[LONGEST], f[LONGEST], a[LONGEST + 1], product[2 * LONGEST];
	size_t words = cc_natural_mul_scratch(LONGEST, LONGEST), n, i, longest;
	cc_word *work, *r, *pa, *pf;

	any_number(rest, rn);
	any_number(f, fn);
	if (!random_below(4)) {
		memset(f, 0, fn * sizeof(*f));
		f[fn - 1] = (cc_word)1 << random_below(CC_WORD_BITS);
	}
	if (fn == 1 && f[0] < 2)
		f[0] = 2 + (cc_word)random_below(9);
	i = cc_natural_divrem_scratch(LONGEST, fn);
	work = malloc((words + i) * sizeof(*work));
	/* not divisible: what was added to a multiple is not */
	if (rn >= fn) {
		cc_natural_divrem(a, product, rest, rn, f, fn, work);
		if (!cc_limbs_normalise(product, fn))
			cc_limbs_sub_1(rest, rest, rn, 1);
	}
	rn = cc_limbs_normalise(rest, rn);
	if (!rn)
		goto done;
	memcpy(a, rest, rn * sizeof(*a));
	for (i = 0, n = rn; i < count && n + fn <= LONGEST; i++) {
		cc_natural_mul(product, a, n, f, fn, work);
		n = cc_limbs_normalise(product, n + fn);
		memcpy(a, product, n * sizeof(*a));
	}
	count = i;
	test_sizes(n, fn, count);
	longest = n + random_below(2);
	a[n] = 0;
	pa = place(FIRST, a, longest);
	pf = place(SECOND, f, fn);
	r = place(RESULT, NULL, longest);
	i = cc_natural_remove(r, pa, longest, pf, fn,
			      place(SCRATCH, NULL, cc_natural_remove_scratch(longest, fn)));
	CHECK(i == count, "%zu times", i);
	CHECK(!memcmp(r, rest, rn * sizeof(*r)) && cc_limbs_normalise(r, longest) == rn, "wrong");
	CHECK(!memcmp(pa, a, longest * sizeof(*a)) && !memcmp(pf, f, fn * sizeof(*f)),
	      "operand modified");
	check_guards();
done:
	free(work);
}

void natural_exact(const char *tier)
{
	size_t n, m, round;

	begin(tier, "cc_natural_divexact");
	for (n = 1; n <= 12; n++)
		for (m = 1; m <= 12; m++)
			for (round = 0; round < test_scaled(4); round++)
				check_quotient(n, m);
	for (round = 0; round < test_scaled(300); round++)
		check_quotient(1 + random_below(LONGEST >> random_below(4)),
			       1 + random_below(LONGEST >> random_below(4)));
	begin(tier, "cc_natural_remove");
	for (round = 0; round < test_scaled(400); round++)
		check_remove(1 + random_below(60 >> random_below(6)),
			     1 + random_below(60 >> random_below(6)),
			     random_below((size_t)1 << random_below(10)));
}
