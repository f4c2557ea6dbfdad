/* SPDX-License-Identifier: MIT */
/* params.h - test parameters as rows of a table, described by their names. */
#ifndef CC_KUNIT_PARAMS_H
#define CC_KUNIT_PARAMS_H

#include <kunit/test.h>
#include <linux/string.h>

#define NAMED_PARAMS(what, array)					\
	static void what##_desc(typeof(array[0]) *row, char *desc)	\
	{								\
		strscpy(desc, row->name, KUNIT_PARAM_DESC_SIZE);	\
	}								\
	KUNIT_ARRAY_PARAM(what, array, what##_desc)

#endif /* CC_KUNIT_PARAMS_H */
