"""The Mersenne Twister MT19937 (Matsumoto, Nishimura 1998): numbers(state, count) from a state of 624 words.

seeded(seed) and seeded_by_array(key) make states; python_seeded(seed) makes the one that random.seed does.
"""

N, M = 624, 397


def seeded(seed):
    state = [seed & 0xFFFFFFFF]
    for i in range(1, N):
        last = state[-1]
        state.append(1812433253 * (last ^ last >> 30) + i & 0xFFFFFFFF)
    return state


def seeded_by_array(key):
    state = seeded(19650218)
    i, j = 1, 0
    for _ in range(max(N, len(key))):
        state[i] = ((state[i] ^ (state[i - 1] ^ state[i - 1] >> 30) * 1664525) + key[j] + j) & 0xFFFFFFFF
        i += 1
        j += 1
        if i >= N:
            state[0] = state[N - 1]
            i = 1
        if j >= len(key):
            j = 0
    for _ in range(N - 1):
        state[i] = ((state[i] ^ (state[i - 1] ^ state[i - 1] >> 30) * 1566083941) - i) & 0xFFFFFFFF
        i += 1
        if i >= N:
            state[0] = state[N - 1]
            i = 1
    state[0] = 0x80000000
    return state


def python_seeded(seed: int):
    seed = abs(seed)
    key = []
    while True:
        key.append(seed & 0xFFFFFFFF)
        seed >>= 32
        if not seed:
            return seeded_by_array(key)


def twist(state):
    for i in range(N):
        y = state[i] & 0x80000000 | state[(i + 1) % N] & 0x7FFFFFFF
        state[i] = state[(i + M) % N] ^ y >> 1
        if y % 2:
            state[i] ^= 0x9908B0DF


def tempered(y):
    y ^= y >> 11
    y ^= y << 7 & 0x9D2C5680
    y ^= y << 15 & 0xEFC60000
    return y ^ y >> 18


def numbers(state, count: int):
    """The next so many; the state, from which none has come yet, is changed."""
    found = []
    for n in range(count):
        if n % N == 0:
            twist(state)
        found.append(tempered(state[n % N]))
    return found


def nth(seed: int, count: int) -> int:
    """The last of so many from random.seed(seed)."""
    state = python_seeded(seed)
    number = 0
    for n in range(count):
        if n % N == 0:
            twist(state)
        number = tempered(state[n % N])
    return number
