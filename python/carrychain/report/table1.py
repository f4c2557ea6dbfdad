"""Table 1 of Dejneka and Rhodes: operators that a word is enough for, through each form that asks for one."""

import re

from carrychain.ring.compile import dump
from carrychain.ring.front import lisp

from . import page

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


def instructions(operator: str, form: str, width: int) -> list[str]:
    """The machine instructions of a function that applies the operator to two words."""
    word = f"(unsigned-byte {width})"
    names = ("x",) if operator == "lognot" else ("x", "y")
    asked = FORMS[form].format(
        width=width, power=1 << width, mask=(1 << width) - 1, form=f"({operator} {' '.join(names)})"
    )
    text = f"(defun f ({' '.join(names)}) (declare (type {word} {' '.join(names)})) {asked})"
    lines = dump(lisp.module_of(text), "f", "asm").splitlines()[1:]
    return [line.strip() for line in lines if re.match(r"\s+[a-z]", line)]


def section() -> str:
    rows = []
    for operator in OPERATORS:
        cells = []
        for form in FORMS:
            counts = []
            for width in WIDTHS:
                code = instructions(operator, form, width)
                calls = [line for line in code if line.startswith("call")]
                # but for the return and its status
                counts.append("calls" if calls else str(len(code) - 2))
            cells.append(", ".join(counts))
        rows.append((operator, *cells))
    widths = ", ".join(map(str, WIDTHS))
    called = any("calls" in cell for row in rows for cell in row)
    return page.table(("Table 1", *FORMS), rows) + (
        f"<p>Machine instructions for each operator on words of {widths} bits, "
        f"the return aside; {'some call' if called else 'none calls'} a function.</p>\n"
    )
