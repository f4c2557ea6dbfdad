"""A static library of one object, as GNU ar writes it: with an index of symbols, and no times or owners."""

from __future__ import annotations


def archive(member: str, data: bytes, symbols: list[str]) -> bytes:
    """The library; the member's name has at most 15 characters, or goes into a table of long names."""
    names = b"" if len(member) <= 15 else f"{member}/\n".encode()
    titled = "/0" if names else f"{member}/"
    index_size = 4 + 4 * len(symbols) + sum(len(symbol) + 1 for symbol in symbols)
    first = 8 + 60 + index_size + index_size % 2 + (60 + len(names) + len(names) % 2 if names else 0)
    index = len(symbols).to_bytes(4, "big") + first.to_bytes(4, "big") * len(symbols)
    index += b"".join(symbol.encode() + b"\0" for symbol in symbols)
    parts = [_member("/", index), *([_member("//", names)] if names else []), _member(titled, data)]
    return b"!<arch>\n" + b"".join(parts)


def _member(name: str, data: bytes) -> bytes:
    head = f"{name:<16}{0:<12}{0:<6}{0:<6}{'644':<8}{len(data):<10}`\n".encode()
    return head + data + b"\n" * (len(data) % 2)
