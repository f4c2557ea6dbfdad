// SPDX-License-Identifier: MIT
#include "histogram.h"

#include "../platform.h"

static void add(cc_u64 to[CC_VERDICTS], const cc_u64 from[CC_VERDICTS])
{
	size_t i;

	for (i = 0; i < CC_VERDICTS; i++)
		to[i] += from[i];
}

/*
 * Make the bins cover @low to @high, at a width of 2^@shift or more.  If they must begin earlier,
 * all free bins are put there, so that times in descending order seldom move the bins, too.
 */
static void reach(struct histogram_times *h, cc_u64 low, cc_u64 high, unsigned int shift)
{
	cc_u64 old[HISTOGRAM_BINS][CC_VERDICTS], first;
	size_t i;

	while ((high >> shift) - (low >> shift) >= HISTOGRAM_BINS)
		shift++;
	first = h->first << h->shift >> shift;
	if (!h->shift || (high >> shift) - first >= HISTOGRAM_BINS) {
		first = low >> shift;
	} else if (low >> shift < first) {
		first = high >> shift;
		first -= first < HISTOGRAM_BINS ? first : HISTOGRAM_BINS - 1;
	}
	if (h->shift && (shift != h->shift || first != h->first)) {
		memcpy(old, h->count, sizeof(old));
		memset(h->count, 0, sizeof(h->count));
		/* bins outside low to high are empty */
		for (i = (h->low >> h->shift) - h->first; i <= (h->high >> h->shift) - h->first;
		     i++)
			add(h->count[((h->first + i) << h->shift >> shift) - first], old[i]);
	}
	h->shift = shift;
	h->first = first;
}

static void widen(struct histogram_times *h, cc_u64 low, cc_u64 high, unsigned int shift)
{
	if (h->shift) {
		low = low < h->low ? low : h->low;
		high = high > h->high ? high : h->high;
	}
	if (shift > h->shift || low >> h->shift < h->first ||
	    (high >> h->shift) - h->first >= HISTOGRAM_BINS)
		reach(h, low, high, shift > h->shift ? shift : h->shift);
	h->low = low;
	h->high = high;
}

static void count(struct histogram_times *h, cc_u64 time, unsigned int verdict)
{
	if (!h->shift || time < h->low || time > h->high)
		widen(h, time, time, HISTOGRAM_SHIFT);
	h->count[(time >> h->shift) - h->first][verdict]++;
}

void histogram_count(struct histogram *h, cc_u64 time, uint32_t length, unsigned int verdict)
{
	h->length[31 - __builtin_clz(length | 1)][verdict]++;
	if (time)
		count(time < HISTOGRAM_SET ? &h->unset : &h->set, time, verdict);
	else
		h->timeless++;
}

static void add_times(struct histogram_times *h, const struct histogram_times *from)
{
	size_t i;

	if (!from->shift)
		return;
	widen(h, from->low, from->high, from->shift);
	for (i = 0; i < HISTOGRAM_BINS; i++) {
		cc_u64 bin = (from->first + i) << from->shift >> h->shift;

		if (bin >= h->low >> h->shift && bin <= h->high >> h->shift)
			add(h->count[bin - h->first], from->count[i]);
	}
}

void histogram_add(struct histogram *h, const struct histogram *from)
{
	size_t i;

	for (i = 0; i < HISTOGRAM_LENGTHS; i++)
		add(h->length[i], from->length[i]);
	h->timeless += from->timeless;
	add_times(&h->unset, &from->unset);
	add_times(&h->set, &from->set);
}
