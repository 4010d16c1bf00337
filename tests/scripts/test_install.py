"""What `cmake --install` gives a desktop: the program, its entry, its types of files, its description and its icons."""
import configparser
import os
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree
import zipfile
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

    def test_every_size_of_every_icon_is_there(self):
        icons = [f"apps/{ID}"] + [f"mimetypes/application-vnd.attnlab.{name}" for name in ("workspace", "lesson", "capture")]
        for icon in icons:
            self.assertTrue((self.root / f"share/icons/hicolor/scalable/{icon}.svg").is_file())
            for size in (16, 22, 24, 32, 48, 64, 128, 256, 512):
                header = (self.root / f"share/icons/hicolor/{size}x{size}/{icon}.png").read_bytes()[:24]
                self.assertEqual(struct.unpack(">II", header[16:]), (size, size))

    def test_every_type_of_the_entry_is_described(self):
        types = {element.get("type") for element in
                 xml.etree.ElementTree.parse(self.root / f"share/mime/packages/{ID}.xml").getroot()}
        self.assertEqual(set(self.entry()["MimeType"].strip(";").split(";")), types)

    def test_files_are_known_by_what_they_hold(self):
        if not shutil.which("update-mime-database") or not shutil.which("gio"):
            self.skipTest("shared-mime-info or gio is not there")
        with tempfile.TemporaryDirectory() as home:
            shutil.copytree(self.root / "share/mime", Path(home) / "mime")
            subprocess.run(["update-mime-database", Path(home) / "mime"], check=True, capture_output=True)
            data = Path(__file__).resolve().parents[1] / "data"
            workspace = Path(home) / "new.npz"
            with zipfile.ZipFile(workspace, "w") as archive:
                archive.writestr("workspace.json", "{}")
            for file, type in ((workspace, "vnd.attnlab.workspace"), (data / "stored.npz", "x-npz"), (data / "float64.npy", "x-npy"),
                               (data / "versions/capture.safetensors", "vnd.attnlab.capture"),
                               (data / "every_type.safetensors", "x-safetensors")):
                said = subprocess.run(["gio", "info", "-a", "standard::content-type", file], check=True, capture_output=True, text=True,
                                      env=os.environ | {"XDG_DATA_HOME": home, "XDG_DATA_DIRS": "/usr/share"}).stdout
                self.assertIn(f"application/{type}", said.split("standard::content-type: ")[1], file)

    def test_what_the_program_prints_of_its_commands_is_there(self):
        self.assertIn(".SH SYNOPSIS", (self.root / "share/man/man1/attnlab.1").read_text())
        for shell, place in (("bash", "share/bash-completion/completions/attnlab"), ("zsh", "share/zsh/site-functions/_attnlab"),
                             ("fish", "share/fish/vendor_completions.d/attnlab.fish")):
            self.assertIn("render", (self.root / place).read_text())
            if shutil.which(shell):
                self.check(shell, "-n", str(self.root / place))

    def test_lessons_and_samples_are_there(self):
        share = self.root / "share/attnlab"
        lesson = share / "lessons/01-what-attention-computes"
        ran = subprocess.run([self.root / "bin/attnlab", "lesson", lesson], capture_output=True, text=True)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        self.assertTrue((share / "samples/multi_head_fox.npz").is_file())

    def test_the_engine_of_pages_is_there_where_it_was_built(self):
        built = Path(__file__).resolve().parents[2] / "build/web/web"
        if not (built / "words.json").is_file():
            self.skipTest("scripts/web has not run")
        for name in ("attnlab.wasm", "words.json"):
            self.assertEqual((self.root / "share/attnlab/web" / name).read_bytes(), (built / name).read_bytes(), name)

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
