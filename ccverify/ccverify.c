// SPDX-License-Identifier: MIT
/* ccverify: the checksums in captured packets, as `carrychain verify` has them, without Python. */
#include "csv.h"
#include "output.h"
#include "reading.h"
#include "text.h"

#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum status { FINE = 0, WRONG = 1, TROUBLE = 2, UNJUDGED = 3 };

/* Its options, and what they are for, are in ccverify.1, too. */
static const char help[] =
	"usage: ccverify [OPTION]... CAPTURE...\n"
	"\n"
	"Verify the checksums in captured packets: pcap or pcapng, not compressed.\n"
	"CAPTURE is a file, or - for the standard input.\n"
	"\n"
	"  --captured-at sender|receiver|wire\n"
	"                   where all packets were captured; default: what the capture shows\n"
	"  --csv            print a line of CSV for each bad or unfinished checksum\n"
	"  --explain        also print what each verdict on an offloaded checksum rests on\n"
	"  --quiet          print only the total of all captures\n"
	"  --strict         exit status 3 if anything could not be judged\n"
	"  --no-heuristics  do not enter tunnels guessed from a UDP port, or what merely\n"
	"                   looks like Ethernet\n"
	"  --help           print this\n"
	"  --version        print the version\n"
	"\n"
	"Exit status: 0 if no corruption was seen, 1 if a checksum is bad or unfinished,\n"
	"2 if a capture, or a part of it, could not be read.\n";

struct options {
	enum cc_vantage vantage;
	int csv, explain, quiet, strict;
	unsigned int flags;
};

static _Noreturn void misused(const char *what)
{
	fprintf(stderr, "ccverify: %s\n", what);
	exit(TROUBLE);
}

static enum cc_vantage vantage_of(const char *name)
{
	static const char *const names[] = {[CC_VANTAGE_SENDER] = "sender",
					    [CC_VANTAGE_RECEIVER] = "receiver",
					    [CC_VANTAGE_WIRE] = "wire"};
	unsigned int i;

	for (i = CC_VANTAGE_SENDER; i <= CC_VANTAGE_WIRE; i++)
		if (!strcmp(name, names[i]))
			return (enum cc_vantage)i;
	misused("--captured-at is sender, receiver or wire");
}

static struct options parse(int argc, char **argv)
{
	static const struct option known[] = {
		{"captured-at", required_argument, NULL, 'a'},
		{"csv", no_argument, NULL, 'c'},
		{"explain", no_argument, NULL, 'e'},
		{"quiet", no_argument, NULL, 'q'},
		{"strict", no_argument, NULL, 's'},
		{"no-heuristics", no_argument, NULL, 'n'},
		{"help", no_argument, NULL, 'h'},
		{"version", no_argument, NULL, 'v'},
		{0},
	};
	struct options o = {.vantage = CC_VANTAGE_UNKNOWN};
	int each, i, inputs = 0;

	while ((each = getopt_long(argc, argv, "", known, NULL)) != -1) {
		switch (each) {
		case 'a':
			o.vantage = vantage_of(optarg);
			break;
		case 'c':
			o.csv = 1;
			break;
		case 'e':
			o.explain = 1;
			break;
		case 'q':
			o.quiet = 1;
			break;
		case 's':
			o.strict = 1;
			break;
		case 'n':
			o.flags |= CC_PACKET_NO_HEURISTICS;
			break;
		case 'h':
			fputs(help, stdout);
			flush_output();
			exit(FINE);
		case 'v':
			puts("ccverify " CC_VERSION);
			flush_output();
			exit(FINE);
		default:
			/* getopt has said why */
			exit(TROUBLE);
		}
	}
	if (optind == argc)
		misused("no capture is named: see --help");
	if (o.quiet && o.csv)
		misused("--quiet and --csv exclude each other: a total has no rows");
	for (i = optind; i < argc; i++)
		inputs += !strcmp(argv[i], "-");
	if (inputs > 1)
		misused("- is the standard input, which can be read only once");
	if (inputs && isatty(STDIN_FILENO))
		misused("- is the standard input, which is a terminal: redirect a capture to it");
	return o;
}

/* What is of link types that are not supported could not be read. */
static int complain_of_links(const struct report *r)
{
	char list[1024] = "", number[GROUPED], text[1200], frames[GROUPED];
	size_t i, kinds = 0, length = 0;
	cc_u64 count = 0;
	uint32_t last = 0;

	for (i = 0; i < r->unknown_count; i++)
		if (r->unknown[i].what == CC_PACKET_LINK) {
			kinds++;
			count += r->unknown[i].count;
		}
	if (!kinds)
		return 0;
	/* in the order of their numbers */
	for (i = 0; i < kinds && length < sizeof(list) - 16; i++) {
		uint32_t least = UINT32_MAX;
		size_t j;

		for (j = 0; j < r->unknown_count; j++)
			if (r->unknown[j].what == CC_PACKET_LINK && r->unknown[j].number < least &&
			    (!i || r->unknown[j].number > last))
				least = r->unknown[j].number;
		last = least;
		length += (size_t)snprintf(list + length, sizeof(list) - length, "%s%u",
					   i ? ", " : "", (unsigned int)last);
	}
	snprintf(text, sizeof(text), "%s of %s frame%s %s link type%s %s, which %s not supported",
		 grouped(number, count), grouped(frames, r->frames), r->frames == 1 ? "" : "s",
		 count == 1 ? "has" : "have", kinds == 1 ? "" : "s", list,
		 kinds == 1 ? "is" : "are");
	complain(r->name, text);
	return 1;
}

static enum status status_of(const struct report *r, int strict)
{
	if (report_verdicts(r, CC_PACKET_BAD) || report_verdicts(r, CC_VERDICT_UNFINISHED))
		return WRONG;
	if (strict && (r->unknown_count || report_verdicts(r, CC_VERDICT_DEFERRED) ||
		       report_verdicts(r, CC_PACKET_UNVERIFIABLE)))
		return UNJUDGED;
	return FINE;
}

/* Trouble hides all else, and corruption what was not judged. */
static enum status worse(enum status a, enum status b)
{
	static const unsigned char rank[] = {
		[FINE] = 0, [UNJUDGED] = 1, [WRONG] = 2, [TROUBLE] = 3};

	return rank[a] < rank[b] ? b : a;
}

static enum status verify(const struct options *o, struct reading *g, struct total *total,
			  unsigned int number)
{
	struct report r = {0};
	struct conclusions on = {0};
	char *error = reading_capture(g, number, &r);
	enum status status;

	conclusions_of(&on, &r);
	/* a single file that is no capture has no line, not even the columns' names */
	if (o->csv && (r.format || g->count > 1))
		csv_finish(&r);
	else if (!o->quiet && r.format)
		text_capture(&r, &on, o->explain);
	flush_output();
	status = status_of(&r, o->strict);
	if (error)
		complain(r.name, error);
	if (complain_of_links(&r) || error)
		status = TROUBLE;
	total_add(total, &r, &on, status == TROUBLE);
	free(error);
	conclusions_free(&on);
	report_free(&r);
	return status;
}

int main(int argc, char **argv)
{
	const unsigned int wrong = 1u << CC_PACKET_BAD | 1u << CC_VERDICT_UNFINISHED;
	const struct options o = parse(argc, argv);
	const unsigned int count = (unsigned int)(argc - optind);
	enum status status = FINE;
	struct total total = {.began = text_clock()};
	struct reading g;
	unsigned int i;

	/* it is told where output is written */
	signal(SIGPIPE, SIG_IGN);
	reading_begin(&g, argv + optind, count, o.vantage, o.csv ? wrong : 0, o.flags);
	for (i = 0; i < count; i++)
		status = worse(status, verify(&o, &g, &total, i));
	if (!o.csv && (o.quiet || count > 1)) {
		if (!o.quiet)
			putchar('\n');
		text_total(&total, o.explain);
	}
	flush_output();
	conclusions_free(&total.on);
	report_free(&total.sum);
	reading_end(&g);
	return status;
}
