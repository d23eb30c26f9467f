"""Finds the coefficients of windrow's elementary functions (reference/src/functions).

Each polynomial is a weighted least-squares fit at Chebyshev nodes whose weights are raised where the error is greatest
(Lawson's iteration), which tends to the polynomial of least greatest error. The coefficients are rounded to binary32 one
after the other, the one that matters most first, and the others are fitted again. mpmath gives the functions' values.

    python3 -m pip install numpy mpmath && python3 coefficients.py
"""
import numpy as np
from mpmath import mp, mpf
import mpmath

mp.dps = 40
N = 1200


def nodes(a, b):
    a, b = float(a), float(b)
    k = np.arange(N)
    return 0.5 * (a + b) + 0.5 * (b - a) * np.cos(np.pi * (2 * k + 1) / (2 * N))


def lawson(columns, target, weight, rounds=60):
    """The combination of the columns that is nearest to the target, in units of 1/weight."""
    w = np.ones(len(target))
    best = None
    for _ in range(rounds):
        scale = (np.sqrt(w) * weight)[:, None]
        c, *_ = np.linalg.lstsq(columns * scale, target * scale[:, 0], rcond=None)
        error = np.abs((columns @ c - target) * weight)
        if best is None or error.max() < best[0]:
            best = (error.max(), c)
        w *= error / error.mean() + 1e-3
        w /= w.sum()
    return best


def fit(name, function, powers, interval, weight):
    """Coefficients of the given powers; `weight(x)` is one over the error that counts as 1."""
    x = nodes(*interval)
    y = np.array([float(function(mpf(float(v)))) for v in x])
    w = np.array([float(weight(mpf(float(v)))) for v in x])
    columns = np.stack([x**p for p in powers], axis=1)
    fixed = []
    rest = y.copy()
    for i in range(len(powers)):
        _, c = lawson(columns[:, i:], rest, w)
        rounded = float(np.float32(c[0]))
        fixed.append(rounded)
        rest = rest - rounded * columns[:, i]
    error = np.abs(rest * w).max()
    print(f"// {name} on [{float(interval[0]):.6f}, {float(interval[1]):.6f}]: error 2^{np.log2(error):.2f}")
    for p, c in zip(powers, fixed):
        print(f"    {c!r:>26},  // x^{p}   0x{np.float32(c).view(np.uint32):08x}")
    return fixed


def split(name, value):
    out = []
    for _ in range(3):
        v = float(np.float32(float(value)))
        out.append(v)
        value -= mpf(v)
    print(f"// {name}: " + ", ".join(f"{v!r}" for v in out))
    return out


ln2 = mp.log(2)


def nz(x):
    return x if abs(x) > 1e-12 else mpf(1e-12)


def main():
    root2, half_pi = mp.sqrt(2), mp.pi / 2
    for name, value in (("ln 2", ln2), ("log2 e", 1 / ln2), ("pi/2", half_pi), ("ln 2 / 2", ln2 / 2), ("2/3", mpf(2) / 3)):
        split(name, value)
    near = ln2 / 2 * mpf("1.0005")
    # exp: e^r = 1 + r + r^2 q(r).
    second = lambda r: (mp.expm1(r) - r) / r**2 if abs(r) > 1e-6 else mpf(1) / 2 + r / 6
    fit("exp", second, range(5), (-near, near), lambda r: r * r / mp.exp(r))
    # exp2, powf: 2^f = 1 + f (ln 2 rounded) + f p(f).
    rounded = mpf(float(np.float32(float(ln2))))
    first = lambda f: (mp.power(2, nz(f)) - 1 - rounded * nz(f)) / nz(f)
    fit("exp2", first, range(6), (-0.5, 0.5), lambda f: abs(nz(f)) / mp.power(2, f))
    # erf: the same, less exactly.
    coarse = lambda f: (mp.power(2, nz(f)) - 1) / nz(f)
    fit("2^f of erf", coarse, range(5), (-0.5, 0.5), lambda f: abs(nz(f)))
    # tanh: (e^2h - 1)/2 = h + h^2 q(h).
    half = lambda h: (mp.expm1(2 * h) / 2 - h) / h**2 if abs(h) > 1e-6 else 1 + 2 * h / 3
    fit("tanh", half, range(6), (-near / 2, near / 2), lambda h: h * h / abs(mp.expm1(2 * nz(h)) / 2))
    # ln: ln(1 + f) = f + f^2 q(f).
    log = lambda f: (mp.log1p(f) - f) / f**2 if abs(f) > 1e-6 else mpf(-1) / 2 + f / 3
    fit("ln", log, range(9), (1 / root2 - 1, root2 - 1), lambda f: f * f / abs(mp.log1p(nz(f))))
    # log2: log2(1 + f) = f (log2 e rounded) + f p(f).
    scale = mpf(float(np.float32(float(1 / ln2))))
    log2 = lambda f: (mp.log1p(nz(f)) / ln2 - nz(f) * scale) / nz(f)
    fit("log2", log2, range(10), (1 / root2 - 1, root2 - 1), lambda f: abs(nz(f)) / abs(mp.log1p(nz(f)) / ln2))
    # sin r = r + r^3 p(r^2), cos r = 1 - r^2/2 + r^4 p(r^2).
    root = lambda z: mp.sqrt(nz(z))
    sine = lambda z: (mp.sin(root(z)) / root(z) - 1) / nz(z) if z > 1e-8 else mpf(-1) / 6 + z / 120
    fit("sin", sine, range(4), (0, 1), lambda z: z / (mp.sin(root(z)) / root(z)))
    cosine = lambda z: (mp.cos(root(z)) - 1 + z / 2) / z**2 if z > 1e-5 else mpf(1) / 24 - z / 720
    fit("cos", cosine, range(3), (0, 1), lambda z: z * z / mp.cos(mp.sqrt(z)))
    # atan t = t + t^3 p(t^2).
    arc = lambda z: (mp.atan(root(z)) / root(z) - 1) / nz(z) if z > 1e-8 else mpf(-1) / 3 + z / 5
    fit("atan", arc, range(9), (0, 1), lambda z: z / (mp.atan(root(z)) / root(z)))
    # erf x = x + x p(x^2) up to 0.9375, and 1 - 2^-g(x) from there on.
    end = mpf("0.9375")
    fit("erf", lambda z: mp.erf(root(z)) / root(z) - 1, range(7), (0, end**2), lambda z: 1 / (mp.erf(root(z)) / root(z)))
    far = lambda t: -mp.log(mp.erfc(t)) / ln2
    fit("-log2 erfc", far, range(8), (end * mpf("0.999"), mpf("3.95")), lambda t: mp.erfc(t) * ln2 / mp.erf(t))
    # powf: 2 atanh s = 2s + 2/3 s^3 + s^5 p(s^2).
    most = ((root2 - 1) / (root2 + 1)) ** 2
    tail = lambda z: ((2 * mp.atanh(root(z)) / root(z) - 2) / nz(z) - mpf(2) / 3) / nz(z)
    fit("2 atanh", tail, range(3), (1e-6, most), lambda z: nz(z) ** 2 / 2)
    mp.prec = 400
    bits = int(mp.floor(2 / mp.pi * mpf(2) ** 199))
    print("// 2/pi behind 25 zeros:", ", ".join(f"0x{bits >> (224 - 32 * (i + 1)) & 0xffffffff:08x}" for i in range(7)))


if __name__ == "__main__":
    main()
