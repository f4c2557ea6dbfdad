// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200112L /* gmtime_r */

#include "rows.h"

#include <arpa/inet.h>
#include <string.h>
#include <time.h>

static char *put(char *to, const char *text)
{
	size_t length = strlen(text);

	memcpy(to, text, length);
	return to + length;
}

/* With zeros in front, to @least digits. */
static char *put_number(char *to, cc_u64 number, unsigned int least)
{
	char digits[20];
	unsigned int n = 0;

	while (number || n < least) {
		digits[n++] = (char)('0' + number % 10);
		number /= 10;
	}
	while (n)
		*to++ = digits[--n];
	return to;
}

static char *put_field(char *to, uint32_t field, unsigned int width)
{
	unsigned int shift = 8 * width;

	*to++ = '0';
	*to++ = 'x';
	while (shift) {
		shift -= 4;
		*to++ = "0123456789abcdef"[field >> shift & 15];
	}
	return to;
}

static char *put_end(char *to, const struct batch_entry *e, const unsigned char *address,
		     uint16_t port)
{
	int brackets = e->family == 6 && e->has_ports;

	if (!e->family)
		return put(to, "?");
	if (brackets)
		*to++ = '[';
	if (!inet_ntop(e->family == 4 ? AF_INET : AF_INET6, address, to, INET6_ADDRSTRLEN))
		*to = 0;
	to += strlen(to);
	if (brackets)
		*to++ = ']';
	if (e->has_ports) {
		*to++ = ':';
		to = put_number(to, port, 1);
	}
	return to;
}

static char *put_second(char *to, cc_u64 second)
{
	time_t time = (time_t)second;
	struct tm tm;

	gmtime_r(&time, &tm);
	to = put_number(to, (cc_u64)tm.tm_year + 1900, 4);
	*to++ = '-';
	to = put_number(to, (cc_u64)tm.tm_mon + 1, 2);
	*to++ = '-';
	to = put_number(to, (cc_u64)tm.tm_mday, 2);
	*to++ = 'T';
	to = put_number(to, (cc_u64)tm.tm_hour, 2);
	*to++ = ':';
	to = put_number(to, (cc_u64)tm.tm_min, 2);
	*to++ = ':';
	return put_number(to, (cc_u64)tm.tm_sec, 2);
}

static char *put_row(char *to, const struct batch_entry *e, const struct rows_words *words)
{
	const char *const *before = words->before;

	to = put_number(put(to, *before++), e->frame, 1);
	to = put_second(put(to, *before++), e->time / 1000000000);
	*to++ = '.';
	to = put_number(to, e->time % 1000000000, 9);
	*to++ = 'Z';
	to = put(put(to, *before++), words->protocol[e->protocol]);
	to = put_end(put(to, *before++), e, e->source, e->source_port);
	to = put_end(put(to, *before++), e, e->destination, e->destination_port);
	to = put(to, *before++);
	if (e->verdict != CC_PACKET_UNVERIFIABLE && e->verdict != CC_PACKET_NONE)
		to = put_field(to, e->expected, e->width);
	to = put(to, *before++);
	if (e->verdict != CC_PACKET_UNVERIFIABLE)
		to = put_field(to, e->found, e->width);
	to = put(put(to, *before++), words->verdict[e->verdict]);
	to = put(to, *before);
	if (e->verdict == CC_PACKET_UNVERIFIABLE)
		to = put(to, words->reason[e->reason]);
	return put(to, words->after);
}

size_t rows_write(char *to, const struct batch_entry *entry, size_t count,
		  const struct rows_words *words)
{
	char *end = to;
	size_t i;

	for (i = 0; i < count; i++)
		end = put_row(end, &entry[i], words);
	return (size_t)(end - to);
}
