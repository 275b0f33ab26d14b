"""Process trees: the runtimes that can be started, the session host and its evidence.

Empty on purpose: the session host imports this package, and its start lag counts.
"""
