//! Turns subjects into one program for a processor, and runs it: AArch64's under an emulator.

use crate::data;
use crate::make::Subject;
use std::path::{Path, PathBuf};
use std::process::Command;
use windrow_backends::rows::EmittedBody;
use windrow_backends::scalar;
use windrow_backends::targets::{CPU, CpuTarget};
use windrow_dsl::interpret::{self, Arguments};
use windrow_dsl::ir::*;
use windrow_dsl::optimise::prepare;

/// A processor, and the targets that it runs.
pub struct Processor {
    architecture: &'static str,
    /// What its programs are built for where another machine or an emulator runs them.
    triple: &'static str,
    /// What runs its programs elsewhere.
    emulator: Option<&'static [&'static str]>,
    /// The environment variable that names another program for that.
    variable: Option<&'static str>,
    /// The feature of its targets.
    feature: Option<&'static str>,
    /// Whether this machine runs its programs itself.
    is_here: fn() -> bool,
    linker: &'static [&'static str],
}

pub const AARCH64: Processor = Processor {
    architecture: "aarch64",
    triple: "aarch64-unknown-linux-musl",
    emulator: Some(&["qemu-aarch64-static", "-cpu", "max"]),
    variable: None,
    feature: None,
    is_here: || false,
    linker: &["-C", "linker=rust-lld", "-C", "link-self-contained=yes", "-C", "linker-flavor=ld.lld"],
};

pub const X86_64: Processor = Processor {
    architecture: "x86_64",
    triple: "x86_64-unknown-linux-gnu",
    emulator: None,
    variable: None,
    feature: None,
    is_here: has_avx2,
    linker: &[],
};

/// The same with AVX-512: programs without a dynamic loader, for emulators of a whole machine.
pub const AVX512: Processor = Processor {
    triple: "x86_64-unknown-linux-musl",
    variable: Some("WINDROW_AVX512_EMULATOR"),
    feature: Some("avx512"),
    is_here: has_avx512,
    // They may have to travel.
    linker: &["-C", "strip=symbols"],
    ..X86_64
};

impl Processor {
    /// Its vector targets.
    pub fn targets(&self) -> Vec<&'static CpuTarget> {
        let own = CPU.iter().filter(|target| target.architecture == Some(self.architecture));
        own.filter(|target| target.feature == self.feature).collect()
    }

    /// What its programs are built for.
    fn triple(&self) -> &'static str {
        if (self.is_here)() { X86_64.triple } else { self.triple }
    }

    /// What runs a program, and its first arguments; none where this machine does it itself.
    pub fn runner(&self) -> Option<Vec<String>> {
        if (self.is_here)() {
            return None;
        }
        let named = self.variable.and_then(|variable| std::env::var(variable).ok());
        let known = self.emulator.map(|words| words.iter().map(ToString::to_string).collect());
        named.map(|command| vec![command]).or(known)
    }

    /// Whether its programs can be built and run here.
    pub fn is_present(&self) -> bool {
        let has_target = output(rustc().args(["--print", "target-libdir", "--target", self.triple()]))
            .is_ok_and(|folder| Path::new(folder.trim()).exists());
        let runs = match self.runner() {
            Some(_) if self.emulator.is_none() => true,
            Some(words) => output(Command::new(&words[0]).arg("--version")).is_ok(),
            None => (self.is_here)(),
        };
        has_target && runs
    }
}

#[cfg(target_arch = "x86_64")]
fn has_avx2() -> bool {
    std::is_x86_feature_detected!("avx2")
        && std::is_x86_feature_detected!("fma")
        && std::is_x86_feature_detected!("f16c")
}

#[cfg(not(target_arch = "x86_64"))]
fn has_avx2() -> bool {
    false
}

#[cfg(target_arch = "x86_64")]
fn has_avx512() -> bool {
    let has_words = std::is_x86_feature_detected!("avx512f") && std::is_x86_feature_detected!("avx512dq");
    let has_bytes = std::is_x86_feature_detected!("avx512bw") && std::is_x86_feature_detected!("avx512vl");
    has_avx2() && has_words && has_bytes && std::is_x86_feature_detected!("avx512vnni")
}

#[cfg(not(target_arch = "x86_64"))]
fn has_avx512() -> bool {
    false
}

/// The folder in which programs are built, and the compiled stand-in for the facade's `__rt`.
#[derive(Clone)]
pub struct Machine {
    processor: &'static Processor,
    /// Whose bodies stand in the programs.
    targets: Vec<&'static CpuTarget>,
    folder: PathBuf,
    level: &'static str,
}

impl Machine {
    /// None, said aloud, where programs for the processor cannot be built or run.
    pub fn new(processor: &'static Processor, name: &str, level: &'static str) -> Option<Self> {
        if !processor.is_present() {
            let runner = processor.variable.map(|variable| vec![variable]).or(processor.emulator.map(<[_]>::to_vec));
            eprintln!("not run: needs the Rust target {} and {runner:?}", processor.triple());
            return None;
        }
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}_{}", processor.triple()));
        std::fs::create_dir_all(&folder).unwrap();
        let machine = Self { processor, targets: processor.targets(), folder, level };
        machine.build_facade();
        Some(machine)
    }

    /// The same for one of the processor's targets.
    pub fn only(mut self, target: &'static CpuTarget) -> Self {
        self.targets.retain(|other| other.name == target.name);
        self
    }

    /// The same for programs that Miri interprets, which knows what each instruction of AVX-512 means; none, said aloud, where
    /// it is missing.
    pub fn of_miri(name: &str) -> Option<Self> {
        let mut version = cargo();
        if output(version.args(["+nightly", "miri", "--version"])).is_err() {
            eprintln!("not run: needs nightly Rust with Miri");
            return None;
        }
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}_miri"));
        Some(Self { processor: &AVX512, targets: AVX512.targets(), folder, level: "0" })
    }

    /// What Miri makes of the subjects.
    pub fn interpret(&self, subjects: &[Subject], change: &dyn Fn(usize, &str) -> String) -> Result<String, String> {
        let write = |path: &str, text: &str| {
            let path = self.folder.join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        let package = |name: &str, more: &str| {
            format!("[package]\nname = \"{name}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n{more}\n")
        };
        write("windrow/Cargo.toml", &package("windrow", "[features]\nstd = []"));
        write("windrow/src/lib.rs", &self.facade());
        let facade = "[dependencies]\nwindrow = { path = \"windrow\", features = [\"std\"] }\n[workspace]";
        write("Cargo.toml", &package("interpreted", facade));
        write("src/main.rs", &(self.intrinsics() + &program(&self.targets, subjects, change)));
        let mut command = cargo();
        command
            .args(["+nightly", "miri", "run", "--quiet", "--target", "x86_64-unknown-linux-gnu"])
            .current_dir(&self.folder);
        command.env("CARGO_TARGET_DIR", self.folder.join("target"));
        command.env(
            "RUSTFLAGS",
            "-A warnings -C target-feature=+avx2,+fma,+avx512f,+avx512bw,+avx512vl,+avx512dq,+avx512vnni",
        );
        // What a body may read is said by `Rows`, not by references.
        command.env("MIRIFLAGS", "-Zmiri-disable-stacked-borrows -Zmiri-disable-validation");
        output(&mut command)
    }

    fn build_facade(&self) {
        let source = self.folder.join("windrow.rs");
        std::fs::write(&source, self.facade()).unwrap();
        let mut command = self.compiler();
        command.args(["--crate-type", "rlib", "--crate-name", "windrow", "--cfg", "feature=\"std\""]).arg(&source);
        output(&mut command).unwrap_or_else(|error| panic!("{error}"));
    }

    /// The stand-in's text.
    fn facade(&self) -> String {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        let module = |path: &str, name: &str| format!("#[path = {:?}] pub mod {name};\n", root.join(path));
        let (scalar, divisor) =
            (module("reference/src/scalar.rs", "scalar"), module("runtime/src/divisor.rs", "divisor"));
        let rows = module("runtime/src/code/rows.rs", "rows") + "pub use rows::*;\n";
        // The recipe of a divisor as text is the runtime's own.
        let text = "mod text { macro_rules! fields { ($($any:tt)*) => {} } pub(crate) use fields; }";
        format!("{text}\npub mod __rt {{\n{scalar}{divisor}{rows}\n}}\n")
    }

    fn compiler(&self) -> Command {
        let mut command = rustc();
        command.args(["--edition", "2024", "--target", self.processor.triple(), "-A", "warnings", "-C"]);
        command.arg(format!("opt-level={}", self.level)).arg("--out-dir").arg(&self.folder);
        command.arg("-L").arg(&self.folder);
        command
    }

    /// Builds and runs the subjects; what the program prints, and whether all were right.
    pub fn run(&self, name: &str, subjects: &[Subject]) -> Result<String, String> {
        self.run_changed(name, subjects, &|_, text| text.to_owned())
    }

    /// The same with the text of each subject's vector bodies changed.
    pub fn run_changed(
        &self,
        name: &str,
        subjects: &[Subject],
        change: &dyn Fn(usize, &str) -> String,
    ) -> Result<String, String> {
        let source = self.folder.join(format!("{name}.rs"));
        std::fs::write(&source, self.intrinsics() + &program(&self.targets, subjects, change)).unwrap();
        let mut command = self.compiler();
        // Nothing is to be done after a panic; what would be takes a sixth of the time to compile.
        command.args(["--crate-type", "bin", "--extern", "windrow", "-C", "codegen-units=1", "-C", "panic=abort"]);
        output(command.args(self.processor.linker).arg(&source))?;
        let binary = self.folder.join(name);
        match self.processor.runner() {
            Some(words) => output(Command::new(&words[0]).args(&words[1..]).arg(binary)),
            None => output(&mut Command::new(binary)),
        }
    }

    /// The assembly of functions, whose text is [`visible`].
    pub fn assembly(&self, name: &str, functions: &str) -> Result<String, String> {
        let source = self.folder.join(format!("{name}.rs"));
        std::fs::write(&source, self.intrinsics() + functions).unwrap();
        let mut command = self.compiler();
        command.args(["--crate-type", "lib", "--extern", "windrow", "--emit", "asm", "-C", "codegen-units=1"]);
        output(command.arg(&source))?;
        std::fs::read_to_string(self.folder.join(format!("{name}.s"))).map_err(|error| error.to_string())
    }

    /// The names of the processor's instructions, for all functions of a program.
    fn intrinsics(&self) -> String {
        format!("use ::core::arch::{}::*;\n", self.processor.architecture)
    }
}

/// rustup's, which takes a toolchain.
fn cargo() -> Command {
    let mut command = Command::new("cargo");
    for variable in ["CARGO", "RUSTC", "RUSTC_WRAPPER", "RUSTUP_TOOLCHAIN", "CARGO_ENCODED_RUSTFLAGS"] {
        command.env_remove(variable);
    }
    command
}

fn rustc() -> Command {
    Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()))
}

fn output(command: &mut Command) -> Result<String, String> {
    let result = command.output().map_err(|error| error.to_string())?;
    let text = String::from_utf8_lossy(&result.stdout).into_owned();
    if result.status.success() { Ok(text) } else { Err(text + &String::from_utf8_lossy(&result.stderr)) }
}

/// The whole program: the bodies, the cases as data, and what runs them.
fn program(targets: &[&CpuTarget], subjects: &[Subject], change: &dyn Fn(usize, &str) -> String) -> String {
    let mut items = String::new();
    let mut cases = String::new();
    for (index, subject) in subjects.iter().enumerate() {
        let kernel = &subject.kernel;
        let prepared = prepare(kernel);
        let plain = scalar::emit(kernel, &prepared, 0, &format!("scalar_{index}"));
        // Dot products are of kernels that add products of bytes; what others compute there is NEON's.
        let has_body =
            |target: &&&CpuTarget| target.tier != "DotProd" || target.pays.is_some_and(|pays| pays(kernel, &prepared));
        let emitted = |target: &&CpuTarget| (target.name, fast(target, subject, &function(target.name, index)));
        let fast: Vec<(&str, EmittedBody)> = targets.iter().filter(has_body).map(emitted).collect();
        let functions: String = fast.iter().map(|(_, body)| open(&change(index, &body.text))).collect();
        let derive = scalar::derive(kernel, &prepared.derive).replace("fn derive", &format!("fn derive_{index}"));
        items += &format!("{}\n{functions}\n{derive}\n", open(&plain.text));
        cases += &case(index, subject, &plain, &fast, prepared.derive.words.len());
    }
    let (data, device) = (include_str!("data.rs"), include_str!("device.rs"));
    let data = data.replace("//!", "//");
    format!("mod data {{\n{data}\n}}\n{device}\n{items}\nstatic CASES: &[Case] = &[\n{cases}];\n")
}

/// The function of a target's body of a subject.
fn function(target: &str, index: usize) -> String {
    format!("{}_{index}", target.replace('.', ""))
}

/// A target's body of a subject.
pub fn fast(target: &CpuTarget, subject: &Subject, name: &str) -> EmittedBody {
    (target.emit)(&subject.kernel, &prepare(&subject.kernel), 0, name, subject.block).unwrap()
}

/// A function's text with the function made visible, under its own name. What it imports stands once in the program: in each
/// of a thousand functions, thousands of names take the compiler seconds.
pub fn visible(text: &str) -> String {
    let imported = |line: &&str| line.trim_start().starts_with("use ::core::arch::");
    let kept: String = text.split_inclusive('\n').filter(|line| !imported(line)).collect();
    kept.replace("\nunsafe fn ", "\n#[unsafe(no_mangle)]\npub unsafe fn ")
}

/// The same without a symbol.
fn open(text: &str) -> String {
    visible(text).replace("#[unsafe(no_mangle)]\n", "")
}

fn case(index: usize, subject: &Subject, plain: &EmittedBody, fast: &[(&str, EmittedBody)], derived: usize) -> String {
    let kernel = &subject.kernel;
    let image = |ty: Type, channels: u32, stride: (u32, u32), whole: Option<u32>| {
        let (width, float) = (ty.bits(), ty.is_float());
        format!(
            "Image {{ width: {width}, float: {float}, channels: {channels}, stride: {stride:?}, whole: {whole:?} }}, "
        )
    };
    let whole = |input: &Input| input.is_whole.then(|| input.dimensions());
    let inputs = kernel.inputs.iter().map(|input| image(input.ty, input.channels, input.stride(), whole(input)));
    let inputs: String = inputs.collect();
    let outputs = kernel.outputs.iter().map(|output| image(output.ty, output.channels, (1, 1), None));
    let outputs: String = outputs.collect();
    let words: Vec<u32> = subject.uniforms.iter().map(|&value| pattern(value) as u32).collect();
    let tables: String = (0..kernel.tables.len()).map(|table| format!("&{:?}, ", table_bytes(kernel, table))).collect();
    let body = |name: &str, body: &EmittedBody| {
        let reads: Vec<[i32; 4]> = body.reads.iter().map(|n| [n.left, n.right, n.top, n.bottom]).collect();
        let (lanes, columns, rows) = (body.lanes, body.columns, body.rows);
        format!(
            "Body {{ name: {name:?}, run: {}, lanes: {lanes}, columns: {columns}, rows: {rows}, \
             carries_rows: {}, reads: &{reads:?} }}",
            function(name, index),
            body.carries_rows
        )
    };
    let fast: String = fast.iter().map(|(name, fast)| body(name, fast) + ", ").collect();
    format!(
        "    Case {{ name: {:?}, pairs: {}, inputs: &[{inputs}], outputs: &[{outputs}], words: &{words:?}, derived: \
         {derived}, derive: derive_{index}, tables: &[{tables}], scalar: {}, fast: &[{fast}], expected: &{:?} }},\n",
        subject.name,
        subject.pairs,
        body("scalar", plain),
        expected(subject),
    )
}

fn pattern(value: Constant) -> u64 {
    match value {
        Constant::Bool(value) => u64::from(value),
        Constant::Int(value) => value as u64,
        Constant::Float(bits) => u64::from(bits),
        Constant::Double(bits) => bits,
    }
}

fn table_bytes(kernel: &Kernel, table: usize) -> Vec<u8> {
    let argument = &kernel.tables[table];
    (0..argument.length)
        .flat_map(|index| entry(argument, index).to_le_bytes()[..argument.ty.bits() as usize / 8].to_vec())
        .collect()
}

fn entry(table: &Table, index: u32) -> u64 {
    data::element(false, table.ty.is_float(), table.ty.bits(), (9, 0, i64::from(index), 0))
}

/// What the interpreter makes of the first columns, where Rust would not panic.
fn expected(subject: &Subject) -> Vec<(usize, usize, usize, usize, u64)> {
    let mut all = Vec::new();
    for (x, y) in (0..4usize).flat_map(|y| (0..20usize).map(move |x| (x, y))) {
        let place = Place { subject, x: x as i64, y: y as i64 };
        let body = &subject.kernel.bodies[0];
        let Ok(values) = interpret::stores(body, &place) else { continue };
        for (store, value) in body.stores.iter().zip(values) {
            all.push((x, y, store.to.tensor.0 as usize, store.to.channel as usize, pattern(value)));
        }
    }
    all
}

/// The extents of each input that is read anywhere, innermost first; `device.rs` has the same.
const WHOLE: [i32; 6] = [7, 5, 3, 2, 1, 2];
/// Where the plane is that is computed, outside rows, innermost first; `device.rs` has the same.
const OUTER: [i32; 4] = [2, 1, 0, 1];

/// The arguments of an element.
struct Place<'a> {
    subject: &'a Subject,
    x: i64,
    y: i64,
}

impl Arguments for Place<'_> {
    fn element(&self, access: &Access) -> Constant {
        let argument = &self.subject.kernel.inputs[access.tensor.0 as usize];
        let [y, x] = access.at() else { panic!("an image has two dimensions: {access:?}") };
        let [y, x] = [y, x].map(|place| place.value(|axis| if axis == AxisId::X { self.x } else { self.y }));
        let place = (u64::from(access.tensor.0), u64::from(access.channel), x, y);
        let float = argument.ty.is_float();
        constant(argument.ty, data::element(self.subject.pairs, float, argument.ty.bits(), place))
    }

    fn uniform(&self, uniform: UniformId, _: u32) -> Constant {
        self.subject.uniforms[uniform.0 as usize]
    }

    fn derived(&self, _: u32) -> Constant {
        unreachable!("only optimised bodies read derived words")
    }

    fn table(&self, table: TableId, index: i128) -> Option<Constant> {
        let argument = &self.subject.kernel.tables[table.0 as usize];
        let index = u32::try_from(index).ok().filter(|&index| index < argument.length)?;
        Some(constant(argument.ty, entry(argument, index)))
    }

    fn coordinate(&self, axis: AxisId) -> i32 {
        match axis.as_outer() {
            Some(number) => OUTER[number as usize],
            None if axis == AxisId::X => self.x as i32,
            None => self.y as i32,
        }
    }

    fn extent(&self, input: InputId, dimension: u32) -> i32 {
        let dimensions = self.subject.kernel.inputs[input.0 as usize].dimensions();
        WHOLE[(dimensions - 1 - dimension) as usize]
    }

    fn gathered(&self, input: InputId, channel: u32, [plane, y, x]: [i128; 3]) -> Option<Constant> {
        let argument = &self.subject.kernel.inputs[input.0 as usize];
        let dimensions = argument.dimensions() as usize;
        let planes: i32 = WHOLE[2..dimensions.max(2)].iter().product();
        let rows = if dimensions == 1 { 1 } else { WHOLE[1] };
        let extents = [WHOLE[0], rows, planes].map(i128::from);
        let is_inside = [x, y, plane].iter().zip(extents).all(|(place, extent)| (0..extent).contains(place));
        let place = (u64::from(input.0), u64::from(channel), x as i64, y as i64 + 100 * plane as i64);
        let element = data::element(self.subject.pairs, argument.ty.is_float(), argument.ty.bits(), place);
        is_inside.then(|| constant(argument.ty, element))
    }
}

fn constant(ty: Type, bits: u64) -> Constant {
    match ty {
        Type::F32 => Constant::Float(bits as u32),
        Type::F64 => Constant::Double(bits),
        _ => Constant::Int(windrow_dsl::arithmetic::wrap(i128::from(bits), ty)),
    }
}
