//! Builds every mistake into one copy of the runtime, where an environment variable chooses one.

use proc_macro2::Span;
use quote::ToTokens;
use std::fs;
use std::path::Path;
use syn::visit_mut::{self, VisitMut};

/// The arithmetic of regions: these files of the runtime, and folders of these names.
const SOURCES: [&str; 8] = ["divide", "execute", "padding", "region", "run", "stage", "tiling", "window"];

/// One mistake.
pub struct Mutant {
    /// Its path in the runtime's sources.
    pub file: String,
    pub line: usize,
    /// The function that it stands in.
    pub function: String,
    /// What is made wrong.
    pub text: String,
    pub change: &'static str,
}

/// Copies the runtime with all mistakes built in; files of an earlier copy that have not changed stay
/// untouched.
pub fn copy(root: &Path, folder: &Path) -> Vec<Mutant> {
    let mut mutator = Mutator::default();
    for package in ["runtime", "reference"] {
        copy_folder(&mut mutator, &root.join(package), &folder.join(package));
    }
    let manifest = fs::read_to_string(root.join("Cargo.toml")).unwrap();
    let workspace = manifest.split("[package]\n").next().unwrap();
    let members = workspace.lines().find(|line| line.starts_with("members")).unwrap();
    let workspace = workspace.replace(members, "members = [\"runtime\", \"reference\"]");
    write(&folder.join("Cargo.toml"), workspace.as_bytes());
    let found = |name: &str| mutator.mutants.iter().any(|mutant| mutant.file.starts_with(name));
    assert!(SOURCES.into_iter().all(found), "a file of {SOURCES:?} is gone");
    write(&folder.join("Cargo.lock"), &fs::read(root.join("Cargo.lock")).unwrap());
    mutator.mutants
}

fn copy_folder(mutator: &mut Mutator, from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    let mut entries: Vec<_> = fs::read_dir(from).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for old in fs::read_dir(to).unwrap().map(|entry| entry.unwrap().path()) {
        match from.join(old.file_name().unwrap()).exists() {
            true => {}
            false if old.is_dir() => fs::remove_dir_all(&old).unwrap(),
            false => fs::remove_file(&old).unwrap(),
        }
    }
    for path in entries {
        let target = to.join(path.file_name().unwrap());
        let source = source(&path);
        if path.is_dir() {
            copy_folder(mutator, &path, &target);
        } else if let Some(source) = source {
            write(&target, mutator.file(&source, &fs::read_to_string(&path).unwrap()).as_bytes());
        } else if path.ends_with("runtime/src/lib.rs") {
            write(&target, (fs::read_to_string(&path).unwrap() + SWITCH).as_bytes());
        } else {
            write(&target, &fs::read(&path).unwrap());
        }
    }
}

/// The path of a file of [`SOURCES`] in the runtime's sources; `None` for any other, and for tests.
fn source(path: &Path) -> Option<String> {
    let (_, file) = path.to_str()?.rsplit_once("runtime/src/")?;
    let name = file.strip_suffix(".rs")?;
    (SOURCES.contains(&name.split('/').next()?) && !name.ends_with("tests")).then(|| file.to_owned())
}

fn write(path: &Path, bytes: &[u8]) {
    if fs::read(path).ok().as_deref() != Some(bytes) {
        fs::write(path, bytes).unwrap();
    }
}

/// What the mistakes ask: the one that is chosen, and integers a little more or less.
const SWITCH: &str = r#"
#[doc(hidden)]
#[allow(missing_docs)]
pub mod mutant {
    extern crate std;
    use std::sync::LazyLock;
    static CHOSEN: LazyLock<Option<u32>> =
        LazyLock::new(|| std::env::var("WINDROW_MUTANT").ok().and_then(|text| text.parse().ok()));
    pub fn on(number: u32) -> bool { *CHOSEN == Some(number) }
    pub trait Number: Copy { fn more(self) -> Self; fn less(self) -> Self; }
    macro_rules! numbers { ($($ty:ty)*) => { $(impl Number for $ty {
        fn more(self) -> Self { self.wrapping_add(1) }
        fn less(self) -> Self { self.wrapping_sub(1) }
    })* } }
    numbers! { usize isize u128 i128 u64 i64 u32 i32 u16 i16 u8 i8 }
    pub fn off<N: Number>(number: u32, value: N) -> N {
        if on(number) { value.more() } else if on(number + 1) { value.less() } else { value }
    }
}
"#;

/// Builds mistakes into a file.
#[derive(Default)]
struct Mutator {
    file: String,
    function: String,
    mutants: Vec<Mutant>,
}

impl Mutator {
    fn file(&mut self, name: &str, text: &str) -> String {
        let mut file = syn::parse_file(text).unwrap();
        self.file = name.to_owned();
        self.visit_file_mut(&mut file);
        file.to_token_stream().to_string()
    }

    fn add(&mut self, span: Span, text: &impl ToTokens, change: &'static str) -> u32 {
        let (line, function, text) = (span.start().line, self.function.clone(), text.to_token_stream().to_string());
        self.mutants.push(Mutant { file: self.file.clone(), line, function, text, change });
        self.mutants.len() as u32 - 1
    }

    /// Wraps a number, so that it may be one more or one less.
    fn off(&mut self, span: Span, text: &impl ToTokens, value: &syn::Expr) -> syn::Expr {
        let number = self.add(span, text, "one more");
        self.add(span, text, "one less");
        syn::parse_quote!(crate::mutant::off(#number, #value))
    }

    /// The mistakes of a function, which is constant no longer when it has some.
    fn function(&mut self, signature: &mut syn::Signature, block: &mut syn::Block) {
        let (before, outer) = (self.mutants.len(), std::mem::replace(&mut self.function, signature.ident.to_string()));
        self.visit_block_mut(block);
        self.function = outer;
        if self.mutants.len() > before {
            signature.constness = None;
        }
    }
}

impl VisitMut for Mutator {
    fn visit_item_mut(&mut self, item: &mut syn::Item) {
        match item {
            syn::Item::Const(_) | syn::Item::Static(_) | syn::Item::Macro(_) => {}
            syn::Item::Mod(module) if module.attrs.iter().any(|a| a.path().is_ident("cfg")) => {}
            other => visit_mut::visit_item_mut(self, other),
        }
    }

    fn visit_item_fn_mut(&mut self, item: &mut syn::ItemFn) {
        self.function(&mut item.sig, &mut item.block);
    }

    fn visit_impl_item_fn_mut(&mut self, item: &mut syn::ImplItemFn) {
        self.function(&mut item.sig, &mut item.block);
    }

    // What stands in types and patterns is constant.
    fn visit_type_mut(&mut self, _: &mut syn::Type) {}
    fn visit_pat_mut(&mut self, _: &mut syn::Pat) {}
    fn visit_macro_mut(&mut self, _: &mut syn::Macro) {}

    fn visit_expr_mut(&mut self, expr: &mut syn::Expr) {
        if let syn::Expr::Repeat(repeat) = expr {
            return self.visit_expr_mut(&mut repeat.expr);
        }
        let text = expr.clone();
        visit_mut::visit_expr_mut(self, expr);
        match (expr, &text) {
            (syn::Expr::Range(range), syn::Expr::Range(_)) => {
                if let Some(end) = &mut range.end {
                    let changed = self.off(first_span(&text), &text, end);
                    **end = changed;
                }
            }
            (expr @ syn::Expr::Binary(_), syn::Expr::Binary(original)) => self.binary(expr, original),
            _ => {}
        }
    }
}

impl Mutator {
    /// Sums and products one off, comparisons lax or strict; `text` is the expression as it was written.
    fn binary(&mut self, expr: &mut syn::Expr, text: &syn::ExprBinary) {
        use syn::BinOp;
        let span = first_span(&text.op);
        let syn::Expr::Binary(binary) = &mut *expr else { return };
        let other = match &binary.op {
            BinOp::Add(_) | BinOp::Sub(_) | BinOp::Mul(_) | BinOp::Div(_) => {
                *expr = self.off(span, text, &expr.clone());
                return;
            }
            BinOp::AddAssign(_) | BinOp::SubAssign(_) | BinOp::DivAssign(_) => {
                *binary.right = self.off(span, text, &binary.right.clone());
                return;
            }
            BinOp::Lt(_) => BinOp::Le(Default::default()),
            BinOp::Le(_) => BinOp::Lt(Default::default()),
            BinOp::Gt(_) => BinOp::Ge(Default::default()),
            BinOp::Ge(_) => BinOp::Gt(Default::default()),
            _ => return,
        };
        let original = binary.clone();
        binary.op = other;
        let (changed, number) = (binary.clone(), self.add(span, text, "lax or strict"));
        *expr = syn::parse_quote!((if crate::mutant::on(#number) { #changed } else { #original }));
    }
}

fn first_span(tokens: &impl ToTokens) -> Span {
    tokens.to_token_stream().into_iter().next().map_or_else(Span::call_site, |token| token.span())
}
