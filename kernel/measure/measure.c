// SPDX-License-Identifier: MIT
/* With carrychain_measure.run=1 on the kernel's command line, measure at boot. */
#include <linux/moduleparam.h>
#include <linux/init.h>

#include "measure.h"

static bool run;
module_param(run, bool, 0);

static int __init measure(void)
{
	if (run) {
		measure_adjfine();
		measure_fib();
	}
	return 0;
}
late_initcall(measure);
