"""What a built object has of the runtime, as LLVM's text: arrays that a call makes, and functions on words.

Arrays are as in call/runtime/runtime.h, but only one thread at a time knows one that a call made, so counts
need not be atomic. Arrays of the caller and of the module are not counted: their count is below 0. Memory is
malloc's. LLVM may not know that (nobuiltin): it would call calloc, too.
"""

from __future__ import annotations

from ..emit.arrays import MADE_DATA

# More elements than memory has room for, even multiplied by their size.
FAR = 1 << 52

ARRAYS = f"""
declare ptr @malloc(i64) nounwind
declare void @free(ptr) nounwind

define void @ring_retain(i64 %x) nounwind {{
start:
  %object = inttoptr i64 %x to ptr
  %count = load i64, ptr %object
  %counted = icmp sge i64 %count, 0
  br i1 %counted, label %add, label %end
add:
  %more = add i64 %count, 1
  store i64 %more, ptr %object
  br label %end
end:
  ret void
}}

define void @ring_release(i64 %x) nounwind {{
start:
  %none = icmp eq i64 %x, 0
  br i1 %none, label %end, label %look
look:
  %object = inttoptr i64 %x to ptr
  %count = load i64, ptr %object
  %counted = icmp sge i64 %count, 0
  br i1 %counted, label %take, label %end
take:
  %fewer = sub i64 %count, 1
  store i64 %fewer, ptr %object
  %last = icmp eq i64 %fewer, 0
  br i1 %last, label %give, label %end
give:
  call void @free(ptr %object) nobuiltin
  br label %end
end:
  ret void
}}

define void @ring_put(ptr %slot, i64 %x) nounwind {{
  %old = load i64, ptr %slot
  store i64 %x, ptr %slot
  call void @ring_release(i64 %old)
  ret void
}}

define void @ring_leave(ptr %slots, i64 %count) nounwind {{
start:
  br label %next
next:
  %at = phi i64 [0, %start], [%after, %one]
  %more = icmp ult i64 %at, %count
  br i1 %more, label %one, label %end
one:
  %slot = getelementptr i64, ptr %slots, i64 %at
  %x = load i64, ptr %slot
  call void @ring_release(i64 %x)
  %after = add i64 %at, 1
  br label %next
end:
  ret void
}}

define i64 @ring_new(i64 %count, i32 %width, i64 %low, i64 %high, ptr %slot) nounwind {{
start:
  %far = icmp ugt i64 %count, {FAR}
  br i1 %far, label %none, label %ask
ask:
  %wide = zext i32 %width to i64
  %bytes = mul i64 %count, %wide
  %size = add i64 %bytes, {MADE_DATA}
  %object = call ptr @malloc(i64 %size) nobuiltin
  %missing = icmp eq ptr %object, null
  br i1 %missing, label %none, label %made
none:
  ret i64 0
made:
  %data = getelementptr i8, ptr %object, i64 {MADE_DATA}
  %kind.place = getelementptr i8, ptr %object, i64 8
  %length.place = getelementptr i8, ptr %object, i64 16
  %data.place = getelementptr i8, ptr %object, i64 24
  store i64 1, ptr %object
  store i64 1, ptr %kind.place
  store i64 %count, ptr %length.place
  store ptr %data, ptr %data.place
  %both = or i64 %low, %high
  %zero = icmp eq i64 %both, 0
  br i1 %zero, label %clear, label %fill
clear:
  call void @llvm.memset.p0.i64(ptr align 16 %data, i8 0, i64 %bytes, i1 false)
  br label %filled
fill:
  br label %next
next:
  %at = phi i64 [0, %fill], [%after, %stored]
  %more = icmp ult i64 %at, %count
  br i1 %more, label %one, label %filled
one:
  switch i32 %width, label %stored [ i32 1, label %w1 i32 2, label %w2 i32 4, label %w4 i32 8, label %w8
    i32 16, label %w16 ]
w1:
  %x1 = trunc i64 %low to i8
  %p1 = getelementptr i8, ptr %data, i64 %at
  store i8 %x1, ptr %p1
  br label %stored
w2:
  %x2 = trunc i64 %low to i16
  %p2 = getelementptr i16, ptr %data, i64 %at
  store i16 %x2, ptr %p2
  br label %stored
w4:
  %x4 = trunc i64 %low to i32
  %p4 = getelementptr i32, ptr %data, i64 %at
  store i32 %x4, ptr %p4
  br label %stored
w8:
  %p8 = getelementptr i64, ptr %data, i64 %at
  store i64 %low, ptr %p8
  br label %stored
w16:
  %l16 = zext i64 %low to i128
  %h16 = zext i64 %high to i128
  %u16 = shl i128 %h16, 64
  %x16 = or i128 %l16, %u16
  %p16 = getelementptr i128, ptr %data, i64 %at
  store i128 %x16, ptr %p16
  br label %stored
stored:
  %after = add i64 %at, 1
  br label %next
filled:
  %value = ptrtoint ptr %object to i64
  call void @ring_put(ptr %slot, i64 %value)
  ret i64 %value
}}

declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
"""

WORDS = """
define i64 @ring_isqrt_word(i64 %x) nounwind memory(none) {
start:
  br label %next
next:
  %rest = phi i64 [%x, %start], [%rest.after, %one]
  %root = phi i64 [0, %start], [%root.after, %one]
  %bit = phi i64 [4611686018427387904, %start], [%bit.after, %one]
  %more = icmp ne i64 %bit, 0
  br i1 %more, label %one, label %end
one:
  %try = add i64 %root, %bit
  %fits = icmp uge i64 %rest, %try
  %less = sub i64 %rest, %try
  %rest.after = select i1 %fits, i64 %less, i64 %rest
  %half = lshr i64 %root, 1
  %with = add i64 %half, %bit
  %root.after = select i1 %fits, i64 %with, i64 %half
  %bit.after = lshr i64 %bit, 2
  br label %next
end:
  ret i64 %root
}

define i64 @ring_gcd_word(i64 %a, i64 %b) nounwind memory(none) {
start:
  br label %next
next:
  %x = phi i64 [%a, %start], [%y, %one]
  %y = phi i64 [%b, %start], [%rest, %one]
  %more = icmp ne i64 %y, 0
  br i1 %more, label %one, label %end
one:
  %rest = urem i64 %x, %y
  br label %next
end:
  ret i64 %x
}

define i64 @ring_power_word(i64 %a, i64 %n) nounwind memory(none) {
start:
  br label %next
next:
  %x = phi i64 [%a, %start], [%square, %one]
  %left = phi i64 [%n, %start], [%left.after, %one]
  %power = phi i64 [1, %start], [%power.after, %one]
  %more = icmp ne i64 %left, 0
  br i1 %more, label %one, label %end
one:
  %odd = trunc i64 %left to i1
  %product = mul i64 %power, %x
  %power.after = select i1 %odd, i64 %product, i64 %power
  %square = mul i64 %x, %x
  %left.after = lshr i64 %left, 1
  br label %next
end:
  ret i64 %power
}
"""

# Who led to a failed check is not told.
FAILURES = """
define void @ring_called(ptr %context, i32 %site) cold nounwind memory(argmem: readwrite) {
  ret void
}
"""

RUNTIME = ARRAYS + WORDS + FAILURES

# Functions of C whose sizes have 32 bits, where code has 64.
NARROW = """
declare ptr @malloc(i32) nounwind
declare void @llvm.memset.p0.i32(ptr, i8, i32, i1)
declare void @llvm.memmove.p0.p0.i32(ptr, ptr, i32, i1)

define ptr @ring_malloc(i64 %size) nounwind alwaysinline {
start:
  %far = icmp ugt i64 %size, 2147483647
  br i1 %far, label %none, label %ask
none:
  ret ptr null
ask:
  %narrow = trunc i64 %size to i32
  %object = call ptr @malloc(i32 %narrow) nobuiltin
  ret ptr %object
}

define void @ring_memset(ptr %to, i8 %byte, i64 %size, i1 %volatile) nounwind alwaysinline {
  %narrow = trunc i64 %size to i32
  call void @llvm.memset.p0.i32(ptr align 8 %to, i8 %byte, i32 %narrow, i1 false)
  ret void
}

define void @ring_memmove(ptr %to, ptr %from, i64 %size, i1 %volatile) nounwind alwaysinline {
  %narrow = trunc i64 %size to i32
  call void @llvm.memmove.p0.p0.i32(ptr %to, ptr %from, i32 %narrow, i1 false)
  ret void
}
"""
NARROWED = {
    "@malloc(": "@ring_malloc(",
    "@llvm.memset.p0.i64(": "@ring_memset(",
    "@llvm.memmove.p0.p0.i64(": "@ring_memmove(",
    # malloc's
    "ptr align 16": "ptr align 8",
}


def narrowed(text: str) -> str:
    """A module's text for a machine with addresses of 32 bits."""
    for wide, narrow in NARROWED.items():
        text = text.replace(wide, narrow)
    return text


def runtime(narrow: bool) -> str:
    if not narrow:
        return RUNTIME
    outside = ("declare ptr @malloc", "declare void @llvm.mem")
    lines = (line for line in RUNTIME.split("\n") if not line.startswith(outside))
    return narrowed("\n".join(lines)) + NARROW
