/* SPDX-License-Identifier: MIT */
/* interrupt.h - the calls that are running, for the timer that interrupts them. */
#ifndef CARRYCHAIN_RING_INTERRUPT_H
#define CARRYCHAIN_RING_INTERRUPT_H

#include "runtime.h"

/* Enters a call; returns the call of this thread that encloses it, or NULL. */
struct ring_context *ring_watch(struct ring_context *context);
void ring_unwatch(struct ring_context *outer);

#endif /* CARRYCHAIN_RING_INTERRUPT_H */
