//! [`ScriptOptions`]: what a player commands at which frame.

use crate::error::CliError;
use clap::Args;
use serde::{Deserialize, Serialize};
use snapback::control::{ControlCommand, ControlRules};
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

    /// Refuses what cannot be done as it is written: pauses into one another, of which one would never end; more than
    /// the rules allow; a command after the last frame.
    pub(crate) fn check(&self, rules: &ControlRules, frames: Option<u64>) -> Result<(), CliError> {
        let mut pauses = self.pause.clone();
        pauses.sort_unstable();
        for ((from, for_frames), (next, next_for)) in pauses.iter().zip(pauses.iter().skip(1)) {
            // An input has room for one command: the frame that resumes is not the one that pauses again.
            if *next <= from + for_frames {
                return Err(CliError::usage(format_args!(
                    "--pause {from}:{for_frames} is not over when --pause {next}:{next_for} begins: leave a frame between them"
                )));
            }
        }
        if pauses.len() > usize::from(rules.pauses_per_player) {
            return Err(CliError::usage(format_args!("{} times --pause: the rules allow {}", pauses.len(), rules.pauses_per_player)));
        }
        let sum: i64 = pauses.iter().map(|(_, for_frames)| for_frames).sum();
        if sum > i64::from(rules.pause_frames_per_player) {
            let most = rules.pause_frames_per_player;
            return Err(CliError::usage(format_args!("--pause for {sum} frames altogether: the rules allow {most}")));
        }
        let last = pauses.iter().map(|(from, _)| *from).chain(self.surrender).max();
        match (last, frames) {
            (Some(frame), Some(frames)) if u64::try_from(frame).is_ok_and(|frame| frame >= frames) => Err(CliError::usage(format_args!(
                "a command at frame {frame} is after the last frame, {}; give an earlier one or play longer",
                frames.saturating_sub(1)
            ))),
            _ => Ok(()),
        }
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
    let pair = text.split_once(':').and_then(|(from, frames)| from.parse::<i64>().ok().zip(frames.parse::<i64>().ok()));
    let (from, frames) = pair.ok_or_else(|| "write a frame and for how many frames, such as 300:120".to_owned())?;
    if !(0..=MAX_FRAME).contains(&from) {
        return Err(format!("it begins with a frame from 0 to {MAX_FRAME}"));
    }
    // How many the rules allow is known later.
    if !(1..=MAX_FRAME).contains(&frames) {
        return Err(format!("it lasts from 1 to {MAX_FRAME} frames, and by the rules much less"));
    }
    Ok((from, frames))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_command_is_given_once_as_soon_as_there_is_room() {
        let options = ScriptOptions { pause: vec![(5, 2), (8, 3)], surrender: Some(0) };
        let mut script = options.script();
        let given: Vec<_> = (0..12).map(|frame| ControlCommand::decode(&script.next(Frame::new(frame)))).collect();
        let at = |frame: usize| given.get(frame).copied().flatten();
        assert_eq!((at(0), at(5), at(11)), (Some(ControlCommand::Surrender), Some(ControlCommand::Pause), Some(ControlCommand::Resume)));
        assert!(at(7).is_some() && at(8).is_some() && given.iter().flatten().count() == 5);
        assert!(pause("5").is_err() && pause("5:0").is_err() && pause("-1:5").is_err() && frame("-1").is_err());
        assert_eq!(pause("5:6"), Ok((5, 6)));
    }

    #[test]
    fn pauses_that_would_not_be_those_that_were_asked_for_are_refused() {
        let rules = ControlRules::default();
        let check = |pause: &[(i64, i64)], frames| {
            ScriptOptions { pause: pause.to_vec(), surrender: None }.check(&rules, frames).err().map(|error| error.to_string())
        };
        assert_eq!(check(&[(300, 10_000), (100, 5), (107, 7)], Some(301)), None);
        let overlap = |pause: &[(i64, i64)]| check(pause, None).is_some_and(|error| error.contains(" is not over when "));
        assert!(overlap(&[(100, 5), (100, 7)]) && overlap(&[(107, 1), (100, 9)]) && overlap(&[(100, 5), (105, 1)]));
        assert_eq!(check(&[(1, 1), (3, 1), (5, 1), (7, 1)], None).as_deref(), Some("4 times --pause: the rules allow 3"));
        assert_eq!(check(&[(1, 10_801)], None).as_deref(), Some("--pause for 10801 frames altogether: the rules allow 10800"));
        assert!(check(&[(1, 1)], Some(1)).is_some_and(|error| error.starts_with("a command at frame 1 is after the last frame, 0;")));
        assert!(pause("10:99999999").is_err_and(|error| error.starts_with("it lasts from 1 to ")));
    }
}
