"""`covenctl`: the command line door. It speaks to the app's socket and prints tables for people or JSON for programs.

It starts quickly because it loads little: each command is a module that is imported when it is asked for
(`main.COMMANDS`), and neither Qt nor the database is ever loaded here (design/architecture.md, the floors).
"""
