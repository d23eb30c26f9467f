use super::*;

#[test]
fn a_driver_that_is_not_known_takes_every_turn() {
    assert_eq!(SerialisedCalls::of_platform("Portable Computing Language"), SerialisedCalls::Everything);
    assert_eq!(SerialisedCalls::of_platform("NVIDIA CUDA"), SerialisedCalls::Objects);
    assert_eq!(SerialisedCalls::of_platform("ARM Platform"), SerialisedCalls::Everything);
    assert!(DRIVERS.iter().all(|(_, _, reason)| !reason.is_empty()));
}

/// The result of `work`, which must come.
fn in_time<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    let (sender, receiver) = std::sync::mpsc::channel();
    std::thread::spawn(move || sender.send(work()));
    receiver.recv_timeout(std::time::Duration::from_secs(20)).expect("it waits for its own turn")
}

#[test]
fn a_call_within_a_call_has_its_turn() {
    in_time(|| {
        let lane = Lane::of(None);
        let _building = SerialisedCalls::Everything.wait(Call::BuildProgram, &lane);
        assert!(SerialisedCalls::Everything.wait(Call::ReleaseEvent, &lane).is_some());
    });
}

#[test]
fn platforms_do_not_wait_for_each_other() {
    let [one, other] = [1, 2].map(|raw| Lane::of(Some(PlatformId(std::ptr::without_provenance_mut(raw)))));
    let _building = SerialisedCalls::Everything.wait(Call::BuildProgram, &one);
    assert!(in_time(move || SerialisedCalls::Everything.wait(Call::ReleaseProgram, &other).is_some()));
    let same = Lane::of(Some(PlatformId(std::ptr::without_provenance_mut(1))));
    assert!(std::thread::spawn(move || same.0.try_lock().is_none()).join().unwrap());
}

#[test]
fn each_policy_waits_for_less() {
    let waiting = |serialised: SerialisedCalls| {
        Call::ALL.iter().copied().filter(|call| serialised.takes(*call)).collect::<Vec<_>>()
    };
    let [everything, objects, nothing] = SerialisedCalls::ALL.map(waiting);
    assert!(objects.iter().all(|call| everything.contains(call)) && nothing.is_empty());
    let only: Vec<Call> = everything.into_iter().filter(|call| !objects.contains(call)).collect();
    assert_eq!(only, [Call::BuildProgram]);
}
