//! Programs, each built once: in memory, from packs, from a folder, and only then from its source.
//!
//! What a driver does is behind [`Compiler`], so that the cache's rules are tested without one.

use crate::{
    BuildError, BuildOptions, CacheFolder, CacheReport, DeviceIdentity, Digest, Pack, ProgramKey, ProgramSource,
    Record, Rejected, Rejection, Unsaved,
};
use std::{
    borrow::Cow,
    collections::BTreeMap,
    path::PathBuf,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

/// What builds programs for one device.
pub(super) trait Compiler {
    /// A built program.
    type Program: Clone;

    /// The device, its driver and its compiler.
    fn identity(&self) -> &DeviceIdentity;

    /// All options that a source is built with here.
    fn options(&self, source: &ProgramSource) -> Result<BuildOptions, BuildError>;

    /// Builds a source.
    fn build(&self, source: &ProgramSource, options: &str) -> Result<Self::Program, BuildError>;

    /// Takes what [`Compiler::binary`] gave, under the same identity and options.
    fn load(&self, source: &ProgramSource, binary: &[u8], options: &str) -> Result<Self::Program, BuildError>;

    /// The program as bytes.
    fn binary(&self, program: &Self::Program) -> Result<Vec<u8>, BuildError>;
}

/// The programs of one device.
#[derive(Debug)]
pub(super) struct Cache<P> {
    // A slot is locked while its program is built, so that others wait for it instead of building it too.
    slots: Mutex<BTreeMap<Digest, Slot<P>>>,
    shelves: Mutex<Shelves>,
    report: Mutex<CacheReport>,
}

type Slot<P> = Arc<Mutex<Option<Held<P>>>>;

/// A program in memory.
#[derive(Debug)]
struct Held<P> {
    program: P,
    name: String,
    key: ProgramKey,
}

/// Where built programs are kept beside the memory.
#[derive(Clone, Debug, Default)]
struct Shelves {
    folder: Option<CacheFolder>,
    packs: Vec<Arc<Pack>>,
}

/// A place for built programs.
enum Shelf<'a> {
    Pack(&'a Pack),
    Folder(&'a CacheFolder),
}

impl Shelves {
    /// All of them, the first before the others.
    fn all(&self) -> impl Iterator<Item = Shelf<'_>> {
        self.packs.iter().map(|pack| Shelf::Pack(pack)).chain(self.folder.as_ref().map(Shelf::Folder))
    }
}

impl Shelf<'_> {
    fn load(&self, key: &ProgramKey) -> Result<Option<Cow<'_, [u8]>>, Rejection> {
        match self {
            Self::Pack(pack) => Ok(pack.load(key)?.map(Cow::Borrowed)),
            Self::Folder(folder) => Ok(folder.load(key)?.map(Cow::Owned)),
        }
    }

    fn file(&self, key: &ProgramKey) -> PathBuf {
        match self {
            Self::Pack(pack) => pack.file().to_path_buf(),
            Self::Folder(folder) => folder.file(key),
        }
    }
}

impl<P> Default for Cache<P> {
    fn default() -> Self {
        let (slots, shelves, report) = Default::default();
        Self { slots, shelves, report }
    }
}

impl<P: Clone> Cache<P> {
    /// Returns the program of a source, built where it is nowhere yet.
    pub fn get(&self, compiler: &impl Compiler<Program = P>, source: &ProgramSource) -> Result<P, BuildError> {
        let options = compiler.options(source)?;
        let key = ProgramKey::new(&source.text, &options, compiler.identity());
        let slot = Arc::clone(lock(&self.slots).entry(key.digest()).or_default());
        let mut slot = lock(&slot);
        if let Some(held) = &*slot {
            lock(&self.report).from_memory += 1;
            return Ok(held.program.clone());
        }
        let program = self.find_or_build(compiler, source, &key)?;
        *slot = Some(Held { program: program.clone(), name: source.name.to_string(), key });
        Ok(program)
    }

    /// Builds several programs, on several threads; their results in order.
    pub fn warm_up<C>(&self, compiler: &C, sources: &[ProgramSource], threads: usize) -> Vec<Result<P, BuildError>>
    where
        C: Compiler<Program = P> + Sync,
        P: Send,
    {
        let next = AtomicUsize::new(0);
        let results: Vec<Mutex<Option<Result<P, BuildError>>>> = sources.iter().map(|_| Mutex::default()).collect();
        let work = || {
            while let Some((source, result)) = sources.iter().zip(&results).nth(next.fetch_add(1, Ordering::Relaxed)) {
                *lock(result) = Some(self.get(compiler, source));
            }
        };
        thread::scope(|scope| {
            // This thread is one of them: where the system gives no other, it does all the work.
            for _ in 1..threads.min(sources.len()) {
                let _ = thread::Builder::new().name("windrow-warm-up".to_owned()).spawn_scoped(scope, work);
            }
            work();
        });
        let result = |(result, source): (Mutex<Option<_>>, &ProgramSource)| {
            let result = result.into_inner().unwrap_or_else(PoisonError::into_inner);
            result.unwrap_or_else(|| self.get(compiler, source))
        };
        results.into_iter().zip(sources).map(result).collect()
    }

    /// Returns the program of a source as a pack holds it.
    pub fn record(&self, compiler: &impl Compiler<Program = P>, source: &ProgramSource) -> Result<Record, BuildError> {
        let program = self.get(compiler, source)?;
        let key = ProgramKey::new(&source.text, &compiler.options(source)?, compiler.identity());
        Ok(Record { name: source.name.to_string(), key, binary: compiler.binary(&program)? })
    }

    /// Stores every program that is in memory in the folder, as it is now.
    pub fn save_all(&self, compiler: &impl Compiler<Program = P>) {
        let Some(folder) = self.folder() else { return };
        let slots: Vec<_> = lock(&self.slots).values().cloned().collect();
        for slot in slots {
            if let Some(held) = &*lock(&slot) {
                self.save(compiler, &held.name, &held.key, &held.program, &folder);
            }
        }
    }

    /// Keeps programs in a folder from now on; with none, in memory alone.
    pub fn set_folder(&self, folder: Option<CacheFolder>) {
        lock(&self.shelves).folder = folder;
    }

    pub fn folder(&self) -> Option<CacheFolder> {
        lock(&self.shelves).folder.clone()
    }

    /// Takes programs from a pack too, the one that was added first before the others.
    pub fn add_pack(&self, pack: Pack) {
        pack.rejected().iter().for_each(|rejected| lock(&self.report).reject(rejected.clone()));
        lock(&self.shelves).packs.push(Arc::new(pack));
    }

    /// Reports a kernel that a folder of kernels doesn't hold, once.
    pub fn note_embedded(&self, kernel: String) {
        lock(&self.report).note_embedded(kernel);
    }

    /// Returns what was done so far.
    pub fn report(&self) -> CacheReport {
        lock(&self.report).clone()
    }

    /// Returns whether the program of a source is in memory.
    pub fn holds(&self, key: &ProgramKey) -> bool {
        let slot = lock(&self.slots).get(&key.digest()).cloned();
        slot.is_some_and(|slot| lock(&slot).is_some())
    }

    /// Drops the programs that are in memory; who uses one keeps it.
    pub fn clear_memory(&self) {
        lock(&self.slots).clear();
    }

    fn find_or_build(
        &self,
        compiler: &impl Compiler<Program = P>,
        source: &ProgramSource,
        key: &ProgramKey,
    ) -> Result<P, BuildError> {
        let shelves = lock(&self.shelves).clone();
        if let Some(program) = shelves.all().find_map(|shelf| self.take(compiler, source, key, &shelf)) {
            return Ok(program);
        }
        let program = compiler.build(source, &key.options)?;
        lock(&self.report).builds += 1;
        if let Some(folder) = &shelves.folder {
            self.save(compiler, &source.name, key, &program, folder);
        }
        Ok(program)
    }

    /// The program as a shelf holds it. One that is not accepted is reported.
    fn take(
        &self,
        compiler: &impl Compiler<Program = P>,
        source: &ProgramSource,
        key: &ProgramKey,
        shelf: &Shelf<'_>,
    ) -> Option<P> {
        let found = shelf.load(key).and_then(|binary| {
            let program = binary.map(|binary| compiler.load(source, &binary, &key.options)).transpose();
            program.map_err(|error| Rejection::Refused(error.to_string()))
        });
        if let (Err(Rejection::Refused(_)), Shelf::Folder(folder)) = (&found, shelf) {
            // What the driver refuses once, it refuses again; a file that stays is overwritten all the same.
            let _ = folder.forget(key);
        }
        let mut report = lock(&self.report);
        let program = found.unwrap_or_else(|reason| {
            report.reject(Rejected { file: shelf.file(key), kernel: source.name.to_string(), reason });
            None
        })?;
        match shelf {
            Shelf::Pack(_) => report.from_packs += 1,
            Shelf::Folder(_) => report.from_folder += 1,
        }
        Some(program)
    }

    fn save(
        &self,
        compiler: &impl Compiler<Program = P>,
        kernel: &str,
        key: &ProgramKey,
        program: &P,
        folder: &CacheFolder,
    ) {
        let kernel = kernel.to_owned();
        let saved = compiler.binary(program).map_err(|error| error.to_string()).and_then(|binary| {
            let record = Record { name: kernel.clone(), key: key.clone(), binary };
            folder.store(&record).map_err(|error| error.to_string())
        });
        match saved {
            Ok(()) => lock(&self.report).saved += 1,
            Err(reason) => lock(&self.report).fail_to_save(Unsaved { kernel, reason }),
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests;
