//! Which calls of a pipeline become one kernel, and which must not.

use proc_macro2::TokenStream;
use windrow_dsl::pipeline::{Callee, Fused, Pipeline};

/// The kernels that the pipelines call.
const KERNELS: [(&str, &str, &str); 12] = [
    (
        "blur",
        "neighbourhood(x = -1..=1, y = 0..=0)",
        "fn blur(src: Neighbourhood<u8>) -> u8 { src.at(-1, 0) / 2 + src.at(1, 0) / 2 }",
    ),
    (
        "slopes",
        "output(dx, dy)",
        "fn slopes(src: Neighbourhood<u8>) -> (i16, i16) { (src.at(1, 0) as i16, src.at(0, 1) as i16) }",
    ),
    ("mix", "step(16, 1)", "fn mix(a: u8, b: u8, #[uniform(0..=8)] by: u8) -> u8 { a / 2 + b / 2 / (by + 1) }"),
    ("sum", "", "fn sum(x: i16, y: i16) -> i16 { x.saturating_add(y) }"),
    ("twice", "types(T = u8, i16)", "fn twice(x: T) -> T { x.saturating_add(x) }"),
    ("look_up", "", "fn look_up(x: u8, lut: Table<u8, 256>) -> u8 { lut[x] }"),
    (
        "layer",
        "step(8, 1), window(n + pad[0], k)",
        "fn layer([n, k]: At<2>, #[shape(n, c)] src: View<f32, 2>, #[shape(c, k)] weights: View<f32, 2>, \
         #[uniform(0..=4)] pad: [i32; 2]) -> f32 {
             let [rows, channels] = src.extents();
             let mut sum = pad[1] as f32;
             for channel in 0..channels { sum = src[[n.min(rows - 1), channel]].mul_add(weights[[channel, k]], sum); }
             sum
         }",
    ),
    (
        "add",
        "",
        "fn add(a: u8, b: u8, #[variant] policy: Overflow) -> u8 {
             match policy { Overflow::Wrap => a.wrapping_add(b), Overflow::Saturate => a.saturating_add(b) }
         }",
    ),
    (
        "pick",
        "",
        "fn pick([row, _]: At<2>, x: f32, #[shape(n, c)] table: View<f32, 2>) -> f32 {
             x + table.get([row, 0]).unwrap_or(0.0)
         }",
    ),
    ("grow", "", "fn grow(x: u8) -> i16 { x as i16 }"),
    ("plus", "", "fn plus(a: f32, b: f32) -> f32 { a + b }"),
    ("relu", "", "fn relu(x: f32, #[uniform] upper: f32) -> f32 { x.max(0.0).min(upper) }"),
];

fn tokens(text: &str) -> TokenStream {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn fuse(parameters: &str, body: &str) -> Option<Fused> {
    let item = tokens(&format!("fn p({parameters}) -> Result<Tensor<u8>, Error> {{ {body} }}"));
    let pipeline =
        Pipeline::read(&TokenStream::new(), &item).unwrap_or_else(|mistakes| panic!("{}", mistakes[0].message));
    let callee = |name: String| {
        let (_, attribute, function) = KERNELS.iter().find(|(kernel, ..)| *kernel == name)?;
        Callee::read(tokens(attribute), tokens(function))
    };
    let callees: Vec<_> = pipeline.paths().iter().map(|path| callee(path.segments.last()?.ident.to_string())).collect();
    pipeline.fuse(&callees, &|module| {
        let compiled = windrow_dsl::compile_module(TokenStream::new(), module.clone());
        compiled.errors.is_empty()
    })
}

/// The calls of the fused function, or "nothing".
fn fused(parameters: &str, body: &str) -> String {
    fuse(parameters, body).map_or("nothing".into(), |fused| fused.body.to_string().replace(' ', ""))
}

#[test]
fn a_reader_of_the_element_takes_its_producer_in() {
    let body = "let soft = blur::apply(src, border)?; mix::apply(src, &soft, 3)";
    let borders =
        "::windrow::__rt::Borders::each(&[::core::convert::Into::<::windrow::__rt::Borders>::into(border).of(0usize)])";
    assert_eq!(fused("src: &Tensor<u8>, border: Border", body), format!("fused_0::blur_mix::apply(src,3,{borders})"));
    let module = fuse("src: &Tensor<u8>, border: Border", body).unwrap().modules.remove(0).to_string();
    let kernel = "pub fn blur_mix (src : Neighbourhood < u8 > , # [uniform (0 ..= 8)] by : u8) -> u8 \
                  { let soft = blur_of_element (src) ; mix_of_element (src . at (0 , 0) , soft , by) }";
    assert!(module.contains(kernel), "{module}");
}

#[test]
fn a_chain_of_them_is_one_kernel() {
    let body = "let (dx, dy) = m::slopes::apply(src, Border::Wrap)?;
                let size = sum::apply(&dx, &dy)?;
                let k = by + 1;
                let other = sum::apply(&size, &dx)?;
                Ok(other)";
    let found = fused("src: &Tensor<u8>, by: u8", body);
    assert!(found.contains("letother=fused_0::slopes_sum_sum::apply(src,"), "{found}");
    assert!(found.starts_with("letk=by+1;") && found.ends_with("Ok(other)"), "{found}");
}

#[test]
fn a_table_and_a_value_that_two_calls_share_are_one_parameter() {
    let body = "let a = look_up::apply(src, lut)?; let b = look_up::apply(&a, lut)?; let c = mix::apply(&a, &b, n)?; mix::apply(&c, src, n)";
    let found = fused("src: &Tensor<u8>, lut: &[u8; 256], n: u8", body);
    assert_eq!(found, "fused_0::look_up_look_up_mix_mix::apply(src,n,lut,)");
}

#[test]
fn what_reads_anywhere_takes_in_what_reads_its_elements() {
    let repeated = fused(
        "src: &Tensor<f32>, weights: &Tensor<f32>, pad: i32",
        "relu::apply(&layer::apply(src, weights, [pad + 1; 2])?, 6.0)",
    );
    assert_eq!(repeated, "fused_0::layer_relu::apply(src,weights,[pad+1;2],6.0,)");
    let parameters = "src: &Tensor<f32>, weights: &Tensor<f32>, pads: [i32; 2]";
    let body = "let a = layer::apply(src, weights, pads)?; let b = plus::apply(&a, src)?; relu::apply(&b, 6.0)";
    assert_eq!(fused(parameters, body), "fused_0::layer_plus_relu::apply(src,weights,src,pads,6.0,)");
    let module = fuse(parameters, body).unwrap().modules.remove(0).to_string();
    let kernel = "# [kernel (window (n + pads [0] , k))] \
                  pub fn layer_plus_relu ([n , k] : At < 2 > , # [shape (n , c)] src : View < f32 , 2 > , \
                  # [shape (c , k)] weights : View < f32 , 2 > , src_2 : f32 , # [uniform (0 ..= 4)] pads : [i32 ; 2] , \
                  # [uniform] upper : f32) -> f32 { let a = layer_of_element (n , k , src , weights , pads) ; \
                  let b = plus_of_element (a , src_2) ; relu_of_element (b , upper) }";
    assert!(module.contains(kernel), "{module}");
}

#[test]
fn each_kernel_has_extents_of_its_own() {
    let module = |body: &str| {
        fuse("src: &Tensor<f32>, weights: &Tensor<f32>, other: &Tensor<f32>", body)
            .unwrap()
            .modules
            .remove(0)
            .to_string()
    };
    // `n` and `c` of the two are different extents, but for an image that both read.
    let apart = module("pick::apply(&layer::apply(src, weights, [0, 1])?, other)");
    assert!(apart.contains("# [shape (n , c)] src :") && apart.contains("# [shape (c , k)] weights :"), "{apart}");
    assert!(apart.contains("# [shape (n_2 , c_2)] other :"), "{apart}");
    let shared = module("pick::apply(&layer::apply(src, weights, [0, 1])?, src)");
    assert!(shared.contains("# [shape (n , c)] src :") && !shared.contains("n_2"), "{shared}");
}

#[test]
fn kernels_of_several_types_are_taken_in_as_those_of_one() {
    let fused_by = |body: &str| {
        let module = fuse("src: &Tensor<u8>", body).unwrap().modules.remove(0).to_string();
        (fused("src: &Tensor<u8>", body), module)
    };
    let (call, module) = fused_by("let a = twice::apply(src)?; twice::<u8>::apply(&a)");
    assert_eq!(call, "fused_0::twice_twice::apply(src,)");
    assert_eq!(module.matches("fn twice_of_element (x : u8) -> u8").count(), 1, "{module}");
    let (call, module) = fused_by("let a = twice::apply(src)?; let b = grow::apply(&a)?; twice::apply(&b)");
    assert_eq!(call, "fused_0::twice_grow_twice::apply(src,)");
    assert!(module.contains("fn twice_of_element (x : u8) -> u8"), "{module}");
    assert!(module.contains("fn twice_2_of_element (x : i16) -> i16"), "{module}");
}

#[test]
fn a_variant_is_the_callers_where_the_pipeline_does_not_say_it() {
    let body = "let a = add::apply(src, src, policy)?; let b = add::apply(&a, src, Overflow::Wrap)?; add::apply(&b, src, policy)";
    let found = fused("src: &Tensor<u8>, policy: Overflow", body);
    assert_eq!(found, "fused_0::add_add_add::apply(src,policy,)");
    let module = fuse("src: &Tensor<u8>, policy: Overflow", body).unwrap().modules.remove(0).to_string();
    let kernel = "pub fn add_add_add (src : u8 , # [variant] policy : Overflow) -> u8 \
                  { let a = add_of_element (src , src , policy) ; \
                  let b = add_of_element (a , src , Overflow :: Wrap) ; add_of_element (b , src , policy) }";
    assert!(module.contains(kernel), "{module}");
}

#[test]
fn a_kernel_has_one_window() {
    let body =
        "let a = layer::apply(src, weights, [0, 1])?; let b = layer::apply(weights, src, [0, 2])?; plus::apply(&a, &b)";
    let found = fused("src: &Tensor<f32>, weights: &Tensor<f32>", body);
    let expected = "leta=layer::apply(src,weights,[0,1])?;fused_0::layer_plus::apply(weights,src,&a,[0,2],)";
    assert_eq!(found, expected);
}

#[test]
fn what_is_read_anywhere_is_computed_before() {
    let body = "let a = layer::apply(src, src, [0, 1])?; layer::apply(&a, src, [0, 2])";
    assert_eq!(fused("src: &Tensor<f32>", body), "nothing");
}

#[test]
fn what_is_read_around_is_computed_first() {
    let body = "let soft = blur::apply(src, Border::Wrap)?; let softer = blur::apply(&soft, Border::Wrap)?; mix::apply(&softer, &soft, 3)";
    let found = fused("src: &Tensor<u8>", body);
    assert!(found.starts_with("letsoft=blur::apply(src,Border::Wrap)?;fused_0::blur_mix::apply(&soft,3,"), "{found}");
}

#[test]
fn one_image_with_two_borders_is_two_parameters() {
    let body =
        "let a = blur::apply(src, Border::Wrap)?; let b = blur::apply(src, Border::Replicate)?; mix::apply(&a, &b, 3)";
    let found = fused("src: &Tensor<u8>", body);
    assert!(found.contains("fused_0::blur_blur_mix::apply(src,src,3,"), "{found}");
    assert!(found.contains("Border::Wrap).of(0usize)") && found.contains("Border::Replicate).of(0usize)"), "{found}");
}

#[test]
fn what_must_stay_apart_stays_apart() {
    let cases = [
        (
            "an image with another reader",
            "let a = mix::apply(src, src, 1)?; let b = mix::apply(&a, src, 2)?; twice::apply(&a)?; Ok(b)",
        ),
        (
            "an image that is returned",
            "let a = blur::apply(src, Border::Wrap)?; let b = mix::apply(&a, src, 2)?; Ok((a, b))",
        ),
        ("a kernel of several types, by none of them", "let a = twice::<f32>::apply(src)?; twice::<f32>::apply(&a)"),
        ("a type that nobody knows", "let a = other::apply(src)?; let b = twice::apply(&a)?; twice::apply(&b)"),
        ("a kernel that nobody knows", "let a = other::apply(src)?; other::apply(&a)"),
        ("a statement between that may leave", "let a = mix::apply(src, src, 1)?; check(src)?; mix::apply(&a, src, 2)"),
        ("a value that changes", "let mut n = 1; let a = mix::apply(src, src, n)?; n += 1; mix::apply(&a, src, n)"),
        (
            "a name that is bound twice",
            "let a = mix::apply(src, src, 1)?; let src = other(src); mix::apply(&a, src, 2)",
        ),
        (
            "a value that is computed by a method",
            "let a = mix::apply(src, src, n.next())?; mix::apply(&a, src, n.next())",
        ),
        (
            "a block that may leave",
            "let a = mix::apply(src, src, 1)?; let n = if b { return c } else { 2 }; mix::apply(&a, src, n)",
        ),
        ("a macro that may leave", "let a = mix::apply(src, src, 1)?; let n = leave!(); mix::apply(&a, src, n)"),
        ("a call that doesn't fit", "let a = mix::apply(src, src)?; mix::apply(&a, src, 2)"),
        ("a call with type arguments", "let a = mix::<u8>::apply(src, src, 1)?; mix::<u8>::apply(&a, src, 2)"),
        ("a loop", "let mut a = mix::apply(src, src, 1)?; for _ in 0..3 { a = mix::apply(&a, src, 2)?; } Ok(a)"),
    ];
    for (what, body) in cases {
        assert_eq!(fused("src: &Tensor<u8>", body), "nothing", "{what}");
    }
}

#[test]
fn calls_in_arguments_and_results_are_calls() {
    let nested = "mix::apply(&blur::apply(src, Border::Wrap)?, src, 3)";
    let named = "let a = blur::apply(src, Border::Wrap)?; mix::apply(&a, src, 3)";
    assert_eq!(fused("src: &Tensor<u8>", nested), fused("src: &Tensor<u8>", named));
    let found = fused("src: &Tensor<u8>", &format!("Ok({nested}?)"));
    assert!(found.contains("=fused_0::blur_mix::apply(src,3,") && found.ends_with("Ok(windrow_argument_1)"), "{found}");
    // What follows a value with an effect is evaluated after it.
    let behind = "mix::apply(src, &blur::apply(src, Border::Wrap)?, src.next())";
    assert!(fused("src: &Tensor<u8>", behind) == "nothing");
}

#[test]
fn values_are_computed_where_they_stand() {
    let body = "let a = blur::apply(src, Border::constant(3))?; let b = tell(src); mix::apply(&a, src, src.info().rank() as u8)";
    let found = fused("src: &Tensor<u8>", body);
    let before =
        "letwindrow_argument_0=Border::constant(3);letb=tell(src);letwindrow_argument_1=src.info().rank()asu8;";
    assert!(found.starts_with(before), "{found}");
    assert!(found.contains("fused_0::blur_mix::apply(src,windrow_argument_1,"), "{found}");
}

#[test]
fn readers_in_two_kernels_keep_their_producer() {
    let body = "let a = mix::apply(src, src, 1)?; let b = mix::apply(&a, src, 2)?; let c = mix::apply(&a, src, 3)?;
                let d = blur::apply(&b, Border::Wrap)?; mix::apply(&d, &c, 4)";
    let found = fused("src: &Tensor<u8>", body);
    assert!(
        found.starts_with("leta=mix::apply(src,src,1)?;letb=mix::apply(&a,src,2)?;fused_0::mix_blur_mix::apply"),
        "{found}"
    );
}

#[test]
fn what_is_too_much_for_one_kernel_is_computed_before_it() {
    let images: Vec<String> = (0..10).map(|index| format!("i{index}: &Tensor<u8>")).collect();
    let sums: String =
        (1..10).map(|index| format!("let s{index} = mix::apply(&s{}, i{index}, 1)?;", index - 1)).collect();
    let body = format!("let s0 = mix::apply(i0, i0, 1)?; {sums} Ok(s9)");
    // A kernel reads at most eight images.
    let found = fused(&images.join(","), &body);
    let before = "lets0=mix::apply(i0,i0,1)?;lets1=mix::apply(&s0,i1,1)?;lets2=mix::apply(&s1,i2,1)?;";
    assert!(found.starts_with(before), "{found}");
    assert!(
        found.ends_with("lets9=fused_0::mix_mix_mix_mix_mix_mix_mix::apply(&s2,i3,i4,i5,i6,i7,i8,i9,1,)?;Ok(s9)"),
        "{found}"
    );
}

/// A file with a pipeline of several outputs, and one whose stages are not known.
const FILE: &str = "
    use other::mix;
    #[kernel] fn blur(src: Neighbourhood<u8>) -> u8 { src.at(0, -1) / 2 + src.at(0, 1) / 2 }
    #[kernel(output(low, high))] fn split(a: u8) -> (u8, u16) { (a % 16, a as u16 / 16) }
    #[kernel] fn sum(a: u8, b: u16) -> u16 { a as u16 + b / 2 }
    #[kernel(types(T = u8, u16))] fn twice(a: T) -> T { a.saturating_add(a) }
    #[pipeline]
    fn several(src: &Tensor<u8>) -> Result<(Tensor<u8>, Tensor<u16>)> {
        let soft = blur::apply(&blur::apply(src, Border::Wrap)?, Border::Wrap)?;
        let (low, high) = split::apply(&soft)?;
        let total = sum::apply(&low, &high)?;
        let doubled = twice::apply(&soft)?;
        Ok((doubled, total))
    }
    #[pipeline]
    fn loops(src: &Tensor<u8>, n: usize) -> Result<Tensor<u8>> {
        let mut image = mix::apply(src, src, 1)?;
        for _ in 0..n { image = blur::apply(&image, Border::Wrap)?; }
        Ok(image)
    }
";

#[test]
fn an_outline_says_where_images_are_and_what_is_computed_twice() {
    use windrow_dsl::library::Library;
    use windrow_dsl::pipeline::{Storage, outlines};
    let others = |name: &str| if name == "other" { vec![format!("#[kernel] {}", KERNELS[2].2)] } else { Vec::new() };
    let is_kernel =
        |module: &TokenStream| windrow_dsl::compile_module(TokenStream::new(), module.clone()).errors.is_empty();
    let found = outlines(FILE, &Library::new([FILE], others), &is_kernel);
    let [several, loops] = found.as_slice() else { panic!("{}", found.len()) };
    let images: Vec<_> =
        several.images.iter().map(|i| (i.name.as_str(), i.element.as_deref(), i.storage, i.halo)).collect();
    let expected = [
        ("src", Some("u8"), Storage::Input, Some(4)),
        ("argument 0", Some("u8"), Storage::Between, Some(2)),
        ("soft", Some("u8"), Storage::Between, Some(0)),
        ("low", Some("u8"), Storage::Registers, Some(0)),
        ("high", Some("u16"), Storage::Registers, Some(0)),
        ("total", Some("u16"), Storage::Output, Some(0)),
        ("doubled", None, Storage::Output, Some(0)),
    ];
    assert_eq!(images, expected);
    let stages: Vec<_> = several.stages.iter().map(|stage| stage.calls.join(" + ")).collect();
    assert_eq!(stages, ["blur", "blur", "split + sum", "twice"]);
    let reads: Vec<_> = several.stages[1].reads.iter().map(|read| (read.image, read.extent)).collect();
    assert_eq!(reads, [(1, Some((1, 3)))]);
    assert_eq!((several.bytes_alone, several.has_other_statements), (None, false));
    // `mut` and the loop: nothing of it is known before it runs.
    assert!(loops.stages.is_empty() && loops.has_other_statements);
}
