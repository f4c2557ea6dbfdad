// SPDX-License-Identifier: MIT
#include "shared.h"

#include "digits.h"

/* A transform of fewer coefficients takes about as long as waking the other threads. */
#define LEAST ((size_t)1 << 15)

/* The parts of a pass over columns, or over digits. */
#define COLUMN_PARTS 8
#define DIGIT_PARTS  16

#define CHILDREN 4

/* This many residues, 24 MB, are assumed to fit a cache that the cores share. */
#define CACHED ((size_t)3 << 20)

/*
 * The sum of a range of digits exceeds it by less than a coefficient, of CC_REMAINDERS_WORDS 64-bit
 * words or five places.
 */
#define SPILL (CC_REMAINDERS_WORDS + 1)

struct job {
	const struct cc_transform *t;
	cc_u64 *const *x, *const *y;
	int64_t (*scale)[CC_NODES];
	/* a number; its words, or places, and how many of these hold @digits digits of the plan */
	const void *from;
	void *to;
	size_t n, digits, count;
	unsigned int prime, primes; /* of so many from this one on they are the residues */
	unsigned int first;	    /* of every other range */
	cc_u64 (*spill)[SPILL];
};

typedef void part(const struct job *job, size_t i, struct cc_watch *w);

/* Each part's own state; only the calling thread's has the watch. */
struct call {
	part *run;
	const struct job *job;
	struct cc_watch *watch;
	int stopped;
};

static int ask(void *context, cc_u64 done, cc_u64 total)
{
	(void)done;
	(void)total;
	return __atomic_load_n((int *)context, __ATOMIC_RELAXED);
}

static void task(void *argument, size_t i, unsigned int worker)
{
	struct call *call = argument;
	const struct cc_progress progress = {ask, &call->stopped, NULL};
	struct cc_watch other = {&progress, 0, 0, 0}, *w = worker ? &other : call->watch;

	if (cc_watch_step(w, CC_STEP_WORDS))
		return;
	call->run(call->job, i, w);
	if (!worker && w->stopped)
		__atomic_store_n(&call->stopped, 1, __ATOMIC_RELAXED);
}

static void share(const struct job *job, size_t count, part *run, struct cc_watch *w)
{
	struct call call = {run, job, w, 0};
	const struct cc_tasks *tasks = w->progress->tasks;

	if (!w->stopped)
		tasks->run(tasks->context, count, task, &call);
}

int cc_shared(const struct cc_transform *t, const struct cc_watch *w)
{
	return w && w->progress && w->progress->tasks && w->progress->tasks->workers > 1 &&
	       t->ring.length >= LEAST;
}

static void table_part(const struct job *job, size_t i, struct cc_watch *w)
{
	job->t->k->table(&job->t->field[i], job->t->table, w);
}

void cc_shared_table(const struct cc_transform *t, struct cc_watch *w)
{
	const struct job job = {.t = t};

	share(&job, t->primes, table_part, w);
}

/* The number of columns is a power of two: the k-th of the equal ranges. */
struct stretch {
	size_t from, to;
};

static struct stretch columns(size_t all, size_t k)
{
	size_t each = all / COLUMN_PARTS;

	return (struct stretch){k * each, (k + 1) * each};
}

static size_t folded(const struct cc_ring *ring)
{
	return ring->node[ring->nodes - 1].m;
}

/* A part's prime, and its number for that prime. */
struct place {
	unsigned int prime;
	size_t k;
	const struct cc_field *field;
	cc_u64 *x;
};

static struct place place(const struct job *job, size_t i)
{
	unsigned int prime = job->prime + (unsigned int)(i % job->primes);

	return (struct place){prime, i / job->primes, &job->t->field[prime], job->x[prime]};
}

static void fold_part(const struct job *job, size_t i, struct cc_watch *w)
{
	const struct cc_ring *ring = &job->t->ring;
	const struct place at = place(job, i);
	struct stretch r = columns(folded(ring), at.k);

	job->t->k->fold(at.field, at.x, ring, r.from, r.to, w);
}

static void unfold_part(const struct job *job, size_t i, struct cc_watch *w)
{
	const struct cc_ring *ring = &job->t->ring;
	const struct place at = place(job, i);
	struct stretch r = columns(folded(ring), at.k);

	job->t->k->unfold(at.field, at.x, ring, r.from, r.to, w);
}

static void descend_part(const struct job *job, size_t i, struct cc_watch *w)
{
	const struct cc_ring *ring = &job->t->ring;
	const struct place at = place(job, i);
	unsigned int n;

	for (n = 0; n < ring->nodes; n++) {
		struct stretch r = columns(ring->node[n].m / CHILDREN, at.k);

		job->t->k->descend(at.field, at.x, &ring->node[n], r.from, r.to, w);
	}
}

static void ascend_part(const struct job *job, size_t i, struct cc_watch *w)
{
	const struct cc_ring *ring = &job->t->ring;
	const struct place at = place(job, i);
	unsigned int n;

	for (n = 0; n < ring->nodes; n++) {
		struct stretch r = columns(ring->node[n].m / CHILDREN, at.k);

		job->t->k->ascend(at.field, at.x, &ring->node[n], r.from, r.to, w);
	}
}

/* The grandchildren of the nodes, as rings: the k-th of them, from the largest on. */
static struct cc_ring below(const struct job *job, size_t k)
{
	const struct cc_node *node = &job->t->ring.node[k / CHILDREN];
	size_t m = node->m / CHILDREN, child = k % CHILDREN;

	return (struct cc_ring){m, 1, {{node->at + child * m, m, CHILDREN * node->j + child}}};
}

static void forward_part(const struct job *job, size_t i, struct cc_watch *w)
{
	const struct place at = place(job, i);
	const struct cc_ring ring = below(job, at.k);

	job->t->k->forward(at.field, at.x, &ring, w);
}

static void inverse_part(const struct job *job, size_t i, struct cc_watch *w)
{
	const struct place at = place(job, i);
	const struct cc_ring ring = below(job, at.k);

	job->t->k->inverse(at.field, at.x, &ring, w);
}

static void multiply_part(const struct job *job, size_t i, struct cc_watch *w)
{
	const struct place at = place(job, i);
	const struct cc_ring ring = below(job, at.k);

	job->t->k->multiply(at.field, at.x, job->y[at.prime], &ring,
			    &job->scale[at.prime][at.k / CHILDREN], w);
}

static void convolve_part(const struct job *job, size_t i, struct cc_watch *w)
{
	const struct place at = place(job, i);
	const struct cc_ring ring = below(job, at.k);

	job->t->k->convolve(at.field, at.x, job->y[at.prime], &ring,
			    &job->scale[at.prime][at.k / CHILDREN], w);
}

/* From the ring to its nodes' grandchildren; the work on these; and back. */
static void down(const struct job *job, struct cc_watch *w)
{
	if (job->t->ring.nodes > 1)
		share(job, COLUMN_PARTS * job->primes, fold_part, w);
	share(job, COLUMN_PARTS * job->primes, descend_part, w);
}

static void at_bottom(const struct job *job, part *run, struct cc_watch *w)
{
	share(job, CHILDREN * job->t->ring.nodes * job->primes, run, w);
}

static void up(const struct job *job, struct cc_watch *w)
{
	share(job, COLUMN_PARTS * job->primes, ascend_part, w);
	if (job->t->ring.nodes > 1)
		share(job, COLUMN_PARTS * job->primes, unfold_part, w);
}

/* The residues for all primes at once if a cache holds them, otherwise prime by prime. */
static unsigned int together(const struct cc_transform *t)
{
	return t->primes * t->ring.length <= CACHED ? t->primes : 1;
}

void cc_shared_forward(const struct cc_transform *t, cc_u64 *const *x, struct cc_watch *w)
{
	struct job job = {.t = t, .x = x, .primes = together(t)};

	for (; job.prime < t->primes; job.prime += job.primes) {
		down(&job, w);
		at_bottom(&job, forward_part, w);
	}
}

void cc_shared_multiply(const struct cc_transform *t, cc_u64 *const *x, cc_u64 *const *y,
			int64_t (*scale)[CC_NODES], struct cc_watch *w)
{
	const struct job job = {.t = t, .x = x, .y = y, .scale = scale, .primes = t->primes};

	at_bottom(&job, multiply_part, w);
}

void cc_shared_inverse(const struct cc_transform *t, cc_u64 *const *x, struct cc_watch *w)
{
	struct job job = {.t = t, .x = x, .primes = together(t)};

	for (; job.prime < t->primes; job.prime += job.primes) {
		at_bottom(&job, inverse_part, w);
		up(&job, w);
	}
}

void cc_shared_convolve(const struct cc_transform *t, cc_u64 *const *x, cc_u64 *const *y,
			int64_t (*scale)[CC_NODES], struct cc_watch *w)
{
	struct job job = {.t = t, .x = x, .y = y, .scale = scale, .primes = together(t)};

	for (; job.prime < t->primes; job.prime += job.primes) {
		down(&job, w);
		at_bottom(&job, convolve_part, w);
		up(&job, w);
	}
}

/* Ranges of 64 j digits are whole words, and whole vectors. */
static void by_digits(struct job *job)
{
	const struct cc_transform *t = job->t;

	job->digits = (t->ring.length / DIGIT_PARTS + 63) / 64 * 64;
	job->count = t->radix ? 2 * job->digits : job->digits / CC_WORD_BITS * t->bits;
}

static size_t digits_of(const struct job *job, size_t i, cc_u64 **x)
{
	size_t length = job->t->ring.length, at = i * job->digits, k;

	if (at > length)
		at = length;
	for (k = 0; k < job->t->primes; k++)
		x[k] = job->x[k] + at;
	return job->digits < length - at ? job->digits : length - at;
}

static void split_part(const struct job *job, size_t i, struct cc_watch *w)
{
	const struct cc_transform *t = job->t;
	size_t at = i * job->count < job->n ? i * job->count : job->n, n = job->n - at;
	cc_u64 *x[CC_PRIMES];
	size_t length = digits_of(job, i, x);

	if (!t->radix)
		t->k->split(x, t->field, t->primes, length, (const cc_word *)job->from + at, n,
			    t->bits, w);
	else
		t->k->split_radix(x, t->field, length, (const cc_u64 *)job->from + at,
				  n < job->count ? n : job->count, t->radix, w);
}

void cc_shared_split(const struct cc_transform *t, cc_u64 *const *x, const void *a, size_t n,
		     struct cc_watch *w)
{
	struct job job = {.t = t, .x = x, .from = a, .n = n};

	by_digits(&job);
	share(&job, DIGIT_PARTS, split_part, w);
}

/* The words, or places, from @at on that a range may spill into. */
static size_t spilled(const struct job *job, size_t at)
{
	size_t most = job->t->radix ? SPILL : SPILL * 64 / CC_WORD_BITS;

	return most < job->n - at ? most : job->n - at;
}

/*
 * A range spills into the next one.  So the odd ranges are joined after the even ones, and restore
 * the words that they overwrite by spilling.
 */
static void join_part(const struct job *job, size_t i, struct cc_watch *w)
{
	const struct cc_transform *t = job->t;
	size_t size = t->radix ? sizeof(cc_u64) : sizeof(cc_word), at, end, spill = 0, length;
	cc_u64 *x[CC_PRIMES], kept[SPILL];
	unsigned char *to = job->to;

	i = 2 * i + job->first;
	at = i * job->count;
	if (at >= job->n)
		return;
	end = job->n - at > job->count && i + 1 < DIGIT_PARTS ? at + job->count : job->n;
	spill = spilled(job, end);
	length = digits_of(job, i, x);
	memcpy(kept, to + end * size, spill * size);
	if (!t->radix)
		t->k->join((cc_word *)job->to + at, end + spill - at, x, t->field, t->primes,
			   length, t->bits, w);
	else
		t->k->join_radix((cc_u64 *)job->to + at, end + spill - at, x, t->field, length,
				 t->radix, w);
	memcpy(job->spill[i], to + end * size, spill * size);
	memcpy(to + end * size, kept, spill * size);
}

void cc_shared_join(const struct cc_transform *t, void *r, size_t n, cc_u64 *const *x,
		    struct cc_watch *w)
{
	cc_u64 spill[DIGIT_PARTS][SPILL];
	struct job job = {.t = t, .x = x, .to = r, .n = n, .spill = spill};
	size_t i, at;

	by_digits(&job);
	for (job.first = 0; job.first < 2; job.first++)
		share(&job, DIGIT_PARTS / 2, join_part, w);
	if (w->stopped)
		return;
	for (i = 0, at = job.count; i + 1 < DIGIT_PARTS && at < n; i++, at += job.count) {
		size_t m = spilled(&job, at);

		if (t->radix) {
			cc_add_places((cc_u64 *)r + at, n - at, spill[i], m, t->radix);
		} else {
			cc_word *to = (cc_word *)r + at, from[SPILL * 64 / CC_WORD_BITS];

			memcpy(from, spill[i], sizeof(from));
			cc_limbs_add_1(to + m, to + m, n - at - m, cc_limbs_add(to, to, from, m));
		}
	}
}
