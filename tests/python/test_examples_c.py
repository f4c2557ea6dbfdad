"""The C examples of secret numbers beside OpenSSL's command and CPython's integers, both ways."""

import math
import os
import re
import shutil
import subprocess
from decimal import Decimal, getcontext
from pathlib import Path

import pytest

OPENSSL = shutil.which("openssl")
needs_openssl = pytest.mark.skipif(not OPENSSL, reason="no openssl command")


def digits(number: int | bytes) -> str:
    text = number.hex() if isinstance(number, bytes) else f"{number:x}"
    return "0" * (len(text) % 2) + text


@pytest.fixture
def example():
    """Runs an example with numbers and bytes for arguments: what it printed, or None where it said no."""
    build = os.environ.get("CARRYCHAIN_BUILD")
    if not build:
        pytest.skip("CARRYCHAIN_BUILD does not name a build directory")

    def run(name: str, *arguments: str | int | bytes) -> str | None:
        words = [a if isinstance(a, str) else digits(a) for a in arguments]
        program = Path(build) / "tests/c" / name
        done = subprocess.run([program, *words], capture_output=True, text=True)
        if done.returncode == 2:
            raise ValueError(done.stderr)
        return None if done.returncode else done.stdout.strip()

    return run


def openssl(*arguments: str | Path, data: bytes = b"", status: int | None = 0) -> bytes:
    done = subprocess.run([OPENSSL, *arguments], input=data, capture_output=True)
    assert status is None or done.returncode == status, done.stderr
    return done.stdout + (done.stderr if status is None else b"")


def fields(text: bytes) -> dict[str, int]:
    """The numbers that openssl ... -text prints, by the names that it has for them."""
    found = re.findall(r"^ *([\w-]+): *(?:([0-9]+) \(|((?:\n +(?:[0-9a-f]{2}:?)+)+))", text.decode(), re.M)
    return {
        name: int(plain or re.sub(r"[\s:]", "", block), 10 if plain else 16) for name, plain, block in found
    }


PSS = ["-pkeyopt", "rsa_padding_mode:pss", "-pkeyopt", "rsa_pss_saltlen:32"]
V15 = ["-pkeyopt", "rsa_padding_mode:pkcs1"]


@needs_openssl
@pytest.mark.parametrize("bits", [1024, 1031, 2048])
@pytest.mark.parametrize("e", [3, 65537, 2**70 + 13])
def test_rsa(example, tmp_path, draw, bits, e):
    private, public, signed = tmp_path / "private", tmp_path / "public", tmp_path / "signature"
    openssl("genpkey", "-algorithm", "RSA", "-pkeyopt", f"rsa_keygen_bits:{bits}",
            "-pkeyopt", f"rsa_keygen_pubexp:{e}", "-out", private)  # fmt: skip
    openssl("pkey", "-in", private, "-pubout", "-out", public)
    key = fields(openssl("pkey", "-in", private, "-noout", "-text"))
    p, q, n = key["prime1"], key["prime2"], key["modulus"]
    assert p * q == n and n.bit_length() == bits
    for scheme, options in (("v15", V15), ("pss", PSS)):
        for length in (0, 1, 55, 56, 64, 119, 1000):
            message = draw.randbytes(length)
            (tmp_path / "message").write_bytes(message)
            both = ["-rawin", "-digest", "sha256", "-in", tmp_path / "message", *options]

            ours = bytes.fromhex(example("rsa", "sign", scheme, p, q, e, message))
            signed.write_bytes(ours)
            openssl("pkeyutl", "-verify", "-pubin", "-inkey", public, "-sigfile", signed, *both)
            theirs = openssl("pkeyutl", "-sign", "-inkey", private, *both)
            assert scheme == "pss" or ours == theirs
            assert example("rsa", "verify", scheme, n, e, message, theirs) == "good"

            wrong = bytearray(theirs)
            wrong[draw.randrange(len(wrong))] ^= 1 << draw.randrange(8)
            assert not example("rsa", "verify", scheme, n, e, message, bytes(wrong))
            assert not example("rsa", "verify", scheme, n, e, message + b"!", theirs)
            assert not example("rsa", "verify", "v15" if scheme == "pss" else "pss", n, e, message, theirs)
            # not below n, though right modulo n; and a byte too long
            larger = int.from_bytes(theirs, "big") + n
            if larger.bit_length() <= 8 * len(theirs):
                altered = larger.to_bytes(len(theirs), "big")
                assert not example("rsa", "verify", scheme, n, e, message, altered)
            assert not example("rsa", "verify", scheme, n, e, message, b"\0" + theirs)


@needs_openssl
@pytest.mark.parametrize("salt", [0, 20, 94])
def test_rsa_salts(example, tmp_path, salt):
    """PSS with a salt of any length that there is room for; 94 bytes is all of it."""
    private, message = tmp_path / "private", tmp_path / "message"
    openssl("genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:1024", "-out", private)
    key = fields(openssl("pkey", "-in", private, "-noout", "-text"))
    message.write_bytes(b"salted")
    signature = openssl("pkeyutl", "-sign", "-inkey", private, "-rawin", "-digest", "sha256", "-in", message,
                        *PSS[:-1], f"rsa_pss_saltlen:{salt}")  # fmt: skip
    assert example("rsa", "verify", "pss", key["modulus"], 65537, b"salted", signature) == "good"
    assert not example("rsa", "verify", "pss", key["modulus"], 65537, b"Salted", signature)


def test_rsa_no_key(example):
    for key in ((15, 7, 65537), (13, 11, 5), (13, 13, 5), (12, 11, 3)):
        with pytest.raises(ValueError, match=r"usage|not signed"):
            example("rsa", "sign", "v15", *key, b"message")
    with pytest.raises(ValueError, match="not signed"):
        example("rsa", "sign", "v15", 2**127 - 1, 2**89 - 1, 65537, b"message")


# RFC 7919, A.1 and A.2: p = 2^b - 2^(b - 64) + (floor(2^(b - 130) e) + X) 2^64 - 1
GROUPS = {"ffdhe2048": (2048, 560316, 225), "ffdhe3072": (3072, 2625351, 275)}


def group(name: str) -> tuple[int, int]:
    bits, x, secret = GROUPS[name]
    getcontext().prec = 1000
    scaled = int(Decimal(1).exp() * 2 ** (bits - 130))
    return 2**bits - 2 ** (bits - 64) + (scaled + x) * 2**64 - 1, secret


@pytest.mark.parametrize("name", GROUPS)
def test_dh_by_integers(example, draw, name):
    p, bits = group(name)
    for x in (0, 1, 2, 2**bits - 1, *(draw.getrandbits(bits) for _ in range(10))):
        y = pow(2, draw.getrandbits(bits), p)
        assert int(example("dh", "public", name, x), 16) == pow(2, x, p)
        assert int(example("dh", "shared", name, x, y), 16) == pow(y, x, p)
        assert example("dh", "shared", name, x, p - y) is None
    for y in (0, 1, p - 1, p, p + 2):
        assert example("dh", "shared", name, 3, y) is None
    with pytest.raises(ValueError, match="usage"):
        example("dh", "public", name, 2**bits)


@needs_openssl
@pytest.mark.parametrize("name", GROUPS)
def test_dh_by_openssl(example, tmp_path, name):
    ours, theirs = [tmp_path / f"{whose}.pem" for whose in ("a", "b")]
    for key in (ours, theirs):
        openssl("genpkey", "-algorithm", "DH", "-pkeyopt", f"group:{name}", "-out", key)
        openssl("pkey", "-in", key, "-pubout", "-out", key.with_suffix(".pub"))
    a, b = (fields(openssl("pkey", "-in", key, "-noout", "-text")) for key in (ours, theirs))
    assert int(example("dh", "public", name, a["private-key"]), 16) == a["public-key"]
    for x, y, key, peer in ((a, b, ours, theirs), (b, a, theirs, ours)):
        should = openssl("pkeyutl", "-derive", "-inkey", key, "-peerkey", peer.with_suffix(".pub"),
                         "-pkeyopt", "dh_pad:1")  # fmt: skip
        assert example("dh", "shared", name, x["private-key"], y["public-key"]) == should.hex()


@pytest.mark.parametrize("p", [433, 2**31 - 1, 2**127 - 1, 2**521 - 1])
def test_paillier(example, draw, p):
    # the next prime below that will do (Fermat)
    q = next(q for q in range(p - 2, 0, -2) if pow(3, q, q) == 3 and math.gcd(p * q, (p - 1) * (q - 1)) == 1)
    n = p * q
    for _ in range(10):
        m, m2, k = draw.randrange(n), draw.randrange(n), draw.randrange(n)
        r = next(r for r in iter(lambda: draw.randrange(n), None) if math.gcd(r, n) == 1)
        c = int(example("paillier", "encrypt", p, q, m, r), 16)
        assert c == (1 + m * n) * pow(r, n, n * n) % (n * n)
        assert int(example("paillier", "decrypt", p, q, c), 16) == m
        c2 = int(example("paillier", "encrypt", p, q, m2, 1), 16)
        both = int(example("paillier", "add", p, q, c, c2), 16)
        assert both == c * c2 % (n * n)
        assert int(example("paillier", "decrypt", p, q, both), 16) == (m + m2) % n
        times = int(example("paillier", "scale", p, q, c, k), 16)
        assert int(example("paillier", "decrypt", p, q, times), 16) == m * k % n
    assert example("paillier", "decrypt", p, q, n) is None
    with pytest.raises(ValueError, match="usage"):
        example("paillier", "encrypt", p, q, n, 1)
