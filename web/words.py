#!/usr/bin/env python3
"""Writes the translations of every text that the module contains: words.json, by the English text. Run by the build.

Usage: words.py MODULE.wasm TRANSLATIONS.ts WORDS.json
"""
import json
import pathlib
import sys
import xml.etree.ElementTree as ElementTree

module, translations, out = map(pathlib.Path, sys.argv[1:])
texts = module.read_bytes()
words = {}
for context in ElementTree.parse(translations).getroot().iter("context"):
    if context.findtext("name") != "core":
        continue
    for message in context.iter("message"):
        source, translation = message.findtext("source"), message.findtext("translation")
        if translation and source.encode() in texts:
            words[source] = translation
out.write_text(json.dumps(words, ensure_ascii=False), encoding="utf-8")
