//! [`Control`]: what hubs tell each other on a connection's own stream: who they are and what they run,
//! where the others are, and that they leave.

use crate::credentials::{Fingerprint, IdentityKey, SeatSecret};
use crate::packet::reader::{Reader, Writer};
use crate::packet::{Pairing, Reject};
use std::net::{IpAddr, SocketAddr};

/// The version of these messages. Hubs of different versions do not talk.
const VERSION: u8 = 1;

/// The longest of them.
pub(super) const MAX_BYTES: usize = 1 + 1 + 4 + 1 + 96 + 1 + 16 + 2;

const GREETING: u8 = 1;
const INTRODUCE: u8 = 2;
const LEAVING: u8 = 3;

/// A message from hub to hub.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Control {
    /// The first from each side.
    Greeting(Greeting),
    /// From the host: another joiner.
    Introduce(Introduction),
    /// The sender closes its hub.
    Leaving,
}

/// Who the sender is and what it runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Greeting {
    /// Of the table of channels; none if the sender speaks another version of this.
    pub(super) digest: Option<u32>,
    /// The sender's seat.
    pub(super) seat: u8,
    /// Changes when the sender's program is started anew.
    pub(super) instance: u32,
}

/// Where another joiner is, and how the two know each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Introduction {
    /// The other joiner's seat.
    pub(super) seat: u8,
    /// Changes when its program is started anew.
    pub(super) instance: u32,
    /// Its address, as the host sees it.
    pub(super) address: SocketAddr,
    /// None without encryption.
    pub(super) known: Option<Known>,
}

/// By what two joiners know each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Known {
    /// The other one's certificate, and the secret of the pair.
    pub(super) pairing: Pairing,
    /// Who the other one is, as it proved to the host.
    pub(super) identity: IdentityKey,
}

impl Control {
    /// Writes the message; returns its length.
    pub(super) fn write(&self, out: &mut [u8; MAX_BYTES]) -> usize {
        let mut writer = Writer::new(out);
        match self {
            Self::Greeting(greeting) => {
                writer.u8(GREETING);
                writer.u8(VERSION);
                writer.u32(greeting.digest.unwrap_or(0));
                writer.u8(greeting.seat);
                writer.u32(greeting.instance);
            }
            Self::Introduce(introduction) => write_introduction(introduction, &mut writer),
            Self::Leaving => writer.u8(LEAVING),
        }
        writer.finish_bare()
    }

    /// Reads a message that nobody has checked.
    ///
    /// # Errors
    /// Says why it is none.
    pub(super) fn read(message: &[u8]) -> Result<Self, Reject> {
        let mut reader = Reader::new(message);
        let control = match reader.u8()? {
            GREETING => {
                if reader.u8()? != VERSION {
                    return Ok(Self::Greeting(Greeting { digest: None, seat: 0, instance: 0 }));
                }
                let digest = Some(reader.u32()?);
                Self::Greeting(Greeting { digest, seat: reader.u8()?, instance: reader.u32()? })
            }
            INTRODUCE => Self::Introduce(read_introduction(&mut reader)?),
            LEAVING => Self::Leaving,
            _ => return Err(Reject::BadField),
        };
        reader.finish()?;
        Ok(control)
    }
}

fn write_introduction(introduction: &Introduction, writer: &mut Writer<'_>) {
    writer.u8(INTRODUCE);
    writer.u8(introduction.seat);
    writer.u32(introduction.instance);
    writer.u8(u8::from(introduction.known.is_some()));
    if let Some(Known { pairing: Pairing { fingerprint, secret }, identity }) = introduction.known {
        writer.bytes(&fingerprint.0);
        writer.bytes(&secret.0);
        writer.bytes(&identity.0);
    }
    match introduction.address.ip() {
        IpAddr::V4(ip) => {
            writer.u8(4);
            writer.bytes(&ip.octets());
        }
        IpAddr::V6(ip) => {
            writer.u8(6);
            writer.bytes(&ip.octets());
        }
    }
    writer.u16(introduction.address.port());
}

fn read_introduction(reader: &mut Reader<'_>) -> Result<Introduction, Reject> {
    let (seat, instance) = (reader.u8()?, reader.u32()?);
    let known = match reader.u8()? {
        0 => None,
        1 => {
            let pairing = Pairing { fingerprint: Fingerprint(reader.array()?), secret: SeatSecret(reader.array()?) };
            Some(Known { pairing, identity: IdentityKey(reader.array()?) })
        }
        _ => return Err(Reject::BadField),
    };
    let ip = match reader.u8()? {
        4 => IpAddr::from(reader.array::<4>()?),
        6 => IpAddr::from(reader.array::<16>()?),
        _ => return Err(Reject::BadField),
    };
    let port = reader.u16()?;
    // Nobody is there, or everybody: knocking would go to strangers.
    let is_broadcast = ip == IpAddr::from([255; 4]);
    if port == 0 || ip.is_unspecified() || ip.is_multicast() || is_broadcast {
        return Err(Reject::BadField);
    }
    Ok(Introduction { seat, instance, address: SocketAddr::new(ip, port), known })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn samples() -> Vec<Control> {
        let pairing = Pairing { fingerprint: Fingerprint([3; 32]), secret: SeatSecret([4; 32]) };
        let known = Some(Known { pairing, identity: IdentityKey([5; 32]) });
        let introduce =
            |address: &str, known| Control::Introduce(Introduction { seat: 2, instance: 5, address: address.parse().unwrap(), known });
        vec![
            Control::Greeting(Greeting { digest: Some(7), seat: 3, instance: 9 }),
            introduce("10.0.0.2:7000", None),
            introduce("10.0.0.2:7000", known),
            introduce("[2001:db8::1]:65535", known),
            Control::Leaving,
        ]
    }

    #[test]
    fn they_round_trip_and_every_other_length_is_refused() {
        let mut longest = 0;
        for control in samples() {
            let mut out = [0; MAX_BYTES];
            let len = control.write(&mut out);
            assert!(len > 0);
            longest = longest.max(len);
            assert_eq!(Control::read(&out[..len]), Ok(control));
            for shorter in 0..len {
                assert_eq!(Control::read(&out[..shorter]), Err(Reject::TooShort), "{control:?}");
            }
            let longer = [&out[..len], &[0]].concat();
            assert_eq!(Control::read(&longer), Err(Reject::TrailingBytes));
        }
        assert_eq!(longest, MAX_BYTES);
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        let mut out = [0; MAX_BYTES];
        for address in ["0.0.0.0:7000", "10.0.0.2:0", "224.0.0.1:7000", "255.255.255.255:7000", "[ff02::1]:7000", "[::]:7000"] {
            let address = address.parse().unwrap();
            let len = Control::Introduce(Introduction { seat: 2, instance: 5, address, known: None }).write(&mut out);
            assert_eq!(Control::read(&out[..len]), Err(Reject::BadField), "{address}");
        }
        let len = samples()[1].write(&mut out);
        for (at, byte) in [(0, 0), (0, 4), (6, 2), (7, 5)] {
            let mut changed = out;
            changed[at] = byte;
            assert_eq!(Control::read(&changed[..len]), Err(Reject::BadField), "byte {at}");
        }
    }

    #[test]
    fn a_greeting_of_another_version_is_understood_as_one() {
        let mut out = [0; MAX_BYTES];
        let len = samples()[0].write(&mut out);
        out[1] = VERSION + 1;
        assert_eq!(Control::read(&out[..len + 5]), Ok(Control::Greeting(Greeting { digest: None, seat: 0, instance: 0 })));
    }
}
