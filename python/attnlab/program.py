"""The program `attnlab`: where it is, and what it says."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from .arrays import require_text
from .errors import AttnLabError, ProgramError


def program() -> str:
    """`ATTNLAB` of the environment, else the one in this package, else on the PATH, else where it was built beside this
    folder."""
    given = os.environ.get("ATTNLAB")
    if given:
        if not os.access(given, os.X_OK):
            raise ProgramError(f"ATTNLAB: is {given!r}, expected the program attnlab")
        return given
    bundled = Path(__file__).resolve().parent / "bundled" / "attnlab"
    if os.access(bundled, os.X_OK):
        return str(bundled)
    found = shutil.which("attnlab")
    if found:
        return found
    builds = Path(__file__).resolve().parents[2] / "build"
    for preset in ("release", "dev", "ci"):
        built = builds / preset / "app" / "attnlab"
        if os.access(built, os.X_OK):
            return str(built)
    raise ProgramError("the program attnlab is not on the PATH; ATTNLAB of the environment may say where it is")


def main() -> None:
    """The command `attnlab` of a wheel that brings the program."""
    own = program()
    os.execv(own, [own, *sys.argv[1:]])


def run(arguments: list[str], accepted: tuple[int, ...] = (0,)) -> subprocess.CompletedProcess[str]:
    """Runs a command; raises ProgramError with what it says unless its code is one of `accepted`."""
    for argument in arguments:
        if "\0" in require_text(argument, "an option of the program"):
            raise AttnLabError(f"an option of the program: is {argument!r}, expected text without a NUL character")
    try:
        done = subprocess.run([program(), *arguments], capture_output=True, text=True, encoding="utf-8",
                              errors="replace", check=False)
    except OSError as error:
        raise ProgramError(f"{program()}: cannot be run: {error.strerror}") from error
    if done.returncode not in accepted:
        raise ProgramError(done.stderr.strip() or f"attnlab has ended with code {done.returncode}")
    return done


def json_of(text: str) -> dict[str, Any]:
    """What the program has printed with --json."""
    try:
        return dict(json.loads(text))
    except (ValueError, TypeError) as error:
        raise ProgramError(f"attnlab has printed {text[:80]!r}, expected JSON") from error
