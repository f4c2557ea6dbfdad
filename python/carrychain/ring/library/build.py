"""A file of Lisp or Python to what programs without Carrychain call, and a certificate."""

from __future__ import annotations

import os
import platform
import re
from dataclasses import dataclass
from pathlib import Path

from ...files import replacing
from ..emit import llvm
from ..ir.errors import SourceError
from .archive import archive
from .asdf import asdf
from .certificate import LINKED, Certified, certificate, compared, digest, read_certificate
from .crate import crate
from .entries import LibraryText
from .header import header
from .interface import CFunction, c_name
from .runtime import runtime
from .source import source
from .subjects import Subjects, subjects
from .wheel import wheel

# The target of C source for Linux's modules.
LINUX = "kernel"
FORMS = ("object", "c", "wheel", "asdf", "crate")
# Those that are for every machine.
ANYWHERE = ("c",)


@dataclass
class Build:
    """What was built: the files, the functions as C sees them, and why the file's others were not."""

    files: list[Path]
    functions: list[CFunction]
    unbuilt: dict[str, str]

    def __str__(self) -> str:
        return "\n".join(map(str, self.files))


def build(
    file: str | os.PathLike[str],
    directory: str | os.PathLike[str] = ".",
    *,
    functions: tuple[str, ...] | list[str] = (),
    kinds: tuple[str, ...] | list[str] = (),
    prefix: str = "",
    emit: str = "object",
    target: str | None = None,
    validate: bool = False,
) -> Build:
    """Compiles functions of a Lisp or Python file ahead of time, for C: an object, a library and a header.

    A certificate beside them says what they were built from, and by what; `check` builds them again.

    `functions` are those that C calls; without any, all that can be built. A function can be built if nothing
    in it stayed big. The kinds of a Python function's arguments are those of its annotations, or of `kinds`,
    such as "f(bytes, u32) -> u32". In C, each name begins with `prefix`. `target` is a triple, such as
    aarch64-linux-gnu; without one, the code is for every processor of this machine's architecture. If `emit`
    is "c", the functions are written as C source instead, with the header, or for modules of Linux if the
    target is "kernel"; if it is "wheel", as an extension of Python in a wheel; if it is "asdf", as a system
    for SBCL; if it is "crate", as a crate for Rust. The wheel and the system need a C compiler.

    SourceError if the program, or a function that was asked for, cannot be built; ValueError for a missing
    function, wrong kinds or an unknown target; OSError.
    """
    name = os.fspath(file)
    text = Path(name).read_bytes()
    options = {
        "functions": [*functions], "kinds": [*kinds], "prefix": prefix, "emit": emit,
        "target": target or (host() if emit not in ANYWHERE else None),
    }  # fmt: skip
    stem, files, found = _built(name, options, validate)
    files[f"{stem}.cert"] = certificate(name, text, options, files, found.faults, validate)
    written = []
    for each, content in files.items():
        written.append(Path(directory, each))
        written[-1].parent.mkdir(parents=True, exist_ok=True)
        with replacing(written[-1]) as out:
            out.write(content)
    return Build(written, found.functions(), found.unbuilt)


def check(certificate: str | os.PathLike[str], file: str | os.PathLike[str]) -> Certified:
    """Whether the files beside a certificate are what the source gives: built again, and compared.

    ValueError if it is no certificate; OSError if a file cannot be read; SourceError.
    """
    path, name = Path(certificate), os.fspath(file)
    found, text = read_certificate(path), Path(name).read_bytes()
    if digest(text) != found["source"]["sha256"]:
        return compared(found, text, path.parent, {})
    return compared(found, text, path.parent, _built(name, found["options"], False)[1])


def _built(name: str, options: dict, validate: bool) -> tuple[str, dict[str, bytes], Subjects]:
    """The files' stem and contents, and what was built."""
    functions, kinds, prefix = tuple(options["functions"]), tuple(options["kinds"]), options["prefix"]
    emit, triple = options["emit"], options["target"]
    if emit not in FORMS:
        raise ValueError(f"no form {emit!r}: the forms are {', '.join(FORMS[:-1])} and {FORMS[-1]}")
    if emit in ANYWHERE and triple not in (None, LINUX):
        raise ValueError(f"C source is for every target, or for {LINUX}")
    if triple == LINUX and emit not in ANYWHERE:
        raise ValueError(f"the target {LINUX} has C source alone: --emit c")
    if emit in LINKED and triple != host():
        raise ValueError(f"the form {emit} is for this machine, {host()}")
    if emit in ("wheel", "asdf", "crate") and prefix:
        raise ValueError("a prefix is for names in C")
    machine = llvm.target_machine(triple) if emit not in ANYWHERE else None
    # SBCL finds a symbol in whatever was loaded first, and a program may link several crates
    own = f"cc_{c_name(Path(name).stem)}_" if emit in ("asdf", "crate") else prefix
    found = subjects(name, functions, kinds, own, validate, 64 if triple == LINUX else 128)
    base = os.path.basename(name)
    for each, why in found.unbuilt.items():
        if functions or kinds:
            raise SourceError(f"{base}: {each} cannot be built: {why}")
    made = found.functions()
    if not made:
        whys = "; ".join(f"{each}: {why}" for each, why in found.unbuilt.items())
        raise SourceError(f"{base}: no function can be built{f': {whys}' * bool(whys)}")
    stem = c_name(Path(name).stem)
    licence = _licence(Path(name).read_text(errors="replace"))
    if emit == "c":
        return stem, _as_source(stem, prefix, base, made, found, licence, triple == LINUX), found
    files = _as_object(stem, prefix, base, made, found, machine, triple, licence)
    if emit == "wheel":
        text = digest(Path(name).read_bytes())
        library, head = files[f"lib{stem}.a"], files[f"{stem}.h"]
        files = dict([wheel(stem, base, text, made, head, library)])
    if emit == "crate":
        text = digest(Path(name).read_bytes())
        files = crate(stem, base, text, made, own, files[f"lib{stem}.a"], triple)
    if emit == "asdf":
        files = asdf(stem, f"{Path(name).stem}-fast", base, made, files[f"lib{stem}.a"])
    return stem, files, found


def host() -> str:
    """The triple of this machine's architecture."""
    machine = {"AMD64": "x86_64", "arm64": "aarch64"}.get(platform.machine(), platform.machine())
    return f"{machine}-linux-gnu"


def _as_object(
    stem: str,
    prefix: str,
    file: str,
    made: list[CFunction],
    found: Subjects,
    machine,
    triple: str,
    licence: str,
) -> dict[str, bytes]:
    narrow = llvm.is_narrow(machine)
    texts = [LibraryText(each.words, each.functions, each.raised, narrow).emit() for each in found.built]
    names = [each.name for each in made]
    code = llvm.library_object([runtime(narrow), *texts], set(names), machine)
    return {
        f"{stem}.o": code,
        f"lib{stem}.a": archive(f"{stem}.o", code, names),
        f"{stem}.h": header(
            stem, prefix, file, made, f"Link lib{stem}.a, for {triple}.", _mallocs(found), licence
        ).encode(),
    }


def _as_source(
    stem: str, prefix: str, file: str, made: list[CFunction], found: Subjects, licence: str, linux: bool
) -> dict[str, bytes]:
    how = f"Compile {stem}.c with your {'module' if linux else 'program'}."
    text = header(stem, prefix, file, made, how, _mallocs(found), licence, linux)
    code = source(f"{stem}.h", file, found.built, licence, linux)
    return {f"{stem}.c": code.encode(), f"{stem}.h": text.encode()}


def _licence(text: str) -> str:
    """The tag that says under which licence the program is, and what is made of it; "" if there is none."""
    found = re.search(r"SPDX-License-Identifier: *[-+.\w() ]*[\w+)]", "\n".join(text.split("\n")[:5]))
    return found[0] if found else ""


def _mallocs(found: Subjects) -> bool:
    return any(
        op.op == "new" for each in found.built for f in each.words.functions.values() for op in f.ops()
    )
