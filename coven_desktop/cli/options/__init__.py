"""The options of covenctl's commands, one file per subject; only that of the command that is asked for is loaded.

Each function adds the options of one command and answers with what its help ends with: examples, and what the exit
codes mean where that is special.
"""
