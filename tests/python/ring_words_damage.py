"""Lower, gather, regroup and emit with one thing wrong: what a test of them has to notice.

Each damage is what somebody might write: a width one too small, a check left out, signed for unsigned,
a slot shared that may not be.
"""

from collections.abc import Callable
from dataclasses import replace

from carrychain.ring.emit.function import EMITTED
from carrychain.ring.emit.module import ModuleText
from carrychain.ring.emit.text import Text
from carrychain.ring.facts.demand import below
from carrychain.ring.facts.plan import Range
from carrychain.ring.lower import arithmetic, arrays, checks, frame, function, functions, shifts, values
from carrychain.ring.lower.builder import Builder
from carrychain.ring.lower.function import LOWERED, FunctionLowering
from carrychain.ring.lower.values import width_for
from carrychain.ring.machine import gather, regroup
from carrychain.ring.machine.form import WIDTHS, Block, Branch, Const, Jump, Op, const
from carrychain.ring.machine.logic import logic_of

Damage = Callable  # of what pytest calls monkeypatch


def instead(names: dict[str, str]) -> Damage:
    """Lower makes another operation of the same shape."""

    def damage(patch) -> None:
        let = Builder.let
        patch.setattr(Builder, "let", lambda b, op, *args, **more: let(b, names.get(op, op), *args, **more))

    return damage


def without(name: str) -> Damage:
    """Lower leaves out an operation."""

    def damage(patch) -> None:
        do = Builder.do

        def most(b, op, *args, **more) -> None:
            if op != name:
                do(b, op, *args, **more)

        patch.setattr(Builder, "do", most)

    return damage


def put(where, name: str, what) -> Damage:
    return lambda patch: patch.setattr(where, name, what)


def lowered(op: str, what) -> Damage:
    return lambda patch: patch.setitem(LOWERED, op, what)


def nothing(*args, **more) -> None:
    """What is left out."""


def narrower(*known: Range) -> int | None:
    bits = width_for(*known)
    return WIDTHS[max(WIDTHS.index(bits) - 1, 0)] if bits else None


def natural(*known: Range) -> int | None:
    """As if nothing were below 0."""
    return width_for(*(Range(0, r.high) if None not in r[:2] else r for r in known))


def one_sided(op: str) -> Damage:
    def check(v, value, type_) -> None:
        low, high = (None, type_.high) if op == "lt" else (type_.low, None)
        checks.check(v, value, replace(type_, low=low, high=high))

    def damage(patch) -> None:
        patch.setattr(function, "check", check)
        patch.setattr(arrays, "check", check)

    return damage


def one_slot(b: Builder) -> int:
    b.function.slots = 1
    return 0


def swapped_arms(v, i) -> None:
    arithmetic.selected(v, replace(i, args=[i.args[0], i.args[2], i.args[1]]))


def as_it_is(v, i) -> None:
    v.words[i.result] = v.words[i.args[0]]


def box_read_otherwise(patch) -> None:
    owned = Builder.owned

    def other(b, op, *args, attribute=None, **more):
        attribute = {"u": "s", "s": "u"}[attribute] if op == "box" else attribute
        return owned(b, op, *args, attribute=attribute, **more)

    patch.setattr(Builder, "owned", other)


def one_round_more(patch) -> None:
    begin = FunctionLowering._strip

    def wrong(f, block, strip) -> None:
        f.stops[strip.head] = f.builder.let("add", 64, f.stops[strip.head], const(strip.step, 64))
        begin(f, block, strip)

    patch.setattr(FunctionLowering, "_strip", wrong)


def bytes_as_one(patch) -> None:
    index = arrays._index
    patch.setattr(arrays, "_index", lambda v, i, count=1: index(v, i))


def within_by_one_more(patch) -> None:
    within = arrays._within
    patch.setattr(arrays, "_within", lambda v, i, count: within(v, i, count - 1))


def one_element_less(patch) -> None:
    in_frame = frame.in_frame
    found = lambda *args: {i: most - 1 for i, most in in_frame(*args).items()}  # noqa: E731
    patch.setattr(function, "in_frame", found)


LOWER: dict[str, Damage] = {
    "words extended by zeros, not by the sign": instead({"sext": "zext"}),
    "words extended by the sign, not by zeros": instead({"zext": "sext"}),
    "shifted right by zeros": instead({"ashr": "lshr"}),
    "shifted right by the sign": instead({"lshr": "ashr"}),
    "signs not compared": instead({f"s{op}": f"u{op}" for op in ("lt", "le", "gt", "ge")}),
    "words compared as signed": instead({f"u{op}": f"s{op}" for op in ("lt", "le", "gt", "ge")}),
    "below, or equal": instead({"slt": "sle", "ult": "ule", "big_lt": "big_le"}),
    "divided as unsigned": instead({"sdiv": "udiv"}),
    "remainder as unsigned": instead({"srem": "urem"}),
    "divided as signed": instead({"udiv": "sdiv"}),
    "a divisor's absolute value left out": instead({"abs": "hide"}),
    "bytes not turned around": instead({"bswap": "hide"}),
    "zeros counted as ones": instead({"ctlz": "ctpop"}),
    "compared in a width one too small": put(checks, "width_for", narrower),
    "divided in a width one too small": put(arithmetic, "width_for", narrower),
    "counted in a width one too small": put(functions, "width_for", narrower),
    "rotated by a count of a width one too small": put(shifts, "width_for", narrower),
    "compared as if nothing were negative": put(checks, "width_for", natural),
    "the quotient by -1 and the result not looked at": put(
        arithmetic, "division_widths", lambda v, i, x, y: [x, y]
    ),
    "no check of the lower end": one_sided("lt"),
    "no check of the upper end": one_sided("gt"),
    "an end one too far": put(
        checks, "compare_constant", lambda v, op, a, k: checks.compare(v, op, a, a)
    ),
    "no check of a narrow or an argument": put(function, "check", nothing),
    "no check of what is stored": put(arrays, "check", nothing),
    "no check of a divisor": put(arithmetic, "refuse", nothing),
    "no check of a root or an exponent": put(functions, "refuse", nothing),
    "no check of a length": put(arrays, "refuse_value", nothing),
    "no check of a length beyond memory": put(arrays, "refuse", nothing),
    "no check of an index": without("bounds"),
    "an index cut to a word": put(arrays, "width_for", lambda *known: 64),
    "bytes checked as one": bytes_as_one,
    "an index within bounds by one more": within_by_one_more,
    "an array in the frame that is passed back": put(frame, "_passed_back", lambda *args: []),
    "an array in the frame that is returned": put(frame, "_returned", lambda block: []),
    "an array in the frame that is given away": put(frame, "_given", lambda block: []),
    "an array in the frame that is longer": one_element_less,
    "an array in the frame that is not of zeros": put(frame, "_zeros", lambda values, i: True),
    "elements read without their sign": put(arrays, "of_type", lambda type_: Range(0, None)),
    "a shift's count not masked": put(shifts, "_masked", lambda v, n, bits: v.resize(n, bits, False)),
    "shifted right in the result's width": put(shifts, "_wide", lambda v, x, bits: bits),
    "a shift cut one bit below what is looked at": put(
        shifts, "looked_at", lambda v, x: max(looked - 1, 0) if (looked := _looked_at(v, x)) else looked
    ),
    "a mask of one bit less": put(shifts, "below", lambda k: below(k - 1)),
    "turned by more than there is": put(shifts, "divide", lambda v, op, bits, a, b, signed: a),
    "nand for and": put(
        arithmetic, "logic_of", lambda op, *rest: logic_of("nand" if op == "and" else op, *rest)
    ),
    "sums said to be exact": put(arithmetic, "_exact", lambda v, i, bits: "u" if i.op != "mul" else None),
    "the arms of select the wrong way round": lowered("select", swapped_arms),
    "not left out": lowered("not", as_it_is),
    "a floor for a ceiling": put(
        arithmetic, "divide",
        lambda v, op, *rest: _divide(v, "fdiv" if op == "cdiv" else op, *rest),
    ),
    "the ways of a branch the wrong way round": put(
        function.form, "Branch", lambda c, then, otherwise, likely=False: Branch(c, otherwise, then, likely)
    ),
    "arguments of a jump in another order": put(
        function.form, "Jump", lambda to, args: Jump(to, args[::-1])
    ),
    "all integers taken for small": put(values, "is_small", lambda x: True),
    "boxed by the other sign": box_read_otherwise,
    "one slot for all": put(Builder, "slot", one_slot),
    "an element not kept": without("keep"),
    "what is passed back not given": without("give"),
    "what is returned not retained": without("retain"),
    "what a call made not owned": without("own"),
    "a strip that goes too far": one_round_more,
}  # fmt: skip
_looked_at, _divide = shifts.looked_at, arithmetic.divide


def exact_or_not(patch) -> None:
    index = gather.index_of

    def wrong(word, made):
        said = {w: replace(op, attribute="u") if op.op in ("add", "sub") and _by_constant(op) else op
                for w, op in made.items()}  # fmt: skip
        found = index(word, said)
        back = {id(new): made[w] for w, new in said.items()}
        return found._replace(made=[back[id(op)] for op in found.made])

    patch.setattr(gather, "index_of", wrong)


def _by_constant(op: Op) -> bool:
    return sum(isinstance(arg, Const) for arg in op.args) == 1


def changed_index(**changes) -> Damage:
    def damage(patch) -> None:
        index = gather.index_of
        new = {
            key: change if callable(change) else (lambda found, c=change: c)
            for key, change in changes.items()
        }

        def wrong(word, made):
            found = index(word, made)
            return found._replace(**{key: change(found) for key, change in new.items()})

        patch.setattr(gather, "index_of", wrong)

    return damage


def together(change: Callable[[Op], None]) -> Damage:
    """What is made of a run is changed."""

    def damage(patch) -> None:
        made = gather._together

        def wrong(*args) -> Op:
            op = made(*args)
            change(op)
            return op

        patch.setattr(gather, "_together", wrong)

    return damage


def rows(change) -> Damage:
    return together(lambda op: setattr(op, "attribute", (*op.attribute[:2], tuple(change(op.attribute[2])))))


def any_array(patch) -> None:
    runs = gather._runs

    def wrong(block: Block, made):
        first = next((op.args[0] for op in block.ops if op.op == "bounds"), None)
        same = {op: op.args[0] for op in block.ops if op.op == "bounds"}
        for op in same:
            op.args[0] = first
        found = runs(block, made)
        for op, array in same.items():
            if op is not found and not any(
                check.op is op and run[0] is check for run in found for check in run
            ):
                op.args[0] = array
        return found

    patch.setattr(gather, "_runs", wrong)


GATHER: dict[str, Damage] = {
    "checks gathered over stores": put(gather, "SEEN", gather.SEEN - {"store"}),
    "the first index not looked at": together(lambda op: op.args.__delitem__(slice(3, None))),
    "the first index taken for natural": changed_index(natural=True),
    "the last one's elements not counted": together(
        lambda op: setattr(op, "attribute", (op.attribute[0], 1, op.attribute[2]))
    ),
    "the first looked at as the last": together(lambda op: op.args.__setitem__(2, op.args[-1])),
    "sums that are not exact gathered": exact_or_not,
    "a constant taken away that is added": changed_index(offset=lambda found: -found.offset),
    "zeros taken for the sign": put(gather, "EXTENSIONS", {"zext": "s", "sext": "u"}),
    "the root not asked for": changed_index(root=None),
    "checks of any array": any_array,
    "an index not made before it is looked at": changed_index(made=lambda found: []),
    "rows in another order": rows(reversed),
    "rows of one element": rows(lambda found: ((offset, 1, site) for offset, _, site in found)),
}


def dropped_constant(patch) -> None:
    sum_ = regroup._sum
    patch.setattr(regroup, "_sum", lambda op, words, k, f: sum_(op, words, 0, f))


def dropped_term(patch) -> None:
    sum_ = regroup._sum
    patch.setattr(regroup, "_sum", lambda op, words, k, f: sum_(op, words[1:], k, f))


def one_constant(patch) -> None:
    terms = regroup._terms

    def wrong(*args):
        found, inner = terms(*args)
        return [t for t in found if not isinstance(t, Const)] + [t for t in found if isinstance(t, Const)][
            :1
        ], inner

    patch.setattr(regroup, "_terms", wrong)


def used_once(patch) -> None:
    class Once(dict):
        def __missing__(self, key) -> int:
            return 1

    patch.setattr(regroup, "_uses", lambda f: Once())


def parts_kept_for(name: str) -> Damage:
    def damage(patch) -> None:
        terms = regroup._terms

        def wrong(op, made, uses):
            return terms(op, {**made, **_made_by(name, made)}, uses)

        patch.setattr(regroup, "_terms", wrong)

    return damage


def _made_by(name: str, made) -> dict:
    found = {}
    for block in _BLOCKS:
        found.update({op.results[0]: op for op in block.ops if op.op == name})
    return found


_BLOCKS: list[Block] = []


def differences_taken_for_sums(patch) -> None:
    inner = regroup._regroup

    def noting(block, *args) -> None:
        _BLOCKS[:] = [block]
        inner(block, *args)

    patch.setattr(regroup, "_regroup", noting)
    parts_kept_for("sub")(patch)


REGROUP: dict[str, Damage] = {
    "the constant left out": dropped_constant,
    "a term left out": dropped_term,
    "one constant of several": one_constant,
    "sums that are used again left out": used_once,
    "differences taken for sums": differences_taken_for_sums,
}

DAMAGES = {
    **{f"lower: {name}": damage for name, damage in LOWER.items()},
    **{f"gather: {name}": damage for name, damage in GATHER.items()},
    **{f"regroup: {name}": damage for name, damage in REGROUP.items()},
}


# Emit is compared by running the machine code, so nothing here may make it read what is not there, or
# go on for ever.


def printed(old: str, new: str) -> Damage:
    """Something else stands in LLVM's text."""

    def damage(patch) -> None:
        let = Text.let
        patch.setattr(Text, "let", lambda t, expression: let(t, expression.replace(old, new)))

    return damage


def emitted(op: str, instead: str) -> Damage:
    return lambda patch: patch.setitem(
        EMITTED, op, lambda t, of: EMITTED[instead](t, replace(of, op=instead))
    )


def operand_for_length(patch) -> None:
    trap = Text.trap
    patch.setattr(Text, "trap", lambda t, site, operand="0", length="0": trap(t, site, length, operand))


def site_before(patch) -> None:
    site = ModuleText.site
    patch.setattr(ModuleText, "site", lambda m, of: max(site(m, of) - 1, 1))


EMIT: dict[str, Damage] = {
    "small values shifted back by zeros": printed("ashr i64", "lshr i64"),
    "a sum for a product of values": printed("smul.with", "sadd.with"),
    "signs left out of what is printed": printed("sext", "zext"),
    "below, or equal, of values": printed("icmp slt", "icmp sle"),
    "boxed without a sign": printed("@ring_signed", "@ring_unsigned"),
    "another division": printed("@ring_divide(i32 0", "@ring_divide(i32 2"),
    "another logical operator": emitted("or", "xor"),
    "a word's first half alone": printed("or i128 %", "and i128 %"),
    "what a check found for its length": operand_for_length,
    "the check before": site_before,
    "no zeros in the frame": put(Text, "zeros", nothing),
}
DAMAGES_OF_TEXT = {f"emit: {name}": damage for name, damage in EMIT.items()}
