//! A context's programs.

use crate::{
    BuildError, CacheFolder, CacheReport, DeviceIdentity, Digest, EffectivePrecision, InvalidFolder, KernelFolder,
    MemForm, Pack, Precision, Program, ProgramForm, ProgramKey, ProgramSource, Record,
    context::core::Core,
    program::{
        cache::{Cache, Compiler as _},
        compile::DeviceCompiler,
    },
};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use windrow_runtime::{border::BorderMode, code::KernelCode};

fn unreadable(error: InvalidFolder) -> BuildError {
    BuildError::Kernels { reason: error.to_string() }
}

/// The programs of a context: each is built once, and shared by all who ask for it.
///
/// ```no_run
/// use windrow::opencl::{CacheFolder, Context, ProgramSource};
///
/// let context = Context::open()?;
/// if let Some(folder) = CacheFolder::default_path() {
///     context.programs().set_folder(Some(CacheFolder::open(folder)?));
/// }
/// let source = ProgramSource::new("fill", "__kernel void fill(__global uchar *a) { a[get_global_id(0)] = 7; }");
/// context.programs().get(&source)?;
/// for rejected in context.programs().report().rejected {
///     println!("{}: {}", rejected.file.display(), rejected.reason);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Programs {
    cache: Cache<Program>,
    identity: DeviceIdentity,
    /// The folder whose texts replace those that were compiled in.
    kernels: Mutex<Option<Arc<KernelFolder>>>,
    core: Arc<Core>,
}

impl Programs {
    /// Those of a context, with kernels from a folder: the one that is wanted, or else the one that the environment names.
    pub(crate) fn new(core: &Arc<Core>, wanted: Option<&KernelFolder>) -> Result<Self, BuildError> {
        let kernels = match wanted {
            Some(folder) => Some(folder.clone()),
            None => KernelFolder::of_environment().map_err(unreadable)?,
        };
        Ok(Self {
            cache: Cache::default(),
            identity: DeviceIdentity::of(&core.device),
            kernels: Mutex::new(kernels.map(Arc::new)),
            core: core.clone(),
        })
    }

    /// The program of a kernel over buffers, with what builds it in a precision, and the precision that comes of it.
    pub(crate) fn in_precision(
        &self,
        code: &'static KernelCode,
        precision: Precision,
    ) -> Result<(ProgramSource, EffectivePrecision), BuildError> {
        let source = self.source_of(code)?;
        let precision = precision.of_text(&source.text, &self.core.device, self.core.numerics)?;
        let options = source.options.clone().and(&precision.options()?)?;
        Ok((source.with_options(options), precision))
    }

    /// Refuses a program that was not built of the kernel's own text, which is the one compiled in or the context's, in a
    /// precision: nothing is known of what another one reads and writes.
    pub(crate) fn check_own(
        &self,
        program: &Program,
        code: &'static KernelCode,
        precision: EffectivePrecision,
    ) -> Result<(), BuildError> {
        let own_options = precision.options()?;
        for own in [ProgramSource::of(code), self.source_of(code)?] {
            if program.source() == Digest::of(own.text.as_bytes())
                && *program.options() == own.options.and(&own_options)?
            {
                return Ok(());
            }
        }
        let (found, expected) = (program.source().to_string(), Digest::of(code.opencl().source.as_bytes()).to_string());
        Err(BuildError::OtherProgram { kernel: code.spec().name, program: found, expected })
    }

    /// Returns the program of a source: from memory, from a pack, from the folder, or built.
    ///
    /// # Errors
    /// [`BuildError::Refused`] where it does not build, with the compiler's messages.
    pub fn get(&self, source: &ProgramSource) -> Result<Program, BuildError> {
        self.cache.get(&self.compiler(), source)
    }

    /// Returns the program over buffers of a kernel that was compiled in: its text from the folder of
    /// [`Programs::set_kernels`], if there is one and it holds the kernel, or else the embedded one.
    ///
    /// # Errors
    /// [`BuildError::Kernels`] where the folder's content is not what its manifest says, or is another kernel.
    pub fn source_of(&self, code: &'static KernelCode) -> Result<ProgramSource, BuildError> {
        Ok(self.in_folder(|folder| folder.source_of(code))?.unwrap_or_else(|| ProgramSource::of(code)))
    }

    /// Returns the same kernel's program over images, from the same place; none where there is none: a folder that
    /// holds the kernel over buffers alone may mean another kernel than the embedded one.
    ///
    /// # Errors
    /// As [`Programs::source_of`].
    pub fn images_of(&self, code: &'static KernelCode) -> Result<Option<ProgramSource>, BuildError> {
        Ok(self.in_folder(|folder| folder.images_of(code))?.unwrap_or_else(|| ProgramSource::of_images(code)))
    }

    /// Returns every program of a kernel that this device may be asked for: over buffers in each precision that it has,
    /// over images. [`Programs::warm_up`] builds them ahead, [`Programs::record`] packs them.
    ///
    /// # Errors
    /// As [`Programs::source_of`].
    pub fn all_of(&self, code: &'static KernelCode) -> Result<Vec<(ProgramForm, ProgramSource)>, BuildError> {
        let (caps, constants) = (&self.core.device, code.spec().borders.contains(&BorderMode::Constant));
        let mut all = self.source_of(code)?.in_all_forms(MemForm::Buffer, constants, caps)?;
        if let Some(images) = self.images_of(code)? {
            all.extend(images.in_all_forms(MemForm::Image, constants, caps)?);
        }
        Ok(all)
    }

    /// What the folder of kernels has; none where there is no folder, or it lacks the kernel, which is reported.
    fn in_folder<T>(
        &self,
        read: impl FnOnce(&KernelFolder) -> Result<T, InvalidFolder>,
    ) -> Result<Option<T>, BuildError> {
        let kernels = self.kernels().clone();
        match kernels.as_deref().map(read) {
            None => Ok(None),
            Some(Err(InvalidFolder::NoKernel { kernel })) => {
                self.cache.note_embedded(kernel);
                Ok(None)
            }
            Some(found) => found.map(Some).map_err(unreadable),
        }
    }

    /// Reads all kernels' texts from a folder from now on; with none, takes the embedded ones. Kernels that it doesn't hold
    /// stay embedded, and are in the report.
    pub fn set_kernels(&self, kernels: Option<KernelFolder>) {
        *self.kernels() = kernels.map(Arc::new);
    }

    /// Builds several programs before they are needed, on up to `threads` threads; their results in order.
    pub fn warm_up(&self, sources: &[ProgramSource], threads: usize) -> Vec<Result<Program, BuildError>> {
        self.cache.warm_up(&self.compiler(), sources, threads)
    }

    /// Returns whether the program of a source is in memory, so that asking for it costs nothing.
    ///
    /// # Errors
    /// Where the device can't build it.
    pub fn is_warm(&self, source: &ProgramSource) -> Result<bool, BuildError> {
        Ok(self.cache.holds(&self.key(source)?))
    }

    /// Returns what the program of a source depends on, here.
    ///
    /// # Errors
    /// Where the device can't build it.
    pub fn key(&self, source: &ProgramSource) -> Result<ProgramKey, BuildError> {
        let compiler = self.compiler();
        Ok(ProgramKey::new(&source.text, &compiler.options(source)?, compiler.identity))
    }

    /// Returns a program as [`Pack::write`] takes it, built where it wasn't yet.
    ///
    /// # Errors
    /// Where it does not build, or the driver gives no binary.
    pub fn record(&self, source: &ProgramSource) -> Result<Record, BuildError> {
        self.cache.record(&self.compiler(), source)
    }

    /// Keeps programs in a folder from now on, for later processes too; with none, in memory alone.
    pub fn set_folder(&self, folder: Option<CacheFolder>) {
        self.cache.set_folder(folder);
    }

    /// Stores every program that is in memory in the folder anew. Some drivers compile on at a kernel's first launch
    /// (PoCL, for each size of work-groups): what is stored after the first runs starts faster the next time. What can't
    /// be stored is in the report.
    pub fn save_all(&self) {
        self.cache.save_all(&self.compiler());
    }

    /// Returns the folder.
    pub fn folder(&self) -> Option<CacheFolder> {
        self.cache.folder()
    }

    /// Takes programs from a pack too. What of it is damaged, or built elsewhere, is in the report.
    pub fn add_pack(&self, pack: Pack) {
        self.cache.add_pack(pack);
    }

    /// Returns what was built, loaded and rejected up to now.
    pub fn report(&self) -> CacheReport {
        self.cache.report()
    }

    /// Drops the programs in memory. Who uses one keeps it.
    pub fn clear_memory(&self) {
        self.cache.clear_memory();
    }

    /// Returns the device, its driver and its compiler.
    pub fn identity(&self) -> &DeviceIdentity {
        &self.identity
    }

    fn compiler(&self) -> DeviceCompiler<'_> {
        DeviceCompiler { core: &self.core, identity: &self.identity }
    }

    fn kernels(&self) -> MutexGuard<'_, Option<Arc<KernelFolder>>> {
        self.kernels.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
