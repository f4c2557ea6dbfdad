// SPDX-License-Identifier: MIT
#include "walk.h"

static int may_be_ip(const struct cc_walk *w, size_t at)
{
	const unsigned char *p = w->data + at;
	size_t length = w->end - at, captured = w->captured - at, header, total;

	if (!captured || length < 20)
		return 0;
	if (p[0] >> 4 == 6)
		return length >= 40 && (captured < 6 || get16(p + 4) <= length - 40);
	header = (size_t)(p[0] & 15) * 4;
	if (p[0] >> 4 != 4 || header < 20 || header > length)
		return 0;
	if (captured < 10)
		return 1;
	total = get16(p + 2);
	/* TCP may be longer: the network card will segment it */
	return total ? total >= header && total <= length : p[9] == 6;
}

int cc_walk_may_be_ip(const struct cc_walk *w, size_t skip)
{
	return reach(w, skip) == REACHED && may_be_ip(w, w->at + skip);
}

static int may_be_llc(const struct cc_walk *w, size_t at, size_t length)
{
	if (length < 3 || w->end - at < length || w->captured - at < 3)
		return 0;
	switch (get32(w->data + at - 1) & 0xffffff) {
	case 0x424203:
	case 0xaaaa03:
		return 1;
	default:
		return 0;
	}
}

int cc_walk_may_be_ethernet(const struct cc_walk *w, size_t skip)
{
	size_t there = w->end < w->captured ? w->end : w->captured, at = w->at + skip + 14;
	unsigned int type;

	if (there < at)
		return 0;
	type = get16(w->data + at - 2);
	while (type == 0x8100 || type == 0x88a8) {
		at += 4;
		if (there < at)
			return 0;
		type = get16(w->data + at - 2);
	}
	switch (type) {
	case 0x0800:
		return may_be_ip(w, at) && w->data[at] >> 4 == 4;
	case 0x86dd:
		return may_be_ip(w, at) && w->data[at] >> 4 == 6;
	case 0x0806: /* of Ethernet, for IPv4 */
		return there - at >= 4 && get32(w->data + at) == 0x00010800;
	default:
		return type < 0x0600 && may_be_llc(w, at, type);
	}
}
