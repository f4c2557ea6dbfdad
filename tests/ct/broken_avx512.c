// SPDX-License-Identifier: MIT
/* Controls of check_disassembly.py: kernels each of which breaks one rule, and some that break
 * none. */
#include <immintrin.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

void broken_branch(uint64_t *r, const uint64_t *a, size_t n);
void broken_early_exit(uint64_t *r, const uint64_t *a, const uint64_t *b, size_t n);
void broken_index(uint64_t *r, const uint64_t *a, const uint64_t *table);
void broken_gather(uint64_t *r, const uint64_t *a, const uint64_t *table);
void broken_division(uint64_t *r, const uint64_t *a);
void broken_mask_branch(uint64_t *r, const uint64_t *a);
void broken_spilled_branch(uint64_t *r, const uint64_t *a, size_t n);
void broken_compress(uint64_t *r, const uint64_t *a);
void broken_copy(uint64_t *r, const uint64_t *a, const uint64_t *table, size_t n);
void sound_add(uint64_t *r, const uint64_t *a, const uint64_t *b, size_t n);
void sound_select(uint64_t *r, const uint64_t *table, size_t n, const uint64_t *which);

void broken_branch(uint64_t *r, const uint64_t *a, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (a[i] & 1)
			((volatile uint64_t *)r)[i] = 1;
}

void broken_early_exit(uint64_t *r, const uint64_t *a, const uint64_t *b, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (a[i] != b[i])
			break;
	*r = i;
}

void broken_index(uint64_t *r, const uint64_t *a, const uint64_t *table)
{
	*r = table[*a & 15];
}

void broken_gather(uint64_t *r, const uint64_t *a, const uint64_t *table)
{
	_mm512_storeu_si512(r, _mm512_i64gather_epi64(_mm512_loadu_si512(a), table, 8));
}

void broken_division(uint64_t *r, const uint64_t *a)
{
	*r = a[0] / a[1];
}

void broken_mask_branch(uint64_t *r, const uint64_t *a)
{
	__m512i x = _mm512_loadu_si512(a);

	while (_mm512_test_epi64_mask(x, x)) {
		x = _mm512_srli_epi64(x, 1);
		++*(volatile uint64_t *)r;
	}
}

/* The secret goes by the stack. */
void broken_spilled_branch(uint64_t *r, const uint64_t *a, size_t n)
{
	volatile uint64_t secret = a[n];

	if (secret > 7)
		*(volatile uint64_t *)r = 1;
}

void broken_compress(uint64_t *r, const uint64_t *a)
{
	__m512i x = _mm512_loadu_si512(a);

	_mm512_mask_compressstoreu_epi64(r, _mm512_test_epi64_mask(x, x), x);
}

/* The address is another function's to use. */
void broken_copy(uint64_t *r, const uint64_t *a, const uint64_t *table, size_t n)
{
	memcpy(r, table + *a * n, n * sizeof(*r));
}

void sound_add(uint64_t *r, const uint64_t *a, const uint64_t *b, size_t n)
{
	size_t i;

	for (i = 0; i + 8 <= n; i += 8)
		_mm512_storeu_si512(r + i, _mm512_add_epi64(_mm512_loadu_si512(a + i),
							    _mm512_loadu_si512(b + i)));
	if (i < n) {
		__mmask8 rest = (__mmask8)((1u << (n - i)) - 1);

		_mm512_mask_storeu_epi64(r + i, rest, _mm512_maskz_loadu_epi64(rest, a + i));
	}
}

void sound_select(uint64_t *r, const uint64_t *table, size_t n, const uint64_t *which)
{
	__m512i sum = _mm512_setzero_si512();
	size_t i;

	for (i = 0; i < n; i++) {
		__mmask8 here = _mm512_cmpeq_epi64_mask(_mm512_set1_epi64((long long)i),
							_mm512_set1_epi64((long long)*which));

		sum = _mm512_mask_mov_epi64(sum, here, _mm512_loadu_si512(table + 8 * i));
	}
	_mm512_storeu_si512(r, sum);
}
