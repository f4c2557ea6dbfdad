"""Of a random program in Lisp that fails, the smallest that still does."""

from carrychain.ring.ir.errors import SourceError


def smallest(functions: list, fails, smaller, to_ir) -> list:
    """By steps, each one that `smaller` yields; what is no program any more does not fail."""
    while True:
        for trial in smaller(functions):
            try:
                to_ir(trial)
                if fails(trial):
                    functions = trial
                    break
            except SourceError:
                continue
        else:
            return functions
