//! [`Ticket`]: the text by which a host invites others into its match.

use core::fmt;
use core::str::FromStr;
use snapback_core::limits::MAX_PLAYERS;
use std::net::SocketAddr;

const PREFIX: &str = "snapback1";

/// An invitation: where the host is, which match it waits for, and the settings that a joiner needs
/// before it dials. It is one word of plain text that a shell passes on unchanged:
/// `snapback1,addr=127.0.0.1:7000,match=00c0ffee00c0ffee,players=2,hz=60,frames=1200,check=…`.
///
/// The checksum at the end finds a ticket that was cut or mistyped. A ticket is no secret yet: the
/// encrypted transport adds the host's certificate fingerprint and a one-time secret as fields.
///
/// ```
/// use snapback_transport::Ticket;
/// let ticket = Ticket {
///     address: "127.0.0.1:7000".parse().unwrap(),
///     match_id: 0xC0FFEE,
///     player_count: 2,
///     simulation_hz: 60,
///     frame_count: Some(1_200),
/// };
/// assert_eq!(ticket.to_string().parse(), Ok(ticket));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ticket {
    /// Where the host listens.
    pub address: SocketAddr,
    /// The match.
    pub match_id: u64,
    /// Players in the match.
    pub player_count: u8,
    /// Steps a second.
    pub simulation_hz: u16,
    /// After how many frames the match ends; none if it does not.
    pub frame_count: Option<u64>,
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
        let Self { address, match_id, player_count, simulation_hz, frame_count } = self;
        let frames = frame_count.map_or_else(|| "endless".to_owned(), |frames| frames.to_string());
        let body = format!("{PREFIX},addr={address},match={match_id:016x},players={player_count},hz={simulation_hz},frames={frames}");
        write!(f, "{body},check={:08x}", crc32fast::hash(body.as_bytes()))
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
        Ok(Self {
            address: field(body, "addr", |value| value.parse().ok())?,
            match_id: field(body, "match", |value| u64::from_str_radix(value, 16).ok())?,
            player_count: field(body, "players", |value| value.parse().ok().filter(|n| (1..=MAX_PLAYERS).contains(&usize::from(*n))))?,
            simulation_hz: field(body, "hz", |value| value.parse().ok().filter(|hz| *hz > 0))?,
            frame_count: field(body, "frames", |value| match value {
                "endless" => Some(None),
                number => number.parse().ok().filter(|frames| *frames > 0 && *frames <= i64::MAX as u64).map(Some),
            })?,
        })
    }
}

fn field<T>(body: &str, name: &'static str, read: impl FnOnce(&str) -> Option<T>) -> Result<T, TicketError> {
    let value = body.split(',').find_map(|part| part.strip_prefix(name)?.strip_prefix('=')).ok_or(TicketError::Missing { field: name })?;
    read(value).ok_or_else(|| TicketError::BadField { field: name, value: value.chars().take(60).collect() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use snapback_core::Rng;

    fn ticket() -> Ticket {
        Ticket {
            address: SocketAddr::from(([127, 0, 0, 1], 7_000)),
            match_id: 0xC0FFEE,
            player_count: 2,
            simulation_hz: 60,
            frame_count: Some(1_200),
        }
    }

    fn resigned(body: &str) -> String {
        format!("{body},check={:08x}", crc32fast::hash(body.as_bytes()))
    }

    #[test]
    fn the_text_is_stable() {
        insta::assert_snapshot!(ticket(), @"snapback1,addr=127.0.0.1:7000,match=0000000000c0ffee,players=2,hz=60,frames=1200,check=1fd160f9");
        let endless = Ticket { address: "[::1]:9".parse().unwrap(), frame_count: None, ..ticket() };
        assert_eq!(endless.to_string().parse(), Ok(endless));
    }

    #[test]
    fn every_cut_and_every_changed_character_is_noticed() {
        let text = ticket().to_string();
        for len in 0..text.len() {
            assert!(text[..len].parse::<Ticket>().is_err(), "{}", &text[..len]);
        }
        let mut rng = Rng::new(1, 1);
        for at in 0..text.len() {
            let mut bytes = text.clone().into_bytes();
            bytes[at] ^= 1 << rng.below(4);
            assert_ne!(String::from_utf8(bytes).unwrap().parse(), Ok(ticket()));
        }
    }

    #[test]
    fn each_fault_has_a_line_that_says_what_to_do() {
        let error = |text: &str| text.parse::<Ticket>().unwrap_err().to_string();
        let body = "snapback1,addr=127.0.0.1:7000,match=c0ffee,players=2,hz=60,frames=1200";
        insta::assert_snapshot!(error("hello"), @r#"this is not a match ticket: a ticket begins with "snapback1,"; copy the whole line that the host printed"#);
        insta::assert_snapshot!(error("snapback2,addr=x"), @r#"this ticket begins with "snapback2" and this program reads "snapback1": use the same version on both sides"#);
        insta::assert_snapshot!(error(&format!("{body},check=0")), @"this ticket is damaged (its checksum does not fit): copy the whole line that the host printed");
        insta::assert_snapshot!(error(&resigned(&body.replace("hz=60,", ""))), @r#"this ticket has no "hz=": copy the whole line that the host printed"#);
        insta::assert_snapshot!(error(&resigned(&body.replace("players=2", "players=9"))), @r#"this ticket has an impossible "players=9": copy the whole line that the host printed"#);
        assert_eq!(resigned(body).parse(), Ok(ticket()));
    }
}
