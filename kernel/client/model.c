// SPDX-License-Identifier: MIT
/*
 * Random calls with random segments, compared with a model of the protocol that the device was
 * loaded with: the result of each, every byte that it writes or leaves, and every position
 * after it.
 */
#include "test.h"

#include <sys/mman.h>
#include <sys/uio.h>

#define LAST	      300 /* max_n, and where F(n) has 63 digits */
#define DIGITS	      64
#define FILES	      4
#define DESCRIPTORS   6
#define SEGMENTS      4
#define SEGMENT_BYTES 120
#define CALLS	      20000

static char digits_of[LAST + 1][DIGITS];

/* Adds the digits of the two numbers before. */
static void write_down(void)
{
	int n, i;

	strcpy(digits_of[0], "0");
	strcpy(digits_of[1], "1");
	for (n = 2; n <= LAST; n++) {
		const char *a = digits_of[n - 1], *b = digits_of[n - 2];
		int an = strlen(a), bn = strlen(b), carry = 0;
		char sum[DIGITS + 1] = "", *at = sum + DIGITS;

		for (i = 1; i <= an || carry; i++) {
			carry += (i <= an ? a[an - i] - '0' : 0) + (i <= bn ? b[bn - i] - '0' : 0);
			*--at = '0' + carry % 10;
			carry /= 10;
		}
		strcpy(digits_of[n], at);
	}
}

/* Descriptors, the file that each refers to (several may share one), and the files' positions. */
static int fds[DESCRIPTORS];
static const int file_of[DESCRIPTORS] = {0, 1, 2, 3, 0, 2};
static int64_t position[FILES];

static struct iovec segments[SEGMENTS];
static bool bad[SEGMENTS];
static char *unmapped;

static size_t draw_size(void)
{
	static const size_t likely[] = {0, 1, 1, 2, 3, 5, 15, 16, 62, 63, 64, 100};
	size_t i = random_below(2 * sizeof(likely) / sizeof(likely[0]));

	return i < sizeof(likely) / sizeof(likely[0]) ? likely[i] : random_below(SEGMENT_BYTES);
}

static int64_t draw_position(void)
{
	static const int64_t edges[] = {0, 1, 46, 47, 92, 93, LAST, LAST + 1, -1, INT64_MAX / 2};
	size_t i = random_below(2 * sizeof(edges) / sizeof(edges[0]));

	if (i < sizeof(edges) / sizeof(edges[0]))
		return edges[i];
	/* a digit of F(n), its end, or the position after that */
	return random_below(LAST + 1) + random_below(2) * random_below(DIGITS + 2) * DIGIT;
}

static int64_t number_at(int64_t n)
{
	return values ? n : n % DIGIT;
}

/* @count segments of which one in ten can't be written to; the others are full of '#'. */
static size_t draw_segments(int count)
{
	static char rooms[SEGMENTS][SEGMENT_BYTES + 1];
	size_t total = 0;
	int i;

	memset(rooms, '#', sizeof(rooms));
	for (i = 0; i < count; i++) {
		segments[i].iov_len = draw_size();
		bad[i] = !random_below(10);
		segments[i].iov_base = bad[i] ? unmapped : rooms[i];
		total += segments[i].iov_len;
	}
	return total;
}

/* Whether the segments hold @length digits, none in a bad segment, and are otherwise unchanged.
 */
static bool filled(int count, const char *digits, size_t length)
{
	size_t j;
	int i;

	for (i = 0; i < count; i++) {
		const char *bytes = segments[i].iov_base;
		size_t here = length < segments[i].iov_len ? length : segments[i].iov_len;

		if (memcmp(bytes, digits, here))
			return false;
		for (j = here; !bad[i] && j <= segments[i].iov_len; j++)
			if (bytes[j] != '#')
				return false;
		digits += here;
		length -= here;
	}
	return true;
}

/* Whether any of the first @length bytes is in a bad segment. */
static bool faults(int count, size_t length)
{
	int i;

	for (i = 0; i < count && length; i++) {
		if (bad[i] && segments[i].iov_len)
			return true;
		length -= length < segments[i].iov_len ? length : segments[i].iov_len;
	}
	return false;
}

static bool is_error(ssize_t got, int number)
{
	return got == -1 && errno == number;
}

static bool read_as_promised(ssize_t got, int64_t at, int count, size_t total, bool vector)
{
	int64_t n = number_at(at);
	const char *digits;
	size_t length, from;

	if (at < 0)
		return is_error(got, EINVAL);
	/* the kernel does not call the driver for a vector of 0 bytes */
	if (vector && !total)
		return got == 0;
	if (n > LAST)
		return is_error(got, EINVAL);
	if (!total)
		return got == 0;
	if (values && count == 1 && total == 1)
		return returned(got, added_up(n < 92 ? n : 92)) && filled(count, "", 0);
	digits = digits_of[n];
	length = strlen(digits);
	from = values ? 0 : at / DIGIT;
	if (from > length)
		from = length;
	length = length - from < total ? length - from : total;
	if (faults(count, length))
		return is_error(got, EFAULT);
	return got == (ssize_t)length && filled(count, digits + from, length);
}

static bool written_as_promised(ssize_t got, int64_t n, int count, size_t total, bool vector,
				uint64_t took)
{
	if (n < 0)
		return is_error(got, EINVAL);
	if (vector && !total)
		return got == 0;
	if (!values || count != 1)
		return is_error(got, EINVAL);
	if (total == 15)
		return got == 1;
	if (total >= STRATEGIES || n > LAST)
		return is_error(got, EINVAL);
	return got >= 0 ? (uint64_t)got <= took : errno == EOVERFLOW && took > SSIZE_MAX;
}

static bool transfer(int d)
{
	bool out = random_below(2), vector = random_below(2), own = random_below(2);
	int count = vector ? random_below(SEGMENTS + 1) : 1;
	size_t total = draw_segments(count);
	int64_t n = own ? draw_position() : position[file_of[d]];
	const struct iovec *s = segments;
	uint64_t begin = now_ns();
	ssize_t got;

	errno = 0;
	if (out && vector)
		got = own ? pwritev(fds[d], s, count, n) : writev(fds[d], s, count);
	else if (out)
		got = own ? pwrite(fds[d], s->iov_base, total, n)
			  : write(fds[d], s->iov_base, total);
	else if (vector)
		got = own ? preadv(fds[d], s, count, n) : readv(fds[d], s, count);
	else
		got = own ? pread(fds[d], s->iov_base, total, n) : read(fds[d], s->iov_base, total);
	if (out ? written_as_promised(got, n, count, total, vector, now_ns() - begin)
		: read_as_promised(got, n, count, total, vector)) {
		if (!out && !own && !values && got > 0)
			position[file_of[d]] += got * DIGIT;
		return true;
	}
	note("%s%s%s of %zu bytes in %d segments (first %zu) at %lld: %zd, errno %d",
	     own ? "p" : "", out ? "write" : "read", vector ? "v" : "", total, count, s->iov_len,
	     (long long)n, got, errno);
	return false;
}

static bool seek(int d)
{
	int64_t *at = &position[file_of[d]], offset = draw_position(), to;
	int whence = random_below(4);
	off_t got;

	if (random_below(2))
		offset = -offset;
	to = whence == SEEK_SET ? offset : offset + (whence == SEEK_CUR ? *at : LAST);
	if (whence == SEEK_CUR && !offset)
		to = *at;
	else if (whence > SEEK_END || to < 0 || to > LAST)
		to = -1;
	errno = 0;
	got = lseek(fds[d], offset, whence);
	if (to >= 0)
		*at = to;
	if (got == to && (to >= 0 || errno == EINVAL))
		return true;
	note("lseek by %lld, whence %d: %lld", (long long)offset, whence, (long long)got);
	return false;
}

static bool ask_length(int d)
{
	return length_at(fds[d]) == strlen(digits_of[number_at(position[file_of[d]])]);
}

static bool ask_time(int d)
{
	int strategy = random_below(2 * STRATEGIES);
	uint64_t begin = now_ns();
	int64_t ns = time_of(fds[d], strategy);

	if (strategy < STRATEGIES)
		return ns >= 0 && (uint64_t)ns <= now_ns() - begin;
	return ns == -1 && errno == EINVAL;
}

static void random_calls(void)
{
	static bool (*const calls[])(int) = {transfer, transfer,   transfer,
					     seek,     ask_length, ask_time};
	int i, d;

	write_down();
	unmapped = page_of(PROT_NONE);
	CHECK(put(MAX_N, "300"));
	for (d = 0; d < DESCRIPTORS; d++)
		fds[d] = d < FILES ? open_at(0) : dup(fds[file_of[d]]);
	for (i = 0; i < scaled(CALLS); i++) {
		CHECK(calls[random_below(sizeof(calls) / sizeof(calls[0]))](
			random_below(DESCRIPTORS)));
		for (d = 0; d < DESCRIPTORS; d++)
			CHECK(lseek(fds[d], 0, SEEK_CUR) == position[file_of[d]]);
	}
}

const struct test_case model_cases[] = {
	{"random calls, beside a model", random_calls},
	{NULL, NULL},
};
