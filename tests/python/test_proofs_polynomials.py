"""Every form into which a proof brings a polynomial has its value, beside integers that are known."""

import os

from proofs.polynomials import Ring

WORLDS = max(300, round(1500 * float(os.environ.get("CC_TEST_SCALE", 1))))
STEPS = 20
WORD = 8


def combined(random, pool):
    """A sum of some of them, seldom a multiple or a product: as carries and borrows meet in a proof."""
    u, value = 0, 0
    for n in random.integers(0, len(pool), int(random.integers(1, 4))):
        part, number = pool[n]
        if not random.integers(0, 24):
            factor, known = pool[random.integers(0, len(pool))]
            part, number = part * factor, number * known
        scale = int(random.choice([-1, 1] * 12 + [-5, 3, 16]))
        more = int(random.choice([0, 0, 0, 0, 1, -1, 255]))
        u, value = part * scale + more + u, number * scale + more + value
    return u, value


def disagreement(random):
    """What is wrong in a ring of words of few bits, divided and added at random; None if nothing is."""
    ring, inputs, pool = Ring(), {}, []
    for i in range(3):
        low, high = sorted(random.integers(0, 1 << WORD, 2).tolist())
        if random.integers(0, 4):
            low, high = 0, (1 << WORD) - 1
        inputs[i] = int(random.integers(low, high + 1))
        pool.append((ring.atom(f"x{i}", low, high), inputs[i]))
    for _ in range(STEPS):
        u, value = combined(random, pool)
        k = WORD if random.integers(0, 3) else int(random.integers(1, 2 * WORD))
        for part, number in zip(ring.divide(u, k), (value >> k, value & ((1 << k) - 1)), strict=True):
            if ring.value(part, inputs) != number:
                return f"divide by 2^{k}: {u}"
            pool.append((part, number))
        u, value = combined(random, pool)
        low, high = ring.bounds(u)
        if not low <= value <= high:
            return f"bounds: {u}"
        for same in (ring.expanded, ring.multiplied, ring.settled, ring.unnamed, ring.named):
            if ring.value(same(u), inputs) != value:
                return f"{same.__name__}: {u}"
        modulus = int(random.integers(1, 20))
        if (ring.value(ring.settled(u, modulus), inputs) - value) % modulus:
            return f"settled modulo {modulus}: {u}"
    return None


def test_every_form_has_the_same_value(random):
    for _ in range(WORLDS):
        assert disagreement(random) is None
