"""Functions on lists, vectors and strings at compile time.

A list is modified in place by relinking. A vector keeps its identity if its length does not change. A string
is immutable: a modification makes another.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from .data import NIL, Character, Cons, T, Vector, listed, symbol
from .expand import S
from .library import FUNCTIONS, BadArguments, define, integer, keywords, natural, of, truth
from .limits import CELL
from .lists import (
    ENDINGS,
    TESTS,
    call,
    cells,
    chosen,
    elements,
    keyed,
    make,
    nreconc,
    nthcdr,
    searching,
    tester,
)

BOUNDS = (":START", ":END")


def sequence(self, x) -> list:
    """The elements of a list, vector or string."""
    if isinstance(x, str):
        self.cells(len(x))
        # one object per distinct character, however long the string is
        made = {c: Character(ord(c)) for c in set(x)}
        return [made[c] for c in x]
    if isinstance(x, Vector):
        self.cells(len(x.elements))
        return list(x.elements)
    return elements(self, x)


def like(self, model, found: list):
    """A sequence of the model's kind."""
    self.room(len(found) * CELL)
    if isinstance(model, str):
        return "".join(chr(c.code) for c in found)
    return Vector(found, model.element) if isinstance(model, Vector) else listed(*found)


def span(length: int, options: dict, start=":START", end=":END") -> tuple[int, int]:
    """The beginning and the end of a part of a sequence."""
    first_, last = options.get(start, 0), options.get(end, NIL)
    last = length if last is NIL else last
    if not 0 <= integer(first_) <= integer(last) <= length:
        raise BadArguments
    return first_, last


@define("LENGTH")
def _length(self, x):
    if isinstance(x, Vector) and x.dimensions is not None:
        raise BadArguments
    if isinstance(x, (str, Vector)):
        return len(x if isinstance(x, str) else x.elements)
    return len(elements(self, x))


define("ARRAY-TOTAL-SIZE")(lambda self, x: len(x.elements) if isinstance(x, Vector) else _length(self, x))


def _dimensions(self, x) -> tuple:
    found = getattr(x, "dimensions", None)
    return (_length(self, x),) if found is None else found


@define("AREF")
def _element(self, x, *indices):
    if isinstance(x, Vector) and x.dimensions is not None:
        return x.elements[_row_major(self, x, indices)]
    (index,) = indices
    return _aref(self, x, index)


def _row_major(self, x: Vector, indices: tuple) -> int:
    """The row-major index of an array's element."""
    at = 0
    for index, size in zip(indices, x.dimensions, strict=True):
        at = at * size + _index(self, index, size)
    return at


@define("SVREF", "BIT", "SBIT", "ELT", "CHAR", "SCHAR", "ROW-MAJOR-AREF")
def _aref(self, x, index):
    if isinstance(x, str):
        return Character(ord(x[_index(self, index, len(x))]))
    if isinstance(x, Vector):
        return x.elements[_index(self, index, len(x.elements))]
    return _cell(self, x, index).car


@define("%STORE")
def _store(self, x, *rest):
    *indices, value = rest
    if isinstance(x, Vector) and x.dimensions is not None:
        x.elements[_row_major(self, x, tuple(indices))] = value
        return value
    (index,) = indices
    return _store_at(self, x, index, value)


@define("%ROW-MAJOR-STORE")
def _store_at(self, x, index, value):
    if isinstance(x, Vector):
        x.elements[_index(self, index, len(x.elements))] = value
    else:
        _cell(self, x, index).car = value
    return value


def _index(self, index, count: int) -> int:
    if not 0 <= integer(index) < count:
        raise self.error(f"index {index} is out of bounds for {count} elements")
    return index


def _cell(self, x, index) -> Cons:
    return of(Cons, nthcdr(self, index, x))


# New sequences---------------------------------------------------------------------------------


@define("MAKE-ARRAY")
def _make_array(self, size, *rest):
    options = keywords(rest)
    if size is NIL or (isinstance(size, Cons) and size.cdr is not NIL):
        return _grid(self, elements(self, size), options)
    size = size.car if isinstance(size, Cons) else size
    if integer(size) < 0:
        raise self.error(f"an array of {size} elements")
    self.room(size * CELL)
    contents = options.get(":INITIAL-CONTENTS")
    filled = [options.get(":INITIAL-ELEMENT", 0)] * size if contents is None else sequence(self, contents)
    if len(filled) != size:
        raise self.error(f"{len(filled)} elements for an array of {size}")
    return Vector(filled, options.get(":ELEMENT-TYPE", T))


def _grid(self, sizes: list, options: dict) -> Vector:
    """An array that does not have one dimension; its contents are nested lists."""
    count = math.prod(map(integer, sizes))
    if min(sizes, default=0) < 0:
        raise self.error(f"an array of {min(sizes)} elements")
    self.room(count * CELL)
    found = [options.get(":INITIAL-ELEMENT", 0)] * count
    if ":INITIAL-CONTENTS" in options:
        found = [options[":INITIAL-CONTENTS"]]
        for size in sizes:
            rows = [sequence(self, each) for each in found]
            if any(len(row) != size for row in rows):
                raise self.error("the contents are not of the array's dimensions")
            found = [each for row in rows for each in row]
    return Vector(found, options.get(":ELEMENT-TYPE", T), tuple(sizes))


define("ARRAY-DIMENSIONS")(lambda self, x: make(self, *_dimensions(self, x)))
define("ARRAY-RANK")(lambda self, x: len(_dimensions(self, x)))


@define("ARRAY-DIMENSION")
def _array_dimension(self, x, axis):
    found = _dimensions(self, x)
    return found[_index(self, axis, len(found))]


@define("MAKE-STRING")
def _make_string(self, size, *rest):
    options = keywords(rest, (":INITIAL-ELEMENT", ":ELEMENT-TYPE"))
    self.room(natural(size) * CELL)
    return chr(options.get(":INITIAL-ELEMENT", Character(0)).code) * size


@define("VECTOR")
def _vector(self, *found):
    self.room(len(found) * CELL)
    return Vector(list(found))


def _made(self, type_, found: list):
    """A sequence of the type that a specifier names."""
    while (type_.car if isinstance(type_, Cons) else type_) in self.world.types:
        self.work(1)
        type_ = self.expand_type(type_)
    head = type_.car if isinstance(type_, Cons) else type_
    if head in (S.list, symbol("CONS"), NIL):
        return make(self, *found)
    if head in (S.string, S.simple_string):
        return like(self, "", found)
    self.room(len(found) * CELL)
    has_element = isinstance(type_, Cons) and head is not S.simple_vector and type_.cdr is not NIL
    element = type_.cdr.car if has_element else T
    return Vector(found, T if element is symbol("*") else element)


@define("COERCE")
def _coerce(self, x, type_):
    if type_ is T or (type_ is symbol("VECTOR") and isinstance(x, (str, Vector))):
        # it is already of the type
        return x
    return _made(self, type_, sequence(self, x))


@define("CONCATENATE")
def _concatenate(self, type_, *sequences):
    return _made(self, type_, [each for part in sequences for each in sequence(self, part)])


define("COPY-SEQ")(lambda self, x: like(self, x, sequence(self, x)))


@define("SUBSEQ")
def _subseq(self, x, start, end=NIL):
    found = sequence(self, x)
    start, end = span(len(found), {":START": start, ":END": end})
    return like(self, x, found[start:end])


@define("REVERSE")
def _reverse(self, x):
    return like(self, x, sequence(self, x)[::-1])


@define("NREVERSE")
def _nreverse(self, x):
    if isinstance(x, Vector):
        x.elements.reverse()
        return x
    return _reverse(self, x) if isinstance(x, str) else nreconc(self, x, NIL)


# Filled in place ------------------------------------------------------------------------------


def _put(x, at: int, found: list):
    """Stores these elements from an index on; returns the sequence."""
    if isinstance(x, Vector):
        x.elements[at : at + len(found)] = found
    elif isinstance(x, Cons):
        cell = x
        for _ in range(at):
            cell = cell.cdr
        for each in found:
            cell.car, cell = each, cell.cdr
    elif found:
        raise BadArguments
    return x


@define("FILL")
def _fill(self, x, item, *rest):
    start, end = span(len(sequence(self, x)), keywords(rest, BOUNDS))
    return _put(x, start, [item] * (end - start))


@define("REPLACE")
def _replace(self, x, source, *rest):
    options = keywords(rest, (":START1", ":END1", ":START2", ":END2"))
    given = sequence(self, source)
    start, end = span(len(sequence(self, x)), options, ":START1", ":END1")
    first_, last = span(len(given), options, ":START2", ":END2")
    return _put(x, start, given[first_:last][: end - start])


@define("MAP-INTO")
def _map_into(self, x, function, *sequences):
    room = len(sequence(self, x))
    given = zip(range(room), *(sequence(self, each) for each in sequences), strict=False)
    return _put(x, 0, [call(self, function, *each) for _, *each in given])


# Mapping --------------------------------------------------------------------------------------


@define("MAP")
def _map(self, type_, function, *sequences):
    given = zip(*(sequence(self, each) for each in sequences), strict=False)
    made = [call(self, function, *each) for each in given]
    return NIL if type_ is NIL else _made(self, type_, made)


def _until(self, predicate, sequences: tuple, wanted: bool):
    """The first value of the predicate that is true, or false, as wanted; None if there is none."""
    for each in zip(*(sequence(self, each) for each in sequences), strict=False):
        value = call(self, predicate, *each)
        if (value is not NIL) == wanted:
            return value
    return None


for _name, _wanted, _found in (
    ("SOME", True, lambda value: NIL if value is None else value),
    ("NOTANY", True, lambda value: truth(value is None)),
    ("EVERY", False, lambda value: truth(value is None)),
    ("NOTEVERY", False, lambda value: truth(value is not None)),
):

    @define(_name)
    def _some(self, predicate, *sequences, wanted=_wanted, found=_found):
        return found(_until(self, predicate, sequences, wanted))


@define("REDUCE")
def _reduce(self, function, x, *rest):
    options = keywords(rest, (*BOUNDS, ":INITIAL-VALUE", ":FROM-END", ":KEY"))
    found = sequence(self, x)
    start, end = span(len(found), options)
    found = [*map(keyed(self, options), found[start:end])]
    backwards = options.get(":FROM-END", NIL) is not NIL
    if backwards:
        found.reverse()
    if ":INITIAL-VALUE" in options:
        found.insert(0, options[":INITIAL-VALUE"])
    if not found:
        return call(self, function)
    result = found[0]
    for each in found[1:]:
        result = call(self, function, each, result) if backwards else call(self, function, result, each)
    return result


# Searching ------------------------------------------------------------------------------------

WHERE = (*BOUNDS, ":FROM-END")


def _places(self, holds: Callable, x, options: dict) -> list[int]:
    """The indices of the matching elements: at most :count, from the beginning or the end."""
    found = sequence(self, x)
    start, end = span(len(found), options)
    places = [at for at in range(start, end) if holds(found[at])]
    most = options.get(":COUNT", NIL)
    if most is not NIL:
        most = max(integer(most), 0)
        from_end = options.get(":FROM-END", NIL) is not NIL
        places = places[max(len(places) - most, 0) :] if from_end else places[:most]
    return places


def _place(self, holds: Callable, x, options: dict) -> int | None:
    found = sequence(self, x)
    ways = range(*span(len(found), options))
    if options.get(":FROM-END", NIL) is not NIL:
        ways = ways[::-1]
    return next((at for at in ways if holds(found[at])), None)


@searching("FIND", *WHERE)
def _find(self, holds: Callable, x, options):
    at = _place(self, holds, x, options)
    return NIL if at is None else sequence(self, x)[at]


@searching("POSITION", *WHERE)
def _position(self, holds: Callable, x, options):
    at = _place(self, holds, x, options)
    return NIL if at is None else at


@searching("COUNT", *WHERE)
def _count(self, holds: Callable, x, options):
    return len(_places(self, holds, x, options))


def _without(self, x, places: list[int]):
    out = set(places)
    return like(self, x, [each for at, each in enumerate(sequence(self, x)) if at not in out])


def _unlinked(self, x, places: list[int]):
    """The sequence without the elements at these indices; a list is relinked."""
    if not isinstance(x, Cons):
        return _without(self, x, places)
    out = set(places)
    handle = before = Cons(NIL, x)
    for at, cell in enumerate(cells(self, x)):
        if at in out:
            before.cdr = cell.cdr
        else:
            before = cell
    return handle.cdr


def _twice(self, x, options: dict) -> list[int]:
    """The indices of elements that occur again later; or earlier, from the end."""
    found = sequence(self, x)
    start, end = span(len(found), options)
    alike = tester(self, {name: value for name, value in options.items() if name != ":KEY"})
    keys = [*map(keyed(self, options), found)]
    from_end = options.get(":FROM-END", NIL) is not NIL
    places = []
    for at in range(start, end):
        self.work(1 + (end - start >> 4))
        others = range(start, at) if from_end else range(at + 1, end)
        pairs = ((other, at) if from_end else (at, other) for other in others)
        if any(alike(keys[a], keys[b]) for a, b in pairs):
            places.append(at)
    return places


for _name, _how in (("REMOVE", _without), ("DELETE", _unlinked)):

    @searching(_name, *WHERE, ":COUNT")
    def _remove(self, holds: Callable, x, options, how=_how):
        return how(self, x, _places(self, holds, x, options))

    @define(f"{_name}-DUPLICATES")
    def _once(self, x, *rest, how=_how):
        return how(self, x, _twice(self, x, keywords(rest, (*TESTS, *WHERE))))


for _name in ("SUBSTITUTE", "NSUBSTITUTE"):
    for _ending in ENDINGS:

        def _substitute(self, new, what, x, *rest, in_place=_name[0] == "N", ending=_ending):
            holds, options = chosen(self, ending, what, rest, (*WHERE, ":COUNT"))
            found = sequence(self, x)
            for at in _places(self, holds, x, options):
                found[at] = new
            return _put(x, 0, found) if in_place and not isinstance(x, str) else like(self, x, found)

        FUNCTIONS[symbol(_name + _ending)] = _substitute


@define("MISMATCH")
def _mismatch(self, a, b, *rest):
    alike = tester(self, keywords(rest, (":TEST", ":TEST-NOT")))
    left, right = sequence(self, a), sequence(self, b)
    for at, (x, y) in enumerate(zip(left, right, strict=False)):
        if not alike(x, y):
            return at
    return NIL if len(left) == len(right) else min(len(left), len(right))


@define("SEARCH")
def _search(self, a, b, *rest):
    alike = tester(self, keywords(rest, TESTS))
    wanted, found = sequence(self, a), sequence(self, b)
    for at in range(len(found) - len(wanted) + 1):
        self.work(1)
        if all(alike(x, y) for x, y in zip(wanted, found[at:], strict=False)):
            return at
    return NIL


# Sorting --------------------------------------------------------------------------------------


class _Sorted:
    """An element with its key, by which `less` orders it."""

    __slots__ = ("key", "less", "thing")

    def __init__(self, thing, key, less: Callable):
        self.thing = thing
        self.key = key
        self.less = less

    def __lt__(self, other: _Sorted) -> bool:
        return self.less(self.key, other.key)


def _order(self, predicate, options: dict) -> Callable:
    """A function that makes elements comparable by the predicate and :key."""
    key = keyed(self, options)

    def less(a, b) -> bool:
        return call(self, predicate, a, b) is not NIL

    return lambda thing, element: _Sorted(thing, key(element), less)


def _relinked(things: list[Cons]):
    result: object = NIL
    for cell in reversed(things):
        cell.cdr, result = result, cell
    return result


@define("SORT", "STABLE-SORT")
def _sort(self, x, predicate, *rest):
    made = _order(self, predicate, keywords(rest, (":KEY",)))
    if isinstance(x, Cons):
        sequence(self, x)
        return _relinked([each.thing for each in sorted(made(cell, cell.car) for cell in cells(self, x))])
    found = [each.thing for each in sorted(made(each, each) for each in sequence(self, x))]
    return _put(x, 0, found) if isinstance(x, Vector) else like(self, x, found)


@define("MERGE")
def _merge(self, type_, a, b, predicate, *rest):
    made = _order(self, predicate, keywords(rest, (":KEY",)))
    relink = type_ is S.list and not isinstance(a, (str, Vector)) and not isinstance(b, (str, Vector))
    left, right = (
        [made(c, c.car) for c in cells(self, x)] if relink else [made(e, e) for e in sequence(self, x)]
        for x in (a, b)
    )
    left.reverse()
    right.reverse()
    merged = []
    while left and right:
        merged.append((right if right[-1] < left[-1] else left).pop())
    merged += [*reversed(left), *reversed(right)]
    things = [each.thing for each in merged]
    return _relinked(things) if relink else _made(self, type_, things)
