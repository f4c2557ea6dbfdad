// SPDX-License-Identifier: MIT
/* Frame relay: after a Q.922 address, RFC 2427 or Cisco's EtherType. */
#include "walk.h"

enum { UNNUMBERED = 3 };

/* SNAP: an EtherType, or a bridged Ethernet frame, with or without its FCS */
static enum step snap(struct cc_walk *w)
{
	uint32_t oui;

	if (reach(w, 5) != REACHED)
		return cc_walk_cut(w);
	oui = get32(w->data + w->at) >> 8;
	w->number = get16(w->data + w->at + 3);
	w->at += 5;
	if (!oui)
		return TYPE;
	if (oui == 0x0080c2 && (w->number == 1 || w->number == 7))
		return ETHERNET;
	return cc_walk_unknown(w, CC_PACKET_SNAP, oui);
}

/* By the network layer protocol identifier of ISO/IEC TR 9577 */
static enum step nlpid(struct cc_walk *w)
{
	unsigned int number;

	/* padded to an even length */
	if (reach(w, 2) == REACHED && !w->data[w->at])
		w->at++;
	if (reach(w, 1) != REACHED)
		return cc_walk_cut(w);
	number = w->data[w->at++];
	switch (number) {
	case 0x80:
		return snap(w);
	case 0x8e:
		return IPV6;
	case 0xcc:
		return IPV4;
	case 0xcf:
		return PPP;
	default:
		return cc_walk_unknown(w, CC_PACKET_NLPID, number);
	}
}

enum step cc_walk_frame_relay(struct cc_walk *w)
{
	const unsigned char *p = w->data + w->at;
	size_t address = 2;

	/* an address has 2 to 4 bytes, of which the last is odd */
	if (reach(w, 2) != REACHED)
		return cc_walk_cut(w);
	while (!(p[address - 1] & 1)) {
		if (++address > 4)
			return cc_walk_unknown(w, CC_PACKET_NLPID, 0);
		if (reach(w, address) != REACHED)
			return cc_walk_cut(w);
	}
	w->at += address;
	if (reach(w, 2) != REACHED)
		return cc_walk_cut(w);
	if (p[address] == UNNUMBERED) {
		w->at++;
		return nlpid(w);
	}
	w->number = get16(p + address);
	w->at += 2;
	return TYPE;
}
