// SPDX-License-Identifier: MIT
/* Whether a rewritten address or port explains a difference. */
#include <carrychain/cause.h>

#include "../platform.h"

/* An end of a packet. */
struct end {
	const unsigned char *address;
	uint16_t port;
};

static size_t address_length(const struct cc_cause_ends *e)
{
	return e->family == 4 ? 4 : 16;
}

static struct end source_of(const struct cc_cause_ends *e)
{
	struct end of = {e->source, e->source_port};

	return of;
}

static struct end destination_of(const struct cc_cause_ends *e)
{
	struct end of = {e->destination, e->destination_port};

	return of;
}

/* The sum of its words, before folding. */
static uint32_t sum_of(const struct end *e, size_t length)
{
	uint32_t sum = e->port;
	size_t i;

	for (i = 0; i < length; i += 2)
		sum += (uint32_t)e->address[i] << 8 | e->address[i + 1];
	return sum;
}

static unsigned int fold(uint32_t sum)
{
	sum = (sum >> 16) + (sum & 0xffff);
	return (sum >> 16) + (sum & 0xffff);
}

/* @now - @old in one's complement, with 0 for 0xffff */
static unsigned int changed(const struct end *now, const struct end *old, size_t length)
{
	unsigned int d = fold(fold(sum_of(now, length)) + (~fold(sum_of(old, length)) & 0xffff));

	return d == 0xffff ? 0 : d;
}

static int is_same(const struct end *a, const struct end *b, size_t length)
{
	return a->port == b->port && !memcmp(a->address, b->address, length);
}

/* @now was @old, and the other end is in both. */
static int was(uint16_t difference, struct end now, struct end old, struct end peer,
	       struct end old_peer, size_t length)
{
	return is_same(&peer, &old_peer, length) && !is_same(&now, &old, length) &&
	       changed(&now, &old, length) == difference;
}

int cc_cause_translates(uint16_t difference, const struct cc_cause_ends *now,
			const struct cc_cause_ends *other)
{
	struct end from = source_of(now), to = destination_of(now);
	struct end source = source_of(other), destination = destination_of(other);
	size_t length = address_length(now);

	if (!difference || now->family != other->family || now->has_ports != other->has_ports)
		return 0;
	return was(difference, from, source, to, destination, length) ||
	       was(difference, from, destination, to, source, length) ||
	       was(difference, to, destination, from, source, length) ||
	       was(difference, to, source, from, destination, length);
}
