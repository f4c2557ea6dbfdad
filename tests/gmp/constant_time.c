// SPDX-License-Identifier: MIT
/* The functions in constant time, also on numbers that are wider than fixed.h takes. */
#include "mpn.h"

#define SCRATCH (ARENA - 6000)

/* Each has its own scratch, which need not be the same. */
static cc_word *scratch_of(cc_word *words, cc_mpn_size needs, cc_mpn_size its_needs)
{
	CHECK(needs <= 6000 && its_needs <= 6000, "scratch");
	return words + SCRATCH;
}

static void check_sums(void)
{
	size_t n = a_size(1, 300), a = n, b = 2 * n, r = random_below(2) * a, which, count;
	cc_word made = random_below(2) ? random_edge_word() : 0, w = random_edge_word();

	test_sizes(n, 0, 0);
	fill(4 * n);
	BOTH("carry", cnd_add_n, made, arena + r, arena + a, arena + b, (cc_mpn_size)n);
	same("sum", 4 * n);
	BOTH("borrow", cnd_sub_n, made, arena + r, arena + a, arena + b, (cc_mpn_size)n);
	same("difference", 4 * n);
	BOTH_VOID(cnd_swap, made, arena + a, arena + b, (cc_mpn_size)n);
	same("exchange", 4 * n);
	BOTH("carry", sec_add_1, arena + r, arena + a, (cc_mpn_size)n, w,
	     scratch_of(arena, ours.sec_add_1_itch((cc_mpn_size)n),
			theirs.sec_add_1_itch((cc_mpn_size)n)));
	same("sum", 4 * n);
	BOTH("borrow", sec_sub_1, arena + r, arena + a, (cc_mpn_size)n, w,
	     scratch_of(arena, ours.sec_sub_1_itch((cc_mpn_size)n),
			theirs.sec_sub_1_itch((cc_mpn_size)n)));
	same("difference", 4 * n);
	count = 1 + random_below(4);
	which = random_below(count);
	fill(n + count * n);
	BOTH_VOID(sec_tabselect, arena, arena + n, (cc_mpn_size)n, (cc_mpn_size)count,
		  (cc_mpn_size)which);
	same("entry", n + count * n);
}

static void check_products(void)
{
	size_t an = a_size(1, 300), bn = 1 + random_below(an), a = an + bn, b = a + an;

	test_sizes(an, bn, 0);
	fill(b + bn + an);
	BOTH_VOID(sec_mul, arena, arena + a, (cc_mpn_size)an, arena + b, (cc_mpn_size)bn,
		  scratch_of(arena, ours.sec_mul_itch((cc_mpn_size)an, (cc_mpn_size)bn),
			     theirs.sec_mul_itch((cc_mpn_size)an, (cc_mpn_size)bn)));
	same("product", b + bn);
	BOTH_VOID(sec_sqr, arena, arena + 2 * an, (cc_mpn_size)an,
		  scratch_of(arena, ours.sec_sqr_itch((cc_mpn_size)an),
			     theirs.sec_sqr_itch((cc_mpn_size)an)));
	same("square", b + bn);
}

static void check_division(void)
{
	size_t an = random_below(50) ? a_size(1, 100) : 256 + random_below(40);
	size_t dn = an > 256 ? 257 + random_below(an - 256) : 1 + random_below(an);
	size_t q = 0, a = an - dn, d = a + an;

	dn = dn > an ? an : dn;
	a = an - dn;
	d = a + an;
	test_sizes(an, dn, 0);
	fill(d + dn);
	mine[d + dn - 1] += !mine[d + dn - 1];
	mine[d + dn - 1] >>= random_below(CC_WORD_BITS - cc_word_clz(mine[d + dn - 1]));
	its[d + dn - 1] = mine[d + dn - 1];
	if (random_below(2)) {
		BOTH("top word", sec_div_qr, arena + q, arena + a, (cc_mpn_size)an, arena + d,
		     (cc_mpn_size)dn,
		     scratch_of(arena, ours.sec_div_qr_itch((cc_mpn_size)an, (cc_mpn_size)dn),
				theirs.sec_div_qr_itch((cc_mpn_size)an, (cc_mpn_size)dn)));
		CHECK(!memcmp(mine, its, (an - dn) * sizeof(*its)), "another quotient than GMP's");
	} else {
		BOTH_VOID(sec_div_r, arena + a, (cc_mpn_size)an, arena + d, (cc_mpn_size)dn,
			  scratch_of(arena, ours.sec_div_r_itch((cc_mpn_size)an, (cc_mpn_size)dn),
				     theirs.sec_div_r_itch((cc_mpn_size)an, (cc_mpn_size)dn)));
	}
	CHECK(!memcmp(mine + a, its + a, dn * sizeof(*its)), "another remainder than GMP's");
}

static void check_powm(void)
{
	bool wide = !random_below(100);
	size_t n = wide ? 257 + random_below(10) : 1 + random_below(20);
	size_t bn = 1 + random_below(n + 4), width = 1 + random_below(wide ? 20 : 200);
	size_t b = n, m = b + bn, e = m + n, end = e + 4;

	test_sizes(bn, width, n);
	fill(end);
	mine[m] |= 1;
	mine[m + n - 1] += !mine[m + n - 1];
	mine[b] += !mine[b];
	memset(mine + e, 0, 4 * sizeof(*mine));
	random_words(mine + e, (width + CC_WORD_BITS - 1) / CC_WORD_BITS);
	mine[e + (width - 1) / CC_WORD_BITS] &=
		~(cc_word)0 >> (CC_WORD_BITS - 1 - (width - 1) % CC_WORD_BITS);
	memcpy(its, mine, end * sizeof(*its));
	BOTH_VOID(sec_powm, arena, arena + b, (cc_mpn_size)bn, arena + e, width, arena + m,
		  (cc_mpn_size)n,
		  scratch_of(arena, ours.sec_powm_itch((cc_mpn_size)bn, width, (cc_mpn_size)n),
			     theirs.sec_powm_itch((cc_mpn_size)bn, width, (cc_mpn_size)n)));
	same("power", end);
}

static void check_invert(void)
{
	size_t n = 1 + random_below(12), a = n, m = a + n;

	test_sizes(n, 0, 0);
	fill(m + n);
	mine[m] |= 1;
	mine[m + n - 1] += !mine[m + n - 1];
	/* below the modulus */
	if (theirs.cmp(mine + a, mine + m, (cc_mpn_size)n) >= 0)
		theirs.tdiv_qr(its, mine + a, 0, mine + a, (cc_mpn_size)n, mine + m,
			       (cc_mpn_size)n);
	memcpy(its, mine, (m + n) * sizeof(*its));
	BOTH("exists", sec_invert, arena, arena + a, arena + m, (cc_mpn_size)n,
	     2 * n * CC_WORD_BITS,
	     scratch_of(arena, ours.sec_invert_itch((cc_mpn_size)n),
			theirs.sec_invert_itch((cc_mpn_size)n)));
	CHECK(!result || !memcmp(mine, its, n * sizeof(*its)), "another inverse than GMP's");
}

static const struct check all[] = {
	{"cnd_add_n, cnd_sub_n, cnd_swap, sec_add_1, sec_sub_1, sec_tabselect", check_sums, 3000},
	{"sec_mul, sec_sqr", check_products, 3000},
	{"sec_div_qr, sec_div_r", check_division, 2000},
	{"sec_powm", check_powm, 300},
	{"sec_invert", check_invert, 500},
};
const struct checks constant_time = {all, COUNT(all)};
