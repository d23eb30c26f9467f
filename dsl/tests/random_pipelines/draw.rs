//! Draws the bodies of pipelines, and the numbers that everything random is made of.

use std::collections::HashMap;

use super::evaluate::{Evaluated, Role};

/// A linear congruence is enough.
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) % end as u64) as usize
    }

    pub fn one_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }
}

/// A pipeline under construction: the images that there are, by their elements.
pub struct Drawn {
    text: String,
    images: HashMap<String, Vec<String>>,
    names: usize,
    numbers: Vec<String>,
}

impl Drawn {
    pub fn draw(random: &mut Random, kernels: &[(String, &Evaluated)]) -> (String, usize) {
        let images = [("u8", "src"), ("i16", "wide")].map(|(element, name)| (element.into(), vec![name.into()]));
        let mut drawn =
            Drawn { text: String::new(), images: images.into(), names: 0, numbers: vec!["by".into(), "3".into()] };
        for _ in 0..2 + random.below(7) {
            match random.below(12) {
                0 => {
                    let (name, number) = (drawn.fresh(), drawn.number(random));
                    drawn.text += &format!("let {name} = {number} + 1; ");
                    drawn.numbers.push(name);
                }
                1 => drawn.text += &format!("check(&{})?; ", drawn.image(random, "u8")),
                _ => {}
            }
            let (call, outputs) = drawn.call(random, kernels, None);
            let names: Vec<String> = outputs.iter().map(|_| drawn.fresh()).collect();
            let pattern = if names.len() == 1 { names[0].clone() } else { format!("({})", names.join(", ")) };
            drawn.text += &format!("let {pattern} = {call}?; ");
            for (element, name) in outputs.iter().zip(names) {
                drawn.images.entry(element.clone()).or_default().push(name);
            }
        }
        // What was computed last, by itself or with another; or a call.
        let last = drawn.images.values().filter_map(|names| names.last()).max_by_key(|name| (name.len(), *name));
        let last = last.cloned().unwrap_or_default();
        let outputs = match random.below(4) {
            0 => {
                let (call, _) = drawn.call(random, kernels, Some("u8"));
                drawn.text += &call;
                1
            }
            1 => {
                let other = drawn.image(random, "u8");
                drawn.text += &format!("Ok(({last}, {other}))");
                2
            }
            _ => {
                drawn.text += &format!("Ok({last})");
                1
            }
        };
        (drawn.text, outputs)
    }

    fn fresh(&mut self) -> String {
        self.names += 1;
        format!("v{}", self.names)
    }

    /// A name of an image, of those computed last more often.
    fn image(&self, random: &mut Random, element: &str) -> String {
        let names = &self.images[element];
        let from = if random.one_in(3) { 0 } else { names.len().saturating_sub(2) };
        names[from + random.below(names.len() - from)].clone()
    }

    fn number(&self, random: &mut Random) -> String {
        self.numbers[random.below(self.numbers.len())].clone()
    }

    /// A call of a kernel, and the elements of what it returns; of one image of an element, if one is wanted.
    fn call(
        &self,
        random: &mut Random,
        kernels: &[(String, &Evaluated)],
        wanted: Option<&str>,
    ) -> (String, Vec<String>) {
        let (name, kernel) = loop {
            let (name, kernel) = &kernels[random.below(kernels.len())];
            if wanted.is_none_or(|element| kernel.outputs == [element]) {
                break (name, kernel);
            }
        };
        let mut images = kernel.images.iter();
        let mut arguments: Vec<String> = Vec::new();
        for role in &kernel.roles {
            arguments.push(match role {
                Role::Image => {
                    let element = images.next().expect("an image");
                    let of_call = random.one_in(5).then(|| self.call(random, kernels, Some(element)).0 + "?");
                    format!("&{}", of_call.unwrap_or_else(|| self.image(random, element)))
                }
                Role::Uniform if random.one_in(6) => "src.info().rank() as u8".into(),
                Role::Uniform => self.number(random),
                Role::Table => "lut".into(),
            });
        }
        if kernel.has_border {
            let borders = ["Border::Wrap", "Border::Replicate", "Border::Reflect101", "border", "Border::constant(7)"];
            arguments.push(borders[random.below(borders.len())].into());
        }
        (format!("{name}::apply({})", arguments.join(", ")), kernel.outputs.clone())
    }
}
