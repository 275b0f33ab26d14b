"""The local socket API: HTTP/1.1 over a Unix socket in the home (contract/api.md)."""
