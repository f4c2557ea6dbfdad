"""What type checkers find out by themselves: each line's comment is what mypy has to reveal there."""

from typing import reveal_type

import carrychain
from carrychain import Integer, Modulus, gmpy2, u32


@carrychain.jit
def mix(x: u32, y: u32) -> u32:
    return (x * 0x9E3779B1 + y) & 0xFFFFFFFF


F100 = carrychain.fib(100)
M = Modulus(2**127 - 1)
many = carrychain.vectorize(mix)

reveal_type(F100)  # int
reveal_type(carrychain.fib(100, "doubling", threads=2))  # int
reveal_type(carrychain.fib(100, type=int))  # int
reveal_type(carrychain.fib(100, type=Integer))  # Integer
reveal_type(carrychain.checksum(b"ab"))  # int
reveal_type(carrychain.checksum([b"ab"]))  # list[int]
reveal_type(carrychain.powmod(3, 5, 7))  # int
reveal_type(carrychain.powmod_many([3], [5], [7]))  # list[int]
reveal_type(carrychain.gcdext(240, 46))  # tuple[int, int, int]
reveal_type(carrychain.inverse(3, 7))  # int
reveal_type(carrychain.jacobi(2, 7))  # int
reveal_type(carrychain.sqrtmod(2, 7))  # int
reveal_type(carrychain.next_prime(7))  # int
reveal_type(carrychain.is_prime(7))  # bool
reveal_type(M.pow(3, 5))  # int
reveal_type(M.pow(b"3", 5))  # bytes
reveal_type(M.pow_public(3, 5))  # int
reveal_type(M.pow_many([3], 5))  # list[int]
reveal_type(M.inverse(3))  # int
reveal_type(M.sqrt(b"3"))  # bytes
reveal_type(Integer(3))  # Integer
reveal_type(Integer(3) + 4)  # Integer
reveal_type(4 + Integer(3))  # Integer
reveal_type(Integer(3) ** 4)  # Integer
reveal_type(Integer(3) / 4)  # float
reveal_type(Integer(3) < 4)  # bool
reveal_type(divmod(Integer(3), 4))  # tuple[Integer, Integer]
reveal_type(int(Integer(3)))  # int
reveal_type(gmpy2.mpz(3) + 4)  # mpz
reveal_type(4 - gmpy2.mpz(3))  # mpz
reveal_type(gmpy2.mpz(3) / 4)  # float
reveal_type(gmpy2.mpz(3) * gmpy2.mpq(1, 4))  # mpq
reveal_type(gmpy2.mpq(1, 4) // 3)  # mpz
reveal_type(gmpy2.mpq(1, 4) ** 3)  # mpq
reveal_type(gmpy2.gcd(4, gmpy2.mpz(6)))  # mpz
reveal_type(gmpy2.iroot(10, 3))  # tuple[mpz, bool]
reveal_type(gmpy2.fib2(10))  # tuple[mpz, mpz]
reveal_type(mix(1, 2))  # int
reveal_type(many([1], 2))  # list[int]
reveal_type(carrychain.verify_frame(b"")[0].verdict)  # str
reveal_type(carrychain.explain(mix)._repr_html_())  # str
for frame in carrychain.verify("a.pcap"):
    reveal_type(frame.layers[0].verdict)  # str
