"""Table 1 of Dejneka and Rhodes: operators for which a word suffices, through each form that requests one."""

import re
from itertools import product

from carrychain.ring.compile import assembly
from carrychain.ring.front.lisp import module as lisp

from . import page
from .measured import Measured

WIDTHS = (8, 16, 32, 64)
OPERATORS = (
    "+", "-", "*", "lognot", "logxor", "logeqv", "lognand", "lognor",
    "logandc1", "logandc2", "logorc1", "logorc2", "logior", "logand",
)  # fmt: skip
FORMS = {
    "ldb": "(ldb (byte {width} 0) {form})",
    "mod": "(mod {form} {power})",
    "logand": "(logand {form} {mask})",
    "boole": "(boole boole-and {form} {mask})",
}


def instructions(operator: str) -> dict[tuple[str, int], list[str]]:
    """The machine instructions of a function that applies the operator to words, by form and width."""
    texts = []
    names = "x" if operator == "lognot" else "x y"
    for form, width in product(FORMS, WIDTHS):
        asked = FORMS[form].format(
            width=width, power=1 << width, mask=(1 << width) - 1, form=f"({operator} {names})"
        )
        declared = f"(declare (type (unsigned-byte {width}) {names}))"
        texts.append(f"(defun {form}-{width} ({names}) {declared} {asked})")
    found = assembly(lisp.module_of("\n".join(texts)))
    return {
        (form, width): [
            line.strip() for line in found[f"{form}-{width}"].splitlines()[1:] if re.match(r"\s+[a-z]", line)
        ]
        for form, width in product(FORMS, WIDTHS)
    }


def count(quick: bool) -> dict:
    """The table's rows, and whether any function is called."""
    del quick
    rows = []
    called = False
    for operator in OPERATORS:
        code = instructions(operator)
        called |= any(line.startswith("call") for lines in code.values() for line in lines)
        # but for the return and its status
        counts = {key: str(len(lines) - 2) for key, lines in code.items()}
        rows.append((operator, *(", ".join(counts[form, width] for width in WIDTHS) for form in FORMS)))
    return {"rows": rows, "called": called}


def section(measured: Measured) -> str:
    found = measured["table1"]
    widths = ", ".join(map(str, WIDTHS))
    return page.table(page.badge(measured), ("Table 1", *FORMS), found["rows"]) + (
        f"<p>Machine instructions for each operator on words of {widths} bits, "
        f"the return aside; {'some call' if found['called'] else 'none calls'} a function.</p>\n"
    )
