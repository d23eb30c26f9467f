//! The options of a build in one canonical order.
//!
//! Two lists that mean the same give the same text, and so the same program. What would make a program depend on more
//! than its text and its options (`-I`) or change its meaning by order (one macro defined twice) is refused.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
};

/// Options of a build: flags and macros, in no order.
///
/// ```
/// use windrow::opencl::BuildOptions;
///
/// let options = BuildOptions::parse("-DN=4 -cl-std=CL1.2 -D WIDE")?;
/// assert_eq!(options, BuildOptions::parse("-D WIDE -cl-std=CL1.2 -D N=4")?);
/// assert_eq!(options.to_string(), "-cl-std=CL1.2 -DN=4 -DWIDE");
/// # Ok::<(), windrow::opencl::InvalidOption>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BuildOptions {
    flags: BTreeSet<String>,
    // The macros' values; none: defined without one.
    macros: BTreeMap<String, Option<String>>,
}

/// How the macros begin that the runtime defines.
const RESERVED: &str = "WINDROW_";
/// Flags under which floats are computed otherwise than in Rust.
const LOOSE: [&str; 7] = [
    "-cl-denorms-are-zero",
    "-cl-fast-relaxed-math",
    "-cl-finite-math-only",
    "-cl-mad-enable",
    "-cl-no-signed-zeros",
    "-cl-single-precision-constant",
    "-cl-unsafe-math-optimizations",
];

/// An option that a program can't be built with.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "a field is named after what the message says there")]
pub enum InvalidOption {
    /// A word that isn't an option.
    #[error("`{0}` is no option: options begin with `-`, hold no space, no quote and no NUL")]
    Word(String),
    /// A folder of included files.
    #[error("`{0}` includes files, which a program's cache can't see: put their text into the source")]
    Include(String),
    /// `-D` with no name.
    #[error("`{0}` defines no macro: a name is a letter or `_`, and then letters, digits and `_`")]
    Macro(String),
    /// A macro with two values.
    #[error("the macro `{0}` is defined twice, differently")]
    Twice(String),
    /// A setting with two values.
    #[error("`{one}` and `{other}` contradict each other")]
    Contradiction { one: String, other: String },
    /// A macro that a kernel's form and precision decide on, and nothing else.
    #[error("the macro `{0}` is the runtime's: it follows from what a kernel reads, and in which precision")]
    Reserved(String),
    /// A flag under which floats no longer mean what they mean in Rust.
    #[error("under `{0}` floats are computed otherwise than in Rust: a generated program is not built with it")]
    Loose(String),
}

impl BuildOptions {
    /// Returns an empty list of options.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the options of a command line, parted by spaces.
    ///
    /// # Errors
    /// An [`InvalidOption`].
    pub fn parse(text: &str) -> Result<Self, InvalidOption> {
        let mut options = Self::new();
        let mut words = text.split_ascii_whitespace();
        while let Some(word) = words.next() {
            options = match word.strip_prefix("-D") {
                Some("") => options.macro_of(words.next().unwrap_or_default())?,
                Some(definition) => options.macro_of(definition)?,
                None => options.flag(word)?,
            };
        }
        Ok(options)
    }

    /// Returns `self` with a flag, such as `-cl-fast-relaxed-math`.
    ///
    /// # Errors
    /// An [`InvalidOption`].
    pub fn flag(mut self, flag: &str) -> Result<Self, InvalidOption> {
        if flag.starts_with("-D") && !flag.contains(char::is_whitespace) {
            return self.macro_of(&flag[2..]);
        }
        if !flag.starts_with('-') || flag.contains(unfit) {
            return Err(InvalidOption::Word(flag.to_owned()));
        }
        if flag.starts_with("-I") {
            return Err(InvalidOption::Include(flag.to_owned()));
        }
        self.insert_flag(flag)?;
        Ok(self)
    }

    /// Returns `self` with a macro, and its value.
    ///
    /// # Errors
    /// An [`InvalidOption`].
    pub fn define(self, name: &str, value: impl fmt::Display) -> Result<Self, InvalidOption> {
        self.macro_of(&format!("{name}={value}"))
    }

    /// Returns all options of both.
    ///
    /// # Errors
    /// [`InvalidOption::Twice`] and [`InvalidOption::Contradiction`].
    pub fn and(mut self, other: &BuildOptions) -> Result<Self, InvalidOption> {
        other.flags.iter().try_for_each(|flag| self.insert_flag(flag))?;
        for (name, value) in &other.macros {
            self = self.insert(name, value.as_deref())?;
        }
        Ok(self)
    }

    /// Whether there is a flag that begins so.
    pub(super) fn has_flag_of(&self, start: &str) -> bool {
        self.flags.iter().any(|flag| flag.starts_with(start))
    }

    /// Whether a macro is defined.
    pub(super) fn defines(&self, name: &str) -> bool {
        self.macros.contains_key(name)
    }

    /// Refuses macros that are the runtime's to define.
    pub(super) fn check_unreserved(&self) -> Result<(), InvalidOption> {
        let reserved = self.macros.keys().find(|name| name.starts_with(RESERVED));
        reserved.map_or(Ok(()), |name| Err(InvalidOption::Reserved(name.clone())))
    }

    /// Refuses flags under which floats are computed otherwise.
    pub(super) fn check_exact(&self) -> Result<(), InvalidOption> {
        let loose = LOOSE.into_iter().find(|flag| self.flags.contains(*flag));
        loose.map_or(Ok(()), |flag| Err(InvalidOption::Loose(flag.to_owned())))
    }

    /// Without a flag.
    pub(super) fn without_flag(mut self, flag: &str) -> Self {
        self.flags.remove(flag);
        self
    }

    fn macro_of(self, definition: &str) -> Result<Self, InvalidOption> {
        let (name, value) = match definition.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (definition, None),
        };
        let letter = |c: char| c.is_ascii_alphabetic() || c == '_';
        if !name.starts_with(letter) || !name.chars().all(|c| letter(c) || c.is_ascii_digit()) {
            return Err(InvalidOption::Macro(definition.to_owned()));
        }
        if definition.contains(unfit) {
            return Err(InvalidOption::Word(definition.to_owned()));
        }
        self.insert(name, value)
    }

    /// A flag that sets something to a value sets it to one.
    fn insert_flag(&mut self, flag: &str) -> Result<(), InvalidOption> {
        let setting = |flag: &str| flag.split_once('=').map(|(setting, _)| setting.to_owned());
        let same = |other: &&String| *other != flag && setting(other).is_some() && setting(other) == setting(flag);
        if let Some(other) = self.flags.iter().find(same) {
            return Err(InvalidOption::Contradiction { one: other.clone(), other: flag.to_owned() });
        }
        self.flags.insert(flag.to_owned());
        Ok(())
    }

    fn insert(mut self, name: &str, value: Option<&str>) -> Result<Self, InvalidOption> {
        let value = value.map(str::to_owned);
        match self.macros.get(name) {
            Some(old) if *old != value => Err(InvalidOption::Twice(name.to_owned())),
            Some(_) | None => {
                self.macros.insert(name.to_owned(), value);
                Ok(self)
            }
        }
    }
}

/// What would make two options of one, or end the text.
fn unfit(c: char) -> bool {
    c.is_whitespace() || matches!(c, '"' | '\'' | '\\' | '\0')
}

impl fmt::Display for BuildOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let macros = self.macros.iter().map(|(name, value)| match value {
            Some(value) => format!("-D{name}={value}"),
            None => format!("-D{name}"),
        });
        let words: Vec<String> = self.flags.iter().cloned().chain(macros).collect();
        f.write_str(&words.join(" "))
    }
}

#[cfg(test)]
mod tests;
