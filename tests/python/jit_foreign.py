"""Other people's modules of integers and bytes, from the Python package index, under jit put on from outside.

    python tests/python/jit_foreign.py [--inputs N] [MODULE...]

Each function named here is compiled as it stands, with what it calls, or refused with a reason; one that is
compiled gives what CPython gives, results and exceptions and what becomes of the arguments, on random inputs.
The packages are installed in a virtual environment under the cache directory, the first time.
"""

from __future__ import annotations

import argparse
import copy
import importlib
import random
import subprocess
import sys
import time
import venv
from collections.abc import Callable
from pathlib import Path
from types import FunctionType
from typing import NamedTuple

from carrychain import jit
from carrychain.ring.ir.errors import SourceError

# with what they import; without what they would compile or be fast by
PACKAGES = (
    "crc21-pure==0.1.0", "crc64-xz-pure==0.1.0", "crcmod==1.7", "ecdsa==0.19.2", "egcd==3.0.0",
    "fletcher-pure==0.1.0", "fnv==0.2.0", "fnv1a-pure==0.1.0", "fnvhash==0.2.1", "gmssl==3.2.2",
    "hensel==0.1.0", "md2hash==1.0.2", "mpmath==1.3.0", "pep272-encryption==0.4", "primality==0.0.6",
    "pure-chacha20==0.1.0", "pure-salsa20==0.1.0", "pure25519==0.0.1", "pyaes==1.6.1", "pymmh3==0.0.5",
    "pymorton==1.0.5", "pysm4==0.7.2", "pyspark-xxhash64==0.1.0", "rfc7748==0.0.1", "siphash==0.0.1",
    "six==1.17.0", "sympy==1.14.0", "tonellishanks==0.1.1", "xtea==0.7.1",
)  # fmt: skip

Maker = Callable[[random.Random], object]


def octets(least: int = 0, most: int = 200, step: int = 1) -> Maker:
    return lambda rng: rng.randbytes(rng.randrange(least, most + 1, step))


def exactly(count: int) -> Maker:
    return octets(count, count)


def word(bits: int) -> Maker:
    return lambda rng: rng.getrandbits(rng.randrange(bits + 1)) if rng.randrange(2) else rng.getrandbits(bits)


def signed(bits: int) -> Maker:
    of = word(bits)
    return lambda rng: rng.choice((-1, 1)) * of(rng)


def chosen(*of) -> Maker:
    return lambda rng: rng.choice(of)


def among(least: int, end: int) -> Maker:
    return lambda rng: rng.randrange(least, end)


def lists(count: int, of: Maker) -> Maker:
    return lambda rng: [of(rng) for _ in range(count)]


def listing(most: int, of: Maker) -> Maker:
    """A list of 1 to so many."""
    return lambda rng: [of(rng) for _ in range(rng.randrange(1, most + 1))]


def tuples(*of: Maker) -> Maker:
    return lambda rng: tuple(each(rng) for each in of)


def odd(bits: int) -> Maker:
    return lambda rng: rng.getrandbits(rng.randrange(2, bits)) | 1


def monic(most: int, of: Maker) -> Maker:
    """The coefficients of a polynomial of degree 1 to most."""
    return lambda rng: [*listing(most, of)(rng), 1]


U8, U32, U64, P255 = word(8), word(32), word(64), word(255)
PRIME = chosen(3, 5, 7, 13, 17, 41, 257, 65537, 2**31 - 1, 2**61 - 1, 2**127 - 1, 2**255 - 19)
POINT = tuples(P255, P255, P255, P255)
CRC_DATA = octets()
OCTETS_OR_NOT: Maker = lambda rng: (octets() if rng.randrange(5) else word(9))(rng)  # noqa: E731


def crc(bits: int) -> tuple[Maker, ...]:
    return CRC_DATA, word(bits + 3), lists(256, word(bits))


def alike(names: str, *makers: Maker) -> dict[str, tuple[Maker, ...]]:
    """Functions that take the same."""
    return dict.fromkeys(names.split(), makers)


NUMBER = signed(200)
# of Salsa20 and ChaCha20
QUARTERS = {
    "mask32": (signed(100),),
    "add32": (NUMBER, NUMBER),
    "left_rotate": (U32, among(0, 32)),
    "quarter_round": (lists(16, U32), *(among(0, 16) for _ in range(4))),
    "bytes_from_words": (listing(20, U32),),
}
# For each module, its functions and what makes their arguments.
TRIED: dict[str, dict[str, tuple[Maker, ...]]] = {
    "fnvhash": {
        **{f"fnv{kind}_{bits}": (octets(),) for kind in ("0", "1", "1a") for bits in (32, 64)},
        **alike("fnv fnva", octets(), U64, word(40), chosen(2**32, 2**64)),
        "_get_byte": (U8,),
    },
    "fnv": {**alike("fnv fnv_1a", word(1024), U8, chosen(32, 64, 128, 1024))},
    "pure_salsa20": {
        **QUARTERS,
        "salsa20_permute": (lists(16, U32),),
        "words_from_bytes": (octets(0, 200, 4),),
        "salsa20_block": (exactly(32), exactly(8), U64),
        "salsa20_stream": (exactly(32), exactly(8), among(0, 200)),
        "salsa20_xor": (exactly(32), exactly(8), octets()),
        "hsalsa20": (exactly(32), exactly(16)),
        "xsalsa20_stream": (exactly(32), exactly(24), among(0, 200)),
        "xsalsa20_xor": (exactly(32), exactly(24), octets()),
    },
    "pure_chacha20": {
        **QUARTERS,
        "chacha20_permute": (lists(16, U32),),
        "words_from_bytes": (octets(0, 200),),
        "chacha20_block": (octets(31, 32), exactly(12), word(33)),
        "chacha20_stream": (exactly(32), exactly(12), among(0, 200)),
        "chacha20_xor": (exactly(32), exactly(12), octets()),
        "hchacha20": (exactly(32), octets(15, 16)),
        "xchacha20_stream": (exactly(32), exactly(24), among(0, 200)),
        "xchacha20_xor": (exactly(32), exactly(24), octets()),
    },
    "pyspark_xxhash64.core": {
        "_rotl64": (U64, among(0, 65)),
        "_round": (U64, U64),
        "_merge_round": (U64, NUMBER),
        "_avalanche": (U64,),
        **alike("xxh64_unsigned xxh64", octets(), NUMBER),
        "_to_signed64": (NUMBER,),
    },
    "md2_hash.md2": {"md2": (octets(),)},
    "crc21_pure": {"crc21_canfd": (OCTETS_OR_NOT, word(22)), "verify_canfd": (octets(), word(22))},
    "crc64_xz_pure": {"crc64_xz": (OCTETS_OR_NOT,)},
    "fletcher_pure": {"checksum": (octets(),), "verify": (OCTETS_OR_NOT, word(16))},
    "fnv1a_pure": {
        **{f"{way}_{bits}": (octets(),) for way in ("fnv1a", "fnv1") for bits in (32, 64)},
        **{f"_{way}_64": (octets(),) for way in ("fnv1a", "fnv1")},
        **{f"fnv1a_{bits}_hex": (octets(),) for bits in (32, 64)},
    },
    "egcd.egcd": {"egcd": (NUMBER, NUMBER, signed(60))},
    "hensel.hensel": {
        "_inv": (NUMBER, PRIME),
        "_exp": (among(1, 5000), chosen(2, 3, 5)),
        "hensel": (signed(12), chosen(2, 3, 5, 7, 11, -3), among(-1, 5)),
    },
    "tonellishanks.tonellishanks": {"_legendre": (NUMBER, PRIME), "tonellishanks": (word(200), PRIME)},
    "primality.miller": {"miller": (among(2, 1 << 40),)},
    "primality.primality": {**alike("nthprime prange", among(-2, 60)), "isprime": (signed(80),)},
    "rfc7748.rfc7748": {"ec_multscalar": (chosen(2**255 - 19), chosen(486662), chosen(8, 255), P255, P255)},
    "pymorton": {
        **alike("__part1by1 __part1by2 __unpart1by1 __unpart1by2 deinterleave2 deinterleave3", NUMBER),
        "interleave2": (NUMBER, NUMBER),
        **alike("interleave3 interleave", NUMBER, NUMBER, NUMBER),
    },
    "crcmod._crcfunpy": {
        **{f"_crc{bits}{way}": crc(bits) for bits in (8, 16, 24, 32, 64) for way in ("", "r")},
        "_get_buffer_view": (octets(),),
    },
    "pymmh3": {
        "hash": (octets(), U32),
        **alike("hash128 hash64", octets(), U32, chosen(True, False)),
        "hash_bytes": (octets(),),
    },
    "xtea": {
        **alike("_encrypt_int _decrypt_int", tuples(*[U32] * 4), tuples(U32, U32), chosen(0, 1, 32, 40)),
        "xor_strings": (octets(), octets()),
        "_encrypt": (exactly(16), exactly(8)),
    },
    "siphash": {"_doublesipround": (tuples(U64, U64, U64, U64), U64)},
    "pure25519.basic": {
        **alike("inv xrecover scalar_to_bytes", P255),
        "xform_affine_to_extended": (tuples(NUMBER, NUMBER),),
        **alike("xform_extended_to_affine double_element is_extended_zero", POINT),
        **alike("add_elements _add_elements_nonunfied", POINT, POINT),
        **alike("scalarmult_element_safe_slow scalarmult_element", POINT, signed(40)),
        "isoncurve": (tuples(P255, P255),),
        "bytes_to_scalar": (octets(31, 33),),
    },
    "ecdsa.numbertheory": {
        "jacobi": (NUMBER, odd(200)),
        "inverse_mod": (NUMBER, word(200)),
        "square_root_mod_prime": (word(16), chosen(65537, 2**61 - 1, 2**89 - 1, 2**255 - 19)),
        "polynomial_reduce_mod": (listing(8, U64), monic(4, U64), PRIME),
        "polynomial_multiply_mod": (listing(4, U64), listing(4, U64), monic(4, U64), PRIME),
        "polynomial_exp_mod": (listing(2, U64), word(40), monic(3, U64), chosen(2**61 - 1, 2**127 - 1)),
        "lcm2": (NUMBER, NUMBER),
        "is_prime": (word(40),),
        "factorization": (word(20),),
    },
    "gmssl.func": {
        "rotl": (U32, among(0, 32)),
        "get_uint32_be": (lists(4, U8),),
        "put_uint32_be": (NUMBER,),
        **alike("pkcs7_padding pkcs7_unpadding zero_padding", listing(40, U8)),
        "zero_unpadding": (listing(40, word(1)),),
        "random_hex": (U8,),
        "xor": (listing(20, U8), listing(20, U8)),
        "list_to_bytes": (listing(20, U8),),
        "bytes_to_list": (octets(),),
    },
    "gmssl.sm3": {
        **alike("sm3_ff_j sm3_gg_j", U32, U32, U32, among(-1, 65)),
        **alike("sm3_p_0 sm3_p_1", U32),
        "sm3_cf": (lists(8, U32), lists(64, U8)),
        "sm3_hash": (listing(100, U8),),
    },
    "sympy.external.ntheory": {
        **alike("bit_scan1 bit_scan0", signed(400)),
        "remove": (NUMBER, among(1, 40)),
        "gcdext": (NUMBER, NUMBER),
        "is_square": (NUMBER,),
        "invert": (NUMBER, word(200)),
        "legendre": (NUMBER, PRIME),
        "jacobi": (NUMBER, odd(200)),
        "kronecker": (NUMBER, signed(100)),
        "iroot": (word(200), among(1, 20)),
        **alike("is_fermat_prp is_euler_prp is_strong_prp", odd(200), among(1, 40)),
        "_lucas_sequence": (odd(100), among(1, 10), among(-5, 5), word(40)),
        "is_lucas_prp": (odd(60), among(1, 10), among(-5, 5)),
        **alike("is_selfridge_prp is_bpsw_prp", odd(100)),
    },
    "pyaes.aes": {"_compact_word": (lists(4, U8),)},
    "pysm4.sm4": {"_linear_map": (U32,), "_crypt": (word(128), word(128))},
}  # fmt: skip


def names(module: str) -> list[str]:
    return [f"{module}.{function}" for function in TRIED[module]]


# What is refused, and why; all others are compiled.
REFUSED = {
    **{each: "a dict" for each in names("fnv")},
    "crcmod._crcfunpy._get_buffer_view": "a memoryview that is given away",
    "fnv1a_pure.fnv1a_32_hex": "text",
    "fnv1a_pure.fnv1a_64_hex": "text",
    "pymmh3.hash_bytes": "text",
    "pymorton.interleave": "a function that is looked for by its name",
    "xtea._encrypt": "struct, which makes text of its format",
    "pure25519.basic.bytes_to_scalar": "hexadecimal text",
    "pure25519.basic.scalar_to_bytes": "hexadecimal text",
    "ecdsa.numbertheory.is_prime": "a global that is set",
    "ecdsa.numbertheory.factorization": "a list of tuples; is_prime",
    "gmssl.func.random_hex": "text, by chance",
    "gmssl.sm3.sm3_cf": "text",
    "gmssl.sm3.sm3_hash": "sm3_cf; text",
    "sympy.external.ntheory.is_square": "mpmath's root, of floats",
    "sympy.external.ntheory.invert": "try",
    "sympy.external.ntheory.iroot": "try, floats",
    "sympy.external.ntheory._lucas_sequence": "the text of bin(k)",
    "sympy.external.ntheory.is_lucas_prp": "_lucas_sequence",
    "sympy.external.ntheory.is_selfridge_prp": "_lucas_sequence",
    "sympy.external.ntheory.is_bpsw_prp": "_lucas_sequence",
    **{each: "text" for each in names("pysm4.sm4")},
}


def directory() -> Path:
    return Path.home() / ".cache" / "carrychain" / "foreign"


def install() -> None:
    """Makes the packages importable; CalledProcessError or OSError if they can't be had."""
    home = directory()
    listed = home / "installed"
    if not listed.exists() or listed.read_text().split() != list(PACKAGES):
        venv.create(home, clear=True, with_pip=True)
        pip = [home / "bin" / "python", "-m", "pip", "install", "--quiet", "--no-deps", "--no-compile"]
        subprocess.run([*pip, *PACKAGES], check=True, capture_output=True, text=True)
        listed.write_text("\n".join(PACKAGES))
    (found,) = home.glob("lib/python*/site-packages")
    sys.path.append(str(found))
    # they use it where it is, and then it is not they that compute
    sys.modules["gmpy2"] = None


class Outcome(NamedTuple):
    """What a call comes to, and what its arguments are then."""

    result: object
    raised: object
    args: list


def typed(value):
    """That tells True from 1 and a list from a tuple."""
    if isinstance(value, list | tuple):
        return type(value), [typed(each) for each in value]
    return type(value), value


def outcome(function: Callable, args: list) -> Outcome:
    """SourceError, if the function is not compiled for such arguments."""
    args = copy.deepcopy(args)
    try:
        result, raised = typed(function(*args)), None
    except SourceError:
        raise
    except Exception as error:
        result, raised = None, (type(error), error.args)
    return Outcome(result, raised, args)


def alike(a: Outcome, b: Outcome) -> bool:
    """What an exception says may be the source's words, where CPython computes them."""
    kinds = [each.raised and each.raised[0] for each in (a, b)]
    return kinds[0] is kinds[1] and (a.result, a.args) == (b.result, b.args)


class Found(NamedTuple):
    """Of a function: why it is refused, or of how many inputs CPython raised, and those that differ."""

    refused: str | None
    raised: int
    differing: list[str]


def compared(function: Callable, jit: Callable, makers: tuple[Maker, ...], count: int, seed: int) -> Found:
    rng = random.Random(seed)
    raised, differing = 0, []
    try:
        compiled = jit(function)
        for _ in range(count):
            args = [make(rng) for make in makers]
            wanted = outcome(function, args)
            found = outcome(compiled, args)
            raised += bool(wanted.raised)
            unlike = found.raised and not wanted.raised and found.raised[0] is TypeError
            if unlike and ": pass " in found.raised[1][0]:
                # a kind of argument that there is none of
                return Found(found.raised[1][0], raised, differing)
            if not alike(found, wanted):
                differing.append(f"{args}: {found}, CPython {wanted}")
    except SourceError as error:
        return Found(str(error), raised, differing)
    return Found(None, raised, differing)


def verdict(name: str, found: Found) -> str:
    """Begins with "wrong" where a function is not as CPython has it, or is refused though it need not be."""
    if found.refused:
        return f"{'refused' if name in REFUSED else 'wrong: refused'}: {found.refused}"
    if found.differing:
        return f"wrong: {len(found.differing)} differ, as {found.differing[0]}"
    if name in REFUSED:
        return f"wrong: compiled, and said to be refused for {REFUSED[name]}"
    return f"as CPython, which raised {found.raised} times"


def is_whole(module: str, said: list[str]) -> bool:
    """Whether all that a module defines are functions of these, and all of them are as CPython has them."""
    imported = importlib.import_module(module)
    own = {
        name
        for name, value in vars(imported).items()
        if isinstance(value, type | FunctionType) and value.__module__ == imported.__name__
    }
    return bool(own) and own <= set(TRIED[module]) and all(each.startswith("as CPython") for each in said)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--inputs", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("modules", metavar="MODULE", nargs="*", default=list(TRIED))
    options = parser.parse_args()
    try:
        install()
    except (OSError, subprocess.CalledProcessError) as error:
        print(f"the packages cannot be had: {getattr(error, 'stderr', None) or error}", file=sys.stderr)
        sys.exit(2)
    said: dict[str, list[str]] = {}
    for module in options.modules:
        imported = importlib.import_module(module)
        told = said[module] = []
        for function, makers in TRIED[module].items():
            began = time.monotonic()
            found = compared(getattr(imported, function), jit, makers, options.inputs, options.seed)
            told.append(verdict(f"{module}.{function}", found))
            print(f"{module}.{function}: {told[-1]}; {time.monotonic() - began:.1f} s", flush=True)
    print("whole:", ", ".join(each for each in options.modules if is_whole(each, said[each])) or "none")
    counts = [
        sum(e.startswith(way) for told in said.values() for e in told)
        for way in ("as CPython", "refused", "wrong")
    ]
    print("{} functions are as CPython has them, {} are refused, {} are wrong".format(*counts))
    sys.exit(counts[2] > 0)


if __name__ == "__main__":
    main()
