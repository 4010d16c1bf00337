"""Headless browsers for tests of pages: both run JavaScript in a page and return what it returns, without a driver program.

Chromium is driven through a pipe (DevTools protocol), Firefox through its own socket (Marionette). `messages` has what
a browser reported: errors of scripts, of the policy, and every request other than for the page itself.
"""
import base64
import json
import os
import pathlib
import shutil
import socket
import subprocess
import time

SECONDS = 120


class Chromium:
    PROGRAM = shutil.which("chromium") or shutil.which("chromium-browser")

    def __init__(self, folder):
        to_browser, self._send = os.pipe()
        self._receive, from_browser = os.pipe()

        def pass_pipes():
            first, second = os.dup(to_browser), os.dup(from_browser)
            os.dup2(first, 3)
            os.dup2(second, 4)

        self._process = subprocess.Popen(
            [self.PROGRAM, "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--remote-debugging-pipe",
             "--disable-background-networking", "--disable-component-update", f"--user-data-dir={folder / 'chromium'}"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, preexec_fn=pass_pipes, close_fds=False)
        os.close(to_browser)
        os.close(from_browser)
        self._number, self._rest, self._session, self.messages, self._url = 0, b"", None, [], ""
        target = self._call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self._call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self._call(f"{domain}.enable")

    def _read(self):
        while b"\0" not in self._rest:
            piece = os.read(self._receive, 1 << 20)
            if not piece:
                raise RuntimeError("Chromium has ended")
            self._rest += piece
        message, self._rest = self._rest.split(b"\0", 1)
        return json.loads(message)

    def _call(self, method, **parameters):
        self._number += 1
        request = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            request["sessionId"] = self._session
        os.write(self._send, json.dumps(request).encode() + b"\0")
        while True:
            message = self._read()
            if message.get("id") == self._number:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']}")
                return message["result"]
            self._hear(message)

    def _hear(self, message):
        method, about = message.get("method"), message.get("params", {})
        if method == "Runtime.exceptionThrown":
            self.messages.append(str(about["exceptionDetails"].get("exception", about["exceptionDetails"])))
        elif method == "Log.entryAdded" and about["entry"]["level"] in ("error", "warning"):
            self.messages.append(about["entry"]["text"])
        elif method == "Runtime.consoleAPICalled" and about["type"] in ("error", "warning"):
            self.messages.append(str(about["args"]))
        elif method == "Network.requestWillBeSent" and about["request"]["url"].split("#")[0] != self._url:
            self.messages.append("request: " + about["request"]["url"][:200])

    def open(self, path, state="", script=True):
        self._url = path.as_uri()
        self._call("Emulation.setScriptExecutionDisabled", value=not script)
        self._call("Page.navigate", url="about:blank")
        self._call("Page.navigate", url=f"{self._url}#{state}")
        wait(lambda: self.run("return document.readyState === 'complete' && location.href !== 'about:blank'"))

    def run(self, body):
        done = self._call("Runtime.evaluate", expression=f"(async () => {{ {body} }})()", awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in done:
            raise RuntimeError(done["exceptionDetails"].get("exception", {}).get("description", str(done)))
        return done["result"].get("value")

    def resize(self, width, height, dark=False):
        self._call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 500)
        self._call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])

    def bypass_policy(self):
        """Lets the test itself run scripts that a page's policy forbids, for pages that are opened from now on."""
        self._call("Page.setBypassCSP", enabled=True)

    def picture(self, path):
        data = self._call("Page.captureScreenshot", captureBeyondViewport=True)["data"]
        pathlib.Path(path).write_bytes(base64.b64decode(data))

    def close(self):
        self._process.terminate()
        self._process.wait()
        os.close(self._send)
        os.close(self._receive)


class Firefox:
    PROGRAM = shutil.which("firefox-esr") or shutil.which("firefox")

    def __init__(self, folder):
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        profile = folder / "firefox"
        profile.mkdir()
        (profile / "user.js").write_text(f'user_pref("marionette.port", {port});\n'
                                         'user_pref("datareporting.policy.dataSubmissionEnabled", false);\n'
                                         'user_pref("browser.shell.checkDefaultBrowser", false);\n')
        self._process = subprocess.Popen([self.PROGRAM, "--headless", "--marionette", "--no-remote", "--profile", str(profile)],
                                         stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                         env=dict(os.environ, HOME=str(folder), MOZ_HEADLESS="1"))
        self._socket = wait(lambda: self._connected(port))
        self._rest, self._number, self.messages = b"", 0, []
        self._read()  # its greeting
        self._call("WebDriver:NewSession", {"capabilities": {"alwaysMatch": {"acceptInsecureCerts": True}}})
        self._call("WebDriver:SetTimeouts", {"script": SECONDS * 1000, "pageLoad": SECONDS * 1000})

    @staticmethod
    def _connected(port):
        try:
            return socket.create_connection(("127.0.0.1", port), timeout=SECONDS)
        except OSError:
            return None

    def _more(self):
        piece = self._socket.recv(1 << 20)
        if not piece:
            raise RuntimeError("Firefox has ended")
        self._rest += piece

    def _read(self):
        while b":" not in self._rest:
            self._more()
        size, self._rest = self._rest.split(b":", 1)
        while len(self._rest) < int(size):
            self._more()
        message, self._rest = self._rest[:int(size)], self._rest[int(size):]
        return json.loads(message)

    def _call(self, method, parameters):
        self._number += 1
        request = json.dumps([0, self._number, method, parameters]).encode()
        self._socket.sendall(str(len(request)).encode() + b":" + request)
        _, number, error, result = self._read()
        if error or number != self._number:
            raise RuntimeError(f"{method}: {error}")
        return result

    def open(self, path, state="", script=True):
        self._call("WebDriver:Navigate", {"url": "about:blank"})
        self._call("WebDriver:Navigate", {"url": f"{path.as_uri()}#{state}"})
        self.run("addEventListener('error', event => { (window.found_errors ??= []).push(event.message); });"
                 "addEventListener('securitypolicyviolation', event => { (window.found_errors ??= []).push(event.violatedDirective); });")

    def run(self, body):
        script = f"const done = arguments[arguments.length - 1]; (async () => {{ {body} }})().then(value => done({{value}}), error => done({{failed: String(error)}}));"
        found = self._call("WebDriver:ExecuteAsyncScript", {"script": script, "args": [], "sandbox": None})["value"]
        if "failed" in found:
            raise RuntimeError(found["failed"])
        return found.get("value")

    def resize(self, width, height, dark=False):
        self._call("WebDriver:SetWindowRect", {"width": width, "height": height})

    def picture(self, path):
        data = self._call("WebDriver:TakeScreenshot", {"full": True})["value"]
        pathlib.Path(path).write_bytes(base64.b64decode(data))

    def close(self):
        self.messages += self.run("return window.found_errors ?? []")
        self._socket.close()
        self._process.terminate()
        self._process.wait()


def wait(ready):
    """What `ready` returns once that is true."""
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        found = ready()
        if found:
            return found
        time.sleep(0.05)
    raise RuntimeError(f"nothing came within {SECONDS} seconds")


def browsers():
    """Those that are installed."""
    return [browser for browser in (Chromium, Firefox) if browser.PROGRAM]
