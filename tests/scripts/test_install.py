"""What `cmake --install` gives a desktop: the program, its entry, its description and its icon."""
import configparser
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree
from pathlib import Path

BUILD = sys.argv.pop(1)
ID = "org.attnlab.AttnLab"


class Install(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.root = Path(cls.folder.name)
        subprocess.run(["cmake", "--install", BUILD, "--prefix", str(cls.root)], check=True, capture_output=True)
        cls.entry_file = cls.root / "share/applications" / f"{ID}.desktop"
        cls.metainfo_file = cls.root / "share/metainfo" / f"{ID}.metainfo.xml"

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def entry(self):
        entry = configparser.ConfigParser(interpolation=None)
        entry.optionxform = str
        entry.read(self.entry_file, encoding="utf-8")
        return entry["Desktop Entry"]

    def test_the_entry_starts_the_program_and_has_an_icon(self):
        entry = self.entry()
        program = entry["Exec"].split()[0]
        self.assertTrue(os.access(self.root / "bin" / program, os.X_OK))
        icon = self.root / "share/icons/hicolor/scalable/apps" / f"{entry['Icon']}.svg"
        self.assertTrue(xml.etree.ElementTree.parse(icon).getroot().tag.endswith("svg"))
        self.assertNotIn("MimeType", entry)  # none of the types that are read is registered as the program's own

    def test_the_description_belongs_to_the_entry(self):
        root = xml.etree.ElementTree.parse(self.metainfo_file).getroot()
        self.assertEqual(root.findtext("id"), ID)
        self.assertEqual(root.findtext("launchable"), self.entry_file.name)
        self.assertEqual(root.findtext("project_license"), "GPL-3.0-or-later")
        self.assertEqual(root.findtext("provides/binary"), self.entry()["Exec"].split()[0])

    def test_the_licence_is_there(self):
        self.assertTrue(list(self.root.glob("share/doc/*/LICENSE")))

    def test_the_sample_model_is_there_and_opens(self):
        folder = self.root / "share/attnlab/models/sample"
        result = subprocess.run([self.root / "bin" / self.entry()["Exec"].split()[0], "model", folder, "--text", "When Mary"],
                                env=os.environ | {"QT_QPA_PLATFORM": "offscreen"}, capture_output=True, text=True)
        self.assertEqual(result.returncode, 0, result.stderr)

    def check(self, tool, *arguments):
        if not shutil.which(tool):
            self.skipTest(f"{tool} is not there")
        result = subprocess.run([tool, *arguments], capture_output=True, text=True)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)

    def test_the_entry_is_valid(self):
        self.check("desktop-file-validate", str(self.entry_file))

    def test_the_description_is_valid(self):
        self.check("appstreamcli", "validate", "--no-net", str(self.metainfo_file))


if __name__ == "__main__":
    unittest.main()
