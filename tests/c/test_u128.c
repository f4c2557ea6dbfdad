// SPDX-License-Identifier: MIT
/*
 * test_u128.c - every implementation of u128.h against one slow reference.
 *
 * test_u128 --reference prints vectors and what the reference makes of them, for
 * tests/python/test_u128_reference.py to judge.
 */
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness.h"
#include "u128_impl.h"

#define WANTED 1000000
/* for Python: one vector in so many of the crossed edges, and as many random ones */
#define REFERENCE_STRIDE 31

static const struct {
	const char *name;
	const struct u128_impl *impl;
} impls[] = {
	{"128", &u128_impl_128}, {"128, no assembly", &u128_impl_128_noasm},
	{"64", &u128_impl_64},	 {"64, no assembly", &u128_impl_64_noasm},
	{"32", &u128_impl_32},	 {"32, no assembly", &u128_impl_32_noasm},
};

#define IMPLS COUNT(impls)

#define U128_OP(name, divisor) {#name, divisor},
static const struct {
	const char *name;
	int divisor;
} ops[U128_OPS] = {
#include "../../kernel/kunit/u128_list.h"
	{"u128_to_dec", 0},
	{"u128_to_hex", 0},
	{"u128_from_dec", 0},
	{"u128_from_hex", 0},
};

static struct u128_args *vectors;
static struct u128_result *expected;
static size_t count;

static const uint64_t edges[] = {
	0,
	1,
	2,
	0x7fffffff,
	0x80000000,
	0x80000001,
	0xffffffff,
	0x100000000,
	0x100000001,
	0x7fffffffffffffff,
	0x8000000000000000,
	0x8000000000000001,
	0xfffffffffffffffe,
	0xffffffffffffffff,
};

#define EDGES	COUNT(edges)
#define CROSSED (EDGES * EDGES * EDGES * EDGES)

static const unsigned int shifts[] = {
	0,   1,	  31,  32,  33,	 63,  64,  65,	95,  96,  97,  127, 128,	129,
	159, 160, 161, 191, 192, 193, 223, 224, 225, 255, 256, 257, 0x80000000, 0xffffffff,
};

#define SHIFTS COUNT(shifts)

static void crossed_edges(struct u128_args *x, size_t i)
{
	x->a1 = edges[i % EDGES];
	x->a0 = edges[i / EDGES % EDGES];
	x->b1 = edges[i / EDGES / EDGES % EDGES];
	x->b0 = edges[i / EDGES / EDGES / EDGES];
	/* 29 is prime to the number of edges: all shifts meet all words */
	x->shift = shifts[i % 29 % SHIFTS];
}

/* Of 0 to 128 bits, with bit density, runs, ... as random_words() has them. */
static void random_value(uint64_t *high, uint64_t *low)
{
	unsigned int bits = (unsigned int)random_below(129);
	cc_word words[128 / CC_WORD_BITS];
	uint64_t w[2];

	random_words(words, 128 / CC_WORD_BITS);
	memcpy(w, words, sizeof(w));
	*high = bits > 64 ? w[1] >> (128 - bits) : 0;
	*low = bits >= 64 ? w[0] : bits ? w[0] >> (64 - bits) : 0;
}

/* a = b times something, or one less: where the quotient's last unit is decided. */
static void near_multiple(struct u128_args *x)
{
	struct u128_result p = {{0}};

	random_value(&x->a1, &x->a0);
	u128_impl_reference.run[U128_OP_mul_u128_u128](&p, x);
	x->a1 = p.w[0];
	x->a0 = p.w[1];
	if (random_below(2)) {
		x->a1 -= !x->a0;
		x->a0--;
	}
}

static void random_vector(struct u128_args *x)
{
	random_value(&x->a1, &x->a0);
	random_value(&x->b1, &x->b0);
	if (random_below(4) == 0) {
		if (random_below(2))
			x->b1 = 0;
		near_multiple(x);
	}
	if (!random_below(8)) {
		x->b1 = x->a1;
		x->b0 = x->a0;
	}
	x->shift = random_below(4) ? (unsigned int)random_below(260) : shifts[random_below(SHIFTS)];
}

static void make_vectors(size_t wanted)
{
	size_t i;

	count = wanted < CROSSED ? CROSSED : wanted;
	vectors = calloc(count, sizeof(*vectors));
	expected = calloc(count, sizeof(*expected));
	if (!vectors || !expected) {
		fprintf(stderr, "no memory for %zu vectors\n", count);
		exit(1);
	}
	for (i = 0; i < CROSSED; i++)
		crossed_edges(&vectors[i], i);
	for (; i < count; i++)
		random_vector(&vectors[i]);
}

/* Makes a text a result: its length, and a hash of its characters, the NUL included: FNV-1a. */
static void text_result(struct u128_result *r, const char *text, size_t length)
{
	uint64_t hash = 0xcbf29ce484222325;
	size_t i;

	for (i = 0; i <= length; i++)
		hash = (hash ^ (unsigned char)text[i]) * 0x100000001b3;
	r->w[0] = length;
	r->w[1] = hash;
}

static void compute(const struct u128_impl *impl, int op, struct u128_result *r,
		    const struct u128_args *x)
{
	char dec[CC_U128_DEC_SIZE], hex[CC_U128_HEX_SIZE], text[48];
	int error = 0;

	switch (op) {
	case U128_TO_DEC:
		text_result(r, dec, impl->to_dec(dec, x->a1, x->a0));
		break;
	case U128_TO_HEX:
		text_result(r, hex, impl->to_hex(hex, x->a1, x->a0));
		break;
	case U128_FROM_DEC:
		u128_parser_text(text, x, 10);
		error = impl->from_dec(&r->w[0], &r->w[1], text, strlen(text));
		break;
	case U128_FROM_HEX:
		u128_parser_text(text, x, 16);
		error = impl->from_hex(&r->w[0], &r->w[1], text, strlen(text));
		break;
	default:
		impl->run[op](r, x);
	}
	if (error)
		r->w[2] = (uint64_t)(int64_t)error;
}

static bool divides_by_0(int op, const struct u128_args *x)
{
	switch (ops[op].divisor) {
	case 32:
		return !(uint32_t)x->b0;
	case 64:
		return !x->b0;
	case 128:
		return !(x->b1 | x->b0);
	default:
		return false;
	}
}

static void expect(int op)
{
	size_t i;

	memset(expected, 0, count * sizeof(*expected));
	for (i = 0; i < count; i++)
		if (!divides_by_0(op, &vectors[i]))
			compute(&u128_impl_reference, op, &expected[i], &vectors[i]);
}

/* The operation of an implementation, or one with a fault. */
static void compare(int op, const struct u128_impl *impl, u128_run *fault)
{
	size_t i;

	for (i = 0; i < count; i++) {
		const struct u128_args *x = &vectors[i];
		const uint64_t *e = expected[i].w;
		struct u128_result r = {{0}};

		if (divides_by_0(op, x))
			continue;
		if (fault)
			fault(&r, x);
		else
			compute(impl, op, &r, x);
		CHECK(!memcmp(r.w, e, sizeof(r.w)),
		      "a %016" PRIx64 "%016" PRIx64 " b %016" PRIx64 "%016" PRIx64 " shift %u: "
		      "%016" PRIx64 "%016" PRIx64 " %016" PRIx64 "%016" PRIx64 ", not "
		      "%016" PRIx64 "%016" PRIx64 " %016" PRIx64 "%016" PRIx64,
		      x->a1, x->a0, x->b1, x->b0, x->shift, r.w[0], r.w[1], r.w[2], r.w[3], e[0],
		      e[1], e[2], e[3]);
	}
}

static void run_fault(const void *context)
{
	const struct u128_fault *fault = context;

	test_case("fault", fault->name);
	compare(fault->op, NULL, fault->run);
}

/* The signal that ends a child which divides a1 : a0 by 0; 0 if none does. */
static int signal_of_division(u128_run *run, uint64_t a1, uint64_t a0)
{
	struct u128_args x = {.a1 = a1, .a0 = a0};
	struct u128_result r = {{0}};
	struct rlimit none = {0, 0};
	int status;
	pid_t child;

	fflush(stdout);
	child = fork();
	if (child < 0)
		return 0;
	if (!child) {
		setrlimit(RLIMIT_CORE, &none);
		signal(SIGFPE, SIG_DFL);
		signal(SIGILL, SIG_DFL);
		signal(SIGTRAP, SIG_DFL);
		run(&r, &x);
		_exit(0);
	}
	while (waitpid(child, &status, 0) < 0)
		;
	return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

static bool traps(const char *name, int number)
{
#if defined(__x86_64__) || defined(__i386__)
	if (!strstr(name, "no assembly"))
		return number == SIGFPE;
#endif
	(void)name;
	return number == SIGFPE || number == SIGILL || number == SIGTRAP;
}

static void division_by_0(const char *name, const struct u128_impl *impl)
{
	static const uint64_t words[] = {0, 1, UINT64_MAX};
	size_t i;
	int op;

	test_case(name, "division by 0 traps");
	for (op = 0; op < U128_OPS; op++) {
		if (!ops[op].divisor)
			continue;
		for (i = 0; i < 9; i++) {
			uint64_t a1 = words[i / 3], a0 = words[i % 3];
			int number = signal_of_division(impl->run[op], a1, a0);

			CHECK(traps(name, number), "%s of %" PRIx64 ":%" PRIx64 " by 0: signal %d",
			      ops[op].name, a1, a0, number);
		}
	}
}

static const struct {
	const char *text;
	int radix, error;
	uint64_t high, low;
} parses[] = {
	{"", 10, CC_EINVAL, 0, 0},
	{"", 16, CC_EINVAL, 0, 0},
	{"+1", 10, CC_EINVAL, 0, 0},
	{"-1", 10, CC_EINVAL, 0, 0},
	{" 1", 10, CC_EINVAL, 0, 0},
	{"1 ", 10, CC_EINVAL, 0, 0},
	{"1e6", 10, CC_EINVAL, 0, 0},
	{"a", 10, CC_EINVAL, 0, 0},
	{"/", 10, CC_EINVAL, 0, 0},
	{":", 10, CC_EINVAL, 0, 0},
	{"/", 16, CC_EINVAL, 0, 0},
	{":", 16, CC_EINVAL, 0, 0},
	{"@", 16, CC_EINVAL, 0, 0},
	{"G", 16, CC_EINVAL, 0, 0},
	{"`", 16, CC_EINVAL, 0, 0},
	{"g", 16, CC_EINVAL, 0, 0},
	{"0x1", 16, CC_EINVAL, 0, 0},
	{"\xb1", 16, CC_EINVAL, 0, 0},
	{"0", 10, CC_OK, 0, 0},
	{"0", 16, CC_OK, 0, 0},
	{"0000000000000000000000000000000000000000000000000000000000000000017", 10, CC_OK, 0, 17},
	{"00000000000000000000000000000000000000000000000000000000000000000fF", 16, CC_OK, 0, 255},
	{"340282366920938463463374607431768211455", 10, CC_OK, UINT64_MAX, UINT64_MAX},
	{"340282366920938463463374607431768211456", 10, CC_ERANGE, 0, 0},
	{"340282366920938463463374607431768211460", 10, CC_ERANGE, 0, 0},
	{"999999999999999999999999999999999999999", 10, CC_ERANGE, 0, 0},
	{"3402823669209384634633746074317682114550", 10, CC_ERANGE, 0, 0},
	/* a later digit brings the wrapped value back into range: still too large */
	{"34028236692093846346337460743176821145600", 10, CC_ERANGE, 0, 0},
	{"34028236692093846346337460743176821145600x", 10, CC_EINVAL, 0, 0},
	{"ffffffffffffffffffffffffffffffff", 16, CC_OK, UINT64_MAX, UINT64_MAX},
	{"FEDCBA98765432100123456789abcdef", 16, CC_OK, 0xfedcba9876543210, 0x123456789abcdef},
	{"100000000000000000000000000000000", 16, CC_ERANGE, 0, 0},
	{"1000000000000000000000000000000000000000000000000", 16, CC_ERANGE, 0, 0},
};

static void parsing(const char *name, const struct u128_impl *impl)
{
	const uint64_t mark = 0x5ca1ab1e0ddba11;
	uint64_t high, low;
	size_t i;

	test_case(name, "parsing errors");
	for (i = 0; i < COUNT(parses); i++) {
		const char *text = parses[i].text;
		int error;

		high = low = mark;
		error = (parses[i].radix == 10 ? impl->from_dec : impl->from_hex)(&high, &low, text,
										  strlen(text));
		CHECK(error == parses[i].error, "\"%s\", radix %d: %d", text, parses[i].radix,
		      error);
		CHECK(high == (error ? mark : parses[i].high) &&
			      low == (error ? mark : parses[i].low),
		      "\"%s\", radix %d: %016" PRIx64 "%016" PRIx64, text, parses[i].radix, high,
		      low);
	}
	/* the length decides, not a NUL */
	CHECK(impl->from_dec(&high, &low, "1\0002", 3) == CC_EINVAL, "a NUL within");
	CHECK(impl->from_dec(&high, &low, "123", 2) == CC_OK && !high && low == 12,
	      "beyond the length");
}

/* Known from outside this project. */
static void known_answers(const char *name, const struct u128_impl *impl)
{
	const struct u128_args x = {
		.a1 = 175136586720000, .a0 = 135989749728000, .b0 = 175138003500000};
	struct u128_result r = {{0}};

	test_case(name, "known answers");
	impl->run[U128_OP_mul_u64_u64_div_u64](&r, &x);
	CHECK(r.w[1] == 135988649638049, "mul_u64_u64_div_u64: %" PRIu64, r.w[1]);
}

static int print_reference(void)
{
	size_t i;
	int op;

	random_seed(1);
	make_vectors(2 * CROSSED);
	for (op = 0; op < U128_OPS; op++) {
		expect(op);
		for (i = 0; i < count; i += REFERENCE_STRIDE) {
			const struct u128_args *x = &vectors[i];
			const uint64_t *e = expected[i].w;

			if (divides_by_0(op, x))
				continue;
			printf("%s %" PRIx64 " %" PRIx64 " %" PRIx64 " %" PRIx64 " %u %" PRIx64
			       " %" PRIx64 " %" PRIx64 " %" PRIx64 "\n",
			       ops[op].name, x->a1, x->a0, x->b1, x->b0, x->shift, e[0], e[1], e[2],
			       e[3]);
		}
	}
	return fflush(stdout) ? 1 : 0;
}

int main(int argc, char **argv)
{
	size_t i, f;
	int op;

	if (argc == 2 && !strcmp(argv[1], "--reference"))
		return print_reference();
	test_begin(argc, argv);
	make_vectors(test_scaled(WANTED));
	printf("%zu vectors for each function\n", count);
	for (op = 0; op < U128_OPS; op++) {
		expect(op);
		for (i = 0; i < IMPLS; i++) {
			if (!impls[i].impl->to_dec)
				continue;
			test_case(impls[i].name, ops[op].name);
			compare(op, impls[i].impl, NULL);
		}
		for (f = 0; f < u128_faults_count; f++)
			if (u128_faults[f].op == op)
				test_control(u128_faults[f].name, true, run_fault, &u128_faults[f]);
	}
	for (i = 0; i < IMPLS; i++) {
		if (!impls[i].impl->to_dec) {
			test_skip("%s: this compiler has no __int128", impls[i].name);
			continue;
		}
		known_answers(impls[i].name, impls[i].impl);
		parsing(impls[i].name, impls[i].impl);
		division_by_0(impls[i].name, impls[i].impl);
	}
	free(vectors);
	free(expected);
	return test_end();
}
