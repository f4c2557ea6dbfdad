"""Words instead of bytes are shown to be these bytes; what is something else is refused."""

import pytest
from carrychain.ring.ir.errors import CheckError
from carrychain.ring.trust.gathered_loads import GatheredLoads
from ring_rewritten import check

BEFORE = """function @f -> (int) {
entry(%a: array(u8), %b: array(u8), %i: s64, %x: u8, %y: s64):
  %one: int = const 1
  %two: int = const 2
  %three: int = const 3
  %8: int = const 8
  %16: int = const 16
  %j: int = add %i, %one
  %k: int = sub %i, %two
  %k3: int = add %three, %k
  %m: int = neg %i
  %m3: int = sub %three, %m
  BODY
}"""


def body(text: str) -> str:
    return BEFORE.replace("BODY", "\n  ".join(line.strip() for line in text.strip().splitlines()))


def shown(before: str, after: str) -> None:
    check(GatheredLoads, body(before), body(after))


PAIR = """%p: int = load %a, %i
%q: int = load %a, %j
%q8: int = shift %q, %8
%z: int = ior %p, %q8
return %z"""
RIGHT = {
    "two bytes": (PAIR, "%z: int = load_le 16 %a, %i\nreturn %z"),
    "the lower is moved": (
        PAIR.replace("shift %q", "shift %p").replace("ior %p", "add %q"),
        "%z: int = load_be 16 %a, %i\nreturn %z",
    ),
    "the place is written otherwise": (
        PAIR.replace("%a, %j", "%a, %k3"),
        "%z: int = load_le 16 %a, %i\nreturn %z",
    ),
    "numbers of the place are summed first": (
        """%p: int = load %a, %two
        %sum: int = add %one, %two
        %q: int = load %a, %sum
        %q8: int = shift %q, %8
        %z: int = ior %p, %q8
        return %z""",
        "%z: int = load_le 16 %a, %two\nreturn %z",
    ),
    "four bytes, joined by pairs": (
        """%p: int = load %a, %m3
        %q: int = load %a, %j
        %two0: int = add %one, %j
        %r: int = load %a, %two0
        %s: int = load %a, %i
        %p8: int = shift %p, %8
        %q8: int = shift %q, %8
        %u: int = xor %p8, %r
        %v: int = add %s, %q8
        %u16: int = shift %u, %16
        %z: int = ior %u16, %v
        return %z""",
        "%z: int = load_le 32 %a, %i\nreturn %z",
    ),
    "two words, their bytes loaded by turns": (
        """%p: int = load %a, %i
        %r: int = load %b, %i
        %q: int = load %a, %j
        %s: int = load %b, %j
        %q8: int = shift %q, %8
        %s8: int = shift %s, %8
        %y0: int = ior %p, %q8
        %z0: int = ior %r, %s8
        %z: int = add %y0, %z0
        return %z""",
        """%y0: int = load_le 16 %a, %i
        %z0: int = load_le 16 %b, %i
        %z: int = add %y0, %z0
        return %z""",
    ),
    "another byte is loaded meanwhile": (
        PAIR.replace("%q: int", "%r: int = load %b, %i\n%q: int").replace("return %z", "return %r"),
        "%r: int = load %b, %i\n%z: int = load_le 16 %a, %i\nreturn %r",
    ),
    "what cannot fail is done meanwhile": (
        PAIR.replace("%q: int", "%r: int = fdiv %y, %three\n%q: int").replace("return %z", "return %r"),
        "%r: int = fdiv %y, %three\n%z: int = load_le 16 %a, %i\nreturn %r",
    ),
}


@pytest.mark.parametrize("name", RIGHT)
def test_a_word_is_shown_to_be_the_bytes(name):
    shown(*RIGHT[name])


LE = "%z: int = load_le 16 %a, %i\nreturn %z"
WRONG = {
    "the other order": (PAIR, LE.replace("_le", "_be")),
    "another array": (PAIR, LE.replace("%a", "%b")),
    "the second byte's place": (PAIR, LE.replace("%i", "%j")),
    "more bytes than there were": (PAIR, LE.replace("16", "32")),
    "fewer bytes than there were": (PAIR, LE.replace("16", "8")),
    "bytes of two arrays": (PAIR.replace("load %a, %j", "load %b, %j"), LE),
    "bytes that are two apart": (PAIR.replace("load %a, %j", "load %a, %k"), LE),
    "the same byte twice": (PAIR.replace("load %a, %j", "load %a, %i"), LE),
    "a place that counts down": (PAIR.replace("load %a, %j", "load %a, %m3"), LE),
    "two places that are no multiples of each other": (PAIR.replace("load %a, %j", "load %a, %y"), LE),
    "bytes that overlap": (PAIR.replace("shift %q, %8", "shift %q, %three"), LE),
    "bytes with a gap": (PAIR.replace("shift %q, %8", "shift %q, %16"), LE),
    "a byte that is moved by what is not known": (PAIR.replace("shift %q, %8", "shift %q, %x"), LE),
    "a byte that is joined by another operation": (PAIR.replace("ior", "sub"), LE),
    "a byte that is no load": (PAIR.replace("shift %q, %8", "shift %x, %8"), LE),
    "bytes of which one was cut": (
        PAIR.replace("%q8:", "%q4: int = low 4 %q\n%q8:").replace("shift %q,", "shift %q4,"),
        LE,
    ),
    "a byte that was stored meanwhile": (
        PAIR.replace("%q:", "store %a, %i, %x\n%q:"),
        "store %a, %i, %x\n" + LE,
    ),
    "a byte that is stored after it was loaded": (
        PAIR.replace("return", "store %a, %i, %x\nreturn"),
        LE.replace("%z:", "store %a, %i, %x\n%z:", 1),
    ),
    "a byte that was stored before it was loaded": (
        "store %a, %i, %x\n" + PAIR,
        LE.replace("return", "store %a, %i, %x\nreturn"),
    ),
    "what may fail otherwise meanwhile": (
        PAIR.replace("%q: int", "%r: int = fdiv %three, %y\n%q: int"),
        "%r: int = fdiv %three, %y\n" + LE,
    ),
    "a byte that is used elsewhere": (
        PAIR.replace("return", "%w: int = add %z, %q\nreturn"),
        "%q: int = load %a, %j ; gone\n" + LE.replace("return", "%w: int = add %z, %q\nreturn"),
    ),
    "a byte that is returned": (
        PAIR.replace("return %z", "return %q"),
        "%q: int = load %a, %j ; gone\n" + LE.replace("return %z", "return %q"),
    ),
    "a byte that is in no word": (
        PAIR.replace("return", "%r: int = load %b, %i\nreturn"),
        LE,
    ),
    "a word that nobody had": ("return %x", "%z: int = load_le 16 %a, %i\nreturn %x"),
    "a word that was a constant": (
        "%z: int = const 5\nreturn %z",
        LE,
    ),
    "the word and one byte of it": (
        PAIR,
        "%q: int = load %a, %j\n" + LE,
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_another_word_is_refused(name):
    with pytest.raises(CheckError):
        shown(*WRONG[name])


def test_bytes_are_not_joined_across_blocks():
    before = """function @f -> (int) {
entry(%a: array(u8), %i: s64, %c: bool):
  %one: int = const 1
  %8: int = const 8
  %j: int = add %i, %one
  %p: int = load %a, %i
  branch %c, more(), done()
more():
  %q: int = load %a, %j
  %q8: int = shift %q, %8
  %z: int = ior %p, %q8
  return %z
done():
  return %i
}"""
    after = before.replace("  %p: int = load %a, %i\n", "")
    at = after.index("  %q: int"), after.index("  return %z")
    with pytest.raises(CheckError):
        check(GatheredLoads, before, after[: at[0]] + "  %z: int = load_le 16 %a, %i\n" + after[at[1] :])
