//! Chains whose stages are tuned: each runs as its tuning says, and computes the same.

use crate::case::{contexts, distance, image};
use std::sync::{Arc, Mutex};
use windrow::{
    Border, Serial, Tensor, TensorInfo,
    chain::{ChainBuilder, Composite, Executor, Function},
    memory::Planner,
    opencl::{
        ByStage, Candidate, Context, DeviceImage, DeviceManager, DeviceMemory, LocalSize, OnDevice, OpenClKernel,
        StagePlace, TuneLevel, TuneMode, TuneSettings, Tuner, Tuning,
    },
    prelude::*,
};

const EXTENTS: [usize; 2] = [22, 61];
const LOCAL: LocalSize = LocalSize::Fixed(4, 2);

/// The greatest of a cross.
#[kernel(neighbourhood(x = -1..=1, y = -1..=1))]
pub fn greatest(src: Neighbourhood<u8>) -> u8 {
    src.at(0, -1).max(src.at(0, 1)).max(src.at(-1, 0)).max(src.at(1, 0))
}

fn info() -> TensorInfo {
    TensorInfo::of::<u8>(&EXTENTS).unwrap()
}

/// How far the greatest of a cross is from the element itself.
fn chain() -> ChainBuilder {
    let info = info();
    let mut chain = ChainBuilder::new();
    let src = chain.input(info);
    let [top] = chain.add(&greatest::configure(&info, &info, Border::Replicate).unwrap(), &[src]).unwrap();
    let [out] = chain.add(&distance::configure(&info, &info, &info, &info).unwrap(), &[src, top, src]).unwrap();
    chain.output(out).unwrap();
    chain
}

fn expected(src: &Tensor<u8>) -> Vec<u8> {
    let info = info();
    let [mut top, mut out] = [(); 2].map(|()| Tensor::<u8>::new(EXTENTS).unwrap());
    let cross = greatest::configure(&info, &info, Border::Replicate).unwrap();
    cross.run_reference(src.view(), top.view_mut()).unwrap();
    let distance = distance::configure(&info, &info, &info, &info).unwrap();
    distance.run_reference((src.view(), top.view(), src.view()), out.view_mut()).unwrap();
    out.to_vec()
}

fn manager(context: &Context) -> Arc<DeviceManager> {
    Arc::new(DeviceManager::new(&DeviceMemory::new(context), Planner::Arena))
}

/// Makes an executor with memory of its own.
type Make<'a> = &'a dyn Fn(Arc<DeviceManager>) -> Box<dyn Executor>;

fn tuner(mode: TuneMode) -> Tuner {
    Tuner::new(mode, TuneSettings { samples: 1, launches: 12, ..TuneSettings::new(TuneLevel::Fast) })
}

/// The result of a run, and the work-groups of its launches.
fn run(context: &Context, composite: &Composite, src: &Tensor<u8>) -> (Vec<u8>, Vec<LocalSize>) {
    let mut out = Tensor::<u8>::new(EXTENTS).unwrap();
    context.set_profiling(true).unwrap();
    composite.run(&Serial, &[src.view().any()], &mut [out.view_mut().any()]).unwrap();
    let profile = context.profiler().take().unwrap();
    context.set_profiling(false).unwrap();
    (out.to_vec(), profile.launches.iter().map(|launch| launch.local_size()).collect())
}

#[test]
fn stages_are_tuned_when_their_chain_is_compiled() {
    let src = image(5, EXTENTS);
    for context in contexts() {
        let (shared, manager) = (Arc::new(Mutex::new(tuner(TuneMode::Tune))), manager(&context));
        let executor = OnDevice::new(manager.clone()).with_tuner(shared.clone());
        let before = context.driver().counters();
        let tuned = executor.finish(chain()).unwrap();
        assert!(context.driver().counters().since(&before).launches() > 2);
        let table = shared.lock().unwrap().table().clone();
        let found: Vec<_> = table.iter().map(|(key, tuning)| (key.kernel.as_str(), tuning.candidate)).collect();
        let mut settings: Vec<_> = tuned.settings().collect();
        settings.sort_unstable();
        assert_eq!(settings, found);
        // The tunings are there: another chain launches nothing for them, and a run launches each stage once.
        let before = context.driver().counters();
        let again = executor.finish(chain()).unwrap();
        assert_eq!(context.driver().counters().since(&before).launches(), 0);
        manager.populate(1).unwrap();
        let input = [DeviceImage::upload(&context, &src.view().any()).unwrap()];
        for chain in [tuned, again] {
            let output = [DeviceImage::new(&context, &info()).unwrap()];
            let before = context.driver().counters();
            chain.try_run_on(&input, &output).unwrap();
            assert_eq!(context.driver().counters().since(&before).launches(), 2);
            assert_eq!(crate::case::read(&output[0]), expected(&src));
        }
    }
}

#[test]
fn stages_run_in_the_schedules_and_work_groups_of_their_tunings() {
    let src = image(6, EXTENTS);
    for context in contexts() {
        let untuned = OnDevice::new(manager(&context)).finish(chain()).unwrap();
        assert!(untuned.settings().all(|(_, settings)| settings.local == LocalSize::Driver));
        // Tunings that no search is known to find.
        let info = info();
        let cross = greatest::configure(&info, &info, Border::Replicate).unwrap();
        let cross = OpenClKernel::new(&context, cross).unwrap();
        let distance = OpenClKernel::new(&context, distance::configure(&info, &info, &info, &info).unwrap()).unwrap();
        let kernels =
            [(cross.tune_key(), cross.schedules().count()), (distance.tune_key(), distance.schedules().count())];
        let mut given = tuner(TuneMode::Load);
        let mut wanted = Vec::new();
        for (key, schedules) in kernels {
            let candidate = Candidate { schedule: schedules - 1, local: LOCAL };
            wanted.push((key.kernel.clone(), candidate));
            given
                .table_mut()
                .insert(key, Tuning { candidate, time: Default::default(), default_time: Default::default() });
        }
        assert!(wanted.iter().any(|(_, candidate)| candidate.schedule > 0));
        let shared = Arc::new(Mutex::new(given));
        let tuned = OnDevice::new(manager(&context)).with_tuner(shared.clone()).finish(chain()).unwrap();
        let settings: Vec<_> = tuned.settings().map(|(name, settings)| (name.to_owned(), settings)).collect();
        assert_eq!(settings, wanted);
        let executors: [(Make<'_>, usize); 3] = [
            (&|manager| Box::new(OnDevice::new(manager).with_tuner(shared.clone())), 2),
            (&|manager| Box::new(ByStage::new(manager).otherwise(StagePlace::Device).with_tuner(shared.clone())), 2),
            (&|manager| Box::new(ByStage::new(manager).with(1, StagePlace::Device).with_tuner(shared.clone())), 1),
        ];
        for (executor, launches) in executors {
            let manager = manager(&context);
            let composite = chain().compose(&*executor(manager.clone())).unwrap();
            manager.populate(1).unwrap();
            assert_eq!(run(&context, &composite, &src), (expected(&src), vec![LOCAL; launches]));
        }
    }
}
