// SPDX-License-Identifier: MIT
/*
 * What a packet shows of where it was captured, and the verdict that follows.  Whole captures are
 * tests/python/test_verify_vantage.py's.
 */
#include "harness.h"

#include <carrychain/vantage.h>

#include <string.h>

enum { ETHERNET = 1, COOKED = 113, COOKED_2 = 276, LOOPBACK_DEVICE = 772 };

static void test_names(void)
{
	unsigned int i, j;

	test_case(NULL, "cc_verdict_name");
	for (i = 0; i < CC_PACKET_VERDICTS; i++)
		CHECK(!strcmp(cc_verdict_name(i), cc_packet_verdict_name(i)), "%u", i);
	CHECK(!strcmp(cc_verdict_name(CC_VERDICT_DEFERRED), "deferred"), "one");
	CHECK(!strcmp(cc_verdict_name(CC_VERDICT_UNFINISHED), "unfinished"), "the other");
	CHECK(!strcmp(cc_verdict_name(CC_VERDICTS), "?"), "beyond");
	test_case(NULL, "cc_evidence_text");
	CHECK(!strcmp(cc_evidence_text(CC_EVIDENCES), "?"), "beyond");
	for (i = 0; i < CC_EVIDENCES; i++) {
		/* in CSV and JSON as they are */
		CHECK(!strpbrk(cc_evidence_text(i), ",\"\\\n"), "%s", cc_evidence_text(i));
		for (j = 0; j < i; j++)
			CHECK(strcmp(cc_evidence_text(i), cc_evidence_text(j)), "%u and %u", i, j);
	}
}

static void test_look(void)
{
	static const struct {
		unsigned int type;
		enum cc_vantage at;
	} types[] = {
		{0, CC_VANTAGE_RECEIVER}, {1, CC_VANTAGE_RECEIVER}, {2, CC_VANTAGE_RECEIVER},
		{3, CC_VANTAGE_WIRE},	  {4, CC_VANTAGE_SENDER},   {5, CC_VANTAGE_UNKNOWN},
	};
	static const struct {
		uint32_t flags;
		enum cc_vantage at;
	} flags[] = {
		{0, CC_VANTAGE_UNKNOWN},
		{1, CC_VANTAGE_RECEIVER},
		{1 | 1 << 2, CC_VANTAGE_RECEIVER},
		{1 | 4 << 2, CC_VANTAGE_WIRE},
		{2, CC_VANTAGE_SENDER},
		{3, CC_VANTAGE_UNKNOWN},
		{2 | 4 << 2, CC_VANTAGE_SENDER},
		{0xfffffffc, CC_VANTAGE_UNKNOWN},
	};
	unsigned char data[20];
	size_t i;

	test_case(NULL, "cc_vantage_look");
	for (i = 0; i < COUNT(types); i++) {
		memset(data, 0, sizeof(data));
		data[1] = (unsigned char)types[i].type;
		CHECK(cc_vantage_of(cc_vantage_look(COOKED, data, 16, 0)) == types[i].at, "%zu", i);
		/* of which not all is there */
		CHECK(!cc_vantage_look(COOKED, data, 15, 0), "%zu", i);
		data[2] = LOOPBACK_DEVICE >> 8;
		data[3] = LOOPBACK_DEVICE & 255;
		CHECK(cc_vantage_look(COOKED, data, 16, 0) == CC_EVIDENCE_LOOPBACK, "%zu", i);
		memset(data, 0, sizeof(data));
		data[10] = (unsigned char)types[i].type;
		CHECK(cc_vantage_of(cc_vantage_look(COOKED_2, data, 20, 0)) == types[i].at, "%zu",
		      i);
		CHECK(!cc_vantage_look(COOKED_2, data, 19, 0), "%zu", i);
	}
	memset(data, 1, sizeof(data));
	for (i = 0; i < COUNT(flags); i++)
		CHECK(cc_vantage_of(cc_vantage_look(ETHERNET, data, 20, flags[i].flags)) ==
			      flags[i].at,
		      "%#x", flags[i].flags);
	CHECK(cc_vantage_look(0, NULL, 0, 0) == CC_EVIDENCE_LOOPBACK, "BSD's loopback");
	memset(data, 0, sizeof(data));
	CHECK(cc_vantage_look(ETHERNET, data, 12, 2) == CC_EVIDENCE_LOOPBACK, "Linux's loopback");
	CHECK(cc_vantage_look(ETHERNET, data, 11, 2) == CC_EVIDENCE_SENT_FLAGS, "not all of it");
}

static void test_macs(void)
{
	enum { HOSTS = 4, FRAMES = 40 };
	struct cc_vantage_macs all, part, whole;
	unsigned char frame[12], mac[6] = {2, 0, 0, 0, 0, 0};
	size_t i, cut, count = test_scaled(200);
	unsigned int host;

	test_case(NULL, "cc_vantage_macs");
	for (; count; count--) {
		/* of host 0 all; in two parts, as batches are added */
		memset(&whole, 0, sizeof(whole));
		memset(&all, 0, sizeof(all));
		memset(&part, 0, sizeof(part));
		cut = (size_t)random_u64() % FRAMES;
		for (i = 0; i < FRAMES; i++) {
			host = 1 + (unsigned int)(random_u64() % (HOSTS - 1));
			memset(frame, 0, sizeof(frame));
			frame[0] = frame[6] = 2;
			frame[random_u64() & 1 ? 5 : 11] = (unsigned char)host;
			/* to a group, of anyone */
			if (random_u64() % 8 == 0)
				memset(frame, 0xff, 6);
			cc_vantage_macs_see(&whole, frame);
			cc_vantage_macs_see(&part, frame);
			if (i == cut) {
				cc_vantage_macs_add(&all, &part);
				memset(&part, 0, sizeof(part));
			}
		}
		cc_vantage_macs_add(&all, &part);
		for (host = 0; host < HOSTS; host++) {
			mac[5] = (unsigned char)host;
			CHECK(cc_vantage_macs_show(&all, mac) == cc_vantage_macs_show(&whole, mac),
			      "host %u, cut at %zu", host, cut);
		}
		/* never taken for received what its own machine sent */
		mac[5] = 0;
		CHECK(cc_vantage_macs_show(&whole, mac) != CC_EVIDENCE_RECEIVED_MAC, "it is ours");
	}
	memset(&whole, 0, sizeof(whole));
	for (host = 1; host <= 2; host++) {
		memset(frame, 0, sizeof(frame));
		frame[0] = frame[6] = 2;
		frame[5] = (unsigned char)host;
		cc_vantage_macs_see(&whole, frame);
		memset(frame + 5, 0, 7);
		frame[6] = 2;
		frame[11] = (unsigned char)host;
		CHECK(host > 1 || !cc_vantage_macs_show(&whole, mac), "two hosts look alike");
		cc_vantage_macs_see(&whole, frame);
	}
	CHECK(cc_vantage_macs_show(&whole, mac) == CC_EVIDENCE_SENT_MAC, "a third tells");
	mac[5] = 1;
	CHECK(cc_vantage_macs_show(&whole, mac) == CC_EVIDENCE_RECEIVED_MAC, "and the others");
	memset(mac, 0, sizeof(mac));
	CHECK(!cc_vantage_macs_show(&whole, mac), "no address");
}

/* What holds of all inputs: evidence of the sender excuses, and nothing but a received sum is
 * unfinished. */
static void test_verdict(void)
{
	unsigned int protocol, sum, shown, right, bits;

	test_case(NULL, "cc_vantage_verdict");
	for (shown = 0; shown <= CC_EVIDENCE_WIRE_FLAGS; shown++) {
		enum cc_vantage at = cc_vantage_of(shown);

		for (protocol = 0; protocol < CC_PACKET_PROTOCOLS; protocol++)
			for (sum = 0; sum < 0x40; sum++)
				for (right = 0; right < 0x40; right++) {
					for (bits = 0; bits < 8; bits++) {
						const struct cc_vantage_known known = {
							.right = (unsigned char)right,
							.merges = bits & 1,
							.accepted = bits >> 1 & 1,
							.both = bits >> 2 & 1,
						};
						unsigned char evidence = (unsigned char)shown;
						unsigned int verdict = cc_vantage_verdict(
							protocol, sum, &known, &evidence);

						CHECK(evidence && evidence < CC_EVIDENCES,
						      "evidence is named");
						if (at == CC_VANTAGE_SENDER)
							CHECK(verdict == CC_VERDICT_DEFERRED &&
								      evidence == shown,
							      "sent");
						else if (verdict != CC_VERDICT_DEFERRED)
							CHECK(at != CC_VANTAGE_UNKNOWN ||
								      evidence ==
									      CC_EVIDENCE_SOME_RIGHT,
							      "nothing shows it");
						CHECK(verdict != CC_PACKET_BAD ||
							      (sum & CC_SUM_ZERO &&
							       at == CC_VANTAGE_UNKNOWN),
						      "only a 0 is bad");
					}
				}
	}
}

int main(int argc, char **argv)
{
	test_begin(argc, argv);
	test_names();
	test_look();
	test_macs();
	test_verdict();
	return test_end();
}
