//! Acknowledgements alone are lost, as a peer without luck or without honesty would have it: every
//! input arrives all the same, once, in order.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

#[path = "support/params.rs"]
mod params;

use params::params;
use snapback_core::{Command, Frame, PlayerSet, Rng, RollbackConfig};
use snapback_transport::endpoint::{LinkEvent, most_owed_frames};
use snapback_transport::packet::{Hello, InputFlags, InputHeader, InputView, Welcome};
use snapback_transport::{ConnectionKey, Endpoint, EndpointSettings};
use std::net::SocketAddr;

const FRAMES: i64 = 10_000;

/// Two that play inside encryption, so that their packets have no checksum of their own.
fn playing() -> [Endpoint; 2] {
    let address = SocketAddr::from(([10, 0, 0, 1], 1));
    let settings = |nonce, players| EndpointSettings {
        is_encrypted: true,
        ..EndpointSettings::new(7, nonce, params(), players, &RollbackConfig::default())
    };
    let mut out = [0; 1_200];
    let mut dialer = Endpoint::dial(address, settings(1, PlayerSet::EMPTY), 0);
    let len = dialer.write_hello(1, &mut out);
    let hello = Hello::read(&out[..len], ConnectionKey::AEAD).unwrap();
    let welcome = Welcome {
        match_id: 7,
        nonce: hello.nonce,
        listener_nonce: 2,
        dialer_players: PlayerSet::from_bits(2),
        listener_players: PlayerSet::from_bits(1),
        params: params(),
        first_frame: Frame::ZERO,
        last_frame: None,
    };
    let mut listener = Endpoint::accept(address, settings(2, PlayerSet::from_bits(1)), &hello, &welcome, 0);
    let len = listener.write_welcome(&welcome, &mut out);
    dialer.handle(0, &out[..len]).unwrap();
    for endpoint in [&mut dialer, &mut listener] {
        endpoint.on(LinkEvent::Started);
    }
    [dialer, listener]
}

fn pressed(frame: Frame) -> [u8; 2] {
    if frame.number() % 2 == 0 { [0; 2] } else { [0xFF; 2] }
}

/// The same packet, with the acknowledgements of an older one.
fn without_acks(packet: &[u8], input_ack: u16) -> Vec<u8> {
    let view = InputView::read(packet, ConnectionKey::AEAD).unwrap();
    let flags = InputFlags { has_ack: false, all_acked: false, ..view.header.flags };
    let header = InputHeader { flags, ack: 0, ack_bits: 0, input_ack, ..view.header };
    let mut out = [0; 1_200];
    out[header.bytes()..header.bytes() + view.inputs.len()].copy_from_slice(view.inputs);
    let len = header.finish(ConnectionKey::AEAD, view.inputs.len(), &mut out);
    out[..len].to_vec()
}

#[test]
fn inputs_that_alternate_all_arrive_without_most_acknowledgements() {
    // Of a thousand acknowledgements so many are lost; and in runs of so many packets.
    for (lost_per_million, run) in [(500_000, 1), (950_000, 1), (500_000, 20), (990_000, 1)] {
        let mut endpoints = playing();
        let mut rng = Rng::new(u64::from(lost_per_million), run);
        let most = most_owed_frames(&params(), &params()) as i64;
        let mut newest = [-1i64; 2];
        let mut taken = [-1i64; 2];
        let mut input_acks = [Frame::INITIAL.to_wire(); 2];
        let (mut stripped, mut stalled, mut largest, mut turn) = (0u64, 0u64, 0, 0u64);
        let mut is_lost = [false; 2];
        while taken.iter().any(|taken| *taken < FRAMES - 1) {
            turn += 1;
            assert!(turn < 100 * FRAMES as u64, "no end: {taken:?}");
            for from in 0..2 {
                let to = 1 - from;
                let now_us = turn * 16_667;
                // As a session has it: the ceiling, and the most that one may owe.
                let is_ahead = newest[from] >= taken[from] + i64::from(params().window_max_frames);
                if !is_ahead && newest[from] - endpoints[from].acked_frame().number() < most {
                    newest[from] += 1;
                } else {
                    stalled += 1;
                }
                let mut out = [0; 1_200];
                let len = endpoints[from].write_inputs(now_us, Frame::new(newest[from]), &mut out, |frame, _, bytes| {
                    bytes.copy_from_slice(&pressed(frame));
                    Command::NONE
                });
                assert!(len > 0);
                largest = largest.max(len);
                if turn % run == 0 {
                    is_lost[from] = rng.chance(lost_per_million);
                }
                let packet = if is_lost[from] {
                    stripped += 1;
                    without_acks(&out[..len], input_acks[from])
                } else {
                    input_acks[from] = InputView::read(&out[..len], ConnectionKey::AEAD).unwrap().header.input_ack;
                    out[..len].to_vec()
                };
                endpoints[to].handle(now_us, &packet).unwrap();
                endpoints[to].received_inputs(|frame, _, bytes, _| {
                    assert_eq!(bytes, pressed(frame), "{frame}");
                    assert!(frame.number() <= taken[to] + 1, "a gap before {frame}");
                    taken[to] = taken[to].max(frame.number());
                });
            }
        }
        println!("{lost_per_million} in runs of {run}: {stripped} stripped, {stalled} stalled, {largest} bytes at most");
        assert!(stripped > 8_000 && largest <= 1_200);
    }
}
