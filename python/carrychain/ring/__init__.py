"""From natural exact-integer code to the machine's ring: the compiler.

Rhodes, Efficient implementations of modular arithmetic on the integers: where only the low
bits of a result are asked for, only the low bits of what it is made of are computed.

    front/   a language's text to IR        ranges, demand, cut, idiom   what each value needs
    interface  what callers see of a function
    ir       the IR and its printed form    check    proves each compiled function, or refuses it
    interpret  what the IR means            emit     IR and containers to machine code
"""
