//! [`Ticket`]: the text by which a host invites another into its match.

use crate::credentials::{Fingerprint, SeatSecret};
use core::fmt;
use core::str::FromStr;
use snapback_core::limits::MAX_PLAYERS;
use std::net::SocketAddr;

const PREFIX: &str = "snapback2";

/// An invitation: where the host is, which match it waits for, and the settings that a joiner needs
/// before it dials. It is one word of plain text that a shell passes on unchanged:
/// `snapback2,addr=127.0.0.1:7000,chan=127.0.0.1:7001,match=00c0ffee00c0ffee,players=2,hz=60,frames=1200,fp=…,seat=1,secret=…,check=…`.
/// A match without channels beside the rollback socket has no `chan`.
///
/// **A ticket is a secret, for one player only.** Whoever has it can take its seat, so the host makes
/// one for each and sends it where nobody else reads. `Display` writes the secret, `Debug` hides it: a
/// log takes `{:?}`. The exception is a ticket for a match without encryption, which ends in
/// `insecure=lan,check=…` and keeps nobody out.
///
/// The checksum at the end finds a ticket that was cut or mistyped. It keeps nobody from changing one.
///
/// ```
/// use snapback_transport::credentials::{Fingerprint, SeatSecret};
/// use snapback_transport::{Ticket, TicketSecurity};
/// let ticket = Ticket {
///     address: "127.0.0.1:7000".parse().unwrap(),
///     channels: Some("127.0.0.1:7001".parse().unwrap()),
///     match_id: 0xC0FFEE,
///     player_count: 2,
///     simulation_hz: 60,
///     frame_count: Some(1_200),
///     security: TicketSecurity::Encrypted { fingerprint: Fingerprint([7; 32]), seat: 1, secret: SeatSecret([9; 32]) },
/// };
/// assert_eq!(ticket.to_string().parse(), Ok(ticket));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ticket {
    /// Where the host listens.
    pub address: SocketAddr,
    /// Where the host's socket for chat, lobby and match state is; none if the match has no such channels.
    pub channels: Option<SocketAddr>,
    /// The match.
    pub match_id: u64,
    /// Players in the match.
    pub player_count: u8,
    /// Steps a second.
    pub simulation_hz: u16,
    /// After how many frames the match ends; none if it does not.
    pub frame_count: Option<u64>,
    /// By what the two know each other.
    pub security: TicketSecurity,
}

/// By what the holder of a ticket and the host know each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TicketSecurity {
    /// The match is encrypted.
    Encrypted {
        /// The host's certificate.
        fingerprint: Fingerprint,
        /// The seat that the ticket is for: a player's number, below the ticket's `player_count`.
        seat: u8,
        /// What the holder proves to know, and nobody else may.
        secret: SeatSecret,
    },
    /// The match is plaintext, on a network that is the players' own: whoever is on the way can read
    /// and change it.
    InsecureLan,
}

/// Why a text is not a ticket.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TicketError {
    /// It does not begin like one.
    NotATicket,
    /// It is a ticket of another version.
    OtherVersion {
        /// How it begins.
        prefix: String,
    },
    /// Its checksum does not fit: it was cut or changed.
    Damaged,
    /// A field is missing.
    Missing {
        /// Which.
        field: &'static str,
    },
    /// A field has an impossible value.
    BadField {
        /// Which.
        field: &'static str,
        /// What stands there.
        value: String,
    },
}

impl fmt::Display for TicketError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotATicket => {
                write!(f, "this is not a match ticket: a ticket begins with \"{PREFIX},\"; copy the whole line that the host printed")
            }
            Self::OtherVersion { prefix } => {
                write!(f, "this ticket begins with \"{prefix}\" and this program reads \"{PREFIX}\": use the same version on both sides")
            }
            Self::Damaged => f.write_str("this ticket is damaged (its checksum does not fit): copy the whole line that the host printed"),
            Self::Missing { field } => write!(f, "this ticket has no \"{field}=\": copy the whole line that the host printed"),
            Self::BadField { field, value } => {
                write!(f, "this ticket has an impossible \"{field}={value}\": copy the whole line that the host printed")
            }
        }
    }
}

impl std::error::Error for TicketError {}

impl fmt::Display for Ticket {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { address, channels, match_id, player_count, simulation_hz, frame_count, security } = self;
        let channels = channels.map_or_else(String::new, |address| format!(",chan={address}"));
        let frames = frame_count.map_or_else(|| "endless".to_owned(), |frames| frames.to_string());
        let body = format!(
            "{PREFIX},addr={address}{channels},match={match_id:016x},players={player_count},hz={simulation_hz},frames={frames},{security}"
        );
        write!(f, "{body},check={:08x}", crc32fast::hash(body.as_bytes()))
    }
}

impl fmt::Display for TicketSecurity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Encrypted { fingerprint, seat, secret } => write!(f, "fp={fingerprint},seat={seat},secret={secret}"),
            Self::InsecureLan => f.write_str("insecure=lan"),
        }
    }
}

impl FromStr for Ticket {
    type Err = TicketError;

    fn from_str(text: &str) -> Result<Self, TicketError> {
        let text = text.trim();
        let prefix = text.split(',').next().unwrap_or_default();
        if prefix != PREFIX {
            let is_version =
                prefix.strip_prefix("snapback").is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|b| b.is_ascii_digit()));
            return Err(if is_version { TicketError::OtherVersion { prefix: prefix.to_owned() } } else { TicketError::NotATicket });
        }
        let (body, check) = text.rsplit_once(",check=").ok_or(TicketError::Missing { field: "check" })?;
        if check != format!("{:08x}", crc32fast::hash(body.as_bytes())) {
            return Err(TicketError::Damaged);
        }
        let player_count = field(body, "players", |value| value.parse().ok().filter(|n| (1..=MAX_PLAYERS).contains(&usize::from(*n))))?;
        Ok(Self {
            address: field(body, "addr", |value| value.parse().ok())?,
            channels: value_of(body, "chan").map(|_| field(body, "chan", |value| value.parse().ok())).transpose()?,
            match_id: field(body, "match", |value| u64::from_str_radix(value, 16).ok())?,
            player_count,
            simulation_hz: field(body, "hz", |value| value.parse().ok().filter(|hz| *hz > 0))?,
            frame_count: field(body, "frames", |value| match value {
                "endless" => Some(None),
                number => number.parse().ok().filter(|frames| *frames > 0 && *frames <= i64::MAX as u64).map(Some),
            })?,
            security: security(body, player_count)?,
        })
    }
}

/// A ticket with both kinds is none: what says that it is encrypted never ends in plaintext.
fn security(body: &str, player_count: u8) -> Result<TicketSecurity, TicketError> {
    if value_of(body, "insecure").is_some() {
        let is_encrypted = ["fp", "seat", "secret"].iter().any(|name| value_of(body, name).is_some());
        return field(body, "insecure", |value| (value == "lan" && !is_encrypted).then_some(TicketSecurity::InsecureLan));
    }
    Ok(TicketSecurity::Encrypted {
        fingerprint: field(body, "fp", |value| value.parse().ok())?,
        seat: field(body, "seat", |value| value.parse().ok().filter(|seat| *seat < player_count))?,
        // What stands there may be most of a secret, and an error goes into a log.
        secret: field(body, "secret", |value| value.parse().ok()).map_err(|error| match error {
            TicketError::BadField { field, .. } => TicketError::BadField { field, value: "(hidden)".to_owned() },
            other => other,
        })?,
    })
}

fn value_of<'a>(body: &'a str, name: &str) -> Option<&'a str> {
    body.split(',').find_map(|part| part.strip_prefix(name)?.strip_prefix('='))
}

fn field<T>(body: &str, name: &'static str, read: impl FnOnce(&str) -> Option<T>) -> Result<T, TicketError> {
    let value = value_of(body, name).ok_or(TicketError::Missing { field: name })?;
    read(value).ok_or_else(|| TicketError::BadField { field: name, value: value.chars().take(60).collect() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use snapback_core::Rng;

    fn ticket() -> Ticket {
        Ticket {
            address: SocketAddr::from(([127, 0, 0, 1], 7_000)),
            channels: None,
            match_id: 0xC0FFEE,
            player_count: 2,
            simulation_hz: 60,
            frame_count: Some(1_200),
            security: TicketSecurity::Encrypted { fingerprint: Fingerprint([0x0F; 32]), seat: 1, secret: SeatSecret([0xA5; 32]) },
        }
    }

    fn insecure() -> Ticket {
        Ticket { security: TicketSecurity::InsecureLan, ..ticket() }
    }

    fn with_channels() -> Ticket {
        Ticket { channels: Some("[2001:db8::1]:7001".parse().unwrap()), ..ticket() }
    }

    fn body() -> String {
        format!("snapback2,addr=127.0.0.1:7000,match=c0ffee,players=2,hz=60,frames=1200,{}", ticket().security)
    }

    fn resigned(body: &str) -> String {
        format!("{body},check={:08x}", crc32fast::hash(body.as_bytes()))
    }

    #[test]
    fn the_text_is_stable() {
        insta::assert_snapshot!(ticket(), @"snapback2,addr=127.0.0.1:7000,match=0000000000c0ffee,players=2,hz=60,frames=1200,fp=0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f,seat=1,secret=a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5,check=9875a871");
        insta::assert_snapshot!(insecure(), @"snapback2,addr=127.0.0.1:7000,match=0000000000c0ffee,players=2,hz=60,frames=1200,insecure=lan,check=49a01a17");
        insta::assert_snapshot!(Ticket { security: TicketSecurity::InsecureLan, ..with_channels() }, @"snapback2,addr=127.0.0.1:7000,chan=[2001:db8::1]:7001,match=0000000000c0ffee,players=2,hz=60,frames=1200,insecure=lan,check=ba43cd18");
        for one in [ticket(), insecure(), with_channels()] {
            let endless = Ticket { address: "[::1]:9".parse().unwrap(), frame_count: None, ..one };
            assert_eq!(one.to_string().parse(), Ok(one));
            assert_eq!(endless.to_string().parse(), Ok(endless));
        }
    }

    #[test]
    fn only_display_tells_the_secret() {
        let secret = "a5".repeat(32);
        assert!(ticket().to_string().contains(&secret));
        let shown = format!("{:?} {:#?}", ticket(), ticket().security);
        assert!(shown.contains("SeatSecret(hidden)") && shown.contains(&"0f".repeat(32)), "{shown}");
        // Neither as hexadecimal digits nor as a list of numbers.
        assert!(!shown.contains("a5a5") && !shown.contains("165"), "{shown}");
        for cut in [&secret[2..], &secret.replace('a', "A"), &format!("{secret}a5")] {
            let error = resigned(&body().replace(&secret, cut)).parse::<Ticket>().unwrap_err();
            assert_eq!(error, TicketError::BadField { field: "secret", value: "(hidden)".to_owned() });
        }
    }

    #[test]
    fn a_ticket_is_encrypted_or_not_and_never_both() {
        for (from, to, expected) in [
            (",seat=1", ",seat=1,insecure=lan", Err(("insecure", "lan"))),
            (",fp=", ",insecure=lan,fp=", Err(("insecure", "lan"))),
            (",seat=1", ",seat=0", Ok(())),
            (",seat=1", ",seat=2", Err(("seat", "2"))),
            (",seat=1", ",seat=-1", Err(("seat", "-1"))),
            (",seat=1", ",seat=256", Err(("seat", "256"))),
        ] {
            let read = resigned(&body().replace(from, to)).parse::<Ticket>().map(|_| ());
            let expected = expected.map_err(|(field, value): (_, &str)| TicketError::BadField { field, value: value.to_owned() });
            assert_eq!(read, expected, "{to}");
        }
        for name in ["fp", "seat", "secret"] {
            let without: Vec<String> = body().split(',').filter(|part| !part.starts_with(&format!("{name}="))).map(str::to_owned).collect();
            assert_eq!(resigned(&without.join(",")).parse::<Ticket>(), Err(TicketError::Missing { field: name }));
        }
        let insecure_body = "snapback2,addr=127.0.0.1:7000,match=c0ffee,players=2,hz=60,frames=1200,insecure=lan";
        assert_eq!(resigned(insecure_body).parse(), Ok(insecure()));
        for value in ["", "LAN", "yes", "lan "] {
            let read = resigned(&insecure_body.replace("=lan", &format!("={value}"))).parse::<Ticket>();
            assert_eq!(read, Err(TicketError::BadField { field: "insecure", value: value.to_owned() }));
        }
        let seat_beside = resigned(&format!("{insecure_body},seat=1"));
        assert_eq!(seat_beside.parse::<Ticket>(), Err(TicketError::BadField { field: "insecure", value: "lan".to_owned() }));
    }

    /// A host program that knows no channels, and one whose match has none, make the same ticket.
    #[test]
    fn the_channels_may_be_left_out_and_not_be_wrong() {
        let with = |chan: &str| resigned(&body().replace(",match=", &format!("{chan},match="))).parse::<Ticket>();
        assert_eq!(with(""), Ok(ticket()));
        assert_eq!(with(",chan=[2001:db8::1]:7001"), Ok(with_channels()));
        for value in ["", "7001", "127.0.0.1", "127.0.0.1:70000", "host:7001"] {
            let expected = TicketError::BadField { field: "chan", value: value.to_owned() };
            assert_eq!(with(&format!(",chan={value}")), Err(expected));
        }
    }

    #[test]
    fn every_cut_and_every_changed_character_is_noticed() {
        let mut rng = Rng::new(1, 1);
        for text in [ticket(), insecure(), with_channels()].map(|ticket| ticket.to_string()) {
            for len in 0..text.len() {
                assert!(text[..len].parse::<Ticket>().is_err(), "{}", &text[..len]);
            }
            for at in 0..text.len() {
                let mut bytes = text.clone().into_bytes();
                bytes[at] ^= 1 << rng.below(4);
                let changed = String::from_utf8(bytes).unwrap();
                assert!(changed.parse::<Ticket>().is_err(), "{changed}");
            }
        }
    }

    #[test]
    fn each_fault_has_a_line_that_says_what_to_do() {
        let error = |text: &str| text.parse::<Ticket>().unwrap_err().to_string();
        let body = body();
        insta::assert_snapshot!(error("hello"), @r#"this is not a match ticket: a ticket begins with "snapback2,"; copy the whole line that the host printed"#);
        insta::assert_snapshot!(error("snapback1,addr=x"), @r#"this ticket begins with "snapback1" and this program reads "snapback2": use the same version on both sides"#);
        insta::assert_snapshot!(error(&format!("{body},check=0")), @"this ticket is damaged (its checksum does not fit): copy the whole line that the host printed");
        insta::assert_snapshot!(error(&resigned(&body.replace("hz=60,", ""))), @r#"this ticket has no "hz=": copy the whole line that the host printed"#);
        insta::assert_snapshot!(error(&resigned(&body.replace("players=2", "players=9"))), @r#"this ticket has an impossible "players=9": copy the whole line that the host printed"#);
        insta::assert_snapshot!(error(&resigned(&body.replace(",seat=1", ""))), @r#"this ticket has no "seat=": copy the whole line that the host printed"#);
        insta::assert_snapshot!(error(&resigned(&body.replace("=a5", "="))), @r#"this ticket has an impossible "secret=(hidden)": copy the whole line that the host printed"#);
        insta::assert_snapshot!(error(&resigned(&body.replace(",match", ",chan=7001,match"))), @r#"this ticket has an impossible "chan=7001": copy the whole line that the host printed"#);
        assert_eq!(resigned(&body).parse(), Ok(ticket()));
    }
}
