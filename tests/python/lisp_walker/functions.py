"""Functions of lists, sequences, arrays and characters, by CLHS 13 to 18.

Where the standard leaves open which cells of a list are used again, it is as most Lisps do.
"""

import math
import re
from collections.abc import Callable
from functools import cmp_to_key, reduce
from itertools import count, pairwise

from .data import (
    NIL,
    Array,
    Character,
    Cons,
    T,
    Table,
    Trap,
    Values,
    conses,
    entering,
    eql,
    items,
    listed,
    one,
    string,
    text_of,
    truth,
)
from .integers import FUNCTIONS as OF_INTEGERS
from .integers import integer, small
from .types import Types

FUNCTIONS: dict[str, Callable] = dict(OF_INTEGERS)
lisp = entering(FUNCTIONS)


def call(function, *args):
    """Its primary value; the function may be the name of one of these here."""
    return one((function if callable(function) else FUNCTIONS[function])(*args))


def holds(function, *args) -> bool:
    return call(function, *args) != NIL


# --- of every kind ----------------------------------------------------------------------------


def equal(a, b) -> bool:
    while isinstance(a, Cons) and isinstance(b, Cons):
        if not equal(a.car, b.car):
            return False
        a, b = a.cdr, b.cdr
    if isinstance(a, Array) and isinstance(b, Array) and a.element == b.element == "CHARACTER":
        return a.data == b.data
    return eql(a, b)


FUNCTIONS |= {
    "EQ": lambda a, b: truth(eql(a, b)), "EQL": lambda a, b: truth(eql(a, b)),
    "EQUAL": lambda a, b: truth(equal(a, b)), "NOT": lambda x: truth(x == NIL), "IDENTITY": lambda x: x,
    "NULL": lambda x: truth(x == NIL), "VALUES": lambda *args: Values(args),
    "INTEGERP": lambda x: truth(type(x) is int), "NUMBERP": lambda x: truth(type(x) is int),
    "SYMBOLP": lambda x: truth(isinstance(x, str)), "CONSP": lambda x: truth(isinstance(x, Cons)),
    "KEYWORDP": lambda x: truth(isinstance(x, str) and x[0] == ":"),
    "ATOM": lambda x: truth(not isinstance(x, Cons)), "FUNCTIONP": lambda x: truth(callable(x)),
    "LISTP": lambda x: truth(isinstance(x, Cons) or x == NIL),
    "ARRAYP": lambda x: truth(isinstance(x, Array)),
    "STRINGP": lambda x: truth(isinstance(x, Array) and x.element == "CHARACTER"),
    "VECTORP": lambda x: truth(isinstance(x, Array) and len(x.dims) == 1),
    "CHARACTERP": lambda x: truth(isinstance(x, Character)),
    "CHAR-CODE": lambda x: x.code, "CODE-CHAR": Character, "STRING": lambda x: string(text_of(x)),
    "CHAR=": lambda *args: truth(len(set(args)) == 1), "SYMBOL-NAME": lambda x: string(text_of(x)),
    "INTERN": text_of, "MAKE-SYMBOL": lambda x: f"#:{text_of(x)}{next(made_up)}",
    "GENSYM": lambda x=None: f"#:G{next(made_up)}", "STRING=": lambda a, b: truth(text_of(a) == text_of(b)),
}  # fmt: skip
made_up = count()


@lisp("FORMAT")
def written(_, control: Array, *args) -> Array:
    """Only what makes names, or messages that nobody reads."""
    left = list(args)
    ways = {"d": lambda: str(left.pop(0)), "x": lambda: f"{left.pop(0):X}", "%": lambda: "\n"}
    ways |= dict.fromkeys("as", lambda: str(each) if type(each := left.pop(0)) is int else text_of(each))
    return string(re.sub(r"~([a-zA-Z%])", lambda found: ways[found[1].lower()](), text_of(control)))


# --- lists ------------------------------------------------------------------------------------


def car(x):
    return x.car if isinstance(x, Cons) else _nothing(x)


def cdr(x):
    return x.cdr if isinstance(x, Cons) else _nothing(x)


def _nothing(x) -> str:
    if x != NIL:
        raise Trap("not a list")
    return NIL


def path(letters: str):
    steps = [car if letter == "A" else cdr for letter in reversed(letters)]
    return lambda x: reduce(lambda value, step: step(value), steps, x)


def nthcdr(n: int, x):
    for _ in range(n):
        if x == NIL:
            break
        x = cdr(x)
    return x


PLACES = ("FIRST", "SECOND", "THIRD", "FOURTH", "FIFTH", "SIXTH", "SEVENTH", "EIGHTH", "NINTH", "TENTH")
PATHS = [f"{a}{b}{c}" for a in "AD" for b in ("", "A", "D") for c in ("", "A", "D")]
FUNCTIONS |= {f"C{letters}R": path(letters) for letters in PATHS}
FUNCTIONS |= {name: lambda x, at=at: car(nthcdr(at, x)) for at, name in enumerate(PLACES)}


def last_cons(x: Cons) -> Cons:
    while isinstance(x.cdr, Cons):
        x = x.cdr
    return x


def nconc(*lists):
    whole = NIL
    for each in lists:
        if whole == NIL:
            whole = each
        elif each != NIL:
            last_cons(whole).cdr = each
    return whole


def append(*lists):
    whole = lists[-1] if lists else NIL
    for each in reversed(lists[:-1]):
        whole = listed(items(each), whole)
    return whole


def nreverse(x, tail=NIL):
    if isinstance(x, Array):
        x.data[:] = x.data[::-1]
        return x
    while isinstance(x, Cons):
        x.cdr, tail, x = tail, x, x.cdr
    return tail


def copy_tree(x):
    return Cons(copy_tree(x.car), copy_tree(x.cdr)) if isinstance(x, Cons) else x


def tails(x) -> list:
    """The list and what is left of it after each of its conses."""
    found = []
    while isinstance(x, Cons):
        found.append(x)
        x = x.cdr
    return [*found, x]


def last(x, n: int = 1):
    every = tails(x)
    return every[max(0, len(every) - 1 - n)]


def butlast(x, n: int = 1):
    every = tails(x)[:-1]
    return listed(each.car for each in every[: max(0, len(every) - n)])


def nbutlast(x, n: int = 1):
    every = tails(x)[:-1]
    if len(every) <= n:
        return NIL
    every[len(every) - n - 1].cdr = NIL
    return x


def ldiff(x, part):
    elements = []
    while isinstance(x, Cons) and x is not part:
        elements.append(x.car)
        x = x.cdr
    return listed(elements, NIL if eql(x, part) else x)


def list_length(x):
    seen = set()
    while isinstance(x, Cons):
        if id(x) in seen:
            return NIL
        seen.add(id(x))
        x = cdr(x)
    return len(seen)


def pairlis(keys, values, tail=NIL):
    pairs = zip(items(keys), items(values), strict=True)
    return listed(reversed([Cons(*pair) for pair in pairs]), tail)


def rplac(part: str):
    def function(x: Cons, new):
        setattr(x, part, new)
        return x

    return function


def substituted(new, tree, o: "Options", test, *, destroy: bool):
    if test(o.of(tree)):
        return new
    if not isinstance(tree, Cons):
        return tree
    a = substituted(new, tree.car, o, test, destroy=destroy)
    d = substituted(new, tree.cdr, o, test, destroy=destroy)
    if destroy:
        tree.car, tree.cdr = a, d
        return tree
    return tree if a is tree.car and d is tree.cdr else Cons(a, d)


def mapped(step: Callable, gather: Callable):
    """mapcar and its like: on the elements or on the tails, whose values are gathered."""

    def function(f, first, *others):
        values, left = [], [first, *others]
        while all(isinstance(each, Cons) for each in left):
            values.append(call(f, *map(step, left)))
            left = [each.cdr for each in left]
        return gather(values, first)

    return function


FUNCTIONS |= {
    "CONS": Cons, "LIST": lambda *args: listed(args), "LIST*": lambda *args: listed(args[:-1], args[-1]),
    "ACONS": lambda key, value, x: Cons(Cons(key, value), x), "REST": cdr, "ENDP": lambda x: truth(x == NIL),
    "NTH": lambda n, x: car(nthcdr(n, x)), "NTHCDR": nthcdr, "APPEND": append, "NCONC": nconc,
    "REVAPPEND": lambda x, tail: listed(reversed(items(x)), tail), "NRECONC": nreverse,
    "COPY-TREE": copy_tree, "COPY-LIST": lambda x: append(x, NIL), "LAST": last, "BUTLAST": butlast,
    "NBUTLAST": nbutlast, "LDIFF": ldiff, "LIST-LENGTH": list_length, "PAIRLIS": pairlis,
    "TAILP": lambda part, x: truth(any(eql(each, part) for each in tails(x))),
    "RPLACA": rplac("car"), "RPLACD": rplac("cdr"), "NREVERSE": nreverse,
    "SUBST": lambda new, old, tree, *o: substituted(
        new, tree, Options(o), Options(o).matcher("", old), destroy=False),
    "NSUBST": lambda new, old, tree, *o: substituted(
        new, tree, Options(o), Options(o).matcher("", old), destroy=True),
    "MAPCAR": mapped(car, lambda values, _: listed(values)), "MAPC": mapped(car, lambda _, first: first),
    "MAPCAN": mapped(car, lambda values, _: nconc(*values)),
    "MAPLIST": mapped(lambda x: x, lambda values, _: listed(values)),
    "GETF": lambda plist, key, default=NIL: getf(plist, key, default),
    "GETHASH": lambda key, table, default=NIL: Values(
        (table.held[key], T) if key in table.held else (default, NIL)),
    "MAKE-HASH-TABLE": lambda *_: Table(), "SLOT-VALUE": lambda x, slot: x.slots[slot].value,
}  # fmt: skip


def getf(plist, key, default):
    while isinstance(plist, Cons):
        if eql(plist.car, key):
            return plist.cdr.car
        plist = plist.cdr.cdr
    return default


# --- sequences --------------------------------------------------------------------------------


class Options:
    """The keyword arguments of a function of sequences."""

    def __init__(self, args):
        given = dict(reversed(list(zip(args[::2], args[1::2], strict=True))))
        self.key, self.count = (given.get(name, NIL) for name in (":KEY", ":COUNT"))
        self.start = given.get(":START", 0)
        self.end, self.test, self.test_not = (given.get(name, NIL) for name in (":END", ":TEST", ":TEST-NOT"))
        self.from_end = given.get(":FROM-END", NIL) != NIL
        self.given = given

    def of(self, element):
        return element if self.key == NIL else call(self.key, element)

    def matcher(self, way: str, wanted) -> Callable[[object], bool]:
        if way:
            return lambda x: holds(wanted, x) == (way == "-IF")
        if self.test_not != NIL:
            return lambda x: not holds(self.test_not, wanted, x)
        return lambda x: eql(wanted, x) if self.test == NIL else holds(self.test, wanted, x)

    def same(self, a, b) -> bool:
        return self.matcher("", self.of(a))(self.of(b))

    def within(self, length: int, start: str = ":START", end: str = ":END") -> range:
        first, behind = self.given.get(start, 0), self.given.get(end, NIL)
        behind = length if behind == NIL else behind
        if not 0 <= integer(first) <= integer(behind) <= length:
            raise Trap("no part of the sequence")
        return range(first, behind)


def elements(x) -> list:
    return [x.data[at] for at in range(x.dims[0])] if isinstance(x, Array) else items(x)


def like(x, values: list):
    """A new sequence of the kind of x."""
    return Array([len(values)], x.element, x.holds, values) if isinstance(x, Array) else listed(values)


def chosen(x, test, o: Options) -> list[int]:
    """The places of those elements that are meant."""
    every = elements(x)
    places = [at for at in o.within(len(every)) if test(o.of(every[at]))]
    if o.count != NIL:
        n = max(0, o.count)
        places = places[max(0, len(places) - n) :] if o.from_end else places[:n]
    return places


def deleted(x, places: list[int]):
    if isinstance(x, Array):
        return like(x, [each for at, each in enumerate(elements(x)) if at not in places])
    kept = [each for at, each in enumerate(conses(x)) if at not in places]
    return linked(kept)


def linked(cells: list[Cons]):
    """The list that these cells make."""
    for each, next_ in pairwise(cells):
        each.cdr = next_
    if cells:
        cells[-1].cdr = NIL
    return cells[0] if cells else NIL


def put(x, places: list[int], new):
    if isinstance(x, Array):
        for at in places:
            store(x, at, new)
    else:
        for at, each in enumerate(conses(x)):
            if at in places:
                each.car = new
    return x


def repeated(x, o: Options) -> list[int]:
    """The places of what is there again behind, or before if that is asked for."""
    every = elements(x)
    return [
        at
        for at, each in enumerate(every)
        if any(o.same(other, each) for other in (every[:at] if o.from_end else every[at + 1 :]))
    ]


def at_first(x, test, o: Options):
    places = chosen(x, test, o)
    return (places[-1] if o.from_end else places[0]) if places else NIL


def family(name: str, function: Callable, before: int = 0) -> None:
    """A function of what is wanted, and those by a predicate; some take another argument before."""
    for way in ("", "-IF", "-IF-NOT"):

        def named(*args, way=way):
            wanted, x, *rest = args[before:]
            o = Options(rest)
            return function(*args[:before], x, o.matcher(way, wanted), o)

        FUNCTIONS[name + way] = named


def copy_seq(x):
    return like(x, elements(x))


family("POSITION", at_first)
family("FIND", lambda x, test, o: NIL if (at := at_first(x, test, o)) == NIL else elements(x)[at])
family("COUNT", lambda x, test, o: len(chosen(x, test, o)))
family("REMOVE", lambda x, test, o: deleted(copy_seq(x), chosen(x, test, o)))
family("DELETE", lambda x, test, o: deleted(x, chosen(x, test, o)))
family("SUBSTITUTE", lambda new, x, test, o: put(copy_seq(x), chosen(x, test, o), new), 1)
family("NSUBSTITUTE", lambda new, x, test, o: put(x, chosen(x, test, o), new), 1)
family("MEMBER", lambda x, test, o: next((each for each in conses(x) if test(o.of(each.car))), NIL))
family("ASSOC", lambda x, test, o: next((e for e in items(x) if e != NIL and test(o.of(e.car))), NIL))


@lisp("SORT", "STABLE-SORT")
def sort(x, before, *args):
    o = Options(args)

    def order(a, b) -> int:
        a, b = o.of(a), o.of(b)
        return -1 if holds(before, a, b) else int(holds(before, b, a))

    if isinstance(x, Array):
        x.data[:] = sorted(elements(x), key=cmp_to_key(order))
        return x
    cells = sorted(conses(x), key=cmp_to_key(lambda a, b: order(a.car, b.car)))
    return linked(cells)


@lisp("REDUCE")
def reduced(function, x, *args):
    o = Options(args)
    every = elements(x)
    values = [o.of(every[at]) for at in o.within(len(every))]
    initial = [o.given[":INITIAL-VALUE"]] if ":INITIAL-VALUE" in o.given else []
    if o.from_end:
        values = [*initial, *reversed(values)]
        return reduce(lambda a, b: call(function, b, a), values) if values else call(function)
    values = initial + values
    return reduce(lambda a, b: call(function, a, b), values) if values else call(function)


@lisp("REPLACE")
def replace(x, source, *args):
    o = Options(args)
    from_ = elements(source)
    there = o.within(x.dims[0] if isinstance(x, Array) else len(items(x)), ":START1", ":END1")
    for at, place in zip(there, o.within(len(from_), ":START2", ":END2"), strict=False):
        put(x, [at], from_[place])
    return x


def quantified(every: Callable):
    def function(f, *lists):
        return truth(every(holds(f, *each) for each in zip(*map(elements, lists), strict=False)))

    return function


def subseq(x, start, end=NIL):
    every = elements(x)
    return like(x, [every[at] for at in Options((":START", start, ":END", end)).within(len(every))])


def length(x) -> int:
    if not isinstance(x, Array | Cons) and x != NIL:
        raise Trap("not a sequence")
    return x.dims[0] if isinstance(x, Array) else len(items(x))


# --- arrays -----------------------------------------------------------------------------------


OF_ARRAYS = ("AREF", "SVREF", "CHAR", "SCHAR", "BIT", "SBIT")


def place_in(x, *at) -> int:
    """Where an element is among all of the array's."""
    if not isinstance(x, Array) or len(at) != len(x.dims):
        raise Trap("no such element")
    place = 0
    for k, n in zip(at, x.dims, strict=True):
        if not 0 <= integer(k) < n:
            raise Trap("the index is out of bounds")
        place = place * n + k
    return place


def whole(x: Array) -> Array:
    """The same elements in a row."""
    return Array([math.prod(x.dims)], x.element, x.holds, x.data)


def store(x: Array, at: int, new):
    if not x.holds(new):
        raise Trap("not of the elements' type")
    x.data[at] = new
    return new


FUNCTIONS |= {
    "LENGTH": length, "REVERSE": lambda x: like(x, elements(x)[::-1]), "COPY-SEQ": copy_seq, "SUBSEQ": subseq,
    "FILL": lambda x, new, *o: put(x, [*Options(o).within(length(x))], new),
    "REMOVE-DUPLICATES": lambda x, *o: deleted(copy_seq(x), repeated(x, Options(o))),
    "DELETE-DUPLICATES": lambda x, *o: deleted(x, repeated(x, Options(o))),
    "EVERY": quantified(all), "NOTANY": quantified(lambda each: not any(each)),
    "SOME": lambda f, *lists: next(
        (x for each in zip(*map(elements, lists), strict=False) if (x := call(f, *each)) != NIL), NIL),
    **dict.fromkeys(OF_ARRAYS, lambda x, *at: x.data[place_in(x, *at)]),
    "ROW-MAJOR-AREF": lambda x, at: x.data[place_in(whole(x), at)],
    "ELT": lambda x, at: x.data[place_in(x, at)] if isinstance(x, Array) else cell(x, at).car,
    "ARRAY-DIMENSION": lambda x, axis: x.dims[axis], "ARRAY-TOTAL-SIZE": lambda x: math.prod(x.dims),
    "ARRAY-RANK": lambda x: len(x.dims), "ARRAY-DIMENSIONS": lambda x: listed(x.dims),
}  # fmt: skip


def cell(x, n: int) -> Cons:
    found = nthcdr(integer(n), x) if n >= 0 else NIL
    if not isinstance(found, Cons):
        raise Trap("no such element")
    return found


def of_types(types: Types) -> dict[str, Callable]:
    """The functions to which types are passed."""

    def make_array(dims, *args) -> Array:
        given = dict(reversed(list(zip(args[::2], args[1::2], strict=True))))
        dims = items(dims) if isinstance(dims, Cons) or dims == NIL else [dims]
        element = given.get(":ELEMENT-TYPE", T)
        made = types.made(dims, element, [])
        size = math.prod(dims)
        small(size)
        if ":DISPLACED-TO" in given:
            raise NotImplementedError
        if ":INITIAL-CONTENTS" in given:
            made.data = [NIL] * size
            flat = [given[":INITIAL-CONTENTS"]]
            for n in dims:
                rows = list(map(elements, flat))
                if any(len(row) != n for row in rows):
                    raise Trap("not as many elements")
                flat = [each for row in rows for each in row]
            for at, each in enumerate(flat):
                store(made, at, each)
        else:
            made.data = [given.get(":INITIAL-ELEMENT", types.initial(element))] * size
            if size and not made.holds(made.data[0]):
                raise Trap("not of the elements' type")
        return made

    def as_type(values: list, type_):
        if types.expanded(type_) == "LIST":
            return listed(values)
        (element,) = types.elements_of(type_) or (T,)
        return make_array(len(values), ":ELEMENT-TYPE", element, ":INITIAL-CONTENTS", listed(values))

    def coerce(x, type_):
        return x if types.holds(type_)(x) else as_type(elements(x), type_)

    return {
        "MAKE-ARRAY": make_array,
        "MAKE-STRING": lambda n, *o: make_array(n, ":ELEMENT-TYPE", "CHARACTER", *o),
        "VECTOR": lambda *args: types.made([len(args)], T, list(args)),
        "TYPEP": lambda x, type_: truth(types.holds(type_)(x)),
        "COERCE": coerce,
        "CONCATENATE": lambda type_, *parts: as_type([e for each in parts for e in elements(each)], type_),
        "MAP": lambda type_, f, *lists: as_type(
            [call(f, *each) for each in zip(*map(elements, lists), strict=False)], type_
        ),
    }
