/* SPDX-License-Identifier: MIT */
/* The widest product, in words, that portable columns take without Karatsuba. */
#ifndef CC_FIXED_THRESHOLDS_H
#define CC_FIXED_THRESHOLDS_H

#define CC_FIXED_COMBA_MUL 20
#define CC_FIXED_COMBA_SQR 32

#endif /* CC_FIXED_THRESHOLDS_H */
