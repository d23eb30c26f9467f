//! The module `windrow._windrow`: the library's operators, and networks.

mod session;

windrow_pymodule::python! {
    module: _windrow,
    package: "windrow",
    registry: windrow_operators::registry(),
    then: session::register,
}
