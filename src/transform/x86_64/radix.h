/* SPDX-License-Identifier: MIT */
/* radix.h - numbers in a radix that is not a power of two: to residues, and from words. */

TARGET static void split_radix(cc_u64 *const *x, const struct cc_field *f, size_t length,
			       const cc_u64 *a, size_t n, cc_u64 radix, struct cc_watch *w)
{
	struct constants c[CC_RADIX_PRIMES];
	struct factor by[CC_RADIX_PRIMES];
	size_t j;
	unsigned int i;

	for (i = 0; i < CC_RADIX_PRIMES; i++) {
		c[i] = constants_of(&f[i]);
		by[i] = constant((int64_t)radix, &c[i]);
	}
	for (j = 0; 2 * j < n && !cc_transform_stopped(w, j); j += LANES) {
		cc_u64 rest[2 * LANES] = {0};
		const cc_u64 *from = a + 2 * j;
		VECTOR v0, v1;

		if (2 * (j + LANES) > n) {
			memcpy(rest, from, (n - 2 * j) * sizeof(*from));
			from = rest;
		}
		v0 = from_integers(gather((const unsigned char *)from, 2 * sizeof(*from)));
		v1 = from_integers(gather((const unsigned char *)(from + 1), 2 * sizeof(*from)));
		for (i = 0; i < CC_RADIX_PRIMES; i++)
			store((ELEMENT *)x[i] + j, add(v0, times(v1, by[i], &c[i])));
	}
	for (i = 0; i < CC_RADIX_PRIMES; i++)
		memset(x[i] + j, 0, (length - j) * sizeof(**x));
}

/*
 * Horner's rule, 32 bits at a time, with a piece in each lane.  With u the radix, place v
 * becomes 2^32 v - q u, q the integer nearest to 2^32 v / u, plus the q of the place below: only
 * this sum depends on another place.  |v| <= u / 2 + 2^32 is preserved, because u > 2^38 and so
 * q is at most (1/2 + 2^-6) 2^32 and a half.  So everything is exact, and carries do not
 * propagate, except the last borrows.
 */
TARGET static void to_radix(cc_u64 *r, size_t places, const cc_word *a, size_t words, cc_u64 radix)
{
	const VECTOR u = all((double)radix), two = all(0x1p32), ratio = divide(two, u);
	VECTOR place[CC_TO_RADIX_PLACES];
	INTS borrow = every(0), modulus = every(radix);
	const unsigned int bits_of_place = 63 - cc_clz_u64(radix);
	size_t bits = 1, used = 0, i, k;

	for (i = words; i--;) {
		INTS word = gather((const unsigned char *)(a + i), words * sizeof(*a));
		VECTOR carry1 = from_integers(right(word, 32));
		VECTOR carry2 = from_integers(both(word, every(0xffffffff)));

		/* there is room for four times as much: the last place has no carry */
		for (bits += 64; used * bits_of_place <= bits; used++)
			place[used] = all(0);
		for (k = 0; k < used; k++) {
			VECTOR v = place[k], q = nearest(product(v, ratio));

			v = add(fnmadd(q, u, product(v, two)), carry1);
			carry1 = q;
			q = nearest(product(v, ratio));
			place[k] = add(fnmadd(q, u, product(v, two)), carry2);
			carry2 = q;
		}
	}
	for (; used < places; used++)
		place[used] = all(0);
	for (i = 0; i < places; i++) {
		INTS v = plus(integers(place[i]), borrow);
		cc_u64 some[LANES];

		borrow = negative(v);
		store_integers(some, plus(v, both(borrow, modulus)));
		for (k = 0; k < LANES; k++)
			r[k * places + i] = some[k];
	}
}
