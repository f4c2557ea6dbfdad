/* SPDX-License-Identifier: MIT */
/* crc32c.h - CRC32c without the complements before and after, by tier. */
#ifndef CC_PACKET_CRC32C_H
#define CC_PACKET_CRC32C_H

#include <carrychain/packet.h>

#include "../cpu/dispatch.h"

struct cc_crc32c_kernels {
	const char *tier;
	cc_u32 (*remainder)(cc_u32 crc, const unsigned char *data, size_t len);
};

CC_HIDDEN cc_u32 cc_crc32c_bmi2adx(cc_u32 crc, const unsigned char *data, size_t len);

#endif /* CC_PACKET_CRC32C_H */
