"""What SBCL's contrib/ tests rotate-byte and MD5 with, read from where Debian's sbcl-source puts it.

Each top-level form is given to our front end after those that it took before, at its own line of the file;
an assertion as a function. What it does not take is listed in tests/ring/contrib.refused, with the reason.

    python tests/python/ring_contrib.py

writes that list anew.
"""

import hashlib
import math
import re
from dataclasses import dataclass, field
from pathlib import Path

from carrychain.ring.front.lisp import module as lisp
from carrychain.ring.ir.errors import SourceError
from carrychain.ring.ir.form import Module
from ring_arithmetic import write_list

CONTRIB = Path("/usr/share/sbcl-source/contrib")
REFUSED = Path(__file__).parents[1] / "ring" / "contrib.refused"
ROTATE = ["sb-rotate-byte/rotate-byte-tests.lisp"]
GENERAL = ["sb-rotate-byte/rotate-byte.lisp"]
MD5 = ["sb-md5/md5.lisp", "sb-md5/md5-tests.lisp"]
SINES = " ".join(str(int(abs(math.sin(i)) * 2**32)) for i in range(1, 65))
# In the place of a form that is refused: what it comes to. This one says so in floating-point numbers.
STAND_INS = {"(defparameter *t*": f"(defparameter *t* '#({SINES}))"}


# --- top-level forms --------------------------------------------------------------------------

TOKENS = re.compile(r""";[^\n]*|\#\|.*?\|\#|"(?:[^"\\]|\\.)*"|\#\\.|\|[^|]*\||[()]""", re.DOTALL)
FEATURE = re.compile(r"#[+-]\s*(?=[:\w(])[:\w-]*")


def top_level(text: str) -> list[tuple[int, int]]:
    """Where each form of the text that is in parentheses begins and ends; #+ and #- belong to what follows.

    Apart from our reader, which is to be tested, and reads no file of which it does not know a character.
    """
    found, depth, start, features = [], 0, None, 0
    for match in re.compile(f"(?P<feature>{FEATURE.pattern})|{TOKENS.pattern}", re.DOTALL).finditer(text):
        token = match[0]
        if match["feature"] and not depth:
            start = match.start() if start is None else start
            # (and ...) is in parentheses, :sbcl is not
            features += token[-1] in "+-"
        elif token == "(":
            start = match.start() if start is None else start
            depth += 1
        elif token == ")":
            depth -= 1
            if not depth:
                if features:
                    features -= 1
                    continue
                found.append((start, match.end()))
                start = None
    return found


@dataclass
class Taken:
    """What the front end took of files that are read one after the other, and why not the rest."""

    module: Module | None = None
    text: str = ""
    forms: int = 0
    assertions: list[str] = field(default_factory=list)
    refused: dict[str, str] = field(default_factory=dict)


def take(files: list[str], after: str = "") -> Taken:
    """Forms that are taken one by one; each stands in the text at its line of its file."""
    taken = Taken()
    before = ""
    for file in files:
        text = (CONTRIB / file).read_text()
        kept = ""
        for start, end in top_level(text):
            line = text.count("\n", 0, start) + 1
            form = text[start:end]
            taken.forms += 1
            assertion = f"assertion-{line}" if re.match(r"\((assert|flet)\b", form) else ""
            if assertion:
                form = f"(defun {assertion} () {form})"
            filled = kept + "\n" * (line - 1 - kept.count("\n"))
            try:
                lisp.module_of(before + filled + form, file)
            except SourceError as error:
                # forms of the file before it are in the same text
                error.position = position_in(error.position, file, before)
                taken.refused[f"{file}:{line}"] = str(error)
                form = next((text for known, text in STAND_INS.items() if known in form), "")
            else:
                taken.assertions += [assertion] if assertion else []
            kept = filled + form
        before += kept + "\n"
    taken.text = before + after
    taken.module = lisp.module_of(taken.text, "contrib")
    return taken


def position_in(position, file: str, before: str):
    lines = before.count("\n")
    assert position.line > lines
    return type(position)(file, position.line - lines, position.column)


def versions() -> str:
    """Of the files, of which there is another in each SBCL."""
    digest = hashlib.sha256()
    for file in (*ROTATE, *GENERAL, *MD5):
        digest.update((CONTRIB / file).read_bytes())
    return digest.hexdigest()


def main() -> None:
    refused = {"sha256": versions()}
    for files in (ROTATE, GENERAL, MD5):
        taken = take(files)
        refused |= taken.refused
        print(f"{', '.join(files)}: {taken.forms - len(taken.refused)} of {taken.forms} forms are taken")
    write_list(REFUSED, "sbcl-source's forms that our front end refuses: file and line, and why.", refused)


if __name__ == "__main__":
    main()
