//! [`Sync`]: waiting together at the start barrier, and measuring the round trip meanwhile.

use super::greeting::{MAX_ROSTER_BYTES, RosterEntry, read_roster, write_roster};
use super::key::ConnectionKey;
use super::reader::{Reader, Writer, checked};
use super::reject::Reject;
use super::seed::SeedPart;
use super::{DATAGRAM_BUDGET_BYTES, PacketType};

/// How far a peer is on its way to frame 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub enum BarrierState {
    /// It has not loaded the match yet.
    Loading = 0,
    /// It has loaded the match.
    Loaded = 1,
    /// It is connected to everybody, knows that all have loaded, and has measured its links.
    Ready = 2,
    /// The host has fixed the start.
    Go = 3,
}

/// The longest packet of the barrier: one with a roster of everybody.
pub(super) const MAX_BYTES: usize = 2 + 4 * 4 + SeedPart::BYTES + SeedPart::HEARD_BYTES + MAX_ROSTER_BYTES + 4;

/// One packet of the barrier.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sync {
    /// How far the sender is.
    pub state: BarrierState,
    /// The sender's clock when it sent this, low 32 bits of its microseconds.
    pub sent_us: u32,
    /// The newest `sent_us` that the sender received from the other side, and how long ago.
    pub echo: Option<(u32, u32)>,
    /// In how many microseconds, as the sender expects this packet to arrive, frame 0 starts.
    /// Only with [`BarrierState::Go`].
    pub start_in_us: u32,
    /// What the sender says about the seed.
    pub seed: SeedPart,
    /// Where everybody is, as far as the host knows. Only from the host.
    pub roster: Vec<RosterEntry>,
}

impl Sync {
    /// Writes the packet; 0 if `out` is too small.
    pub fn write(&self, key: ConnectionKey, out: &mut [u8]) -> usize {
        let mut writer = Writer::new(out);
        writer.u8(PacketType::Sync as u8);
        writer.u8(self.state as u8 | u8::from(self.echo.is_some()) << 7);
        writer.u32(self.sent_us);
        let (echo_us, held_us) = self.echo.unwrap_or((0, 0));
        writer.u32(echo_us);
        writer.u32(held_us);
        writer.u32(self.start_in_us);
        self.seed.write(&mut writer);
        write_roster(&self.roster, &mut writer);
        writer.finish(key)
    }

    /// Reads a packet that nobody has checked.
    ///
    /// # Errors
    /// Says why it is none.
    pub fn read(datagram: &[u8], key: ConnectionKey) -> Result<Self, Reject> {
        if datagram.len() > DATAGRAM_BUDGET_BYTES {
            return Err(Reject::TooLong);
        }
        let mut reader = Reader::new(checked(key, datagram)?);
        if reader.u8()? != PacketType::Sync as u8 {
            return Err(Reject::BadField);
        }
        let state_and_echo = reader.u8()?;
        let state = match state_and_echo & 0x7F {
            0 => BarrierState::Loading,
            1 => BarrierState::Loaded,
            2 => BarrierState::Ready,
            3 => BarrierState::Go,
            _ => return Err(Reject::BadField),
        };
        let sent_us = reader.u32()?;
        let echo = (reader.u32()?, reader.u32()?);
        let start_in_us = reader.u32()?;
        let seed = SeedPart::read(&mut reader)?;
        let roster = read_roster(&mut reader)?;
        reader.finish()?;
        Ok(Self { state, sent_us, echo: (state_and_echo & 0x80 != 0).then_some(echo), start_in_us, seed, roster })
    }
}
