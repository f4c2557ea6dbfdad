"""Reading, evaluating and expanding at compile time, for reader macros and code walkers."""

from __future__ import annotations

from .data import NIL, Character, Cons, T, symbol
from .expand import Scope
from .library import MultipleValues, define, of, plain, truth
from .limits import CELL
from .reader import Reader, Readtable
from .texts import text

define("READ", "READ-PRESERVING-WHITESPACE")(lambda self, stream, *rest: of(Reader, stream).read())


@define("READ-CHAR")
def _read_char(self, stream, *rest):
    at = stream.at
    if at >= len(stream.text):
        raise stream.error("the text ends where a character should be")
    stream.at = at + 1
    return Character(ord(stream.text[at]))


@define("PEEK-CHAR")
def _peek_char(self, kind, stream, *rest):
    """The next character; with a kind of T, the next one that is not whitespace."""
    if kind is T:
        stream.skip()
    if stream.at >= len(stream.text):
        raise stream.error("the text ends where a character should be")
    return Character(ord(stream.text[stream.at]))


@define("UNREAD-CHAR")
def _unread_char(self, character, stream):
    stream.at -= 1
    return NIL


plain("READ-DELIMITED-LIST", lambda end, stream: stream.until(chr(end.code)))


@define("READ-FROM-STRING")
def _read_from_string(self, source, *rest):
    self.room(len(text(source)) * CELL)
    self.cells(len(source))
    reader = Reader(source, "a string", self)
    return MultipleValues([reader.read(), reader.at])


@define("COPY-READTABLE")
def _copy_readtable(self, table=None, *rest):
    """A copy of a readtable; for NIL, of the standard one."""
    table = self.readtable() if table is None else table
    self.room(CELL)
    return Readtable() if table is NIL else Readtable({**table.after_sharp}, {**table.alone})


@define("SET-DISPATCH-MACRO-CHARACTER")
def _set_dispatch(self, character, following, function, table=None):
    if character.code != ord("#"):
        raise self.error("other dispatching macro characters than # are not supported")
    (self.readtable() if table is None else table).after_sharp[chr(following.code).upper()] = function
    return T


@define("SET-MACRO-CHARACTER")
def _set_macro(self, character, function, *rest):
    table = rest[1] if len(rest) > 1 else self.readtable()
    table.alone[chr(character.code)] = function
    return T


define("EVAL")(lambda self, form: self.eval(form, Scope(self.world)))


def _around(self, around) -> Scope:
    return around if isinstance(around, Scope) else Scope(self.world)


@define("MACROEXPAND")
def _macroexpand(self, form, around=NIL):
    found = _around(self, around).expand(form)
    return MultipleValues([found, truth(found is not form)])


@define("MACROEXPAND-1")
def _macroexpand_1(self, form, around=NIL):
    scope = _around(self, around)
    macro = scope.macro(form.car) if isinstance(form, Cons) else None
    found = macro.expand(form, scope) if macro else form
    return MultipleValues([found, truth(found is not form)])


@define("MACRO-FUNCTION")
def _macro_function(self, name, around=NIL):
    scope = _around(self, around)
    macro = scope.macro(name)
    return NIL if macro is None else lambda self, form, within: macro.expand(form, scope)


# Packages are only names: all symbols are in one.
plain("FIND-PACKAGE", lambda name: symbol(f":{text(name)}"))
plain("SYMBOL-PACKAGE", lambda name: symbol(f":{'KEYWORD' if name.name[0] == ':' else 'COMMON-LISP-USER'}"))
plain("FIND-SYMBOL", lambda name, *package: symbol(name))
