"""A program's text that may be changed: positions of its forms and variables, and insertions.

A change only inserts, so every position before it has a position after it.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate, pairwise

from ...ir.errors import SourceError
from ...ir.form import Position
from ..ssa import basic
from .data import NIL, Cons, Symbol, items
from .expand import S
from .reader import Reader

DEFUNS = {"DEFUN", "DEFMACRO"}
LOCAL = {"FLET", "LABELS"}
# Forms that bind the variables in their second element, and the number of elements before declarations.
BINDERS = {
    "LET": 1, "LET*": 1, "PROG": 1, "PROG*": 1, "DOTIMES": 1, "LAMBDA": 1, "DO": 2, "DO*": 2,
    "MULTIPLE-VALUE-BIND": 2,
}  # fmt: skip
LOOP_WORDS = {"FOR", "AS", "WITH", "AND", "INTO"}


@dataclass(frozen=True)
class Insertion:
    at: int  # an offset in the text
    text: str


Change = frozenset[Insertion]


@dataclass(frozen=True)
class Binding:
    """A binding of a variable."""

    name: str  # as written
    at: int
    form: int  # the offset of the form that binds it
    declared_at: int
    in_loop: bool  # whether it is declared by of-type instead of a declaration


class LispSource:
    def __init__(self, text: str, file: str):
        self.text = text
        self.file = file
        self.lines = [0, *accumulate(len(line) + 1 for line in text.split("\n"))]
        self._bindings: dict[tuple[str, int], Binding | None] = {}
        self.tops = [(form, self.offset(position)) for form, position in self._reader().forms()]

    def _reader(self) -> Reader:
        """Reads what stands where; what the program's own macros or `#.` would make of it is not computed."""
        reader = Reader(self.text, self.file)
        reader.suppressed = 1
        return reader

    def offset(self, position: Position) -> int:
        return self.lines[position.line - 1] + position.column - 1

    def position(self, offset: int) -> Position:
        line = bisect_right(self.lines, offset)
        return Position(self.file, line, offset - self.lines[line - 1] + 1)

    def end(self, offset: int) -> int:
        """The end of the form that begins here; SourceError if none can be read."""
        reader = self._reader()
        # it may be within a backquote
        reader.at, reader.backquotes = offset, 1
        reader.read()
        return reader.at

    def form(self, offset: int) -> str:
        """The form that begins here, as it was written."""
        try:
            return self.text[offset : self.end(offset)]
        except SourceError:
            return self.text[offset:].partition("\n")[0]

    def top(self, offset: int) -> tuple[int, int]:
        """The beginning and the end of the top-level form around this offset."""
        begin = max((at for _, at in self.tops if at <= offset), default=0)
        return begin, begin + len(self.form(begin))

    # Changes

    def changed(self, change: Change) -> str:
        """The text with the insertions; of two at the same offset, the longer one comes later."""
        pieces, last = [], 0
        for each in sorted(change, key=_order):
            pieces += [self.text[last : each.at], each.text]
            last = each.at
        return "".join([*pieces, self.text[last:]])

    @staticmethod
    def before(offset: int, change: Change) -> int:
        """The original offset for one in the changed text; for inserted text, where it was inserted."""
        moved = 0
        for each in sorted(change, key=_order):
            if offset < each.at + moved + len(each.text):
                return min(offset - moved, each.at)
            moved += len(each.text)
        return offset - moved

    def around(self, offset: int, before: str, after: str) -> Change:
        """Inserts texts before and after the form that begins here; SourceError if there is none."""
        return frozenset({Insertion(offset, before), Insertion(self.end(offset), after)})

    # Variables

    def binding(self, name: str, offset: int) -> Binding | None:
        """The innermost binding around this offset of a variable whose values have this name in the IR."""
        if (name, offset) not in self._bindings:
            try:
                self._bindings[name, offset] = self._binding(name, offset)
            except SourceError:
                # the form was made by a macro from forms elsewhere
                self._bindings[name, offset] = None
        return self._bindings[name, offset]

    def _binding(self, name: str, offset: int) -> Binding | None:
        lists = list(self._around(offset))
        for depth in range(len(lists) - 1, -1, -1):
            for variable, at, declared_at, in_loop in self._bound(lists, depth):
                if basic(variable.name) == name:
                    text = self.text[at : self.end(at)]
                    return Binding(text, at, lists[depth][1], declared_at, in_loop)
        return None

    def _around(self, offset: int) -> Iterator[tuple[Cons, int]]:
        """The lists around the offset, from the outermost on, and their offsets."""
        form, at = self._last_before(self.tops, offset)
        while isinstance(form, Cons):
            yield form, at
            form, at = self._last_before(self._elements(form), offset)
            if isinstance(form, Cons) and self.end(at) <= offset:
                return

    @staticmethod
    def _last_before(forms: list[tuple[object, int]], offset: int) -> tuple[object, int]:
        """The last of the forms that begins at the offset or before."""
        return max((pair for pair in forms if pair[1] <= offset), key=lambda pair: pair[1], default=(NIL, 0))

    def _elements(self, form: object) -> list[tuple[object, int]]:
        found = []
        while isinstance(form, Cons) and form.at is not None:
            found.append((form.car, self.offset(form.at)))
            form = form.cdr
        return found

    def _bound(self, lists: list[tuple[Cons, int]], depth: int) -> Iterator[tuple[Symbol, int, int, bool]]:
        """The bindings of the list at this depth: variables, their offsets, and that of declarations."""
        elements = self._elements(lists[depth][0])
        head = getattr(elements[0][0], "name", "") if elements else ""
        if head == "LOOP":
            for (word, _), (variable, at) in pairwise(elements):
                if getattr(word, "name", "").lstrip(":") in LOOP_WORDS and isinstance(variable, Symbol):
                    yield variable, at, self.end(at), True
            return
        where, last = None, None
        if head in DEFUNS:
            where = last = 2
        elif head in BINDERS:
            where, last = 1, BINDERS[head]
        elif depth > 1 and self._local(lists, depth):
            where = last = 1
        if where is None or len(elements) <= last:
            return
        # after the docstring and other declarations: the last declaration counts
        if len(elements) > last + 2 and isinstance(elements[last + 1][0], str):
            last += 1
        while last + 1 < len(elements) and getattr(elements[last + 1][0], "car", None) is S.declare:
            last += 1
        declared_at = self.end(elements[last][1])
        for bound, at in self._elements(elements[where][0])[: 1 if head == "DOTIMES" else None]:
            # variable, (variable value), ((:key variable) value)
            if isinstance(bound, Cons):
                bound, at = self._elements(bound)[0]
            if isinstance(bound, Cons):
                bound, at = self._elements(bound)[-1]
            if isinstance(bound, Symbol) and not bound.name.startswith("&"):
                yield bound, at, declared_at, False

    def _local(self, lists: list[tuple[Cons, int]], depth: int) -> bool:
        """Whether the list at this depth defines a local function."""
        definitions, around = lists[depth - 1], self._elements(lists[depth - 2][0])
        head = getattr(around[0][0], "name", "") if around else ""
        return (
            head in LOCAL
            and len(around) > 1
            and around[1][1] == definitions[1]
            and items(definitions[0]) != []
        )


def _order(each: Insertion) -> tuple[int, int]:
    return each.at, len(each.text)
