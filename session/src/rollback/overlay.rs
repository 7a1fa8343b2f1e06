//! [`RecoveryOverlay`]: when the player is told that the connection is being recovered.

/// Shows the overlay once the session has stood still for a while, and takes it away once it has gone on
/// for a while: one frozen tick does not flash it, and one tick in between does not hide it.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct RecoveryOverlay {
    is_shown: bool,
    /// Ticks in a row that were not as the overlay says.
    contrary_ticks: u32,
}

impl RecoveryOverlay {
    /// Notes a tick. Whether the overlay is shown now.
    pub(super) fn tick(&mut self, is_standing_still: bool, after_ticks: u32) -> bool {
        if is_standing_still == self.is_shown {
            self.contrary_ticks = 0;
        } else {
            self.contrary_ticks += 1;
            if self.contrary_ticks >= after_ticks {
                *self = Self { is_shown: is_standing_still, contrary_ticks: 0 };
            }
        }
        self.is_shown
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_comes_and_goes_with_what_lasts() {
        let run = |ticks: &str, after: u32| -> String {
            let mut overlay = RecoveryOverlay::default();
            ticks.chars().map(|tick| if overlay.tick(tick == '-', after) { '#' } else { '.' }).collect()
        };
        assert_eq!(run("+++-+++--+++---+++", 3), ".".repeat(14) + "#" + "##.");
        assert_eq!(run("----+---++-+++++", 3), "..###########...");
        assert_eq!(run("+-+-+-", 1), ".#.#.#");
    }
}
