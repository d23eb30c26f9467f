"""The page of `windrow explain --html` in a browser: pointer, keyboard, both colour schemes, hostile text, size and speed.

WINDROW names the command. WINDROW_BLESS=1 writes the screenshots anew."""

import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from browser import SIZE, Browser, pixels
# Its tests run with these.
from test_graph import GraphTest  # noqa: F401

HERE = Path(__file__).parent
COMMAND = os.path.abspath(os.environ["WINDROW"]) if "WINDROW" in os.environ else "windrow"
KERNELS = HERE / "kernels.rs"
OPERATORS = HERE.parents[2] / "operators/src"
MOST_BYTES, MOST_SECONDS = 1_000_000, 1.0
SCALE = 0.1
# Of 255: fonts differ from machine to machine, so that a few cells do, and the mean hardly.
MEAN_DIFFERENCE, FAR, MOST_FAR = 6.0, 60, 0.04


def explain(source, output):
    # The page shows the path as it is given.
    command = [COMMAND, "explain", "--html", source.name, "-o", output]
    subprocess.run(command, cwd=source.parent, check=True, stdout=subprocess.DEVNULL)


def place(text, occurrence=0):
    """The part of the source with exactly this text that a value stands at."""
    same = f"(e => e.textContent === {json.dumps(text)})"
    return f"[...document.querySelectorAll('.v.known')].filter{same}[{occurrence}]"


class PageTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="windrow-page-")
        cls.page = os.path.join(cls.folder.name, "a <b> & 'c' #1.html")
        explain(KERNELS, cls.page)
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

    def choose(self, label, text):
        self.browser.js(f"""(() => {{ const s = document.getElementById({json.dumps(label)});
            s.value = [...s.options].findIndex(o => o.text === {json.dumps(text)});
            s.dispatchEvent(new Event("change")); }})()""")

    def focused(self):
        return self.browser.js("document.activeElement.textContent")

    # What a pointer does.

    def test_a_value_shows_its_range_why_lanes_and_cost(self):
        self.browser.hover(place("sum"))
        value = self.browser.text("#value")
        for expected in ["sum", "u16 in 0..=4080", "computed from", "fits u16: 0..=4080, by intervals", "i16: 16 in a vector of AVX2",
                         "NEON", "with its parts"]:
            self.assertIn(expected, value)
        self.assertGreater(self.browser.count(".row.on"), 4)
        self.assertGreater(self.browser.count("#strip i"), 4)
        self.browser.leave()
        self.assertEqual(self.browser.count(".row.on"), 0)
        self.assertIn("Point at an expression", self.browser.text("#value"))

    def test_code_leads_back_to_the_source(self):
        self.browser.hover("[...document.querySelectorAll('.row')].find(r => r.textContent.includes('_mm256_srai_epi16'))")
        self.assertEqual(self.browser.js("document.querySelector('.v.on').textContent"), "sum >> 4")
        self.assertEqual(self.browser.js("document.querySelector('.line.near').dataset.line"), "9")
        self.browser.hover("[...document.querySelectorAll('.row')].find(r => r.textContent.includes('let src_0_0'))")
        self.assertEqual(self.browser.js("document.querySelector('.v.on').textContent"), "src.at(dx, 0)")

    def test_a_line_of_the_source_shows_its_code(self):
        self.browser.hover("document.querySelector('.line[data-line=\"7\"] .no')")
        self.assertEqual(self.browser.js("document.querySelector('.line.near').dataset.line"), "7")
        lit = self.browser.js("[...document.querySelectorAll('.row.on')].map(r => r.textContent).join('')")
        self.assertIn("_mm256_loadu_si256", lit)
        self.assertNotIn("_mm256_srai_epi16", lit)

    def test_a_click_keeps_a_value_until_escape(self):
        self.browser.click(place("sum >> 4"))
        self.browser.hover(place("column(0)"))
        self.assertEqual(self.browser.text("#value .expr"), "sum >> 4")
        self.assertTrue(self.browser.js("document.body.classList.contains('kept')"))
        visible = """(() => { const [o, i] = ["#code", ".row.on"].map(s => document.querySelector(s).getBoundingClientRect());
            return i.top >= o.top && i.bottom <= o.bottom; })()"""
        self.assertTrue(self.browser.js(visible), "the code from it is in view")
        self.browser.press("Escape")
        self.assertFalse(self.browser.js("document.body.classList.contains('kept')"))
        self.browser.hover(place("column(0)"))
        self.assertEqual(self.browser.text("#value .expr"), "column(0)")

    def test_an_operand_leads_to_its_place(self):
        self.browser.click(place("sum >> 4"))
        self.browser.click("document.querySelector('.operand')")
        self.assertEqual(self.browser.text("#value .expr"), "column(-1) + 2 * column(0) + column(1)")

    def test_kernels_and_bodies_are_chosen(self):
        self.choose("kernel", "above")
        self.assertEqual(self.browser.count("#body option"), 4)
        self.choose("body", "policy = Saturate, only greater")
        self.assertIn("saturating_mul", self.browser.text("#source"))
        self.assertIn("in AVX2", self.browser.text("#code"))
        self.browser.hover(place("scale"))
        self.assertIn("u8 in 1..=9", self.browser.text("#value"))
        self.assertIn("none: it is the same for a whole run", self.browser.text("#value"))
        self.browser.click("document.querySelector('.line[data-line=\"8\"] .no')")
        self.assertEqual(self.browser.js("document.getElementById('kernel').selectedOptions[0].text"), "blur")

    def test_a_kernel_with_loops_says_what_was_chosen(self):
        self.choose("kernel", "total")
        self.assertIn("weighed as whole programs", self.browser.text("#plan"))
        self.assertIn("chosen: as written", self.browser.text("#plan"))
        self.assertIn("a loop’s 32 times", self.browser.text("#covered"))
        self.browser.hover(place("rows[[y.min(height - 1), x]] as u32"))
        self.assertIn("u32 in 0..=255", self.browser.text("#value"))

    def test_every_target_has_its_code(self):
        marks = {"Plain Rust": "wrapping_add", "SSE4.1": "_mm_maddubs_epi16", "AVX2": "_mm256_maddubs_epi16", "AVX-512": "_mm512_",
                 "NEON": "vmlal_u8", "OpenCL C": "blur_block("}
        for name, mark in marks.items():
            self.browser.click(f"[...document.querySelectorAll('[role=tab]')].find(t => t.textContent === {json.dumps(name)})")
            self.assertIn(mark, self.browser.js("document.getElementById('code').textContent"), name)
            self.browser.hover(place("sum"))
            self.assertGreater(self.browser.count(".row.on"), 0, name)
        few = self.browser.count(".row")
        self.browser.click("document.getElementById('whole')")
        self.assertGreater(self.browser.count(".row"), few)
        self.assertIn("border_index", self.browser.js("document.getElementById('code').textContent"))

    # What a keyboard does.

    def test_all_panes_are_reached_by_tab_and_the_focus_is_seen(self):
        seen = []
        for _ in range(16):
            self.browser.press("Tab")
            seen.append(self.browser.js("document.activeElement.closest('[id]')?.id ?? ''"))
            outline = self.browser.js("""(() => { const e = document.activeElement, s = getComputedStyle(e);
                const halo = e.querySelector?.(".halo");
                return halo ? getComputedStyle(halo).stroke !== "none" : s.outlineStyle !== "none" && parseFloat(s.outlineWidth) >= 1; })()""")
            self.assertTrue(outline, f"no outline at {seen[-1]}")
        for pane in ["pipelines", "kernel", "source", "targets", "code", "plan"]:
            self.assertIn(pane, seen)

    def test_arrows_move_among_values(self):
        self.browser.js("document.querySelector('.v[tabindex=\"0\"]').focus()")
        self.browser.press("Home", "ArrowDown")
        self.assertEqual(self.browser.js("document.activeElement.closest('.line').dataset.line"), "8")
        self.browser.press("ArrowRight")
        self.assertEqual(self.browser.text("#value .expr"), self.focused().strip())
        self.browser.press("ArrowUp", "Home")
        self.assertEqual(self.browser.count(".v[tabindex=\"0\"]"), 1)
        self.browser.press("End", "ArrowLeft", "Enter")
        self.assertTrue(self.browser.js("document.body.classList.contains('kept')"))
        self.assertIn("lines of AVX2", self.browser.js("document.getElementById('said').textContent"))

    def test_arrows_move_among_targets(self):
        self.browser.js("document.querySelector('[role=tab][aria-selected=true]').focus()")
        self.browser.press("ArrowRight", "ArrowRight")
        self.assertEqual(self.focused(), "NEON")
        self.assertEqual(self.browser.text("[role=tab][aria-selected=true]"), "NEON")
        self.assertIn("vaddl_u8", self.browser.text("#code"))
        self.assertIn("NEON", self.browser.text("#covered"))

    def test_arrows_move_among_lines_of_code_and_enter_leads_back(self):
        self.browser.js("document.getElementById('code').focus()")
        self.browser.press("ArrowDown", "End", "Home")
        at = self.browser.js("[...document.querySelectorAll('.row')].findIndex(r => r.textContent.includes('_mm256_srai_epi16'))")
        self.browser.press(*["ArrowDown"] * at)
        self.assertEqual(self.browser.text("#value .expr"), "sum >> 4")
        self.browser.press("Enter")
        self.assertEqual(self.focused(), "sum >> 4")

    def test_the_candidates_are_a_plot_and_a_table(self):
        marks = self.browser.count("#plan svg g[data-c]")
        self.assertGreater(marks, 20)
        self.assertEqual(self.browser.count("#plan .ring"), 1)
        self.assertEqual(self.browser.count("#plan tbody tr"), marks)
        self.assertRegex(self.browser.text("#plan .told"), r"Chosen: [a-z ,]+, \d+ × \d+ elements: weight [\d.]+ a vector")
        self.browser.hover("document.querySelector('#plan g[data-c]:not([tabindex=\"0\"])')")
        self.assertNotIn("Chosen", self.browser.text("#plan .told"))
        self.browser.leave()
        self.browser.js("document.querySelector('#plan g[tabindex=\"0\"]').focus()")
        first = self.browser.text("#plan .told")
        self.browser.press("ArrowRight")
        self.assertNotEqual(self.browser.text("#plan .told"), first)
        self.browser.press("ArrowLeft")
        self.assertEqual(self.browser.text("#plan .told"), first)

    # The pictures of pipelines.

    def test_a_pipeline_is_a_picture_of_its_stages_and_images(self):
        texts = self.browser.js("[...document.querySelectorAll('svg.pipeline text')].map(t => t.textContent.trim()).filter(t => t)")
        for expected in ["a: u8, b: u8", "read from the caller", "above", "größer: u8 3×3", "a: u8",
                         "rows of a band; 2 rows at each cut are computed twice", "out: u8", "returned to the caller"]:
            self.assertIn(expected, texts)
        self.assertEqual(self.browser.count("svg.pipeline path"), 5, "a line from a box to a box")
        self.assertEqual(self.browser.count("svg.pipeline path.kept"), 2, "two images are between stages")
        self.assertEqual(self.browser.count("svg.pipeline .arc"), 1, "one passes a stage")
        names = [node["name"]["value"] for node in self.browser.call("Accessibility.getFullAXTree")["nodes"]
                 if node.get("role", {}).get("value") == "image" and "name" in node]
        self.assertIn("The pipeline clearer: its stages from top to bottom, and the images between them", names)

    def test_the_texts_of_a_picture_are_in_it_and_apart(self):
        outside = self.browser.js("""(() => { const all = [...document.querySelectorAll("svg.pipeline text")], found = [];
            const picture = document.querySelector("svg.pipeline").getBoundingClientRect();
            const boxes = all.filter(t => t.textContent.trim()).map(t => [t.textContent, t.getBoundingClientRect()]);
            for (const [text, box] of boxes) {
                if (box.left < picture.left || box.right > picture.right || box.bottom > picture.bottom) found.push(text);
                for (const [other, its] of boxes) if (text < other && box.left < its.right - 1 && its.left < box.right - 1
                    && box.top < its.bottom - 2 && its.top < box.bottom - 2) found.push(text + " / " + other);
            }
            return found; })()""")
        self.assertEqual(outside, [])

    def test_a_picture_stands_out_in_both_schemes(self):
        for scheme in ["light", "dark"]:
            self.browser.look(scheme)
            self.browser.open(self.page)
            found = self.browser.js(PICTURE_CONTRASTS)
            self.assertEqual({kind for kind, _ in found}, {"name", "below", "label", "arc", "kept", "moved", "stage"})
            for kind, contrast in found:
                least = 4.5 if kind in ["name", "below", "label", "arc"] else 3.0
                self.assertGreaterEqual(contrast, least, f"{kind} in {scheme}")

    def test_a_picture_is_scrolled_and_closed_by_keyboard(self):
        self.browser.look(size=(1000, 420))
        self.browser.open(self.page)
        reached = []
        for _ in range(8):
            self.browser.press("Tab")
            reached.append(self.browser.js("document.activeElement.closest('.pipelines') ? document.activeElement.tagName : ''"))
        self.assertEqual([name for name in reached if name], ["SUMMARY", "DIV"])
        scrolled = "document.querySelector('.pipelines div').scrollTop"
        self.browser.js("document.querySelector('.pipelines div').focus()")
        self.assertEqual(self.browser.js(scrolled), 0)
        self.browser.press("End")
        self.browser.js("new Promise(done => setTimeout(done, 200))")
        self.assertGreater(self.browser.js(scrolled), 40)
        self.browser.js("document.querySelector('.pipelines summary').focus()")
        self.browser.press("Enter")
        self.assertFalse(self.browser.js("document.querySelector('.pipelines').open"))

    def test_a_file_whose_pipelines_fuse_nothing_has_a_page(self):
        source = Path(self.folder.name) / "alone.rs"
        source.write_text("#[pipeline]\npub fn negative(x: &Tensor<u8>) -> Result<Tensor<u8>, Error> {\n    invert::apply(x)\n}\n")
        explain(source, self.folder.name + "/alone.html")
        self.browser.open(self.folder.name + "/alone.html")
        self.assertEqual(self.browser.count("svg.pipeline"), 1)
        self.assertIn("No code for this target: the file has no kernel", self.browser.text("#code"))
        self.browser.hover("document.querySelector('.line code')")
        self.browser.click("document.querySelector('.line .no')")
        self.browser.press("Tab", "Escape")

    # What the author wrote stays text.

    def test_hostile_text_is_text(self):
        shown = self.browser.js("[...document.querySelectorAll('.line code')].map(l => l.textContent).join('')")
        self.assertEqual(shown, KERNELS.read_text())
        self.assertEqual(self.browser.js("document.title"), "kernels.rs · windrow explain")
        self.assertEqual(self.browser.count("script"), 2)
        self.assertEqual(self.browser.count("img, #source b, #code b"), 0)

    def test_without_scripts_the_source_is_read(self):
        self.browser.look(scripts=False)
        self.browser.open(self.page)
        tree = json.dumps(self.browser.call("Accessibility.getFullAXTree"))
        self.assertIn("Without scripts this page shows the source alone.", tree)
        self.browser.look()

    # How it looks, and who can read it.

    def test_what_is_focused_or_chosen_has_a_name(self):
        roles = {"button", "tab", "combobox", "link", "image", "tabpanel", "group", "tablist"}
        for node in self.browser.call("Accessibility.getFullAXTree")["nodes"]:
            role, name = node.get("role", {}).get("value"), node.get("name", {}).get("value", "")
            if not node.get("ignored") and role in roles:
                self.assertTrue(name.strip() or role == "group", f"a {role} without a name: {node}")

    def test_text_stands_out_in_both_schemes(self):
        for scheme in ["light", "dark"]:
            self.browser.look(scheme)
            self.browser.open(self.page)
            found = {}
            for target, value in [("AVX2", "sum >> 4"), ("Plain Rust", "2 * src.at(dx, 0) as u16")]:
                self.browser.click(f"[...document.querySelectorAll('[role=tab]')].find(t => t.textContent === {json.dumps(target)})")
                self.browser.click(place(value))
                for name, contrast in self.browser.js(CONTRASTS).items():
                    found[name] = min(contrast, found.get(name, 21))
            self.assertGreater(len(found), 20)
            for name, contrast in found.items():
                # Line numbers, and what other kernels compute, are told apart by other means too.
                self.assertGreaterEqual(contrast, 4.5, f"{name} in {scheme}")

    def test_it_looks_as_it_did(self):
        for scheme in ["light", "dark"]:
            with self.subTest(scheme):
                self.browser.look(scheme)
                self.browser.open(self.page)
                self.browser.click(place("sum >> 4"))
                found = self.browser.screenshot(SCALE)
                path = HERE / f"{scheme}.png"
                if os.environ.get("WINDROW_BLESS"):
                    path.write_bytes(found)
                self.compare(pixels(path.read_bytes()), pixels(found), scheme)

    def compare(self, expected, found, scheme):
        self.assertEqual((expected[0], len(expected[1])), (found[0], len(found[1])))
        differences = [max(abs(a - b) for a, b in zip(*pair)) for pair in zip(expected[1], found[1])]
        mean, far = sum(differences) / len(differences), sum(own > FAR for own in differences) / len(differences)
        self.assertLess(mean, MEAN_DIFFERENCE, f"{scheme}: the mean difference of all pixels")
        self.assertLess(far, MOST_FAR, f"{scheme}: the part of pixels that are far from what they were")

    def test_a_narrow_window_has_all_panes(self):
        self.browser.look(size=(420, 800))
        self.browser.open(self.page)
        self.assertLessEqual(self.browser.js("document.documentElement.scrollWidth"), 420)
        heights = self.browser.js("[...document.querySelectorAll('.pane')].map(p => p.getBoundingClientRect().height)")
        self.assertTrue(all(height > 80 for height in heights), heights)

    # Size and speed.

    def test_every_operator_has_a_small_page_that_opens_at_once(self):
        texts = {file: file.read_text() for file in sorted(OPERATORS.rglob("*.rs"))}
        files = [file for file, text in texts.items() if "#[kernel" in text or "#[pipeline" in text]
        self.assertGreater(len(files), 90)
        pictures = 0
        sizes, times = {}, {}
        for file in files:
            page = os.path.join(self.folder.name, "operator.html")
            explain(file, page)
            sizes[file.stem] = os.path.getsize(page)
            # Another process may have had the processor.
            for _ in range(3):
                times[file.stem] = min(self.browser.open(page), times.get(file.stem, MOST_SECONDS * 9))
                self.assertEqual(self.browser.complaints(), [], file)
                if times[file.stem] < MOST_SECONDS:
                    break
            drawn = self.browser.count("svg.pipeline")
            self.assertEqual(drawn, texts[file].count("\n#[pipeline"), file)
            self.assertGreater(self.browser.count(".v.known") + drawn, 0, file)
            pictures += drawn
            self.assertLess(sizes[file.stem], MOST_BYTES, file)
            self.assertLess(times[file.stem], MOST_SECONDS, file)
        self.assertGreater(pictures, 15)
        largest, slowest = max(sizes, key=sizes.get), max(times, key=times.get)
        print(f"{len(files)} pages with {pictures} pipelines: the largest is {largest}'s, {sizes[largest]} bytes; the slowest to open is {slowest}'s, "
              f"{1000 * times[slowest]:.0f} ms", flush=True)


# The contrast of two colours, by WCAG.
CONTRAST = """
    const parse = (text) => text.match(/[\\d.]+/g).map(Number);
    const part = (c) => { c /= 255; return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4; };
    const light = ([r, g, b]) => 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b);
    const contrast = (...colours) => {
        const [a, b] = colours.map(light).sort((x, y) => y - x);
        return (a + 0.05) / (b + 0.05); };
"""

# Of each text, line and box of the pictures: its kind, and the contrast with what lies behind it.
PICTURE_CONTRASTS = "(() => {" + CONTRAST + """
    const paper = parse(getComputedStyle(document.querySelector(".pipelines div")).backgroundColor);
    const boxes = [...document.querySelectorAll("svg.pipeline rect")];
    const behind = (e) => { const own = e.getBoundingClientRect(), y = (own.top + own.bottom) / 2;
        const box = e.matches(".name, .below") && boxes.find(b => { const r = b.getBoundingClientRect(); return r.top < y && y < r.bottom; });
        return box ? parse(getComputedStyle(box).fill) : paper; };
    const found = [];
    for (const e of document.querySelectorAll("svg.pipeline text"))
        found.push([e.getAttribute("class"), contrast(parse(getComputedStyle(e).fill), behind(e))]);
    for (const e of document.querySelectorAll("svg.pipeline path, svg.pipeline rect.stage"))
        found.push([e.getAttribute("class"), contrast(parse(getComputedStyle(e).stroke), paper)]);
    return found;
})()"""

# Of a sample of each kind of text.
CONTRASTS = "(() => {" + CONTRAST + """
    const behind = (e) => { for (; e; e = e.parentElement) {
        const c = parse(getComputedStyle(e).backgroundColor); if (c.length < 4 || c[3] > 0.99) return c; } return [255, 255, 255]; };
    const found = {};
    for (const s of [".line:not(.out) code", ".line:not(.out) .c", ".line:not(.out) .k", ".line:not(.out) .t", ".line:not(.out) .n",
        ".line .share", ".row code", ".row.on code", ".row.near code", ".row .i", ".row .k", "h1 .tool", ".note", "[role=tab]", ".range",
        "#value dt", ".operand", "select", "#step", ".legend", "summary"]) {
        const e = document.querySelector(s);
        if (!e) continue;
        found[s] = contrast(parse(getComputedStyle(e).color), behind(e));
    }
    return found;
})()"""


if __name__ == "__main__":
    unittest.main(testRunner=unittest.TextTestRunner(stream=sys.stdout, verbosity=2))
