"""Collected column by column: two parties agree on a secret by 2048-bit powers in constant time."""

import random

from carrychain.bench.timing import duration, in_turn
from carrychain.bindings import cpu
from carrychain.bindings.fixed import powmod, powmod_many

from .chapter import Demo

# The 2048-bit group of RFC 3526, which every TLS and SSH library has.
P = int(
    "FFFFFFFFFFFFFFFFC90FDAA22168C234C4C6628B80DC1CD129024E088A67CC74020BBEA63B139B22514A08798E3404DD"
    "EF9519B3CD3A431B302B0A6DF25F14374FE1356D6D51C245E485B576625E7EC6F44C42E9A637ED6B0BFF5CB6F406B7ED"
    "EE386BFB5A899FA5AE9F24117C4B1FE649286651ECE45B3DC2007CB8A163BF0598DA48361C55D39A69163FA8FD24CF5F"
    "83655D23DCA3AD961C62F356208552BB9ED529077096966D670C354E4ABC9804F1746C08CA18217C32905E462E36CE3B"
    "E39E772C180E86039B2783A2EC07A28FB5C55DF06F4C52C9DE2BCBF6955817183995497CEA956AE515D2261898FA0510"
    "15728E5A8AACAA68FFFFFFFFFFFFFFFF",
    16,
)
G = 2
BATCH = 8
ROUNDS = 31


def chapter() -> Demo:
    draw = random.Random(0)
    a, b = draw.getrandbits(2048), draw.getrandbits(2048)
    public_a, public_b = powmod(G, a, P), powmod(G, b, P)
    shared = powmod(public_b, a, P)
    bases, exponents = [public_b] * BATCH, [draw.getrandbits(2048) for _ in range(BATCH)]
    right = shared == powmod(public_a, b, P) == pow(public_b, a, P)
    right &= powmod_many(bases, exponents, [P] * BATCH) == [pow(public_b, e, P) for e in exponents]
    (batch,) = in_turn([lambda: powmod_many(bases, exponents, [P] * BATCH)], ROUNDS)
    text = f"{shared:0512x}"
    result = Demo(
        carry="collected",
        module="fixed",
        did=[
            (
                "agreed on",
                f"a 2048-bit Diffie-Hellman secret: [bold]{text[:16]} … {text[-16:]}[/bold]",
            ),
            ("eight at once", f"{duration(batch.least / BATCH)} each{batch.mark}"),
        ],
        check="both sides have the same secret, and each power equals Python's pow()",
        right=right,
        unit=f"b^e mod m of 2048 bits in constant time, by {cpu.chosen('fixed')}",
        peer="",
    )

    def ours() -> None:
        powmod(public_b, a, P)

    try:
        import gmpy2
    except ImportError:
        result.timings = in_turn([ours], ROUNDS)
        result.peer = "gmpy2 is not installed"
        return result
    operands = gmpy2.mpz(public_b), gmpy2.mpz(a), gmpy2.mpz(P)
    result.right &= shared == gmpy2.powmod_sec(*operands)
    result.timings = in_turn([ours, lambda: gmpy2.powmod_sec(*operands)], ROUNDS)
    result.peer = f"gmpy2's powmod_sec ({gmpy2.mp_version()}), also in constant time"
    return result
