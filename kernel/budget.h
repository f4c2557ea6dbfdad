/* SPDX-License-Identifier: MIT */
/* budget.h - what all calls together may hold of the kernel's memory: max_memory. */
#ifndef FIBDRV_BUDGET_H
#define FIBDRV_BUDGET_H

#include <linux/types.h>

/* Before the device is there: max_memory, where nobody has said it. */
void budget_init(void);

/*
 * Take @bytes of it, after all who asked before; to be given back by budget_give().  0;
 * -ENOMEM if it is more than there is at all; -EAGAIN if it would have to wait and may not;
 * -EINTR if a signal came first.
 */
int budget_take(unsigned long bytes, bool may_wait);
void budget_give(unsigned long bytes);

#endif /* FIBDRV_BUDGET_H */
