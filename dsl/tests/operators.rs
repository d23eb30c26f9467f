//! The language's own example compiles whole.

#[test]
fn the_example_operators_compile() {
    let compiled = windrow_dsl::compile_file(include_str!("data/operators.rs"));
    for error in &compiled.errors {
        let at = error.start.start();
        println!("{}:{}: {}", at.line, at.column + 1, error.text());
    }
    assert!(compiled.errors.is_empty());
    println!("{}", compiled.kernels.len());
    for kernel in &compiled.kernels {
        println!("{}", windrow_dsl::dump::kernel(&kernel.kernel));
    }
}
