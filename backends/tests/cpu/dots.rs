//! Products of bytes that an instruction adds by fours.

use windrow_backends::targets::CPU;
use windrow_dsl::optimise::prepare;

/// The bodies of a kernel for a target.
fn bodies(target: &str, source: &str) -> Vec<String> {
    let compiled = windrow_dsl::compile_file(source);
    assert!(compiled.errors.is_empty(), "{}", compiled.errors[0].text());
    let (kernel, target) =
        (&compiled.kernels[0].kernel, CPU.iter().find(|own| own.name == target).unwrap_or_else(|| panic!("{target}")));
    target.bodies(kernel, &prepare(kernel)).unwrap().into_iter().map(|body| body.text).collect()
}

/// A kernel that adds this many products of an unsigned and a signed byte of each lane.
fn products(terms: usize) -> String {
    let term = |row: usize| {
        format!(
            "sum = sum.wrapping_add((a.get([y + {row}, x]).unwrap_or(0).wrapping_cast::<u8>() ^ 128) as i32
                * b[[rows.min({row}), x]] as i32);"
        )
    };
    let terms: String = (0..terms).map(term).collect();
    format!(
        "#[kernel(window(h, w))] fn f(
            [y, x]: At<2>, #[shape(h, w)] a: View<i8, 2>, #[shape(k, w)] b: View<i8, 2>,
        ) -> i32 {{
            let rows = b.extents()[0] - 1;
            let mut sum = 0i32;
            {terms}
            sum
        }}"
    )
}

#[test]
fn bytes_of_the_same_lanes_are_multiplied_by_fours() {
    for target in ["avx512", "vnni"] {
        for (terms, groups) in [(2, 0), (3, 1), (4, 1), (5, 2), (9, 3), (12, 3)] {
            let bodies = bodies(target, &products(terms));
            let [body] = bodies.as_slice() else { panic!("{target}: {} bodies", bodies.len()) };
            let rows = body.matches("let out_row").count();
            // Bytes of a vector are four vectors of sums.
            assert_eq!(body.matches("dpbusd").count(), 4 * groups * rows, "{target}: {terms} in {rows} rows");
        }
    }
}

/// A loop takes four turns at a time, and what is left one by one.
#[test]
fn products_of_bytes_are_added_by_fours_in_loops() {
    let product = |ty: &str| {
        format!(
            "#[kernel(window(n, k))] fn f(
                [n, k]: At<2>, #[shape(n, c)] src: View<{ty}, 2>, #[shape(c, k)] weights: View<i8, 2>,
            ) -> i32 {{
                let mut sum = 0i32;
                for c in 0..src.extents()[1] {{ sum = sum.wrapping_add(src[[n, c]] as i32 * weights[[c, k]] as i32); }}
                sum
            }}"
        )
    };
    for (target, instruction, vectors, signed) in
        [("avx512", "dpbusd", 4, "u8"), ("vnni", "dpbusd", 4, "u8"), ("dotprod", "sdot", 4, "i8")]
    {
        for ty in ["u8", "i8"] {
            let body = &bodies(target, &product(ty))[0];
            let rows = body.matches("let out_row").count();
            // Three forms of the loop, and two of what is left. The other sign takes a sum of the weights besides, which a run that packs has
            // summed up for one of them.
            let sums = usize::from(ty != signed);
            // That form takes four turns together where factors may be lanes of a vector.
            let lanes = if target == "dotprod" { 4 * vectors * rows } else { 0 };
            let dots = vectors * ((3 + 2) * rows + (2 + 2) * sums) + lanes;
            assert_eq!(body.matches(instruction).count(), dots, "{target} of {ty}: {body}");
            assert_eq!(body.matches(".4b[").count(), lanes, "{target} of {ty}");
            assert_eq!(body.matches("quad_sums_at").count(), sums, "{target} of {ty}");
            assert_eq!(body.matches("four_adjacent_bytes").count(), 2 * rows, "{target} of {ty}");
            assert_eq!(body.matches("quads_at").count(), if lanes == 0 { 1 } else { 1 + 4 }, "{target} of {ty}");
        }
    }
    assert_eq!(bodies("dotprod", "#[kernel] fn f(a: u8, b: i8) -> i32 { a as i32 * b as i32 }").len(), 0);
}

/// Elements outside are read from a constant beside the image, and not chosen lane by lane.
#[test]
fn what_lies_outside_is_read_elsewhere() {
    for target in ["avx512", "vnni"] {
        let body = &bodies(target, &products(4))[0];
        assert!(body.contains("_otherwise.as_ptr()") && !body.contains("blend"), "{target}");
    }
}

#[test]
fn narrow_bodies_are_those_of_kernels_that_add_products_of_bytes() {
    let product = |ty: &str| {
        format!(
            "#[kernel] fn f([y, x]: At<2>, a: View<{ty}>, b: View<{ty}>) -> i32 {{
                let [height, _] = b.extents();
                let mut sum = 0i32;
                for k in 0..height {{
                    sum = sum.wrapping_add(
                        a.get([y, k]).unwrap_or(0) as i32 * b.get([k, x]).unwrap_or(0) as i32);
                }}
                sum
            }}"
        )
    };
    assert_eq!(bodies("vnni", &product("i8")).len(), 1);
    for other in [product("i16").as_str(), "#[kernel] fn f(a: u8, b: u8) -> u8 { a.max(b) }"] {
        assert_eq!(bodies("vnni", other).len(), 0, "{other}");
    }
}
