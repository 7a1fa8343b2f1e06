//! Soaking: matches under every fault that a network and a machine have, one from each seed.
//!
//! | module | what it holds |
//! |---|---|
//! | [`script`] | what happens in the match of a seed: who plays, over which links, and what goes wrong when |
//! | [`planted`] | mistakes that the soak must find |
//! | [`ledger`] | the game: small, and its state depends on every bit of every input |
//! | [`verdict`] | what a match must come to |
//! | [`tally`] | what many matches have shown together |

pub mod ledger;
pub mod planted;
pub mod script;
pub mod tally;
pub mod verdict;

pub use script::Script;
pub use tally::Tally;

use crate::cluster::{Cluster, ClusterError};
use crate::holds::Holds;
use crate::pilot::Pilot;
use ledger::{Buttons, Ledger};
use script::{Action, Deed};
use snapback::control::ControlCommand;
use snapback::{Command, Frame, PeerPhase, PlayerHandle, Rng};
use std::cell::Cell;

/// In this much virtual time every match is over, one way or another.
pub const LIMIT_US: u64 = 400_000_000;

/// Plays the match of `seed` and adds what it has shown to `tally`.
///
/// # Errors
/// Says what is not as it must be, without the seed.
pub fn play(seed: u64, tally: &mut Tally) -> Result<(), String> {
    let script = Script::draw(seed);
    let mut cluster = cluster(&script).map_err(|error| error.to_string())?;
    let ended = run(&mut cluster, &script.deeds);
    tally.count(&cluster, &script);
    verdict::check(&cluster, &script, ended)
}

fn cluster(script: &Script) -> Result<Cluster<Ledger>, ClusterError> {
    let seed = script.settings.seed;
    let made = Cell::new(0);
    let breaks = script.breaks;
    Cluster::new(
        &script.settings,
        || {
            let place = made.replace(made.get() + 1);
            let breaks = breaks.filter(|breaks| breaks.peer == place);
            breaks.map_or_else(Ledger::default, |breaks| Ledger::default().that_breaks_after(breaks.restores))
        },
        move |player| Box::new(Presser { holds: Holds::new(seed, player), dice: Rng::new(seed, 0x7072_6573 + player as u64) }),
    )
}

/// Lets the deeds happen at their times, and the match come to its end.
fn run(cluster: &mut Cluster<Ledger>, deeds: &[Deed]) -> Result<(), ClusterError> {
    let mut since_us = None;
    for deed in deeds {
        let start_us = match since_us {
            Some(start_us) => start_us,
            None => *since_us.insert(start(cluster)?),
        };
        cluster.run_until(start_us + deed.at_us)?;
        act(cluster, &deed.action)?;
    }
    cluster.run(LIMIT_US)
}

/// When the match begins.
fn start(cluster: &mut Cluster<Ledger>) -> Result<u64, ClusterError> {
    while !cluster.is_over() && cluster.nodes().iter().any(|node| node.peer.phase() < PeerPhase::Playing) && cluster.now_us() < LIMIT_US {
        cluster.advance()?;
    }
    Ok(cluster.now_us())
}

fn act(cluster: &mut Cluster<Ledger>, action: &Action) -> Result<(), ClusterError> {
    match *action {
        Action::Link { from, to, settings } => cluster.set_link(from, to, settings),
        Action::Suspend { peer, is_suspended } => cluster.set_asleep(peer, is_suspended),
        Action::Unfocus { peer, is_unfocused } => cluster.set_unfocused(peer, is_unfocused),
        Action::Leap { peer, us } => cluster.leap(peer, us),
        Action::Delay { peer, frames } => {
            if let Some(node) = cluster.nodes_mut().get_mut(peer) {
                node.peer.set_input_delay(frames).map_err(ClusterError::Session)?;
            }
        }
    }
    Ok(())
}

/// Presses by the frame alone, and gives a command now and then.
struct Presser {
    holds: Holds,
    dice: Rng,
}

impl Pilot<Ledger> for Presser {
    fn press(&mut self, _: Frame, _: PlayerHandle, _: &Ledger) -> Buttons {
        Buttons { held: self.holds.next_any() }
    }

    fn command(&mut self, frame: Frame, _: PlayerHandle) -> Command {
        if !self.dice.chance(10_000) {
            return Command::NONE;
        }
        match self.dice.below(4) {
            0 => ControlCommand::Pause.into(),
            1 => ControlCommand::Resume.into(),
            _ => Command::new(Command::FIRST_GAME_KIND, &frame.number().to_le_bytes()).unwrap_or(Command::NONE),
        }
    }
}
