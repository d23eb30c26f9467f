//! Random pipelines mean the same when kernels are fused: both bodies are evaluated call by call, over whole images with borders, and
//! each element by the interpreter of the IR.
//!
//! `WINDROW_TEST=full` draws a hundred times as many.

use proc_macro2::TokenStream;
use quote::ToTokens;
use std::collections::HashMap;
use syn::{Expr, Stmt};
use windrow_dsl::interpret::{self, Arguments};
use windrow_dsl::ir::{Access, AxisId, Constant, Kernel, TableId, UniformId};
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

/// A linear congruence is enough.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) % end as u64) as usize
    }

    fn one_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }
}

/// What a kernel's parameter is given.
#[derive(Clone, Copy, PartialEq)]
enum Role {
    Image,
    Uniform,
    Table,
}

/// A kernel that can be evaluated.
struct Evaluated {
    kernel: Kernel,
    roles: Vec<Role>,
    /// The element of each image.
    images: Vec<String>,
    outputs: Vec<String>,
    has_border: bool,
}

impl Evaluated {
    fn new(item: &syn::ItemFn, kernel: Kernel) -> Evaluated {
        let (mut roles, mut images, mut has_border) = (Vec::new(), Vec::new(), false);
        for argument in &item.sig.inputs {
            let syn::FnArg::Typed(typed) = argument else { panic!("a kernel is no method") };
            let ty = typed.ty.to_token_stream().to_string().replace(' ', "");
            let role = match ty.as_str() {
                _ if !typed.attrs.is_empty() => Role::Uniform,
                ty if ty.starts_with("Table") => Role::Table,
                _ => Role::Image,
            };
            roles.push(role);
            if role == Role::Image {
                has_border |= ty.starts_with("Neighbourhood");
                images.push(ty.trim_start_matches("Neighbourhood<").trim_end_matches('>').to_owned());
            }
        }
        let syn::ReturnType::Type(_, output) = &item.sig.output else { panic!("a kernel returns something") };
        let outputs = match &**output {
            syn::Type::Tuple(several) => several.elems.iter().map(|ty| ty.to_token_stream().to_string()).collect(),
            one => vec![one.to_token_stream().to_string()],
        };
        Evaluated { kernel, roles, images, outputs, has_border }
    }
}

#[derive(Clone, Debug, PartialEq)]
struct Image {
    extents: [usize; 2],
    elements: Vec<Constant>,
}

#[derive(Clone, Copy)]
struct Border {
    mode: BorderMode,
    constant: i128,
}

/// A call's arguments at one element.
struct At<'c> {
    place: [usize; 2],
    images: &'c [&'c Image],
    borders: &'c [Border],
    uniforms: &'c [i128],
    table: &'c [u8],
}

impl Arguments for At<'_> {
    fn element(&self, access: &Access) -> Constant {
        let tap = access.tap().expect("an element of an image");
        let (image, border) = (self.images[tap.input.0 as usize], self.borders[tap.input.0 as usize]);
        let [y, x] = self.place;
        let [height, width] = image.extents;
        let index = |at: usize, by: i32, len| border.mode.map(at as isize + by as isize, len);
        match (index(y, tap.dy, height), index(x, tap.dx, width)) {
            (Some(y), Some(x)) => image.elements[y * width + x],
            _ => Constant::Int(border.constant),
        }
    }
    fn uniform(&self, uniform: UniformId, _: u32) -> Constant {
        Constant::Int(self.uniforms[uniform.0 as usize])
    }
    fn derived(&self, _: u32) -> Constant {
        unreachable!("words are derived later")
    }
    fn table(&self, _: TableId, index: i128) -> Option<Constant> {
        Some(Constant::Int(i128::from(*self.table.get(usize::try_from(index).ok()?)?)))
    }
    fn coordinate(&self, _: AxisId) -> i32 {
        unreachable!("no kernel here asks for its place")
    }
}

/// The variables of a body.
#[derive(Clone)]
struct Scope {
    images: HashMap<String, Image>,
    numbers: HashMap<String, i128>,
    borders: HashMap<String, Border>,
    table: Vec<u8>,
}

impl Scope {
    /// Runs a body, and returns its images.
    fn run(&mut self, body: &[Stmt], kernels: &HashMap<String, Evaluated>) -> Vec<Image> {
        for statement in body {
            match statement {
                Stmt::Local(local) => self.bind(local, kernels),
                // `check(..)?;`
                Stmt::Expr(_, Some(_)) => {}
                Stmt::Expr(result, None) => return self.images_of(result, kernels),
                other => panic!("{}", other.to_token_stream()),
            }
        }
        panic!("a body ends with its images")
    }

    fn bind(&mut self, local: &syn::Local, kernels: &HashMap<String, Evaluated>) {
        let value = &local.init.as_ref().expect("a value").expr;
        let names: Vec<String> = match &local.pat {
            syn::Pat::Tuple(several) => several.elems.iter().map(|name| name.to_token_stream().to_string()).collect(),
            one => vec![one.to_token_stream().to_string()],
        };
        if let Expr::Try(_) = &**value {
            let images = self.images_of(value, kernels);
            assert_eq!(images.len(), names.len());
            self.images.extend(names.into_iter().zip(images));
        } else if value.to_token_stream().to_string().starts_with("Border") {
            let border = self.border(value);
            self.borders.extend([(names[0].clone(), border)]);
        } else {
            let number = self.number(value);
            self.numbers.extend([(names[0].clone(), number)]);
        }
    }

    fn images_of(&self, expression: &Expr, kernels: &HashMap<String, Evaluated>) -> Vec<Image> {
        match expression {
            Expr::Try(tried) => self.images_of(&tried.expr, kernels),
            Expr::Reference(reference) => self.images_of(&reference.expr, kernels),
            Expr::Tuple(several) => several.elems.iter().flat_map(|one| self.images_of(one, kernels)).collect(),
            Expr::Path(name) => vec![self.images[&name.to_token_stream().to_string()].clone()],
            Expr::Call(call) => {
                let function = call.func.to_token_stream().to_string().replace(' ', "");
                match function.strip_suffix("::apply") {
                    Some(kernel) => self.call(&kernels[kernel], &call.args, kernels),
                    None => self.images_of(&call.args[0], kernels),
                }
            }
            other => panic!("{}", other.to_token_stream()),
        }
    }

    fn call(
        &self,
        called: &Evaluated,
        arguments: &syn::punctuated::Punctuated<Expr, syn::Token![,]>,
        kernels: &HashMap<String, Evaluated>,
    ) -> Vec<Image> {
        assert_eq!(arguments.len(), called.roles.len() + usize::from(called.has_border), "{}", called.kernel.function);
        let (mut images, mut uniforms) = (Vec::new(), Vec::new());
        for (role, argument) in called.roles.iter().zip(arguments) {
            match role {
                Role::Image => images.extend(self.images_of(argument, kernels)),
                Role::Uniform => uniforms.push(self.number(argument)),
                Role::Table => {}
            }
        }
        let borders = match arguments.last() {
            Some(border) if called.has_border => self.borders(border, images.len()),
            _ => vec![Border { mode: BorderMode::Replicate, constant: 0 }; images.len()],
        };
        let (extents, images) = (images[0].extents, images.iter().collect::<Vec<_>>());
        let body = &called.kernel.bodies[0];
        let mut results = vec![Image { extents, elements: Vec::new() }; called.outputs.len()];
        for place in (0..extents[0]).flat_map(|y| (0..extents[1]).map(move |x| [y, x])) {
            let at = At { place, images: &images, borders: &borders, uniforms: &uniforms, table: &self.table };
            let stored = interpret::stores(body, &at).expect("no panic");
            for (store, value) in body.stores.iter().zip(stored) {
                results[store.to.tensor.0 as usize].elements.push(value);
            }
        }
        results
    }

    fn number(&self, expression: &Expr) -> i128 {
        match expression {
            Expr::Lit(syn::ExprLit { lit: syn::Lit::Int(number), .. }) => number.base10_parse().expect("a number"),
            Expr::Path(name) => self.numbers[&name.to_token_stream().to_string()],
            Expr::Binary(sum) => self.number(&sum.left) + self.number(&sum.right),
            // `src.info().rank() as u8`
            Expr::Cast(_) => 2,
            other => panic!("{}", other.to_token_stream()),
        }
    }

    /// One for each image: of `Borders::each(&[..])`, or the same for all.
    fn borders(&self, expression: &Expr, images: usize) -> Vec<Border> {
        if let Expr::Call(each) = expression
            && let Some(Expr::Reference(list)) = each.args.first()
            && let Expr::Array(list) = &*list.expr
        {
            assert_eq!(list.elems.len(), images);
            return list.elems.iter().map(|border| self.border(border)).collect();
        }
        vec![self.border(expression); images]
    }

    fn border(&self, expression: &Expr) -> Border {
        let of = |mode| Border { mode, constant: 0 };
        let text = expression.to_token_stream().to_string().replace(' ', "");
        match expression {
            // `Into::<Borders>::into(border).of(1)`: all borders of a call are one here.
            Expr::MethodCall(of) => self.border(&of.receiver),
            Expr::Call(call) if text.contains("Border::constant(") && !text.contains("into(") => {
                Border { mode: BorderMode::Constant, constant: self.number(&call.args[0]) }
            }
            Expr::Call(call) => self.border(&call.args[0]),
            _ => match text.rsplit("::").next() {
                Some("Replicate") => of(BorderMode::Replicate),
                Some("Wrap") => of(BorderMode::Wrap),
                Some("Reflect101") => of(BorderMode::Reflect101),
                Some(name) => self.borders[name],
                None => panic!("{text}"),
            },
        }
    }
}

fn tokens(text: &str) -> TokenStream {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// A pipeline under construction: the images that there are, by their elements.
struct Drawn {
    text: String,
    images: HashMap<String, Vec<String>>,
    names: usize,
    numbers: Vec<String>,
}

impl Drawn {
    fn draw(random: &mut Random, kernels: &[(String, &Evaluated)]) -> (String, usize) {
        let images = [("u8", "src"), ("i16", "wide")].map(|(element, name)| (element.into(), vec![name.into()]));
        let mut drawn =
            Drawn { text: String::new(), images: images.into(), names: 0, numbers: vec!["by".into(), "3".into()] };
        for _ in 0..2 + random.below(7) {
            match random.below(12) {
                0 => {
                    let (name, number) = (drawn.fresh(), drawn.number(random));
                    drawn.text += &format!("let {name} = {number} + 1; ");
                    drawn.numbers.push(name);
                }
                1 => drawn.text += &format!("check(&{})?; ", drawn.image(random, "u8")),
                _ => {}
            }
            let (call, outputs) = drawn.call(random, kernels, None);
            let names: Vec<String> = outputs.iter().map(|_| drawn.fresh()).collect();
            let pattern = if names.len() == 1 { names[0].clone() } else { format!("({})", names.join(", ")) };
            drawn.text += &format!("let {pattern} = {call}?; ");
            for (element, name) in outputs.iter().zip(names) {
                drawn.images.entry(element.clone()).or_default().push(name);
            }
        }
        // What was computed last, by itself or with another; or a call.
        let last = drawn.images.values().filter_map(|names| names.last()).max_by_key(|name| (name.len(), *name));
        let last = last.cloned().unwrap_or_default();
        let outputs = match random.below(4) {
            0 => {
                let (call, _) = drawn.call(random, kernels, Some("u8"));
                drawn.text += &call;
                1
            }
            1 => {
                let other = drawn.image(random, "u8");
                drawn.text += &format!("Ok(({last}, {other}))");
                2
            }
            _ => {
                drawn.text += &format!("Ok({last})");
                1
            }
        };
        (drawn.text, outputs)
    }

    fn fresh(&mut self) -> String {
        self.names += 1;
        format!("v{}", self.names)
    }

    /// A name of an image, of those computed last more often.
    fn image(&self, random: &mut Random, element: &str) -> String {
        let names = &self.images[element];
        let from = if random.one_in(3) { 0 } else { names.len().saturating_sub(2) };
        names[from + random.below(names.len() - from)].clone()
    }

    fn number(&self, random: &mut Random) -> String {
        self.numbers[random.below(self.numbers.len())].clone()
    }

    /// A call of a kernel, and the elements of what it returns; of one image of an element, if one is wanted.
    fn call(
        &self,
        random: &mut Random,
        kernels: &[(String, &Evaluated)],
        wanted: Option<&str>,
    ) -> (String, Vec<String>) {
        let (name, kernel) = loop {
            let (name, kernel) = &kernels[random.below(kernels.len())];
            if wanted.is_none_or(|element| kernel.outputs == [element]) {
                break (name, kernel);
            }
        };
        let mut images = kernel.images.iter();
        let mut arguments: Vec<String> = Vec::new();
        for role in &kernel.roles {
            arguments.push(match role {
                Role::Image => {
                    let element = images.next().expect("an image");
                    let of_call = random.one_in(5).then(|| self.call(random, kernels, Some(element)).0 + "?");
                    format!("&{}", of_call.unwrap_or_else(|| self.image(random, element)))
                }
                Role::Uniform if random.one_in(6) => "src.info().rank() as u8".into(),
                Role::Uniform => self.number(random),
                Role::Table => "lut".into(),
            });
        }
        if kernel.has_border {
            let borders = ["Border::Wrap", "Border::Replicate", "Border::Reflect101", "border", "Border::constant(7)"];
            arguments.push(borders[random.below(borders.len())].into());
        }
        (format!("{name}::apply({})", arguments.join(", ")), kernel.outputs.clone())
    }
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
