"""What kernels cost while they are compiled: expansion, rustc, calls of intrinsics, bytes of code. Prints Markdown.

Crates of 1, 10 and 100 kernels are generated, and built for both architectures as a release is, macros as Cargo builds
them by default. Times are those of rustc's processes on their processors, less those of a crate without kernels.
"""
import argparse
import json
import os
import pathlib
import resource
import statistics
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
TARGETS = {"x86-64": "x86_64-unknown-linux-gnu", "AArch64": "aarch64-unknown-linux-musl"}


def run(command, **options):
    return subprocess.run(command, check=True, text=True, capture_output=True, **options).stdout


def expansions(out):
    """Of each kernel of the operator library: what the attribute writes; and for each build, what it takes in the compiler."""
    has_any = lambda text: "#[kernel" in text or "#[helper" in text
    files = sorted(str(file) for file in ROOT.glob("operators/src/*/*.rs") if has_any(file.read_text()))
    environment = {**os.environ, "CARGO_TARGET_DIR": str(out)}
    run(["cargo", "build", "--quiet"], cwd=ROOT / "benches/compile/expansion", env=environment)
    rows = [json.loads(line) for line in run([out / "debug/windrow-bench-expansion", *files]).splitlines()]
    timed = ROOT / "benches/compile/expansion/timed"
    folder, found = out / "compile/expansions", out / "compile/expansions.tsv"
    write_crate(folder, [row["item"] for row in rows], "windrow_bench_timed::kernel", f'windrow-bench-timed = {{ path = "{timed}" }}')
    found.unlink(missing_ok=True)
    (folder / "src/lib.rs").touch()
    run(["cargo", "check", "--quiet"], cwd=folder, env={**environment, "WINDROW_EXPANSIONS": str(found)})
    times = {}
    for build, kernel, milliseconds in (line.split("\t") for line in found.read_text().splitlines()):
        times.setdefault(build, {})[kernel] = float(milliseconds)
    return rows, times


def write_crate(folder, items, prelude="windrow::prelude::*", dependency=f'windrow = {{ path = "{ROOT}" }}'):
    """A library of these kernels, each in a module of its own."""
    (folder / "src").mkdir(parents=True, exist_ok=True)
    modules = (f"pub mod kernel_{n} {{\n    use {prelude};\n    {item}\n}}\n" for n, item in enumerate(items))
    (folder / "src/lib.rs").write_text("\n".join(modules))
    (folder / "Cargo.toml").write_text(
        f'[package]\nname = "{folder.name}"\nversion = "0.1.0"\nedition = "2024"\n[dependencies]\n'
        f'{dependency}\n[profile.release]\ncodegen-units = 1\n[workspace]\n')


def build(folder, out, target):
    """Seconds that rustc takes for what is not built yet, and the crate's bytes of code and constants."""
    command = ["cargo", "rustc", "--quiet", "--release", "--lib", "--target", target, "--", "--emit", "obj"]
    environment = {**os.environ, "CARGO_TARGET_DIR": str(out)}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, cwd=folder, env=environment, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    objects = (out / target / "release/deps").glob(f"{folder.name}-*.o")
    newest = max(objects, key=lambda path: path.stat().st_mtime)
    sizes = [line.split() for line in run(["size", "-A", newest]).splitlines()]
    wanted = (".text", ".rodata", ".data.rel.ro")
    return seconds, sum(int(words[1]) for words in sizes if len(words) > 2 and words[0].startswith(wanted))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", type=pathlib.Path, default=ROOT / "target/benches")
    out = parser.parse_args().output.resolve()
    rows, times = expansions(out)
    most = {name: max(rows, key=lambda row: row[name]) for name in ("neon", "x86")}
    print(f"Expansion of {len(rows)} functions, without optimisation:\n")
    print("| Build | Median | Ninth decile | Most | Over 10 ms |\n|---|---|---|---|---|")
    for title, of_kernels in times.items():
        ordered = sorted(of_kernels.items(), key=lambda item: item[1])
        median, decile = statistics.median(of_kernels.values()), ordered[len(ordered) * 9 // 10][1]
        over = sum(milliseconds > 10 for milliseconds in of_kernels.values())
        print(f"| {title} | {median:.1f} ms | {decile:.1f} ms | {ordered[-1][1]:.1f} ms ({ordered[-1][0]}) | {over} |")
    print()
    print(f"Calls of intrinsics: at most {most['neon']['neon']} for AArch64 (`{most['neon']['kernel']}`), "
          f"{most['x86']['x86']} for x86-64 in both tiers (`{most['x86']['kernel']}`).\n")

    blur = next(row["item"] for row in rows if row["kernel"] == "gaussian3x3")
    crates = {f"gaussian3x3, {n}": [blur] * n for n in (1, 10, 100)}
    crates[f"the library's, {len(rows)}"] = [row["item"] for row in rows]
    print("| Kernels | " + " | ".join(f"{name}: s a kernel | KiB a kernel" for name in TARGETS) + " |")
    print("|---" * (1 + 2 * len(TARGETS)) + "|")
    empty = {}
    write_crate(out / "compile/empty", [])
    for name, target in TARGETS.items():
        build(out / "compile/empty", out, target)
        (out / "compile/empty/src/lib.rs").touch()
        empty[name] = build(out / "compile/empty", out, target)
    for index, (title, items) in enumerate(crates.items()):
        folder = out / f"compile/kernels{index}"
        write_crate(folder, items)
        (folder / "src/lib.rs").touch()
        cells = []
        for name, target in TARGETS.items():
            seconds, size = build(folder, out, target)
            cells.append(f"{(seconds - empty[name][0]) / len(items):.2f}")
            cells.append(f"{(size - empty[name][1]) / len(items) / 1024:.1f}")
        print(f"| {title} | " + " | ".join(cells) + " |", flush=True)


main()
