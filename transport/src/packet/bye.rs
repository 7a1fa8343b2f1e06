//! [`Bye`]: a peer leaves, and says what it confirmed.

use super::key::ConnectionKey;
use super::reader::{Reader, Writer, checked};
use super::reject::Reject;
use super::{DATAGRAM_BUDGET_BYTES, PacketType};
use snapback_core::{Frame, PlayerSet, StateHash};

/// Why a peer leaves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum LeaveReason {
    /// The match is over and every frame is confirmed.
    Finished = 0,
    /// The player or the host program ended it.
    Quit = 1,
    /// The other side broke a rule, such as changing a confirmed input.
    Violation = 2,
    /// Another peer was lost, and the match with it.
    PeerLost = 3,
    /// A peer has another state after the same inputs. The goodbye is of the frame that was compared, with the
    /// sender's hash and digest of it, and in [`lost`](Bye::lost) the players of the peer that has another.
    Desynced = 4,
    /// Somebody shows different peers different inputs. The goodbye is of the frame up to which that was
    /// found, and in [`lost`](Bye::lost) is the player whose inputs they are.
    InputsDiffer = 5,
    /// The other side plays on and sends no checks.
    ChecksWithheld = 6,
}

/// The last packet of a connection.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bye {
    /// Why.
    pub reason: LeaveReason,
    /// The last frame that the sender confirmed; with [`LeaveReason::Desynced`] and
    /// [`LeaveReason::InputsDiffer`] the frame that is disputed.
    pub confirmed_frame: Frame,
    /// The state hash of that frame.
    pub confirmed_hash: StateHash,
    /// CRC-32 over the hashes of all confirmed frames in order, each as 4 little-endian bytes.
    pub digest: u32,
    /// The players who were lost, with [`LeaveReason::PeerLost`]; whom it is about, with
    /// [`LeaveReason::Desynced`] and [`LeaveReason::InputsDiffer`].
    pub lost: PlayerSet,
}

impl Bye {
    /// Writes the packet; 0 if `out` is too small.
    pub fn write(&self, key: ConnectionKey, out: &mut [u8]) -> usize {
        let mut writer = Writer::new(out);
        writer.u8(PacketType::Bye as u8);
        writer.u8(self.reason as u8);
        writer.u64(self.confirmed_frame.number() as u64);
        writer.u32(self.confirmed_hash.bits());
        writer.u32(self.digest);
        writer.u8(self.lost.bits());
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
        if reader.u8()? != PacketType::Bye as u8 {
            return Err(Reject::BadField);
        }
        let reason = match reader.u8()? {
            0 => LeaveReason::Finished,
            1 => LeaveReason::Quit,
            2 => LeaveReason::Violation,
            3 => LeaveReason::PeerLost,
            4 => LeaveReason::Desynced,
            5 => LeaveReason::InputsDiffer,
            6 => LeaveReason::ChecksWithheld,
            _ => return Err(Reject::BadField),
        };
        let confirmed_frame = Frame::new(reader.u64()? as i64);
        let confirmed_hash = StateHash::from_bits(reader.u32()?);
        let digest = reader.u32()?;
        let lost = PlayerSet::from_bits(reader.u8()?);
        reader.finish()?;
        Ok(Self { reason, confirmed_frame, confirmed_hash, digest, lost })
    }
}
