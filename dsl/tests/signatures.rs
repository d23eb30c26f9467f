//! What stands in a kernel's attribute and signature, as the IR holds it.

use windrow_dsl::Compiled;
use windrow_dsl::ir::Overflow::{Saturate, Wrap};
use windrow_dsl::ir::*;

fn compile(source: &str) -> Compiled {
    let compiled = windrow_dsl::compile_file(source);
    let errors: Vec<String> = compiled.errors.iter().map(|error| error.text()).collect();
    assert!(errors.is_empty(), "{source}\n{}", errors.join("\n"));
    compiled
}

fn kernel(source: &str) -> Kernel {
    compile(source).kernels.remove(0).kernel
}

fn extent(left: i32, right: i32, top: i32, bottom: i32) -> Neighbourhood {
    Neighbourhood { left, right, top, bottom }
}

#[test]
fn the_attribute_says_step_schedule_and_flags() {
    let k = kernel(
        "#[kernel(step(32, 4), schedule(neon(32, 4), x86(64, 2), opencl(4, 8), opencl(16, 1)), fast, deny(scalar))] \
         pub fn f(a: u8) -> u8 { a }",
    );
    assert_eq!(k.step, Block { x: 32, y: 4 });
    assert_eq!(k.schedule.neon, Some(Block { x: 32, y: 4 }));
    assert_eq!(k.schedule.x86, Some(Block { x: 64, y: 2 }));
    assert_eq!(k.schedule.opencl, [Block { x: 4, y: 8 }, Block { x: 16, y: 1 }]);
    assert!(k.fast && k.deny_scalar);
    let plain = kernel("#[kernel] fn f(a: u8) -> u8 { a }");
    assert_eq!(plain.step, Block { x: 16, y: 1 });
    assert!(!plain.fast && !plain.deny_scalar && plain.schedule.opencl.is_empty());
}

#[test]
fn a_neighbourhood_is_found_for_each_input() {
    let k = kernel(
        "#[kernel] fn f(a: Neighbourhood<u8>, b: Neighbourhood<u8>, c: u8) -> u8 { a.at(-2, 1) | b.at(3, 0) | c }",
    );
    let found: Vec<Neighbourhood> = k.inputs.iter().map(|input| input.neighbourhood).collect();
    assert_eq!(found, [extent(-2, 0, 0, 1), extent(0, 3, 0, 0), extent(0, 0, 0, 0)]);
    assert_eq!((k.borders.len(), k.borders[0]), (6, BorderMode::Undefined));
    assert_eq!(k.inputs.iter().map(|input| input.is_neighbourhood).collect::<Vec<_>>(), [true, true, false]);
}

#[test]
fn a_declared_neighbourhood_is_kept() {
    let k = kernel("#[kernel(neighbourhood(x = -2..=2, y = -1..=1))] fn f(a: Neighbourhood<u8>) -> u8 { a.at(1, 0) }");
    assert_eq!(k.inputs[0].neighbourhood, extent(-2, 2, -1, 1));
}

#[test]
fn border_modes_are_offered_in_order() {
    let k = kernel("#[kernel(border(reflect101, wrap, undefined))] fn f(a: Neighbourhood<u8>) -> u8 { a.at(1, 0) }");
    assert_eq!(k.borders, [BorderMode::Reflect101, BorderMode::Wrap, BorderMode::Undefined]);
    assert_eq!(kernel("#[kernel] fn f(a: u8) -> u8 { a }").borders, [BorderMode::Undefined]);
}

#[test]
fn outputs_have_names_and_may_be_optional() {
    let k = kernel("#[kernel(output(dx?, dy))] fn f(a: u8) -> (u8, [u8; 3]) { (a, [a, a, a]) }");
    let outputs: Vec<_> = k.outputs.iter().map(|o| (o.name.as_str(), o.ty, o.channels, o.optional)).collect();
    assert_eq!(outputs, [("dx", Type::U8, 1, true), ("dy", Type::U8, 3, false)]);
    let stores: Vec<_> = k.bodies[0].stores.iter().map(|s| (s.to.tensor.0, s.to.channel)).collect();
    assert_eq!(stores, [(0, 0), (1, 0), (1, 1), (1, 2)]);
    assert_eq!(kernel("#[kernel] fn f(a: u8) -> u8 { a }").outputs[0].name, "out");
    let unnamed = kernel("#[kernel] fn f(a: u8) -> (u8, u8) { (a, a) }");
    assert_eq!(unnamed.outputs.iter().map(|o| o.name.as_str()).collect::<Vec<_>>(), ["out0", "out1"]);
}

#[test]
fn uniforms_have_bounds() {
    let k = kernel(
        "#[kernel] fn f(a: u8, #[uniform] p: i16, #[uniform(-3..=200)] q: i32, #[uniform(0.5..=f32::MAX)] r: f32, \
         #[uniform(0..=u8::MAX)] s: u16, #[uniform(0..=2)] t: usize, #[uniform(sum_of_magnitudes <= 99)] u: [[i16; 3]; 2]) \
         -> u8 { a }",
    );
    let bounds: Vec<_> = k.uniforms.iter().map(|u| u.bounds).collect();
    let int = |lo, hi| Some((Bound::Int(lo), Bound::Int(hi)));
    let float = Some((Bound::Float(0.5), Bound::Float(f32::MAX)));
    assert_eq!(bounds, [None, int(-3, 200), float, int(0, 255), int(0, 2), None]);
    assert!(k.uniforms[4].is_usize && k.uniforms[4].ty == Type::U32);
    assert_eq!((&k.uniforms[5].dims[..], k.uniforms[5].sum_of_magnitudes), (&[2, 3][..], Some(99)));
}

#[test]
fn requirements_compare_uniforms() {
    let k = kernel(
        "#[kernel(require(lower <= upper, 3 < lower))] fn f(a: u8, #[uniform] lower: u8, #[uniform] upper: u8) -> u8 \
         { a.clamp(lower, upper) }",
    );
    let (first, second) = (&k.requires[0], &k.requires[1]);
    let uniform = |id| RequireTerm::Uniform(UniformId(id));
    assert_eq!((first.left, first.op, first.right), (uniform(0), BinaryOp::Le, uniform(1)));
    assert_eq!(
        (second.left, second.op, second.right),
        (RequireTerm::Constant(Bound::Int(3)), BinaryOp::Lt, uniform(0))
    );
    assert_eq!(first.text, "lower <= upper");
}

#[test]
fn types_make_copies() {
    let compiled = compile("#[kernel(types(T = u8, f32))] pub(crate) fn f(a: T) -> T { a.max(1 as T) }");
    let names: Vec<_> = compiled.kernels.iter().map(|k| (k.kernel.name.as_str(), k.kernel.function.as_str())).collect();
    assert_eq!(names, [("f_u8", "f"), ("f_f32", "f")]);
    assert_eq!(compiled.kernels[1].kernel.type_parameter, Some(("T".to_owned(), Type::F32)));
    let copy = compiled.kernels[1].copy.as_ref().unwrap().to_string();
    assert!(copy.contains("type T = f32 ;") && copy.contains("__windrow_max"), "{copy}");
}

#[test]
fn a_function_with_copies_does_not_stand_in_place() {
    let item: proc_macro2::TokenStream = "fn f(a: T) -> T { a }".parse().unwrap();
    let compiled = windrow_dsl::compile_kernel("types(T = u8)".parse().unwrap(), item);
    assert!(compiled.errors.is_empty() && compiled.items.is_empty());
}

#[test]
fn inputs_have_strides_channels_and_roles() {
    let k = kernel(
        "#[kernel] fn f(#[stride(2, 2)] a: Neighbourhood<[u8; 3]>, [r, g]: [i16; 2], #[inout] acc: i16, t: Table<u8, 16>) \
         -> i16 { let [p, _, q] = a.at(1, 0); acc | t[p & 15] as i16 | q as i16 | r | g }",
    );
    let inputs: Vec<_> = k.inputs.iter().map(|i| (i.name.as_str(), i.ty, i.channels, i.stride(), i.inout)).collect();
    assert_eq!(
        inputs,
        [
            ("a", Type::U8, 3, (2, 2), None),
            ("rg", Type::I16, 2, (1, 1), None),
            ("acc", Type::I16, 1, (1, 1), Some(OutputId(0))),
        ]
    );
    assert_eq!((k.tables[0].name.as_str(), k.tables[0].ty, k.tables[0].length), ("t", Type::U8, 16));
    assert_eq!(k.parameters.len(), 4);
}

#[test]
fn an_in_out_input_finds_the_output_of_its_name() {
    let k = kernel("#[kernel(output(sum, acc))] fn f(a: i16, #[inout] acc: i16) -> (i16, i16) { (a, acc) }");
    assert_eq!(k.inputs[1].inout, Some(OutputId(1)));
}

#[test]
fn variants_make_bodies_the_last_fastest() {
    let k = kernel("#[kernel] fn f(a: u8, #[variant] p: Overflow, #[variant] q: Rounding) -> u8 { a }");
    let choices: Vec<_> = k.bodies.iter().map(|body| body.choice.clone()).collect();
    assert_eq!(choices, [[0, 0], [0, 1], [1, 0], [1, 1]]);
    assert_eq!(k.variants[0].values, ["Wrap", "Saturate"]);
    assert_eq!(k.variants[1].values, ["TowardZero", "NearestEven"]);
}

#[test]
fn a_variant_chooses_at_compile_time() {
    let k = kernel(
        "#[kernel] fn f(a: u8, b: u8, #[variant] p: Overflow) -> u8 \
         { if p == Overflow::Wrap { a.wrapping_add(b) } else { a.saturating_add(b) } }",
    );
    let ops: Vec<_> = k.bodies.iter().map(|body| body.nodes.last().unwrap().op.clone()).collect();
    assert!(matches!(ops[0], Op::Binary(BinaryOp::Add(Wrap), ..)));
    assert!(matches!(ops[1], Op::Binary(BinaryOp::Add(Saturate), ..)));
    assert!(k.bodies.iter().all(|body| body.guards.is_empty()));
}

#[test]
fn as_may_wrap_where_the_author_chose_to_wrap() {
    let k = kernel(
        "#[kernel] fn f(a: i16, #[variant] p: Overflow) -> u8 \
         { match p { Overflow::Wrap => a as u8, Overflow::Saturate => a.saturating_cast() } }",
    );
    let ops: Vec<_> = k.bodies.iter().map(|body| body.nodes.last().unwrap().op.clone()).collect();
    assert!(matches!(ops[..], [Op::Cast(CastMode::Wrapping, _), Op::Cast(CastMode::Saturating, _)]));
}

#[test]
fn coordinates_are_i32() {
    let k = kernel("#[kernel] fn f(a: u8) -> i32 { x() ^ y() ^ a as i32 }");
    let axes: Vec<_> = k.bodies[0].nodes.iter().filter(|node| matches!(node.op, Op::Coordinate { .. })).collect();
    assert!(axes.len() == 2 && axes.iter().all(|node| node.ty == Type::I32));
}

#[test]
fn a_parameter_hides_the_coordinate_of_its_name() {
    let errors = windrow_dsl::compile_file("#[kernel] fn f(x: u8) -> i32 { x() }").errors;
    assert!(errors[0].message.contains("can't be called"));
}

const MODULE: &str = "
    /// Shared.
    #[kernels]
    pub mod filters {
        use windrow::prelude::*;
        pub enum Shape { Box, Cross }
        const WEIGHTS: [u16; 3] = [1, 2, 1];
        type Wide = u16;
        fn weighted(a: Wide, b: Wide, c: Wide) -> Wide {
            [a, b, c].into_iter().zip(WEIGHTS).fold(0, |sum, (v, w)| sum + v * w)
        }
        /// Across.
        #[kernel(step(16, 4))]
        pub fn across(src: Neighbourhood<u8>) -> u8 {
            (weighted(src.at(-1, 0) as u16, src.at(0, 0) as u16, src.at(1, 0) as u16) >> 2) as u8
        }
        #[kernel]
        fn shaped(src: Neighbourhood<u8>, #[variant] shape: Shape) -> u8 {
            match shape {
                Shape::Box => src.at(1, 1).min(src.at(0, 0)),
                Shape::Cross => src.at(1, 0).max(src.at(0, 0)),
            }
        }
        #[kernel(types(T = u8, i16))]
        pub fn same(a: T) -> T { a }
    }";

#[test]
fn a_module_shares_its_items() {
    let compiled = compile(MODULE);
    let names: Vec<_> = compiled.kernels.iter().map(|k| k.kernel.name.as_str()).collect();
    assert_eq!(names, ["across", "shaped", "same_u8", "same_i16"]);
    assert_eq!(compiled.kernels[0].kernel.docs, ["Across."]);
    assert_eq!(compiled.kernels[1].kernel.variants[0].values, ["Box", "Cross"]);
    assert_eq!(compiled.kernels[1].kernel.inputs[0].neighbourhood, extent(0, 1, 0, 1));
}

#[test]
fn the_first_witness_of_a_module_holds_the_shared_functions() {
    let compiled = compile(MODULE);
    let witness = |index: usize| compiled.kernels[index].witness.to_string();
    assert!(witness(0).contains("fn weighted") && !witness(1).contains("fn weighted"));
    assert!(witness(0).contains("| sum : u16 , (v , w ,) : (u16 , u16 ,) | -> u16"), "{}", witness(0));
}

#[test]
fn a_module_is_kept_without_the_functions_that_stand_in_copies() {
    let tokens: proc_macro2::TokenStream = MODULE.replace("#[kernels]", "").parse().unwrap();
    let items = windrow_dsl::compile_module(proc_macro2::TokenStream::new(), tokens).items.to_string();
    assert!(items.contains("fn weighted") && items.contains("fn across") && !items.contains("fn same"), "{items}");
    assert!(items.contains("__windrow_min") && !items.contains("# [kernel") && !items.contains("variant"), "{items}");
}

#[test]
fn kernels_are_found_in_plain_modules() {
    let compiled =
        compile("mod a { mod b { #[windrow::kernel] fn f(a: u8) -> u8 { a } } #[kernel] fn g(a: u8) -> u8 { a } }");
    assert_eq!(compiled.kernels.iter().map(|k| k.kernel.name.as_str()).collect::<Vec<_>>(), ["f", "g"]);
}

#[test]
fn a_coordinate_may_have_the_name_of_an_extent() {
    for place in ["[r]: At<1>", "[r, _]: At<2>", "[c, r]: At<2>"] {
        let window = if place.contains('1') { "window(r)" } else { "window(c, r)" };
        let compiled = compile(&format!(
            "#[kernel({window})] fn f({place}, #[shape(r, c)] src: View<u8>) -> u8 {{ src.get([r, 0]).unwrap_or(0) }}"
        ));
        assert_eq!(compiled.kernels[0].kernel.extents[0].name, "r");
    }
}

#[test]
fn the_witness_says_every_type() {
    let compiled = compile(
        "#[kernel] fn f(a: u8) -> u8 { let v = [0; 3]; let (p, q) = (1, a as u16); let mut s = 0; s += q; \
         let t: u8 = s.saturating_cast(); t.min(v[0] + p) }",
    );
    let witness = compiled.kernels[0].witness.to_string();
    for part in [
        "let v : [u8 ; 3usize] = [0u8 ; 3]",
        "let (p , q ,) : (u8 , u16 ,) = (1u8 , a as u16 ,)",
        "let mut s : u16 = 0u16",
        "s . saturating_cast :: < u8 > ()",
        "t . __windrow_min (v [0usize] + p)",
    ] {
        assert!(witness.contains(part), "{part} in {witness}");
    }
}
