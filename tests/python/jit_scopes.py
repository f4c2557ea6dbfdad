"""Random inner functions and comprehensions whose names hide others, have no value on some ways, or are
assigned again later; and lists that begin empty and grow by bools: statements of jit_functions' functions."""

import random

from jit_expressions import HIDEABLE, Expressions


class Scopes(Expressions):
    """What is made up here is drawn from a stream of its own and names nothing that is read elsewhere, so
    programs are otherwise as they are without it."""

    def scoped(self, drawn: random.Random) -> None:
        if not all(map(self.has, HIDEABLE)):
            return
        before = self.rng, self.cost, self.known, self.perhaps, self.products, self.counters
        self.rng, self.known, self.perhaps = drawn, dict(self.known), dict(self.perhaps)
        self.hidden = f"h{len(self.lines)}"
        self._statements()
        self.rng, self.cost, self.known, self.perhaps, self.products, self.counters = before

    def _statements(self) -> None:
        rng = self.rng
        numbers = [name for name in self.names(lambda t: t == "int") if name not in self.module.shared]
        old = [name for name in numbers if name not in self.fixed]
        perhaps = self.names(lambda t: t == "int", sure=False)
        fresh = self.hidden
        if self.chance(0.15):
            return self._result(old, self._bools())
        if perhaps and self.chance(0.15):
            name = rng.choice(perhaps)
        elif numbers and self.chance(0.3):
            name = rng.choice(numbers)
        else:
            name = fresh
            self._bound(name)
        use = self.one_of(
            self._comprehension, self._comprehension, self._lambda, self._inner, self._inner, self._returned,
            self._of_loop,
        )(name)  # fmt: skip
        self._result(old, use)
        if name == fresh and self.chance(0.2):
            with_value = self.one_of(f"{fresh} = 1", f"{fresh} = {self.leaf()}")
            self.emit(with_value)
            self.emit(f"del {fresh}")

    def _result(self, old: list[str], use: str) -> None:
        self.emit(f"{self.rng.choice(old)} ^= {use} & 255" if old else f"{self.hidden}x = {use}")

    def _bools(self) -> str:
        """A list of bools that is empty at first; seldom one of ints, too."""
        own, each = f"{self.hidden}b", f"{self.hidden}i"
        self.emit(f"{own} = {self.one_of('[]', '[]', '[]', 'list()')}")
        if self.chance(0.3):
            self.emit(f"{own}2 = {own}{self.one_of('', ' + [True]', '[:]')}")
        for _ in range(self.rng.choice((1, 1, 2))):
            what = self.truth(1) if self.chance(0.97) else self.leaf()
            grown = self.one_of(
                f"{own}.append({what})",
                f"{own}.append({what})",
                f"{own}.insert({self.one_of('0', '1', '-1')}, {what})",
                f"{own} += [{what}]",
                f"{own} = {own} + [{what}]",
                f"{own} = [{what}, *{own}]",
                f"{own}.extend([{what}, {self.truth(0)}])",
                f"{own}.extend({each}2 > 1 for {each}2 in {self._items('2')})",
                f"{own}[:1] = [{what}]",
            )
            if self.chance(0.6):
                head = self.one_of(f"if {self.truth(1)}:", f"for {each} in {self._items('3')}:")
                self.emit(head)
                grown = f"    {grown}"
            self.emit(grown)
        return self.one_of(
            f"sum({own})", f"len({own})", f"({own}[-1] if {own} else 7)", f"int(any({own}))",
            f"{own}.count(True)", f"({own}.pop() if {own} else 3)", f"int({own} == [True, False])",
            f"sum([{each} for {each} in {own}])", f"len({own} * 2)", f"int({own} is None or not {own})",
        )  # fmt: skip

    def _seldom(self) -> str:
        """What an argument seldom is."""
        number = self.leaf()
        return self.one_of(
            f"{number} & 15 == {self.rng.randrange(16)}", f"{number} == {self.rng.randrange(9)}"
        )

    def _bound(self, name: str) -> None:
        """The name gets a value, mostly; on a few ways it has none."""
        choice = self.rng.random()
        value = self.masked(self.leaf())
        if choice < 0.15:
            self.emit(f"if not ({self._seldom()}):")
            self.emit(f"    {name} = {value}")
        elif choice < 0.22:
            self.emit(f"{name} = {value}")
            self.emit(f"if {self._seldom()}:")
            self.emit(f"    del {name}")
        elif choice < 0.26:
            self.emit(f"for {name} in range({self.leaf()} & 3):")
            self.emit("    pass")
        elif choice < 0.99:
            self.emit(f"{name} = {value}")
        else:
            self.emit(f"if {self._seldom()} and {self._seldom()}:")
            self.emit(f"    {name} = {value}")

    def _of(self, name: str) -> str:
        """A small number of the name and another."""
        other = self.leaf()
        return self.one_of(name, f"{name} + {other}", f"({name} ^ {other}) & 65535", f"{other} - {name}")

    def _items(self, name: str) -> str:
        number = self.one_of(name, self.leaf(), "3")
        return self.one_of(
            f"range({number} & 3)", f"({number}, {self.leaf()})", "(1, 2, 5)", f"[{number}, 2]"
        )

    def _comprehension(self, name: str) -> str:
        own = f"{self.hidden}i"
        what, items = self._of(name), self._items(name)
        return self.one_of(
            f"sum([{what} for {own} in {items}])",
            f"sum({what} for {own} in {items})",
            f"sum([{what} + {own} for {own} in {items} if {own} or {name}])",
            # the name is the comprehension's own
            f"sum([{what} for {name} in {items}])",
            f"sum({what} for {name} in {items})",
            f"sum([{what} for {own} in {items} for {name} in ({own}, 7)])",
            f"sum({what} for {name} in {items} for {own} in {self._items(name)})",
            f"sum(sum([{what} for {own} in {items}]) for {own}2 in (1, 2))",
            f"len([[{what} for {own} in {items}] for {name} in (1, {name})])",
            # a value that it has not, or has from the round before
            f"sum([{what} for {own} in (0, 1) if not {own} or {name} for {name} in {self._items(own)}])",
            f"int(any({name} > {own} for {own} in {items}))",
            f"int(all([{name} for {own} in {items}]))",
            f"max([{what} for {own} in {items}], default={name})",
            f"sum(map(lambda {own}: {own} ^ {name}, {items}))",
            f"reduce(lambda {own}, {own}2: ({own} ^ {own}2) + {name}, {items}, {name})",
        )

    def _lambda(self, name: str) -> str:
        own, value = f"{self.hidden}g", self.leaf()
        self.emit(
            self.one_of(
                f"{own} = lambda u: u ^ {self._of(name)}",
                f"{own} = lambda u, {name}={name}: {self._of(name)} + u",
                f"{own} = lambda {name}: {self._of(name)}",
                f"{own} = lambda u: sum([{self._of(name)} for {own}2 in {self._items('u')}])",
                f"{own} = (lambda u: u + {name}) if {self.truth(1)} else (lambda u: u - {name})",
            )
        )
        return self._called(own, name, value)

    def _inner(self, name: str) -> str:
        own, value = f"{self.hidden}g", self.leaf()
        body = self.one_of(
            [f"return {self._of(name)}"],
            [f"return {self._of(name)} - u"],
            [f"if {self._seldom()}:", f"    {name} = u", f"return {self._of(name)}"],
            [f"{own}2 = lambda: {self._of(name)}", f"return {own}2() ^ u"],
            [f"{own}2 = lambda: {self._of(name)}", f"{name} = u", f"return {own}2()"],
            [f"for {name} in {self._items('u')}:", "    pass", f"return {self._of(name)}"],
        )
        self.emit(f"def {own}(u):")
        for line in body:
            self.emit(f"    {line}")
        return self._called(own, name, value)

    def _called(self, own: str, name: str, value: str) -> str:
        """Calls of an inner function, where its names may have come to mean something else."""
        if name == self.hidden and self.chance(0.3):
            self.emit(f"{name} = {self.masked(self.leaf())}")
        return self.one_of(
            f"{own}({value})",
            f"({own}({value}) - {own}(1))",
            f"sum([{own}({name}) for {name} in {self._items('2')}])",
            f"sum({own}({name}) for {name} in {self._items('2')})",
            f"(lambda {name}: {own}({name}))({value})",
            f"sum(map({own}, {self._items(value)}))",
        )

    def _returned(self, name: str) -> str:
        """Functions that functions return, for two values of one name."""
        own = f"{self.hidden}g"
        made = self.one_of(f"lambda u: u * 2 ^ {name}", f"lambda u: u + {self._of(name)}")
        self.emit(f"{own} = lambda {name}: {made}")
        first, second = self.leaf(), self.leaf()
        if self.chance(0.5):
            return f"({own}({first})({second}) + {own}({second})(1))"
        self.emit(f"{own}1, {own}2 = {own}({first}), {own}({second})")
        return f"({own}1({name}) - {own}2(3))"

    def _of_loop(self, name: str) -> str:
        """Functions and ranges that each round makes anew."""
        own, total = f"{self.hidden}g", f"{self.hidden}t"
        made, use = self.one_of(
            (f"lambda u: u ^ {own}i ^ {name}", f"{own}(2)"),
            (f"lambda u, k={own}i: u + k + {name}", f"{own}({own}i)"),
            (f"range({own}i, {own}i + ({name} & 3))", f"sum({own})"),
        )
        late = self.chance(0.3)
        self.emit(f"{total} = 0")
        if late:
            first = (
                self.one_of(made, "range(3)")
                if "sum" in use
                else self.one_of("lambda u: u", "lambda u: 5 - u")
            )
            self.emit(f"{own} = {first.replace(f'{own}i', '1')}")
        self.emit(f"for {own}i in {self._items('7')}:")
        self.emit(f"    {total} += {use}" if late else f"    {own} = {made}")
        self.emit(f"    {own} = {made}" if late else f"    {total} += {use}")
        return f"({total} + {use})" if self.chance(0.2) and "i" not in use else total
