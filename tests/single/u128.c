// SPDX-License-Identifier: MIT
/* Known answers of u128.h where nothing else of ours is: 0, or which is wrong first. */
#include "u128.h"

#define NUMBER(x, digits) u128_from_dec(x, digits, sizeof(digits) - 1)

#ifdef __cplusplus
extern "C" {
#endif
int answers(void);
#ifdef __cplusplus
}
#endif

int answers(void)
{
	cc_u128 prime, power, square, shifted, quotient, rest;
	char text[CC_U128_DEC_SIZE];

	if (mul_u64_u64_div_u64(175136586720000u, 135989749728000u, 175138003500000u) !=
	    135988649638049u)
		return 1;
	/* 2^127 - 1; 10^38; its square and its 8-fold, modulo 2^128 */
	if (NUMBER(&prime, "170141183460469231731687303715884105727") ||
	    NUMBER(&power, "100000000000000000000000000000000000000") ||
	    NUMBER(&square, "158788995957577343786214718011688878080") ||
	    NUMBER(&shifted, "119435266158123073073250785136463577088") ||
	    NUMBER(&quotient, "170141182269480955845320612798"))
		return 2;
	if (NUMBER(&rest, "340282366920938463463374607431768211456") != CC_ERANGE)
		return 3;
	if (!u128_et(mul_u128_u128(power, power), square))
		return 4;
	if (!u128_et(u128_shl(power, 3), shifted))
		return 5;
	if (!u128_et(div_u128_u64_rem(prime, 1000000007, &rest), quotient) ||
	    u128_load_low(rest) != 639816141)
		return 6;
	if (u128_to_dec(text, prime) != 39 || text[0] != '1' || text[38] != '7')
		return 7;
	return 0;
}
