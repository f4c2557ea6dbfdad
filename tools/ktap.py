# SPDX-License-Identifier: MIT
"""The results of KUnit suites in a kernel's log, in KTAP format."""

import re
from dataclasses import dataclass, field

from uml import Failed

RESULT = re.compile(r"^( *)(not ok|ok) \d+ (?:- )?(.*?)(?: # (SKIP.*))?$")


@dataclass
class Suite:
    name: str
    passed: int = 0
    failed: int = 0
    skipped: int = 0
    said: list[str] = field(default_factory=list)


def parse(log: str) -> list[Suite]:
    """The suites of a log in KTAP.  What has parameters counts by these, not once more as a whole."""
    suites: list[Suite] = []
    current = Suite("")
    inner = 0
    plan = 0
    notes: list[str] = []
    for line in log.splitlines():
        if not suites and not current.name and re.fullmatch(r"1\.\.\d+", line):
            plan = int(line[3:])
        if start := re.match(r"^    # Subtest: (.*)", line):
            current = Suite(start[1])
            inner = 0
        elif result := RESULT.match(line):
            depth, verdict, name, skip = len(result[1]) // 4, result[2], result[3], result[4]
            if depth == 0:
                if verdict != "ok" and not current.failed:
                    current.failed += 1
                    current.said.append(f"{name}: failed as a whole")
                suites.append(current)
                current = Suite("")
                continue
            if depth == 2:
                inner += 1
            elif inner:
                inner = 0
                if verdict == "ok":
                    notes.clear()
                    continue
                if current.failed:
                    continue
            if skip:
                current.skipped += 1
                current.said.append(f"skipped: {name}: {skip}")
            elif verdict == "ok":
                current.passed += 1
            else:
                current.failed += 1
                current.said += [f"FAILED: {name}", *notes]
            notes.clear()
        elif re.match(r"^ +(# .*(FAILED|ERROR)|Expected | +)", line):
            notes.append(line)
    if current.name:
        current.failed += 1
        current.said.append("never finished")
        suites.append(current)
    for number in range(len(suites), plan):
        suites.append(Suite(f"suite {number + 1}", failed=1, said=["never ran"]))
    if not suites:
        raise Failed("no suite ran")
    return suites


def say(suite: Suite) -> tuple[int, int, int]:
    print(f"  {suite.name}: {suite.passed} passed, {suite.failed} failed, {suite.skipped} skipped")
    for line in suite.said:
        print(f"    {line}")
    return suite.passed, suite.failed, suite.skipped


def report(log: str, wrong: list[str]) -> tuple[int, int, int]:
    """Print each suite, and what is WRONG besides; how many cases passed, failed, were skipped."""
    passed, failed, skipped = (sum(column) for column in zip(*map(say, parse(log)), strict=True))
    if wrong:
        print("  FAILED: the kernel's log is not silent:")
        print("".join(f"    {line}\n" for line in wrong), end="")
        return passed, failed + 1, skipped
    print("  the kernel's log: no complaint")
    return passed + 1, failed, skipped
