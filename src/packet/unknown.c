// SPDX-License-Identifier: MIT
/* Names of what is not entered, for people. */
#include <carrychain/packet.h>

struct name {
	uint32_t number;
	const char *text;
};

static const struct name ethertypes[] = {
	{0x0027, "DEC MOP"},
	{0x2000, "CDP"},
	{0x2001, "NHRP"},
	{0x22f3, "TRILL"},
	{0x6002, "DEC MOP"},
	{0x6003, "DECnet"},
	{0x809b, "AppleTalk"},
	{0x80f3, "AppleTalk ARP"},
	{0x8137, "IPX"},
	{0x814c, "SNMP"},
	{0x8864, "PPPoE"},
	{0x8870, "jumbo LLC"},
	{0x887b, "HomePlug"},
	{0x888d, "CAPWAP"},
	{0x8892, "PROFINET"},
	{0x8899, "Realtek"},
	{0x88a2, "ATA over Ethernet"},
	{0x88a4, "EtherCAT"},
	{0x88ab, "Ethernet POWERLINK"},
	{0x88b8, "GOOSE"},
	{0x88ba, "sampled values"},
	{0x88bb, "LWAPP"},
	{0x88ca, "TIPC"},
	{0x88cd, "SERCOS III"},
	{0x88e1, "HomePlug AV"},
	{0x88e5, "MACsec"},
	{0x88f5, "MVRP"},
	{0x88fb, "PRP"},
	{0x8902, "connectivity fault management"},
	{0x8906, "FCoE"},
	{0x8909, "Cisco metadata"},
	{0x8914, "FIP"},
	{0x8915, "RoCE"},
	{0x891d, "TTEthernet"},
	{0x8947, "GeoNetworking"},
	{0xd28b, "Arista"},
	{0xfefe, "ISO"},
};

static const struct name protocols[] = {
	{3, "GGP"},	   {5, "ST"},
	{8, "EGP"},	   {9, "IGRP"},
	{50, "ESP"},	   {55, "minimal encapsulation"},
	{57, "SKIP"},	   {94, "IPIP"},
	{97, "EtherIP"},   {98, "ENCAP"},
	{108, "IPComp"},   {113, "PGM"},
	{124, "IS-IS"},	   {133, "Fibre Channel"},
	{135, "Mobility"}, {138, "MANET"},
	{140, "Shim6"},	   {141, "WESP"},
	{142, "ROHC"},
};

static const struct name saps[] = {
	{0x00, "none"}, {0x04, "SNA"},	   {0x7e, "X.25"}, {0xaa, "SNAP"},
	{0xe0, "IPX"},	{0xf0, "NetBIOS"}, {0xfe, "ISO"},  {0xff, "IPX without LLC"},
};

static const struct name organizations[] = {
	{0x00000c, "Cisco"},
	{0x0080c2, "IEEE 802.1"},
	{0x00e02b, "Extreme"},
	{0x080007, "AppleTalk"},
};

static const struct name ppp[] = {
	{0x0023, "OSI"},
	{0x0029, "AppleTalk"},
	{0x002b, "IPX"},
	{0x002d, "Van Jacobson, compressed"},
	{0x002f, "Van Jacobson, uncompressed"},
	{0x0031, "bridging"},
	{0x003d, "multilink"},
	{0x0053, "encrypted"},
	{0x0059, "multiplexing"},
	{0x0061, "compressed headers"},
	{0x0065, "compressed headers"},
	{0x0069, "compressed headers"},
	{0x00fb, "compressed, one link"},
	{0x00fd, "compressed"},
};

static const struct name nlpids[] = {
	{0x08, "Q.933"}, {0x81, "CLNP"}, {0x82, "ES-IS"}, {0x83, "IS-IS"}, {0xb1, "fragments"},
};

static const struct name channels[] = {
	{0x0007, "BFD"},
	{0x000a, "delay measurement"},
	{0x8902, "connectivity fault management"},
};

static const struct name ports[] = {
	{1701, "L2TP"},	  {2152, "GTP-U"},  {3544, "Teredo"},	 {4341, "LISP"},
	{4754, "GRE"},	  {4789, "VXLAN"},  {4790, "VXLAN-GPE"}, {5072, "AYIYA"},
	{5247, "CAPWAP"}, {6081, "Geneve"}, {6635, "MPLS"},	 {8472, "VXLAN"},
};

#define NAMES(names) names, sizeof(names) / sizeof((names)[0])

/* A kind, and how its numbers are written: in hexadecimal of some width, decimal, or not. */
enum { DECIMAL, NO_NUMBER, HEXADECIMAL };

static const struct kind {
	const char *text;
	unsigned int form;
	const struct name *names;
	size_t count;
} kinds[] = {
	[CC_PACKET_NOTHING] = {.text = "nothing", .form = NO_NUMBER},
	[CC_PACKET_LINK] = {.text = "link type", .form = DECIMAL},
	[CC_PACKET_FAMILY] = {.text = "address family", .form = DECIMAL},
	[CC_PACKET_ETHERTYPE] = {"EtherType", HEXADECIMAL + 4, NAMES(ethertypes)},
	[CC_PACKET_SAP] = {"LLC SAP", HEXADECIMAL + 2, NAMES(saps)},
	[CC_PACKET_SNAP] = {"SNAP organization", HEXADECIMAL + 6, NAMES(organizations)},
	[CC_PACKET_PPP] = {"PPP protocol", HEXADECIMAL + 4, NAMES(ppp)},
	[CC_PACKET_NLPID] = {"NLPID", HEXADECIMAL + 2, NAMES(nlpids)},
	[CC_PACKET_IEEE80211_VERSION] = {.text = "802.11 version", .form = DECIMAL},
	[CC_PACKET_IEEE80211_FRAGMENT] = {.text = "802.11 fragment", .form = NO_NUMBER},
	[CC_PACKET_PROTECTED] = {.text = "protected 802.11", .form = NO_NUMBER},
	[CC_PACKET_SUBFRAME] = {.text = "802.11 subframe behind a fragment, or too deep",
				.form = NO_NUMBER},
	[CC_PACKET_PSEUDOWIRE] = {.text = "pseudowire", .form = NO_NUMBER},
	[CC_PACKET_CHANNEL] = {"pseudowire channel", HEXADECIMAL + 4, NAMES(channels)},
	[CC_PACKET_NSH] = {.text = "NSH protocol", .form = DECIMAL},
	[CC_PACKET_IP_VERSION] = {.text = "IP version", .form = DECIMAL},
	[CC_PACKET_IP_PROTOCOL] = {"IP protocol", DECIMAL, NAMES(protocols)},
	[CC_PACKET_GRE_FLAGS] = {.text = "GRE flags", .form = HEXADECIMAL + 4},
	[CC_PACKET_ERSPAN] = {.text = "ERSPAN version", .form = DECIMAL},
	[CC_PACKET_ERSPAN_FRAME] = {.text = "ERSPAN frame type", .form = DECIMAL},
	[CC_PACKET_CAPWAP_DTLS] = {.text = "CAPWAP in DTLS", .form = NO_NUMBER},
	[CC_PACKET_CAPWAP_FRAGMENT] = {.text = "CAPWAP fragment", .form = NO_NUMBER},
	[CC_PACKET_CAPWAP_BINDING] = {.text = "CAPWAP binding", .form = DECIMAL},
	[CC_PACKET_UDP_PORT] = {"UDP port", DECIMAL, NAMES(ports)},
	[CC_PACKET_ARCNET] = {.text = "ARCnet protocol", .form = HEXADECIMAL + 2},
	[CC_PACKET_CUT] = {.text = "header cut short", .form = NO_NUMBER},
};

static size_t put(char *to, size_t at, const char *text)
{
	while (*text)
		to[at++] = *text++;
	return at;
}

static size_t put_number(char *to, size_t at, uint32_t number, unsigned int form)
{
	unsigned int radix = form == DECIMAL ? 10 : 16, least = 1, n = 0;
	char digits[10];

	if (form != DECIMAL) {
		at = put(to, at, "0x");
		least = form - HEXADECIMAL;
	}
	while (number || n < least) {
		digits[n++] = "0123456789abcdef"[number % radix];
		number /= radix;
	}
	while (n)
		to[at++] = digits[--n];
	return at;
}

size_t cc_packet_unknown_text(char text[CC_PACKET_TEXT], unsigned int what, uint32_t number)
{
	const struct kind *kind;
	size_t at = 0, i;

	kind = &kinds[what < sizeof(kinds) / sizeof(kinds[0]) ? what : CC_PACKET_NOTHING];
	at = put(text, at, kind->text);
	if (kind->form != NO_NUMBER) {
		text[at++] = ' ';
		at = put_number(text, at, number, kind->form);
	}
	for (i = 0; i < kind->count; i++) {
		if (kind->names[i].number != number)
			continue;
		at = put(text, at, " (");
		at = put(text, at, kind->names[i].text);
		text[at++] = ')';
	}
	text[at] = 0;
	return at;
}
