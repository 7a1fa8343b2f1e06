//! What a shot against the past must answer, computed slowly and obviously, and the comparison of a
//! fast engine with that.
//!
//! [`reference`](mod@reference) uses no code of `snapback-rewind`: it follows its motion model
//! (`sim/rewind/docs/model.md`) with plain and big integers, and looks at every hitbox every time.
//! Only [`engine`] knows the real thing.
//!
//! | module | what it holds |
//! |---|---|
//! | [`scene`] | actors, queries and shots as plain data, and the seeded generator of them |
//! | [`reference`](mod@reference) | the slow answers |
//! | [`engine`] | the real engine behind [`Engine`](compare::Engine) |
//! | [`compare`] | [`Engine`](compare::Engine), and the runner that stops at the first difference |

#![allow(clippy::expect_used, clippy::panic, reason = "a comparison that cannot run has nothing better to do than to stop")]

pub mod compare;
pub mod engine;
pub mod reference;
pub mod scene;
