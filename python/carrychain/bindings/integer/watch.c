// SPDX-License-Identifier: MIT
/*
 * Long operations without the GIL.  A signal whose handler raises ends them, except those of one
 * pass.
 */
#include "integer.h"

#include "../clock.h"

#define SIGNAL_INTERVAL_NS 50000000

static int step(void *context, cc_u64 done, cc_u64 total)
{
	struct watch *w = context;
	uint64_t now = clock_ns();
	int raised;

	(void)done, (void)total;
	if (now < w->next)
		return 0;
	w->next = now + SIGNAL_INTERVAL_NS;
	PyEval_RestoreThread(w->thread);
	raised = PyErr_CheckSignals();
	w->thread = PyEval_SaveThread();
	return raised;
}

void watch_begin(struct watch *w)
{
	w->progress = (struct cc_progress){.step = step, .context = w};
	w->next = clock_ns() + SIGNAL_INTERVAL_NS;
	w->thread = PyEval_SaveThread();
}

void watch_end(struct watch *w)
{
	PyEval_RestoreThread(w->thread);
}

PyObject *in_a_long_pass(const cc_bigint *x, const cc_bigint *y, pass *work)
{
	struct integer *r = integer_new((x->length > y->length ? x->length : y->length) + 1);
	struct watch w;
	int status;

	if (!r)
		return NULL;
	watch_begin(&w);
	status = work(&r->value, x, y);
	watch_end(&w);
	return integer_done(r, status);
}
