// SPDX-License-Identifier: MIT
#include "source.h"

#include "text.h"

static char *put_wrong(char *to, enum cc_capture_status status, const struct cc_capture *c)
{
	switch (status) {
	case CC_CAPTURE_VERSION:
		return text_number(text_put(to, "unsupported format version "), c->value, 1);
	case CC_CAPTURE_LENGTH:
		return text_number(text_put(to, "invalid length "), c->value, 1);
	case CC_CAPTURE_INTERFACE:
		to = text_number(text_put(to, "interface "), c->value, 1);
		return text_put(to, " was never described");
	case CC_CAPTURE_CROWDED:
		to = text_grouped(text_put(to, "more than "), CC_CAPTURE_INTERFACES);
		return text_put(to, " interfaces");
	default:
		return text_put(to, "not a capture: neither pcap nor pcapng");
	}
}

static char *put_checked(char *to, cc_u64 frames)
{
	if (!frames)
		return text_put(to, "; no frame comes before");
	if (frames == 1)
		return text_put(to, "; the frame before was checked");
	return text_put(text_grouped(text_put(to, "; the "), frames),
			" frames before were checked");
}

size_t source_trouble(char *to, enum cc_capture_status status, const struct cc_capture *c,
		      const char *broken, cc_u64 place, cc_u64 frames)
{
	char *end = to;

	if (place) {
		end = text_put(end, status == CC_CAPTURE_CROWDED || broken ? "not read beyond byte "
									   : "damaged at byte ");
		end = text_put(text_number(end, place, 1), ": ");
	}
	if (broken)
		end = text_put(end, broken);
	else if (place && status == CC_CAPTURE_MORE)
		end = text_put(end, "cut short");
	else
		end = put_wrong(end, status, c);
	if (place)
		end = put_checked(end, frames);
	*end = 0;
	return (size_t)(end - to);
}

size_t source_series(char *to, const char *name)
{
	const char *file = name, *from;
	char *end = to;

	for (from = name; *from; from++)
		if (*from == '/')
			file = from + 1;
	for (from = name; *from; from++)
		if (from < file || *from < '0' || *from > '9')
			*end++ = *from;
	*end = 0;
	return (size_t)(end - to);
}
