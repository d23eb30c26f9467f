//! A program, built by a device's driver.
//!
//! The flags make floats mean what they mean in Rust: OpenCL C 1.2, correctly rounded division and square root where
//! the device offers them. (`FP_CONTRACT OFF` is in the source.) What a device's floats can't, `numerics` decides on.

use crate::{
    BuildError, BuildOptions, Call, DeviceIdentity, Digest, DriverError, EffectiveNumerics, FloatDivision,
    IntegerUnits, MissingFeature, Precision, ProgramForm, ProgramSource,
    context::core::Core,
    driver::handle::{Handle, KernelObject, ProgramObject},
    numerics::{CORRECT_DIVISION, DIVIDE, FLUSH},
    precision::COMPUTES_HALVES,
    program::{cache::Compiler, log},
};
use opencl3::{error_codes::CL_BUILD_PROGRAM_FAILURE, program::CL_PROGRAM_KERNEL_NAMES};
use std::{ffi::CString, sync::Arc};

const STANDARD: &str = "-cl-std=CL1.2";
/// The extension that a program enables which computes in double precision.
const DOUBLES: &str = "cl_khr_fp64";
/// Translated as it is written.
const UNOPTIMISED: &str = "-cl-opt-disable";
/// Without warnings.
const QUIET: &str = "-w";
/// What a build adds by itself, where the device has it.
pub(super) const OF_THE_DEVICE: [&str; 2] = [STANDARD, CORRECT_DIVISION];
/// Lets a program use instructions on pairs: see `IntegerUnits::ScalarsWithPairs`.
const PAIRS: &str = "WINDROW_NVIDIA_PAIRS";
/// The registers of a work-item are those of the widest function, here the one for edges: more would leave too few
/// work-items at once for the inside (measured on an H200: docs/measurements.md).
const REGISTERS: &str = "-cl-nv-maxrregcount=";
const MOST_REGISTERS: u32 = 128;

/// A built program. Its clones share it.
#[derive(Clone, Debug)]
pub struct Program {
    program: Arc<Handle<ProgramObject>>,
    source: Digest,
    /// Those that it asked for itself.
    options: BuildOptions,
    numerics: EffectiveNumerics,
    precision: Option<Precision>,
    // Released after the program.
    core: Arc<Core>,
}

impl Program {
    /// What it asked for itself when it was built.
    pub(super) fn options(&self) -> &BuildOptions {
        &self.options
    }

    /// Returns the digest of its source.
    pub fn source(&self) -> Digest {
        self.source
    }

    /// Returns how its floats are computed, by the text that it was built of.
    pub fn effective_numerics(&self) -> EffectiveNumerics {
        self.numerics
    }

    /// Returns the precision that it was built in; none where its buffers hold no floats.
    pub fn precision(&self) -> Option<Precision> {
        self.precision
    }

    pub(crate) fn core(&self) -> &Core {
        &self.core
    }

    /// The entry point `name`.
    pub(crate) fn entry(&self, name: &str) -> Result<Handle<KernelObject>, BuildError> {
        let name = CString::new(name).map_err(|_| BuildError::Nul { what: "the entry's name" })?;
        Ok(self.program.driver().create_kernel(&self.program, &name)?)
    }
}

/// A device's compiler.
pub(super) struct DeviceCompiler<'a> {
    pub core: &'a Arc<Core>,
    pub identity: &'a DeviceIdentity,
}

impl Compiler for DeviceCompiler<'_> {
    type Program = Program;

    fn identity(&self) -> &DeviceIdentity {
        self.identity
    }

    fn options(&self, source: &ProgramSource) -> Result<BuildOptions, BuildError> {
        let (device, numerics) = (&self.core.device, self.numerics(source));
        if source.text.contains(DOUBLES) && !device.double {
            return Err(MissingFeature::new(&*device.name, "arithmetic in double precision").into());
        }
        if source.exact {
            numerics.check(self.core.numerics, &device.to_string(), &source.name)?;
        }
        if source.exact && numerics.uses_floats {
            source.options.check_exact()?;
        }
        let mut options = source.options.clone();
        if !options.has_flag_of("-cl-std=") {
            options = options.flag(STANDARD)?;
        }
        // What compilers say of generated text, such as of a loop that they don't unroll, helps nobody who runs it.
        if source.exact && !options.has_flag_of(QUIET) {
            options = options.flag(QUIET)?;
        }
        if device.floats.correctly_rounded_division {
            options = options.flag(CORRECT_DIVISION)?;
        }
        if self.core.flushes_denormals {
            options = options.flag(FLUSH)?;
        }
        if self.core.unoptimised {
            options = options.flag(UNOPTIMISED)?;
        }
        if numerics.division == FloatDivision::Sequence {
            options = options.flag(&format!("-D{DIVIDE}"))?;
        }
        match device.integers {
            IntegerUnits::ScalarsWithPairs => {
                // A program written by hand has the registers that its author gives it.
                if source.exact && !options.has_flag_of(REGISTERS) {
                    options = options.flag(&format!("{REGISTERS}{MOST_REGISTERS}"))?;
                }
                Ok(options.flag(&format!("-D{PAIRS}"))?)
            }
            IntegerUnits::Vectors | IntegerUnits::Scalars => Ok(options),
        }
    }

    fn build(&self, source: &ProgramSource, options: &str) -> Result<Program, BuildError> {
        if source.text.contains('\0') {
            return Err(BuildError::Nul { what: "the source" });
        }
        let program = self.core.driver().create_program_with_source(self.core.handle(), &source.text)?;
        self.finish(source, program, options)
    }

    fn load(&self, source: &ProgramSource, binary: &[u8], options: &str) -> Result<Program, BuildError> {
        let (driver, device) = (self.core.driver(), self.core.device.id);
        // SAFETY: the bytes come from a folder that only its owner writes, or from a pack whose opener vouches for it. Their
        // sum and key say that they are whole, and were built for this device and driver.
        let program = unsafe { driver.create_program_with_binary(self.core.handle(), device, binary) }?;
        self.finish(source, program, options)
    }

    fn binary(&self, program: &Program) -> Result<Vec<u8>, BuildError> {
        let driver = self.core.driver();
        // Some drivers compile a kernel when it is first made: only then is it in the binary.
        let names = program.program.info(CL_PROGRAM_KERNEL_NAMES)?;
        let names = String::from_utf8_lossy(&names);
        let kernels: Vec<Handle<KernelObject>> = names
            .trim_end_matches('\0')
            .split(';')
            .filter(|name| !name.is_empty())
            .map(|name| program.entry(name))
            .collect::<Result<_, _>>()?;
        let binaries = driver.program_binaries(&program.program)?;
        drop(kernels);
        let device = self.core.device.to_string();
        let lacking = || MissingFeature::new(device, "binaries of programs").into();
        binaries.into_iter().find(|binary| !binary.is_empty()).ok_or_else(lacking)
    }
}

impl DeviceCompiler<'_> {
    fn numerics(&self, source: &ProgramSource) -> EffectiveNumerics {
        match source.options.defines(COMPUTES_HALVES) {
            true => {
                let (device, flushes) = (&self.core.device, self.core.flushes_denormals);
                EffectiveNumerics::in_halves(device, &source.text, flushes)
            }
            false => self.core.effective_numerics(&source.text),
        }
    }

    fn finish(
        &self,
        source: &ProgramSource,
        program: Handle<ProgramObject>,
        options: &str,
    ) -> Result<Program, BuildError> {
        let (driver, device) = (self.core.driver(), &self.core.device);
        let text = CString::new(options).map_err(|_| BuildError::Nul { what: "the options" })?;
        match driver.build_program(&program, device.id, &text) {
            Ok(()) => Ok(Program {
                program: Arc::new(program),
                source: Digest::of(source.text.as_bytes()),
                options: source.options.clone(),
                numerics: self.numerics(source),
                precision: ProgramForm::precision(&source.text, &source.options),
                core: self.core.clone(),
            }),
            Err(DriverError::Call { call: Call::BuildProgram, code: CL_BUILD_PROGRAM_FAILURE, .. }) => {
                let log = match driver.build_log(&program, device.id) {
                    Ok(log) => log,
                    Err(error) => format!("(the driver gave no log: {error})"),
                };
                Err(BuildError::Refused {
                    kernel: source.name.to_string(),
                    device: device.to_string(),
                    options: options.to_owned(),
                    messages: log::messages(&log, &source.lines),
                    log,
                })
            }
            Err(error) => Err(error.into()),
        }
    }
}
