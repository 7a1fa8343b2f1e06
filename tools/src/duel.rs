//! `snapback duel`: what both ways of playing it have in common.

use crate::cli::{DuelOptions, Format};
use crate::error::{CliError, Code};
use crate::link_options::LinkSpec;
use crate::pilots::Pilots;
use crate::report::{DivergenceReport, PeerReport, Report, slowest_hz};
use crate::results::RoundLine;
use crate::{fast, frame_data, out, real, render};
use snapback::sim::WorldData;
use std::sync::Arc;

/// Frames a second; the world's numbers are made for it.
pub(crate) const HZ: u32 = 60;

/// A duel that is ready to be played.
pub(crate) struct Duel {
    pub(crate) frames: u64,
    pub(crate) link: LinkSpec,
    pub(crate) pilots: Pilots,
    pub(crate) data: Arc<WorldData>,
}

/// A duel that was played.
pub(crate) struct Played {
    /// On which everybody agrees.
    pub(crate) frames: u64,
    pub(crate) results: Vec<RoundLine>,
    pub(crate) peers: Vec<PeerReport>,
    pub(crate) divergence: Option<DivergenceReport>,
}

/// Plays it and prints the report.
pub(crate) fn run(options: &DuelOptions) -> Result<Code, CliError> {
    let duel = prepare(options)?;
    let played = if options.fast { fast::play(options, &duel)? } else { real::play(options, &duel)? };
    let report = report(options, &duel, played);
    match options.play.format {
        Format::Human => out::say(render::human(&report)),
        Format::Json => out::say(render::json(&report)?),
    }
    if let Some(divergence) = &report.divergence {
        out::note(format_args!("error: the peers disagree: {}", divergence.line()));
    }
    Ok(if report.agree { Code::Agreed } else { Code::Disagreed })
}

/// Finds everything that is wrong before anything is started.
fn prepare(options: &DuelOptions) -> Result<Duel, CliError> {
    let frames = u64::from(options.seconds) * u64::from(HZ);
    if let Some(frame) = options.plant_desync
        && u64::try_from(frame).is_ok_and(|frame| frame >= frames)
    {
        let message = format!("--plant-desync {frame} is after the last frame, {}; plant an earlier one or play longer", frames - 1);
        return Err(CliError::usage(message));
    }
    let link = options.play.link.of_duel();
    link.load_trace()?;
    let pilots = options.play.inputs.load()?;
    let data = frame_data::load(options.play.frame_data.as_deref())?;
    Ok(Duel { frames, link, pilots, data })
}

fn report(options: &DuelOptions, duel: &Duel, played: Played) -> Report {
    let Played { frames, results, peers, divergence } = played;
    let hashes_agree = peers.windows(2).all(|pair| match pair {
        [one, other] => one.confirmed_hash == other.confirmed_hash && one.digest == other.digest,
        _ => true,
    });
    let agree = divergence.is_none() && frames == duel.frames && hashes_agree;
    let outcome = match &divergence {
        Some(divergence) => divergence.line(),
        None if agree => "every frame is confirmed by every peer, and all of them have what a straight replay gives".to_owned(),
        None => format!("only {frames} of {} frames were confirmed by every peer", duel.frames),
    };
    Report {
        agree,
        outcome,
        mode: if options.fast { "duel --fast" } else { "duel" },
        players: options.players,
        seed: options.seed,
        link: duel.link.to_string(),
        encrypted: false,
        frames,
        frames_wanted: Some(duel.frames),
        achieved_hz: slowest_hz(&peers),
        results,
        peers,
        divergence,
    }
}
