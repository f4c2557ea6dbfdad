// SPDX-License-Identifier: MIT
/*
 * Fibonacci numbers on vectors of words.
 *
 * With a = F(k) and b = F(k - 1), from Cassini's identity F(k + 1) b - a^2 = (-1)^k and
 * F(m + n) = F(m) F(n + 1) + F(m - 1) F(n):
 *   F(2k - 1) = a^2 + b^2
 *   F(2k + 1) = 4a^2 - b^2 + 2(-1)^k = (2a + b)(2a - b) + 2(-1)^k
 *   F(2k)     = F(2k + 1) - F(2k - 1) = a(a + 2b)
 * So two squarings lead from the pair at k to the pair at 2k or 2k + 1; at the end, where
 * one number is wanted and not a pair, one multiplication does.
 */
#include <carrychain/fib.h>

#include "../bigint/room.h"

#include "table.h"

const cc_u64 cc_fib_table[CC_FIB_U64_MAX + 1] = {
	0u,
	1u,
	1u,
	2u,
	3u,
	5u,
	8u,
	13u,
	21u,
	34u,
	55u,
	89u,
	144u,
	233u,
	377u,
	610u,
	987u,
	1597u,
	2584u,
	4181u,
	6765u,
	10946u,
	17711u,
	28657u,
	46368u,
	75025u,
	121393u,
	196418u,
	317811u,
	514229u,
	832040u,
	1346269u,
	2178309u,
	3524578u,
	5702887u,
	9227465u,
	14930352u,
	24157817u,
	39088169u,
	63245986u,
	102334155u,
	165580141u,
	267914296u,
	433494437u,
	701408733u,
	1134903170u,
	1836311903u,
	2971215073u,
	4807526976u,
	7778742049u,
	12586269025u,
	20365011074u,
	32951280099u,
	53316291173u,
	86267571272u,
	139583862445u,
	225851433717u,
	365435296162u,
	591286729879u,
	956722026041u,
	1548008755920u,
	2504730781961u,
	4052739537881u,
	6557470319842u,
	10610209857723u,
	17167680177565u,
	27777890035288u,
	44945570212853u,
	72723460248141u,
	117669030460994u,
	190392490709135u,
	308061521170129u,
	498454011879264u,
	806515533049393u,
	1304969544928657u,
	2111485077978050u,
	3416454622906707u,
	5527939700884757u,
	8944394323791464u,
	14472334024676221u,
	23416728348467685u,
	37889062373143906u,
	61305790721611591u,
	99194853094755497u,
	160500643816367088u,
	259695496911122585u,
	420196140727489673u,
	679891637638612258u,
	1100087778366101931u,
	1779979416004714189u,
	2880067194370816120u,
	4660046610375530309u,
	7540113804746346429u,
	12200160415121876738u,
};

/*
 * Words that hold F(n) <= phi^(n - 1), of at most (n - 1) log2(phi) + 1 bits, where
 * log2(phi) = 0.69424... < 45499 / 65536; or more than there can be.
 */
static size_t fib_words(cc_u64 n)
{
	cc_u64 bits = (n >> 16) * 45499 + ((n & 0xffff) * 45499 >> 16) + 1;
	cc_u64 words = (bits + CC_WORD_BITS - 1) / CC_WORD_BITS;

	return words <= CC_WORDS_MAX ? (size_t)words : CC_WORDS_MAX + 1;
}

/* Room for f; buffers of the same size for intermediate numbers; scratch for products. */
#define BUFFERS_MAX 4

struct work {
	struct cc_room room;
	struct cc_scratch memory;
	cc_word *buffer[BUFFERS_MAX], *scratch;
	struct cc_watch watch; /* in indices: of F(k), k below n */
};

static int open_work(struct work *w, const cc_bigint *f, size_t f_words, size_t buffers,
		     size_t words, size_t scratch, const struct cc_progress *progress, cc_u64 n)
{
	/* not in f's own words: if the last product is stopped, f must keep its value */
	int err =
		progress ? cc_room_alloc(&w->room, f, f_words) : cc_room_open(&w->room, f, f_words);
	size_t i;

	if (err)
		return err;
	err = cc_scratch_open(&w->memory, buffers * words + scratch);
	if (err) {
		cc_room_abandon(&w->room, f);
		return err;
	}
	for (i = 0; i < buffers; i++)
		w->buffer[i] = w->memory.words + i * words;
	w->scratch = w->memory.words + buffers * words;
	w->watch = (struct cc_watch){progress, 0, n, 0};
	return CC_OK;
}

/* f = a[n] */
static void close_work(struct work *w, cc_bigint *f, const cc_word *a, size_t n)
{
	if (a != w->room.words)
		memcpy(w->room.words, a, n * sizeof(cc_word));
	cc_scratch_close(&w->memory);
	cc_room_close(&w->room, f, n, 0);
}

/* Called before each step, at F(k): whether the caller stops the work. */
static int stopped_at(struct work *w, cc_u64 k)
{
	w->watch.done = k;
	return cc_watch_step(&w->watch, CC_STEP_WORDS);
}

/* Ends the work; f is unchanged. */
static int abandon_work(struct work *w, const cc_bigint *f)
{
	cc_scratch_close(&w->memory);
	cc_room_abandon(&w->room, f);
	return CC_EINTR;
}

/* r[64 / CC_WORD_BITS] = x; returns the words without leading zeros */
static size_t put_u64(cc_word *r, cc_u64 x)
{
	r[0] = (cc_word)x;
#if CC_WORD_BITS == 32
	r[1] = (cc_word)(x >> 32);
#endif
	return cc_limbs_normalise(r, 64 / CC_WORD_BITS);
}

/* The last n for which both factors of the last step are sums of two numbers of the table. */
#define PRODUCT_MAX (2 * (CC_FIB_U64_MAX - 2) + 1)

static int table_product(cc_bigint *f, cc_u64 n)
{
	cc_u64 k = n >> 1, low, high;
	struct cc_room room;
	int err = cc_room_open(&room, f, 128 / CC_WORD_BITS);

	if (err)
		return err;
	if (!(n & 1)) {
		low = cc_mul_u64(&high, cc_fib_table[k], cc_fib_table[k - 1] + cc_fib_table[k + 1]);
	} else {
		cc_u64 two = k & 1 ? 0 - (cc_u64)2 : 2;

		low = cc_mul_u64(&high, cc_fib_table[k + 2],
				 cc_fib_table[k] + cc_fib_table[k - 2]) +
		      two;
		/* 2 carries, -2 = 2^64 - 2 - 2^64 borrows where it does not carry */
		high += (cc_u64)(low < two) - (k & 1);
	}
	put_u64(room.words, low);
	put_u64(room.words + 64 / CC_WORD_BITS, high);
	cc_room_close(&room, f, 128 / CC_WORD_BITS, 0);
	return CC_OK;
}

/* How many low bits of n to drop, so that the rest is in the table; n itself is not. */
static unsigned int bits_beyond_table(cc_u64 n)
{
	unsigned int bit = 64 - 7 - cc_clz_u64(n);

	return bit + (n >> bit > CC_FIB_U64_MAX);
}

/*
 * The pair (a, b) at k begins in the table, and ends at half of n.  Both have m words, of which
 * only the top one of b may be 0.  Sizes, with B the base: a >= B^(m - 1), so
 * F(2k + 1) > a^2 needs at least 2m - 1 words, and a step writes 2m + 1, at most 2 more.
 */
static int by_squaring(cc_bigint *f, cc_u64 n, const struct cc_progress *progress)
{
	size_t half = fib_words((n >> 1) + 2), m, need, sqr;
	cc_word *a, *b, *t, *product;
	unsigned int bit;
	struct work w;
	int err;

	if (n <= CC_FIB_U64_MAX)
		return cc_bigint_set_u64(f, cc_fib_table[n]);
	if (n <= PRODUCT_MAX)
		return table_product(f, n);
	need = cc_natural_mul_scratch(half, half);
	sqr = cc_natural_sqr_scratch(half / 2 + 1);
	err = open_work(&w, f, 2 * half, 3, half + 2, need > sqr ? need : sqr, progress, n);
	if (err)
		return err;
	a = w.buffer[0];
	b = w.buffer[1];
	t = w.buffer[2];

	bit = bits_beyond_table(n);
	m = put_u64(a, cc_fib_table[n >> bit]);
	put_u64(b, cc_fib_table[(n >> bit) - 1]);
	while (--bit) {
		if (stopped_at(&w, n >> (bit + 1)))
			return abandon_work(&w, f);
		cc_natural_sqr_watched(t, a, m, w.scratch, &w.watch);
		cc_natural_sqr_watched(a, b, m, w.scratch, &w.watch);
		if (w.watch.stopped)
			return abandon_work(&w, f);
		m *= 2;
		b[m] = cc_limbs_add(b, t, a, m);
		/* a square is 0 or 1 mod 4: adding 2 to it, or to its quadruple, carries nothing */
		t[m] = cc_limbs_lshift(t, t, m, 2);
		if (n >> (bit + 1) & 1)
			a[0] |= 2;
		else
			t[0] |= 2;
		t[m] -= cc_limbs_sub(t, t, a, m);
		m++;
		cc_limbs_sub(a, t, b, m);
		if (n >> bit & 1) {
			cc_word *odd = t;

			t = b;
			b = a;
			a = odd;
		}
		m = cc_limbs_normalise(a, m);
	}
	if (stopped_at(&w, n >> 1))
		return abandon_work(&w, f);

	/* every factor is below F(k + 2), for k = n >> 1 */
	for (; m < half; m++) {
		a[m] = 0;
		b[m] = 0;
	}
	product = w.room.words;
	if (!(n & 1)) {
		cc_limbs_lshift(t, b, half, 1);
		cc_limbs_add(t, t, a, half);
		cc_natural_mul_watched(product, a, half, t, half, w.scratch, &w.watch);
	} else {
		cc_limbs_lshift(t, a, half, 1);
		cc_limbs_sub(a, t, b, half);
		cc_limbs_add(b, t, b, half);
		cc_natural_mul_watched(product, a, half, b, half, w.scratch, &w.watch);
		if (n >> 1 & 1)
			cc_limbs_sub_1(product, product, 2 * half, 2);
		else
			cc_limbs_add_1(product, product, 2 * half, 2);
	}
	if (w.watch.stopped)
		return abandon_work(&w, f);
	close_work(&w, f, product, 2 * half);
	return CC_OK;
}

/*
 * The pair (a, b) = (F(k), F(k + 1)) begins at k = 0.  Both have m words, of which only the top
 * one of a may be 0.  b^2 needs at least 2m - 1 words, and so does F(2k + 2).  The last step
 * writes 2m + 2 words, at most 3 more than F(n + 2) needs, which are at most one more than
 * those of F(n).
 */
static int by_doubling(cc_bigint *f, cc_u64 n, const struct cc_progress *progress)
{
	size_t words = fib_words(n), m = 1, need, sqr;
	unsigned int bit = n ? 64 - cc_clz_u64(n) : 0;
	cc_word *a, *b, *c, *d;
	struct work w;
	int err;

	need = cc_natural_mul_scratch(words / 2 + 3, words / 2 + 3);
	sqr = cc_natural_sqr_scratch(words / 2 + 3);
	err = open_work(&w, f, words, 4, words + 4, need > sqr ? need : sqr, progress, n);
	if (err)
		return err;
	a = w.buffer[0];
	b = w.buffer[1];
	c = w.buffer[2];
	d = w.buffer[3];

	a[0] = 0;
	b[0] = 1;
	while (bit--) {
		cc_word *odd = d, *even = c;
		size_t p;

		if (stopped_at(&w, n >> 1 >> bit))
			return abandon_work(&w, f);
		/* F(2k) = a(2b - a) */
		d[m] = cc_limbs_lshift(d, b, m, 1);
		d[m] -= cc_limbs_sub(d, d, a, m);
		a[m] = 0;
		p = cc_limbs_normalise(d, m + 1);
		even[2 * m] = 0;
		cc_natural_mul_watched(even, a, p, d, p, w.scratch, &w.watch);
		/* F(2k + 1) = a^2 + b^2 */
		cc_natural_sqr_watched(odd, a, m, w.scratch, &w.watch);
		cc_natural_sqr_watched(a, b, m, w.scratch, &w.watch);
		if (w.watch.stopped)
			return abandon_work(&w, f);
		odd[2 * m] = cc_limbs_add(odd, odd, a, 2 * m);
		m = 2 * m + 1;
		if (n >> bit & 1) {
			cc_limbs_add(b, even, odd, m);
			c = a;
			d = even;
			a = odd;
		} else {
			c = a;
			d = b;
			a = even;
			b = odd;
		}
		m = cc_limbs_normalise(b, m);
	}
	close_work(&w, f, a, cc_limbs_normalise(a, m));
	return CC_OK;
}

/* The words that are added between two checks whether to stop. */
#define ITERATIVE_WORDS 65536

static int by_iteration(cc_bigint *f, cc_u64 n, const struct cc_progress *progress)
{
	size_t words = fib_words(n), m = 1, since = 0;
	cc_word *a, *b;
	struct work w;
	cc_u64 k;
	int err;

	if (n < 2)
		return cc_bigint_set_u64(f, n);
	err = open_work(&w, f, words, 2, words + 1, 0, progress, n);
	if (err)
		return err;
	a = w.buffer[0];
	b = w.buffer[1];

	a[0] = 1;
	b[0] = 0;
	for (k = 1; k < n; k++) {
		cc_word *sum = b;

		if (since >= ITERATIVE_WORDS) {
			if (stopped_at(&w, k))
				return abandon_work(&w, f);
			since = 0;
		}
		since += m;
		sum[m] = cc_limbs_add(sum, a, b, m);
		a[m] = 0;
		m += sum[m] > 0;
		b = a;
		a = sum;
	}
	close_work(&w, f, a, m);
	return CC_OK;
}

static const struct {
	const char *name;
	int (*by)(cc_bigint *f, cc_u64 n, const struct cc_progress *progress);
} strategies[CC_FIB_STRATEGIES] = {
	[CC_FIB_SQUARING] = {"squaring", by_squaring},
	[CC_FIB_DOUBLING] = {"doubling", by_doubling},
	[CC_FIB_ITERATIVE] = {"iterative", by_iteration},
};

int cc_fib(cc_bigint *f, uint64_t n)
{
	return by_squaring(f, n, NULL);
}

int cc_fib_by(cc_bigint *f, uint64_t n, enum cc_fib_strategy strategy,
	      const struct cc_progress *progress)
{
	if ((unsigned int)strategy >= CC_FIB_STRATEGIES)
		return CC_EINVAL;
	return strategies[strategy].by(f, n, progress);
}

const char *cc_fib_strategy_name(int strategy)
{
	if (strategy < 0 || strategy >= CC_FIB_STRATEGIES)
		return NULL;
	return strategies[strategy].name;
}

uint64_t cc_fib_u64(uint64_t n)
{
	unsigned int bit;
	uint64_t a, b;

	if (n <= CC_FIB_U64_MAX)
		return cc_fib_table[n];
	bit = bits_beyond_table(n);
	a = cc_fib_table[n >> bit];
	b = cc_fib_table[(n >> bit) - 1];
	while (bit--) {
		uint64_t even = a * (a + 2 * b), before = a * a + b * b;

		b = before;
		a = even;
		if (n >> bit & 1) {
			b = even;
			a = even + before;
		}
	}
	return a;
}
