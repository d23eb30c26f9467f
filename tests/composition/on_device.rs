//! What a chain on a device can do beside being run: stages written by hand in OpenCL C, submissions after events, runs over images.

use crate::{
    darker,
    everywhere::{device, image, whole},
    of, spread,
};
use std::sync::Arc;
use windrow::{
    chain::*,
    memory::Planner,
    opencl::{
        DeviceImage, DeviceManager, DeviceMemory, OnDevice, ProgramSource, SourceArgument, SourceKernel, SourceLaunch,
        SourceOperator, Storage, Submission, UserEvent,
    },
    prelude::*,
};

const TEXT: &str =
    "__kernel void mirror(__global const uchar *a, uint a_row, __global uchar *b, uint b_row, uint w, uint h) {
    uint x = get_global_id(0), y = get_global_id(1);
    if (x < w && y < h) b[y * b_row + x] = a[y * a_row + (w - 1 - x)];
}";

/// Columns from right to left, by a kernel written by hand.
fn mirror(memory: &DeviceMemory) -> Arc<dyn Operator> {
    let source = ProgramSource::new("mirror", TEXT);
    let kernel = SourceKernel::new(memory.context(), &source, "mirror").unwrap();
    let word = |value: usize| SourceArgument::Value((value as u32).to_ne_bytes().to_vec());
    let launch = move |images: &windrow::opencl::SourceImages<'_>| {
        let (from, to) = (images.inputs[0].info(), images.outputs[0].info());
        let (read, written) = (SourceArgument::Input(0), SourceArgument::Output(0));
        let (width, height) = (word(to.width()), word(to.height()));
        let arguments = vec![
            read,
            word(from.row_stride().unsigned_abs()),
            written,
            word(to.row_stride().unsigned_abs()),
            width,
            height,
        ];
        SourceLaunch { arguments, global: [to.width(), to.height(), 1] }
    };
    // SAFETY: the kernel guards its edges, and goes from row to row by the images' strides.
    Arc::new(unsafe { SourceOperator::new(kernel, |inputs| Ok(inputs.to_vec()), launch) })
}

fn chain(extents: [usize; 2], mirror: &Arc<dyn Operator>) -> ChainBuilder {
    let bytes = of::<u8>(extents);
    let mut chain = ChainBuilder::new();
    let src = chain.input(bytes);
    let [a] = chain.add(&spread::configure(&bytes, &bytes, Border::Replicate).unwrap(), &[src]).unwrap();
    let [b] = chain.add_operator(mirror.clone(), &[a]).unwrap();
    let [c] = chain.add(&darker::configure(&bytes, &bytes).unwrap(), &[b]).unwrap();
    chain.output(c).unwrap();
    chain
}

fn expected(src: &Tensor<u8>) -> Vec<u8> {
    let info = *src.info();
    let mut a = Tensor::<u8>::new([info.height(), info.width()]).unwrap();
    spread::configure(&info, &info, Border::Replicate).unwrap().run_reference(src.view(), a.view_mut()).unwrap();
    let mirrored = |[y, x]: [usize; 2]| a.view().get([y, info.width() - 1 - x]).map_or(0, |x| x / 2 + x / 4);
    Tensor::from_fn([info.height(), info.width()], mirrored).unwrap().to_vec()
}

#[test]
fn a_kernel_of_opencl_c_is_a_stage_on_its_device_and_nowhere_else() {
    let Some(memory) = device() else { return };
    let (extents, mirror) = ([23, 45], mirror(&memory));
    let src = image::<u8>(9, extents);
    let manager = Arc::new(DeviceManager::new(&memory, Planner::Arena));
    let composite = chain(extents, &mirror).compose(&OnDevice::new(manager.clone())).unwrap();
    manager.populate(1).unwrap();
    let mut out = Tensor::<u8>::new(extents).unwrap();
    composite.run(&Serial, &[src.view().any()], &mut [out.view_mut().any()]).unwrap();
    assert_eq!(out.to_vec(), expected(&src));
    let device = &memory.context().device().name;
    let listing = composite.listing();
    assert!(listing.to_string().contains(&format!("run mirror on {device}")), "{listing}");
    assert_eq!((listing.steps.len(), listing.bytes_copied()), (5, 2 * 23 * 45));
    for executor in [&InBands { cache: CACHE } as &dyn Executor, &whole()] {
        let refused = chain(extents, &mirror).compose(executor).unwrap_err();
        let text = "`mirror`: it can't run on the processor: it has code for OpenCL devices alone";
        assert_eq!(refused.to_string(), text);
    }
}

#[test]
fn a_chain_is_submitted_after_events() {
    let Some(memory) = device() else { return };
    let (extents, mirror) = ([23, 45], mirror(&memory));
    let manager = Arc::new(DeviceManager::new(&memory, Planner::Arena));
    let chain = OnDevice::new(manager).finish(chain(extents, &mirror)).unwrap();
    let context = memory.context();
    let place = || memory.tensor(&of::<u8>(extents), Storage::Separate).unwrap();
    let queue = context.new_queue(Default::default()).unwrap();
    for queue in [context.queue(), &queue] {
        let sources: Vec<_> = (0..3).map(|seed| image::<u8>(seed, extents)).collect();
        let upload = |src: &Tensor<u8>| DeviceImage::upload(context, &src.view().any()).unwrap();
        let uploaded: Vec<_> = sources.iter().map(upload).collect();
        let gate = UserEvent::new(context).unwrap();
        let mut after = vec![gate.event().clone()];
        let mut outputs = Vec::new();
        for from in uploaded {
            let to = place();
            let event = chain.submit(&Submission::after(queue, &after), &[from], std::slice::from_ref(&to)).unwrap();
            after.push(event);
            outputs.push(to);
        }
        assert!(after.iter().all(|event| !event.is_done().unwrap()));
        queue.flush().unwrap();
        gate.open().unwrap();
        after.last().unwrap().wait().unwrap();
        for (src, to) in sources.iter().zip(&outputs) {
            let mut found = Tensor::<u8>::new(extents).unwrap();
            to.download(&to.info().valid_region(), &mut found.view_mut().any()).unwrap();
            assert_eq!(found.to_vec(), expected(src));
        }
    }
    // The same chain is still run, and waited for.
    let src = image::<u8>(1, extents);
    let (from, to) = (DeviceImage::upload(context, &src.view().any()).unwrap(), place());
    let not_populated = chain.try_run_on(&[from], &[to]);
    assert!(not_populated.is_err());
}

#[test]
fn a_chain_is_recorded_and_replayed() {
    let Some(memory) = device() else { return };
    let extents = [23, 45];
    let bytes = of::<u8>(extents);
    let mut builder = ChainBuilder::new();
    let src = builder.input(bytes);
    let [a] = builder.add(&spread::configure(&bytes, &bytes, Border::Wrap).unwrap(), &[src]).unwrap();
    let cropped = builder.crop(a, &[4, 0], &[10, 45]).unwrap();
    let part = of::<u8>([10, 45]);
    let [b] = builder.add(&darker::configure(&part, &part).unwrap(), &[cropped]).unwrap();
    builder.output(b).unwrap();
    let manager = Arc::new(DeviceManager::new(&memory, Planner::Arena));
    let recorded = OnDevice::new(manager.clone()).finish(builder.clone()).unwrap();
    let (from, to) =
        (memory.tensor(&bytes, Storage::Separate).unwrap(), memory.tensor(&part, Storage::Separate).unwrap());
    let replay = recorded.record(std::slice::from_ref(&from), std::slice::from_ref(&to)).unwrap();
    assert_eq!(replay.len(), 2);
    let here = builder.compose(&whole()).unwrap();
    for seed in 0..3 {
        let src = image::<u8>(seed, extents);
        from.write(&src.view().any()).unwrap();
        replay.run().unwrap().wait().unwrap();
        let [mut found, mut expected] = [(); 2].map(|()| Tensor::<u8>::new([10, 45]).unwrap());
        to.download(&part.valid_region(), &mut found.view_mut().any()).unwrap();
        here.run(&Serial, &[src.view().any()], &mut [expected.view_mut().any()]).unwrap();
        assert_eq!(found.to_vec(), expected.to_vec());
    }
    let mirrored = OnDevice::new(manager).finish(chain(extents, &mirror(&memory))).unwrap();
    let refused = mirrored.record(&[from], &[memory.tensor(&bytes, Storage::Separate).unwrap()]).unwrap_err();
    assert_eq!(refused.to_string(), "`mirror` can't run in a recording: it is not a generated kernel");
}
