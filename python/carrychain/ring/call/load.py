"""From a file to a compiled program."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

from ..front import ssa
from ..front.lisp import module as lisp
from .compiled import compile_cached, sources
from .program import Program


@cache
def _front() -> str:
    """What a program's IR depends on besides its text."""
    return sources(Path(ssa.__file__).parent, Path(lisp.__file__).parent).hex()


def load_lisp(*paths: str | os.PathLike[str], cut: bool = True, verify: bool = False) -> Program:
    """The compiled functions of a Lisp file; without `cut`, on integers of any size throughout.

    Of several files, read in this order, the last is the program, and those before it what it uses: what
    cannot be compiled of these is left out, unless the program calls it.

    To `verify`, what each pass made of each function is compared with what it was: Different says how it
    differs, which would be a fault of the compiler's. SourceError says what is wrong with the program, and
    where; OSError, if a file cannot be read.
    """
    files = [os.fspath(path) for path in paths]
    (text, file), *more = [(lisp.text_of(file), file) for file in files]
    key = "\n".join([_front(), file, text, *(part for each in more for part in reversed(each))])
    return compile_cached(key, lambda: lisp.module_of(text, file, *more), cut, verify)
