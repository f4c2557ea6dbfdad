"""xoshiro256** (Blackman, Vigna 2018): following(state); nth(seed, count), seeded by splitmix64."""

MASK = (1 << 64) - 1


def splitmix64(x):
    """The next state, and a number."""
    x = (x + 0x9E3779B97F4A7C15) & MASK
    z = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 & MASK
    z = (z ^ z >> 27) * 0x94D049BB133111EB & MASK
    return x, z ^ z >> 31


def seeded(seed: int):
    words = []
    for _ in range(4):
        seed, word = splitmix64(seed)
        words.append(word)
    return tuple(words)


def rotate_left(x, count):
    return (x << count | x >> (64 - count)) & MASK


def following(state):
    """A number, and the next state."""
    s0, s1, s2, s3 = state
    number = rotate_left(s1 * 5 & MASK, 7) * 9 & MASK
    shifted = s1 << 17 & MASK
    s2 ^= s0
    s3 ^= s1
    s1 ^= s2
    s0 ^= s3
    s2 ^= shifted
    return number, (s0, s1, s2, rotate_left(s3, 45))


def nth(seed: int, count: int) -> int:
    """The last of so many."""
    state = seeded(seed)
    number = 0
    for _ in range(count):
        number, state = following(state)
    return number
