"""The suites of ``carrychain bench``. ``c_suites`` runs the C program; Python times the other three.

``timing`` takes turns and notices disturbances, ``machine`` names the processor, and ``stored`` reads older
results.
"""
