// SPDX-License-Identifier: MIT
/* gmp.h's printf() and scanf() beside GMP's, in random formats. */
#include "harness.h"

#include <carrychain/gmp.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

extern __typeof__(cc_gmp_snprintf) __gmp_snprintf;
extern __typeof__(cc_gmp_asprintf) __gmp_asprintf;
extern __typeof__(cc_gmp_fprintf) __gmp_fprintf;
extern __typeof__(cc_gmp_sscanf) __gmp_sscanf;
extern __typeof__(cc_gmp_fscanf) __gmp_fscanf;

#define ROOM 4096
static char format[128], mine[ROOM], its[ROOM];
static mpz_t x, y;
static mpq_t p, q;

static void any(mpz_ptr r)
{
	size_t n = random_below(random_below(4) ? 2 : 6);

	random_words(mpz_limbs_write(r, (mp_size_t)n + 1), n);
	mpz_limbs_finish(r, random_below(2) ? (mp_size_t)n : -(mp_size_t)n);
	if (!random_below(4))
		mpz_set_si(r, (long)random_below(20) - 10);
}

/* "%", any flags, width and precision, the type, and one of the letters. */
static void any_format(const char *type, const char *letters, int flagged)
{
	static const char flags[] = "-+ #0";
	size_t i;
	char *s = format;

	s += sprintf(s, "<%s%%", random_below(2) ? "%%" : "");
	for (i = random_below(4); flagged && i--;)
		*s++ = flags[random_below(5)];
	/* C ignores this 0; GMP fills the right end with zeros, which is another number */
	*s = 0;
	while (strchr(format, '-') && strchr(format, '0'))
		*strchr(format, '0') = '+';
	if (random_below(2))
		s += sprintf(s, "%zu", 1 + random_below(random_below(2) ? 9 : 100));
	if (flagged && !random_below(3))
		s += sprintf(s, ".%zu", random_below(40));
	sprintf(s, "%s%c>", type, letters[random_below(strlen(letters))]);
}

#define BOTH(...)                                                                                  \
	do {                                                                                       \
		size_t room = random_below(4) ? ROOM : random_below(20);                           \
		int one = gmp_snprintf(mine, room, format, __VA_ARGS__);                           \
		int other = __gmp_snprintf(its, room, format, __VA_ARGS__);                        \
		CHECK(one == other, "%s: %d, GMP's %d: \"%s\", not \"%s\"", format, one, other,    \
		      mine, its);                                                                  \
		CHECK(!room || !strcmp(mine, its), "%s: \"%s\", not \"%s\"", format, mine, its);   \
	} while (0)

static void numbers(void)
{
	size_t rounds;

	test_case(NULL, "printf of numbers");
	for (rounds = test_scaled(20000); rounds--;) {
		any(x);
		any_format("Z", "diuoxX", 1);
		BOTH(x);
		any_format("N", "diuoxX", 1);
		BOTH(x->_mp_d, (mp_size_t)x->_mp_size);
		any(mpq_numref(p));
		any(mpq_denref(p));
		if (!mpz_sgn(mpq_denref(p)) || !random_below(4))
			mpz_set_ui(mpq_denref(p), 1);
		mpq_canonicalize(p);
		any_format("Q", "dioxX", 1);
		BOTH(p);
	}
	test_case(NULL, "printf with widths as arguments");
	for (rounds = test_scaled(5000); rounds--;) {
		int width = (int)random_below(80) - 40, precision = (int)random_below(50) - 10;

		any(x);
		strcpy(format, "%d %*.*Zd|%-*Zx|%.*Zo %s");
		BOTH(width, width, precision, x, width, x, precision, x, "end");
	}
}

static void own(void)
{
	size_t rounds;

	test_case(NULL, "printf of C's types");
	for (rounds = test_scaled(5000); rounds--;) {
		uint64_t u = random_u64() >> random_below(64);
		double d = (double)(int64_t)u / 1024;

		any_format("", "diuoxX", 1);
		BOTH((int)u);
		any_format("l", "diuoxX", 1);
		BOTH((long)u);
		any_format("ll", "diuoxX", 1);
		BOTH((long long)u);
		any_format("h", "diuoxX", 1);
		BOTH((int)(short)u);
		any_format("hh", "diuoxX", 1);
		BOTH((int)(signed char)u);
		any_format("j", "diuoxX", 1);
		BOTH((intmax_t)u);
		any_format("z", "diuoxX", 1);
		BOTH((size_t)u);
		any_format("t", "diuoxX", 1);
		BOTH((ptrdiff_t)u);
		any_format("M", "diuoxX", 1);
		BOTH((mp_limb_t)u);
		any_format("", "aAeEfgG", 1);
		BOTH(d);
		any_format("L", "eEfgG", 1);
		BOTH((long double)d);
		any_format("", "c", 0);
		BOTH((int)('a' + u % 26));
		any_format("", "s", 0);
		BOTH("some text");
		any_format("", "p", 0);
		BOTH((void *)&u);
		any(x);
		strcpy(format, "%Zd %d %Qx %s %g %Zx%%");
		BOTH(x, (int)u, p, "text", d, x);
	}
}

static void written(void)
{
	char *one, *other;
	long n = 0;
	int m = 0;

	test_case(NULL, "printf elsewhere");
	mpz_ui_pow_ui(x, 7, 3000);
	CHECK(gmp_asprintf(&one, "%Zd %n%d%ln", x, &m, 5, &n) ==
		      __gmp_asprintf(&other, "%Zd %d", x, 5),
	      "length");
	CHECK(!strcmp(one, other), "asprintf");
	CHECK(n == m + 1 && (size_t)n == strlen(one), "%%n is %ld", n);
	free(one);
	free(other);
	CHECK(gmp_sprintf(mine, "%Zn%d %Zd%Zn", y, 1, q->_mp_num._mp_d ? y : x, x) == 3, "length");
	CHECK(!strcmp(mine, "1 0") && !mpz_cmp_ui(x, 3), "%%Zn");
	CHECK(gmp_snprintf(mine, ROOM, "%Fd", x) == -1, "a type that isn't there");
	CHECK(gmp_snprintf(mine, ROOM, "%Zf", x) == -1, "a letter that isn't one for numbers");
	CHECK(gmp_snprintf(mine, ROOM, "abc%") == -1, "no letter");
}

/* Text that a number is read from, mostly a good one. */
static void any_text(char *s, int base)
{
	static const char *const odd[] = {
		"",    "-",    "+",  "abc",    "0",	  "-0",	   "00012", "12abc", "+7",   "- 7",
		"1/2", "-3/4", "5/", "7/0012", "  42 43", "\t\n9", "1 /2",  "077",   "0x1F",
	};

	if (!random_below(3)) {
		strcpy(s, odd[random_below(COUNT(odd))]);
		return;
	}
	any(x);
	gmp_snprintf(s, ROOM, base == 16 ? "%Zx" : base == 8 ? "%Zo" : "%Zd", x);
	if (!random_below(4)) {
		any(y);
		mpz_abs(y, y);
		gmp_snprintf(s + strlen(s), 200,
			     base == 16	 ? "/%Zx"
			     : base == 8 ? "/%Zo"
					 : "/%Zd",
			     y);
	}
	if (random_below(2))
		strcat(s, " 12 rest");
}

static void scanned(void)
{
	static const struct {
		const char *format;
		int base, fraction;
	} formats[] = {
		{"%Zd%n", 10, 0},      {"%Zi%n", 10, 0},   {"%Zx%n", 16, 0},   {"%Zo%n", 8, 0},
		{"%Zu %n", 10, 0},     {" %3Zd%n", 10, 0}, {"%10Zx%n", 16, 0}, {"%Qd%n", 10, 1},
		{"%Qi%n", 10, 1},      {"%Qx%n", 16, 1},   {"%7Qd%n", 10, 1},  {"%*Zd%Zd%n", 10, 0},
		{"%*Qd %Qd%n", 10, 1},
	};
	size_t rounds, which;

	test_case(NULL, "scanf");
	for (rounds = test_scaled(20000); rounds--;) {
		int one, other, n = -1, m = -1;

		which = random_below(COUNT(formats));
		any_text(mine, formats[which].base);
		mpq_set_ui(p, 77, 1);
		mpq_set_ui(q, 77, 1);
		if (formats[which].fraction) {
			one = gmp_sscanf(mine, formats[which].format, p, &n);
			other = __gmp_sscanf(mine, formats[which].format, q, &m);
		} else {
			one = gmp_sscanf(mine, formats[which].format, mpq_numref(p), &n);
			other = __gmp_sscanf(mine, formats[which].format, mpq_numref(q), &m);
		}
		CHECK(one == other && n == m, "\"%s\" by %s: %d, GMP's %d; %d read, GMP %d", mine,
		      formats[which].format, one, other, n, m);
		CHECK(one != other || one < 1 ||
			      (!mpz_cmp(mpq_numref(p), mpq_numref(q)) &&
			       !mpz_cmp(mpq_denref(p), mpq_denref(q))),
		      "another number of \"%s\" by %s", mine, formats[which].format);
	}
	test_case(NULL, "scanf of C's types");
	for (rounds = test_scaled(2000); rounds--;) {
		long l[2] = {1, 1};
		int i[2] = {2, 2}, n[2] = {-1, -1}, one, other;
		double d[2] = {0, 0};
		char w[2][40] = {"", ""}, c[2] = {0, 0};

		any(x);
		gmp_snprintf(mine, ROOM, "%zu %Zd word %d.5:%c%s", random_below(100), x,
			     (int)random_below(100), 'x', random_below(2) ? "]ab" : "");
		one = gmp_sscanf(mine, "%ld %Zd%39s %lf:%c%n]%2[a-f]%n%d", &l[0], mpq_numref(p),
				 w[0], &d[0], &c[0], &n[0], w[0] + 20, &n[0], &i[0]);
		other = __gmp_sscanf(mine, "%ld %Zd%39s %lf:%c%n]%2[a-f]%n%d", &l[1], mpq_numref(q),
				     w[1], &d[1], &c[1], &n[1], w[1] + 20, &n[1], &i[1]);
		CHECK(one == other && n[0] == n[1], "\"%s\": %d, GMP's %d; %d read, GMP %d", mine,
		      one, other, n[0], n[1]);
		CHECK(l[0] == l[1] && i[0] == i[1] && d[0] == d[1] && c[0] == c[1] &&
			      !memcmp(w[0], w[1], sizeof(w[0])) &&
			      !mpz_cmp(mpq_numref(p), mpq_numref(q)),
		      "another value of \"%s\"", mine);
	}
}

static void files(void)
{
	FILE *file = tmpfile();
	int n = 0;

	test_case(NULL, "files");
	CHECK(file, "no file");
	if (!file)
		return;
	any(x);
	CHECK(gmp_fprintf(file, "%Zd, %#Zx/7 %d\n", x, x, 12) > 0, "written");
	rewind(file);
	CHECK(gmp_fscanf(file, "%Zd, %Qi %d", y, p, &n) == 3, "read");
	CHECK(!mpz_cmp(x, y) && !mpz_cmp(x, mpq_numref(p)) && n == 12, "another number");
	CHECK(!mpz_cmp_ui(mpq_denref(p), 7), "another denominator");
	CHECK(gmp_fscanf(file, "%Zd", y) == EOF, "the end");
	fclose(file);
}

int main(int argc, char **argv)
{
	test_begin(argc, argv);
	mpz_inits(x, y, NULL);
	mpq_inits(p, q, NULL);
	numbers();
	own();
	written();
	scanned();
	files();
	mpz_clears(x, y, NULL);
	mpq_clears(p, q, NULL);
	return test_end();
}
