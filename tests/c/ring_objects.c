// SPDX-License-Identifier: MIT
/* The values and arrays of compiled programs: what they mean, who owns them, and what is kept. */
#include "ring_runtime.h"

#include <pthread.h>
#include <string.h>

#define SMALL_BITS 62 /* of a small value's magnitude */

bool fits(const struct value *v)
{
	struct value bound;

	value_set_power_of_two(&bound, SMALL_BITS);
	if (value_cmp(v, &bound) >= 0)
		return false;
	value_neg(&bound, &bound);
	return value_cmp(v, &bound) >= 0;
}

bool means(ring_value x, const struct value *want)
{
	struct value small;

	if (!(x & 1))
		return x && !fits(want) && value_is(want, ring_integer(x));
	value_set(&small, x >> 1);
	return value_equal(&small, want);
}

ring_value made(const struct value *v)
{
	unsigned char bytes[VALUE_WORDS * sizeof(cc_word)];
	size_t length = (v->length + 1) * sizeof(cc_word), i;
	ring_value x;

	for (i = 0; i < length; i++)
		bytes[i] = value_byte(v, i);
	x = ring_from_bytes(bytes, length);
	CHECK(means(x, v), "ring_from_bytes");
	return x;
}

ring_value integer(int64_t x)
{
	struct value v;

	value_set(&v, x);
	return made(&v);
}

void test_references(void)
{
	struct ring_integer forever = {{-1, RING_INTEGER}, CC_BIGINT_INIT};
	ring_value slots[3] = {0, 0, 0}, x;
	long live = memory_live();
	struct value v;

	memory_begin(MEMORY_SOUND);
	value_set_power_of_two(&v, 100);
	x = made(&v);
	ring_put(&slots[0], x);
	ring_set(&slots[1], x);
	/* as one slot's */
	ring_set(&slots[1], slots[1]);
	ring_retain(x);
	ring_put(&slots[2], x);
	ring_set(&slots[0], integer(5));
	HOLDS(slots[0] == integer(5) && means(slots[1], &v) && means(slots[2], &v));
	ring_put(&slots[1], 0);
	HOLDS(means(slots[2], &v));
	ring_leave(slots, 3);
	memory_end();
	HOLDS(memory_live() == live);
	ring_retain(0);
	ring_release(0);
	ring_retain((ring_value)(uintptr_t)&forever);
	ring_release((ring_value)(uintptr_t)&forever);
	ring_release((ring_value)(uintptr_t)&forever);
	HOLDS(forever.object.references == -1);
}

void test_new(void)
{
	static const uint32_t sizes[] = {1, 2, 4, 8, 16};
	uint64_t fill[2] = {0x8877665544332211, 0x00ffeeddccbbaa99};
	ring_value slot = 0, x;
	struct ring_array *array;
	long live = memory_live();
	struct value v;
	size_t i, j, count;

	memory_begin(MEMORY_SOUND);

	for (i = 0; i < 5; i++)
		for (count = 0; count < 20; count++) {
			x = ring_new(count, sizes[i], fill[0], fill[1], &slot);
			array = ring_array(x);
			HOLDS(x && x == slot && array->length == count);
			HOLDS(!((uintptr_t)array->data & 15));
			for (j = 0; j < count; j++)
				HOLDS(!memcmp((char *)array->data + j * sizes[i], fill, sizes[i]));
		}
	/* words are made where those before were, if they fit and nobody else has these */
	x = ring_new(4, 8, 1, 0, &slot);
	HOLDS(ring_new(32, 1, 2, 0, &slot) == x && ring_new(1, 8, 3, 0, &slot) == x);
	HOLDS(ring_array(x)->length == 1 && *(uint64_t *)ring_array(x)->data == 3);
	HOLDS(ring_new(2, 16, 4, 0, &slot) == x);
	ring_retain(x);
	HOLDS(ring_new(1, 8, 5, 0, &slot) != x && *(uint64_t *)ring_array(x)->data == 4);
	ring_release(x);
	value_set_power_of_two(&v, 100);
	x = made(&v);
	ring_new(3, 0, (uint64_t)x, 0, &slot);
	ring_release(x);
	array = ring_array(slot);
	for (j = 0; j < 3; j++)
		HOLDS(means(((ring_value *)array->data)[j], &v));
	HOLDS(!ring_new((1ULL << 33) + 1, 1, 0, 0, &slot) && slot == (ring_value)(uintptr_t)array);
	HOLDS(!ring_new(UINT64_MAX, 16, 0, 0, &slot));
	ring_release(slot);
	slot = 0;
	HOLDS(memory_live() == live);
	memory_begin(0);
	x = ring_new(1, 8, 0, 0, &slot);
	memory_end();
	HOLDS(!x && !slot);
}

/* One array's columns for all lanes, and those of a row for each: element i of lane k at i lanes +
 * k. */
void test_columns(void)
{
	static const uint32_t sizes[] = {1, 2, 4, 8, 16};
	enum { LANES = 4, MOST = 20 };
	unsigned char bytes[LANES][MOST * 16], *rows[LANES];
	ring_value slot = 0, x;
	struct ring_array from = {{-1, RING_WORDS}, 0, NULL}, *array;
	long live = memory_live();
	size_t i, size, lane;
	uint32_t many;

	memory_begin(MEMORY_SOUND);
	for (lane = 0; lane < LANES; lane++) {
		rows[lane] = bytes[lane];
		for (i = 0; i < sizeof(bytes[lane]); i++)
			bytes[lane][i] = (unsigned char)random_below(256);
	}
	for (size = 0; size < 5; size++)
		for (from.length = 0; from.length < MOST; from.length++)
			for (many = 0; many < 2; many++) {
				size_t width = sizes[size];

				from.data = many ? (void *)rows : (void *)bytes[0];
				x = ring_columns(&from, sizes[size], LANES, many, &slot);
				array = ring_array(x);
				HOLDS(x && x == slot && array->length == from.length);
				for (i = 0; i < from.length * LANES; i++)
					HOLDS(!memcmp((char *)array->data + i * width,
						      bytes[many ? i % LANES : 0] +
							      i / LANES * width,
						      width));
			}
	from.length = (uint64_t)1 << 40;
	HOLDS(!ring_columns(&from, 1, LANES, 0, &slot));
	ring_release(slot);
	slot = 0;
	HOLDS(memory_live() == live);
	from.length = 1;
	memory_begin(0);
	x = ring_columns(&from, 1, LANES, 0, &slot);
	memory_end();
	HOLDS(!x && !slot);
}

/* The arrays that a thread gave up, made again: as many as @most are kept, of @count. */
static void keeps(size_t size, size_t count, size_t most)
{
	enum { ARRAYS = 12 };
	ring_value slots[ARRAYS] = {0}, first;
	long live = memory_live();
	size_t i;

	for (i = 0; i < count; i++)
		HOLDS(ring_new(size, 1, 7, 0, &slots[i]));
	HOLDS(memory_live() == live + (long)count);
	first = slots[count - 1];
	for (i = 0; i < count; i++)
		ring_release(slots[i]);
	HOLDS(memory_live() == live + (long)most);
	slots[0] = 0;
	HOLDS(ring_new(size, 1, 7, 0, &slots[0]) == first || !most);
	/* not for a small one */
	slots[1] = 0;
	HOLDS(ring_new(size / 3, 1, 7, 0, &slots[1]));
	HOLDS(memory_live() == live + (long)(most ? most : 1) + 1);
	ring_release(slots[0]);
	ring_release(slots[1]);
}

static void *in_a_thread(void *unused)
{
	keeps(100, 3, 0);
	keeps(50000, 12, 8);
	return unused;
}

static void *in_another(void *unused)
{
	keeps((size_t)9 << 20, 5, 3);
	keeps((size_t)40 << 20, 1, 0);
	return unused;
}

void test_kept(void)
{
	void *(*const threads[])(void *) = {in_a_thread, in_another};
	long live = memory_live();
	pthread_t thread;
	size_t i;

	memory_begin(MEMORY_SOUND);
	for (i = 0; i < 2; i++) {
		HOLDS(!pthread_create(&thread, NULL, threads[i], NULL));
		HOLDS(!pthread_join(thread, NULL));
		HOLDS(memory_live() == live);
	}
}
