// SPDX-License-Identifier: MIT
/*
 * /dev/fibonacci: the position is n, and reading gives F(n).
 *
 * A read behaves as that of a file that ends after the digits of F(n): it advances the
 * position by DIGIT for each digit that it returns.  With values=1 no call moves the
 * position, and some return a number instead of a count, as this device's first clients
 * expect.  Other programs would take such a number for the count of bytes in their buffer,
 * so it is off by default.
 *
 * A file's position is all its state.  A call frees all that it computes before it
 * returns, and the memory that all calls hold at a time is bounded (budget.c).  No lock is
 * held during the work; n comes with each call, and preadv and pwritev can name it
 * themselves.
 */
#include <linux/compat.h>
#include <linux/fs.h>
#include <linux/ktime.h>
#include <linux/limits.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/sched/signal.h>
#include <linux/uaccess.h>
#include <linux/uio.h>

#include <carrychain/fib.h>

#include "budget.h"
#include "fibdrv.h"

/* The last n for which digits_of() is known to be right. */
#define MAX_N_LIMIT 10000000

/* A minor for local use (Linux reserves some); fixed, so that opening the node loads us. */
#define FIBONACCI_MINOR 246

/* The distance between positions of consecutive digits; the bits below are n. */
#define DIGIT BIT_ULL(32)

/* The last n whose F(n) fits a ssize_t of 64 bits. */
#define RETURNED_MAX 92

/* A write of this size only tests whether the device is there. */
#define GREETING_SIZE 15

static bool values;
module_param(values, bool, 0444);
MODULE_PARM_DESC(values, "whether calls may return a number in place of a count (N)");

static unsigned int max_n = 1000000;

static int set_max_n(const char *value, const struct kernel_param *param)
{
	return param_set_uint_minmax(value, param, 0, MAX_N_LIMIT);
}

static const struct kernel_param_ops max_n_ops = {
	.set = set_max_n,
	.get = param_get_uint,
};

module_param_cb(max_n, &max_n_ops, &max_n, 0644);
__MODULE_PARM_TYPE(max_n, "uint");
MODULE_PARM_DESC(max_n, "the last position, at most 10000000 (1000000)");

/* A position's n, and its digit. */
static u64 number_at(loff_t position)
{
	return values ? position : position & (DIGIT - 1);
}

static u64 digit_at(loff_t position)
{
	return values ? 0 : (u64)position / DIGIT;
}

/* max_n may have been lowered since the position was set. */
static bool is_position(loff_t position)
{
	return position >= 0 && number_at(position) <= READ_ONCE(max_n);
}

static int step(void *context, u64 done, u64 total)
{
	cond_resched();
	return signal_pending(current);
}

static const struct cc_progress progress = {.step = step};

/*
 * A call that a signal ended is restarted if no handler ran: the process was stopped and
 * continued, or another thread took the signal.  If one ran, the call returns EINTR, even
 * with SA_RESTART: signals that arrive faster than the answer would restart it for ever.
 */
static int error_of(int err)
{
	return err == CC_EINTR ? -ERESTARTNOHAND : err;
}

/*
 * A bound for a call's memory.  It allocates at most 1.4 n + 4096 bytes to compute F(n), by
 * any strategy, and 2.4 n + 4096 to write its digits, both measured (tests/c/test_fib.c);
 * kvmalloc() may round each request up to a power of two.
 */
static unsigned long time_memory(u64 n)
{
	return 3 * n + 8192;
}

static unsigned long read_memory(u64 n)
{
	return 5 * n + 8192;
}

static int take(const struct file *file, unsigned long bytes)
{
	return error_of(budget_take(bytes, !(file->f_flags & O_NONBLOCK)));
}

/*
 * A number in place of a count, if it fits the caller's ssize_t: that of a 32-bit program is
 * narrower than ours, and so is the result of an io_uring request.
 */
static ssize_t number(struct kiocb *call, u64 value)
{
	long most = in_compat_syscall() || !is_sync_kiocb(call) ? INT_MAX : LONG_MAX;

	return value <= most ? value : -EOVERFLOW;
}

/*
 * 1 + floor(n log10(phi) - log10(sqrt 5)) with both logarithms rounded to 64 fractional
 * bits.  For n <= 10^7 the error is below 2^-41, and the value under the floor is never
 * nearer to an integer than 2^-26 (at n = 7499627).  The difference between F(n) and
 * phi^n / sqrt 5 exceeds these only for n < 45, where the result is right as well.
 */
static u64 digits_of(u64 n)
{
	u64 integer, fraction = cc_mul_u64(&integer, n, 0x358036c82451b7f3);

	if (n < 2)
		return 1;
	return 1 + integer - (fraction < 0x5977d95ec10c021a);
}

static loff_t fib_llseek(struct file *file, loff_t offset, int whence)
{
	return fixed_size_llseek(file, offset, whence, READ_ONCE(max_n));
}

/* Before Linux 6.4, an iterator that is not a vector has no count of segments. */
static bool is_one_segment(const struct iov_iter *iter)
{
	return iter_is_ubuf(iter) || iter->nr_segs == 1;
}

/* One call for all segments; only a single segment of a single byte asks for a number. */
static ssize_t fib_read_iter(struct kiocb *call, struct iov_iter *to)
{
	size_t size = iov_iter_count(to), length, from;
	cc_bigint f = CC_BIGINT_INIT;
	char *digits;
	int err;
	u64 n;

	if (!is_position(call->ki_pos))
		return -EINVAL;
	n = number_at(call->ki_pos);
	from = digit_at(call->ki_pos);
	if (!size || from >= digits_of(n))
		return 0;
	if (values && size == 1 && is_one_segment(to))
		return number(call, cc_fib_u64(min_t(u64, n, RETURNED_MAX)));

	err = take(call->ki_filp, read_memory(n));
	if (err)
		return err;
	err = cc_fib_by(&f, n, CC_FIB_SQUARING, &progress);
	if (!err)
		err = cc_bigint_format(&digits, &length, &f, 10, &progress);
	cc_bigint_clear(&f);
	if (!err) {
		length = min(length - from, size);
		if (copy_to_iter(digits + from, length, to) != length)
			err = -EFAULT;
		cc_string_free(digits);
	}
	budget_give(read_memory(n));
	if (err)
		return error_of(err);
	if (!values)
		call->ki_pos += length * DIGIT;
	return length;
}

/* *ns = the time that F(n) takes, without the wait for memory; n has been checked. */
static int time_number(const struct file *file, u64 *ns, u64 n, int strategy)
{
	cc_bigint f = CC_BIGINT_INIT;
	int err = take(file, time_memory(n));
	ktime_t begin;

	if (err)
		return err;
	begin = ktime_get();
	err = cc_fib_by(&f, n, strategy, &progress);
	*ns = ktime_to_ns(ktime_sub(ktime_get(), begin));
	cc_bigint_clear(&f);
	budget_give(time_memory(n));
	return error_of(err);
}

static ssize_t fib_write_iter(struct kiocb *call, struct iov_iter *from)
{
	size_t size = iov_iter_count(from);
	u64 ns;
	int err;

	if (!values || !is_one_segment(from))
		return -EINVAL;
	if (size == GREETING_SIZE)
		return 1;
	if (size >= CC_FIB_STRATEGIES || !is_position(call->ki_pos))
		return -EINVAL;
	err = time_number(call->ki_filp, &ns, call->ki_pos, size);
	return err ?: number(call, ns);
}

static int ioctl_time(const struct file *file, u64 n, struct fib_time __user *argument)
{
	struct fib_time asked;
	u64 ns;
	int err;

	if (copy_from_user(&asked, argument, sizeof(asked)))
		return -EFAULT;
	if (asked.strategy >= CC_FIB_STRATEGIES || asked.zero)
		return -EINVAL;
	err = time_number(file, &ns, n, asked.strategy);
	return err ?: put_user(ns, &argument->ns);
}

static long fib_ioctl(struct file *file, unsigned int command, unsigned long argument)
{
	loff_t position = file->f_pos;

	if (command != FIB_IOC_LENGTH && command != FIB_IOC_TIME)
		return -ENOTTY;
	if (!is_position(position))
		return -EINVAL;
	if (command == FIB_IOC_TIME)
		return ioctl_time(file, number_at(position), (struct fib_time __user *)argument);
	return put_user(digits_of(number_at(position)), (__u64 __user *)argument);
}

static const struct file_operations fib_operations = {
	.owner = THIS_MODULE,
	.llseek = fib_llseek,
	.read_iter = fib_read_iter,
	.write_iter = fib_write_iter,
	.unlocked_ioctl = fib_ioctl,
	.compat_ioctl = compat_ptr_ioctl,
};

static struct miscdevice fib_device = {
	.minor = FIBONACCI_MINOR,
	.name = "fibonacci",
	.fops = &fib_operations,
	.mode = 0666,
};

static int __init fibdrv_init(void)
{
	budget_init();
	return misc_register(&fib_device);
}
module_init(fibdrv_init);

static void __exit fibdrv_exit(void)
{
	misc_deregister(&fib_device);
}
module_exit(fibdrv_exit);

MODULE_ALIAS_MISCDEV(FIBONACCI_MINOR);
MODULE_ALIAS("devname:fibonacci");
MODULE_DESCRIPTION("Fibonacci numbers as a character device");
MODULE_AUTHOR("The Carrychain authors");
MODULE_VERSION(CC_VERSION);
MODULE_LICENSE("Dual MIT/GPL");
