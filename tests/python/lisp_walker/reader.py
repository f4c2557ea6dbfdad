"""Text becomes forms.

What follows a backquote stays as it stands: (QUASIQUOTE form), with (UNQUOTE form) and (SPLICE form) in it.
"""

import re
from collections.abc import Iterator
from itertools import count

from .data import NIL, Array, Character, Cons, T, Trap, items, listed, string

TOKEN = re.compile(
    r"""(?s)\s+ | ;[^\n]*
    | (?P<string>"(?:[^"\\]|\\.)*")
    | (?P<character>\#\\(?:[A-Za-z0-9_-]+|.))
    | (?P<special>,@ | \#\( | \#' | \#\+ | \#- | \#\| | [()'`,])
    | (?P<radix>\#(?:[xXoObB]|\d+[rR])-?[0-9a-zA-Z]+)
    | (?P<atom>(?:\\. | \|[^|]*\| | \#: | [^\s()'`,";|\\#] | (?<=[^\s()'`,";])\#)+)""",
    re.VERBOSE,
)
NAMES = {"SPACE": " ", "NEWLINE": "\n", "TAB": "\t", "NUL": "\0", "NULL": "\0", "RETURN": "\r"}
QUOTES = {"'": "QUOTE", "`": "QUASIQUOTE", ",": "UNQUOTE", ",@": "SPLICE", "#'": "FUNCTION"}
FEATURES = {":COMMON-LISP", ":CARRYCHAIN"}
CLOSE, DOT, END = object(), object(), object()
uninterned = count()


class Reader:
    def __init__(self, text: str):
        self.text, self.at = text, 0

    def all(self) -> Iterator:
        while (form := self.read()) is not END:
            yield form

    def token(self) -> re.Match | None:
        while self.at < len(self.text):
            found = TOKEN.match(self.text, self.at)
            if not found:
                raise Trap(f"unreadable: {self.text[self.at : self.at + 20]}")
            self.at = found.end()
            if found["special"] == "#|":
                self.comment()
            elif found.lastgroup:
                return found
        return None

    def comment(self) -> None:
        depth = 1
        while depth:
            mark = re.compile(r"#\||\|#").search(self.text, self.at)
            depth += 1 if mark[0] == "#|" else -1
            self.at = mark.end()

    def read(self):
        found = self.token()
        if found is None:
            return END
        word = found[0]
        match found.lastgroup:
            case "string":
                return string(re.sub(r"(?s)\\(.)", r"\1", word[1:-1]))
            case "character":
                return Character(ord(NAMES.get(word[2:].upper(), word[2:])))
            case "radix":
                radix, digits = re.fullmatch(r"#(\d+[rR]|.)(.*)", word).groups()
                return int(digits, {"x": 16, "o": 8, "b": 2}.get(radix.lower()) or int(radix[:-1]))
            case "atom":
                return atom(word)
        match word:
            case ")":
                return CLOSE
            case "(":
                return self.list()
            case "#(":
                elements = items(self.list())
                return Array([len(elements)], T, lambda x: True, elements)
            case "#+" | "#-":
                wanted = featured(self.keyword()) == (word == "#+")
                form = self.read()
                return form if wanted else self.read()
        return listed([QUOTES[word], self.read()])

    def keyword(self):
        """A form in which symbols are keywords: a feature, or several."""
        form = self.read()
        return listed(map(as_feature, items(form))) if isinstance(form, Cons) else as_feature(form)

    def list(self):
        elements, tail = [], NIL
        while (form := self.read()) is not CLOSE:
            if form is END:
                raise Trap("a parenthesis is not closed")
            if form is DOT:
                tail = self.read()
            else:
                elements.append(form)
        return listed(elements, tail)


def as_feature(form):
    return listed(map(as_feature, items(form))) if isinstance(form, Cons) else form.lstrip(":")


def featured(form) -> bool:
    if not isinstance(form, Cons):
        return f":{form}" in FEATURES
    way, *rest = items(form)
    return not featured(rest[0]) if way == "NOT" else {"OR": any, "AND": all}[way](map(featured, rest))


def atom(word: str):
    if word == ".":
        return DOT
    if re.fullmatch(r"[+-]?\d+\.?", word):
        return int(word.rstrip("."))
    if word.startswith("#:"):
        return f"{word.upper()}{next(uninterned)}"
    parts = re.findall(r"\\(.)|\|([^|]*)\||([^\\|]+)", word)
    return "".join(escaped + quoted + plain.upper() for escaped, quoted, plain in parts)
