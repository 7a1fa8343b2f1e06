//! Sync, Input, Parity, Check and Bye: the packets of a connection.

use super::greeting::{players, set};
use super::walk::Walk;
use super::{Context, inputs};
use crate::packet::{InputFlags, ParityView, SeedShare, ack_delay_us};
use snapback_core::PlayerSet;
use snapback_core::limits::MAX_PLAYERS;
use std::net::{Ipv4Addr, Ipv6Addr};

pub(super) fn sync(walk: &mut Walk<'_>, context: &Context) -> Option<()> {
    walk.kind("Sync: all wait at the start barrier, and measure the round trip meanwhile")?;
    let states = [
        ("loading", "the sender has not loaded the match yet"),
        ("loaded", "the sender has loaded the match"),
        ("ready", "the sender is connected to everybody and has measured its links"),
        ("go", "the host has fixed the start"),
    ];
    let [state] = walk.array("state", |[byte]| {
        let echo = if byte & 0x80 == 0 { "no echo: the next two clocks mean nothing" } else { "with an echo" };
        match states.get(usize::from(byte & 0x7F)) {
            Some((name, meaning)) => (format!("0x{byte:02x} {name}"), format!("{meaning}; {echo}")),
            None => (format!("0x{byte:02x}"), "there is no such state".to_owned()),
        }
    })?;
    let Some((name, _)) = states.get(usize::from(state & 0x7F)) else {
        walk.fault("there is no such state of the barrier");
        return None;
    };
    walk.summary.push((*name).to_owned());
    let has_echo = state & 0x80 != 0;
    let echo = |text: &str| if has_echo { text.to_owned() } else { "means nothing without an echo".to_owned() };
    walk.u32("sent at", |_| "µs on the sender's clock, the low 32 bits".to_owned())?;
    walk.u32("echo", |_| echo("the newest \"sent at\" that the sender has received"))?;
    let held = walk.u32("held for", |_| echo("µs between receiving that and sending this"))?;
    if has_echo {
        walk.summary.push(format!("echo held for {held} µs"));
    }
    let start = walk.u32("start in", |_| match *name {
        "go" => "µs until frame 0, as the sender expects this packet to arrive".to_owned(),
        _ => "means nothing before the start is fixed".to_owned(),
    })?;
    if *name == "go" {
        walk.summary.push(format!("start in {start} µs"));
    }
    seed(walk)?;
    roster(walk)?;
    walk.crc(context)?;
    walk.end()
}

/// What the sender adds to the seed.
fn seed(walk: &mut Walk<'_>) -> Option<()> {
    walk.u32("seed round", |_| "rises when somebody commits itself after shares have been revealed".to_owned())?;
    walk.blob("seed commitment", 32, "to the sender's share of the seed")?;
    let revealed = walk.u8("seed revealed", |value| match value {
        0 => "no: the sender has not heard everybody's commitment yet".to_owned(),
        1 => "the share follows".to_owned(),
        _ => "should be 0 or 1".to_owned(),
    })?;
    let share = walk.blob("seed share", SeedShare::BYTES, "8 bytes of seed, 16 that nobody can guess")?;
    let heard = walk.u8("commitments heard", |count| match count {
        0 => "none told on: the match has two peers, or the sender has not heard everybody".to_owned(),
        _ => "beginnings of commitments, by player: nobody shows different peers different ones".to_owned(),
    })?;
    if usize::from(heard) > MAX_PLAYERS {
        walk.fault(format!("commitments of {heard} players, and at most {MAX_PLAYERS} can play"));
        return None;
    }
    for player in 0..heard {
        walk.blob(&format!("heard of player {player}"), 12, "the beginning of the commitment, zeros if there is none")?;
    }
    if revealed > 1 {
        walk.fault("\"seed revealed\" is neither 0 nor 1");
    } else if revealed == 0 && share.iter().any(|byte| *byte != 0) {
        walk.fault("a share that is not revealed is not all zeros");
    }
    Some(())
}

/// Where everybody is.
fn roster(walk: &mut Walk<'_>) -> Option<()> {
    let count = walk.u8("roster", |count| match count {
        0 => "no entries: it does not come from the host, or there are two peers only".to_owned(),
        _ => "entries: where everybody is, as the host sees it".to_owned(),
    })?;
    if usize::from(count) > MAX_PLAYERS {
        walk.fault(format!("the roster has {count} entries, and at most {MAX_PLAYERS} can play"));
        return None;
    }
    if count > 0 {
        walk.summary.push(format!("roster of {count}"));
    }
    let mut seen = PlayerSet::EMPTY;
    for number in 1..=count {
        walk.prefix = format!("peer {number} ");
        entry(walk, &mut seen)?;
    }
    walk.prefix.clear();
    Some(())
}

fn entry(walk: &mut Walk<'_>, seen: &mut PlayerSet) -> Option<()> {
    let here = players(walk, "players", "who plays there")?;
    if here.is_empty() || here.bits() & seen.bits() != 0 {
        walk.fault("a roster entry has no player, or one that another has already");
        return None;
    }
    *seen = seen.union(here);
    walk.hash("instance", "changes when the program there is started anew")?;
    let pairing = walk.u8("pairing", |value| match value {
        0 => "none: the match is plaintext, or this is the host or the receiver".to_owned(),
        1 => "a certificate and a secret follow".to_owned(),
        _ => "should be 0 or 1".to_owned(),
    })?;
    match pairing {
        0 => {}
        1 => {
            walk.blob("fingerprint", 32, "the SHA-256 of its certificate")?;
            walk.slice("secret", 32, |_| ("not shown".to_owned(), "what only these two and the host know".to_owned()))?;
        }
        _ => {
            walk.fault("\"pairing\" is neither 0 nor 1");
            return None;
        }
    }
    let kind = walk.u8("address kind", |kind| match kind {
        0 => "no address: the host itself".to_owned(),
        4 => "IPv4".to_owned(),
        6 => "IPv6".to_owned(),
        _ => "should be 0, 4 or 6".to_owned(),
    })?;
    match kind {
        0 => return Some(()),
        4 => drop(walk.array("ip", |ip: [u8; 4]| (Ipv4Addr::from(ip).to_string(), String::new()))?),
        6 => drop(walk.array("ip", |ip: [u8; 16]| (Ipv6Addr::from(ip).to_string(), String::new()))?),
        _ => {
            walk.fault("\"address kind\" is none of 0, 4 and 6");
            return None;
        }
    }
    walk.u16("port", |_| String::new()).map(|_| ())
}

pub(super) fn input(walk: &mut Walk<'_>, context: &Context) -> Option<()> {
    let [first] = walk.array("type and flags", |[byte]| (format!("0x{byte:02x}"), flags(byte)))?;
    let Ok(flags) = InputFlags::from_bits(first) else {
        walk.fault("the flags say that all 32 packets are acknowledged, and that there is no acknowledgement");
        return None;
    };
    let acks = |text: &str| if flags.has_ack { text.to_owned() } else { "means nothing: no packet has come yet".to_owned() };
    let sequence = walk.u16("sequence", |_| "this packet's number, the low 16 bits".to_owned())?;
    walk.summary.push(format!("#{sequence}"));
    let ack = walk.u16("ack", |_| acks("the newest packet that the sender has received"))?;
    let bits = if flags.all_acked {
        u32::MAX
    } else {
        let told = |bytes| {
            let bits = u32::from_le_bytes(bytes);
            let count = bits.count_ones();
            (format!("0x{bits:08x}"), acks(&format!("{count} of the 32 packets before it have come: bit n is packet ack - 1 - n")))
        };
        walk.array("ack bits", told).map(u32::from_le_bytes)?
    };
    if flags.has_ack {
        walk.summary.push(format!("ack {ack} +{}/32", bits.count_ones()));
        walk.notes.extend(inputs::ack_picture(ack, bits));
    }
    let newest = walk.u16("newest frame", |_| "of the window, the low 16 bits".to_owned())?;
    let count = walk.u8("frame count", |count| match count {
        0 => "no frames: it only acknowledges".to_owned(),
        _ => format!("frames {} to {newest}, for each of the sender's players", inputs::first_of(newest, count)),
    })?;
    walk.summary.push(match count {
        0 => "no frames".to_owned(),
        _ => format!("frames {}..={newest}", inputs::first_of(newest, count)),
    });
    let input_ack = walk.u16("input ack", |frame| match frame {
        u16::MAX => "the frame before the first, as a rule: no input of the receiver is here yet".to_owned(),
        _ => "up to this frame every input of the receiver has come".to_owned(),
    })?;
    walk.summary.push(format!("input ack {input_ack}"));
    walk.u8("ack delay", |units| match ack_delay_us(units) {
        Some(us) => acks(&format!("the acknowledged packet waited {us} to {} µs for this one, in units of 256", us + 255)),
        None => acks("the acknowledged packet waited longer than 65 ms for this one"),
    })?;
    walk.array("lag", |[byte]| (byte.cast_signed().to_string(), lag(byte.cast_signed())))?;
    let trailer_bytes = if context.is_decrypted { 0 } else { 4 };
    let encoded = body(walk, trailer_bytes, "inputs", "the inputs, about a bit each: see the frames below")?;
    inputs::frames(walk, encoded, newest, count, context);
    walk.crc(context)?;
    walk.end()
}

fn flags(byte: u8) -> String {
    let names = [(4, "every frame send"), (5, "batch resend"), (6, "has ack"), (7, "all acked")];
    let set: Vec<&str> = names.into_iter().filter(|(bit, _)| byte >> bit & 1 == 1).map(|(_, name)| name).collect();
    let flags = if set.is_empty() { "no flags".to_owned() } else { format!("flags: {}", set.join(", ")) };
    format!("Input: the inputs of a window of frames, and acknowledgements; {flags}")
}

fn lag(frames: i8) -> String {
    match frames {
        0 => "frames: the sender has the receiver's input for the very frame that it plays".to_owned(),
        1.. => "frames that the sender plays ahead of the newest input that it has from the receiver".to_owned(),
        _ => "frames: the sender has inputs of the receiver for frames that it has yet to play".to_owned(),
    }
}

/// Everything up to the trailer.
pub(super) fn body<'a>(walk: &mut Walk<'a>, trailer_bytes: usize, name: &str, meaning: &str) -> Option<&'a [u8]> {
    match walk.left().len().saturating_sub(trailer_bytes) {
        0 => Some(&[]),
        len => walk.blob(name, len, meaning),
    }
}

pub(super) fn parity(walk: &mut Walk<'_>, context: &Context) -> Option<()> {
    walk.kind("Parity: the XOR of a group of Input packets, which gives one of them back if it is lost")?;
    let base = walk.u16("base", |_| "the sequence of the group's first packet, the low 16 bits".to_owned())?;
    let count = walk.u8("packet count", |_| "packets in the group".to_owned())?;
    walk.summary.push(format!("#{base}..=#{}", base.wrapping_add(u16::from(count).wrapping_sub(1))));
    walk.u16("length XOR", |_| "the XOR of their lengths, checksums left out".to_owned())?;
    debug_assert_eq!(walk.taken().len(), ParityView::HEADER_BYTES);
    let trailer_bytes = if context.is_decrypted { 0 } else { 4 };
    body(walk, trailer_bytes, "bytes XOR", "the XOR of their bytes, each filled with zeros to the longest")?;
    walk.crc(context)?;
    walk.end()
}

pub(super) fn check(walk: &mut Walk<'_>, context: &Context) -> Option<()> {
    let player_count = |byte: u8| usize::from(byte >> 4 & 7) + 1;
    let told = |[byte]: [u8; 1]| {
        let players = player_count(byte);
        (format!("0x{byte:02x}"), format!("Check: what a peer computed for a frame that it has confirmed, in a match of {players}"))
    };
    let [first] = walk.array("type and flags", told)?;
    if first & 0x80 == 0 {
        walk.fault("the highest bit of the flags is not set");
        return None;
    }
    let frame = walk.u16("frame", |_| "the low 16 bits".to_owned())?;
    walk.summary.push(format!("frame {frame}"));
    let digest = walk.hash("states digest", "of the hashes of all states up to that frame")?;
    walk.summary.push(format!("digest {digest:08x}"));
    for player in 0..player_count(first) {
        walk.prefix = format!("player {player} ");
        walk.hash("inputs digest", "of all inputs of that player so far")?;
    }
    walk.prefix.clear();
    walk.crc(context)?;
    walk.end()
}

pub(super) fn bye(walk: &mut Walk<'_>, context: &Context) -> Option<()> {
    walk.kind("Bye: a peer leaves, and says what it confirmed")?;
    let reasons = [
        ("finished", "the match is over and every frame is confirmed"),
        ("quit", "the player or the program ended it"),
        ("violation", "the other side broke a rule"),
        ("peer lost", "another peer was lost, and the match with it"),
        ("desynced", "a peer has another state of this frame after the same inputs"),
        ("inputs differ", "somebody shows different peers different inputs"),
        ("checks withheld", "the other side plays on and sends no checks"),
    ];
    let reason = walk.u8("reason", |reason| match reasons.get(usize::from(reason)) {
        Some((name, meaning)) => format!("{name}: {meaning}"),
        None => "there is no such reason".to_owned(),
    })?;
    let Some((name, _)) = reasons.get(usize::from(reason)) else {
        walk.fault(format!("\"reason\" is {reason}, and there is none such"));
        return None;
    };
    walk.summary.push((*name).to_owned());
    let frame = walk.frame("confirmed frame", |_| "the last one that the sender confirmed".to_owned())?;
    walk.summary.push(format!("confirmed frame {frame}"));
    walk.hash("confirmed hash", "of the state after that frame")?;
    let digest = walk.hash("digest", "CRC-32 over the hashes of all confirmed frames")?;
    walk.summary.push(format!("digest {digest:08x}"));
    let lost = players(walk, "lost", "who was lost, or whom it is about")?;
    if !lost.is_empty() {
        walk.summary.push(format!("lost {}", set(lost)));
    }
    walk.crc(context)?;
    walk.end()
}
