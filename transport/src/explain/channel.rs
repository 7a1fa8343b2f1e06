//! Channel: the packets of the channels beside the rollback socket, in the plaintext profile.

use super::Context;
use super::play::body;
use super::walk::Walk;
use snapback_core::limits::MAX_PLAYERS;

pub(super) fn plain(walk: &mut Walk<'_>, context: &Context) -> Option<()> {
    walk.kind("Channel: chat, lobby or match state beside the rollback socket")?;
    let seat = walk.u8("seat", |seat| match usize::from(seat) {
        0..MAX_PLAYERS => format!("the sender is player {seat}"),
        _ => "nobody can sit there".to_owned(),
    })?;
    let nonce = walk.u32("nonce", |_| "the sender's number for this connection".to_owned())?;
    let echo = walk.u32("echo", |echo| match echo {
        0 => "the sender does not know the receiver's number yet: it knocks".to_owned(),
        _ => "the receiver's number".to_owned(),
    })?;
    let before = walk.taken().len();
    body(walk, if context.is_decrypted { 0 } else { 4 }, "payload", "what laminar and the channels above it say")?;
    let payload_bytes = walk.taken().len() - before;
    walk.summary.push(format!("seat {seat}, {}", if echo == 0 { "knock".to_owned() } else { format!("{payload_bytes} bytes") }));
    if usize::from(seat) >= MAX_PLAYERS || nonce == 0 || (echo == 0 && payload_bytes > 0) {
        walk.fault("a seat that cannot be, a nonce of 0, or a knock that carries something");
        return None;
    }
    walk.crc(context)?;
    walk.end()
}
