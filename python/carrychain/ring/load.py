"""From a file to a compiled program."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

from .compile import compile_cached, sources
from .front import lisp
from .program import Program


@cache
def _front() -> str:
    """What a program's IR depends on besides its text."""
    return sources(Path(lisp.__file__).parent).hex()


def load_lisp(path: str | os.PathLike, *, cut: bool = True) -> Program:
    """The compiled functions of a Lisp file; without `cut`, on integers of any size throughout.

    SourceError says what is wrong with the program, and where; OSError, if the file cannot be read.
    """
    file = os.fspath(path)
    text = lisp.text_of(file)
    return compile_cached("\n".join([_front(), file, text]), lambda: lisp.module_of(text, file), cut)
