/* SPDX-License-Identifier: MIT */
/* test.h - what the test client's files share: checks, the device, the oracle. */
#ifndef TEST_H
#define TEST_H

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../fibdrv.h"

#define DEVICE	      "/dev/fibonacci"
#define MAX_N	      "/sys/module/fibdrv/parameters/max_n"
#define MAX_N_DEFAULT 1000000
#define MAX_MEMORY    "/sys/module/fibdrv/parameters/max_memory"

/* The distance between positions of consecutive digits; a position below it is n. */
#define DIGIT ((off_t)1 << 32)

/* The strategies' numbers, which are also the sizes of writes with values=1. */
enum { SQUARING, DOUBLING, ITERATIVE, STRATEGIES };

struct test_case {
	const char *name;
	void (*run)(void);
};

/* Exit statuses of a case that does not pass. */
enum { FAILED = 1, SKIPPED = 2 };

/* Each file's cases; one without a name ends the list. */
extern const struct test_case module_cases[], file_cases[], protocol_cases[], model_cases[],
	pointer_cases[], many_cases[], memory_cases[], signal_cases[], failing_cases[],
	value_cases[];

/* A failed check ends its case, even in a child process. */
#define CHECK(condition)                                                                           \
	do {                                                                                       \
		if (!(condition))                                                                  \
			fail(__FILE__, __LINE__, #condition);                                      \
	} while (0)
#define CHECK_ERROR(call, number)                                                                  \
	do {                                                                                       \
		errno = 0;                                                                         \
		CHECK((call) == -1);                                                               \
		CHECK(errno == (number));                                                          \
	} while (0)

_Noreturn void fail(const char *file, int line, const char *condition);
/* Skips the rest of the case. */
_Noreturn void skip(const char *reason);
/* A remark to print beside the case's name. */
void note(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Opens the device for reading and writing, at position n. */
int open_at(int64_t n);
/* The result of FIB_IOC_LENGTH. */
size_t length_at(int fd);
/* A buffer whose last byte is followed by a page that faults; never freed. */
char *guarded(size_t size);
/* Reads F(n) whole, checks every digit, and restores the position. */
void check_number(int fd, uint64_t n);
/* How long F(n) takes by a strategy, in nanoseconds, for the position n; or -1 and errno. */
int64_t time_of(int fd, int strategy);

/* Whether a call returned @value, or failed because it does not fit ssize_t. */
bool returned(ssize_t got, uint64_t value);
/* Whether a write returned a time, or failed because it does not fit ssize_t. */
bool took_time(ssize_t ns);
/* A page with this protection; never freed. */
char *page_of(int protection);

/*
 * An address of the kernel's; or, if user space has its own address space (s390x), or ends far
 * above what a 32-bit program can name, an ordinary address with nothing mapped.
 */
#define KERNEL_ADDRESS ((char *)-4096)

/* Whether the digits are F(n)'s. */
bool is_fibonacci(const char *digits, size_t length, uint64_t n);
/* F(n) mod 2^64 by n additions. */
uint64_t added_up(uint64_t n);

/* Whether the file could be written, with errno. */
bool put(const char *path, const char *text);

/* Starts a child process; reap() says whether it ended without a failed check. */
pid_t spawn(void (*run)(void));
bool reap(pid_t pid);

/* A line of /proc/meminfo, 0 if there is none; and the available memory. */
long memory_kb(const char *name);
long available_kb(void);

uint64_t now_ns(void);
uint64_t random_below(uint64_t bound);
/* Restarts random numbers as sequence @which of CC_TEST_SEED; by default, the process's number. */
void draw_anew(uint64_t which);
/* @count times CC_TEST_SCALE, but at least two. */
int scaled(int count);

/* The modules' directory, and whether fibdrv was loaded with values=1. */
extern const char *modules;
extern bool values;

/* 0 or errno */
int load(const char *module);
int load_with(const char *module, const char *parameters);
int unload(const char *module);

#endif /* TEST_H */
