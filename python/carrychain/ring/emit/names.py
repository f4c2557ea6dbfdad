"""Names in LLVM's text, and in machine code."""

from __future__ import annotations

from ..machine.form import ARRAY, BIG, COLUMNS, ROWS, Lanes, MachineType

# the one function that Python calls (module.py)
ENTRY = "entry"


def llvm_type(type_: MachineType) -> str:
    """The LLVM type of an argument, a result or an element."""
    if isinstance(type_, Lanes):
        return "ptr" if type_.of in (ROWS, COLUMNS) else f"<{type_.count} x i{type_.of}>"
    return "ptr" if type_ == ARRAY else f"i{64 if type_ is BIG else type_}"


def suffix(type_: int | Lanes) -> str:
    """The suffix of an intrinsic's name for the type."""
    return f"v{type_.count}i{type_.of}" if isinstance(type_, Lanes) else f"i{type_}"


def is_array(type_: MachineType) -> bool:
    return type_ == ARRAY or (isinstance(type_, Lanes) and type_.of in (ROWS, COLUMNS))


def symbol(name: str) -> str:
    """The symbol, quoted for LLVM."""
    plain = "-_.:*+<>=?!%&/"
    return "".join(c if (c.isascii() and c.isalnum()) or c in plain else _bytes(c) for c in name)


def _bytes(text: str) -> str:
    return "".join(f"\\{byte:02X}" for byte in text.encode())


def function_label(name: str) -> str:
    return f"function:{name}"


def function_symbol(name: str) -> str:
    return f'@"{symbol(function_label(name))}"'


def returned(results: list[MachineType]) -> str:
    """What a function returns: a status and its results."""
    return "{" + ", ".join(["i32", *map(llvm_type, results)]) + "}"
