"""Which parameters and globals functions store to."""

from __future__ import annotations

from .form import ARRAY, MachineFunction, MachineJump, MachineModule, Operand, Word


def stores(module: MachineModule, name: str) -> set[int | str]:
    """The positions of the named function's parameters that are stored to; and the names of such globals."""
    return Stores(module).of(name)


class Stores:
    def __init__(self, module: MachineModule):
        self.module = module
        self.found: dict[str, set[int | str]] = {}

    def of(self, name: str) -> set[int | str]:
        """For recursive functions, this is repeated until nothing changes."""
        if name not in self.found:
            self.found[name] = set()
            while True:
                new = self._of(self.module.functions[name])
                if new == self.found[name]:
                    break
                self.found[name] = new
        return self.found[name]

    def _of(self, function: MachineFunction) -> set[int | str]:
        comes: dict[Word, list[Operand]] = {}
        roots: dict[Word, int | str] = {word: at for at, word in enumerate(function.params)}
        for op in function.ops():
            if op.op == "global":
                roots[op.result] = op.attribute
            elif op.op in ("select", "call"):
                for word in op.results:
                    comes[word] = op.args
        for block in function.blocks:
            if isinstance(block.end, MachineJump):
                for param, arg in zip(block.end.to.params, block.end.args, strict=True):
                    comes.setdefault(param, []).append(arg)
        todo = [op.args[0] for op in function.ops() if op.op == "store"]
        for op in function.ops():
            if op.op == "call":
                stored = self.of(op.attribute)
                todo += [arg for at, arg in enumerate(op.args) if at in stored]
        found = {
            each
            for op in function.ops()
            if op.op == "call"
            for each in self.of(op.attribute)
            if isinstance(each, str)
        }
        seen: set[Operand] = set()
        while todo:
            word = todo.pop()
            if word in seen or not isinstance(word, Word) or word.type != ARRAY:
                continue
            seen.add(word)
            if word in roots:
                found.add(roots[word])
            todo += comes.get(word, [])
        return found
