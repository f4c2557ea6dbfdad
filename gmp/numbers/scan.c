// SPDX-License-Identifier: MIT
/*
 * scanf() with GMP's types: Z and Q, and M for a word.  What is C's own is given to C's functions,
 * one conversion at a time.
 */
#include <ctype.h>
#include <stdarg.h>
#include <stdint.h>

#include "digits.h"

/* A file, or text, of which @read characters are read. */
struct source {
	FILE *file;
	const char *text;
	size_t read;
};

static int next(struct source *s)
{
	int c = s->file ? getc(s->file) : *s->text ? (unsigned char)*s->text++ : EOF;

	s->read += c != EOF;
	return c;
}

static void back(struct source *s, int c)
{
	if (c == EOF)
		return;
	s->read--;
	if (s->file)
		ungetc(c, s->file);
	else
		s->text--;
}

static void skip_blanks(struct source *s)
{
	int c;

	do
		c = next(s);
	while (c != EOF && isspace(c));
	back(s, c);
}

struct conversion {
	int ignored;
	size_t width;
	char type[3];
	char letter;
	/* all of it, as scanf() takes it, without the % */
	const char *from;
	size_t length;
};

static const char *read_conversion(struct conversion *c, const char *s)
{
	size_t types = 0;

	*c = (struct conversion){.from = s};
	if (*s == '*') {
		c->ignored = 1;
		s++;
	}
	for (; *s >= '0' && *s <= '9'; s++)
		c->width = 10 * c->width + (size_t)(*s - '0');
	while (*s && strchr("hlLqjztZQM", *s) && types < 2)
		c->type[types++] = *s++;
	c->letter = *s;
	s += *s != 0;
	if (c->letter == '[') {
		s += *s == '^';
		s += *s == ']';
		while (*s && *s++ != ']')
			;
	}
	c->length = (size_t)(s - c->from);
	return s;
}

static int next_within(struct source *s, size_t *left)
{
	return *left && (*left)-- ? next(s) : EOF;
}

/*
 * r, unless it is NULL, is the integer that is read in the base, 0 for one by its prefix, with a
 * sign.  1, 0 if there is none, or EOF.
 */
static int read_integer(struct source *s, mpz_ptr r, int base, size_t *left)
{
	struct collected d = collected_begin();
	int at = next_within(s, left), negative = 0, found = 0, ended = at == EOF;

	if (at == '-' || at == '+') {
		negative = at == '-';
		at = next_within(s, left);
	}
	if (at == '0' && !base) {
		found = 1;
		base = 8;
		at = next_within(s, left);
		if (at == 'x' || at == 'X') {
			found = 0;
			base = 16;
			at = next_within(s, left);
		}
	}
	if (!base)
		base = 10;
	for (; at != EOF && cc_gmp_digit(at, base) >= 0; at = next_within(s, left)) {
		found = 1;
		if (d.count || at != '0')
			collect(&d, at);
	}
	*left += at != EOF;
	back(s, at);
	if (found && r) {
		cc_gmp_value(r, d.digits, d.count, base);
		if (negative)
			r->_mp_size = -r->_mp_size;
	}
	cc_gmp_release(d.digits, d.room);
	return found ? 1 : ended ? EOF : 0;
}

static int base_of(char letter)
{
	switch (letter) {
	case 'd':
	case 'u':
		return 10;
	case 'i':
		return 0;
	case 'o':
		return 8;
	case 'x':
	case 'X':
		return 16;
	default:
		return -1;
	}
}

/* An integer or a fraction: 1, 0 or EOF. */
static int read_number(struct source *s, const struct conversion *c, void *place)
{
	size_t left = c->width ? c->width : SIZE_MAX;
	int fraction = c->type[0] == 'Q', base = base_of(c->letter), done, at;
	mpz_ptr num = !place ? NULL : fraction ? mpq_numref((mpq_ptr)place) : (mpz_ptr)place;

	if (base < 0)
		return 0;
	skip_blanks(s);
	done = read_integer(s, num, base, &left);
	if (done != 1 || !fraction)
		return done;
	at = next_within(s, &left);
	if (at == '/')
		return read_integer(s, place ? mpq_denref((mpq_ptr)place) : NULL, base, &left) == 1;
	back(s, at);
	if (place)
		mpz_set_ui(mpq_denref((mpq_ptr)place), 1);
	return 1;
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"

/* What C's function makes of one conversion. */
static int read_own(struct source *s, const struct conversion *c, void *place)
{
	char format[512], *to = format;
	size_t i;
	int read = 0, done;

	if (c->length + 8 > sizeof(format))
		return 0;
	*to++ = '%';
	for (i = 0; i < c->length; i++) {
		/* GMP's word, and what glibc alone has */
		if (c->from[i] == 'M' && c->type[0] == 'M' && i + 2 == c->length)
			*to++ = 'l';
		else if (c->from[i] == 'q' && c->type[0] == 'q' && i + 2 == c->length)
			*to++ = 'l', *to++ = 'l';
		else
			*to++ = c->from[i];
	}
	memcpy(to, "%n", 3);
	if (s->file)
		done = c->ignored ? fscanf(s->file, format, &read)
				  : fscanf(s->file, format, place, &read);
	else
		done = c->ignored ? sscanf(s->text, format, &read)
				  : sscanf(s->text, format, place, &read);
	/* what is ignored isn't counted, but then %n is reached */
	if (c->ignored && done == 0 && read)
		done = 1;
	if (!s->file && done == 1)
		s->text += read;
	s->read += (size_t)read;
	return done;
}

#pragma GCC diagnostic pop

static void store_count(const struct source *s, const struct conversion *c, void *place)
{
	switch (c->type[0]) {
	case 'Z':
		mpz_set_ui(place, s->read);
		break;
	case 'Q':
		mpq_set_ui(place, s->read, 1);
		break;
	case 'M':
		*(mp_limb_t *)place = s->read;
		break;
	case 'h':
		if (c->type[1])
			*(signed char *)place = (signed char)s->read;
		else
			*(short *)place = (short)s->read;
		break;
	case 'l':
		if (!c->type[1]) {
			*(long *)place = (long)s->read;
			break;
		}
		/* fallthrough */
	case 'L':
	case 'q':
		*(long long *)place = (long long)s->read;
		break;
	case 'j':
		*(intmax_t *)place = (intmax_t)s->read;
		break;
	case 'z':
		*(size_t *)place = s->read;
		break;
	case 't':
		*(ptrdiff_t *)place = (ptrdiff_t)s->read;
		break;
	default:
		*(int *)place = (int)s->read;
	}
}

/* How many are stored, or EOF if the input ends before the first. */
static int scan(struct source *s, const char *format, va_list list)
{
	struct conversion c;
	int stored = 0, done, at;
	void *place;

	while (*format) {
		if (isspace((unsigned char)*format)) {
			skip_blanks(s);
			format++;
			continue;
		}
		if (*format != '%' || format[1] == '%') {
			if (*format == '%') {
				format++;
				skip_blanks(s);
			}
			at = next(s);
			if (at != (unsigned char)*format++) {
				back(s, at);
				return at == EOF && !stored ? EOF : stored;
			}
			continue;
		}
		format = read_conversion(&c, format + 1);
		place = c.ignored ? NULL : va_arg(list, void *);
		if (c.letter == 'n') {
			if (place)
				store_count(s, &c, place);
			continue;
		}
		if (c.type[0] == 'Z' || c.type[0] == 'Q')
			done = read_number(s, &c, place);
		else
			done = read_own(s, &c, place);
		if (done != 1)
			return done == EOF && !stored ? EOF : stored;
		stored += !c.ignored;
	}
	return stored;
}

int gmp_vfscanf(FILE *file, const char *format, va_list list)
{
	struct source s = {file, NULL, 0};

	return scan(&s, format, list);
}

int gmp_vscanf(const char *format, va_list list)
{
	return gmp_vfscanf(stdin, format, list);
}

int gmp_vsscanf(const char *text, const char *format, va_list list)
{
	struct source s = {NULL, text, 0};

	return scan(&s, format, list);
}

int gmp_scanf(const char *format, ...)
{
	va_list list;
	int stored;

	va_start(list, format);
	stored = gmp_vscanf(format, list);
	va_end(list);
	return stored;
}

int gmp_fscanf(FILE *file, const char *format, ...)
{
	va_list list;
	int stored;

	va_start(list, format);
	stored = gmp_vfscanf(file, format, list);
	va_end(list);
	return stored;
}

int gmp_sscanf(const char *text, const char *format, ...)
{
	va_list list;
	int stored;

	va_start(list, format);
	stored = gmp_vsscanf(text, format, list);
	va_end(list);
	return stored;
}
