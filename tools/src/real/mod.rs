//! A duel between processes over real UDP.
//!
//! | module | what it holds |
//! |---|---|
//! | `child` | one player's process |
//! | `crew` | the processes of all players, and their end |
//! | `pipe` | what they tell the duel |
//! | `compare` | whether they agree |

pub(crate) mod child;
mod compare;
mod crew;
mod pipe;

use crate::cli::DuelOptions;
use crate::duel::Duel;
use crate::error::{CliError, Code};
use crate::plant::{PLANTED_PEER, PlantedWorld};
use crate::progress::{Live, ProgressLine};
use crate::report::{DivergenceReport, PeerReport};
use child::Job;
use compare::Comparison;
use crew::{Crew, News};
use pipe::{Message, Note};

/// Plays with one process for each player.
pub(crate) fn play(options: &DuelOptions, duel: &Duel) -> Result<crate::duel::Played, CliError> {
    let players = usize::from(options.players);
    let mut crew = Crew::start(players)?;
    crew.give(0, &job(options, duel, 0, None))?;
    let comparison = Comparison::new(PlantedWorld::new(&duel.data, None), options.seed, players).map_err(CliError::usage)?;
    let mut parent = Parent {
        comparison,
        lives: vec![Live::waiting(); players],
        reports: vec![None; players],
        done: 0,
        progress: ProgressLine::delayed(),
        frames: duel.frames,
    };
    let divergence = loop {
        let News { peer, message } = crew.next()?;
        match message {
            Some(Message::Note(Note::Ready { ticket })) => {
                for joiner in 1..players {
                    crew.give(joiner, &job(options, duel, joiner, Some(&ticket)))?;
                }
            }
            Some(Message::Frame(claim)) => {
                if let Err(divergence) = parent.comparison.take(peer, claim) {
                    break Some(*divergence);
                }
            }
            Some(Message::Note(note)) => {
                parent.hear(peer, note)?;
                if parent.done == players {
                    break None;
                }
            }
            None if parent.is_done(peer) => {}
            None => return Err(crew.early_end(peer)),
        }
    };
    drop(crew);
    Ok(parent.played(divergence))
}

fn job(options: &DuelOptions, duel: &Duel, peer: usize, ticket: Option<&str>) -> Job {
    Job {
        peer,
        ticket: ticket.map(str::to_owned),
        players: options.players,
        frames: duel.frames,
        seed: options.seed,
        delay: options.play.delay,
        link: duel.link.clone(),
        inputs: options.play.inputs.clone(),
        frame_data: options.play.frame_data.clone(),
        plant: options.plant_desync.filter(|_| peer == PLANTED_PEER),
    }
}

/// What the duel knows of its players.
struct Parent {
    comparison: Comparison,
    lives: Vec<Live>,
    reports: Vec<Option<(bool, PeerReport)>>,
    done: usize,
    progress: ProgressLine,
    frames: u64,
}

impl Parent {
    fn hear(&mut self, peer: usize, note: Note) -> Result<(), CliError> {
        let (live, report, is_done) = match note {
            Note::Progress { live, report } => (live, report, false),
            Note::Done { live, report } => (live, report, true),
            Note::Failed { code, message } => {
                return Err(CliError::new(Code::from_number(code), message).at(format_args!("peer {peer}")));
            }
            Note::Ready { .. } => return Ok(()),
        };
        self.done += usize::from(is_done);
        if let (Some(known), Some(slot)) = (self.lives.get_mut(peer), self.reports.get_mut(peer)) {
            *known = live;
            *slot = Some((is_done, *report));
        }
        if self.progress.is_due() {
            if self.lives.iter().any(|live| live.frame < 0) {
                self.progress.show(&["the players meet".to_owned()]);
                return Ok(());
            }
            let agreed = format!("{}/{} agreed", self.comparison.agreed_frames(), self.frames);
            let sides = self.lives.iter().map(ToString::to_string);
            self.progress.show(&core::iter::once(agreed).chain(sides).collect::<Vec<_>>());
        }
        Ok(())
    }

    fn is_done(&self, peer: usize) -> bool {
        self.reports.get(peer).is_some_and(|report| report.as_ref().is_some_and(|(is_done, _)| *is_done))
    }

    fn played(self, divergence: Option<DivergenceReport>) -> crate::duel::Played {
        crate::duel::Played {
            frames: self.comparison.agreed_frames(),
            results: self.comparison.results().rounds().to_vec(),
            peers: self.reports.into_iter().flatten().map(|(_, report)| report).collect(),
            divergence,
        }
    }
}
