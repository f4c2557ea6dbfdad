"""Lists at compile time: conses, shared and modified in place as in Common Lisp.

Destructive functions relink or refill a list's own cells, as SBCL's do, so that other holders of a cell see
the same as there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product

from .data import NIL, Cons, T, items, listed, symbol
from .expand import S
from .library import (
    FUNCTIONS,
    BadArguments,
    MultipleValues,
    define,
    first,
    integer,
    keywords,
    natural,
    of,
    same,
    truth,
)
from .limits import CELL, Limits


def car(x):
    return NIL if x is NIL else x.car


def cdr(x):
    return NIL if x is NIL else x.cdr


def elements(self: Limits, x) -> list:
    """A list's items; a circular one has none."""
    if x is NIL:
        return []
    found = items(of(Cons, x))
    self.cells(len(found))
    return found


def cells(self: Limits, x) -> list[Cons]:
    """A list's cells; it may end in any atom."""
    if not isinstance(x, Cons) and x is not NIL:
        raise BadArguments
    found: list[Cons] = []
    while isinstance(x, Cons):
        found.append(x)
        x = x.cdr
        if not len(found) & 1023:
            self.cells(1024)
    self.cells(len(found) & 1023)
    return found


def call(self, function, *arguments):
    return first(self.apply(function, list(arguments)))


def make(self: Limits, *items_, end=NIL):
    """The list of these items."""
    self.room(len(items_) * CELL)
    return listed(*items_, end=end)


# Tests ----------------------------------------------------------------------------------------


def keyed(self, options: dict) -> Callable:
    """The function of the :key, which yields what is compared."""
    key = options.get(":KEY", NIL)
    return (lambda element: element) if key is NIL else lambda element: call(self, key, element)


def tester(self, options: dict) -> Callable[[object, object], bool]:
    """A test whether an item matches an element, by :test, :test-not and :key."""
    key = keyed(self, options)
    test, test_not = options.get(":TEST", NIL), options.get(":TEST-NOT", NIL)
    if test is not NIL:
        return lambda item, element: call(self, test, item, key(element)) is not NIL
    if test_not is not NIL:
        return lambda item, element: call(self, test_not, item, key(element)) is NIL
    return lambda item, element: same(item, key(element))


TESTS = (":TEST", ":TEST-NOT", ":KEY")


ENDINGS = ("", "-IF", "-IF-NOT")


def chosen(self, ending: str, what, rest: tuple, known: tuple) -> tuple[Callable[[object], bool], dict]:
    """The predicate of NAME, NAME-IF or NAME-IF-NOT; and the arguments by keyword."""
    options = keywords(rest, (*known, *(TESTS if not ending else (":KEY",))))
    if not ending:
        like = tester(self, options)
        return lambda element: like(what, element), options
    key = keyed(self, options)
    return lambda element: (call(self, what, key(element)) is not NIL) == (ending == "-IF"), options


def searching(name: str, *known: str) -> Callable:
    """Defines NAME, NAME-IF and NAME-IF-NOT by one function, which takes the predicate."""

    def register(function: Callable) -> Callable:
        for ending in ENDINGS:

            def search(self, what, where, *rest, ending=ending):
                holds, options = chosen(self, ending, what, rest, known)
                return function(self, holds, where, options)

            FUNCTIONS[symbol(name + ending)] = search
        return function

    return register


# Cells ----------------------------------------------------------------------------------------

for _path in (path for length in (1, 2, 3, 4) for path in product("AD", repeat=length)):

    def _follow(self, x, path=_path):
        for step in reversed(path):
            x = car(x) if step == "A" else cdr(x)
        return x

    FUNCTIONS[symbol(f"C{''.join(_path)}R")] = _follow
FUNCTIONS[S.rest] = FUNCTIONS[S.cdr]


@define("NTHCDR")
def nthcdr(self, n, x):
    natural(n)
    while n and isinstance(x, Cons):
        # in pieces that may be processed before the steps are counted
        some = min(n, 4096)
        self.work(some >> 4)
        for _ in range(some):
            x = cdr(x)
        n -= some
    if n and x is not NIL:
        raise BadArguments
    return x


@define("NTH")
def _nth(self, n, x):
    return car(nthcdr(self, n, x))


for _index, _name in enumerate(
    ("FIRST", "SECOND", "THIRD", "FOURTH", "FIFTH", "SIXTH", "SEVENTH", "EIGHTH", "NINTH", "TENTH")
):
    FUNCTIONS[symbol(_name)] = lambda self, x, n=_index: _nth(self, n, x)


@define("CONS")
def _cons(self, a, b):
    self.room(CELL)
    return Cons(a, b)


define("LIST")(make)
define("LIST*")(lambda self, *given: make(self, *given[:-1], end=given[-1]))


@define("MAKE-LIST")
def _make_list(self, size, *rest):
    options = keywords(rest, (":INITIAL-ELEMENT",))
    self.room(natural(size) * CELL)
    return make(self, *[options.get(":INITIAL-ELEMENT", NIL)] * size)


@define("ACONS")
def _acons(self, key, value, alist):
    self.room(2 * CELL)
    return Cons(Cons(key, value), alist)


@define("(SETF CAR)")
def _setcar(self, cell, value):
    of(Cons, cell).car = value
    return value


@define("(SETF CDR)")
def _setcdr(self, cell, value):
    of(Cons, cell).cdr = value
    return value


@define("RPLACA")
def _rplaca(self, cell, value):
    of(Cons, cell).car = value
    return cell


@define("RPLACD")
def _rplacd(self, cell, value):
    of(Cons, cell).cdr = value
    return cell


# Whole lists ----------------------------------------------------------------------------------


@define("LIST-LENGTH")
def _list_length(self, x):
    """NIL for a circular list."""
    seen = set()
    count = 0
    while isinstance(x, Cons):
        if id(x) in seen:
            return NIL
        seen.add(id(x))
        count += 1
        if not count & 1023:
            self.cells(1024)
        x = x.cdr
    if x is not NIL:
        raise BadArguments
    return count


define("ENDP")(lambda self, x: truth(x is NIL or of(Cons, x) is NIL))


@define("LAST")
def _last(self, x, n=1):
    found = cells(self, x)
    if natural(n) == 0:
        return found[-1].cdr if found else x
    return found[max(len(found) - n, 0)] if found else x


@define("BUTLAST")
def _butlast(self, x, n=1):
    found = cells(self, x)
    # without any of its cells less, a list keeps the atom that it ends in
    end = found[-1].cdr if found and integer(n) <= 0 else NIL
    return make(self, *(cell.car for cell in found[: max(len(found) - integer(n), 0)]), end=end)


@define("NBUTLAST")
def _nbutlast(self, x, n=1):
    found = cells(self, x)
    kept = len(found) - integer(n)
    if kept <= 0:
        return NIL
    found[kept - 1].cdr = NIL if n > 0 else found[kept - 1].cdr
    return x


@define("APPEND")
def append(self, *lists):
    """Concatenates copies of all lists but the last, which is shared."""
    if not lists:
        return NIL
    return make(self, *(each for part in lists[:-1] for each in elements(self, part)), end=lists[-1])


@define("NCONC")
def nconc(self, *lists):
    """Concatenates the lists by linking each one's last cell to the next list."""
    result: object = NIL
    end: Cons | None = None
    for left, each in enumerate(lists, 1 - len(lists)):
        if end is None:
            result = each
        else:
            end.cdr = each
        if left and isinstance(each, Cons):
            end = _last(self, each)
        elif left and each is not NIL:
            raise BadArguments
    return result


define("REVAPPEND")(lambda self, x, tail: make(self, *reversed(elements(self, x)), end=tail))


@define("NRECONC")
def nreconc(self, x, tail):
    for cell in cells(self, x):
        cell.cdr, tail = tail, cell
    return tail


@define("COPY-LIST")
def copy_list(self, x):
    found = cells(self, x)
    return make(self, *(cell.car for cell in found), end=found[-1].cdr if found else x)


@define("COPY-ALIST")
def _copy_alist(self, x):
    return make(self, *(Cons(e.car, e.cdr) if isinstance(e, Cons) else e for e in elements(self, x)))


define("COPY-TREE")(lambda self, x: _replaced(self, x, lambda part: part))


def _replaced(self, x, new: Callable):
    """A copy of a tree, in which each part (a leaf or cell) that new(part) changes is replaced."""
    made: list = []
    while (other := new(x)) is x and isinstance(x, Cons):
        self.work(1)
        made.append(_replaced(self, x.car, new))
        x = x.cdr
    return make(self, *made, end=other)


def _replace(self, x, new: Callable):
    """The same, modifying the tree's own cells."""
    if (other := new(x)) is not x or not isinstance(x, Cons):
        return other
    cell = x
    while True:
        self.work(1)
        cell.car = _replace(self, cell.car, new)
        if (other := new(cell.cdr)) is not cell.cdr or not isinstance(cell.cdr, Cons):
            cell.cdr = other
            return x
        cell = cell.cdr


for _name, _how in (("", _replaced), ("N", _replace)):

    @define(f"{_name}SUBST")
    def _subst(self, new, old, tree, *rest, how=_how):
        like = tester(self, keywords(rest, TESTS))
        return how(self, tree, lambda part: new if like(old, part) else part)

    @define(f"{_name}SUBLIS")
    def _sublis(self, alist, tree, *rest, how=_how):
        like = tester(self, keywords(rest, TESTS))
        pairs = [pair for pair in elements(self, alist) if pair is not NIL]

        def new(part):
            self.cells(len(pairs))
            return next((pair.cdr for pair in pairs if like(pair.car, part)), part)

        return how(self, tree, new)


@define("TREE-EQUAL")
def _tree_equal(self, a, b, *rest):
    like = tester(self, keywords(rest, TESTS))

    def alike(a, b) -> bool:
        while isinstance(a, Cons) and isinstance(b, Cons):
            self.work(1)
            if not alike(a.car, b.car):
                return False
            a, b = a.cdr, b.cdr
        return not isinstance(a, Cons) and not isinstance(b, Cons) and like(a, b)

    return truth(alike(a, b))


@define("LDIFF")
def _ldiff(self, x, tail):
    made = []
    while isinstance(x, Cons) and x is not tail:
        made.append(x.car)
        self.work(not len(made) & 15)
        x = x.cdr
    return make(self, *made, end=NIL if same(x, tail) else x)


@define("TAILP")
def _tailp(self, tail, x):
    count = 0
    while isinstance(x, Cons) and x is not tail:
        count += 1
        self.work(not count & 15)
        x = x.cdr
    return truth(same(x, tail))


# Looking up -----------------------------------------------------------------------------------


@searching("MEMBER")
def _member(self, holds: Callable, x, options):
    for cell in walk(self, x):
        if holds(cell.car):
            return cell
    return NIL


for _name, _part in (("ASSOC", "car"), ("RASSOC", "cdr")):

    @searching(_name)
    def _pair(self, holds: Callable, alist, options, part=_part):
        for cell in walk(self, alist):
            if cell.car is not NIL and holds(getattr(cell.car, part)):
                return cell.car
        return NIL


def walk(self, x) -> Iterator[Cons]:
    """The cells of a list, which may be modified meanwhile; it must end in nil."""
    count = 0
    while isinstance(x, Cons):
        count += 1
        self.work(not count & 15)
        yield x
        x = x.cdr
    if x is not NIL:
        raise BadArguments


@define("ADJOIN")
def _adjoin(self, item, x, *rest):
    options = keywords(rest, TESTS)
    like = tester(self, options)
    sought = keyed(self, options)(item)
    if any(like(sought, cell.car) for cell in walk(self, x)):
        return x
    return _cons(self, item, x)


@define("PAIRLIS")
def _pairlis(self, keys, values, alist=NIL):
    for key, value in zip(elements(self, keys), elements(self, values), strict=True):
        alist = Cons(Cons(key, value), alist)
    return alist


def _among(self, x, options: dict) -> Callable[[object], bool]:
    """A test whether an element matches one of these."""
    key, like = keyed(self, options), tester(self, options)
    others = elements(self, x)

    def among(element) -> bool:
        self.work(1 + (len(others) >> 4))
        sought = key(element)
        return any(like(sought, other) for other in others)

    return among


@define("UNION", "NUNION")
def _union(self, a, b, *rest):
    among = _among(self, b, keywords(rest, TESTS))
    for each in elements(self, a):
        if not among(each):
            b = _cons(self, each, b)
    return b


for _names, _wanted in (
    (("INTERSECTION", "NINTERSECTION"), True),
    (("SET-DIFFERENCE", "NSET-DIFFERENCE"), False),
):

    @define(*_names)
    def _some(self, a, b, *rest, wanted=_wanted):
        among = _among(self, b, keywords(rest, TESTS))
        return make(self, *reversed([each for each in elements(self, a) if among(each) == wanted]))


@define("SUBSETP")
def _subsetp(self, a, b, *rest):
    among = _among(self, b, keywords(rest, TESTS))
    return truth(all(among(each) for each in elements(self, a)))


# Property lists -------------------------------------------------------------------------------


def _property(self, plist, key) -> tuple[Cons | None, Cons | None]:
    """The cell before a property's, and the property's own, which the value's cell follows."""
    before = None
    for at, cell in enumerate(walk(self, plist)):
        if not at & 1:
            of(Cons, cell.cdr)
            if same(cell.car, key):
                return before, cell
        before = cell
    return None, None


@define("GETF")
def _getf(self, plist, key, default=NIL):
    _, found = _property(self, plist, key)
    return default if found is None else found.cdr.car


@define("(SETF GETF)")
def _putf(self, plist, key, value):
    """The property list with this property; an existing one is modified in place."""
    _, found = _property(self, plist, key)
    if found is None:
        return make(self, key, value, end=plist)
    found.cdr.car = value
    return plist


@define("%REMF")
def _remf(self, plist, key):
    """The property list without this property, and whether it was there."""
    before, found = _property(self, plist, key)
    if found is None:
        return MultipleValues([plist, NIL])
    if before is None:
        return MultipleValues([found.cdr.cdr, T])
    before.cdr = found.cdr.cdr
    return MultipleValues([plist, T])


# Mapping --------------------------------------------------------------------------------------


def _lockstep(self, lists: tuple) -> Iterator[list[Cons]]:
    """Tuples of the lists' cells, to the end of the shortest."""
    if not lists:
        raise BadArguments
    at = list(lists)
    while all(isinstance(each, Cons) for each in at):
        self.work(1)
        yield at
        at = [each.cdr for each in at]
    if not any(each is NIL for each in at):
        raise BadArguments


for _name, _whole, _gather in (
    ("MAPCAR", False, make), ("MAPLIST", True, make), ("MAPC", False, None), ("MAPL", True, None),
    ("MAPCAN", False, nconc), ("MAPCON", True, nconc),
):  # fmt: skip

    def _map(self, function, *lists, whole=_whole, gather=_gather):
        found = [
            call(self, function, *(at if whole else [each.car for each in at]))
            for at in _lockstep(self, lists)
        ]
        return lists[0] if gather is None else gather(self, *found)

    FUNCTIONS[symbol(_name)] = _map


@define("%EXTEND")
def extend(self, last, values):
    """Appends these values after the last cell; returns the new last cell."""
    last.cdr = values
    return _last(self, last)


define("APPLY")(lambda self, f, *given: self.apply(f, [*given[:-1], *elements(self, given[-1])]))
define("VALUES-LIST")(lambda self, x: MultipleValues(elements(self, x)))
