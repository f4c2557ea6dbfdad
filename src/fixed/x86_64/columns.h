/* SPDX-License-Identifier: MIT */
/* columns.h - the number of a product's columns that are summed at a time, in registers. */
#ifndef CC_FIXED_COLUMNS_H
#define CC_FIXED_COLUMNS_H

#define COLUMNS 10

/*
 * A loop that the preprocessor unrolls: otherwise not every compiler keeps the columns in
 * registers.
 */
#define FOR_EACH(statement)                                                                        \
	statement(0) statement(1) statement(2) statement(3) statement(4) statement(5) statement(6) \
		statement(7) statement(8) statement(9)

#endif /* CC_FIXED_COLUMNS_H */
