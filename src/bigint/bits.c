// SPDX-License-Identifier: MIT
/*
 * Shifts, and logic on infinite two's complement.
 *
 * -m is ~m + 1: a negative operand is read as the inverted words of its magnitude plus a
 * carry that starts as 1, and a negative result is written the same way, all in one pass.
 * An operand's carry is 0 after its last word, because that word is not 0; above it, the
 * operand's words are all ones.
 */
#include "room.h"

int cc_bigint_shl(cc_bigint *r, const cc_bigint *x, uint64_t bits)
{
	size_t n = x->length, low = (size_t)(bits / CC_WORD_BITS);
	struct cc_room room;
	int err;

	if (!n)
		return cc_bigint_set(r, x);
	if (bits / CC_WORD_BITS >= CC_WORDS_MAX - n)
		return CC_ENOMEM;
	err = cc_room_open(&room, r, low + n + 1);
	if (err)
		return err;
	room.words[low + n] =
		cc_limbs_lshift(room.words + low, x->words, n, (unsigned int)(bits % CC_WORD_BITS));
	memset(room.words, 0, low * sizeof(cc_word));
	cc_room_close(&room, r, low + n + 1, x->negative);
	return CC_OK;
}

int cc_bigint_shr(cc_bigint *r, const cc_bigint *x, uint64_t bits)
{
	size_t low = (size_t)(bits / CC_WORD_BITS), n;
	unsigned int count = (unsigned int)(bits % CC_WORD_BITS);
	int negative = x->negative, err;
	cc_word up = 0;
	struct cc_room room;

	if (bits / CC_WORD_BITS >= x->length)
		return cc_bigint_set_i64(r, -(int64_t)negative);
	n = x->length - low;
	/* rounded away from 0, a magnitude of all ones needs one word more */
	err = cc_room_open(&room, r, n + (negative ? 1 : 0));
	if (err)
		return err;
	if (negative)
		up = cc_limbs_normalise(x->words, low) > 0;
	if (cc_limbs_rshift(room.words, x->words + low, n, count))
		up = negative;
	if (negative) {
		room.words[n] = cc_limbs_add_1(room.words, room.words, n, up);
		n++;
	}
	cc_room_close(&room, r, n, negative);
	return CC_OK;
}

enum logic {
	LOGIC_AND,
	LOGIC_OR,
	LOGIC_XOR,
};

static inline cc_word apply(enum logic op, cc_word x, cc_word y)
{
	return op == LOGIC_AND ? x & y : op == LOGIC_OR ? x | y : x ^ y;
}

/* r[n] = a op b, each inverted by its ones; r may be a or b: a few are read before they are written
 */
static inline __attribute__((__always_inline__)) void words(cc_word *r, cc_word r_ones,
							    const cc_word *a, cc_word a_ones,
							    const cc_word *b, cc_word b_ones,
							    size_t n, enum logic op)
{
	size_t i;

	for (i = 0; i + 4 <= n; i += 4) {
		cc_word c0 = apply(op, a[i] ^ a_ones, b[i] ^ b_ones) ^ r_ones;
		cc_word c1 = apply(op, a[i + 1] ^ a_ones, b[i + 1] ^ b_ones) ^ r_ones;
		cc_word c2 = apply(op, a[i + 2] ^ a_ones, b[i + 2] ^ b_ones) ^ r_ones;
		cc_word c3 = apply(op, a[i + 3] ^ a_ones, b[i + 3] ^ b_ones) ^ r_ones;

		r[i] = c0;
		r[i + 1] = c1;
		r[i + 2] = c2;
		r[i + 3] = c3;
	}
	for (; i < n; i++)
		r[i] = apply(op, a[i] ^ a_ones, b[i] ^ b_ones) ^ r_ones;
}

static inline __attribute__((__always_inline__)) int logic(cc_bigint *r, const cc_bigint *x,
							   const cc_bigint *y, enum logic op)
{
	cc_word x_ones, y_ones, r_ones, x_carry, y_carry, r_carry;
	size_t xn, yn, i;
	struct cc_room room;
	int err;

	if (x->length < y->length) {
		const cc_bigint *longer = y;

		y = x;
		x = longer;
	}
	xn = x->length;
	yn = y->length;
	x_ones = 0 - (cc_word)x->negative;
	y_ones = 0 - (cc_word)y->negative;
	r_ones = apply(op, x_ones, y_ones);
	x_carry = x_ones & 1;
	y_carry = y_ones & 1;
	r_carry = r_ones & 1;
	/* Above the shorter operand y, `and` with 0 and `or` with -1 ignore x. */
	if ((op == LOGIC_AND && !y_ones) || (op == LOGIC_OR && y_ones))
		xn = yn;

	err = cc_room_open(&room, r, xn + (r_ones & 1));
	if (err)
		return err;
	/* Carries usually end at once. */
	for (i = 0; i < xn && (x_carry | y_carry | r_carry); i++) {
		cc_word a = (x->words[i] ^ x_ones) + x_carry, b = y_ones, c;

		x_carry &= !a;
		if (i < yn) {
			b = (y->words[i] ^ y_ones) + y_carry;
			y_carry &= !b;
		}
		c = (apply(op, a, b) ^ r_ones) + r_carry;
		r_carry &= !c;
		room.words[i] = c;
	}
	if (!(x_ones | y_ones)) {
		words(room.words, 0, x->words, 0, y->words, 0, yn, op);
		i = yn;
	} else if (i < yn) {
		words(room.words + i, r_ones, x->words + i, x_ones, y->words + i, y_ones, yn - i,
		      op);
		i = yn;
	}
	for (; i < xn; i++)
		room.words[i] = apply(op, x->words[i] ^ x_ones, y_ones) ^ r_ones;
	if (r_ones)
		room.words[xn++] = r_carry;
	cc_room_close(&room, r, xn, r_ones & 1);
	return CC_OK;
}

int cc_bigint_and(cc_bigint *r, const cc_bigint *x, const cc_bigint *y)
{
	return logic(r, x, y, LOGIC_AND);
}

int cc_bigint_or(cc_bigint *r, const cc_bigint *x, const cc_bigint *y)
{
	return logic(r, x, y, LOGIC_OR);
}

int cc_bigint_xor(cc_bigint *r, const cc_bigint *x, const cc_bigint *y)
{
	return logic(r, x, y, LOGIC_XOR);
}

/* ~x = -(x + 1) */
int cc_bigint_not(cc_bigint *r, const cc_bigint *x)
{
	size_t n = x->length;
	struct cc_room room;
	int err = cc_room_open(&room, r, n + 1);

	if (err)
		return err;
	room.words[n] = 0;
	if (x->negative)
		cc_limbs_sub_1(room.words, x->words, n, 1);
	else
		room.words[n] = n ? cc_limbs_add_1(room.words, x->words, n, 1) : 1;
	cc_room_close(&room, r, n + 1, !x->negative);
	return CC_OK;
}
