# SPDX-License-Identifier: MIT
import sys

import carrychain

for frame in carrychain.verify(sys.argv[1]):
    print(frame.number, *(f"{layer.protocol} {layer.verdict}" for layer in frame.layers), sep="\t")
