//! [`Hello`], [`Welcome`] and [`Refusal`]: the handshake, before there is a connection.
//!
//! The first fields (magic, version, match, nonce) are the same in every version, so that peers of
//! different versions can refuse each other with a reason. A Hello is as long as its longest
//! answer: a listener never sends more than it received.

use super::key::ConnectionKey;
use super::params::{Mismatch, PeerParams};
use super::reader::{Reader, Writer, checked};
use super::reject::Reject;
use super::{MAGIC, PROTOCOL_VERSION, PacketType};
use crate::credentials::{Fingerprint, SeatSecret};
use core::fmt;
use snapback_core::limits::{LAST_FRAME, MAX_PLAYERS};
use snapback_core::{Frame, PlayerSet};
use std::net::{IpAddr, SocketAddr};

/// Every greeting is this long, its CRC aside.
const BODY_BYTES: usize = 92;

/// With it.
pub(super) const GREETING_BYTES: usize = BODY_BYTES + 4;

/// A peer dials another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Hello {
    /// The sender's protocol version.
    pub version: u16,
    /// The match that the sender wants to play, from its ticket.
    pub match_id: u64,
    /// A number that only the sender knows as yet; the answer echoes it.
    pub nonce: u64,
    /// The players that the sender already has seats for, or nobody.
    pub players: PlayerSet,
    /// How many players the sender brings.
    pub player_count: u8,
    /// What the sender plays.
    pub params: PeerParams,
}

/// The answer to a Hello: a seat, and the match as the listener set it up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Welcome {
    /// The match.
    pub match_id: u64,
    /// The dialler's nonce.
    pub nonce: u64,
    /// The listener's nonce.
    pub listener_nonce: u64,
    /// The players that the dialler controls.
    pub dialer_players: PlayerSet,
    /// The players that the listener controls.
    pub listener_players: PlayerSet,
    /// What the listener plays.
    pub params: PeerParams,
    /// The first frame, usually 0.
    pub first_frame: Frame,
    /// The last frame, after which the match is over; none for an endless match.
    pub last_frame: Option<Frame>,
}

/// Why a listener does not play.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RefusalReason {
    /// The protocol versions differ: the listener's is given.
    Version(u16),
    /// The listener waits for another match.
    OtherMatch,
    /// No seat is left, or not enough of them.
    Full,
    /// The match has started.
    Started,
    /// Something that must match does not.
    Mismatch(Mismatch),
    /// The listener plays without encryption and the dialler does not.
    NotEncrypted,
    /// The listener plays with encryption and the dialler does not. An encrypted
    /// listener answers strangers with a [`Cookie`](super::Cookie) only, which a dialler without
    /// encryption takes for this.
    EncryptionRequired,
    /// The dialler has no ticket for any seat here. It is told inside the encryption, so by the host.
    NoTicket,
    /// Somebody else sits in the seat of the dialler's ticket, or the dialler's own program before it was
    /// started anew.
    SeatTaken,
}

/// From the listener's side, such as `no seat is left`.
impl fmt::Display for RefusalReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Version(_) => f.write_str("it speaks another protocol version"),
            Self::OtherMatch => f.write_str("it asks for another match"),
            Self::Full => f.write_str("no seat is left"),
            Self::Started => f.write_str("the match has started"),
            Self::Mismatch(mismatch) => mismatch.fmt(f),
            Self::NotEncrypted => f.write_str("it wants encryption, and the match has none"),
            Self::EncryptionRequired => f.write_str("it dials without encryption"),
            Self::SeatTaken => f.write_str("somebody sits in the seat of its ticket"),
            Self::NoTicket => f.write_str("it has no ticket for a seat of this match"),
        }
    }
}

/// The answer to a Hello of a peer that cannot play.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Refusal {
    /// The match that was asked for.
    pub match_id: u64,
    /// The dialler's nonce.
    pub nonce: u64,
    /// Why.
    pub reason: RefusalReason,
}

/// Where the players of one peer are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RosterEntry {
    /// The players that the peer controls.
    pub players: PlayerSet,
    /// Its address, as the host sees it; none for the host itself.
    pub address: Option<SocketAddr>,
    /// Changes when the program at that address is started anew, so that the others dial it again.
    pub instance: u32,
    /// How the receiver knows that peer, in the encrypted profile: its certificate, and the secret
    /// that the two of them share.
    pub pairing: Option<Pairing>,
}

/// How two joiners know each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pairing {
    /// The other one's certificate.
    pub fingerprint: Fingerprint,
    /// What only the two of them and the host know.
    pub secret: SeatSecret,
}

fn begin<'a>(out: &'a mut [u8], kind: PacketType, version: u16, match_id: u64, nonce: u64) -> Writer<'a> {
    let mut writer = Writer::new(out);
    writer.u8(kind as u8);
    writer.bytes(&MAGIC);
    writer.u16(version);
    writer.u64(match_id);
    writer.u64(nonce);
    writer
}

fn end(mut writer: Writer<'_>, key: ConnectionKey) -> usize {
    writer.fill_to(BODY_BYTES);
    writer.finish(key)
}

/// The version, match and nonce at the start of every greeting, and a reader of the rest.
fn open(datagram: &[u8], kind: PacketType, key: ConnectionKey) -> Result<(u16, u64, u64, Reader<'_>), Reject> {
    let expected_bytes = BODY_BYTES + key.trailer_bytes();
    if datagram.len() > expected_bytes {
        return Err(Reject::TooLong);
    }
    if datagram.len() < expected_bytes {
        return Err(Reject::TooShort);
    }
    let mut reader = Reader::new(datagram);
    if reader.u8()? != kind as u8 {
        return Err(Reject::BadField);
    }
    if reader.array()? != MAGIC {
        return Err(Reject::BadMagic);
    }
    let mut reader = Reader::new(checked(key, datagram)?);
    reader.array::<5>()?;
    Ok((reader.u16()?, reader.u64()?, reader.u64()?, reader))
}

fn read_players(reader: &mut Reader<'_>) -> Result<PlayerSet, Reject> {
    reader.u8().map(PlayerSet::from_bits)
}

fn finish_zeros(reader: Reader<'_>) -> Result<(), Reject> {
    if reader.rest().iter().all(|byte| *byte == 0) { Ok(()) } else { Err(Reject::TrailingBytes) }
}

/// The most bytes that a roster takes in a packet.
pub(crate) const MAX_ROSTER_BYTES: usize = 1 + MAX_PLAYERS * (1 + 4 + 1 + 64 + 1 + 16 + 2);

impl Hello {
    /// Writes the packet; 0 if `out` is too small.
    pub fn write(&self, key: ConnectionKey, out: &mut [u8]) -> usize {
        let mut writer = begin(out, PacketType::Hello, self.version, self.match_id, self.nonce);
        writer.u8(self.players.bits());
        writer.u8(self.player_count);
        self.params.write(&mut writer);
        end(writer, key)
    }

    /// Reads a packet that nobody has checked. The version may be any: only a Hello of our own
    /// version has the fields after the nonce, the others are read as far as they go.
    ///
    /// # Errors
    /// Says why it is none.
    pub fn read(datagram: &[u8], key: ConnectionKey) -> Result<Self, Reject> {
        let (version, match_id, nonce, mut reader) = open(datagram, PacketType::Hello, key)?;
        let players = read_players(&mut reader)?;
        let player_count = reader.u8()?;
        let params = PeerParams::read(&mut reader)?;
        if version == PROTOCOL_VERSION {
            finish_zeros(reader)?;
            if player_count == 0 || usize::from(player_count) > MAX_PLAYERS {
                return Err(Reject::BadField);
            }
        }
        Ok(Self { version, match_id, nonce, players, player_count, params })
    }
}

impl Welcome {
    /// Writes the packet; 0 if `out` is too small.
    pub fn write(&self, key: ConnectionKey, out: &mut [u8]) -> usize {
        let mut writer = begin(out, PacketType::Welcome, PROTOCOL_VERSION, self.match_id, self.nonce);
        writer.u64(self.listener_nonce);
        writer.u8(self.dialer_players.bits());
        writer.u8(self.listener_players.bits());
        self.params.write(&mut writer);
        writer.u64(self.first_frame.number() as u64);
        writer.u64(self.last_frame.map_or(i64::MAX, Frame::number) as u64);
        end(writer, key)
    }

    /// Reads a packet that nobody has checked.
    ///
    /// # Errors
    /// Says why it is none.
    pub fn read(datagram: &[u8], key: ConnectionKey) -> Result<Self, Reject> {
        let (version, match_id, nonce, mut reader) = open(datagram, PacketType::Welcome, key)?;
        if version != PROTOCOL_VERSION {
            return Err(Reject::BadField);
        }
        let listener_nonce = reader.u64()?;
        let dialer_players = read_players(&mut reader)?;
        let listener_players = read_players(&mut reader)?;
        let params = PeerParams::read(&mut reader)?;
        let first_frame = Frame::new(reader.u64()? as i64);
        let last_frame = Some(Frame::new(reader.u64()? as i64)).filter(|last| last.number() != i64::MAX);
        finish_zeros(reader)?;
        let overlap = dialer_players.bits() & listener_players.bits() != 0;
        let everybody = PlayerSet::first(params.player_count.into());
        let strangers = !dialer_players.minus(everybody).is_empty() || !listener_players.minus(everybody).is_empty();
        let in_reach = |frame: Frame| (0..=LAST_FRAME).contains(&frame.number());
        let backwards = !in_reach(first_frame) || last_frame.is_some_and(|last| last < first_frame || !in_reach(last));
        if overlap || strangers || dialer_players.is_empty() || listener_players.is_empty() || backwards {
            return Err(Reject::BadField);
        }
        Ok(Self { match_id, nonce, listener_nonce, dialer_players, listener_players, params, first_frame, last_frame })
    }
}

impl Refusal {
    /// Writes the packet; 0 if `out` is too small.
    pub fn write(&self, key: ConnectionKey, out: &mut [u8]) -> usize {
        let mut writer = begin(out, PacketType::Refuse, PROTOCOL_VERSION, self.match_id, self.nonce);
        let (code, place, a, b) = match self.reason {
            RefusalReason::Version(_) => (0, 0, 0, 0),
            RefusalReason::OtherMatch => (1, 0, 0, 0),
            RefusalReason::Full => (2, 0, 0, 0),
            RefusalReason::Started => (3, 0, 0, 0),
            RefusalReason::Mismatch(mismatch) => {
                let (place, dialer, listener) = mismatch.to_wire();
                (4, place, dialer, listener)
            }
            RefusalReason::NotEncrypted => (5, 0, 0, 0),
            RefusalReason::EncryptionRequired => (6, 0, 0, 0),
            RefusalReason::NoTicket => (7, 0, 0, 0),
            RefusalReason::SeatTaken => (8, 0, 0, 0),
        };
        writer.u8(code);
        writer.u8(place);
        writer.u32(a);
        writer.u32(b);
        end(writer, key)
    }

    /// Reads a packet that nobody has checked, of any version.
    ///
    /// # Errors
    /// Says why it is none.
    pub fn read(datagram: &[u8], key: ConnectionKey) -> Result<Self, Reject> {
        let (version, match_id, nonce, mut reader) = open(datagram, PacketType::Refuse, key)?;
        let (code, place, a, b) = (reader.u8()?, reader.u8()?, reader.u32()?, reader.u32()?);
        let reason = match code {
            _ if version != PROTOCOL_VERSION => RefusalReason::Version(version),
            0 => RefusalReason::Version(version),
            1 => RefusalReason::OtherMatch,
            2 => RefusalReason::Full,
            3 => RefusalReason::Started,
            4 => RefusalReason::Mismatch(Mismatch::from_wire(place, a, b)),
            5 => RefusalReason::NotEncrypted,
            6 => RefusalReason::EncryptionRequired,
            7 => RefusalReason::NoTicket,
            8 => RefusalReason::SeatTaken,
            _ => return Err(Reject::BadField),
        };
        if version == PROTOCOL_VERSION {
            finish_zeros(reader)?;
        }
        Ok(Self { match_id, nonce, reason })
    }
}

pub(super) fn write_roster(roster: &[RosterEntry], out: &mut Writer<'_>) {
    let roster = roster.get(..MAX_PLAYERS).unwrap_or(roster);
    out.u8(roster.len() as u8);
    for entry in roster {
        out.u8(entry.players.bits());
        out.u32(entry.instance);
        out.u8(u8::from(entry.pairing.is_some()));
        if let Some(Pairing { fingerprint, secret }) = entry.pairing {
            out.bytes(&fingerprint.0);
            out.bytes(&secret.0);
        }
        match entry.address.map(|address| (address.ip(), address.port())) {
            None => out.u8(0),
            Some((IpAddr::V4(ip), port)) => {
                out.u8(4);
                out.bytes(&ip.octets());
                out.u16(port);
            }
            Some((IpAddr::V6(ip), port)) => {
                out.u8(6);
                out.bytes(&ip.octets());
                out.u16(port);
            }
        }
    }
}

pub(super) fn read_roster(from: &mut Reader<'_>) -> Result<Vec<RosterEntry>, Reject> {
    let count = usize::from(from.u8()?);
    if count > MAX_PLAYERS {
        return Err(Reject::BadField);
    }
    let mut seen = PlayerSet::EMPTY;
    let mut roster = Vec::with_capacity(count);
    for _ in 0..count {
        let players = read_players(from)?;
        if players.is_empty() || players.bits() & seen.bits() != 0 {
            return Err(Reject::BadField);
        }
        seen = seen.union(players);
        let instance = from.u32()?;
        let pairing = match from.u8()? {
            0 => None,
            1 => Some(Pairing { fingerprint: Fingerprint(from.array()?), secret: SeatSecret(from.array()?) }),
            _ => return Err(Reject::BadField),
        };
        let address = match from.u8()? {
            0 => None,
            4 => Some(SocketAddr::from((from.array::<4>()?, from.u16()?))),
            6 => Some(SocketAddr::from((from.array::<16>()?, from.u16()?))),
            _ => return Err(Reject::BadField),
        };
        roster.push(RosterEntry { players, address, instance, pairing });
    }
    Ok(roster)
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: ConnectionKey = ConnectionKey::GREETING;

    fn params() -> PeerParams {
        PeerParams {
            simulation_name: 1,
            simulation_version: 2,
            layout_fingerprint: 3,
            config_hash: 4,
            simulation_hz: 60,
            input_bytes: 2,
            player_count: 4,
            window_max_frames: 8,
            delay_max_frames: 10,
        }
    }

    fn hello() -> Hello {
        Hello { version: PROTOCOL_VERSION, match_id: 7, nonce: 8, players: PlayerSet::EMPTY, player_count: 1, params: params() }
    }

    #[test]
    fn greetings_round_trip_and_are_all_one_size() {
        let mut out = [0; BODY_BYTES + 4];
        assert_eq!(hello().write(KEY, &mut out), BODY_BYTES + 4);
        assert_eq!(Hello::read(&out, KEY), Ok(hello()));
        let welcome = Welcome {
            match_id: 7,
            nonce: 8,
            listener_nonce: 9,
            dialer_players: PlayerSet::from_bits(2),
            listener_players: PlayerSet::from_bits(1),
            params: params(),
            first_frame: Frame::ZERO,
            last_frame: Some(Frame::new(1_199)),
        };
        assert_eq!(welcome.write(KEY, &mut out), BODY_BYTES + 4);
        assert_eq!(Welcome::read(&out, KEY), Ok(welcome));
        let mismatch = PeerParams::compare(&params(), &PeerParams { config_hash: 5, ..params() }).unwrap_err();
        for reason in [
            RefusalReason::OtherMatch,
            RefusalReason::Full,
            RefusalReason::Started,
            RefusalReason::Mismatch(mismatch),
            RefusalReason::NotEncrypted,
        ] {
            let refusal = Refusal { match_id: 7, nonce: 8, reason };
            assert_eq!(refusal.write(KEY, &mut out), BODY_BYTES + 4);
            assert_eq!(Refusal::read(&out, KEY), Ok(refusal));
        }
        assert_eq!(mismatch.to_string(), "the game's data (its hash) differs: the joining peer has 4, the other 5");
    }

    #[test]
    fn under_aead_they_are_the_same_without_a_checksum() {
        let (mut plain, mut sealed) = ([0; BODY_BYTES + 4], [0; BODY_BYTES]);
        hello().write(KEY, &mut plain);
        assert_eq!(hello().write(ConnectionKey::AEAD, &mut sealed), BODY_BYTES);
        assert_eq!(sealed, plain[..BODY_BYTES]);
        assert_eq!(Hello::read(&sealed, ConnectionKey::AEAD), Ok(hello()));
        assert_eq!(Hello::read(&plain, ConnectionKey::AEAD), Err(Reject::TooLong));
    }

    #[test]
    fn another_version_is_still_understood_as_far_as_the_refusal() {
        let mut out = [0; BODY_BYTES + 4];
        Hello { version: 99, player_count: 0, ..hello() }.write(KEY, &mut out);
        assert_eq!(Hello::read(&out, KEY).map(|hello| hello.version), Ok(99));
    }

    #[test]
    fn every_flipped_bit_and_every_length_is_refused() {
        let mut out = [0; BODY_BYTES + 4];
        hello().write(KEY, &mut out);
        for bit in 0..8 * out.len() {
            let mut flipped = out;
            flipped[bit / 8] ^= 1 << (bit % 8);
            assert!(Hello::read(&flipped, KEY).is_err(), "bit {bit}");
        }
        for len in 0..out.len() {
            assert_eq!(Hello::read(&out[..len], KEY), Err(Reject::TooShort));
        }
        assert_eq!(Hello::read(&[0; 2_000], KEY), Err(Reject::TooLong));
    }
}
