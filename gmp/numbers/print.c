// SPDX-License-Identifier: MIT
/*
 * printf() with GMP's types: Z, Q, N, and M for a word.  What is C's own is given to snprintf(),
 * one conversion at a time; all is written into memory first.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "mpz.h"

struct text {
	char *at;
	size_t length, room;
};

/* The arguments, of which each function takes the next one. */
struct arguments {
	va_list list;
};

struct conversion {
	int left, zero, plus, blank, base, group; /* - 0 + ' ' # ' */
	char sign;				  /* the last of + and ' ': GMP's */
	/* a precision below 0 is none for C's types, and 0 for GMP's */
	int width, pointed, precision;
	char type[3]; /* hh h l ll L q j z t Z Q N M */
	char letter;
};

static char *more(struct text *t, size_t bytes)
{
	if (t->room - t->length < bytes) {
		size_t room = 2 * t->room + bytes;

		t->at = cc_gmp_reallocate(t->at, t->room, room);
		t->room = room;
	}
	return t->at + t->length;
}

static void put(struct text *t, const char *s, size_t n)
{
	memcpy(more(t, n), s, n);
	t->length += n;
}

static void fill(struct text *t, char c, int n)
{
	if (n <= 0)
		return;
	memset(more(t, (size_t)n), c, (size_t)n);
	t->length += (size_t)n;
}

/* A width or a precision in the format, or the next argument. */
static int number(const char **format, struct arguments *arguments)
{
	int n = 0;

	if (**format == '*') {
		++*format;
		return va_arg(arguments->list, int);
	}
	for (; **format >= '0' && **format <= '9'; ++*format)
		n = n > (INT_MAX - 9) / 10 ? INT_MAX : 10 * n + (**format - '0');
	return n;
}

static void read_conversion(struct conversion *c, const char **format, struct arguments *arguments)
{
	const char *s = *format;
	size_t types = 0;

	*c = (struct conversion){.precision = -1};
	for (;; s++) {
		int *flag = *s == '-'	 ? &c->left
			    : *s == '0'	 ? &c->zero
			    : *s == '+'	 ? &c->plus
			    : *s == ' '	 ? &c->blank
			    : *s == '#'	 ? &c->base
			    : *s == '\'' ? &c->group
					 : NULL;

		if (!flag)
			break;
		*flag = 1;
		if (*s == '+' || *s == ' ')
			c->sign = *s;
	}
	c->width = number(&s, arguments);
	if (c->width < 0) {
		c->left = 1;
		c->width = -c->width;
	}
	if (*s == '.') {
		s++;
		c->precision = number(&s, arguments);
		c->pointed = 1;
	}
	while (*s && strchr("hlLqjztZQNM", *s) && types < 2)
		c->type[types++] = *s++;
	c->letter = *s;
	*format = s + (*s != 0);
}

/* 10, 8, 16 or -16 by d i u o x X, or 0 */
static int base_of(char letter)
{
	switch (letter) {
	case 'd':
	case 'i':
	case 'u':
		return 10;
	case 'o':
		return 8;
	case 'x':
		return 16;
	case 'X':
		return -16;
	default:
		return 0;
	}
}

/* What stands before the digits for #, of what is not 0. */
static const char *prefix_of(const struct conversion *c, const char *digits)
{
	if (!c->base || *digits == '0')
		return "";
	return c->letter == 'o' ? "0" : c->letter == 'x' ? "0x" : c->letter == 'X' ? "0X" : "";
}

/* A number, or a fraction's two; its digits are at @s, without a sign at @digits. */
static int put_digits(struct text *t, const struct conversion *c, const char *s)
{
	const char *digits = s + (*s == '-'), *slash = strchr(digits, '/');
	const char *sign = *s == '-' ? "-" : c->sign == '+' ? "+" : c->sign ? " " : "";
	const char *below = slash ? prefix_of(c, slash + 1) : "", *before;
	size_t upper = slash ? (size_t)(slash - digits) + 1 : strlen(digits), length;
	int zeros, pad;

	if (c->pointed && c->precision <= 0 && *digits == '0') {
		/* GMP's has the prefix then */
		digits += upper;
		upper = 0;
	}
	before = prefix_of(c, digits);
	length = upper + (slash ? strlen(slash + 1) : 0);
	if (length > INT_MAX / 4 || c->width >= INT_MAX / 4 || c->precision >= INT_MAX / 4)
		return -1;
	zeros = c->precision > (int)length ? c->precision - (int)length : 0;
	length += strlen(sign) + strlen(before) + strlen(below);
	pad = c->width - (int)length - zeros;
	if (!c->left && !c->zero)
		fill(t, ' ', pad);
	put(t, sign, strlen(sign));
	put(t, before, strlen(before));
	if (!c->left && c->zero)
		fill(t, '0', pad);
	fill(t, '0', zeros);
	put(t, digits, upper);
	if (slash) {
		put(t, below, strlen(below));
		put(t, slash + 1, strlen(slash + 1));
	}
	if (c->left)
		fill(t, ' ', pad);
	return 0;
}

static int put_number(struct text *t, const struct conversion *c, struct arguments *arguments)
{
	int base = base_of(c->letter), error;
	__mpz_struct words;
	char *digits;

	if (!base)
		return -1;
	if (c->type[0] == 'Q') {
		digits = mpq_get_str(NULL, base, va_arg(arguments->list, mpq_srcptr));
	} else if (c->type[0] == 'Z') {
		digits = mpz_get_str(NULL, base, va_arg(arguments->list, mpz_srcptr));
	} else {
		mp_srcptr at = va_arg(arguments->list, mp_srcptr);

		digits = mpz_get_str(NULL, base,
				     mpz_roinit_n(&words, at, va_arg(arguments->list, mp_size_t)));
	}
	error = put_digits(t, c, digits);
	cc_gmp_release(digits, strlen(digits) + 1);
	return error;
}

/* %n: how many characters so far */
static int count(const struct text *t, const struct conversion *c, struct arguments *arguments)
{
	void *place = va_arg(arguments->list, void *);

	switch (c->type[0]) {
	case 'Z':
		mpz_set_ui(place, t->length);
		return 0;
	case 'Q':
		mpq_set_ui(place, t->length, 1);
		return 0;
	case 'N': {
		mp_size_t n = va_arg(arguments->list, mp_size_t), i;

		for (i = 0; i < n; i++)
			((mp_ptr)place)[i] = i ? 0 : t->length;
		return 0;
	}
	case 'M':
		*(mp_limb_t *)place = t->length;
		return 0;
	case 'h':
		if (c->type[1])
			*(signed char *)place = (signed char)t->length;
		else
			*(short *)place = (short)t->length;
		return 0;
	case 'l':
		if (!c->type[1]) {
			*(long *)place = (long)t->length;
			return 0;
		}
		/* fallthrough */
	case 'L':
	case 'q':
		*(long long *)place = (long long)t->length;
		return 0;
	case 'j':
		*(intmax_t *)place = (intmax_t)t->length;
		return 0;
	case 'z':
		*(size_t *)place = t->length;
		return 0;
	case 't':
		*(ptrdiff_t *)place = (ptrdiff_t)t->length;
		return 0;
	default:
		*(int *)place = (int)t->length;
		return 0;
	}
}

/* The conversion as snprintf() takes it, with its width and precision as arguments. */
static void write_conversion(char *s, const struct conversion *c)
{
	const char *type = c->type;

	*s++ = '%';
	if (c->left)
		*s++ = '-';
	if (c->zero)
		*s++ = '0';
	if (c->plus)
		*s++ = '+';
	if (c->blank)
		*s++ = ' ';
	if (c->base)
		*s++ = '#';
	if (c->group)
		*s++ = '\'';
	*s++ = '*';
	*s++ = '.';
	*s++ = '*';
	if (*type == 'M')
		type = sizeof(mp_limb_t) == sizeof(long) ? "l" : "ll";
	else if (*type == 'q' || (*type == 'L' && base_of(c->letter)))
		type = "ll";
	while (*type)
		*s++ = *type++;
	*s++ = c->letter;
	*s = 0;
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#pragma GCC diagnostic ignored "-Wformat"

/* So many bytes at @to, of which there are @room, or as many as there would be. */
static int write_own(char *to, size_t room, const struct conversion *c, struct arguments *arguments)
{
	int width = c->width, precision = c->precision, longs = 0;
	char format[24];

	write_conversion(format, c);
	if (c->type[0] == 'l' || c->type[0] == 'q' || c->type[0] == 'L')
		longs = c->type[0] == 'l' && !c->type[1] ? 1 : 2;
	if (c->type[0] == 'M')
		longs = sizeof(mp_limb_t) == sizeof(long) ? 1 : 2;
#define GIVE(type)                                                                                 \
	return snprintf(to, room, format, width, precision, va_arg(arguments->list, type))
	switch (c->letter) {
	case 'c':
		/* as wide as wint_t */
		GIVE(int);
	case 's':
	case 'p':
		GIVE(void *);
	case 'a':
	case 'A':
	case 'e':
	case 'E':
	case 'f':
	case 'g':
	case 'G':
		if (c->type[0] == 'L')
			GIVE(long double);
		GIVE(double);
	default:
		if (!base_of(c->letter))
			return -1;
		if (longs == 2)
			GIVE(long long);
		if (longs)
			GIVE(long);
		if (c->type[0] == 'j')
			GIVE(intmax_t);
		if (c->type[0] == 'z')
			GIVE(size_t);
		if (c->type[0] == 't')
			GIVE(ptrdiff_t);
		GIVE(int);
	}
#undef GIVE
}

#pragma GCC diagnostic pop

static int put_own(struct text *t, const struct conversion *c, struct arguments *arguments)
{
	size_t room = 128;
	struct arguments again;
	int length;

	va_copy(again.list, arguments->list);
	length = write_own(more(t, room), room, c, &again);
	va_end(again.list);
	/* a second time, where it was too long, and in any case what moves to the next argument */
	if (length >= 0) {
		room = (size_t)length + 1;
		(void)write_own(more(t, room), room, c, arguments);
		t->length += (size_t)length;
	}
	return length < 0 ? -1 : 0;
}

/* All of it; -1 if a conversion is unknown, and then nothing is to be written. */
static int print(struct text *t, const char *format, va_list list)
{
	struct arguments arguments;
	struct conversion c;
	int error = 0;

	*t = (struct text){cc_gmp_allocate(256), 0, 256};
	va_copy(arguments.list, list);
	while (*format && !error) {
		size_t plain = strcspn(format, "%");

		put(t, format, plain);
		format += plain;
		if (!*format)
			break;
		format++;
		if (*format == '%') {
			put(t, format++, 1);
			continue;
		}
		read_conversion(&c, &format, &arguments);
		if (c.letter == 'n')
			error = count(t, &c, &arguments);
		else if (c.type[0] == 'Z' || c.type[0] == 'Q' || c.type[0] == 'N')
			error = put_number(t, &c, &arguments);
		else
			error = put_own(t, &c, &arguments);
		if (t->length > INT_MAX)
			error = -1;
	}
	va_end(arguments.list);
	return error ? -1 : (int)t->length;
}

static void clear(struct text *t)
{
	cc_gmp_release(t->at, t->room);
}

int gmp_vfprintf(FILE *file, const char *format, va_list list)
{
	struct text t;
	int length = print(&t, format, list);

	if (length >= 0 && fwrite(t.at, 1, t.length, file) != t.length)
		length = -1;
	clear(&t);
	return length;
}

int gmp_vprintf(const char *format, va_list list)
{
	return gmp_vfprintf(stdout, format, list);
}

int gmp_vsnprintf(char *s, size_t size, const char *format, va_list list)
{
	struct text t;
	int length = print(&t, format, list);

	if (length >= 0 && size) {
		size_t kept = t.length < size ? t.length : size - 1;

		memcpy(s, t.at, kept);
		s[kept] = 0;
	}
	clear(&t);
	return length;
}

int gmp_vsprintf(char *s, const char *format, va_list list)
{
	return gmp_vsnprintf(s, SIZE_MAX, format, list);
}

int gmp_vasprintf(char **s, const char *format, va_list list)
{
	struct text t;
	int length = print(&t, format, list);

	if (length < 0) {
		clear(&t);
		*s = NULL;
		return -1;
	}
	put(&t, "", 1);
	*s = cc_gmp_reallocate(t.at, t.room, t.length);
	return length;
}

/* The function of a list of arguments. */
#define WITH_LIST(last, call)                                                                      \
	va_list list;                                                                              \
	int length;                                                                                \
                                                                                                   \
	va_start(list, last);                                                                      \
	length = call;                                                                             \
	va_end(list);                                                                              \
	return length

int gmp_printf(const char *format, ...)
{
	WITH_LIST(format, gmp_vprintf(format, list));
}

int gmp_fprintf(FILE *file, const char *format, ...)
{
	WITH_LIST(format, gmp_vfprintf(file, format, list));
}

int gmp_sprintf(char *s, const char *format, ...)
{
	WITH_LIST(format, gmp_vsprintf(s, format, list));
}

int gmp_snprintf(char *s, size_t size, const char *format, ...)
{
	WITH_LIST(format, gmp_vsnprintf(s, size, format, list));
}

int gmp_asprintf(char **s, const char *format, ...)
{
	WITH_LIST(format, gmp_vasprintf(s, format, list));
}
