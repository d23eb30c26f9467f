//! From a model to steps: its layers, each by the table.

use crate::{
    error::{PlanError, Unsupported},
    fold::layers,
    lower::{Lowering, Refusal},
    table,
};

/// The steps of a model.
pub(crate) fn lower(mut lowering: Lowering<'_>) -> Result<Lowering<'_>, PlanError> {
    let layers = layers(&lowering.analysis, &mut lowering.budget)?;
    lowering.find_places(&layers);
    let mut unsupported = lowering.analysis.unsupported.clone();
    for layer in &layers {
        match table::lower(&mut lowering, layer) {
            Ok(()) => {}
            Err(Refusal::Failed(error)) => return Err(error),
            Err(Refusal::Unsupported(reason)) => {
                let (node, operator) = (layer.node.name.clone(), layer.node.kind.clone());
                unsupported.push(Unsupported { node, operator, reason });
                // Whatever reads it is looked at all the same.
                lowering.destination(layer.output, &[])?;
            }
        }
    }
    if !unsupported.is_empty() {
        return Err(PlanError::Unsupported(unsupported));
    }
    lowering.write_outputs()?;
    Ok(lowering)
}
