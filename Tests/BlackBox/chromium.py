"""Controls a headless Chromium over the pipe of its DevTools protocol, without a driver or a package."""

import base64
import json
import os
import shutil
import signal
import subprocess


class Chromium:
    """A browser with one page and a separate profile folder."""

    def __init__(self, folder):
        command_in, self.commands = os.pipe()
        self.answers, answer_out = os.pipe()

        def wire():
            # The protocol uses these two descriptors, so both pipe ends are first moved to other numbers.
            source, target = os.dup(command_in), os.dup(answer_out)
            os.dup2(source, 3)
            os.dup2(target, 4)

        program = shutil.which("chromium") or shutil.which("google-chrome") or "chromium"
        self.process = subprocess.Popen(
            [program, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--hide-scrollbars",
             "--disable-background-networking", "--disable-component-update", "--remote-debugging-pipe", f"--user-data-dir={folder}", "about:blank"],
            preexec_fn=wire, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(command_in)
        os.close(answer_out)
        self.buffer = b""
        self.number = 0
        self.session = None
        self.events = []
        target = next(target for target in self("Target.getTargets")["targetInfos"] if target["type"] == "page")
        self.session = self("Target.attachToTarget", targetId=target["targetId"], flatten=True)["sessionId"]
        for domain in ["Page", "Runtime", "Log", "Network"]:
            self(domain + ".enable")

    def __call__(self, method, **parameters):
        """Calls a method of the protocol and returns its result. Events that arrive in the meantime are kept."""
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.commands, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.read()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer["result"]

    def read(self):
        while b"\0" not in self.buffer:
            part = os.read(self.answers, 1 << 20)
            if not part:
                raise RuntimeError("Chromium has ended")
            self.buffer += part
        text, self.buffer = self.buffer.split(b"\0", 1)
        answer = json.loads(text)
        if "method" in answer:
            self.events.append(answer)
        return answer

    def wait(self, method):
        while True:
            for index, event in enumerate(self.events):
                if event["method"] == method:
                    return self.events.pop(index)
            self.read()

    def open(self, path):
        self.visit("file://" + os.path.abspath(path))

    def visit(self, url):
        self.events = []
        self("Page.navigate", url=url)
        self.wait("Page.loadEventFired")
        self.frame()

    def run(self, expression):
        """Returns the value of an expression in the page, after resolving promises."""
        result = self("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True, allowUnsafeEvalBlockedByCSP=False)
        if "exceptionDetails" in result:
            raise RuntimeError(result["exceptionDetails"].get("exception", {}).get("description") or result["exceptionDetails"]["text"])
        return result["result"].get("value")

    def frame(self):
        """Waits until changes have been drawn."""
        self.run("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(0))))")

    def complaints(self):
        """Returns the errors of the page and the violations of its policy."""
        self.run("0")
        found = []
        for event in self.events:
            parameters = event["params"]
            if event["method"] == "Runtime.exceptionThrown":
                found.append(parameters["exceptionDetails"].get("exception", {}).get("description", "exception"))
            elif event["method"] == "Runtime.consoleAPICalled":
                found.append(f"console.{parameters['type']}")
            elif event["method"] == "Log.entryAdded":
                found.append(parameters["entry"]["text"])
            elif event["method"] == "Page.javascriptDialogOpening":
                found.append("dialog: " + parameters["message"])
        return found

    def requests(self):
        """Returns the addresses that the page has requested."""
        self.run("0")
        return [event["params"]["request"]["url"] for event in self.events if event["method"] == "Network.requestWillBeSent"]

    def size(self, width, height, scheme="light", media=""):
        self("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self("Emulation.setEmulatedMedia", media=media, features=[{"name": "prefers-color-scheme", "value": scheme}])
        self.frame()

    def screenshot(self, path):
        with open(path, "wb") as file:
            file.write(base64.b64decode(self("Page.captureScreenshot", format="png")["data"]))

    def pdf(self, path):
        with open(path, "wb") as file:
            file.write(base64.b64decode(self("Page.printToPDF", preferCSSPageSize=True, printBackground=True)["data"]))

    def key(self, key, modifiers=0):
        named = {"Enter": 13, "Escape": 27, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40, "Tab": 9, "Home": 36, "End": 35}
        text = {} if key in named else {"text": key}
        code = named.get(key, ord(key[0]))
        self("Input.dispatchKeyEvent", type="keyDown", key=key, windowsVirtualKeyCode=code, modifiers=modifiers, **text)
        self("Input.dispatchKeyEvent", type="keyUp", key=key, windowsVirtualKeyCode=code, modifiers=modifiers)
        self.frame()

    def mouse(self, kind, x, y, **more):
        self("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def close(self):
        try:
            self("Browser.close")
        except (RuntimeError, OSError):
            pass
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.send_signal(signal.SIGKILL)
