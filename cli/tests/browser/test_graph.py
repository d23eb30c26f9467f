"""The page of `windrow graph --html` in a browser: pointer, keyboard, both colour schemes, and without scripts.

WINDROW names the command, which is built with its networks."""

import os
import subprocess
import tempfile
import unittest
from pathlib import Path

from browser import Browser, pixels

COMMAND = os.path.abspath(os.environ["WINDROW"]) if "WINDROW" in os.environ else "windrow"
MODEL = Path(__file__).parents[3] / "graph/tests/models/residual.onnx"


class GraphTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="windrow-graph-")
        cls.page = os.path.join(cls.folder.name, "graph.html")
        command = [COMMAND, "graph", str(MODEL), "--html", cls.page]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        cls.browser = Browser()

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        cls.folder.cleanup()

    def setUp(self):
        self.browser.look()
        self.browser.leave()
        self.browser.open(self.page)

    def tearDown(self):
        self.assertEqual(self.browser.complaints(), [])

    def kept(self):
        """The number of the step that is shown, and how many buffers are."""
        step = self.browser.js("document.querySelector('tr.on')?.dataset.step ?? null")
        return step, self.browser.count(".buffer.on")

    def press_on(self, selector, *kinds):
        """The mouse in the middle of an element that has a title and no text."""
        place = self.browser.js(f"""(() => {{
            const box = document.querySelector("{selector}").getBoundingClientRect();
            return [box.x + box.width / 2, box.y + box.height / 2];
        }})()""")
        for kind in ("mouseMoved", *kinds):
            button = {"button": "left", "clickCount": 1} if kind != "mouseMoved" else {}
            self.browser.call("Input.dispatchMouseEvent", type=kind, x=place[0], y=place[1], **button)

    def test_a_step_shows_its_buffers_and_a_buffer_its_steps(self):
        self.browser.hover("document.getElementById('step-5')")
        self.assertEqual(self.kept(), ("5", 2))
        self.assertEqual(self.browser.js("document.getElementById('now').getAttribute('visibility')"), "visible")
        self.press_on(".buffer")
        self.assertEqual(self.kept(), (None, 1))
        self.assertGreaterEqual(self.browser.count("tr.near"), 2)
        self.press_on(".buffer", "mousePressed", "mouseReleased")
        self.browser.leave()
        self.assertEqual(self.kept()[0], "3")

    def test_the_keyboard_goes_through_all_steps(self):
        last = str(self.browser.count("tbody tr") - 1)
        self.browser.js("document.getElementById('steps').focus()")
        for key, expected in [("ArrowDown", "0"), ("ArrowDown", "1"), ("ArrowUp", "0"), ("End", last), ("ArrowDown", last)]:
            self.browser.press(key)
            self.assertEqual(self.kept()[0], expected, key)
            self.assertEqual(self.browser.js("document.activeElement.dataset.step"), expected)
            self.assertTrue(self.browser.text("#said").startswith(f"Step {expected}: "))
        self.browser.press("Escape")
        self.assertEqual((self.kept(), self.browser.text("#said")), ((None, 0), ""))
        self.assertEqual(self.browser.js("document.activeElement.id"), "steps")

    def test_both_colour_schemes_have_their_colours(self):
        for scheme, is_right in [("light", lambda mean: mean > 200), ("dark", lambda mean: mean < 60)]:
            self.browser.look(scheme)
            self.browser.open(self.page)
            _, found = pixels(self.browser.screenshot(0.1))
            mean = sum(sum(pixel) for pixel in found) / (3 * len(found))
            self.assertTrue(is_right(mean), f"{scheme}: {mean}")

    def test_all_is_there_without_scripts(self):
        self.browser.look(scripts=False)
        self.browser.open(self.page)
        self.browser.call("Emulation.setScriptExecutionDisabled", value=False)
        self.assertEqual(self.browser.count("tbody tr"), 11)
        self.assertGreater(self.browser.count("svg .buffer"), 3)

    def test_a_narrow_window_has_no_bar_below(self):
        self.browser.look(size=(420, 800))
        self.browser.open(self.page)
        self.assertTrue(self.browser.js("document.documentElement.scrollWidth <= document.documentElement.clientWidth"))


if __name__ == "__main__":
    unittest.main(verbosity=2)
