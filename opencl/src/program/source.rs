//! The text of a program, generated or written by hand, with what it is built with.

use crate::{BuildOptions, DeviceCaps, InvalidOption, LineTable, MemForm, ProgramForm};
use std::borrow::Cow;
use windrow_runtime::code::{KernelCode, OpenClImages};

/// A program to be built: one kernel's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProgramSource {
    /// The kernel's name, for messages.
    pub name: Cow<'static, str>,
    /// OpenCL C.
    pub text: Cow<'static, str>,
    /// Options beside those that the device needs.
    pub options: BuildOptions,
    /// From the text's lines to the author's.
    pub lines: LineTable,
    /// Whether its floats must mean what they mean in Rust: a device that can't give them is refused then.
    pub exact: bool,
}

impl ProgramSource {
    /// Returns a program written by hand. It is cached, profiled and tuned like the generated ones.
    pub fn new(name: impl Into<Cow<'static, str>>, text: impl Into<Cow<'static, str>>) -> Self {
        Self {
            name: name.into(),
            text: text.into(),
            options: BuildOptions::new(),
            lines: LineTable::default(),
            exact: false,
        }
    }

    /// Returns the program that was generated with a kernel.
    pub fn of(code: &'static KernelCode) -> Self {
        let lines = LineTable::parse(code.opencl().file, code.opencl().lines);
        let source = Self::new(code.spec().name, code.opencl().source).with_lines(lines);
        Self { exact: true, ..source }
    }

    /// Returns the image form of that program; none where the kernel has no such form.
    pub fn of_images(code: &'static KernelCode) -> Option<Self> {
        match code.opencl().images {
            OpenClImages::Emitted { source, lines, entries: _ } => {
                let lines = LineTable::parse(code.opencl().file, lines);
                let source = Self::new(code.spec().name, source).with_lines(lines);
                Some(Self { exact: true, ..source })
            }
            OpenClImages::None(_) => None,
        }
    }

    /// Returns the program as it is built for a form that reads what its text does.
    ///
    /// # Errors
    /// [`InvalidOption::Twice`] where its own options say otherwise.
    pub fn in_form(self, form: ProgramForm) -> Result<Self, InvalidOption> {
        let options = self.options.clone().and(&form.options()?)?;
        Ok(self.with_options(options))
    }

    /// The programs of its text, which is one over `reads`, that a device of these caps may be asked for; `constants`:
    /// whether a border may be a constant.
    pub(super) fn in_all_forms(
        self,
        reads: MemForm,
        constants: bool,
        caps: &DeviceCaps,
    ) -> Result<Vec<(ProgramForm, Self)>, InvalidOption> {
        let forms = ProgramForm::of_text(reads, &self.text, constants, caps).into_iter();
        forms.map(|form| Ok((form, self.clone().in_form(form)?))).collect()
    }

    /// Returns `self` with options of its own.
    #[must_use]
    pub fn with_options(self, options: BuildOptions) -> Self {
        Self { options, ..self }
    }

    /// Returns `self` with the lines that its text comes from.
    #[must_use]
    pub fn with_lines(self, lines: LineTable) -> Self {
        Self { lines, ..self }
    }
}
