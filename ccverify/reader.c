// SPDX-License-Identifier: MIT
#include "reader.h"

#include "../src/verify/source.h"
#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int is_input(const char *name)
{
	return !strcmp(name, "-");
}

int reader_repeats(const char *name)
{
	struct stat there;

	return !is_input(name) && !stat(name, &there) && S_ISREG(there.st_mode);
}

void reader_open(struct reader *r, const char *name, unsigned int number,
		 struct cc_capture *framing)
{
	/* all but the interfaces, which are many */
	memset(framing, 0, offsetof(struct cc_capture, interface));
	*r = (struct reader){.name = name, .number = number, .frame = 1, .framing = framing};
	r->file = is_input(name) ? STDIN_FILENO : open(name, O_RDONLY | O_CLOEXEC);
	if (r->file < 0)
		r->error = copied(strerror(errno));
}

void reader_close(struct reader *r)
{
	if (r->file > STDIN_FILENO)
		close(r->file);
	free(r->error);
}

/* Fills the batch; whether the file has ended, or cannot be read further. */
static int read_all(struct reader *r, struct batch *b)
{
	ssize_t got;

	while (b->filled < b->size) {
		got = read(r->file, b->data + b->filled, b->size - b->filled);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			r->broken = errno;
		if (got <= 0)
			return 1;
		b->filled += (size_t)got;
	}
	return 0;
}

/* The compression of what begins with these bytes, or NULL. */
static const char *compressed(const struct batch *b)
{
	static const struct {
		unsigned int length;
		unsigned char magic[6];
		const char *name;
	} known[] = {
		{2, {0x1f, 0x8b}, "gzip"},
		{4, {0x28, 0xb5, 0x2f, 0xfd}, "zstd"},
		{4, {0x04, 0x22, 0x4d, 0x18}, "lz4"},
		{6, {0xfd, '7', 'z', 'X', 'Z', 0}, "xz"},
	};
	size_t i;

	for (i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (b->filled >= known[i].length &&
		    !memcmp(b->data, known[i].magic, known[i].length))
			return known[i].name;
	return NULL;
}

static void fail(struct reader *r, enum cc_capture_status status, const struct batch *b)
{
	const char *broken = status == CC_CAPTURE_MORE && r->broken ? strerror(r->broken) : NULL;
	const char *by = r->place ? NULL : compressed(b);

	r->error = needed(malloc(SOURCE_TROUBLE + (broken ? strlen(broken) : 0)));
	if (by && !broken)
		strcat(strcat(strcpy(r->error, "compressed by "), by),
		       ", which ccverify does not unpack: pipe it through its unpacker, and name "
		       "-");
	else
		source_trouble(r->error, status, r->framing, broken, r->place, r->frame - 1);
}

int reader_fill(struct reader *r, struct batch *b)
{
	enum cc_capture_status status;
	int ended = 0;

	/* what the last batch left, and what follows it */
	b->filled -= b->used;
	if (b->used)
		memmove(b->data, b->data + b->used, b->filled);
	b->place = r->place;
	b->frame = r->frame;
	b->capture = r->number;
	if (r->error) {
		b->filled = 0;
		batch_cut(b, r->framing);
		return 0;
	}
	for (;;) {
		size_t size = 2 * b->size;

		ended |= read_all(r, b);
		status = batch_cut(b, r->framing);
		if (b->record_count || b->used || status != CC_CAPTURE_MORE || ended)
			break;
		if (size < r->framing->need)
			size = (size_t)r->framing->need;
		if (b->filled == b->size)
			enough(batch_grow(b, size));
	}
	r->place += b->used;
	r->frame += b->record_count;
	if (status == CC_CAPTURE_RECORD || (status == CC_CAPTURE_MORE && !ended))
		return 1;
	if (status != CC_CAPTURE_MORE || r->broken || b->filled > b->used)
		fail(r, status, b);
	else if (!r->place)
		r->error = copied("empty");
	return 0;
}
