//! A connection while playing, and a peer at its other end who knows its keys and keeps no rule.

use crate::case::{Case, Step};
use crate::checksum::{connection_seed, sealed};
use crate::targets::packets::params;
use snapback_core::codec::{BitWriter, encode_run, worst_run_bytes};
use snapback_core::{Command, Frame, PlayerSet, RollbackConfig};
use snapback_transport::endpoint::{LinkEvent, most_owed_frames};
use snapback_transport::fec::WAITING_PARITIES;
use snapback_transport::packet::{DATAGRAM_BUDGET_BYTES, Hello, InputHeader, PROTOCOL_VERSION, Welcome};
use snapback_transport::{Endpoint, EndpointSettings, Handled};
use std::net::SocketAddr;

const MATCH: u64 = 5;
const DIALER_NONCE: u64 = 0xFFF0;
const LISTENER_NONCE: u64 = 0x1_FFF8;

/// The victim sends inputs.
const SEND: u8 = 0;
/// A packet of inputs whose counters are given as differences from what would be right.
const FORGE: u8 = 1;
/// A packet of inputs that is right.
const HONEST: u8 = 2;
/// Any packet with a right checksum.
const PACKET: u8 = 3;
/// Any datagram.
const DATAGRAM: u8 = 4;
/// A parity packet.
const PARITY: u8 = 5;
/// Time passes.
const WAIT: u8 = 6;

/// With the first action: the encrypted profile.
const ENCRYPTED: u8 = 0x80;

struct Duel {
    victim: Endpoint,
    is_encrypted: bool,
    now_us: u64,
    newest: Frame,
    /// The liar's next sequence.
    sequence: u64,
    /// The newest sequence that the victim has sent.
    victim_sequence: u64,
    /// Datagrams that the victim was given.
    datagrams: u64,
}

/// See the module.
#[must_use]
pub fn fuzz(input: &[u8]) -> u64 {
    let case = Case::read(input);
    let is_encrypted = case.steps.first().is_some_and(|step| step.action & ENCRYPTED != 0);
    let mut duel = Duel::new(is_encrypted);
    for Step { action, bytes } in &case.steps {
        duel.step(*action, bytes);
    }
    duel.datagrams
}

impl Duel {
    fn step(&mut self, action: u8, bytes: &[u8]) {
        let datagram = match action & 7 {
            SEND => return self.send(bytes.first().copied().unwrap_or(0) % 8 + 1),
            WAIT => {
                self.now_us += 1_000 * u64::from(bytes.first_chunk::<2>().map_or(1, |chunk| u16::from_le_bytes(*chunk)));
                let _ = self.victim.check_silence(self.now_us);
                let _ = self.victim.silence_timeout_us();
                return;
            }
            FORGE => self.sealed(&self.forged(action, bytes)),
            HONEST => self.honest(bytes),
            PARITY => self.sealed(&[&[8][..], &(self.sequence as u16).to_le_bytes(), bytes].concat()),
            PACKET => self.sealed(bytes),
            DATAGRAM => bytes.to_vec(),
            _ => self.sealed(&[&[5 | action & 0xF0][..], bytes].concat()),
        };
        self.handle(&datagram);
    }

    fn new(is_encrypted: bool) -> Self {
        let address = SocketAddr::from(([10, 0, 0, 1], 1));
        let hello = Hello {
            version: PROTOCOL_VERSION,
            match_id: MATCH,
            nonce: DIALER_NONCE,
            players: PlayerSet::EMPTY,
            player_count: 2,
            params: params(3),
        };
        let welcome = Welcome {
            match_id: MATCH,
            nonce: DIALER_NONCE,
            listener_nonce: LISTENER_NONCE,
            dialer_players: PlayerSet::from_bits(6),
            listener_players: PlayerSet::from_bits(1),
            params: params(3),
            first_frame: Frame::ZERO,
            last_frame: None,
        };
        let settings = EndpointSettings::new(MATCH, LISTENER_NONCE, params(3), welcome.listener_players, &RollbackConfig::default());
        let settings = EndpointSettings { is_encrypted, ..settings };
        let mut victim = Endpoint::accept(address, settings, &hello, &welcome, 0);
        victim.on(LinkEvent::Started);
        let first = |nonce: u64| (1 << 16) + (nonce & 0xFFFF);
        Self {
            victim,
            is_encrypted,
            now_us: 0,
            newest: Frame::INITIAL,
            sequence: first(DIALER_NONCE),
            victim_sequence: first(LISTENER_NONCE) - 1,
            datagrams: 0,
        }
    }

    fn sealed(&self, body: &[u8]) -> Vec<u8> {
        if self.is_encrypted { body.to_vec() } else { sealed(connection_seed(MATCH, DIALER_NONCE, LISTENER_NONCE), body) }
    }

    fn send(&mut self, times: u8) {
        let most = most_owed_frames(&params(3), &params(3)) as i64;
        for _ in 0..times {
            self.now_us += 16_667;
            if self.newest - self.victim.acked_frame() <= most {
                self.newest = self.newest.next();
            }
            let mut out = [0; DATAGRAM_BUDGET_BYTES];
            let len = self.victim.write_inputs(self.now_us, self.newest, &mut out, |frame, _, place| {
                place.copy_from_slice(&(frame.number() as u16).to_le_bytes());
                Command::NONE
            });
            self.victim_sequence += u64::from(len > 0);
        }
    }

    /// The first bytes are differences; what follows them are the inputs.
    fn forged(&self, action: u8, bytes: &[u8]) -> Vec<u8> {
        let mut fields = [0; 11];
        let (given, inputs) = bytes.split_at(bytes.len().min(fields.len()));
        fields[..given.len()].copy_from_slice(given);
        let [sequence, ack, b0, b1, b2, b3, newest, count, input_ack, delay, lag] = fields;
        let off = |right: u16, by: u8| right.wrapping_add_signed(i16::from(by as i8));
        let flags = action & 0xF0;
        let mut out = vec![5 | flags];
        out.extend(off(self.sequence as u16, sequence).to_le_bytes());
        out.extend(off(self.victim_sequence as u16, ack).to_le_bytes());
        if flags & 0x80 == 0 {
            out.extend([b0, b1, b2, b3]);
        }
        out.extend(off(self.victim.received_frame().to_wire(), newest).to_le_bytes());
        out.push(count);
        out.extend(off(self.newest.to_wire(), input_ack).to_le_bytes());
        out.extend([delay, lag]);
        out.extend(inputs);
        out
    }

    /// Both of the liar's players press what the bytes say, for so many frames as the first one says.
    fn honest(&mut self, bytes: &[u8]) -> Vec<u8> {
        let (count, pressed) = bytes.split_first().map_or((1, &[][..]), |(count, pressed)| (usize::from(*count % 12), pressed));
        let newest = self.victim.received_frame() + count as i64;
        let header = InputHeader {
            sequence: self.sequence as u16,
            newest_frame: newest.to_wire(),
            frame_count: count as u8,
            input_ack: self.newest.to_wire(),
            ..InputHeader::default()
        };
        self.sequence += 1;
        let mut inputs = vec![0; 2 * worst_run_bytes(2, count)];
        let mut writer = BitWriter::new(&mut inputs);
        for player in 0..2 {
            encode_run(&mut writer, 2, count, |index, place| {
                let at = 2 * (player * count + index);
                place.iter_mut().enumerate().for_each(|(n, place)| *place = pressed.get(at + n).copied().unwrap_or(0));
                Command::NONE
            });
        }
        let len = writer.finish().expect("the worst case holds every run");
        let mut out = vec![0; header.bytes()];
        out.extend(&inputs[..len]);
        let body_bytes = header.finish(snapback_transport::ConnectionKey::AEAD, len, &mut out);
        self.sealed(&out[..body_bytes])
    }

    fn handle(&mut self, datagram: &[u8]) {
        self.datagrams += 1;
        let victim = &mut self.victim;
        let known = |victim: &Endpoint| {
            let stats = victim.stats();
            (
                victim.received_frame(),
                victim.acked_frame(),
                victim.state(),
                stats.packets_received,
                stats.rtt_us,
                victim.barrier().rtt_samples,
            )
        };
        let (before, rejects) = (known(victim), victim.rejects().total());
        match victim.handle(self.now_us, datagram) {
            Err(reject) => {
                assert_eq!(known(victim), before, "{reject}, and yet something changed");
                assert_eq!(victim.rejects().total(), rejects + 1);
            }
            Ok(handled) => self.shown(handled),
        }
        let mut made = 0;
        while let Some(recovered) = self.victim.next_recovered() {
            made += 1;
            assert!(made <= WAITING_PARITIES, "recovery has no end");
            if let Ok(handled) = recovered {
                self.shown(handled);
            }
        }
        let victim = &mut self.victim;
        assert!(victim.received_frame() >= before.0 && victim.acked_frame() >= before.1, "time runs backwards");
        assert!(victim.acked_frame() <= self.newest, "inputs are acknowledged that were never sent");
        let horizon = self.newest + i64::from(params(3).window_max_frames) + i64::from(params(3).delay_max_frames);
        assert!(victim.received_frame() <= horizon.max(before.0), "inputs beyond the horizon");
    }

    fn shown(&mut self, handled: Handled) {
        let (victim, Handled::Inputs(received)) = (&mut self.victim, handled) else { return };
        assert!(received.window.frame_count <= victim.cap_frames());
        let (mut shown, players) = (0, victim.remote_players());
        victim.received_inputs(|frame, player, bytes, _| {
            assert!(frame >= Frame::ZERO && frame <= received.window.last() && bytes.len() == 2);
            assert!(players.contains(player) && frame >= received.window.first);
            shown += 1;
        });
        // What is known is left out, and what is new never is.
        assert!(shown <= 2 * received.window.frame_count && (shown >= 2 || !received.any_new));
    }
}

/// A match that goes well, with lies between.
#[must_use]
pub fn seeds() -> Vec<(String, Case)> {
    [("plain", 0), ("aead", ENCRYPTED)]
        .into_iter()
        .map(|(name, profile)| {
            let mut steps = vec![Step::new(SEND | profile, [3])];
            for n in 0..24u8 {
                steps.push(Step::new(HONEST, [2, n, 1, n, 1, 7, 0, 9, 0]));
                steps.push(Step::new(SEND, [1]));
                // has_ack, then every flag, then none.
                let flags = [0x40, 0xF0, 0][usize::from(n % 3)];
                steps.push(Step::new(FORGE | flags, [n % 4, 0, 255, 255, 255, 255, 1, 1, 0, 5, n, 0]));
            }
            steps.push(Step::new(PARITY, [2, 9, 0, 1, 2, 3, 4, 5]));
            steps.extend(recovery());
            steps.push(Step::new(WAIT, [200, 0]));
            steps.push(Step::new(PACKET, [6, 1, 9, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 0]));
            steps.push(Step::new(DATAGRAM, [4, 0, 0]));
            (name.to_owned(), Case { steps })
        })
        .collect()
}

/// A packet, the parity of it and of one that never came, which has no inputs and no acknowledgement.
fn recovery() -> [Step; 2] {
    // Sequences that nobody has used before.
    let first = (DIALER_NONCE as u16).wrapping_add(40);
    let (came, lost) = (packet(first), packet(first.wrapping_add(1)));
    let mut parity = vec![8];
    parity.extend(first.to_le_bytes());
    parity.push(2);
    parity.extend(((came.len() ^ lost.len()) as u16).to_le_bytes());
    parity.extend(came.iter().zip(&lost).map(|(came, lost)| came ^ lost));
    [Step::new(PACKET, came), Step::new(PACKET, parity)]
}

fn packet(sequence: u16) -> Vec<u8> {
    let header = InputHeader { sequence, ..InputHeader::default() };
    let mut out = vec![0; header.bytes()];
    let len = header.finish(snapback_transport::ConnectionKey::AEAD, 0, &mut out);
    assert_eq!(len, out.len());
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the seeds are made for does happen.
    #[test]
    fn the_seeds_reach_what_they_are_for() {
        for (name, case) in seeds() {
            let mut duel = Duel::new(name == "aead");
            for Step { action, bytes } in &case.steps {
                duel.step(*action, bytes);
            }
            let stats = duel.victim.stats();
            assert!(stats.packets_received > 24, "{name}: {stats:?}");
            assert_eq!(stats.packets_recovered, 1, "{name}: {stats:?}");
            assert!(stats.packets_acked > 0 && duel.victim.received_frame() > Frame::new(40), "{name}: {stats:?}");
        }
    }
}
