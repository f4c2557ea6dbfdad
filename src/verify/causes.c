// SPDX-License-Identifier: MIT
#include "causes.h"
#include "arrays.h"

/* Mistakes whose variants are few, so that rows may tell them apart. */
#define FEW (1u << CC_CAUSE_BIT | 1u << CC_CAUSE_DSCP)

static void set_ends(struct tally_key *key, const struct cc_packet_layer *f)
{
	size_t length = f->family == 4 ? 4 : 16;

	memset(key, 0, sizeof(*key));
	key->protocol = f->protocol;
	if (!f->source)
		return;
	key->family = f->family;
	memcpy(key->source, f->source, length);
	memcpy(key->destination, f->destination, length);
	key->has_ports = f->has_ports;
	key->source_port = f->source_port;
	key->destination_port = f->destination_port;
}

static int add(struct tally *t, const struct tally_key *key, cc_u64 count)
{
	struct tally_row *row = tally_row(t, key);

	if (!row)
		return CC_ENOMEM;
	row->count[CC_PACKET_BAD] += count;
	return CC_OK;
}

static int add_bad(struct tally *t, const struct tally_key *key, cc_u64 count)
{
	struct tally_key shorter = *key;

	if (t->count < TALLY_MOST / 2 || tally_find(t, key))
		return add(t, key, count);
	memset(shorter.destination, 0, sizeof(shorter.destination));
	shorter.source_port = shorter.destination_port = shorter.found = 0;
	shorter.has_ports = 0;
	if (!(shorter.fits & FEW))
		shorter.difference = 0;
	return add(t, &shorter, count);
}

int causes_count(struct tally *t, const struct cc_packet_layer *f, uint32_t interface,
		 const struct cc_causes *causes)
{
	struct tally_key key;

	set_ends(&key, f);
	key.interface = interface;
	key.fits = causes->fits;
	key.difference = causes->difference;
	key.found = (uint16_t)f->found;
	return add_bad(t, &key, 1);
}

int causes_add(struct tally *t, const struct tally *from)
{
	size_t i;
	int status = CC_OK;

	for (i = 0; i < from->count && !status; i++)
		status = add_bad(t, &from->row[i].key, from->row[i].count[CC_PACKET_BAD]);
	t->others.count[CC_PACKET_BAD] += from->others.count[CC_PACKET_BAD];
	return status;
}

int causes_talk(struct tally *talks, const struct cc_packet_layers *layers)
{
	const struct cc_packet_layer *f = layers->layer, *end = f + layers->count;
	struct tally_key key;
	int status = CC_OK;

	for (; f < end && !status; f++) {
		if (f->quoted || !f->source || (!f->has_ports && f->protocol != CC_PACKET_IPV4))
			continue;
		set_ends(&key, f);
		status = add(talks, &key, 1);
	}
	return status;
}

static struct cc_cause_ends ends_of(const struct tally_key *key)
{
	struct cc_cause_ends e = {
		.family = key->family,
		.has_ports = key->has_ports,
		.source_port = key->source_port,
		.destination_port = key->destination_port,
	};

	memcpy(e.source, key->source, sizeof(e.source));
	memcpy(e.destination, key->destination, sizeof(e.destination));
	return e;
}

/* Whether an address of both is the same: quick, as there may be a hundred million pairs. */
static int share_an_address(const struct tally_key *a, const struct tally_key *b)
{
	const size_t size = sizeof(a->source);

	return !memcmp(a->source, b->source, size) || !memcmp(a->source, b->destination, size) ||
	       !memcmp(a->destination, b->source, size) ||
	       !memcmp(a->destination, b->destination, size);
}

static int is_translated(const struct tally_key *key, const struct tally *talks)
{
	const struct cc_cause_ends now = ends_of(key);
	size_t i;

	for (i = 0; i < talks->count; i++) {
		const struct tally_key *other = &talks->row[i].key;
		struct cc_cause_ends then;

		if (other->protocol != key->protocol || !share_an_address(key, other))
			continue;
		then = ends_of(other);
		if (cc_cause_translates(key->difference, &now, &then))
			return 1;
	}
	return 0;
}

/* What is counted of a flow. */
enum by {
	BY_SUM = 2,	   /* the differences with a sum */
	BY_DIFFERENCE = 4, /* the packets with a difference */
	BY_SUMS = 8,	   /* the sums with a difference */
};

/* One of a row's flow: with its difference, or with its sum, in place of the other. */
static struct tally_key flow_of(const struct tally_key *key, enum by by)
{
	struct tally_key of = *key;

	of.fits = 0;
	if (by == BY_SUM)
		of.difference = 0;
	else
		of.found = 0;
	of.has_ports |= (unsigned char)by;
	return of;
}

/* Whether a sum that was found in different packets of a flow is no accident. */
static int may_repeat(const struct tally_key *key)
{
	return key->has_ports && key->found && key->found != 0xffff &&
	       (key->protocol == CC_PACKET_TCP || key->protocol == CC_PACKET_UDP);
}

static int gather_one(struct tally *flows, const struct tally_key *key, enum by by, cc_u64 count)
{
	const struct tally_key of = flow_of(key, by);

	return add(flows, &of, count);
}

static int gather(const struct tally *bad, struct tally *flows)
{
	size_t i;
	int status = CC_OK;

	for (i = 0; i < bad->count && !status; i++) {
		const struct tally_row *from = &bad->row[i];
		const struct tally_key *key = &from->key;

		/* a row that leaves out its flow, or a sum that was never made */
		if (!key->found)
			continue;
		status = gather_one(flows, key, BY_DIFFERENCE, from->count[CC_PACKET_BAD]);
		if (!status && !key->fits)
			status = gather_one(flows, key, BY_SUMS, 1);
		if (!status && may_repeat(key))
			status = gather_one(flows, key, BY_SUM, 1);
	}
	return status;
}

static cc_u64 gathered(const struct tally *flows, const struct tally_key *key, enum by by)
{
	const struct tally_key of = flow_of(key, by);
	const struct tally_row *row = tally_find(flows, &of);

	return row ? row->count[CC_PACKET_BAD] : 0;
}

int causes_settle(struct cc_cause_count *some, const struct tally *bad, const struct tally *talks)
{
	struct tally flows = {0};
	size_t i;
	int status = gather(bad, &flows);

	for (i = 0; i < bad->count && !status; i++) {
		const struct tally_key *key = &bad->row[i].key;

		some[i] = (struct cc_cause_count){
			.count = bad->row[i].count[CC_PACKET_BAD],
			.fits = key->fits,
			.difference = key->difference,
			.protocol = key->protocol,
		};
		/* a translator changes all packets of a flow alike */
		if (gathered(&flows, key, BY_DIFFERENCE) > 1 && is_translated(key, talks))
			some[i].fits |= 1u << CC_CAUSE_TRANSLATED;
		if (may_repeat(key) && gathered(&flows, key, BY_SUM) > 1)
			some[i].fits |= 1u << CC_CAUSE_REPEATED;
		/* of two packets, chance makes it in a long flow; a kind of sum that has no
		 * difference */
		if (!some[i].fits && key->difference && key->found &&
		    gathered(&flows, key, BY_SUMS) > 2)
			some[i].fits |= 1u << CC_CAUSE_ALIKE;
	}
	tally_free(&flows);
	return status;
}
