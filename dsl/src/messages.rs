//! The message catalogue: what is wrong, and what to write instead, for every rule of the language.
//!
//! `{0}`, `{1}` … stand for words of the author's program. The phases name an entry and the place; nothing else of an
//! error is written anywhere else, except by the proof, whose messages carry intervals.

use crate::diagnostic::Diagnostic;
use proc_macro2::Span;

/// What to write where an author means a result of several elements.
pub const RESULT_OF_SEVERAL: &str = "a kernel returns one element, such as `u8`; a result of several, such as a histogram, is a kernel over its \
     places: `#[kernel(window(256))] fn histogram([value]: At<1>, src: View<u8>) -> u32`";

/// What to write where a kernel is used as a helper is.
pub const HELPER_NOT_KERNEL: &str =
    "a kernel is called by a pipeline; a function that kernels share carries `#[helper]`";

/// One rule's message.
#[derive(Clone, Copy, Debug)]
pub struct Message {
    /// The rule's name: the name of its test.
    pub name: &'static str,
    /// What is wrong.
    pub text: &'static str,
    /// What to write instead.
    pub help: &'static str,
}

impl Message {
    /// The mistake at the tokens from `place.0` to `place.1`.
    pub fn at(&self, place: impl Located, words: &[&str]) -> Diagnostic {
        let (start, end) = place.place();
        let fill = |text: &str| {
            words.iter().enumerate().fold(text.to_owned(), |text, (i, word)| text.replace(&format!("{{{i}}}"), word))
        };
        Diagnostic { start, end, message: fill(self.text), notes: Vec::new(), help: fill(self.help) }
    }
}

/// Something that stands somewhere in the author's text.
pub trait Located {
    /// Its first and its last token.
    fn place(&self) -> (Span, Span);
}

impl Located for Span {
    fn place(&self) -> (Span, Span) {
        (*self, *self)
    }
}

impl Located for (Span, Span) {
    fn place(&self) -> (Span, Span) {
        *self
    }
}

impl Located for &syn::Ident {
    fn place(&self) -> (Span, Span) {
        (self.span(), self.span())
    }
}

impl Located for &crate::syntax::Expr {
    fn place(&self) -> (Span, Span) {
        (self.start, self.end)
    }
}

impl Located for &crate::syntax::Pattern {
    fn place(&self) -> (Span, Span) {
        (self.start, self.end)
    }
}

impl Located for &crate::syntax::TypeExpr {
    fn place(&self) -> (Span, Span) {
        Tokens(&self.source).place()
    }
}

/// Any node of syn.
pub struct Tokens<'a, T>(pub &'a T);

impl<T: quote::ToTokens> Located for Tokens<'_, T> {
    fn place(&self) -> (Span, Span) {
        let mut tokens = self.0.to_token_stream().into_iter();
        let Some(first) = tokens.next() else { return (Span::call_site(), Span::call_site()) };
        let start = opening(&first);
        (start, closing(&tokens.last().unwrap_or(first)))
    }
}

fn opening(token: &proc_macro2::TokenTree) -> Span {
    match token {
        proc_macro2::TokenTree::Group(group) if group.delimiter() != proc_macro2::Delimiter::None => group.span_open(),
        other => other.span(),
    }
}

fn closing(token: &proc_macro2::TokenTree) -> Span {
    match token {
        proc_macro2::TokenTree::Group(group) if group.delimiter() != proc_macro2::Delimiter::None => group.span_close(),
        other => other.span(),
    }
}

/// The known name nearest to `word`, where one is near enough to be meant.
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // Any letter is near to any other: of one alone nothing else is meant.
    let limit = match word.chars().count() {
        0 | 1 => return None,
        count => (count / 3).max(1),
    };
    known.into_iter().map(|name| (distance(word, name), name)).filter(|(d, _)| *d <= limit).min().map(|(_, name)| name)
}

/// The number of letters to insert, delete, replace or swap with a neighbour to turn one word into the other.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().take(64).collect(), b.chars().take(64).collect());
    let mut rows: Vec<Vec<usize>> = vec![(0..=b.len()).collect()];
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let replaced = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let swapped = match i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                true => rows[i - 2][j - 2] + 1,
                false => usize::MAX,
            };
            row.push(replaced.min(swapped).min(rows[i - 1][j] + 1).min(row[j - 1] + 1));
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

/// Writes the catalogue: a constant for each message, and the list of all.
macro_rules! catalogue {
    ($($(#[$doc:meta])* $name:ident: $text:literal, $help:literal;)*) => {
        $($(#[$doc])* #[doc = $text] pub const $name: Message =
            Message { name: stringify!($name), text: $text, help: $help };)*
        /// Every message.
        pub const ALL: &[Message] = &[$($name),*];
    };
}

catalogue! {
    // The attribute.
    UNKNOWN_OPTION: "`{0}` is not an option of a kernel", "{1}";
    OPTIONS: "the options can't be read: {0}", "options are words, with brackets where they say more: `step(16, 4), fast`";
    OPTION_VALUE: "`{0}` takes no `=`", "write `{1}`";
    OPTION_TWICE: "`{0}` is said twice", "keep one of the two";
    BAD_STEP: "a step is two positive numbers: elements along the row, and rows", "write `step(16, 1)`";
    BAD_BLOCK: "a schedule names targets, each with its block: elements along the row, and rows", "write `schedule(neon(32, 4), opencl(4, 8))`";
    BLOCK_TOO_LARGE: "a block of {0} elements is too large", "choose a block of at most 65536 elements, such as `(32, 4)`";
    TOO_MANY_OPENCL_BLOCKS: "more than four `opencl` blocks", "keep the four that matter; the first is the default";
    UNKNOWN_TARGET: "`{0}` is not a target", "{1}";
    BAD_NEIGHBOURHOOD: "a neighbourhood is a range of offsets for each axis, around 0", "write `neighbourhood(x = -1..=1, y = -1..=1)`";
    BAD_OUTPUT: "an output is a name, with `?` where the caller may leave it out", "write `output(dx, dy?)`; what the function returns says their types, `-> (i16, i16)`, and all of them have one size: an output of another size is another kernel's";
    OUTPUT_COUNT: "{0} named, but the function returns {1}", "name each value that the function returns, in order";
    SINGLE_OUTPUT_OPTIONAL: "a single output can't be left out", "remove the `?`";
    BAD_BORDER: "`{0}` is not a border mode", "{1}";
    BORDER_WITHOUT_NEIGHBOURHOOD: "this kernel reads nothing beside the current element, so it has no border", "remove `border(..)`, or take an input as `Neighbourhood<T>`";
    NEIGHBOURHOOD_WITHOUT_INPUT: "this kernel has no input with a neighbourhood", "take an input as `Neighbourhood<T>`, or remove the option";
    BAD_REQUIRE: "a requirement compares two uniforms, or a uniform and a constant", "write `require(lower <= upper)`";
    REQUIRE_UNKNOWN: "`{0}` is not a scalar uniform of this kernel", "{1}";
    REQUIRE_TYPES: "the two sides of a requirement have different types: {0} and {1}", "compare uniforms of one type";
    BAD_TYPES: "`types` gives a name the types that it stands for", "write `types(T = u8, i16, f32)`";
    FAST_CONTENTS: "`fast` takes no arguments", "write `#[kernel(fast)]`, or leave it out";
    BAD_DENY: "only `scalar` can be denied", "write `deny(scalar)`";
    BAD_BODY: "a body written by hand is named by its path", "write `{0} = path::to::BODY`, a constant of the type `windrow::HandWritten<kernel>`";
    BAD_USES: "`uses` names constants and functions that carry `#[helper]`, by their paths", "write `uses(colour::to_linear, colour::GAMMA)`";
    USES_INSIDE: "what is in a module of kernels uses what the module's attribute names", "write `#[kernels(uses(..))]` on the module, and remove it here";
    USES_NOTHING: "`{0}` is not used here", "remove it from `uses(..)`";
    USES_NO_HELPER: "`{0}` is not a helper", "{1}";
    HELPER_OPTION: "`#[helper]` takes no option but `uses(..)`", "remove it";
    HELPER_NAME: "`{0}!` is a macro of the standard library, and the macro that hands a helper on has the helper's name", "give it another name";
    NOT_A_HELPER: "`#[helper]` belongs on a function or a constant", "put it on `fn name(v: f32) -> f32 { .. }` or `const NAME: f32 = ..;`";
    BAD_WINDOW: "an extent of the output is made of numbers, uniforms and names of extents, by `+`, `-`, `*` and `/`", "name extents where they are read, `#[shape(h, w)] src: View<u8>`, and write `window(h / 2, w / 2)`";
    UNKNOWN_EXTENT: "`{0}` is neither an extent nor a scalar uniform of integers", "name it where it is read, as `#[shape(h, w)] src: View<u8>` does";
    WINDOW_RANK: "`window(..)` says {0}, where {1} are expected", "give as many extents as the element's place has coordinates: `[y, x]: At<2>` goes with `window(h, w)`";
    BAD_SHAPE: "a shape is a name for each dimension, or `_`", "write `#[shape(n, h, w, c)]`";
    SHAPE_ROLE: "`#[shape]` names the extents of what is read anywhere", "take the parameter as `src: View<u8>`, or remove it";
    SHAPE_RANK: "the shape names {0} extents, `{1}` has {2}", "name each, or write `_`";
    NOT_A_FUNCTION: "`#[kernel]` belongs on a function", "put it on `fn name(a: u8) -> u8 { .. }`; kernels that share items live in one `#[kernels] mod`";
    KERNEL_TWICE: "two kernels of this module are called `{0}`", "give one of them another name";
    NOT_FREE: "a kernel can't stand in an `impl` or a trait", "move the function out of it, into the module around it";
    NOT_A_MODULE: "`#[kernels]` belongs on a module with its contents", "put it on `mod name { .. }`";
    KERNELS_OPTION: "`#[kernels]` takes no option but `uses(..)`", "write others on each `#[kernel(..)]` inside";
    KERNELS_EMPTY: "no `#[kernel]` function in this module", "mark a function in it with `#[kernel]`";
    PIPELINE_NOT_A_FUNCTION: "`#[pipeline]` belongs on a function", "put it on `fn name(src: &Tensor<u8>) -> Result<Tensor<u8>, windrow::Error> { .. }`";
    PIPELINE_OPTION: "`#[pipeline]` takes no options", "remove them";
    PIPELINE_MODIFIER: "a pipeline is a plain function: not `{0}`", "remove that";
    PIPELINE_PARAMETER: "a pipeline takes images as `name: &Tensor<T>`, and other values by a name", "write `src: &Tensor<u8>`; an image that is written is returned";
    PIPELINE_UNIFORM: "`#[uniform(..)]` of a pipeline holds the range of the value", "write `#[uniform(0..=255)]`, or `#[uniform]` where any value will do";
    PIPELINE_NO_IMAGE: "a pipeline reads at least one image", "take it as `src: &Tensor<u8>`";
    PIPELINE_RESULT: "a pipeline returns a `Result` of tensors", "write `-> Result<Tensor<u8>, windrow::Error>`, or a tuple of tensors in the place of one";
    SYNTAX: "{0}", "write it as Rust does: windrow reads the same grammar";
    CAST_THEN_SHIFT: "`{1}` behind `as {0}` reads as the start of generic arguments", "put parentheses round the cast: `(.. as {0}) {1} ..`";
    // The signature.
    NAME: "the name `{0}` can't stand in every target's text", "use ASCII letters, digits and `_`, and no keyword";
    NAME_OF_TYPE: "`{0}` is the name of a type", "give the kernel another name";
    SIGNATURE_MODIFIER: "a kernel is a plain function: no `{0}`", "remove `{0}`";
    SIGNATURE_LIFETIME: "a function of the language names no lifetimes", "remove them: write `Neighbourhood<u8>`, `View<u8>`, `Table<u8, 256>`";
    SIGNATURE_GENERIC: "a function of the language has no generic parameters", "for several types write `#[kernel(types(T = u8, i16))]`, and `T` in the function";
    SELF_PARAMETER: "a kernel has no `self`: it is a function, not a method", "move it out of the `impl`, and take the element as `a: u8`";
    NO_RESULT: "a kernel returns what it computes for one element", "write `-> u8` and let the body's last expression be the value";
    NO_INPUT: "a kernel needs at least one image input", "take an element, such as `a: u8`";
    PARAMETER_PATTERN: "a parameter is a name, or the names of a pixel's channels", "write `a: u8` or `[r, g, b]: [u8; 3]`";
    PARAMETER_ATTRIBUTE: "`{0}` is not an attribute of a parameter", "{1}";
    PARAMETER_ROLES: "a parameter has one role", "keep one of `#[uniform]`, `#[variant]` and `#[inout]`";
    PARAMETER_TWICE: "the name `{0}` occurs twice", "give each parameter and each output its own name";
    INPUT_TYPE: "`{0}` is not a type of an image's elements", "use u8, i8, u16, i16, u32, i32, u64, i64, f32, f64, f16 or bf16, a pixel `[u8; 3]`, `Neighbourhood<u8>` or `Table<u8, 256>`";
    CHANNELS: "a pixel has 1 to 4 channels, not {0}", "write `[u8; 3]`; a few values that all elements share are `#[uniform] w: [u8; 5]`, a lookup table is `Table<u8, 256>`; a result of several elements, such as a histogram, is a kernel over its places: `#[kernel(window(256))] fn histogram([value]: At<1>, src: View<u8>) -> u32`";
    OUTPUT_TYPE: "`{0}` can't be written to an image", "return u8, i8, u16, i16, u32, i32, u64, i64, f32, f64, f16 or bf16, a pixel `[u8; 3]`, or a tuple of these";
    UNIFORM_TYPE: "`{0}` is not a type of a uniform", "use a scalar type or a small array of one, such as `i16` or `[[i16; 3]; 3]`";
    UNIFORM_SIZE: "a uniform has 1 to 256 values, not {0}", "use a scalar or a smaller array; more constants are a `Table<T, N>`";
    USIZE_BOUNDS: "a `usize` uniform is an index, and needs its bounds", "write `#[uniform(0..=2)]`";
    UNIFORM_BOUNDS: "a uniform's bounds are two constants of its type, the lesser first", "write `#[uniform(1..=32768)]`";
    UNIFORM_FORM: "this is not a bound of a uniform", "write `#[uniform]`, `#[uniform(1..=255)]` or `#[uniform(sum_of_magnitudes <= 32768)]`";
    SUM_NEEDS_ARRAY: "a sum of magnitudes is of an array of integers", "bound a scalar by `#[uniform(lo..=hi)]`";
    VARIANT_TYPE: "`{0}` is not a closed enum that windrow knows", "use `Overflow` or `Rounding`, or declare `enum {0} { .. }` beside the kernel in a `#[kernels] mod`";
    TABLE_SIZE: "a table has 1 to 65536 entries, not {0}", "write `Table<u8, 256>`";
    TABLE_ROLE: "a table is only read, and has no attribute", "remove it; a result of several elements, such as a histogram, is a kernel over its places: `#[kernel(window(256))] fn histogram([value]: At<1>, src: View<u8>) -> u32`";
    BAD_STRIDE: "a stride is two numbers from 1 to 16: input elements for one output element, along the row and across rows", "write `#[stride(2, 2)]`; an input that is smaller than the output is a `#[shape(h, w)] src: View<u8>`, read at `src[[y / 2, x / 2]]` behind `[y, x]: At<2>` in a `#[kernel(window(2 * h, 2 * w))]`";
    STRIDE_ROLE: "`#[stride]` belongs to an image input", "remove it here";
    INOUT_ROLE: "`#[inout]` belongs to an image input, without neighbourhood and stride", "write `#[inout] acc: i16`";
    VIEW_STRIDE: "`#[stride]` has no meaning for a `View`, which is read at computed places", "remove the stride, and compute the place: `src.get([2 * y, 2 * x])`";
    PLACE_FIRST: "`At` must be the first parameter, and the only one of its type", "write `fn name([y, x]: At<2>, ..)`";
    PATTERN_OPTION: "`Some` and `None` match an `Option`, and this is of type `{0}`", "match what `src.get([y, x])` of a `View` gives";
    PLACE_ROLE: "`At` takes no attribute: it is the place of the element that is computed", "remove it";
    PLACE_RANK: "a tensor has 1 to 6 dimensions, not {0}", "write `[y, x]: At<2>`, or `View<f32, 4>` for a tensor of four dimensions";
    INOUT_OUTPUT: "no output of the same type for `{0}`", "return its new value; where there are several outputs, give one of them this name in `output(..)`";
    // Forms outside the language.
    WHILE: "`while` is not part of the language: how often it runs isn't known at compile time", "write `for i in 0..n`, whose ends may be computed, and choose inside with `if`";
    LOOP: "`loop` is not part of the language: how often it runs isn't known at compile time", "write `for i in 0..n`, whose ends may be computed, and choose inside with `if`";
    RETURN: "`return` is not part of the language", "let the body's last expression be the value, and choose with `if`/`else`";
    BREAK: "`{0}` is not part of the language: every element does the same work", "run the whole loop and choose with `if`";
    TRY: "`?` is not part of the language: nothing in a kernel can fail", "compute a value on both paths and choose with `if`";
    REFERENCE: "references are not part of the language", "use the value itself: everything here is `Copy`";
    DEREFERENCE: "`*` has nothing to dereference: there are no references", "use the value itself";
    MACRO: "macros are not part of the language: `{0}!`", "write out what it stands for; a kernel can't panic, print or allocate";
    UNSAFE: "`unsafe` is not part of the language", "a kernel needs none: every access is checked at compile time";
    ASYNC: "`{0}` is not part of the language", "write the plain expression";
    STRUCT: "structs are not part of the language", "use a tuple or an array";
    LET_CONDITION: "`let` beside another condition is not part of the language", "write an `if` inside an `if let`";
    LET_ELSE: "`let .. else` is not part of the language", "use `match`";
    NAMED_FIELD: "values have no named fields here", "a tuple's parts are `.0`, `.1`, a pixel's channels `[0]`, `[1]`; a struct is not a type of the language: make each of its fields a `#[uniform]` parameter";
    MOVE: "`move` is not part of the language", "remove it: closures are inlined, and see the variables around them";
    LABEL: "labels are not part of the language", "remove it";
    ATTRIBUTE: "attributes are not part of the language inside a kernel", "remove it";
    ITEM: "this item is not part of the language", "inside a kernel write `const`, `fn` or `type`; in a `#[kernels] mod` also `enum` and `use`";
    LITERAL: "this literal is not part of the language", "write a number, `true` or `false`";
    LITERAL_TYPE: "`{0}` is not a type of the language", "use u8, i8, u16, i16, u32, i32, u64, i64, f32, f64, f16 or bf16";
    LITERAL_RANGE: "the literal `{0}` does not fit {1}", "its range is {2}";
    PATTERN: "this pattern is not part of the language", "use a name, `_`, a tuple, an array, a number, a range or an enum's value";
    PATTERN_REST: "`..` in a pattern is not part of the language", "name every part, or write `_` for it";
    PATTERN_AT: "`@` in a pattern is not part of the language", "bind the name, and compare it in `if`";
    PATTERN_REF: "references are not part of the language", "remove it: everything here is `Copy`";
    ARM_BINDING_OR: "a name in one side of `|`", "write two arms";
    GENERIC_PATH: "generic arguments have no place here", "remove `::<..>`";
    PATH_FORM: "this path is not part of the language", "use a name, `u8::MAX`, `core::f32::consts::PI` or an enum's value";
    TYPE_FORM: "this type is not part of the language", "use u8, i8, u16, i16, u32, i32, u64, i64, f32, f64, f16, bf16 or bool, an array `[u8; 3]` or a tuple; a parameter may also be `Neighbourhood<u8>`, `View<u8>` or `Table<u8, 256>`";
    UNKNOWN_TYPE: "there is no type `{0}` here", "{1}";
    WIDE_TYPE: "`{0}` is not a type of the language", "{1}";
    LENGTH: "an array's length is a number, a constant, or `+ - * /` of them", "write `const N: usize = 9;` and use `N`";
    TOO_LONG: "an array or a tuple of {0} elements is too long", "use at most 65536 elements of one type, or 512 of several";
    USE_ITEM: "`use` inside a kernel is not part of the language", "write the whole path, such as `core::f32::consts::PI`";
    ENUM_FIELDS: "a closed enum's values are plain names", "write `enum Policy { Wrap, Saturate }`";
    // Names and types.
    UNKNOWN_NAME: "there is no `{0}` here", "{1}";
    UNKNOWN_FUNCTION: "there is no function `{0}` here", "{1}";
    UNKNOWN_METHOD: "there is no method `{0}` on `{1}`", "{2}";
    METHOD_TYPE: "there is no method `{0}` on `{1}`", "convert first, to a type that has it: `(.. as i32).{0}(..)`";
    METHOD_FLOAT_ONLY: "there is no method `{0}` on `{1}`", "{0} is a method of f32; convert first: `(.. as f32).{0}()`";
    RECEIVER_UNKNOWN: "the type of this value isn't known yet where `{0}` is called on it", "write the type where the value comes from: `|v: u8|` for a closure's parameter, `let v: u8` for a variable";
    RECEIVER_AMBIGUOUS: "`{0}` is called on a literal whose type isn't known yet", "write its type behind it, such as `{1}`";
    TYPE_UNKNOWN: "the type of `{0}` can't be found out", "write it: `{0}: u8`";
    RESULT_UNKNOWN: "the type of this value can't be found out", "write it: `let v: u8 = ..`, or `.{0}::<u8>()` where the method allows it";
    MISMATCH: "expected `{0}`, found `{1}`", "{2}";
    OPERANDS: "the operands of `{0}` have two types: `{1}` and `{2}`", "{3}";
    OPERATOR: "`{0}` has no meaning for `{1}` here", "{2}";
    NO_ELSE: "an `if` without `else` has no value", "add `else { .. }` with the value of the other case";
    CONDITION: "a condition is a bool, not `{0}`", "compare it: `.. != 0`";
    CAST: "`{0}` can't be converted to `{1}` by `as`", "{2}";
    FROM: "`{0}::from` takes no `{1}`: not every value fits", "write `.. as {0}` (its range is proved), or `.saturating_cast()`";
    ARGUMENTS: "`{0}` takes {1}, not {2}", "give it {1}";
    NOT_CALLABLE: "`{0}` can't be called", "call a closure, a function or a method";
    NOT_INDEXABLE: "`{0}` can't be indexed", "index an array, a pixel or a table; a neighbourhood's elements are `src.at(dx, dy)`";
    INDEX_TYPE: "an array is indexed by `usize`, not `{0}`", "write `[.. as usize]`, or run over the elements with `zip`";
    TABLE_INDEX: "a table is indexed by an integer, not `{0}`", "convert the index with `as`";
    FIELD: "`{0}` has no part `.{1}`", "use an index that the tuple has";
    PATTERN_COUNT: "the pattern has {0} parts, the value `{1}` has {2}", "name each part, or write `_` for it";
    NOT_ITERABLE: "`{0}` can't be run over", "run over a range of constants, or an array";
    REDUCTION_RANGE: "`{0}` runs over a range, not `{1}`", "write a range: `{0}(0..n, |i| ..)`";
    REDUCTION_STATE: "a term of `{0}` changes `{1}`, and terms have no order", "write a `for` loop, whose iterations follow one another";
    REDUCTION_TERM: "`{0}` takes numbers, not `{1}`", "give it a closure of a number: `as u32` makes one of a truth value; of several numbers, write one `{0}` each, or a `for` loop";
    ITERATOR_METHOD: "there is no method `{0}` on an iterator here", "{1}";
    OPEN_RANGE: "this range has no end", "write both ends: `0..n`";
    OFFSET_NOT_CONSTANT: "the offset of `at` is not known at compile time", "use literals, variables of `for` loops over constant ranges (those of `sum` and its like are never constant), or `const`; for a small offset known at run time read `src.window::<7, 1>()[0][(dx + 3) as usize]`; at a place that is computed (resize, warp) take `[y, x]: At<2>` as the first parameter and `src: View<u8>`, and read `src.get([row, column])`";
    OFFSET_RANGE: "the offset {0} is out of reach", "use offsets from -255 to 255";
    WINDOW_SIZE: "a window has two sizes, from 1 to 511", "write `window::<3, 3>()`: columns, then rows";
    TAP_OUTSIDE: "this reads the element at ({0}, {1}), outside the declared neighbourhood x = {2}, y = {3}", "declare `neighbourhood(x = {4}, y = {5})`, or leave it out: it is found by itself";
    IMMUTABLE: "`{0}` is assigned, but not declared `mut`", "write `let mut {0}`";
    UNINITIALISED: "`{0}` has no value here on every path", "give it a value where it is declared: `let mut {0} = 0`";
    NOT_A_PLACE: "this can't be assigned to", "assign to a variable, an element `v[i]`, a part `t.0`, or a tuple of these";
    ENUM_VALUE: "the enum `{0}` has no value `{1}`", "{2}";
    CONSTANT: "the value of a constant isn't known at compile time here", "build it from literals and other constants";
    CONSTANT_CYCLE: "`{0}` is defined by itself", "give it a value";
    CAPTURE: "a nested `fn` doesn't see the variables around it: `{0}`", "pass it as a parameter, or write a closure `|..| ..`";
    RECURSION: "`{0}` calls itself", "write the calls out, or use a `for` loop over a constant range";
    NOT_EXHAUSTIVE: "this `match` doesn't cover every value", "add an arm `_ => ..`";
    LOOP_NOT_CONSTANT: "how often this loop runs isn't known at compile time", "run over the range itself, `for i in start..end`, and compute the rest inside";
    LOOP_TYPE: "a loop counts in 32 bits at most", "convert both ends: `(.. as i32)`";
    RUN_TIME_STORE: "a closure or an enum can't be chosen at run time", "choose between values instead";
    UNSUPPORTED: "this is not part of the language", "write it in simpler steps";
    STEP_OF_ZERO: "`step_by(0)` never advances", "write `step_by(1)` or more";
    // Limits.
    TOO_DEEP: "this is too long, or nested too deeply, for one statement", "give parts of it names with `let`, or use a loop";
    TOO_MANY_TOKENS: "the code is too long: {0} tokens", "use loops, or several kernels: at most {1} tokens";
    TOO_MANY_NODES: "the kernel unrolls into more than {0} operations", "use fewer loop iterations, or split it into several kernels";
    TOO_MANY_STEPS: "the kernel's loops run too often at compile time: more than {0} steps", "use fewer loop iterations, or a constant array";
    TOO_MANY_LOOPS: "the kernel has more than {0} loops whose ends are computed", "put one loop around more work, or split it into several kernels";
    TOO_MANY_TAPS: "the kernel reads more than {0} different elements", "use a smaller neighbourhood, or split it into several kernels";
    TOO_MANY_BODIES: "the variants give {0} bodies", "use at most {1} combinations of variants";
    TOO_MANY_ITEMS: "{0} {1} are too many", "use at most {2}";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_message_has_a_help_and_no_full_stop() {
        for message in ALL {
            assert!(!message.help.is_empty(), "{}", message.name);
            assert!(!message.text.ends_with('.'), "{}", message.name);
        }
    }

    #[test]
    fn a_slip_of_the_pen_finds_the_word() {
        assert_eq!(nearest("neighborhood", ["step", "neighbourhood", "border"]), Some("neighbourhood"));
        assert_eq!(nearest("setp", ["step", "types"]), Some("step"));
        assert_eq!(nearest("abs_dif", ["abs", "abs_diff"]), Some("abs_diff"));
        assert_eq!(nearest("qwertz", ["step", "types"]), None);
    }
}
