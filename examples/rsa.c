// SPDX-License-Identifier: MIT
/*
 * RSA signatures, PKCS #1 v1.5 and PSS (RFC 8017, 8.2 and 8.1), by any hash function; here
 * SHA-256.  Without arguments it checks itself by published answers; else
 *
 *	rsa sign v15|pss P Q E MESSAGE		prints the signature
 *	rsa verify v15|pss N E MESSAGE SIGNATURE	exits with 0 if it is good, 1 if not
 *
 * all in hexadecimal, each an even number of digits.  PSS takes as many bytes of salt as the
 * digest has; it is verified with any.
 *
 *	cc -I../include rsa.c -lcarrychain -o rsa
 */
#include "example.h"

#include <stdlib.h>

#define MOST	 4096 /* bits */
#define BYTES	 (MOST / 8)
#define MESSAGE	 4096 /* bytes */
#define MESSAGES 4

struct hash {
	size_t bytes;
	void (*of)(unsigned char *digest, const unsigned char *data, size_t length);
	/* DigestInfo before the digest, in DER (RFC 8017, 9.2, note 1) */
	const unsigned char *info;
	size_t info_bytes;
};

#define MOST_DIGEST 64

static uint32_t rotated(uint32_t x, int count)
{
	return x >> count | x << (32 - count);
}

static void sha256_block(uint32_t state[8], const unsigned char block[64])
{
	static const uint32_t k[64] = {
		0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4,
		0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe,
		0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f,
		0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7,
		0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc,
		0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
		0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116,
		0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
		0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
		0xc67178f2,
	};
	uint32_t w[64], v[8];
	int i;

	for (i = 0; i < 16; i++)
		w[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 |
		       (uint32_t)block[4 * i + 2] << 8 | block[4 * i + 3];
	for (; i < 64; i++)
		w[i] = w[i - 16] + w[i - 7] +
		       (rotated(w[i - 15], 7) ^ rotated(w[i - 15], 18) ^ w[i - 15] >> 3) +
		       (rotated(w[i - 2], 17) ^ rotated(w[i - 2], 19) ^ w[i - 2] >> 10);
	memcpy(v, state, sizeof(v));
	for (i = 0; i < 64; i++) {
		uint32_t a = v[0], e = v[4];
		uint32_t t = v[7] + (rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)) +
			     ((e & v[5]) ^ (~e & v[6])) + k[i] + w[i];
		uint32_t u = (rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) +
			     ((a & v[1]) ^ (a & v[2]) ^ (v[1] & v[2]));

		memmove(v + 1, v, 7 * sizeof(*v));
		v[4] += t;
		v[0] = t + u;
	}
	for (i = 0; i < 8; i++)
		state[i] += v[i];
}

static void sha256_of(unsigned char *digest, const unsigned char *data, size_t length)
{
	uint32_t state[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
			     0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
	unsigned char last[128] = {0};
	size_t rest = length % 64, blocks = rest < 56 ? 1 : 2, i;
	uint64_t bits = (uint64_t)length * 8;

	for (i = 0; i + 64 <= length; i += 64)
		sha256_block(state, data + i);
	memcpy(last, data + i, rest);
	last[rest] = 0x80;
	for (i = 0; i < 8; i++)
		last[64 * blocks - 1 - i] = (unsigned char)(bits >> 8 * i);
	for (i = 0; i < blocks; i++)
		sha256_block(state, last + 64 * i);
	for (i = 0; i < 32; i++)
		digest[i] = (unsigned char)(state[i / 4] >> (24 - 8 * (i % 4)));
}

static const unsigned char sha256_info[] = {
	0x30, 0x31, 0x30, 0x0d, 0x06, 0x09, 0x60, 0x86, 0x48, 0x01,
	0x65, 0x03, 0x04, 0x02, 0x01, 0x05, 0x00, 0x04, 0x20,
};

static const struct hash sha256 = {32, sha256_of, sha256_info, sizeof(sha256_info)};

/* The bits of n, which is public. */
static size_t bits_of(const struct cc_fz_rsa *key)
{
	size_t bits = key->n.n * CC_WORD_BITS;

	while (bits && !(key->n.m[(bits - 1) / CC_WORD_BITS] >> (bits - 1) % CC_WORD_BITS & 1))
		bits--;
	return bits;
}

/* 00 01 ff ... ff 00, the info, the digest (9.2); whether there is room for it */
static bool encode_v15(unsigned char *encoded, size_t length, const struct hash *hash,
		       const unsigned char *message, size_t message_bytes)
{
	size_t below = hash->info_bytes + hash->bytes;

	if (length < below + 11)
		return false;
	memset(encoded, 0xff, length);
	encoded[0] = 0;
	encoded[1] = 1;
	encoded[length - below - 1] = 0;
	memcpy(encoded + length - below, hash->info, hash->info_bytes);
	hash->of(encoded + length - hash->bytes, message, message_bytes);
	return true;
}

/* MGF1 of a digest (B.2.1), added to data. */
static void mask(unsigned char *data, size_t length, const struct hash *hash,
		 const unsigned char *seed)
{
	unsigned char block[MOST_DIGEST + 4], digest[MOST_DIGEST];
	size_t i;

	memcpy(block, seed, hash->bytes);
	for (i = 0; i < length; i++) {
		size_t counter = i / hash->bytes, k;

		if (i % hash->bytes == 0) {
			for (k = 0; k < 4; k++)
				block[hash->bytes + k] = (unsigned char)(counter >> (24 - 8 * k));
			hash->of(digest, block, hash->bytes + 4);
		}
		data[i] ^= digest[i % hash->bytes];
	}
}

/* The digest of eight zeros, the message's digest, and the salt. */
static void salted(unsigned char *digest, const struct hash *hash, const unsigned char *message,
		   size_t message_bytes, const unsigned char *salt, size_t salt_bytes)
{
	unsigned char all[8 + MOST_DIGEST + BYTES] = {0};

	hash->of(all + 8, message, message_bytes);
	memcpy(all + 8 + hash->bytes, salt, salt_bytes);
	hash->of(digest, all, 8 + hash->bytes + salt_bytes);
}

/* Of @bits bits: (0 ... 0 01 salt) masked, the digest, bc (9.1.1) */
static bool encode_pss(unsigned char *encoded, size_t bits, const struct hash *hash,
		       const unsigned char *message, size_t message_bytes,
		       const unsigned char *salt)
{
	size_t length = (bits + 7) / 8, rest;

	if (length < 2 * hash->bytes + 2)
		return false;
	rest = length - hash->bytes - 1;
	memset(encoded, 0, rest);
	encoded[rest - hash->bytes - 1] = 1;
	memcpy(encoded + rest - hash->bytes, salt, hash->bytes);
	salted(encoded + rest, hash, message, message_bytes, salt, hash->bytes);
	mask(encoded, rest, hash, encoded + rest);
	encoded[0] &= (unsigned char)(0xff >> (8 * length - bits));
	encoded[length - 1] = 0xbc;
	return true;
}

/* 9.1.2, with any salt; encoded is changed */
static bool verify_pss(unsigned char *encoded, size_t bits, const struct hash *hash,
		       const unsigned char *message, size_t message_bytes)
{
	size_t length = (bits + 7) / 8, rest, i = 0;
	unsigned char digest[MOST_DIGEST];
	unsigned int top;

	if (length < hash->bytes + 2 || encoded[length - 1] != 0xbc)
		return false;
	rest = length - hash->bytes - 1;
	top = 0xff >> (8 * length - bits);
	if (encoded[0] & ~top)
		return false;
	mask(encoded, rest, hash, encoded + rest);
	encoded[0] &= (unsigned char)top;
	while (i < rest && !encoded[i])
		i++;
	if (i == rest || encoded[i] != 1)
		return false;
	salted(digest, hash, message, message_bytes, encoded + i + 1, rest - i - 1);
	return !memcmp(digest, encoded + rest, hash->bytes);
}

enum scheme { V15, PSS };

static bool encode(cc_word *x, const struct cc_fz_rsa *key, enum scheme scheme,
		   const struct hash *hash, const unsigned char *message, size_t length)
{
	unsigned char encoded[BYTES], salt[MOST_DIGEST];
	size_t bits = bits_of(key), bytes = (bits + 7) / 8;

	if (scheme == V15) {
		if (!encode_v15(encoded, bytes, hash, message, length))
			return false;
	} else {
		bytes = (bits - 1 + 7) / 8;
		if (system_random(NULL, salt, hash->bytes) ||
		    !encode_pss(encoded, bits - 1, hash, message, length, salt))
			return false;
	}
	return from_bytes(x, key->n.n, encoded, bytes);
}

/* signature[] of as many bytes as n has; how many, or 0 */
static size_t sign(unsigned char *signature, const struct cc_fz_rsa *key, enum scheme scheme,
		   const struct hash *hash, const unsigned char *message, size_t length)
{
	size_t bytes = (bits_of(key) + 7) / 8;
	cc_word x[WORDS(MOST)];

	if (!encode(x, key, scheme, hash, message, length) ||
	    cc_fz_rsa_private(x, x, key, system_random, NULL))
		return 0;
	to_bytes(signature, bytes, x, key->n.n);
	return bytes;
}

static bool verify(const unsigned char *signature, size_t signature_bytes,
		   const struct cc_fz_rsa *key, enum scheme scheme, const struct hash *hash,
		   const unsigned char *message, size_t length)
{
	size_t bits = bits_of(key), bytes = (bits + 7) / 8;
	unsigned char encoded[BYTES], should[BYTES];
	cc_word x[WORDS(MOST)];

	if (signature_bytes != bytes || !from_bytes(x, key->n.n, signature, bytes) ||
	    cc_fz_rsa_public(x, x, key))
		return false;
	to_bytes(encoded, bytes, x, key->n.n);
	/* what it has to be is made anew, not parsed (Bleichenbacher 2006) */
	if (scheme == V15)
		return encode_v15(should, bytes, hash, message, length) &&
		       !memcmp(encoded, should, bytes);
	if (bits % 8 == 1)
		return !encoded[0] && verify_pss(encoded + 1, bits - 1, hash, message, length);
	return verify_pss(encoded, bits - 1, hash, message, length);
}

/* Of digits in hexadecimal; memory is that of the key. */
static bool private_key(struct cc_fz_rsa *key, cc_word *memory, const char *p, const char *q,
			const char *e)
{
	cc_word by_p[WORDS(MOST / 2)], by_q[WORDS(MOST / 2)], exponent[WORDS(MOST)];
	size_t pn = from_hex(by_p, WORDS(MOST / 2), p), qn = from_hex(by_q, WORDS(MOST / 2), q);
	size_t en = from_hex(exponent, WORDS(MOST), e);

	return pn && qn && en && !cc_fz_rsa_init(key, memory, by_p, pn, by_q, qn, exponent, en);
}

static bool public_key(struct cc_fz_rsa *key, cc_word *memory, const char *n, const char *e)
{
	cc_word modulus[WORDS(MOST)], exponent[WORDS(MOST)];
	size_t nn = from_hex(modulus, WORDS(MOST), n), en = from_hex(exponent, WORDS(MOST), e);

	return nn && en && !cc_fz_rsa_init_public(key, memory, modulus, nn, exponent, en);
}

#define MEMORY CC_FZ_RSA_WORDS(WORDS(MOST / 2), WORDS(MOST / 2), WORDS(MOST))

/*
 * RFC 7515, A.2: a key of 2048 bits (e = 65537), what it signs, and the signature, by
 * RSASSA-PKCS1-v1_5 with SHA-256.
 */
static const char rfc7515_message[] =
	"eyJhbGciOiJSUzI1NiJ9"
	"."
	"eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0"
	"cnVlfQ";
static const char rfc7515_p[] =
	"e01cc410eb48a6655d54464d0aa4bb6da0b872b774a6a9d11ffe480778f0ddb7311a7e90"
	"2ef9c4b5f75476262ba8176cb35979f014372a1a2829e4136bd001d07c3f3f2e4f25d4c9"
	"34f63c7109fba2e67628a0dc9a73c6058e6def22dcd50950e711ddc16d5586f2a7fa75ea"
	"8494c18083e0b65742f8a0d5e73fb2d970f01947";
static const char rfc7515_q[] =
	"b903c47e0995b632f4532cb1f3c199145d5f3ae9c7dfeedc7a92a6b47e29c61b42a07aa9"
	"5a64fc600999c5a7b01e01c08cb62ca756527bbcc56078fb0baba5ed38de2d07990ff630"
	"0faeadeb6c039a97bf1e507e4e7040fa78db8257c8b112ed5e59c3cd092fe5d4e5b51275"
	"d41281072a5e785ebaf3dae3709203133f5159d7";
static const char rfc7515_signature[] =
	"702e218943e88fd11eb5d82dbf7845f34106ae1b81fff7731116add1717d83656d420afd"
	"3c96eedd73a2663e5166687b000b87226e0187ed1073f945e582adfcef16d85a798ee8c6"
	"6ddb3db8975b17d09402beedd5d9d97007108db28160d5f8040ca7445762b81fbe7ff9d9"
	"2e0ae76f24f25b33bbe6f44ae61eb1040acb20044d3ef9128ed40130795bd4bd3b41eeca"
	"d066ab651981fde48df77f372dc38b9fafdd3befb18b5da3cc3c2eb02f9e3a41d612caad"
	"15911273a05f23b9e838faaf849d698429ef5a1e88798236c3d40e604522a544c8f27a7a"
	"2db80663d16cf7caea56de405cb2215a45b2c25566b55ac1a748a070dfc8a32a469543d0"
	"19eefb47";

/*
 * NIST CAVP, SigGenPSS_186-3.rsp: mod = 1024, e = 1001, SHA-256, no salt, the second message.
 */
static const char cavp_n[] =
	"c87155f3d9f3771f6ab89ef30cd36230463902ff0633aa869b6dbd7592c83f4b2f882739"
	"ff499f1499fb0db4586c7f7b2dfd5a37dbe0df37dea9d0d5814a4047b647c1d8eb356eba"
	"e6a198899f97c25f9182fab2b6be88384a1b8cb16a82a05aaadf610ce2e045b41b8880a1"
	"3b7133ea07296126471c9a450ae48bc880102c8b";
static const char cavp_message[] =
	"1e0ffcab2f1d52641097cf6cb3b696eeed10b450d56ca5ad6dd5198684edf8b4da84a3a1"
	"86697db89580aa1af41516939070b9ccbbaa1ac2d2bf12761ce3d3e7f61a283d2d03ff47"
	"acf42427574c4f4c360561a1d689eb04ecc7f0fa3c85eca1b9f814e6ee92e0f79c1bc7fc"
	"a503490228f73337eeb21f5d05163a79aa7b4acb";
static const char cavp_signature[] =
	"1a0a52b98714806ef7499c9dbbe51738aa4d38a3ea434c6a1742a46a7620e2ec9353349c"
	"aa23834fbd634a824d4700a610e00aa5bf87b1df7b2900d7e4e07454a30f1fe744ceb757"
	"b8f92cf055d226e84d5e633f589e53b0373ee80a59eada4b7259f5182dc591427345232e"
	"bcaf4ddbd4f9dc90313415e96cf53c59c16281fe";

static void check_known(void)
{
	static const unsigned char abc[32] = {
		0xba, 0x78, 0x16, 0xbf, 0x8f, 0x01, 0xcf, 0xea, 0x41, 0x41, 0x40,
		0xde, 0x5d, 0xae, 0x22, 0x23, 0xb0, 0x03, 0x61, 0xa3, 0x96, 0x17,
		0x7a, 0x9c, 0xb4, 0x10, 0xff, 0x61, 0xf2, 0x00, 0x15, 0xad,
	};
	const unsigned char *message = (const unsigned char *)rfc7515_message;
	unsigned char digest[32], signature[BYTES], should[BYTES], other[MESSAGE];
	cc_word memory[MEMORY], public_memory[MEMORY], x[MESSAGES][WORDS(2048)];
	cc_word s[MESSAGES][WORDS(2048)];
	struct cc_fz_rsa key, public;
	size_t length = sizeof(rfc7515_message) - 1, other_length, bytes, i, right = 0;

	sha256.of(digest, (const unsigned char *)"abc", 3);
	check(!memcmp(digest, abc, 32), "FIPS 180-4: SHA-256 of \"abc\"");

	check(private_key(&key, memory, rfc7515_p, rfc7515_q, "010001"), "RFC 7515, A.2: its key");
	bytes = hex_bytes(should, sizeof(should), rfc7515_signature);
	check(sign(signature, &key, V15, &sha256, message, length) == bytes &&
		      !memcmp(signature, should, bytes),
	      "RFC 7515, A.2: its signature by PKCS #1 v1.5");
	check(verify(should, bytes, &key, V15, &sha256, message, length) &&
		      !verify(should, bytes, &key, V15, &sha256, message, length - 1),
	      "good for its message, and for no other");
	should[0] ^= 1;
	check(!verify(should, bytes, &key, V15, &sha256, message, length), "an altered one is bad");

	bytes = sign(signature, &key, PSS, &sha256, message, length);
	check(bytes == 256 && verify(signature, bytes, &key, PSS, &sha256, message, length) &&
		      !verify(signature, bytes, &key, PSS, &sha256, message, length - 1) &&
		      !verify(signature, bytes, &key, V15, &sha256, message, length),
	      "by PSS, good for its message and scheme");
	check(sign(should, &key, PSS, &sha256, message, length) == bytes &&
		      memcmp(signature, should, bytes) &&
		      verify(should, bytes, &key, PSS, &sha256, message, length),
	      "by PSS again: another salt, another signature");

	check(public_key(&public, public_memory, cavp_n, "1001"), "CAVP: its key");
	bytes = hex_bytes(signature, sizeof(signature), cavp_signature);
	other_length = hex_bytes(other, sizeof(other), cavp_message);
	check(verify(signature, bytes, &public, PSS, &sha256, other, other_length),
	      "CAVP: its signature by PSS, without salt");
	other[0] ^= 1;
	check(!verify(signature, bytes, &public, PSS, &sha256, other, other_length),
	      "CAVP: bad for another message");

	for (i = 0; i < MESSAGES; i++)
		encode(x[i], &key, PSS, &sha256, message, i);
	check(!cc_fz_rsa_private_many(s[0], x[0], MESSAGES, &key, system_random, NULL),
	      "four at once");
	for (i = 0; i < MESSAGES; i++) {
		to_bytes(signature, 256, s[i], WORDS(2048));
		right += verify(signature, 256, &key, PSS, &sha256, message, i);
	}
	check(right == MESSAGES, "each of them good");

	memory[key.dp - memory] ^= 1;
	check(!sign(signature, &key, V15, &sha256, message, length),
	      "a key with a wrong bit gives no signature");
}

static int usage(void)
{
	fprintf(stderr, "usage: rsa [sign v15|pss P Q E MESSAGE | verify v15|pss N E MESSAGE "
			"SIGNATURE], hexadecimal\n");
	return 2;
}

int main(int argc, char **argv)
{
	unsigned char message[MESSAGE], signature[BYTES];
	cc_word memory[MEMORY];
	struct cc_fz_rsa key;
	enum scheme scheme;
	size_t length, bytes;

	if (argc == 1) {
		check_known();
		return checked();
	}
	if (argc != 7 || (strcmp(argv[2], "v15") && strcmp(argv[2], "pss")))
		return usage();
	scheme = strcmp(argv[2], "pss") ? V15 : PSS;
	if (!strcmp(argv[1], "sign")) {
		length = hex_bytes(message, sizeof(message), argv[6]);
		if (length > sizeof(message) ||
		    !private_key(&key, memory, argv[3], argv[4], argv[5]))
			return usage();
		bytes = sign(signature, &key, scheme, &sha256, message, length);
		if (!bytes) {
			fprintf(stderr, "rsa: not signed: n is too short, or no key\n");
			return 2;
		}
		print_bytes(signature, bytes);
		return 0;
	}
	if (strcmp(argv[1], "verify"))
		return usage();
	length = hex_bytes(message, sizeof(message), argv[5]);
	bytes = hex_bytes(signature, sizeof(signature), argv[6]);
	if (length > sizeof(message) || bytes > sizeof(signature) ||
	    !public_key(&key, memory, argv[3], argv[4]))
		return usage();
	if (verify(signature, bytes, &key, scheme, &sha256, message, length)) {
		printf("good\n");
		return 0;
	}
	printf("bad\n");
	return 1;
}
