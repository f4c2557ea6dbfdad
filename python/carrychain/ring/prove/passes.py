"""Passes: the output of each for each function of some programs, compared with its input (validate.py)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ..compile import validated
from ..front.lisp import module as lisp
from ..ir.errors import Different
from . import Unproven

THEOREM = """inline, simplify, idiom, words, cut: what the pass makes of each of these functions comes to
  what it was given: for all arguments where z3 decides, else on those that are tried; and so does
  each plan, with noise for every bit that is not demanded"""


def compared(file: str, count: Counter[str]) -> int:
    """Adds to the count what a Validator counted over the file's functions."""
    try:
        made, validator = validated(lisp.load(file).copy(), True)
    except Different as different:
        raise Unproven(str(different)) from None
    count.update(validator.count, functions=len(made))
    return validator.count["results of passes"] + len(made)


def proofs(files: Sequence[str], count: Counter[str]):
    for file in files:
        yield file, lambda file=file: compared(file, count)
