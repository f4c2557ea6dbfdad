// SPDX-License-Identifier: MIT
#include <carrychain/packet.h>

static const char *const protocols[] = {
	[CC_PACKET_IPV4] = "IPv4",
	[CC_PACKET_IPV6] = "IPv6",
	[CC_PACKET_TCP] = "TCP",
	[CC_PACKET_UDP] = "UDP",
	[CC_PACKET_UDP_LITE] = "UDP-Lite",
	[CC_PACKET_ICMP] = "ICMP",
	[CC_PACKET_ICMPV6] = "ICMPv6",
	[CC_PACKET_IGMP] = "IGMP",
	[CC_PACKET_SCTP] = "SCTP",
	[CC_PACKET_SCTP_ADLER32] = "SCTP (Adler-32)",
	[CC_PACKET_GRE] = "GRE",
	[CC_PACKET_DCCP] = "DCCP",
	[CC_PACKET_OSPFV2] = "OSPFv2",
	[CC_PACKET_OSPFV3] = "OSPFv3",
	[CC_PACKET_PIM] = "PIM",
	[CC_PACKET_VRRP] = "VRRP",
	[CC_PACKET_EIGRP] = "EIGRP",
	[CC_PACKET_RSVP] = "RSVP",
	[CC_PACKET_MOBILITY] = "Mobility Header",
	[CC_PACKET_HIP] = "HIP",
	[CC_PACKET_SHIM6] = "shim6",
	[CC_PACKET_ICMP_EXTENSION] = "ICMP extension",
};

static const char *const verdicts[] = {
	[CC_PACKET_GOOD] = "good",
	[CC_PACKET_BAD] = "bad",
	[CC_PACKET_PARTIAL] = "partial",
	[CC_PACKET_NONE] = "none",
	[CC_PACKET_UNVERIFIABLE] = "unverifiable",
};

static const char *const reasons[] = {
	[CC_PACKET_TRUNCATED] = "not captured whole",
	[CC_PACKET_FRAGMENTS] = "fragments missing",
	[CC_PACKET_MALFORMED] = "headers that contradict themselves",
	[CC_PACKET_NESTED] = "nested too deep",
};

const char *cc_packet_protocol_name(unsigned int protocol)
{
	return protocol < CC_PACKET_PROTOCOLS ? protocols[protocol] : "?";
}

const char *cc_packet_verdict_name(unsigned int verdict)
{
	return verdict < CC_PACKET_VERDICTS ? verdicts[verdict] : "?";
}

const char *cc_packet_reason_name(unsigned int reason)
{
	return reason < CC_PACKET_REASONS ? reasons[reason] : "?";
}
