// SPDX-License-Identifier: MIT
/* MD5 (RFC 1321), as one writes it in C: what compiled Lisp is timed against. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define F(x, y, z)		     (((x) & (y)) | (~(x) & (z)))
#define G(x, y, z)		     (((x) & (z)) | ((y) & ~(z)))
#define H(x, y, z)		     ((x) ^ (y) ^ (z))
#define I(x, y, z)		     ((y) ^ ((x) | ~(z)))
#define ROTATE(x, n)		     (((x) << (n)) | ((x) >> (32 - (n))))
#define STEP(f, a, b, c, d, x, s, t) ((a) += f(b, c, d) + (x) + (t), (a) = (b) + ROTATE(a, s))

/* Four steps, of words i, i + n, i + 2n, i + 3n. */
#define FOUR(f, i, n, s0, s1, s2, s3, t0, t1, t2, t3)                                              \
	(STEP(f, a, b, c, d, x[(i) % 16], s0, t0),                                                 \
	 STEP(f, d, a, b, c, x[((i) + (n)) % 16], s1, t1),                                         \
	 STEP(f, c, d, a, b, x[((i) + 2 * (n)) % 16], s2, t2),                                     \
	 STEP(f, b, c, d, a, x[((i) + 3 * (n)) % 16], s3, t3))

static void blocks(uint32_t state[4], const uint8_t *data, size_t count)
{
	uint32_t a = state[0], b = state[1], c = state[2], d = state[3], x[16];
	uint32_t a0, b0, c0, d0;

	for (; count; count--, data += 64) {
		memcpy(x, data, 64);
		a0 = a;
		b0 = b;
		c0 = c;
		d0 = d;
		FOUR(F, 0, 1, 7, 12, 17, 22, 0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee);
		FOUR(F, 4, 1, 7, 12, 17, 22, 0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501);
		FOUR(F, 8, 1, 7, 12, 17, 22, 0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be);
		FOUR(F, 12, 1, 7, 12, 17, 22, 0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821);
		FOUR(G, 1, 5, 5, 9, 14, 20, 0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa);
		FOUR(G, 5, 5, 5, 9, 14, 20, 0xd62f105d, 0x02441453, 0xd8a1e681, 0xe7d3fbc8);
		FOUR(G, 9, 5, 5, 9, 14, 20, 0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed);
		FOUR(G, 13, 5, 5, 9, 14, 20, 0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a);
		FOUR(H, 5, 3, 4, 11, 16, 23, 0xfffa3942, 0x8771f681, 0x6d9d6122, 0xfde5380c);
		FOUR(H, 1, 3, 4, 11, 16, 23, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70);
		FOUR(H, 13, 3, 4, 11, 16, 23, 0x289b7ec6, 0xeaa127fa, 0xd4ef3085, 0x04881d05);
		FOUR(H, 9, 3, 4, 11, 16, 23, 0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665);
		FOUR(I, 0, 7, 6, 10, 15, 21, 0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039);
		FOUR(I, 12, 7, 6, 10, 15, 21, 0x655b59c3, 0x8f0ccc92, 0xffeff47d, 0x85845dd1);
		FOUR(I, 8, 7, 6, 10, 15, 21, 0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1);
		FOUR(I, 4, 7, 6, 10, 15, 21, 0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391);
		a += a0;
		b += b0;
		c += c0;
		d += d0;
	}
	state[0] = a;
	state[1] = b;
	state[2] = c;
	state[3] = d;
}

void peer_md5(const uint8_t *data, size_t size, uint8_t *digest)
{
	uint32_t state[4] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
	uint8_t last[128] = {0};
	size_t whole = size / 64, rest = size % 64, length = rest < 56 ? 64 : 128;
	uint64_t bits = (uint64_t)size * 8;

	blocks(state, data, whole);
	memcpy(last, data + whole * 64, rest);
	last[rest] = 0x80;
	memcpy(last + length - 8, &bits, 8);
	blocks(state, last, length / 64);
	memcpy(digest, state, 16);
}
