//! The stages of a chain: what each reads and writes, and the code that runs.

use core::{fmt, marker::PhantomData, ops::Range};
use std::{boxed::Box, string::String, vec::Vec};

use super::{
    error::FunctionError,
    footprint::RowFootprint,
    generated::GeneratedCode,
    operator::{Alias, Compiled, ComputedUniform, Constants, Given, TableSpec, UniformNeed},
    tables::ChainTables,
    value::{Place, ValueDef},
};
use crate::{
    arguments::AnyTable,
    configure::KernelPlan,
    element::{ElementType, Scalar},
    infer::images,
    info::Shape,
    job::Images,
    region::ValidRegion,
    run::Bound,
    spec::InputSpec,
    view::{AnyView, AnyViewMut},
};

/// How a stage is connected to the values of its chain.
#[derive(Clone, Debug)]
pub(crate) struct Wiring {
    pub name: String,
    /// The values read as images, in argument order.
    pub images: Vec<usize>,
    /// What rows of them its rows need; `None` for all.
    pub footprints: Vec<Option<RowFootprint>>,
    pub aliases: Vec<Alias>,
    /// The tables that stay with the chain, in argument order; those that are computed are left out.
    pub kept: ChainTables,
    pub tables: Vec<TableEdge>,
    pub uniforms: Vec<UniformEdge>,
    /// The values written; `None` for an output left out.
    pub outputs: Vec<Option<usize>>,
    /// The shape of the first output, and the region that is computed of it.
    pub shape: Shape,
    pub valid: ValidRegion,
    /// Whether all outputs have this shape and this region.
    pub is_uniform: bool,
}

/// A table of a stage: what it must be, and the value that it is; `None` for one that the chain keeps.
#[derive(Clone, Debug)]
pub(crate) struct TableEdge {
    pub spec: TableSpec,
    pub value: Option<usize>,
}

/// A uniform that a value gives.
#[derive(Clone, Debug)]
pub(crate) struct UniformEdge {
    /// Its place in the operator's list.
    pub index: usize,
    pub need: UniformNeed,
    pub value: usize,
}

impl Wiring {
    /// Returns the input in whose place output `output` is computed.
    pub fn in_place_of(&self, output: usize) -> Option<usize> {
        let alias = self.aliases.iter().find(|alias| alias.output == output)?;
        self.images.get(alias.input).copied()
    }

    /// Returns the values that it looks at, in whatever way.
    pub fn reads(&self) -> impl Iterator<Item = usize> + '_ {
        let tables = self.tables.iter().filter_map(|table| table.value);
        self.images.iter().copied().chain(tables).chain(self.uniforms.iter().map(|edge| edge.value))
    }

    /// Returns the images that code is bound to: those read, save those that an output is computed in the place of.
    pub fn bound_images(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let in_place = |index: usize| self.aliases.iter().any(|alias| alias.input == index);
        self.images.iter().copied().enumerate().filter(move |(index, _)| !in_place(*index))
    }

    /// Returns what the stage's code is given.
    pub fn given(&self, values: &[ValueDef]) -> Given {
        Given {
            inputs: self.bound_images().map(|(_, value)| values[value].info).collect(),
            outputs: self.outputs.iter().map(|value| value.map(|value| values[value].info)).collect(),
            tables: self.tables.iter().map(|edge| edge.spec.clone()).collect(),
        }
    }

    /// Returns the tables that the chain keeps and those that values are, in argument order.
    pub fn all_tables<'a, E>(
        &'a self,
        mut computed: impl FnMut(&'a TableEdge, usize) -> Result<AnyTable<'a>, E>,
    ) -> impl Iterator<Item = Result<AnyTable<'a>, E>> {
        let mut kept = self.kept.list();
        self.tables.iter().filter_map(move |edge| match edge.value {
            Some(value) => Some(computed(edge, value)),
            None => kept.next().map(Ok),
        })
    }
}

/// An operator in a chain, with its code.
pub struct Stage {
    pub(crate) wiring: Wiring,
    /// What its code has taken.
    pub(crate) given: Given,
    pub(crate) compiled: Box<dyn Compiled>,
    /// Where its constants lie in the chain's.
    pub(crate) constants: Vec<Range<usize>>,
}

impl Stage {
    /// Returns the operator's name.
    pub fn name(&self) -> &str {
        &self.wiring.name
    }

    /// Returns the code on the target that the chain was finished for.
    pub fn compiled(&self) -> &dyn Compiled {
        &*self.compiled
    }

    /// Returns the code, where it is a generated kernel.
    pub fn generated(&self) -> Option<&GeneratedCode> {
        GeneratedCode::of(&*self.compiled)
    }

    /// Returns the values that it reads as images, in argument order, as indices into
    /// [`Chain::values`](super::Chain::values).
    pub fn inputs(&self) -> &[usize] {
        &self.wiring.images
    }

    /// Returns the values that it writes; `None` for an output left out.
    pub fn outputs(&self) -> &[Option<usize>] {
        &self.wiring.outputs
    }

    /// Returns the outputs that it computes in the place of an input.
    pub fn aliases(&self) -> &[Alias] {
        &self.wiring.aliases
    }

    /// Returns the tables that the chain keeps for it, in argument order.
    pub fn tables(&self) -> impl Iterator<Item = AnyTable<'_>> {
        self.wiring.kept.list()
    }

    /// Returns, for each table, in argument order: the value that it is, or `None` for one that the chain keeps.
    pub fn table_values(&self) -> impl ExactSizeIterator<Item = Option<usize>> + '_ {
        self.wiring.tables.iter().map(|edge| edge.value)
    }

    /// Returns the uniforms that values give: the place in [`Operator::uniforms`](super::Operator::uniforms), what it
    /// must be, and the value.
    pub fn computed_uniforms(&self) -> impl ExactSizeIterator<Item = (usize, &UniformNeed, usize)> + '_ {
        self.wiring.uniforms.iter().map(|edge| (edge.index, &edge.need, edge.value))
    }

    /// Returns the plan to run a generated kernel by.
    ///
    /// # Errors
    /// [`FunctionError::Unprepared`] where its uniforms are still to come; [`FunctionError::Refused`] where it is not generated.
    pub fn prepared(&self) -> Result<&KernelPlan, FunctionError> {
        let refused = || FunctionError::refused(self.name(), "by a plan", "it is not a generated kernel");
        let code = self.generated().ok_or_else(refused)?;
        code.prepared().ok_or_else(|| FunctionError::Unprepared { kernel: self.name().into() })
    }

    /// Returns a generated kernel with its images, checked as every run checks them, and the chain's tables.
    ///
    /// # Errors
    /// As [`Stage::prepared`], and a [`FunctionError::Run`] that names the argument.
    pub fn bind<'a>(
        &'a self,
        inputs: &[AnyView<'a>],
        outputs: Vec<Option<AnyViewMut<'a>>>,
    ) -> Result<Bound<'a>, FunctionError> {
        self.bind_with(inputs, &self.tables().collect::<Vec<_>>(), outputs)
    }

    /// The same with the tables that values are.
    pub(crate) fn bind_with<'a, 's: 'a>(
        &'s self,
        views: &[AnyView<'a>],
        tables: &[AnyTable<'a>],
        outputs: Vec<Option<AnyViewMut<'a>>>,
    ) -> Result<Bound<'a>, FunctionError> {
        let mut images = Images::default();
        views.iter().for_each(|view| images.read.push(*view));
        tables.iter().for_each(|table| images.tables.push(*table));
        outputs.into_iter().for_each(|view| images.write(view));
        Bound::new(self.prepared()?, images).map_err(|error| FunctionError::run(self.name(), error))
    }

    /// The images that it reads anywhere: each with its argument's name and what the kernel says of it, and the value. An operator
    /// that isn't generated says so of none.
    pub(crate) fn whole_images(&self) -> impl Iterator<Item = (&'static str, &'static InputSpec, usize)> + '_ {
        let spec = self.generated().map(|code| code.plan().spec());
        let images = spec.into_iter().flat_map(images).zip(&self.wiring.images);
        images.filter(|((_, input), _)| input.is_whole()).map(|((argument, input), &value)| (argument, input, value))
    }

    /// The code with the uniforms that values give, whose elements `table` finds; `None` where it has none such.
    pub(crate) fn with_uniforms<'a>(
        &self,
        table: impl Fn(&UniformEdge) -> Result<AnyTable<'a>, FunctionError>,
    ) -> Result<Option<Box<dyn Compiled>>, FunctionError> {
        let edges = &self.wiring.uniforms;
        if edges.is_empty() {
            return Ok(None);
        }
        let computed = edges.iter().map(|edge| {
            let scalars = scalars(edge.need.element, table(edge)?.as_bytes());
            Ok(ComputedUniform { index: edge.index, scalars })
        });
        let refused = |error| FunctionError::of_stage(self.name(), error);
        let computed = computed.collect::<Result<Vec<_>, FunctionError>>()?;
        let compiled = self.compiled.with_uniforms(&computed).map_err(refused)?;
        compiled.check(&self.given).map_err(refused)?;
        Ok(Some(compiled))
    }

    /// The elements of a value, which must lie side by side, as a table or a uniform.
    ///
    /// # Safety
    /// The value lies in memory that is borrowed for 'a.
    pub(crate) unsafe fn table<'a>(
        &self,
        argument: &str,
        value: usize,
        (base, info): Place,
    ) -> Result<AnyTable<'a>, FunctionError> {
        let expected = info.shape().extents().iter().product::<usize>() * info.channels() as usize;
        let expected_element = info.dtype().element().ok_or_else(|| {
            FunctionError::refused(self.name(), "as a chain", "a table of it has a type that kernels don't take")
        })?;
        if !info.is_packed() {
            let found = std::format!("{} with gaps between its rows", info.shape());
            let (stage, argument) = (self.name().into(), argument.into());
            return Err(FunctionError::Computed { stage, argument, value, found, expected, expected_element });
        }
        Ok(AnyTable { first: base.as_ptr(), element: expected_element, length: expected, data: PhantomData })
    }

    pub(crate) fn constants<'a>(&'a self, bytes: &'a [u8]) -> Constants<'a> {
        Constants { bytes, ranges: &self.constants }
    }
}

impl fmt::Debug for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut stage = f.debug_struct("Stage");
        stage.field("operator", &self.name()).field("inputs", &self.inputs()).field("outputs", &self.outputs());
        stage.finish_non_exhaustive()
    }
}

/// Returns the scalars of these bytes.
pub fn scalars(element: ElementType, bytes: &[u8]) -> Vec<Scalar> {
    let scalar = |bytes: &[u8]| match *bytes {
        [a] => Scalar::from_word(element, a.into()),
        [a, b] => Scalar::from_word(element, u16::from_ne_bytes([a, b]).into()),
        [a, b, c, d] => Scalar::from_word(element, u32::from_ne_bytes([a, b, c, d])),
        [a, b, c, d, e, f, g, h] => {
            let bits = u64::from_ne_bytes([a, b, c, d, e, f, g, h]);
            match element {
                ElementType::U64 => Scalar::U64(bits),
                ElementType::F64 => Scalar::F64(f64::from_bits(bits)),
                _ => Scalar::I64(bits as i64),
            }
        }
        _ => Scalar::from_word(element, 0),
    };
    bytes.chunks_exact(element.size()).map(scalar).collect()
}
