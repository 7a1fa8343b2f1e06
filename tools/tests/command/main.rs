//! The built command, from the outside: what it prints and how it ends.

mod bad_input;
mod duel;
mod gone;
mod remote;
mod support;
