"""The scheduler: one thread owns the state; passes, commands and reads, with no Qt, no sockets and no SQL driver."""
