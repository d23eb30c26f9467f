use super::{super::identity::tests::*, *};
use std::collections::BTreeSet;

#[test]
fn every_part_changes_the_digest() {
    let options = BuildOptions::parse("-DN=1").unwrap();
    let key = ProgramKey::new("source", &options, &identity());
    let others = flipped().into_iter().map(|device| ProgramKey { device, ..key.clone() });
    let others = others.chain([
        ProgramKey::new("Source", &options, &identity()),
        ProgramKey::new("source", &BuildOptions::parse("-DN=2").unwrap(), &identity()),
    ]);
    let mut digests = BTreeSet::from([key.digest()]);
    for other in others {
        assert!(key.mismatch(&other).is_some(), "{other:?}");
        assert!(digests.insert(other.digest()), "{other:?}");
    }
    assert_eq!(key.mismatch(&key.clone()), None);
    assert_eq!(digests.len(), 9);
}

#[test]
fn a_difference_names_its_field() {
    let key = |device: &DeviceIdentity| ProgramKey::new("source", &BuildOptions::new(), device);
    for (other, (field, _)) in flipped().iter().zip(identity().fields()) {
        let found = key(&identity()).mismatch(&key(other));
        assert!(matches!(found, Some(Mismatch::Device { field: named, .. }) if named == field), "{found:?}");
    }
}
