// SPDX-License-Identifier: MIT
/*
 * Diffie and Hellman's key exchange in the groups of RFC 7919: p a safe prime, g = 2 of prime
 * order q = (p - 1) / 2.  Secrets are as short as the group's strength allows, and take time
 * for that many bits only.  Without arguments it checks itself by published answers; else
 *
 *	dh public GROUP X	prints g^X mod p
 *	dh shared GROUP X Y	prints Y^X mod p, of p's length, unless Y is not of the subgroup
 *
 * for ffdhe2048 or ffdhe3072, the numbers in hexadecimal, each an even number of digits.
 *
 *	cc -I../include dh.c -lcarrychain -o dh
 */
#include "example.h"

#define MOST WORDS(3072)

static const struct group {
	const char *name;
	size_t bits, secret_bits; /* RFC 7919, 5.2 */
	const char *p;		  /* A.1, A.2 */
	/* two secrets, and what their owners share: OpenSSL's test vectors, evppkey_ffdhe.txt */
	const char *a, *b, *shared;
} groups[] = {
	{
		.name = "ffdhe2048",
		.bits = 2048,
		.secret_bits = 225,
		.p = "ffffffffffffffffadf85458a2bb4a9aafdc5620273d3cf1d8b9c583ce2d3695a9e1364114643"
		     "3fb"
		     "cc939dce249b3ef97d2fe363630c75d8f681b202aec4617ad3df1ed5d5fd65612433f51f5f066"
		     "ed0"
		     "856365553ded1af3b557135e7f57c935984f0c70e0e68b77e2a689daf3efe8721df158a136ade"
		     "735"
		     "30acca4f483a797abc0ab182b324fb61d108a94bb2c8e3fbb96adab760d7f4681d4f42a3de394"
		     "df4"
		     "ae56ede76372bb190b07a7c8ee0a6d709e02fce1cdf7e2ecc03404cd28342f619172fe9ce9858"
		     "3ff"
		     "8e4f1232eef28183c3fe3b1b4c6fad733bb5fcbc2ec22005c58ef1837d1683b2c6f34a26c1b2e"
		     "ffa"
		     "886b423861285c97ffffffffffffffff",
		.a = "01946b9886505f6b1af0e3bfd3c314622fb52f4e22a6db8bcaea9b86fa",
		.b = "011835922d87efc468880a2b681cc45bad56351359809a45ec9328cbcf",
		.shared = "6620dd85b56ee8540c8040cac46b7385344a164e4dbdf521f7d99f88fa68edd295a45e36"
			  "e0bbd5ff"
			  "5de84598824e2ca52ed82aca918caecc6b22846d0fc6f0203e8b6963964d11e9e704f83a"
			  "f1d60e9b"
			  "1931139e9e9967c4665a831a75d99359a8ba80dd5921e74379af4ca8db453edbc5e669ab"
			  "17a5254c"
			  "a6c96794cd5196be90af37742c8f6812515ffcc45b08f4158eff9559f1aef3665b3d9151"
			  "9dcbc6df"
			  "22cd6da521b86613558602e73d2ca4666972f7d2cb6b46299b1df2da29a2a2d99d105e10"
			  "cb553d67"
			  "38a9b1db2a0314c3cf30642d5c44695623d8b95c4426bea830fb51816b4f086945e9b12a"
			  "445f42dd"
			  "68610e3f378a6e69a383d13d85bf",
	},
	{
		.name = "ffdhe3072",
		.bits = 3072,
		.secret_bits = 275,
		.p = "ffffffffffffffffadf85458a2bb4a9aafdc5620273d3cf1d8b9c583ce2d3695a9e1364114643"
		     "3fb"
		     "cc939dce249b3ef97d2fe363630c75d8f681b202aec4617ad3df1ed5d5fd65612433f51f5f066"
		     "ed0"
		     "856365553ded1af3b557135e7f57c935984f0c70e0e68b77e2a689daf3efe8721df158a136ade"
		     "735"
		     "30acca4f483a797abc0ab182b324fb61d108a94bb2c8e3fbb96adab760d7f4681d4f42a3de394"
		     "df4"
		     "ae56ede76372bb190b07a7c8ee0a6d709e02fce1cdf7e2ecc03404cd28342f619172fe9ce9858"
		     "3ff"
		     "8e4f1232eef28183c3fe3b1b4c6fad733bb5fcbc2ec22005c58ef1837d1683b2c6f34a26c1b2e"
		     "ffa"
		     "886b4238611fcfdcde355b3b6519035bbc34f4def99c023861b46fc9d6e6c9077ad91d2691f7f"
		     "7ee"
		     "598cb0fac186d91caefe130985139270b4130c93bc437944f4fd4452e2d74dd364f2e21e71f54"
		     "bff"
		     "5cae82ab9c9df69ee86d2bc522363a0dabc521979b0deada1dbf9a42d5c4484e0abcd06bfa53d"
		     "def"
		     "3c1b20ee3fd59d7c25e41d2b66c62e37ffffffffffffffff",
		.a = "07c4d12f1eaa5d8409d1100cfb9ced54b872f445cd7636341183834bb4c58b94592c4e",
		.b = "046f43cac6d1aacc94451ca00973fa67a0ac50669047dfc90fe4716d9f0fd77a68e4f3",
		.shared = "59c4b72684e68bc02148df19fe6bece40885ad037ee83f28c6e353c87026dad66bb469c3"
			  "f252bdc7"
			  "ada9271b6ad900620eca15696b4e85561794a26259d61cac7b56ddaed27be2759a4c4bed"
			  "5f894078"
			  "4a255635d24e0d7b2bc796142caf256d7a979240e9c8dd7230562b5d687971c4582a488e"
			  "7bca827f"
			  "a32c4068c3c8b27aca83e43ee9d7eab3192f0dd877ba9c25d6334d233fc5752befe625b3"
			  "d5dae858"
			  "9122b6c7e76538619e90af1bd8d078496214c8f740f7bb5bfa284c811bef5f9c6c1326e3"
			  "96de17fd"
			  "d47be9d979643f2141fabb8950c3ceceeecfd0bb763f4d143a5ae284535f5e29b05e7dac"
			  "609d7080"
			  "b5d1325f8d9242c67ac44482f5aa51131a763c370842d757ec16de1988df5bb4e4b6191a"
			  "03f9e200"
			  "db491906871442fa98985dc976d5007c22fd491f49b8f0ab2afde0bdefa18e56a686c712"
			  "f4ede53d"
			  "924aa39cfed6c827ce0ad553132a474009203421f0a9373646200d8ba75725964079cf82"
			  "d8c0c50a"
			  "f6eea4ecb607c02e7dd55c7998b4f849d79be8867c69c62a",
	},
};

#define GROUPS (sizeof(groups) / sizeof(groups[0]))

struct context {
	size_t n, secret_bits;
	cc_word q[MOST], memory[CC_FZ_MONT_WORDS(MOST)];
	struct cc_fz_mont p;
};

static bool start(struct context *c, const struct group *group)
{
	cc_word p[MOST];

	c->n = from_hex(p, MOST, group->p);
	c->secret_bits = group->secret_bits;
	cc_fz_shr(c->q, p, c->n, 1);
	return c->n == WORDS(group->bits) && !cc_fz_mont_init(&c->p, c->memory, p, c->n);
}

/* g^x, x of secret_bits bits */
static void public_of(cc_word *y, const cc_word *x, const struct context *c)
{
	cc_word g[MOST] = {2};

	cc_fz_mont_powmod(y, g, x, c->secret_bits, &c->p);
}

/*
 * Whether 1 < y < p - 1, and y is of order q: y is public, and whether it is right may show.
 * Else an answer could say how a secret is modulo a small number (Lim and Lee 1997); with a
 * safe prime that is whether it is odd.
 */
static bool of_subgroup(const cc_word *y, const struct context *c)
{
	cc_word one[MOST] = {1}, power[MOST], less[MOST];

	cc_fz_sub(less, c->p.m, one, c->n);
	if (!cc_fz_lt(one, y, c->n) || !cc_fz_lt(y, less, c->n))
		return false;
	cc_fz_mont_powmod_public(power, y, c->q, c->n, &c->p);
	return cc_fz_eq(power, one, c->n);
}

static bool shared_of(cc_word *z, const cc_word *y, const cc_word *x, const struct context *c)
{
	if (!of_subgroup(y, c))
		return false;
	cc_fz_mont_powmod(z, y, x, c->secret_bits, &c->p);
	return true;
}

/* A secret in hexadecimal, of no more bits than are looked at. */
static bool secret(cc_word *x, const char *digits, const struct context *c)
{
	cc_word above[MOST];

	if (!from_hex(x, MOST, digits))
		return false;
	cc_fz_shr(above, x, MOST, c->secret_bits);
	return cc_fz_is_zero(above, MOST);
}

static void check_group(const struct group *group)
{
	cc_word a[MOST], b[MOST], ga[MOST], gb[MOST], z[MOST], again[MOST], should[MOST];
	cc_word y[MOST] = {0}, one[MOST] = {1};
	struct context c;
	size_t bits = group->secret_bits;

	printf("%s:\n", group->name);
	check(start(&c, group), "its prime is odd, and of its width");
	check(secret(a, group->a, &c) && secret(b, group->b, &c) &&
		      from_hex(should, MOST, group->shared),
	      "the published secrets");
	public_of(ga, a, &c);
	public_of(gb, b, &c);
	check(shared_of(z, gb, a, &c) && cc_fz_eq(z, should, c.n), "what one of them finds");
	check(shared_of(z, ga, b, &c) && cc_fz_eq(z, should, c.n), "what the other finds");

	system_random(NULL, (unsigned char *)a, sizeof(a));
	system_random(NULL, (unsigned char *)b, sizeof(b));
	public_of(ga, a, &c);
	public_of(gb, b, &c);
	check(shared_of(z, gb, a, &c) && shared_of(again, ga, b, &c) && cc_fz_eq(z, again, c.n),
	      "new secrets share as well");
	cc_fz_powmod_bits(again, gb, a, bits, c.p.m, c.n);
	check(cc_fz_eq(z, again, c.n), "the same without a context");

	memset(y, 0, sizeof(y));
	check(!shared_of(z, y, a, &c), "0 is refused");
	check(!shared_of(z, one, a, &c), "1 is refused");
	cc_fz_sub(y, c.p.m, one, c.n);
	check(!shared_of(z, y, a, &c), "p - 1 is refused");
	check(!shared_of(z, c.p.m, a, &c), "p is refused");
	cc_fz_sub(y, c.p.m, gb, c.n);
	check(!shared_of(z, y, a, &c), "what is not of the subgroup is refused");
}

static int usage(void)
{
	fprintf(stderr,
		"usage: dh [public ffdhe2048|ffdhe3072 X | shared ffdhe2048|ffdhe3072 X Y], "
		"hexadecimal\n");
	return 2;
}

int main(int argc, char **argv)
{
	cc_word x[MOST], y[MOST];
	struct context c;
	size_t i;

	if (argc == 1) {
		for (i = 0; i < GROUPS; i++)
			check_group(&groups[i]);
		return checked();
	}
	for (i = 0; i < GROUPS && argc > 3; i++)
		if (!strcmp(argv[2], groups[i].name))
			break;
	if (argc < 4 || i == GROUPS || !start(&c, &groups[i]) || !secret(x, argv[3], &c))
		return usage();
	if (argc == 4 && !strcmp(argv[1], "public")) {
		public_of(y, x, &c);
	} else if (argc == 5 && !strcmp(argv[1], "shared")) {
		if (!from_hex(y, c.n, argv[4]) || !shared_of(y, y, x, &c)) {
			fprintf(stderr, "dh: Y is not of the subgroup\n");
			return 1;
		}
	} else {
		return usage();
	}
	print_number(y, c.n);
	return 0;
}
