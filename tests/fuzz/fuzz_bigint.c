// SPDX-License-Identifier: MIT
/*
 * A libFuzzer target: strings in every radix, and division, against GMP.
 *
 *	clang -std=c17 -g -O1 -fsanitize=fuzzer,address,undefined \
 *		-fno-sanitize-recover=undefined -DCC_NO_ASM -Iinclude tests/fuzz/fuzz_bigint.c \
 *		src/bigint/[a-z]*.c src/limbs/[a-z]*.c src/cpu/cpu.c -lgmp -o fuzz_bigint
 *	./fuzz_bigint -max_total_time=60 -max_len=4096 -len_control=0
 *
 * Without assembly, into which the sanitizers don't see; tests/c runs every tier.
 *
 * The first byte is the radix (mod 35, plus 2) and, by its top bit, what the rest is:
 * a string as it stands, well formed or not; or, behind one byte that says where to cut, a
 * dividend and a divisor, signed bytes.  To catch something deliberately, build with
 * -DFUZZ_FAULT: divisors whose lowest word is all ones then find a quotient y too large.
 */
#include "beside_gmp.h"

#include <ctype.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What bigint.h says a string is, in its own words. */
static int well_formed(const char *s, int radix)
{
	static const char all[] = "0123456789abcdefghijklmnopqrstuvwxyz";

	if (*s == '-' || *s == '+')
		s++;
	if (!*s)
		return 0;
	for (; *s; s++) {
		const char *digit = memchr(all, tolower((unsigned char)*s), (size_t)radix);

		if (!digit)
			return 0;
	}
	return 1;
}

static void parse(const uint8_t *data, size_t size, int radix)
{
	char *s = malloc(size + 1), *ours, *theirs;
	cc_bigint x = CC_BIGINT_INIT;
	mpz_t want;
	int err;

	MUST(s);
	memcpy(s, data, size);
	s[size] = '\0';
	mpz_init(want);
	err = cc_bigint_from_string(&x, s, radix);
	if (!well_formed(s, radix)) {
		MUST(err == CC_EINVAL && !x.length);
	} else {
		MUST(!err);
		MUST(!mpz_set_str(want, s + (*s == '+'), radix));
		MUST(same(&x, want));
		ours = cc_bigint_to_string(&x, radix);
		theirs = mpz_get_str(NULL, radix, want);
		MUST(ours && !strcmp(ours, theirs));
		cc_string_free(ours);
		free(theirs);
	}
	mpz_clear(want);
	cc_bigint_clear(&x);
	free(s);
}

static void divide(const uint8_t *data, size_t size)
{
	cc_bigint x = CC_BIGINT_INIT, y = CC_BIGINT_INIT, q = CC_BIGINT_INIT, r = CC_BIGINT_INIT;
	size_t cut = (size - 1) * data[0] / 256;
	mpz_t gx, gy, gq, gr;
	int floor;

	MUST(!cc_bigint_from_bytes(&x, data + 1, cut, CC_SIGNED));
	MUST(!cc_bigint_from_bytes(&y, data + 1 + cut, size - 1 - cut, CC_SIGNED | CC_BIG_ENDIAN));
	mpz_inits(gx, gy, gq, gr, NULL);
	to_gmp(gx, &x);
	to_gmp(gy, &y);
	for (floor = 0; floor < 2; floor++) {
		int err = floor ? cc_bigint_divmod_floor(&q, &r, &x, &y)
				: cc_bigint_divmod_trunc(&q, &r, &x, &y);

		if (!y.length) {
			MUST(err == CC_EINVAL && !q.length && !r.length);
			break;
		}
		MUST(!err);
#ifdef FUZZ_FAULT
		if (floor && y.length > 1 && !~y.words[0])
			MUST(!cc_bigint_add(&q, &q, &y));
#endif
		if (floor)
			mpz_fdiv_qr(gq, gr, gx, gy);
		else
			mpz_tdiv_qr(gq, gr, gx, gy);
		MUST(same(&q, gq) && same(&r, gr));
		/* x = q y + r, by our own */
		MUST(!cc_bigint_mul(&q, &q, &y) && !cc_bigint_add(&q, &q, &r));
		MUST(!cc_bigint_cmp(&q, &x));
	}
	mpz_clears(gx, gy, gq, gr, NULL);
	cc_bigint_clear(&x);
	cc_bigint_clear(&y);
	cc_bigint_clear(&q);
	cc_bigint_clear(&r);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size < 2)
		return 0;
	if (data[0] & 0x80)
		divide(data + 1, size - 1);
	else
		parse(data + 1, size - 1, 2 + data[0] % 35);
	return 0;
}
