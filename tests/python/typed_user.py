"""What a user writes with every public name; type checkers read it, and it runs."""

import sys
import tempfile
from pathlib import Path

import carrychain
import numpy
from carrychain import Integer, Modulus, i8, i16, i32, i64, u8, u16, u32, u64


@carrychain.jit
def mix(x: u32, y: u32) -> u32:
    return (x * 0x9E3779B1 + y) & 0xFFFFFFFF


@carrychain.jit(fallback=True)
def narrow(a: i8, b: i16, c: i32, d: i64, e: u8, f: u16, g: u64) -> int:
    return a + b + c + d + e + f + g


def main() -> None:
    version: str = carrychain.__version__
    sums: list[int] = carrychain.checksum([b"ab", b"cd"])
    one: int = carrychain.checksum(b"abcd")
    number: int = carrychain.fib(300)
    large: Integer = carrychain.fib(300, type=Integer)
    same: bool = large == number and Integer(str(number)) == large
    power: int = carrychain.powmod(3, 5, 7)
    powers: list[int] = carrychain.powmod_many([3], [5], [7])
    quotient, rest = divmod(large, 10**9 + Integer(7))
    both: Integer = (quotient << 3) + rest - -abs(rest)
    text: str = f"{both:,}" + both.to_decimal()
    root: Integer = both.isqrt()
    modulus = Modulus(2**127 - 1)
    inverse: int = modulus.inverse(3)
    rows: list[int] = modulus.pow_many([1, 2, 3], 65537)
    held: bytes = modulus.pow(b"\1" * modulus.size, b"\3")
    g, x, y = carrychain.gcdext(240, 46)
    theory: tuple[int, int, int, int] = (
        carrychain.inverse(3, 7),
        carrychain.jacobi(2, 7),
        carrychain.next_prime(100),
        carrychain.sqrtmod(2, 7),
    )
    prime: bool = carrychain.is_prime(theory[2])
    if sys.version_info >= (3, 12):
        carrychain.accelerate_int()
    carrychain.restore_int()
    mixed: int = mix(1, 2)
    every: int = narrow(1, 2, 3, 4, 5, 6, 7)
    many = carrychain.vectorize(mix)
    mixes: list[int] = many([1, 2], 3)
    array = many(numpy.arange(3, dtype=numpy.uint32), 3)
    length: int = array.shape[0]
    page: str = carrychain.explain(mix, 1, 2)._repr_html_()
    ip = bytes.fromhex("4500001400000000400166a90a0000010a000002")
    layers = carrychain.verify_frame(ip, 101)
    verdicts: list[str] = [layer.verdict for layer in layers]
    whole: bytes = carrychain.repair(ip, 101)
    with tempfile.TemporaryDirectory() as directory:
        capture = Path(directory) / "a.pcap"
        capture.write_bytes(bytes.fromhex("d4c3b2a1020004000000000000000000ffff000001000000"))
        frames: int = sum(len(frame.layers) for frame in carrychain.verify(capture))
        with carrychain.Capture(Path(directory) / "b.pcapng", "w") as out:
            for packet in carrychain.Capture(capture):
                out.write(packet._replace(data=carrychain.repair(packet.data, packet.link)), comment="one")
        program = Path(directory) / "a.lisp"
        program.write_text("(defun twice (x) (declare (integer x)) (* 2 x)) (defun one () 1)\n")
        built: list[str] = [
            each.name for each in carrychain.build(program, directory, functions=["one"]).functions
        ]
        twice: object = carrychain.load_lisp(program).twice(21)
    print(
        version,
        sums,
        one,
        same,
        power,
        powers,
        len(text),
        built,
        root,
        inverse,
        rows,
        held,
        g,
        x,
        y,
        file=sys.stderr,
    )
    print(prime, mixed, every, mixes, length, len(page), verdicts, whole == ip, frames, twice)


if __name__ == "__main__":
    main()
