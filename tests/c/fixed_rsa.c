// SPDX-License-Identifier: MIT
/*
 * rsa.h: what x^d is follows from x and e alone, as x -> x^e mod n is one to one: it is raised
 * again, by the reference where that is quick enough.
 */
#include "fixed_kernels.h"
#include "harness.h"
#include "reference.h"

#include <carrychain/rsa.h>
#include <string.h>

#define HALF  33 /* words of a prime at most */
#define FULL  (2 * HALF)
#define MANY  17
#define WORDS CC_FZ_RSA_WORDS(HALF, HALF, HALF)

/* The wide primes: openssl prime -generate -hex -bits N; the small ones are next to powers of 2. */
static const struct pair {
	const char *p, *q, *e;
} pairs[] = {
	{"11", "b", "3"},
	{"fffffffb", "ffffffef", "10001"},
	{"ffffffffffffffc5", "fffffffb", "3"},
	{"fffffffb", "ffffffffffffffc5", "11"},
	{"ff1265dae1f82e8e44b8a9b5b86af706b963cbd79fda49e118e90dea005dfd6ef361f09411ce478447fd41a1"
	 "6c8ea508ac60f20272ed8880a72f33bdbf6cf2ab93a066effa53e5eea37d1b6916e4416d89dbc3a9f2b68897"
	 "4bedaf65d5e5bedb",
	 "e604d5c2fe3861fa65598b785af972ac4829bf74d9f0c9e14d409543f444d249", "5"},
	{"de5f5453f19f6f759ccf2854c6531e19dae4a688a8bdf18980c9d6bf5ba7c468a5d14bf27269701e9c8f60e0"
	 "a5ed5c71482b1265676e7ffdb4ab13d5b38a25",
	 "fdf0abb98e1c1349a254a544c4ab466fa13d1a9a376e73369700f1c7a12112be0e36d3d9e9c3c5dc0fca8200"
	 "de698361796c1ccb3bcf3218f97756434d1ac6ada1",
	 "10001"},
	{"d89be44db0929795947e2fc425993386eb85adddb1ef4a57de43df0f7fe6bef74dc1a705435e15d229811212"
	 "8eede88d60c31c87a4871e31dec0942b2f519125",
	 "d30ef9312a5145cf7439764733c0ef14003713bca707237185262f149030fb4992f3039947132126bd6e81ab"
	 "b0a00c73331afddf3e54995882991cb4523a8fcd",
	 /* wider than a prime */
	 "d14311e6c3f3391a2b8f1ff1fd42a29755d4c13a902931cd447e35b8b6d8fe442e3d437204e52db2221a5800"
	 "8a05a6c4647159c324c9859b810e766ec9d28663ca828dd5f4b3b2e4b06ce7"},
	{"c9ba1ed575fe258f123e8ccfcbd7d9f65ecef19289bd717f6eba22b8a700c18f244d9fcd7722083a6966fd47"
	 "2a3e69e4807a200ecd056eec2086751ac0518a852ac5b8867fe1736ef50ac0ed3db7c6a4ce1eb1085cb05591"
	 "d9a2c638820a1533c6d8998c4cb05959ffdbeb79ae460b47bf175ec95c2776da157bb8c35827e8b3",
	 "fac9ab6ba30dcdce73ceb189aa818e3b836a02a3337a469c66fda255e509b59d2343a1503012e7eb18f95f13"
	 "8e70e72b9735f9c0496753cba8d886cc1bc473937cbf06915f6a3563265a441f5263670a17cc077262771b6d"
	 "48a35f8fe7c453c52bb6fcf58645ac006a494b904df996194c115580fe9d61b73957a3c0cc6a2ebf",
	 "10001"},
};

#define PAIRS COUNT(pairs)

/* A key as the reference knows it, and a place for the library's. */
struct known {
	cc_word p[HALF], q[HALF], e[HALF], n[FULL];
	size_t pn, qn, en, nn;
	struct cc_fz_rsa key;
	cc_word *memory;
};

static const char *tier;

static size_t parse(cc_word *r, const char *text)
{
	size_t digits = strlen(text), i;

	memset(r, 0, HALF * sizeof(*r));
	for (i = 0; i < digits; i++) {
		char c = text[digits - 1 - i];

		r[4 * i / CC_WORD_BITS] |= (cc_word)(c <= '9' ? c - '0' : c - 'a' + 10)
					   << 4 * i % CC_WORD_BITS;
	}
	return (4 * digits + CC_WORD_BITS - 1) / CC_WORD_BITS;
}

/* Zeros on top of some, or as many as make the widths the same. */
static void known_init(struct known *k, const struct pair *pair)
{
	k->pn = parse(k->p, pair->p);
	k->qn = parse(k->q, pair->q);
	k->en = parse(k->e, pair->e);
	if (random_below(2))
		k->pn = k->qn = k->pn > k->qn ? k->pn : k->qn;
	k->pn += k->pn < HALF && !random_below(4);
	k->qn += k->qn < HALF && !random_below(4);
	k->en += k->en < HALF && random_below(2);
	k->nn = k->pn + k->qn;
	ref_mul(k->n, k->p, k->pn, k->q, k->qn);
	k->memory = place(SCRATCH, NULL, CC_FZ_RSA_WORDS(k->pn, k->qn, k->en));
	CHECK(cc_fz_rsa_init(&k->key, k->memory, k->p, k->pn, k->q, k->qn, k->e, k->en) == CC_OK,
	      "no key");
	k->key.blinds_exponents = random_below(4);
	CHECK(k->key.n.n == k->nn && k->key.en == k->en, "widths");
	check_words("modulus", k->key.n.m, k->n, k->nn);
	check_words("exponent", k->key.e, k->e, k->en);
}

/* 0 <= x < n */
static void any_operand(cc_word *x, const struct known *k)
{
	any_words(x, k->nn);
	cc_fz_mod(x, x, k->nn, k->n, k->nn);
}

/* Bytes of the test's; fails after so many calls. */
struct source {
	size_t calls, most, most_bytes;
};

#define NO_MORE 77

static int generate(void *state, unsigned char *bytes, size_t length)
{
	struct source *source = state;
	size_t i;

	if (length > source->most_bytes)
		source->most_bytes = length;
	if (source->calls++ == source->most)
		return NO_MORE;
	for (i = 0; i < length; i++)
		bytes[i] = (unsigned char)random_u64();
	return CC_OK;
}

static int zeros(void *state, unsigned char *bytes, size_t length)
{
	(void)state;
	memset(bytes, 0, length);
	return CC_OK;
}

static void check_power(const cc_word *s, const cc_word *x, const struct known *k)
{
	cc_word back[FULL], e[FULL] = {0};

	CHECK(ref_cmp(s, k->n, k->nn) < 0, "not below n");
	memcpy(e, k->e, k->en * sizeof(*e));
	if (k->nn <= 3)
		ref_powmod(back, s, e, 1, k->n, k->nn);
	else
		cc_fz_powmod(back, s, e, k->n, k->nn);
	check_words("the power of the root", back, x, k->nn);
}

static bool all_zero(const cc_word *r, size_t n)
{
	size_t i;

	for (i = 0; i < n && !r[i]; i++)
		;
	return i == n;
}

/* Of two to the 64 or so, one factor in a billion has no inverse. */
static bool hides(const struct known *k)
{
	return k->p[0] != 0x11;
}

/* A factor a message, and what hides its exponents. */
static size_t drawn(const struct known *k, cc_fz_generator *generator, size_t count)
{
	return generator ? count * (k->key.blinds_exponents ? 2 : 1) : 0;
}

static void test_private(const struct pair *pair, size_t most)
{
	static cc_word x[MANY * FULL];
	size_t round, i;

	for (round = 0; round < test_scaled(most) && !test_case_failed(); round++) {
		struct source source = {0, ~(size_t)0, 0};
		size_t count = random_below(MANY + 1), alias = random_below(2), out, error;
		cc_fz_generator *generator;
		struct known k;
		cc_word *px, *r;

		known_init(&k, pair);
		generator = hides(&k) && random_below(2) ? generate : NULL;
		test_sizes(k.pn, k.qn, count);
		for (i = 0; i < count; i++)
			any_operand(x + i * k.nn, &k);
		/* one that is not below n, and the others none the worse */
		out = random_below(4) ? count : random_below(count + 1);
		if (out < count && ref_add(x + out * k.nn, x + out * k.nn, k.n, k.nn, 0))
			out = count;
		if (out == count)
			for (i = 0; i < count; i++)
				if (ref_cmp(x + i * k.nn, k.n, k.nn) >= 0)
					any_operand(x + i * k.nn, &k);
		px = place(FIRST, x, count * k.nn);
		r = alias ? px : place(RESULT, NULL, count * k.nn);
		error = (size_t)-cc_fz_rsa_private_many(r, px, count, &k.key, generator, &source);
		CHECK(error == (out < count ? (size_t)-CC_EINVAL : 0), "error -%zu", error);
		CHECK(source.calls == drawn(&k, generator, count), "%zu drawn", source.calls);
		for (i = 0; i < count; i++) {
			if (i == out)
				CHECK(all_zero(r + i * k.nn, k.nn), "given out");
			else
				check_power(r + i * k.nn, x + i * k.nn, &k);
		}
		check_guards();

		/* one, and back */
		any_operand(x, &k);
		px = place(FIRST, x, k.nn);
		r = alias ? px : place(RESULT, NULL, k.nn);
		CHECK(cc_fz_rsa_private(r, px, &k.key, generator, &source) == CC_OK, "refused");
		check_power(r, x, &k);
		CHECK(cc_fz_rsa_public(r, r, &k.key) == CC_OK, "refused");
		check_words("back", r, x, k.nn);
		check_guards();
	}
}

/* All of the smallest key's numbers, by a key of each kind. */
static void test_all(void)
{
	cc_word memory[CC_FZ_RSA_PUBLIC_WORDS(2, 1)], x[2] = {0}, s[2], back[2];
	struct cc_fz_rsa public;
	struct known k;

	begin(tier, "cc_fz_rsa_public, every number");
	known_init(&k, &(struct pair){"11", "b", "3"});
	if (k.nn != 2 || k.en != 1)
		known_init(&k, &(struct pair){"11", "b", "3"});
	while (k.nn != 2 || k.en != 1)
		known_init(&k, &(struct pair){"11", "b", "3"});
	CHECK(cc_fz_rsa_init_public(&public, memory, k.n, 2, k.e, 1) == CC_OK, "no key");
	for (x[0] = 0; x[0] < 250; x[0]++) {
		bool below = x[0] < 187;
		int should = below ? CC_OK : CC_EINVAL;

		CHECK(cc_fz_rsa_private(s, x, &k.key, NULL, NULL) == should, "private");
		CHECK(below || all_zero(s, 2), "given out");
		if (below)
			check_power(s, x, &k);
		CHECK(cc_fz_rsa_public(back, below ? s : x, &public) == should, "public");
		check_words("back", back, below ? x : s, 2);
	}
}

/*
 * One bit of the key's private words is flipped, and no wrong answer comes out.  The first
 * operand is drawn evenly, and for it nothing at all may come out.  Only an x whose private power
 * is below q, such as 2^192 where e = 3, needs no q_inverse and is answered rightly: for the
 * pair whose q has 64 of 96 bits, that is one draw in 2^32; for the others it is rarer.
 */
static void test_faults(const struct pair *pair)
{
	size_t round, count = 3, i;
	cc_word x[3 * FULL], s[3 * FULL];

	for (round = 0; round < test_scaled(12) && !test_case_failed(); round++) {
		struct source source = {0, ~(size_t)0, 0};
		cc_fz_generator *generator = random_below(2) ? generate : NULL;
		cc_word *word;
		struct known k;

		known_init(&k, pair);
		test_sizes(k.pn, k.qn, round % 3);
		for (i = 0; i < k.nn; i++)
			x[i] = random_word();
		cc_fz_mod(x, x, k.nn, k.n, k.nn);
		for (i = 1; i < count; i++)
			any_operand(x + i * k.nn, &k);
		switch (round % 3) {
		case 0:
			word = k.memory + (k.key.dp - k.memory) + random_below(k.pn);
			break;
		case 1:
			word = k.memory + (k.key.dq - k.memory) + random_below(k.qn);
			break;
		default:
			word = k.memory + (k.key.q_inverse - k.memory) + random_below(k.pn);
		}
		*word ^= (cc_word)1 << random_below(CC_WORD_BITS);
		memset(s, 0x37, sizeof(s));
		CHECK(cc_fz_rsa_private_many(s, x, count, &k.key, generator, &source) == CC_EINVAL,
		      "a faulty key signs");
		CHECK(all_zero(s, k.nn), "a faulty signature is given out");
		for (i = 1; i < count; i++)
			if (!all_zero(s + i * k.nn, k.nn))
				check_power(s + i * k.nn, x + i * k.nn, &k);
		/* a second fault, in either check */
		for (fixed_lie = 2; fixed_lie; fixed_lie--) {
			memset(s, 0x37, sizeof(s));
			CHECK(lying_private_many(s, x, count, &k.key, generator, &source) ==
				      CC_EINVAL,
			      "a faulty key signs, check %d skipped", fixed_lie);
			CHECK(all_zero(s, k.nn), "a faulty signature is given out");
		}
	}
}

/* No primes. */
static void test_composite(void)
{
	const cc_word p[2] = {3 * 1009, 0}, q[2] = {(cc_word)5 * 65519, 0}, e = 11;
	cc_word memory[CC_FZ_RSA_WORDS(2, 2, 1)], x[4] = {0x1234567, 0}, s[4];
	struct cc_fz_rsa key;

	begin(tier, "cc_fz_rsa_private, no primes");
	CHECK(cc_fz_rsa_init(&key, memory, p, 2, q, 2, &e, 1) == CC_OK, "looked at");
	CHECK(cc_fz_rsa_private(s, x, &key, NULL, NULL) == CC_EINVAL && all_zero(s, 4),
	      "signs with no primes");
}

static void test_generator(void)
{
	static cc_word x[MANY * FULL], s[MANY * FULL];
	size_t most;
	struct known k;

	begin(tier, "cc_fz_rsa_private_many, a generator that fails");
	known_init(&k, &pairs[2]);
	for (most = 0; most <= 2 * MANY; most++) {
		struct source source = {0, most, 0};
		size_t all, i;

		k.key.blinds_exponents = most % 2;
		all = drawn(&k, generate, MANY);

		for (i = 0; i < MANY; i++)
			any_operand(x + i * k.nn, &k);
		memset(s, 0x37, sizeof(s));
		CHECK(cc_fz_rsa_private_many(s, x, MANY, &k.key, generate, &source) ==
			      (most < all ? NO_MORE : CC_OK),
		      "its error");
		CHECK(source.calls == (most < all ? most + 1 : all), "called again");
		CHECK(source.most_bytes >= k.nn * sizeof(cc_word) + 16, "%zu bytes",
		      source.most_bytes);
		CHECK(most >= all || all_zero(s, MANY * k.nn), "given out");
	}
	x[0] |= 1;
	CHECK(cc_fz_rsa_private(s, x, &k.key, zeros, NULL) == CC_EINVAL && all_zero(s, k.nn),
	      "hidden behind 0");
}

/* Of a key that is refused nothing is left but n and e: no prime, nor what follows from one. */
static void test_wiped(void)
{
	size_t round, i;

	begin(tier, "cc_fz_rsa_init, refused");
	for (round = 0; round < test_scaled(100) && !test_case_failed(); round++) {
		cc_word p[3], q[3], e[3], memory[CC_FZ_RSA_WORDS(3, 3, 3)];
		size_t pn = 1 + random_below(3), qn = 1 + random_below(3), en = 1 + random_below(3);
		struct cc_fz_rsa key = {.en = 0};
		size_t words;

		any_modulus(p, pn);
		any_modulus(q, qn);
		any_words(e, en);
		/* of the drawn ones alone, few rounds may refuse none */
		if (round % 4 == 0) {
			qn = pn;
			memcpy(q, p, pn * sizeof(*p));
		}
		/* 1 is no prime, and refused before anything else is */
		if (round % 4 == 1)
			set(round & 4 ? p : q, 1, round & 4 ? pn : qn);
		p[0] |= 1;
		q[0] |= 1;
		e[0] |= 1;
		words = CC_FZ_RSA_WORDS(pn, qn, en);
		/* what the memory held is no part of it */
		memset(memory, 0, sizeof(memory));
		if (cc_fz_rsa_init(&key, memory, p, pn, q, qn, e, en) == CC_OK)
			continue;
		for (i = CC_FZ_RSA_PUBLIC_WORDS(pn + qn, en); i < words && memory[i] < 2; i++)
			;
		CHECK(i == words, "word %zu of %zu is left", i, words);
		CHECK(!key.p.n || (!~key.p.minus_inverse && !~key.q.minus_inverse),
		      "1 / p is left");
	}
}

static void test_refused(void)
{
	const cc_word p[2] = {17, 0}, q[2] = {11, 0}, one[2] = {1, 0}, two[2] = {2, 0};
	const cc_word e[2] = {3, 0}, zero[2] = {0, 0}, five[2] = {5, 0};
	const cc_word most[2] = {185, 0}, beyond[2] = {189, 0}, high[2] = {3, 1};
	cc_word memory[CC_FZ_RSA_WORDS(2, 2, 2)], s[4] = {7, 7, 7, 7};
	const cc_word n[2] = {187, 0};
	struct cc_fz_rsa key;

	begin(tier, "rsa.h refuses");
#define REFUSED(call) CHECK((call) == CC_EINVAL, #call)
	REFUSED(cc_fz_rsa_init(&key, memory, p, 0, q, 2, e, 2));
	REFUSED(cc_fz_rsa_init(&key, memory, p, 2, q, 0, e, 2));
	REFUSED(cc_fz_rsa_init(&key, memory, NULL, CC_FZ_MAX, q, 1, e, 2));
	REFUSED(cc_fz_rsa_init(&key, memory, p, 1, NULL, ~(size_t)0, e, 2));
	REFUSED(cc_fz_rsa_init(&key, memory, two, 2, q, 2, e, 2));
	REFUSED(cc_fz_rsa_init(&key, memory, p, 2, two, 2, e, 2));
	REFUSED(cc_fz_rsa_init(&key, memory, zero, 2, q, 2, e, 2));
	REFUSED(cc_fz_rsa_init(&key, memory, one, 2, q, 2, e, 2));
	REFUSED(cc_fz_rsa_init(&key, memory, p, 2, one, 2, e, 2));
	REFUSED(cc_fz_rsa_init(&key, memory, p, 2, p, 2, e, 2));
	REFUSED(cc_fz_rsa_init(&key, memory, p, 2, q, 2, e, 0));
	REFUSED(cc_fz_rsa_init(&key, memory, p, 2, q, 2, zero, 2));
	REFUSED(cc_fz_rsa_init(&key, memory, p, 2, q, 2, one, 2));
	REFUSED(cc_fz_rsa_init(&key, memory, p, 2, q, 2, two, 2));
	/* 5 divides 11 - 1 */
	REFUSED(cc_fz_rsa_init(&key, memory, p, 2, q, 2, five, 2));
	REFUSED(cc_fz_rsa_init(&key, memory, q, 2, p, 2, five, 2));
	REFUSED(cc_fz_rsa_init_public(&key, memory, two, 2, e, 2));
	REFUSED(cc_fz_rsa_init_public(&key, memory, p, 0, e, 2));
	REFUSED(cc_fz_rsa_init_public(&key, memory, p, 2, one, 2));
	REFUSED(cc_fz_rsa_init_public(&key, memory, p, 2, two, 2));
	/* everything is 0 modulo 1; and e < n, however many words it has */
	REFUSED(cc_fz_rsa_init_public(&key, memory, one, 2, e, 2));
	REFUSED(cc_fz_rsa_init_public(&key, memory, n, 2, n, 2));
	REFUSED(cc_fz_rsa_init_public(&key, memory, n, 2, beyond, 2));
	REFUSED(cc_fz_rsa_init_public(&key, memory, n, 2, high, 2));
	REFUSED(cc_fz_rsa_init_public(&key, memory, n, 1, high, 2));
	REFUSED(cc_fz_rsa_init(&key, memory, p, 1, q, 1, beyond, 2));
	REFUSED(cc_fz_rsa_init(&key, memory, p, 1, q, 1, high, 2));
	CHECK(cc_fz_rsa_init_public(&key, memory, n, 2, most, 2) == CC_OK, "no key");
	CHECK(cc_fz_rsa_init_public(&key, memory, n, 1, most, 2) == CC_OK, "no key");
	CHECK(cc_fz_rsa_init_public(&key, memory, p, 2, e, 2) == CC_OK, "no key");
	REFUSED(cc_fz_rsa_private(s, q, &key, NULL, NULL));
#undef REFUSED
	CHECK(all_zero(s, 2) && s[2] == 7 && s[3] == 7, "given out");
}

void fixed_rsa(const char *in_tier)
{
	size_t i;

	tier = in_tier;
	for (i = 0; i < PAIRS; i++) {
		if (strlen(pairs[i].p) > 64 && fixed_slow() && i + 1 < PAIRS)
			continue;
		begin(tier, "cc_fz_rsa_private");
		test_private(&pairs[i], i < 4 ? 12 : i < PAIRS - 1 ? 3 : 1);
	}
	for (i = 2; i < PAIRS - 2; i++) {
		begin(tier, "cc_fz_rsa_private, faults");
		test_faults(&pairs[i]);
	}
	test_all();
	test_composite();
	test_generator();
	test_wiped();
	test_refused();
}
