"""Random Lisp programs about the order of evaluation; and how to shrink one that fails.

Any form may have side effects: the forms within places, what is stored there, arguments, what loops are
given. A program is a list of functions, each (name, params, forms); the last is the one to call. Forms are
words, integers and lists. The one before it, if there is one, runs when the program is compiled, in a macro:
there are lists then, and their places. No program traps. The front end says what a program means; SBCL
judges it.
"""

from carrychain.ring.front.lisp import module as lisp
from carrychain.ring.ir.form import INT
from ring_programs import boundary

PRELUDE = """
(defparameter *order-g* 0)
(defun order-bump (k) (setq *order-g* (logand 1023 (+ *order-g* k))))
(defstruct order-pair (x 0) (y 0))
(defun order-cell (v i) (declare (type simple-vector v)) (aref v (logand i 3)))
(defun (setf order-cell) (new v i)
  (declare (type simple-vector v)) (order-bump 1) (setf (aref v (logand i 3)) (+ new 1)))
(defun order-get (i v) (declare (type simple-vector v)) (aref v (logand i 3)))
(defun order-put (i v new) (declare (type simple-vector v)) (order-bump new) (setf (aref v (logand i 3)) new))
(defsetf order-get order-put)
(defun order-mix (x k &optional (m 5)) (logxor (* 3 x) (+ k (* 7 m))))
(define-modify-macro order-addf (&optional (d 2) &rest more) +)
(define-modify-macro order-mixf (k &optional (m (* 2 3))) order-mix)
(defmacro order-twice (place) `(setf ,place (- (* 2 ,place) 9)))
(defun order-keys (x &key (y x) ((:z w) (+ x y))) (- (* 5 x) (* 3 y) w))
"""

# What a function has at first: places of every kind.
VARIABLES = """(a {0}) (b 11) (c -4) (v (vector 5 -3 a 7)) (u (vector 2 8 -6 1))
        (d (make-array (list 2 2) :initial-contents '((1 2) (3 4))))
        (bits (make-array 4 :element-type 'bit)) (text (make-string 4 :initial-element #\\A))"""
COMPILED = "(s (make-order-pair :x b :y a))"
EXPANDED = """(s nil) (l (list 4 3 2 1 0)) (p (list :a 1 :b 2)) (h (make-hash-table))
        (stack (list 9 8)) (deep (list (list 1) (list 2 3)))"""
SHOWN = """(reduce (lambda (x y) (+ (* 3 x) (if (integerp y) y 50)))
      (append l p stack (car deep) (cadr deep) (loop for k below 4 collect (gethash k h 6))))"""


class _Maker:
    def __init__(self, rng, expanded: bool):
        self.rng = rng
        self.expanded = expanded
        self.variables = ["a", "b", "c"]
        self.readable: list[str] = []  # and not to be assigned to
        self.count = 0
        self.looping = 0

    def fresh(self, name: str) -> str:
        self.count += 1
        return f"{name}{self.count}"

    def among(self, n: int, depth: int):
        """An integer from 0 below a power of two."""
        return ["logand", n - 1, self.form(depth)] if self.rng.random() < 0.8 else self.rng.randrange(n)

    def forms(self, least: int, most: int, depth: int) -> list:
        return [self.form(depth) for _ in range(self.rng.randrange(least, most + 1))]

    def effects(self, depth: int) -> list:
        """What may stand in a loop's body, where a word would be a tag."""
        return [form for form in self.forms(0, 2, depth) if isinstance(form, list)]

    def leaf(self):
        rng = self.rng
        if rng.random() < 0.75:
            return rng.choice([*self.variables, *self.readable, "*order-g*"])
        return rng.choice((boundary(rng), rng.randrange(-4, 20), rng.randrange(-4, 20)))

    # Places

    def place(self, depth: int):
        """A place of an integer."""
        rng = self.rng
        if depth <= 0 or rng.random() < 0.25:
            return rng.choice([*self.variables, *self.variables, "*order-g*"])
        less = depth - 1
        ways = [
            lambda: [
                rng.choice(("aref", "svref", "elt", "row-major-aref")),
                self.vector(less),
                self.among(4, less),
            ],
            lambda: ["aref", "d", self.among(2, less), self.among(2, less)],
            lambda: ["row-major-aref", "d", self.among(4, less)],
            lambda: ["ldb", self.byte(less), self.place(less)],
            lambda: ["mask-field", self.byte(less), self.place(less)],
            lambda: ["the", "integer", self.place(less)],
            lambda: ["order-cell", self.vector(less), self.form(less)],
            lambda: ["order-get", self.form(less), self.vector(less)],
        ]
        if self.expanded:
            ways += [
                lambda: ["nth", self.among(4, less), "l"],
                lambda: [rng.choice(("car", "first", "second", "cadr", "caddr", "third")), "l"],
                lambda: ["car", ["nthcdr", self.among(4, less), "l"]],
                lambda: ["elt", "l", self.among(4, less)],
                lambda: ["getf", "p", self.key(less), self.form(less)],
                lambda: ["gethash", self.among(4, less), "h", self.form(less)],
            ]
        else:
            ways += [
                lambda: [rng.choice(("order-pair-x", "order-pair-y")), self.before("s", less)],
                lambda: ["slot-value", self.before("s", less), rng.choice(("'x", "'y"))],
            ]
        return rng.choice(ways)()

    def before(self, form, depth: int):
        return ["progn", self.form(depth), form] if self.rng.random() < 0.3 else form

    def vector(self, depth: int):
        return self.before(self.rng.choice("vu"), depth)

    def part(self, depth: int):
        return ["subseq", self.vector(depth), self.among(2, depth), ["+", 2, self.among(2, depth)]]

    def key(self, depth: int):
        return self.before(self.rng.choice((":a", ":b", ":c")), depth)

    def byte(self, depth: int):
        return ["byte", self.among(8, depth), self.among(8, depth)]

    def places(self, count: int, depth: int) -> list:
        return [self.place(depth) for _ in range(count)]

    # Forms

    def test(self, depth: int):
        rng = self.rng
        ways = [
            lambda: [rng.choice(("<", "<=", ">", ">=", "=", "/=")), *self.forms(2, 3, depth)],
            lambda: [rng.choice(("evenp", "oddp", "zerop", "plusp", "minusp")), self.form(depth)],
            lambda: ["logbitp", self.among(8, depth), self.form(depth)],
            lambda: [rng.choice(("eql", "logtest")), *self.forms(2, 2, depth)],
        ]
        if depth > 0:
            ways.append(lambda: [rng.choice(("and", "or")), self.test(depth - 1), self.test(depth - 1)])
        return rng.choice(ways)()

    def form(self, depth: int):
        """An integer."""
        rng = self.rng
        if depth <= 0 or rng.random() < 0.15:
            return self.leaf()
        less = depth - 1
        pick = rng.random()
        if pick < 0.25:
            return self.plain(less)
        if pick < 0.75:
            return self.assigning(less)
        return self.around(less)

    def plain(self, less: int):
        rng = self.rng
        return rng.choice((
            lambda: [rng.choice(("+", "-", "logand", "logxor", "max", "min")), *self.forms(2, 4, less)],
            lambda: ["*", self.form(less), rng.randrange(-3, 4)],
            lambda: self.place(less + 1),
            lambda: ["dpb", self.form(less), self.byte(less), self.form(less)],
            lambda: ["deposit-field", self.form(less), self.byte(less), self.form(less)],
            lambda: ["boole", self.among(16, less), self.form(less), self.form(less)],
            lambda: ["ash", self.form(less), ["-", self.among(4, less)]],
            lambda: ["nth-value", rng.randrange(2), ["floor", self.form(less), ["1+", self.among(8, less)]]],
            lambda: ["order-mix", *self.forms(2, 3, less)],
            lambda: ["order-keys", self.form(less), *self.keys((":y", ":z"), less)],
            lambda: ["aref", ["vector", *self.forms(4, 4, less)], self.among(4, less)],
            lambda: ["length", self.part(less)],
            lambda: ["aref", ["fill", "u", self.form(less), ":end", ["+", 2, self.among(2, less)],
                              ":start", self.among(2, less)], self.among(4, less)],
            lambda: ["aref", ["replace", "u", "v", *self.keys((":end1", ":end2"), less, 4),
                              *self.keys((":start2", ":start1"), less, 1)], self.among(4, less)],
            lambda: ["funcall", ["lambda", ["y1", "y2"], ["-", "y1", "y2"]], *self.forms(2, 2, less)],
            lambda: ["if", self.test(less), self.form(less), self.form(less)],
        ))()  # fmt: skip

    def keys(self, names: tuple, depth: int, most: int | None = None) -> list:
        rng = self.rng
        chosen = rng.sample(names, rng.randrange(len(names) + 1))
        if most is None:
            return [part for key in chosen for part in (key, self.form(depth))]
        return [
            part
            for key in chosen
            for part in (key, self.before(rng.randrange(most - (most > 1), most + 1), depth))
        ]

    def assigning(self, less: int):
        rng = self.rng
        p, f = (lambda: self.place(less)), (lambda: self.form(less))
        ways = [
            lambda: ["setf", p(), f()], lambda: ["setf", p(), f(), p(), f()],
            lambda: ["incf", p(), f()], lambda: ["decf", p(), f()],
            lambda: [rng.choice(("incf", "decf")), p()],
            lambda: ["order-addf", p(), *self.forms(0, 3, less)],
            lambda: ["order-mixf", p(), *self.forms(1, 2, less)],
            lambda: ["order-twice", self.place(less)],
            lambda: ["order-bump", f()],
            lambda: ["setq", rng.choice(self.variables), f(), rng.choice(self.variables), f()],
            lambda: ["progn", [rng.choice(("psetf", "psetf")), p(), f(), p(), f()], f()],
            lambda: ["progn", ["psetq", *self.pairs(less)], f()],
            lambda: ["progn", ["rotatef", *self.places(rng.randrange(1, 4), less)], f()],
            lambda: ["shiftf", *self.places(rng.randrange(1, 3), less), f()],
            lambda: ["setf", ["values", p(), p()], self.several(less)],
            lambda: ["progn", ["psetf", ["values", p(), p()], self.several(less), p(), f()], f()],
            lambda: ["progn", ["rotatef", ["values", p(), p()], ["values", p(), p()]], f()],
            lambda: ["multiple-value-setq", rng.sample(self.variables, 2), self.several(less)],
            lambda: ["setf", ["bit", "bits", self.among(4, less)], self.among(2, less)],
            lambda: ["aref", ["setf", self.part(less),
                              ["vector", *self.forms(4, 4, less)]], self.among(4, less)],
        ]  # fmt: skip
        if not self.expanded:
            ways.append(lambda: ["char-code", self.written(less)])
        if self.expanded:
            ways += 2 * [
                lambda: ["length", ["push", f(), "stack"]],
                lambda: ["length", ["pushnew", f(), "stack", ":test", ["progn", ["order-bump", 1], "#'="]]],
                lambda: ["car", ["push", f(), ["nth", self.among(2, less), "deep"]]],
                lambda: ["progn", ["push", f(), ["nth", self.among(2, less), "deep"]],
                         ["pop", ["nth", self.among(2, less), "deep"]], f()],
                lambda: ["if", ["remf", "p", self.key(less)], f(), f()],
                lambda: ["if", "stack", ["pop", "stack"], f()],
            ]  # fmt: skip
        return rng.choice(ways)()

    def written(self, depth: int):
        """A character."""
        where = [self.rng.choice(("char", "schar")), "text", self.among(4, depth)]
        return ["setf", where, ["code-char", ["+", 65, self.among(16, depth)]]]

    def pairs(self, depth: int) -> list:
        names = self.rng.sample(self.variables, self.rng.randrange(1, 4))
        return [part for name in names for part in (name, self.form(depth))]

    def several(self, depth: int):
        """Two values."""
        return self.rng.choice((
            lambda: ["floor", self.form(depth), ["1+", self.among(8, depth)]],
            lambda: ["values", self.form(depth), self.form(depth)],
            lambda: ["progn", self.form(depth), ["values", self.form(depth), self.form(depth)]],
        ))()  # fmt: skip

    def within(self, names: list[str], make, readable: bool = False):
        """What is made where these variables are."""
        known = list(self.variables), list(self.readable)
        (self.readable if readable else self.variables).extend(names)
        made = make()
        self.variables, self.readable = known
        return made

    def around(self, less: int):
        rng = self.rng
        f = lambda: self.form(less)  # noqa: E731
        ways = [
            lambda: ["progn", *self.forms(2, 3, less)],
            lambda: ["prog1", *self.forms(2, 3, less)],
            lambda: ["prog2", *self.forms(2, 3, less)],
            lambda: self.let(less), lambda: self.let(less),
            lambda: ["multiple-value-bind", ["y1", "y2"], self.several(less), self.within(["y1", "y2"], f)],
            lambda: ["multiple-value-prog1", f(), f()],
            lambda: ["case", self.among(4, less), [0, f()], [[1, 2], f()], ["t", f()]],
            lambda: ["block", "nil", f(), ["when", self.test(less), ["return", f()]], f()],
            lambda: self.local(less),
            lambda: self.symbols(less), lambda: self.symbols(less),
        ]  # fmt: skip
        if self.looping < 2 and not (self.expanded and self.looping):
            ways += [self.counting, self.counting, self.loop, self.loop, self.loop, self.loop]
            self.looping += 1
            made = rng.choice(ways)
            made = made(less) if made in (self.counting, self.loop) else made()
            self.looping -= 1
            return made
        return rng.choice(ways)()

    def let(self, less: int):
        rng = self.rng
        sequential = rng.random() < 0.5
        names = [rng.choice(("a", "b", self.fresh("y"))) for _ in range(rng.randrange(1, 4))]
        names = names if sequential else list(dict.fromkeys(names))
        bindings, known = [], list(self.variables)
        for name in names:
            bindings.append([name, self.form(less)])
            if sequential and name not in self.variables:
                self.variables.append(name)
        self.variables += [name for name in names if name not in self.variables]
        body = self.forms(1, 3, less)
        self.variables = known
        return ["let*" if sequential else "let", bindings, *body]

    def local(self, less: int):
        name = self.fresh("f")
        body = self.within(["y1", "y2"], lambda: self.form(less))
        call = ["-", [name, self.form(less)], [name, *self.forms(2, 2, less)]]
        return ["flet", [[name, ["y1", "&optional", ["y2", ["+", "y1", "c"]]], body]], call]

    def symbols(self, less: int):
        """Variables that stand for places."""
        names = [self.fresh("m") for _ in range(2)]
        bindings = [[name, self.place(less)] for name in names]
        return ["symbol-macrolet", bindings, *self.within(names, lambda: self.forms(1, 2, less))]

    # Loops

    def counting(self, less: int):
        rng = self.rng
        i = self.fresh("i")
        if rng.random() < 0.3:
            body = self.within([i], lambda: self.effects(less), readable=True)
            return ["dotimes", [i, self.among(4, less), self.form(less)], *body]
        names = [self.fresh("y") for _ in range(rng.randrange(1, 3))]
        starts = [self.form(less) for _ in names]
        steps, end, body = self.within(
            names, lambda: (self.forms(2, 2, less), self.forms(1, 2, less), self.effects(less))
        )
        bindings = [[name, start, step] for name, start, step in zip(names, starts, steps, strict=False)]
        bindings.insert(rng.randrange(len(bindings) + 1), [i, 0, ["1+", i]])
        test = [">=", i, rng.randrange(4)]
        return [rng.choice(("do", "do*")), bindings, [test, *end], *body]

    def loop(self, less: int):
        known = list(self.variables), list(self.readable)
        made = _Loop(self, less).made()
        self.variables, self.readable = known
        return made


class _Loop:
    """A loop's clauses in any order, each with what has a value where it stands."""

    def __init__(self, maker: _Maker, depth: int):
        self.maker, self.rng, self.depth = maker, maker.rng, depth
        self.clauses: list = []
        self.outer = list(maker.readable)
        self.bound: list[str] = []  # variables that have a value wherever the loop ends
        self.into: list[str] = []
        self.summed = False

    def form(self):
        return self.maker.form(self.depth)

    def bind(self, make):
        """What is evaluated before the first turn, where only some variables have values."""
        readable, self.maker.readable = self.maker.readable, self.outer + self.bound
        made = make()
        self.maker.readable = readable
        return made

    def made(self):
        rng = self.rng
        ends = rng.randrange(3)
        count = rng.randrange(2, 6)
        anywhere = [self.repeat, self.test, self.test, self.initially]
        before = [*anywhere, self.below, self.equals, self.equals, self.across, self.both, self.with_]
        acts = 0 if rng.random() < 0.1 else rng.randrange(1, count + 1)  # the first of the body's clauses
        for at in range(count):
            if at == min(ends, count - 1):
                # not for ever
                self.clauses += (self.repeat if at > acts else rng.choice((self.repeat, self.below)))()
            if at < acts:
                self.clauses += rng.choice(before)()
            else:
                self.clauses += rng.choice([*anywhere, self.action, self.action, self.action, self.sum])()
        if rng.random() < 0.3:
            self.bound += self.into
            self.clauses += ["finally", ["order-bump", self.bind(self.form)]]
        text = ["loop", *self.clauses]
        if self.summed and rng.random() < 0.9:
            return text
        return ["progn", text, self.form_outside()]

    def form_outside(self):
        readable, self.maker.readable = self.maker.readable, self.outer
        made = self.form()
        self.maker.readable = readable
        return made

    def repeat(self) -> list:
        return ["repeat", self.bind(lambda: self.maker.among(4, self.depth))]

    def arithmetic(self, i: str) -> list:
        start, limit = self.rng.randrange(3), self.bind(lambda: self.maker.among(4, self.depth))
        up = self.rng.random() < 0.7
        by = (
            ["by", self.bind(lambda: ["1+", self.maker.among(2, self.depth)])]
            if self.rng.random() < 0.3
            else []
        )
        phrases = [["from", self.bind(lambda: self.maker.before(start, self.depth))] if up else
                   ["from", self.bind(lambda: ["+", 2, self.maker.among(2, self.depth)])],
                   [self.rng.choice(("below", "to") if up else ("downto", "above")), limit], by]  # fmt: skip
        self.rng.shuffle(phrases)
        return [i, *(word for phrase in phrases for word in phrase)]

    def below(self) -> list:
        i = self.maker.fresh("i")
        made = self.arithmetic(i)
        self.bound.append(i)
        self.maker.readable.append(i)
        return ["for", *made]

    def equals(self) -> list:
        x = self.maker.fresh("z")
        made = ["for", x, "=", self.form()]
        self.maker.readable.append(x)
        return made + (["then", self.form()] if self.rng.random() < 0.5 else [])

    def across(self) -> list:
        x = self.maker.fresh("z")
        made = ["for", x, "across", self.bind(lambda: self.maker.vector(self.depth))]
        self.maker.readable.append(x)
        return made

    def both(self) -> list:
        """Clauses whose variables have their values at once."""
        rng, maker = self.rng, self.maker
        parts, names, again = [], [], []
        for _ in range(rng.randrange(2, 4)):
            pick = rng.random()
            x = maker.fresh("i" if pick < 0.3 else "z")
            if pick < 0.3:
                parts.append(self.arithmetic(x))
            elif pick < 0.5:
                parts.append([x, "across", self.bind(lambda: maker.vector(self.depth))])
            else:
                parts.append([x, "=", self.form(), "then", None])
                again.append(parts[-1])
            names.append(x)
        self.bound += [name for name in names if name.startswith("i")]
        maker.readable += names
        for part in again:
            part[-1] = self.form()
        made = ["for", *parts[0]]
        for part in parts[1:]:
            made += ["and", *part]
        return made

    def test(self) -> list:
        return [self.rng.choice(("while", "until")), self.maker.test(self.depth)]

    def with_(self) -> list:
        names = [self.maker.fresh("w") for _ in range(self.rng.randrange(1, 3))]
        made = ["with"]
        for at, name in enumerate(names):
            made += [*(["and"] if at else []), name, "=", self.bind(self.form)]
        self.bound += names
        self.maker.readable += names
        return made

    def initially(self) -> list:
        return ["initially", self.bind(lambda: ["setq", self.rng.choice(self.plain()), self.form()])]

    def plain(self) -> list:
        return [name for name in self.maker.variables if not name.startswith("m")]

    def action(self) -> list:
        rng = self.rng
        act = ["do", ["setf", self.maker.place(self.depth), self.form()]]
        return rng.choice((
            lambda: act,
            lambda: [rng.choice(("when", "unless", "if")), self.maker.test(self.depth), *act],
            lambda: ["when", self.maker.test(self.depth), *act, "else", "do", ["incf", "a"], "end"],
            lambda: ["sum", self.form(), "into", self.gathered()],
            lambda: ["count", self.maker.test(self.depth), "into", self.gathered()],
        ))()  # fmt: skip

    def gathered(self) -> str:
        """A variable that gathers; nobody but the loop's end reads it."""
        self.into.append(self.maker.fresh("n"))
        return self.into[-1]

    def sum(self) -> list:
        self.summed = True
        return ["sum", self.form()]


def program(rng, prefix: str = "") -> list:
    functions = []
    if rng.random() < 0.35:
        maker = _Maker(rng, True)
        functions.append((f"{prefix}m", [], maker.forms(1, 2, rng.choice((2, 3)))))
    maker = _Maker(rng, False)
    return [*functions, (f"{prefix}f", [("x0", INT)], maker.forms(1, 3, rng.choice((2, 3, 3, 4))))]


def inputs(rng, functions: list) -> list:
    return [rng.choice((boundary(rng), rng.randrange(-9, 30)))]


# --- as text, as IR ---------------------------------------------------------------------------


def text_of(form) -> str:
    return f"({' '.join(map(text_of, form))})" if isinstance(form, list) else str(form)


def to_lisp(functions: list) -> str:
    lines = []
    for name, _, forms in functions[:-1]:
        # at its end what all programs share is as it was
        lines.append(f"""(eval-when (:compile-toplevel :load-toplevel :execute)
  (defun {name} ()
    (let* ((g *order-g*) {VARIABLES.format(3)}
        {EXPANDED} (r 0))
      (declare (ignorable s))
      (setq *order-g* 3)
      {" ".join(f"(setq r (+ (* 3 r) {text_of(form)}))" for form in forms)}
      (prog1 (+ r a (* 3 b) (* 5 c) (* 7 *order-g*) (aref v 0) (* 2 (aref v 3)) {SHOWN})
        (setq *order-g* g)))))
(defmacro {name}-value () ({name}))""")
    name, params, forms = functions[-1]
    places = range(4)
    values = [f"({each[0]}-value)" for each in functions[:-1]]
    lines.append(f"""(defun {name} ({" ".join(param for param, _ in params)})
  (let* ({VARIABLES.format("x0")} {COMPILED}
        (values (make-array {max(1, len(forms))})))
    (setq *order-g* 3)
    {" ".join(f"(setf (aref values {at}) {text_of(form)})" for at, form in enumerate(forms))}
    (values {" ".join(f"(aref values {at})" for at in range(len(forms)))} {" ".join(values)} a b c *order-g*
      (order-pair-x s) (order-pair-y s)
      {" ".join(f"(aref {v} {at})" for v in "vu" for at in places)}
      {" ".join(f"(row-major-aref d {at}) (bit bits {at}) (char-code (char text {at}))" for at in places)})))
""")
    return "\n".join(lines)


def to_ir(functions: list):
    return lisp.module_of(PRELUDE + to_lisp(functions))


MODIFY = ("incf", "decf", "order-addf", "order-mixf", "push", "pushnew")


def features(functions: list, inputs: list) -> dict[str, object]:
    """What of all that matters is in this program."""
    text = " ".join(text_of(form) for *_, forms in functions for form in forms)
    return {
        "places modified": any(f"({word} " in text for word in MODIFY),
        "fields stored": "(setf (ldb" in text or "(setf (mask-field" in text,
        "several values stored": "(setf (values" in text or "multiple-value-setq" in text,
        "loops": "(loop" in text,
        "loops that test first": any(f"(loop {word}" in text for word in ("while", "until")),
        "for clauses at once": " and z" in text or " and i" in text,
        "places within lists": any(f"({word} " in text for word in ("getf", "nth", "gethash")),
        "keywords": " :start" in text or " :y" in text,
    }


# --- shrinking --------------------------------------------------------------------------------


def smaller(form):
    """The form a step smaller."""
    if isinstance(form, list):
        yield 1
        yield from (each for each in form[1:] if isinstance(each, list))
        for at in range(1, len(form)):
            yield form[:at] + form[at + 1 :]
        for at, each in enumerate(form):
            for less in smaller(each):
                yield [*form[:at], less, *form[at + 1 :]]


def smaller_programs(functions: list):
    for at, (name, params, forms) in enumerate(functions):
        if at < len(functions) - 1:
            yield functions[:at] + functions[at + 1 :]
        for drop in range(len(forms)):
            yield [*functions[:at], (name, params, forms[:drop] + forms[drop + 1 :]), *functions[at + 1 :]]
        for at_form, form in enumerate(forms):
            for less in smaller(form):
                yield [
                    *functions[:at],
                    (name, params, [*forms[:at_form], less, *forms[at_form + 1 :]]),
                    *functions[at + 1 :],
                ]
