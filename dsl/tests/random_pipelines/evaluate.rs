//! Evaluates bodies of pipelines: call by call, over whole images, each element by the interpreter of the IR.

use quote::ToTokens;
use std::collections::HashMap;
use syn::{Expr, Stmt};
use windrow_dsl::interpret::{self, Arguments};
use windrow_dsl::ir::{Access, AxisId, Constant, Kernel, TableId, UniformId};
use windrow_reference::border::BorderMode;

/// What a kernel's parameter is given.
#[derive(Clone, Copy, PartialEq)]
pub enum Role {
    Image,
    Uniform,
    Table,
}

/// A kernel that can be evaluated.
pub struct Evaluated {
    pub kernel: Kernel,
    pub roles: Vec<Role>,
    /// The element of each image.
    pub images: Vec<String>,
    pub outputs: Vec<String>,
    pub has_border: bool,
}

impl Evaluated {
    pub fn new(item: &syn::ItemFn, kernel: Kernel) -> Evaluated {
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
pub struct Image {
    pub extents: [usize; 2],
    pub elements: Vec<Constant>,
}

#[derive(Clone, Copy)]
pub struct Border {
    pub mode: BorderMode,
    pub constant: i128,
}

/// A call's arguments at one element.
pub struct At<'c> {
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
pub struct Scope {
    pub images: HashMap<String, Image>,
    pub numbers: HashMap<String, i128>,
    pub borders: HashMap<String, Border>,
    pub table: Vec<u8>,
}

impl Scope {
    /// Runs a body, and returns its images.
    pub fn run(&mut self, body: &[Stmt], kernels: &HashMap<String, Evaluated>) -> Vec<Image> {
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
