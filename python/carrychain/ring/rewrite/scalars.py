"""Replaces small arrays that are filled in one block by the values that are stored in them.

Consider an array with a known number of elements. Let it be used only for its length, for stores in the block
that makes it, and for reads, all at constant indices within bounds. Then the array is that many values. A
read in the block that makes it yields what the last store before it wrote, or an initial element. A read in
another block yields what the array held at the end of the first: that block dominates the other, and entering
it again makes a new array. The check of a stored value remains, as a narrow in its place. Then nothing uses
the array.
"""

from __future__ import annotations

from ..ir.form import INT, Array, Block, Function, Instruction, Int, Value

# The greatest length of such an array. They hold words joined from bytes, and bytes of words.
ELEMENTS = 64


def scalars(function: Function) -> bool:
    """Replaces such arrays, in place; whether there were any."""
    constants = {
        i.result: i.attribute
        for i in function.instructions()
        if i.op == "const" and isinstance(i.result.type, Int)
    }
    found: dict[Value, tuple[Block, int]] = {}
    for block in function.blocks:
        for i in block.instructions:
            if i.op == "new" and 0 <= constants.get(i.args[0], -1) <= ELEMENTS:
                found[i.result] = block, constants[i.args[0]]
    for block in function.blocks:
        for i in block.instructions if found else ():
            for at, arg in enumerate(i.args):
                if arg in found and not (at == 0 and _simple(i, constants, *found[arg], block)):
                    del found[arg]
        passed = (arg for edge in block.terminator.edges for arg in edge.args)
        for arg in (*block.terminator.args, *passed):
            found.pop(arg, None)
    if found:
        _take_out(function, {array: block for array, (block, _) in found.items()}, constants)
    return bool(found)


def _simple(i: Instruction, constants: dict[Value, int], home: Block, count: int, block: Block) -> bool:
    if i.op == "len":
        return True
    inside = i.op in ("load", "store") and 0 <= constants.get(i.args[1], -1) < count
    return inside and (i.op == "load" or block is home)


def _take_out(function: Function, homes: dict[Value, Block], constants: dict[Value, int]) -> None:
    names = {value.name for value in function.values()}
    elements: dict[Value, list[Value]] = {}
    read: dict[Value, Value] = {}

    def of_type(value: Value, array: Value, i: Instruction, kept: list[Instruction]) -> Value:
        if array.type == Array(INT):
            return value
        name = f"{value.name}.element"
        while name in names:
            name += "p"
        names.add(name)
        kept.append(
            Instruction("narrow", [value], [Value(name, INT, i.position)], array.type.element, i.position)
        )
        return kept[-1].result

    def take_out(block: Block, at_home: bool) -> None:
        kept: list[Instruction] = []
        for i in block.instructions:
            array = i.result if i.op == "new" else i.args[0] if i.args else None
            if array not in homes or (homes[array] is block) != at_home:
                kept.append(i)
            elif i.op == "new":
                elements[array] = [of_type(i.args[1], array, i, kept)] * constants[i.args[0]]
            elif i.op == "store":
                elements[array][constants[i.args[1]]] = of_type(i.args[2], array, i, kept)
            elif i.op == "load":
                read[i.result] = elements[array][constants[i.args[1]]]
            else:
                i.op, i.args, i.attribute = "const", [], len(elements[array])
                kept.append(i)
        block.instructions = kept

    for block in dict.fromkeys(homes.values()):
        take_out(block, True)
    # reads in other blocks see the state at the end of the block that makes the array
    for block in function.blocks:
        take_out(block, False)
    function.replace_uses(read)
