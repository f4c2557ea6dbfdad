"""A function before and after a pass, both written by hand, as a checker of rewriting is given them."""

import pytest
from carrychain.ring.facts.ranges import analyse
from carrychain.ring.ir.errors import CheckError
from carrychain.ring.ir.form import Function
from carrychain.ring.ir.parse import parse_module
from carrychain.ring.ir.snapshot import Snapshot, snapshot
from carrychain.ring.trust.rewritten import Rewritten

# passes that say what they have done: without that, nothing is shown
CLAIMED = frozenset(("limbs", "checked words"))


def rewritten(before: str, after: str) -> tuple[Snapshot, Function]:
    """Of two texts: a value, or block, is the same in both if its name is. Its type is that in the second.

    An instruction with `; gone` after it is taken out again: who uses its result uses what is not there.
    """
    function, other = (next(iter(parse_module(text).functions.values())) for text in (before, after))
    gone = {line.split(":")[0].strip() for line in after.splitlines() if line.endswith("; gone")}
    was = snapshot(function)
    blocks = {block.name: block for block in function.blocks}
    values = {value.name: value for value in function.values()}
    of = {value: values.get(value.name, value) for value in other.values()}
    for value, same in of.items():
        same.type = value.type
    for block in other.blocks:
        block.params = [of[param] for param in block.params]
        block.instructions = [i for i in block.instructions if not gone & {str(r) for r in i.results}]
        for i in block.instructions:
            i.args, i.results = [of[arg] for arg in i.args], [of[result] for result in i.results]
    other.replace_uses({value: same for value, same in of.items() if value is not same})
    function.blocks = []
    for block in other.blocks:
        kept = blocks.get(block.name, block)
        if kept is not block:
            kept.params, kept.instructions, kept.terminator = (
                block.params,
                block.instructions,
                block.terminator,
            )
        function.blocks.append(kept)
        for edge in block.terminator.edges:
            edge.block = blocks.get(edge.block.name, edge.block)
    return was, function


def check(shown: type, before: str, after: str) -> None:
    """CheckError, if the class does not show it: with the ranges of the function before.

    Then it is not shown without deciding branches, either.
    """
    was, function = rewritten(before, after)
    known = analyse(was.function)
    try:
        shown(was, function, *known).check()
    except CheckError:
        if issubclass(shown, Rewritten):
            quick = shown(was, function, *known)
            quick.decides = False
            with pytest.raises(CheckError):
                quick.check()
        raise


def changed(text: str, *changes: tuple[str, str]) -> str:
    """The text with each of the changes made, at the one place where it can be."""
    for old, new in changes:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return text


def refused(shown: type, before: str, after: str) -> None:
    """The class does not show it."""
    assert before != after
    with pytest.raises(CheckError):
        check(shown, before, after)
