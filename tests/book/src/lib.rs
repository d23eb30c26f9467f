//! The recipes of `docs/recipes.md` are run by `tests/recipes.rs`.
