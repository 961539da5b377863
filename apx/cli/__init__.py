"""The commands of `apx`: one module a noun, put together in `app`."""
