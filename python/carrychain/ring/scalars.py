"""Small arrays that are put together in one block, as the values that are stored in them.

An array of a known number of elements, of which is asked its length, which is stored to in the block that
makes it, and read, all at constant indices within bounds, is so many values. What is read in that block is
what the last store before put there, or what the array was made of. What is read in another is what stood
there at that block's end: the other is reached by way of it, and its beginning not passed again without the
array being made anew. The check of what is stored stays, as a narrow at its place. Nothing is left then that
looks at the array.
"""

from __future__ import annotations

from .ir import INT, Array, Block, Function, Instruction, Int, Value
from .simplify import replace

# Of an array so looked at: words that are put together of bytes, and bytes of words.
ELEMENTS = 64


def scalars(function: Function) -> bool:
    """Takes such arrays out, in place; whether there were any."""
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
    for array, (block, _) in found.items():
        _take_out(function, array, block, constants)
    return bool(found)


def _simple(i: Instruction, constants: dict[Value, int], home: Block, count: int, block: Block) -> bool:
    if i.op == "len":
        return True
    inside = i.op in ("load", "store") and 0 <= constants.get(i.args[1], -1) < count
    return inside and (i.op == "load" or block is home)


def _take_out(function: Function, array: Value, home: Block, constants: dict[Value, int]) -> None:
    names = {value.name for value in function.values()}
    element = array.type.element
    elements: list[Value] = []
    read: dict[Value, Value] = {}

    def of_type(value: Value, i: Instruction, kept: list[Instruction]) -> Value:
        if array.type == Array(INT):
            return value
        name = f"{value.name}.element"
        while name in names:
            name += "p"
        names.add(name)
        kept.append(Instruction("narrow", [value], [Value(name, INT, i.position)], element, i.position))
        return kept[-1].result

    for block in (home, *(block for block in function.blocks if block is not home)):
        kept: list[Instruction] = []
        for i in block.instructions:
            if array in i.results:
                elements += [of_type(i.args[1], i, kept)] * constants[i.args[0]]
            elif not i.args or i.args[0] is not array:
                kept.append(i)
            elif i.op == "store":
                elements[constants[i.args[1]]] = of_type(i.args[2], i, kept)
            elif i.op == "load":
                read[i.result] = elements[constants[i.args[1]]]
            else:
                i.op, i.args, i.attribute = "const", [], len(elements)
                kept.append(i)
        block.instructions = kept
    replace(function, read)
