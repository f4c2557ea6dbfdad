"""Directed graphs: depth-first order, and cycles (strongly connected components)."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import TypeVar

Node = TypeVar("Node", bound=Hashable)


def depth_first(first: Node, after: Callable[[Node], Iterable[Node]]) -> list[Node]:
    """The nodes reachable from the first in reverse postorder: before their successors, except in cycles."""
    done: list[Node] = []
    seen = {first}
    stack = [(first, iter(after(first)))]
    while stack:
        node, rest = stack[-1]
        for each in rest:
            if each not in seen:
                seen.add(each)
                stack.append((each, iter(after(each))))
                break
        else:
            done.append(node)
            stack.pop()
    return done[::-1]


def cycles(graph: Mapping[Node, Iterable[Node]]) -> list[list[Node]]:
    """The strongly connected components that contain a cycle (Tarjan 1972).

    A component comes after those that it leads to. Successors need not be in the graph.
    """
    found: list[list[Node]] = []
    number: dict[Node, int] = {}  # in the order of discovery
    least: dict[Node, int] = {}  # the least number that is reached back
    open_: dict[Node, None] = {}
    for root in graph:
        if root in number:
            continue
        stack = [(root, iter(graph[root]))]
        number[root] = least[root] = len(number)
        open_[root] = None
        while stack:
            node, after = stack[-1]
            for next_ in after:
                if next_ not in graph:
                    continue
                if next_ not in number:
                    number[next_] = least[next_] = len(number)
                    open_[next_] = None
                    stack.append((next_, iter(graph[next_])))
                    break
                if next_ in open_:
                    least[node] = min(least[node], number[next_])
            else:
                stack.pop()
                if stack:
                    before = stack[-1][0]
                    least[before] = min(least[before], least[node])
                if least[node] == number[node]:
                    members = []
                    while not members or members[-1] != node:
                        members.append(open_.popitem()[0])
                    if len(members) > 1 or node in graph[node]:
                        found.append(members)
    return found
