// SPDX-License-Identifier: MIT
/* What a sum's finding means where it was captured. */
#include <carrychain/vantage.h>

static const char *const texts[] = {
	[CC_EVIDENCE_NONE] = "",
	[CC_EVIDENCE_SENT_STATED] = "sent: stated",
	[CC_EVIDENCE_SENT_PACKET_TYPE] = "sent: packet type",
	[CC_EVIDENCE_SENT_FLAGS] = "sent: epb_flags",
	[CC_EVIDENCE_SENT_MAC] = "sent: MAC address",
	[CC_EVIDENCE_LOOPBACK] = "loopback",
	[CC_EVIDENCE_RECEIVED_STATED] = "received: stated",
	[CC_EVIDENCE_RECEIVED_PACKET_TYPE] = "received: packet type",
	[CC_EVIDENCE_RECEIVED_FLAGS] = "received: epb_flags",
	[CC_EVIDENCE_RECEIVED_MAC] = "received: MAC address",
	[CC_EVIDENCE_WIRE_STATED] = "on the wire: stated",
	[CC_EVIDENCE_WIRE_PACKET_TYPE] = "on the wire: packet type",
	[CC_EVIDENCE_WIRE_FLAGS] = "on the wire: epb_flags",
	[CC_EVIDENCE_LONG] = "longer than an Ethernet frame",
	[CC_EVIDENCE_MERGED] = "merged on receipt by GRO",
	[CC_EVIDENCE_ACCEPTED] = "accepted by its receiver",
	[CC_EVIDENCE_BOTH] = "both ends defer",
	[CC_EVIDENCE_NONE_RIGHT] = "no right sum of its sender nearby",
	[CC_EVIDENCE_SOME_RIGHT] = "right sums of its sender nearby",
	[CC_EVIDENCE_MIXED] = "sent or merged on receipt by GRO",
	[CC_EVIDENCE_UNSETTLED] = "by itself",
};

const char *cc_verdict_name(unsigned int verdict)
{
	switch (verdict) {
	case CC_VERDICT_DEFERRED:
		return "deferred";
	case CC_VERDICT_UNFINISHED:
		return "unfinished";
	default:
		return cc_packet_verdict_name(verdict);
	}
}

const char *cc_evidence_text(unsigned int evidence)
{
	return evidence < CC_EVIDENCES ? texts[evidence] : "?";
}

/* Of a packet that its sender's network card had before it was captured. */
static unsigned int passed(unsigned int protocol, unsigned int sum,
			   const struct cc_vantage_known *known, unsigned char *evidence)
{
	/* merging leaves the pseudo-header's sum, in segments of any length */
	if (protocol == CC_PACKET_TCP && sum & CC_SUM_DATA &&
	    (sum & CC_SUM_LONG || (known && known->merges))) {
		*evidence = CC_EVIDENCE_MERGED;
		return CC_VERDICT_DEFERRED;
	}
	/* handed from one virtual machine to another, before any card divides it */
	if (protocol == CC_PACKET_IPV4 && sum & CC_SUM_LONG) {
		*evidence = CC_EVIDENCE_LONG;
		return CC_VERDICT_DEFERRED;
	}
	/* a broken sender's handshake is not answered */
	if (known && known->accepted) {
		*evidence = CC_EVIDENCE_ACCEPTED;
		return CC_VERDICT_DEFERRED;
	}
	/* containers and their host; a frame that says more is believed */
	if (known && known->both && !known->right && *evidence == CC_EVIDENCE_RECEIVED_MAC) {
		*evidence = CC_EVIDENCE_BOTH;
		return CC_VERDICT_DEFERRED;
	}
	return CC_VERDICT_UNFINISHED;
}

/* Whether sums that the sender would defer with this one are right. */
static int is_alone(unsigned int protocol, unsigned int sum, unsigned int right)
{
	switch (protocol) {
	case CC_PACKET_IPV4:
		/* some cards make the header's sum for long segments alone */
		return !(sum & CC_SUM_BESIDE) && right & CC_RIGHT_IPV4;
	case CC_PACKET_TCP:
		/*
		 * Without offload, Linux sums data as it copies them, and what has none after it
		 * was captured.
		 */
		return right & CC_RIGHT_TCP_DATA && (sum & CC_SUM_DATA || right & CC_RIGHT_TCP_SYN);
	case CC_PACKET_UDP:
		return !!(right & CC_RIGHT_UDP);
	case CC_PACKET_SCTP:
		return !!(right & CC_RIGHT_SCTP);
	default:
		return !!(right & CC_RIGHT_OTHER);
	}
}

/* Of a packet whose direction nothing shows. */
static unsigned int learned(unsigned int protocol, unsigned int sum,
			    const struct cc_vantage_known *known, unsigned char *evidence)
{
	if (sum & CC_SUM_LONG) {
		*evidence = CC_EVIDENCE_LONG;
	} else if (!known) {
		*evidence = CC_EVIDENCE_UNSETTLED;
	} else if (!is_alone(protocol, sum, known->right)) {
		*evidence = known->both ? CC_EVIDENCE_BOTH : CC_EVIDENCE_NONE_RIGHT;
	} else if (sum & CC_SUM_DATA) {
		*evidence = CC_EVIDENCE_MIXED;
	} else {
		*evidence = CC_EVIDENCE_SOME_RIGHT;
		/* a 0 may be any damage; the pseudo-header's sum is no accident */
		return sum & CC_SUM_ZERO ? CC_PACKET_BAD : CC_VERDICT_UNFINISHED;
	}
	return CC_VERDICT_DEFERRED;
}

unsigned int cc_vantage_verdict(unsigned int protocol, unsigned int sum,
				const struct cc_vantage_known *known, unsigned char *evidence)
{
	if (*evidence == CC_EVIDENCE_NONE && known)
		*evidence = known->mac;
	switch (cc_vantage_of(*evidence)) {
	case CC_VANTAGE_SENDER:
		return CC_VERDICT_DEFERRED;
	case CC_VANTAGE_RECEIVER:
	case CC_VANTAGE_WIRE:
		return passed(protocol, sum, known, evidence);
	default:
		return learned(protocol, sum, known, evidence);
	}
}
