/* SPDX-License-Identifier: MIT */
/* test.h - what the test client's files share: checks, the device, the truth. */
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

/* From one digit of F(n) to the next; a position below it is n. */
#define DIGIT ((off_t)1 << 32)

/* By their numbers, and by the size of the write that asks for them with values=1. */
enum { SQUARING, DOUBLING, ITERATIVE, STRATEGIES };

struct test_case {
	const char *name;
	void (*run)(void);
};

/* How the process of a case ends that does not end well. */
enum { FAILED = 1, SKIPPED = 2 };

/* Each file's cases, ended by a nameless one. */
extern const struct test_case module_cases[], file_cases[], protocol_cases[], model_cases[],
	pointer_cases[], many_cases[], memory_cases[], signal_cases[], failing_cases[],
	value_cases[];

/* A check that fails ends its case, be that in a child of it. */
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
/* Ends the case without a verdict. */
_Noreturn void skip(const char *reason);
/* What a case has to say of itself, beside its name. */
void note(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The device, open for both at position n. */
int open_at(int64_t n);
/* The device's answer to FIB_IOC_LENGTH. */
size_t length_at(int fd);
/* A buffer whose last byte is followed by a page that faults; never freed. */
char *guarded(size_t size);
/* Reads F(n) whole at the position and checks every digit; the position is then n again. */
void check_number(int fd, uint64_t n);
/* The nanoseconds that F(n) takes by a strategy, for n the position; -1 and errno. */
int64_t time_of(int fd, int strategy);

/* Whether a call returned @value, or refused to where ssize_t is too narrow for it. */
bool returned(ssize_t got, uint64_t value);
/* Whether a write returned a time, or had one that ssize_t is too narrow for. */
bool took_time(ssize_t ns);
/* A page without any of PROT_READ, PROT_WRITE but these; never freed. */
char *page_of(int protection);

/*
 * The kernel's, or nobody's: where user space has addresses of its own (s390x), or ends far
 * above what a 32-bit program can name, it is an address like others with nothing at it.
 */
#define KERNEL_ADDRESS ((char *)-4096)

/* Whether the digits are F(n)'s. */
bool is_fibonacci(const char *digits, size_t length, uint64_t n);
/* F(n) mod 2^64 by n additions. */
uint64_t added_up(uint64_t n);

/* Whether the file could be written, with errno. */
bool put(const char *path, const char *text);

/* The child runs to its end or to a failed check; reap() says whether to the end. */
pid_t spawn(void (*run)(void));
bool reap(pid_t pid);

/* A line of /proc/meminfo, 0 if there is none; and the memory that is left. */
long memory_kb(const char *name);
long available_kb(void);

uint64_t now_ns(void);
uint64_t random_below(uint64_t bound);
/* From now on the draws of CC_TEST_SEED numbered @which; unasked, those numbered as the process. */
void draw_anew(uint64_t which);
/* CC_TEST_SCALE times as many, but at least two. */
int scaled(int count);

/* Where the modules are, and whether fibdrv was loaded with values=1. */
extern const char *modules;
extern bool values;

/* 0 or errno */
int load(const char *module);
int load_with(const char *module, const char *parameters);
int unload(const char *module);

#endif /* TEST_H */
