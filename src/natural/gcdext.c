// SPDX-License-Identifier: MIT
/*
 * The greatest common divisor with its cofactors, and the modular inverse: as in gcd.c, with the
 * matrices' product beside the pair that they shorten, or one row of it.
 *
 * Let the pair be x = s (u0 a - u1 b), y = s (v1 b - v0 a), s = 1 or -1.  The determinant
 * u0 v1 - u1 v0 is 1, so b = v0 x + u0 y and a = v1 x + u1 y: no cofactor is longer than the
 * other number.  At the end y divides x = k y = k g.  If k >= 2, then v0 <= b / 2g, as
 * b / g = k v0 + u0, with equality only for v0 = 1, u0 = 0, where a = g.  If k = 1, u0 + v0 is
 * b / g, and the smaller one is at most half of it.  For single words p x - q y = +-g at the end,
 * p <= y / 2g, and q <= x / 2g, so the cofactor p u0 + q v0 is at most b / 2g.
 */
#include "half_gcd.h"

#include "../limbs/kernels.h"

/* Below so many words, both rows are kept; else the second cofactor is a quotient. */
#define BOTH_ROWS 24

struct pair {
	cc_word *x, *y;
	size_t n; /* words of the longer one */
	cc_word *u[2], *v[2];
	size_t length; /* words of each of the cofactors */
	unsigned int rows;
	int negative; /* s is -1 */
};

static void exchange(struct pair *p)
{
	cc_word *swap = p->x;
	unsigned int i;

	p->x = p->y;
	p->y = swap;
	for (i = 0; i < p->rows; i++) {
		swap = p->u[i];
		p->u[i] = p->v[i];
		p->v[i] = swap;
	}
	p->negative = !p->negative;
}

/* The pair is (g, g): x becomes the one with the smaller cofactor, the positive one if they are 1.
 */
static void choose(struct pair *p)
{
	int order = cc_limbs_cmp(p->u[0], p->v[0], p->length);

	if (order > 0 || (!order && p->negative))
		exchange(p);
}

static void take_steps(struct pair *p, const struct cc_steps *s, cc_word *t)
{
	cc_word above[4] = {0, 0, 0, 0};
	unsigned int i;

	p->n = cc_gcd_take_steps(p->x, p->y, p->n, s, t);
	for (i = 0; i < p->rows; i++)
		cc_gcd_take_row(p->v[i], p->u[i], p->length, s, above + 2 * i, t);
	if (!(above[0] | above[1] | above[2] | above[3]))
		return;
	for (i = 0; i < p->rows; i++) {
		p->v[i][p->length] = above[2 * i];
		p->u[i][p->length] = above[2 * i + 1];
	}
	p->length++;
}

static void trim(struct pair *p)
{
	size_t n = p->length;

	while (n > 1 && !(p->u[0][n - 1] | p->v[0][n - 1]) &&
	       (p->rows == 1 || !(p->u[1][n - 1] | p->v[1][n - 1])))
		n--;
	p->length = n;
}

/* u += q v in every row; q v has at most as many words as b or a, and a zero word above */
static void take_quotient(struct pair *p, const cc_word *q, size_t qn, cc_word *t,
			  struct cc_watch *w)
{
	size_t vn = 0, n, length;
	unsigned int i;

	qn = cc_limbs_normalise(q, qn);
	for (i = 0; i < p->rows; i++) {
		n = cc_limbs_normalise(p->v[i], p->length);
		vn = cc_larger(vn, n);
	}
	n = vn + qn;
	length = cc_larger(n, p->length) + 1;
	for (i = 0; i < p->rows; i++) {
		cc_word *u = p->u[i];

		memset(u + p->length, 0, (length - p->length) * sizeof(*u));
		memset(p->v[i] + p->length, 0, (length - p->length) * sizeof(*u));
		cc_natural_mul_watched(t, p->v[i], vn, q, qn, t + n, w);
		if (cc_watch_stopped(w))
			return;
		cc_limbs_add_1(u + n, u + n, length - n, cc_limbs_add(u, u, t, n));
	}
	p->length = length;
	trim(p);
}

/* x = x mod y for the larger x; whether y is the divisor, which then is x. */
static int divide(struct pair *p, cc_word *t, struct cc_watch *w)
{
	int order = cc_limbs_cmp(p->x, p->y, p->n);
	size_t yn, qn;

	if (!order) {
		choose(p);
		return 1;
	}
	if (order < 0)
		exchange(p);
	yn = cc_limbs_normalise(p->y, p->n);
	qn = p->n - yn + 1;
	cc_natural_divrem_watched(t, p->x, p->x, p->n, p->y, yn, t + qn, w);
	p->n = yn;
	if (cc_watch_stopped(w))
		return 1;
	if (!cc_limbs_normalise(p->x, yn)) {
		exchange(p);
		return 1;
	}
	take_quotient(p, t, qn, t + qn, w);
	return 0;
}

/* r[an + bn + 1] = a[an] x[bn] + b[an] y[bn]; t[an + bn] and the scratch of a product */
static void combine(cc_word *r, const cc_word *a, const cc_word *b, size_t an, const cc_word *x,
		    const cc_word *y, size_t bn, cc_word *t, struct cc_watch *w)
{
	size_t n = an + bn;

	/* one of several, each of which may be too short to ask by itself */
	if (cc_watch_step(w, 4 * n))
		return;
	cc_natural_mul_watched(r, a, an, x, bn, t, w);
	cc_natural_mul_watched(t, b, an, y, bn, t + n, w);
	if (!cc_watch_stopped(w))
		r[n] = cc_limbs_add(r, r, t, n);
}

/* Rows of @length[] words become as long as the longer one. */
static void even(struct pair *p, const size_t *length)
{
	unsigned int i;

	p->length = cc_larger(length[0], length[1]);
	for (i = 0; i < p->rows; i++) {
		memset(p->u[i] + length[i], 0, (p->length - length[i]) * sizeof(cc_word));
		memset(p->v[i] + length[i], 0, (p->length - length[i]) * sizeof(cc_word));
	}
}

/* The cofactors times the matrix. */
static void multiply(struct pair *p, const struct cc_half_gcd *m, cc_word *t, struct cc_watch *w)
{
	size_t words = m->n + p->length + 1, length[2] = {0, 0};
	cc_word *u = t, *v = u + words, *work = v + words;
	unsigned int i;

	for (i = 0; i < p->rows; i++) {
		combine(u, p->u[i], p->v[i], p->length, m->u[1][1], m->u[0][1], m->n, work, w);
		combine(v, p->u[i], p->v[i], p->length, m->u[1][0], m->u[0][0], m->n, work, w);
		if (cc_watch_stopped(w))
			return;
		for (length[i] = words; !(u[length[i] - 1] | v[length[i] - 1]);)
			length[i]--;
		memcpy(p->u[i], u, length[i] * sizeof(*u));
		memcpy(p->v[i], v, length[i] * sizeof(*v));
	}
	even(p, length);
}

/*
 * By the matrix of the upper two thirds, which then is the row; later by that of all words, as
 * a product with a row takes the longer, the more often it is made.
 */
static int shorten(struct pair *p, cc_word *t, struct cc_watch *w)
{
	size_t at = p->length == 1 ? p->n / 3 : 0, words = p->n - at, next;
	cc_word *rest = t + cc_half_gcd_store(words);
	struct cc_half_gcd m;

	cc_half_gcd_place(&m, t, words);
	next = cc_half_gcd(&m, p->x + at, p->y + at, words, rest, w);
	if (!next)
		return 0;
	p->n = at ? cc_half_gcd_take_along(&m, p->x, p->y, at, at + next, rest, w) : next;
	multiply(p, &m, rest, w);
	return 1;
}

/* p x - q y = g, or -g if *@negative */
static cc_word of_words(cc_word *p, cc_word *q, int *negative, cc_word x, cc_word y)
{
	cc_word u0 = 1, u1 = 0, v0 = 0, v1 = 1, k, rest;

	for (;;) {
		k = x / y;
		rest = x % y;
		if (!rest) {
			*p = v0;
			*q = v1;
			*negative = 1;
			return y;
		}
		x = rest;
		u0 += k * v0;
		u1 += k * v1;
		k = y / x;
		rest = y % x;
		if (!rest) {
			*p = u0;
			*q = u1;
			*negative = 0;
			return x;
		}
		y = rest;
		v0 += k * u0;
		v1 += k * u1;
	}
}

/* Rows of the identity, for numbers of n words; returns what is above them. */
static cc_word *place_rows(struct pair *p, size_t n, unsigned int rows, cc_word *t)
{
	unsigned int i;

	p->rows = rows;
	p->length = 1;
	for (i = 0; i < rows; i++) {
		p->u[i] = t;
		p->v[i] = t + n + 2;
		p->u[i][0] = !i;
		p->v[i][0] = i;
		t += 2 * (n + 2);
	}
	return t;
}

static void find(struct pair *p, cc_word *t, struct cc_watch *w);

/*
 * Where the cofactors are longer than what is left of the pair, it gets rows of its own, whose
 * result p x - q y = +-g multiplies them, as that of words does.
 */
static void find_apart(struct pair *p, cc_word *t, struct cc_watch *w)
{
	struct pair rest = {.x = p->x, .y = p->y, .n = p->n};
	size_t words, length[2] = {0, 0};
	unsigned int i;

	t = place_rows(&rest, p->n, 2, t);
	find(&rest, t, w);
	p->x = rest.x;
	p->n = rest.n;
	p->negative ^= rest.negative;
	words = rest.length + p->length + 1;
	for (i = 0; i < p->rows && !cc_watch_stopped(w); i++) {
		combine(t, p->u[i], p->v[i], p->length, rest.u[0], rest.u[1], rest.length,
			t + words, w);
		length[i] = cc_limbs_normalise(t, words);
		memcpy(p->u[i], t, length[i] * sizeof(*t));
	}
	/* v counts no more */
	p->length = cc_larger(length[0], length[1]);
	for (i = 0; i < p->rows; i++)
		memset(p->u[i] + length[i], 0, (p->length - length[i]) * sizeof(*t));
}

/* The divisor of the pair as x, with its cofactors u. */
static void find(struct pair *p, cc_word *t, struct cc_watch *w)
{
	cc_word by[2], above[2] = {0, 0};
	struct cc_steps steps;
	unsigned int i;
	int negative;

	while (p->n > 1) {
		if (cc_watch_step(w, 4 * cc_larger(p->n, p->length)))
			return;
		if (p->length >= cc_thresholds()->gcdext && p->length >= p->n) {
			if (cc_limbs_cmp(p->x, p->y, p->n))
				find_apart(p, t, w);
			else
				choose(p);
			return;
		}
		if (p->n >= cc_thresholds()->gcdext) {
			if (shorten(p, t, w))
				continue;
		} else if (cc_gcd_steps(&steps, p->x, p->y, p->n, NULL)) {
			take_steps(p, &steps, t);
			continue;
		}
		if (cc_watch_stopped(w) || divide(p, t, w))
			return;
	}
	if (p->x[0] == p->y[0]) {
		choose(p);
		return;
	}
	p->x[0] = of_words(&by[0], &by[1], &negative, p->x[0], p->y[0]);
	p->negative ^= negative;
	for (i = 0; i < p->rows; i++) {
		above[i] = cc_limbs_mul_1(p->u[i], p->u[i], p->length, by[0]);
		above[i] += cc_limbs_addmul_1(p->u[i], p->v[i], p->length, by[1]);
	}
	if (above[0] | above[1]) {
		for (i = 0; i < p->rows; i++)
			p->u[i][p->length] = above[i];
		p->length++;
	}
}

static void fill(cc_word *r, size_t n, const cc_word *a, size_t an)
{
	an = cc_limbs_normalise(a, an);
	memcpy(r, a, an * sizeof(*r));
	memset(r + an, 0, (n - an) * sizeof(*r));
}

/* y[an] = (x a - g) / b, or (x a + g) / b if @negative; exact */
static void other_cofactor(cc_word *y, const cc_word *x, size_t xn, const cc_word *g, size_t gn,
			   int negative, const cc_word *a, size_t an, const cc_word *b, size_t bn,
			   cc_word *t, struct cc_watch *w)
{
	size_t n = xn + an;
	cc_word *q = t + n + 1, *work = q + an + 2;

	if (cc_watch_step(w, 4 * n))
		return;
	cc_natural_mul_watched(t, a, an, x, xn, work, w);
	if (cc_watch_step(w, 4 * n))
		return;
	t[n] = 0;
	if (negative)
		cc_limbs_add_1(t + gn, t + gn, n + 1 - gn, cc_limbs_add(t, t, g, gn));
	else
		cc_limbs_sub_1(t + gn, t + gn, n + 1 - gn, cc_limbs_sub(t, t, g, gn));
	n = cc_limbs_normalise(t, n + 1);
	if (n < bn) {
		memset(y, 0, an * sizeof(*y));
		return;
	}
	cc_natural_divrem_watched(q, t, t, n, b, bn, work, w);
	fill(y, an, q, n - bn + 1);
}

/*
 * g, and the cofactor x[bn] of a[an] and, if y is not NULL, y[an] of b[bn], an >= bn >= 1,
 * with top words that are not 0.  Returns g's length, or 0 if it was stopped.
 */
static size_t extended(cc_word *g, cc_word *x, cc_word *y, int *negative, const cc_word *a,
		       size_t an, const cc_word *b, size_t bn, cc_word *scratch, struct cc_watch *w)
{
	struct pair p = {.n = bn};
	cc_word *q = scratch, *t = q + an - bn + 1;
	size_t gn, xn;

	p.x = t;
	p.y = t + bn + 1;
	t += 2 * (bn + 1);
	t = place_rows(&p, bn, y && an < BOTH_ROWS ? 2 : 1, t);
	memcpy(p.y, b, bn * sizeof(*b));
	if (an == bn) {
		memcpy(p.x, a, an * sizeof(*a));
		find(&p, t, w);
	} else {
		cc_natural_divrem_watched(q, p.x, a, an, p.y, bn, t, w);
		if (cc_watch_stopped(w))
			return 0;
		if (cc_limbs_normalise(p.x, bn))
			find(&p, t, w);
		else
			exchange(&p);
	}
	if (cc_watch_stopped(w))
		return 0;
	gn = cc_limbs_normalise(p.x, p.n);
	memcpy(g, p.x, gn * sizeof(*g));
	xn = cc_limbs_normalise(p.u[0], p.length);
	fill(x, bn, p.u[0], xn);
	*negative = p.negative;
	if (!y)
		return gn;
	if (p.rows == 1) {
		other_cofactor(y, x, xn, g, gn, p.negative, a, an, b, bn, scratch, w);
		return cc_watch_stopped(w) ? 0 : gn;
	}
	fill(y, an, p.u[1], p.length);
	if (an > bn && xn) {
		cc_natural_mul_watched(t, q, an - bn + 1, x, bn, t + an + 1, w);
		cc_limbs_add(y, y, t, an);
	}
	return gn;
}

/*
 * The quotient of both, the pair and two rows.  Then a division, a quotient of no more than n
 * words, and its product with a cofactor, which is at most a word longer than b; or a product of
 * the first quotient; or a matrix and its scratch, of 5n + 8 words and a product at least, which
 * suffices for the matrix's product with a row, of 3 (3n / 2 + 3) words and that of a product.
 * So it does for two rows of their own for what is left: as no cofactor has more words than n less
 * the pair's, and one, these have at most n / 2 + 1, and take 4 (n / 2 + 3) words.  They leave
 * 7 (n - n / 2) - 4 (n / 2 + 3) less than before, which is more than 0, and so on.
 * At the end, where one row is kept, a product of a word more than both have, and its division.
 */
size_t cc_natural_gcdext_scratch(size_t an, size_t bn)
{
	size_t n = an < bn ? an : bn, longer = cc_larger(an, bn), words, product, other = 0;

	if (!n)
		return 0;
	product = cc_natural_mul_scratch(longer, n);
	words = n + cc_larger(cc_natural_divrem_scratch(longer, n),
			      n + 1 + cc_natural_mul_scratch(n / 2 + 1, n / 2 + 1));
	words = cc_larger(words, longer + 1 + product);
	if (n >= cc_thresholds()->gcdext)
		words = cc_larger(words, cc_half_gcd_store(n) + cc_half_gcd_scratch(n));
	if (longer >= BOTH_ROWS)
		other = n + 2 * longer + 3 +
			cc_larger(product, cc_natural_divrem_scratch(n + longer + 1, n));
	return cc_larger(longer - n + 1 + 2 * (n + 1) + 4 * (n + 2) + words, other);
}

static void set_word(cc_word *r, size_t n, cc_word word)
{
	memset(r, 0, n * sizeof(*r));
	r[0] = word;
}

size_t cc_natural_gcdext_watched(cc_word *g, cc_word *x, cc_word *y, int *negative,
				 const cc_word *a, size_t an, const cc_word *b, size_t bn,
				 cc_word *scratch, struct cc_watch *w)
{
	size_t x_words = cc_larger(bn, 1), y_words = cc_larger(an, 1), gn;
	cc_word words[2];

	an = cc_limbs_normalise(a, an);
	bn = cc_limbs_normalise(b, bn);
	if (an == 1 && bn == 1 && a[0] != b[0]) {
		g[0] = of_words(&words[0], &words[1], negative, a[0], b[0]);
		set_word(x, x_words, words[0]);
		set_word(y, y_words, words[1]);
		return 1;
	}
	if (!an || !bn) {
		*negative = bn != 0;
		set_word(x, x_words, an != 0);
		set_word(y, y_words, bn != 0);
		if (an + bn)
			memcpy(g, an ? a : b, (an + bn) * sizeof(*g));
		return an + bn;
	}
	memset(x + bn, 0, (x_words - bn) * sizeof(*x));
	memset(y + an, 0, (y_words - an) * sizeof(*y));
	if (an >= bn)
		return extended(g, x, y, negative, a, an, b, bn, scratch, w);
	gn = extended(g, y, x, negative, b, bn, a, an, scratch, w);
	*negative = !*negative;
	return gn;
}

size_t cc_natural_gcdext(cc_word *g, cc_word *x, cc_word *y, int *negative, const cc_word *a,
			 size_t an, const cc_word *b, size_t bn, cc_word *scratch)
{
	return cc_natural_gcdext_watched(g, x, y, negative, a, an, b, bn, scratch, NULL);
}

/* The divisor, and the modulus's cofactor. */
size_t cc_natural_invert_scratch(size_t an, size_t mn)
{
	return 2 * (an < mn ? an : mn) + cc_natural_gcdext_scratch(an, mn);
}

int cc_natural_invert_watched(cc_word *r, const cc_word *a, size_t an, const cc_word *m, size_t mn,
			      cc_word *scratch, struct cc_watch *w)
{
	size_t words = mn, gn, n;
	cc_word *g = scratch, *of_m;
	int negative = 0, exists;

	an = cc_limbs_normalise(a, an);
	mn = cc_limbs_normalise(m, mn);
	n = an < mn ? an : mn;
	if (an == 1 && mn == 1 && a[0] != m[0]) {
		cc_word p, q;

		exists = of_words(&p, &q, &negative, a[0], m[0]) == 1;
		set_word(r, words, exists && m[0] > 1 ? negative ? m[0] - p : p : 0);
		return exists;
	}
	memset(r, 0, words * sizeof(*r));
	if (mn == 1 && m[0] == 1)
		return 1;
	if (!an)
		return 0;
	of_m = g + n;
	scratch = of_m + n;
	if (an >= mn) {
		gn = extended(g, r, NULL, &negative, a, an, m, mn, scratch, w);
	} else {
		gn = extended(g, of_m, r, &negative, m, mn, a, an, scratch, w);
		negative = !negative;
	}
	exists = gn == 1 && g[0] == 1;
	if (!exists)
		memset(r, 0, mn * sizeof(*r));
	else if (negative)
		cc_limbs_sub(r, m, r, mn);
	return exists;
}

int cc_natural_invert(cc_word *r, const cc_word *a, size_t an, const cc_word *m, size_t mn,
		      cc_word *scratch)
{
	return cc_natural_invert_watched(r, a, an, m, mn, scratch, NULL);
}
