"""Every page and panel of the window, as a screen reader and a keyboard meet them."""
import os
import re
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import screen_reader  # noqa: E402

PROGRAM = sys.argv.pop(1)
screen_reader.run_in_session(__file__, [PROGRAM, *sys.argv[1:]])

from screen_reader import Atspi, Window, act, has, is_label_of, wait_for  # noqa: E402
from screen_reader_pages import pages, write_arrays, write_long_head  # noqa: E402

NAMED = ("push button", "push button menu", "check box", "radio button", "combo box", "slider", "spin button", "chart",
         "table", "list", "tree", "text", "page tab", "page tab list", "progress bar", "menu item", "scroll bar",
         "table cell", "image")
HOLDERS = ("table", "list", "tree", "tree table", "page tab list")  # of what has the focus
SAID_WITH_A_VALUE = re.compile(r".+: .+", re.DOTALL)


def faults_of(node, parent, before):
    """What is wrong with an object, in words; `before` is the one before it in its parent."""
    role, name, description = node.get_role_name(), node.get_name(), node.get_description()
    focusable = has(node, "FOCUSABLE")
    if (focusable or role in NAMED) and not name.strip():
        yield "has no name"
    if role in ("filler", "unknown") and (focusable or (name and node.get_child_count() == 0)):
        yield "has no role"
    if re.match(r"Q[A-Z]\w+$|\w+::", name):
        yield "is named like a class"
    if re.search(r"</?(qt|html|body|p|br|b|i|a|span|su[bp]|font|table|t[rd])\b[^>]*>|&(lt|gt|amp|nbsp|quot);", name + description):
        yield "has tags in its texts"
    if re.match(r"\W*:", name):
        yield "has a hole in its name"
    if name and (description == name or description.startswith(name + "\n")):
        yield "repeats its name in its description"
    if re.match(r"\s*[:;,.…]", description):
        yield "has a hole in its description"
    if role == "combo box" and not SAID_WITH_A_VALUE.match(name):
        yield "does not say what is chosen with it"
    if role == "page tab list" and any(name == node.get_child_at_index(i).get_name()
                                       for i in range(node.get_child_count())):
        yield "is named by one of its tabs"
    if role in ("push button", "check box", "radio button") and node.get_child_count():
        yield "has parts that repeat what it says"
    if before and before.get_role_name() == "label" and before.get_name().strip():
        label = before.get_name().strip(": ").casefold()
        repeated = name.casefold() == label or name.casefold().startswith(label + ": ")
        if repeated and role != "table cell" and not is_label_of(before, node):
            yield f"is said twice: by the label before it, '{before.get_name()}', that is not its label"


def table_faults(node):
    table = node.get_table_iface()
    if not table:
        yield "has no cells"
        return
    rows, columns = Atspi.Table.get_n_rows(table), Atspi.Table.get_n_columns(table)
    if rows < 1 or columns < 1:
        yield f"has {rows} rows and {columns} columns"
    for row, column in {(0, 0), (rows - 1, columns - 1)} if rows > 0 < columns else ():
        cell = Atspi.Table.get_accessible_at(table, row, column)
        if not cell or not cell.get_name().strip():
            yield f"does not say its cell {row}, {column}"
        if not Atspi.Table.get_row_description(table, row).strip():
            yield f"does not name its row {row}"
        if not Atspi.Table.get_column_description(table, column).strip():
            yield f"does not name its column {column}"


class ScreenReader(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.window = Window(PROGRAM)
        cls.window.find("table", "weights")
        for panel in ("Inputs", "Mask"):  # closed at first in a window of this size, and one at a time at the right
            cls.window.choose("View", "Panels", "Place of " + panel, "At the left")
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        write_arrays(cls.folder.name)

    @classmethod
    def tearDownClass(cls):
        cls.window.close()

    def faults(self):
        """Of everything on the screen, or of the dialog over it."""
        found, focused = [], []
        for parent in self.window.shown(self.window.dialog()):
            role = parent.get_role_name()
            is_table = role in HOLDERS[:4]
            if role == "table":
                found += [f"table '{parent.get_name()}' {fault}" for fault in table_faults(parent)]
            chosen, before = [], None
            for i in range(min(parent.get_child_count(), 24 if is_table else 400)):
                node = parent.get_child_at_index(i)
                if not node or not has(node, "SHOWING"):
                    continue
                where = f"{node.get_role_name()} '{node.get_name()[:80]}' in '{parent.get_name()[:60]}'"
                found += [f"{where} {fault}" for fault in faults_of(node, parent, before)]
                if node.get_role_name() == "radio button" and has(node, "CHECKED"):
                    chosen.append(node.get_name())
                # Qt says so of the current cells of tables and lists without the focus too.
                is_item = node.get_role_name() in ("table cell", "list item") and not has(parent, "FOCUSED")
                is_inside = is_item or role == "text" or node.get_role_name() == "panel"  # of the focused button
                if has(node, "FOCUSED") and node.get_role_name() not in HOLDERS and not is_inside:
                    focused.append(where)
                before = node
            if len(chosen) > 1:
                found.append(f"chosen at once: {chosen}")
        if len(focused) > 1:
            found.append(f"focused at once: {focused}")
        return found

    def walk(self):
        """The stops of the Tab key, until it comes to one again."""
        window, stops = self.window, []
        window.screen.focus()
        for _ in range(80):
            window.events.clear()
            window.key("Tab")
            window.hears("focused", "", "after the Tab key")
            window.settle()  # a list says its first item before itself
            place = next(event[2:] for event in reversed(window.events) if event[0] == "focused" and event[1])
            if stops and place == stops[0]:
                return stops
            stops.append(place)
        self.fail(f"the Tab key does not come back: {stops}")

    def table_of(self, start, words):
        """A table on the screen whose name begins so, and that has a cell with these words."""
        def found():
            for node in self.window.shown():
                table = node.get_table_iface() if node.get_role_name() == "table" else None
                if table and node.get_name().startswith(start):
                    for i in range(min(node.get_child_count(), 400)):
                        if words in node.get_child_at_index(i).get_name():
                            return node.node
            return None
        return wait_for(found, f"table '{start}' with '{words}'")

    def to_matrix(self):
        self.window.key("Escape")
        self.window.open_sample("Four heads")
        self.table_of("weights · head 0", "fox → brown: 0.68722")

    def test_every_page(self):
        window = self.window
        for page in pages(self.folder.name):
            with self.subTest(page.name):
                for step in page.steps:
                    step(window)
                for role, start in page.there:
                    window.find(role, start)
                if page.table:
                    self.table_of(*page.table)
                if not page.is_popup:  # whose contents Qt shows by the focus alone
                    self.assertEqual([], self.faults())
                if page.walk:
                    self.check_walk()
        window.key("Escape")
        window.choose("Go", "Workspace")
        self.to_matrix()

    def check_walk(self):
        stops = self.walk()
        self.assertEqual([], [stop for stop in stops if not stop[1].strip()])
        self.assertLess(len(stops), 45, stops)
        self.assertEqual(len(set(stops)), len(stops), f"passed twice: {stops}")

    def test_the_matrix_is_one_stop_and_says_each_cell(self):
        window = self.window
        self.to_matrix()
        heatmap = self.table_of("weights · head 0", "fox → brown: 0.68722")
        self.assertEqual("fox", Atspi.Table.get_row_description(heatmap.get_table_iface(), 3))
        self.assertEqual("brown", Atspi.Table.get_column_description(heatmap.get_table_iface(), 2))
        window.screen.focus()
        heatmap.get_component_iface().grab_focus()
        window.hears("focused", "", "by the focus")
        for pressed, cell in (("Right", "fox → "), ("Right", "fox → "), ("Down", "jumped → "), ("Left", "jumped → ")):
            window.events.clear()
            window.key(pressed)
            said = window.hears("focused", cell, f"after {pressed}")
            self.assertEqual("table cell", said[2])
        before = said[3]
        # Other numbers below the cursor are said.
        window.events.clear()
        window.press("Head 1")
        wait_for(lambda: [e for e in window.listen() if e[0] == "accessible-name" and e[2] == "table cell" and
                          e[3].startswith(before.split(": ")[0]) and e[3] != before], "name of the cell in another head")
        window.press("Head 0")
        window.key("Escape")

    def test_choices_say_their_state(self):
        window = self.window
        self.to_matrix()
        self.assertTrue(has(window.find("radio button", "Head 0"), "CHECKED"))
        window.press("Head 1")
        wait_for(lambda: has(window.find("radio button", "Head 1"), "CHECKED"), "choice of head 1")
        self.assertFalse(has(window.find("radio button", "Head 0"), "CHECKED"))
        window.press("Head 0")
        more = window.find("push button", "Value of blocked cells")
        self.assertTrue(has(more, "EXPANDABLE"))
        before = has(more, "EXPANDED")
        act(more)
        wait_for(lambda: has(more, "EXPANDED") != before, "other state of what unfolds")
        act(more)

    def test_what_is_chosen_in_a_list_is_said_when_it_changes(self):
        window = self.window
        self.to_matrix()
        window.screen.focus()
        window.find("combo box", "Order of the heads: by number").get_component_iface().grab_focus()
        window.events.clear()
        window.key("Down")
        said = wait_for(lambda: next((e for e in window.listen() if e[0].startswith("accessible-") and
                                      e[2] == "combo box"), None), "change of the list")
        self.assertRegex(said[3], "Order of the heads: by (?!number)")
        window.key("Up")
        window.find("combo box", "Order of the heads: by number")

    def test_the_mask_says_what_is_painted(self):
        window = self.window
        self.to_matrix()
        grid = self.table_of("Mask: rows are queries", "The → quick: kept")
        act(grid.get_child_at_index(1))
        self.table_of("Mask: rows are queries", "The → quick: blocked by painted")
        self.table_of("weights · head 0", "The → quick: masked")
        window.choose("Edit", "Undo")
        self.table_of("Mask: rows are queries", "The → quick: kept")

    def test_a_map_is_a_table(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "long.npz")
            write_long_head(path)
            subprocess.run([PROGRAM, path], check=True, timeout=60)
            heatmap = self.table_of("", "0 → 0: ")
            cells = heatmap.get_table_iface()
            self.assertEqual((2100, 2100), (Atspi.Table.get_n_rows(cells), Atspi.Table.get_n_columns(cells)))
            wait_for(lambda: Atspi.Table.get_accessible_at(cells, 2099, 7).get_name(), "cell of the last row")
            self.assertEqual([], self.faults())
            self.check_walk()
        self.to_matrix()

    def test_every_value_of_the_inspector_is_read(self):
        self.to_matrix()
        words = "\n".join(node.get_name() for node in self.window.shown())
        for value in ("“fox” reads mostly “brown”: 69%", "q·k: 2.81 + 0.20 + 0.39 + 2.61 = 6.0013",
                      "1.0000 / 1.4551 = 0.6872", "brown: 0.687; quick: 0.097",
                      "effective keys: 3.103", "exact (64-bit)", "Head 0: previous token, mean entropy 1.29 nats"):
            self.assertIn(value, words)

    def test_the_numbers_of_a_table_are_read(self):
        self.to_matrix()
        table = self.window.find("table", "Numbers of the tensor")
        cells = [Atspi.Table.get_accessible_at(table, 0, column) for column in range(2)]
        for cell in cells:
            float(cell.get_name().replace("\N{MINUS SIGN}", "-").split()[-1])


if __name__ == "__main__":
    unittest.main()
