//! The messages of ggrs as they stand on the wire, in a form that can be looked into.
//!
//! ggrs's own `Message` has no public field, so a datagram is read twice: as a [`Heard`], which is checked, and
//! then as a `Message`. Both have the same shape, and the codec has no names in it. ggrs's UDP socket uses bincode 1,
//! which is unmaintained; postcard is maintained, and smaller.

use ggrs::Message;
use serde::{Deserialize, Serialize};

/// Stands before every message, so that none looks like a packet of the encryption's own, all of which
/// begin with less.
const TAG: u8 = b'g';

/// A message of ggrs.
#[derive(Serialize, Deserialize, PartialEq, Debug)]
pub(super) struct Heard<'a> {
    pub(super) magic: u16,
    #[serde(borrow)]
    pub(super) body: Body<'a>,
}

/// In the order of ggrs.
#[derive(Serialize, Deserialize, PartialEq, Debug)]
pub(super) enum Body<'a> {
    SyncRequest {
        random: u32,
    },
    SyncReply {
        random: u32,
    },
    #[serde(borrow)]
    Input(Inputs<'a>),
    InputAck {
        ack_frame: i32,
    },
    QualityReport {
        frame_advantage: i16,
        ping: u128,
    },
    QualityReply {
        pong: u128,
    },
    ChecksumReport {
        checksum: u128,
        frame: i32,
    },
    KeepAlive,
}

#[derive(Serialize, Deserialize, PartialEq, Debug)]
pub(super) struct Inputs<'a> {
    pub(super) statuses: Vec<Status>,
    pub(super) disconnect_requested: bool,
    pub(super) start_frame: i32,
    pub(super) ack_frame: i32,
    pub(super) bytes: &'a [u8],
}

#[derive(Clone, Copy, Serialize, Deserialize, PartialEq, Debug)]
pub(super) struct Status {
    pub(super) disconnected: bool,
    pub(super) last_frame: i32,
}

/// A message as it goes into a packet; `None` if it is too large for any.
pub(super) fn write<'a>(message: &Message, out: &'a mut [u8]) -> Option<&'a [u8]> {
    let (tag, rest) = out.split_first_mut()?;
    *tag = TAG;
    let len = postcard::to_slice(message, rest).ok()?.len();
    out.get(..=len)
}

/// What a packet says.
pub(super) fn look(packet: &[u8]) -> Option<Heard<'_>> {
    match postcard::take_from_bytes(packet.strip_prefix(&[TAG])?) {
        Ok((heard, [])) => Some(heard),
        _ => None,
    }
}

/// The message in a packet that was looked into.
pub(super) fn read(packet: &[u8]) -> Option<Message> {
    postcard::from_bytes(packet.strip_prefix(&[TAG])?).ok()
}

/// The message that was looked into, as it is now.
pub(super) fn reread(heard: &Heard<'_>) -> Option<Message> {
    postcard::from_bytes(&postcard::to_allocvec(heard).ok()?).ok()
}

#[cfg(test)]
pub(super) fn written(heard: &Heard<'_>) -> Vec<u8> {
    let mut packet = vec![TAG];
    packet.extend(postcard::to_allocvec(heard).unwrap());
    packet
}

#[cfg(test)]
mod tests {
    use super::*;

    fn every_kind() -> [Body<'static>; 8] {
        let statuses = vec![Status { disconnected: false, last_frame: 3 }, Status { disconnected: true, last_frame: -1 }];
        [
            Body::SyncRequest { random: 0xDEAD_BEEF },
            Body::SyncReply { random: 5 },
            Body::Input(Inputs { statuses, disconnect_requested: false, start_frame: 7, ack_frame: -1, bytes: &[1, 2, 3] }),
            Body::InputAck { ack_frame: 900 },
            Body::QualityReport { frame_advantage: -3, ping: u128::MAX },
            Body::QualityReply { pong: 1 },
            Body::ChecksumReport { checksum: 0xC0FFEE, frame: 30 },
            Body::KeepAlive,
        ]
    }

    /// The shapes are the same: what is written from ours is read by ggrs, and written the same again.
    #[test]
    fn ggrs_reads_and_writes_what_we_look_into() {
        for body in every_kind() {
            let packet = written(&Heard { magic: 300, body });
            let message = read(&packet).unwrap();
            let mut out = [0; 256];
            assert_eq!(write(&message, &mut out), Some(packet.as_slice()));
            let heard = look(&packet).unwrap();
            // Names differ, numbers do not.
            let (ours, theirs) = (format!("{heard:?}"), format!("{message:?}"));
            let kind =
                |text: &str| text.split("body: ").nth(1).map(|body| body.split([' ', '(']).next().unwrap_or_default().replace('}', ""));
            assert_eq!(kind(&ours), kind(&theirs));
        }
    }

    #[test]
    fn nothing_else_is_read() {
        for body in every_kind() {
            let packet = written(&Heard { magic: 300, body });
            for len in 0..packet.len() {
                assert_eq!(look(&packet[..len]), None);
            }
            let longer = [packet.as_slice(), &[0]].concat();
            assert_eq!(look(&longer), None);
        }
        // Bytes that are not there are not made room for.
        assert_eq!(look(&[TAG, 1, 2, 0xFF, 0xFF, 0xFF, 0xFF, 0x0F]), None);
        assert_eq!(look(&[TAG, 1, 9]), None);
    }
}
