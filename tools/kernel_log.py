# SPDX-License-Identifier: MIT
"""The complaints in a kernel's log."""

import re

COMPLAINT = re.compile(
    r"BUG\b|WARNING:|INFO: |Kernel panic|Oops|KASAN: |kmemleak: \d+ new|unreferenced object|segfault|"
    r"general protection|Modules? .* leaks|possible .* locking|suspicious RCU|soft lockup|refcount_t|"
    r"page allocation failure"
)
# KASAN says nothing when it begins
WATCHERS = {
    "lockdep": r"Lock dependency validator",
    "kmemleak": r"kmemleak: Kernel memory leak detector initialized",
}
KNOWN = re.compile(
    # User-Mode Linux 6.1 walks the mappings of a new process without their lock (arch/um/kernel/tlb.c)
    r"\A.*suspicious RCU usage(?s:.*)\? force_flush_all\+|"
    # a process is killed for memory while it asks for a page of its own
    r"\A.*page allocation failure: .*\(GFP_HIGHUSER_MOVABLE\|(?s:.*)\bexc_page_fault\+|"
    # what races with what in the kernel's own code, nothing of a module of ours being called
    r"\A.*BUG: KCSAN: data-race(?!(?s:.*)\[(?:fibdrv|carrychain_math)\])"
)


def complaints(log: str, watched: bool = False) -> tuple[list[str], int]:
    """The lines that complain, and how many reports there are of what is known and not ours.

    A watched log has to show that every watcher was at work.
    """
    found, known = [], 0
    # each complaint with what follows it, which tells whose it is
    first, *reports = re.split(rf"^(?=.*(?:{COMPLAINT.pattern}))", log, flags=re.MULTILINE)
    for report in reports if not COMPLAINT.search(first) else [first, *reports]:
        if KNOWN.search(report):
            known += 1
        else:
            found.append(report.splitlines()[0])
    if watched:
        found += [f"{name} was not at work" for name, said in WATCHERS.items() if not re.search(said, log)]
    return found, known
