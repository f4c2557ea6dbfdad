
/**
 * mul_u64_u64_div_const() - multiply and divide by a constant, exactly
 * @a: multiplicand
 * @mul: multiplier
 * @div: divisor, a constant expression other than 0, whose odd part is below 2^32
 *
 * The same as mul_u64_u64_div_u64(), but the compiler turns the divisions into
 * multiplications. If the product has at most 64 bits above the power of 2 in @div, it takes
 * only one branch.
 *
 * Return: floor(@a * @mul / @div), or 2^64 - 1 if that is more
 */
static __always_inline u64 mul_u64_u64_div_const(u64 a, u64 mul, u64 div)
{
	const unsigned int shift = __builtin_ctzll(div);
	const u64 odd = div >> shift;
	union math128 n = u128_shr(mul_half_u128_u64(a, mul), shift);
	u64 high = u128_load_high(n), low = u128_load_low(n);
	u32 rem;

	BUILD_BUG_ON(!__builtin_constant_p(div) || !div || odd > U32_MAX);
	if (likely(!high))
		return div_u64(low, odd);
	if (high >= odd)
		return U64_MAX;
	/* In base 2^32: high and rem are below odd, so each quotient is one digit */
	high = div_u64_rem(high << 32 | low >> 32, odd, &rem);
	return high << 32 | div_u64((u64)rem << 32 | (low & U32_MAX), odd);
}
