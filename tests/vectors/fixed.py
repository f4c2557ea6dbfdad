"""Writes fixed.txt, beside it: the operands are below with their sources, the answers are CPython's."""

from pathlib import Path

B = 1 << 64

HEAD = """\
# Known answers for fixed.h, all hexadecimal, written by fixed.py with CPython's integers:
#	mul a b a*b
#	sqr a a^2
#	mulmod a b m a*b%m
#	powmod b e m b^e%m
"""


class Vectors:
    def __init__(self) -> None:
        self.lines = [HEAD]

    def source(self, text: str) -> None:
        self.lines.append("\n" + "".join(f"# {line}\n" for line in text.strip().splitlines()))

    def sqr(self, a: int) -> None:
        self.lines.append(f"sqr {a:x} {a * a:x}\n")

    def mul(self, a: int, b: int) -> None:
        self.lines.append(f"mul {a:x} {b:x} {a * b:x}\n")

    def powmod(self, b: int, e: int, m: int) -> None:
        self.lines.append(f"powmod {b:x} {e:x} {m:x} {pow(b, e, m):x}\n")

    def mulmod(self, a: int, b: int, m: int) -> None:
        self.lines.append(f"mulmod {a:x} {b:x} {m:x} {a * b % m:x}\n")


def main() -> None:
    v = Vectors()

    v.source("""
CVE-2014-3570: OpenSSL's BN_sqr lost a carry once in 2^64 or 2^128 operands (Pieter Wuille).
The operands are those of OpenSSL's regression test, test/bntest.c, for 64- and 32-bit words.""")
    for text in (
        "80000000000000008000000000000001FFFFFFFFFFFFFFFE0000000000000000",
        "80000000000000000000000080000001FFFFFFFE000000000000000000000000",
    ):
        a = int(text, 16)
        v.sqr(a)
        for shift in (256, 768, 1792):
            v.sqr(a << shift | a)

    v.source("""
Montgomery squaring's carry in sqr8x_reduction (OpenSSL, the family of CVE-2015-3193): the
operands of OpenSSL's regression test, test/bntest.c: the power is below the modulus.""")
    m = int(
        "4141414141414141414141274141414141414141414141414141414141414141"
        "4141414141414141414141414141414141414141414141414141414141414141"
        "4141414141414141414141800000000000000000000000000000000000000000" + "0" * 128 + "0" * 57 + "1",
        16,
    )
    v.powmod(0x050505050505, 2, m)
    v.powmod(m - 0x050505050505, 2, m)
    v.powmod(0x050505050505, 65537, m)
    v.powmod(m - 1, m - 2, m)

    v.source("""
Go's math/big, issue 13907 (Montgomery's product not reduced at the end, after the fix of
CVE-2015-8618): base, exponent and modulus of src/math/big/int_test.go.""")
    for ones in (8, 16, 24, 32):
        x = int("f" * ones + "00000001", 16)
        v.powmod(x, x, x)

    v.source("""
Constructed, in the shape of CVE-2017-3732, -3736 and -3738, CVE-2019-1551 and CVE-2015-8618,
whose reports give no operands: moduli beside powers of the base, so that the quotient
digits of the reduction are all ones or nearly 0, the last carry of a row is the rule, and
the result before the last subtraction lies at or beside the modulus.""")
    for words in (1, 2, 3, 4, 8, 15, 16, 17, 20, 24, 31, 32, 33):
        for m in (B**words - 1, B**words - B // 2 - 1, B**words // 2 + 1, B ** (words - 1) + 1):
            if m < 3:
                continue
            for b in (m - 1, (m + 1) // 2, B**words - 1):
                v.powmod(b, 3, m)
            v.powmod(m - 2, B**words - 1, m)
            v.mulmod(m - 1, B**words - 1, m)
    for m in (B**8 - B**7 + 1, B**16 - 2 * B**15 - 1, B**32 - B**31 + B**16 - 1, B**8 - 569, B**16 - 105):
        v.powmod(m - 1, m - 1, m)
        v.powmod(B**7 - 1, m - 2, m)

    v.source("""
Constructed: products whose columns, or Karatsuba's differences and middle term, have every
carry there is, or none.""")
    for words in (1, 2, 4, 7, 8, 9, 16, 17, 31, 32, 33, 48, 63, 64, 65, 96, 128):
        ones, half = B**words - 1, B ** (words - words // 2) if words > 1 else 1 << 32
        for a in (ones, ones - half + 1, half - 1, ones ^ half, B ** (words - 1), ones // 3):
            v.sqr(a)
            v.mul(a, ones - a)
            v.mul(ones, a)

    v.source("""
Even moduli: a power of two, an odd part of 1 or of full width.""")
    for words in (1, 2, 5, 16):
        six = 6 * (B**words // 7 | 1)
        for m in (2, B**words // 2, 3 * 2 ** (64 * words - 2), B**words - 2, six):
            v.powmod(B**words - 3, B**words - 1, m)
            v.powmod(6, 40, m)

    Path(__file__).with_suffix(".txt").write_text("".join(v.lines))


if __name__ == "__main__":
    main()
