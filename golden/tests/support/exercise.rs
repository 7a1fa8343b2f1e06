//! Everything that can be done with the bytes of a stranger, in a row.

use super::Crossing;
use snapback_core::{Frame, Rng};
use snapback_golden::{GoldenReplay, ReplayPlayer, verify};

/// Does it all, and returns the first error as text. Each is checked to be one line that a terminal
/// can show.
pub fn exercise(bytes: &[u8], rng: &mut Rng) -> Result<(), String> {
    let recovered = GoldenReplay::recover(bytes).map(|replay| look_around(&replay, rng));
    let read = GoldenReplay::read(bytes).map_err(|error| line(&error))?;
    assert!(recovered.is_ok(), "what reads can be recovered");
    read.check().map_err(|error| line(&error))?;
    #[cfg(feature = "sign")]
    snapback_golden::sign::verify_signature(&read).map_err(|error| line(&error))?;
    look_around(&read, rng)
}

fn look_around(replay: &GoldenReplay, rng: &mut Rng) -> Result<(), String> {
    let last = replay.last_frame().number();
    for frame in [i64::MIN, -1, 0, last / 2, last, i64::MAX, i64::from(rng.below(1_000))].map(Frame::new) {
        if let Ok(Some(state)) = replay.state(frame) {
            let _ = replay.fields().state.values(&state);
        }
        if let Ok(Some(raw)) = replay.raw_frame(frame) {
            assert_eq!(raw.inputs.len(), usize::from(replay.meta().players));
        }
        let _ = replay.hash(frame);
    }
    let mut problem =
        verify(replay, |_| Ok(Crossing::new())).map(|verified| drop(format!("{:?}", verified.verdict))).err().map(|e| line(&e));
    match ReplayPlayer::new(Crossing::new(), replay) {
        Err(error) => problem = problem.or(Some(line(&error))),
        Ok(mut player) => {
            for _ in 0..4 {
                let first = replay.meta().first_frame;
                let target = first.saturating_add(i64::from(rng.below(u32::try_from(replay.frame_count()).unwrap_or(u32::MAX).max(1))));
                if let Err(error) = player.seek(Frame::new(target)) {
                    problem = problem.or(Some(line(&error)));
                }
                player.play();
                if let Err(error) = player.tick(200_000, |_, _| {}) {
                    problem = problem.or(Some(line(&error)));
                }
            }
        }
    }
    problem.map_or(Ok(()), Err)
}

pub fn line(error: &impl std::fmt::Display) -> String {
    let text = error.to_string();
    assert!(!text.is_empty() && text.chars().all(|c| !c.is_control()), "{text:?}");
    // The longest text of a file and what is said of it.
    assert!(text.len() < 4_096 + 300, "{text}");
    text
}
