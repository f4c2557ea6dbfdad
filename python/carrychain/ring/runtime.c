// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include "runtime.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* No integer has more bits: a wrong program would take all memory to make one. */
#define BITS_MAX ((uint64_t)1 << 33)
/* What functions called by compiled code may use of the stack. */
#define STACK_RESERVE (256 << 10)
/* Of a stack whose end is not known, what is used. */
#define STACK_GUESS (512 << 10)

#define SMALL_MAX (INT64_MAX >> 1)
#define SMALL_MIN (INT64_MIN >> 1)

static int is_small(ring_value x)
{
	return x & 1;
}

static int64_t small(ring_value x)
{
	return x >> 1;
}

static ring_value tagged(int64_t x)
{
	return (ring_value)((uint64_t)x << 1 | 1);
}

static struct ring_object *object(ring_value x)
{
	return (struct ring_object *)(uintptr_t)x;
}

const cc_bigint *ring_integer(ring_value x)
{
	return &((struct ring_integer *)(uintptr_t)x)->value;
}

struct ring_array *ring_array(ring_value x)
{
	return (struct ring_array *)(uintptr_t)x;
}

/* Memory */

static void ring_retain(ring_value x)
{
	if (is_small(x) || !x || object(x)->references < 0)
		return;
	__atomic_fetch_add(&object(x)->references, 1, __ATOMIC_RELAXED);
}

void ring_release(ring_value x)
{
	struct ring_array *array;
	ring_value *values;
	uint64_t i;

	if (is_small(x) || !x || object(x)->references < 0)
		return;
	if (__atomic_sub_fetch(&object(x)->references, 1, __ATOMIC_ACQ_REL))
		return;
	switch (object(x)->kind) {
	case RING_INTEGER:
		cc_bigint_clear(&((struct ring_integer *)(uintptr_t)x)->value);
		break;
	case RING_VALUES:
		array = ring_array(x);
		values = array->data;
		for (i = 0; i < array->length; i++)
			ring_release(values[i]);
		break;
	}
	free(object(x));
}

/* The slot owns x, which who called owned. */
static void ring_put(ring_value *slot, ring_value x)
{
	ring_value old = *slot;

	*slot = x;
	ring_release(old);
}

static void ring_set(ring_value *slot, ring_value x)
{
	ring_retain(x);
	ring_put(slot, x);
}

static void ring_leave(ring_value *slots, uint64_t count)
{
	uint64_t i;

	for (i = 0; i < count; i++)
		ring_release(slots[i]);
}

/* A value as a cc_bigint to read; a small one's words are in @words. */
#define WORDS_SMALL (64 / CC_WORD_BITS)

struct view {
	cc_bigint value;
	cc_word words[WORDS_SMALL];
};

static const cc_bigint *view(struct view *v, ring_value x)
{
	uint64_t magnitude;
	size_t i;

	if (!is_small(x))
		return ring_integer(x);
	magnitude = small(x) < 0 ? -(uint64_t)small(x) : (uint64_t)small(x);
	v->value.words = v->words;
	v->value.capacity = WORDS_SMALL;
	v->value.length = 0;
	v->value.negative = small(x) < 0;
	for (i = 0; i < WORDS_SMALL && magnitude; i++) {
		v->words[i] = (cc_word)magnitude;
		v->value.length++;
		/* in two steps: a shift by 64 is none */
		magnitude = magnitude >> (CC_WORD_BITS / 2) >> (CC_WORD_BITS / 2);
	}
	return &v->value;
}

/*
 * The integer that a result goes to: the one that the slot alone owns, or a new one. That one
 * may hold any number; no argument is it, as each argument is owned by another slot.
 */
static struct ring_integer *begin(const ring_value *slot)
{
	struct ring_integer *x;

	if (*slot && object(*slot)->kind == RING_INTEGER && object(*slot)->references >= 0 &&
	    __atomic_load_n(&object(*slot)->references, __ATOMIC_ACQUIRE) == 1)
		return (struct ring_integer *)(uintptr_t)*slot;
	x = malloc(sizeof(*x));
	if (!x)
		return NULL;
	x->object.references = 1;
	x->object.kind = RING_INTEGER;
	cc_bigint_init(&x->value);
	return x;
}

static void drop(struct ring_integer *x, const ring_value *slot)
{
	if (!x || (uintptr_t)x == (uintptr_t)*slot)
		return;
	cc_bigint_clear(&x->value);
	free(x);
}

/* What x came to, as a value, owned by the slot; 0 if @status is an error or x too long. */
static ring_value finish(struct ring_integer *x, ring_value *slot, int status)
{
	int64_t word;

	if (status == CC_OK && !cc_bigint_get_i64(&word, &x->value) && word >= SMALL_MIN &&
	    word <= SMALL_MAX) {
		drop(x, slot);
		return tagged(word);
	}
	if (status != CC_OK || cc_bigint_bit_length(&x->value) > BITS_MAX) {
		drop(x, slot);
		return 0;
	}
	if ((uintptr_t)x != (uintptr_t)*slot)
		ring_put(slot, (ring_value)(uintptr_t)x);
	return (ring_value)(uintptr_t)x;
}

/* Arithmetic */

typedef int operation(cc_bigint *r, const cc_bigint *x, const cc_bigint *y);

static ring_value apply(operation *f, ring_value a, ring_value b, ring_value *slot)
{
	struct ring_integer *r = begin(slot);
	struct view x, y;

	if (!r)
		return 0;
	return finish(r, slot, f(&r->value, view(&x, a), view(&y, b)));
}

static ring_value ring_add(ring_value a, ring_value b, ring_value *slot)
{
	int64_t sum;

	if (a & b & 1 && !__builtin_add_overflow(a, b - 1, &sum))
		return sum;
	return apply(cc_bigint_add, a, b, slot);
}

static ring_value ring_sub(ring_value a, ring_value b, ring_value *slot)
{
	int64_t difference;

	if (a & b & 1 && !__builtin_sub_overflow(a, b - 1, &difference))
		return difference;
	return apply(cc_bigint_sub, a, b, slot);
}

static ring_value ring_mul(ring_value a, ring_value b, ring_value *slot)
{
	struct view x, y;
	int64_t product;

	/* 2x y, and its tag */
	if (a & b & 1 && !__builtin_mul_overflow(a - 1, small(b), &product))
		return product | 1;
	if (cc_bigint_bit_length(view(&x, a)) + cc_bigint_bit_length(view(&y, b)) > BITS_MAX)
		return 0;
	return apply(cc_bigint_mul, a, b, slot);
}

/*
 * The operator of this truth table, bit 2a + b for bits a and b. One that is 1 for two zeros is
 * the complement of one that is not; of the eight that are not each is a &, |, ^ of a and b or
 * of one and the other's complement, or an argument itself, or 0.
 */
static ring_value ring_logic(int32_t table, ring_value a, ring_value b, ring_value *slot)
{
	struct ring_integer *r;
	struct view x, y;
	const cc_bigint *p = view(&x, a), *q = view(&y, b);
	int complement = table & 1, status;

	if (is_small(a) && is_small(b)) {
		uint64_t c = (uint64_t)a, d = (uint64_t)b, result = 1;

		if (table & 8)
			result |= c & d;
		if (table & 4)
			result |= c & ~d;
		if (table & 2)
			result |= ~c & d;
		if (table & 1)
			result |= ~c & ~d;
		return (ring_value)result;
	}
	r = begin(slot);
	if (!r)
		return 0;
	switch (complement ? ~table & 15 : table) {
	case 0:
		status = cc_bigint_set_u64(&r->value, 0);
		break;
	case 2:
		/* ~a & b = ~(a | ~b) */
		status = cc_bigint_not(&r->value, q);
		if (!status)
			status = cc_bigint_or(&r->value, p, &r->value);
		complement = !complement;
		break;
	case 4:
		status = cc_bigint_not(&r->value, p);
		if (!status)
			status = cc_bigint_or(&r->value, &r->value, q);
		complement = !complement;
		break;
	case 6:
		status = cc_bigint_xor(&r->value, p, q);
		break;
	case 8:
		status = cc_bigint_and(&r->value, p, q);
		break;
	case 10:
		status = cc_bigint_set(&r->value, q);
		break;
	case 12:
		status = cc_bigint_set(&r->value, p);
		break;
	default:
		status = cc_bigint_or(&r->value, p, q);
		break;
	}
	if (!status && complement)
		status = cc_bigint_not(&r->value, &r->value);
	return finish(r, slot, status);
}

/* Which of a division's results, and how it is rounded; emit.py knows these numbers. */
enum division { FDIV, FMOD, TDIV, TREM, CDIV, CREM };

/* ceil(x / y) = -floor(-x / y), and the remainder goes with it. */
static ring_value ring_divide(int32_t which, ring_value a, ring_value b, ring_value *slot)
{
	struct ring_integer *r = begin(slot);
	struct view x, y;
	const cc_bigint *p = view(&x, a), *q = view(&y, b);
	int status = CC_OK;

	if (!r)
		return 0;
	switch (which) {
	case FDIV:
		status = cc_bigint_divmod_floor(&r->value, NULL, p, q);
		break;
	case FMOD:
		status = cc_bigint_divmod_floor(NULL, &r->value, p, q);
		break;
	case TDIV:
		status = cc_bigint_divmod_trunc(&r->value, NULL, p, q);
		break;
	case TREM:
		status = cc_bigint_divmod_trunc(NULL, &r->value, p, q);
		break;
	case CDIV:
	case CREM:
		status = cc_bigint_neg(&r->value, p);
		if (!status && which == CDIV)
			status = cc_bigint_divmod_floor(&r->value, NULL, &r->value, q);
		else if (!status)
			status = cc_bigint_divmod_floor(NULL, &r->value, &r->value, q);
		if (!status)
			status = cc_bigint_neg(&r->value, &r->value);
		break;
	}
	return finish(r, slot, status);
}

/* a 2^n, rounded down */
static ring_value ring_shift(ring_value a, int64_t n, ring_value *slot)
{
	struct ring_integer *r;
	struct view x;
	const cc_bigint *p = view(&x, a);

	if (a == tagged(0))
		return a;
	if (is_small(a) && n > 0 && n < 62 && small(a) >= SMALL_MIN >> n &&
	    small(a) <= SMALL_MAX >> n)
		return tagged(small(a) * ((int64_t)1 << n));
	if (is_small(a) && n <= 0)
		return tagged(n > -63 ? small(a) >> -n : small(a) < 0 ? -1 : 0);
	if (n > 0 && (n > (int64_t)BITS_MAX || cc_bigint_bit_length(p) + n > BITS_MAX))
		return 0;
	r = begin(slot);
	if (!r)
		return 0;
	if (n >= 0)
		return finish(r, slot, cc_bigint_shl(&r->value, p, n));
	return finish(r, slot, cc_bigint_shr(&r->value, p, -(uint64_t)n));
}

/* 2^k, or 2^k - 1, in a fresh integer */
static int power(cc_bigint *r, uint64_t k)
{
	int status = cc_bigint_set_u64(r, 1);

	return status ? status : cc_bigint_shl(r, r, k);
}

static int low_bits(cc_bigint *r, const cc_bigint *x, uint64_t k)
{
	cc_bigint mask = CC_BIGINT_INIT, one = CC_BIGINT_INIT;
	int status = power(&mask, k);

	if (!status)
		status = cc_bigint_set_u64(&one, 1);
	if (!status)
		status = cc_bigint_sub(&mask, &mask, &one);
	if (!status)
		status = cc_bigint_and(r, x, &mask);
	cc_bigint_clear(&mask);
	cc_bigint_clear(&one);
	return status;
}

static ring_value ring_low(ring_value a, uint64_t k, ring_value *slot)
{
	struct ring_integer *r;
	struct view x;

	if (is_small(a) && (k < 63 || small(a) >= 0))
		return k < 63 ? tagged(small(a) & (((int64_t)1 << k) - 1)) : a;
	r = begin(slot);
	if (!r)
		return 0;
	return finish(r, slot, low_bits(&r->value, view(&x, a), k));
}

static ring_value ring_field(ring_value a, uint64_t k, ring_value *slot)
{
	struct ring_integer *r;
	struct view x;
	cc_bigint wrap = CC_BIGINT_INIT;
	int status;

	if (is_small(a) && k >= 63)
		return a;
	r = begin(slot);
	if (!r)
		return 0;
	status = low_bits(&r->value, view(&x, a), k);
	if (!status && cc_bigint_bit_length(&r->value) == k) {
		status = power(&wrap, k);
		if (!status)
			status = cc_bigint_sub(&r->value, &r->value, &wrap);
		cc_bigint_clear(&wrap);
	}
	return finish(r, slot, status);
}

/* Bits of x, or of ~x = |x| - 1 below 0: one fewer if |x| is a power of two. */
static uint64_t ring_bitlen(ring_value a)
{
	struct view v;
	const cc_bigint *x = view(&v, a);
	uint64_t bits = cc_bigint_bit_length(x);
	size_t i;

	if (!x->negative)
		return bits;
	for (i = 0; i + 1 < x->length; i++)
		if (x->words[i])
			return bits;
	return bits - !(x->words[i] & (x->words[i] - 1));
}

static uint64_t ring_popcount(ring_value a)
{
	struct view v;
	const cc_bigint *x = view(&v, a);
	uint64_t count = 0;
	cc_word word, borrow = (cc_word)x->negative;
	size_t i;

	for (i = 0; i < x->length; i++) {
		word = x->words[i] - borrow;
		borrow = borrow && !x->words[i];
		count += (uint64_t)__builtin_popcountll(word);
	}
	return count;
}

static int ring_compare(ring_value a, ring_value b)
{
	struct view x, y;

	if (a & b & 1)
		return (a > b) - (a < b);
	return cc_bigint_cmp(view(&x, a), view(&y, b));
}

/*
 * floor(sqrt x) by Newton: from above, r' = (r + x / r) / 2 falls until it is the root. It
 * begins at a power of two that is above.
 */
static int root(cc_bigint *r, const cc_bigint *x)
{
	cc_bigint next = CC_BIGINT_INIT;
	int status;

	if (!cc_bigint_sign(x))
		return cc_bigint_set_u64(r, 0);
	status = power(&next, (cc_bigint_bit_length(x) + 1) / 2);
	do {
		cc_bigint_swap(r, &next);
		if (!status)
			status = cc_bigint_divmod_floor(&next, NULL, x, r);
		if (!status)
			status = cc_bigint_add(&next, &next, r);
		if (!status)
			status = cc_bigint_shr(&next, &next, 1);
	} while (!status && cc_bigint_cmp(&next, r) < 0);
	cc_bigint_clear(&next);
	return status;
}

static ring_value ring_isqrt(ring_value a, ring_value *slot)
{
	struct ring_integer *r = begin(slot);
	struct view x;

	if (!r)
		return 0;
	return finish(r, slot, root(&r->value, view(&x, a)));
}

static int divisor(cc_bigint *r, const cc_bigint *x, const cc_bigint *y)
{
	cc_bigint rest = CC_BIGINT_INIT;
	int status = cc_bigint_abs(&rest, y);

	if (!status)
		status = cc_bigint_abs(r, x);
	while (!status && cc_bigint_sign(&rest)) {
		status = cc_bigint_divmod_floor(NULL, r, r, &rest);
		cc_bigint_swap(r, &rest);
	}
	cc_bigint_clear(&rest);
	return status;
}

static ring_value ring_gcd(ring_value a, ring_value b, ring_value *slot)
{
	return apply(divisor, a, b, slot);
}

/* a^b, b not below 0 */
static ring_value ring_expt(ring_value a, ring_value b, ring_value *slot)
{
	struct ring_integer *r;
	struct view x;
	const cc_bigint *p = view(&x, a);
	uint64_t bits = cc_bigint_bit_length(p), exponent;

	if (bits <= 1) {
		/* -1, 0 and 1 */
		if (b == tagged(0) || a == tagged(1))
			return tagged(1);
		if (a == tagged(0))
			return a;
		exponent = is_small(b) ? (uint64_t)small(b) : ring_integer(b)->words[0];
		return tagged(exponent & 1 ? -1 : 1);
	}
	if (!is_small(b) || (uint64_t)small(b) > BITS_MAX || (bits - 1) * small(b) > BITS_MAX)
		return 0;
	r = begin(slot);
	if (!r)
		return 0;
	return finish(r, slot, cc_bigint_pow(&r->value, p, small(b)));
}

/* Words and values */

struct halves {
	uint64_t low, high;
};

/* The 128 low bits. */
static struct halves ring_words(ring_value a)
{
	struct view v;
	const cc_bigint *x = view(&v, a);
	uint64_t half[2] = {0, 0};
	struct halves result;
	size_t i;

	for (i = 0; i < x->length && i * CC_WORD_BITS < 128; i++)
		half[i * CC_WORD_BITS / 64] |= (uint64_t)x->words[i] << (i * CC_WORD_BITS % 64);
	if (x->negative) {
		half[0] = -half[0];
		half[1] = ~half[1] + !half[0];
	}
	result.low = half[0];
	result.high = half[1];
	return result;
}

static uint64_t ring_word(ring_value a)
{
	if (is_small(a))
		return (uint64_t)small(a);
	return ring_words(a).low;
}

static ring_value from_halves(uint64_t low, uint64_t high, int negative, ring_value *slot)
{
	struct ring_integer *r = begin(slot);
	cc_bigint word = CC_BIGINT_INIT;
	int status;

	if (!r)
		return 0;
	if (negative) {
		low = -low;
		high = ~high + !low;
	}
	status = cc_bigint_set_u64(&r->value, high);
	if (!status)
		status = cc_bigint_shl(&r->value, &r->value, 64);
	if (!status)
		status = cc_bigint_set_u64(&word, low);
	if (!status)
		status = cc_bigint_add(&r->value, &r->value, &word);
	if (!status && negative)
		status = cc_bigint_neg(&r->value, &r->value);
	cc_bigint_clear(&word);
	return finish(r, slot, status);
}

static ring_value ring_unsigned(uint64_t low, uint64_t high, ring_value *slot)
{
	return from_halves(low, high, 0, slot);
}

static ring_value ring_signed(uint64_t low, uint64_t high, ring_value *slot)
{
	return from_halves(low, high, (int64_t)high < 0, slot);
}

/* As a shift's count: whatever is further off than any number has bits is as far as that. */
static int64_t ring_count(ring_value a)
{
	if (is_small(a))
		return small(a);
	return ring_integer(a)->negative ? SMALL_MIN : SMALL_MAX;
}

ring_value ring_from_bytes(const void *bytes, size_t length)
{
	ring_value slot = 0;
	struct ring_integer *r = begin(&slot);

	if (!r)
		return 0;
	return finish(r, &slot, cc_bigint_from_bytes(&r->value, bytes, length, CC_SIGNED));
}

/* Words of at most 64 bits; the root is found bit by bit. */
static uint64_t ring_isqrt_word(uint64_t x)
{
	uint64_t r = 0, bit = (uint64_t)1 << 62;

	for (; bit; bit >>= 2) {
		if (x >= r + bit) {
			x -= r + bit;
			r = (r >> 1) + bit;
		} else {
			r >>= 1;
		}
	}
	return r;
}

static uint64_t ring_gcd_word(uint64_t a, uint64_t b)
{
	uint64_t t;

	while (b) {
		t = a % b;
		a = b;
		b = t;
	}
	return a;
}

/* a^n modulo 2^64 */
static uint64_t ring_power_word(uint64_t a, uint64_t n)
{
	uint64_t r = 1;

	for (; n; n >>= 1) {
		if (n & 1)
			r *= a;
		a *= a;
	}
	return r;
}

/* Arrays: @width bytes an element, each @fill's low bytes; 0 for values, which are owned. */
static ring_value ring_new(uint64_t count, uint32_t width, uint64_t low, uint64_t high,
			   ring_value *slot)
{
	uint64_t fill[2] = {low, high}, i, size = width ? width : sizeof(ring_value);
	struct ring_array *array;
	unsigned char *data;

	/* the bound of the interpreter's, and no product below overflows */
	if (count > BITS_MAX)
		return 0;
	array = malloc(sizeof(*array) + 16 + count * size);
	if (!array)
		return 0;
	data = (unsigned char *)(array + 1);
	array->object.references = 1;
	array->object.kind = width ? RING_WORDS : RING_VALUES;
	array->length = count;
	array->data = data;
	if (width == 1)
		memset(data, (int)(low & 0xff), count);
	else
		for (i = 0; i < count; i++)
			memcpy(data + i * size, fill, size);
	if (!width)
		for (i = 0; i < count; i++)
			ring_retain((ring_value)low);
	ring_put(slot, (ring_value)(uintptr_t)array);
	return (ring_value)(uintptr_t)array;
}

/* Calls */

static __thread uintptr_t stack_end;

static void find_stack(void)
{
	char here;
#ifdef __linux__
	pthread_attr_t attributes;
	void *start;
	size_t size;

	if (!pthread_getattr_np(pthread_self(), &attributes)) {
		/* of a small stack, half */
		if (!pthread_attr_getstack(&attributes, &start, &size))
			stack_end = (uintptr_t)start +
				    (size < 2 * STACK_RESERVE ? size / 2 : STACK_RESERVE);
		pthread_attr_destroy(&attributes);
	}
#endif
	if (!stack_end)
		stack_end = (uintptr_t)&here - STACK_GUESS;
}

typedef int entry(void *arguments, void *results, struct ring_context *context);

int ring_call(uintptr_t address, void *arguments, void *results, struct ring_context *context)
{
	if (!stack_end)
		find_stack();
	context->stack_end = stack_end;
	return ((entry *)address)(arguments, results, context);
}

#ifdef __SIZEOF_INT128__
__extension__ typedef __int128 wide;
__extension__ typedef unsigned __int128 unsigned_wide;

/* What compilers call to divide 128 bits: here under our own linkage, by the same names. */
static wide divide(wide a, wide b)
{
	return a / b;
}

static wide remainder_of(wide a, wide b)
{
	return a % b;
}

static unsigned_wide divide_unsigned(unsigned_wide a, unsigned_wide b)
{
	return a / b;
}

static unsigned_wide remainder_unsigned(unsigned_wide a, unsigned_wide b)
{
	return a % b;
}
#endif

#define SYMBOL(name)                                                                               \
	{                                                                                          \
#name, (void (*)(void))name                                                        \
	}

static const struct ring_symbol symbols[] = {
	SYMBOL(ring_retain),
	SYMBOL(ring_release),
	SYMBOL(ring_put),
	SYMBOL(ring_set),
	SYMBOL(ring_leave),
	SYMBOL(ring_add),
	SYMBOL(ring_sub),
	SYMBOL(ring_mul),
	SYMBOL(ring_logic),
	SYMBOL(ring_divide),
	SYMBOL(ring_shift),
	SYMBOL(ring_low),
	SYMBOL(ring_field),
	SYMBOL(ring_bitlen),
	SYMBOL(ring_popcount),
	SYMBOL(ring_compare),
	SYMBOL(ring_isqrt),
	SYMBOL(ring_gcd),
	SYMBOL(ring_expt),
	SYMBOL(ring_words),
	SYMBOL(ring_word),
	SYMBOL(ring_unsigned),
	SYMBOL(ring_signed),
	SYMBOL(ring_count),
	SYMBOL(ring_new),
	SYMBOL(ring_isqrt_word),
	SYMBOL(ring_power_word),
	SYMBOL(ring_gcd_word),
	SYMBOL(memcpy),
	SYMBOL(memset),
	SYMBOL(memmove),
#ifdef __SIZEOF_INT128__
	{"__divti3", (void (*)(void))divide},
	{"__modti3", (void (*)(void))remainder_of},
	{"__udivti3", (void (*)(void))divide_unsigned},
	{"__umodti3", (void (*)(void))remainder_unsigned},
#endif
};

const struct ring_symbol *ring_symbols(size_t *count)
{
	*count = sizeof(symbols) / sizeof(symbols[0]);
	return symbols;
}
