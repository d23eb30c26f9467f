use super::*;
use crate::local::IllegalLocalSize;
use proptest::prelude::*;

/// A schedule on a GPU: groups of 1024, in multiples of 32.
pub(crate) fn gpu(items: [usize; 2]) -> ScheduleSpace {
    ScheduleSpace { items, limits: LocalLimits { group: 1024, items: [1024, 1024], multiple: 32, only: None } }
}

fn space() -> impl Strategy<Value = Space> {
    let schedule = (1usize..3000, 1usize..3000, 1usize..1025, 1usize..1025, 1usize..1025, 1usize..70).prop_map(
        |(width, height, group, most_x, most_y, multiple)| ScheduleSpace {
            items: [width, height],
            limits: LocalLimits { group, items: [most_x, most_y], multiple, only: None },
        },
    );
    (proptest::collection::vec(schedule, 1..4), any::<proptest::sample::Index>())
        .prop_map(|(schedules, default)| Space { default: default.index(schedules.len()), schedules })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn levels_are_nested_and_legal(space in space()) {
        let mut below: Vec<Candidate> = Vec::new();
        for level in TuneLevel::ALL {
            let candidates = space.candidates(level);
            // The level below comes first, in its order: an early end has tried it.
            prop_assert_eq!(&candidates[..below.len()], &below[..]);
            prop_assert_eq!(candidates[0], space.default_candidate());
            prop_assert!(candidates.iter().all(|candidate| space.allows(*candidate)));
            prop_assert_eq!(candidates.iter().collect::<BTreeSet<_>>().len(), candidates.len());
            below = candidates;
        }
    }
}

#[test]
fn each_level_tries_more_than_the_one_below() {
    let space = Space { schedules: vec![gpu([480, 270]), gpu([240, 1080])], default: 0 };
    let counts = TuneLevel::ALL.map(|level| space.candidates(level).len());
    assert!(counts.is_sorted_by(|below, above| below < above), "{counts:?}");
    assert!(counts[0] <= 16 && counts[2] < 4000, "{counts:?}");
}

#[test]
fn illegal_work_groups_are_named() {
    let limits = LocalLimits { group: 256, items: [256, 64], multiple: 8, only: None };
    let check = |x, y| limits.check(LocalSize::Fixed(x, y));
    assert_eq!(check(0, 1), Err(IllegalLocalSize::Empty(0, 1)));
    assert_eq!(check(1, 65), Err(IllegalLocalSize::TooLong { x: 1, y: 65, most: [256, 64] }));
    assert_eq!(check(256, 2), Err(IllegalLocalSize::TooMany { x: 256, y: 2, most: 256 }));
    assert!(check(u32::MAX, u32::MAX).is_err());
    let written = LocalLimits { only: Some([32, 4, 1]), ..limits };
    let other = |x, y| written.check(LocalSize::Fixed(x, y));
    assert_eq!((other(32, 4), written.check(LocalSize::Driver)), (Ok(()), Ok(())));
    assert_eq!(other(4, 32), Err(IllegalLocalSize::Other { x: 4, y: 32, only: [32, 4, 1] }));
    assert_eq!((check(64, 4), limits.check(LocalSize::Driver)), (Ok(()), Ok(())));
}

#[test]
fn levels_are_read_as_they_are_written() {
    for level in TuneLevel::ALL {
        assert_eq!(level.to_string().parse(), Ok(level));
    }
    assert!("quick".parse::<TuneLevel>().is_err());
}
