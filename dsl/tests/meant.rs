//! What a newcomer writes first, and the way out that the message names: one message for one mistake.

/// A source, and words that the help of its only message holds.
const CASES: &[(&str, &str)] = &[
    ("#[kernel] fn f(a: u8) -> u8 { let b = a / 2 b }", "end the statement before this by `;`"),
    ("#[kernel] fn f(a: u8) -> u8 { a.min(,) }", "write the value that is missing here"),
    ("#[kernel] fn f(a: u8, b: u8) -> f32 { a.saturating_add(b) * 1.5 }", "convert the `u8`: `.. as f32`"),
    ("#[kernel] fn f(a: u8) -> f32 { let n = 3; a as f32 * n }", "convert the other one: `.. as f32`"),
    (
        "#[kernel(window(h, w))] fn f([y, x]: At<2>, #[shape(h, w)] src: View<u8>) -> u8 { src[[h - 1 - y, x]] }",
        "write `let [h, _] = src.extents();`",
    ),
    (
        "#[kernel(window(r))] fn f([y]: At<1>, #[shape(r, c)] src: View<f32>) -> f32 { let [_, c] = src.extents(); (0..c).map(|x| src[[y, x]]).sum::<f32>() }",
        "write `sum(0..c, |i| ..)`",
    ),
    ("#[kernel] fn f(a: u8) -> u8 { (0..=3).map(|i| a >> i).max() }", "write `greatest(0..=3, |i| ..)`"),
    ("#[kernel] fn f(src: &Tensor<f32>) -> f32 { src.at(0, 0) }", "`src: Neighbourhood<f32>`"),
    ("#[kernel] fn f(src: ImageBuffer<Luma<u8>, Vec<u8>>) -> u8 { src.at(0, 0) }", "`src: View<u8>`"),
    ("#[kernel] fn f(src: &image::GrayImage) -> u8 { src.at(0, 0) }", "`src: View<u8>`"),
    ("#[kernel] fn f(src: GrayImage) -> u8 { src.at(0, 0) }", "`src: View<u8>`"),
    ("#[kernel] fn f(a: u8, y: usize) -> u8 { if y % 2 == 0 { a } else { 0 } }", "`[y, x]: At<2>`"),
    (
        "#[kernel] fn f(a: u8, #[variant] mode: Mode) -> u8 { match mode { Mode::Keep => a, Mode::Invert => 255 - a } }",
        "declare `enum Mode { .. }` beside the kernel in a `#[kernels] mod`",
    ),
    (
        "#[kernel] fn f(a: u8, mode: Mode) -> u8 { match mode { Mode::Keep => a, Mode::Invert => 255 - a } }",
        "take it as `#[variant] mode: Mode`",
    ),
    ("#[kernel] fn f(a: u8, b: u8) -> i16 { a - b }", "`a as i16 - b as i16`"),
    ("#[kernel] fn f(a: u8, b: u8) -> i16 { (a - b) as i16 }", "`a as i16 - b as i16`"),
    ("#[kernel] fn f(a: u8, b: u8) -> f32 { let t: f32 = 2 * (a + b); t }", "`2.0 * (a as f32 + b as f32)`"),
    ("#[kernel] fn f(a: u16, b: u16) -> u8 { (a + b) }", "`(..) as u8`"),
    ("#[kernel] fn f(a: f32) -> i32 { let t = a.floor() as i32; t + 1 }", "`a.floor().clamp(-1e9, 1e9) as i32`"),
    ("#[kernel] fn f(a: f32) -> u32 { let t = a.floor() as u32; 5 * t }", "`a.floor().clamp(0.0, 1e8) as u32`"),
    ("#[kernel] fn f(a: f32, b: f32) -> i32 { a as i32 - b as i32 }", "`b.clamp(-1e9, 1e9) as i32`"),
    ("#[kernel] fn f(v: f32) -> f32 { f32::tan(v) }", "a.sin() / a.cos()"),
    ("#[kernel] fn f(v: f32) -> f32 { v.sinh() }", "a.exp() - (-a).exp()"),
    ("#[kernel] fn f(v: f32) -> f32 { v.log10() }", "a.log2() * core::f32::consts::LOG10_2"),
    ("#[kernel] fn f(v: f32) -> f32 { v.log(v) }", "a.ln() / b.ln()"),
    ("#[kernel] fn f(v: f32) -> f32 { v.cbrt() }", "powf(1.0 / 3.0)"),
    ("#[kernel] fn f(v: f32) -> f32 { v.hypot(v) }", "(a * a + b * b).sqrt()"),
    ("#[kernel] fn f(v: f32) -> f32 { v.gamma() }", "lut: Table"),
    ("#[kernel] fn f(v: f32) -> f32 { exp(v) }", "`a.exp(..)`"),
    ("#[kernel] fn f(v: u8) -> f32 { v.exp() }", "(.. as f32).exp()"),
    ("#[kernel] fn f(v: f32) -> f32 { v.powi(2) }", "a * a"),
    ("#[kernel] fn f(v: f32) -> f32 { v.round() }", "(a + 0.5).floor()"),
    ("#[kernel] fn f(v: u8) -> f32 { let h: f16 = 0.5; v as f32 }", ".cast::<f16>()"),
    ("#[kernel] fn f(v: u8) -> f32 { let h: bf16 = 0.5; v as f32 }", ".cast::<bf16>()"),
    ("#[kernel(border(clamp))] fn f(src: Neighbourhood<u8>) -> u8 { src.at(1, 0) }", "it is called `replicate` here"),
    ("#[kernel(border(mirror))] fn f(src: Neighbourhood<u8>) -> u8 { src.at(1, 0) }", "it is called `reflect101` here"),
    ("#[kernel] fn f(src: Neighborhood<u8>) -> u8 { 0 }", "did you mean `Neighbourhood<T>`?"),
    ("#[kernel] fn f(src: Neighbourhood<u8>, #[uniform(-3..=3)] dx: i32) -> u8 { src.at(dx, 0) }", "window::<7, 1>()"),
    ("#[kernel] fn f(v: u8, #[uniform] p: Params) -> u8 { v / p.gain }", "a struct is not a type of the language"),
    ("#[kernel(step = 16)] fn f(v: u8) -> u8 { v }", "write `step(16, 1)`"),
    ("#[kernel] fn f([y, x]: At<2>, src: View<u8>) -> u8 { src.get(y, x).unwrap_or(0) }", "`.get([y, x])`"),
    ("#[kernel] fn f(v: u8, curve: &[u8]) -> u8 { v }", "`Table<u8, 256>`"),
    ("#[kernel] fn f<'a>(src: Neighbourhood<'a, u8>) -> u8 { src.at(0, 0) }", "write `Neighbourhood<u8>`"),
    ("struct S; impl S { #[kernel] fn f(v: u8) -> u8 { v } }", "into the module around it"),
    ("#[kernel] fn f(src: Neighbourhood<u8>) -> Table<u32, 256> { src.at(0, 0) }", "window(256)"),
    ("#[kernel] fn f(v: u8) -> [u32; 256] { v as u32 }", "window(256)"),
    ("#[kernel] fn f([y, x]: At<2>, src: View<u8>) -> u8 { src[y, x] }", "`src[[y, x]]`"),
    ("#[kernel] fn f([y, x]: At<2>, src: View<u8>) -> u8 { src[y][x] }", "`src[[y, x]]`"),
    ("#[kernel] fn f(src: Neighbourhood<u8>) -> u8 { src.get([0, 1]).unwrap_or(0) }", "`src.at(dx, dy)`"),
    ("#[kernel] fn f([y, x]: At<2>, src: View<u8>) -> u8 { src.at(1, 0) }", "`src: Neighbourhood<u8>`"),
    ("#[kernel] fn f(v: u8, #[uniform] mode: &str) -> u8 { v }", "#[variant] mode: Mode"),
    ("#[kernel] fn f(a: u8, mut b: u8) -> u8 { let mut c = a; std::mem::swap(&mut c, &mut b); c }", "(a, b) = (b, a)"),
    ("#[kernel] fn f(v: u8) -> u8 { v.clamp(200, 100) }", "`.clamp(100, 200)`"),
    ("#[kernel] fn f(v: i64) -> f32 { v as f32 }", ".saturating_cast::<i32>()"),
    ("#[kernel] fn f(v: u8, total: &mut u64) { *total += v as u64 }", "what the function returns"),
    ("#[kernel] fn f(v: u8, bins: Table<u32, 256>) { bins[v] += 1 }", "window(256)"),
    ("#[kernel] fn f(v: u8) -> Option<u8> { Some(v) }", ".unwrap_or(0)"),
    (
        "#[kernel] fn f([y, x]: At<2>, src: View<u8>) -> u8 { src.get([height - 1 - y, x]).unwrap_or(0) }",
        "let [height, width] = src.extents();",
    ),
    ("#[kernel] fn f(v: u8) -> u8 { curve[v] }", "`curve: Table<u8, 256>`"),
    ("#[kernel] fn f(a: u8, b: u8) -> u8 { (a + b) / 2 }", "`a.halving_add(b)`"),
    ("#[kernel] fn f(a: u8, b: u8) -> u8 { a - b }", "`a.saturating_sub(b)` or `a.abs_diff(b)`"),
    (
        "#[kernel(output(half(stride(2, 2)), full))] fn f(a: u8, b: u8) -> (u8, u8) { (a, b) }",
        "all of them have one size",
    ),
    ("#[kernel] fn f(a: u8, b: u8) -> u8 { (a + b + 1) >> 1 }", "`a.rounding_halving_add(b)`"),
    ("#[kernel] fn f(a: u8) -> u8 { let t = [a.max(1), a.min(2)]; t[0] + t[1] }", "`t[0] as u16 + t[1] as u16`"),
    ("#[kernel] fn f(a: u8) -> u8 { let t = (a.max(1), a.min(2)); t.0 + t.1 }", "`t.0 as u16 + t.1 as u16`"),
    ("#[kernel] fn f(a: [u8; 3]) -> u8 { a[0] + a[1] }", "`a[0] as u16 + a[1] as u16`"),
    (
        "#[kernel] fn f(src: Neighbourhood<u8>) -> u32 { let mut s = 0; for k in 0..3usize { s += src.at(0, -k) as u32; } s }",
        "`-(.. as i32)`",
    ),
    (
        "#[kernel(window(r, 1))] fn f([r, _]: At<2>, #[shape(r, c)] v: View<u8, 2>) -> u8 {
            let [_, n] = v.extents(); (sum(0..n.min(9), |i| v[[r, i]] as u32) / n as u32) as u8
        }",
        ".saturating_cast()",
    ),
    (
        "#[kernel(window(1))] fn f([_i]: At<1>, #[shape(n)] v: View<u8, 1>) -> u8 { let [n] = v.extents(); sum(0..n, |i| v[[i]]) }",
        "widen the term: `v[[i]] as u32`",
    ),
    (
        "#[kernel] fn f(src: Neighbourhood<u8>) -> u8 { let w = src.window::<3, 3>(); w[1][1..].len() as u8 }",
        "for i in 1..3",
    ),
];

#[test]
fn the_way_out_is_named_once() {
    for (source, words) in CASES {
        let errors = windrow_dsl::compile_file(source).errors;
        let texts: Vec<String> = errors.iter().map(|error| error.text()).collect();
        assert_eq!(errors.len(), 1, "{source}: {texts:#?}");
        assert!(errors[0].help.contains(words), "{source}: {texts:#?}");
    }
}

#[test]
fn offsets_that_are_not_known_are_one_mistake() {
    let source =
        |body: &str| format!("#[kernel] fn f(src: Neighbourhood<u8>, #[uniform(-3..=3)] d: i32) -> u8 {{ {body} }}");
    let cases = [
        ("src.at(d, 0)", None),
        ("src.at(d, d)", Some("one more offset of this kernel is not known either")),
        ("src.at(d, 0) & src.at(0, d) & src.at(d, d)", Some("3 more offsets of this kernel are not known either")),
        ("let mut all = 0; for _ in 0..5 { all |= src.at(d, 0); } all", None),
    ];
    for (body, note) in cases {
        let errors = windrow_dsl::compile_file(&source(body)).errors;
        let [error] = errors.as_slice() else { panic!("{body}: {errors:?}") };
        assert_eq!(error.notes.first().map(String::as_str), note, "{body}");
    }
}

#[test]
fn a_difference_is_saturated_or_widened_as_it_is_used() {
    let saturated = "say what should happen: `a.saturating_sub(b)` or `a.abs_diff(b)` or `a.wrapping_sub(b)`, or widen";
    let cases = [
        ("u8", "a - b", saturated),
        ("u8", "let d = a - b; d.min(9)", saturated),
        ("i16", "(a - b) as i16", "widen the operands: `a as i16 - b as i16`, or say"),
        ("f32", "(a - b) as f32", "widen the operands: `a as i16 - b as i16`, or say"),
        ("u8", "let d = a - b; d + 1", "widen the operands: "),
        ("u8", "a - by", "say what should happen: `a.saturating_sub(by)` or `a.wrapping_sub(by)`, or widen"),
    ];
    for (output, body, words) in cases {
        let source = format!("#[kernel] fn f(a: u8, b: u8, #[uniform] by: u8) -> {output} {{ {body} }}");
        let errors = windrow_dsl::compile_file(&source).errors;
        assert!(errors[0].help.starts_with(words), "{body}: {}", errors[0].help);
    }
}
