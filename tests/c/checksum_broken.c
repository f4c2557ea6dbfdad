// SPDX-License-Identifier: MIT
/* Schemes with one fault each.  A test that lets one of them pass is itself broken. */
#include "checksum_parts.h"

#include <string.h>

#define SOUND cc_checksum_word
#define SCHEME(name, sum)                                                                          \
	static cc_u32 name(const unsigned char *p, size_t len)                                     \
	{                                                                                          \
		return sum;                                                                        \
	}

static cc_u32 never_flushed(const unsigned char *p, size_t len)
{
	cc_u32 sum = 0;

	for (; len > 1; p += 2, len -= 2)
		sum += cc_load_u16(p);
	return cc_checksum_add(sum, SOUND(p, len));
}

/* One word too many for 32 bits. */
static cc_u32 flushed_late(const unsigned char *p, size_t len)
{
	cc_u64 sum = 0;

	while (len) {
		size_t take = len < CC_CHECKSUM16_FLUSH + 4 ? len : CC_CHECKSUM16_FLUSH + 4;

		sum += never_flushed(p, take);
		p += take;
		len -= take;
	}
	return cc_checksum_fold32(sum);
}

SCHEME(odd_byte_in_wrong_half,
       SOUND(p, len & ~(size_t)1) + (len & 1 ? cc_checksum_shift(cc_load_last(p + len - 1), 1) : 0))
SCHEME(odd_byte_dropped, SOUND(p, len & ~(size_t)1))

static cc_u32 carries_dropped(const unsigned char *p, size_t len)
{
	cc_word sum = 0;

	for (; len >= sizeof(sum); p += sizeof(sum), len -= sizeof(sum))
		sum += cc_load_word(p);
	return cc_checksum_fold32(cc_checksum_fold64(sum) + SOUND(p, len));
}

/* What has the carries of one place but not those of another. */
static cc_u32 last_carry_dropped(const unsigned char *p, size_t len)
{
	cc_word whole = 0, w;
	cc_u64 carries = 0;

	for (; len >= sizeof(w); p += sizeof(w), len -= sizeof(w)) {
		w = cc_load_word(p);
		whole += w;
		if (len >= 2 * sizeof(w))
			carries += whole < w;
	}
	return cc_checksum_fold32(cc_checksum_fold64(whole) + carries + SOUND(p, len));
}

SCHEME(zero_for_zero, SOUND(p, len) % 65535)

static cc_u32 reads_past(const unsigned char *p, size_t len)
{
	(void)*(const volatile unsigned char *)(p + len);
	return SOUND(p, len);
}

static cc_u32 reads_before(const unsigned char *p, size_t len)
{
	(void)*(const volatile unsigned char *)(p - 1);
	return SOUND(p, len);
}

/* Forgets that the vectors of an odd address hold other words. */
static cc_u32 odd_address_as_even(const unsigned char *p, size_t len)
{
	size_t head = (0 - (uintptr_t)p) % 16;

	if (len < 128)
		return SOUND(p, len);
	return cc_checksum_add(SOUND(p, head), SOUND(p + head, len - head));
}

SCHEME(vector_forgotten, len == 65536 + 32 ? SOUND(p, len - 32) : SOUND(p, len))
SCHEME(length_in_16_bits, SOUND(p, (uint16_t)len))

/*
 * The estimate of x86_64/deferred.h, in portable C with one lane a vector of 8 bytes, for
 * whole groups, with the constants that its proof gives or others.
 */
static uint64_t average(uint64_t a, uint64_t b)
{
	return (a + b + 1) / 2;
}

static cc_u32 estimated(const unsigned char *p, size_t len, size_t most, uint64_t margin)
{
	uint64_t sum = 0;

	while (len >= 64) {
		size_t groups = len / 64 < most ? len / 64 : most, i, j;
		uint64_t wrapped = 0, tops = 0, estimate, d;

		for (i = 0; i < groups; i++) {
			uint64_t v[8];

			memcpy(v, p + 64 * i, 64);
			for (j = 0; j < 8; j++) {
				wrapped += v[j];
				v[j] >>= 48;
			}
			tops += average(average(average(v[0], v[1]), average(v[2], v[3])),
					average(average(v[4], v[5]), average(v[6], v[7])));
		}
		estimate = 8 * tops - margin * groups;
		d = wrapped - (estimate << 48);
		sum += (d & 0xffffffffffff) + (d >> 48) + estimate;
		sum = cc_checksum_fold64(sum);
		p += 64 * groups;
		len -= 64 * groups;
	}
	return cc_checksum_fold32(sum + SOUND(p, len));
}

#define ESTIMATED ((size_t)3276)

SCHEME(estimated_sound, estimated(p, len, ESTIMATED, 12))
SCHEME(estimated_too_long, estimated(p, len, ESTIMATED + 1, 12))
SCHEME(estimated_too_high, estimated(p, len, ESTIMATED, 11))

static void run_broken(const void *context)
{
	check_scheme(context);
}

void broken_schemes(void)
{
#define BROKEN(function, flush)                                                                    \
	{                                                                                          \
#function, "broken", 0, flush, function                                            \
	}
	static const struct cc_checksum_scheme broken[] = {
		BROKEN(never_flushed, CC_CHECKSUM16_FLUSH),
		BROKEN(flushed_late, CC_CHECKSUM16_FLUSH),
		BROKEN(odd_byte_in_wrong_half, 0),
		BROKEN(odd_byte_dropped, 0),
		BROKEN(carries_dropped, 0),
		BROKEN(last_carry_dropped, 0),
		BROKEN(zero_for_zero, 0),
		BROKEN(reads_past, 0),
		BROKEN(reads_before, 0),
		BROKEN(odd_address_as_even, 0),
		BROKEN(vector_forgotten, 0),
		BROKEN(length_in_16_bits, 0),
		BROKEN(estimated_too_long, (ESTIMATED + 1) * 64),
		BROKEN(estimated_too_high, ESTIMATED * 64),
	};
	static const struct cc_checksum_scheme sound[] = {
		{"sound", "sound", 0, 0, SOUND},
		{"sound estimate", "sound", 0, ESTIMATED * 64, estimated_sound},
	};
	size_t i;

	for (i = 0; i < COUNT(broken); i++)
		test_control(broken[i].name, true, run_broken, &broken[i]);
	for (i = 0; i < COUNT(sound); i++)
		test_control(sound[i].name, false, run_broken, &sound[i]);
}
