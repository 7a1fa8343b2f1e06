//! Who does not read, and who sends more than fits.

use crate::wire::{Wire, message, number_of};
use snapback_core::Rng;
use snapback_transport::channel::{Channel, SendError};
use snapback_transport::link::{LinkSettings, Loss};

fn link() -> LinkSettings {
    LinkSettings { delay_us: 30_000, loss: Loss::Independent { per_million: 50_000 }, ..LinkSettings::default() }
}

/// A reader that stops for ten minutes: memory is bounded at both ends, the other channels go on, and
/// everything arrives once it reads again.
#[test]
fn a_reader_that_stops_stops_its_sender_and_nobody_else() {
    let mut wire = Wire::new(&link(), 1);
    let (mut sent, mut chat_sent, mut chat_arrived) = (0, 0, 0);
    while wire.now_us < 600_000_000 {
        while wire.ends[0].send(Channel::MatchState, &message(Channel::MatchState, sent, 20_000)).is_ok() {
            sent += 1;
        }
        wire.ends[0].send(Channel::ChatPresence, &message(Channel::ChatPresence, chat_sent, 20)).unwrap();
        chat_sent += 1;
        let until_us = wire.now_us + 500_000;
        wire.run_until(until_us, |wire| {
            while let Some(bytes) = wire.ends[1].receive_on(wire.now_us, Channel::ChatPresence) {
                assert_eq!(number_of(Channel::ChatPresence, &bytes), chat_arrived);
                chat_arrived += 1;
            }
        });
        let limit = (1 << 20) + (64 << 10);
        let (here, there) = (wire.ends[0].stats(), wire.ends[1].stats());
        assert!(here.of(Channel::MatchState).waiting_bytes <= limit);
        assert!(there.of(Channel::MatchState).unread_bytes <= limit + 256 * 64);
    }
    assert!(chat_sent - chat_arrived <= 1);
    assert!(sent < 150, "{sent} messages were taken");
    // Hardly anything is sent on its account meanwhile.
    let packets = wire.packets[0];
    assert!(packets < 1_200 * 5, "{packets}");
    let mut arrived = 0;
    wire.run_until(700_000_000, |wire| {
        while let Some((channel, bytes)) = wire.ends[1].receive(wire.now_us) {
            if channel == Channel::MatchState {
                assert_eq!(number_of(channel, &bytes), arrived);
                arrived += 1;
            }
        }
    });
    assert_eq!(arrived, sent);
    assert!(wire.ends[0].is_flushed());
}

#[test]
fn a_slow_reader_gets_everything() {
    let mut wire = Wire::new(&link(), 2);
    let mut rng = Rng::new(2, 0);
    let (mut sent, mut arrived) = (0, 0);
    while arrived < 300 && wire.now_us < 2_000_000_000 {
        while sent < 300 && wire.ends[0].send(Channel::MatchState, &message(Channel::MatchState, sent, 30_000)).is_ok() {
            sent += 1;
        }
        let until_us = wire.now_us + 50_000 + u64::from(rng.below(500_000));
        wire.run_until(until_us, |_| {});
        if let Some((channel, bytes)) = wire.ends[1].receive(wire.now_us) {
            assert_eq!(number_of(channel, &bytes), arrived);
            arrived += 1;
        }
    }
    assert_eq!((arrived, sent), (300, 300));
}

/// 100,000 messages, as many at a time as find room, over a link that loses a twentieth.
#[test]
fn a_hundred_thousand_messages_arrive_once_and_in_order() {
    let mut wire = Wire::new(&link(), 3);
    let (mut sent, mut arrived, mut refused) = (0, 0, 0u64);
    let mut most_waiting = 0;
    while arrived < 100_000 {
        while sent < 100_000 {
            match wire.ends[0].send(Channel::MatchState, &message(Channel::MatchState, sent, 40)) {
                Ok(_) => sent += 1,
                Err(SendError::Full { .. }) => {
                    refused += 1;
                    break;
                }
                Err(error) => panic!("{error}"),
            }
        }
        most_waiting = most_waiting.max(wire.ends[0].stats().of(Channel::MatchState).waiting_bytes);
        let until_us = wire.now_us + 1_000_000;
        wire.run_until(until_us, |wire| {
            while let Some((channel, bytes)) = wire.ends[1].receive(wire.now_us) {
                assert_eq!(number_of(channel, &bytes), arrived);
                arrived += 1;
            }
        });
        assert!(wire.now_us < 4_000_000_000, "{arrived} in {} us", wire.now_us);
    }
    assert!(refused > 0 && most_waiting <= (1 << 20) + (64 << 10), "{refused} refused, {most_waiting} bytes waited");
    assert_eq!(wire.ends[0].delivered(Channel::MatchState), 100_000);
}
