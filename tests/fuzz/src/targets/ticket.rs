//! Match tickets. A step is one text; an odd action puts the right checksum behind it.

use crate::case::{Case, Step};
use snapback_transport::credentials::{Fingerprint, SeatSecret};
use snapback_transport::{Ticket, TicketSecurity};

/// See the module.
#[must_use]
pub fn fuzz(input: &[u8]) -> u64 {
    let steps = Case::read(input).steps;
    for step in &steps {
        let mut text = String::from_utf8_lossy(&step.bytes).into_owned();
        if step.action & 1 == 1 {
            text = format!("{text},check={:08x}", crc32fast::hash(text.as_bytes()));
        }
        match text.parse::<Ticket>() {
            Ok(ticket) => {
                let again = ticket.to_string();
                assert_eq!(again.parse(), Ok(ticket), "{again}");
                if let TicketSecurity::Encrypted { secret, .. } = ticket.security {
                    assert!(!format!("{ticket:?}").contains(&secret.to_string()), "a log tells the secret");
                }
            }
            Err(error) => assert!(error.to_string().len() < 600, "{error}"),
        }
    }
    steps.len() as u64
}

/// One of each kind, with and without channels, with and without its checksum.
#[must_use]
pub fn seeds() -> Vec<(String, Case)> {
    let encrypted = TicketSecurity::Encrypted { fingerprint: Fingerprint([7; 32]), seat: 1, secret: SeatSecret([9; 32]) };
    let mut steps = Vec::new();
    for (address, channels, frame_count, security) in [
        ("127.0.0.1:7000", None, Some(1_200), encrypted),
        ("127.0.0.1:7000", Some("127.0.0.1:7001"), Some(1_200), encrypted),
        ("[2001:db8::1]:9", Some("[2001:db8::1]:10"), None, TicketSecurity::InsecureLan),
    ] {
        let address = address.parse().unwrap();
        let channels = channels.map(|channels| channels.parse().unwrap());
        let text = Ticket { address, channels, match_id: 0xC0FFEE, player_count: 2, simulation_hz: 60, frame_count, security }.to_string();
        steps.push(Step::new(1, text.rsplit_once(",check=").unwrap().0));
        steps.push(Step::new(0, text));
    }
    vec![("tickets".to_owned(), Case { steps })]
}
