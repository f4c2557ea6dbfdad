"""loop, by CLHS 6.1: its clauses, in the order written.

First everything is bound: the variables of `with`, `for` and of what is gathered, ends, steps, lists, counts.
Then come the forms after `initially`. Each turn begins with the `for` clauses, `repeat`, and the tests before
the body, in their order; the first turn with the variables' first values.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

from .data import NIL, Array, Cons, T, Trap, entering, items, listed
from .functions import call, nconc
from .integers import integer
from .scopes import Cell, Leave, Scope, in_block

OPERATORS: dict[str, Callable] = {}
operator = entering(OPERATORS)

Step = Callable[["Run"], bool]  # whether the loop ends here


@dataclass
class Plan:
    """The clauses, taken apart."""

    name: str = NIL
    bound: list = field(default_factory=list)  # groups of (a pattern or a key, its form, its type)
    into: dict = field(default_factory=dict)  # what gathers, and what it begins with
    initially: list = field(default_factory=list)
    first: list[Step] = field(default_factory=list)
    later: list[Step] = field(default_factory=list)
    body: list[Step] = field(default_factory=list)
    finally_: list = field(default_factory=list)
    value: Callable = lambda run: NIL


@dataclass
class Run:
    """A loop that runs."""

    w: object
    plan: Plan
    scope: Scope
    hidden: dict = field(default_factory=dict)
    it: object = NIL

    def one(self, form):
        return self.it if form == "IT" else self.w.one(form, self.scope)

    def leave(self, value) -> None:
        raise Leave(self.scope.find(("block", self.plan.name)), value)

    def set(self, pattern, value) -> None:
        """A variable, or several in a pattern of lists."""
        if isinstance(pattern, Beyond):
            self.scope.find(pattern.name).value = value
        elif isinstance(pattern, Cons):
            self.set(pattern.car, value.car if isinstance(value, Cons) else NIL)
            self.set(pattern.cdr, value.cdr if isinstance(value, Cons) else NIL)
        elif pattern != NIL:
            self.scope.find(pattern).set(value)


class Key:
    """What is bound and has no name."""


@dataclass
class Beyond:
    """A variable that may be of no type where the loop ends."""

    name: str


@dataclass
class Turn:
    """What a `for` clause does before a turn: tests, what is set, tests of that, what is set then."""

    before: list[Step] = field(default_factory=list)
    set: list = field(default_factory=list)
    after: list[Step] = field(default_factory=list)
    then: list[Step] = field(default_factory=list)

    def step(self, run: Run) -> bool:
        if any(test(run) for test in self.before):
            return True
        for pattern, value in [(pattern, make(run)) for pattern, make in self.set]:
            run.set(pattern, value)
        return any(test(run) for test in self.after) or any(step(run) for step in self.then)


KINDS = ("SUM", "COUNT", "MAXIMIZE", "MINIMIZE", "COLLECT", "APPEND", "NCONC")
GATHERS = {name: kind for kind in KINDS for name in (kind, f"{kind.removesuffix('E')}ING")}
GATHERS["SUMMING"] = "SUM"
BOUNDS = {"TO": int.__gt__, "UPTO": int.__gt__, "BELOW": int.__ge__, "DOWNTO": int.__lt__,
          "ABOVE": int.__le__}  # fmt: skip


class Parser:
    """The words of a loop become a plan."""

    def __init__(self, forms: list, types):
        self.forms, self.types = forms, types
        self.plan = Plan()
        self.at = 0
        self.acted = False

    def word(self) -> str | None:
        """The next form, as a word of loop's."""
        there = self.at < len(self.forms) and self.forms[self.at]
        return there.lstrip(":") if isinstance(there, str) else None

    def take(self, *words: str) -> str | None:
        word = self.word()
        if word in words:
            self.at += 1
            return word
        return None

    def form(self):
        if self.at == len(self.forms):
            raise Trap("loop: a form is missing")
        self.at += 1
        return self.forms[self.at - 1]

    def compound(self) -> list:
        forms = []
        while self.at < len(self.forms) and isinstance(self.forms[self.at], Cons):
            forms.append(self.form())
        return forms

    def parsed(self) -> Plan:
        while self.at < len(self.forms):
            self.clause()
        return self.plan

    def clause(self) -> None:
        plan = self.plan
        if self.take("NAMED"):
            plan.name = self.form()
        elif self.take("FOR", "AS"):
            self.for_()
        elif self.take("WITH"):
            self.with_()
        elif self.take("REPEAT"):
            self.repeat()
        elif self.take("INITIALLY"):
            plan.initially += self.compound()
        elif self.take("FINALLY"):
            plan.finally_ += self.compound()
        elif word := self.take("WHILE", "UNTIL"):
            ends = self.test(word == "UNTIL")
            if self.acted:
                plan.body.append(ends)
            else:
                self.before(ends, ends)
        else:
            self.acted = True
            plan.body.append(self.action())

    def before(self, first: Step, later: Step) -> None:
        self.plan.first.append(first)
        self.plan.later.append(later)

    def test(self, wanted: bool) -> Step:
        form = self.form()
        return lambda run: (run.one(form) != NIL) == wanted

    def of_type(self):
        if self.take("OF-TYPE"):
            return self.form()
        return self.form() if self.word() in ("FIXNUM", "T", "NIL", "FLOAT") else None

    # Variables

    def with_(self) -> None:
        group: list = []
        while True:
            pattern, type_ = self.form(), self.of_type()
            given = self.take("=")
            group.append((pattern, self.form() if given else 0 if type_ else NIL, type_))
            if not self.take("AND"):
                break
        self.plan.bound.append(group)

    def repeat(self) -> None:
        left, form = Key(), self.form()

        def ends(run: Run) -> bool:
            run.hidden[left] = integer(run.hidden[left]) - 1
            return run.hidden[left] < 0

        self.plan.bound.append([(left, form, None)])
        self.before(ends, ends)

    def for_(self) -> None:
        group: list = []
        first, later = Turn(), Turn()
        while True:
            pattern, type_ = self.form(), self.of_type()
            match self.word():
                case "=":
                    bound, turns = self.equals(pattern, type_)
                case "IN" | "ON":
                    bound, turns = self.through(pattern, type_)
                case "ACROSS":
                    bound, turns = self.across(pattern, type_)
                case _:
                    bound, turns = self.arithmetic(pattern, type_)
            group += bound
            for all_, each in zip((first, later), turns, strict=True):
                all_.before += each.before
                all_.set += each.set
                all_.after += each.after
                all_.then += each.then
            if not self.take("AND"):
                break
        self.plan.bound.append(group)
        self.before(first.step, later.step)

    def equals(self, pattern, type_):
        self.at += 1
        form = self.form()
        again = self.form() if self.take("THEN") else form
        turns = [Turn(set=[(pattern, lambda run, form=each: run.one(form))]) for each in (form, again)]
        return [(pattern, None, type_)], turns

    def through(self, pattern, type_):
        on = self.take("IN", "ON") == "ON"
        rest, step = Key(), Key()
        bound = [(rest, self.form(), None), (pattern, None, type_)]
        if self.take("BY"):
            bound.append((step, self.form(), None))

        def next_(run: Run) -> bool:
            left = run.hidden[rest]
            run.hidden[rest] = call(run.hidden[step], left) if step in run.hidden else left.cdr
            return False

        def value(run: Run):
            return run.hidden[rest] if on else run.hidden[rest].car

        turn = Turn([lambda run: not isinstance(run.hidden[rest], Cons)], [(pattern, value)], [], [next_])
        return bound, (turn, turn)

    def across(self, pattern, type_):
        self.at += 1
        array, at = Key(), Key()
        bound = [(array, self.form(), None), (at, 0, None), (pattern, None, type_)]

        def ends(run: Run) -> bool:
            if not isinstance(run.hidden[array], Array):
                raise Trap("not an array")
            return run.hidden[at] >= run.hidden[array].dims[0]

        def next_(run: Run) -> bool:
            run.hidden[at] += 1
            return False

        turn = Turn([ends], [(pattern, lambda run: run.hidden[array].data[run.hidden[at]])], [], [next_])
        return bound, (turn, turn)

    def arithmetic(self, name: str, type_):
        bound: list = []
        end, by, over, sign = Key(), Key(), None, 1
        start = False
        while word := self.take("FROM", "UPFROM", "DOWNFROM", "BY", *BOUNDS):
            form = self.form()
            if "FROM" in word:
                bound.append((name, form, type_))
                start = True
            elif word == "BY":
                bound.append((by, form, None))
            else:
                bound.append((end, form, None))
                over = BOUNDS[word]
            if word in ("DOWNFROM", "DOWNTO", "ABOVE"):
                sign = -1
        if over and sign < 0:
            over = {int.__gt__: int.__lt__, int.__ge__: int.__le__}.get(over, over)
        if not start:
            bound.append((name, 0, type_))

        def next_(run: Run) -> int:
            return integer(run.scope.find(name).value) + sign * integer(run.hidden.get(by, 1))

        def ends(run: Run) -> bool:
            return over is not None and over(integer(run.scope.find(name).value), integer(run.hidden[end]))

        def check(run: Run) -> bool:
            cell = run.scope.find(name)
            cell.set(cell.value)
            return False

        return bound, (Turn(after=[ends]), Turn([], [(Beyond(name), next_)], [ends], [check]))

    # The body

    def action(self) -> Step:
        word = self.word()
        self.at += 1
        match word:
            case "DO" | "DOING":
                return acting(self.compound())
            case "WHEN" | "IF" | "UNLESS":
                return self.conditional(word)
            case "RETURN":
                form = self.form()
                return lambda run: run.leave(run.it if form == "IT" else run.w.eval(form, run.scope))
            case "ALWAYS" | "NEVER":
                self.plan.value = lambda run: T
                fails = self.test(word == "NEVER")
                return lambda run: fails(run) and run.leave(NIL)
            case "THEREIS":
                form = self.form()
                return lambda run: (value := run.one(form)) != NIL and run.leave(value)
        if word in GATHERS:
            return self.gather(GATHERS[word])
        raise NotImplementedError(f"loop: {word}")

    def conditional(self, word: str) -> Step:
        form = self.form()
        then = self.actions()
        otherwise = self.actions() if self.take("ELSE") else []
        self.take("END")

        def step(run: Run) -> bool:
            run.it = run.one(form)
            chosen = then if (run.it != NIL) == (word != "UNLESS") else otherwise
            return any(each(run) for each in chosen)

        return step

    def actions(self) -> list[Step]:
        found = [self.action()]
        while self.take("AND"):
            found.append(self.action())
        return found

    def gather(self, kind: str) -> Step:
        form = self.form()
        into = self.form() if self.take("INTO") else None
        self.of_type()
        key = into or "the loop's value"
        self.plan.into[key] = 0 if kind in ("SUM", "COUNT") else NIL
        if not into:
            self.plan.value = lambda run: run.scope.find(key).value

        def step(run: Run) -> bool:
            cell, value = run.scope.find(key), run.one(form)
            cell.set(gathered(kind, cell.value, value))
            return False

        return step


def gathered(kind: str, held, value):
    match kind:
        case "SUM":
            return integer(held) + integer(value)
        case "COUNT":
            return held + (value != NIL)
        case "MAXIMIZE" | "MINIMIZE":
            return value if held == NIL else (max if kind == "MAXIMIZE" else min)(held, integer(value))
    more = value
    if kind != "NCONC":
        more = listed([value] if kind == "COLLECT" else items(value))
    return nconc(held, more)


def acting(forms: list) -> Step:
    def step(run: Run) -> bool:
        for each in forms:
            run.w.eval(each, run.scope)
        return False

    return step


@operator("LOOP")
def loop(w, forms, outer):
    if all(isinstance(each, Cons) for each in forms):
        plan = Plan(body=[acting(forms)])
    else:
        plan = Parser(forms, w.types).parsed()
    return in_block(plan.name, outer, lambda scope: turns(Run(w, plan, scope)))


def bind(run: Run, pattern, type_, value, *, given: bool) -> None:
    """A variable has no type before it has a value of its own."""
    if isinstance(pattern, Cons):
        bind(run, pattern.car, None, value.car if isinstance(value, Cons) else NIL, given=given)
        bind(run, pattern.cdr, None, value.cdr if isinstance(value, Cons) else NIL, given=given)
    elif pattern != NIL:
        cell = run.scope.names[pattern] = Cell(value)
        cell.holds = type_ and run.w.types.holds(type_)
        if given:
            cell.set(value)


def turns(run: Run):
    w, plan = run.w, run.plan
    for group in plan.bound:
        values = [NIL if form is None else w.one(form, run.scope) for _, form, _ in group]
        run.scope = Scope(run.scope)
        for (pattern, form, type_), value in zip(group, values, strict=True):
            if isinstance(pattern, Key):
                run.hidden[pattern] = value
            else:
                bind(run, pattern, type_, value, given=form is not None)
    run.scope = Scope(run.scope)
    for name, value in plan.into.items():
        bind(run, name, None, value, given=False)
    for form in plan.initially:
        w.eval(form, run.scope)
    steps = plan.first
    while not any(step(run) for step in steps) and not any(step(run) for step in plan.body):
        steps = plan.later
        w.tick()
    for form in plan.finally_:
        w.eval(form, run.scope)
    return plan.value(run)
