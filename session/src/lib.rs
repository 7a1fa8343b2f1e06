//! Rollback netcode with a deterministic fixed-point simulation.
//!
//! Implement [`Simulation`] for your game. Give it to a [`Peer`] to play over a network, to a
//! [`RollbackSession`] if you have a network of your own, or to a [`SyncTestSession`] to find state
//! that a snapshot leaves out.
//!
//! | type | what it is for |
//! |---|---|
//! | [`Peer`] | a match over UDP or anything like it; sans-IO: you own the socket and the clock |
//! | [`RollbackSession`] | the session alone: inputs in, [`TickReport`] out |
//! | [`SyncTestSession`] | offline: rolls back on every frame and names the field that differs |
//! | [`TrainingSession`](training::TrainingSession) | offline: save and load states, step frame by frame, record and play back a dummy |
//! | [`Pacer`] | when the next tick is due in real time, without drift, as slow as [`time_sync`] asks |
//!
//! The three duties of the game: a [`step`](Simulation::step) that reads nothing but state and
//! inputs, a [`capture`](Simulation::capture) that leaves nothing out, and a call of
//! [`tick`](Peer::tick) for every frame, in time.
//!
//! A crate that depends on this one alone writes `#[sim(crate = "snapback")]` beside
//! `#[derive(SimState)]`:
//!
//! ```
//! use bytemuck::{Pod, Zeroable};
//! use snapback::{Fx, SimState};
//!
//! #[derive(Clone, Copy, Pod, Zeroable, SimState)]
//! #[sim(crate = "snapback")]
//! #[repr(C)]
//! struct Ball {
//!     position: [Fx; 2],
//!     speed: [Fx; 2],
//! }
//! ```
//!
//! # Commands and results
//!
//! Pause, surrender, takeover: [`control`], a part of the game's own state. What was decided, once and for certain, and
//! signed by everybody: [`results`]. The pages `session/docs/commands.md` and `session/docs/results.md` say when to use what.
//!
//! # Prediction
//!
//! A remote player is guessed to do what they did last, unless the host gives the session another
//! [`InputPredictor`]. Guesses are right more often if inputs say no more than the game can tell apart: a
//! game with analogue sticks or triggers makes them [`canonical`] where it samples them, and then
//! [`MovingStick`] guesses better than [`RepeatLast`].
//!
//! # Telemetry
//!
//! Every frozen tick says whose fault it was. Net graphs, post-mortems, `tracing` and `metrics`: see
//! [`telemetry`].
//!
//! # Drawing
//!
//! [`PresentWorld`] draws between two frames, at any display rate. Submit after *every* tick, with
//! both pictures from the session as it is then: a rewind corrected the frame before as well.
//!
//! ```
//! # use bytemuck::{Pod, Zeroable};
//! # use snapback::*;
//! # use snapback::state::pod;
//! use snapback::present::{Blend, Present, RECOVERING_CONNECTION};
//! # #[derive(Clone, Copy, Pod, Zeroable, SimState)]
//! # #[sim(crate = "snapback")]
//! # #[repr(C)]
//! # struct Ball { height: Fx }
//! # struct Game(Ball);
//! # impl Simulation for Game {
//! #     type Input = u8;
//! #     fn id(&self) -> SimulationId { SimulationId { name: "ball", version: 1 } }
//! #     fn layout(&self) -> StateLayout { StateLayout::of::<Ball>() }
//! #     fn reset(&mut self, _: u64, _: usize) -> Result<(), ResetError> { Ok(()) }
//! #     fn step(&mut self, _: Frame, inputs: &FrameInputs<'_, u8>, _: &mut Effects) {
//! #         self.0.height += Fx::from_int(inputs.input(PlayerHandle::new(0)).into());
//! #     }
//! #     fn capture(&self, out: &mut [u8]) { pod::capture(&self.0, out) }
//! #     fn restore(&mut self, snapshot: &[u8]) -> Result<(), InvalidState> { pod::restore(&mut self.0, snapshot) }
//! # }
//!
//! #[derive(Clone)]
//! struct Picture { height: Fx }
//!
//! impl Picture {
//!     fn read(snapshot: &[u8]) -> Self {
//!         Self { height: bytemuck::pod_read_unaligned::<Ball>(snapshot).height }
//!     }
//! }
//!
//! impl Present for Picture {
//!     fn blend(previous: &Self, newest: &Self, blend: Blend) -> Self {
//!         Self { height: Fx::from_bits(blend.between(previous.height.to_bits(), newest.height.to_bits())) }
//!     }
//! }
//!
//! fn show(shown: &mut PresentWorld<Picture>, session: &RollbackSession<Game>, report: &TickReport, due_us: u64) {
//!     let picture = |frame| session.snapshot(frame).map(Picture::read);
//!     if let Some(newest) = picture(report.frame) {
//!         shown.submit(report.frame, due_us, picture(report.frame.previous()), newest);
//!     }
//!     match report.reason {
//!         Some(FreezeReason::PredictionCeiling { .. } | FreezeReason::ResendWindowFull { .. }) => {
//!             shown.show_overlay(RECOVERING_CONNECTION);
//!         }
//!         _ => shown.clear_overlay(),
//!     }
//! }
//!
//! # let mut session = RollbackSession::new(Game(Ball::zeroed()), SessionSettings::new(7, 2, PlayerSet::first(1)))?;
//! let mut shown = PresentWorld::new(60);
//! let report = session.tick(&[LocalInput::new(PlayerHandle::new(0), 3)], &[])?;
//! show(&mut shown, &session, &report, 0);
//! // A display of 144 Hz draws in between.
//! assert_eq!(shown.picture(6_944).map(|picture| picture.height.round()), Some(1));
//! # Ok::<(), SessionError>(())
//! ```
//!
//! Features: `udp` (default) has the socket, `sim` the fighting world, `golden` the straight replay, `tracing`
//! and `metrics` publish the telemetry, `ggrs` has the module `interop` for games that come from ggrs.

pub mod desync;
#[cfg(feature = "ggrs")]
pub mod interop;
pub mod pace;
pub mod peer;
pub mod results;
pub mod rollback;
pub mod telemetry;
pub mod training;

pub use pace::Pacer;
pub use peer::time_sync;
#[cfg(feature = "dtls")]
pub use peer::{Credentials, Invitation};
pub use peer::{Outcome, Peer, PeerEvent, PeerPhase, PeerSettings, Role, Security, TRANSMIT_BUFFER_BYTES, Transmit};
pub use rollback::{
    CAPTURE_CHECK_FRAMES, ConfirmedFrame, EffectEvent, FreezeReason, InputPast, InputPredictor, LocalInput, MovingStick, Neutral,
    RepeatLast, RollbackSession, SAME_EFFECT_FRAMES, SESSION_STATES, SessionError, SessionEvent, SessionSettings, SessionState,
    SessionStats, StickInput, SyncTestError, SyncTestSession, SyncTestTrace, TickReport, TraceDifference,
};
pub use snapback_core::*;
#[cfg(feature = "golden")]
pub use snapback_golden as golden;
#[cfg(feature = "sim")]
pub use snapback_sim as sim;
pub use snapback_transport as transport;
pub use snapback_transport::packet::SeedSecret;
pub use telemetry::{StallCause, StallStats};
