/* SPDX-License-Identifier: MIT */
/* packet_datagrams.h - datagrams in fragments, for the program of test_packet.c. */
#ifndef TESTS_PACKET_DATAGRAMS_H
#define TESTS_PACKET_DATAGRAMS_H

void test_datagrams(void);

#endif /* TESTS_PACKET_DATAGRAMS_H */
