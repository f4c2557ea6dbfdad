"""The loop that Python calls for many inputs: each iteration calls a function for a group of inputs at once.

Arguments are columns. A column of integers is contiguous in memory, each integer in the bytes of its word (a
truth value in one byte), or one integer for all inputs. A column of arrays is contiguous struct ring_array,
one per group, or one for all. Results are columns, too; those of arrays hold their addresses.

The loop's arguments are the first group, in whose slot the group reached is stored at the end; the group
after the last; and the addresses of the columns. A failing check ends the loop at its group.
"""

from __future__ import annotations

from typing import NamedTuple

from ..machine.form import Lanes, MachineFunction, MachineType
from .arrays import ARRAY_SIZE
from .names import ENTRY, function_symbol, is_array, llvm_type, returned
from .text import CONTEXT_DUE, CONTEXT_POLL, UNLIKELY


class Driven(NamedTuple):
    name: str
    count: int  # inputs in a group
    differ: tuple[bool, ...]  # which arguments vary between inputs


def _stored(type_: MachineType) -> str:
    """The LLVM type in memory: bits are bytes."""
    if isinstance(type_, Lanes) and type_.of == 1:
        return f"<{type_.count} x i8>"
    return "i8" if type_ == 1 else llvm_type(type_)


def driver(function: MachineFunction, driven: Driven, attributes: str) -> str:
    lines = [
        f"define i32 @{ENTRY}(ptr %arguments, ptr %results, ptr %context) nounwind{attributes} {{",
        "start:",
        "  %from = load i64, ptr %arguments, align 16",
        "  %place = getelementptr i8, ptr %arguments, i64 8",
        "  %to = load i64, ptr %place, align 8",
    ]
    columns = len(function.params) + len(function.results)
    for at in range(columns):
        lines += [
            f"  %place{at} = getelementptr i8, ptr %arguments, i64 {16 + 8 * at}",
            f"  %column{at} = load ptr, ptr %place{at}, align 8",
        ]
    lines += [
        "  br label %next",
        "next:",
        "  %group = phi i64 [%from, %start], [%after, %on]",
        "  %more = icmp ult i64 %group, %to",
        "  br i1 %more, label %do, label %end",
        "do:",
    ]
    args = ["ptr %context"]
    for at, (param, differs) in enumerate(zip(function.params, driven.differ, strict=True)):
        lines += _argument(at, param.type, differs)
        args.append(f"{llvm_type(param.type)} %a{at}")
    made = returned(function.results)
    lines += [
        f"  %made = call fastcc {made} {function_symbol(function.name)}({', '.join(args)})",
        f"  %status = extractvalue {made} %made, 0",
        "  %failed = icmp ne i32 %status, 0",
        f"  br i1 %failed, label %stop, label %keep, {UNLIKELY}",
        "keep:",
    ]
    for at, type_ in enumerate(function.results):
        lines += _result(at, len(function.params) + at, type_, made, driven.count)
    lines += [
        "  %after = add i64 %group, 1",
        f"  %due.place = getelementptr i8, ptr %context, i64 {CONTEXT_DUE}",
        "  %due.now = load atomic i8, ptr %due.place monotonic, align 1",
        "  %due = icmp ne i8 %due.now, 0",
        f"  br i1 %due, label %ask, label %on, {UNLIKELY}",
        "ask:",
        f"  %poll.place = getelementptr i8, ptr %context, i64 {CONTEXT_POLL}",
        "  %poll = load ptr, ptr %poll.place",
        "  %asked = call i32 %poll(ptr %context) cold nounwind",
        "  %stopped = icmp ne i32 %asked, 0",
        "  br i1 %stopped, label %end, label %on",
        "on:",
        "  br label %next",
        "stop:",
        "  store i64 %group, ptr %arguments, align 16",
        "  ret i32 %status",
        "end:",
        "  ret i32 0",
        "}",
    ]
    return "\n".join(lines)


def _argument(at: int, type_: MachineType, differs: bool) -> list[str]:
    if is_array(type_):
        group = "%group" if differs else "0"
        return [
            f"  %g{at} = mul i64 {group}, {ARRAY_SIZE}",
            f"  %a{at} = getelementptr i8, ptr %column{at}, i64 %g{at}",
        ]
    stored, name = _stored(type_), llvm_type(type_)
    group = "%group" if differs else "0"
    lines = [f"  %q{at} = getelementptr {stored}, ptr %column{at}, i64 {group}"]
    if stored == name:
        return [*lines, f"  %a{at} = load {name}, ptr %q{at}, align 1"]
    return [
        *lines,
        f"  %b{at} = load {stored}, ptr %q{at}, align 1",
        f"  %a{at} = trunc {stored} %b{at} to {name}",
    ]


def _result(at: int, column: int, type_: MachineType, made: str, count: int) -> list[str]:
    """Stores a result of the group; one that is the same for all inputs is stored for each."""
    name, lines = llvm_type(type_), [f"  %r{at} = extractvalue {made} %made, {at + 1}"]
    if is_array(type_):
        name, stored, text = "ptr", "ptr", f"%r{at}"
    else:
        stored, text = _stored(type_), f"%r{at}"
        if stored != name:
            lines.append(f"  %z{at} = zext {name} {text} to {stored}")
            text = f"%z{at}"
        if count > 1 and not isinstance(type_, Lanes):
            one, stored = stored, f"<{count} x {stored}>"
            lines += [
                f"  %i{at} = insertelement {stored} poison, {one} {text}, i64 0",
                f"  %s{at} = shufflevector {stored} %i{at}, {stored} poison, <{count} x i32> zeroinitializer",
            ]
            text = f"%s{at}"
    return [
        *lines,
        f"  %p{at} = getelementptr {stored}, ptr %column{column}, i64 %group",
        f"  store {stored} {text}, ptr %p{at}, align 1",
    ]
