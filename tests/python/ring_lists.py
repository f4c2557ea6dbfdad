"""Random functions that pass arrays around a loop, each beside a number that is often its length.

The text of IR: arrays of a number of elements, of one that is given, and of those that a round makes. A way
passes any of them for each parameter, and for the number beside it the array's length, or now and then
another one.
"""

from random import Random

Lengths = dict[str, str]  # by the array, its length


def program(rng: Random) -> str:
    return _Maker(rng).function()


class _Maker:
    def __init__(self, rng: Random):
        self.rng = rng
        self.places = range(rng.choice((1, 2, 2, 3)))
        self.right = rng.choice((0.7, 1, 1, 1))

    def function(self) -> str:
        given = {"%g": "%gl"}
        at_head, at_end = self._lengths("h"), self._lengths("o")
        larger, kept = {"%new": "%t"}, self.rng.random() < 0.5
        lines = [
            f"function @f -> ({', '.join(['int'] * (len(self.places) + 1))}) {{",
            "entry(%n: int[0,9], %x: int[0,5], %y: int[0,5], %g: array(int)):",
            *(f"%{number}: int = const {number}" for number in range(3)),
            "%gl: int = len %g",
        ]
        first: Lengths = {}
        for at in self.places:
            first[f"%a{at}"] = count = self.rng.choice(("%n", "%x", "%y", "%2", "%0"))
            lines.append(
                f"%a{at}: array(int) = new array(int) {count}, {self.rng.choice(('%x', '%1', '%n'))}"
            )
        lines.append(f"jump head(%0, {self._passed({**given, **first})})")

        lines.append(f"head(%i: int, {self._params('h')}):")
        for at in self.places:
            if self.rng.random() < 0.5:
                lines.append(f"%q{at}: int = len %h{at}")
                at_head[f"%h{at}"] = self.rng.choice((f"%q{at}", f"%hl{at}"))
        lines += ["%more: bool = lt %i, %n", "branch %more, body(), out()"]

        lines += ["body():", "%i1: int = add %i, %1", "%odd: int = low 1 %i", "%is: bool = eq %odd, %1"]
        lines.append(f"%t: int = add {self.rng.choice(list(at_head.values()))}, %i1")
        lines.append(f"%new: array(int) = new array(int) %t, {self.rng.choice(('%i', '%x'))}")
        ways = [self._passed({**at_head, **larger, **given}), self._passed(at_head)]
        lines.append(f"branch %is, on({ways[0]}), on({ways[1]})")

        lines += [f"on({self._params('o')}):"]
        lines.append(f"jump head(%i1, {self._passed({**at_end, **larger} if kept else at_end)})")
        return "\n".join([*lines, *self._out(), "}"])

    def _out(self) -> list[str]:
        """Some lengths, some of the numbers, some elements."""
        lines, total, numbers = ["out():"], "%i", []
        for at in self.places:
            asked = self.rng.randrange(3)
            numbers.append(f"%hl{at}" if asked else "%i")
            if asked != 1:
                lines += [f"%u{at}: int = len %h{at}", f"%v{at}: int = add {total}, %u{at}"]
                total = f"%v{at}"
            if self.rng.random() < 0.4:
                lines += [f"%w{at}: int = load %h{at}, %0", f"%z{at}: int = add {total}, %w{at}"]
                total = f"%z{at}"
        return [*lines, f"return {', '.join([total, *numbers])}"]

    def _params(self, name: str) -> str:
        return ", ".join(f"%{name}{at}: array(int), %{name}l{at}: int" for at in self.places)

    def _lengths(self, name: str) -> Lengths:
        return {f"%{name}{at}": f"%{name}l{at}" for at in self.places}

    def _passed(self, lengths: Lengths) -> str:
        args = []
        for _ in self.places:
            array, length = self.rng.choice(list(lengths.items()))
            other = self.rng.choice(["%n", "%x", "%1", *lengths.values()])
            args += [array, length if self.rng.random() < self.right else other]
        return ", ".join(args)
