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

struct cc_tasks;
struct cc_progress {
	int (*step)(void *context, cc_u64 done, cc_u64 total);
	void *context;
	const struct cc_tasks *tasks;
};

/* threads.h */
#define CC_THREADS_MAX ...
struct cc_threads;
struct cc_threads *cc_threads_open(unsigned int workers);
const struct cc_tasks *cc_threads_tasks(const struct cc_threads *threads);
void cc_threads_close(struct cc_threads *threads);

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
struct cc_checksum_state {
	...;
};
uint16_t cc_checksum(const void *data, size_t len);
void cc_checksum_begin(struct cc_checksum_state *state, uint32_t sum);
void cc_checksum_more(struct cc_checksum_state *state, const void *data, size_t len);
uint16_t cc_checksum_end(const struct cc_checksum_state *state);
const char *cc_checksum_tier(void);

/* fixed.h */
#define CC_FZ_MAX_BITS ...
int cc_fz_mod(cc_word *r, const cc_word *a, size_t an, const cc_word *m, size_t mn);
int cc_fz_powmod_public(cc_word *r, const cc_word *b, const cc_word *e, size_t en, const cc_word *m,
			size_t n);
int cc_fz_powmod_many_bits(cc_word *r, const cc_word *b, const cc_word *e, size_t bits,
			   const cc_word *m, size_t n, size_t count);
int cc_fz_gcdext(cc_word *g, cc_word *x, cc_word *y, const cc_word *a, const cc_word *b, size_t n);
int cc_fz_inverse(cc_word *r, cc_word *exists, const cc_word *a, const cc_word *m, size_t n);
int cc_fz_jacobi(int *symbol, const cc_word *a, const cc_word *m, size_t n);
const char *cc_fz_tier(void);

/* montgomery.h */
struct cc_fz_mont {
	...;
};
size_t CC_FZ_MONT_WORDS(size_t n);
int cc_fz_mont_init(struct cc_fz_mont *M, cc_word *memory, const cc_word *m, size_t n);
void cc_fz_mont_powmod_public(cc_word *r, const cc_word *b, const cc_word *e, size_t en,
			      const struct cc_fz_mont *M);
void cc_fz_mont_powmod_many(cc_word *r, const cc_word *b, const cc_word *e, size_t bits,
			    const struct cc_fz_mont *M, size_t count);

/* prime.h */
int cc_fz_sqrtmod(cc_word *r, cc_word *exists, const cc_word *a, const cc_word *p, size_t n);
int cc_fz_is_prime_public(cc_word *prime, const cc_word *c, size_t n);
int cc_fz_next_prime(cc_word *r, const cc_word *a, size_t n);

/* limbs.h */
const char *cc_limbs_tier(void);
void cc_limbs_mul(cc_word *r, const cc_word *a, size_t an, const cc_word *b, size_t bn,
		  cc_word *scratch);
size_t cc_limbs_mul_scratch(size_t an, size_t bn);
void cc_limbs_sqr(cc_word *r, const cc_word *a, size_t n, cc_word *scratch);
size_t cc_limbs_sqr_scratch(size_t n);

/* natural.h */
size_t cc_natural_mul_scratch(size_t an, size_t bn);
size_t cc_natural_sqr_scratch(size_t n);
void cc_natural_divrem(cc_word *q, cc_word *r, const cc_word *a, size_t an, const cc_word *d,
		     size_t dn, cc_word *scratch);
size_t cc_natural_divrem_scratch(size_t an, size_t dn);
size_t cc_natural_to_digits_scratch(size_t n, unsigned int radix);
size_t cc_natural_digits_max(size_t n, unsigned int radix);

/* bigint.h */
#define CC_BIG_ENDIAN ...
#define CC_SIGNED ...
typedef struct cc_bigint {
	cc_word *words;
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
int cc_fib_decimal(char **digits, size_t *length, uint64_t n, const struct cc_progress *progress);
uint64_t cc_fib_decimal_memory(uint64_t n);
const char *cc_fib_strategy_name(int strategy);

/* packet.h, vantage.h, capture.h, and those of ../pcap */
#define CC_PACKET_PROTOCOLS ...
#define CC_PACKET_NO_HEURISTICS ...
#define CC_PACKET_VERDICTS ...
#define CC_PACKET_REASONS ...
enum cc_packet_verdict {
	CC_PACKET_BAD,
	CC_PACKET_UNVERIFIABLE,
	...
};
#define CC_VERDICTS ...
#define CC_EVIDENCES ...
enum cc_evidence {
	CC_EVIDENCE_UNSETTLED,
	...
};
enum cc_vantage {
	CC_VANTAGE_SENDER,
	CC_VANTAGE_RECEIVER,
	CC_VANTAGE_WIRE,
	...
};
const char *cc_verdict_name(unsigned int verdict);
const char *cc_evidence_text(unsigned int evidence);
const char *cc_packet_protocol_name(unsigned int protocol);
const char *cc_packet_reason_name(unsigned int reason);
#define CC_PACKET_TEXT ...
size_t cc_packet_unknown_text(char *text, unsigned int what, uint32_t number);
enum cc_packet_unknown { CC_PACKET_NOTHING, CC_PACKET_LINK, ... };
struct cc_packet_fragment {
	...;
};
struct cc_packet_layer {
	unsigned char protocol, verdict, reason, family, width, has_ports, quoted, field_at;
	uint16_t source_port, destination_port;
	unsigned char pseudo_number, routed;
	size_t field;
	uint32_t length, pseudo_length;
	uint32_t expected, found;
	const unsigned char *source, *destination;
	...;
};
struct cc_packet_layers {
	size_t count;
	struct cc_packet_layer layer[...];
	int is_fragment;
	enum cc_packet_unknown unknown;
	uint32_t number;
	...;
};
struct cc_packet_write {
	...;
};
void cc_packet_walk(struct cc_packet_layers *out, unsigned int link, const unsigned char *data,
		    size_t captured, size_t original, unsigned int flags);
size_t cc_packet_repair(struct cc_packet_layers *out, struct cc_packet_write *written,
			unsigned int link, const struct cc_packet_fragment *of, unsigned char *data,
			size_t captured, size_t original, unsigned int flags);
struct cc_causes {
	uint32_t fits;
	uint16_t difference;
	...;
};
void cc_cause_find(struct cc_causes *out, const struct cc_packet_layer *f,
		   const unsigned char *data);
size_t cc_cause_places(const struct cc_packet_layer *f, const unsigned char *data,
		       uint16_t difference, size_t *at, size_t most);
#define CC_CAUSES ...
enum cc_cause { CC_CAUSE_BIT, ... };
const char *cc_cause_text(unsigned int cause);
int cc_cause_bit(uint16_t difference);
int cc_cause_bit_rose(uint16_t difference);
struct cc_cause_count {
	cc_u64 count;
	uint32_t fits;
	uint16_t difference;
	unsigned char protocol, explained;
	...;
};
struct cc_cause_ranked {
	unsigned char cause, same;
	uint16_t difference;
	cc_u64 count, saved;
	uint32_t ties;
	...;
};
size_t cc_cause_rank(struct cc_cause_ranked *rank, const struct cc_cause_count *some, size_t count,
		     unsigned int protocol);
void cc_cause_take(struct cc_cause_count *some, size_t count, unsigned int protocol,
		   unsigned int cause);
enum cc_capture_format { CC_CAPTURE_UNKNOWN, CC_CAPTURE_PCAP, CC_CAPTURE_PCAPNG };
enum cc_capture_status {
	CC_CAPTURE_RECORD,
	CC_CAPTURE_BLOCK,
	CC_CAPTURE_MORE,
	CC_CAPTURE_FOREIGN,
	CC_CAPTURE_VERSION,
	CC_CAPTURE_LENGTH,
	CC_CAPTURE_INTERFACE,
	CC_CAPTURE_CROWDED,
	...
};
#define CC_CAPTURE_INTERFACES ...
struct cc_capture {
	enum cc_capture_format format;
	cc_u64 need, value;
	...;
};
#define CC_PACKET_DATAGRAMS ...
#define CC_PACKET_END ...
struct cc_packet_datagram {
	...;
};
void *calloc(size_t count, size_t size);
void free(void *memory);
struct cc_packet_datagrams {
	cc_u64 seen;
	uint32_t open, most;
	uint32_t key[...];
	cc_u64 touched[...];
	struct cc_packet_datagram datagram[...];
	...;
};
#define CC_PACKET_LAYERS ...
struct batch_entry {
	cc_u64 frame, time;
	uint32_t length, interface, capture;
	uint32_t expected, found;
	uint16_t source_port, destination_port;
	unsigned char protocol, verdict, reason, width, has_ports;
	unsigned char family;
	unsigned char source[16], destination[16];
	unsigned char sum, shown, mac[6];
	unsigned char evidence, provisional;
	uint32_t number, causes;
	...;
};
struct batch_unknown {
	uint32_t what, number;
	cc_u64 count;
	...;
};
struct batch_interface {
	uint32_t number, link;
	char name[...];
	...;
};
#define TALLY_MOST ...
struct tally_key {
	uint32_t interface;
	uint16_t source_port, destination_port;
	unsigned char protocol, has_ports, family;
	unsigned char sum, evidence;
	uint32_t fits;
	uint16_t difference, found;
	unsigned char source[16], destination[16];
	...;
};
struct tally_row {
	struct tally_key key;
	cc_u64 count[...];
	unsigned char verdict, evidence;
	...;
};
struct tally {
	size_t count;
	struct tally_row *row;
	struct tally_row others;
	...;
};
void tally_free(struct tally *t);
int tally_add(struct tally *t, const struct tally *from);
int causes_add(struct tally *t, const struct tally *from);
int causes_settle(struct cc_cause_count *some, const struct tally *bad, const struct tally *talks);
struct cc_vantage_macs {
	cc_u64 mac[2];
	unsigned char begun;
	unsigned char as[2];
};
struct learned {
	struct cc_vantage_macs macs;
	...;
};
void learned_free(struct learned *l);
int learned_add(struct learned *l, const struct learned *from);
int learned_settle(const struct learned *l, struct tally *sums, int *changed);
#define HISTOGRAM_BINS ...
#define HISTOGRAM_LENGTHS ...
struct histogram_times {
	unsigned int shift;
	cc_u64 first, low, high;
	cc_u64 count[...][...];
	...;
};
struct histogram {
	cc_u64 timeless;
	struct histogram_times unset, set;
	cc_u64 length[...][...];
	...;
};
void histogram_add(struct histogram *h, const struct histogram *from);
enum batch_by {
	BATCH_BY_NOTHING,
	BATCH_BY_INTERFACE,
	BATCH_BY_HOST,
	BATCH_BY_CONVERSATION,
	BATCH_BY_VLAN,
	BATCH_BY_LENGTH_4,
	BATCH_BY_LENGTH_64,
	BATCH_BY_OFFSET,
};
struct batch_patch {
	cc_u64 place;
	unsigned char byte;
	...;
};
struct batch_program {
	uint32_t link;
	const void *code;
};
struct batch_filter {
	unsigned int (*run)(const void *code, const unsigned char *packet, unsigned int original,
			    unsigned int captured);
	size_t count;
	const struct batch_program *program;
	...;
};
struct batch_record {
	uint32_t at, captured, original, link, interface, flags;
	cc_u64 time;
	...;
};
struct batch {
	unsigned char *data;
	size_t size, filled, used;
	cc_u64 place;
	cc_u64 frame;
	uint32_t capture;
	unsigned int tell, flags;
	int judge, stated;
	const struct tally *settled;
	int doubted, damaged;
	int fix, note;
	const struct batch_filter *filter;
	enum batch_by by;
	int plot;
	size_t record_count;
	struct batch_record *record;
	cc_u64 count[...][...];
	cc_u64 quoted[...][...];
	cc_u64 reason[...];
	cc_u64 left_out, without;
	cc_u64 fixed, unfixed;
	size_t entry_count;
	struct batch_entry *entry;
	size_t fragment_count;
	size_t unknown_count;
	struct batch_unknown *unknown;
	size_t patch_count;
	struct batch_patch *patch;
	size_t interface_count;
	struct batch_interface *interface;
	size_t noted_count;
	cc_u64 *noted;
	struct tally tally, wrong, causes, talks;
	struct learned learned;
	struct histogram histogram;
	...;
};
#define BATCH_BYTES ...
#define BATCH_HEAD ...
#define BATCH_WAITING ...
#define BATCH_DISORDER ...
struct batch *batch_new(size_t size);
void batch_free(struct batch *b);
int batch_grow(struct batch *b, size_t size);
enum cc_capture_status batch_cut(struct batch *b, struct cc_capture *c);
int batch_walk(struct batch *b);
int batch_reassemble(struct batch *b, struct cc_packet_datagrams *s);
int batch_end(struct batch *b, struct cc_packet_datagrams *s, cc_u64 now);
void batch_keys(const struct batch *b, uint32_t *key);
void batch_sort(struct batch *b);
void batch_settle(struct batch_entry *entry, size_t count, const struct tally *settled);
size_t batch_entries(struct batch_entry *entry, unsigned int link, const unsigned char *data,
		     size_t captured, size_t original, unsigned int flags);
#define ROWS_COLUMNS ...
#define ROWS_LONGEST ...
struct rows_word {
	const char *text;
	size_t length;
};
struct rows_words {
	struct rows_word before[...];
	struct rows_word after;
	struct rows_word protocol[...], verdict[...], reason[...], evidence[...];
	struct rows_word provisional;
	...;
};
size_t rows_write(char *to, const struct batch_entry *entry, size_t count,
		  const struct rows_words *words);
size_t rows_name(struct rows_words *words);
const char *rows_column(unsigned int i);
#define SOURCE_TROUBLE ...
size_t source_trouble(char *to, enum cc_capture_status status, const struct cc_capture *c,
		      const char *broken, cc_u64 place, cc_u64 frames);
size_t source_series(char *to, const char *name);

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
int fib_sweep(uint64_t *ns, const uint64_t *n, size_t count, size_t rounds,
	      enum cc_fib_strategy strategy);
uint64_t residue_of_words(uint64_t r, const cc_word *a, size_t n, uint64_t modulus);
int residue_of_digits(uint64_t *r, const char *digits, size_t count, uint64_t modulus);

extern "Python+C" int watch_report(void *listener, cc_u64 done, cc_u64 total);

/* ../ring/call/runtime/runtime.h */
typedef int64_t ring_value;
struct ring_array {
	uint64_t length;
	void *data;
	...;
};
struct ring_context {
	unsigned char due;
	unsigned char stopped;
	int (*ask)(void);
	...;
};
struct ring_slots {
	ring_value values[];
	...;
};
struct ring_symbol {
	const char *name;
	void (*function)(void);
};
const struct ring_symbol *ring_symbols(size_t *count);
int ring_call(uintptr_t entry, void *arguments, struct ring_slots *results,
	      struct ring_context *context);
struct ring_slots *ring_slots_new(uint64_t count, uint64_t words);
void ring_slots_free(struct ring_slots *slots);
ring_value ring_from_bytes(const void *bytes, size_t length);
void ring_release(ring_value x);
struct ring_array *ring_array(ring_value x);

extern "Python+C" int ring_signals(void);
