// SPDX-License-Identifier: MIT
/* bigint.h's cofactors, inverses, symbols and modular powers against Euclid's algorithm on
 * value.h's integers. */
#include "bigint.h"
#include "memory.h"

/* g = x a + y b */
static void euclid(struct value *g, struct value *x, struct value *y, const struct value *a,
		   const struct value *b)
{
	static struct value r[2], u[2], v[2], q, rest, t;

	r[0] = *a;
	r[1] = *b;
	r[0].negative = r[1].negative = 0;
	value_set(&u[0], r[0].length != 0);
	value_set(&u[1], 0);
	value_set(&v[0], 0);
	value_set(&v[1], 1);
	while (r[1].length) {
		value_divmod(&q, &rest, &r[0], &r[1], true);
		r[0] = r[1];
		r[1] = rest;
		value_mul(&t, &q, &u[1]);
		value_sub(&t, &u[0], &t);
		u[0] = u[1];
		u[1] = t;
		value_mul(&t, &q, &v[1]);
		value_sub(&t, &v[0], &t);
		v[0] = v[1];
		v[1] = t;
	}
	*g = r[0];
	*x = u[0];
	*y = v[0];
	if (a->negative)
		value_neg(x, x);
	if (b->negative)
		value_neg(y, y);
}

/* Each result apart, or in an argument; all apart, or two of them in the arguments. */
enum { APART, IN_A, IN_B, PLACES };

static cc_bigint *placed(unsigned int place, cc_bigint *apart, cc_bigint *a, cc_bigint *b)
{
	return place == APART ? apart : place == IN_A ? a : b;
}

static bool gcdext_once(const unsigned int at[3], const struct value *va, const struct value *vb,
			size_t failing)
{
	static struct value want[3], zero;
	cc_bigint a, b, apart[3], *r[3];
	bool failed;
	int err, i;

	value_set(&zero, 0);
	euclid(&want[0], &want[1], &want[2], va, vb);
	memory_begin(MEMORY_SOUND);
	value_to_bigint(&a, va, random_below(2) * random_below(va->length + 2));
	value_to_bigint(&b, vb, random_below(2) * random_below(vb->length + 2));
	for (i = 0; i < 3; i++) {
		value_to_bigint(&apart[i], &zero, random_below(2) * random_below(va->length + 2));
		r[i] = placed(at[i], &apart[i], &a, &b);
	}
	memory_begin(failing);
	err = cc_bigint_gcdext(r[0], r[1], r[2], &a, &b, NULL);
	failed = memory_end();
	if (failed) {
		CHECK(err == CC_ENOMEM, "allocation %zu fails: %d", failing, err);
		CHECK(value_is(va, &a) && value_is(vb, &b), "allocation %zu fails: changed",
		      failing);
	} else {
		CHECK(!err, "%d", err);
		for (i = 0; i < 3; i++)
			CHECK(value_is(&want[i], r[i]), "result %d in place %u", i, at[i]);
	}
	memory_begin(MEMORY_SOUND);
	cc_bigint_clear(&a);
	cc_bigint_clear(&b);
	for (i = 0; i < 3; i++)
		cc_bigint_clear(&apart[i]);
	memory_end();
	CHECK(!memory_live(), "%ld blocks leaked", memory_live());
	return failed;
}

/* With just the words that bigint.h asks for. */
static void gcdext_into_lent(const struct value *va, const struct value *vb)
{
	static cc_word room[3][VALUE_WORDS];
	static struct value want[3];
	size_t an = va->length, bn = vb->length, i;
	size_t lent[3] = {an > bn ? an : bn, bn ? bn : 1, an ? an : 1};
	cc_bigint a, b, r[3];

	for (i = 0; i < 3; i++)
		r[i] = (cc_bigint){room[i], 0, lent[i], 0};
	euclid(&want[0], &want[1], &want[2], va, vb);
	value_to_bigint(&a, va, 0);
	value_to_bigint(&b, vb, 0);
	HOLDS(!cc_bigint_gcdext(&r[0], &r[1], &r[2], &a, &b, NULL));
	for (i = 0; i < 3; i++)
		HOLDS(r[i].words == room[i] && value_is(&want[i], &r[i]));
	HOLDS(cc_bigint_gcdext(&r[0], &r[1], &r[1], &a, &b, NULL) == CC_EINVAL);
	HOLDS(cc_bigint_gcdext(&r[0], &r[0], &r[1], &a, &b, NULL) == CC_EINVAL);
	HOLDS(cc_bigint_gcdext(&r[0], &r[1], &r[0], &a, &b, NULL) == CC_EINVAL);
	cc_bigint_clear(&a);
	cc_bigint_clear(&b);
}

static bool invert_once(bool in_place, const struct value *vx, const struct value *vm,
			size_t failing)
{
	static struct value want, y, g, zero;
	cc_bigint x, m, apart, *r = in_place ? &x : &apart;
	bool failed, exists;
	int err;

	value_set(&zero, 0);
	euclid(&g, &want, &y, vx, vm);
	exists = g.length == 1 && g.words[0] == 1;
	if (vm->length)
		value_divmod(&y, &want, &want, vm, true);
	if (want.length && vm->negative)
		value_sub(&want, &want, vm);
	memory_begin(MEMORY_SOUND);
	value_to_bigint(&x, vx, random_below(2) * random_below(vm->length + 2));
	value_to_bigint(&m, vm, 0);
	value_to_bigint(&apart, &zero, random_below(2) * random_below(vm->length + 2));
	memory_begin(failing);
	err = cc_bigint_invert(r, &x, &m, NULL);
	failed = memory_end();
	if (failed)
		CHECK(err == CC_ENOMEM && value_is(vx, &x), "allocation %zu fails: %d", failing,
		      err);
	else if (!vm->length)
		CHECK(err == CC_EINVAL && value_is(vx, &x), "modulo 0: %d", err);
	else if (!exists)
		CHECK(err == CC_ERANGE && value_is(vx, &x), "there is none: %d", err);
	else
		CHECK(!err && value_is(&want, r), "another inverse: %d", err);
	memory_begin(MEMORY_SOUND);
	cc_bigint_clear(&x);
	cc_bigint_clear(&m);
	cc_bigint_clear(&apart);
	memory_end();
	CHECK(!memory_live(), "%ld blocks leaked", memory_live());
	return failed;
}

static bool powm_once(bool in_place, const struct value *vx, const struct value *ve,
		      const struct value *vm, size_t failing)
{
	static struct value want, q, t;
	cc_bigint x, e, m, apart, *r = in_place ? &x : &apart;
	size_t i = ve->length * CC_WORD_BITS;
	bool failed;
	int err;

	value_set(&want, 1);
	for (q = *vm, q.negative = 0, t = q; vm->length && i--;) {
		value_mul(&want, &want, &want);
		if (ve->words[i / CC_WORD_BITS] >> i % CC_WORD_BITS & 1)
			value_mul(&want, &want, vx);
		value_divmod(&q, &want, &want, &t, true);
	}
	if (vm->length)
		value_divmod(&q, &want, &want, &t, true);
	memory_begin(MEMORY_SOUND);
	value_to_bigint(&x, vx, random_below(2) * random_below(vm->length + 2));
	value_to_bigint(&e, ve, 0);
	value_to_bigint(&m, vm, 0);
	apart = (cc_bigint)CC_BIGINT_INIT;
	memory_begin(failing);
	err = cc_bigint_powm(r, &x, &e, &m, NULL);
	failed = memory_end();
	if (failed)
		CHECK(err == CC_ENOMEM && value_is(vx, &x), "allocation %zu fails: %d", failing,
		      err);
	else if (!vm->length || ve->negative)
		CHECK(err == CC_EINVAL && value_is(vx, &x), "refused: %d", err);
	else
		CHECK(!err && value_is(&want, r), "another power: %d", err);
	memory_begin(MEMORY_SOUND);
	cc_bigint_clear(&x);
	cc_bigint_clear(&e);
	cc_bigint_clear(&m);
	cc_bigint_clear(&apart);
	memory_end();
	CHECK(!memory_live(), "%ld blocks leaked", memory_live());
	return failed;
}

/* As of magnitudes, and by the signs: (-1 / m) for odd m is m modulo 4, and -1 below 0. */
static void kronecker_once(const struct value *va, const struct value *vm)
{
	cc_bigint a, m, b;
	int symbol, of_minus, positive = 0, same = 1;
	size_t i = 0;

	value_to_bigint(&a, va, 0);
	value_to_bigint(&m, vm, 0);
	value_to_bigint(&b, va, 0);
	HOLDS(!cc_bigint_neg(&b, &b));
	HOLDS(!cc_bigint_kronecker(&symbol, &a, &m, NULL));
	HOLDS(!cc_bigint_kronecker(&of_minus, &b, &m, NULL));
	if (vm->length) {
		while (!(value_byte(vm, i / 8) >> i % 8 & 1))
			i++;
		/* in two's complement of a negative number, the bit above is the other one */
		same = !(value_byte(vm, (i + 1) / 8) >> (i + 1) % 8 & 1);
	}
	HOLDS(of_minus == (same ? symbol : -symbol) || !symbol);
	HOLDS(!symbol == !of_minus);
	if (vm->negative) {
		HOLDS(!cc_bigint_neg(&m, &m) && !cc_bigint_kronecker(&positive, &a, &m, NULL));
		HOLDS(positive == (va->negative ? -symbol : symbol));
	}
	cc_bigint_clear(&a);
	cc_bigint_clear(&m);
	cc_bigint_clear(&b);
}

void bigint_gcdext(void)
{
	static const unsigned int ways[][3] = {
		{APART, APART, APART}, {IN_A, APART, APART}, {IN_B, IN_A, APART},
		{APART, IN_A, IN_B},   {APART, IN_B, IN_A},  {IN_A, APART, IN_B},
	};
	static struct value a, b, common;
	size_t count = test_scaled(400), way, failing;

	test_case(NULL, "gcdext, invert, kronecker, powm");
	while (count-- && !test_case_failed()) {
		value_random(&a, random_below(random_below(4) ? 5 : 12));
		value_random(&b, random_below(random_below(4) ? 5 : 12));
		value_random(&common, random_below(3));
		if (random_below(2)) {
			value_mul(&a, &a, &common);
			value_mul(&b, &b, &common);
		}
		test_sizes(a.length, b.length, 0);
		gcdext_into_lent(&a, &b);
		kronecker_once(&a, &b);
		for (way = 0; way < COUNT(ways); way++) {
			gcdext_once(ways[way], &a, &b, MEMORY_SOUND);
			for (failing = 0; gcdext_once(ways[way], &a, &b, failing); failing++)
				;
		}
		value_random(&common, random_below(3));
		for (way = 0; way < 2; way++) {
			powm_once(way, &a, &common, &b, MEMORY_SOUND);
			for (failing = 0; powm_once(way, &a, &common, &b, failing); failing++)
				;
			invert_once(way, &a, &b, MEMORY_SOUND);
			for (failing = 0; invert_once(way, &a, &b, failing); failing++)
				;
		}
	}
}
