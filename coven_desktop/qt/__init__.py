"""The one place where Qt is imported, so that a problem of the binding is mended in one place."""
