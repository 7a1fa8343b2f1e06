//! Who presses the buttons: a bot, or a person whose inputs were recorded.

use crate::decimal::whole;
use crate::error::CliError;
use crate::plant::PlantedWorld;
use crate::script::{Script, ScriptOptions};
use clap::Args;
use serde::{Deserialize, Serialize};
use snapback::sim::{PadInput, World};
use snapback::{Command, Frame, PlayerHandle};
use snapback_harness::Pilot;
use snapback_harness::bot::Bot;
use snapback_harness::recorded::{FgError, FgFile, MAX_FILE_BYTES};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Where inputs come from.
#[derive(Args, Clone, Debug, Default, Serialize, Deserialize)]
#[command(next_help_heading = "Players")]
pub(crate) struct InputOptions {
    /// Recorded inputs of people (a .fg file) instead of bots; may be repeated. The first player (in host and join: yours)
    /// gets the first port of the first file, the next one the next port, and so on; players that are left over are bots,
    /// ports that are left over are not used. A recording that ends starts over. Recorded A is a light attack, B heavy, X or Y jump, shield guard, Z grab, the C-stick
    /// special; up, down, left and right stay what they are
    #[arg(long, value_name = "FILE")]
    inputs: Vec<PathBuf>,

    /// Take only these ports of each file, in this order; may be repeated
    #[arg(long, value_name = "N", requires = "inputs", allow_negative_numbers = true, value_parser = whole::<u8>(0..=255))]
    port: Vec<u8>,
}

/// The recordings that were asked for, one for each player that has one.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pilots {
    recordings: Vec<Arc<[u16]>>,
    script: Script,
}

impl InputOptions {
    /// Reads the files, for as many players as the program has.
    pub(crate) fn load(&self, players: usize) -> Result<Pilots, CliError> {
        let mut recordings = Vec::new();
        for path in &self.inputs {
            let file = read(path)?;
            let ports = if self.port.is_empty() { file.ports() } else { &self.port };
            for (nth, port) in ports.iter().enumerate() {
                if recordings.len() == players {
                    // A file may well have more ports than there are players.
                    if nth > 0 && self.port.is_empty() {
                        break;
                    }
                    return Err(too_many(players).at(path.display()));
                }
                let buttons = file.port(*port).map_err(|error| CliError::usage(error).at(path.display()))?;
                recordings.push(buttons.into());
            }
        }
        Ok(Pilots { recordings, script: Script::default() })
    }
}

fn read(path: &Path) -> Result<FgFile, CliError> {
    let mut bytes = Vec::new();
    std::fs::File::open(path)
        .and_then(|file| file.take(MAX_FILE_BYTES as u64 + 1).read_to_end(&mut bytes))
        .map_err(|error| CliError::usage(format_args!("cannot read the inputs {}: {error}; check the path", path.display())))?;
    FgFile::parse(&bytes).map_err(|error| match error {
        FgError::TooLarge { .. } => {
            let most = MAX_FILE_BYTES >> 20;
            CliError::usage(format_args!("{}: it is larger than {most} MiB; give a shorter recording", path.display()))
        }
        error => CliError::usage(error).at(path.display()),
    })
}

fn too_many(players: usize) -> CliError {
    CliError::usage(match players {
        1 => "only one player plays here, and has a recording already: give one --inputs and at most one --port".to_owned(),
        _ => format!("all {players} players have a recording already: give fewer --inputs or --port, or more --players"),
    })
}

impl Pilots {
    /// The pilot of `player`, who takes the recording with number `place`.
    pub(crate) fn pilot(&self, seed: u64, player: usize, place: usize) -> DuelPilot {
        let hands = match self.recordings.get(place) {
            Some(buttons) => Hands::Recorded(Arc::clone(buttons)),
            None => Hands::Bot(Bot::new(seed, player)),
        };
        // The first one obeys the options.
        DuelPilot { hands, script: if place == 0 { self.script.clone() } else { Script::default() } }
    }

    /// The first player commands this.
    pub(crate) fn with_script(self, options: &ScriptOptions) -> Self {
        Self { script: options.script(), ..self }
    }
}

/// One player's pilot.
pub(crate) struct DuelPilot {
    hands: Hands,
    script: Script,
}

enum Hands {
    /// Looks at the world.
    Bot(Bot),
    /// The buttons of each frame, over and over.
    Recorded(Arc<[u16]>),
}

impl DuelPilot {
    pub(crate) fn press(&mut self, frame: Frame, player: PlayerHandle, world: &World) -> PadInput {
        match &mut self.hands {
            Hands::Bot(bot) => bot.press(frame, player, world),
            Hands::Recorded(buttons) => PadInput::new(buttons.get(frame.slot(buttons.len())).copied().unwrap_or(0)),
        }
    }

    /// The command that goes with the input of `frame`; asked once for each frame, in order.
    pub(crate) fn command(&mut self, frame: Frame) -> Command {
        self.script.next(frame)
    }
}

impl Pilot<PlantedWorld> for DuelPilot {
    fn press(&mut self, frame: Frame, player: PlayerHandle, simulation: &PlantedWorld) -> PadInput {
        Self::press(self, frame, player, simulation.world())
    }

    fn command(&mut self, frame: Frame, _: PlayerHandle) -> Command {
        Self::command(self, frame)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use snapback::sim::WorldData;

    #[test]
    fn a_recording_starts_over_at_its_end() {
        let pilots = Pilots { recordings: vec![Arc::from([1_u16, 2, 3])], ..Pilots::default() };
        let (mut pilot, world) = (pilots.pilot(1, 0, 0), World::new(WorldData::default()));
        let pressed: Vec<u16> = (0..5).map(|n| pilot.press(Frame::new(n), PlayerHandle::new(0), &world).buttons).collect();
        assert_eq!(pressed, [1, 2, 3, 1, 2]);
        assert!(matches!(pilots.pilot(1, 1, 1).hands, Hands::Bot(_)));
    }
}
