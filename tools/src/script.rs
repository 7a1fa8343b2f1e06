//! [`ScriptOptions`]: what a player commands at which frame.

use clap::Args;
use serde::{Deserialize, Serialize};
use snapback::control::ControlCommand;
use snapback::{Command, Frame};

/// The last frame of the longest match.
const MAX_FRAME: i64 = 86_400 * 60 - 1;

/// What a player commands.
#[derive(Args, Clone, Debug, Default, Serialize, Deserialize)]
#[command(next_help_heading = "Players")]
pub(crate) struct ScriptOptions {
    /// Pause at this frame for so many frames; may be repeated. In a duel player 0 does, in host and join you. A command takes
    /// effect 8 frames after it was given, and the rules allow three pauses of three minutes altogether
    #[arg(long, value_name = "FRAME:FRAMES", value_parser = pause)]
    pause: Vec<(i64, i64)>,

    /// Give the match up at this frame, as above; the next one begins
    #[arg(long, value_name = "FRAME", allow_negative_numbers = true, value_parser = frame)]
    surrender: Option<i64>,
}

/// Commands that are still to be given, the last one first.
#[derive(Clone, Debug, Default)]
pub(crate) struct Script(Vec<(i64, ControlCommand)>);

impl ScriptOptions {
    pub(crate) fn script(&self) -> Script {
        let pauses = self.pause.iter().flat_map(|(from, frames)| [(*from, ControlCommand::Pause), (from + frames, ControlCommand::Resume)]);
        let mut commands: Vec<_> = pauses.chain(self.surrender.map(|frame| (frame, ControlCommand::Surrender))).collect();
        commands.sort_by_key(|(frame, _)| core::cmp::Reverse(*frame));
        Script(commands)
    }

    /// The frame at which the last of them begins; none if there is nothing to do.
    pub(crate) fn last_frame(&self) -> Option<i64> {
        self.pause.iter().map(|(from, _)| *from).chain(self.surrender).max()
    }
}

impl Script {
    /// What goes with the input of `frame`: an input has room for one, so the next waits for the next frame.
    pub(crate) fn next(&mut self, frame: Frame) -> Command {
        let is_due = self.0.last().is_some_and(|(at, _)| *at <= frame.number());
        if is_due { self.0.pop().map_or(Command::NONE, |(_, command)| command.into()) } else { Command::NONE }
    }
}

fn frame(text: &str) -> Result<i64, String> {
    let number = text.parse().ok().filter(|frame| (0..=MAX_FRAME).contains(frame));
    number.ok_or_else(|| format!("write a frame from 0 to {MAX_FRAME}"))
}

fn pause(text: &str) -> Result<(i64, i64), String> {
    let pair = text.split_once(':').and_then(|(from, frames)| frame(from).ok().zip(frame(frames).ok()));
    pair.filter(|(_, frames)| *frames > 0).ok_or_else(|| "write a frame and for how many frames, such as 300:120".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_command_is_given_once_as_soon_as_there_is_room() {
        let options = ScriptOptions { pause: vec![(5, 2), (7, 3)], surrender: Some(0) };
        let mut script = options.script();
        let given: Vec<_> = (0..12).map(|frame| ControlCommand::decode(&script.next(Frame::new(frame)))).collect();
        let at = |frame: usize| given.get(frame).copied().flatten();
        assert_eq!((at(0), at(5), at(10)), (Some(ControlCommand::Surrender), Some(ControlCommand::Pause), Some(ControlCommand::Resume)));
        assert!(at(7).is_some() && at(8).is_some() && given.iter().flatten().count() == 5);
        assert!(pause("5").is_err() && pause("5:0").is_err() && pause("-1:5").is_err() && frame("-1").is_err());
        assert_eq!((pause("5:6"), options.last_frame()), (Ok((5, 6)), Some(7)));
    }
}
