"""Discarded once proven not to matter: MD5 in natural Lisp, on the machine's words."""

import hashlib
from importlib.resources import as_file, files

from .chapter import Chapter, alone, duration, in_turn

SIZE = 4 << 20
GENERIC_SIZE = 1 << 16
ROUNDS = 9


def chapter() -> Chapter:
    from carrychain.ring.load import load_lisp

    data = bytes(range(256)) * (SIZE // 256)
    few = data[:GENERIC_SIZE]
    with as_file(files("carrychain") / "examples" / "md5.lisp") as path:
        cut, generic = load_lisp(path), load_lisp(path, cut=False)
    digest = cut.call("md5-hex", data)
    right = digest == hashlib.md5(data).hexdigest()
    right &= generic.call("md5-hex", few) == hashlib.md5(few).hexdigest()
    per_byte = alone(lambda: generic.call("md5-hex", few), 3) / GENERIC_SIZE
    result = Chapter(
        carry="discarded, once proven not to matter",
        module="ring",
        did=[("hashed", f"{SIZE >> 20} MB by examples/lisp/md5.lisp: [bold]{digest}[/bold]")],
        check="the digest is hashlib's, and so is generic arithmetic's of a part",
        right=right,
        ns=0,
        unit=f"for {SIZE >> 20} MB, from exact integers without a word of C",
        peer="hashlib's md5 (OpenSSL, in assembly)",
    )
    result.ns, result.peer_ns = in_turn(
        lambda: cut.call("md5-hex", data), lambda: hashlib.md5(data).hexdigest(), ROUNDS
    )
    result.did.append(
        (
            "not cut",
            f"the same program with generic arithmetic everywhere would take {duration(per_byte * SIZE)}:"
            f" {per_byte * SIZE / result.ns:.0f} times as long",
        )
    )
    return result
