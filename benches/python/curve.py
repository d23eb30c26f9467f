"""The curve of `scaling.py`'s JSON, as docs/images/dask.svg: python3 curve.py scaling.json [FILE]

How many times as fast more workers are, beside as many times as there are workers. The picture has colours for light and for dark pages.
"""

import json
import math
import sys
from html import escape
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from chart import DOCS, STYLE  # noqa: E402

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 860, 440, 60, 230, 20, 50
# Larger chunks are drawn whole, smaller ones dashed.
LINES = " .line { fill: none; stroke-width: 2 } .p0.line { stroke: #7a4fa3 } .p1.line { stroke: #3572b0 } .dashed { stroke-dasharray: 6 4 }"
DARK = " @media (prefers-color-scheme: dark) { .p0.line { stroke: #b690d8 } .p1.line { stroke: #7db3e8 } }"


def draw(data):
    figures = [figure for figure in data["figures"] if figure["memory"] == "kept"]
    counts = [int(count) for count in figures[0]["speedup"]]
    most = max(counts)
    operators = list(dict.fromkeys(figure["operator"] for figure in figures))
    largest = figures[-1]["chunk"]

    # Both axes are logarithmic: a line of the ideal slope loses nothing by more workers.
    def place(count, times):
        along = lambda value: math.log2(max(value, 1)) / math.log2(most)  # noqa: E731
        return LEFT + along(count) * (WIDTH - LEFT - RIGHT), HEIGHT - BOTTOM - along(times) * (HEIGHT - TOP - BOTTOM)

    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img">']
    out.append("<title>How many times as fast more workers of Dask are, by the number of workers</title>")
    out.append(f"<style>{STYLE}{LINES}{DARK}</style>")
    for count in counts:
        (x, y), right = place(count, count), place(most, count)[0]
        out.append(f'<line class="axis" x1="{x:.1f}" x2="{x:.1f}" y1="{TOP}" y2="{HEIGHT - BOTTOM}" opacity="0.3"/>')
        out.append(f'<line class="axis" x1="{LEFT}" x2="{right:.1f}" y1="{y:.1f}" y2="{y:.1f}" opacity="0.3"/>')
        out.append(f'<text class="note" x="{x:.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">{count}</text>')
        out.append(f'<text class="note" x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{count}×</text>')
    out.append(f'<text class="note" x="{LEFT}" y="{HEIGHT - 8}">workers</text>')
    (x1, y1), (x2, y2) = place(1, 1), place(most, most)
    out.append(f'<line class="one" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" opacity="0.5"/>')
    ends = []
    for figure in figures:
        points = " ".join(f"{x:.1f},{y:.1f}" for x, y in (place(int(count), times) for count, times in figure["speedup"].items()))
        dashed = "" if figure["chunk"] == largest else " dashed"
        out.append(f'<polyline class="p{operators.index(figure["operator"])} line{dashed}" points="{points}"/>')
        text = f"{figure['operator']}, {figure['chunk']}: {figure['speedup'][str(most)]:.1f}×"
        ends.append((place(most, figure["speedup"][str(most)])[1], text))
    lowest = TOP
    for y, text in sorted(ends):
        lowest = max(y + 4, lowest)
        out.append(f'<text x="{WIDTH - RIGHT + 10}" y="{lowest:.1f}">{escape(text)}</text>')
        lowest += 17
    out.append("</svg>\n")
    return "\n".join(out)


if __name__ == "__main__":
    path = Path(sys.argv[2]) if len(sys.argv) > 2 else DOCS / "images" / "dask.svg"
    path.write_text(draw(json.loads(Path(sys.argv[1]).read_text())))
    print(path)
