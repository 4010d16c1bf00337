#!/usr/bin/env python3
"""Writes the translations of every text that the module contains, and of those that the viewer takes from the window, as
phrase('...'): words.json, by the English text. Run by the build.

Usage: words.py MODULE.wasm TRANSLATIONS.ts WORDS.json VIEWER.js...
"""
import json
import pathlib
import re
import sys
import xml.etree.ElementTree as ElementTree

module, translations, out, *viewer = map(pathlib.Path, sys.argv[1:])
texts = module.read_bytes()
phrase_call = re.compile(r"""phrase\((?:'([^']+)'|"([^"]+)")""")
phrases = {one or other for script in viewer for one, other in phrase_call.findall(script.read_text(encoding="utf-8"))}
words = {}
for context in ElementTree.parse(translations).getroot().iter("context"):
    of_engine = context.findtext("name") == "core"
    for message in context.iter("message"):
        source, translation = message.findtext("source"), message.findtext("translation")
        if translation and (source.encode() in texts if of_engine else source in phrases and source not in words):
            words[source] = translation
if missing := phrases - words.keys():
    sys.exit(f"the window has no such texts: {sorted(missing)}")
out.write_text(json.dumps(words, ensure_ascii=False), encoding="utf-8")
