// SPDX-License-Identifier: MIT
/*
 * What can't be done ends the program as GMP's functions end it: by SIGFPE or abort(), never by
 * another result.  Each case is a child, of ours and, where GMP's does not take all memory or time
 * first, of GMP's.
 */
#include "harness.h"

#include <carrychain/gmp.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif
#ifndef SANITIZED
#define SANITIZED 0
#endif

/* A sanitizer's malloc() ends the program for what is too much, if nothing else is said. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
	return "allocator_may_return_null=1:handle_sigfpe=0:handle_abort=0";
}

/* Results, and what is read: a of 5000 words, b of 3000, 0 and -5. */
static mpz_t r, s, a, b, zero, minus;
static mpq_t q, none;

static gmp_randstate_t state;
static volatile double nothing;

static mpq_ptr without_denominator(void)
{
	mpq_denref(q)->_mp_size = 0;
	return q;
}

/* name, call, the signal, whether GMP's is called, too */
#define CASES(X)                                                                                   \
	X(mpz_tdiv_q, (r, a, zero), SIGFPE, 1)                                                     \
	X(mpz_tdiv_r, (r, a, zero), SIGFPE, 1)                                                     \
	X(mpz_tdiv_qr, (r, s, a, zero), SIGFPE, 1)                                                 \
	X(mpz_fdiv_q, (r, zero, zero), SIGFPE, 1)                                                  \
	X(mpz_fdiv_r, (r, a, zero), SIGFPE, 1)                                                     \
	X(mpz_fdiv_qr, (r, s, a, zero), SIGFPE, 1)                                                 \
	X(mpz_cdiv_q, (r, a, zero), SIGFPE, 1)                                                     \
	X(mpz_cdiv_r, (r, a, zero), SIGFPE, 1)                                                     \
	X(mpz_cdiv_qr, (r, s, a, zero), SIGFPE, 1)                                                 \
	X(mpz_mod, (r, a, zero), SIGFPE, 1)                                                        \
	X(mpz_tdiv_q_ui, (r, a, 0), SIGFPE, 1)                                                     \
	X(mpz_tdiv_r_ui, (r, a, 0), SIGFPE, 1)                                                     \
	X(mpz_tdiv_qr_ui, (r, s, a, 0), SIGFPE, 1)                                                 \
	X(mpz_tdiv_ui, (a, 0), SIGFPE, 1)                                                          \
	X(mpz_fdiv_q_ui, (r, zero, 0), SIGFPE, 1)                                                  \
	X(mpz_fdiv_ui, (a, 0), SIGFPE, 1)                                                          \
	X(mpz_cdiv_q_ui, (r, a, 0), SIGFPE, 1)                                                     \
	X(mpz_cdiv_ui, (a, 0), SIGFPE, 1)                                                          \
	X(mpz_divexact, (r, a, zero), SIGFPE, 0)                                                   \
	X(mpz_divexact_ui, (r, a, 0), SIGFPE, 1)                                                   \
	X(mpz_powm, (r, a, b, zero), SIGFPE, 1)                                                    \
	X(mpz_powm, (r, a, minus, a), SIGFPE, 1)                                                   \
	X(mpz_powm_ui, (r, a, 5, zero), SIGFPE, 1)                                                 \
	X(mpz_powm_sec, (r, a, b, zero), SIGFPE, 1)                                                \
	X(mpz_remove, (r, a, zero), SIGFPE, 1)                                                     \
	X(mpz_sqrt, (r, minus), SIGFPE, 1)                                                         \
	X(mpz_sqrtrem, (r, s, minus), SIGFPE, 1)                                                   \
	X(mpz_root, (r, minus, 4), SIGFPE, 1)                                                      \
	X(mpz_root, (r, a, 0), SIGFPE, 1)                                                          \
	X(mpz_rootrem, (r, s, minus, 2), SIGFPE, 1)                                                \
	X(mpz_set_d, (r, 0.0 / nothing), SIGFPE, 1)                                                \
	X(mpz_set_d, (r, 1.0 / nothing), SIGFPE, 1)                                                \
	X(mpz_init_set_d, (r, 0.0 / nothing), SIGFPE, 1)                                           \
	X(mpz_cmp_d, (a, 0.0 / nothing), SIGFPE, 1)                                                \
	X(mpz_cmpabs_d, (a, 0.0 / nothing), SIGFPE, 1)                                             \
	X(mpq_set_d, (q, 0.0 / nothing), SIGFPE, 1)                                                \
	X(mpq_inv, (q, none), SIGFPE, 1)                                                           \
	X(mpq_div, (q, q, none), SIGFPE, 1)                                                        \
	X(mpq_canonicalize, (without_denominator()), SIGFPE, 1)                                    \
	X(mpz_mul_2exp, (r, a, 1ul << 60), SIGABRT, 1)                                             \
	X(mpz_mul_2exp, (r, a, ~0ul), SIGABRT, 1)                                                  \
	X(mpz_setbit, (r, 1ul << 50), SIGABRT, 1)                                                  \
	X(mpz_clrbit, (minus, 1ul << 50), SIGABRT, 1)                                              \
	X(mpz_combit, (r, ~0ul), SIGABRT, 1)                                                       \
	X(mpz_init2, (r, 1ul << 60), SIGABRT, 1)                                                   \
	X(mpz_init2, (r, ~0ul), SIGABRT, 1)                                                        \
	X(mpz_realloc2, (r, 1ul << 60), SIGABRT, 1)                                                \
	X(mpz_limbs_write, (r, 1l << 40), SIGABRT, 1)                                              \
	X(mpz_limbs_modify, (r, 1l << 40), SIGABRT, 1)                                             \
	X(mpz_cdiv_r_2exp, (r, a, 1ul << 50), SIGABRT, 1)                                          \
	X(mpz_fdiv_r_2exp, (r, minus, 1ul << 50), SIGABRT, 1)                                      \
	X(mpz_urandomb, (r, state, 1ul << 50), SIGABRT, 0)                                         \
	X(mpz_rrandomb, (r, state, 1ul << 50), SIGABRT, 0)                                         \
	X(mpz_array_init, (r, 1l << 40, 1l << 40), SIGABRT, 0)                                     \
	X(mpz_ui_pow_ui, (r, 3, 1ul << 50), SIGABRT, 0)                                            \
	X(mpz_ui_pow_ui, (r, 2, 1ul << 60), SIGABRT, 0)                                            \
	X(mpz_pow_ui, (r, a, ~0ul), SIGABRT, 0)                                                    \
	X(mpz_pow_ui, (r, a, 1ul << 32), SIGABRT, 0)                                               \
	X(mpz_fac_ui, (r, 1ul << 50), SIGABRT, 0)                                                  \
	X(mpz_fac_ui, (r, ~0ul), SIGABRT, 0)                                                       \
	X(mpz_2fac_ui, (r, 1ul << 50), SIGABRT, 0)                                                 \
	X(mpz_2fac_ui, (r, ~0ul), SIGABRT, 0)                                                      \
	X(mpz_mfac_uiui, (r, ~0ul, 3), SIGABRT, 0)                                                 \
	X(mpz_primorial_ui, (r, 1ul << 50), SIGABRT, 0)                                            \
	X(mpz_bin_ui, (r, a, 1ul << 50), SIGABRT, 0)                                               \
	X(mpz_bin_uiui, (r, ~0ul, 1ul << 50), SIGABRT, 0)                                          \
	X(mpz_fib_ui, (r, 1ul << 50), SIGABRT, 0)                                                  \
	X(mpz_fib2_ui, (r, s, 1ul << 50), SIGABRT, 0)                                              \
	X(mpz_lucnum_ui, (r, 1ul << 50), SIGABRT, 0)                                               \
	X(mpz_lucnum2_ui, (r, s, ~0ul), SIGABRT, 0)                                                \
	X(mpz_import, (r, 1ul << 60, 1, 8, 0, 0, a), SIGABRT, 0)                                   \
	X(mpz_import, (r, 1ul << 50, 1, 8, 0, 0, a), SIGABRT, 0)                                   \
	X(mpq_mul_2exp, (q, q, 1ul << 60), SIGABRT, 0)                                             \
	X(mpq_div_2exp, (q, q, 1ul << 60), SIGABRT, 0)                                             \
	X(mpz_add, (r, a, NULL), SIGSEGV, 1)                                                       \
	X(mpz_mul, (NULL, a, b), SIGSEGV, 1)                                                       \
	X(mpz_set_str, (r, NULL, 10), SIGSEGV, 1)

/* Long work, of which each may run out of memory: name, call */
#define WORKS(X)                                                                                   \
	X(mpz_mul, (r, a, b))                                                                      \
	X(mpz_mul, (r, a, a))                                                                      \
	X(mpz_addmul, (r, a, b))                                                                   \
	X(mpz_mul_2exp, (r, a, 30000000))                                                          \
	X(mpz_tdiv_qr, (r, s, a, b))                                                               \
	X(mpz_fdiv_r, (r, a, b))                                                                   \
	X(mpz_divexact, (r, a, a))                                                                 \
	X(mpz_gcd, (r, a, b))                                                                      \
	X(mpz_gcdext, (r, s, NULL, b, a))                                                          \
	X(mpz_lcm, (r, a, b))                                                                      \
	X(mpz_invert, (r, b, a))                                                                   \
	X(mpz_sqrtrem, (r, s, a))                                                                  \
	X(mpz_root, (r, a, 3))                                                                     \
	X(mpz_powm_ui, (r, b, 5, a))                                                               \
	X(mpz_powm, (r, b, minus, a))                                                              \
	X(mpz_powm_sec, (r, b, five, few))                                                         \
	X(mpz_pow_ui, (r, b, 7))                                                                   \
	X(mpz_ui_pow_ui, (r, 3, 1000000))                                                          \
	X(mpz_remove, (r, a, b))                                                                   \
	X(mpz_ior, (r, a, minus))                                                                  \
	X(mpz_fac_ui, (r, 30000))                                                                  \
	X(mpz_2fac_ui, (r, 30001))                                                                 \
	X(mpz_primorial_ui, (r, 100000))                                                           \
	X(mpz_bin_uiui, (r, 300000, 100000))                                                       \
	X(mpz_bin_ui, (r, few, 1000))                                                              \
	X(mpz_fib_ui, (r, 1000000))                                                                \
	X(mpz_fib2_ui, (r, s, 1000000))                                                            \
	X(mpz_lucnum2_ui, (r, s, 1000000))                                                         \
	X(mpz_set_str, (r, text, 10))                                                              \
	X(mpz_set_str, (r, text, 62))

static mpz_t few, five;
static char *text;

#define OF_CASE(name, arguments, signal, gmp) extern __typeof__(cc_##name) __g##name;
#define OF_WORK(name, arguments)	      extern __typeof__(cc_##name) __g##name;
CASES(OF_CASE)
WORKS(OF_WORK)

static const struct misuse {
	const char *name;
	int signal, gmp;
} misuses[] = {
#define ROW(name, arguments, signal, gmp) {#name #arguments, signal, gmp},
	CASES(ROW)};

static const char *const works[] = {
#define WORK_ROW(name, arguments) #name #arguments,
	WORKS(WORK_ROW)};

/* The case of that number, of GMP's or ours. */
#define RUN_CASE(name, arguments, signal, gmp_too)                                                 \
	if (!which--)                                                                              \
		(void)(gmp ? __g##name : cc_##name)arguments;
#define RUN_WORK(name, arguments)                                                                  \
	if (!which--)                                                                              \
		(void)(gmp ? __g##name : cc_##name)arguments;

static void misuse(size_t which, int gmp)
{
	CASES(RUN_CASE)
}

static void work(size_t which, int gmp)
{
	WORKS(RUN_WORK)
}

static size_t fails_at;

struct head {
	_Alignas(16) size_t size;
};

/* GMP's manual: what ends the program, or, here, this child. */
static void *give(size_t size)
{
	struct head *head = malloc(sizeof(*head) + size);

	if (!head || !fails_at--)
		abort();
	head->size = size;
	return head + 1;
}

static void take(void *memory, size_t size)
{
	struct head *head = (struct head *)memory - 1;

	/* another size than it has */
	if (head->size != size)
		_exit(3);
	free(head);
}

static void *change(void *memory, size_t old_size, size_t size)
{
	void *moved = give(size);

	memcpy(moved, memory, old_size < size ? old_size : size);
	take(memory, old_size);
	return moved;
}

/* A child's status; what it says is not shown. */
static int child(void (*run)(size_t which, int gmp), size_t which, int gmp, size_t room)
{
	int status = 0;
	pid_t pid = fork();

	if (pid) {
		waitpid(pid, &status, 0);
		return status;
	}
	signal(SIGFPE, SIG_DFL);
	signal(SIGABRT, SIG_DFL);
	signal(SIGSEGV, SIG_DFL);
	setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
	dup2(open("/dev/null", O_WRONLY), STDERR_FILENO);
	if (room)
		setrlimit(RLIMIT_AS, &(struct rlimit){room, room});
	run(which, gmp);
	_exit(0);
}

static mpz_t r_right, s_right;

static void work_and_compare(size_t which, int gmp)
{
	work(which, gmp);
	if (mpz_cmp(r, r_right) || mpz_cmp(s, s_right))
		_exit(2);
}

static void work_on_hooks(size_t which, int gmp)
{
	mp_set_memory_functions(give, change, take);
	mpz_init(r);
	mpz_init(s);
	work_and_compare(which, gmp);
	mpz_clear(r);
	mpz_clear(s);
}

static size_t room_now(void)
{
	FILE *file = fopen("/proc/self/statm", "r");
	size_t pages = 0;

	if (!file || fscanf(file, "%zu", &pages) != 1)
		pages = 0;
	if (file)
		fclose(file);
	return pages * (size_t)sysconf(_SC_PAGESIZE);
}

static void without_memory(size_t which)
{
	size_t room, most, now = room_now();
	int status;

	mpz_set_ui(r, 0);
	mpz_set_ui(s, 0);
	work(which, 1);
	mpz_swap(r, r_right);
	mpz_swap(s, s_right);
	mpz_clears(r, s, NULL);
	mpz_inits(r, s, NULL);
	for (fails_at = 0; fails_at < 1000000; fails_at += 1 + fails_at / 4) {
		status = child(work_on_hooks, which, 0, 0);
		if (!status)
			break;
		CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT,
		      "allocation %zu fails: status %x", fails_at, (unsigned int)status);
	}
	CHECK(!status, "not with all memory");
	for (room = 16384, most = (size_t)1 << 30; now && !SANITIZED && room < most; room *= 2) {
		status = child(work_and_compare, which, 0, now + room);
		if (!status && room >= 1 << 23)
			break;
		CHECK(!status || (WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT),
		      "%zu bytes: status %x", room, (unsigned int)status);
	}
}

static void number(mpz_ptr x, size_t n)
{
	random_words(mpz_limbs_write(x, (mp_size_t)n), n);
	x->_mp_d[0] |= 1;
	x->_mp_d[n - 1] |= 1;
	mpz_limbs_finish(x, (mp_size_t)n);
}

int main(int argc, char **argv)
{
	size_t i;
	int gmp;

	test_begin(argc, argv);
	mpz_inits(r, s, a, b, zero, minus, few, five, r_right, s_right, NULL);
	mpq_inits(q, none, NULL);
	gmp_randinit_default(state);
	number(a, 5000);
	number(b, 3000);
	number(few, 4);
	mpz_set_si(minus, -5);
	mpz_set_ui(five, 5);
	mpq_set_ui(q, 7, 3);
	for (i = 0; i < COUNT(misuses); i++) {
		test_case(NULL, misuses[i].name);
		for (gmp = 0; gmp <= misuses[i].gmp; gmp++) {
			int status = child(misuse, i, gmp, 0), wanted = misuses[i].signal;

			/* UBSan sees a null pointer before the processor does */
			if (SANITIZED && !gmp && wanted == SIGSEGV && WTERMSIG(status) == SIGABRT)
				wanted = SIGABRT;
			CHECK(WIFSIGNALED(status) && WTERMSIG(status) == wanted,
			      "%s's status is %x", gmp ? "GMP" : "ours", (unsigned int)status);
		}
	}
	number(a, 40000);
	number(b, 25000);
	/* b's inverse modulo a */
	do
		number(b, 25000);
	while (!mpz_invert(r, b, a));
	text = mpz_get_str(NULL, 10, a);
	for (i = 0; i < COUNT(works); i++) {
		test_case(NULL, works[i]);
		without_memory(i);
	}
	free(text);
	mpz_clears(r, s, a, b, zero, minus, few, five, r_right, s_right, NULL);
	mpq_clears(q, none, NULL);
	return test_end();
}
