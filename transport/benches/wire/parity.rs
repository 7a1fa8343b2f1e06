//! Payloads that are sent once over a lossy link, and how many of them come by parity alone.

use super::figure;
use snapback_core::Rng;
use snapback_transport::ack::AckWindow;
use snapback_transport::fec::{Parity, ParityGroup, ParityRecovery};
use snapback_transport::link::{LinkSettings, Loss};
use snapback_transport::packet::{DATAGRAM_BUDGET_BYTES, PacketType, ParityView};
use snapback_transport::{ConnectionKey, LinkConditioner};
use std::collections::{BTreeMap, BTreeSet};

const SEED: u64 = 11;
const PAYLOADS: u64 = 20_000;
const GROUP_PACKETS: u8 = 4;
const LOSS_PER_MILLION: u32 = 100_000;

/// A payload that says which one it is, as all data packets do.
fn payload(rng: &mut Rng, sequence: u64) -> Vec<u8> {
    let mut payload = vec![PacketType::Input as u8];
    payload.extend((sequence as u16).to_le_bytes());
    payload.extend((0..=rng.below(60)).map(|_| rng.next_u32() as u8));
    payload
}

pub(crate) fn measure() {
    let key = ConnectionKey::new(SEED, 2, 3);
    let loss = Loss::Independent { per_million: LOSS_PER_MILLION };
    let mut link = LinkConditioner::new(LinkSettings { delay_us: 30_000, jitter_us: 5_000, loss, ..LinkSettings::default() }, SEED, 0);
    let mut rng = Rng::new(SEED, 99);
    let first = (1 << 16) + 65_000;
    let (mut received, mut recovery) = (AckWindow::new(first), ParityRecovery::new());
    let mut group = ParityGroup::new(GROUP_PACKETS);
    let (mut sent, mut made) = (BTreeMap::new(), BTreeMap::new());
    let mut arrived = BTreeSet::new();
    for step in 0..PAYLOADS + 60 {
        let now_us = 16_667 * step;
        while let Some(datagram) = link.receive(now_us) {
            if PacketType::of(datagram) == Ok(PacketType::Parity) {
                let view = ParityView::read(datagram, key).unwrap();
                let base = received.expand(view.base).unwrap();
                recovery.parity(&Parity::check(&view, base).unwrap()).unwrap();
            } else {
                let sequence = received.expand(u16::from_le_bytes([datagram[1], datagram[2]])).unwrap();
                received.accept(sequence);
                recovery.received(sequence, datagram);
                arrived.insert(sequence);
            }
            while let Some(one) = recovery.next_recovered() {
                let one = one.unwrap();
                made.insert(one.sequence, one.bytes.to_vec());
            }
        }
        if step < PAYLOADS {
            let payload = payload(&mut rng, first + step);
            link.send(now_us, &payload);
            if let Some(parity) = group.push(first + step, &payload) {
                let mut out = [0; DATAGRAM_BUDGET_BYTES];
                let len = parity.view().write(key, &mut out);
                link.send(now_us, &out[..len]);
            }
            sent.insert(first + step, payload);
        }
    }
    for (sequence, bytes) in &made {
        assert_eq!(Some(bytes), sent.get(sequence), "sequence {sequence} did not come back as it was sent");
    }
    let by_parity_alone = made.keys().filter(|sequence| !arrived.contains(sequence)).count();
    eprintln!("{} of {PAYLOADS} payloads were lost", sent.len() - arrived.len());
    figure("parity_only_deliveries", by_parity_alone as f64, "payloads");
}
