"""The errors of this package."""


class AttnLabError(Exception):
    """Bad data or an impossible request; the text says what is there and what was expected."""


class ProgramError(AttnLabError):
    """The program `attnlab` is missing, or has refused what it was given."""


class NoWindowError(ProgramError):
    """The program cannot open a window here: there is no display."""
