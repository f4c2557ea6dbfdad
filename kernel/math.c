// SPDX-License-Identifier: MIT
/*
 * The library as a module: what include/carrychain/ declares, for other modules to use.
 * u128.h and word.h are inline throughout and need no export.
 */
#include <linux/module.h>

#include <carrychain/bigint.h>
#include <carrychain/checksum.h>
#include <carrychain/cpu.h>
#include <carrychain/fib.h>
#include <carrychain/limbs.h>
#include <carrychain/natural.h>
#include <carrychain/u128.h>

#include "src/checksum/schemes.h"

/* The files of src/ are not specific to the kernel, so all exports are here. */
#define EXPORT(function) EXPORT_SYMBOL_GPL(function)

EXPORT(cc_cpu_tiers);
EXPORT(cc_cpu_features);
EXPORT(cc_cpu_detected);
EXPORT(cc_cpu_set_mask);
EXPORT(cc_cpu_brand);

EXPORT(cc_limbs_add);
EXPORT(cc_limbs_sub);
EXPORT(cc_limbs_add_1);
EXPORT(cc_limbs_sub_1);
EXPORT(cc_limbs_mul_1);
EXPORT(cc_limbs_addmul_1);
EXPORT(cc_limbs_submul_1);
EXPORT(cc_limbs_cmp);
EXPORT(cc_limbs_normalise);
EXPORT(cc_limbs_lshift);
EXPORT(cc_limbs_rshift);
EXPORT(cc_limbs_mul);
EXPORT(cc_limbs_mul_scratch);
EXPORT(cc_limbs_sqr);
EXPORT(cc_limbs_sqr_scratch);
EXPORT(cc_limbs_divrem_1);
EXPORT(cc_limbs_tier);

EXPORT(cc_natural_mul);
EXPORT(cc_natural_mul_scratch);
EXPORT(cc_natural_sqr);
EXPORT(cc_natural_sqr_scratch);
EXPORT(cc_natural_divrem);
EXPORT(cc_natural_divrem_scratch);
EXPORT(cc_natural_isqrt);
EXPORT(cc_natural_isqrt_scratch);
EXPORT(cc_natural_root);
EXPORT(cc_natural_root_scratch);
EXPORT(cc_natural_is_square);
EXPORT(cc_natural_is_square_scratch);
EXPORT(cc_natural_is_power);
EXPORT(cc_natural_is_power_scratch);
EXPORT(cc_natural_remove);
EXPORT(cc_natural_remove_scratch);
EXPORT(cc_natural_divexact);
EXPORT(cc_natural_divexact_scratch);
EXPORT(cc_natural_gcd);
EXPORT(cc_natural_gcd_scratch);
EXPORT(cc_natural_gcdext);
EXPORT(cc_natural_gcdext_scratch);
EXPORT(cc_natural_invert);
EXPORT(cc_natural_invert_scratch);
EXPORT(cc_natural_jacobi);
EXPORT(cc_natural_jacobi_scratch);
EXPORT(cc_natural_powm);
EXPORT(cc_natural_powm_scratch);
EXPORT(cc_natural_digits_max);
EXPORT(cc_natural_to_digits);
EXPORT(cc_natural_to_digits_scratch);
EXPORT(cc_natural_from_digits_max);
EXPORT(cc_natural_from_digits);
EXPORT(cc_natural_from_digits_scratch);

EXPORT(cc_bigint_init);
EXPORT(cc_bigint_clear);
EXPORT(cc_bigint_swap);
EXPORT(cc_bigint_reserve);
EXPORT(cc_bigint_set);
EXPORT(cc_bigint_set_u64);
EXPORT(cc_bigint_set_i64);
EXPORT(cc_bigint_get_u64);
EXPORT(cc_bigint_get_i64);
EXPORT(cc_bigint_cmp);
EXPORT(cc_bigint_cmp_abs);
EXPORT(cc_bigint_sign);
EXPORT(cc_bigint_bit_length);
EXPORT(cc_bigint_neg);
EXPORT(cc_bigint_abs);
EXPORT(cc_bigint_add);
EXPORT(cc_bigint_sub);
EXPORT(cc_bigint_mul);
EXPORT(cc_bigint_mul_watched);
EXPORT(cc_bigint_sqr);
EXPORT(cc_bigint_pow);
EXPORT(cc_bigint_pow_watched);
EXPORT(cc_bigint_divmod_floor);
EXPORT(cc_bigint_divmod_floor_watched);
EXPORT(cc_bigint_divmod_trunc);
EXPORT(cc_bigint_divmod_trunc_watched);
EXPORT(cc_bigint_isqrt);
EXPORT(cc_bigint_root);
EXPORT(cc_bigint_rootrem);
EXPORT(cc_bigint_is_square);
EXPORT(cc_bigint_is_power);
EXPORT(cc_bigint_divexact);
EXPORT(cc_bigint_remove);
EXPORT(cc_bigint_gcd);
EXPORT(cc_bigint_gcdext);
EXPORT(cc_bigint_invert);
EXPORT(cc_bigint_kronecker);
EXPORT(cc_bigint_powm);
EXPORT(cc_bigint_shl);
EXPORT(cc_bigint_shr);
EXPORT(cc_bigint_and);
EXPORT(cc_bigint_or);
EXPORT(cc_bigint_xor);
EXPORT(cc_bigint_not);
EXPORT(cc_bigint_from_string);
EXPORT(cc_bigint_to_string);
EXPORT(cc_string_free);
EXPORT(cc_bigint_format);
EXPORT(cc_bigint_to_bytes);
EXPORT(cc_bigint_from_bytes);

EXPORT(cc_checksum);
EXPORT(cc_checksum_partial);
EXPORT(cc_checksum_copy);
EXPORT(cc_checksum_partial_tier);
EXPORT(cc_checksum_copy_tier);
EXPORT(cc_checksum_tier);

#ifdef EXPORT_IF_KUNIT
EXPORT(cc_checksum16);
EXPORT(cc_checksum16_unrolled);
EXPORT(cc_checksum32);
EXPORT(cc_checksum32_unrolled);
EXPORT(cc_checksum_word);
EXPORT(cc_checksum_word_unrolled);
#endif

EXPORT(cc_fib);
EXPORT(cc_fib_by);
EXPORT(cc_lucas);
EXPORT(cc_fib_u64);
EXPORT(cc_fib_strategy_name);

static int __init carrychain_math_init(void)
{
	pr_info("carrychain_math: tier %s\n", cc_limbs_tier());
	return 0;
}
module_init(carrychain_math_init);

/* There is nothing to undo, but a module without an exit function cannot be unloaded. */
static void __exit carrychain_math_exit(void)
{
}
module_exit(carrychain_math_exit);

MODULE_DESCRIPTION("Exact integers: vectors of words, integers that grow, Fibonacci numbers, checksums");
MODULE_AUTHOR("The Carrychain authors");
MODULE_VERSION(CC_VERSION);
MODULE_LICENSE("Dual MIT/GPL");
