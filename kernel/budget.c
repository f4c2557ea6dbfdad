// SPDX-License-Identifier: MIT
/*
 * A limit for the kernel memory that all calls together hold.
 *
 * That memory belongs to no process, so the OOM killer would kill others than the one that
 * caused it.  Each call takes its share of the budget before it allocates.  If too little is
 * left, it waits in a queue, which is served in order even if a later call would fit: so a
 * large call does not starve behind small ones.
 */
#include <linux/completion.h>
#include <linux/list.h>
#include <linux/mm.h>
#include <linux/moduleparam.h>
#include <linux/spinlock.h>

#include "budget.h"

/* A waiting call, on its own stack; off the list as soon as it is answered. */
struct waiter {
	struct list_head node;
	struct completion answered;
	unsigned long bytes;
	int answer;
};

/* Guards all of the following; a spinlock, never held across a sleep. */
static DEFINE_SPINLOCK(lock);
static LIST_HEAD(waiters);
static unsigned long max_memory, by_default, held;

/* Whether @bytes are left; max_memory may have been lowered below what is held. */
static bool fits(unsigned long bytes)
{
	return held <= max_memory && bytes <= max_memory - held;
}

/* Answers waiting calls from the first on, as far as possible; called with the lock held. */
static void answer_waiters(void)
{
	struct waiter *first, *next;

	list_for_each_entry_safe(first, next, &waiters, node) {
		if (first->bytes > max_memory)
			first->answer = -ENOMEM;
		else if (fits(first->bytes))
			held += first->bytes;
		else
			break;
		list_del_init(&first->node);
		complete(&first->answered);
	}
}

static int set_max_memory(const char *value, const struct kernel_param *param)
{
	unsigned long bytes;
	int err = kstrtoul(value, 0, &bytes);

	if (err)
		return err;
	spin_lock(&lock);
	max_memory = bytes ?: by_default;
	answer_waiters();
	spin_unlock(&lock);
	return 0;
}

static const struct kernel_param_ops max_memory_ops = {
	.set = set_max_memory,
	.get = param_get_ulong,
};

module_param_cb(max_memory, &max_memory_ops, &max_memory, 0644);
__MODULE_PARM_TYPE(max_memory, "ulong");
MODULE_PARM_DESC(max_memory, "bytes that all calls together may hold (a sixteenth of memory)");

void budget_init(void)
{
	struct sysinfo memory;

	si_meminfo(&memory);
	spin_lock(&lock);
	by_default = (memory.totalram - memory.totalhigh) * memory.mem_unit / 16;
	max_memory = max_memory ?: by_default;
	spin_unlock(&lock);
}

int budget_take(unsigned long bytes, bool may_wait)
{
	struct waiter self = {.bytes = bytes};
	bool waits = false;
	int err = 0;

	init_completion(&self.answered);
	spin_lock(&lock);
	if (bytes > max_memory)
		err = -ENOMEM;
	else if (list_empty(&waiters) && fits(bytes))
		held += bytes;
	else if (!may_wait)
		err = -EAGAIN;
	else
		waits = true;
	if (waits)
		list_add_tail(&self.node, &waiters);
	spin_unlock(&lock);
	if (!waits)
		return err;

	if (!wait_for_completion_interruptible(&self.answered))
		return self.answer;
	/* what was answered at the same moment is as if it were not */
	spin_lock(&lock);
	if (!list_empty(&self.node))
		list_del(&self.node);
	else if (!self.answer)
		held -= bytes;
	answer_waiters();
	spin_unlock(&lock);
	return -EINTR;
}

void budget_give(unsigned long bytes)
{
	spin_lock(&lock);
	held -= bytes;
	answer_waiters();
	spin_unlock(&lock);
}
