//! The doors write identical text: for every operator the macro's own output holds, token for token, what the command
//! line prints, and the build script's files are the macro's OpenCL programs, over buffers and over images.

mod common;

use common::{entries, operators, windrow};
use proc_macro2::{TokenStream, TokenTree};
use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};
use windrow_backends::{doors::Build, host};
use windrow_dsl::{library::Library, pipeline::compile_fused};

/// The texts of all operators, and of what they share.
fn texts() -> Vec<String> {
    let folders: BTreeSet<PathBuf> = operators().iter().filter_map(|file| Some(file.parent()?.to_owned())).collect();
    folders.iter().flat_map(|folder| entries(folder)).map(|file| fs::read_to_string(file).unwrap()).collect()
}

/// A library of texts alone.
fn library(texts: &[String]) -> Library<'static> {
    Library::new(texts.iter().map(String::as_str), |_| Vec::new())
}

/// What the macro makes of each kernel of a file, given tokens that have lost the author's spacing, as rustc's have.
fn macro_door(file: &Path, library: &Library<'_>) -> String {
    let respaced = |tokens: TokenStream| tokens.to_string().parse::<TokenStream>().unwrap();
    let mut out = TokenStream::new();
    for item in library.items(&fs::read_to_string(file).unwrap()) {
        match item {
            syn::Item::Fn(mut function) => {
                if let Some(options) = take(&mut function.attrs, "kernel") {
                    out.extend(host::expand_kernel(respaced(options), respaced(quote::quote!(#function))));
                }
            }
            syn::Item::Mod(mut module) => {
                if let Some(options) = take(&mut module.attrs, "kernels") {
                    out.extend(host::expand_module(respaced(options), respaced(quote::quote!(#module))));
                }
            }
            _ => {}
        }
    }
    out.to_string()
}

/// What the macro makes of the kernels that the pipelines of a file fuse, which call kernels of other files.
fn pipeline_door(file: &Path, library: &Library<'_>) -> TokenStream {
    let is_kernel =
        |module: &TokenStream| windrow_dsl::compile_module(TokenStream::new(), module.clone()).errors.is_empty();
    let fused = compile_fused(&fs::read_to_string(file).unwrap(), library, &is_kernel);
    assert!(!fused.is_empty(), "{}", file.display());
    let respaced = |tokens: &TokenStream| tokens.to_string().parse::<TokenStream>().unwrap();
    fused.iter().map(|kernel| host::expand_module(TokenStream::new(), respaced(&kernel.module))).collect()
}

fn take(attributes: &mut Vec<syn::Attribute>, name: &str) -> Option<TokenStream> {
    let at = attributes.iter().position(|attribute| attribute.path().is_ident(name))?;
    match attributes.remove(at).meta {
        syn::Meta::List(list) => Some(list.tokens),
        syn::Meta::Path(_) | syn::Meta::NameValue(_) => Some(TokenStream::new()),
    }
}

/// Tokens without the spaces between them, which depend on how they were made.
fn squeezed(text: &str) -> String {
    text.split_whitespace().collect()
}

/// The texts that tokens hold as literals, however these are written.
fn add_texts(tokens: TokenStream, texts: &mut BTreeSet<String>) {
    for token in tokens {
        match token {
            TokenTree::Group(group) => add_texts(group.stream(), texts),
            TokenTree::Literal(literal) => {
                if let syn::Lit::Str(text) = syn::Lit::new(literal) {
                    texts.insert(text.value());
                }
            }
            TokenTree::Ident(_) | TokenTree::Punct(_) => {}
        }
    }
}

fn command_line(file: &Path, target: &str) -> String {
    let output = windrow(&["emit", file.to_str().unwrap(), "--target", target]);
    assert!(output.status.success(), "{}: {}", file.display(), String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn the_command_line_prints_what_the_macro_writes() {
    let library = library(&texts());
    for file in operators() {
        let written = squeezed(&macro_door(&file, &library));
        for target in ["neon", "scalar"] {
            let functions = syn::parse_file(&command_line(&file, target)).unwrap().items;
            assert!(!functions.is_empty());
            for function in functions {
                let text = quote::quote!(#function).to_string();
                assert!(
                    written.contains(&squeezed(&text)),
                    "{} {target}: the macro does not write\n{text}",
                    file.display()
                );
            }
        }
    }
}

#[test]
fn the_build_script_writes_what_the_macro_embeds() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("same_text");
    let _ = fs::remove_dir_all(&folder);
    let operators_root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../operators");
    Build::new().root(&operators_root).source("src").out_dir(&folder).run().unwrap();
    let (mut written, mut printed) = (BTreeSet::new(), String::new());
    let library = library(&texts());
    for file in operators() {
        add_texts(macro_door(&file, &library).parse().unwrap(), &mut written);
        printed += &command_line(&file, "opencl");
        printed += &command_line(&file, "opencl-images");
    }
    for pipelines in ["src/functions/layers.rs", "src/functions/quantized_layers.rs"] {
        let pipelines = operators_root.join(pipelines);
        add_texts(pipeline_door(&pipelines, &library), &mut written);
        printed += &command_line(&pipelines, "opencl");
        printed += &command_line(&pipelines, "opencl-images");
    }
    let programs: Vec<PathBuf> =
        entries(&folder).into_iter().filter(|path| path.extension().is_some_and(|ext| ext == "cl")).collect();
    assert!(programs.len() > 40, "{} programs", programs.len());
    for program in programs {
        let text = fs::read_to_string(&program).unwrap();
        assert!(written.contains(&text), "{}: the macro embeds another text", program.display());
        assert!(printed.contains(&text), "{}: the command line prints another text", program.display());
    }
}

/// The IR is the same whether it comes from a file or from a macro's tokens.
#[test]
fn the_ir_does_not_depend_on_the_door() {
    let library = library(&texts());
    for file in operators() {
        let text = fs::read_to_string(&file).unwrap();
        let respaced = text.parse::<TokenStream>().unwrap().to_string();
        let dumps = |source: &str| -> Vec<String> {
            let kernels = windrow_dsl::compile_file_with(source, &library).kernels;
            kernels.iter().map(|kernel| windrow_dsl::dump::kernel(&kernel.kernel)).collect()
        };
        let ir = dumps(&text);
        assert!(!ir.is_empty() && ir == dumps(&respaced), "{}", file.display());
        assert_eq!(ir.join("\n"), command_line(&file, "ir"), "{}", file.display());
    }
}
