// SPDX-License-Identifier: MIT
/* GRE (RFC 2784, 2890), PPTP's variant (RFC 2637), ERSPAN, and Ethernet in IP. */
#include "walk.h"

enum {
	CHECKSUM = 0x8000,
	ROUTING = 0x4000,
	KEY = 0x2000,
	SEQUENCE = 0x1000,
	ACKNOWLEDGMENT = 0x0080,
	VERSION = 0x0007,
};

/* Version 1: PPP, whose length is in the key. */
static enum step pptp(struct cc_walk *w, unsigned int flags)
{
	const unsigned char *p = w->data + w->at;
	size_t header = 8;

	if (!(flags & KEY) || flags & (CHECKSUM | ROUTING) || get16(p + 2) != 0x880b)
		return cc_walk_unknown(w, CC_PACKET_GRE_FLAGS, flags);
	header += flags & SEQUENCE ? 4 : 0;
	header += flags & ACKNOWLEDGMENT ? 4 : 0;
	if (reach(w, header) != REACHED)
		return cc_walk_cut(w);
	w->at += header;
	cc_walk_bound(w, get16(p + 4));
	/* an acknowledgment alone */
	return flags & SEQUENCE ? PPP : END;
}

/* A frame that was cut when it was mirrored: the bytes after it do not belong to it. */
static void cut_frame(struct cc_walk *w)
{
	if (w->captured > w->end)
		w->captured = w->end;
	w->end = w->at + 0x7fffffff;
}

/* ERSPAN (draft-foschiano-erspan), type II */
static enum step mirrored(struct cc_walk *w)
{
	const unsigned char *p = w->data + w->at;

	if (reach(w, 8) != REACHED)
		return cc_walk_cut(w);
	if (p[0] >> 4 != 1)
		return cc_walk_unknown(w, CC_PACKET_ERSPAN, p[0] >> 4);
	w->at += 8;
	if (p[2] & 0x04)
		cut_frame(w);
	return ETHERNET;
}

/* Type III */
static enum step mirrored_with_time(struct cc_walk *w)
{
	const unsigned char *p = w->data + w->at;
	size_t header = 12;
	unsigned int frame;

	if (reach(w, header) != REACHED)
		return cc_walk_cut(w);
	if (p[0] >> 4 != 2)
		return cc_walk_unknown(w, CC_PACKET_ERSPAN, p[0] >> 4);
	/* a subheader of the platform */
	header += p[11] & 1 ? 8 : 0;
	if (reach(w, header) != REACHED)
		return cc_walk_cut(w);
	w->at += header;
	frame = p[10] >> 2 & 31;
	if (p[2] & 0x04)
		cut_frame(w);
	if (frame != 0 && frame != 2)
		return cc_walk_unknown(w, CC_PACKET_ERSPAN_FRAME, frame);
	return frame ? IP : ETHERNET;
}

/* WCCP's redirected packets: IPv4, in its version 2 behind a header of 4 bytes. */
static enum step redirected(struct cc_walk *w)
{
	if (reach(w, 1) != REACHED)
		return cc_walk_cut(w);
	if (w->data[w->at] >> 4 == 4)
		return IPV4;
	if (reach(w, 4) != REACHED)
		return cc_walk_cut(w);
	w->at += 4;
	return IPV4;
}

enum step cc_walk_gre(struct cc_walk *w)
{
	const unsigned char *p = w->data + w->at;
	unsigned int flags;
	size_t header = 4;
	int reason = reach(w, 4);

	if (reason != REACHED)
		return cc_walk_give_up(w, CC_PACKET_GRE, reason);
	flags = get16(p);
	if ((flags & VERSION) == 1)
		return pptp(w, flags);
	if (flags & VERSION)
		return cc_walk_unknown(w, CC_PACKET_GRE_FLAGS, flags);
	if (flags & CHECKSUM) {
		reason = incomplete(w, 8);
		if (reason == REACHED)
			cc_walk_judge(w, CC_PACKET_GRE, 4, w->end - w->at, 0);
		else
			cc_walk_unverifiable(w, CC_PACKET_GRE, reason);
		w->covered = 1;
	}
	/* source routes, which RFC 1701 had and RFC 2784 removed */
	if (flags & ROUTING)
		return cc_walk_unknown(w, CC_PACKET_GRE_FLAGS, flags);
	header += flags & CHECKSUM ? 4 : 0;
	header += flags & KEY ? 4 : 0;
	header += flags & SEQUENCE ? 4 : 0;
	if (reach(w, header) != REACHED)
		return cc_walk_cut(w);
	w->number = get16(p + 2);
	w->at += header;
	switch (w->number) {
	case 0: /* a keepalive has no payload */
		return w->at == w->end ? END : TYPE;
	case 0x88be: /* of type I, without a sequence, there is no header */
		return flags & SEQUENCE ? mirrored(w) : ETHERNET;
	case 0x22eb:
		return mirrored_with_time(w);
	case 0x883e:
		return redirected(w);
	}
	/* Aruba's access points: their radios' frames, the number by the kind of queue */
	if (w->number >= 0x8200 && w->number <= 0x8370 && !(w->number & 15))
		return cc_walk_ieee80211(w, 0, 0);
	return TYPE;
}

/* RFC 3378: its version is 3, and the rest of it 0 */
enum step cc_walk_etherip(struct cc_walk *w)
{
	if (reach(w, 2) != REACHED)
		return cc_walk_cut(w);
	if (get16(w->data + w->at) != 0x3000)
		return cc_walk_unknown(w, CC_PACKET_IP_PROTOCOL, w->number);
	w->at += 2;
	return ETHERNET;
}
