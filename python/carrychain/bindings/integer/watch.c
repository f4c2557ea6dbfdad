// SPDX-License-Identifier: MIT
/* Long work without the GIL, which a signal whose handler raises still ends. */
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
	w->progress = (struct cc_progress){step, w};
	w->next = clock_ns() + SIGNAL_INTERVAL_NS;
	w->thread = PyEval_SaveThread();
}

void watch_end(struct watch *w)
{
	PyEval_RestoreThread(w->thread);
}
