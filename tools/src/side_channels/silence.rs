//! [`Silence`]: what a person is told of connections that go dark and come back.

use snapback::PlayerHandle;
use snapback::limits::MAX_PLAYERS;

/// Between two times that it is told of the same player: a connection may come and go faster than anybody
/// reads.
const PAUSE_US: u64 = 5_000_000;

/// Which players nothing comes from, and what a person knows of it.
#[derive(Default)]
pub(super) struct Silence {
    players: [One; MAX_PLAYERS],
}

#[derive(Clone, Default)]
struct One {
    is_dark: bool,
    is_told: bool,
    /// When it may be told again. That it is over is told at once.
    next_us: u64,
}

impl Silence {
    /// Something comes from `player`, or nothing any more.
    pub(super) fn set(&mut self, player: PlayerHandle, is_dark: bool) {
        if let Some(one) = self.players.get_mut(player.index()) {
            one.is_dark = is_dark;
        }
    }

    /// `player` has left, or will not come back: of that others tell.
    pub(super) fn forget(&mut self, player: PlayerHandle) {
        if let Some(one) = self.players.get_mut(player.index()) {
            *one = One::default();
        }
    }

    /// Lines for people, about what is not known yet.
    pub(super) fn tell(&mut self, now_us: u64) -> Vec<String> {
        let news =
            self.players.iter_mut().enumerate().filter(|(_, one)| one.is_dark != one.is_told && (one.is_told || now_us >= one.next_us));
        news.map(|(player, one)| {
            one.is_told = one.is_dark;
            if one.is_dark {
                one.next_us = now_us.saturating_add(PAUSE_US);
                format!("nothing comes over the channels from player {player}")
            } else {
                format!("the channels to player {player} are back")
            }
        })
        .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: PlayerHandle = PlayerHandle::new(1);

    #[test]
    fn darkness_and_its_end_are_told_once_and_not_too_often() {
        let mut silence = Silence::default();
        assert_eq!(silence.tell(0), Vec::<String>::new());
        silence.set(ONE, true);
        assert_eq!(silence.tell(10), ["nothing comes over the channels from player 1"]);
        silence.set(ONE, false);
        assert_eq!(silence.tell(20), ["the channels to player 1 are back"]);
        silence.set(ONE, true);
        assert_eq!(silence.tell(PAUSE_US), Vec::<String>::new());
        assert_eq!(silence.tell(PAUSE_US + 10).len(), 1);
        // What comes and goes is not news.
        let told: usize = (0..100_000_u64)
            .map(|n| {
                silence.set(ONE, n % 2 == 0);
                silence.tell(2 * PAUSE_US + n * 100).len()
            })
            .sum();
        assert!((3..=5).contains(&told), "{told}");
        silence.set(ONE, true);
        silence.forget(ONE);
        assert_eq!(silence.tell(u64::MAX), Vec::<String>::new());
    }
}
