// SPDX-License-Identifier: MIT
/* The protocols that IP carries. */
#include "walk.h"

#include <carrychain/checksum.h>

uint32_t cc_walk_pseudo_header(struct cc_walk *w, size_t length)
{
	w->pseudo_length = (uint32_t)length;
	if (w->family == 4)
		return cc_checksum_pseudo_v4(w->from, w->to, (uint8_t)w->number, (uint32_t)length);
	return cc_checksum_pseudo_v6(w->from, w->to, (uint8_t)w->number, (uint32_t)length);
}

void cc_walk_ports(const struct cc_walk *w, struct cc_packet_layer *f)
{
	if (reach(w, 4) != REACHED)
		return;
	f->has_ports = 1;
	f->source_port = (uint16_t)get16(w->data + w->at);
	f->destination_port = (uint16_t)get16(w->data + w->at + 2);
}

struct cc_packet_layer *cc_walk_sum(struct cc_walk *w, enum cc_packet_protocol protocol,
				    size_t field, size_t least, size_t length, int pseudo)
{
	int reason = length < least ? CC_PACKET_MALFORMED : readable(w, length);

	if (reason != REACHED)
		return cc_walk_unverifiable(w, protocol, reason);
	return cc_walk_judge(w, protocol, field, length,
			     pseudo ? cc_walk_pseudo_header(w, length) : 0);
}

static enum step tcp(struct cc_walk *w)
{
	cc_walk_ports(w, cc_walk_sum(w, CC_PACKET_TCP, 16, 20, w->end - w->at, 1));
	return END;
}

/* No pseudo-header, even over IPv6: EIGRP, RFC 7868, 6.2; IGMP */
static enum step message(struct cc_walk *w, enum cc_packet_protocol protocol, size_t least)
{
	cc_walk_sum(w, protocol, 2, least, w->end - w->at, 0);
	return END;
}

static enum step udp(struct cc_walk *w)
{
	const unsigned char *p = w->data + w->at;
	struct cc_packet_layer *f;
	size_t length;
	int reason = readable(w, 8);

	if (reason != REACHED)
		return cc_walk_give_up(w, CC_PACKET_UDP, reason);
	length = get16(p + 4);
	/* a jumbogram's length does not fit the field */
	if (!length && w->jumbo)
		length = w->end - w->at;
	if (length < 8 || length > w->end - w->at)
		return cc_walk_give_up(w, CC_PACKET_UDP, CC_PACKET_MALFORMED);
	w->end = w->at + length;
	if (!get16(p + 6) && (w->family == 4 || cc_walk_may_lack_checksum(get16(p + 2)))) {
		f = cc_walk_add(w, CC_PACKET_UDP, CC_PACKET_NONE);
		f->field = w->at + 6;
	} else if (w->captured < w->end) {
		f = cc_walk_unverifiable(w, CC_PACKET_UDP, CC_PACKET_TRUNCATED);
		w->covered = 1;
	} else {
		f = cc_walk_judge(w, CC_PACKET_UDP, 6, length, cc_walk_pseudo_header(w, length));
		w->covered = 1;
	}
	cc_walk_ports(w, f);
	return cc_walk_udp_payload(w);
}

static enum step udp_lite(struct cc_walk *w)
{
	const unsigned char *p = w->data + w->at;
	size_t length = w->end - w->at, coverage;
	struct cc_packet_layer *f;
	int reason = readable(w, 8);

	if (reason != REACHED)
		return cc_walk_give_up(w, CC_PACKET_UDP_LITE, reason);
	coverage = get16(p + 4);
	if (!coverage)
		coverage = length;
	if (coverage < 8 || coverage > length)
		reason = CC_PACKET_MALFORMED;
	else
		reason = reach(w, coverage);
	if (reason == REACHED) {
		/* the pseudo-header has the whole length, including data that are not covered */
		f = cc_walk_judge(w, CC_PACKET_UDP_LITE, 6, coverage,
				  cc_walk_pseudo_header(w, length));
	} else {
		f = cc_walk_unverifiable(w, CC_PACKET_UDP_LITE, reason);
	}
	cc_walk_ports(w, f);
	if (reason == CC_PACKET_MALFORMED)
		return END;
	if (coverage > 8)
		w->covered = 1;
	return cc_walk_udp_payload(w);
}

static enum step sctp(struct cc_walk *w)
{
	static const unsigned char zero[4];
	const unsigned char *p = w->data + w->at;
	size_t length = w->end - w->at;
	struct cc_packet_layer *f;
	int reason = incomplete(w, 12);
	uint32_t crc, adler;

	if (reason != REACHED) {
		cc_walk_ports(w, cc_walk_unverifiable(w, CC_PACKET_SCTP, reason));
		return END;
	}
	crc = cc_packet_crc32c(0, p, 8);
	crc = cc_packet_crc32c(crc, zero, 4);
	crc = cc_packet_crc32c(crc, p + 12, length - 12);
	f = cc_walk_add(w, CC_PACKET_SCTP, CC_PACKET_GOOD);
	f->width = 4;
	f->field_at = 8;
	f->field = w->at + 8;
	f->length = (uint32_t)length;
	f->found = get32(p + 8);
	/* little-endian */
	f->expected = crc << 24 | (crc << 8 & 0xff0000) | (crc >> 8 & 0xff00) | crc >> 24;
	if (f->verdict == CC_PACKET_GOOD && f->found != f->expected) {
		adler = cc_packet_adler32(1, p, 8);
		adler = cc_packet_adler32(adler, zero, 4);
		adler = cc_packet_adler32(adler, p + 12, length - 12);
		if (f->found == adler) {
			f->protocol = CC_PACKET_SCTP_ADLER32;
			f->expected = adler;
		} else {
			f->verdict = CC_PACKET_BAD;
		}
	}
	cc_walk_ports(w, f);
	return END;
}

enum step cc_walk_protocol(struct cc_walk *w)
{
	switch (w->number) {
	case 1:
		if (w->family == 4)
			return cc_walk_icmp(w);
		break;
	case 2:
		return message(w, CC_PACKET_IGMP, 4);
	case 4:
		return IPV4;
	case 6:
		return tcp(w);
	case 17:
		return udp(w);
	case 33:
		return cc_walk_dccp(w);
	case 41:
		return IPV6;
	case 46:
		return cc_walk_rsvp(w);
	case 47:
		return cc_walk_gre(w);
	case 51:
		return cc_walk_extension(w);
	case 58:
		if (w->family == 6)
			return cc_walk_icmp(w);
		break;
	case 59: /* nothing */
		return END;
	case 88:
		return message(w, CC_PACKET_EIGRP, 20);
	case 89:
		return cc_walk_ospf(w);
	case 97:
		return cc_walk_etherip(w);
	case 103:
		return cc_walk_pim(w);
	case 112:
		return cc_walk_vrrp(w);
	case 115:
		return cc_walk_l2tp_over_ip(w);
	case 132:
		return sctp(w);
	case 135:
		if (w->family == 6)
			return cc_walk_mobility(w);
		break;
	case 136:
		return udp_lite(w);
	case 137:
		return MPLS;
	case 139:
		return cc_walk_hip(w);
	case 140:
		if (w->family == 6)
			return cc_walk_shim6(w);
		break;
	case 143: /* of a segment route (RFC 8986) */
		return ETHERNET;
	default:
		if (w->family == 6 && cc_walk_is_extension(w->number))
			return cc_walk_extension(w);
		break;
	}
	return cc_walk_unknown(w, CC_PACKET_IP_PROTOCOL, w->number);
}
