// SPDX-License-Identifier: MIT
/* One-dimensional buffers: their layout, and whether they share memory. */
#include "call.h"

#include <string.h>

int buffer_is_lendable(const Py_buffer *view, const struct node *node)
{
	const char *format = view->format ? view->format : "B";
	const char *formats = node->is_signed ? "bhilqn" : "BHILQNc";
	Py_ssize_t size = (Py_ssize_t)item_size(node);

	if (*format == '@' || *format == '=')
		format++;
	return view->ndim == 1 && view->itemsize == size && *format && strchr(formats, *format) &&
	       !format[1] && !view->suboffsets &&
	       (view->shape[0] < 2 || view->strides[0] == size) &&
	       !((uintptr_t)view->buf % (uintptr_t)size);
}

/* The distance of its first two items in bytes; 0 if it has fewer than two. */
static Py_ssize_t step_of(const Py_buffer *view)
{
	return view->shape[0] < 2 ? 0 : view->strides ? view->strides[0] : view->itemsize;
}

static void ends(const Py_buffer *view, uintptr_t *low, uintptr_t *high)
{
	uintptr_t first = (uintptr_t)view->buf;
	Py_ssize_t whole = view->shape[0] ? step_of(view) * (view->shape[0] - 1) : 0;

	*low = whole < 0 ? first - (uintptr_t)-whole : first;
	*high = (whole < 0 ? first : first + (uintptr_t)whole) + (uintptr_t)view->itemsize;
}

static uintptr_t gcd(uintptr_t a, uintptr_t b)
{
	uintptr_t t;

	while (b) {
		t = a % b;
		a = b;
		b = t;
	}
	return a;
}

static uintptr_t magnitude(Py_ssize_t x)
{
	return x < 0 ? (uintptr_t)-x : (uintptr_t)x;
}

int buffers_meet(const Py_buffer *a, const Py_buffer *b)
{
	uintptr_t low, high, other_low, other_high, multiple, apart;

	if (!a->shape[0] || !b->shape[0])
		return 0;
	ends(a, &low, &high);
	ends(b, &other_low, &other_high);
	if (high <= other_low || other_high <= low)
		return 0;
	/* the distance of any item of one from any of the other is that of the first ones, plus a
	 * multiple of this */
	multiple = gcd(magnitude(step_of(a)), magnitude(step_of(b)));
	if (!multiple)
		return 1;
	low = (uintptr_t)a->buf;
	high = (uintptr_t)b->buf;
	apart = high >= low ? (high - low) % multiple
			    : (multiple - (low - high) % multiple) % multiple;
	return apart < (uintptr_t)a->itemsize || multiple - apart < (uintptr_t)b->itemsize;
}

int buffers_are_same(const Py_buffer *a, const Py_buffer *b)
{
	return a->shape[0] && a->buf == b->buf && a->shape[0] == b->shape[0] &&
	       step_of(a) == step_of(b) && a->itemsize == b->itemsize &&
	       !strcmp(a->format ? a->format : "B", b->format ? b->format : "B");
}
