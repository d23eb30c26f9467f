//! What a pipeline can't have.

use crate::Case;
use windrow_dsl::messages::*;

/// The cases.
pub fn cases() -> Vec<Case> {
    vec![
        Case { message: PIPELINE_NOT_A_FUNCTION, at: "struct", wrong: "#[pipeline] struct S;", right: "" },
        Case {
            message: PIPELINE_OPTION,
            at: "fast",
            wrong: "#[pipeline(fast)] fn p(src: &Tensor<u8>) -> Result<Tensor<u8>, Error> { k::apply(src) }",
            right: "#[pipeline] fn p(src: &Tensor<u8>) -> Result<Tensor<u8>, Error> { k::apply(src) }",
        },
        Case {
            message: PIPELINE_MODIFIER,
            at: "async",
            wrong: "#[pipeline] async fn p(src: &Tensor<u8>) -> Result<Tensor<u8>, Error> { k::apply(src) }",
            right: "#[pipeline] fn p(src: &Tensor<u8>) -> Result<Tensor<u8>, Error> { k::apply(src) }",
        },
        Case {
            message: PIPELINE_PARAMETER,
            at: "src: Tensor<u8>",
            wrong: "#[pipeline] fn p(src: Tensor<u8>) -> Result<Tensor<u8>, Error> { k::apply(&src) }",
            right: "#[pipeline] fn p(src: &Tensor<u8>) -> Result<Tensor<u8>, Error> { k::apply(src) }",
        },
        Case {
            message: PIPELINE_UNIFORM,
            at: "#[uniform(9)]",
            wrong: "#[pipeline] fn p(src: &Tensor<u8>, #[uniform(9)] n: u8) -> Result<Tensor<u8>, Error> { k::apply(src, n) }",
            right: "#[pipeline] fn p(src: &Tensor<u8>, #[uniform(0..=9)] n: u8) -> Result<Tensor<u8>, Error> { k::apply(src, n) }",
        },
        Case {
            message: PIPELINE_NO_IMAGE,
            at: "p",
            wrong: "#[pipeline] fn p(n: usize) -> Result<Tensor<u8>, Error> { k::apply(n) }",
            right: "#[pipeline] fn p(src: &Tensor<u8>, n: usize) -> Result<Tensor<u8>, Error> { k::apply(src, n) }",
        },
        Case {
            message: PIPELINE_RESULT,
            at: "Option<Tensor<u8>>",
            wrong: "#[pipeline] fn p(src: &Tensor<u8>) -> Option<Tensor<u8>> { k::apply(src).ok() }",
            right: "#[pipeline] fn p(src: &Tensor<u8>) -> Result<Tensor<u8>, Error> { k::apply(src) }",
        },
    ]
}
