//! The module `windrow._windrow`: the library's operators.

windrow_pymodule::python! {
    module: _windrow,
    package: "windrow",
    registry: windrow_operators::registry(),
}
