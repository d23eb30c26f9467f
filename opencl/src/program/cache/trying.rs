//! What is known of programs by probes: asked once, kept in memory and in the folder.

use super::{Cache, Compiler, lock};
use crate::{
    error::OpenClError,
    program::{
        folder::CacheFolder,
        key::ProgramKey,
        probe::{Probe, ProbeFailure, ProbeVerdict, Tried},
        rejection::{Rejected, Unsaved},
        source::ProgramSource,
    },
};

impl<P: Clone> Cache<P> {
    /// Has programs tried from now on, or no more.
    pub fn set_probe(&self, probe: Option<Probe>) {
        lock(&self.shelves).probe = probe;
    }

    /// Has a program tried now.
    pub fn probe(
        &self,
        compiler: &impl Compiler<Program = P>,
        source: &ProgramSource,
        probe: &Probe,
    ) -> Result<ProbeVerdict, OpenClError> {
        let key = ProgramKey::new(&source.text, &compiler.options(source)?, compiler.identity());
        match self.ask(compiler, source, &key, probe)? {
            Some(ProbeVerdict::Died(failure)) => Err(refuse(source, &key, failure)),
            Some(survived) => Ok(survived),
            // The compiler's own words are more than a child's.
            None => match compiler.build(source, &key.options) {
                Ok(_) => Ok(ProbeVerdict::Survived { launches: 0 }),
                Err(error) => Err(error),
            },
        }
    }

    /// Refuses a program that a child did not survive. One that is not known is tried.
    pub(super) fn check_tried(
        &self,
        compiler: &impl Compiler<Program = P>,
        source: &ProgramSource,
        key: &ProgramKey,
        probe: &Probe,
    ) -> Result<(), OpenClError> {
        let verdict = match self.known(source, key) {
            Some(verdict) => Some(verdict),
            None => self.ask(compiler, source, key, probe)?,
        };
        match verdict {
            Some(ProbeVerdict::Died(failure)) => Err(refuse(source, key, failure)),
            Some(ProbeVerdict::Survived { .. }) | None => Ok(()),
        }
    }

    fn known(&self, source: &ProgramSource, key: &ProgramKey) -> Option<ProbeVerdict> {
        let digest = key.digest();
        if let Some(verdict) = lock(&self.verdicts).get(&digest) {
            return Some(verdict.clone());
        }
        let folder = self.folder()?;
        match folder.verdict(key) {
            Ok(verdict) => {
                lock(&self.verdicts).extend(verdict.clone().map(|verdict| (digest, verdict)));
                verdict
            }
            Err(reason) => {
                let rejected = Rejected { file: folder.verdict_file(key), kernel: source.name.to_string(), reason };
                lock(&self.report).reject(rejected);
                None
            }
        }
    }

    /// Asks a child; no verdict where the compiler refused the program, as it may.
    fn ask(
        &self,
        compiler: &impl Compiler<Program = P>,
        source: &ProgramSource,
        key: &ProgramKey,
        probe: &Probe,
    ) -> Result<Option<ProbeVerdict>, OpenClError> {
        lock(&self.report).probes += 1;
        match compiler.try_out(probe, source, key) {
            Tried::Refused => Ok(None),
            Tried::Unclear(failure) => Err(refuse(source, key, failure)),
            Tried::Verdict(verdict) => {
                lock(&self.verdicts).insert(key.digest(), verdict.clone());
                if let Some(folder) = self.folder() {
                    self.keep(source, key, &verdict, &folder);
                }
                Ok(Some(verdict))
            }
        }
    }

    fn keep(&self, source: &ProgramSource, key: &ProgramKey, verdict: &ProbeVerdict, folder: &CacheFolder) {
        if let Err(error) = folder.store_verdict(key, verdict) {
            lock(&self.report).fail_to_save(Unsaved { kernel: source.name.to_string(), reason: error.to_string() });
        }
    }
}

fn refuse(source: &ProgramSource, key: &ProgramKey, failure: ProbeFailure) -> OpenClError {
    let (kernel, device) = (source.name.to_string(), key.device.to_string());
    OpenClError::Probe { kernel, device, failure: Box::new(failure) }
}
