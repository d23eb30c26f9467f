"""Bar charts of `compare.py`'s JSON: each peer's time as a multiple of windrow's, one SVG a size and number of threads.

    python3 charts.py x86.json FOLDER
"""

import json
import sys
from collections import defaultdict
from pathlib import Path

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt

COLOURS = {"OpenCV": "#3572b0", "Halide": "#7a4fa3", "memcpy": "#b8b8b8"}


def chart(figures, title, path):
    operators = list(dict.fromkeys((f["operator"], f["border"]) for f in figures))
    families = [family for family in dict.fromkeys(f["family"] for f in figures) if family != "windrow"]
    height = 0.8 / max(len(families), 1)
    figure, axes = plt.subplots(figsize=(9, 0.5 * len(operators) + 1.5))
    for k, family in enumerate(families):
        held = {(f["operator"], f["border"]): f for f in figures if f["family"] == family}
        places = [i + k * height for i, key in enumerate(operators) if key in held]
        chosen = [held[key] for key in operators if key in held]
        ratios = [f["ratio"] for f in chosen]
        spread = [[f["ratio"] - f["quartiles"][0] for f in chosen], [f["quartiles"][1] - f["ratio"] for f in chosen]]
        axes.barh(places, ratios, height, xerr=spread, label=family, color=COLOURS.get(family))
    axes.axvline(1, color="black", linewidth=0.8)
    axes.set_yticks([i + 0.4 - height / 2 for i in range(len(operators))], [o + (f", {b}" if b else "") for o, b in operators])
    axes.invert_yaxis()
    axes.set_xlabel("time as a multiple of windrow's (longer: windrow is faster)")
    axes.set_title(title)
    axes.legend(loc="lower right", fontsize="small")
    figure.tight_layout()
    figure.savefig(path)
    plt.close(figure)


def main():
    data = json.loads(Path(sys.argv[1]).read_text())
    groups = defaultdict(list)
    for f in data["figures"]:
        groups[f["size"], f["threads"]].append(f)
    for (size, threads), figures in groups.items():
        path = Path(sys.argv[2]) / f"x86-{size}-t{threads}.svg"
        chart(figures, f"{size}, {threads} thread{'s' if threads > 1 else ''}, {data['machine']['processor']}", path)
        print(path)


main()
