"""The loop macro: parses its words, and makes one block around a tagbody.

    (block name
      (let* (every variable)
        initially
        the first iteration's values and end tests
       top
        body
        the next values and end tests
        (go top)
       end
        finally)
      the value accumulated)

Values and end tests are in source order: those of `for`, `repeat`, `while` and `until`. A `while` or `until`
after a body clause (`do`, `sum`, `always` and the like) belongs to the body, at its place. A `for` there is
refused, as by SBCL; a `repeat` comes before the body, as in SBCL. For `for` clauses joined by `and`, all
values are computed before any variable is assigned.

A variable that has no value yet (`for x = (aref v i)` if the loop ends before) is %unbound; a program must
not use it.

A counter with a declared type has that type wherever the body sees it. The step after the last iteration may
exceed it, as in (loop for i of-type (unsigned-byte 8) from 0 to 255 ...).
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from ...ir.errors import SourceError
from .data import NIL, Cons, Symbol, brief, items, listed, symbol
from .expand import LET_STAR, S, Scope, progn, standard, temporary

UNBOUND = symbol("%UNBOUND")
EXTEND = symbol("%EXTEND")
PLUS, MINUS, GREATER, LESS = symbol("+"), symbol("-"), symbol(">"), symbol("<")
GREATER_EQUAL, LESS_EQUAL, EQUAL = symbol(">="), symbol("<="), symbol("=")

SUMS = {"SUM", "SUMMING", "COUNT", "COUNTING"}
LISTS = {"COLLECT", "COLLECTING", "APPEND", "APPENDING", "NCONC", "NCONCING"}
EXTREMES = {"MAXIMIZE": GREATER, "MAXIMIZING": GREATER, "MINIMIZE": LESS, "MINIMIZING": LESS}
# the comparison of the variable with the limit that ends an arithmetic `for`
ENDS = {"TO": GREATER, "UPTO": GREATER, "BELOW": GREATER_EQUAL, "DOWNTO": LESS, "ABOVE": LESS_EQUAL}


@dataclass
class ForStep:
    """A `for` clause's steps for one iteration: an end test, the variable's value, another end test, and the
    rest."""

    before: list = field(default_factory=list)  # assignments to hidden variables
    pattern: object = NIL
    value: object = NIL
    ended_before: object = NIL
    ended: object = NIL
    after: list = field(default_factory=list)


class LoopExpander:
    def __init__(self, form: Cons):
        self.form = form
        self.words = items(form.cdr)
        self.at = 0
        self.name: Symbol = NIL
        self.top, self.end = temporary("top"), temporary("end")
        self.bindings: list = []
        self.declared: list = []
        self.named: set[Symbol] = set()  # the variables of `for` clauses
        self.initially: list = []
        self.first: list = []
        self.tests: list = []  # the last step of both `first` and `next`
        self.body: list = []
        self.next: list = []
        self.finally_: list = []
        self.accumulators: dict[Symbol | None, Symbol] = {}
        self.heads: dict[Symbol, Symbol] = {}
        self.lasts: dict[Symbol | None, Symbol] = {}
        self.seen: dict[Symbol, Symbol] = {}
        self.result: object = NIL

    # Words

    def error(self, message: str) -> SourceError:
        return SourceError(f"loop: {message}", self.form.position)

    def peek(self) -> str:
        """The next word as a keyword's name; '' if it is not a word."""
        word = self.words[self.at] if self.at < len(self.words) else None
        return word.name.lstrip(":") if isinstance(word, Symbol) else ""

    def accept(self, *names: str) -> str:
        word = self.peek()
        if word in names:
            self.at += 1
            return word
        return ""

    def take(self):
        if self.at >= len(self.words):
            raise self.error("a form is missing at the end")
        self.at += 1
        return self.words[self.at - 1]

    def compound(self) -> list:
        """One or more compound forms."""
        forms = [self.take()]
        while self.at < len(self.words) and isinstance(self.words[self.at], Cons):
            forms.append(self.take())
        return forms

    def type(self):
        if self.accept("OF-TYPE"):
            return self.take()
        word = self.accept("FIXNUM", "BIT", "BOOLEAN")
        return symbol(word) if word else None

    # Parts

    def bind(self, name, value, type_=None) -> None:
        self.bindings.append(listed(name, value))
        if type_ is not None:
            self.declared.append(listed(S.declare, listed(symbol("TYPE"), type_, name)))

    def own(self, name, value, type_=None) -> None:
        """Binds a variable of the program, after the other bindings of the `for` clauses."""
        self.named.add(name)
        self.bind(name, value, type_)

    def constant(self, form, name: str):
        """The form if it is a number, else a variable that holds its value."""
        if isinstance(form, int):
            return form
        variable = temporary(name)
        self.bind(variable, form)
        return variable

    def variables(self, pattern, type_=None) -> None:
        while isinstance(pattern, Cons):
            self.variables(pattern.car, type_)
            pattern = pattern.cdr
        if pattern is not NIL:
            self.own(pattern, UNBOUND, type_)

    def assigned(self, pattern, value) -> list:
        """Forms that give the pattern's variables their values."""
        if not isinstance(pattern, Cons):
            return [] if pattern is NIL else [listed(S.setq, pattern, value)]
        rest = temporary("rest")
        sets: list = []
        cell = pattern
        while isinstance(cell, Cons):
            sets += self.assigned(cell.car, listed(S.car, rest))
            sets.append(listed(S.setq, rest, listed(S.cdr, rest)))
            cell = cell.cdr
        if cell is not NIL:
            sets.append(listed(S.setq, cell, rest))
        return [listed(S.let, listed(listed(rest, value)), *sets)]

    def stop_if(self, test) -> object:
        return listed(S.if_, test, listed(S.go, self.end), NIL)

    def turned(self, turns: list[ForStep]) -> list:
        """The steps of clauses that are joined by `and`, for one iteration."""
        forms = [form for turn in turns for form in turn.before]
        forms += [self.stop_if(turn.ended_before) for turn in turns if turn.ended_before is not NIL]
        sets = [(turn.pattern, turn.value) for turn in turns if turn.pattern is not NIL]
        if len(sets) > 1:
            names = [temporary("for") for _ in sets]
            values = [listed(name, value) for name, (_, value) in zip(names, sets, strict=True)]
            given = [self.assigned(pattern, name) for name, (pattern, _) in zip(names, sets, strict=True)]
            forms.append(listed(LET_STAR, listed(*values), *(each for group in given for each in group)))
        for pattern, value in sets if len(sets) == 1 else []:
            forms += self.assigned(pattern, value)
        forms += [self.stop_if(turn.ended) for turn in turns if turn.ended is not NIL]
        return forms + [form for turn in turns for form in turn.after]

    def turn(self, first: list, next_: list) -> None:
        """Adds steps before the body, after those already added."""
        self.first += [*self.tests, *first]
        self.next += [*self.tests, *next_]
        self.tests = []

    # Clauses

    def expand(self):
        if self.accept("NAMED"):
            self.name = self.take()
        while self.at < len(self.words):
            if not self.clause():
                raise self.error(f"no clause begins with {brief(self.words[self.at])}")
        turn = [self.top, *self.tests, *self.body, *self.next, listed(S.go, self.top), self.end]
        body = [*self.initially, *self.first, *turn]
        inner = listed(
            LET_STAR,
            listed(*self.bindings),
            *self.declared,
            Cons(S.tagbody, listed(*body)),
            *self.finally_,
            self.result,
        )
        return listed(S.block, self.name, inner)

    def clause(self) -> bool:
        if self.accept("FOR", "AS"):
            self.fors()
        elif self.accept("REPEAT"):
            left = temporary("left")
            self.bind(left, self.take())
            ended = self.stop_if(listed(LESS_EQUAL, left, 0))
            self.turn([ended], [listed(S.setq, left, listed(MINUS, left, 1)), ended])
        elif self.accept("WITH"):
            self.with_()
        elif self.accept("INITIALLY"):
            self.initially += self.compound()
        elif self.accept("FINALLY"):
            self.finally_ += self.compound()
        elif self.accept("WHILE"):
            self.test(listed(S.if_, self.take(), NIL, listed(S.go, self.end)))
        elif self.accept("UNTIL"):
            self.test(self.stop_if(self.take()))
        elif word := self.accept("ALWAYS", "NEVER"):
            leave = listed(S.return_from, self.name, NIL)
            ways = (NIL, leave) if word == "ALWAYS" else (leave, NIL)
            self.body.append(listed(S.if_, self.take(), *ways))
            self.result = symbol("T")
        elif self.accept("THEREIS"):
            found = temporary("found")
            leave = listed(S.if_, found, listed(S.return_from, self.name, found), NIL)
            self.body.append(listed(S.let, listed(listed(found, self.take())), leave))
        else:
            action = self.action()
            if action is None:
                return False
            self.body.append(action)
        return True

    def test(self, form) -> None:
        """Adds an end test that does not belong to a `for` clause."""
        (self.body if self.body else self.tests).append(form)

    def with_(self) -> None:
        pending = []
        while True:
            name, type_ = self.take(), self.type()
            value = self.take() if self.accept("=") else (0 if type_ is not None else NIL)
            pending.append((name, type_, value))
            if not self.accept("AND"):
                break
        if len(pending) > 1:
            # all values are computed before any variable is assigned
            names = [temporary("with") for _ in pending]
            for hold, (_, _, value) in zip(names, pending, strict=True):
                self.bind(hold, value)
            pending = [(name, type_, hold) for hold, (name, type_, _) in zip(names, pending, strict=True)]
        for name, type_, value in pending:
            self.bind(name, value, type_)

    def fors(self) -> None:
        """Parses a `for` clause, and those that `and` joins to it."""
        if self.body:
            raise self.error("`for` comes after a body clause such as `do`: write it before")
        bindings, self.bindings = self.bindings, []
        turns = [self.for_()]
        while self.accept("AND"):
            self.accept("FOR", "AS")
            turns.append(self.for_())
        # the clauses' forms are evaluated outside the scope of their variables
        given = [each for each in self.bindings if each.car not in self.named]
        own = [each for each in self.bindings if each.car in self.named]
        self.bindings = [*bindings, *given, *own]
        first, next_ = zip(*turns, strict=True)
        self.turn(self.turned(first), self.turned(next_))

    def for_(self) -> tuple[ForStep, ForStep]:
        """The clause's steps for the first iteration, and for the next ones."""
        name, type_ = self.take(), self.type()
        if self.accept("="):
            value = self.take()
            again = self.take() if self.accept("THEN") else value
            self.variables(name, type_)
            return ForStep(pattern=name, value=value), ForStep(pattern=name, value=again)
        if self.accept("ACROSS"):
            vector, index, count = temporary("vector"), temporary("index"), temporary("length")
            self.bind(vector, self.take())
            self.bind(index, 0)
            self.bind(count, listed(S.length, vector))
            self.variables(name, type_)
            ended = listed(GREATER_EQUAL, index, count)
            first = ForStep(pattern=name, value=listed(S.aref, vector, index), ended_before=ended)
            return first, replace(first, before=[listed(S.setq, index, listed(PLUS, index, 1))])
        if word := self.accept("IN", "ON"):
            return self.through(word, name, type_)
        return self.arithmetic(name, type_)

    def through(self, word: str, name, type_) -> tuple[ForStep, ForStep]:
        """Iterates over a list's elements, or its tails."""
        itself = word == "ON" and isinstance(name, Symbol) and name is not NIL
        rest = name if itself else temporary("rest")
        source = self.take()
        step = listed(S.funcall, self.take(), rest) if self.accept("BY") else listed(S.cdr, rest)
        ended = listed(S.atom, rest)
        if itself:
            given = temporary("list")
            self.bind(given, source)
            self.own(name, given, type_)
            return ForStep(ended=ended), ForStep(pattern=name, value=step, ended=ended)
        self.bind(rest, source)
        self.variables(name, type_)
        value = listed(S.car, rest) if word == "IN" else rest
        turn = ForStep(pattern=name, value=value, ended_before=ended, after=[listed(S.setq, rest, step)])
        return turn, turn

    def arithmetic(self, name, type_) -> tuple[ForStep, ForStep]:
        begin: object = 0
        by: object = 1
        limit = test = None
        down = False
        seen = False
        while word := self.accept(
            "FROM", "UPFROM", "DOWNFROM", "TO", "UPTO", "BELOW", "DOWNTO", "ABOVE", "BY"
        ):
            seen = True
            if word in ("FROM", "UPFROM", "DOWNFROM"):
                begin = self.constant(self.take(), "from")
                down = down or word == "DOWNFROM"
            elif word == "BY":
                by = self.constant(self.take(), "by")
            else:
                limit = self.constant(self.take(), "limit")
                down = down or word in ("DOWNTO", "ABOVE")
                test = ENDS[word]
        if not seen or not isinstance(name, Symbol):
            raise self.error(f"the sequence for {name} is missing")
        if down and test is GREATER:
            test = LESS
        checked = [] if type_ is None else [listed(S.setq, name, listed(S.the, type_, name))]
        ended = NIL if test is None else listed(test, name, limit)
        self.own(name, begin if type_ is None else listed(S.the, type_, begin))
        step = listed(MINUS if down else PLUS, name, by)
        return ForStep(ended=ended), ForStep(pattern=name, value=step, ended=ended, after=checked)

    def action(self):
        """The form of a body clause; None if the next clause is not one."""
        if self.accept("DO", "DOING"):
            return progn(self.compound())
        if self.accept("RETURN"):
            return listed(S.return_from, self.name, self.take())
        if word := self.accept("IF", "WHEN", "UNLESS"):
            test = self.take()
            then = self.actions()
            otherwise = self.actions() if self.accept("ELSE") else NIL
            self.accept("END")
            return listed(S.if_, test, *((otherwise, then) if word == "UNLESS" else (then, otherwise)))
        word = self.peek()
        if word in SUMS or word in LISTS or word in EXTREMES:
            self.at += 1
            return self.accumulate(word)
        return None

    def actions(self):
        forms = [self.action()]
        while self.accept("AND"):
            forms.append(self.action())
        if None in forms:
            raise self.error("a clause is missing after a condition")
        return progn(forms)

    def accumulate(self, word: str):
        value = self.take()
        into = self.take() if self.accept("INTO") else None
        type_ = self.type()
        known = into in self.accumulators
        variable = into or self.accumulators.get(None) or temporary("sum")
        self.accumulators[into] = variable
        if into is None:
            self.result = variable
        if word in EXTREMES:
            started = self.seen.setdefault(variable, temporary("seen"))
            if not known:
                self.bind(variable, 0)
                self.bind(started, NIL)
            if into is None:
                none = listed(S.error, f"loop: nothing to {word.lower()}")
                self.result = listed(S.if_, started, variable, none)
            if type_ is not None:
                value = listed(S.the, type_, value)
            new = temporary("new")
            better = listed(S.if_, started, listed(EXTREMES[word], new, variable), symbol("T"))
            take = listed(S.if_, better, listed(S.setq, variable, new, started, symbol("T")), NIL)
            return listed(S.let, listed(listed(new, value)), take)
        if word in LISTS:
            if word.startswith("COLLECT"):
                value = listed(S.list, value)
            elif word.startswith("APPEND"):
                value = listed(S.copy_list, value)
            # a cell before the first one, and the last cell, to which the next ones are appended
            last = self.lasts.setdefault(into, temporary("last"))
            if not known:
                head = variable if into is None else temporary("head")
                self.bind(head, listed(S.list, NIL))
                self.bind(last, head)
                if into is not None:
                    self.bind(variable, NIL)
                    self.heads[into] = head
            extended = listed(S.setq, last, listed(EXTEND, last, value))
            if into is None:
                self.result = listed(S.cdr, variable)
                return extended
            return listed(S.progn, extended, listed(S.setq, variable, listed(S.cdr, self.heads[into])))
        if not known:
            self.bind(variable, 0, type_)
        if word.startswith("COUNT"):
            return listed(S.if_, value, listed(S.setq, variable, listed(PLUS, variable, 1)), NIL)
        return listed(S.setq, variable, listed(PLUS, variable, value))


@standard("loop")
def _loop(form: Cons, scope: Scope):
    if all(isinstance(each, Cons) for each in items(form.cdr)):
        top = temporary("top")
        return listed(S.block, NIL, listed(S.tagbody, top, *form.cdr, listed(S.go, top)))
    return LoopExpander(form).expand()
