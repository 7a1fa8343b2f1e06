//! [`PeerParams`]: what two peers must agree on before they play, and the maxima they exchange.

use super::reader::{Reader, Writer};
use super::reject::Reject;
use core::fmt;

/// What a peer says of itself in the handshake.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PeerParams {
    /// The stable hash of the simulation's name.
    pub simulation_name: u32,
    /// The simulation's version.
    pub simulation_version: u32,
    /// The fingerprint of the state's layout.
    pub layout_fingerprint: u32,
    /// The hash of everything else that decides what a step does, such as frame data.
    pub config_hash: u32,
    /// Steps a second.
    pub simulation_hz: u16,
    /// The size of one player's input.
    pub input_bytes: u8,
    /// Players in the match.
    pub player_count: u8,
    /// The most frames this peer will ever predict; need not match.
    pub window_max_frames: u8,
    /// The most frames by which this peer will ever delay its inputs; need not match.
    pub delay_max_frames: u8,
}

const FIELD_COUNT: usize = 7;

/// What must match, in the order in which it is compared. A refusal carries the place in this list.
const FIELD_NAMES: [&str; FIELD_COUNT] = [
    "the simulation's name (its hash)",
    "the simulation's version",
    "the state's layout (its fingerprint)",
    "the game's data (its hash)",
    "simulation_hz",
    "the input size in bytes",
    "the number of players",
];

/// The first thing on which two peers do not agree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mismatch {
    place: u8,
    /// What the peer that dialled has.
    pub dialer: u32,
    /// What the peer that was dialled has.
    pub listener: u32,
}

impl Mismatch {
    /// What differs.
    #[must_use]
    pub fn field(&self) -> &'static str {
        FIELD_NAMES.get(usize::from(self.place)).unwrap_or(&"something this version does not know")
    }

    pub(crate) fn to_wire(self) -> (u8, u32, u32) {
        (self.place, self.dialer, self.listener)
    }

    pub(crate) fn from_wire(place: u8, dialer: u32, listener: u32) -> Self {
        Self { place, dialer, listener }
    }
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} differs: the joining peer has {}, the other {}", self.field(), self.dialer, self.listener)
    }
}

impl PeerParams {
    /// Checks everything that must match, naming the first field that does not.
    ///
    /// # Errors
    /// With both values.
    pub fn compare(dialer: &Self, listener: &Self) -> Result<(), Mismatch> {
        for (place, (dialer, listener)) in dialer.must_match().into_iter().zip(listener.must_match()).enumerate() {
            if dialer != listener {
                return Err(Mismatch { place: place as u8, dialer, listener });
            }
        }
        Ok(())
    }

    fn must_match(&self) -> [u32; FIELD_COUNT] {
        [
            self.simulation_name,
            self.simulation_version,
            self.layout_fingerprint,
            self.config_hash,
            self.simulation_hz.into(),
            self.input_bytes.into(),
            self.player_count.into(),
        ]
    }

    pub(crate) fn write(&self, out: &mut Writer<'_>) {
        for value in [self.simulation_name, self.simulation_version, self.layout_fingerprint, self.config_hash] {
            out.u32(value);
        }
        out.u16(self.simulation_hz);
        for value in [self.input_bytes, self.player_count, self.window_max_frames, self.delay_max_frames] {
            out.u8(value);
        }
    }

    pub(crate) fn read(from: &mut Reader<'_>) -> Result<Self, Reject> {
        Ok(Self {
            simulation_name: from.u32()?,
            simulation_version: from.u32()?,
            layout_fingerprint: from.u32()?,
            config_hash: from.u32()?,
            simulation_hz: from.u16()?,
            input_bytes: from.u8()?,
            player_count: from.u8()?,
            window_max_frames: from.u8()?,
            delay_max_frames: from.u8()?,
        })
    }
}
