/* SPDX-License-Identifier: MIT */
/*
 * convolve.h - products of transformed numbers, once for all tiers.
 *
 * In addition to what passes.h needs and defines, a tier must define
 *   multiply_node(x, y, m, j, by, t, c, w)  node j of m coefficients: x = x y by; y may be x
 * and table, split and join for its STEPS.
 */

TARGET static void multiply(const struct cc_field *field, cc_u64 *x, const cc_u64 *y,
			    const struct cc_ring *ring, const int64_t *scale, struct cc_watch *w)
{
	const struct constants c = constants_of(field);
	const struct table t = table_of(field);
	unsigned int i;

	for (i = 0; i < ring->nodes; i++) {
		const struct cc_node *node = &ring->node[i];

		multiply_node((ELEMENT *)x + node->at, (const ELEMENT *)y + node->at, node->m,
			      node->j, constant(scale[i], &c), &t, &c, w);
	}
}

/*
 * Forward, product and inverse, part by part: intermediate results stay in the first cache, and
 * each number passes through memory twice per level.
 */
TARGET static void convolve_node(ELEMENT *x, const ELEMENT *y, size_t m, size_t j, struct factor by,
				 const struct table *t, const struct constants *c,
				 struct cc_watch *w)
{
	size_t q = m / 4, i;

	if (m <= BLOCK) {
		forward_block(x, m, j, t, c);
		multiply_node(x, y, m, j, by, t, c, w);
		inverse_block(x, m, j, t, c);
		return;
	}
	forward_columns(x, m, j, 0, q, t, c, w);
	for (i = 0; i < 4 && !cc_watch_stopped(w); i++)
		convolve_node(x + i * q, y + i * q, q, 4 * j + i, by, t, c, w);
	inverse_columns(x, m, j, 0, q, t, c, w);
}

TARGET static void convolve(const struct cc_field *field, cc_u64 *x, const cc_u64 *y,
			    const struct cc_ring *ring, const int64_t *scale, struct cc_watch *w)
{
	const struct constants c = constants_of(field);
	const struct table t = table_of(field);
	size_t columns = ring->node[ring->nodes - 1].m;
	unsigned int i;

	if (ring->nodes > 1)
		fold_columns((ELEMENT *)x, ring, 0, columns, &t, &c, w);
	for (i = 0; i < ring->nodes; i++) {
		const struct cc_node *node = &ring->node[i];

		convolve_node((ELEMENT *)x + node->at, (const ELEMENT *)y + node->at, node->m,
			      node->j, constant(scale[i], &c), &t, &c, w);
	}
	if (ring->nodes > 1)
		unfold_columns((ELEMENT *)x, ring, 0, columns, &t, &c, field->prime, w);
}

/* The members of struct cc_transform_kernels that every tier has. */
#define STEPS                                                                                      \
	.table = table, .split = split, .forward = forward, .multiply = multiply,                  \
	.inverse = inverse, .convolve = convolve, .fold = fold, .unfold = unfold,                  \
	.descend = descend, .ascend = ascend, .join = join
