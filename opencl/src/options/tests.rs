use super::*;
use crate::testing::recorded::{adreno, mali, nvidia};

fn hints(hints: &[Hint]) -> ContextOptions {
    ContextOptions { hints: hints.to_vec(), ..Default::default() }
}

#[test]
fn contradicting_hints_are_refused() {
    for (one, other) in CONFLICTS {
        assert_eq!(plan(&mali(), &hints(&[other, one])), Err(OpenClError::Conflict { one, other }));
    }
}

#[test]
fn priority_goes_where_the_device_takes_it() {
    let low = |caps| plan(&caps, &hints(&[Hint::LowPriority])).unwrap();
    assert_eq!(low(mali()).queue, [QUEUE_PRIORITY, QUEUE_PRIORITY_LOW]);
    assert_eq!(low(adreno()).context, [QCOM_PRIORITY_HINT, QCOM_PRIORITY_LOW]);
    let twice = plan(&mali(), &hints(&[Hint::LowPriority, Hint::LowPriority])).unwrap();
    assert_eq!((twice.queue, twice.reports.len()), (low(mali()).queue, 1));
    let nvidia_plan = low(nvidia());
    assert!(!nvidia_plan.reports[0].taken && nvidia_plan.queue.is_empty() && nvidia_plan.context.is_empty());
}

#[test]
fn strict_options_refuse_what_the_device_lacks() {
    let strict = ContextOptions { strict: true, ..hints(&[Hint::LowPriority]) };
    assert!(matches!(plan(&nvidia(), &strict), Err(OpenClError::NoFeature { .. })));
    assert!(plan(&mali(), &strict).is_ok());
}

#[test]
fn queue_in_any_order_needs_a_device_that_has_it() {
    let queue = QueueOptions { out_of_order: true, ..Default::default() };
    let in_order = DeviceCaps { out_of_order: false, ..mali() };
    assert!(matches!(check_queue(&in_order, &queue), Err(OpenClError::NoFeature { .. })));
    assert!(check_queue(&mali(), &queue).is_ok());
}
