"""What environments raise."""
from . import UsageError as _UsageError


class Error(Exception):
    """What is wrong, where (such as "settings/days", or empty), and how to fix it (or empty)."""

    def __init__(self, problem, where="", hint=""):
        super().__init__(problem, where, hint)
        self.problem, self.where, self.hint = problem, where, hint

    def __str__(self):
        text = f"{self.where}: {self.problem}" if self.where else self.problem
        return f"{text}\nhint: {self.hint}" if self.hint else text


class UsageError(Error, _UsageError):
    """This package was used wrongly."""


class InvalidError(Error):
    """Something that was given is not valid: settings, an agent, an answer."""


class FailedError(Error):
    """The machine could not do it, or a game broke."""
