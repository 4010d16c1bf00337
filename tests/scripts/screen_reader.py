"""A window as a screen reader meets it, over AT-SPI, in an X server and a session bus of its own."""
import ctypes
import os
import shutil
import subprocess
import sys
import tempfile
import time

INSIDE = "ATTNLAB_TEST_IN_SESSION"
TOOLS = ("Xvfb", "dbus-run-session")
SKIPPED = 77


def start_screen(tries=5):
    """An X server and its name. One that stops at the same time may take the socket of the new one with it."""
    x = ctypes.CDLL("libX11.so.6")
    x.XOpenDisplay.restype = ctypes.c_void_p
    for _ in range(tries):
        display, chosen = os.pipe()
        screen = subprocess.Popen(["Xvfb", "-displayfd", str(chosen), "-screen", "0", "1440x900x24", "-nolisten", "tcp",
                                   "-noreset", "-ac"], pass_fds=[chosen], stderr=subprocess.DEVNULL)
        os.close(chosen)
        with os.fdopen(display) as number:
            name = ":" + number.readline().strip()
        time.sleep(0.3)
        if x.XOpenDisplay(name.encode()):
            return screen, name
        screen.terminate()
        screen.wait()
    raise AssertionError(f"no X server after {tries} tries")


def run_in_session(script, arguments):
    """Runs the script again inside. Does not return outside."""
    if os.environ.get(INSIDE):
        return
    missing = [tool for tool in TOOLS if not shutil.which(tool)]
    try:
        import gi
        gi.require_version("Atspi", "2.0")
    except (ImportError, ValueError):
        missing.append("gir1.2-atspi-2.0")
    if missing:
        print("screen reader: skipped, without " + ", ".join(missing))
        sys.exit(SKIPPED)
    screen, name = start_screen()
    # What the session leaves running, such as the program after a failure, may still write there.
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        os.mkdir(os.path.join(folder, "runtime"), 0o700)
        own = {INSIDE: "1", "DISPLAY": name, "HOME": folder, "XDG_CONFIG_HOME": f"{folder}/config",
               "XDG_DATA_HOME": f"{folder}/data", "XDG_CACHE_HOME": f"{folder}/cache",
               "XDG_RUNTIME_DIR": f"{folder}/runtime", "LC_ALL": "C.UTF-8", "QT_QPA_PLATFORM": "xcb",
               "QT_LINUX_ACCESSIBILITY_ALWAYS_ON": "1"}
        try:
            code = subprocess.run(["dbus-run-session", "--", sys.executable, "-W", "ignore", script, *arguments],
                                  env={**os.environ, **own}).returncode
        finally:  # with its screen every window ends, too
            screen.terminate()
            screen.wait()
    sys.exit(code)


if os.environ.get(INSIDE):
    import gi
    gi.require_version("Atspi", "2.0")
    from gi.repository import Atspi, GLib

REPLY_MILLISECONDS = 30000  # AT-SPI gives a busy program 800
KEYS = {"Tab": 0xff09, "Escape": 0xff1b, "Left": 0xff51, "Up": 0xff52, "Right": 0xff53, "Down": 0xff54,
        "Home": 0xff50, "Return": 0xff0d}


def wait_for(found, what, seconds=30, pause=0.02):
    """What `found` returns, as soon as that is something."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        try:
            result = found()
        except GLib.Error:  # something has gone meanwhile
            result = None
        if result:
            return result
        time.sleep(pause)
    raise AssertionError(f"no {what} within {seconds} s")


class Screen:
    """Without a window manager nobody gives windows the focus."""

    # A tip may go between the list of windows and a question about it. Xlib would end the process.
    ignore_errors = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)(lambda display, error: 0)

    def __init__(self):
        self.x = ctypes.CDLL("libX11.so.6")
        self.x.XSetErrorHandler(self.ignore_errors)
        self.x.XOpenDisplay.restype = ctypes.c_void_p
        self.x.XDefaultRootWindow.restype = ctypes.c_ulong
        self.display = ctypes.c_void_p(self.x.XOpenDisplay(None))

    def windows(self):
        """Those on the screen, the topmost last."""
        root = ctypes.c_ulong(self.x.XDefaultRootWindow(self.display))
        unused, count, ids = ctypes.c_ulong(), ctypes.c_uint(), ctypes.POINTER(ctypes.c_ulong)()
        self.x.XQueryTree(self.display, root, ctypes.byref(unused), ctypes.byref(unused), ctypes.byref(ids),
                          ctypes.byref(count))
        sizes = []
        for i in range(count.value):
            size = [ctypes.c_uint() for _ in range(6)]
            viewable = ctypes.create_string_buffer(256)
            if not self.x.XGetGeometry(self.display, ctypes.c_ulong(ids[i]), ctypes.byref(unused),
                                       *[ctypes.byref(part) for part in size]):
                continue
            if not self.x.XGetWindowAttributes(self.display, ctypes.c_ulong(ids[i]), viewable):
                continue
            map_state = ctypes.cast(viewable, ctypes.POINTER(ctypes.c_int))[23]
            if map_state == 2 and size[2].value * size[3].value > 10000:
                sizes.append(ids[i])
        return sizes

    def focus(self):
        """The topmost window has it."""
        windows = self.windows()
        if windows:
            self.x.XSetInputFocus(self.display, ctypes.c_ulong(windows[-1]), 2, ctypes.c_ulong(0))
            self.x.XSync(self.display, 0)


class Seen:
    """An object as it was when first asked: every question is a message to the program and back."""

    def __init__(self, node):
        self.node = node
        self.answers = {}

    def __getattr__(self, question):
        def ask(*what):
            if (question, what) not in self.answers:
                answer = getattr(self.node, question)(*what)
                is_child = question == "get_child_at_index" and answer
                self.answers[question, what] = Seen(answer) if is_child else answer
            return self.answers[question, what]
        return ask


class Window:
    def __init__(self, program):
        self.program = program
        self.process = subprocess.Popen([program])
        Atspi.set_timeout(REPLY_MILLISECONDS, -1)
        self.root = wait_for(self.application, "window")
        self.screen = Screen()
        self.events = []
        self.listener = Atspi.EventListener.new(self.heard)
        for kind in ("state-changed:focused", "property-change:accessible-name",
                     "property-change:accessible-description", "property-change:accessible-value"):
            self.listener.register("object:" + kind)

    def close(self):
        self.process.terminate()
        self.process.wait()

    def application(self):
        if self.process.poll() is not None:
            raise AssertionError(f"the program has stopped with {self.process.returncode}")
        desktop = Atspi.get_desktop(0)
        for i in range(desktop.get_child_count()):
            child = desktop.get_child_at_index(i)
            if child and child.get_process_id() == self.process.pid and child.get_child_count():
                return child
        return None

    def heard(self, event):
        kind = event.type.split(":")[-1]
        try:
            groups = []
            if kind == "focused" and event.detail1:  # where it is: which button of this name
                around = event.source.get_parent()
                while around:
                    groups.append(around.get_name())
                    around = around.get_parent()
            self.events.append((kind, event.detail1, event.source.get_role_name(), event.source.get_name(),
                                *[name for name in groups if name]))
        except GLib.Error:  # it has gone
            pass

    def listen(self):
        context = GLib.MainContext.default()
        while context.pending():
            context.iteration(False)
        return self.events

    def settle(self):
        """Waits until the program has said what it had to say of what happened so far."""
        for i in range(self.root.get_child_count()):
            try:
                Atspi.Component.get_extents(self.root.get_child_at_index(i), Atspi.CoordType.SCREEN)
            except (GLib.Error, TypeError):  # a tip that has gone
                pass
        self.listen()

    def hears(self, kind, start, what, seconds=10):
        """An event of something whose name begins so."""
        return wait_for(lambda: next((e for e in self.listen() if e[0] == kind and (kind != "focused" or e[1]) and
                                      e[3].startswith(start)), None), f"{kind} of '{start}' {what}", seconds, 0.003)

    def shown(self, top=None):
        """Everything on the screen, as Seen, parents first; the first cells alone of a table."""
        first = Seen(top or self.root)
        waiting = [first]
        while waiting:
            node = waiting.pop()
            if (node is not first or top) and not has(node, "SHOWING"):
                continue
            yield node
            most = 24 if node.get_role_name() in ("table", "list", "tree", "tree table") else 400
            children = [node.get_child_at_index(i) for i in range(min(node.get_child_count(), most))]
            waiting += [child for child in reversed(children) if child]

    def dialog(self):
        """The one that was opened last, if any is open."""
        tops = [self.root.get_child_at_index(i) for i in range(self.root.get_child_count())]
        return next((top for top in reversed(tops) if top and top.get_role_name() in ("dialog", "alert") and
                     has(top, "SHOWING")), None)

    def maybe(self, role, start, top=None):
        for node in self.shown(top):
            if node.get_role_name() in role.split("|") and node.get_name().startswith(start):
                return node.node
        return None

    def find(self, role, start):
        return wait_for(lambda: self.maybe(role, start), f"{role} '{start}'")

    def press(self, start, role="push button|check box|radio button|page tab"):
        node = self.find(role, start)
        if not act(node):
            raise AssertionError(f"'{node.get_name()}' cannot be pressed")

    def choose(self, *path):
        """A command of the menus."""
        at = self.find("menu bar", "")
        for title in path:
            if at.get_role_name() == "menu item":
                at = at.get_child_at_index(0)
            items = [at.get_child_at_index(i) for i in range(at.get_child_count())]
            at = next((item for item in items if item and item.get_name().startswith(title)), None)
            if not at:
                raise AssertionError(f"no '{title}' among {[item.get_name() for item in items if item]}")
        return act(at)

    def open_sample(self, start):
        """By its card in the gallery of samples."""
        self.choose("File", "Samples")
        gallery = wait_for(self.dialog, "gallery of samples")
        act(wait_for(lambda: self.maybe("push button", start, gallery), f"card '{start}'"))
        wait_for(lambda: not has(gallery, "SHOWING"), "end of the gallery")

    def ask(self, action):
        """An action that answers only when the dialog or menu that it opens is closed."""
        Atspi.set_timeout(200, -1)
        try:
            action()
        except GLib.Error:  # no answer yet
            pass
        finally:
            Atspi.set_timeout(REPLY_MILLISECONDS, -1)

    def give_file(self, path, *, asking):
        """Names a file to the dialog that `asking`, an action, opens."""
        self.ask(asking)
        name = self.find("text", "File name")
        Atspi.EditableText.set_text_contents(name, path)
        dialog = name
        while dialog.get_role_name() != "dialog":
            dialog = dialog.get_parent()
        act(wait_for(lambda: self.maybe("push button", "Open", dialog), "button Open"))
        wait_for(lambda: not self.maybe("text", "File name"), "end of the dialog")

    def key(self, name):
        Atspi.generate_keyboard_event(KEYS[name], None, Atspi.KeySynthType.SYM)


def has(node, state):
    return node.get_state_set().contains(getattr(Atspi.StateType, state))


def act(node):
    for i in range(Atspi.Action.get_n_actions(node)):
        if Atspi.Action.get_action_name(node, i) in ("Press", "Toggle", "ShowMenu"):
            return Atspi.Action.do_action(node, i)
    return False


def is_label_of(label, other):
    for relation in label.get_relation_set():
        if relation.get_relation_type() == Atspi.RelationType.LABEL_FOR:
            for i in range(relation.get_n_targets()):
                if relation.get_target(i) == other.node:
                    return True
    return False
