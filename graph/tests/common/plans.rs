//! Plans in files.

use windrow::{AnyView, AnyViewMut, Serial, Tensor, TensorInfo, tensor::DType};
use windrow_graph::{Plan, PlanFileError, PlanOptions};

/// What [`Plan::write`] writes.
#[derive(Clone, Debug, PartialEq)]
pub struct Files {
    pub plan: Vec<u8>,
    pub constants: Vec<u8>,
}

impl Files {
    pub fn of(plan: &Plan) -> Files {
        let mut files = Files { plan: Vec::new(), constants: Vec::new() };
        plan.write(&mut files.plan, &mut files.constants).unwrap();
        files
    }

    pub fn read(&self) -> Result<Plan, PlanFileError> {
        Plan::read(&self.plan, &self.constants, &PlanOptions::default())
    }

    pub fn json(&self) -> serde_json::Value {
        serde_json::from_slice(&self.plan).unwrap()
    }

    pub fn with_json(&self, json: &serde_json::Value) -> Files {
        Files { plan: serde_json::to_vec(json).unwrap(), constants: self.constants.clone() }
    }
}

/// A tensor of zeros of one of the types that plans read and write.
enum Zeros {
    Floats(Tensor<f32>),
    Bytes(Tensor<i8>),
    Ints(Tensor<i32>),
}

impl Zeros {
    fn new(info: &TensorInfo) -> Zeros {
        match info.dtype() {
            DType::I8 => Zeros::Bytes(Tensor::with_info(*info).unwrap()),
            DType::I32 => Zeros::Ints(Tensor::with_info(*info).unwrap()),
            _ => Zeros::Floats(Tensor::with_info(*info).unwrap()),
        }
    }

    fn view(&self) -> AnyView<'_> {
        match self {
            Zeros::Floats(tensor) => tensor.view().any(),
            Zeros::Bytes(tensor) => tensor.view().any(),
            Zeros::Ints(tensor) => tensor.view().any(),
        }
    }

    fn view_mut(&mut self) -> AnyViewMut<'_> {
        match self {
            Zeros::Floats(tensor) => tensor.view_mut().any(),
            Zeros::Bytes(tensor) => tensor.view_mut().any(),
            Zeros::Ints(tensor) => tensor.view_mut().any(),
        }
    }
}

/// Runs a plan on zeros, and says whether no step was refused.
pub fn run_on_zeros(plan: &Plan) -> bool {
    let inputs: Vec<Zeros> = plan.inputs().map(|(_, info)| Zeros::new(info)).collect();
    let mut outputs: Vec<Zeros> = plan.outputs().map(|(_, info)| Zeros::new(info)).collect();
    let inputs: Vec<_> = inputs.iter().map(Zeros::view).collect();
    let mut outputs: Vec<_> = outputs.iter_mut().map(Zeros::view_mut).collect();
    plan.run(&Serial, &inputs, &mut outputs).is_ok()
}
