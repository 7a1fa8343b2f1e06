//! DTLS records: their headers, and what of a handshake is in the clear (RFC 6347, RFC 9147).
//!
//! What is sealed stays sealed: without the keys of the connection nothing more can be told.

use super::walk::{Walk, hex};

const VERSIONS: [u16; 3] = [0xFEFF, 0xFEFD, 0xFEFC];

/// Whether a datagram is one of DTLS. The first byte of an Input packet of the plaintext profile can
/// be that of a record, so the rest of the header has to fit as well.
pub(super) fn is_record(datagram: &[u8]) -> bool {
    let Some(first) = datagram.first() else { return false };
    let can_be_input = first & 0x0F == crate::packet::PacketType::Input as u8;
    match first {
        20..=26 => !can_be_input || datagram.get(1..3).is_some_and(|at| VERSIONS.iter().any(|version| version.to_be_bytes() == at)),
        0x20..=0x3F => !can_be_input || tiles(datagram),
        _ => false,
    }
}

/// Whether sealed records with lengths fill the datagram exactly.
fn tiles(mut datagram: &[u8]) -> bool {
    while let Some(first) = datagram.first() {
        if first & 0xF4 != 0x24 {
            return false;
        }
        let at = if first & 0x08 == 0 { 2 } else { 3 };
        let Some(length) = datagram.get(at..).and_then(<[u8]>::first_chunk::<2>) else { return false };
        let end = at + 2 + usize::from(u16::from_be_bytes(*length));
        let Some(rest) = datagram.get(end..) else { return false };
        datagram = rest;
    }
    true
}

/// Explains the records that fill the rest of the datagram.
pub(super) fn explain(walk: &mut Walk<'_>) {
    let mut number = 1;
    // Each record takes a byte at least, or says that it cannot be understood.
    while !walk.left().is_empty() {
        walk.prefix = if number == 1 { String::new() } else { format!("record {number} ") };
        if record(walk).is_none() {
            break;
        }
        number += 1;
    }
    if walk.taken().is_empty() || number == 1 {
        walk.fault("there is no whole record");
    }
}

fn record(walk: &mut Walk<'_>) -> Option<()> {
    match walk.left().first()? {
        20..=26 => clear(walk),
        0x20..=0x3F => sealed(walk),
        first => {
            walk.fault(format!("no DTLS record begins with 0x{first:02x}"));
            None
        }
    }
}

fn be<const N: usize>(bytes: [u8; N]) -> u64 {
    bytes.iter().fold(0, |value, byte| value << 8 | u64::from(*byte))
}

fn number<const N: usize>(walk: &mut Walk<'_>, name: &str, meaning: &str) -> Option<u64> {
    walk.array(name, |bytes: [u8; N]| (be(bytes).to_string(), meaning.to_owned())).map(be)
}

/// A record of DTLS 1.2, or one of DTLS 1.3 before there are keys.
fn clear(walk: &mut Walk<'_>) -> Option<()> {
    let [kind] = walk.array("content type", |[kind]| (kind.to_string(), content_name(kind).to_owned()))?;
    walk.array("version", |bytes: [u8; 2]| (format!("0x{:04x}", be(bytes)), version_name(be(bytes)).to_owned()))?;
    let epoch = number::<2>(walk, "epoch", "0 before there are keys")?;
    number::<6>(walk, "sequence", "of the record within its epoch")?;
    let length = number::<2>(walk, "length", "bytes of the fragment that follows")?;
    let length = usize::try_from(length).unwrap_or(usize::MAX);
    if epoch > 0 {
        walk.summary.push(format!("{} (sealed, epoch {epoch})", content_name(kind)));
        let meaning = "encrypted by DTLS 1.2: without the keys it cannot be shown";
        return walk.blob("sealed fragment", length, meaning).map(|_| ());
    }
    let end = walk.taken().len().saturating_add(length);
    match kind {
        22 => handshake(walk, end),
        21 if length == 2 => alert(walk),
        26 => acks(walk, length),
        _ => {
            walk.summary.push(content_name(kind).to_owned());
            let meaning = if kind == 20 { "from the next record on the sender encrypts" } else { "the content, in the clear" };
            walk.blob("fragment", length, meaning).map(|_| ())
        }
    }
}

/// The messages of a handshake record, which ends at byte `end`.
fn handshake(walk: &mut Walk<'_>, end: usize) -> Option<()> {
    let prefix = walk.prefix.clone();
    let mut count = 1;
    while walk.taken().len() < end {
        if count > 1 {
            walk.prefix = format!("{prefix}message {count} ");
        }
        let [kind] = walk.array("handshake type", |[kind]| (kind.to_string(), message_name(kind).to_owned()))?;
        let length = number::<3>(walk, "message length", "bytes of the whole message")?;
        number::<2>(walk, "message sequence", "the message's place in the handshake")?;
        let offset = number::<3>(walk, "fragment offset", "where this part of the message begins")?;
        let part = number::<3>(walk, "fragment length", "bytes of this part")?;
        let part_bytes = usize::try_from(part).unwrap_or(usize::MAX);
        walk.summary.push(match part == length {
            true => message_name(kind).to_owned(),
            false => format!("{} [{offset}..{}/{length}]", message_name(kind), offset.saturating_add(part)),
        });
        if offset.saturating_add(part) > length {
            walk.fault("a part of a handshake message lies outside the message");
        }
        if walk.taken().len().saturating_add(part_bytes) > end && end <= walk.taken().len() + walk.left().len() {
            walk.fault("a handshake message is longer than its record");
            walk.blob("message", end.saturating_sub(walk.taken().len()), "as far as the record goes");
            return None;
        }
        let whole = part == length && offset == 0;
        match kind {
            1 | 2 if whole && part_bytes >= 34 => hello(walk, part_bytes)?,
            _ if part_bytes > 0 => drop(walk.blob("message", part_bytes, "the message, in the clear")?),
            _ => {}
        }
        count += 1;
    }
    walk.prefix = prefix;
    Some(())
}

/// How a ClientHello and a ServerHello begin.
fn hello(walk: &mut Walk<'_>, len: usize) -> Option<()> {
    walk.array("hello version", |bytes: [u8; 2]| {
        (format!("0x{:04x}", be(bytes)), format!("{}; DTLS 1.3 stands in an extension", version_name(be(bytes))))
    })?;
    walk.blob("random", 32, "drawn by the sender")?;
    match len - 34 {
        0 => Some(()),
        rest => walk.blob("hello rest", rest, "session, ciphers and extensions").map(|_| ()),
    }
}

fn alert(walk: &mut Walk<'_>) -> Option<()> {
    walk.array("alert level", |[level]| {
        (
            level.to_string(),
            ["warning", "fatal"]
                .get(usize::from(level).wrapping_sub(1))
                .map_or_else(|| "no such level".to_owned(), |name| (*name).to_owned()),
        )
    })?;
    let [kind] = walk.array("alert", |[kind]| (kind.to_string(), alert_name(kind).to_owned()))?;
    walk.summary.push(format!("alert {}", alert_name(kind)));
    Some(())
}

/// Which records have come: DTLS 1.3.
fn acks(walk: &mut Walk<'_>, length: usize) -> Option<()> {
    if length < 2 {
        walk.fault("an acknowledgement of records has no length");
        return walk.blob("fragment", length, "too short").map(|_| ());
    }
    number::<2>(walk, "list length", "bytes of the list of records that have come, 16 each")?;
    walk.summary.push(format!("ACK of {} records", (length - 2) / 16));
    match length - 2 {
        0 => Some(()),
        rest => walk.slice("records", rest, |bytes| (hex(bytes), "epoch and sequence of each, 8 bytes each".to_owned())).map(|_| ()),
    }
}

/// A record of DTLS 1.3 with keys, which has the short header.
fn sealed(walk: &mut Walk<'_>) -> Option<()> {
    let [first] = walk.array("unified header", |[first]| {
        let (c, s, l) = (first & 0x10 != 0, first & 0x08 != 0, first & 0x04 != 0);
        let meaning = format!(
            "DTLS 1.3 with keys: {} connection id, {}-bit sequence, {} length, epoch …{} ({})",
            if c { "a" } else { "no" },
            if s { 16 } else { 8 },
            if l { "a" } else { "no" },
            first & 3,
            epoch_name(first & 3),
        );
        (format!("0b{first:08b}"), meaning)
    })?;
    walk.summary.push(format!("sealed ({})", epoch_name(first & 3)));
    if first & 0x10 != 0 {
        let meaning = "a connection id whose length only the two ends know, then sequence, length and the sealed content";
        walk.rest("connection id and rest", |_| meaning.to_owned());
        return Some(());
    }
    let masked = "of the record, masked: only the two ends can read it";
    if first & 0x08 == 0 {
        walk.blob("sequence", 1, masked)?
    } else {
        walk.blob("sequence", 2, masked)?
    };
    let length = if first & 0x04 == 0 {
        walk.left().len()
    } else {
        usize::try_from(number::<2>(walk, "length", "bytes of the sealed content")?).unwrap_or(usize::MAX)
    };
    if length == 0 {
        walk.fault("a sealed record has no content");
        return Some(());
    }
    let meaning = match length.checked_sub(17) {
        Some(most) => format!("encrypted: at most {most} bytes of content, its type and a tag; without the keys it cannot be shown"),
        None => "too short for a type and a tag".to_owned(),
    };
    walk.blob("sealed content", length, &meaning).map(|_| ())
}

fn epoch_name(low_bits: u8) -> &'static str {
    match low_bits {
        0 => "a later key of the connection",
        1 => "early data, or a later key",
        2 => "handshake",
        _ => "packets of the connection",
    }
}

fn version_name(version: u64) -> &'static str {
    match version {
        0xFEFF => "DTLS 1.0, as a first ClientHello says",
        0xFEFD => "DTLS 1.2, as DTLS 1.3 says too",
        0xFEFC => "DTLS 1.3",
        _ => "no version of DTLS",
    }
}

fn content_name(kind: u8) -> &'static str {
    match kind {
        20 => "ChangeCipherSpec",
        21 => "alert",
        22 => "handshake",
        23 => "application data",
        24 => "heartbeat",
        25 => "record with a connection id",
        26 => "ACK",
        _ => "unknown",
    }
}

fn message_name(kind: u8) -> &'static str {
    match kind {
        0 => "HelloRequest",
        1 => "ClientHello",
        2 => "ServerHello",
        3 => "HelloVerifyRequest",
        4 => "NewSessionTicket",
        5 => "EndOfEarlyData",
        8 => "EncryptedExtensions",
        9 => "RequestConnectionId",
        10 => "NewConnectionId",
        11 => "Certificate",
        12 => "ServerKeyExchange",
        13 => "CertificateRequest",
        14 => "ServerHelloDone",
        15 => "CertificateVerify",
        16 => "ClientKeyExchange",
        20 => "Finished",
        21 => "CertificateUrl",
        22 => "CertificateStatus",
        24 => "KeyUpdate",
        254 => "MessageHash",
        _ => "unknown message",
    }
}

fn alert_name(kind: u8) -> &'static str {
    match kind {
        0 => "close_notify",
        10 => "unexpected_message",
        20 => "bad_record_mac",
        21 => "decryption_failed",
        22 => "record_overflow",
        30 => "decompression_failure",
        40 => "handshake_failure",
        41 => "no_certificate",
        42 => "bad_certificate",
        43 => "unsupported_certificate",
        44 => "certificate_revoked",
        45 => "certificate_expired",
        46 => "certificate_unknown",
        47 => "illegal_parameter",
        48 => "unknown_ca",
        49 => "access_denied",
        50 => "decode_error",
        51 => "decrypt_error",
        52 => "too_many_cids_requested",
        60 => "export_restriction",
        70 => "protocol_version",
        71 => "insufficient_security",
        80 => "internal_error",
        86 => "inappropriate_fallback",
        90 => "user_canceled",
        100 => "no_renegotiation",
        109 => "missing_extension",
        110 => "unsupported_extension",
        111 => "certificate_unobtainable",
        112 => "unrecognized_name",
        113 => "bad_certificate_status_response",
        114 => "bad_certificate_hash_value",
        115 => "unknown_psk_identity",
        116 => "certificate_required",
        120 => "no_application_protocol",
        _ => "unknown alert",
    }
}
