//! Cross-crate tests live in `it/`.
