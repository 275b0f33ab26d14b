"""Coven Desktop: recurring work of one person's command-line agents, run on time and proven."""

__version__ = "0.1.0"
