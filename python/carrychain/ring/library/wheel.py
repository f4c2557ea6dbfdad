"""A wheel of built functions: a package with an extension for every CPython from 3.11 on, and its types.

The wheel's files are stored, not compressed, and have no times: the same functions give the same bytes.
"""

from __future__ import annotations

import base64
import hashlib
import io
import sysconfig
import zipfile

from ... import __version__
from ..front.python.kinds import Buffer, List, PythonKind, Tuple
from ..ir.form import Array, Bool, Int
from ..ir.interface import Null
from .extension import extension, in_python
from .interface import CFunction
from .linked import shared_object

METADATA = """Metadata-Version: 2.1
Name: {name}
Version: {version}
Summary: Functions of {file}, compiled by Carrychain {carrychain}
Requires-Python: >=3.11
"""

WHEEL = """Wheel-Version: 1.0
Generator: carrychain {carrychain}
Root-Is-Purelib: false
Tag: {tag}
"""

STUBS = """from array import array
from collections.abc import MutableSequence, Sequence

from typing_extensions import Buffer

"""


def wheel(
    stem: str, file: str, source: str, functions: list[CFunction], header: bytes, library: bytes
) -> tuple[str, bytes]:
    """The wheel's name and content; `source` is the hash of the program, and part of the version.

    SourceError if a function returns what Python cannot have; OSError without a C compiler.
    """
    found = [in_python(each) for each in functions]
    version, module = f"0+s{source[:12]}", f"_{stem}"
    platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    tag = f"cp311-abi3-{platform}"
    text = extension(module, f"{stem}.h", found)
    include = sysconfig.get_path("include")
    made = shared_object(
        {f"{module}.c": text.encode(), f"{stem}.h": header, f"lib{stem}.a": library},
        # another library may have a function of the same name
        ["-I", include, f"{module}.c", f"lib{stem}.a", "-Wl,--exclude-libs,ALL"],
    )
    names = ", ".join(each.written for each in found)
    listed = ", ".join(f'"{each.written}"' for each in found)
    info = f"{stem}-{version}.dist-info"
    files = {
        f"{stem}/__init__.py": f'"""Functions of {file}, compiled by Carrychain {__version__}."""\n\n'
        f"from .{module} import {names}\n\n__all__ = [{listed}]\n",
        f"{stem}/__init__.pyi": stubs(found),
        f"{stem}/py.typed": "",
        f"{stem}/{module}.abi3.so": made,
        f"{info}/METADATA": METADATA.format(name=stem, version=version, file=file, carrychain=__version__),
        f"{info}/WHEEL": WHEEL.format(carrychain=__version__, tag=tag),
    }
    return f"{stem}-{version}-{tag}.whl", _zipped(
        {name: text.encode() if isinstance(text, str) else text for name, text in files.items()},
        f"{info}/RECORD",
    )


def _zipped(files: dict[str, bytes], record: str) -> bytes:
    """The archive of the files and of the record, which has their hashes."""
    rows = [
        f"{name},sha256={base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b'=').decode()},{len(data)}"
        for name, data in files.items()
    ]
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
        for name, data in {**files, record: "\n".join([*rows, f"{record},,", ""]).encode()}.items():
            entry = zipfile.ZipInfo(name)
            entry.external_attr = (0o100755 if name.endswith(".so") else 0o100644) << 16
            archive.writestr(entry, data)
    return out.getvalue()


def stubs(functions: list[CFunction]) -> str:
    """The types of the functions, for checkers."""
    lines = []
    for function in functions:
        takes = iter(function.takes)
        params = []
        for param in function.params:
            default = "" if param.default is None else f" = {param.default}"
            params.append(f"{param.name}: {_taken(param.kind, takes)}{default}")
        lines.append(f"def {function.written}({', '.join(params)}) -> {_given(function.value)}: ...\n")
    return STUBS + "".join(lines)


def _taken(kind: PythonKind | Array, takes) -> str:
    match kind:
        case Tuple(items):
            parts = [_taken(item, takes) for item in items]
            return f"list[{' | '.join(dict.fromkeys(parts))}]" if kind.maker == "list" else _tuple(parts)
        case Array() | Buffer() | List():
            taken = next(takes)
            if isinstance(kind, Array) and kind.text and not taken.written:
                return "str | Buffer | Sequence[int]"
            return f"Buffer | {'Mutable' * taken.written}Sequence[int]"
        case Null():
            return "None"
    next(takes)
    return "bool" if isinstance(kind, Bool) else "int"


def _given(kind: PythonKind | Array) -> str:
    match kind:
        case Null():
            return "None"
        case Bool():
            return "bool"
        case Int():
            return "int"
        case Tuple(items):
            parts = [_given(item) for item in items]
            return f"list[{' | '.join(dict.fromkeys(parts))}]" if kind.maker == "list" else _tuple(parts)
        case Array():
            return "str" if kind.text else "bytes" if kind.element == Int(0, 255) else "list[int]"
        case List():
            element = "bool" if kind.element == Int(0, 1) else "int"
            return f"tuple[{element}, ...]" if kind.maker == "tuple" else f"list[{element}]"
    return "array[int]" if kind.maker == "array" else kind.maker


def _tuple(parts: list[str]) -> str:
    return f"tuple[{', '.join(parts) or '()'}]"
