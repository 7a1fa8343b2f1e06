//! Proof and Path: packets that only ever stand inside an encrypted connection.

use super::walk::Walk;
use snapback_core::limits::MAX_PLAYERS;

pub(super) fn proof(walk: &mut Walk<'_>) -> Option<()> {
    walk.kind("Proof: an end of a fresh encrypted connection shows who it is")?;
    let seat = walk.u8("seat", |seat| match usize::from(seat) {
        0..MAX_PLAYERS => format!("the secret is that of player {seat}"),
        _ => "which secret it proves to know".to_owned(),
    })?;
    walk.summary.push(format!("seat {seat}"));
    is_answer(walk, "it has not checked the other one's proof yet", "it has checked the other one's proof")?;
    walk.blob("secret proof", 32, "made from the seat's secret, the match and both certificates")?;
    walk.blob("identity", 32, "the sender's public key (ed25519)")?;
    walk.blob("signature", 64, "of the identity, over the match and both certificates")?;
    walk.end()
}

pub(super) fn path(walk: &mut Walk<'_>) -> Option<()> {
    walk.kind("Path: one end of an encrypted connection has moved")?;
    is_answer(walk, "a question to the new address", "the answer from the new address")?;
    walk.id("token", "the answer repeats that of the question")?;
    walk.end()
}

fn is_answer(walk: &mut Walk<'_>, no: &str, yes: &str) -> Option<()> {
    let value = walk.u8("answer", |value| match value {
        0 => no.to_owned(),
        1 => yes.to_owned(),
        _ => "should be 0 or 1".to_owned(),
    })?;
    match value {
        0 => walk.summary.push("question".to_owned()),
        1 => walk.summary.push("answer".to_owned()),
        _ => {
            walk.fault("\"answer\" is neither 0 nor 1");
            return None;
        }
    }
    Some(())
}
