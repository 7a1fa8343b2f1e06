//! Hello, Welcome and Refusal: the handshake, before there is a connection.

use super::Context;
use super::walk::Walk;
use crate::packet::{Mismatch, PROTOCOL_VERSION, RefusalReason};
use snapback_core::PlayerSet;
use snapback_core::limits::MAX_PLAYERS;

/// Where the checksum of a greeting stands.
const BODY_BYTES: usize = 92;

/// The fields that are the same in every version. Whether the version is ours.
fn open(walk: &mut Walk<'_>, kind: &str) -> Option<bool> {
    walk.kind(kind)?;
    walk.magic()?;
    let is_ours = walk.version()?;
    let id = walk.id("match", "the match that the ticket names")?;
    walk.summary.push(format!("match {id:016x}"));
    walk.id("nonce", "drawn by the dialler; the answer repeats it")?;
    Some(is_ours)
}

fn close(walk: &mut Walk<'_>, is_ours: bool, context: &Context) -> Option<()> {
    walk.zeros(Some(BODY_BYTES), is_ours, "all greetings are equally long: no answer is longer than the question")?;
    walk.greeting_crc(context)?;
    walk.end()
}

pub(super) fn hello(walk: &mut Walk<'_>, context: &Context) -> Option<()> {
    let is_ours = open(walk, "Hello: a peer dials another")?;
    players(walk, "players", "the players that the sender has seats for already")?;
    let count = walk.u8("player count", |_| "players that the sender brings".to_owned())?;
    walk.summary.push(format!("brings {count}"));
    if is_ours && !(1..=MAX_PLAYERS).contains(&usize::from(count)) {
        walk.fault(format!("\"player count\" is {count}, and should be from 1 to {MAX_PLAYERS}"));
    }
    params(walk)?;
    close(walk, is_ours, context)
}

pub(super) fn welcome(walk: &mut Walk<'_>, context: &Context) -> Option<()> {
    let is_ours = open(walk, "Welcome: a seat, and the match as the listener set it up")?;
    if !is_ours {
        walk.fault(format!("a Welcome is always of the version of its reader, {PROTOCOL_VERSION}"));
        return None;
    }
    walk.id("listener nonce", "drawn by the listener: match and both nonces seed the checksums from now on")?;
    let dialer = players(walk, "dialler's players", "the seats that the dialler gets")?;
    let listener = players(walk, "listener's players", "the seats that the listener has")?;
    walk.summary.push(format!("gives {}, has {}", set(dialer), set(listener)));
    if dialer.bits() & listener.bits() != 0 {
        walk.fault("both sides have the same player");
    } else if dialer.is_empty() || listener.is_empty() {
        walk.fault("a side has no player");
    }
    params(walk)?;
    let first = walk.frame("first frame", |_| "where the match begins".to_owned())?;
    let last = walk.frame("last frame", |frame| match frame {
        i64::MAX => "none: the match is endless".to_owned(),
        _ => "after it the match is over".to_owned(),
    })?;
    if last < first {
        walk.fault("the last frame is before the first");
    }
    close(walk, is_ours, context)
}

pub(super) fn refusal(walk: &mut Walk<'_>, context: &Context) -> Option<()> {
    let is_ours = open(walk, "Refusal: the listener does not play with the dialler")?;
    let reason = walk.u8("reason", |code| {
        let named = |reason: RefusalReason| format!("seen from the listener: {reason}");
        match code {
            _ if !is_ours => "the versions differ, whatever it says".to_owned(),
            0 => named(RefusalReason::Version(PROTOCOL_VERSION)),
            1 => named(RefusalReason::OtherMatch),
            2 => named(RefusalReason::Full),
            3 => named(RefusalReason::Started),
            4 => "something that must match does not: the next fields say what".to_owned(),
            5 => named(RefusalReason::NotEncrypted),
            6 => named(RefusalReason::EncryptionRequired),
            7 => named(RefusalReason::NoTicket),
            8 => named(RefusalReason::SeatTaken),
            _ => "no such reason".to_owned(),
        }
    })?;
    let names =
        ["version", "other match", "full", "started", "mismatch", "not encrypted", "encryption required", "no ticket", "seat taken"];
    match names.get(usize::from(reason)) {
        Some(name) => walk.summary.push(format!("reason: {name}")),
        None if is_ours => walk.fault(format!("\"reason\" is {reason}, and there is none such")),
        None => {}
    }
    let is_mismatch = reason == 4;
    let only = |text: String| if is_mismatch { text } else { "only after a mismatch".to_owned() };
    walk.u8("what differs", |place| only(Mismatch::from_wire(place, 0, 0).field().to_owned()))?;
    walk.u32("dialler's value", |_| only("what the dialler has".to_owned()))?;
    walk.u32("listener's value", |_| only("what the listener has".to_owned()))?;
    // What a later version may add to its reasons stands here: its reader lets it be.
    close(walk, false, context)
}

/// What a peer says of itself: see [`PeerParams`](crate::packet::PeerParams).
fn params(walk: &mut Walk<'_>) -> Option<()> {
    walk.hash("simulation name", "the hash of the game's name; must match")?;
    walk.u32("simulation version", |_| "must match".to_owned())?;
    walk.hash("layout fingerprint", "of the state's fields; must match")?;
    walk.hash("config hash", "of the game's data, such as frame data; must match")?;
    walk.u16("simulation hz", |_| "steps a second; must match".to_owned())?;
    walk.u8("input bytes", |_| "the size of one player's input; must match".to_owned())?;
    walk.u8("match players", |_| "players in the match; must match".to_owned())?;
    walk.u8("window max frames", |_| "the most frames that it will ever predict".to_owned())?;
    walk.u8("delay max frames", |_| "the most frames by which it will ever delay its inputs".to_owned())?;
    Some(())
}

/// A set of players, one bit each.
pub(super) fn players(walk: &mut Walk<'_>, name: &str, meaning: &str) -> Option<PlayerSet> {
    let told = |bits| (format!("0b{bits:08b}"), format!("{}: {meaning}", set(PlayerSet::from_bits(bits))));
    walk.array(name, |[bits]| told(bits)).map(|[bits]| PlayerSet::from_bits(bits))
}

/// Such as `players 0 and 2`.
pub(super) fn set(players: PlayerSet) -> String {
    let numbers: Vec<String> = players.iter().map(|player| player.index().to_string()).collect();
    match numbers.split_last() {
        None => "nobody".to_owned(),
        Some((one, [])) => format!("player {one}"),
        Some((last, first)) => format!("players {} and {last}", first.join(", ")),
    }
}
