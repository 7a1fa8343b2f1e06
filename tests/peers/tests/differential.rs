//! Two libraries that know nothing of each other play the same inputs over the same delay: every
//! confirmed frame has the same state in both, on both peers, and it is the one that the inputs
//! give without any netcode.

#![allow(clippy::expect_used, reason = "clippy.toml allows it in tests only where it sees a #[test], not in what they call")]

use snapback::Frame;
use snapback_peers::ours::OurMatch;
use snapback_peers::pad::{Pad, holding, restless};
use snapback_peers::theirs::{Polling, TheirMatch};
use snapback_peers::tick_us;
use snapback_peers::tiny_game::TinyGame;

/// The states after frames 0, 1, 2 and so on.
type States = Vec<u64>;

/// What the inputs give without netcode.
fn straight(pad: Pad, frames: usize) -> States {
    let mut game = TinyGame::default();
    let states = (0..frames as i64).map(|frame| {
        game.fold([pad(0, frame), pad(1, frame)]);
        game.state()
    });
    states.collect()
}

/// What both of our peers confirm until they have `frames` frames.
fn ours(one_way_us: u64, loss_per_million: u32, pad: Pad, frames: usize) -> [States; 2] {
    let mut ours = OurMatch::start(one_way_us, pad);
    ours.link().lose(5, loss_per_million);
    let mut confirmed = [States::new(), States::new()];
    for _ in 0..frames * 10 {
        ours.tick();
        for (peer, states) in ours.peers_mut().iter_mut().zip(&mut confirmed) {
            let session = peer.session_mut().expect("the match has begun");
            while let Some(frame) = session.confirmed(Frame::new(states.len() as i64)) {
                states.push(u64::from_le_bytes(frame.snapshot.try_into().expect("eight bytes")));
            }
        }
        if confirmed.iter().all(|states| states.len() >= frames) {
            break;
        }
    }
    confirmed
}

/// What both ggrs sessions confirm until they have `frames` frames. Without loss: a ggrs session
/// that waits for inputs sends none, so two that wait for each other need the wall clock to go on.
fn theirs(one_way_us: u64, pad: Pad, frames: usize) -> [States; 2] {
    let mut theirs = TheirMatch::start(one_way_us, pad, Polling::Documented);
    let mut saved = [States::new(), States::new()];
    for _ in 0..frames * 10 {
        theirs.tick_and_watch(|(seat, frame, state)| {
            // Saved before frame n is the state after frame n - 1; a correction saves it again.
            let Some(after) = usize::try_from(frame).ok().and_then(|frame| frame.checked_sub(1)) else { return };
            match saved[seat].get_mut(after) {
                Some(place) => *place = state,
                None => saved[seat].push(state),
            }
        });
        // A frame is settled once it is as old as the deepest correction.
        if saved.iter().all(|states| states.len() >= frames + 16) {
            break;
        }
    }
    saved.map(|mut states| {
        states.truncate(states.len().saturating_sub(16));
        states
    })
}

fn compare(one_way_us: u64, loss_per_million: u32, pad: Pad) {
    const FRAMES: usize = 2_000;
    let expected = straight(pad, FRAMES);
    let ours = ours(one_way_us, loss_per_million, pad, FRAMES);
    let theirs = theirs(one_way_us, pad, FRAMES);
    for (who, states) in [("ours", &ours), ("ggrs", &theirs)] {
        for (seat, states) in states.iter().enumerate() {
            assert!(states.len() >= FRAMES, "{who} {seat} confirmed only {} frames", states.len());
            let differs = (0..FRAMES).find(|frame| states[*frame] != expected[*frame]);
            assert_eq!(differs, None, "the first frame with another state, {who} {seat}");
        }
    }
}

#[test]
fn both_confirm_the_same_states_when_every_prediction_is_wrong() {
    compare(tick_us(5), 0, restless);
}

#[test]
fn both_confirm_the_same_states_when_inputs_are_held() {
    compare(30_000, 0, holding);
}

#[test]
fn both_confirm_the_same_states_when_ours_suffers_loss() {
    compare(30_000, 100_000, holding);
}
