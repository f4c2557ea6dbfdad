
/* (high : low) / d for d > high; otherwise it raises #DE */
static inline u32 arch_div_2by1_u32(u32 *rem, u32 high, u32 low, u32 d)
{
	u32 q;

	asm ("divl %[d]" : "=a" (q), "=d" (*rem)
			 : [d] "rm" (d), "a" (low), "d" (high));

	return q;
}

#define arch_div_2by1_u32 arch_div_2by1_u32
