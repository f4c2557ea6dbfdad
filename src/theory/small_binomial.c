// SPDX-License-Identifier: MIT
/* Binomial coefficients of few words, by the odd parts of factorials. */
#include "small.h"

#include "../bigint/room.h"
#include "../limbs/divide.h"
#include "../limbs/kernels.h"
#include "../natural/word_product.h"

/* 1 / the odd part of n! modulo 2^256. */
#define INVERSE_WORDS 4
static const cc_u64 inverses[CC_SMALL_N + 1][INVERSE_WORDS] = {
	{0x1u, 0x0u, 0x0u, 0x0u},
	{0x1u, 0x0u, 0x0u, 0x0u},
	{0x1u, 0x0u, 0x0u, 0x0u},
	{0xaaaaaaaaaaaaaaabu, 0xaaaaaaaaaaaaaaaau, 0xaaaaaaaaaaaaaaaau, 0xaaaaaaaaaaaaaaaau},
	{0xaaaaaaaaaaaaaaabu, 0xaaaaaaaaaaaaaaaau, 0xaaaaaaaaaaaaaaaau, 0xaaaaaaaaaaaaaaaau},
	{0xeeeeeeeeeeeeeeefu, 0xeeeeeeeeeeeeeeeeu, 0xeeeeeeeeeeeeeeeeu, 0xeeeeeeeeeeeeeeeeu},
	{0x4fa4fa4fa4fa4fa5u, 0xa4fa4fa4fa4fa4fau, 0xfa4fa4fa4fa4fa4fu, 0x4fa4fa4fa4fa4fa4u},
	{0x2ff2ff2ff2ff2ff3u, 0xf2ff2ff2ff2ff2ffu, 0xff2ff2ff2ff2ff2fu, 0x2ff2ff2ff2ff2ff2u},
	{0x2ff2ff2ff2ff2ff3u, 0xf2ff2ff2ff2ff2ffu, 0xff2ff2ff2ff2ff2fu, 0x2ff2ff2ff2ff2ff2u},
	{0x938cc70553e3771bu, 0x3771affe8e21c5aau, 0x1c5aa938cc70553eu, 0x553e3771affe8e2u},
	{0xb71c27cddd93e49fu, 0xd7e389994fa05abbu, 0x9f45550b5c167772u, 0x110c717d2332e93u},
	{0xb38e3229fcdee63du, 0x5971c6b0d8b17c9cu, 0xe7aaaa3f11950adu, 0x7475e38dcd4a7899u},
	{0xe684bb63544a4cbfu, 0x7325ece59d907edeu, 0x4d38e36a5b31ae4u, 0xd17ca12f446e2833u},
	{0xc2f684917ca340fbu, 0x92b425ea47327fe9u, 0x9de8e38e0cbf0211u, 0x377fbda12ca60317u},
	{0xf747c9cba417526du, 0xa73e4e8f2ebe1245u, 0x8445d75d6f89004bu, 0x9a36d1f27417b74cu},
	{0xbb26eb51d7bd49c3u, 0x2d486ba3253fdf15u, 0xb37c1f6ca1092227u, 0x3d7b1f1029df729eu},
	{0xbb26eb51d7bd49c3u, 0x2d486ba3253fdf15u, 0xb37c1f6ca1092227u, 0x3d7b1f1029df729eu},
	{0xb0a7efb985294093u, 0xa84f8ddc6b9a586au, 0x64e92f0663d35c5cu, 0x3fda10e2d5496118u},
	{0xbe4b8c69f259eabbu, 0xf641ba6dd3112644u, 0x7cfd7700b5c226b4u, 0x78df5735a5ebb574u},
	{0x6854d17ed6dc4fb9u, 0xff7cb8f84e7a2a6fu, 0x8d50b56bd3abe716u, 0x2ec862e7e04fc62eu},
	{0xe1aa904c915f4325u, 0x3318f1cb42e53bafu, 0x4f768aaf2a55949eu, 0xd62813c7f9a98e09u},
	{0x3b8206df131cead1u, 0x7025c25f032f7cbfu, 0x40bc80823ef7e281u, 0x6bb8c3fd550812f4u},
	{0x79c6009fea76fe13u, 0xf2ec28f15d61686eu, 0x9185800bd72dcec5u, 0x66e2405cd92f478au},
	{0xd8c5d381633cd365u, 0x2bf401c7b625a05du, 0xf010ef4e6d878e8eu, 0xf9a885d1492c053u},
	{0x4841f12b21144677u, 0x63fc0097e761e01fu, 0xa55afa6f79d7da2fu, 0xafde2d745c30eac6u},
	{0x4a91ff68200b0d0fu, 0xb21451f1989d83d8u, 0x69d3d37a8b6b6ceu, 0x6d6f497f88cec1b6u},
	{0x8f9513a58c4f9e8bu, 0xdb2cb39f80c1dd5u, 0x9e0c1866be357086u, 0x1c1c40bb0a860ee6u},
	{0x2b3e690621a42251u, 0x4c5bf4905e853083u, 0x77a1a216c4aca55au, 0xb530742cda76be2eu},
	{0x4f520f00e03c04e7u, 0x2f7ad9cb7b379937u, 0x11171727d2f4179fu, 0xd0bdc7741f3588e2u},
	{0x2edf84ee600211d3u, 0x134adb5f4ade9b5au, 0x1b12738e9d57dd81u, 0x82c8c041cc1c542bu},
	{0xadcaa2764aaacdfdu, 0x78c0b94a9e975fb0u, 0xbd89c36fe85b30e6u, 0xb362b77bda6849e0u},
	{0x161f4f9033f4fe63u, 0x9048480aaa46f292u, 0xf59916d20fc0e08bu, 0x164d81ca3055f1ddu},
	{0x161f4f9033f4fe63u, 0x9048480aaa46f292u, 0xf59916d20fc0e08bu, 0x164d81ca3055f1ddu},
	{0xbada2932ea4d3e03u, 0xdd959593b7958b3au, 0xc961badf93df0e8fu, 0x1030e4e718bcc944u},
	{0xcec189f3efaa30d3u, 0x85814508b072355du, 0xedba7467812b3d17u, 0xd3c6a40d980b1ae5u},
	{0xf7475bb68330bf91u, 0x62e66fafca86eb94u, 0x6cad02036e3fa6eu, 0xc438e01da5422557u},
	{0x37eb7bf7d5b01549u, 0x60527e2ffa0efdbbu, 0x561688e7228b1bd3u, 0x87948aadf5eae7b4u},
	{0x46b35660a4e91555u, 0x9ad1cc0f226f1b9du, 0xcaf9b0ac4d0aadb9u, 0xe7fd18813dff6e0bu},
	{0xa567c12d81f151f7u, 0x159f40a27b13524bu, 0x7678ee59e91b8268u, 0xfebc7a8d89fff851u},
	{0x4c724007bb2071b1u, 0xf9fd84f0794f43c0u, 0x9a0319cdcae672eeu, 0x833fe8e2cf069036u},
	{0xf4a0cce58a016bdu, 0x9865e7634b7640c0u, 0x52009ec2c22e16fcu, 0xb3d994fa2967b671u},
	{0xfa21068e66106475u, 0xd8027c471ad0eed8u, 0xc9ce105c2a33134au, 0x4f503bd4267929e9u},
	{0x244ab72b5a318ae1u, 0x22aac8f73209f2feu, 0x2e2e624d881ad028u, 0x3489ea77d111f5ceu},
	{0x366ce67e080d0f23u, 0xeef21c7cd189295fu, 0x5a6055a28c187000u, 0x138c9eaf8f482bdu},
	{0xd666fdae5dd2a449u, 0xfe7319dccd3b03c2u, 0xc265d93d528ddba2u, 0x747986b8452d803fu},
	{0xd740ddd0acc06a0du, 0xf496780a9878c731u, 0xcb6e5a292f587c58u, 0xad414742ac34360cu},
	{0xb050bbbb28e6f97bu, 0x4d6ab74e5fac352eu, 0xe7741a2e4ff8b77eu, 0xe6243ac01dbf7cc8u},
	{0x70b003fe890a5c75u, 0xe669c289d6760c06u, 0x97fd0600fc4134ecu, 0xf48e634ae5661de3u},
	{0xd03aabff83037427u, 0x4ccdeb83477caeacu, 0xdd545755a96b11a4u, 0xfc2f766e4c775f4bu},
	{0x13ec4ca72c783bd7u, 0xa8c048b9894baff9u, 0xbb5fc316a56aacc4u, 0x8288ce2c0c026fa8u},
	{0x90282c06afdbd96fu, 0x10fd738c8a9ca0a3u, 0x8c9d6e341b18bf3bu, 0x2e2e6ea59a1493d3u},
	{0x4414ddb9db4a95d5u, 0xe2372a6c2adfef12u, 0xfdbccff6fb82febau, 0x5b422a538f91f8dbu},
	{0xa2c68735ae6832e9u, 0x602ba0cd3e5ffeb2u, 0x75fad4eb9d31760eu, 0x697b3e55326db0aeu},
	{0xbf72d71455676665u, 0x1ecbb0ebb8b95bbfu, 0x97f63dfac900eee8u, 0x28a1b8b92797ce33u},
	{0xa8469fab6b759b7fu, 0x3a078b4b19cdf9eau, 0x64716a9782b42ec6u, 0x276e493643d6370bu},
	{0xc1e55b56e606caf9u, 0x8809723ddfe329c7u, 0x305f272ca549181fu, 0x214c7a596c49b687u},
	{0x40455630fc4a1cffu, 0xa5b834e4448e2a8au, 0xe256bc74179cba4du, 0x7278a3c3a1c16337u},
	{0x120a7b0046d16f7u, 0x733024db9569cadau, 0xa129f1575ebae3d4u, 0xe70f971565a513b4u},
	{0xa7c3553b08faef23u, 0x301c2494d02fc933u, 0x8124c1b3908207dbu, 0x7ab9eaba1dfcdd5eu},
	{0x9f0bfd1b08d48639u, 0x8ba9b284b116813du, 0x68721a7ecc11e81u, 0x1c1d2f5e45ee9747u},
	{0xa433ffce9a304d37u, 0x80c70be6b678f78cu, 0x88f7f12d540cdfe6u, 0x12f0e10648edc5d1u},
	{0xa22ad1d53915c683u, 0xf9b7b8d9d0a1755eu, 0xfe0c7543e4003607u, 0x4f7d64d3081839u},
	{0xcb6cbc723ba5dd1du, 0x315881d57a57c9fau, 0xdee7a0af9c0001beu, 0x210ad27f1f94e801u},
	{0x547fb1b8ab9d0ba3u, 0xcf94723e57f5c9au, 0xf348c188e1f7df85u, 0xd7e3ba32c79cc6bau},
	{0x547fb1b8ab9d0ba3u, 0xcf94723e57f5c9au, 0xf348c188e1f7df85u, 0xd7e3ba32c79cc6bau},
	{0x8f15a826498852e3u, 0x6a89be23ff979ef6u, 0xdc5bb4354e4ea4eau, 0xf2302dd55c755c3u},
	{0x32e1a03f38880283u, 0xa623344eaaa780f0u, 0x92505acb4ff2de35u, 0xbaa3f854486ae391u},
	{0x3de4cce63283f0c1u, 0x11c3641fbdc55da0u, 0x563e556a32dd6a7bu, 0xe437f09a18019869u},
};

int cc_small_binomial(cc_bigint *r, unsigned int n, unsigned int k)
{
	unsigned int shift = cc_factorial_twos[n] - cc_factorial_twos[k] - cc_factorial_twos[n - k];

	return cc_bigint_set_u64(r, cc_odd_parts[n] * inverses[k][0] * inverses[n - k][0] << shift);
}

#if CC_WORD_BITS == 64

/* log2 n!, rounded down */
static const unsigned short logarithm[CC_SMALL_PAIR + 1] = {
	0,   0,	  1,   2,   4,	 6,   9,   12,	15,  18,  21,  25,  28,	 32,  36,  40,	44,
	48,  52,  56,  61,  65,	 69,  74,  79,	83,  88,  93,  97,  102, 107, 112, 117, 122,
	127, 132, 138, 143, 148, 153, 159, 164, 169, 175, 180, 186, 191, 197, 202, 208, 214,
	219, 225, 231, 237, 242, 248, 254, 260, 266, 272, 278, 284, 289, 295, 302, 308, 314,
	320, 326, 332, 338, 344, 350, 357, 363, 369, 375, 382, 388, 394, 401, 407, 413, 420,
	426, 433, 439, 446, 452, 458, 465, 472, 478, 485, 491, 498, 504, 511, 518, 524, 531,
	538, 544, 551, 558, 564, 571, 578, 585, 591, 598, 605, 612, 619, 626, 632, 639, 646,
	653, 660, 667, 674, 681, 688, 695, 702, 709, 716, 723, 730, 737,
};

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
	return (cc_pair)odd_above[n] << CC_WORD_BITS | cc_odd_parts[n];
}

int cc_small_binomial_pair(cc_bigint *r, unsigned int n, unsigned int k)
{
	cc_pair by = odd_of(k) * odd_of(n - k), x;
	struct cc_room room;
	int err = cc_room_open(&room, r, 2);

	if (err)
		return err;
	x = odd_of(n) * cc_pair_inverse(by, cc_limbs_inverse((cc_word)by));
	x <<= cc_factorial_twos[n] - cc_factorial_twos[k] - cc_factorial_twos[n - k];
	room.words[0] = (cc_word)x;
	room.words[1] = cc_pair_high(x);
	cc_room_close(&room, r, 2, 0);
	return CC_OK;
}
#endif

/*
 * r[words] = the odd part of C(n, k), n^k / k! < B^words: 1 / k! times the numbers, modulo B^words;
 * *twos gets the zeros of the numbers.  Returns the length.
 */
static inline __attribute__((__always_inline__)) size_t
odd_part(cc_word *r, cc_word n, unsigned int k, unsigned int *twos, size_t words)
{
	unsigned int width = CC_WORD_BITS - cc_word_clz(n), together = CC_WORD_BITS / width, count;
	cc_word x[INVERSE_WORDS];
	size_t i;

#pragma GCC unroll 4
	for (i = 0; i < words; i++)
		x[i] = inverses[k][i];
	for (; k; k -= count) {
		cc_word run = n--, high = 0;
		unsigned int zeros;

		for (count = 1; count < together && count < k; count++)
			run *= n--;
		zeros = cc_word_ctz(run);
		*twos += zeros;
		run >>= zeros;
#pragma GCC unroll 4
		for (i = 0; i + 1 < words; i++) {
			cc_word above, low = cc_word_mul(&above, x[i], run);

			x[i] = low + high;
			high = above + (x[i] < low);
		}
		x[words - 1] = x[words - 1] * run + high;
	}
#pragma GCC unroll 4
	for (i = 0; i < words; i++)
		r[i] = x[i];
	while (words > 1 && !r[words - 1])
		words--;
	return words;
}

/* r[n] /= d, which is exact, for odd d and its inverse modulo B */
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

#if CC_HAS_PAIR
/* a b / B^2 */
static cc_pair high_product(cc_pair a, cc_pair b)
{
	cc_word a0 = (cc_word)a, a1 = cc_pair_high(a), b0 = (cc_word)b, b1 = cc_pair_high(b);
	cc_pair p01 = (cc_pair)a0 * b1, p10 = (cc_pair)a1 * b0;
	cc_pair middle = (cc_pair)cc_pair_high((cc_pair)a0 * b0) + (cc_word)p01 + (cc_word)p10;

	return (cc_pair)a1 * b1 + cc_pair_high(p01) + cc_pair_high(p10) + cc_pair_high(middle);
}

/* the same by two words, with a word at r[n] */
static void divide_pair(cc_word *r, size_t n, cc_pair d, cc_pair inverse)
{
	cc_pair above = 0;
	size_t i;

	r[n] = 0;
	for (i = 0; i < n; i += 2) {
		cc_pair x = cc_pair_of(r + i), borrow = x < above;

		x = (x - above) * inverse;
		r[i] = (cc_word)x;
		r[i + 1] = cc_pair_high(x);
		above = high_product(x, d) + borrow;
	}
}
#endif

/* The bits of n^k / k!, and so at least those of C(n, k); for k up to CC_SMALL_PAIR. */
static size_t bits_of(cc_word n, unsigned int k)
{
	return (size_t)k * (CC_WORD_BITS - cc_word_clz(n)) - logarithm[k];
}

/* Beyond these, the halves' product has the bits of C(k, h), and two carries; and a zero. */
#define WORDS_FREE 4

static size_t words_of(cc_word n, unsigned int k)
{
	return bits_of(n, k) / CC_WORD_BITS + 1 + WORDS_FREE;
}

/* The same for the product of both halves. */
static size_t words_of_halves(cc_word n, unsigned int k)
{
	return words_of(n, k / 2) + words_of(n, k - k / 2);
}

static size_t divide_by_choices(cc_word *r, size_t n, unsigned int k, unsigned int h, cc_word *t);

/*
 * r = the odd part of C(n, k), as C(n, h) C(n - h, k - h) / C(k, h) unless it is short; returns the
 * length.
 */
static size_t odd_quotient(cc_word *r, cc_word n, unsigned int k, unsigned int *twos, cc_word *t)
{
	unsigned int h = k / 2, g = k - h;
	size_t an, bn, bits = k <= CC_SMALL_N ? bits_of(n, k) : SIZE_MAX;
	cc_word *a = t, *b;

	if (bits <= 2 * CC_WORD_BITS)
		return odd_part(r, n, k, twos, 2);
	if (bits <= 3 * CC_WORD_BITS)
		return odd_part(r, n, k, twos, 3);
	if (bits <= INVERSE_WORDS * CC_WORD_BITS)
		return odd_part(r, n, k, twos, INVERSE_WORDS);
	b = a + words_of(n, h);
	an = odd_quotient(a, n, h, twos, t + words_of_halves(n, k));
	bn = odd_quotient(b, n - h, g, twos, t + words_of_halves(n, k));
	if (an < bn)
		cc_natural_mul(r, b, bn, a, an, t + words_of_halves(n, k));
	else
		cc_natural_mul(r, a, an, b, bn, t + words_of_halves(n, k));
	an = divide_by_choices(r, an + bn, k, h, t);
	while (!r[an - 1])
		an--;
	return an;
}

/* r[n] /= the odd part of C(k, h); returns a length that holds the quotient */
static size_t divide_by_choices(cc_word *r, size_t n, unsigned int k, unsigned int h, cc_word *t)
{
	unsigned int g = k - h, ignored = 0;
	size_t length;

	if (k <= CC_SMALL_N) {
		divide(r, n, cc_odd_parts[k] * inverses[h][0] * inverses[g][0],
		       inverses[k][0] * cc_odd_parts[h] * cc_odd_parts[g]);
		return n;
	}
#if CC_HAS_PAIR
	if (k <= CC_SMALL_PAIR) {
		cc_pair below = odd_of(h) * odd_of(g), all = odd_of(k);

		divide_pair(r, n, all * cc_pair_inverse(below, cc_limbs_inverse((cc_word)below)),
			    below * cc_pair_inverse(all, cc_limbs_inverse((cc_word)all)));
		return n;
	}
#endif
	length = odd_quotient(t, k, h, &ignored, t + words_of(k, h));
	cc_natural_divexact(r, r, n, t, length, t + words_of(k, h));
	return n - length + 1;
}

/* Of odd_quotient() in all its levels, each for half of the last one's factors, of a word. */
#define TEMPORARIES (2 * (CC_SMALL_FACTORS + 8 * (1 + WORDS_FREE)))

static unsigned int twos_of_factorial(unsigned int k)
{
	unsigned int twos = 0;

	while (k /= 2)
		twos += k;
	return twos;
}

/* C(n, k) < B^words; a word's shift by 64 bits or more is avoided by two shifts. */
static inline __attribute__((__always_inline__)) int few_words(cc_bigint *r, cc_word n,
							       unsigned int k, size_t words)
{
	unsigned int twos = 0;
	struct cc_room room;
	size_t i;
	cc_word *x;
	int err = cc_room_open(&room, r, words);

	if (err)
		return err;
	x = room.words;
	odd_part(x, n, k, &twos, words);
	twos -= cc_factorial_twos[k];
	for (i = words; --i;)
		x[i] = x[i] << twos | x[i - 1] >> 1 >> (CC_WORD_BITS - 1 - twos);
	x[0] <<= twos;
	cc_room_close(&room, r, words, 0);
	return CC_OK;
}

static __attribute__((__noinline__)) int some_words(cc_bigint *r, cc_word n, unsigned int k)
{
	cc_word t[TEMPORARIES];
	unsigned int twos = 0;
	struct cc_room room;
	size_t length;
	int err =
		cc_room_open(&room, r, k <= CC_SMALL_PAIR ? words_of(n, k) : words_of_halves(n, k));

	if (err)
		return err;
	length = odd_quotient(room.words, n, k, &twos, t);
	twos -= twos_of_factorial(k);
	if (twos) {
		room.words[length] = cc_limbs_lshift(room.words, room.words, length, twos);
		length++;
	}
	cc_room_close(&room, r, length, 0);
	return CC_OK;
}

/* The numbers' product is below B. */
static int one_word(cc_bigint *r, cc_word n, unsigned int k)
{
	cc_word x = n;
	unsigned int i;

	for (i = 1; i < k; i++)
		x *= n - i;
	return cc_bigint_set_u64(r, (x >> cc_factorial_twos[k]) * inverses[k][0]);
}

int cc_small_binomial_words(cc_bigint *r, cc_word n, unsigned int k)
{
	size_t bits = k <= CC_SMALL_N ? bits_of(n, k) : SIZE_MAX;

	if (k * (CC_WORD_BITS - cc_word_clz(n)) <= CC_WORD_BITS)
		return one_word(r, n, k);
	if (bits <= CC_WORD_BITS)
		return few_words(r, n, k, 1);
	if (bits <= 2 * CC_WORD_BITS)
		return few_words(r, n, k, 2);
	if (bits <= 3 * CC_WORD_BITS)
		return few_words(r, n, k, 3);
	return some_words(r, n, k);
}

#endif
