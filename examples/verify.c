// SPDX-License-Identifier: MIT
/*
 * The checksums in a capture, one a line: which frame, which protocol, what it is worth.
 * Fragments are not put together.
 * Exit status 1 if any is bad, 2 if it can't be read.
 *
 *	cc -Iinclude examples/verify.c -lcarrychain -o verify && ./verify capture.pcap
 */
#define _GNU_SOURCE
#include <carrychain/capture.h>
#include <carrychain/packet.h>

#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>

/* Each packet's; the status that ended it. */
static enum cc_capture_status verify(const unsigned char *data, size_t size, int *bad)
{
	static struct cc_capture capture; /* all zeros: at its beginning */
	enum cc_capture_status status;
	struct cc_capture_record r;
	struct cc_packet_layers out;
	size_t at, used, frame = 0, i;

	for (at = 0; at < size; at += used) {
		status = cc_capture_next(&capture, data + at, size - at, &used, &r);
		if (status > CC_CAPTURE_BLOCK)
			return status;
		if (status == CC_CAPTURE_BLOCK)
			continue;
		frame++;
		cc_packet_walk(&out, r.link, data + at + r.at, r.captured, r.original, 0);
		for (i = 0; i < out.count; i++) {
			printf("%zu %s %s\n", frame, cc_packet_protocol_name(out.layer[i].protocol),
			       cc_packet_verdict_name(out.layer[i].verdict));
			*bad |= out.layer[i].verdict == CC_PACKET_BAD;
		}
	}
	return CC_CAPTURE_BLOCK;
}

int main(int argc, char **argv)
{
	int file = argc == 2 ? open(argv[1], O_RDONLY) : -1, bad = 0;
	struct stat about;
	void *data;

	if (fstat(file, &about))
		return 2;
	data = mmap(NULL, (size_t)about.st_size, PROT_READ, MAP_PRIVATE, file, 0);
	if (data == MAP_FAILED || verify(data, (size_t)about.st_size, &bad) > CC_CAPTURE_BLOCK)
		return 2;
	return bad;
}
