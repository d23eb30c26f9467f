//! Random pipelines mean the same when kernels are fused: both bodies are evaluated call by call, over whole images with borders, and
//! each element by the interpreter of the IR.
//!
//! `WINDROW_TEST=full` draws a hundred times as many.

mod draw;
mod evaluate;

use draw::{Drawn, Random};
use evaluate::{Border, Evaluated, Image, Scope};
use proc_macro2::TokenStream;
use quote::ToTokens;
use std::collections::HashMap;
use windrow_dsl::ir::Constant;
use windrow_dsl::pipeline::{Callee, Pipeline};
use windrow_reference::border::BorderMode;

/// How many pipelines are drawn.
const PIPELINES: u64 = 10_000;

/// The kernels that pipelines call, with their options: name, images, and what they return.
const KERNELS: [Called; 9] = [
    Called {
        options: "neighbourhood(x = -1..=1, y = 0..=0)",
        item: "fn blur(src: Neighbourhood<u8>) -> u8 { src.at(-1, 0) / 2 + src.at(1, 0) / 2 }",
    },
    Called {
        options: "output(dx, dy)",
        item: "fn slopes(src: Neighbourhood<u8>) -> (i16, i16) {
            (src.at(2, 0) as i16 - src.at(0, -1) as i16, src.at(0, 1) as i16 - src.at(-1, 0) as i16)
        }",
    },
    Called {
        options: "step(16, 1)",
        item: "fn mix(a: u8, b: u8, #[uniform(0..=8)] by: u8) -> u8 { a / 2 + b / (by + 2) }",
    },
    Called { options: "", item: "fn sum(x: i16, y: i16) -> i16 { x.saturating_add(y) }" },
    Called {
        options: "",
        item: "fn strong(x: i16, #[uniform] limit: i16) -> u8 { if x > limit { 255 } else { (x & 15) as u8 } }",
    },
    Called { options: "", item: "fn look_up(x: u8, lut: Table<u8, 256>) -> u8 { lut[x] }" },
    Called {
        options: "",
        item: "fn edge(at: i16, src: Neighbourhood<i16>, own: u8) -> i16 { src.at(0, 1).saturating_sub(at).saturating_add(own as i16) }",
    },
    Called { options: "", item: "fn widen(x: u8) -> i16 { x as i16 * 3 }" },
    // No pipeline knows it.
    Called { options: "", item: "fn other(x: u8) -> u8 { 255 - x }" },
];

struct Called {
    options: &'static str,
    item: &'static str,
}

fn tokens(text: &str) -> TokenStream {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// The kernels of a module as it would be written, by their paths.
fn compile(module: &TokenStream) -> Option<Vec<(String, Evaluated)>> {
    let compiled = windrow_dsl::compile_module(TokenStream::new(), module.clone());
    if !compiled.errors.is_empty() {
        return None;
    }
    let module: syn::ItemMod = syn::parse2(module.clone()).ok()?;
    let items = module.content.as_ref()?.1.iter();
    let functions = items.filter_map(|item| match item {
        syn::Item::Fn(function) if !function.attrs.is_empty() => Some(function),
        _ => None,
    });
    let path = |function: &syn::ItemFn| format!("{}::{}", module.ident, function.sig.ident);
    let kernels = compiled.kernels.into_iter();
    Some(functions.zip(kernels).map(|(item, kernel)| (path(item), Evaluated::new(item, kernel.kernel))).collect())
}

#[test]
fn fused_and_written_are_equal() {
    let full = std::env::var("WINDROW_TEST").is_ok_and(|mode| mode == "full");
    let count = if full { 100 * PIPELINES } else { PIPELINES };
    let mut kernels: HashMap<String, Evaluated> = HashMap::new();
    for Called { options, item } in KERNELS {
        let mut compiled = windrow_dsl::compile_file(&format!("#[kernel({options})] {item}"));
        let texts: Vec<String> = compiled.errors.iter().map(|error| error.text()).collect();
        assert!(texts.is_empty(), "{texts:?}");
        let function: syn::ItemFn = syn::parse_str(item).unwrap();
        let name = function.sig.ident.to_string();
        kernels.insert(name, Evaluated::new(&function, compiled.kernels.remove(0).kernel));
    }
    let callees: HashMap<&str, &Called> = KERNELS.iter().map(|called| (name(called.item), called)).collect();
    let (mut fused_kernels, mut fused_pipelines) = (0u64, 0u64);
    for seed in 0..count {
        let mut random = Random(seed * 977 + 5);
        let mut called: Vec<(String, &Evaluated)> =
            kernels.iter().map(|(name, kernel)| (name.clone(), kernel)).collect();
        called.sort_by(|a, b| a.0.cmp(&b.0));
        let (body, outputs) = Drawn::draw(&mut random, &called);
        let output = ["Tensor<u8>", "(Tensor<u8>, Tensor<u8>)"][outputs - 1];
        let item = tokens(&format!(
            "fn p(src: &Tensor<u8>, wide: &Tensor<i16>, lut: &[u8; 256], by: u8, border: Border) -> Result<{output}, E> {{ {body} }}"
        ));
        let pipeline =
            Pipeline::read(&TokenStream::new(), &item).unwrap_or_else(|found| panic!("{}", found[0].message));
        let callee = |path: &syn::Path| {
            let called =
                callees.get(path.to_token_stream().to_string().as_str()).filter(|_| !path.is_ident("other"))?;
            Callee::read(tokens(called.options), tokens(called.item))
        };
        let known: Vec<Option<Callee>> = pipeline.paths().into_iter().map(callee).collect();
        let Some(fused) = pipeline.fuse(&known, &|module| compile(module).is_some()) else { continue };
        fused_pipelines += 1;
        let own: Vec<(String, Evaluated)> = fused.modules.iter().flat_map(|module| compile(module).unwrap()).collect();
        fused_kernels += own.len() as u64;
        let names: Vec<String> = own.iter().map(|(name, _)| name.clone()).collect();
        kernels.extend(own);

        let scope = scope(&mut random);
        let expected = scope.clone().run(&pipeline.function.block.stmts, &kernels);
        let written = &fused.body;
        let block: syn::Block = syn::parse_quote!({ #written });
        let found = scope.clone().run(&block.stmts, &kernels);
        assert!(found == expected, "seed {seed}:\n{body}\n{written}\n{found:?}\n{expected:?}");
        for name in names {
            kernels.remove(&name);
        }
    }
    assert!(fused_pipelines > count / 2, "only {fused_pipelines} of {count} pipelines have a fused kernel");
    assert!(fused_kernels > fused_pipelines, "{fused_kernels} fused kernels");
}

fn name(item: &str) -> &str {
    item.trim_start_matches("fn ").split('(').next().unwrap_or_default()
}

/// What the pipeline is called with: images down to one element.
fn scope(random: &mut Random) -> Scope {
    let extents = [1 + random.below(4), 1 + random.below(5)];
    let mut image = |span: usize, least: i128| {
        let elements = (0..extents[0] * extents[1]).map(|_| Constant::Int(random.below(span) as i128 + least));
        Image { extents, elements: elements.collect() }
    };
    let images = [("src".into(), image(256, 0)), ("wide".into(), image(1 << 16, -(1 << 15)))];
    let modes = [BorderMode::Reflect, BorderMode::Replicate, BorderMode::Constant];
    let border = Border { mode: modes[random.below(3)], constant: random.below(99) as i128 };
    Scope {
        images: images.into(),
        numbers: [("by".into(), random.below(2) as i128)].into(),
        borders: [("border".into(), border)].into(),
        table: (0..256).map(|_| random.below(256) as u8).collect(),
    }
}
