// SPDX-License-Identifier: MIT
/* IEEE 802.11's data frames, and the headers that drivers put before frames. */
#include "walk.h"

/* Its first field (802.11-2020, 9.2.4.1), in the order of bytes on the air */
enum {
	VERSION = 0x03,
	KIND = 0x0c,
	DATA = 0x08,
	NO_DATA = 0x40,
	QOS = 0x80,
};

enum {
	TO_AND_FROM = 0x03,
	MORE_FRAGMENTS = 0x04,
	PROTECTED = 0x40,
	HT_CONTROL = 0x80,
};

/* An A-MSDU: several frames in one, each of them LLC after two addresses and a length. */
enum step cc_walk_subframe(struct cc_walk *w)
{
	struct cc_subframes *rest = &w->rest[w->rest_count - 1];
	size_t length, padded;

	/* only one fragment a packet can be told of */
	if (w->out->is_fragment) {
		w->rest_count = 0;
		return cc_walk_unknown(w, CC_PACKET_SUBFRAME, 0);
	}
	w->rest_count--;
	if (rest->next > rest->captured)
		return cc_walk_cut(w);
	w->at = rest->next;
	w->end = rest->end;
	w->captured = rest->captured;
	w->covered = rest->covered;
	w->quoted = rest->quoted;
	w->broken = 0;
	/* only padding, or the frame's FCS, is left */
	if (w->end - w->at < 14)
		return END;
	if (reach(w, 14) != REACHED)
		return cc_walk_cut(w);
	length = get16(w->data + w->at + 12);
	/* all but the last are padded to 4 bytes */
	padded = (14 + length + 3) / 4 * 4;
	if (padded < w->end - w->at) {
		rest->next = w->at + padded;
		w->rest_count++;
	}
	w->at += 14;
	cc_walk_bound(w, length);
	return LLC;
}

static enum step subframes(struct cc_walk *w)
{
	if (w->rest_count == AGGREGATES)
		return cc_walk_unknown(w, CC_PACKET_SUBFRAME, 0);
	w->rest[w->rest_count++] = (struct cc_subframes){
		.next = w->at,
		.end = w->end,
		.captured = w->captured,
		.covered = w->covered,
		.quoted = w->quoted,
	};
	return SUBFRAME;
}

enum step cc_walk_ieee80211(struct cc_walk *w, int swapped, int padded)
{
	const unsigned char *p = w->data + w->at;
	unsigned int kind, flags;
	size_t header = 24;
	int aggregate = 0;

	if (reach(w, 2) != REACHED)
		return cc_walk_cut(w);
	kind = p[swapped ? 1 : 0];
	flags = p[swapped ? 0 : 1];
	if (kind & VERSION)
		return cc_walk_unknown(w, CC_PACKET_IEEE80211_VERSION, kind & VERSION);
	/* management frames, control frames, and data frames without data have no checksum */
	if ((kind & KIND) != DATA || kind & NO_DATA)
		return END;
	if (reach(w, header) != REACHED)
		return cc_walk_cut(w);
	if (flags & PROTECTED)
		return cc_walk_unknown(w, CC_PACKET_PROTECTED, 0);
	if (flags & MORE_FRAGMENTS || p[22] & 15)
		return cc_walk_unknown(w, CC_PACKET_IEEE80211_FRAGMENT, 0);
	if ((flags & TO_AND_FROM) == TO_AND_FROM)
		header += 6;
	if (kind & QOS) {
		header += 2;
		if (reach(w, header) != REACHED)
			return cc_walk_cut(w);
		aggregate = p[header - 2] & 0x80;
		header += flags & HT_CONTROL ? 4 : 0;
	}
	if (padded)
		header = (header + 3) / 4 * 4;
	if (reach(w, header) != REACHED)
		return cc_walk_cut(w);
	w->at += header;
	return aggregate ? subframes(w) : LLC;
}

static unsigned int little16(const unsigned char *p)
{
	return (unsigned int)p[1] << 8 | p[0];
}

/* radiotap.org: its second field tells whether the frame's header is padded */
enum step cc_walk_radiotap(struct cc_walk *w)
{
	const unsigned char *p = w->data + w->at;
	size_t length, present = 4, flags;
	int padded = 0;

	if (reach(w, 8) != REACHED)
		return cc_walk_cut(w);
	length = little16(p + 2);
	if (p[0] || length < 8 || reach(w, length) != REACHED)
		return cc_walk_cut(w);
	/* a presence word with its highest bit set is followed by another one */
	while (p[present + 3] & 0x80 && present + 8 <= length)
		present += 4;
	flags = present + 4;
	/* the first field is a time, of 8 bytes, aligned to 8 */
	if (p[4] & 1)
		flags = (flags + 7) / 8 * 8 + 8;
	if (p[4] & 2 && flags < length)
		padded = p[flags] & 0x20;
	w->at += length;
	return cc_walk_ieee80211(w, 0, padded);
}

enum step cc_walk_avs(struct cc_walk *w)
{
	size_t length;

	if (reach(w, 8) != REACHED)
		return cc_walk_cut(w);
	length = get32(w->data + w->at + 4);
	if (length < 8 || reach(w, length) != REACHED)
		return cc_walk_cut(w);
	w->at += length;
	return cc_walk_ieee80211(w, 0, 0);
}

/* Prism's header has a fixed length; AVS's, which may replace it, has a length field. */
enum step cc_walk_prism(struct cc_walk *w)
{
	if (reach(w, 4) != REACHED)
		return cc_walk_cut(w);
	if (get32(w->data + w->at) >> 8 == 0x802110)
		return cc_walk_avs(w);
	if (reach(w, 144) != REACHED)
		return cc_walk_cut(w);
	w->at += 144;
	return cc_walk_ieee80211(w, 0, 0);
}
