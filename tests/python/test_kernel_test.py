# SPDX-License-Identifier: MIT
"""What tools/kernel-test takes for a failure, and that no emulator outlives it."""

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from test_guard import assert_gone

TOOLS = Path(__file__).parents[2] / "tools"
# tools/kernel-test, but for what it fetches and builds; an emulated machine is a shell's command
DRIVER = f"""
import dataclasses, sys
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path

sys.path.insert(0, "{TOOLS}")
import guard, machine, uml

loader = SourceFileLoader("kernel_test", "{TOOLS}/kernel-test")
kernel_test = module_from_spec(spec_from_loader("kernel_test", loader))
loader.exec_module(kernel_test)
place, emulator, *sys.argv = sys.argv[1:]
uml.TOP = uml.WORK = machine.PLACE = Path(place)
uml.fetch_packages = lambda: None
machine.Machine.fetch = lambda target: "6.1.0-1"
kernel_test.build_clients = lambda *arguments: None
kernel_test.build_modules = lambda *arguments: []
kernel_test.root = lambda directory, *arguments: directory.mkdir()
# seconds; no other test is to be ended by the clock
if "sleep" in emulator:
    guard.IDLE = 2
for name, target in machine.MACHINES.items():
    kernel = Path(place, name, "boot/vmlinuz")
    kernel.parent.mkdir(parents=True)
    kernel.touch()
    machine.MACHINES[name] = dataclasses.replace(target, emulator=("sh", "-c", emulator, name))
sys.exit(kernel_test.main())
"""
# what comes after -serial file: is the log
SPEAKING = 'for word; do case $word in file:*) cat "$0.says" >"${word#file:}";; esac; done'
SUITES = "".join(
    f"    # Subtest: {name}\n"
    "        # Subtest: products\n        ok 1 small\n        ok 2 large\n    ok 1 products\n"
    f"    ok 2 quotients of {name}\nok 1 {name}\n"
    for name in ("u128", "limbs", "bigint", "fib", "checksum", "crc")
)
I386 = f"""\
Linux version 6.1.0-1
carrychain_math: tier generic
{SUITES}| ok lseek within and beyond (12 ms)
|     this kernel injects no failures
| skipped each allocation of a call fails in turn (1 ms)
| 1 passed, 0 failed, 1 skipped
| ok fibctl 10
| 1 passed, 0 failed, 0 skipped
| greeting 46: 1
| greeting 47: 1
| 46: 1836311903
| 47: too large
| 4 passed, 0 failed, 0 skipped
carrychain: everything was asked
reboot: Power down
"""
# where 32-bit programs ask, too
AMD64 = I386.replace("too large", "2971215073").replace(
    "| ok fibctl", "| 1 passed, 0 failed, 0 skipped\n| ok fibctl"
)


def begin(place: Path, emulator: str, *names: str) -> subprocess.Popen:
    command = [sys.executable, "-c", DRIVER, str(place), emulator, "kernel-test", *names]
    return subprocess.Popen(command, cwd=place, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def run(place: Path, emulator: str, **logs: str) -> tuple[int, str]:
    names = [name.replace("amd64", "amd64-6.12") for name in logs]
    for name, log in zip(names, logs.values(), strict=True):
        (place / f"{name}.says").write_text(log)
    process = begin(place, emulator, *names)
    said, _ = process.communicate()
    return process.returncode, said


def test_what_holds(tmp_path):
    status, said = run(tmp_path, SPEAKING, amd64=AMD64, i386=I386)
    assert status == 0, said
    assert "i386: the course client, 3 of 4 numbers fit: as on amd64-6.12" in said
    assert "skipped: each allocation of a call fails in turn: this kernel injects no failures" in said
    # each machine's cases and its silence, and each one's numbers
    assert said.endswith(f"{18 + 7 + 1 + 18 + 6 + 1 + 2} passed, 0 failed, 2 skipped\n")


@pytest.mark.parametrize(
    ("damaged", "instead", "words"),
    [
        (
            "    ok 2 quotients of fib\nok 1 fib",
            "    not ok 2 quotients of fib\nnot ok 1 fib",
            "FAILED: quotients of fib",
        ),
        ("        ok 2 large", "        not ok 2 large", "FAILED: large"),
        (SUITES, SUITES.partition("    # Subtest: fib")[0], "3 of 6 suites ran"),
        (SUITES, "", "no suite ran"),
        ("ok 1 crc\n", "", "never finished"),
        ("| 1 passed, 0 failed, 1", "| 0 passed, 1 failed, 1", "0 passed, 1 failed"),
        ("| 1 passed, 0 failed, 0 skipped\n", "", "a client did not finish"),
        ("carrychain: everything was asked\n", "", "the log has no end"),
        ("carrychain_math: tier generic\n", "", "never said that it was loaded"),
        ("reboot:", "watchdog: BUG: soft lockup - CPU#0 stuck for 134s! [cat:71]\nreboot:", "soft lockup"),
        ("reboot:", "rcu: INFO: rcu_sched self-detected stall on CPU\nreboot:", "self-detected stall"),
        ("reboot:", "Kernel panic - not syncing: Oops\nreboot:", "Kernel panic"),
        ("47: too large", "47: -1323752223", "FAILED: not as on amd64-6.12"),
        ("46: 1836311903", "46: too large", "FAILED: not as on amd64-6.12"),
        ("| greeting 47: 1\n", "", "FAILED: not as on amd64-6.12"),
    ],
)
def test_what_does_not_hold(tmp_path, damaged, instead, words):
    assert damaged in I386
    status, said = run(tmp_path, SPEAKING, amd64=AMD64, i386=I386.replace(damaged, instead))
    assert status == 1 and words in said, said
    assert not said.endswith(" 0 failed, 2 skipped\n")


@pytest.mark.parametrize(
    ("emulator", "words"),
    [
        (f"{SPEAKING}; sleep 1000", "did not halt: killed: no word"),
        ("echo no such machine; exit 1", "no such machine"),
    ],
)
def test_a_machine_that_does_not_halt_or_begin(tmp_path, emulator, words):
    status, said = run(tmp_path, emulator, i386=I386)
    assert status == 1 and words in said, said


def test_no_numbers_to_compare_with(tmp_path):
    status, said = run(tmp_path, SPEAKING, i386=I386)
    assert status == 0 and "skipped: i386: what the course client printed: amd64 was not asked" in said


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_no_emulator_outlives_it(tmp_path, number):
    emulator = (
        "trap '' INT TERM HUP; setsid sleep 1000 & echo $$ $! >pids; mv pids all; sleep 1000; sleep 1000"
    )
    process = begin(tmp_path, emulator, "i386")
    while not (tmp_path / "all").exists():
        assert process.poll() is None
        time.sleep(0.05)
    process.send_signal(number)
    assert process.wait() == 128 + number
    assert_gone([int(pid) for pid in (tmp_path / "all").read_text().split()])
