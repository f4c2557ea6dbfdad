// SPDX-License-Identifier: MIT
/* Where numbers' memory comes from, and what ends the program. */
#include "mpz.h"

#include <signal.h>
#include <stdlib.h>

const int cc_mp_bits_per_limb = GMP_LIMB_BITS;
const char *const cc_gmp_version = "6.3.0";
int cc_gmp_errno;

static void *default_allocate(size_t size)
{
	/* huge pages for what is long, as in all of the library */
	void *memory = CC_ALLOC(size ? size : 1);

	if (!memory)
		cc_gmp_no_memory(size);
	return memory;
}

static void *default_reallocate(void *memory, size_t old_size, size_t size)
{
	void *moved = realloc(memory, size ? size : 1);

	(void)old_size;
	if (!moved)
		cc_gmp_no_memory(size);
	return moved;
}

static void default_release(void *memory, size_t size)
{
	(void)size;
	free(memory);
}

void *(*cc_gmp_allocate)(size_t size) = default_allocate;
void *(*cc_gmp_reallocate)(void *memory, size_t old_size, size_t size) = default_reallocate;
void (*cc_gmp_release)(void *memory, size_t size) = default_release;

void mp_set_memory_functions(void *(*allocate)(size_t size),
			     void *(*reallocate)(void *memory, size_t old_size, size_t size),
			     void (*release)(void *memory, size_t size))
{
	cc_gmp_allocate = allocate ? allocate : default_allocate;
	cc_gmp_reallocate = reallocate ? reallocate : default_reallocate;
	cc_gmp_release = release ? release : default_release;
}

void mp_get_memory_functions(void *(**allocate)(size_t size),
			     void *(**reallocate)(void *memory, size_t old_size, size_t size),
			     void (**release)(void *memory, size_t size))
{
	if (allocate)
		*allocate = cc_gmp_allocate;
	if (reallocate)
		*reallocate = cc_gmp_reallocate;
	if (release)
		*release = cc_gmp_release;
}

mp_ptr cc_gmp_temporary(struct temporary *t, size_t n)
{
	if (n > PTRDIFF_MAX / sizeof(mp_limb_t))
		cc_gmp_no_memory(SIZE_MAX);
	t->count = n;
	t->words = cc_gmp_allocate(n * sizeof(mp_limb_t));
	return t->words;
}

static __attribute__((__noreturn__, __cold__)) void arithmetic_error(int error)
{
	cc_gmp_errno |= error;
	raise(SIGFPE);
	/* for one who ignores it */
	abort();
}

void cc_gmp_division_by_zero(void)
{
	arithmetic_error(GMP_ERROR_DIVISION_BY_ZERO);
}

void cc_gmp_even_root_of_negative(void)
{
	arithmetic_error(GMP_ERROR_SQRT_OF_NEGATIVE);
}

void cc_gmp_invalid_argument(void)
{
	arithmetic_error(GMP_ERROR_INVALID_ARGUMENT);
}

void cc_gmp_overflow(void)
{
	cc_gmp_errno |= GMP_ERROR_MPZ_OVERFLOW;
	fputs("carrychain: a number of more words than mpz_t can have\n", stderr);
	abort();
}

void cc_gmp_no_memory(size_t size)
{
	if (size)
		fprintf(stderr, "carrychain: Cannot allocate memory (size=%zu)\n", size);
	else
		fputs("carrychain: Cannot allocate memory\n", stderr);
	abort();
}
