//! A peer that shows two others different inputs is named by both.

use crate::play::{cluster, play};
use snapback::codec::{BitReader, BitWriter, decode_spans, encode_run};
use snapback::transport::packet::{ConnectionKey, DATAGRAM_BUDGET_BYTES, Hello, InputView, PacketType, Welcome};
use snapback::{Command, Frame, Outcome};
use snapback_harness::cluster::{ClusterSettings, Passing};

/// The peer with two faces, and who sees the other one.
const LIAR: usize = 2;
const DECEIVED: usize = 1;
const FRAME: i64 = 200;

/// Reads along until it has the key of the connection between the two, and changes one input.
#[derive(Default)]
struct Mask {
    match_id: u64,
    key: Option<ConnectionKey>,
}

impl Mask {
    fn rewrite(&mut self, passing: Passing<'_>) -> Option<Vec<u8>> {
        let Passing { from, to, bytes, .. } = passing;
        if let Ok(hello) = Hello::read(bytes, ConnectionKey::GREETING) {
            self.match_id = hello.match_id;
        }
        if [(LIAR, DECEIVED), (DECEIVED, LIAR)].contains(&(from, to))
            && let Ok(welcome) = Welcome::read(bytes, ConnectionKey::GREETING)
        {
            self.key = Some(ConnectionKey::new(welcome.match_id, welcome.nonce, welcome.listener_nonce));
        }
        if (from, to) != (LIAR, DECEIVED) || PacketType::of(bytes) != Ok(PacketType::Input) {
            return None;
        }
        let key = self.key?;
        let InputView { header, inputs } = InputView::read(bytes, key).ok()?;
        let count = usize::from(header.frame_count);
        let mut pressed = vec![([0; 2], Command::NONE); count];
        let mut reader = BitReader::new(inputs);
        decode_spans(&mut reader, 2, count, |span, input, command| {
            for (at, index) in span.enumerate() {
                pressed[index] = ([input[0], input[1]], if at == 0 { command } else { Command::NONE });
            }
        })
        .ok()?;
        let first = Frame::from_wire(header.newest_frame, Frame::new(FRAME)) - (count as i64 - 1);
        let (input, _) = pressed.get_mut(usize::try_from(FRAME - first.number()).ok()?)?;
        input[0] ^= 1;
        let mut out = vec![0; DATAGRAM_BUDGET_BYTES];
        let start = header.bytes();
        let mut writer = BitWriter::new(&mut out[start..DATAGRAM_BUDGET_BYTES - 4]);
        encode_run(&mut writer, 2, count, |index, bytes| {
            bytes.copy_from_slice(&pressed[index].0);
            pressed[index].1
        });
        let inputs_bytes = writer.finish().unwrap();
        let len = header.finish(key, inputs_bytes, &mut out);
        out.truncate(len);
        Some(out)
    }
}

#[test]
fn a_peer_that_shows_two_others_different_inputs_is_named() {
    let mut settings = ClusterSettings::new(9, 3, 600);
    settings.link.delay_us = 20_000;
    let mut cluster = cluster(&settings, None);
    cluster.set_unjudged();
    let mut mask = Mask::default();
    cluster.set_rewrite(move |passing| mask.rewrite(passing));
    let outcomes = play(&mut cluster, 60_000_000);
    let liar = cluster.nodes()[LIAR].peer.facts().unwrap().local_players.iter().next().unwrap();
    // It knows no better itself than that somebody tells of inputs that it never pressed.
    assert!(matches!(outcomes[LIAR], Some(Outcome::InputsDiffer { .. } | Outcome::Abandoned { .. })), "{outcomes:?}");
    for outcome in &outcomes[..LIAR] {
        let Some(Outcome::InputsDiffer { player, after, until, .. }) = outcome else { panic!("{outcomes:?}") };
        assert_eq!(*player, liar, "{outcomes:?}");
        assert!(*after < Frame::new(FRAME) && *until >= Frame::new(FRAME), "{outcomes:?}");
    }
    // The inquiry finds the very frame.
    let player_at = |peer: usize| cluster.nodes()[peer].peer.facts().unwrap().local_players.iter().next().unwrap();
    let inquiry = |peer: usize, with: usize| cluster.nodes()[peer].peer.inquiry_with(player_at(with)).unwrap();
    for report in crate::play::inquire(&mut inquiry(0, DECEIVED), &mut inquiry(DECEIVED, 0)) {
        assert_eq!(report.inputs_frame, Some(FRAME), "{report}");
        assert!(report.to_string().starts_with("desync: the two peers know different inputs by frame 200\n"), "{report}");
    }
}
