"""Conformance: vector files of the contract, each case computed by the app's own functions on a store of its own."""
