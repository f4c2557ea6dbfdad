"""Annotations for a random program: widths of what `entry` takes, and others that mean nothing."""

from __future__ import annotations

import random
import re

SHARE = 0.25  # of programs
WIDTHS = {f"{sign}{bits}": (-(1 << bits - 1) * signed, (1 << bits - signed) - 1)
          for signed, sign in enumerate("ui") for bits in (8, 16, 32, 64)}  # fmt: skip


class Annotations:
    """Drawn from a stream of their own, which leaves the rest of a program as it is."""

    def __init__(self, rng: random.Random, params: dict, text: str):
        self.rng = rng
        self.drawn = rng.random() < SHARE
        # a call within is not checked, but for one that is undone and left to CPython: it is not drawn
        recursive = text.count("entry(") > 1
        # one list may be passed twice
        of_lists = rng.choice(tuple(WIDTHS)) if rng.random() < 0.7 else ""
        self.widths: dict[str, list[str]] = {}
        self.types = params
        for name, type_ in params.items() if self.drawn and not recursive else ():
            if type_ == "table":
                self.widths[name] = [rng.choice(tuple(WIDTHS))]
            elif type_ == "list" and of_lists:
                self.widths[name] = [of_lists]
            elif type_ in ("int", "maybe", ("int", "int")) and rng.random() < 0.7:
                self.widths[name] = rng.choices(tuple(WIDTHS), k=2 if isinstance(type_, tuple) else 1)

    def annotated(self, text: str) -> str:
        """The program's text with them."""
        if not self.drawn:
            return text

        def parameter(match: re.Match) -> str:
            return f"{match[0]}: {self._annotation(match[0])}"

        def header(match: re.Match) -> str:
            gives = f" -> {self.rng.choice(tuple(WIDTHS))}" if self.rng.random() < 0.3 else ""
            return f"def entry({re.sub(r'[a-z](?=[,=]|$)', parameter, match[1])}){gives}:"

        def local(match: re.Match) -> str:
            return f"{match[1]}: {self.rng.choice(tuple(WIDTHS))} = " if self.rng.random() < 0.1 else match[0]

        text = re.sub(r"def entry\((.*)\):", header, text)
        text = re.sub(r"(?m)^( +v[0-9]+) = (?!\w+ = )", local, text)
        return "from __future__ import annotations\n\n\n" * (self.rng.random() < 0.3) + text

    def _annotation(self, name: str) -> str:
        rng, widths = self.rng, self.widths.get(name)
        match self.types[name]:
            case _ if not widths:
                found = rng.choice(("int", "bytes", "list[int]", "tuple[int, ...]"))
            case "list":
                found = f"list[{widths[0]}]"
            case "table":
                found = f"tuple[{widths[0]}, ...]"
            case "maybe":
                found = rng.choice((f"{widths[0]} | None", f"None | {widths[0]}"))
            case "int":
                found = widths[0]
            case _:
                widths[1] = rng.choice((widths[0], widths[1]))
                alike = widths[0] == widths[1] and rng.random() < 0.7
                found = f"tuple[{widths[0]}, {'...' if alike else widths[1]}]"
        return repr(found) if rng.random() < 0.3 else found

    def argument(self, name: str, text: str) -> str:
        """An argument, mostly one that is as annotated; `text` is another, of a type that may be another."""
        rng, widths = self.rng, self.widths.get(name)
        if not widths or rng.random() < 0.1 or not re.match(r"[-\[(0-9]", text):
            return text
        match self.types[name]:
            case "list":
                return repr([self._word(widths[0]) for _ in range(rng.choice((0, 1, 3, 8, 8, 8, 16)))])
            case "table":
                return repr(tuple(self._word(widths[0]) for _ in range(rng.choice((17, 17, 20, 24)))))
            case ("int", "int"):
                return repr(tuple(map(self._word, widths)))
        return str(self._word(widths[0]))

    def _word(self, width: str) -> int:
        rng, (low, high) = self.rng, WIDTHS[width]
        if rng.random() < 0.02:
            return rng.choice((low - 1, high + 1))
        return rng.choice(
            (low, high, low + 1, high - 1, 0, 1, 7, *(rng.randrange(low, high + 1) for _ in "ab"))
        )
