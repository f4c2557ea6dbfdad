/* SPDX-License-Identifier: MIT */
/* budget.h - the limit for the kernel memory that all calls together hold: max_memory. */
#ifndef FIBDRV_BUDGET_H
#define FIBDRV_BUDGET_H

#include <linux/types.h>

/* Called before the device exists: sets max_memory to its default, unless it was given. */
void budget_init(void);

/*
 * Takes @bytes of it, after all earlier calls; budget_give() returns them.  Returns 0;
 * -ENOMEM if they exceed the whole budget; -EAGAIN if it would have to wait but may not;
 * -EINTR if a signal arrived first.
 */
int budget_take(unsigned long bytes, bool may_wait);
void budget_give(unsigned long bytes);

#endif /* FIBDRV_BUDGET_H */
