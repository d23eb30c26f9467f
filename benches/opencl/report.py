"""The table of docs/measurements.md from what bench.py wrote: report.py FILE."""

import json
import sys

import operators

BARS = {
    "gaussian3x3": 85, "gaussian5x5": 70, "box3x3": 85, "sobel3x3 x": 80, "sobel3x3 x+y": 80, "median3x3": 60,
    "erode3x3": 80, "dilate3x3": 80, "abs_diff": 90, "add saturate": 90, "threshold": 90, "rgb_to_gray": 85,
    "convolve5x5_f32": 60,
}  # fmt: skip
OPERATIONS_PER_SECOND = 16.7e12


def best(rows, wanted):
    rows = [row for row in rows if wanted(row["name"]) and "wrong" not in row]
    return max(rows, key=lambda row: row["quartiles"][1], default=None)


def percent(row):
    return f"{100 * row['quartiles'][1]:.0f} %" if row else "–"


def main():
    report = json.load(open(sys.argv[1]))
    copy = next(row for row in report["rows"] if row["name"] == "copy")
    pixels = report["size"] ** 2
    print("| Operator | µs | of the copy (quartiles) | form `vectors` | Bar | Operations a pixel at the bar | Halide | OpenCV |")
    print("|---|---|---|---|---|---|---|---|")
    for operator in operators.OPERATORS:
        rows = [row for row in report["rows"] if row["operator"] == operator.name]
        ours = best(rows, lambda name: "halide" not in name and "opencv" not in name)
        vectors = best(rows, lambda name: "/" in name and "pairs" not in name and "opencv" not in name)
        peers = [best(rows, lambda name, peer=peer: peer in name) for peer in ("halide", "opencv")]
        bar = BARS[operator.name]
        seconds = copy["median_us"] * 1e-6 * operator.bytes_per_pixel / 2 / (bar / 100)
        budget = OPERATIONS_PER_SECOND * seconds / pixels
        low, middle, high = (100 * f for f in ours["quartiles"])
        figures = f"{ours['median_us']:.0f} | **{middle:.1f} %** ({low:.1f} – {high:.1f}) | {percent(vectors)} | {bar} %"
        print(f"| {operator.name} | {figures} | {budget:.1f} | {' | '.join(map(percent, peers))} |")
    print(f"\ncopy: {copy['median_us']:.0f} µs, {2 * pixels / copy['median_us'] / 1e6:.2f} TB/s", file=sys.stderr)


if __name__ == "__main__":
    main()
