// SPDX-License-Identifier: MIT
/*
 * The library as a module: what include/carrychain/ declares, for other modules to use.
 * u128.h and word.h are inline throughout and need no export.
 */
#include <linux/module.h>

#include <carrychain/bigint.h>
#include <carrychain/cpu.h>
#include <carrychain/fib.h>
#include <carrychain/limbs.h>

EXPORT_SYMBOL_GPL(cc_cpu_tiers);
EXPORT_SYMBOL_GPL(cc_cpu_features);
EXPORT_SYMBOL_GPL(cc_cpu_detected);
EXPORT_SYMBOL_GPL(cc_cpu_set_mask);
EXPORT_SYMBOL_GPL(cc_cpu_brand);

EXPORT_SYMBOL_GPL(cc_limbs_add);
EXPORT_SYMBOL_GPL(cc_limbs_sub);
EXPORT_SYMBOL_GPL(cc_limbs_add_1);
EXPORT_SYMBOL_GPL(cc_limbs_sub_1);
EXPORT_SYMBOL_GPL(cc_limbs_mul_1);
EXPORT_SYMBOL_GPL(cc_limbs_addmul_1);
EXPORT_SYMBOL_GPL(cc_limbs_submul_1);
EXPORT_SYMBOL_GPL(cc_limbs_cmp);
EXPORT_SYMBOL_GPL(cc_limbs_normalise);
EXPORT_SYMBOL_GPL(cc_limbs_lshift);
EXPORT_SYMBOL_GPL(cc_limbs_rshift);
EXPORT_SYMBOL_GPL(cc_limbs_mul);
EXPORT_SYMBOL_GPL(cc_limbs_mul_scratch);
EXPORT_SYMBOL_GPL(cc_limbs_sqr);
EXPORT_SYMBOL_GPL(cc_limbs_sqr_scratch);
EXPORT_SYMBOL_GPL(cc_limbs_divrem_1);
EXPORT_SYMBOL_GPL(cc_limbs_divrem);
EXPORT_SYMBOL_GPL(cc_limbs_divrem_scratch);
EXPORT_SYMBOL_GPL(cc_limbs_digits_max);
EXPORT_SYMBOL_GPL(cc_limbs_to_digits);
EXPORT_SYMBOL_GPL(cc_limbs_to_digits_scratch);
EXPORT_SYMBOL_GPL(cc_limbs_from_digits_max);
EXPORT_SYMBOL_GPL(cc_limbs_from_digits);
EXPORT_SYMBOL_GPL(cc_limbs_from_digits_scratch);
EXPORT_SYMBOL_GPL(cc_limbs_tier);

EXPORT_SYMBOL_GPL(cc_bigint_init);
EXPORT_SYMBOL_GPL(cc_bigint_clear);
EXPORT_SYMBOL_GPL(cc_bigint_swap);
EXPORT_SYMBOL_GPL(cc_bigint_reserve);
EXPORT_SYMBOL_GPL(cc_bigint_set);
EXPORT_SYMBOL_GPL(cc_bigint_set_u64);
EXPORT_SYMBOL_GPL(cc_bigint_set_i64);
EXPORT_SYMBOL_GPL(cc_bigint_get_u64);
EXPORT_SYMBOL_GPL(cc_bigint_get_i64);
EXPORT_SYMBOL_GPL(cc_bigint_cmp);
EXPORT_SYMBOL_GPL(cc_bigint_cmp_abs);
EXPORT_SYMBOL_GPL(cc_bigint_sign);
EXPORT_SYMBOL_GPL(cc_bigint_bit_length);
EXPORT_SYMBOL_GPL(cc_bigint_neg);
EXPORT_SYMBOL_GPL(cc_bigint_abs);
EXPORT_SYMBOL_GPL(cc_bigint_add);
EXPORT_SYMBOL_GPL(cc_bigint_sub);
EXPORT_SYMBOL_GPL(cc_bigint_mul);
EXPORT_SYMBOL_GPL(cc_bigint_sqr);
EXPORT_SYMBOL_GPL(cc_bigint_pow);
EXPORT_SYMBOL_GPL(cc_bigint_divmod_floor);
EXPORT_SYMBOL_GPL(cc_bigint_divmod_trunc);
EXPORT_SYMBOL_GPL(cc_bigint_shl);
EXPORT_SYMBOL_GPL(cc_bigint_shr);
EXPORT_SYMBOL_GPL(cc_bigint_and);
EXPORT_SYMBOL_GPL(cc_bigint_or);
EXPORT_SYMBOL_GPL(cc_bigint_xor);
EXPORT_SYMBOL_GPL(cc_bigint_not);
EXPORT_SYMBOL_GPL(cc_bigint_from_string);
EXPORT_SYMBOL_GPL(cc_bigint_to_string);
EXPORT_SYMBOL_GPL(cc_string_free);
EXPORT_SYMBOL_GPL(cc_bigint_format);
EXPORT_SYMBOL_GPL(cc_bigint_to_bytes);
EXPORT_SYMBOL_GPL(cc_bigint_from_bytes);

EXPORT_SYMBOL_GPL(cc_fib);
EXPORT_SYMBOL_GPL(cc_fib_by);
EXPORT_SYMBOL_GPL(cc_fib_u64);
EXPORT_SYMBOL_GPL(cc_fib_strategy_name);

static int __init carrychain_math_init(void)
{
	pr_info("carrychain_math: %s\n", cc_limbs_tier());
	return 0;
}
module_init(carrychain_math_init);

/* Nothing to undo, but a module without an exit can't be unloaded. */
static void __exit carrychain_math_exit(void)
{
}
module_exit(carrychain_math_exit);

MODULE_DESCRIPTION("Exact integers: vectors of words, integers that grow, Fibonacci numbers");
MODULE_LICENSE("Dual MIT/GPL");
