"""Proofs of what the passes rely on, by exhaustion for small numbers, otherwise by z3.

    transfers  every value that an operation can yield is in the range of transfer.py, and of bounds.py
    branches   what a comparison's outcome implies about its operands
    demanded   two runs that agree in the demanded bits of the arguments agree in those of the result
    bits       two runs that agree in the correct bits of the arguments agree in those that check.py derives
    rewrites   each rule of rules.py: both sides are the same number; it can fire; damaged, it is refuted
    bitmaps    the bits of which trust/bitmap.py says that a value is made are those that it has
    limbs      what trust/in_limbs.py concludes from polynomials, and how floors of polynomials are written
    counters   claims about a counter carry over from one iteration to the next
    order      a comparison implied by others has the implied outcome
    words      each pattern of trust/patterns.py yields what the instruction that is lowered to it does
    passes     each pass on the functions of some programs: its output is equivalent to its input

`python -m carrychain.ring.prove PROGRAM...` proves all of them, and lists each rule with the widths that it
is proven at; it needs z3. STATED of a stage has its rules, each with a regular expression: the names of the
claims that prove it. A rule without any is a failure. The proofs run the passes' own code, so there is no
copy that could be right while the code is wrong.
"""

WIDTHS_ALL = tuple(range(1, 13))
WIDTHS_WORDS = (31, 32, 33, 63, 64, 65, 128)


class Unproven(Exception):
    """There is a counterexample, or no answer; the message has the claim and the numbers."""
