//! An emulator of one direction of a network path, seeded and without a clock.
//!
//! Two [`LinkConditioner`]s make a path. Give both the same seed and different streams, and they
//! are independent of each other and the same on every run.
//!
//! | file | what it holds |
//! |---|---|
//! | `settings` | [`LinkSettings`], its ranges and [`InvalidLink`] |
//! | `presets` | [`LinkPreset`], links of everyday by name |
//! | `loss` | [`Loss`], which packets vanish |
//! | `outage` | [`Outage`], a link that is dead for a moment again and again |
//! | `trace` | [`LinkTrace`], a recorded RTT series |
//! | `playback` | [`Direction`], the part of a recording that one direction sees |
//! | `bottleneck` | the slowest hop, as a queue that is computed |
//! | `flight` | datagrams under way, in reused buffers |
//! | `conditioner` | [`LinkConditioner`], which draws a fate for each datagram |

mod bottleneck;
mod conditioner;
mod flight;
mod loss;
mod outage;
mod playback;
pub mod presets;
mod settings;
mod trace;

pub use conditioner::{LinkConditioner, LinkStats, MAX_DATAGRAM_BYTES, MAX_QUEUED_BYTES, MAX_QUEUED_DATAGRAMS};
pub use loss::Loss;
pub use outage::{MAX_OUTAGE_US, Outage};
pub use playback::Direction;
pub use presets::{LinkPreset, UnknownPreset};
pub use settings::{InvalidLink, LinkSettings, MAX_DELAY_US, MAX_QUEUE_BYTES, MAX_RATE};
pub use trace::{LinkTrace, MAX_TRACE_SAMPLES, TraceError};
