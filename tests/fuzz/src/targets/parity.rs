//! Parity packets and the recovery of what they protect. A step is a data packet that came, a parity
//! that came, or a packet that an honest sender puts into its group and that may be lost.

use crate::case::{Case, Step};
use snapback_transport::ack::AckWindow;
use snapback_transport::fec::{MAX_COVERED_BYTES, MAX_GROUP_PACKETS, Parity, ParityGroup, ParityRecovery, recover};
use snapback_transport::packet::{ConnectionKey, DATAGRAM_BUDGET_BYTES, ParityView};

const FIRST_SEQUENCE: u64 = 1 << 16;

const LIE: u8 = 1;
const CAME: u8 = 0;
const SENT: u8 = 2;
const LOST: u8 = 3;

/// See the module.
#[must_use]
pub fn fuzz(input: &[u8]) -> u64 {
    let case = Case::read(input);
    let group_packets = case.steps.first().map_or(4, |step| step.action >> 3).clamp(2, MAX_GROUP_PACKETS);
    let (mut group, mut recovery) = (ParityGroup::new(group_packets), ParityRecovery::new());
    let mut received = AckWindow::new(FIRST_SEQUENCE);
    let mut sent = FIRST_SEQUENCE;
    for Step { action, bytes } in &case.steps {
        match action & 3 {
            // Somebody else's packet, with any sequence that the window takes.
            CAME => {
                let Some((wire, bytes)) = bytes.split_first_chunk::<2>() else { continue };
                if let Ok(sequence) = received.expand(u16::from_le_bytes(*wire)) {
                    received.accept(sequence);
                    recovery.received(sequence, bytes);
                }
            }
            LIE => {
                let Ok(view) = ParityView::read(bytes, ConnectionKey::AEAD) else { continue };
                let Ok(base) = received.expand(view.base) else { continue };
                let Ok(parity) = Parity::check(&view, base) else { continue };
                assert_eq!(parity.view(), view);
                let _ = recovery.parity(&parity);
                let mut out = [0; MAX_COVERED_BYTES];
                let _ = recover(&parity, core::iter::repeat_n(&bytes[..bytes.len().min(9)], parity.packet_count().into()), &mut out);
            }
            fate => {
                let is_lost = fate == LOST;
                if !is_lost && received.expand(sent as u16) == Ok(sent) {
                    received.accept(sent);
                    recovery.received(sent, bytes);
                }
                if let Some(parity) = group.push(sent, bytes) {
                    let mut out = [0; DATAGRAM_BUDGET_BYTES];
                    let len = parity.view().write(ConnectionKey::AEAD, &mut out);
                    assert!(len > 0, "a parity does not fit");
                    let _ = recovery.parity(&parity);
                }
                sent += 1;
            }
        }
        let mut made = 0;
        while let Some(recovered) = recovery.next_recovered() {
            if let Ok(recovered) = recovered {
                assert!(!recovered.bytes.is_empty() && recovered.bytes.len() <= MAX_COVERED_BYTES);
            }
            made += 1;
            assert!(made <= snapback_transport::fec::WAITING_PARITIES, "recovery has no end");
        }
    }
    case.steps.len() as u64
}

/// Groups of which one packet is lost, and a parity on its own.
#[must_use]
pub fn seeds() -> Vec<(String, Case)> {
    let mut steps = Vec::new();
    for n in 0..24u8 {
        steps.push(Step::new(if n % 5 == 2 { LOST } else { SENT } | 4 << 3, vec![n; 20 + usize::from(n % 7)]));
    }
    let mut out = [0; DATAGRAM_BUDGET_BYTES];
    let len = ParityView { base: 0, packet_count: 2, length_xor: 9 ^ 8, bytes: &[3; 9] }.write(ConnectionKey::AEAD, &mut out);
    let lies = vec![Step::new(CAME | 4 << 3, [0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1]), Step::new(LIE, &out[..len]), Step::new(CAME, [1, 0, 5])];
    vec![("groups".to_owned(), Case { steps }), ("lies".to_owned(), Case { steps: lies })]
}
