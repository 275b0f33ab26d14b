"""What can be asked of the engine: one function a command, the same for window, socket and command line.

A command takes the request as it stands on the wire, commits, and gives back an `Answer` or a `Pending`.
It raises `Refusal` or `TypedRefusal` when it does not do what was asked, and `StoreFault` when it cannot.
"""
