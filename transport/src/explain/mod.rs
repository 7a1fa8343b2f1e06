//! What the bytes of a datagram say, field by field and in words: for people who look at a capture.
//!
//! Nothing here decides anything. [`explain`] takes whatever somebody sent, and for a packet that is
//! none it says where the bytes end or go wrong, and by which [`Reject`] an endpoint would drop it.
//!
//! ```
//! use snapback_transport::explain::{Context, explain};
//! use snapback_transport::packet::{Knock, PROTOCOL_VERSION};
//! let mut datagram = [0; 96];
//! Knock { version: PROTOCOL_VERSION, nonce: 7 }.write(&mut datagram);
//! let explained = explain(&datagram, &Context::default());
//! assert_eq!((explained.name, explained.reject), ("Knock", None));
//! assert_eq!((explained.fields[2].name.as_str(), explained.fields[2].offset), ("version", 5));
//! ```

mod channel;
mod door;
mod dtls;
mod greeting;
mod inputs;
mod play;
mod proof;
#[cfg(test)]
mod tests;
mod walk;

pub use inputs::FrameInput;

use crate::packet::{
    Bye, Check, ConnectionKey, Cookie, DATAGRAM_BUDGET_BYTES, Hello, InputView, Knock, Opener, PacketType, ParityView, Path, PlainChannel,
    Proof, Refusal, Reject, Sync, Welcome,
};
use walk::Walk;

/// One field of a datagram.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Field {
    /// Where it begins, in bytes from the start of the datagram.
    pub offset: usize,
    /// How many bytes it has.
    pub len: usize,
    /// Its name, such as `ack bits`.
    pub name: String,
    /// Its value as the format has it, such as `0xdeadbeef`.
    pub value: String,
    /// What that means; empty if the value says it.
    pub meaning: String,
}

/// What is known of a datagram beside its bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Context {
    /// Whether the bytes are a packet from inside an encrypted connection, as it is after
    /// decryption: without a checksum.
    pub is_decrypted: bool,
    /// The connection of a plaintext packet. Without it its checksum cannot be checked.
    pub key: Option<ConnectionKey>,
    /// The size of one player's input, 1..=64.
    pub input_bytes: usize,
    /// How many players the sender has, 1..=8.
    pub player_count: usize,
}

/// A plaintext packet of a sender with one player whose input takes two bytes, as in the fighting
/// world.
impl Default for Context {
    fn default() -> Self {
        Self { is_decrypted: false, key: None, input_bytes: 2, player_count: 1 }
    }
}

/// A datagram, explained.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Explanation {
    /// What it is, such as `Knock` or `DTLS`.
    pub name: &'static str,
    /// The facts that matter most, on one line.
    pub summary: String,
    /// Every byte once, in order.
    pub fields: Vec<Field>,
    /// What several fields say together, one line each.
    pub notes: Vec<String>,
    /// The inputs of every frame, if it is a packet of inputs and they decode.
    pub frames: Vec<FrameInput>,
    /// What is damaged, such as `it ends in the middle of "nonce"`.
    pub damage: Option<String>,
    /// For which reason an endpoint drops it, as far as one can tell without knowing its connection.
    pub reject: Option<Reject>,
}

/// Explains a datagram. Time and memory are bounded by its length.
#[must_use]
pub fn explain(datagram: &[u8], context: &Context) -> Explanation {
    let mut walk = Walk::new(datagram);
    if datagram.is_empty() {
        return walk.finish("nothing", Some(Reject::TooShort));
    }
    if !context.is_decrypted && dtls::is_record(datagram) {
        dtls::explain(&mut walk);
        return walk.finish("DTLS", (datagram.len() > DATAGRAM_BUDGET_BYTES).then_some(Reject::TooLong));
    }
    let Ok(kind) = PacketType::of(datagram) else {
        walk.rest("bytes", |_| "no type of packet and no DTLS record begins like this".to_owned());
        return walk.finish("unknown", Some(Reject::UnknownType));
    };
    // A fault inside the fields ends the walk; the rest is then told as one field.
    let _ = match kind {
        PacketType::Hello => greeting::hello(&mut walk, context),
        PacketType::Welcome => greeting::welcome(&mut walk, context),
        PacketType::Refuse => greeting::refusal(&mut walk, context),
        PacketType::Sync => play::sync(&mut walk, context),
        PacketType::Input => play::input(&mut walk, context),
        PacketType::Bye => play::bye(&mut walk, context),
        PacketType::Check => play::check(&mut walk, context),
        PacketType::Parity => play::parity(&mut walk, context),
        PacketType::Knock => door::knock(&mut walk),
        PacketType::Cookie => door::cookie(&mut walk),
        PacketType::Opener => door::opener(&mut walk),
        PacketType::Proof => proof::proof(&mut walk),
        PacketType::Path => proof::path(&mut walk),
        PacketType::PlainChannel => channel::plain(&mut walk, context),
    };
    walk.finish(name_of(kind), verdict(kind, datagram, context))
}

fn name_of(kind: PacketType) -> &'static str {
    match kind {
        PacketType::Hello => "Hello",
        PacketType::Welcome => "Welcome",
        PacketType::Refuse => "Refusal",
        PacketType::Sync => "Sync",
        PacketType::Input => "Input",
        PacketType::Bye => "Bye",
        PacketType::Check => "Check",
        PacketType::Knock => "Knock",
        PacketType::Parity => "Parity",
        PacketType::Cookie => "Cookie",
        PacketType::Opener => "Opener",
        PacketType::Proof => "Proof",
        PacketType::Path => "Path",
        PacketType::PlainChannel => "Channel",
    }
}

/// Why the packet is none, if it is none: what its own reader says.
fn verdict(kind: PacketType, datagram: &[u8], context: &Context) -> Option<Reject> {
    let greeting = if context.is_decrypted { ConnectionKey::AEAD } else { ConnectionKey::GREETING };
    // Whose connection is not known: the checksum is cut off, and what is left read without one.
    let (body, key) = match context.key {
        _ if context.is_decrypted => (datagram, ConnectionKey::AEAD),
        Some(key) => (datagram, key),
        None => (datagram.split_last_chunk::<4>().map_or(&[][..], |(body, _)| body), ConnectionKey::AEAD),
    };
    if datagram.len() > DATAGRAM_BUDGET_BYTES {
        return Some(Reject::TooLong);
    }
    match kind {
        PacketType::Hello => Hello::read(datagram, greeting).err(),
        PacketType::Welcome => Welcome::read(datagram, greeting).err(),
        PacketType::Refuse => Refusal::read(datagram, greeting).err(),
        PacketType::Sync => Sync::read(body, key).err(),
        PacketType::Input => InputView::read(body, key).err(),
        PacketType::Bye => Bye::read(body, key).err(),
        PacketType::Check => Check::read(body, key).err(),
        PacketType::Parity => ParityView::read(body, key).err(),
        PacketType::Knock => Knock::read(datagram).err(),
        PacketType::Cookie => Cookie::read(datagram).err(),
        PacketType::Opener => Opener::read(datagram).err(),
        PacketType::Proof => Proof::read(datagram).err(),
        PacketType::Path => Path::read(datagram).err(),
        PacketType::PlainChannel => PlainChannel::read(body, key).err(),
    }
}
