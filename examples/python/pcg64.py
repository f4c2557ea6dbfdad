"""PCG64 (O'Neill 2014), XSL-RR 128/64: step, output, numbers(state, increment, count) and nth."""

MULTIPLIER = 0x2360ED051FC65DA44385DF649FCCF645


def step(state, increment):
    return (state * MULTIPLIER + increment) % (1 << 128)


def output(state):
    folded = (state >> 64 ^ state) & 0xFFFFFFFFFFFFFFFF
    turn = state >> 122
    return (folded >> turn | folded << (64 - turn)) & 0xFFFFFFFFFFFFFFFF


def numbers(state: int, increment: int, count: int):
    """The next so many."""
    found = []
    for _ in range(count):
        state = step(state, increment)
        found.append(output(state))
    return found


def nth(state: int, increment: int, count: int) -> int:
    """The last of so many."""
    number = 0
    for _ in range(count):
        state = step(state, increment)
        number = output(state)
    return number


def advanced(state: int, increment: int, steps: int) -> int:
    """The state after so many steps, in as many turns as their number has bits (Brown 1994)."""
    factor, term = MULTIPLIER, increment
    while steps > 0:
        if steps % 2:
            state = (factor * state + term) % 2**128
        term = (factor + 1) * term % 2**128
        factor = factor**2 % 2**128
        steps //= 2
    return state
