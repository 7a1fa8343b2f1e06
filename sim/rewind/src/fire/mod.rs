//! Fire requests: what a client may say about a shot, and what the server makes of it.

mod accepted;

pub use accepted::AcceptedFire;
