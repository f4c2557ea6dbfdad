"""Discarded once proven not to matter: MD5 in natural Lisp, on the machine's words."""

import hashlib
from importlib.resources import as_file, files

from carrychain.timing import duration, in_turn

from .chapter import Chapter

SIZE = 4 << 20
GENERIC_SIZE = 1 << 16
ROUNDS = 9
GENERIC_ROUNDS = 5


def chapter() -> Chapter:
    from carrychain.ring.load import load_lisp

    data = bytes(range(256)) * (SIZE // 256)
    few = data[:GENERIC_SIZE]
    with as_file(files("carrychain") / "examples" / "md5.lisp") as path:
        cut, generic = load_lisp(path), load_lisp(path, cut=False)
    digest = cut.call("md5-hex", data)
    right = digest == hashlib.md5(data).hexdigest()
    right &= generic.call("md5-hex", few) == hashlib.md5(few).hexdigest()
    (uncut,) = in_turn([lambda: generic.call("md5-hex", few)], GENERIC_ROUNDS)
    uncut_ns = uncut.least * SIZE / GENERIC_SIZE
    result = Chapter(
        carry="discarded, once proven not to matter",
        module="ring",
        did=[("hashed", f"{SIZE >> 20} MB by examples/lisp/md5.lisp: [bold]{digest}[/bold]")],
        check="the digest is hashlib's, and so is generic arithmetic's of a part",
        right=right,
        unit=f"for {SIZE >> 20} MB, from exact integers without a word of C",
        peer="hashlib's md5 (OpenSSL, in assembly)",
    )
    result.timings = in_turn(
        [lambda: cut.call("md5-hex", data), lambda: hashlib.md5(data).hexdigest()], ROUNDS
    )
    result.did.append(
        (
            "not cut",
            f"the same program with generic arithmetic everywhere would take {duration(uncut_ns)}:"
            f" {uncut_ns / result.timings[0].least:.0f} times as long{uncut.mark}",
        )
    )
    return result
