// SPDX-License-Identifier: MIT
/*
 * Modular powers: short ones by the reference, bit by bit; others by a product and a division for
 * each bit, which the other parts prove.
 */
#include "natural.h"

#include "places.h"
#include "reference.h"

#include <carrychain/limbs.h>
#include <carrychain/natural.h>

#include <stdlib.h>
#include <string.h>

#define FEW	4
#define LONGEST 400
#define MOST	50 /* words of an exponent */

static bool bit(const cc_word *e, size_t at)
{
	return e[at / CC_WORD_BITS] >> at % CC_WORD_BITS & 1;
}

static void by_reference(cc_word *r, const cc_word *b, const cc_word *e, size_t en,
			 const cc_word *m, size_t n)
{
	cc_word one[FEW] = {1}, product[2 * FEW], q[2 * FEW], rest[FEW];
	size_t i;

	ref_divrem(q, r, one, n, m, n);
	for (i = en * CC_WORD_BITS; i--;) {
		ref_mul(product, r, n, r, n);
		ref_divrem(q, rest, product, 2 * n, m, n);
		memcpy(r, rest, n * sizeof(*r));
		if (bit(e, i)) {
			ref_mul(product, r, n, b, n);
			ref_divrem(q, rest, product, 2 * n, m, n);
			memcpy(r, rest, n * sizeof(*r));
		}
	}
}

/* m's top word is not 0 */
static void by_division(cc_word *r, const cc_word *b, size_t bn, const cc_word *e, size_t en,
			const cc_word *m, size_t n)
{
	static cc_word product[2 * LONGEST + 1], base[LONGEST], q[2 * LONGEST + 1];
	size_t words = cc_natural_divrem_scratch(3 * LONGEST, n), i;
	cc_word *work = malloc((words + cc_natural_mul_scratch(n, n)) * sizeof(*work));

	memset(base, 0, sizeof(base));
	memcpy(base, b, bn * sizeof(*b));
	cc_natural_divrem(q, base, base, bn > n ? bn : n, m, n, work);
	memset(product, 0, sizeof(product));
	product[0] = 1;
	cc_natural_divrem(q, r, product, n, m, n, work);
	for (i = en * CC_WORD_BITS; i--;) {
		cc_natural_mul(product, r, n, r, n, work);
		cc_natural_divrem(q, r, product, 2 * n, m, n, work);
		if (!bit(e, i))
			continue;
		cc_natural_mul(product, r, n, base, n, work);
		cc_natural_divrem(q, r, product, 2 * n, m, n, work);
	}
	free(work);
}

/* Of n words, odd or even, zeros above now and then; b may be longer than m. */
static void check(size_t bn, size_t en, size_t n)
{
	static cc_word b[LONGEST], e[MOST], m[LONGEST], want[LONGEST];
	size_t zeros = random_below(2), longest = n + zeros;
	cc_word *pb, *pe, *pm, *r;

	test_sizes(bn, en, n);
	any_words(b, bn);
	any_words(e, en);
	any_number(m, n);
	if (random_below(3))
		m[0] |= 1;
	m[n] = 0;
	by_division(want, b, bn, e, en, m, n);
	if (n <= FEW && bn <= n && en <= 2) {
		memset(b + bn, 0, (n - bn) * sizeof(*b));
		by_reference(want, b, e, en, m, n);
	}
	want[n] = 0;
	pb = place(FIRST, b, bn);
	pe = place(SECOND, e, en);
	pm = place(THIRD, m, longest);
	r = place(RESULT, NULL, longest);
	cc_natural_powm(r, pb, bn, pe, en, pm, longest,
			place(SCRATCH, NULL, cc_natural_powm_scratch(bn, en, longest)));
	CHECK(!memcmp(r, want, longest * sizeof(*r)), "wrong");
	CHECK((!bn || !memcmp(pb, b, bn * sizeof(*b))) &&
		      (!en || !memcmp(pe, e, en * sizeof(*e))) &&
		      !memcmp(pm, m, longest * sizeof(*m)),
	      "operand modified");
	check_guards();
}

void natural_powm(const char *tier)
{
	size_t n, round;

	begin(tier, "cc_natural_powm");
	for (n = 1; n <= 12; n++)
		for (round = 0; round < test_scaled(60); round++)
			check(random_below(2 * n), random_below(3), n);
	/* every window, and all that is short */
	for (round = 0; round < test_scaled(40); round++)
		check(1 + random_below(5), random_below(MOST), 1 + random_below(8));
	for (round = 0; round < test_scaled(40); round++)
		check(1 + random_below(40), random_below(MOST / 4), 9 + random_below(32));
	for (n = 92; n < 100; n++)
		check(random_below(2 * n), 1, n);
	for (round = 0; round < test_scaled(20); round++)
		check(random_below(LONGEST), 1, 1 + random_below(LONGEST - 1));
	for (round = 0; round < 2000; round++) {
		size_t bn = random_below(LONGEST), en = random_below(500);
		size_t mn = random_below(LONGEST);

		CHECK(cc_natural_powm_scratch(random_below(bn + 1), random_below(en + 1),
					      random_below(mn + 1)) <=
			      cc_natural_powm_scratch(bn, en, mn),
		      "a shorter one takes more");
	}
}
