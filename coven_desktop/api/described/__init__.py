"""What the actions and routes take and answer, as data: the reference in api/README.md and openapi.json are made of it.

One file per subject. Nothing here is imported while the app runs: it is for `python -m coven_desktop.api.reference`
and for the tests, which hold every description against what the socket does (tests/api/test_described.py).
"""
