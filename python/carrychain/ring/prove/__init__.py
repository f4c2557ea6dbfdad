"""Proofs of what the passes rely on, by exhaustion where numbers are small, by z3 where they are not.

    transfers  every value an operation can yield lies in the range that transfer.py gives it
    branches   what a comparison's outcome says of its sides
    demanded   two runs that agree in the demanded bits of the arguments agree in those of the result
    bits       two runs that agree in the right bits of the arguments agree in those that check.py derives
    rewrites   each rule of rules.py: both sides are the same number; it can fire; damaged, it is caught
    counters   what is said of a counter follows from a round to the next
    order      a comparison that others decide comes out so
    words      what lowering makes of an operation comes to what it yields: the patterns of trust/patterns.py
    passes     each pass over the functions of some programs: what it makes comes to what it was given

`python -m carrychain.ring.prove PROGRAM...` proves them all, and states each; it needs z3. What is run is
the passes' own code, so there is no copy of it here that could be right where it is wrong.
"""

WIDTHS_ALL = tuple(range(1, 13))
WIDTHS_WORDS = (31, 32, 33, 63, 64, 65, 128)


class Unproven(Exception):
    """A counterexample, or no answer: which claim, for which numbers."""
