// SPDX-License-Identifier: MIT
/*
 * Whose machine a capture was made on: its MAC address is in every unicast frame, as the source or
 * as the destination.  All others come and go.
 */
#include <carrychain/vantage.h>

#include "../platform.h"

enum { SOURCE = 1, DESTINATION = 2, BOTH = 3, LENGTH = 6 };

/* In any byte order: it is only compared.  No address of a unicast frame is 0. */
static cc_u64 address(const unsigned char *p)
{
	cc_u64 x = 0;

	memcpy(&x, p, LENGTH);
	return x;
}

void cc_vantage_macs_see(struct cc_vantage_macs *m, const unsigned char *frame)
{
	cc_u64 to = address(frame), from = address(frame + LENGTH);
	unsigned int i;

	/* to a group */
	if (frame[0] & 1)
		return;
	if (!m->begun) {
		m->begun = 1;
		m->mac[0] = to;
		m->mac[1] = from;
	}
	for (i = 0; i < 2; i++) {
		if (m->mac[i] == from)
			m->as[i] |= SOURCE;
		else if (m->mac[i] == to)
			m->as[i] |= DESTINATION;
		else
			m->mac[i] = 0;
	}
}

/* The index of @mac in @m; -1 if it is ruled out. */
static int place_of(const struct cc_vantage_macs *m, cc_u64 mac)
{
	return !mac ? -1 : m->mac[0] == mac ? 0 : m->mac[1] == mac ? 1 : -1;
}

void cc_vantage_macs_add(struct cc_vantage_macs *m, const struct cc_vantage_macs *from)
{
	unsigned int i;
	int place;

	if (!from->begun)
		return;
	if (!m->begun) {
		*m = *from;
		return;
	}
	for (i = 0; i < 2; i++) {
		place = place_of(from, m->mac[i]);
		if (place < 0)
			m->mac[i] = 0;
		else
			m->as[i] |= from->as[place];
	}
}

enum cc_evidence cc_vantage_macs_show(const struct cc_vantage_macs *m, const unsigned char mac[6])
{
	/* with two left, no third host tells which of them it is */
	unsigned int own = m->mac[0] ? 0 : 1;

	if (!m->mac[own] || m->mac[1 - own] || m->as[own] != BOTH || !address(mac))
		return CC_EVIDENCE_NONE;
	return address(mac) == m->mac[own] ? CC_EVIDENCE_SENT_MAC : CC_EVIDENCE_RECEIVED_MAC;
}
