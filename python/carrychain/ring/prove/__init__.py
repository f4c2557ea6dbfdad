"""Proofs of what the passes rely on, by exhaustion for small numbers, otherwise by z3.

    transfers  every value that an operation can yield is in the range that transfer.py gives it
    branches   what a comparison's outcome implies about its operands
    demanded   two runs that agree in the demanded bits of the arguments agree in those of the result
    bits       two runs that agree in the right bits of the arguments agree in those that check.py derives
    rewrites   each rule of rules.py: both sides are the same number; it can fire; damaged, it is caught
    counters   claims about a counter carry over from one iteration to the next
    order      a comparison implied by others has the implied outcome
    words      what lowering makes of an operation equals what it yields: the patterns of trust/patterns.py
    passes     each pass on the functions of some programs: its output is equivalent to its input

`python -m carrychain.ring.prove PROGRAM...` proves all of them, and states each; it needs z3. The proofs run
the passes' own code, so there is no copy that could be right where the code is wrong.
"""

WIDTHS_ALL = tuple(range(1, 13))
WIDTHS_WORDS = (31, 32, 33, 63, 64, 65, 128)


class Unproven(Exception):
    """A counterexample, or no answer: which claim, for which numbers."""
