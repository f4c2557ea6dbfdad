// SPDX-License-Identifier: MIT
#include "rows.h"

#include "../platform.h"
#include "text.h"

static char *put(char *to, struct rows_word word)
{
	memcpy(to, word.text, word.length);
	return to + word.length;
}

static char *put_digits(char *to, uint32_t field, unsigned int count)
{
	while (count--)
		*to++ = "0123456789abcdef"[field >> 4 * count & 15];
	return to;
}

static char *put_field(char *to, uint32_t field, unsigned int width)
{
	*to++ = '0';
	*to++ = 'x';
	return put_digits(to, field, 2 * width);
}

static char *put_ipv4(char *to, const unsigned char *address)
{
	unsigned int i;

	for (i = 0; i < 4; i++) {
		to = text_number(to, address[i], 1);
		*to++ = '.';
	}
	return to - 1;
}

/* The format of RFC 5952; inet_ntop() yields the same, twenty times slower. */
static char *put_ipv6(char *to, const unsigned char *address)
{
	unsigned int zeros[9] = {0}, group, i, longest = 8;

	/* find the longest run of two or more zero groups; the first if there are several */
	for (i = 8; i--;) {
		if (!address[2 * i] && !address[2 * i + 1])
			zeros[i] = zeros[i + 1] + 1;
		if (zeros[i] > 1 && zeros[i] >= zeros[longest])
			longest = i;
	}
	for (i = 0; i < 8; i++) {
		if (i == longest) {
			*to++ = ':';
			i += zeros[i] - 1;
			if (i == 7)
				*to++ = ':';
			continue;
		}
		if (i)
			*to++ = ':';
		/* an IPv4-mapped or IPv4-compatible address (RFC 4291, 2.5.5) */
		if (i == 6 && !longest &&
		    (zeros[0] == 6 ||
		     (zeros[0] == 5 && address[10] == 0xff && address[11] == 0xff)))
			return put_ipv4(to, address + 12);
		group = (unsigned int)address[2 * i] << 8 | address[2 * i + 1];
		to = put_digits(to, group, 1 + (group > 0xf) + (group > 0xff) + (group > 0xfff));
	}
	return to;
}

char *rows_address(char *to, unsigned int family, const unsigned char *address)
{
	if (!family) {
		*to++ = '?';
		return to;
	}
	return family == 4 ? put_ipv4(to, address) : put_ipv6(to, address);
}

static char *put_end(char *to, const struct batch_entry *e, const unsigned char *address,
		     uint16_t port)
{
	int brackets = e->family == 6 && e->has_ports;

	if (brackets)
		*to++ = '[';
	to = rows_address(to, e->family, address);
	if (brackets)
		*to++ = ']';
	if (e->has_ports && e->family) {
		*to++ = ':';
		to = text_number(to, port, 1);
	}
	return to;
}

/* The text of the last second written, to be reused. */
struct stamp {
	cc_u64 second;
	size_t length;
	char text[32];
};

/*
 * The date of a day counted from 1970, in the Gregorian calendar.  Years begin in March here, so
 * that a leap day ends one, and months are 30.6 days long on average: March to July have as many
 * days as August to December.
 */
static char *put_date(char *to, cc_u64 day)
{
	enum { CENTURIES = 146097, YEARS = 1461, TO_1970 = 719468 };
	cc_u64 era = (day + TO_1970) / CENTURIES;
	unsigned int of_era = (unsigned int)((day + TO_1970) % CENTURIES), year, of_year, month;

	year = (of_era - of_era / (YEARS - 1) + of_era / 36524 - of_era / (CENTURIES - 1)) / 365;
	of_year = of_era - (365 * year + year / 4 - year / 100);
	month = (5 * of_year + 2) / 153;
	to = text_number(to, 400 * era + year + (month >= 10), 4);
	*to++ = '-';
	to = text_number(to, month < 10 ? month + 3 : month - 9, 2);
	*to++ = '-';
	return text_number(to, of_year - (153 * month + 2) / 5 + 1, 2);
}

static void set(struct stamp *stamp, cc_u64 second)
{
	char *to = put_date(stamp->text, second / 86400);

	*to++ = 'T';
	to = text_number(to, second / 3600 % 24, 2);
	*to++ = ':';
	to = text_number(to, second / 60 % 60, 2);
	*to++ = ':';
	to = text_number(to, second % 60, 2);
	*to++ = '.';
	stamp->second = second;
	stamp->length = (size_t)(to - stamp->text);
}

static char *put_time(char *to, cc_u64 time, struct stamp *stamp)
{
	cc_u64 second = time / 1000000000;

	if (!stamp->length || second != stamp->second)
		set(stamp, second);
	memcpy(to, stamp->text, stamp->length);
	to = text_number(to + stamp->length, time % 1000000000, 9);
	*to++ = 'Z';
	return to;
}

static char *put_row(char *to, const struct batch_entry *e, const struct rows_words *words,
		     struct stamp *stamp)
{
	const struct rows_word *before = words->before;

	to = text_number(put(to, *before++), e->frame, 1);
	to = put_time(put(to, *before++), e->time, stamp);
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
	else if (e->evidence)
		to = put(to, words->evidence[e->evidence]);
	if (e->provisional)
		to = put(to, words->provisional);
	return put(to, words->after);
}

size_t rows_write(char *to, const struct batch_entry *entry, size_t count,
		  const struct rows_words *words)
{
	struct stamp stamp = {0};
	char *end = to;
	size_t i;

	for (i = 0; i < count; i++)
		end = put_row(end, &entry[i], words, &stamp);
	return (size_t)(end - to);
}

static struct rows_word word(const char *text, size_t *length)
{
	struct rows_word w = {text, 0};

	while (text[w.length])
		w.length++;
	*length += w.length;
	return w;
}

size_t rows_name(struct rows_words *words)
{
	size_t length = 0;
	unsigned int i;

	for (i = 0; i < CC_PACKET_PROTOCOLS; i++)
		words->protocol[i] = word(cc_packet_protocol_name(i), &length);
	for (i = 0; i < CC_VERDICTS; i++)
		words->verdict[i] = word(cc_verdict_name(i), &length);
	for (i = 0; i < CC_PACKET_REASONS; i++)
		words->reason[i] = word(cc_packet_reason_name(i), &length);
	for (i = 0; i < CC_EVIDENCES; i++)
		words->evidence[i] = word(cc_evidence_text(i), &length);
	words->provisional = word(" (provisional)", &length);
	return length;
}

const char *rows_column(unsigned int i)
{
	static const char *const names[ROWS_COLUMNS] = {"frame", "time",    "protocol",
							"from",	 "to",	    "expected",
							"found", "verdict", "reason"};

	return names[i];
}
