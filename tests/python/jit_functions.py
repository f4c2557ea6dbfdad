"""Random Python functions on integers and memory, as text: what jit_programs makes modules of.

Every function ends: each loop has a bound, recursion counts down (but for jit_programs' ENDLESS), and what
a call costs is kept below BUDGET statements.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from jit_expressions import (
    BUDGET,
    ROUNDS,
    WIDTHS,
    is_memory,
    is_writable,
    item_of,
    joined,
    literal,
    shown,
)
from jit_scopes import Scopes

KEEPER = "k0"  # the function that gives back what it is given
SCOPED = 0.05  # of statements have one of jit_scopes before them


class Function(Scopes):
    """Its `text` is made up statement by statement."""

    # --- statements ------------------------------------------------------------------------------

    def new_name(self) -> str:
        if self.hiding and self.hiding[0] not in self.known and self.chance(0.5):
            return self.hiding[0]
        self.made += 1
        return f"v{self.made}"

    def target(self, *types) -> str:
        """A name to assign such a thing to: in a loop what was there before keeps its type."""
        rng = self.rng
        old = [
            name for name, type_ in self.known.items()
            if type_ in types and name not in self.fixed and name not in self.module.shared
        ]  # fmt: skip
        if not self.loops and self.chance(0.05):
            old += [name for name in self.params if name not in self.fixed]
        if old and self.chance(0.6 if self.indent == 1 else 0.8):
            return rng.choice(old)
        maybes = [name for name, type_ in self.perhaps.items() if type_ in types]
        return rng.choice(maybes) if maybes and self.chance(0.6) else self.new_name()

    def bind(self, name: str, type_) -> None:
        self.perhaps.pop(name, None)
        self.known[name] = type_

    def statements(self, count: int, depth: int) -> None:
        before = len(self.lines)
        for _ in range(count):
            if self.affords(1):
                if self.module.scopes.random() < SCOPED:
                    self.scoped(self.module.scopes)
                self.statement(depth)
        if len(self.lines) == before:
            self.emit("pass")

    def statement(self, depth: int) -> None:
        nested = depth > 0
        loops = nested and self.loops < 3 and self.affords(ROUNDS * 3)
        writable = [
            name for name in self.names(is_writable) if self.module.writes or name not in self.module.shared
        ]
        own = self.own_lists()
        shared = [name for name, type_ in self.module.shared.items() if type_ in ("int", "maybe")]
        self.pick(
            (16, self.assign),
            (9, self.augment),
            (8 * bool(writable), lambda: self.store(self.rng.choice(writable))),
            (2 * bool(writable), lambda: self.store_slice(self.rng.choice(writable))),
            (9 * nested, lambda: self.when(depth)),
            (9 * loops, lambda: self.loop_for(depth)),
            (4 * loops, lambda: self.loop_while(depth)),
            (12 * bool(own), lambda: self.change_list(self.rng.choice(own))),
            (4, self.assign_memory),
            (
                6 * bool(self.settable("bytes")),
                lambda: self.lengthen(self.rng.choice(self.settable("bytes"))),
            ),
            (4, self.tuples),
            (2.5, self.assign_maybe),
            (1.5 * bool(self.module.functions), self.call_for_effect),
            (1 * nested, self.raises),
            (3 * bool(self.loops and nested), self.leave),
            (0.8 * bool(nested), self.early),
            (
                3 * bool(shared and self.module.writes and not self.module.closed),
                lambda: self.write_shared(shared),
            ),
            (6 * self.module.extras, self.extra),
            (3, self.flags),
        )

    def own_lists(self) -> list[str]:
        return [name for name in self.names(lambda t: t == "list") if name in self.own - self.fixed]

    def settable(self, *types) -> list[str]:
        """Names of such types that are the function's own, and that no loop relies on."""
        found = self.names(lambda type_: type_ in types)
        return [name for name in found if name not in self.fixed and name not in self.module.shared]

    def assign(self) -> None:
        rng = self.rng
        text = self.number(rng.choice((1, 2, 3, 3)))
        name = self.target("int", "bool")
        if self.loops or self.chance(0.35):
            text = self.masked(text) if not self.loops or self.chance(0.7) else self.grown(name)
        choice = rng.random()
        if choice < 0.06:
            type_, text = "bool", self.truth()
        elif choice < 0.09:
            type_, text = "int", f"{self.new_name_bound('int')} = {text}"
        else:
            type_ = "int"
        if (self.loops and self.known.get(name) == "bool") or self.perhaps.get(name) == "bool":
            type_ = "int"
        self.emit(f"{name} = {text}")
        self.bind(name, type_)

    def new_name_bound(self, type_) -> str:
        name = self.new_name()
        self.bind(name, type_)
        return name

    def grown(self, name: str) -> str:
        """What a name holds and a little more, so that loops grow slowly."""
        old = name if self.known.get(name) in ("int", "bool") else self.leaf()
        return self.rng.choice((
            f"({old} * {self.small(1)} + {self.leaf()})",
            f"({old} + {self.small(2)})", f"({old} ^ {self.leaf()})",
            f"(({old} << {self.rng.choice((1, 3, 5, 8))}) ^ {self.leaf()})", f"({old} - {self.number(2)})",
            f"({old} >> 1)", f"(({old} << 5) + {old})",
        ))  # fmt: skip

    def augment(self) -> None:
        rng = self.rng
        names = self.settable("int", "bool")
        if not names:
            return self.assign()
        name = rng.choice(names)
        less = 1 if self.loops else 2
        op = rng.choice(("+", "+", "-", "^", "&", "|", ">>", "<<", "//", "%", "*", "**"))
        match op:
            case ">>" | "<<":
                text = self.count(less) if op == ">>" else str(rng.choice((0, 1, 3, 5, 8, 13)))
            case "//" | "%":
                text = self.divisor(less)
            case "*":
                text = self.small(less)
            case "**":
                text = "1" if self.loops else rng.choice(("0", "1", "2"))
            case _:
                text = self.number(less)
        self.emit(f"{name} {op}= {text}")
        self.bind(name, "int")
        if self.loops and op not in "&%" and self.chance(0.4):
            self.emit(f"{name} &= {hex((1 << rng.choice(WIDTHS)) - 1)}")

    def lengthen(self, name: str) -> None:
        """Bytes by a few more, of others' or of their own."""
        rng = self.rng

        def more() -> str:
            some = f"{rng.choice(self.names(lambda t: t == 'bytes'))}[{rng.choice((':3', '-2:', '1:5'))}]"
            word = f'({self.leaf()} & 65535).to_bytes(2, "{rng.choice(("little", "big"))}")'
            return rng.choice((some, some, repr(rng.randbytes(rng.randrange(4))), word))

        self.emit(
            self.one_of(
                f"{name} += {more()}", f"{name} = {name} + {more()}", f"{name} = {name} + {more()} + {more()}"
            )
        )
        if self.chance(0.3):
            # others see what it was
            self.emit(f"{self.new_name_bound('bytes')} = {name}")

    def store(self, memory: str) -> None:
        rng = self.rng
        type_ = self.known[memory]
        place = f"{memory}[{self.index(memory, 2)}]"
        careful = memory in self.module.shared or self.loops
        text = self.stored(type_, 2)
        if self.chance(0.25) and not type_.startswith("ndarray"):
            item = item_of(type_)
            if item is None or self.chance(0.05):
                op, text = (rng.choice("&^|" if careful else "+-^*"), self.leaf())
                if careful:
                    text = self.masked(text)
                self.emit(f"{place} {op}= {text}")
            elif item[1]:
                self.emit(f"{place} {rng.choice(('>>=', '//=', '%='))} {rng.choice((1, 2, 3, 7))}")
            else:
                self.emit(
                    f"{place} {rng.choice(('^=', '|=', '&='))} {self.leaf()} & {hex((1 << item[0]) - 1)}"
                )
        elif self.chance(0.08):
            # a swap, as in a shuffle
            other = f"{memory}[{self.index(memory, 1)}]"
            if type_.startswith("ndarray"):
                self.emit(f"{place}, {other} = int({other}), int({place})")
            else:
                self.emit(f"{place}, {other} = {other}, {place}")
        else:
            self.emit(f"{place} = {self.masked(text) if careful and item_of(type_) is None else text}")

    def store_slice(self, memory: str) -> None:
        rng = self.rng
        type_ = self.known[memory]
        # what a loop goes over, or what may be that, keeps its length; so does what outlives the call
        free = (
            type_ in ("list", "bytearray")
            and memory in self.own
            and memory not in self.fixed
            and not self.loops
        )
        if free and self.chance(0.55):
            return self.emit(
                f"{self.slice_of(memory, 1)} = {self.made_memory('list' if type_ == 'list' else 'bytes', 1)}"
            )
        size = rng.choice((0, 1, 2, 4))
        start, other = rng.choice((0, 1, 2, 4)), rng.choice((0, 1, 3))
        # it seldom changes the length
        kept = self.has("len") and self.chance(0.9)
        if kept:
            self.emit(f"if len({memory}) > {rng.choice((8, max(start, other) + size))}:")
            self.indent += 1
        place, choice = f"{memory}[{start}:{start + size}]", rng.random()
        if choice < 0.4 or (":" in type_ and type_ != "memoryview:B"):
            # a part of itself: what overlaps is as if it had been copied
            text = f"{memory}[{other}:{other + size}]"
        elif type_ == "list":
            items = [self.masked(self.leaf()) for _ in range(size)]
            if choice < 0.6:
                place, items = f"{memory}[{-start - 4}::2]", items[:2]
            text = f"[{', '.join(items)}]"
        elif choice < 0.7:
            text = f"bytes([{', '.join(f'({self.leaf()}) & 255' for _ in range(size))}])"
        else:
            text = f'({self.leaf()} & {hex((1 << 8 * size) - 1)}).to_bytes({size}, "little")'
        self.emit(f"{place} = {text}")
        self.indent -= kept

    def change_list(self, name: str) -> None:
        rng = self.rng
        text = self.masked(self.number(2)) if self.loops else self.number(2)
        choice = rng.random()
        if choice < 0.6:
            self.emit(f"{name}.append({text})")
        elif choice < 0.8:
            place = rng.choice(("", "", "0", "-1", self.leaf()))
            if self.chance(0.5):
                # not of an empty one
                with self.inside(f"if {name}:"):
                    self.emit(f"{name}.pop()")
            else:
                self.emit(f"{self.new_name_bound('int')} = {name}.pop({place})")
        elif self.loops < 2:
            source, _ = self.iterable(True)
            grown = source if name not in source else "(1, 2)"
            self.emit(f"{name}.extend({grown})" if self.chance(0.6) else f"{name} += [{text}]")
            self.cost += self.rounds * ROUNDS

    def flags(self) -> None:
        """A list of bools is made, or written to."""
        rng = self.rng
        name = self.name_of("flags")
        if self.loops == 0 and (name is None or self.chance(0.3)):
            made, name = self.made_flags(name), self.new_name()
            self.emit(f"{name} = {made}")
            self.bind(name, "flags")
        elif name is not None:
            place = f"{self.number(1)} % len({name})" if self.has("len") and self.chance(0.8) else self.leaf()
            self.emit(
                rng.choice((f"{name}[{place}] = {self.truth(1)}", f"{name}[{place}] ^= {self.truth(1)}"))
            )
        else:
            self.assign()

    def made_flags(self, name: str | None) -> str:
        rng = self.rng
        old = name or "[True]"
        return rng.choice((
            f"[{rng.choice(('True', 'False'))}] * {rng.randrange(1, 12)}",
            f"[True, {self.truth(1)}, {self.truth(0)}]",
            f"[{self.truth(1)} for {self.new_name()} in {self.iterable(True)[0]}] + [True]",
            f"{old} + [{self.truth(1)}]", f"{old}[{self.part(1)}:] + [False]", f"{old} * 2", f"{old}[::-1]",
        ))  # fmt: skip

    def assign_memory(self) -> None:
        rng = self.rng
        type_ = rng.choice(("list", "list", "bytes", "bytearray"))
        if self.loops and type_ != "bytes":
            # what a loop made anew each round is seldom wanted, and lists that others hold grow
            type_ = "bytes"
        found = self.names(is_memory)
        if found and self.chance(0.08) and not self.loops:
            old, name = rng.choice(found), self.new_name()
            self.emit(f"{name} = {old}")
            self.bind(name, self.known[old])
            # neither may grow while a loop goes over the other
            self.own -= {old, name}
            return
        text = self.made_memory(type_, 2)
        name = self.target(type_)
        if name in self.params:
            name = self.new_name()
        self.emit(f"{name} = {text}")
        self.bind(name, type_)
        if text.partition("(")[0] not in self.module.functions:
            self.own.add(name)

    def tuples(self) -> None:
        rng = self.rng
        numbers = self.settable("int")
        held = self.names(lambda type_: isinstance(type_, tuple))
        number = (lambda: self.masked(self.number(1))) if self.loops else (lambda: self.number(2))
        choice = rng.random()
        if choice < 0.3 and len(numbers) > 1:
            a, b = rng.sample(numbers, 2)
            self.emit(f"{a}, {b} = {rng.choice((f'{b}, {a}', f'{b}, {number()}', f'({b}, {a} ^ {b})'))}")
        elif choice < 0.45:
            a, b = self.new_name(), self.new_name()
            self.emit(
                f"{a}, {b} = divmod({number()}, {self.divisor(1)})"
                if self.has("divmod")
                else f"{a} = {b} = {number()}"
            )
            self.bind(a, "int"), self.bind(b, "int")
        elif choice < 0.65 and held:
            name = rng.choice(held)
            types = self.known[name]
            if self.chance(0.5) and all(each == "int" for each in types):
                return self.emit(f"{self.new_name_bound('int')} = {name}[{rng.randrange(len(types))}]")
            self.emit(f"{self.unpacked(types)} = {name}")
        elif choice < 0.8 and not self.loops:
            types = self.one_of(
                ("int", "int"), ("int", "int", "int"), ("int", ("int", "bool")), ("int", "none"), ("int",)
            )
            text, name = self.tuple_of(types), self.new_name()
            self.emit(f"{name} = {text}")
            self.bind(name, types)
        else:
            types = (*("int",) * rng.choice((1, 2)), ("int", "int"))
            text = self.tuple_of(types)
            self.emit(
                f"{self.unpacked(types)} = {text}"
                if not self.loops
                else f"{self.new_name_bound('int')} = {number()}"
            )

    def unpacked(self, types: tuple) -> str:
        names = []
        for type_ in types:
            if isinstance(type_, tuple):
                names.append(f"({self.unpacked(type_)})")
            else:
                name = self.new_name()
                names.append(name)
                self.bind(name, type_)
        return ", ".join(names) + "," * (len(names) == 1)

    def assign_maybe(self) -> None:
        """None on some ways, an int on others."""
        if self.loops:
            names = self.settable("maybe")
            if not names:
                return self.assign()
            name = self.rng.choice(names)
            return self.emit(f"{name} = {self.rng.choice(('None', self.masked(self.number(1))))}")
        name = self.new_name()
        if self.chance(0.5):
            self.emit(f"{name} = None")
            with self.inside(f"if {self.condition()}:"):
                self.emit(f"{name} = {self.number(2)}")
        else:
            self.emit(f"{name} = {self.number(1)} if {self.truth(1)} else None")
        self.bind(name, "maybe")

    def call_for_effect(self) -> None:
        found = self.callable_helpers(*{other.result for other in self.module.functions.values()})
        self.emit(self.call(self.rng.choice(found), 2) if found else "pass")

    def raises(self) -> None:
        rng = self.rng
        if self.chance(0.5):
            text = rng.choice(("", ', "own: not so"', f", {self.leaf()}"))
            return self.emit(
                f"assert {self.unlikely()}{text}"
                if not self.chance(0.1)
                else f"assert {self.condition(1)}{text}"
            )
        with self.inside(f"if not {self.unlikely()}:"):
            type_ = rng.choice(
                ("ValueError", "ValueError", "IndexError", "OverflowError", "ZeroDivisionError")
            )
            self.emit(f"raise {type_}({self.message()})" if self.chance(0.85) else f"raise {type_}")

    def message(self) -> str:
        """What an exception says; what is computed, too."""
        text = repr("own: %d")
        return self.one_of(
            "",
            repr("own: wrong"),
            repr("own: wrong"),
            f"{text} % ({self.number(1)})",
            f'f"own: {{{self.leaf()}}}"',
        )

    def unlikely(self) -> str:
        """A condition that mostly holds."""
        a = self.number(1)
        return self.one_of(
            f"({a} != {literal(self.rng)})",
            f"({a} & 63 != 5)",
            f"({a} % 31 != {self.rng.randrange(31)})",
            f"({a} < {1 << 199})",
        )

    def leave(self) -> None:
        """Out of a loop, or to its next round."""
        with self.inside(f"if {self.truth(1)}:"):
            if self.chance(0.3):
                self.assign()
            self.emit(self.rng.choice(("break", "continue")))

    def early(self) -> None:
        with self.inside(f"if {self.truth(1)}:"):
            self.returns()

    def write_shared(self, shared: list) -> None:
        name = self.rng.choice(shared)
        self.globals.add(name)
        if self.module.shared[name] == "maybe":
            return self.emit(f"{name} = {self.rng.choice(('None', self.masked(self.number(1))))}")
        # it outlives the call: it may not grow
        if self.chance(0.3):
            return self.emit(f"{name} {self.rng.choice(('^=', '+=', '-='))} {self.small(1)}")
        self.emit(f"{name} = {self.masked(self.number(2))}")

    def extra(self) -> None:
        """What a compiler may or may not take."""
        rng = self.rng
        own, less = self.own_lists(), 1
        name = self.new_name()
        lines = [
            f"{name} = int({self.leaf()} in ({self.leaf()}, {self.leaf()}, 3))",
            f"{name}: int = {self.masked(self.number(2))}",
            f"{name} = sum(x for x in {self.iterable(True)[0]})" if self.has("sum") else f"{name} = 0",
            f"{name} = (w := {self.leaf()}) & 255",
            f"{name} = {self.leaf()} if isinstance({self.leaf()}, int) else 0",
            f"{name} = (lambda x: x + 1)({self.leaf()})",
            f'{name} = len(f"{{{self.leaf()} & 7}}")' if self.has("len") else f"{name} = 1",
            f"{name} = any([{self.truth(less)}, {self.truth(less)}])",
            f"{name} = round({self.leaf()} & 255)",
            f"{name} = 7 / 2 > {self.leaf()}",
        ]
        if own:
            lines.append(f"del {rng.choice(own)}[:1]\n{'    ' * self.indent}{name} = 0")
        self.emit(rng.choice(lines))
        self.bind(name, "int")
        if self.chance(0.1):
            self.emit(f"del {name}")
            self.known.pop(name)
        elif self.chance(0.2):
            own_name = self.new_name()
            self.emit("try:")
            self.emit(f"    {own_name} = {self.leaf()} // {self.leaf()}")
            self.emit("except ZeroDivisionError:")
            self.emit(f"    {own_name} = 0")
            self.bind(own_name, "int")

    # --- blocks ----------------------------------------------------------------------------------

    @contextmanager
    def inside(self, head: str) -> Iterator[None]:
        """A block behind such a line."""
        self.emit(head)
        self.indent += 1
        yield
        self.indent -= 1

    def block(self, depth: int) -> None:
        self.statements(self.rng.randrange(1, 4), depth - 1)

    def when(self, depth: int) -> None:
        head = f"if {self.condition()}:"
        start, start_perhaps = dict(self.known), dict(self.perhaps)
        with self.inside(head):
            self.block(depth)
        ends = [(self.known, self.perhaps)]
        heads = ["elif"] * (self.rng.random() < 0.2) + ["else"] * (self.rng.random() < 0.5)
        for head in heads:
            self.known, self.perhaps = dict(start), dict(start_perhaps)
            with self.inside(f"elif {self.condition()}:" if head == "elif" else "else:"):
                self.block(depth)
            ends.append((self.known, self.perhaps))
        if "else" not in heads:
            ends.append((start, start_perhaps))
        self.known, self.perhaps = self.merged(ends)

    def merged(self, ends: list) -> tuple[dict, dict]:
        """What is known where several ways meet."""
        known, perhaps = {}, {}
        for name in dict.fromkeys(name for both in ends for each in both for name in each):
            types = [both[0].get(name) or both[1].get(name) for both in ends]
            found = [type_ for type_ in types if type_]
            type_ = found[0]
            for other in found[1:]:
                type_ = type_ and joined(type_, other)
            if type_ is None:
                continue
            (known if all(name in both[0] for both in ends) else perhaps)[name] = type_
        return known, perhaps

    def loop(self, head: str, rounds: int, depth: int, bound: dict, first=(), iterated=()) -> None:
        """A loop; `bound`: names that each round begins with; `first`: lines before the body."""
        before = (dict(self.known), dict(self.perhaps))
        self.emit(head)
        outer = self.rounds, self.fixed, self.counters
        self.rounds *= rounds
        # a loop's own names may be set in it, but those that `first` lines rely on
        self.fixed = {*self.fixed, *iterated}
        self.loops += 1
        # what a round sets, the next one begins with; only what is of one type stays known
        for name, type_ in bound.items():
            self.bind(name, type_)
        self.counters = [*self.counters, *(name for name, type_ in bound.items() if type_ == "int")][-3:]
        self.indent += 1
        for line in first:
            self.emit(line)
        self.block(depth)
        self.indent -= 1
        self.loops -= 1
        self.rounds, self.fixed, self.counters = outer
        self.known, self.perhaps = self.merged([before, (self.known, self.perhaps)])
        if self.chance(0.12):
            after = (dict(self.known), dict(self.perhaps))
            with self.inside("else:"):
                self.block(1)
            self.known, self.perhaps = self.merged([after, (self.known, self.perhaps)])

    def loop_for(self, depth: int) -> None:
        rng = self.rng
        memory = [name for name in self.names(is_memory) if not self.known[name].startswith("ndarray")]
        own = rng.choice(("i", "j", "k")) + str(self.loops or "")
        item = rng.choice(("x", "b", "w")) + str(self.loops or "")
        choice = rng.random()
        if choice < 0.4 or not memory or self.rounds * ROUNDS * 3 > BUDGET:
            if choice < 0.06:
                # very long, and left soon
                start, step = literal(rng), rng.choice((1, -1, 7, -(1 << 40), 1 << 64))
                count = f"n{self.loops}"
                self.emit(f"{count} = 0")
                self.bind(count, "int")
                stop = f"{start} + {step} * {rng.choice((3, 1 << 20, 1 << 70))}"
                lines = (f"{count} += 1", f"if {count} > {rng.randrange(1, 9)}:", "    break")
                self.loop(
                    f"for {own} in range({start}, {stop}, {step}):",
                    9,
                    depth,
                    {own: "int", count: "int"},
                    lines,
                    {count},
                )
                return
            if choice < 0.1:
                text = f"({self.leaf()}, {self.leaf()}, {shown(rng, literal(rng))})"
                return self.loop(f"for {own} in {text}:", 3, depth, {own: "int"})
            most = 12 if self.chance(0.93) or self.loops else rng.choice((200, 700))
            most = most if self.affords(most * 3) else 5
            return self.loop(f"for {own} in {self.range(most)}:", max(most, 12), depth, {own: "int"})
        name = rng.choice(memory)
        iterated = {name}
        if choice < 0.7:
            source = name if self.chance(0.7) else self.iterable()[0]
            self.loop(
                f"for {item} in {source}:", ROUNDS, depth, {item: "int"}, (), iterated | self.named(source)
            )
        elif choice < 0.85:
            start = rng.choice(("", "", ", 1", f", {self.leaf()}"))
            source = (
                name if self.chance(0.7) else self.slice_of(name, 1) if ":" not in self.known[name] else name
            )
            self.loop(
                f"for {own}, {item} in enumerate({source}{start}):",
                ROUNDS,
                depth,
                {own: "int", item: "int"},
                (),
                iterated,
            )
        else:
            other = rng.choice(memory)
            iterated.add(other)
            source = self.one_of(other, "range(9)", f"{other}[1:]" if ":" not in self.known[other] else other)
            if self.chance(0.2):
                head = f"for {own}, ({item}, y) in enumerate(zip({name}, {source})):"
                return self.loop(head, ROUNDS, depth, {own: "int", item: "int", "y": "int"}, (), iterated)
            self.loop(
                f"for {item}, y in zip({name}, {source}):",
                ROUNDS,
                depth,
                {item: "int", "y": "int"},
                (),
                iterated,
            )

    def named(self, text: str) -> set[str]:
        return {name for name in self.known if name in text}

    def loop_while(self, depth: int) -> None:
        rng = self.rng
        count = f"n{self.loops}"
        choice = rng.random()
        names = [name for name in self.settable("int") if name not in self.params]
        if choice < 0.3 and names:
            # a number's digits
            name = rng.choice(names)
            bits = rng.choice((8, 16, 32, 64))
            shift = max(bits // 8, 1)
            self.emit(f"{name} &= {hex((1 << bits) - 1)}")
            line = self.one_of(
                f"{name} >>= {shift}", f"{name} //= {1 << shift}", f"{name} = {name} >> {shift}"
            )
            head = rng.choice((f"while {name}:", f"while {name} > 0:", f"while {name} != 0:"))
            return self.loop(head, 9, depth, {}, (line,), {name})
        most = rng.randrange(1, 9)
        if choice < 0.65:
            self.emit(f"{count} = {rng.choice((0, 0, 1, -3))}")
            self.bind(count, "int")
            head = self.one_of(
                f"while {count} < {most}:",
                f"while {count} < {most} and {self.truth(1)}:",
                f"while {count} != {most}:" if most > 1 else f"while {count} <= {most}:",
            )
            return self.loop(head, 13, depth, {count: "int"}, (f"{count} += 1",), {count})
        if choice < 0.85:
            self.emit(f"{count} = {self.number(1)} & 7")
            self.bind(count, "int")
            return self.loop(f"while {count}:", 8, depth, {count: "int"}, (f"{count} -= 1",), {count})
        self.emit(f"{count} = 0")
        self.bind(count, "int")
        lines = (f"{count} += 1", f"if {count} > {most}:", "    break")
        self.loop(rng.choice(("while True:", "while 1:")), 9, depth, {count: "int"}, lines, {count})

    # --- the whole -------------------------------------------------------------------------------

    def returns(self) -> None:
        if self.result == "none":
            return self.emit(self.rng.choice(("return", "return None")))
        if self.result == "same":
            found = self.names(is_writable) or ["None"]
            return self.emit(f"return {self.rng.choice(found)}")
        text = self.value(self.result, 2)
        if self.result == "int" and KEEPER in self.module.functions and self.chance(0.5):
            return self.keep(text)
        if self.result == "int" and self.chance(0.55):
            text = self.masked(text)
        self.emit(f"return {text}")

    def keep(self, text: str) -> None:
        """Return this int, or a bool, by way of KEEPER."""
        name = self.new_name()
        self.emit(f"{name} = {text}")
        self.emit(f"if {self.truth(0)}:")
        self.emit(f"    {name} = {self.truth(0)}")
        self.emit(f"return {KEEPER}({self.leaf()}, {name})")

    def text(self) -> str:
        """The whole function."""
        rng = self.rng
        if self.counter:
            self.fixed.add(self.counter)
            self.emit(f"if {self.counter} > 5:")
            self.emit(f"    {self.counter} = 5")
            with self.inside(f"if {self.counter} <= 0:"):
                self.returns()
        helpers = self.callable_helpers("int")
        if helpers and self.chance(0.7):
            text = self.call(rng.choice(helpers), 2)
            self.emit(f"{self.new_name_bound('int')} = {text}")
        self.assign()
        self.statements(rng.randrange(1, 7), 3)
        if self.counter:
            for _ in range(rng.choice((1, 1, 2))):
                text = self.call(self.name, 1, self.counter)
                self.emit(f"{self.new_name_bound(self.result)} = {text}")
            # five levels, each twice
            self.cost *= 32
        if self.result != "maybe" or self.chance(0.8):
            self.returns()
        head = ["    " + f"global {', '.join(sorted(self.globals))}"] if self.globals else []
        if self.chance(0.05):
            head.insert(0, '    """What this is for."""')
        params = ", ".join(self.params) + (f"={self.default}" if self.default else "")
        return "\n".join([f"def {self.name}({params}):", *head, *self.lines])
