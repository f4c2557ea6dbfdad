// SPDX-License-Identifier: MIT
/*
 * Factorials, primorials and binomial coefficients of few words, by tables: without memory but the
 * result's.
 */
#include "small.h"

#include "../bigint/room.h"
#include "../limbs/divide.h"
#include "../limbs/kernels.h"
#include "../natural/word_product.h"

/* Of n!: the odd part modulo 2^64, its inverse, and how many twos. */
static const cc_u64 odd_part[CC_SMALL_PAIR + 1] = {
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
static const cc_u64 inverse_part[CC_SMALL_N + 1] = {
	0x1u,
	0x1u,
	0x1u,
	0xaaaaaaaaaaaaaaabu,
	0xaaaaaaaaaaaaaaabu,
	0xeeeeeeeeeeeeeeefu,
	0x4fa4fa4fa4fa4fa5u,
	0x2ff2ff2ff2ff2ff3u,
	0x2ff2ff2ff2ff2ff3u,
	0x938cc70553e3771bu,
	0xb71c27cddd93e49fu,
	0xb38e3229fcdee63du,
	0xe684bb63544a4cbfu,
	0xc2f684917ca340fbu,
	0xf747c9cba417526du,
	0xbb26eb51d7bd49c3u,
	0xbb26eb51d7bd49c3u,
	0xb0a7efb985294093u,
	0xbe4b8c69f259eabbu,
	0x6854d17ed6dc4fb9u,
	0xe1aa904c915f4325u,
	0x3b8206df131cead1u,
	0x79c6009fea76fe13u,
	0xd8c5d381633cd365u,
	0x4841f12b21144677u,
	0x4a91ff68200b0d0fu,
	0x8f9513a58c4f9e8bu,
	0x2b3e690621a42251u,
	0x4f520f00e03c04e7u,
	0x2edf84ee600211d3u,
	0xadcaa2764aaacdfdu,
	0x161f4f9033f4fe63u,
	0x161f4f9033f4fe63u,
	0xbada2932ea4d3e03u,
	0xcec189f3efaa30d3u,
	0xf7475bb68330bf91u,
	0x37eb7bf7d5b01549u,
	0x46b35660a4e91555u,
	0xa567c12d81f151f7u,
	0x4c724007bb2071b1u,
	0xf4a0cce58a016bdu,
	0xfa21068e66106475u,
	0x244ab72b5a318ae1u,
	0x366ce67e080d0f23u,
	0xd666fdae5dd2a449u,
	0xd740ddd0acc06a0du,
	0xb050bbbb28e6f97bu,
	0x70b003fe890a5c75u,
	0xd03aabff83037427u,
	0x13ec4ca72c783bd7u,
	0x90282c06afdbd96fu,
	0x4414ddb9db4a95d5u,
	0xa2c68735ae6832e9u,
	0xbf72d71455676665u,
	0xa8469fab6b759b7fu,
	0xc1e55b56e606caf9u,
	0x40455630fc4a1cffu,
	0x120a7b0046d16f7u,
	0xa7c3553b08faef23u,
	0x9f0bfd1b08d48639u,
	0xa433ffce9a304d37u,
	0xa22ad1d53915c683u,
	0xcb6cbc723ba5dd1du,
	0x547fb1b8ab9d0ba3u,
	0x547fb1b8ab9d0ba3u,
	0x8f15a826498852e3u,
	0x32e1a03f38880283u,
	0x3de4cce63283f0c1u,
};
static const unsigned char twos[CC_SMALL_PAIR + 1] = {
	0,   0,	  1,   1,   3,	 3,   4,   4,	7,   7,	  8,   8,   10,	 10,  11,  11,	15,
	15,  16,  16,  18,  18,	 19,  19,  22,	22,  23,  23,  25,  25,	 26,  26,  31,	31,
	32,  32,  34,  34,  35,	 35,  38,  38,	39,  39,  41,  41,  42,	 42,  46,  46,	47,
	47,  49,  49,  50,  50,	 53,  53,  54,	54,  56,  56,  57,  57,	 63,  63,  64,	64,
	66,  66,  67,  67,  70,	 70,  71,  71,	73,  73,  74,  74,  78,	 78,  79,  79,	81,
	81,  82,  82,  85,  85,	 86,  86,  88,	88,  89,  89,  94,  94,	 95,  95,  97,	97,
	98,  98,  101, 101, 102, 102, 104, 104, 105, 105, 109, 109, 110, 110, 112, 112, 113,
	113, 116, 116, 117, 117, 119, 119, 120, 120, 127, 127, 128, 128,
};
/* The last n whose odd part is below 2^64. */
#define ODD_MOST 25

int cc_small_binomial(cc_bigint *r, unsigned int n, unsigned int k)
{
	unsigned int shift = twos[n] - twos[k] - twos[n - k];

	return cc_bigint_set_u64(r, odd_part[n] * inverse_part[k] * inverse_part[n - k] << shift);
}

#if CC_WORD_BITS == 64

#if CC_HAS_PAIR
/* The 64 bits of the odd part above those of odd_part[]. */
static const cc_u64 odd_above[CC_SMALL_PAIR + 1] = {
	0x0u,
	0x0u,
	0x0u,
	0x0u,
	0x0u,
	0x0u,
	0x0u,
	0x0u,
	0x0u,
	0x0u,
	0x0u,
	0x0u,
	0x0u,
	0x0u,
	0x0u,
	0x0u,
	0x0u,
	0x0u,
	0x0u,
	0x0u,
	0x0u,
	0x0u,
	0x0u,
	0x0u,
	0x0u,
	0x0u,
	0x2u,
	0x46u,
	0x1ecu,
	0x37ccu,
	0x344fdu,
	0x655ab4u,
	0x655ab4u,
	0xd10b139u,
	0xde1bc4d1u,
	0x1e5dcbe8a8u,
	0x1114c2b2deeu,
	0x2780023da37du,
	0x2ee802a93224bu,
	0x7255867c6a398eu,
	0x23baba06e131fc9u,
	0x5b8e7cb1a1101758u,
	0x82b03a923651ea47u,
	0xf399d68f1fc25a03u,
	0x779c38265d59de23u,
	0x675debe68cc0c48u,
	0x9497031b6a551a7du,
	0x47b99208859fdd05u,
	0xd72cb61990df9711u,
	0x2f8edae4bacbea71u,
	0xa4f360563de9e51au,
	0xdc7c312e5598a438u,
	0x324e7f5a58c056dau,
	0x6a405db45fd1fb51u,
	0x34c9e2061b25819au,
	0x575f8f4fd50ed831u,
	0x639ceb2ed367e95du,
	0x2df05d6d1222f5beu,
	0x343a955b0df5d686u,
	0x9806bfc37a870e6u,
	0x8e8653c742de9d88u,
	0xf601f67aef0b898du,
	0xca3cd8e2f265a819u,
	0xc4f95fd9a7045e52u,
	0xc4f95fd9a7045e52u,
	0x3515643681bf2d8u,
	0x6d7c1eb06b9a4de2u,
	0xa77c082c2962623du,
	0x1f3c8aeebf88861du,
	0x6b5172599fcc260du,
	0xac22a240d8e933e0u,
	0xbd9afffc28ad632bu,
	0xaa72ffdd6e187c83u,
	0x9acaf62464fb819bu,
	0x5f5593429859bb6eu,
	0xee122482a249e96cu,
	0xab58b5b20b7c530cu,
	0x89aea68d7464fae6u,
	0xf99b5f8cbb62390cu,
	0x6f27c6dd34f9accu,
	0x22bc6e25208e05fdu,
	0xfd9ed9bf4cefe53au,
	0x9e70dfa3526bb65eu,
	0x5e9881f3b8ec20afu,
	0xc282a8fe2b5eae5du,
	0x95621c64666fe518u,
	0x177ac4dd34cb7b22u,
	0xfab8e72cf126d8bbu,
	0xc5f1eeee5cab500au,
	0xd11c10de378ed3cfu,
	0xc1eef70fc41b3b6eu,
	0xeff1d29ab5ae2067u,
	0x8eb9ebe652a4e952u,
	0xd98ab2ac05e8c306u,
	0xf076cd9515bbce48u,
	0x3c164a5310b18cc2u,
	0xb442def93214a647u,
	0x4d567c6bf9d300efu,
	0xcd8dd0aad1632dc7u,
	0x7dd7b20ef95ab422u,
	0x4a10637659db9769u,
	0x38773db173a2bc9cu,
	0x3fc14a5a096b9316u,
	0xa6c4ea39ca482e33u,
	0x77ffe4ef45aa58a3u,
	0x37f4e62392de5aecu,
	0x95b3a55d6808d306u,
	0x92161e0a7bb033dbu,
	0x68552b1b0b957833u,
	0x6c435a83eea42e09u,
	0x427872584545e409u,
	0xd2399446094de01cu,
	0xbf930dea412120c8u,
	0x8fe92466bf9f786bu,
	0xae91ae0aa81cfe8u,
	0xe6b712ec9850657cu,
	0x22bd24cd411b7f25u,
	0xe071d1cec1911c2eu,
	0xba3b5aa69c717ebdu,
	0x91972372b8c1ea1du,
	0x87db13b8d35cb7b9u,
	0x368c525be6d2d6c3u,
	0xff6f9fe6003d2c77u,
	0xbaa1d3821d645d61u,
	0x99989cc18f274ed9u,
	0xff848a82e6318059u,
	0xe19e1636a62e9606u,
	0xed6d051c711c6d00u,
	0xed6d051c711c6d00u,
	0xa3ef9354ff52ed23u,
	0x9fd46894d40e3616u,
	0xc9b184288345ad46u,
};

static cc_pair odd_of(unsigned int n)
{
	return (cc_pair)odd_above[n] << CC_WORD_BITS | odd_part[n];
}

int cc_small_binomial_pair(cc_bigint *r, unsigned int n, unsigned int k)
{
	cc_pair by = odd_of(k) * odd_of(n - k), x;
	struct cc_room room;
	int err = cc_room_open(&room, r, 2);

	if (err)
		return err;
	x = odd_of(n) * cc_pair_inverse(by, cc_limbs_inverse((cc_word)by));
	x <<= twos[n] - twos[k] - twos[n - k];
	room.words[0] = (cc_word)x;
	room.words[1] = cc_pair_high(x);
	cc_room_close(&room, r, 2, 0);
	return CC_OK;
}
#endif

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

/* r[n] *= x; returns the new length */
static size_t multiply(cc_word *r, size_t n, cc_word x)
{
	cc_word carry = 0, high;
	size_t i;

	if (n >= 6) {
		carry = cc_limbs_mul_1(r, r, n, x);
	} else {
		for (i = 0; i < n; i++) {
			cc_word low = cc_word_mul(&high, r[i], x);

			r[i] = low + carry;
			carry = high + (r[i] < low);
		}
	}
	r[n] = carry;
	return n + (carry > 0);
}

int cc_small_factorial(cc_bigint *r, unsigned int n)
{
	cc_word rest = 1, k;
	struct cc_room room;
	size_t i = 0, length = 1;
	int err;

	if (n <= FACTORIAL_WORD)
		return cc_bigint_set_u64(r, odd_part[n] << twos[n]);
	/* n of n's bits, with one word more */
	err = cc_room_open(&room, r, n * (CC_WORD_BITS - cc_word_clz(n)) / CC_WORD_BITS + 2);
	if (err)
		return err;
	room.words[0] = odd_part[FACTORIAL_WORD] << twos[FACTORIAL_WORD];
	k = FACTORIAL_WORD;
	for (; i < sizeof(runs) / sizeof(*runs) && runs[i].last <= n; i++) {
		length = multiply(room.words, length, runs[i].product);
		k = runs[i].last;
	}
	while (k++ < n)
		rest *= k;
	length = multiply(room.words, length, rest);
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
		length = multiply(room.words, length, prime_runs[i].product);
		k = end;
	}
	for (; k < sizeof(primes) / sizeof(*primes) && primes[k] <= n; k++)
		rest *= primes[k];
	length = multiply(room.words, length, rest);
	cc_room_close(&room, r, length, 0);
	return CC_OK;
}

/* A product that is kept in a word as long as it fits. */
struct product {
	cc_word *words, last;
	size_t length;
};

static void take(struct product *p, cc_word x)
{
	cc_word high, low = cc_word_mul(&high, p->last, x);

	if (high) {
		p->length = multiply(p->words, p->length, p->last);
		low = x;
	}
	p->last = low;
}

/* r[n] = a[n] / d, which is exact, for odd d and its inverse modulo B */
static void divide(cc_word *r, size_t n, cc_word d, cc_word inverse)
{
	cc_word above = 0;
	size_t i;

	for (i = 0; i < n; i++) {
		cc_word x = r[i], borrow = x < above;

		r[i] = (x - above) * inverse;
		cc_word_mul(&above, r[i], d);
		above += borrow;
	}
}

/* r = n (n - 1) ... (n - k + 1), of which a word holds so many together; returns the length */
static size_t falling(cc_word *r, cc_word n, unsigned int k, unsigned int together)
{
	unsigned int i;
	size_t length = 0;

	r[0] = 1;
	while (k) {
		cc_word x = n--;

		for (i = 1; i < together && i < k; i++)
			x *= n--;
		k -= i;
		if (length) {
			length = multiply(r, length, x);
		} else {
			r[0] = x;
			length = 1;
		}
	}
	return length + !length;
}

#define ODD_MOST   25 /* the odd part of so many factors' factorial is a word */
#define WORDS_FREE 2  /* a number's words beyond its length, which products write to */

static size_t words_of(cc_word n, unsigned int k)
{
	return k * (CC_WORD_BITS - cc_word_clz(n)) / CC_WORD_BITS + WORDS_FREE;
}

/*
 * r = C(n, k) 2^twos[k], as C(n, h) C(n - h, k - h) / C(k, h) for long k, k <= CC_SMALL_N; returns
 * the length.
 */
static size_t odd_quotient(cc_word *r, cc_word n, unsigned int k, unsigned int together, cc_word *t)
{
	unsigned int h = k / 2, g = k - h;
	size_t length, above;
	cc_word *a = t, *b = a + words_of(n, h);

	if (k <= ODD_MOST) {
		length = falling(r, n, k, together);
		divide(r, length, odd_part[k], inverse_part[k]);
	} else {
		t = b + words_of(n, g);
		length = odd_quotient(a, n, h, together, t);
		above = odd_quotient(b, n - h, g, together, t);
		if (length < above)
			cc_limbs_kernels()->mul_basecase(r, b, above, a, length);
		else
			cc_limbs_kernels()->mul_basecase(r, a, length, b, above);
		length += above;
		divide(r, length, odd_part[k] * inverse_part[h] * inverse_part[g],
		       inverse_part[k] * odd_part[h] * odd_part[g]);
	}
	while (!r[length - 1])
		length--;
	return length;
}

/* of both halves, and of theirs */
#define FEW_WORDS (2 * (CC_SMALL_FACTORS + 4 * WORDS_FREE))

int cc_small_binomial_few(cc_bigint *r, cc_word n, unsigned int k)
{
	cc_word t[FEW_WORDS];
	struct cc_room room;
	size_t length;
	int err;

	err = cc_room_open(&room, r, words_of(n, k) + 2 * WORDS_FREE);
	if (err)
		return err;
	length = odd_quotient(room.words, n, k, CC_WORD_BITS / (CC_WORD_BITS - cc_word_clz(n)), t);
	cc_limbs_rshift(room.words, room.words, length, twos[k]);
	cc_room_close(&room, r, length, 0);
	return CC_OK;
}

int cc_small_binomial_primes(cc_bigint *r, unsigned int n, unsigned int k)
{
	struct cc_room room;
	struct product p;
	unsigned int a, b, q, borrow;
	size_t i;
	int err;

	/* at most 2^n */
	err = cc_room_open(&room, r, n / CC_WORD_BITS + 2);
	if (err)
		return err;
	p = (struct product){room.words, 1, 1};
	p.words[0] = 1;
	/* p divides C(n, k) as often as n - k borrows in base p (Kummer 1852) */
	for (i = 0; i < sizeof(primes) / sizeof(*primes) && primes[i] <= n; i++) {
		q = primes[i];
		if (q > n - k || (q <= n / 2 && q * q > n && n % q < k % q)) {
			take(&p, q);
			continue;
		}
		if (q * q > n)
			continue;
		for (a = n, b = k, borrow = 0; a; a /= q, b /= q) {
			borrow = a % q < b % q + borrow;
			if (borrow)
				take(&p, q);
		}
	}
	p.length = multiply(p.words, p.length, p.last);
	cc_room_close(&room, r, p.length, 0);
	return CC_OK;
}

#else

int cc_small_factorial(cc_bigint *r, unsigned int n)
{
	return cc_bigint_set_u64(r, odd_part[n] << twos[n]);
}

#endif
