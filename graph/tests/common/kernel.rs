//! A kernel of TVM as a plain computation: element by element, with numbers of 64 bits.

use serde_json::{Value, json};
use windrow::{AnyView, Serial, Tensor, tensor::DType};
use windrow_graph::{Model, Plan, PlanOptions, Requantization};

use super::tvm::{Given, Leaf, constants, leaves, views};

/// The only kernel of a file, and the tensors that it reads.
pub struct Kernel {
    pub node: Value,
    pub inputs: Vec<(String, Given)>,
    pub constants: Vec<(String, Given)>,
}

impl Kernel {
    pub fn of(name: &str, json: &[u8]) -> Kernel {
        let whole: Value = serde_json::from_slice(json).unwrap();
        let node = whole["nodes"].as_array().unwrap().last().unwrap().clone();
        let input =
            |leaf: Leaf| (leaf.name.clone(), Given::by_name(&format!("{name}/{}", leaf.name), &leaf.extents, &leaf.of));
        let inputs = leaves(json, "input").into_iter().map(input).collect();
        Kernel { node, inputs, constants: constants(json) }
    }

    pub fn plan(&self, json: &[u8]) -> Plan {
        let mut options = PlanOptions::default();
        options.requantization = Requantization::Float;
        let model = Model::from_tvm(json, &views(&self.constants)).unwrap();
        model.plan_with(&options).unwrap()
    }

    pub fn answer(&self, plan: &Plan) -> Vec<f32> {
        let inputs: Vec<AnyView<'_>> = self.inputs.iter().map(|(_, given)| given.view()).collect();
        answer(plan, &inputs)
    }

    fn numbers(&self, attribute: &str) -> Vec<i64> {
        let words = self.node["attrs"][attribute][0].as_array().unwrap().iter();
        words.map(|word| word.as_str().unwrap().parse().unwrap()).collect()
    }

    pub fn extents(&self) -> Vec<usize> {
        let extents = self.node["attrs"]["shape"][0][0].as_array().unwrap().iter();
        extents.map(|extent| extent.as_u64().unwrap() as usize).collect()
    }

    /// The elements and the extents of a tensor that is given.
    fn tensor(&self, name: &str) -> Option<(Vec<f64>, Vec<usize>)> {
        let (_, given) = self.inputs.iter().chain(&self.constants).find(|(own, _)| own == name)?;
        let extents = given.view().info().shape().extents().to_vec();
        Some((given.floats().into_iter().map(f64::from).collect(), extents))
    }

    /// A number that is given; 0 for a zero that is not.
    fn number(&self, name: &str) -> f64 {
        self.tensor(name).map_or(0.0, |(elements, _)| elements[0])
    }

    /// An element of an image; `None` outside of it.
    fn at(&self, name: &str, [n, y, x, c]: [i64; 4]) -> Option<f64> {
        let (elements, extents) = self.tensor(name)?;
        let &[_, rows, columns, channels] = &extents[..] else { panic!("{name} is no image") };
        let is_inside = (0..rows as i64).contains(&y) && (0..columns as i64).contains(&x);
        let place = ((n * rows as i64 + y) * columns as i64 + x) * channels as i64 + c;
        is_inside.then(|| elements[place as usize])
    }

    /// The places of a window over `x`, each with its row and column in the window; outside of the image too.
    fn window(&self, size: [i64; 2], y: i64, x: i64) -> Vec<([i64; 2], [i64; 2])> {
        let (strides, pads, dilation) = (self.numbers("strides"), self.numbers("padding"), self.numbers("dilation"));
        let places = (0..size[0]).flat_map(|row| (0..size[1]).map(move |column| [row, column]));
        let of = |[row, column]: [i64; 2]| {
            let top = y * strides[0] - pads[0] + row * dilation[0];
            ([row, column], [top, x * strides[1] - pads[1] + column * dilation[1]])
        };
        places.map(of).collect()
    }

    /// Sums of products, as integers where they are.
    pub fn convolved(&self, [n, y, x, c]: [i64; 4], is_depthwise: bool) -> f64 {
        let (_, weights) = self.tensor("w").unwrap();
        let zero = self.number("x_zero");
        let size = [weights[1] as i64, weights[2] as i64];
        let mut sum = self.tensor("b").map_or(0.0, |(elements, _)| elements[c as usize]);
        for ([row, column], [top, left]) in self.window(size, y, x) {
            let channels = if is_depthwise { c..c + 1 } else { 0..weights[3] as i64 };
            for channel in channels {
                let Some(element) = self.at("x", [n, top, left, channel]) else { continue };
                let place = if is_depthwise { [0, row, column, c] } else { [c, row, column, channel] };
                sum += (element - zero) * self.at("w", place).unwrap();
            }
        }
        sum
    }

    fn pooled(&self, kind: &str, [n, y, x, c]: [i64; 4]) -> f64 {
        let size = self.numbers("pool_size");
        let places = self.window([size[0], size[1]], y, x);
        let found: Vec<f64> = places.iter().filter_map(|(_, [top, left])| self.at("x", [n, *top, *left, c])).collect();
        let counts_pads = self.node["attrs"]["count_include_pad"] == json!([["1"]]);
        let count = if counts_pads { places.len() } else { found.len() } as f64;
        match kind {
            "max" => found.into_iter().fold(f64::NEG_INFINITY, f64::max),
            "avg" => found.into_iter().sum::<f64>() / count,
            _ => (found.into_iter().map(|x| x * x).sum::<f64>() / count).sqrt(),
        }
    }

    fn global(&self, is_greatest: bool, c: i64) -> f64 {
        let (elements, extents) = self.tensor("x").unwrap();
        let own = elements.iter().skip(c as usize).step_by(extents[3]).copied();
        let count = elements.len() / extents[3];
        if is_greatest { own.fold(f64::NEG_INFINITY, f64::max) } else { own.sum::<f64>() / count as f64 }
    }

    /// What a sum of a kernel of integers becomes: of scales that are powers of 2, to the bit.
    fn requantized(&self, sum: f64) -> f64 {
        let scale = self.number("x_scale") * self.number("w_scale") / self.number("y_scale");
        let zero = self.number("y_zero");
        let bounded = if self.node["attrs"]["activation_type"].is_null() { sum } else { sum.max(0.0) };
        ((bounded * scale).round_ties_even() + zero).clamp(-128.0, 127.0)
    }

    /// The element at a place, with dimensions as the file has them.
    pub fn expected(&self, at: &[i64]) -> f64 {
        let image = || <[i64; 4]>::try_from(at).unwrap();
        let of_y = || self.tensor("y").unwrap().0;
        let is_byte = self.node["attrs"]["dtype"] == json!([["int8"]]);
        match self.node["name"].as_str().unwrap() {
            "nn.conv2d" => self.convolved(image(), false).max(0.0),
            "nn.depthwise_conv2d" => self.convolved(image(), true),
            "qnn.conv2d" => self.requantized(self.convolved(image(), false)),
            "qnn.depthwise_conv2d" => self.requantized(self.convolved(image(), true)),
            name @ ("nn.dense" | "qnn.dense") => {
                let ((x, extents), (w, _)) = (self.tensor("x").unwrap(), self.tensor("w").unwrap());
                let (row, output, inner) = (at[0] as usize, at[1] as usize, extents[1]);
                let zero = self.number("x_zero");
                let product = |k: usize| (x[row * inner + k] - zero) * w[output * inner + k];
                let sum = (0..inner).map(product).sum::<f64>() + self.tensor("b").unwrap().0[output];
                if name == "nn.dense" { sum } else { self.requantized(sum) }
            }
            "nn.max_pool2d" => self.pooled("max", image()),
            // Means of integers are rounded, halves away from 0.
            "nn.avg_pool2d" if is_byte => self.pooled("avg", image()).round(),
            "nn.avg_pool2d" => self.pooled("avg", image()),
            "nn.l2_pool2d" => self.pooled("l2", image()),
            "nn.global_max_pool2d" => self.global(true, at[3]),
            "nn.global_avg_pool2d" if is_byte => self.global(false, at[3]).round(),
            "nn.global_avg_pool2d" => self.global(false, at[3]),
            "reshape" => self.tensor("x").unwrap().0[(at[0] * 12 + at[1]) as usize],
            "maximum" => self.at("x", image()).unwrap().max(of_y()[at[2] as usize]),
            "add" => self.at("x", image()).unwrap() + of_y()[at[2] as usize],
            "qnn.add" => {
                let real = |name: &str| {
                    let [zero, scale] = ["zero", "scale"].map(|number| self.number(&format!("{name}_{number}")));
                    scale * (self.at(name, image()).unwrap() - zero)
                };
                let sum = (real("x") + real("y")) / self.number("z_scale");
                // Halves go up, as XNNPACK's sums have it.
                ((sum + 0.5).floor() + self.number("z_zero")).clamp(-128.0, 127.0)
            }
            "concatenate" => {
                let [n, y, x, c] = image();
                match c {
                    0..2 => self.at("x", [n, y, x, c]).unwrap(),
                    2 => self.at("y", [n, y, x, 0]).unwrap(),
                    _ => self.at("x", [n, y, x, c - 3]).unwrap(),
                }
            }
            name => panic!("{name}"),
        }
    }
}

/// The first output of a plan, as floats.
pub fn answer(plan: &Plan, inputs: &[AnyView<'_>]) -> Vec<f32> {
    if plan.outputs().next().unwrap().1.dtype() == DType::I8 {
        let found: Vec<Tensor<i8>> = plan.apply(&Serial, inputs).unwrap();
        return found[0].to_vec().into_iter().map(f32::from).collect();
    }
    plan.apply::<f32>(&Serial, inputs).unwrap()[0].to_vec()
}

/// All places of a tensor, in C order.
pub fn places(extents: &[usize]) -> impl Iterator<Item = Vec<i64>> + '_ {
    (0..extents.iter().product::<usize>()).map(move |mut place| {
        let mut at = vec![0; extents.len()];
        for (at, extent) in at.iter_mut().zip(extents).rev() {
            (*at, place) = ((place % extent) as i64, place / extent);
        }
        at
    })
}
