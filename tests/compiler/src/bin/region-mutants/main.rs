//! Proves that the runtime's tests bite: makes every sum, product and range of the region arithmetic wrong by one, in
//! both directions, and every comparison lax or strict, and counts the mistakes that no test sees.
//!
//! `cargo run -p windrow-compiler-tests --bin region-mutants [FOLDER]`. All mistakes are built into one copy of the
//! runtime; `WINDROW_MUTANT` chooses one. `docs/mutants.md` lists the survivors and says why they live.

use proc_macro2::Span;
use quote::ToTokens;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};
use syn::visit_mut::{self, VisitMut};

/// The arithmetic of regions.
const SOURCES: [&str; 4] = ["divide.rs", "execute.rs", "region.rs", "stage.rs"];
/// The tests that must see a mistake.
const TESTS: [&str; 6] = ["paths", "execute", "window", "guard", "schedule", "embed"];
/// A test that takes so much longer than without a mistake turns in circles.
const PATIENCE: u32 = 5;

/// One mistake.
struct Mutant {
    place: String,
    text: String,
    change: &'static str,
}

fn main() -> ExitCode {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folder =
        std::env::args().nth(1).map_or_else(|| std::env::temp_dir().join("windrow-region-mutants"), PathBuf::from);
    let mutants = copy(&root, &folder);
    let binaries = build(&folder);
    let tests: Vec<Test> = binaries.into_iter().map(Test::new).collect();
    let started = Instant::now();
    let mut survivors = String::new();
    let mut alive = 0;
    for (number, mutant) in
        mutants.iter().enumerate().filter(|(number, _)| tests.iter().all(|test| test.passes(*number)))
    {
        eprintln!("{number} of {} lives: {} {}", mutants.len(), mutant.place, mutant.change);
        alive += 1;
        let _ = writeln!(survivors, "| `{}` | `{}` | {} |", mutant.place, mutant.text, mutant.change);
    }
    let (all, seconds) = (mutants.len(), started.elapsed().as_secs());
    println!("| Place | Text | Change |\n|---|---|---|\n{survivors}");
    println!("{all} mistakes, {} caught, {alive} not: {seconds} s", all - alive);
    if (all - alive) * 100 >= all * 95 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Copies the runtime with all mistakes built in.
fn copy(root: &Path, folder: &Path) -> Vec<Mutant> {
    for package in ["runtime", "reference"] {
        copy_folder(&root.join(package), &folder.join(package));
    }
    let manifest = std::fs::read_to_string(root.join("Cargo.toml")).unwrap();
    let workspace = manifest.split("[package]\n").next().unwrap();
    let members = workspace.lines().find(|line| line.starts_with("members")).unwrap();
    let workspace = workspace.replace(members, "members = [\"runtime\", \"reference\"]");
    std::fs::write(folder.join("Cargo.toml"), workspace).unwrap();
    std::fs::copy(root.join("Cargo.lock"), folder.join("Cargo.lock")).unwrap();
    let mut mutator = Mutator::default();
    for source in SOURCES {
        let path = folder.join("runtime/src").join(source);
        let mut file = syn::parse_file(&std::fs::read_to_string(&path).unwrap()).unwrap();
        mutator.file = source;
        mutator.visit_file_mut(&mut file);
        std::fs::write(&path, file.to_token_stream().to_string()).unwrap();
    }
    let library = folder.join("runtime/src/lib.rs");
    let text = std::fs::read_to_string(&library).unwrap();
    std::fs::write(library, text + SWITCH).unwrap();
    mutator.mutants
}

fn copy_folder(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let target = to.join(path.file_name().unwrap());
        match path.is_dir() {
            true => copy_folder(&path, &target),
            false => drop(std::fs::copy(&path, &target).unwrap()),
        }
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
    numbers! { usize isize u64 i64 u32 i32 u16 i16 u8 i8 }
    pub fn off<N: Number>(number: u32, value: N) -> N {
        if on(number) { value.more() } else if on(number + 1) { value.less() } else { value }
    }
}
"#;

/// Builds mistakes into a file.
#[derive(Default)]
struct Mutator {
    file: &'static str,
    mutants: Vec<Mutant>,
}

impl Mutator {
    fn add(&mut self, span: Span, text: &impl ToTokens, change: &'static str) -> u32 {
        let place = format!("{}:{}", self.file, span.start().line);
        self.mutants.push(Mutant { place, text: text.to_token_stream().to_string(), change });
        self.mutants.len() as u32 - 1
    }

    /// Wraps a number, so that it may be one more or one less.
    fn off(&mut self, span: Span, value: &syn::Expr) -> syn::Expr {
        let number = self.add(span, value, "one more");
        self.add(span, value, "one less");
        syn::parse_quote!(crate::mutant::off(#number, #value))
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

    fn visit_item_fn_mut(&mut self, function: &mut syn::ItemFn) {
        let before = self.mutants.len();
        visit_mut::visit_item_fn_mut(self, function);
        if self.mutants.len() > before {
            function.sig.constness = None;
        }
    }

    fn visit_impl_item_fn_mut(&mut self, function: &mut syn::ImplItemFn) {
        let before = self.mutants.len();
        visit_mut::visit_impl_item_fn_mut(self, function);
        if self.mutants.len() > before {
            function.sig.constness = None;
        }
    }

    // What stands in types and patterns is constant.
    fn visit_type_mut(&mut self, _: &mut syn::Type) {}
    fn visit_pat_mut(&mut self, _: &mut syn::Pat) {}
    fn visit_macro_mut(&mut self, _: &mut syn::Macro) {}

    fn visit_expr_mut(&mut self, expr: &mut syn::Expr) {
        if let syn::Expr::Repeat(repeat) = expr {
            return self.visit_expr_mut(&mut repeat.expr);
        }
        visit_mut::visit_expr_mut(self, expr);
        match expr {
            syn::Expr::Range(range) => {
                if let Some(end) = &mut range.end {
                    let span = first_span(end);
                    **end = self.off(span, end);
                }
            }
            syn::Expr::Binary(binary) => {
                let span = first_span(&binary.op);
                let original = binary.clone();
                match &mut binary.op {
                    syn::BinOp::Add(_) | syn::BinOp::Sub(_) | syn::BinOp::Mul(_) | syn::BinOp::Div(_) => {
                        *expr = self.off(span, &syn::Expr::Binary(original));
                    }
                    syn::BinOp::AddAssign(_) | syn::BinOp::SubAssign(_) => {
                        let right = self.off(span, &original.right);
                        *binary.right = right;
                    }
                    op @ (syn::BinOp::Lt(_) | syn::BinOp::Le(_) | syn::BinOp::Gt(_) | syn::BinOp::Ge(_)) => {
                        *op = match op {
                            syn::BinOp::Lt(_) => syn::BinOp::Le(Default::default()),
                            syn::BinOp::Le(_) => syn::BinOp::Lt(Default::default()),
                            syn::BinOp::Gt(_) => syn::BinOp::Ge(Default::default()),
                            _ => syn::BinOp::Gt(Default::default()),
                        };
                        let changed = binary.clone();
                        let number = self.add(span, &original, "lax or strict");
                        *expr = syn::parse_quote!((if crate::mutant::on(#number) { #changed } else { #original }));
                    }
                    _ => {}
                }
            }
            _ => {}
        }
    }
}

fn first_span(tokens: &impl ToTokens) -> Span {
    tokens.to_token_stream().into_iter().next().map_or_else(Span::call_site, |token| token.span())
}

/// Builds the tests; where they lie.
fn build(folder: &Path) -> Vec<PathBuf> {
    let mut command = Command::new("cargo");
    command.current_dir(folder).args(["test", "--package", "windrow-runtime", "--no-run", "--lib"]);
    for test in TESTS {
        command.args(["--test", test]);
    }
    let output = command.env("RUSTFLAGS", "-A warnings").output().unwrap();
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{text}");
    let binary = |line: &str| Some(folder.join(line.split_once("Executable")?.1.split_once('(')?.1.strip_suffix(')')?));
    let mut binaries: Vec<PathBuf> = text.lines().filter_map(binary).collect();
    // The unit tests take longest.
    binaries.rotate_left(1);
    binaries
}

/// A test binary, and how long it may take.
struct Test {
    binary: PathBuf,
    limit: Duration,
}

impl Test {
    /// Runs it without a mistake.
    fn new(binary: PathBuf) -> Self {
        let mut test = Self { binary, limit: Duration::from_secs(300) };
        let started = Instant::now();
        assert!(test.run(None), "{} fails without a mistake", test.binary.display());
        test.limit = started.elapsed() * PATIENCE + Duration::from_secs(2);
        test
    }

    fn passes(&self, mutant: usize) -> bool {
        self.run(Some(mutant))
    }

    fn run(&self, mutant: Option<usize>) -> bool {
        let mut command = Command::new(&self.binary);
        if let Some(number) = mutant {
            command.env("WINDROW_MUTANT", number.to_string());
        }
        // As cargo runs it: in its package.
        command.current_dir(self.binary.ancestors().nth(4).unwrap().join("runtime"));
        command.env("PROPTEST_FAILURE_PERSISTENCE", "off").env("RUST_BACKTRACE", "0");
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let started = Instant::now();
        loop {
            match child.try_wait().unwrap() {
                Some(status) => return status.success(),
                None if started.elapsed() > self.limit => {
                    let _ = child.kill();
                    let _ = child.wait();
                    return false;
                }
                None => std::thread::sleep(Duration::from_millis(5)),
            }
        }
    }
}
