//! Kernels on OpenCL devices: what a second run costs, queues and events, layouts, mapping, recordings, forms and
//! precisions. Silent where the machine has no device.

mod anywhere;
mod apply;
mod case;
mod forms;
mod in_place;
mod numerics;
mod objects;
mod queues;
mod runs;
mod safety;
mod shares;
mod sources;
mod tensors;
mod tiles;
mod tuned;
