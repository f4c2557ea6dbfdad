// SPDX-License-Identifier: MIT
/*
 * RSA by the Chinese remainder theorem: the halves x^dp mod p and x^dq mod q of up to eight
 * messages are independent, and go in lanes; halves of different widths in batches of their
 * own.
 */
#include <carrychain/rsa.h>

#include "kernels.h"
#include "mask.h"

#define GROUP 8

/* r[n], or 0 and CC_EINVAL where it is not @right: by masks. */
static int only(cc_word *r, cc_word right, size_t n)
{
	size_t i;

	right = cc_hide(right);
	for (i = 0; i < n; i++)
		r[i] &= right;
	return -(int)(~right & -CC_EINVAL);
}

int cc_fz_rsa_init_public(struct cc_fz_rsa *key, cc_word *memory, const cc_word *n, size_t nn,
			  const cc_word *e, size_t en)
{
	struct cc_fz_mont N;
	cc_word *exponent;
	int error;

	if (cc_fixed_shown_bits(e, en) < 2 || !(e[0] & 1))
		return CC_EINVAL;
	error = cc_fz_mont_init(&N, memory, n, nn);
	if (error)
		return error;
	exponent = memory + CC_FZ_MONT_WORDS(nn);
	memcpy(exponent, e, en * sizeof(*e));
	*key = (struct cc_fz_rsa){.n = N, .e = exponent, .en = en};
	return CC_OK;
}

/* d = 1 / e mod p - 1 for odd p, *@exists whether there is one; p = 1 is refused */
static int private_exponent(cc_word *d, cc_word *exists, const cc_word *e, size_t en,
			    const cc_word *p, size_t n)
{
	cc_word less[CC_FZ_MAX];
	int error;

	memcpy(less, p, n * sizeof(*p));
	less[0] ^= 1;
	error = cc_fz_mod(d, e, en, less, n);
	if (!error)
		error = cc_fz_inverse(d, exists, d, less, n);
	cc_wipe(less, n * sizeof(*less));
	return error;
}

int cc_fz_rsa_init(struct cc_fz_rsa *key, cc_word *memory, const cc_word *p, size_t pn,
		   const cc_word *q, size_t qn, const cc_word *e, size_t en)
{
	cc_word *for_p, *for_q, *dp, *q_inverse, *dq;
	cc_word n[CC_FZ_MAX], p_exists, q_exists, exists;
	int error;

	if (!pn || !qn || pn > CC_FZ_MAX || qn > CC_FZ_MAX - pn || !(p[0] & q[0] & 1))
		return CC_EINVAL;
	cc_fz_mul_unequal(n, p, pn, q, qn);
	/* it is odd, which memcheck does not see through a product */
	n[0] |= 1;
	error = cc_fz_rsa_init_public(key, memory, n, pn + qn, e, en);
	if (error)
		return error;
	for_p = memory + CC_FZ_RSA_PUBLIC_WORDS(pn + qn, en);
	for_q = for_p + CC_FZ_MONT_WORDS(pn);
	dp = for_q + CC_FZ_MONT_WORDS(qn);
	q_inverse = dp + pn;
	dq = q_inverse + pn;
	(void)cc_fz_mont_init(&key->p, for_p, p, pn);
	(void)cc_fz_mont_init(&key->q, for_q, q, qn);
	key->dp = dp;
	key->dq = dq;
	key->q_inverse = q_inverse;
	error = private_exponent(dp, &p_exists, e, en, p, pn);
	if (!error)
		error = private_exponent(dq, &q_exists, e, en, q, qn);
	if (error)
		return error;
	(void)cc_fz_mod(q_inverse, q, qn, p, pn);
	(void)cc_fz_inverse(q_inverse, &exists, q_inverse, p, pn);
	cc_fz_mont_to(q_inverse, q_inverse, &key->p);
	return only(dp, p_exists & q_exists & exists, pn);
}

int cc_fz_rsa_public(cc_word *r, const cc_word *x, const struct cc_fz_rsa *key)
{
	size_t n = key->n.n;
	cc_word below = cc_fz_lt(x, key->n.m, n);

	cc_fz_mont_powmod_public(r, x, key->e, key->en, &key->n);
	return only(r, below, n);
}

/*
 * half[n] = x modulo p, and modulo q; x times f^e mod n first if there is a generator, and
 * factor[n] = f in Montgomery's form.
 */
static __attribute__((__noinline__)) int reduce(cc_word *half, cc_word *factor, const cc_word *x,
						const struct cc_fz_rsa *key,
						cc_fz_generator *generator, void *state)
{
	const struct cc_fz_mont *N = &key->n, *P = &key->p, *Q = &key->q;
	cc_word hidden[CC_FZ_MAX];
	int error;

	if (generator) {
		error = cc_fz_random_wide(factor, N->m, N->n, generator, state);
		if (error)
			return error;
		cc_fz_mont_powmod_public(hidden, factor, key->e, key->en, N);
		cc_fz_mont_to(hidden, hidden, N);
		/* any x below R will do beside a factor below n */
		cc_fz_mont_mul(hidden, hidden, x, N);
		cc_fz_mont_to(factor, factor, N);
		x = hidden;
	}
	(void)cc_fz_mod(half, x, N->n, P->m, P->n);
	(void)cc_fz_mod(half + P->n, x, N->n, Q->m, Q->n);
	if (generator)
		cc_wipe(hidden, N->n * sizeof(*hidden));
	return CC_OK;
}

/*
 * Of count factors the inverses, in place, by that of their product; all 0 if one has none.
 * An inverse takes about as long as one of eight powers in a batch.
 */
static __attribute__((__noinline__)) void invert(cc_word *factor, size_t count,
						 const struct cc_fz_mont *N)
{
	cc_word before[GROUP * CC_FZ_MAX], all[CC_FZ_MAX], exists;
	size_t n = N->n, bytes = n * sizeof(cc_word), i;

	memcpy(all, factor, bytes);
	for (i = 1; i < count; i++) {
		memcpy(before + i * n, all, bytes);
		cc_fz_mont_mul(all, all, factor + i * n, N);
	}
	cc_fz_mont_inverse(all, &exists, all, N);
	for (i = count - 1; i; i--) {
		cc_fz_mont_mul(before + i * n, before + i * n, all, N);
		cc_fz_mont_mul(all, all, factor + i * n, N);
		memcpy(factor + i * n, before + i * n, bytes);
	}
	memcpy(factor, all, bytes);
	cc_wipe(before, count * bytes);
	cc_wipe(all, bytes);
}

/* Of count messages the halves, first those modulo p, raised to their exponents in place. */
static __attribute__((__noinline__)) void raise(cc_word *half, size_t count,
						const struct cc_fz_rsa *key)
{
	const struct cc_fz_mont *P = &key->p, *Q = &key->q, *M[8];
	size_t used = 0, i;
	struct cc_fixed_power_8 lanes;

	for (i = 0; i < 2 * count; i++) {
		bool by_p = i < count;
		cc_word *at = half + (by_p ? i : i - count) * key->n.n + (by_p ? 0 : P->n);

		lanes.r[used] = at;
		lanes.b[used] = at;
		lanes.e[used] = by_p ? key->dp : key->dq;
		M[used++] = by_p ? P : Q;
		if (used == 8 || i + 1 == 2 * count || (i + 1 == count && P->n != Q->n)) {
			cc_fixed_mont_powmod_8(&lanes, M, used, M[0]->n * CC_WORD_BITS);
			used = 0;
		}
	}
}

/* r from both halves, without the factor if there is one, if it is verified; else 0. */
static __attribute__((__noinline__)) int finish(cc_word *r, const cc_word *x, const cc_word *half,
						const cc_word *factor, const struct cc_fz_rsa *key)
{
	const struct cc_fz_mont *N = &key->n, *P = &key->p, *Q = &key->q;
	const cc_word *by_p = half, *by_q = half + P->n;
	cc_word s[CC_FZ_MAX], t[CC_FZ_MAX];
	int error;

	/* s = sq + q ((sp - sq) / q mod p) <= q - 1 + q (p - 1) < n (Garner) */
	(void)cc_fz_mod(t, by_q, Q->n, P->m, P->n);
	cc_fz_submod(t, by_p, t, P->m, P->n);
	cc_fz_mont_mul(t, t, key->q_inverse, P);
	cc_fz_mul_unequal(s, t, P->n, Q->m, Q->n);
	cc_fz_add_word(s + Q->n, s + Q->n, P->n, cc_fz_add(s, s, by_q, Q->n));
	if (factor)
		cc_fz_mont_mul(s, s, factor, N);

	cc_fz_mont_powmod_public(t, s, key->e, key->en, N);
	error = only(s, cc_fz_eq(t, x, N->n), N->n);
	memcpy(r, s, N->n * sizeof(*r));
	cc_wipe(s, N->n * sizeof(*s));
	cc_wipe(t, N->n * sizeof(*t));
	return error;
}

int cc_fz_rsa_private_many(cc_word *r, const cc_word *x, size_t count, const struct cc_fz_rsa *key,
			   cc_fz_generator *generator, void *state)
{
	cc_word half[GROUP * CC_FZ_MAX], factor[GROUP * CC_FZ_MAX];
	size_t n = key->n.n, done, group, i;
	int error = key->p.n ? CC_OK : CC_EINVAL, refused = CC_OK;

	for (done = 0; done < count && !error; done += group) {
		cc_word *to = r + done * n;
		const cc_word *from = x + done * n;

		group = count - done < GROUP ? count - done : GROUP;
		for (i = 0; i < group && !error; i++)
			error = reduce(half + i * n, factor + i * n, from + i * n, key, generator,
				       state);
		if (error)
			break;
		if (generator)
			invert(factor, group, &key->n);
		raise(half, group, key);
		for (i = 0; i < group; i++)
			refused |= finish(to + i * n, from + i * n, half + i * n,
					  generator ? factor + i * n : NULL, key);
	}
	cc_wipe(half, GROUP * n * sizeof(*half));
	cc_wipe(factor, GROUP * n * sizeof(*factor));
	if (error)
		memset(r, 0, count * n * sizeof(*r));
	return error ? error : refused;
}

int cc_fz_rsa_private(cc_word *r, const cc_word *x, const struct cc_fz_rsa *key,
		      cc_fz_generator *generator, void *state)
{
	return cc_fz_rsa_private_many(r, x, 1, key, generator, state);
}
