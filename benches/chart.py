"""The chart of docs/performance.md, drawn from the first table of that page: python3 benches/chart.py

Bars are peers' times as multiples of windrow's. The picture has colours for light and for dark pages, and no other file is read.
"""

from html import escape
from pathlib import Path

DOCS = Path(__file__).resolve().parent.parent / "docs"
PEERS = ("Halide", "OpenCV 5")
LEFT, RIGHT, ROW, BAR, TOP = 190, 40, 34, 12, 44
WIDTH = 860

STYLE = """
text { font: 13px system-ui, sans-serif; fill: #1c1c1e } .axis { stroke: #8e8e93 } .one { stroke: #1c1c1e; stroke-width: 1.5 }
.p0 { fill: #7a4fa3 } .p1 { fill: #3572b0 } .note { fill: #636366 }
@media (prefers-color-scheme: dark) {
  text { fill: #f2f2f7 } .one { stroke: #f2f2f7 } .p0 { fill: #b690d8 } .p1 { fill: #7db3e8 } .note { fill: #aeaeb2 }
}"""


def table(page):
    """The rows of the first table that names the peers: the operator, and a number or None for each peer."""
    lines = iter(page.splitlines())
    heads = next(line for line in lines if line.startswith("|") and all(peer in line for peer in PEERS))
    columns = [[cell.strip() for cell in heads.split("|")].index(peer) for peer in PEERS]
    next(lines)
    for line in lines:
        if not line.startswith("|"):
            return
        cells = [cell.strip() for cell in line.split("|")]
        yield cells[1], [None if cells[column] == "–" else float(cells[column]) for column in columns]


def draw(rows):
    greatest = max(value for _, values in rows for value in values if value)
    scale = (WIDTH - LEFT - RIGHT) / (int(greatest) + 1)
    height = TOP + ROW * len(rows) + 30
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img">']
    out.append("<title>Peers' time as a multiple of windrow's; above 1, windrow is faster</title>")
    out.append(f"<style>{STYLE}</style>")
    for k, peer in enumerate(PEERS):
        x = LEFT + 130 * k
        out.append(f'<rect class="p{k}" x="{x}" y="10" width="{BAR}" height="{BAR}"/>')
        out.append(f'<text x="{x + 18}" y="21">{escape(peer)}</text>')
    for tick in range(int(greatest) + 2):
        x = LEFT + tick * scale
        kind = "one" if tick == 1 else "axis"
        out.append(f'<line class="{kind}" x1="{x:.1f}" x2="{x:.1f}" y1="{TOP - 8}" y2="{height - 24}" opacity="{1 if tick == 1 else 0.3}"/>')
        out.append(f'<text class="note" x="{x:.1f}" y="{height - 8}" text-anchor="middle">{tick}</text>')
    for i, (operator, values) in enumerate(rows):
        y = TOP + ROW * i
        out.append(f'<text x="{LEFT - 10}" y="{y + 18}" text-anchor="end">{escape(operator)}</text>')
        for k, value in enumerate(values):
            if value is not None:
                length = value * scale
                out.append(f'<rect class="p{k}" x="{LEFT}" y="{y + 2 + (BAR + 1) * k}" width="{length:.1f}" height="{BAR}"/>')
                out.append(f'<text class="note" x="{LEFT + length + 5:.1f}" y="{y + 12 + (BAR + 1) * k}">{value:.2f}</text>')
    out.append("</svg>\n")
    return "\n".join(out)


if __name__ == "__main__":
    path = DOCS / "images" / "x86.svg"
    path.write_text(draw(list(table((DOCS / "performance.md").read_text()))))
    print(path)
