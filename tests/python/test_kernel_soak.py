# SPDX-License-Identifier: MIT
"""What tools/kernel-soak takes for a failure."""

import sys
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path

import pytest

TOOLS = Path(__file__).parents[2] / "tools"
LOG = """\
[    0.000000] Lock dependency validator: Copyright (c) 2006 Red Hat, Inc., Ingo Molnar
[    0.100000] kasan: KernelAddressSanitizer initialized
[    0.200000] kmemleak: Kernel memory leak detector initialized (mem pool available: 15679)
[    0.300000] reboot: Restarting system
"""
REPORT = """\
operations: 37689, of which interrupted 288, without memory 1126
carrychain: the soak is over
 debug_locks:                             1
"""


@pytest.fixture(scope="module")
def soak():
    sys.path.insert(0, str(TOOLS))
    loader = SourceFileLoader("kernel_soak", str(TOOLS / "kernel-soak"))
    module = module_from_spec(spec_from_loader("kernel_soak", loader))
    loader.exec_module(module)
    return module


def test_silence_is_success(soak, capsys):
    assert soak.judge("kasan", LOG, REPORT)
    assert "ok: the kernel says nothing" in capsys.readouterr().out
    assert soak.REPORT.search(REPORT)[0].splitlines() == REPORT.splitlines()[:1]


@pytest.mark.parametrize("line", LOG.splitlines()[:3])
def test_a_watcher_not_at_work(soak, capsys, line):
    assert not soak.judge("kasan", LOG.replace(line, ""), REPORT)
    assert "was not at work" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("asked", "by", "well"),
    [
        ("GFP_HIGHUSER_MOVABLE|__GFP_COMP|__GFP_ZERO", "exc_page_fault+0x99/0xbf", True),
        ("GFP_KERNEL", "fib_read+0x99/0xbf", False),
        ("GFP_HIGHUSER_MOVABLE|__GFP_COMP", "fib_read+0x99/0xbf", False),
    ],
)
def test_memory_that_runs_out(soak, asked, by, well):
    said = (
        f"soak-fibonacci: page allocation failure: order:0, mode:0x140dca({asked}), nodemask=(null)\n {by}\n"
    )
    assert soak.judge("kasan", LOG + said, REPORT) == well


@pytest.mark.parametrize(
    ("by", "well"), [("step_into+0x10/0x20", True), ("fib_read+0x10/0x20 [fibdrv]", False)]
)
def test_a_race(soak, capsys, by, well):
    said = f"BUG: KCSAN: data-race in dentry_unlink_inode / step_into\n\nread to 0x1 by task 2:\n {by}\n\n"
    log = LOG.replace("kasan: Kern", "kcsan: enabled early\nkasan: Kern") + said
    assert soak.judge("kcsan", log, REPORT) == well
    assert "(1 reports of what is not ours)" in capsys.readouterr().out or not well


@pytest.mark.parametrize(
    "said",
    [
        "BUG: KASAN: slab-use-after-free in fib_read+0x10/0x20",
        "BUG: KCSAN: data-race in fib_read [fibdrv] / fib_open [fibdrv]",
        "WARNING: possible circular locking dependency detected",
        "INFO: task soak-fibonacci:71 blocked for more than 120 seconds.",
        "watchdog: BUG: soft lockup - CPU#0 stuck for 22s!",
    ],
)
def test_a_complaint_of_the_kernel(soak, capsys, said):
    assert not soak.judge("kasan", f"{LOG}[    1.000000] {said}\n", REPORT)
    assert said in capsys.readouterr().out


@pytest.mark.parametrize(
    ("said", "instead", "words"),
    [
        ("carrychain: the soak is over", "", "did not come to its end"),
        ("debug_locks:                             1", "debug_locks: 0", "lockdep had stopped"),
        ("debug_locks:                             1", "", "lockdep had stopped"),
        ("operations", "unreferenced object 0xffff8880 (size 64):\noperations", "memory leaked"),
    ],
)
def test_a_report_that_is_not_whole(soak, capsys, said, instead, words):
    assert not soak.judge("kasan", LOG, REPORT.replace(said, instead))
    assert words in capsys.readouterr().out
