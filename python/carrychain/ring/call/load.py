"""Turns a file into a compiled program, or a module."""

from __future__ import annotations

import importlib.util
import os
import sys
from functools import cache
from pathlib import Path
from types import ModuleType

from ..front import ssa
from ..front.lisp import module as lisp
from .compiled import compile_cached, sources
from .program import Program


@cache
def _front() -> str:
    """The sources that a program's IR depends on besides its own text."""
    return sources(Path(ssa.__file__).parent, Path(lisp.__file__).parent).hex()


def load_lisp(*paths: str | os.PathLike[str], cut: bool = True, validate: bool = False) -> Program:
    """The compiled functions of a Lisp file. With ``cut=False``, all integers stay arbitrary-precision.

    Several files are read in order. The last is the program, and the earlier ones are what it uses. A
    function of these that cannot be compiled is left out, unless the program calls it.

    With ``validate``, the output of each pass is compared with its input for each function. Different reports
    a difference, which would be a bug in the compiler. SourceError says what is wrong with the program, and
    where. OSError if a file cannot be read.
    """
    files = [os.fspath(path) for path in paths]
    (text, file), *more = [(lisp.text_of(file), file) for file in files]
    key = "\n".join([_front(), file, text, *(part for each in more for part in reversed(each))])
    return compile_cached(key, lambda: lisp.module_of(text, file, *more), cut, validate)


def load_python(file: str) -> ModuleType:
    """A Python program, imported as when Python runs it: whatever its code raises."""
    path = Path(file)
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    sys.path.insert(0, str(path.resolve().parent))
    spec.loader.exec_module(module)
    return module
