"""What the programs of examples/lisp/plain.lisp compute, by other means."""

import heapq
from functools import reduce


def sorted_middle(n: int) -> int:
    return sorted(i * 7919 % 1009 for i in range(n))[n // 2]


def shortest_paths(n: int) -> int:
    """By Bellman's and Ford's algorithm, from each node."""
    total = 0
    for start in range(n):
        found = [0 if at == start else 1 << 40 for at in range(n)]
        for _ in range(n):
            found = [
                min(x, *(found[k] + 1 + (17 * k + 31 * at) % 101 for k in range(n) if k != at), x)
                for at, x in enumerate(found)
            ]
        total += sum(found)
    return total


def edit_distance(n: int) -> int:
    """Of suffixes, with the whole table."""
    table = {}
    for i in range(n + 3, -1, -1):
        for j in range(n, -1, -1):
            ways = [table[i + 1, j] + 1] if i < n + 3 else []
            ways += [table[i, j + 1] + 1] if j < n else []
            if i < n + 3 and j < n:
                ways.append(table[i + 1, j + 1] + (7 * (i + 1) % 11 != 5 * (j + 1) % 13))
            table[i, j] = min(ways, default=0)
    return table[0, 0]


def primes_below(n: int) -> int:
    return sum(all(p % d for d in range(2, p)) for p in range(2, n))


def sets_left(n: int) -> int:
    """By graph search."""
    beside = {i: {i * i % n} for i in range(n)}
    for i in range(n):
        beside[i * i % n].add(i)
    left, count = set(range(n)), 0
    while left:
        count += 1
        todo = {left.pop()}
        while todo:
            todo = reduce(set.union, (beside[i] for i in todo), set()) & left
            left -= todo
    return count


def distances(n: int) -> int:
    found, heap = {}, [(0, 0)]
    while heap:
        far, node = heapq.heappop(heap)
        if node not in found:
            found[node] = far
            for edge in range(1, 4):
                heapq.heappush(heap, (far + edge + node * edge % 7, (node + 1) * edge % n))
    return sum(found.values())
