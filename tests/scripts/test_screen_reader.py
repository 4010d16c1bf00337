"""The window as a screen reader meets it: over AT-SPI, in an X server and a session bus of its own."""
import os
import shutil
import subprocess
import sys
import tempfile
import time
import unittest
import warnings

PROGRAM = sys.argv.pop(1)
INSIDE = "ATTNLAB_TEST_IN_SESSION"
TOOLS = ("Xvfb", "dbus-run-session")

if not os.environ.get(INSIDE):
    missing = [tool for tool in TOOLS if not shutil.which(tool)]
    try:
        import gi
        gi.require_version("Atspi", "2.0")
    except (ImportError, ValueError):
        missing.append("gir1.2-atspi-2.0")
    if missing:
        print("screen reader: skipped, without " + ", ".join(missing))
        sys.exit(77)
    display, chosen = os.pipe()
    screen = subprocess.Popen(["Xvfb", "-displayfd", str(chosen), "-screen", "0", "1280x800x24", "-nolisten", "tcp", "-ac"],
                              pass_fds=[chosen], stderr=subprocess.DEVNULL)
    os.close(chosen)
    number = os.fdopen(display).readline().strip()
    with tempfile.TemporaryDirectory() as folder:
        os.mkdir(os.path.join(folder, "runtime"), 0o700)
        own = {INSIDE: "1", "DISPLAY": f":{number}", "HOME": folder, "XDG_CONFIG_HOME": f"{folder}/config",
               "XDG_DATA_HOME": f"{folder}/data", "XDG_CACHE_HOME": f"{folder}/cache",
               "XDG_RUNTIME_DIR": f"{folder}/runtime", "LC_ALL": "C.UTF-8", "QT_QPA_PLATFORM": "xcb",
               "QT_LINUX_ACCESSIBILITY_ALWAYS_ON": "1"}
        command = ["dbus-run-session", "--", sys.executable, __file__, PROGRAM, *sys.argv[1:]]
        code = subprocess.run(command, env={**os.environ, **own}).returncode
    screen.terminate()
    screen.wait()
    sys.exit(code)

import gi  # noqa: E402

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi  # noqa: E402

warnings.filterwarnings("ignore", category=DeprecationWarning)


def wait_for(found, what, seconds=30):
    """What `found` returns, as soon as that is something."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        try:
            result = found()
        except gi.repository.GLib.Error:  # something has gone meanwhile
            result = None
        if result:
            return result
        time.sleep(0.1)
    raise AssertionError(f"no {what} within {seconds} s")


class ScreenReader(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.program = subprocess.Popen([PROGRAM])
        cls.root = wait_for(cls.application, "window")
        wait_for(lambda: cls.maybe("chart", "weights"), "heatmap")

    @classmethod
    def tearDownClass(cls):
        cls.program.terminate()
        cls.program.wait()

    @classmethod
    def application(cls):
        desktop = Atspi.get_desktop(0)
        for i in range(desktop.get_child_count()):
            child = desktop.get_child_at_index(i)
            if child and child.get_process_id() == cls.program.pid and child.get_child_count():
                return child
        return None

    @classmethod
    def shown(cls):
        """Everything on the screen, parents first."""
        waiting = [cls.root]
        while waiting:
            node = waiting.pop()
            is_shown = node is cls.root or node.get_state_set().contains(Atspi.StateType.SHOWING)
            if is_shown:
                yield node
                children = [node.get_child_at_index(i) for i in range(min(node.get_child_count(), 200))]
                waiting += [child for child in reversed(children) if child]

    @classmethod
    def maybe(cls, role, start):
        for node in cls.shown():
            if node.get_role_name() in role.split("|") and node.get_name().startswith(start):
                return node
        return None

    def find(self, role, start):
        return wait_for(lambda: self.maybe(role, start), f"{role} '{start}'")

    def press(self, start):
        node = self.find("push button|check box|radio button", start)
        for i in range(Atspi.Action.get_n_actions(node)):
            if Atspi.Action.get_action_name(node, i) in ("Press", "Toggle"):
                Atspi.Action.do_action(node, i)
                return
        self.fail(f"'{node.get_name()}' cannot be pressed")

    def test_whatever_takes_the_focus_has_a_name_and_a_role(self):
        for node in self.shown():
            if not node.get_state_set().contains(Atspi.StateType.FOCUSABLE):
                continue
            where = f"{node.get_role_name()} in '{node.get_parent().get_name()}'"
            self.assertTrue(node.get_name().strip(), f"a {where} has no name")
            if node.get_child_count() == 0:
                self.assertNotEqual(node.get_role_name(), "filler", f"'{node.get_name()}' is a filler")

    def test_every_value_of_the_inspector_is_read(self):
        words = "\n".join(node.get_name() for node in self.shown())
        for value in ("“fox” reads mostly “brown”: 69 %", "q·k: 2.81 + 0.20 + 0.39 + 2.61 = 6.0013",
                      "1.0000 / 1.4551 = 0.6872", "brown: 0.687; quick: 0.097", "entropy: 1.132 nats",
                      "effective keys: 3.103", "reference · float64", "Head 0: previous token, mean entropy 1.29 nats"):
            self.assertIn(value, words)

    def test_the_heatmap_says_what_it_shows_and_follows(self):
        heatmap = self.find("chart", "weights · head 0: Heatmap, 9 rows, 9 columns")
        for part in ("fox", "brown", "0.687"):
            self.assertIn(part, heatmap.get_description())
        before = heatmap.get_description()
        self.press("Head 1")
        other = self.find("chart", "weights · head 1: Heatmap")
        wait_for(lambda: other.get_description() not in ("", before), "description of the other head")
        self.press("Stage scores")
        scores = self.find("chart", "scores · head 1: Heatmap")
        self.assertIn("fox", scores.get_description())
        self.press("Stage weights")
        self.press("Head 0")
        self.find("chart", "weights · head 0: Heatmap")

    def test_the_numbers_of_a_table_are_read(self):
        self.press("Inputs")
        table = wait_for(lambda: self.maybe("table", ""), "table of inputs")
        cells = [Atspi.Table.get_accessible_at(table, 0, column) for column in range(2)]
        for cell in cells:
            float(cell.get_name().replace("\N{MINUS SIGN}", "-").split()[-1])
        self.press("Inputs")


if __name__ == "__main__":
    unittest.main()
