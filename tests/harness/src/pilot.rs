//! [`Pilot`]: who presses the buttons.

use snapback::{Command, Frame, PlayerHandle, Simulation};

/// Gives a player's inputs. It is asked once for every frame, in order; a frozen tick asks again
/// for the same frame and must get the same answer, which the cluster takes care of.
pub trait Pilot<S: Simulation> {
    /// What `player` presses for `frame`, with the world as that player sees it.
    fn press(&mut self, frame: Frame, player: PlayerHandle, simulation: &S) -> S::Input;

    /// The command that rides in that input; none unless a pilot says otherwise.
    fn command(&mut self, _frame: Frame, _player: PlayerHandle) -> Command {
        Command::NONE
    }
}

/// A pilot that is a function.
impl<S: Simulation, F: FnMut(Frame, PlayerHandle, &S) -> S::Input> Pilot<S> for F {
    fn press(&mut self, frame: Frame, player: PlayerHandle, simulation: &S) -> S::Input {
        self(frame, player, simulation)
    }
}
