"""Integers that nothing masks: they count, search and sum, and are kept in lists. Most would fit a word."""


def collatz(n):
    """The steps of Collatz's sequence from n to 1."""
    steps = 0
    while n > 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return steps


def longest_collatz(below):
    """Which number below has the longest sequence."""
    best, longest = 0, -1
    for n in range(1, below):
        steps = collatz(n)
        if steps > longest:
            best, longest = n, steps
    return best


def placed(full, columns, left, right):
    """In how many ways the remaining rows are filled, beside what the queens above attack."""
    if columns == full:
        return 1
    count = 0
    free = full & ~(columns | left | right)
    while free:
        bit = free & -free
        free -= bit
        count += placed(full, columns | bit, (left | bit) << 1, (right | bit) >> 1)
    return count


def queens(n):
    """In how many ways n queens fit on a board."""
    return placed((1 << n) - 1, 0, 0, 0)


def digit_sums(below):
    """The sum of all digits of all numbers below."""
    total = 0
    for n in range(below):
        while n:
            total += n % 10
            n //= 10
    return total


def knapsack(count, capacity):
    """The most that so many things are worth which fit together."""
    best = [0] * (capacity + 1)
    for i in range(count):
        weight, worth = 3 + 7 * i % 23, 10 + 11 * i % 37
        for room in range(capacity, weight - 1, -1):
            best[room] = max(best[room], best[room - weight] + worth)
    return best[capacity]


def partitions(n):
    """In how many ways n is a sum of positive numbers."""
    ways = [1] + [0] * n
    for part in range(1, n + 1):
        for total in range(part, n + 1):
            ways[total] += ways[total - part]
    return ways[n]


def sum_of_squares(n):
    total = 0
    for i in range(n):
        total += i * i
    return total


def matrices(n):
    """The trace of the product of two n by n matrices, in lists of their rows, one after another."""
    a = [(i * j + 1) % 10 for i in range(n) for j in range(n)]
    b = [(i + 2 * j) % 10 for i in range(n) for j in range(n)]
    c = [0] * (n * n)
    for i in range(n):
        for j in range(n):
            entry = 0
            for k in range(n):
                entry += a[n * i + k] * b[n * k + j]
            c[n * i + j] = entry
    trace = 0
    for i in range(n):
        trace += c[n * i + i]
    return trace


def fib(n):
    a, b = 0, 1
    for _ in range(n):
        a, b = b, a + b
    return a


def binom(n, k):
    result = 1
    for i in range(k):
        result = result * (n - i) // (i + 1)
    return result


def isqrt(n):
    """By Newton's method."""
    if n < 2:
        return n
    x = 1 << (n.bit_length() + 1) // 2
    while True:
        y = (x + n // x) // 2
        if y >= x:
            return x
        x = y
