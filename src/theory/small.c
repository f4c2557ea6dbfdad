// SPDX-License-Identifier: MIT
/* Factorials and primorials of few words, by tables: without memory but the result's. */
#include "small.h"

#include "../bigint/room.h"

const cc_u64 cc_odd_parts[CC_SMALL_PAIR + 1] = {
	0x1u,
	0x1u,
	0x1u,
	0x3u,
	0x3u,
	0xfu,
	0x2du,
	0x13bu,
	0x13bu,
	0xb13u,
	0x375fu,
	0x26115u,
	0x7233fu,
	0x5cca33u,
	0x2898765u,
	0x260eeeebu,
	0x260eeeebu,
	0x286fddd9bu,
	0x16beecca73u,
	0x1b02b930689u,
	0x870d9df20adu,
	0xb141df4dae31u,
	0x79dd498567c1bu,
	0xaf2e19afc5266du,
	0x20d8a4d0f4f7347u,
	0x335281867ec241efu,
	0x9b3093d46fdd5923u,
	0x5e1f9767cc5866b1u,
	0x92dd23d6966aced7u,
	0xa30d0f4f0a196e5bu,
	0x8dc3e5a1977d7755u,
	0x2ab8ce915831734bu,
	0x2ab8ce915831734bu,
	0x81d2a0bc5e5fdcabu,
	0x9efcac82445da75bu,
	0xbc8b95cf58cde171u,
	0xa0e8444a1f3cecf9u,
	0x4191deb683ce3ffdu,
	0xddd3878bc84ebfc7u,
	0xcb39a64b83ff3751u,
	0xf8203f7993fc1495u,
	0xbd2a2a78b35f4bddu,
	0x84757be6b6d13921u,
	0x3fbbcfc0b524988bu,
	0xbd11ed47c8928df9u,
	0x3c26b59e41c2f4c5u,
	0x677a5137e883fdb3u,
	0xff74e943b03b93ddu,
	0xfe5ebbcb10b2bb97u,
	0xb021f1de3235e7e7u,
	0x33509eb2e743a58fu,
	0x390f9da41279fb7du,
	0xe5cb0154f031c559u,
	0x93074695ba4ddb6du,
	0x81c471caa636247fu,
	0xe1347289b5a1d749u,
	0x286f21c3f76ce2ffu,
	0xbe84a2173e8ac7u,
	0x1595065ca215b88bu,
	0xf95877595b018809u,
	0x9c2efe3c5516f887u,
	0x373294604679382bu,
	0xaf1ff7a888adcd35u,
	0x18ddf279a2c5800bu,
	0x18ddf279a2c5800bu,
	0x505a90e2542582cbu,
	0x5bacad2cd8d5dc2bu,
	0xfe3152bcbff89f41u,
	0xe1467e88bf829351u,
	0xb8001adb9e31b4d5u,
	0x2803ac06a0cbb91fu,
	0x1904b5d698805799u,
	0xe12a648b5c831461u,
	0x3516abbd6160cfa9u,
	0xac46d25f12fe036du,
	0x78bfa1da906b00efu,
	0xf6390338b7f111bdu,
	0xf25f80f538255d9u,
	0x4ec8ca55b8db140fu,
	0x4ff670740b9b30a1u,
	0x8fd032443a07f325u,
	0x80dfe7965c83eeb5u,
	0xa3dc1714d1213afdu,
	0x205b7bbfcdc62007u,
	0xa78126bbe140a093u,
	0x9de1dc61ca7550cfu,
	0x84f0046d01b492c5u,
	0x2d91810b945de0f3u,
	0xf5408b7f6008aa71u,
	0x43707f4863034149u,
	0xdac65fb9679279d5u,
	0xc48406e7d1114eb7u,
	0xa7dc9ed3c88e1271u,
	0xfb25b2efdb9cb30du,
	0x1bebda0951c4df63u,
	0x5c85e975580ee5bdu,
	0x1591bc60082cb137u,
	0x2c38606318ef25d7u,
	0x76ca72f7c5c63e27u,
	0xf04a75d17baa0915u,
	0x77458175139ae30du,
	0xe6c1330bc1b9421u,
	0xdf87d2b5797e8293u,
	0xefa5c703e1e68925u,
	0x2b6b1b3278b4f6e1u,
	0xceee27b382394249u,
	0xd74e3829f5dab91du,
	0xfdb17989c26b5f1fu,
	0xc1b7d18781530845u,
	0x7b4436b2105a8561u,
	0x7ba7c0418372a7d7u,
	0x9dbc5c67feb6c639u,
	0x502686d7f6ff6b8fu,
	0x6101855406be7a1fu,
	0x9956afb5806930e7u,
	0xe1f0ee88af40f7c5u,
	0x984b057bda5c1151u,
	0x9a49819acc13ea05u,
	0x8ef0dead0896ef27u,
	0x71f7826efe292b21u,
	0xad80a480e46986efu,
	0x1cdc0ebf5e0c6f7u,
	0x6e06f839968f68dbu,
	0xdd5943ab56e76139u,
	0xcdcf31bf8604c5e7u,
	0x7e2b4a847054a1cbu,
	0xca75697a4d3d0f5u,
	0x4703f53ac514a98bu,
	0x4703f53ac514a98bu,
	0xc8fe929d4f696f0bu,
	0x8a339f129c531cbu,
	0x6b86a6685fe87ae1u,
};
const unsigned char cc_factorial_twos[CC_SMALL_PAIR + 1] = {
	0,   0,	  1,   1,   3,	 3,   4,   4,	7,   7,	  8,   8,   10,	 10,  11,  11,	15,
	15,  16,  16,  18,  18,	 19,  19,  22,	22,  23,  23,  25,  25,	 26,  26,  31,	31,
	32,  32,  34,  34,  35,	 35,  38,  38,	39,  39,  41,  41,  42,	 42,  46,  46,	47,
	47,  49,  49,  50,  50,	 53,  53,  54,	54,  56,  56,  57,  57,	 63,  63,  64,	64,
	66,  66,  67,  67,  70,	 70,  71,  71,	73,  73,  74,  74,  78,	 78,  79,  79,	81,
	81,  82,  82,  85,  85,	 86,  86,  88,	88,  89,  89,  94,  94,	 95,  95,  97,	97,
	98,  98,  101, 101, 102, 102, 104, 104, 105, 105, 109, 109, 110, 110, 112, 112, 113,
	113, 116, 116, 117, 117, 119, 119, 120, 120, 127, 127, 128, 128,
};

#if CC_WORD_BITS == 64

#define FACTORIAL_WORD 20 /* the last n whose n! is one word */

/* Products of the numbers above the last run's, or above FACTORIAL_WORD, up to @last. */
static const struct {
	cc_u64 last, product;
} runs[] = {
	{33, 0x31880f2214b6e000u},  {45, 0xbf2e86b746513c00u},	{56, 0x527c439c51cf3000u},
	{66, 0xa9ffacc4816a800u},   {76, 0x3011d78dcf1b6e00u},	{86, 0xb25185cf11435200u},
	{95, 0x5eacf75e8ab4c80u},   {104, 0xdd610b328df5000u},	{113, 0x1e10a5795e90ff00u},
	{122, 0x3d6bf7f2f4b1c500u}, {131, 0x770df0ace64f9800u}, {140, 0xdc876eecf57fca00u},
	{148, 0x2a2a175cd278b00u},  {156, 0x40e4f2a60b1e180u},	{164, 0x61b2bb0f9db9600u},
	{172, 0x902f33157df1880u},  {180, 0xd0faed0d5805900u},	{188, 0x129f32bfe72cc780u},
	{196, 0x1a2724e5d39b5400u}, {204, 0x2439996ebeec6e80u}, {212, 0x318a531da04a0700u},
	{220, 0x42f4b5e13a078d80u}, {228, 0x59827ac8ac41f200u}, {236, 0x76733511b9ffa480u},
	{244, 0x9b44b8a858d09500u}, {252, 0xc9bc730ca2ee3380u}, {259, 0xfff20030ffdc00u},
	{266, 0x135252d5d49aa80u},  {273, 0x1738e16b4476a80u},	{280, 0x1bc77818d66f280u},
	{287, 0x2115053feb1a9d0u},  {294, 0x273ae76b2f7ba00u},	{301, 0x2e551dcfde3ecc0u},
	{308, 0x36827b4255e3500u},  {315, 0x3fe4dbad7a2e220u},	{322, 0x4aa15c1c5747c00u},
	{329, 0x56e095657ce46c0u},  {336, 0x64ced98787d6d00u},	{343, 0x749c73c6506cf70u},
	{350, 0x867deb9833f7880u},  {357, 0x9aac4a72efdb300u},	{364, 0xb1656487848c280u},
	{371, 0xcaec247c96d3c40u},  {378, 0xe788da36c5bff80u},	{385, 0x107898cbe6b9cc00u},
	{392, 0x12b424f524057580u}, {399, 0x1530d99b653ab310u}, {406, 0x17f4ca3ced578900u},
};

static const unsigned short primes[] = {
	2,   3,	  5,   7,   11,	 13,  17,  19,	23,  29,  31,  37,  41,	 43,  47,  53,	59,
	61,  67,  71,  73,  79,	 83,  89,  97,	101, 103, 107, 109, 113, 127, 131, 137, 139,
	149, 151, 157, 163, 167, 173, 179, 181, 191, 193, 197, 199, 211, 223, 227, 229, 233,
	239, 241, 251, 257, 263, 269, 271, 277, 281, 283, 293, 307, 311, 313, 317, 331, 337,
	347, 349, 353, 359, 367, 373, 379, 383, 389, 397, 401, 409, 419, 421, 431, 433, 439,
	443, 449, 457, 461, 463, 467, 479, 487, 491, 499, 503, 509, 521, 523, 541, 547, 557,
	563, 569, 571, 577, 587, 593, 599, 601, 607, 613, 617, 619, 631, 641, 643, 647, 653,
	659, 661, 673, 677, 683, 691, 701, 709, 719, 727, 733, 739, 743, 751, 757, 761, 769,
	773, 787, 797, 809, 811, 821, 823, 827, 829, 839, 853, 857, 859, 863, 877, 881, 883,
	887, 907, 911, 919, 929, 937, 941, 947, 953, 967, 971, 977, 983, 991, 997,
};

/* Products of primes[], from where the last one ends to before @end. */
static const struct {
	cc_u64 end, product;
} prime_runs[] = {
	{15, 0x88886ffdb344692u},  {25, 0x34091fa96ffdf47bu}, {34, 0x3c47d8d728a77ebbu},
	{42, 0x77ab7da9d709ea9u},  {50, 0x310df3e7bd4bc897u}, {58, 0xe657d7a1fd5161d1u},
	{65, 0x2ad3dbe0cca85ffu},  {72, 0x787f9a02c3388a7u},  {79, 0x1113c5cc6d101657u},
	{86, 0x2456c94f936bdb15u}, {93, 0x4236a30b85ffe139u}, {100, 0x805437b38eada69du},
	{106, 0x723e97bddcd2afu},  {112, 0xa5a792ee239667u},  {118, 0xe451352ebca269u},
	{124, 0x13a7955f14b7805u}, {130, 0x1d37cbd653b06ffu}, {136, 0x288fe4eca4d7cdfu},
	{142, 0x39fddb60d3af63du}, {148, 0x4cd73f19080fb03u}, {154, 0x639c390b9313f05u},
	{160, 0x8a1c420d25d388fu}, {166, 0xb4b5322977db499u},
};

int cc_small_factorial(cc_bigint *r, unsigned int n)
{
	cc_word rest = 1, k;
	struct cc_room room;
	size_t i = 0, length = 1;
	int err;

	if (n <= FACTORIAL_WORD)
		return cc_bigint_set_u64(r, cc_odd_parts[n] << cc_factorial_twos[n]);
	/* n of n's bits, with one word more */
	err = cc_room_open(&room, r, n * (CC_WORD_BITS - cc_word_clz(n)) / CC_WORD_BITS + 2);
	if (err)
		return err;
	room.words[0] = cc_odd_parts[FACTORIAL_WORD] << cc_factorial_twos[FACTORIAL_WORD];
	k = FACTORIAL_WORD;
	for (; i < sizeof(runs) / sizeof(*runs) && runs[i].last <= n; i++) {
		length = cc_small_multiply(room.words, length, runs[i].product);
		k = runs[i].last;
	}
	while (k++ < n)
		rest *= k;
	length = cc_small_multiply(room.words, length, rest);
	cc_room_close(&room, r, length, 0);
	return CC_OK;
}

int cc_small_primorial(cc_bigint *r, unsigned int n)
{
	struct cc_room room;
	size_t i, k = 0, length = 1;
	cc_word rest = 1;
	int err;

	/* below 4^n */
	err = cc_room_open(&room, r, 2 * n / CC_WORD_BITS + 2);
	if (err)
		return err;
	room.words[0] = 1;
	for (i = 0; i < sizeof(prime_runs) / sizeof(*prime_runs); i++) {
		size_t end = prime_runs[i].end;

		if (primes[end - 1] > n)
			break;
		length = cc_small_multiply(room.words, length, prime_runs[i].product);
		k = end;
	}
	for (; k < sizeof(primes) / sizeof(*primes) && primes[k] <= n; k++)
		rest *= primes[k];
	length = cc_small_multiply(room.words, length, rest);
	cc_room_close(&room, r, length, 0);
	return CC_OK;
}

#else

int cc_small_factorial(cc_bigint *r, unsigned int n)
{
	return cc_bigint_set_u64(r, cc_odd_parts[n] << cc_factorial_twos[n]);
}

#endif
