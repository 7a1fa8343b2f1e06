//! Knock, Cookie and Opener: before a listener spends anything on an address.

use super::dtls;
use super::walk::Walk;

pub(super) fn knock(walk: &mut Walk<'_>) -> Option<()> {
    walk.kind("Knock: a peer wants to dial with encryption")?;
    walk.magic()?;
    let is_ours = walk.version()?;
    nonce(walk, "drawn by the sender; the answer repeats it")?;
    walk.zeros(Some(96), is_ours, "so that no answer is longer than the question")?;
    walk.end()
}

pub(super) fn cookie(walk: &mut Walk<'_>) -> Option<()> {
    walk.kind("Cookie: the answer of a listener with encryption, which it does not remember")?;
    walk.magic()?;
    let is_ours = walk.version()?;
    nonce(walk, "that of the question")?;
    walk.blob("cookie", 16, "holds for one address and this nonce, for 10 to 20 seconds")?;
    if is_ours {
        return walk.end();
    }
    walk.rest("more", |_| "of a version that this program does not know".to_owned());
    Some(())
}

pub(super) fn opener(walk: &mut Walk<'_>) -> Option<()> {
    walk.kind("Opener: the first record of a DTLS handshake, behind a cookie")?;
    nonce(walk, "that of the dialler's Knock")?;
    walk.blob("cookie", 16, "the listener's, sent back: the dialler receives what is sent to its address")?;
    dtls::explain(walk);
    Some(())
}

fn nonce(walk: &mut Walk<'_>, meaning: &str) -> Option<()> {
    let nonce = walk.id("nonce", meaning)?;
    walk.summary.push(format!("nonce {nonce:016x}"));
    Some(())
}
