"""The completion scripts, one file a shell: each writes the lines of its script from the commands of the parser."""
