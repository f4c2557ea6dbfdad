// SPDX-License-Identifier: MIT
/* Blowfish (Schneier 1993), as one writes it in C: what compiled Lisp is timed against. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct schedule {
	uint32_t p[18];
	uint32_t s[4][256];
};

static uint32_t mix(const struct schedule *c, uint32_t x)
{
	return ((c->s[0][x >> 24] + c->s[1][x >> 16 & 0xff]) ^ c->s[2][x >> 8 & 0xff]) +
	       c->s[3][x & 0xff];
}

static void encrypt(const struct schedule *c, uint32_t *left, uint32_t *right)
{
	uint32_t l = *left, r = *right;
	int i;

	for (i = 0; i < 16; i += 2) {
		l ^= c->p[i];
		r ^= mix(c, l);
		r ^= c->p[i + 1];
		l ^= mix(c, r);
	}
	*left = r ^ c->p[17];
	*right = l ^ c->p[16];
}

static void prepare(struct schedule *c, const uint32_t *fraction, const uint8_t *key, size_t length)
{
	uint32_t l = 0, r = 0, word;
	size_t i, k, n = 0;

	memcpy(c->p, fraction, sizeof(c->p));
	memcpy(c->s, fraction + 18, sizeof(c->s));
	for (i = 0; i < 18; i++) {
		word = 0;
		for (k = 0; k < 4; k++, n++)
			word = word << 8 | key[n % length];
		c->p[i] ^= word;
	}
	for (i = 0; i < 18; i += 2) {
		encrypt(c, &l, &r);
		c->p[i] = l;
		c->p[i + 1] = r;
	}
	for (i = 0; i < 4; i++) {
		for (k = 0; k < 256; k += 2) {
			encrypt(c, &l, &r);
			c->s[i][k] = l;
			c->s[i][k + 1] = r;
		}
	}
}

static uint32_t get(const uint8_t *p)
{
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static void put(uint8_t *p, uint32_t x)
{
	p[0] = (uint8_t)(x >> 24);
	p[1] = (uint8_t)(x >> 16);
	p[2] = (uint8_t)(x >> 8);
	p[3] = (uint8_t)x;
}

/* @fraction: the 1042 first words of pi's fraction */
void peer_blowfish(const uint8_t *data, size_t size, uint8_t *result, const uint32_t *fraction,
		   const uint8_t *key, size_t length)
{
	struct schedule c;
	uint32_t l, r;
	size_t i;

	prepare(&c, fraction, key, length);
	for (i = 0; i + 8 <= size; i += 8) {
		l = get(data + i);
		r = get(data + i + 4);
		encrypt(&c, &l, &r);
		put(result + i, l);
		put(result + i + 4, r);
	}
}
