
/* (high : low) / d for d > high; otherwise it raises #DE */
static inline u64 arch_div_2by1_u64(u64 *rem, u64 high, u64 low, u64 d)
{
	u64 q;

	asm ("divq %[d]" : "=a" (q), "=d" (*rem)
			 : [d] "rm" (d), "a" (low), "d" (high));

	return q;
}

#define arch_div_2by1_u64 arch_div_2by1_u64
