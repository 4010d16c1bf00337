#!/usr/bin/env python3
"""Every test that docs/features.md names is there."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def sources_of_tests():
    """{"ui.fill": text of tests/ui/test_fill.cpp and of the files that are part of it}"""
    found = {}
    for path in sorted((ROOT / "tests").rglob("*")):
        if path.suffix in (".cpp", ".h", ".py"):
            name = f"{path.parent.name}.{path.stem.removeprefix('test_')}"
            found[name] = found.get(name, "") + path.read_text()
    return found


def main():
    sources = sources_of_tests()
    bad = []
    count = 0
    for test, functions in re.findall(r"`((?:app|core|gpu|scripts|ui)\.\w+): ([^`]+)`", (ROOT / "docs/features.md").read_text()):
        for function in re.split(r",\s*", functions.strip()):
            count += 1
            if not re.search(rf"\b{re.escape(function)}\b", sources.get(test, "")):
                bad.append(f"docs/features.md: {test} has no {function}")
    print(*bad, f"{count} functions named, {len(bad)} unknown", sep="\n")
    sys.exit(bool(bad) or count < 500)


if __name__ == "__main__":
    main()
