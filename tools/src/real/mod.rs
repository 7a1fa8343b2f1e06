//! A duel between processes over real UDP.
//!
//! | module | what it holds |
//! |---|---|
//! | `child` | one player's process |
//! | `crew` | the processes of all players, and their end |
//! | `pipe` | what they tell the duel |
//! | `prompter` | what somebody types, and who says it |
//! | `compare` | whether they agree |

pub(crate) mod child;
mod compare;
mod crew;
mod pipe;
mod prompter;

use crate::cli::DuelOptions;
use crate::duel::{Duel, Played};
use crate::error::{CliError, Code};
use crate::golden::live::LiveRecording;
use crate::interrupt;
use crate::out;
use crate::plant::{PLANTED_PEER, PlantedWorld};
use crate::progress::{Live, ProgressLine};
use crate::report::{DivergenceReport, PeerReport};
use crate::results::not_written;
use crate::screen;
use crate::side_channels::chat::ChatLine;
use crate::side_channels::{ChannelNews, REPORTED_LINES};
use crate::telemetry::kept::{self, KeptLines};
use child::Job;
use compare::Comparison;
use crew::{Crew, News};
use pipe::{Message, Note};
use prompter::Prompter;

/// Plays with one process for each player.
pub(crate) fn play(options: &DuelOptions, duel: &Duel) -> Result<Played, CliError> {
    let players = usize::from(options.players);
    screen::start();
    let mut crew = Crew::start(players)?;
    crew.give(0, &job(options, duel, 0, None))?;
    let comparison = Comparison::new(PlantedWorld::new(&duel.data, None), options.seed, players).map_err(CliError::usage)?;
    let mut recording = LiveRecording::start(&options.play.live, &duel.data, options.seed, players)?;
    let mut prompter = Prompter::new(&options.play.channels, players);
    let mut parent = Parent {
        comparison,
        seats: vec![None; players],
        lives: vec![Live::waiting(); players],
        recorded: vec![KeptLines::default(); players],
        reports: vec![None; players],
        done: 0,
        chat: Vec::new(),
        chat_left_out: 0,
        progress: ProgressLine::delayed().beside_typing(prompter.is_some()).with_graph(options.play.telemetry.net_graph),
        unwritten: Vec::new(),
        frames: duel.frames,
    };
    let mut converse = || loop {
        if interrupt::asked().is_some() {
            break Ok(None);
        }
        if let Some(prompter) = &mut prompter {
            prompter.poll(&parent.seats, &mut crew);
        }
        let Some(News { process, message }) = crew.next()? else { continue };
        let player = parent.seats.get(process).copied().flatten();
        match message {
            Some(Message::Note(Note::Ready { tickets })) => {
                for joiner in 1..players {
                    crew.give(joiner, &job(options, duel, joiner, tickets.get(joiner - 1).or(tickets.first()).map(String::as_str)))?;
                }
            }
            Some(Message::Frame(claim)) => {
                // Who has no seat confirms nothing.
                let Some(player) = player else { continue };
                if let Some(recording) = recording.as_mut().filter(|_| player == 0) {
                    recording.take(claim.frame, &claim.inputs, claim.state_hash, &claim.snapshot)?;
                }
                if let Err(divergence) = parent.comparison.take(player, claim) {
                    break Ok(Some(*divergence));
                }
            }
            Some(Message::Note(note)) => {
                parent.hear(process, note)?;
                if parent.done == players {
                    break Ok(None);
                }
            }
            None if player.is_some_and(|player| parent.is_done(player)) => {}
            None => {
                let error = crew.early_end(process, &name(player));
                // Whoever asked for the end may have asked all processes at once.
                match interrupt::asked() {
                    Some(_) => break Ok(None),
                    None => break Err(error),
                }
            }
        }
    };
    let ended: Result<Option<DivergenceReport>, CliError> = converse();
    drop(crew);
    let buried = parent.bury(options, !matches!(ended, Ok(None)));
    let divergence = ended?;
    parent.unwritten.extend(buried.err());
    // A host that came to its end has written it, or has said why not.
    let has_host_ended = parent.seats.first().copied().flatten().is_some_and(|player| parent.is_done(player));
    if let Some(path) = options.play.live.result.as_deref().filter(|_| !has_host_ended) {
        out::note(not_written(path, "the match did not come to its end"));
    }
    if let Some(prompter) = &prompter {
        prompter.end();
    }
    if let Some(recording) = recording {
        let report = parent.reports.first().and_then(Option::as_ref).map(|(_, report)| report);
        let finished = recording.finish(report.map_or(0, |report| report.rollbacks), report.map_or(0, |report| report.max_depth));
        parent.unwritten.extend(finished.err());
    }
    Ok(parent.played(divergence))
}

fn job(options: &DuelOptions, duel: &Duel, process: usize, ticket: Option<&str>) -> Job {
    Job {
        process,
        ticket: ticket.map(str::to_owned),
        players: options.players,
        frames: duel.frames,
        seed: options.seed,
        delay: options.play.delay,
        link: duel.link.clone(),
        inputs: options.play.inputs.clone(),
        frame_data: options.play.frame_data.clone(),
        plant: options.plant_desync.filter(|_| process == PLANTED_PEER),
        insecure_lan: options.play.keys.insecure_lan,
        no_channels: options.play.channels.no_channels,
        telemetry: options.play.telemetry.clone(),
        script: options.play.script.clone(),
        result: options.play.live.result.clone().filter(|_| process == 0),
    }
}

fn name(player: Option<usize>) -> String {
    player.map_or_else(|| "one of the players".to_owned(), |player| format!("player {player}"))
}

/// What the duel knows of its players.
struct Parent {
    comparison: Comparison,
    /// The player at each process. All else is by player.
    seats: Vec<Option<usize>>,
    lives: Vec<Live>,
    /// What is left for a post-mortem, by process.
    recorded: Vec<KeptLines>,
    reports: Vec<Option<(bool, PeerReport)>>,
    done: usize,
    /// What arrived.
    chat: Vec<ChatLine>,
    /// What arrived after that.
    chat_left_out: u64,
    progress: ProgressLine,
    /// What could not be written.
    unwritten: Vec<CliError>,
    frames: u64,
}

impl Parent {
    fn hear(&mut self, process: usize, note: Note) -> Result<(), CliError> {
        let Some(seat) = self.seats.get_mut(process) else { return Ok(()) };
        let (live, report, is_done) = match note {
            Note::Progress { live, report } => (live, report, false),
            Note::Done { live, report } => (live, report, true),
            Note::Failed { code, message } => return Err(CliError::new(Code::from_number(code), message).at(name(*seat))),
            Note::Seated { player } => {
                *seat = Some(player);
                return Ok(());
            }
            Note::Recorded(new) => {
                if let Some(kept) = self.recorded.get_mut(process) {
                    kept.take(new);
                }
                return Ok(());
            }
            Note::Channels(news) => {
                let name = name(*seat);
                self.hear_channels(&name, news);
                return Ok(());
            }
            Note::Unwritten { message } => {
                self.unwritten.push(CliError::environment(message));
                return Ok(());
            }
            Note::Ready { .. } => return Ok(()),
        };
        self.done += usize::from(is_done);
        let Some(player) = *seat else { return Ok(()) };
        if let (Some(known), Some(slot)) = (self.lives.get_mut(player), self.reports.get_mut(player)) {
            *known = live;
            *slot = Some((is_done, *report));
        }
        if self.progress.is_due() {
            if self.lives.iter().any(|live| live.frame < 0) {
                self.progress.show(&["the players meet".to_owned()]);
                return Ok(());
            }
            let agreed = format!("{}/{} agreed", self.comparison.agreed_frames(), self.frames);
            self.progress.show_lives(agreed, self.lives.iter());
        }
        Ok(())
    }

    fn hear_channels(&mut self, name: &str, news: ChannelNews) {
        let line = match news {
            ChannelNews::Note(line) => format!("{name}: {line}"),
            ChannelNews::Chat(line) => {
                let shown = format!("player {} to player {}: {}", line.from, line.to, line.text);
                if self.chat.len() < REPORTED_LINES {
                    self.chat.push(line);
                } else {
                    self.chat_left_out += 1;
                }
                shown
            }
        };
        out::note(line);
    }

    /// Writes the post-mortems, if there are to be any.
    fn bury(&self, options: &DuelOptions, is_bad: bool) -> Result<(), CliError> {
        let is_bad = is_bad || self.comparison.agreed_frames() < self.frames;
        let Some(file) = options.play.telemetry.post_mortem_file(is_bad) else { return Ok(()) };
        for (process, kept) in self.recorded.iter().enumerate() {
            // Who never got a seat has nothing to tell.
            if let Some(player) = self.seats.get(process).copied().flatten() {
                kept::write(&kept::of_player(file, player), &kept.text())?;
            }
        }
        Ok(())
    }

    fn is_done(&self, player: usize) -> bool {
        self.reports.get(player).is_some_and(|report| report.as_ref().is_some_and(|(is_done, _)| *is_done))
    }

    fn played(self, divergence: Option<DivergenceReport>) -> Played {
        Played {
            frames: self.comparison.agreed_frames(),
            log: self.comparison.into_log(),
            peers: self.reports.into_iter().flatten().map(|(_, report)| report).collect(),
            chat: self.chat,
            chat_left_out: self.chat_left_out,
            divergence,
            unwritten: self.unwritten,
        }
    }
}
