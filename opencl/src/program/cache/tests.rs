//! The cache's rules, with a compiler that counts.

use super::{
    super::{
        identity::tests::{flipped, identity},
        key::Mismatch,
        record,
    },
    *,
};
use std::{fs, time::Duration};

/// Builds by copying: a program is its source and its options.
struct Fake {
    identity: DeviceIdentity,
    options: BuildOptions,
    builds: AtomicUsize,
    // Whether binaries are refused, as after an update that kept its version.
    refuses: bool,
}

impl Fake {
    fn new(identity: DeviceIdentity) -> Self {
        Self { identity, options: BuildOptions::new(), builds: AtomicUsize::new(0), refuses: false }
    }

    fn builds(&self) -> usize {
        self.builds.load(Ordering::Relaxed)
    }
}

impl Compiler for Fake {
    type Program = String;

    fn identity(&self) -> &DeviceIdentity {
        &self.identity
    }

    fn options(&self, source: &ProgramSource) -> Result<BuildOptions, BuildError> {
        Ok(self.options.clone().and(&source.options).unwrap())
    }

    fn build(&self, source: &ProgramSource, options: &str) -> Result<String, BuildError> {
        self.builds.fetch_add(1, Ordering::Relaxed);
        thread::sleep(Duration::from_millis(2));
        match source.text.contains("error") {
            true => Err(BuildError::Nul { what: "the source" }),
            false => Ok(format!("{} {options}", source.text)),
        }
    }

    fn load(&self, _: &ProgramSource, binary: &[u8], _: &str) -> Result<String, BuildError> {
        match self.refuses {
            true => Err(BuildError::Nul { what: "the binary" }),
            false => Ok(String::from_utf8(binary.to_vec()).unwrap()),
        }
    }

    fn binary(&self, program: &String) -> Result<Vec<u8>, BuildError> {
        Ok(program.clone().into_bytes())
    }
}

fn source(text: &'static str) -> ProgramSource {
    ProgramSource::new("k", text)
}

fn place() -> (tempfile::TempDir, CacheFolder) {
    let place = tempfile::tempdir().unwrap();
    let folder = CacheFolder::open(place.path()).unwrap();
    (place, folder)
}

/// A cache that begins with what the folder holds.
fn over(folder: &CacheFolder) -> Cache<String> {
    let cache = Cache::default();
    cache.set_folder(Some(folder.clone()));
    cache
}

#[test]
fn a_program_is_built_once() {
    let (cache, compiler) = (Cache::default(), Fake::new(identity()));
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| cache.get(&compiler, &source("a")).unwrap());
        }
    });
    assert_eq!(compiler.builds(), 1);
    assert_eq!((cache.report().builds, cache.report().from_memory), (1, 3));
}

#[test]
fn a_later_process_loads_what_was_built() {
    let (_place, folder) = place();
    let compiler = Fake::new(identity());
    let built = over(&folder).get(&compiler, &source("a")).unwrap();
    let cache = over(&folder);
    assert_eq!(cache.get(&compiler, &source("a")).unwrap(), built);
    assert_eq!((compiler.builds(), cache.report().from_folder, cache.report().rejected.len()), (1, 1, 0));
}

#[test]
fn every_change_builds_anew() {
    let (_place, folder) = place();
    let first = Fake::new(identity());
    over(&folder).get(&first, &source("a")).unwrap();
    for identity in flipped() {
        let compiler = Fake::new(identity);
        over(&folder).get(&compiler, &source("a")).unwrap();
        assert_eq!(compiler.builds(), 1, "{:?}", compiler.identity);
    }
    let compiler = Fake { options: BuildOptions::parse("-DN").unwrap(), ..Fake::new(identity()) };
    over(&folder).get(&compiler, &source("a")).unwrap();
    over(&folder).get(&compiler, &source("b")).unwrap();
    assert_eq!(compiler.builds(), 2);
    over(&folder).get(&first, &source("a")).unwrap();
    assert_eq!(first.builds(), 1);
}

#[test]
fn order_of_options_changes_nothing() {
    let (_place, folder) = place();
    let compiler = Fake::new(identity());
    for options in ["-DA=1 -w -DB", "-DB -DA=1 -w", "-w -D B -D A=1"] {
        let source = source("a").with_options(BuildOptions::parse(options).unwrap());
        over(&folder).get(&compiler, &source).unwrap();
    }
    assert_eq!(compiler.builds(), 1);
}

#[test]
fn a_damaged_file_is_reported_and_replaced() {
    let (_place, folder) = place();
    let compiler = Fake::new(identity());
    let built = over(&folder).get(&compiler, &source("a")).unwrap();
    let file = fs::read_dir(folder.path()).unwrap().next().unwrap().unwrap().path();
    for damage in [|bytes: &mut Vec<u8>| bytes.truncate(40), |bytes: &mut Vec<u8>| *bytes.last_mut().unwrap() ^= 1] {
        let mut bytes = fs::read(&file).unwrap();
        damage(&mut bytes);
        fs::write(&file, bytes).unwrap();
        let cache = over(&folder);
        assert_eq!(cache.get(&compiler, &source("a")).unwrap(), built);
        assert!(matches!(cache.report().rejected[0].reason, Rejection::Truncated | Rejection::Checksum));
        assert_eq!((cache.report().builds, cache.report().saved), (1, 1));
        assert_eq!(over(&folder).get(&compiler, &source("a")).unwrap(), built);
    }
    assert_eq!(compiler.builds(), 3);
}

#[test]
fn a_refused_binary_is_reported_and_built_anew() {
    let (_place, folder) = place();
    over(&folder).get(&Fake::new(identity()), &source("a")).unwrap();
    let compiler = Fake { refuses: true, ..Fake::new(identity()) };
    let cache = over(&folder);
    cache.get(&compiler, &source("a")).unwrap();
    assert!(matches!(cache.report().rejected[0].reason, Rejection::Refused(_)));
    assert_eq!(compiler.builds(), 1);
}

#[test]
fn a_folder_that_is_gone_is_no_error() {
    let (place, folder) = place();
    let (cache, compiler) = (over(&folder), Fake::new(identity()));
    drop(place);
    cache.get(&compiler, &source("a")).unwrap();
    assert_eq!((cache.report().unsaved.len(), cache.report().saved), (1, 0));
}

#[test]
fn what_is_in_memory_is_stored_on_request() {
    let (_place, folder) = place();
    let (cache, compiler) = (Cache::default(), Fake::new(identity()));
    cache.get(&compiler, &source("a")).unwrap();
    cache.save_all(&compiler);
    assert_eq!(cache.report().saved, 0);
    cache.set_folder(Some(folder.clone()));
    cache.save_all(&compiler);
    over(&folder).get(&compiler, &source("a")).unwrap();
    assert_eq!((cache.report().saved, compiler.builds()), (1, 1));
}

#[test]
fn a_pack_comes_first_and_a_foreign_one_is_reported() {
    let (place, folder) = place();
    let file = place.path().join("kernels.pack");
    let compiler = Fake::new(identity());
    let sources = [source("a"), source("b")];
    let records: Vec<Record> =
        sources.iter().map(|source| Cache::default().record(&compiler, source).unwrap()).collect();
    Pack::write(&file, &records).unwrap();
    let packed = |cache: Cache<String>| {
        // SAFETY: written by this test.
        cache.add_pack(unsafe { Pack::open(&file) }.unwrap());
        cache
    };
    let cache = packed(over(&folder));
    cache.get(&compiler, &sources[0]).unwrap();
    assert_eq!((compiler.builds(), cache.report().from_packs), (2, 1));
    for identity in flipped() {
        let (cache, other) = (packed(Cache::default()), Fake::new(identity));
        cache.get(&other, &sources[1]).unwrap();
        assert_eq!(other.builds(), 1);
        assert!(matches!(cache.report().rejected[0].reason, Rejection::Foreign(Mismatch::Device { .. })));
    }
}

#[test]
fn programs_are_built_ahead_on_several_threads() {
    let (cache, compiler) = (Cache::default(), Fake::new(identity()));
    let texts = ["a", "b", "an error", "c", "a"];
    let results = cache.warm_up(&compiler, &texts.map(source), 3);
    assert_eq!(results.iter().map(Result::is_ok).collect::<Vec<_>>(), [true, true, false, true, true]);
    assert_eq!((cache.report().builds, cache.report().from_memory), (3, 1));
    let key = |text: &str| ProgramKey::new(text, &BuildOptions::new(), &compiler.identity);
    assert_eq!([cache.holds(&key("a")), cache.holds(&key("an error"))], [true, false]);
    cache.clear_memory();
    assert!(!cache.holds(&key("a")));
}

/// Two thousand caches over damaged files: each gives the program of its source, and none else.
#[test]
fn no_damage_gives_another_program() {
    let (_place, folder) = place();
    let compiler = Fake::new(identity());
    let other = Cache::default().record(&compiler, &source("other")).unwrap();
    let good = Cache::default().record(&compiler, &source("a")).unwrap();
    let (bytes, mut seed) = (record::encode([&good]).unwrap(), 1u64);
    let mut next = |bound: usize| {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (seed >> 33) as usize % bound
    };
    for round in 0..2000 {
        let mut file = bytes.clone();
        match round % 4 {
            0 => file.truncate(next(file.len())),
            1 => file = record::encode([&other]).unwrap(),
            2 => file.extend(record::encode([&other]).unwrap()),
            _ => {
                let at = next(file.len());
                file[at] ^= 1 << next(8);
            }
        }
        fs::write(folder.file(&good.key), file).unwrap();
        assert_eq!(over(&folder).get(&compiler, &source("a")).unwrap(), "a ");
    }
}
