/* SPDX-License-Identifier: MIT */
/* interrupt.h - a call while it runs: who tells it that it is time to ask whether to stop. */
#ifndef CARRYCHAIN_RING_INTERRUPT_H
#define CARRYCHAIN_RING_INTERRUPT_H

#include "runtime.h"

/* Begins; returns the call of this thread that waits for it, NULL if there is none. */
struct ring_context *ring_watch(struct ring_context *context);
void ring_unwatch(struct ring_context *outer);

#endif /* CARRYCHAIN_RING_INTERRUPT_H */
