/* SPDX-License-Identifier: MIT */
/* peers.h - peers that Python times our functions against. cffi reads this file: no directives. */

/* q[i] = floor(a[i] * b[i] / c[i]), by unsigned __int128 */
void peer_muldiv_each(uint64_t *q, const uint64_t *a, const uint64_t *b, const uint64_t *c,
		      size_t count);

/* The result of cc_checksum(), by sums of 64-bit words with carry. */
uint16_t peer_checksum(const void *data, size_t len);
