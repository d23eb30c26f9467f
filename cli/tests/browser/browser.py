"""A headless Chromium, driven over its DevTools protocol through a pipe: nothing but Python's own library."""

import base64
import json
import os
import select
import shutil
import struct
import subprocess
import tempfile
import time
import zlib

NAMES = ["chromium", "chromium-browser", "google-chrome", "chrome"]
FLAGS = [
    "--headless=new", "--remote-debugging-pipe", "--no-first-run", "--disable-gpu", "--disable-dev-shm-usage",
    "--disable-background-networking", "--hide-scrollbars", "--force-device-scale-factor=1", "--lang=en",
]
SIZE = (1500, 950)
KEYS = {"Tab": 9, "Enter": 13, "Escape": 27, "End": 35, "Home": 36, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39,
        "ArrowDown": 40}
TIMEOUT = 30.0


class Browser:
    """One process with one page."""

    def __init__(self):
        program = next(filter(None, map(shutil.which, NAMES)), None)
        if program is None:
            raise RuntimeError("no Chromium is installed: one of " + ", ".join(NAMES))
        # Helpers of the browser may still write when it has ended.
        self.profile = tempfile.TemporaryDirectory(prefix="windrow-browser-", ignore_cleanup_errors=True)
        (to_read, self.write_end), (self.read_end, to_write) = os.pipe(), os.pipe()
        # Root has no sandbox of its own.
        flags = FLAGS + ["--user-data-dir=" + self.profile.name] + (["--no-sandbox"] if os.geteuid() == 0 else [])
        command = ["sh", "-c", f'exec "$@" 3<&{to_read} 4>&{to_write}', "sh", program, *flags, "about:blank"]
        quiet = subprocess.DEVNULL
        self.process = subprocess.Popen(command, pass_fds=(to_read, to_write), stdin=quiet, stdout=quiet, stderr=quiet)
        os.close(to_read)
        os.close(to_write)
        self.buffer, self.last, self.events, self.session = b"", 0, [], None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ["Page", "Runtime", "Log", "Network", "DOM", "Accessibility"]:
            self.call(domain + ".enable")
        self.call("Emulation.setFocusEmulationEnabled", enabled=True)
        self.look()

    def close(self):
        self.process.terminate()
        self.process.wait(timeout=TIMEOUT)
        os.close(self.write_end)
        os.close(self.read_end)
        self.profile.cleanup()

    def call(self, method, **parameters):
        self.last += 1
        message = {"id": self.last, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.write_end, json.dumps(message).encode() + b"\0")
        while True:
            message = self.receive()
            if message.get("id") == self.last:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']['message']}")
                return message["result"]
            self.events.append(message)

    def receive(self):
        while b"\0" not in self.buffer:
            if not select.select([self.read_end], [], [], TIMEOUT)[0]:
                raise RuntimeError(f"Chromium has said nothing for {TIMEOUT} seconds")
            part = os.read(self.read_end, 1 << 20)
            if not part:
                raise RuntimeError("Chromium has ended")
            self.buffer += part
        text, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(text)

    def wait_for(self, method):
        end = time.monotonic() + TIMEOUT
        while time.monotonic() < end:
            for index, event in enumerate(self.events):
                if event.get("method") == method:
                    return self.events.pop(index)
            self.events.append(self.receive())
        raise RuntimeError(f"no {method} in {TIMEOUT} seconds")

    def look(self, scheme="light", size=SIZE, scripts=True):
        """How pages that are opened from now on look: still, in a colour scheme, in a window of a size."""
        features = [{"name": "prefers-color-scheme", "value": scheme}, {"name": "prefers-reduced-motion", "value": "reduce"}]
        self.call("Emulation.setEmulatedMedia", features=features)
        self.call("Emulation.setDeviceMetricsOverride", width=size[0], height=size[1], deviceScaleFactor=1, mobile=False)
        self.call("Emulation.setScriptExecutionDisabled", value=not scripts)
        self.has_scripts = scripts

    def open(self, path):
        """Opens a file, and gives the seconds until it is drawn."""
        self.events.clear()
        start = time.monotonic()
        self.call("Page.navigate", url="file://" + os.path.abspath(path).replace("%", "%25").replace("#", "%23").replace("?", "%3F"))
        self.wait_for("Page.loadEventFired")
        drawn = """new Promise(done => { const look = () => {
            if (document.getElementById("data") && !document.body.classList.contains("drawn")) return setTimeout(look, 2);
            requestAnimationFrame(() => requestAnimationFrame(() => done(1))); };
            look(); })"""
        if self.has_scripts:
            self.call("Runtime.evaluate", expression=drawn, awaitPromise=True)
        return time.monotonic() - start

    def complaints(self):
        """What went wrong in the page since it was opened: exceptions, errors in the log, and requests for anything else."""
        found = []
        for event in self.events:
            method, parameters = event.get("method"), event.get("params", {})
            if method == "Runtime.exceptionThrown":
                found.append(json.dumps(parameters["exceptionDetails"])[:500])
            elif method == "Log.entryAdded" and parameters["entry"]["level"] == "error":
                found.append(parameters["entry"]["text"])
            elif method == "Network.requestWillBeSent" and not parameters["request"]["url"].startswith("file://"):
                found.append("request: " + parameters["request"]["url"])
        files = {event["params"]["request"]["url"] for event in self.events if event.get("method") == "Network.requestWillBeSent"}
        return found + ([f"requests: {files}"] if len(files) > 1 else [])

    def js(self, expression):
        """The value of an expression in the page."""
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise RuntimeError(f"{expression}: {json.dumps(result['exceptionDetails'])[:500]}")
        return result["result"].get("value")

    def text(self, selector):
        return self.js(f"document.querySelector({json.dumps(selector)}).innerText")

    def count(self, selector):
        return self.js(f"document.querySelectorAll({json.dumps(selector)}).length")

    def point(self, element):
        """A point of an element, which is an expression of JavaScript: on a character that is in no other one within it."""
        place = self.js(f"""(() => {{
            const e = {element};
            e.scrollIntoView({{ block: "center", inline: "nearest" }});
            const all = document.createTreeWalker(e, NodeFilter.SHOW_TEXT), is_own = (node) =>
                node.data.trim() && node.parentElement.closest(".v") === e.closest(".v");
            while (all.nextNode() && !is_own(all.currentNode));
            const own = all.currentNode.nodeType === Node.TEXT_NODE && is_own(all.currentNode) ? all.currentNode : null;
            let box = e.getClientRects()[0];
            if (own) {{
                const range = document.createRange(), first = own.data.search(/\\S/);
                range.setStart(own, first);
                range.setEnd(own, first + 1);
                box = range.getBoundingClientRect();
            }}
            return [box.x + box.width / 2, box.y + box.height / 2];
        }})()""")
        return {"x": place[0], "y": place[1]}

    def hover(self, element):
        self.call("Input.dispatchMouseEvent", type="mouseMoved", **self.point(element))

    def leave(self):
        self.call("Input.dispatchMouseEvent", type="mouseMoved", x=2, y=2)

    def click(self, element):
        point = self.point(element)
        self.call("Input.dispatchMouseEvent", type="mouseMoved", **point)
        for kind in ["mousePressed", "mouseReleased"]:
            self.call("Input.dispatchMouseEvent", type=kind, button="left", clickCount=1, **point)

    def press(self, *keys, shift=False):
        for key in keys:
            shared = {"key": key, "code": key, "windowsVirtualKeyCode": KEYS[key], "modifiers": 8 if shift else 0}
            text = {"text": "\r"} if key == "Enter" else {}
            self.call("Input.dispatchKeyEvent", type="keyDown" if text else "rawKeyDown", **shared, **text)
            self.call("Input.dispatchKeyEvent", type="keyUp", **shared)

    def screenshot(self, scale):
        """The window as a PNG of this scale."""
        width, height = SIZE
        clip = {"x": 0, "y": 0, "width": width, "height": height, "scale": scale}
        return base64.b64decode(self.call("Page.captureScreenshot", format="png", clip=clip)["data"])


def pixels(png):
    """The width of a PNG, and its pixels row by row as (red, green, blue). For what Chromium writes: 8 bits, not interlaced."""
    place, data, header = 8, b"", None
    while place < len(png):
        (length,), kind = struct.unpack(">I", png[place:place + 4]), png[place + 4:place + 8]
        content = png[place + 8:place + 8 + length]
        if kind == b"IHDR":
            header = struct.unpack(">IIBBBBB", content)
        elif kind == b"IDAT":
            data += content
        place += 12 + length
    width, height, depth, colour, _, _, interlace = header
    if depth != 8 or colour not in (2, 6) or interlace:
        raise ValueError(f"a PNG of {header}")
    step = 3 if colour == 2 else 4
    data, stride = zlib.decompress(data), step * width
    before, found = bytearray(stride), []
    for row in range(height):
        start = row * (stride + 1)
        line = unfiltered(data[start], bytearray(data[start + 1:start + 1 + stride]), before, step)
        found.extend(tuple(line[at:at + 3]) for at in range(0, stride, step))
        before = line
    return width, found


def unfiltered(kind, line, above, step):
    for at in range(len(line)):
        left = line[at - step] if at >= step else 0
        up, corner = above[at], above[at - step] if at >= step else 0
        if kind == 4:
            near = min((abs(up - corner), 0, left), (abs(left - corner), 1, up), (abs(left + up - 2 * corner), 2, corner))
            predicted = near[2]
        else:
            predicted = [0, left, up, (left + up) // 2][kind]
        line[at] = (line[at] + predicted) & 255
    return line
