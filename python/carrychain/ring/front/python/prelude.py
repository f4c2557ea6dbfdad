"""Functions on items for compiled code, which are compiled themselves, for the kinds of their arguments.

Arrays are passed whole, with positions that are always within bounds.
"""


def fill(to, at, items, first, step, count):
    for k in range(count):
        to[at + k] = items[first + step * k]


def repeat(to, items, first, length, times):
    at = 0
    for _ in range(times):
        for k in range(length):
            to[at] = items[first + k]
            at += 1


def equal(a, a_first, b, b_first, count):
    return all(a[a_first + k] == b[b_first + k] for k in range(count))


def less(a, a_first, a_count, b, b_first, b_count):
    for k in range(min(a_count, b_count)):
        x, y = a[a_first + k], b[b_first + k]
        if x != y:
            return x < y
    return a_count < b_count


def find(items, first, count, wanted):
    for k in range(count):
        if items[first + k] == wanted:
            return k
    return -1


def tally(items, first, count, wanted):
    found = 0
    for k in range(count):
        if items[first + k] == wanted:
            found += 1
    return found


def little(items, first, count):
    value = 0
    for k in range(count - 1, -1, -1):
        value = value << 8 | items[first + k] & 255
    return value


def big(items, first, count):
    value = 0
    for k in range(count):
        value = value << 8 | items[first + k] & 255
    return value


def spread_little(to, value, count):
    for k in range(count):
        to[k] = value & 255
        value >>= 8


def spread_big(to, value, count):
    for k in range(count - 1, -1, -1):
        to[k] = value & 255
        value >>= 8


def move(items, to, at, count):
    if to < at:
        for k in range(count):
            items[to + k] = items[at + k]
    else:
        for k in range(to + count - 1, to - 1, -1):
            items[k] = items[k - to + at]


def close(items, at, count):
    for k in range(at, count - 1):
        items[k] = items[k + 1]


def widen(items, at, count):
    moved = items[at]
    for k in range(at + 1, count + 1):
        items[k], moved = moved, items[k]


def turn(items, first, count):
    for k in range(count // 2):
        x, y = items[first + k], items[first + count - 1 - k]
        items[first + k] = y
        items[first + count - 1 - k] = x


def power(base, exponent, modulus):
    """base^exponent modulo |modulus|, the exponent not below 0."""
    result = 1 % modulus
    base %= modulus
    while exponent > 0:
        if exponent & 1:
            result = result * base % modulus
        base = base * base % modulus
        exponent >>= 1
    return result


def inverse(value, modulus):
    """The inverse of the value modulo a positive modulus; 0 if there is none."""
    a, b = value % modulus, modulus
    x, y = 1, 0
    while b:
        q = a // b
        a, b = b, a - q * b
        x, y = y, x - q * y
    return x % modulus if a == 1 else 0


def nearest(a, b):
    """For the double d nearest to a / b, with a, b >= 0: floor(4 d), with its lowest bit set if 4 d is not an
    integer; -1 if d overflows.
    """
    scale = a.bit_length() - b.bit_length() - 54
    if scale < -1000:
        # the least positive double is 2**-1074: quotients up to half of it become 0
        return 1 if a << 1075 > b else 0
    # 2**53 * 2**scale <= a / b < 4 * 2**53 * 2**scale
    if scale > 0:
        b <<= scale
    else:
        a <<= -scale
    kept = a // b
    rest = a - kept * b
    cut = 2 if kept >> 54 else 1
    half = 1 << cut - 1
    low = kept & 2 * half - 1
    kept >>= cut
    if low > half or (low == half and (rest != 0 or kept & 1 == 1)):
        kept += 1
    scale += cut
    if kept.bit_length() + scale > 1024:
        return -1
    if scale >= -2:
        return kept << scale + 2
    whole = kept >> -2 - scale
    return whole | 1 if whole << -2 - scale != kept else whole
