/* SPDX-License-Identifier: MIT */
/*
 * passes.h - the transform itself, once for all tiers.
 *
 * A tier that includes it must define
 *   ELEMENT, VECTOR, LANES  a slot's type, a vector of them, and their number in it
 *   LEAF                    coefficients of a leaf, LANES or more
 *   TARGET                  the functions' attribute
 *   struct constants        of a prime: constants_of(f), all of a vector
 *   all(e)                  a vector of the same element
 *   load(x), store(x, v), add(a, b), sub(a, b)
 *   mul(a, w, wq, c)        a w: at most MUL(|a|) in magnitude
 *   trim(a, c)              a, at most TRIMMED
 *   reduce(a, c)            a, at most about p / 2
 * with magnitudes in units of p, and mul exact for |a| <= 8.
 *
 * For the tiers in doubles, MUL(a) = 1/2 + a/8 and TRIMMED = 1/2.  Forward, from values of at most
 * 2.13: x2 <= MUL(2.13) < 0.767, so x1 + x3 < 2.897, and the results are at most
 * 0.5 + 0.767 + MUL(2.897) < 2.13.  Backward, from values of at most 2: t2, t3 <= MUL(4) = 1,
 * so t2 + t3 <= 2, and t0 - t1 <= 8 becomes at most MUL(8) = 1.5.  In the tier in integers, no
 * value can overflow.
 */
#include "kernels.h"

/* Nodes of up to this many elements are transformed at once, in the first cache. */
#define BLOCK 2048

struct table {
	const ELEMENT *w, *wq;
};

struct factor {
	VECTOR w, q;
};

TARGET static inline struct factor factor(const struct table *t, size_t j)
{
	return (struct factor){all(t->w[j]), all(t->wq[j])};
}

TARGET static inline VECTOR times(VECTOR a, struct factor by, const struct constants *c)
{
	return mul(a, by.w, by.q, c);
}

/* Node j of 2q elements, to its children. */
TARGET static void forward2(ELEMENT *x, size_t q, size_t j, const struct table *t,
			    const struct constants *c)
{
	struct factor w = factor(t, j);
	size_t i;

	for (i = 0; i < q; i += LANES) {
		VECTOR a = trim(load(x + i), c), b = times(load(x + q + i), w, c);

		store(x + i, add(a, b));
		store(x + q + i, sub(a, b));
	}
}

/* Node j of 4q elements, to its grandchildren: the first @count elements of each. */
TARGET static inline void forward4(ELEMENT *x, size_t q, size_t count, size_t j,
				   const struct table *t, const struct constants *c)
{
	struct factor w1 = factor(t, j), w2 = factor(t, 2 * j), w3 = factor(t, 2 * j + 1);
	size_t i;

	for (i = 0; i < count; i += LANES) {
		VECTOR x0 = trim(load(x + i), c), x1 = load(x + q + i);
		VECTOR x2 = times(load(x + 2 * q + i), w1, c);
		VECTOR x3 = times(load(x + 3 * q + i), w1, c);
		VECTOR t0 = add(x0, x2), t1 = sub(x0, x2);
		VECTOR t2 = times(add(x1, x3), w2, c), t3 = times(sub(x1, x3), w3, c);

		store(x + i, add(t0, t2));
		store(x + q + i, sub(t0, t2));
		store(x + 2 * q + i, add(t1, t3));
		store(x + 3 * q + i, sub(t1, t3));
	}
}

/* For node 0, in which no product reduces the sums; a test omits it. */
#ifndef trim_first
#define trim_first reduce
#endif

/* The same for node 0: w1 = w2 = 1. */
TARGET static void forward4_first(ELEMENT *x, size_t q, size_t count, const struct table *t,
				  const struct constants *c)
{
	struct factor w3 = factor(t, 1);
	size_t i;

	for (i = 0; i < count; i += LANES) {
		VECTOR x0 = trim_first(load(x + i), c), x1 = trim_first(load(x + q + i), c);
		VECTOR x2 = trim_first(load(x + 2 * q + i), c);
		VECTOR x3 = trim_first(load(x + 3 * q + i), c);
		VECTOR t0 = add(x0, x2), t1 = sub(x0, x2);
		VECTOR t2 = add(x1, x3), t3 = times(sub(x1, x3), w3, c);

		store(x + i, add(t0, t2));
		store(x + q + i, sub(t0, t2));
		store(x + 2 * q + i, add(t1, t3));
		store(x + 3 * q + i, sub(t1, t3));
	}
}

TARGET static void forward_block(ELEMENT *x, size_t m, size_t j, const struct table *t,
				 const struct constants *c)
{
	size_t nodes = 1, i, q = m / 4;

	for (; q >= LEAF; q /= 4, nodes *= 4, j *= 4) {
		ELEMENT *y = x;

		i = 0;
		if (!j) {
			forward4_first(y, q, q, t, c);
			y += 4 * q;
			i++;
		}
		for (; i < nodes; i++, y += 4 * q)
			forward4(y, q, q, j + i, t, c);
	}
	if (4 * q == 2 * LEAF)
		for (i = 0; i < nodes; i++, x += 2 * LEAF)
			forward2(x, LEAF, j + i, t, c);
}

/* A long node's first two levels: the elements from @from to below @to of each of its four parts.
 */
TARGET static void forward_columns(ELEMENT *x, size_t m, size_t j, size_t from, size_t to,
				   const struct table *t, const struct constants *c,
				   struct cc_watch *w)
{
	size_t q = m / 4, i, count;

	for (i = from; i < to; i += count) {
		count = to - i < CC_TRANSFORM_STEP ? to - i : CC_TRANSFORM_STEP;
		if (m >= CC_TRANSFORM_STEP && cc_watch_step(w, CC_STEP_WORDS))
			return;
		if (j)
			forward4(x + i, q, count, j, t, c);
		else
			forward4_first(x + i, q, count, t, c);
	}
}

TARGET static void forward_node(ELEMENT *x, size_t m, size_t j, const struct table *t,
				const struct constants *c, struct cc_watch *w)
{
	size_t q = m / 4, i;

	if (m <= BLOCK) {
		forward_block(x, m, j, t, c);
		return;
	}
	forward_columns(x, m, j, 0, q, t, c, w);
	for (i = 0; i < 4 && !cc_watch_stopped(w); i++)
		forward_node(x + i * q, q, 4 * j + i, t, c, w);
}

/* The place in the table of the inverse of w[j], j > 0, up to its sign. */
static inline size_t inverse_of(size_t j)
{
	size_t top = (size_t)1 << (63 - cc_clz_u64(j));

	return 3 * top - 1 - j;
}

TARGET static void inverse2(ELEMENT *x, size_t q, size_t j, const struct table *t,
			    const struct constants *c)
{
	struct factor w = factor(t, j ? inverse_of(j) : 0);
	size_t i;

	for (i = 0; i < q; i += LANES) {
		VECTOR a = load(x + i), b = load(x + q + i);

		store(x + i, reduce(add(a, b), c));
		store(x + q + i, times(j ? sub(b, a) : sub(a, b), w, c));
	}
}

TARGET static inline void inverse4(ELEMENT *x, size_t q, size_t count, size_t j,
				   const struct table *t, const struct constants *c)
{
	size_t back = inverse_of(j), i;
	struct factor w1 = factor(t, back), w2 = factor(t, 2 * back + 1), w3 = factor(t, 2 * back);

	for (i = 0; i < count; i += LANES) {
		VECTOR b0 = load(x + i), b1 = load(x + q + i);
		VECTOR b2 = load(x + 2 * q + i), b3 = load(x + 3 * q + i);
		VECTOR t0 = add(b0, b1), t1 = add(b2, b3);
		VECTOR t2 = times(sub(b1, b0), w2, c), t3 = times(sub(b3, b2), w3, c);

		store(x + i, reduce(add(t0, t1), c));
		store(x + q + i, add(t2, t3));
		store(x + 2 * q + i, times(sub(t1, t0), w1, c));
		store(x + 3 * q + i, times(sub(t3, t2), w1, c));
	}
}

TARGET static void inverse4_first(ELEMENT *x, size_t q, size_t count, const struct table *t,
				  const struct constants *c)
{
	struct factor w3 = factor(t, 1);
	size_t i;

	for (i = 0; i < count; i += LANES) {
		VECTOR b0 = load(x + i), b1 = load(x + q + i);
		VECTOR b2 = load(x + 2 * q + i), b3 = load(x + 3 * q + i);
		VECTOR t0 = add(b0, b1), t1 = add(b2, b3);
		VECTOR t2 = sub(b0, b1), t3 = times(sub(b3, b2), w3, c);

		store(x + i, reduce(add(t0, t1), c));
		store(x + q + i, reduce(add(t2, t3), c));
		store(x + 2 * q + i, reduce(sub(t0, t1), c));
		store(x + 3 * q + i, reduce(sub(t2, t3), c));
	}
}

TARGET static void inverse_block(ELEMENT *x, size_t m, size_t j, const struct table *t,
				 const struct constants *c)
{
	size_t q = LEAF, nodes, i;

	/* m is a power of two */
	if ((cc_clz_u64(m) - cc_clz_u64(LEAF)) & 1) {
		nodes = m / (2 * LEAF);
		for (i = 0; i < nodes; i++)
			inverse2(x + i * 2 * LEAF, LEAF, j * nodes + i, t, c);
		q = 2 * LEAF;
	}
	for (; 4 * q <= m; q *= 4) {
		ELEMENT *y = x;

		nodes = m / (4 * q);
		i = 0;
		if (!j) {
			inverse4_first(y, q, q, t, c);
			y += 4 * q;
			i++;
		}
		for (; i < nodes; i++, y += 4 * q)
			inverse4(y, q, q, j * nodes + i, t, c);
	}
}

/* A long node's last two levels: likewise. */
TARGET static void inverse_columns(ELEMENT *x, size_t m, size_t j, size_t from, size_t to,
				   const struct table *t, const struct constants *c,
				   struct cc_watch *w)
{
	size_t q = m / 4, i, count;

	for (i = from; i < to; i += count) {
		count = to - i < CC_TRANSFORM_STEP ? to - i : CC_TRANSFORM_STEP;
		if (m >= CC_TRANSFORM_STEP && cc_watch_step(w, CC_STEP_WORDS))
			return;
		if (j)
			inverse4(x + i, q, count, j, t, c);
		else
			inverse4_first(x + i, q, count, t, c);
	}
}

TARGET static void inverse_node(ELEMENT *x, size_t m, size_t j, const struct table *t,
				const struct constants *c, struct cc_watch *w)
{
	size_t q = m / 4, i;

	if (m <= BLOCK) {
		inverse_block(x, m, j, t, c);
		return;
	}
	for (i = 0; i < 4; i++)
		inverse_node(x + i * q, q, 4 * j + i, t, c, w);
	inverse_columns(x, m, j, 0, q, t, c, w);
}

/* A factor that is not in a table. */
TARGET static inline struct factor constant(int64_t value, const struct constants *c)
{
	VECTOR w = all((ELEMENT)value);

	return (struct factor){w, quotient(w, c)};
}

/*
 * f modulo its ring's nodes, for the columns from @from to below @to; with i = w[1] and
 * g = f modulo x^h + 1, where h is the first node's m.
 */
TARGET static void fold_columns(ELEMENT *x, const struct cc_ring *ring, size_t from, size_t to,
				const struct table *t, const struct constants *c,
				struct cc_watch *w)
{
	struct factor i = factor(t, 1);
	size_t h = ring->node[0].m, u = ring->node[ring->nodes - 1].m, n;
	size_t columns = ring->length / u;

	if (columns == 3) {
		for (n = from; n < to && !cc_transform_stopped(w, n); n += LANES) {
			VECTOR f0 = load(x + n), f1 = load(x + u + n), f2 = load(x + h + n);

			store(x + n, add(f0, f2));
			store(x + h + n, add(sub(f0, f2), times(f1, i, c)));
		}
		return;
	}
	for (n = from; n < to && !cc_transform_stopped(w, n); n += LANES) {
		ELEMENT *y = x + n;
		VECTOR f0 = load(y), f1 = load(y + u), g2 = load(y + 2 * u);
		VECTOR f4 = load(y + h), g0 = sub(f0, f4), g1 = f1, t2, t3;

		store(y, add(f0, f4));
		if (columns == 7) {
			VECTOR f5 = load(y + h + u), f6 = load(y + h + 2 * u);

			g1 = sub(f1, f5);
			store(y + u, add(f1, f5));
			store(y + 2 * u, add(g2, f6));
			g2 = sub(g2, f6);
		}
		t2 = times(g2, i, c);
		t3 = times(load(y + 3 * u), i, c);
		if (columns == 7) {
			store(y + h, add(g0, t2));
			store(y + h + u, add(g1, t3));
			store(y + h + 2 * u, add(sub(g0, t2), times(sub(g1, t3), factor(t, 3), c)));
		} else {
			store(y + h, add(add(g0, t2), times(add(g1, t3), factor(t, 2), c)));
		}
	}
}

/* Restores f: the multiple of x^h - 1 is found from the other nodes, first of two, then of three.
 */
TARGET static void unfold_columns(ELEMENT *x, const struct cc_ring *ring, size_t from, size_t to,
				  const struct table *t, const struct constants *c,
				  const struct cc_prime *prime, struct cc_watch *w)
{
	struct factor i = factor(t, 1), half = constant((1 - prime->p) / 2, c);
	struct factor quarter_i = constant(prime->quarter_i, c);
	size_t h = ring->node[0].m, u = ring->node[ring->nodes - 1].m, n;
	size_t columns = ring->length / u;

	if (columns == 3) {
		for (n = from; n < to && !cc_transform_stopped(w, n); n += LANES) {
			VECTOR a0 = reduce(load(x + n), c), a1 = reduce(load(x + u + n), c);
			VECTOR b = reduce(load(x + h + n), c);
			VECTOR g = times(sub(add(a0, times(a1, i, c)), b), half, c);

			store(x + n, sub(a0, g));
			store(x + h + n, g);
		}
		return;
	}
	for (n = from; n < to && !cc_transform_stopped(w, n); n += LANES) {
		ELEMENT *y = x + n;
		VECTOR a0 = reduce(load(y), c), a1 = reduce(load(y + u), c);
		VECTOR a2 = reduce(load(y + 2 * u), c), a3 = reduce(load(y + 3 * u), c);
		VECTOR b0 = reduce(load(y + h), c), t2 = times(a2, i, c), t3 = times(a3, i, c);
		VECTOR b1, g0, g1, f;

		if (columns == 5) {
			f = add(add(a0, t2), times(add(a1, t3), factor(t, 2), c));
			g0 = times(sub(f, b0), half, c);
			store(y, sub(a0, g0));
			store(y + h, g0);
			continue;
		}
		b1 = reduce(load(y + h + u), c);
		g0 = times(sub(add(a0, t2), b0), half, c);
		g1 = times(sub(add(a1, t3), b1), half, c);
		a0 = sub(a0, g0);
		a1 = sub(a1, g1);
		f = sub(sub(a0, g0), t2);
		f = add(f, times(sub(sub(a1, g1), t3), factor(t, 3), c));
		f = reduce(sub(f, reduce(load(y + h + 2 * u), c)), c);
		f = times(f, quarter_i, c);
		t2 = times(f, i, c);
		store(y, add(a0, t2));
		store(y + u, a1);
		store(y + 2 * u, sub(a2, f));
		store(y + h, sub(g0, t2));
		store(y + h + u, g1);
		store(y + h + 2 * u, f);
	}
}

static inline struct table table_of(const struct cc_field *field)
{
	return (struct table){(const ELEMENT *)field->w, (const ELEMENT *)field->wq};
}

TARGET static void fold(const struct cc_field *field, cc_u64 *x, const struct cc_ring *ring,
			size_t from, size_t to, struct cc_watch *w)
{
	const struct constants c = constants_of(field);
	const struct table t = table_of(field);

	fold_columns((ELEMENT *)x, ring, from, to, &t, &c, w);
}

TARGET static void unfold(const struct cc_field *field, cc_u64 *x, const struct cc_ring *ring,
			  size_t from, size_t to, struct cc_watch *w)
{
	const struct constants c = constants_of(field);
	const struct table t = table_of(field);

	unfold_columns((ELEMENT *)x, ring, from, to, &t, &c, field->prime, w);
}

TARGET static void descend(const struct cc_field *field, cc_u64 *x, const struct cc_node *node,
			   size_t from, size_t to, struct cc_watch *w)
{
	const struct constants c = constants_of(field);
	const struct table t = table_of(field);

	forward_columns((ELEMENT *)x + node->at, node->m, node->j, from, to, &t, &c, w);
}

TARGET static void ascend(const struct cc_field *field, cc_u64 *x, const struct cc_node *node,
			  size_t from, size_t to, struct cc_watch *w)
{
	const struct constants c = constants_of(field);
	const struct table t = table_of(field);

	inverse_columns((ELEMENT *)x + node->at, node->m, node->j, from, to, &t, &c, w);
}

TARGET static void forward(const struct cc_field *field, cc_u64 *x, const struct cc_ring *ring,
			   struct cc_watch *w)
{
	const struct constants c = constants_of(field);
	const struct table t = table_of(field);
	unsigned int i;

	if (ring->nodes > 1)
		fold_columns((ELEMENT *)x, ring, 0, ring->node[ring->nodes - 1].m, &t, &c, w);
	for (i = 0; i < ring->nodes; i++) {
		const struct cc_node *node = &ring->node[i];

		forward_node((ELEMENT *)x + node->at, node->m, node->j, &t, &c, w);
	}
}

TARGET static void inverse(const struct cc_field *field, cc_u64 *x, const struct cc_ring *ring,
			   struct cc_watch *w)
{
	const struct constants c = constants_of(field);
	const struct table t = table_of(field);
	unsigned int i;

	for (i = 0; i < ring->nodes; i++) {
		const struct cc_node *node = &ring->node[i];

		inverse_node((ELEMENT *)x + node->at, node->m, node->j, &t, &c, w);
	}
	if (ring->nodes > 1)
		unfold_columns((ELEMENT *)x, ring, 0, ring->node[ring->nodes - 1].m, &t, &c,
			       field->prime, w);
}
