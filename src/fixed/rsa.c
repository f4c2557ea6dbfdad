// SPDX-License-Identifier: MIT
/*
 * RSA by the Chinese remainder theorem.  The halves x^dp mod p and x^dq mod q of up to eight
 * messages are independent, and are computed in lanes; halves of different widths are in
 * separate batches.
 */
#include <carrychain/rsa.h>

#include "kernels.h"
#include "mask.h"

#define GROUP 8

/* The bits that blind an exponent, and their words. */
#define BLIND_BITS  64
#define BLIND_WORDS (BLIND_BITS / CC_WORD_BITS)

/* r[n]; or 0 and CC_EINVAL if it is not @right, by masks. */
static int only(cc_word *r, cc_word right, size_t n)
{
	size_t i;

	right = cc_hide(right);
	for (i = 0; i < n; i++)
		r[i] &= right;
	return -(int)(~right & -CC_EINVAL);
}

/* A key for n and e; e is odd and not 1. */
static int take_public(struct cc_fz_rsa *key, cc_word *memory, const cc_word *n, size_t nn,
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
	*key = (struct cc_fz_rsa){.n = N, .e = exponent, .en = en, .blinds_exponents = true};
	return CC_OK;
}

/* Whether e < n, as a mask; e's width leaks. */
static cc_word is_below(const cc_word *e, size_t en, const cc_word *n, size_t nn)
{
	cc_word wide[CC_FZ_MAX];

	while (en && !e[en - 1])
		en--;
	if (en > nn)
		return 0;
	memcpy(wide, e, en * sizeof(*e));
	memset(wide + en, 0, (nn - en) * sizeof(*wide));
	return cc_fz_lt(wide, n, nn);
}

int cc_fz_rsa_init_public(struct cc_fz_rsa *key, cc_word *memory, const cc_word *n, size_t nn,
			  const cc_word *e, size_t en)
{
	int error = take_public(key, memory, n, nn, e, en);

	return !error && !is_below(e, en, n, nn) ? CC_EINVAL : error;
}

/*
 * d = 1 / e mod p - 1 for odd p, and less[n] = p - 1; *@exists: whether there is an inverse;
 * p = 1 is refused
 */
static int private_exponent(cc_word *d, cc_word *exists, const cc_word *e, size_t en,
			    const cc_word *p, size_t n, cc_word *less)
{
	int error;

	memcpy(less, p, n * sizeof(*p));
	less[0] ^= 1;
	error = cc_fz_mod(d, e, en, less, n);
	return error ? error : cc_fz_inverse(d, exists, d, less, n);
}

/* Computes the private numbers of a key that has its public ones. */
static int take_private(struct cc_fz_rsa *key, cc_word *memory, const cc_word *p, size_t pn,
			const cc_word *q, size_t qn, cc_word *valid)
{
	cc_word *for_p = memory + CC_FZ_RSA_PUBLIC_WORDS(pn + qn, key->en);
	cc_word *for_q = for_p + CC_FZ_MONT_WORDS(pn), *dp = for_q + CC_FZ_MONT_WORDS(qn);
	cc_word *q_inverse = dp + pn, *dq = q_inverse + pn, p_exists, q_exists, exists;
	cc_word less[CC_FZ_MAX];
	int error;

	(void)cc_fz_mont_init(&key->p, for_p, p, pn);
	(void)cc_fz_mont_init(&key->q, for_q, q, qn);
	key->dp = dp;
	key->dq = dq;
	key->q_inverse = q_inverse;
	error = private_exponent(dp, &p_exists, key->e, key->en, p, pn, less);
	if (!error)
		error = private_exponent(dq, &q_exists, key->e, key->en, q, qn, less);
	cc_wipe(less, (pn > qn ? pn : qn) * sizeof(*less));
	if (error)
		return error;
	(void)cc_fz_mod(q_inverse, q, qn, p, pn);
	(void)cc_fz_inverse(q_inverse, &exists, q_inverse, p, pn);
	cc_fz_mont_to(q_inverse, q_inverse, &key->p);
	*valid = p_exists & q_exists & exists;
	return CC_OK;
}

/* The context, or that of 1 if it is not @kept: 1 is also odd, so using it leaks nothing. */
static void forget(struct cc_fz_mont *P, cc_word *memory, cc_word kept)
{
	only(memory, kept, CC_FZ_MONT_WORDS(P->n));
	memory[P->m - memory] |= 1;
	P->minus_inverse |= ~kept;
}

int cc_fz_rsa_init(struct cc_fz_rsa *key, cc_word *memory, const cc_word *p, size_t pn,
		   const cc_word *q, size_t qn, const cc_word *e, size_t en)
{
	size_t open = CC_FZ_RSA_PUBLIC_WORDS(pn + qn, en);
	cc_word n[CC_FZ_MAX], below, valid;
	int error;

	if (!pn || !qn || pn > CC_FZ_MAX || qn > CC_FZ_MAX - pn || !(p[0] & q[0] & 1))
		return CC_EINVAL;
	cc_fz_mul_unequal(n, p, pn, q, qn);
	/* n is odd, which memcheck cannot see through the product */
	n[0] |= 1;
	error = take_public(key, memory, n, pn + qn, e, en);
	if (error)
		return error;
	below = is_below(e, en, n, pn + qn);
	error = take_private(key, memory, p, pn, q, qn, &valid);
	if (error) {
		cc_wipe(memory, CC_FZ_RSA_WORDS(pn, qn, en) * sizeof(*memory));
		cc_wipe(key, sizeof(*key));
		return error;
	}
	/* by masks: whether the key is valid does not leak */
	valid &= below;
	forget(&key->p, memory + open, valid);
	forget(&key->q, memory + open + CC_FZ_MONT_WORDS(pn), valid);
	return only(memory + open + CC_FZ_MONT_WORDS(pn + qn), valid, 2 * pn + qn);
}

int cc_fz_rsa_public(cc_word *r, const cc_word *x, const struct cc_fz_rsa *key)
{
	size_t n = key->n.n;
	cc_word below = cc_fz_lt(x, key->n.m, n);

	cc_fz_mont_powmod_public(r, x, key->e, key->en, &key->n);
	return only(r, below, n);
}

/*
 * half[n] = x modulo p, and modulo q.  If there is a generator, x is first multiplied by
 * f^e mod n, and factor[n] = f in Montgomery form.
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
		/* x may be anything below R, because the factor is below n */
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
 * Inverts count factors in place, by one inverse of their product; all become 0 if one has
 * none.  An inverse takes about as long as one of the eight powers of a batch.
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

/* e[n + BLIND_WORDS] = d + k (p - 1) < 2^BLIND_BITS (p - 1): the same power modulo the prime p */
static void blind(cc_word *e, const cc_word *d, const cc_word *k, const struct cc_fz_mont *P)
{
	cc_word less[CC_FZ_MAX];
	size_t n = P->n;

	memcpy(less, P->m, n * sizeof(*less));
	less[0] ^= 1;
	cc_fz_mul_unequal(e, less, n, k, BLIND_WORDS);
	cc_fz_add_word(e + n, e + n, BLIND_WORDS, cc_fz_add(e, e, d, n));
	cc_wipe(less, n * sizeof(*less));
}

/* A message's exponents modulo p and modulo q, each blinded with random bits of its own. */
static __attribute__((__noinline__)) int draw_exponents(cc_word *exponents,
							const struct cc_fz_rsa *key,
							cc_fz_generator *generator, void *state)
{
	cc_word k[2 * BLIND_WORDS];
	int error = generator(state, (unsigned char *)k, sizeof(k));

	if (!error) {
		blind(exponents, key->dp, k, &key->p);
		blind(exponents + key->p.n + BLIND_WORDS, key->dq, k + BLIND_WORDS, &key->q);
	}
	cc_wipe(k, sizeof(k));
	return error;
}

/*
 * Raises the halves of count messages in place, first all modulo p: to exponents[], which has
 * each message's in turn, or to the key's own.
 */
static __attribute__((__noinline__)) void raise(cc_word *half, const cc_word *exponents,
						size_t count, const struct cc_fz_rsa *key)
{
	const struct cc_fz_mont *P = &key->p, *Q = &key->q, *M[8];
	size_t pn = P->n + BLIND_WORDS, each = pn + Q->n + BLIND_WORDS, used = 0, i;
	size_t more = exponents ? BLIND_BITS : 0;
	struct cc_fixed_power_8 lanes;

	for (i = 0; i < 2 * count; i++) {
		bool by_p = i < count;
		size_t message = by_p ? i : i - count;
		cc_word *at = half + message * key->n.n + (by_p ? 0 : P->n);

		lanes.r[used] = at;
		lanes.b[used] = at;
		if (exponents)
			lanes.e[used] = exponents + message * each + (by_p ? 0 : pn);
		else
			lanes.e[used] = by_p ? key->dp : key->dq;
		M[used++] = by_p ? P : Q;
		if (used == 8 || i + 1 == 2 * count || (i + 1 == count && P->n != Q->n)) {
			cc_fixed_mont_powmod_8(&lanes, M, used, M[0]->n * CC_WORD_BITS + more);
			used = 0;
		}
	}
}

/*
 * Whether s^e = x mod n, as a mask, by products only.  It shares neither code nor numbers with
 * cc_fz_mont_powmod_public(), so a fault that affects that check does not affect this one.
 */
static __attribute__((__noinline__)) cc_word is_root(const cc_word *s, const cc_word *x,
						     const struct cc_fz_rsa *key)
{
	const struct cc_fz_mont *N = &key->n;
	cc_word base[CC_FZ_MAX], power[CC_FZ_MAX];
	size_t bytes = N->n * sizeof(cc_word), at = cc_fixed_shown_bits(key->e, key->en) - 1;
	cc_word same;

	cc_fz_mont_to(base, s, N);
	memcpy(power, base, bytes);
	while (at--) {
		cc_fz_mont_sqr(power, power, N);
		if (key->e[at / CC_WORD_BITS] >> at % CC_WORD_BITS & 1)
			cc_fz_mont_mul(power, power, base, N);
	}
	cc_fz_mont_to(base, x, N);
	cc_fz_submod(power, power, base, N->m, N->n);
	same = cc_fz_is_zero(power, N->n);
	cc_wipe(base, bytes);
	/* after a fault it shares a factor with n */
	cc_wipe(power, bytes);
	return same;
}

/* r from both halves, divided by the factor if there is one; 0 unless both checks pass. */
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
	error |= only(s, is_root(s, x, key), N->n);
	memcpy(r, s, N->n * sizeof(*r));
	cc_wipe(s, N->n * sizeof(*s));
	cc_wipe(t, N->n * sizeof(*t));
	return error;
}

int cc_fz_rsa_private_many(cc_word *r, const cc_word *x, size_t count, const struct cc_fz_rsa *key,
			   cc_fz_generator *generator, void *state)
{
	cc_word half[GROUP * CC_FZ_MAX], factor[GROUP * CC_FZ_MAX];
	cc_word exponents[GROUP * (CC_FZ_MAX + 2 * BLIND_WORDS)];
	size_t n = key->n.n, each = n + 2 * BLIND_WORDS, done, group, i;
	bool blinds = generator && key->blinds_exponents;
	int error = key->p.n ? CC_OK : CC_EINVAL, refused = CC_OK;

	for (done = 0; done < count && !error; done += group) {
		cc_word *to = r + done * n;
		const cc_word *from = x + done * n;

		group = count - done < GROUP ? count - done : GROUP;
		for (i = 0; i < group && !error; i++) {
			error = reduce(half + i * n, factor + i * n, from + i * n, key, generator,
				       state);
			if (!error && blinds)
				error = draw_exponents(exponents + i * each, key, generator, state);
		}
		if (error)
			break;
		if (generator)
			invert(factor, group, &key->n);
		raise(half, blinds ? exponents : NULL, group, key);
		for (i = 0; i < group; i++)
			refused |= finish(to + i * n, from + i * n, half + i * n,
					  generator ? factor + i * n : NULL, key);
	}
	cc_wipe(half, GROUP * n * sizeof(*half));
	cc_wipe(factor, GROUP * n * sizeof(*factor));
	cc_wipe(exponents, GROUP * each * sizeof(*exponents));
	if (error)
		memset(r, 0, count * n * sizeof(*r));
	return error ? error : refused;
}

int cc_fz_rsa_private(cc_word *r, const cc_word *x, const struct cc_fz_rsa *key,
		      cc_fz_generator *generator, void *state)
{
	return cc_fz_rsa_private_many(r, x, 1, key, generator, state);
}
