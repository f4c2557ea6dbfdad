"""Random small programs whose macros build and change lists; and how to shrink one that fails.

A program is a list of functions, each (name, params, macros); a macro is (name, lambda list, arguments,
variables, statements), all of it Lisp's text. A function's value is the sum of its macros' expansions, each
of which holds a print of all lists that the macro made: what they hold, which cells they share, and where
they come back to themselves.

Lists whose cells are shared are of one group. No list is put where it would make its group circular, but at
the end; nothing changes what is quoted; what Lisp leaves to the implementation is copied, or not looked at.
"""

from carrychain.ring.front.lisp import module as lisp
from carrychain.ring.ir.form import INT
from ring_programs import boundary

SIZE = 24  # cells of a group, from which on it does not grow

PRELUDE = """
(eval-when (:compile-toplevel :load-toplevel :execute)
  (defun NAME-n (e) (if (integerp e) e 40))
  (defun NAME-odd (e) (and (integerp e) (oddp e)))
  (defun NAME-print (x)
    (let ((seen nil) (h 7))
      (labels ((mix (k) (setf h (mod (+ (* h 1000003) k) 2305843009213693951)))
               (walk (x)
                 (if (consp x)
                     (let ((at (position x seen)))
                       (if at
                           (mix (+ 500 at))
                           (progn (setf seen (append seen (list x))) (walk (car x)) (walk (cdr x)))))
                     (mix (cond ((integerp x) (+ 10000 (* 2 x))) ((null x) 2) ((symbolp x) 3) (t 4))))))
        (walk x)
        h))))
"""


class _Maker:
    def __init__(self, rng, prefix: str):
        self.rng = rng
        self.prefix = prefix
        self.groups: dict[str, set] = {}  # a list's group, as the names in it
        self.sizes: dict[int, int] = {}
        self.integers: list[str] = []

    def pick(self, *ways):
        return self.rng.choice(ways)()

    # Groups

    def fresh(self, name: str, size: int) -> None:
        """The name holds a list of its own from here on."""
        self.leave(name)
        group = {name}
        self.groups[name] = group
        self.sizes[id(group)] = size

    def leave(self, name: str) -> None:
        if name in self.groups:
            self.groups[name].discard(name)

    def join(self, name: str, other: str, more: int = 0) -> None:
        """The name's list shares cells with the other's from here on, and has no others but some more."""
        group = self.groups[other]
        if self.groups.get(name) is not group:
            self.leave(name)
            self.groups[name] = group
            group.add(name)
        self.sizes[id(group)] += more

    def merge(self, one: str, other: str, more: int = 0) -> None:
        """What one's cells lead to, the other's do."""
        a, b = self.groups[one], self.groups[other]
        if a is not b:
            a |= b
            self.sizes[id(a)] += self.sizes[id(b)]
            for name in b:
                self.groups[name] = a
        self.sizes[id(a)] += more

    def size(self, name: str) -> int:
        return self.sizes[id(self.groups[name])]

    def apart(self, one: str, other: str) -> bool:
        return self.groups[one] is not self.groups[other]

    # Parts

    def element(self) -> str:
        rng = self.rng
        if self.integers and rng.random() < 0.4:
            return rng.choice(self.integers)
        return self.pick(lambda: str(rng.randrange(-3, 12)), lambda: str(rng.randrange(4)), lambda: "'s")

    def small(self) -> int:
        return self.rng.randrange(5)

    def test(self) -> str:
        return self.rng.choice(("", "", " :test #'equal", f" :key #'{self.prefix}n"))

    def made(self) -> tuple[str, int]:
        """A new list, and how long it may be."""
        rng = self.rng
        elements = [self.element() for _ in range(rng.randrange(6))]
        text = " ".join(elements)
        names = list(self.groups)
        ways = [
            lambda: (f"(list {text})", len(elements)),
            lambda: (f"(list {text} (list 1 2))", len(elements) + 3),
        ]
        if names:
            v = rng.choice(names)
            n = self.size(v)
            k, e = self.small(), self.element()
            p = self.prefix
            odd = f"#'{p}odd"
            ways += [
                lambda: (f"(copy-tree (remove {e} {v}{self.test()}))", n),
                lambda: (f"(copy-tree (remove-if{rng.choice(('', '-not'))} {odd} {v} :count {k}))", n),
                lambda: (f"(copy-tree (remove-duplicates {v}))", n),
                lambda: (f"(copy-tree `(,{e} 1 ,@{v} (2 . ,{e}) ,@(cdr {v})))", 2 * n + 8),
                lambda: (f"(copy-tree (reverse {v}))", n), lambda: (f"(copy-tree {v})", n),
                lambda: (f"(copy-tree (butlast {v} {k}))", n),
                lambda: (f"(copy-tree (ldiff {v} (nthcdr {k} {v})))", n),
                lambda: (f"(mapcar (lambda (e) (+ ({p}n e) {k})) {v})", n),
                lambda: (f"(mapcan (lambda (e) (if ({p}odd e) (list {k} 1) (list 6))) {v})", 2 * n),
                lambda: (f"(loop for e in {v} for i from {k} collect i when ({p}odd e) append (list i))",
                         2 * n),
                lambda: (f"(loop for (e f) on {v} by #'cddr nconc (list ({p}n f)))", n),
                lambda: (f"(subst {k} {e} (copy-tree {v}))", n),
                lambda: (f"(list (length {v}) (if (member {e} {v}{self.test()}) 1 0)"
                         f" (or (position {e} {v}) 7)"
                         f" (count-if {odd} {v}) (reduce #'max {v} :key #'{p}n :initial-value 3))", 5),
                lambda: (f"(maplist (lambda (r) (length r)) {v})", n),
                lambda: (f"(copy-tree (substitute {k} {e} {v} :count 2))", n),
                lambda: (f"(let ((p (list :a {k}))) (setf (getf p :b) {e}) (dolist (e {v}) (if (eql e {k})"
                         f" (remf p :a) (incf (getf p :c 0)))) p)", 6),
                lambda: (f"(pairlis (list 1 2) (list {e} {k}) (list (cons 3 4)))", 6),
            ]  # fmt: skip
        return rng.choice(ways)()

    def statement(self) -> str:
        rng = self.rng
        v, w = (rng.choice(list(self.groups)) for _ in range(2))
        e, k = self.element(), self.small()
        n = self.size(v)

        def own(text: str, size: int) -> str:
            self.fresh(v, size)
            return text

        def same(text: str, more: int = 0) -> str:
            self.join(v, v, more)
            return text

        ways = [
            lambda: same(f"(pop {v})"),
            lambda: same(f"(when (consp {v}) (setf (car {v}) {e}))"),
            lambda: same(f"(when (nthcdr {k} {v}) (setf (nth {k} {v}) {e}))"),
            lambda: same(f"(when (cdr {v}) (rplaca (cdr {v}) {e}))"),
            lambda: same(f"(when (cddr {v}) (rotatef (first {v}) (third {v})))"),
            lambda: same(f"(when (cddr {v}) (rplacd {v} (cddr {v})))"),
            lambda: same(f"(when (integerp (car {v})) (incf (car {v}) {k}))"),
            lambda: same(f"(setf {v} (delete {e} {v}{self.test()}))"),
            lambda: same(f"(setf {v} (delete-if #'{self.prefix}odd {v} :count {k}))"),
            lambda: same(f"(setf {v} (delete-duplicates {v}))"),
            lambda: same(f"(setf {v} (nreverse {v}))"),
            lambda: same(f"(setf {v} (nbutlast {v} {k}))"),
            lambda: same(f"(setf {v} (nsubst {k} 's {v}))"),
            lambda: same(f"(fill {v} {e} :start (min 1 (length {v})) :end (min 2 (length {v})))"),
            lambda: same(f"(setf {v} (member {e} {v}{self.test()}))"),
            lambda: same(f"(dolist (e {v}) (when (consp e) (setf (car e) {k})))"),
        ]
        if len(self.groups[v]) == 1:
            number, odd = (f"#'{self.prefix}{name}" for name in ("n", "odd"))
            ways += [
                lambda: same(f"(setf {v} (sort {v} #'< :key {number}))"),
                lambda: same(f"(setf {v} (stable-sort {v} #'> :key {number}))"),
                lambda: same(f"(setf {v} (delete-if {odd} {v} :count {k} :from-end t))"),
            ]
        if v != w:
            # v is another's tail from here on
            ways += [
                lambda: (self.join(v, w), f"(setf {v} (nthcdr {k} {w}))")[1],
                lambda: (self.join(v, w), f"(setf {v} (last {w} {k}))")[1],
                lambda: (
                    self.join(v, w),
                    f"(destructuring-bind (&optional a (b {k}) &rest r) {w}"
                    f" (setf {v} (if (and (eql a b) (tailp r {w})) {w} r)))",
                )[1],
            ]
        if n < SIZE:
            text, size = self.made()
            ways += [
                lambda: own(f"(setf {v} {text})", size),
                lambda: own(f"(setf {v} {text})", size),
                lambda: same(f"(push {e} {v})", 1),
                lambda: same(f"(pushnew {e} {v}{self.test()})", 1),
                lambda: same(f"(setf {v} (append (list {e} {k}) {v}))", 2),
                lambda: same(f"(setf {v} (list* {e} {k} {v}))", 2),
                lambda: same(f"(when (consp {v}) (push {e} (cdr {v})))", 1),
                lambda: same(f"(when (consp {v}) (setf (cdr (last {v})) (list {e} {k})))", 2),
                lambda: same(f"(setf {v} (revappend (list 1 {e}) {v}))", 2),
            ]
            if self.size(w) < SIZE and self.apart(v, w):

                def merged(text: str) -> str:
                    self.merge(v, w, 1 + self.size(w))
                    return text

                ways += 2 * [
                    lambda: merged(f"(setf {v} (nconc {v} {w}))"),
                    lambda: merged(f"(setf {v} (append {w} {v}))"),
                    lambda: merged(f"(when (nthcdr {k} {v}) (setf (cdr (nthcdr {k} {v})) {w}))"),
                    lambda: merged(f"(when (consp {v}) (setf (car {v}) {w}))"),
                    lambda: merged(f"(setf {v} (nreconc {v} {w}))"),
                    lambda: merged(f"(setf {v} (mapcan #'identity (list {v} nil {w})))"),
                    lambda: merged(f"(push {w} {v})"),
                ]
        return rng.choice(ways)()

    def ending(self) -> list[str]:
        """Circles and dots, after which nothing but the print goes through the lists."""
        rng = self.rng
        v, w = (rng.choice(list(self.groups)) for _ in range(2))
        k = self.small()
        return self.pick(
            list, list,
            lambda: [f"(when (consp {v}) (setf (cdr (last {v})) {v}))"],
            lambda: [f"(when (consp {v}) (nconc {v} (nthcdr {k} {v})))"],
            lambda: [f"(when (consp {v}) (setf (cdr (last {v})) {k}))"],
            lambda: [f"(when (consp {v}) (setf (car (last {v})) {w}))"],
            lambda: [f"(when (nthcdr {k} {v}) (setf (cdr (nthcdr {k} {v})) {v}))",
                     f"(setf {w} (list (nth 17 {v}) (if (list-length {v}) 1 0) (if (eq {v} {w}) 1 0)))"],
        )  # fmt: skip


def program(rng, prefix: str = "") -> list:
    params = [(f"x{at}", INT, None) for at in range(rng.randrange(1, 3))]
    name = f"{prefix}m"
    return [(name, params, [_macro(rng, prefix, f"{name}{at}", params) for at in range(rng.randrange(1, 4))])]


LAMBDA_LISTS = [
    ("a b &rest r", "{0} {1} {2} x0"),
    ("a (b . r)", "{0} ({1} {2} . x0)"),
    ("(a (b &rest r)) &aux (c 5)", "({0} ({1} x0))"),
    ("a &optional (b 4) &body r", "{0}"),
    ("a &key (b 6) ((:q r) '(7))", "{0} :q ({1} x0)"),
    ("&whole r a b", "{0} {1}"),
]


def _macro(rng, prefix: str, name: str, params: list) -> tuple:
    maker = _Maker(rng, prefix)
    lambda_list, arguments = rng.choice(LAMBDA_LISTS)
    arguments = arguments.format(*(rng.randrange(-2, 9) for _ in range(3)))
    maker.integers = ["a", "b"]
    variables = [("v0", "(let ((r (copy-tree r))) (if (listp r) (append r nil (list a)) (list r)))")]
    if rng.random() < 0.5 or "." in arguments:
        variables = [("v0", "(list a b (if (consp r) (list (car r)) 0))")]
    maker.fresh("v0", 6)
    for at in range(1, rng.randrange(2, 5)):
        text, size = maker.made()
        variables.append((f"v{at}", text))
        maker.fresh(f"v{at}", size)
    statements = [maker.statement() for _ in range(rng.randrange(1, 9))]
    code = _code(rng, prefix, rng.choice(list(maker.groups)), params)
    variables.append(("code", "nil"))
    statements += [f"(setf code {code})", *maker.ending()]
    return name, lambda_list, arguments, variables, statements


def _code(rng, prefix: str, v: str, params: list) -> str:
    """A list of forms, made of a list."""
    x = rng.choice(params)[0]
    k = boundary(rng)
    return rng.choice((
        f"(mapcar (lambda (e) `(* ,({prefix}n e) {x})) {v})",
        f"(list `(let ((y {x})) ,@(loop for e in {v} collect `(setf y (- (* 3 y) ,({prefix}n e)))) y))",
        f"(loop for e in (cons 1 {v}) for form = {k} then `(logxor ,form (+ {x} ,({prefix}n e)))"
        f" finally (return (list form)))",
        f"`((ldb (byte 64 0) (+ ,@(mapcar #'{prefix}n {v}) {x})) (case {x} ,@(loop for i from 0 for e in {v}"
        f" collect (list i ({prefix}n e))) (t {k})))",
    ))  # fmt: skip


def inputs(rng, functions: list) -> list:
    return [boundary(rng) if rng.random() < 0.6 else rng.randrange(6) for _ in functions[-1][1]]


# --- as text, as IR ---------------------------------------------------------------------------


def to_lisp(functions: list) -> str:
    lines = []
    for name, params, macros in functions:
        lines.append(PRELUDE.replace("NAME-", name[:-1]))
        for macro, lambda_list, _, variables, statements in macros:
            bound = "\n        ".join(f"({v} {text})" for v, text in variables)
            names = " ".join(v for v, _ in variables if v != "code")
            rest = "\n    ".join(statements)
            lines.append(
                f"(defmacro {macro} ({lambda_list})\n  (declare (ignorable a b r))\n"
                f"  (let* ({bound})\n    {rest}\n    `(+ ,({name[:-1]}print (list {names})) ,@code)))"
            )
        uses = " ".join(f"({macro} {arguments})" for macro, _, arguments, *_ in macros)
        takes = " ".join(param for param, *_ in params)
        lines.append(f"(defun {name} ({takes}) (declare (ignorable {takes})) (+ {uses}))\n")
    return "\n".join(lines)


def to_ir(functions: list):
    return lisp.module_of(to_lisp(functions))


def features(functions: list, inputs: list) -> dict[str, object]:
    """What of all that matters is in this program."""
    text = "".join(to_lisp(functions).split(")))))\n", 1)[1:])
    has = {
        "lists changed in place": ("(setf (c", "(rplac", "(delete", "(nreverse", "(nconc"),
        "places within lists": ("(push", "(pop", "(incf (car", "(setf (nth", "(getf"),
        "circles": ("(nth 17", "(nconc v0 (nthcdr", "(last v0)) v0)"),
        "lists destructured": ("destructuring-bind", "(a (b . r)", "&whole"),
    }
    return {feature: any(word in text for word in words) for feature, words in has.items()}


# --- shrinking --------------------------------------------------------------------------------


def smaller_programs(functions: list):
    ((name, params, macros),) = functions
    for at, (macro, lambda_list, arguments, variables, statements) in enumerate(macros):
        before, after = macros[:at], macros[at + 1 :]
        if len(macros) > 1:
            yield [(name, params, before + after)]
        for drop in range(len(statements)):
            less = statements[:drop] + statements[drop + 1 :]
            yield [(name, params, [*before, (macro, lambda_list, arguments, variables, less), *after])]
        for drop, (variable, text) in enumerate(variables):
            if text != "nil":
                less = [*variables[:drop], (variable, "nil"), *variables[drop + 1 :]]
                yield [(name, params, [*before, (macro, lambda_list, arguments, less, statements), *after])]
