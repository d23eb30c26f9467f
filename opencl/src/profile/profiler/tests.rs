use super::*;
use windrow_runtime::schedule::Serial;

#[test]
fn parts_of_the_processor_are_noted_while_it_is_on() {
    let profiler = Profiler::new();
    let scheduler = profiler.scheduler(&Serial);
    assert!(scheduler.observer().is_none());
    profiler.set_on(true);
    let mut runs = 0;
    scheduler.observer().unwrap().part("blur", 3, &mut || runs += 1);
    profiler.set_on(false);
    let profile = profiler.take().unwrap();
    assert_eq!((runs, profile.spans.len(), profile.launches.len()), (1, 1, 0));
    let span = &profile.spans[0];
    assert!(span.kernel == "blur" && span.thread == 3 && span.started <= span.ended);
    assert_eq!(profiler.take().unwrap(), Profile::default());
}
