//! Equalisation: grey values spread over all of their range (OpenVX `vxEqualizeHist`, ACL `NEEqualizeHistogram`).

use windrow::{
    TensorInfo,
    chain::{ChainBuilder, ChainTables, Composite, Executor, FunctionError},
};

use super::composite_function;
use crate::{equalization, histogram, table_lookup};

/// An image whose grey values occur about as often as one another: their histogram makes a table, in which each is looked up.
#[derive(Debug)]
pub struct EqualizeHistogram(Composite);

composite_function!(EqualizeHistogram);

impl EqualizeHistogram {
    /// For 8-bit images like `image`.
    pub fn configure(image: &TensorInfo, executor: &dyn Executor) -> Result<EqualizeHistogram, FunctionError> {
        let image = TensorInfo::of::<u8>(&image.shape().extents())?;
        let counts = TensorInfo::of::<u32>(&[256])?;
        let mut chain = ChainBuilder::new();
        let src = chain.input(image);
        let [counted] = chain.add(&histogram::configure(&image, 256, 0, 256, &counts)?, &[src])?;
        let [table] = chain.add(&equalization::configure(&counts, &TensorInfo::of::<u8>(&[256])?)?, &[counted])?;
        let look_up = table_lookup::configure(&image, &image)?;
        let [equal] = chain.add_with_tables(&look_up, &[src], ChainTables::default().computed(table))?;
        chain.output(equal)?;
        Ok(EqualizeHistogram(chain.compose(executor)?))
    }
}
