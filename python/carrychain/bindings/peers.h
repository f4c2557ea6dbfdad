/* SPDX-License-Identifier: MIT */
/* peers.h - what Python times our functions beside. cffi reads this file, too: no directives. */

/* q[i] = floor(a[i] * b[i] / c[i]), by unsigned __int128 */
void peer_muldiv_each(uint64_t *q, const uint64_t *a, const uint64_t *b, const uint64_t *c,
		      size_t count);

/* What cc_checksum() gives, by 64-bit words, each added with the carry of the one before. */
uint16_t peer_checksum(const void *data, size_t len);
