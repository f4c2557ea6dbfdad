/* SPDX-License-Identifier: MIT */
/* What Python calls, for cffi: the parts of the public headers it needs, and native.h. */

typedef int... cc_word;
typedef uint64_t cc_u64;
#define CC_WORD_BITS ...

#define CC_OK ...
#define CC_EINTR ...
#define CC_ENOMEM ...
#define CC_EINVAL ...
#define CC_ERANGE ...

struct cc_progress {
	int (*step)(void *context, cc_u64 done, cc_u64 total);
	void *context;
};

/* cpu.h */
#define CC_CPU_X86_64 ...
#define CC_CPU_BMI2 ...
#define CC_CPU_ADX ...
#define CC_CPU_AVX2 ...
#define CC_CPU_AVX512 ...
#define CC_CPU_AVX512IFMA ...
#define CC_CPU_AVX512VNNI ...
#define CC_CPU_NEON ...
#define CC_CPU_ALTIVEC ...
struct cc_cpu_tier {
	const char *name;
	uint64_t needs;
};
const struct cc_cpu_tier *cc_cpu_tiers(size_t *count);
uint64_t cc_cpu_features(void);
uint64_t cc_cpu_detected(void);
void cc_cpu_set_mask(uint64_t mask);
void cc_cpu_brand(char *name);

/* checksum.h */
const char *cc_checksum_tier(void);

/* limbs.h */
const char *cc_limbs_tier(void);
void cc_limbs_mul(cc_word *r, const cc_word *a, size_t an, const cc_word *b, size_t bn,
		  cc_word *scratch);
size_t cc_limbs_mul_scratch(size_t an, size_t bn);
void cc_limbs_sqr(cc_word *r, const cc_word *a, size_t n, cc_word *scratch);
size_t cc_limbs_sqr_scratch(size_t n);
void cc_limbs_divrem(cc_word *q, cc_word *r, const cc_word *a, size_t an, const cc_word *d,
		     size_t dn, cc_word *scratch);
size_t cc_limbs_divrem_scratch(size_t an, size_t dn);

/* bigint.h */
#define CC_BIG_ENDIAN ...
#define CC_SIGNED ...
typedef struct cc_bigint {
	size_t length;
	...;
} cc_bigint;
void cc_bigint_init(cc_bigint *x);
void cc_bigint_clear(cc_bigint *x);
int cc_bigint_cmp(const cc_bigint *x, const cc_bigint *y);
int cc_bigint_cmp_abs(const cc_bigint *x, const cc_bigint *y);
int cc_bigint_sign(const cc_bigint *x);
uint64_t cc_bigint_bit_length(const cc_bigint *x);
int cc_bigint_neg(cc_bigint *r, const cc_bigint *x);
int cc_bigint_abs(cc_bigint *r, const cc_bigint *x);
int cc_bigint_add(cc_bigint *r, const cc_bigint *x, const cc_bigint *y);
int cc_bigint_sub(cc_bigint *r, const cc_bigint *x, const cc_bigint *y);
int cc_bigint_mul(cc_bigint *r, const cc_bigint *x, const cc_bigint *y);
int cc_bigint_sqr(cc_bigint *r, const cc_bigint *x);
int cc_bigint_pow(cc_bigint *r, const cc_bigint *x, uint64_t exponent);
int cc_bigint_divmod_floor(cc_bigint *q, cc_bigint *r, const cc_bigint *x, const cc_bigint *y);
int cc_bigint_divmod_trunc(cc_bigint *q, cc_bigint *r, const cc_bigint *x, const cc_bigint *y);
int cc_bigint_shl(cc_bigint *r, const cc_bigint *x, uint64_t bits);
int cc_bigint_shr(cc_bigint *r, const cc_bigint *x, uint64_t bits);
int cc_bigint_and(cc_bigint *r, const cc_bigint *x, const cc_bigint *y);
int cc_bigint_or(cc_bigint *r, const cc_bigint *x, const cc_bigint *y);
int cc_bigint_xor(cc_bigint *r, const cc_bigint *x, const cc_bigint *y);
int cc_bigint_not(cc_bigint *r, const cc_bigint *x);
int cc_bigint_from_string(cc_bigint *r, const char *s, int radix);
int cc_bigint_format(char **s, size_t *length, const cc_bigint *x, int radix,
		     const struct cc_progress *progress);
void cc_string_free(char *s);
int cc_bigint_to_bytes(void *bytes, size_t length, const cc_bigint *x, unsigned int flags);
int cc_bigint_from_bytes(cc_bigint *r, const void *bytes, size_t length, unsigned int flags);

/* fib.h */
enum cc_fib_strategy { CC_FIB_SQUARING, CC_FIB_DOUBLING, CC_FIB_ITERATIVE, ... };
#define CC_FIB_STRATEGIES ...
int cc_fib_by(cc_bigint *f, uint64_t n, enum cc_fib_strategy strategy,
	      const struct cc_progress *progress);
const char *cc_fib_strategy_name(int strategy);

/* native.h */
struct watch {
	void *listener;
	uint64_t interval;
	int stop;
	...;
};
int watch_step(void *context, cc_u64 done, cc_u64 total);
const char *compiler_name(void);
void muldiv_each(uint64_t *q, const uint64_t *a, const uint64_t *b, const uint64_t *c,
		 size_t count);
int muldiv_peer_each(uint64_t *q, const uint64_t *a, const uint64_t *b, const uint64_t *c,
		     size_t count);
int fib_sweep(uint64_t *ns, const uint64_t *n, size_t count, size_t rounds,
	      enum cc_fib_strategy strategy);

extern "Python+C" int watch_report(void *listener, cc_u64 done, cc_u64 total);
